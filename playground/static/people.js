/** Who this tab is. */
import { api } from "./api.js";
import { bdi, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { avatar, fullName, initials, tint } from "./names.js";
import { address } from "./place.js";
import { store } from "./store.js";
import { trying } from "./toasts.js";

const TINTS = ["#d45246", "#f08f2d", "#8b6fe0", "#46a83f", "#20a5bd", "#3b8fe0", "#d8548d"];

/** The screen of somebody who is nobody yet, and the dialog of somebody who wants to be another. */
export function pickPerson({ mayClose }) {
  if (document.querySelector("dialog.people")) return;
  const hint = h("p", { class: "hint" });
  const list = h("ul", { class: "people-list" });
  const close = h("button", { type: "button", class: "quiet-button", onclick: () => dialog.close() }, t("compose.cancel"));
  const dialog = h(
    "dialog",
    { class: "people", "aria-label": t("people.who") },
    h("h1", {}, t("people.who")),
    hint,
    list,
    personForm({ open: store.people.size === 0 }),
    mayClose ? close : null,
  );
  const draw = () => {
    hint.textContent = t(store.people.size > 0 ? "people.whoHint" : "people.none");
    list.replaceChildren(...[...store.people.values()].map(card));
  };
  draw();
  store.addEventListener("state", draw);
  dialog.addEventListener("cancel", (event) => mayClose || event.preventDefault());
  dialog.addEventListener("close", () => {
    store.removeEventListener("state", draw);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function card(person) {
  const here = person.id === store.me;
  const href = address({ as: person.id, chat: store.chatId === store.me ? null : store.chatId, thread: store.thread });
  const name = fullName(person);
  return h(
    "li",
    {},
    h(
      "a",
      { href, class: "person-card", "aria-current": here ? "true" : null },
      avatar(person.id, name),
      h(
        "span",
        { class: "person-words" },
        bdi(name, { class: "person-name" }),
        h("small", {}, here ? t("people.here") : person.username ? `@${person.username}` : `id ${person.id}`),
      ),
    ),
    h(
      "a",
      { href, target: "_blank", class: "round", "aria-label": t("people.newTab", { name }), title: t("people.newTab", { name }) },
      icon("link"),
    ),
  );
}

/** The form of a new person, folded unless `open`. */
export function personForm({ open = false } = {}) {
  const field = (name, label, props = {}) =>
    h("label", {}, h("span", {}, label), h("input", { name, autocomplete: "off", ...props }));
  const form = h(
    "form",
    { class: "fields" },
    field("first_name", t("people.first"), { required: true, maxlength: 64 }),
    field("last_name", t("people.last"), { maxlength: 64 }),
    field("username", t("people.username"), { maxlength: 32, pattern: "[A-Za-z][A-Za-z0-9_]{3,31}" }),
    field("language_code", t("people.language"), { maxlength: 8, placeholder: "ru" }),
    h("button", { class: "primary-button" }, t("people.add")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
    if ((await trying(() => api.addPerson(body))) !== undefined) form.reset();
  });
  return h("details", { class: "add-person", open }, h("summary", {}, t("people.add")), form);
}

/** The name at the head of the list of chats. */
export function drawMe() {
  const button = document.getElementById("me");
  const { person } = store;
  if (!person) return;
  const name = fullName(person);
  button.setAttribute("aria-label", t("people.change", { name }));
  button.title = t("people.change", { name });
  button.replaceChildren(
    avatar(person.id, name, "small"),
    h("span", { class: "me-words" }, bdi(name, { class: "me-name" }), h("small", {}, person.username ? `@${person.username}` : "")),
    icon("down"),
  );
}

let painted = "";

/** A tab's own little picture: the person's colour and initials. */
export function paintTab(unread) {
  const { person } = store;
  if (!person) return;
  const name = fullName(person);
  const key = `${person.id} ${name} ${unread > 0}`;
  if (key === painted) return;
  painted = key;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.fillStyle = TINTS[tint(person.id)];
  pen.beginPath();
  pen.arc(32, 32, 32, 0, 7);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = "600 30px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(initials(name), 32, 34);
  if (unread > 0) {
    pen.fillStyle = "#e53935";
    pen.beginPath();
    pen.arc(52, 12, 12, 0, 7);
    pen.fill();
  }
  document.querySelector("link[rel=icon]").href = canvas.toDataURL();
}
