/** A text with Bot API entities as elements. Offsets are UTF-16 units, which is how JavaScript counts. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { entityTime, fullTime, isoTime } from "./time.js";

/** Only these schemes become links; `javascript:` and the like stay words. */
const SAFE = /^(https?|tg|mailto|tel):/i;

/**
 * @param {string} text
 * @param {Array} entities
 * @param {{link: Function, command: Function, person: Function}} on what a press of a link, a command, a mention does
 */
export function rich(text, entities, on) {
  const sorted = [...(entities ?? [])]
    .filter((one) => one.length > 0 && one.offset >= 0 && one.offset < text.length)
    .sort((a, b) => a.offset - b.offset || b.length - a.length);
  const fragment = document.createDocumentFragment();
  fragment.append(...build(text, 0, text.length, sorted, on));
  return fragment;
}

function build(text, from, to, entities, on) {
  const out = [];
  let at = from;
  let index = 0;
  while (index < entities.length) {
    const entity = entities[index++];
    // One that sticks out of its parent, or overlaps the one before, is cut: Telegram promises that there is none.
    const start = Math.max(entity.offset, at);
    const end = Math.min(entity.offset + entity.length, to);
    const inside = [];
    while (index < entities.length && entities[index].offset < end) inside.push(entities[index++]);
    if (start >= end) continue;
    if (start > at) out.push(text.slice(at, start));
    out.push(element(entity, text.slice(start, end), build(text, start, end, inside, on), on));
    at = end;
    // The line break after a block is the end of the block.
    if (isBlock(entity) && text[at] === "\n" && at < to) at += 1;
  }
  if (at < to) out.push(text.slice(at, to));
  return out;
}

const isBlock = (entity) => ["pre", "blockquote", "expandable_blockquote"].includes(entity.type);

function element(entity, text, children, on) {
  switch (entity.type) {
    case "bold":
      return h("strong", {}, children);
    case "italic":
      return h("em", {}, children);
    case "underline":
      return h("u", {}, children);
    case "strikethrough":
      return h("s", {}, children);
    case "code":
      return h("code", {}, children);
    case "pre":
      return h("pre", { "data-language": entity.language }, h("code", {}, children));
    case "blockquote":
      return h("blockquote", {}, children);
    case "expandable_blockquote":
      return h("blockquote", { class: "expandable", onclick: (event) => event.currentTarget.classList.toggle("open") }, children);
    case "spoiler":
      return spoiler(children);
    case "date_time":
      return dateTime(entity, text, children);
    case "text_link":
      return anchor(entity.url, children, on);
    case "url":
      return anchor(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`, children, on);
    case "email":
      return anchor(`mailto:${text}`, children, on);
    case "phone_number":
      return anchor(`tel:${text}`, children, on);
    case "mention":
    case "text_mention":
      return word("mention", children, () => on.person(entity.user ?? text.slice(1)));
    case "bot_command":
      return word("command", children, () => on.command(text));
    case "hashtag":
    case "cashtag":
      return h("span", { class: "hashtag" }, children);
    default:
      return h("span", {}, children);
  }
}

const word = (kind, children, onclick) => h("button", { type: "button", class: `word ${kind}`, onclick }, children);

function anchor(url, children, on) {
  if (!SAFE.test(url ?? "")) return h("span", {}, children);
  const follow = (event) => {
    if (on.link(url)) event.preventDefault();
  };
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", title: url, onclick: follow }, children);
}

function spoiler(children) {
  const open = (event) => {
    const { currentTarget: target } = event;
    if (target.classList.contains("open")) return;
    event.preventDefault();
    event.stopPropagation();
    target.classList.add("open");
    for (const name of ["role", "tabindex", "aria-label"]) target.removeAttribute(name);
  };
  const byKey = (event) => (event.key === "Enter" || event.key === " ") && open(event);
  const props = { class: "spoiler", role: "button", tabindex: 0, "aria-label": t("message.spoiler") };
  // In the capture phase: a link under the cover must not open before it is seen.
  const cover = h("span", { ...props, onkeydown: byKey }, h("span", {}, children));
  cover.addEventListener("click", open, true);
  return cover;
}

function dateTime(entity, text, children) {
  const unix = entity.unix_time;
  const shown = entityTime(unix, entity.date_time_format);
  const props = { class: "moment", datetime: isoTime(unix), title: fullTime(unix), "data-unix": unix };
  return h("time", { ...props, "data-format": entity.date_time_format }, shown ?? children);
}

/** "in 3 hours" grows old; called once in a while and after the clock was moved. */
export function refreshMoments(root) {
  for (const moment of root.querySelectorAll("time[data-format=r]")) {
    const shown = entityTime(Number(moment.dataset.unix), "r");
    if (moment.textContent !== shown) moment.textContent = shown;
  }
}

/** All moments that a message names, Unix seconds. */
export function moments(message) {
  return [...(message.entities ?? []), ...(message.caption_entities ?? [])]
    .filter((entity) => entity.type === "date_time")
    .map((entity) => entity.unix_time);
}
