/** Keyboards: the one under a message, and the one in place of the letters. */
import { h, icon } from "./dom.js";

const STYLES = new Set(["danger", "primary", "success"]);

/** Presses that wait for their answer; they outlive the drawing of the message. */
const waiting = new Set();
const pressKey = (message, data) => `${message.chat.id}:${message.message_id}:${data}`;

/**
 * @param {object} message
 * @param {{press: (message: object, button: object) => Promise<void> | void}} on
 */
export function inlineKeyboard(message, on) {
  const rows = message.reply_markup?.inline_keyboard;
  if (!rows?.length) return null;
  return h("div", { class: "keyboard" }, rows.map((row) => h("div", { class: "keyboard-row" }, row.map(one))));

  function one(button) {
    const isCallback = button.callback_data !== undefined;
    const key = isCallback ? pressKey(message, button.callback_data) : null;
    const style = STYLES.has(button.style) ? button.style : "plain";
    const element = h(
      "button",
      { type: "button", class: `key ${style}`, "data-press": key, "aria-busy": waiting.has(key) ? "true" : null },
      h("span", { class: "key-text", dir: "auto" }, button.text),
      corner(button),
    );
    element.addEventListener("click", async () => {
      if (waiting.has(key)) return;
      if (!isCallback) {
        await on.press(message, button);
        return;
      }
      waiting.add(key);
      mark(key);
      try {
        await on.press(message, button);
      } finally {
        waiting.delete(key);
        mark(key);
      }
    });
    return element;
  }
}

/** The message may have been drawn anew since the press, so the button is looked for. */
function mark(key) {
  for (const element of document.querySelectorAll("[data-press]")) {
    if (element.dataset.press !== key) continue;
    if (waiting.has(key)) element.setAttribute("aria-busy", "true");
    else element.removeAttribute("aria-busy");
  }
}

function corner(button) {
  if (button.url || button.web_app || button.login_url) return icon("link");
  if (button.copy_text) return icon("copy");
  if (button.switch_inline_query !== undefined || button.switch_inline_query_chosen_chat) return icon("forward");
  return null;
}

/**
 * The reply keyboard that stands now, by the messages of the chat: the newest message that sets or removes one decides.
 * @returns {{markup: object, message: object} | null}
 */
export function replyKeyboard(messages, me) {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    const markup = message.reply_keyboard;
    if (!markup || !(markup.keyboard || markup.remove_keyboard) || !concerns(message, markup, me)) continue;
    return markup.keyboard ? { markup, message } : null;
  }
  return null;
}

/** A selective markup is only for those who are named in the text, and for whom the message answers. */
export function concerns(message, markup, me) {
  if (!markup.selective || message.chat.type === "private") return true;
  const text = (message.text ?? message.caption ?? "").toLowerCase();
  const entities = message.entities ?? message.caption_entities ?? [];
  const name = me.username ? `@${me.username.toLowerCase()}` : null;
  return (
    message.reply_to_message?.from?.id === me.id ||
    entities.some((one) => one.user?.id === me.id) ||
    (name !== null && entities.some((one) => one.type === "mention" && text.substr(one.offset, one.length) === name))
  );
}

/** Buttons of a reply keyboard: a press sends the words of the button. */
export function replyKeys(markup, onpress) {
  return markup.keyboard.map((row) =>
    h(
      "div",
      { class: "keyboard-row" },
      row.map((key) => {
        const button = typeof key === "string" ? { text: key } : key;
        const style = STYLES.has(button.style) ? button.style : "plain";
        return h("button", { type: "button", class: `reply-key ${style}`, onclick: () => onpress(button) }, button.text);
      }),
    ),
  );
}
