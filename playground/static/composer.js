/** Where one writes: the input, what it answers or edits, the commands, inline results, the bot's keyboard. */
import { api } from "./api.js";
import { send, start } from "./actions.js";
import { Choices, forgetCommands, offerCommands } from "./commands.js";
import { bdi, h, icon, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import { inlineQuery, InlineResults } from "./inline.js";
import { concerns, replyKeyboard, replyKeys } from "./keyboard.js";
import { sender } from "./names.js";
import { summary } from "./service.js";
import { keyOf, store } from "./store.js";
import { toast, trying } from "./toasts.js";

/** Telegram's limit of a text, in UTF-16 units here (near enough for a playground). */
const LONGEST = 4096;
const WARN = 200;

const root = document.getElementById("composer");
const gate = document.getElementById("gate");
const form = root.querySelector("form");
const input = form.querySelector("textarea");
const sendButton = form.querySelector("[type=submit]");
const banner = document.getElementById("draft");
const keys = document.getElementById("reply-keys");
const left = document.getElementById("left");
const anonymous = document.getElementById("anonymous");
const commandsButton = document.getElementById("commands");
const keysButton = document.getElementById("keys-button");

const choices = new Choices(document.getElementById("choices"));
const inline = new InlineResults(choices, () => setText(""));

/** place → what was begun there */
const begun = new Map();
let place = "";
/** The message whose one-time keyboard was used, or whose keyboard was put away. */
let putAway = null;
let forcedBy = null;

function setText(text, { focus = false } = {}) {
  input.value = text;
  input.dispatchEvent(new Event("input"));
  if (focus) {
    input.focus();
    input.setSelectionRange(text.length, text.length);
  }
}

async function submit() {
  const text = input.value.trim();
  if (!text) return;
  const { draft } = store;
  const extra = { anonymous: anonymous.querySelector("input").checked && !anonymous.hidden ? true : undefined };
  if (draft?.kind === "reply") extra.reply_to = draft.message.message_id;
  if (draft?.kind === "edit") extra.edit = draft.message.message_id;
  sendButton.disabled = true;
  const sent = await send(text, extra);
  sendButton.disabled = false;
  if (sent === undefined) return;
  const { markup, message } = replyKeyboard(store.messages(store.chatId, store.thread), store.person) ?? {};
  if (markup?.one_time_keyboard) putAway = keyOf(message);
  store.openDraft(null);
  setText("");
  input.focus();
}

function typed() {
  const text = input.value;
  grow();
  const rest = LONGEST - text.length;
  left.textContent = rest <= WARN ? String(rest) : "";
  left.title = t("compose.left", { n: rest });
  sendButton.classList.toggle("ready", text.trim() !== "");
  const query = inlineQuery(text);
  if (query !== null) inline.ask(query);
  else {
    inline.stop();
    forgetCommands();
    if (/^\/\w*$/.test(text)) offerCommands(choices, text, sendCommand);
    else choices.hide();
  }
}

/** The input is as high as its text; browsers that do it themselves (`field-sizing`) are left alone. */
function grow() {
  if (CSS.supports("field-sizing", "content")) return;
  input.style.height = "auto";
  if (input.scrollHeight > 0) input.style.height = `${input.scrollHeight}px`;
}

async function sendCommand(command) {
  choices.hide();
  setText("");
  await send(command);
  input.focus();
}

function keydown(event) {
  if (event.isComposing) return;
  if (choices.key(event, input)) {
    event.preventDefault();
    return;
  }
  const touch = matchMedia("(pointer: coarse)").matches;
  if (event.key === "Enter" && !event.shiftKey && !touch) {
    event.preventDefault();
    submit();
  } else if (event.key === "Escape" && store.draft) {
    store.openDraft(null);
  } else if (event.key === "ArrowUp" && input.value === "") {
    const mine = store.messages(store.chatId, store.thread).findLast((one) => one.from?.id === store.me && one.text);
    if (mine) {
      event.preventDefault();
      store.openDraft({ kind: "edit", message: mine });
    }
  }
}

function drawDraft(draft) {
  banner.hidden = draft === null;
  sendButton.title = t(draft?.kind === "edit" ? "compose.save" : "compose.send");
  if (draft === null) {
    banner.replaceChildren();
    return;
  }
  const { kind, message } = draft;
  const title = kind === "edit" ? t("compose.editing") : t("compose.replyTo", { who: sender(message).name });
  const cancel = () => {
    if (kind === "edit") setText("");
    store.openDraft(null);
  };
  banner.replaceChildren(
    h("span", { class: "draft-words" }, bdi(title, { class: "quote-name" }), bdi(summary(message), { class: "quote-text" })),
    iconButton("close", t("compose.cancel"), cancel, { class: "round small" }),
  );
  if (kind === "edit") setText(message.text, { focus: true });
  else input.focus();
}

/** Draws what depends on the chat: whether one may write here at all, and the bot's keyboard. */
export function drawComposer() {
  const { chat } = store;
  const here = `${store.chatId}/${store.thread}`;
  if (here !== place) {
    begun.set(place, input.value);
    place = here;
    anonymous.querySelector("input").checked = false;
    setText(begun.get(here) ?? "");
  }
  const closed = chat ? obstacle(chat) : [];
  root.hidden = !chat || closed.length > 0;
  gate.hidden = !chat || closed.length === 0;
  gate.replaceChildren(...closed);
  if (!chat || closed.length > 0) return;
  anonymous.hidden = chat.type === "private" || !store.isAdmin(chat);
  drawKeys();
}

function drawKeys() {
  const messages = store.messages(store.chatId, store.thread);
  const standing = replyKeyboard(messages, store.person);
  keysButton.hidden = standing === null;
  const shown = standing !== null && putAway !== keyOf(standing.message);
  keysButton.setAttribute("aria-expanded", String(shown));
  keys.hidden = !shown;
  keys.replaceChildren(...(shown ? replyKeys(standing.markup, usedKey) : []));
  input.placeholder = standing?.markup.input_field_placeholder ?? t("compose.placeholder");
  const last = messages.at(-1);
  const forced = last?.reply_keyboard?.force_reply && concerns(last, last.reply_keyboard, store.person);
  if (forced && forcedBy !== keyOf(last)) {
    forcedBy = keyOf(last);
    store.openDraft({ kind: "reply", message: last });
  }
}

async function usedKey(button) {
  if (Object.keys(button).some((name) => name.startsWith("request_") || name === "web_app")) {
    toast(t("press.unsupported"));
    return;
  }
  const standing = replyKeyboard(store.messages(store.chatId, store.thread), store.person);
  if (standing?.markup.one_time_keyboard) putAway = keyOf(standing.message);
  const answer = store.chat.type === "private" ? {} : { reply_to: standing?.message.message_id };
  await send(button.text, answer);
  drawKeys();
}

/** Why one cannot write here, and the button that helps; empty where one can. */
function obstacle(chat) {
  const button = (label, action, big = true) =>
    h("button", { type: "button", class: big ? "primary-button" : "quiet-button", onclick: action }, label);
  if (chat.type === "private") {
    if (store.person?.blocked) {
      const unblock = () => trying(() => api.changePerson(store.me, { blocked: false }));
      return [h("p", {}, t("chat.blocked")), button(t("chat.unblock"), unblock)];
    }
    if (!store.person?.started) return [h("p", {}, t("chat.startHint")), button(t("chat.start"), () => start())];
    return [];
  }
  if (chat.migrated_to) {
    return [h("p", {}, t("chat.moved")), button(t("chat.open"), () => store.tell("moved", chat.migrated_to))];
  }
  if (!store.isMember(chat)) {
    const join = () => trying(() => api.member({ chat: chat.id, person: store.me, status: "member" }));
    return [h("p", {}, t("chat.notMember")), button(t("chat.join"), join)];
  }
  const topic = (chat.topics ?? []).find((one) => one.message_thread_id === (store.thread || 1));
  if (chat.is_forum && topic?.closed && !store.isAdmin(chat)) return [h("p", {}, t("chat.topicClosed"))];
  return [];
}

export function startComposer() {
  input.setAttribute("aria-label", t("compose.message"));
  input.placeholder = t("compose.placeholder");
  input.maxLength = LONGEST;
  sendButton.setAttribute("aria-label", t("compose.send"));
  sendButton.append(icon("send"));
  for (const [button, sign, label] of [
    [commandsButton, "slash", t("compose.commands")],
    [keysButton, "keyboard", t("compose.keyboard")],
  ]) {
    button.append(icon(sign));
    button.setAttribute("aria-label", label);
    button.title = label;
  }
  anonymous.append(t("compose.anonymous"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener("input", typed);
  input.addEventListener("keydown", keydown);
  commandsButton.addEventListener("click", () => {
    if (choices.shown) choices.hide();
    else offerCommands(choices, "/", sendCommand);
    input.focus();
  });
  keysButton.addEventListener("click", () => {
    const standing = replyKeyboard(store.messages(store.chatId, store.thread), store.person);
    if (standing) putAway = putAway === keyOf(standing.message) ? null : keyOf(standing.message);
    drawKeys();
  });
  store.on("draft", drawDraft);
  store.on("fill", (text) => setText(text, { focus: true }));
}
