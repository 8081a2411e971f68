/** The messages of the open chat. Only what has changed is drawn anew, so that animations go on and nothing jumps. */
import { h } from "./dom.js";
import { refreshMoments } from "./entities.js";
import { t } from "./i18n.js";
import { messageItem } from "./message.js";
import { sender } from "./names.js";
import { serviceParts } from "./service.js";
import { keyOf, KEPT, store } from "./store.js";
import { dayKey, dayName } from "./time.js";

/** Messages of one sender belong together when no more than this lies between them, seconds. */
const TOGETHER = 600;
/** So near to the end, in pixels, the log follows new messages. */
const NEAR = 80;

const log = document.getElementById("log");
const list = log.querySelector("ol");
const toEnd = document.getElementById("to-end");

/** key of an item → {signature, element} */
let drawn = new Map();
let place = "";
let missed = 0;
/** Whether the log follows its end. */
let stick = true;
let lastSize = "";

const atEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;

function scrollToEnd(behavior = "instant") {
  log.scrollTo({ top: log.scrollHeight, behavior });
  stick = true;
  missed = 0;
  showEnd();
}

/** A picture that came late, or an input that grew, must not hide the newest message; only a reader scrolls away from it. */
function resized() {
  if (size() === lastSize) return;
  lastSize = size();
  if (stick) scrollToEnd();
  else showEnd();
}

function scrolled() {
  if (size() !== lastSize) {
    resized();
    return;
  }
  stick = atEnd();
  if (stick) missed = 0;
  showEnd();
}

const size = () => `${log.scrollHeight} ${log.clientHeight}`;

function showEnd() {
  toEnd.hidden = atEnd();
  const count = toEnd.querySelector(".count");
  count.textContent = missed > 0 ? String(missed) : "";
  const label = missed > 0 ? t("chat.new", { n: missed }) : t("chat.toEnd");
  toEnd.setAttribute("aria-label", label);
  toEnd.title = label;
}

/** Draws the open chat. `fresh`: a new message is the reason. */
export function drawLog({ fresh = null } = {}) {
  const here = `${store.chatId}/${store.thread}`;
  const moved = here !== place;
  if (moved) {
    place = here;
    drawn = new Map();
    missed = 0;
  }
  const follow = moved || stick || fresh?.from?.id === store.me;
  const messages = store.chatId === null ? [] : store.messages(store.chatId, store.thread).slice(-KEPT);
  const next = new Map();
  for (const { key, signature, make } of items(messages)) {
    const before = drawn.get(key);
    const element = before?.signature === signature ? before.element : keepMedia(make(), before?.element);
    next.set(key, { signature, element });
  }
  drawn = next;
  settle([...next.values()].map(({ element }) => element));
  log.classList.toggle("empty", messages.length === 0);
  if (follow) scrollToEnd();
  else if (fresh) missed += 1;
  showEnd();
}

/** Puts the elements in order, touching only those that stand elsewhere; the focus stays with its message. */
function settle(elements) {
  const focused = list.contains(document.activeElement) ? focusPath() : null;
  const wanted = new Set(elements);
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  if (focused && document.activeElement === document.body) focused();
}

/** How to find the focused button again after its message was drawn anew. */
function focusPath() {
  const item = document.activeElement.closest("li[data-id]");
  if (!item) return null;
  const index = [...item.querySelectorAll("button, a")].indexOf(document.activeElement);
  return () => {
    const again = list.querySelector(`li[data-id="${CSS.escape(item.dataset.id)}"]`);
    again?.querySelectorAll("button, a")[index]?.focus({ preventScroll: true });
  };
}

/** A picture that has not changed is moved over, not loaded again. */
function keepMedia(element, before) {
  if (!before) return element;
  for (const fresh of element.querySelectorAll("[data-media]")) {
    const old = before.querySelector(`[data-media="${CSS.escape(fresh.dataset.media)}"]`);
    if (old) fresh.replaceWith(old);
  }
  return element;
}

function* items(messages) {
  let day = null;
  const groups = [...albums(messages)];
  for (const [index, group] of groups.entries()) {
    const [message] = group;
    const today = dayKey(message.date);
    const newDay = today !== day;
    if (newDay) {
      day = today;
      const name = dayName(message.date);
      const make = () => h("li", { class: "day" }, h("span", {}, name));
      yield { key: `day ${today} ${keyOf(message)}`, signature: name, make };
    }
    const next = groups[index + 1]?.[0];
    const run = {
      first: newDay || !together(groups[index - 1]?.[0], message),
      last: !next || dayKey(next.date) !== today || !together(message, next),
    };
    const answered = message.reply_to_message && store.message(message.chat.id, message.reply_to_message.message_id);
    const { name, badge } = sender(message);
    const signature = [group.map((one) => one.version ?? 0), answered?.version, run.first, run.last, name, badge].join(" ");
    yield { key: `m ${keyOf(message)}`, signature, make: () => messageItem(group, run) };
  }
}

function* albums(messages) {
  let group = [];
  for (const message of messages) {
    if (group.length > 0 && message.media_group_id && group[0].media_group_id === message.media_group_id) group.push(message);
    else {
      if (group.length > 0) yield group;
      group = [message];
    }
  }
  if (group.length > 0) yield group;
}

function together(one, other) {
  if (!one || !other || serviceParts(one) || serviceParts(other)) return false;
  return sender(one).id === sender(other).id && other.date - one.date <= TOGETHER;
}

/** Shows a message of the open chat and lets it shine. */
export function jump(messageId) {
  const item = list.querySelector(`li[data-id="${CSS.escape(String(messageId))}"]`);
  if (!item) return;
  item.scrollIntoView({ block: "center", behavior: "smooth" });
  item.classList.remove("shine");
  void item.offsetWidth;
  item.classList.add("shine");
}

export function startLog() {
  log.setAttribute("aria-label", t("chat.log"));
  list.dataset.empty = t("chat.empty");
  log.addEventListener("scroll", scrolled);
  toEnd.addEventListener("click", () => scrollToEnd("smooth"));
  const observer = new ResizeObserver(resized);
  observer.observe(list);
  observer.observe(log);
  store.on("jump", jump);
  setInterval(() => refreshMoments(log), 15_000);
  store.on("clock", () => refreshMoments(log));
}
