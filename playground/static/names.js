/** Names, colours and round pictures of people and chats. */
import { h } from "./dom.js";
import { store } from "./store.js";
import { t } from "./i18n.js";

export const fullName = (user) => [user.first_name, user.last_name].filter(Boolean).join(" ") || `#${user.id}`;

/** A chat as this person's list shows it: with the bot, it is the bot. */
export function chatName(chat) {
  if (chat.type === "private") return store.bot ? fullName(store.bot) : t("chat.bot");
  return chat.title ?? `#${chat.id}`;
}

export function topicName(chat, thread) {
  const topic = (chat.topics ?? []).find((one) => one.message_thread_id === (thread || 1));
  return topic?.name ?? (thread ? `#${thread}` : t("topic.general"));
}

/** One of seven colours, always the same for one id. */
export const tint = (id) => Math.abs(Number(id)) % 7;

/** Up to two first letters, an emoji or a letter of any script counting as one. */
export function initials(name) {
  const words = name.trim().split(/\s+/u).filter((word) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(word));
  const chosen = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return chosen.map((word) => first(word)).join("").toLocaleUpperCase() || "?";
}

function first(word) {
  const letters = word.replace(/^[^\p{L}\p{N}\p{Extended_Pictographic}]+/u, "") || word;
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(letters);
  for (const { segment } of segments) return segment;
  return "";
}

/** A coloured circle with initials; decoration beside a name. */
export function avatar(id, name, extra = "") {
  return h("span", { class: `avatar tint-${tint(id)} ${extra}`.trim(), "aria-hidden": "true" }, initials(name));
}

/** Who speaks: a person, the bot, or the group for an anonymous administrator. */
export function sender(message) {
  const chat = message.sender_chat;
  if (chat) {
    return { id: chat.id, name: chat.title ?? `#${chat.id}`, badge: message.author_signature ?? t("member.anonymous"), bot: false };
  }
  const user = message.from ?? { id: 0, first_name: "?" };
  return { id: user.id, name: fullName(user), badge: badge(message, user), bot: Boolean(user.is_bot) };
}

function badge(message, user) {
  const chat = store.chats.get(message.chat.id);
  if (!chat || chat.type === "private") return "";
  const member = (chat.members ?? []).find((one) => one.id === user.id);
  if (!member) return "";
  if (member.title ?? member.custom_title ?? member.tag) return member.title ?? member.custom_title ?? member.tag;
  return member.status === "creator" || member.status === "administrator" ? t("member.admin") : "";
}
