/** Short words over the chat, and the alert that has to be closed. */
import { h } from "./dom.js";
import { t } from "./i18n.js";

const LASTS = 4000;
/** Between a toast and what is below it, CSS pixels. */
const GAP = 16;

/** Where the messages end and the input begins; the end of the window where no chat is shown. */
function chatEnd() {
  const { height, bottom } = document.querySelector(".log-box").getBoundingClientRect();
  return height > 0 ? bottom : innerHeight;
}

/** Shows words for a few seconds; a screen reader says them. */
export function toast(text, kind = "plain") {
  const box = h("div", { class: `toast ${kind}`, dir: "auto" }, text);
  const toasts = document.getElementById("toasts");
  toasts.style.bottom = `${GAP + Math.max(0, innerHeight - chatEnd())}px`;
  toasts.append(box);
  setTimeout(() => box.classList.add("leaving"), LASTS + text.length * 20);
  setTimeout(() => box.remove(), LASTS + 300 + text.length * 20);
}

/** Shows words until they are closed. */
export function alertBox(text) {
  const dialog = h("dialog", { class: "alert", role: "alertdialog", "aria-label": text });
  const ok = h("button", { type: "button", class: "primary-button", onclick: () => dialog.close() }, t("alert.ok"));
  dialog.append(h("p", { dir: "auto" }, text), ok);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Runs something that the playground may refuse; the refusal is shown, and `undefined` comes back. */
export async function trying(action) {
  try {
    return await action();
  } catch (error) {
    toast(error.message, "error");
    return undefined;
  }
}
