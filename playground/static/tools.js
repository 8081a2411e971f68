/** "People & faults": what a person of the playground can do to its world. */
import { api } from "./api.js";
import { bdi, h, iconButton } from "./dom.js";
import { drawCalls, faultForm, faultList } from "./faults.js";
import { t } from "./i18n.js";
import { chatName, fullName } from "./names.js";
import { personForm } from "./people.js";
import { store } from "./store.js";
import { trying } from "./toasts.js";

const panel = document.getElementById("tools");
const opener = document.getElementById("tools-button");
const STATUSES = ["member", "administrator", "left", "kicked"];

/** Sections are made once and filled anew, so that a form does not lose what was begun in it. */
const sections = {
  you: h("section"),
  chat: h("section"),
  members: h("section"),
  topics: h("section"),
  switches: h("section"),
};

const button = (label, action, kind = "quiet-button") => h("button", { type: "button", class: kind, onclick: action }, label);
const act = (action) => trying(action);

function toggle(label, checked, change) {
  const input = h("input", { type: "checkbox", role: "switch", checked, onchange: (event) => change(event.target.checked) });
  return h("label", { class: "toggle" }, h("span", {}, label), input);
}

function drawYou() {
  const { person } = store;
  sections.you.replaceChildren(
    h("h3", {}, t("tools.you")),
    toggle(t("tools.block"), Boolean(person?.blocked), (blocked) => act(() => api.changePerson(store.me, { blocked }))),
  );
}

function drawChat() {
  const { chat } = store;
  const group = chat && chat.type !== "private";
  for (const name of ["chat", "members", "topics"]) sections[name].hidden = !group;
  if (!group) return;
  sections.chat.replaceChildren(h("h3", {}, t("tools.chat"), ": ", bdi(chatName(chat))));
  if (chat.type === "group" && !chat.migrated_to) {
    sections.chat.append(
      button(t("tools.migrate"), () => act(() => api.migrate({ chat: chat.id }))),
      h("p", { class: "hint" }, t("tools.migrateHint")),
    );
  }
  const everyone = [...store.people.values(), ...(store.bot ? [store.bot] : [])];
  sections.members.replaceChildren(
    h("h3", {}, t("tools.members")),
    h("ul", { class: "tool-list" }, everyone.map((user) => memberRow(chat, user))),
  );
  sections.topics.hidden = !chat.is_forum;
  if (chat.is_forum) drawTopics(chat);
}

function memberRow(chat, user) {
  const status = store.member(chat, user.id)?.status ?? "left";
  const options = STATUSES.includes(status) ? STATUSES : [status, ...STATUSES];
  const change = (event) => act(() => api.member({ chat: chat.id, person: user.id, status: event.target.value }));
  const select = h(
    "select",
    { "aria-label": t("tools.statusOf", { who: fullName(user) }), onchange: change },
    options.map((one) => h("option", { value: one, selected: one === status }, t(`tools.status.${one}`))),
  );
  return h("li", {}, bdi(fullName(user), { class: "tool-name" }), user.is_bot ? h("small", {}, t("chat.botStatus")) : null, select);
}

function drawTopics(chat) {
  const topics = (chat.topics ?? []).filter((topic) => topic.message_thread_id !== 1);
  const name = h("input", { "aria-label": t("tools.topicName"), placeholder: t("tools.topicName"), maxlength: 128, required: true });
  const form = h("form", { class: "one-line" }, name, h("button", { class: "quiet-button" }, t("tools.addTopic")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(() => api.addTopic({ chat: chat.id, name: name.value, from: store.me }));
  });
  const change = (topic, what) => act(() => api.closeTopic({ chat: chat.id, thread: topic.message_thread_id, ...what }));
  sections.topics.replaceChildren(
    h("h3", {}, t("tools.topics")),
    h(
      "ul",
      { class: "tool-list" },
      topics.map((topic) =>
        h(
          "li",
          {},
          bdi(topic.name, { class: "tool-name" }),
          button(t(topic.closed ? "tools.openTopic" : "tools.closeTopic"), () => change(topic, { closed: !topic.closed })),
          button(t("tools.deleteTopic"), () => change(topic, { deleted: true })),
        ),
      ),
    ),
    form,
  );
}

function newChatForm() {
  const kinds = [
    ["group", "tools.group"],
    ["supergroup", "tools.supergroup"],
    ["forum", "tools.forum"],
  ];
  const bots = [
    ["administrator", "tools.status.administrator"],
    ["true", "tools.status.member"],
    ["", "tools.botAbsent"],
  ];
  const options = (pairs) => pairs.map(([value, label]) => h("option", { value }, t(label)));
  const form = h(
    "form",
    { class: "fields" },
    h("label", {}, h("span", {}, t("tools.newTitle")), h("input", { name: "title", required: true, maxlength: 128, autocomplete: "off" })),
    h("label", {}, h("span", {}, t("tools.kind")), h("select", { name: "kind" }, options(kinds))),
    h("label", {}, h("span", {}, t("tools.everyone")), h("select", { name: "bot" }, options(bots))),
    h("button", { class: "quiet-button" }, t("tools.create")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const kind = data.get("kind");
    const bot = data.get("bot");
    const body = {
      type: kind === "group" ? "group" : "supergroup",
      is_forum: kind === "forum",
      title: data.get("title"),
      members: [...store.people.keys()],
      admins: [store.me],
      bot: bot === "administrator" ? bot : bot === "true",
    };
    const chat = await act(() => api.addChat(body));
    if (chat) {
      form.reset();
      store.tell("moved", chat.id);
    }
  });
  return h("details", {}, h("summary", {}, t("tools.newChat")), form);
}

function drawSwitches() {
  const flip = (name) => (on) => act(() => api.switches({ [name]: on }));
  sections.switches.replaceChildren(
    h("h3", {}, t("tools.switches")),
    toggle(t("tools.limits"), Boolean(store.switches.limits), flip("limits")),
    toggle(t("tools.privacy"), Boolean(store.switches.privacy), flip("privacy")),
  );
}

function draw() {
  if (panel.hidden) return;
  const focused = panel.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  drawYou();
  drawChat();
  drawSwitches();
  if (focused) panel.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

function open(shown) {
  panel.hidden = !shown;
  document.body.classList.toggle("with-tools", shown);
  opener.setAttribute("aria-expanded", String(shown));
  draw();
  if (shown) {
    faultList();
    drawCalls();
    panel.querySelector("button").focus();
  } else opener.focus();
}

export function startTools() {
  opener.append(t("tools.title"));
  panel.setAttribute("aria-label", t("tools.title"));
  panel.append(
    h("header", {}, h("h2", {}, t("tools.title")), iconButton("close", t("tools.close"), () => open(false))),
    h(
      "div",
      { class: "tools-body" },
      sections.you,
      sections.chat,
      sections.members,
      sections.topics,
      h("section", {}, personForm(), newChatForm()),
      sections.switches,
      faultForm(),
    ),
  );
  opener.addEventListener("click", () => open(panel.hidden));
  panel.addEventListener("keydown", (event) => event.key === "Escape" && open(false));
  store.on("state place", draw);
}
