/** The list of chats: who wrote last, what was not read yet. */
import { bdi, h, icon, nodes } from "./dom.js";
import { t } from "./i18n.js";
import { avatar, chatName, fullName, sender, tint, topicName } from "./names.js";
import { address, go } from "./place.js";
import { serviceParts, summary } from "./service.js";
import { store, threadOf } from "./store.js";
import { listTime } from "./time.js";

const list = document.getElementById("chat-list");

const readKey = (chat, thread) => `read:${store.me}:${chat}:${thread}`;

/** The number of the last message that this person has seen in a place. */
function lastRead(chat, thread, newest) {
  const read = Number(localStorage.getItem(readKey(chat, thread)) ?? 0);
  // The playground was started anew and counts from the beginning again.
  return read > newest ? 0 : read;
}

/** The open place has been seen to its end. */
export function markRead() {
  if (store.chatId === null || document.hidden) return;
  const newest = store.messages(store.chatId, store.thread).at(-1)?.message_id;
  if (newest) localStorage.setItem(readKey(store.chatId, store.thread), String(newest));
}

function unread(messages, chat, thread) {
  const read = lastRead(chat.id, thread, messages.at(-1)?.message_id ?? 0);
  return messages.filter((one) => one.message_id > read && one.from?.id !== store.me && !serviceParts(one)).length;
}

/** The places of a chat: itself, or General and the topics. */
function places(chat) {
  const all = store.messages(chat.id);
  if (!chat.is_forum) return [{ chat, thread: 0, messages: all }];
  const threads = [0, ...(chat.topics ?? []).map((topic) => topic.message_thread_id).filter((id) => id !== 1)];
  return threads.map((thread) => ({ chat, thread, messages: all.filter((one) => threadOf(one) === thread) }));
}

/** Draws the list, and gives the number of unread messages. */
export function drawChats() {
  const chats = store.myChats().map((chat) => ({ chat, places: places(chat) }));
  const newest = ({ places: all }) => Math.max(0, ...all.map(({ messages }) => messages.at(-1)?.date ?? 0));
  chats.sort((a, b) => newest(b) - newest(a));
  const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  let total = 0;
  const rows = chats.map(({ chat, places: all }) => {
    const items = all.map((place) => {
      const count = unread(place.messages, chat, place.thread);
      total += count;
      return row(place, count);
    });
    if (!chat.is_forum) return items[0];
    const name = h("div", { class: "forum-name" }, avatar(chat.id, chatName(chat), "small"), bdi(chatName(chat)));
    return h("li", { class: "forum" }, name, h("ul", { "aria-label": chatName(chat) }, items));
  });
  list.replaceChildren(...nodes(rows.length > 0 ? rows : [h("li", { class: "hint" }, t("chats.none"))]));
  if (focused) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  return total;
}

function row({ chat, thread, messages }, count) {
  const open = chat.id === store.chatId && thread === store.thread;
  const last = messages.at(-1);
  const topic = chat.is_forum;
  const name = topic ? topicName(chat, thread) : chatName(chat);
  const href = address({ chat: chat.id, thread });
  const face = topic
    ? h("span", { class: `topic-sign tint-${tint(thread)}`, "aria-hidden": "true" }, icon("topic"))
    : avatar(chat.type === "private" ? (store.bot?.id ?? 0) : chat.id, name);
  const props = { href, class: "chat-row", "aria-current": open ? "page" : null };
  return h(
    "li",
    {},
    h(
      "a",
      { ...props, onclick: (event) => follow(event, chat.id, thread) },
      face,
      h(
        "span",
        { class: "chat-words" },
        h(
          "span",
          { class: "chat-top" },
          bdi(name, { class: "chat-name" }),
          last ? h("time", { class: "chat-time" }, listTime(last.date)) : null,
        ),
        h(
          "span",
          { class: "chat-bottom" },
          h("span", { class: "chat-last", dir: "auto" }, last ? preview(chat, last) : hint(chat)),
          count > 0 ? h("span", { class: "unread", "aria-label": t("chats.unread", { n: count }) }, count) : null,
        ),
      ),
    ),
  );
}

function preview(chat, message) {
  const words = summary(message).slice(0, 120);
  if (chat.type === "private" || serviceParts(message)) return words;
  return [h("span", { class: "chat-who" }, bdi(sender(message).name.split(" ")[0]), ": "), words];
}

function hint(chat) {
  return chat.type === "private" && !store.person?.started ? t("chat.start") : t("chat.empty");
}

/** An ordinary press stays in this tab; with Ctrl, Shift or the middle button the link is a link. */
export function follow(event, chat, thread) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(chat, thread);
}

/** Who is in the chat, for the line under its name. */
export function subtitle(chat) {
  if (chat.type === "private") return t("chat.botStatus");
  const here = (chat.members ?? []).filter((member) => member.status !== "left" && member.status !== "kicked");
  const names = here.map((member) => store.people.get(member.id) ?? (member.id === store.bot?.id ? store.bot : null));
  return { text: t("chat.members", { n: here.length }), title: names.filter(Boolean).map(fullName).join(", ") };
}
