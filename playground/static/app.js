/** The page put together: loads the state, listens to the stream, draws. */
import { lateToast } from "./actions.js";
import { api } from "./api.js";
import { drawChats, follow, markRead, subtitle } from "./chats.js";
import { drawClock, startClock } from "./clock.js";
import { drawComposer, startComposer } from "./composer.js";
import { bdi, h, icon, nodes } from "./dom.js";
import { language, t } from "./i18n.js";
import { listen } from "./live.js";
import { drawLog, startLog } from "./log.js";
import { avatar, chatName, fullName, topicName } from "./names.js";
import { drawMe, paintTab, pickPerson } from "./people.js";
import { address, go, readPlace } from "./place.js";
import { summary } from "./service.js";
import { KEPT, store } from "./store.js";
import { setNow } from "./time.js";
import { trying } from "./toasts.js";
import { startTools } from "./tools.js";

const header = document.getElementById("chat-head");
const pinBar = document.getElementById("pinned");
const linkState = document.getElementById("link-state");

/** Chats where the bot is doing something now: id → when it is over, `Date.now()`. */
const acting = new Map();
/** How long Telegram shows a chat action, ms. */
const ACTION = 5000;

async function load() {
  const state = await api.state();
  setNow(state.now);
  store.setState(state);
  await Promise.all(store.myChats().map(loadChat));
}

async function loadChat(chat) {
  const answer = await trying(() => api.messages({ chat: chat.id, as: store.me, limit: KEPT }));
  if (answer) store.setMessages(chat.id, answer.messages, answer.version);
}

/** People, chats and memberships have changed; chats that are new to this person are read. */
async function reloadState() {
  const known = new Set(store.myChats().map((chat) => chat.id));
  const state = await trying(() => api.state());
  if (!state) return;
  setNow(state.now);
  store.setState(state);
  await Promise.all(store.myChats().filter((chat) => !known.has(chat.id)).map(loadChat));
  const moved = store.chat?.migrated_to;
  if (moved) go(moved);
}

/** One reload at a time, and one more when something happened meanwhile. */
let reloading = null;
let again = false;
function stateChanged() {
  if (reloading) {
    again = true;
    return;
  }
  reloading = reloadState().finally(() => {
    reloading = null;
    if (again) {
      again = false;
      stateChanged();
    }
  });
}

function happened({ name, data }) {
  switch (name) {
    case "link":
      linked(data === "open");
      break;
    case "message":
      acting.delete(data.chat?.id);
      store.upsert(data);
      break;
    case "deleted":
      for (const id of data.message_ids ?? [data.message_id]) store.remove(data.chat?.id ?? data.chat, id);
      break;
    case "toast":
      lateToast(data);
      break;
    case "clock":
      setNow(data.now);
      store.tell("clock");
      break;
    case "action":
      acting.set(data.chat, { until: Date.now() + ACTION, action: data.action, thread: data.thread ?? 0 });
      setTimeout(drawHeader, ACTION + 50);
      drawHeader();
      break;
    case "overflow":
      store.forget();
      trying(load);
      break;
    default:
      stateChanged();
  }
}

function linked(open) {
  const before = store.linked;
  store.linked = open;
  document.body.classList.toggle("linked", open);
  linkState.hidden = open;
  linkState.textContent = open ? "" : t("link.lost");
  if (open && !before && store.people.size > 0) {
    store.forget();
    trying(load);
  }
}

function drawHeader() {
  const { chat } = store;
  document.body.classList.toggle("in-chat", chat !== null);
  if (!chat) {
    header.replaceChildren();
    return;
  }
  const name = chatName(chat);
  const under = subtitle(chat);
  const busy = acting.get(chat.id);
  const busyHere = busy && busy.until > Date.now() && (!chat.is_forum || busy.thread === store.thread);
  const words = busyHere ? t(/photo|video|document/.test(busy.action) ? "chat.sendingPhoto" : "chat.typing") : (under.text ?? under);
  const title = chat.is_forum ? [bdi(topicName(chat, store.thread)), h("span", { class: "of-forum" }, " · ", bdi(name))] : bdi(name);
  const back = { href: address({ chat: null }), class: "round back", "aria-label": t("chats.back"), title: t("chats.back") };
  header.replaceChildren(
    h("a", { ...back, onclick: (event) => follow(event, null, 0) }, icon("back")),
    avatar(chat.type === "private" ? (store.bot?.id ?? 0) : chat.id, name, "small"),
    h("div", { class: "head-words" }, h("h1", {}, title), h("p", { class: busyHere ? "busy" : "", title: under.title }, words)),
  );
}

function drawPinned() {
  const { chat } = store;
  const here = chat ? store.messages(chat.id, store.thread) : [];
  const pins = chat?.pinned ?? [];
  const message = here.findLast((one) => pins.includes(one.message_id) || one.pinned);
  pinBar.hidden = !message;
  if (!message) return;
  pinBar.replaceChildren(
    icon("pin"),
    h("span", { class: "draft-words" }, h("span", { class: "quote-name" }, t("message.pinned")), bdi(summary(message), { class: "quote-text" })),
  );
  pinBar.onclick = () => store.tell("jump", message.message_id);
}

function drawTitle(unread) {
  const { chat, person } = store;
  const parts = [chat ? chatName(chat) : null, person ? fullName(person) : null, t("app.title")];
  document.title = `${unread > 0 ? `(${unread}) ` : ""}${parts.filter(Boolean).join(" · ")}`;
  paintTab(unread);
}

function drawList() {
  markRead();
  drawTitle(drawChats());
}

function drawAll() {
  if (!store.person) pickPerson({ mayClose: false });
  drawMe();
  drawHeader();
  drawPinned();
  drawLog();
  drawComposer();
  drawList();
  drawClock();
}

/** Many messages may come at once (a history, a burst): the list of chats and the bars are drawn once a frame. */
let pending = false;
function soon() {
  if (pending) return;
  pending = true;
  setTimeout(() => {
    pending = false;
    drawHeader();
    drawPinned();
    drawComposer();
    drawList();
  }, 16);
}

function messagesChanged({ chatId, message, fresh }) {
  if (chatId === store.chatId) drawLog({ fresh: fresh ? message : null });
  soon();
}

async function begin() {
  document.documentElement.lang = language;
  readPlace();
  document.getElementById("nobody").textContent = t("app.loading");
  document.getElementById("chats").setAttribute("aria-label", t("chats.title"));
  document.getElementById("me").addEventListener("click", () => pickPerson({ mayClose: true }));
  startClock();
  startLog();
  startComposer();
  startTools();
  listen(happened);
  for (;;) {
    try {
      await load();
      break;
    } catch {
      document.getElementById("nobody").textContent = t("app.noServer");
      await new Promise((resume) => setTimeout(resume, 1500));
    }
  }
  document.getElementById("nobody").replaceChildren(...nodes([h("span", {}, t("app.pickChat"))]));
  document.body.classList.add("ready");
  store.on("state place", drawAll);
  store.on("messages", messagesChanged);
  store.on("moved", (chat) => reloadState().then(() => go(chat)));
  document.addEventListener("visibilitychange", drawList);
  drawAll();
}

begin();
