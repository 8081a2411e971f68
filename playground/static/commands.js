/** The bot's commands for this person in this chat: the button at the input, and what fits the typed beginning. */
import { h } from "./dom.js";
import { language, t } from "./i18n.js";
import { store } from "./store.js";

/** Scopes from the narrowest to the widest, as Telegram tries them. */
function scopes(chat) {
  if (chat.type === "private") return [{ type: "chat" }, { type: "all_private_chats" }, { type: "default" }];
  const forAll = [{ type: "chat" }, ...(store.isAdmin(chat) ? [{ type: "all_chat_administrators" }] : [])];
  const narrow = [{ type: "chat_member" }, ...(store.isAdmin(chat) ? [{ type: "chat_administrators" }] : [])];
  return [...narrow, ...forAll, { type: "all_group_chats" }, { type: "default" }];
}

/** @returns {Array<{command: string, description: string}>} */
export function commandsHere() {
  const { chat } = store;
  if (!chat) return [];
  const spoken = store.person?.language_code ?? language;
  for (const wanted of scopes(chat)) {
    const fitting = store.commands.filter(({ scope = { type: "default" } }) => {
      if (scope.type !== wanted.type) return false;
      if (scope.chat_id !== undefined && String(scope.chat_id) !== String(chat.id)) return false;
      return scope.user_id === undefined || scope.user_id === store.me;
    });
    for (const code of [spoken, ""]) {
      const found = fitting.find((one) => (one.language_code ?? "") === code && one.commands.length > 0);
      if (found) return found.commands;
    }
  }
  return [];
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
            h("button", { type: "button", role: "option", class: "choice", tabindex: -1, "aria-selected": "false",
              id: `choice-${index}`, onclick: act }, content),
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

/** Shows the commands that begin with what was typed (a slash at least). */
export function offerCommands(choices, typed, choose) {
  const fitting = commandsHere().filter(({ command }) => `/${command}`.startsWith(typed.toLowerCase()));
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
