/** The menu of a message: reactions, reply, edit, copy, pin, delete. */
import { h } from "./dom.js";
import { copy, myReaction, pin, react, remove } from "./actions.js";
import { t } from "./i18n.js";
import { sender } from "./names.js";
import { store } from "./store.js";

const EMOJI = ["👍", "❤️", "🔥", "🎉", "😁", "🤔", "😢", "👎"];

export function openMenu(anchor, message) {
  document.querySelector(".menu")?.hidePopover();
  const menu = h("div", { class: "menu", role: "menu", popover: "auto", "aria-label": t("message.more") });
  const item = (label, action, kind = "") =>
    h("button", { type: "button", role: "menuitem", class: kind, onclick: () => (menu.hidePopover(), action()) }, label);
  const text = message.text ?? message.caption;
  const own = message.from?.id === store.me && !message.sender_chat;
  const chat = store.chatById(message.chat.id);
  const mine = myReaction(message);
  menu.append(
    h(
      "div",
      { class: "emoji-row" },
      EMOJI.map((emoji) => {
        const button = item(emoji, () => react(message, emoji), "emoji");
        button.setAttribute("aria-label", t("message.react", { emoji }));
        button.setAttribute("aria-pressed", String(mine === emoji));
        return button;
      }),
    ),
    item(t("message.reply"), () => store.openDraft({ kind: "reply", message })),
  );
  if (own && message.text) menu.append(item(t("message.edit"), () => store.openDraft({ kind: "edit", message })));
  if (text) menu.append(item(t("message.copy"), () => copy(text)));
  if (store.isAdmin(chat) || chat.type === "private") menu.append(item(t("message.pin"), () => pin(message)));
  if (own || store.isAdmin(chat) || chat.type === "private") {
    menu.append(item(t("message.delete"), () => remove(message), "danger"));
  }
  menu.addEventListener("keydown", (event) => walk(event, menu));
  menu.addEventListener("toggle", (event) => {
    if (event.newState === "closed") menu.remove();
  });
  document.body.append(menu);
  menu.showPopover();
  stand(menu, anchor, sender(message).id === store.me);
  menu.querySelector("button").focus({ preventScroll: true });
}

function stand(menu, anchor, toTheLeft) {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const left = toTheLeft ? at.right - width : at.left;
  const top = at.bottom + height + 8 > innerHeight ? at.top - height - 4 : at.bottom + 4;
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, top)}px`;
}

function walk(event, menu) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll("button")];
  items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
}
