/** What a press does: on a button of the bot, a link, a command, a name. */
import { api } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { chatName, fullName, topicName } from "./names.js";
import { go } from "./place.js";
import { store } from "./store.js";
import { alertBox, toast, trying } from "./toasts.js";

/** Until when an answer that came after the wait is still shown as a toast, `Date.now()`. */
let lateUntil = 0;

/** A button under a message. Resolves when the bot has answered. */
export async function press(message, button) {
  if (button.callback_data !== undefined) {
    const body = { from: store.me, chat: message.chat.id, message_id: message.message_id, data: button.callback_data };
    const result = await trying(() => api.press(body));
    if (result === undefined) return;
    if (result.answer) showAnswer(result.answer);
    else {
      lateUntil = Date.now() + 60_000;
      toast(t("press.noAnswer"), "error");
    }
  } else if (button.url) {
    if (!openLink(button.url)) window.open(button.url, "_blank", "noopener,noreferrer");
  } else if (button.switch_inline_query_current_chat !== undefined) {
    fillInline(button.switch_inline_query_current_chat);
  } else if (button.switch_inline_query !== undefined || button.switch_inline_query_chosen_chat) {
    pickChat(button.switch_inline_query ?? button.switch_inline_query_chosen_chat.query ?? "");
  } else if (button.copy_text) {
    await copy(button.copy_text.text);
  } else {
    toast(t("press.unsupported"));
  }
}

function showAnswer(answer) {
  if (answer.url) openLink(answer.url);
  if (!answer.text) return;
  if (answer.show_alert) alertBox(answer.text);
  else toast(answer.text);
}

/** A toast from the stream: only one that this tab no longer waits for. */
export function lateToast({ to, text, show_alert: showAlert }) {
  if (to === store.me && Date.now() < lateUntil) {
    lateUntil = 0;
    showAnswer({ text, show_alert: showAlert });
  }
}

/**
 * Follows the links that Telegram itself would follow: to the bot, to a person.
 * @returns {boolean} false where the link leads out of Telegram
 */
export function openLink(url) {
  const person = /^tg:\/\/user\?id=(\d+)$/.exec(url);
  if (person) {
    showPerson({ id: Number(person[1]) });
    return true;
  }
  const parsed = telegramLink(url);
  if (!parsed) return /^tg:/i.test(url);
  const { name, params } = parsed;
  if (name.toLowerCase() !== store.bot?.username?.toLowerCase()) showPerson(name);
  else if (params.has("start")) start(params.get("start"));
  else if (params.has("startgroup")) toast(t("press.unsupported"));
  else go(store.me);
  return true;
}

function telegramLink(url) {
  const web = /^https?:\/\/(?:t|telegram)\.me\/([A-Za-z]\w{3,31})\/?(?:\?(.*))?$/i.exec(url);
  if (web) return { name: web[1], params: new URLSearchParams(web[2] ?? "") };
  const inner = /^tg:\/\/resolve\?(.*)$/i.exec(url);
  if (!inner) return null;
  const params = new URLSearchParams(inner[1]);
  return { name: params.get("domain") ?? "", params };
}

/** Opens the private chat with the bot, as a deep link does. */
export async function start(payload = "") {
  const body = { from: store.me, ...(payload ? { payload } : {}) };
  const sent = await trying(() => api.start(body));
  if (sent === undefined) return;
  go(store.me);
  store.upsert(sent);
}

/** A person by an entity's user, or by a username. */
export function showPerson(who) {
  if (typeof who !== "string") {
    const known = store.people.get(who.id) ?? (who.id === store.bot?.id ? store.bot : who);
    toast(t("link.profile", { who: fullName(known) }));
    return;
  }
  const named = (user) => user?.username?.toLowerCase() === who.toLowerCase();
  if (named(store.bot)) go(store.me);
  else {
    const known = [...store.people.values()].find(named);
    toast(known ? t("link.profile", { who: fullName(known) }) : t("link.unknown"));
  }
}

/** Sends words into the open chat. */
export async function send(text, extra = {}) {
  const body = { from: store.me, chat: store.chatId, text, ...(store.thread ? { thread: store.thread } : {}), ...extra };
  const sent = await trying(() => api.send(body));
  if (sent?.chat) store.upsert(sent);
  return sent;
}

export async function react(message, emoji) {
  const mine = myReaction(message);
  const body = { from: store.me, chat: message.chat.id, message_id: message.message_id, emoji: mine === emoji ? null : emoji };
  await trying(() => api.react(body));
}

export const myReaction = (message) =>
  (message.reactions ?? []).find((one) => one.from.includes(store.me))?.emoji ?? null;

export const remove = (message) => trying(() => api.remove({ chat: message.chat.id, message_id: message.message_id }));

export const pin = (message) =>
  trying(() => api.pin({ from: store.me, chat: message.chat.id, message_id: message.message_id }));

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("press.copied"));
  } catch (error) {
    toast(error.message, "error");
  }
}

/** Puts "@bot query" where one writes. */
export const fillInline = (query) => store.tell("fill", `@${store.bot?.username ?? ""} ${query}`);

function pickChat(query) {
  const dialog = h("dialog", { class: "picker", "aria-label": t("inline.pickChat") }, h("h2", {}, t("inline.pickChat")));
  const places = store.myChats().flatMap((chat) => {
    if (!chat.is_forum) return [{ chat, thread: 0, name: chatName(chat) }];
    const threads = [0, ...(chat.topics ?? []).map((topic) => topic.message_thread_id).filter((id) => id !== 1)];
    return threads.map((thread) => ({ chat, thread, name: `${chatName(chat)} › ${topicName(chat, thread)}` }));
  });
  const choose = ({ chat, thread }) => {
    dialog.close();
    go(chat.id, thread);
    fillInline(query);
  };
  dialog.append(
    h("ul", {}, places.map((place) => h("li", {}, h("button", { type: "button", onclick: () => choose(place) }, place.name)))),
    h("button", { type: "button", class: "quiet-button", onclick: () => dialog.close() }, t("compose.cancel")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
