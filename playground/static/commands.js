/** The bot's commands for this person in this chat, and the list over the input that they and inline results are shown in. */
import { api } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { store } from "./store.js";

/** Asks which commands this person sees in the open chat: `[{command, description}]`. */
async function commandsHere() {
  try {
    return await api.commands({ chat: store.chatId, person: store.me });
  } catch {
    return [];
  }
}

/** A list of choices over the input. The arrow keys walk in it while the focus stays in the input. */
export class Choices {
  #box;
  #items = [];
  #at = -1;

  constructor(box) {
    this.#box = box;
  }

  get shown() {
    return !this.#box.hidden;
  }

  /** @param {Array<{content: Array, act: () => void, fill?: string}>} items */
  show(label, items, empty = "") {
    this.#items = items;
    this.#at = -1;
    this.#box.setAttribute("aria-label", label);
    this.#box.replaceChildren(
      ...(items.length > 0
        ? items.map(({ content, act }, index) =>
            h(
              "button",
              { type: "button", role: "option", class: "choice", "aria-selected": "false", id: `choice-${index}`, onclick: act },
              content,
            ),
          )
        : [h("p", { class: "hint" }, empty)]),
    );
    this.#box.hidden = false;
  }

  hide() {
    this.#box.hidden = true;
    this.#items = [];
    this.#at = -1;
  }

  /** @returns {boolean} whether the key meant the list */
  key(event, input) {
    if (!this.shown) return false;
    if (event.key === "Escape") {
      this.hide();
      return true;
    }
    if (this.#items.length === 0) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      const start = this.#at < 0 && step < 0 ? 0 : this.#at;
      this.#at = (start + step + this.#items.length) % this.#items.length;
      this.#mark(input);
      return true;
    }
    if (event.key === "Enter" && this.#at >= 0) {
      this.#items[this.#at].act();
      return true;
    }
    const fill = this.#items[Math.max(this.#at, 0)].fill;
    if (event.key === "Tab" && !event.shiftKey && fill !== undefined) {
      input.value = fill;
      input.dispatchEvent(new Event("input"));
      return true;
    }
    return false;
  }

  #mark(input) {
    [...this.#box.children].forEach((child, index) => child.setAttribute("aria-selected", String(index === this.#at)));
    this.#box.children[this.#at].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", `choice-${this.#at}`);
  }
}

/** What was typed last, so that a late answer about something else is passed over. */
let asked = "";

/** Shows the commands that begin with what was typed (a slash at least). */
export async function offerCommands(choices, typed, choose) {
  asked = typed;
  const all = await commandsHere();
  if (asked !== typed) return;
  const fitting = all.filter(({ command }) => `/${command}`.startsWith(typed.toLowerCase()));
  if (fitting.length === 0 && typed !== "/") {
    choices.hide();
    return;
  }
  const items = fitting.map(({ command, description }) => ({
    content: [h("strong", {}, `/${command}`), h("span", { class: "choice-words" }, description)],
    act: () => choose(`/${command}`),
    fill: `/${command} `,
  }));
  choices.show(t("compose.commands"), items, t("commands.none"));
}

/** Nothing is asked any more: the text has changed. */
export function forgetCommands() {
  asked = "";
}
