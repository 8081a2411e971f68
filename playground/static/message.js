/** One message as it stands in the chat. */
import { bdi, h, icon, iconButton } from "./dom.js";
import { myReaction, openLink, press, react, send, showPerson } from "./actions.js";
import { rich } from "./entities.js";
import { t } from "./i18n.js";
import { inlineKeyboard } from "./keyboard.js";
import { album, mediaOf } from "./media.js";
import { openMenu } from "./menu.js";
import { avatar, fullName, sender, tint } from "./names.js";
import { serviceParts, summary } from "./service.js";
import { keyOf, store } from "./store.js";
import { clockTime, fullTime, isoTime } from "./time.js";

const on = { link: openLink, command: (text) => send(text), person: showPerson, press };

/**
 * @param {object[]} group one message, or the messages of an album
 * @param {{first: boolean, last: boolean}} run whether it begins and ends a run of one sender's messages
 */
export function messageItem(group, run) {
  const message = group.find((one) => one.caption) ?? group[0];
  const service = serviceParts(message);
  if (service) {
    return h("li", { class: "service", "data-id": keyOf(message) }, h("span", {}, service), reactions(message));
  }
  const who = sender(message);
  const own = who.id === store.me;
  const withNames = message.chat.type !== "private";
  const media = group.length > 1 ? album(group) : mediaOf(message);
  const classes = ["message", own ? "own" : "other", run.first ? "first" : "", run.last ? "last" : ""];
  if (media && !media.classList.contains("document")) classes.push("with-picture");
  const text = message.text ?? message.caption ?? "";
  if (isBigEmoji(message)) classes.push("big-emoji");
  if (message.receiver_user) classes.push("only-me");
  const keyboard = inlineKeyboard(message, on);
  const bubble = h(
    "div",
    { class: "bubble" },
    head(message, who, run.first && withNames && !own),
    quote(message),
    media,
    text ? h("div", { class: "text", dir: "auto" }, rich(text, message.entities ?? message.caption_entities, on)) : null,
    text || media ? null : h("div", { class: "text" }, other(message)),
    foot(message, own),
  );
  const item = h(
    "li",
    { class: classes.filter(Boolean).join(" "), "data-id": keyOf(message) },
    withNames && !own ? h("span", { class: "face" }, run.last ? avatar(who.id, who.name) : null) : null,
    h("div", { class: "stack" }, h("div", { class: "line" }, bubble, tools(message)), keyboard),
  );
  bubble.addEventListener("dblclick", (event) => {
    if (!event.target.closest("button, a, .text")) store.openDraft({ kind: "reply", message });
  });
  bubble.addEventListener("click", (event) => touched(event, item, message));
  return item;
}

/** On a screen without a pointer the message itself opens its menu. */
function touched(event, item, message) {
  if (!matchMedia("(hover: none)").matches || event.target.closest("button, a, [role=button], blockquote")) return;
  openMenu(item.querySelector(".more"), message);
}

function tools(message) {
  if (!message.message_id) return null;
  const more = (event) => openMenu(event.currentTarget, message);
  return h(
    "div",
    { class: "tools" },
    iconButton("reply", t("message.reply"), () => store.openDraft({ kind: "reply", message }), { class: "round small" }),
    iconButton("more", t("message.more"), more, { class: "round small more", "aria-haspopup": "menu" }),
  );
}

function head(message, who, named) {
  const parts = [];
  if (named) {
    parts.push(bdi(who.name, { class: `sender tint-${tint(who.id)}` }));
    if (who.badge) parts.push(bdi(who.badge, { class: "badge" }));
  }
  if (message.via_bot) parts.push(h("span", { class: "via" }, t("message.via", { bot: `@${message.via_bot.username}` })));
  const rows = parts.length > 0 ? [h("div", { class: "head" }, parts)] : [];
  if (message.receiver_user) rows.push(h("div", { class: "only-you" }, "👁 ", t("message.onlyYou")));
  if (message.forward_origin) {
    const { sender_user: user, sender_user_name: name, chat, sender_chat: from } = message.forward_origin;
    const origin = user ? fullName(user) : (name ?? chat?.title ?? from?.title ?? "?");
    rows.push(h("div", { class: "forwarded" }, t("message.forwarded", { who: origin })));
  }
  return rows;
}

function quote(message) {
  const target = message.reply_to_message;
  // In a topic every message answers, formally, the one that opened the topic.
  if (!target || target.forum_topic_created) return null;
  const known = store.message(message.chat.id, target.message_id) ?? target;
  const who = sender(known);
  return h(
    "button",
    { type: "button", class: `quote tint-${tint(who.id)}`, onclick: () => store.tell("jump", target.message_id) },
    bdi(who.name, { class: "quote-name" }),
    h("span", { class: "quote-text", dir: "auto" }, message.quote?.text ?? summary(known)),
  );
}

function foot(message, own) {
  const marks = [];
  if (message.edited > 0) marks.push(t("message.edited"));
  if (message.author_signature && !message.sender_chat) marks.push(message.author_signature);
  const time = h("time", { datetime: isoTime(message.date), title: fullTime(message.date) }, clockTime(message.date));
  return h(
    "div",
    { class: "foot" },
    reactions(message),
    h("span", { class: `stamp ${own ? "own" : ""}` }, marks.map((mark) => h("span", { class: "mark" }, mark)), time),
  );
}

function reactions(message) {
  if (!message.reactions?.length) return null;
  const mine = myReaction(message);
  return h(
    "div",
    { class: "reactions" },
    message.reactions.map(({ emoji, from }) => {
      const names = from.map((id) => store.people.get(id) ?? (id === store.bot?.id ? store.bot : null));
      return h(
        "button",
        {
          type: "button",
          class: "reaction",
          "aria-pressed": String(emoji === mine),
          "aria-label": t("message.reacted", { emoji, n: from.length }),
          title: names.filter(Boolean).map(fullName).join(", "),
          onclick: () => react(message, emoji),
        },
        h("span", {}, emoji),
        h("span", { class: "count" }, from.length),
      );
    }),
  );
}

function other(message) {
  if (message.dice) return h("span", { class: "dice" }, `${message.dice.emoji} ${message.dice.value}`);
  if (message.poll) {
    const { question, options = [] } = message.poll;
    return [
      h("strong", { dir: "auto" }, question),
      h("ul", { class: "poll" }, options.map((one) => h("li", {}, bdi(one.text), h("span", {}, one.voter_count ?? 0)))),
    ];
  }
  if (message.contact) return [icon("people"), ` ${fullName(message.contact)} ${message.contact.phone_number ?? ""}`];
  if (message.location) return `📍 ${message.location.latitude}, ${message.location.longitude}`;
  return h("em", {}, t("message.unknown"));
}

/** One to three emoji alone are shown large. */
function isBigEmoji(message) {
  if (!message.text || message.entities?.length || message.text.length > 24) return false;
  return /^(?:\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*){1,3}$/u.test(message.text);
}
