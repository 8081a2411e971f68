/** Faults that the playground is asked to make, and the log of what the bot called. */
import { api } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { clockTime, fullTime } from "./time.js";
import { trying } from "./toasts.js";

/** What goes wrong in life, as the Bot API says it. */
const ERRORS = [
  { code: 429, description: "Too Many Requests: retry after 5", parameters: { retry_after: 5 } },
  { code: 403, description: "Forbidden: bot was blocked by the user" },
  { code: 403, description: "Forbidden: bot was kicked from the supergroup chat" },
  { code: 400, description: "Bad Request: message to edit not found" },
  { code: 400, description: "Bad Request: not enough rights to send text messages to the chat" },
  { code: 500, description: "Internal Server Error" },
  { code: 502, description: "Bad Gateway" },
];
const METHODS = ["*", "sendMessage", "sendPhoto", "sendAnimation", "sendDocument", "sendMediaGroup", "editMessageText",
  "editMessageMedia", "editMessageCaption", "editMessageReplyMarkup", "answerCallbackQuery", "deleteMessage", "pinChatMessage",
  "getUpdates"];
/** So many of the newest calls are shown. */
const SHOWN = 30;

const waiting = h("ul", { class: "tool-list faults" });
const calls = h("ol", { class: "calls" });

/** The section of faults and calls. */
export function faultForm() {
  const method = h("select", { name: "method" },
    METHODS.map((one) => h("option", { value: one }, one === "*" ? t("tools.anyMethod") : one)));
  const error = h("select", { name: "error" },
    ERRORS.map((one, index) => h("option", { value: index }, `${one.code} ${one.description}`)));
  const number = (name, props) => h("input", { type: "number", name, min: 0, ...props });
  const label = (words, input, props = {}) => h("label", props, h("span", {}, words), input);
  const form = h(
    "form",
    { class: "fields" },
    label(t("tools.method"), method),
    label(t("tools.error"), error),
    label(t("tools.times"), number("times", { value: 1, min: 1 })),
    label(t("tools.delay"), number("delay", { value: 0, step: 0.5 })),
    label(t("tools.after"), h("input", { type: "checkbox", role: "switch", name: "after" }), { class: "toggle wide" }),
    h("button", { class: "quiet-button" }, t("tools.addFault")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    await trying(() =>
      api.addFault({
        ...ERRORS[Number(data.get("error"))],
        method: data.get("method"),
        times: Number(data.get("times")),
        delay: Number(data.get("delay")),
        after: data.has("after"),
      }),
    );
    await faultList();
  });
  const clear = async () => {
    await trying(() => api.clearFaults());
    await faultList();
  };
  return h(
    "section",
    {},
    h("h3", {}, t("tools.faults")),
    h("p", { class: "hint" }, t("tools.faultHint")),
    form,
    waiting,
    h("button", { type: "button", class: "quiet-button", onclick: clear }, t("tools.clearFaults")),
    h("h3", {}, t("tools.calls")),
    calls,
    h("button", { type: "button", class: "quiet-button", onclick: drawCalls }, t("tools.refresh")),
  );
}

/** Asks which faults still wait. */
export async function faultList() {
  const faults = await trying(() => api.faults());
  if (!Array.isArray(faults)) return;
  const row = ({ method, code, description, times }) =>
    h("li", {}, h("span", { class: "tool-name" }, `${method}: ${code} ${description}`), h("small", {}, `× ${times}`));
  waiting.replaceChildren(...(faults.length > 0 ? faults.map(row) : [h("li", { class: "hint" }, t("tools.noFaults"))]));
}

/** Asks what the bot called lately. */
export async function drawCalls() {
  const all = await trying(() => api.calls(0));
  if (!Array.isArray(all)) return;
  const rows = all
    .filter(({ method }) => method !== "getUpdates")
    .slice(-SHOWN)
    .reverse()
    .map(({ at, method, ok, code, description, params }) =>
      h(
        "li",
        { class: ok ? "" : "failed", title: JSON.stringify(params) },
        h("time", { title: fullTime(at) }, clockTime(at)),
        h("code", {}, method),
        ok ? null : h("span", {}, `${code} ${description ?? ""}`),
      ),
    );
  calls.replaceChildren(...(rows.length > 0 ? rows : [h("li", { class: "hint" }, t("tools.noCalls"))]));
}
