/** Inline mode: "@bot query" in the input asks the bot, and its results stand over the input. */
import { api, fileUrl } from "./api.js";
import { bdi, h } from "./dom.js";
import { start } from "./actions.js";
import { t } from "./i18n.js";
import { tint } from "./names.js";
import { store } from "./store.js";
import { trying } from "./toasts.js";

/** How long the typing has to rest, ms. */
const REST = 300;

/** What follows "@bot " in the text; null where the text is no inline query. */
export function inlineQuery(text) {
  const name = store.bot?.username;
  if (!name || !text.toLowerCase().startsWith(`@${name.toLowerCase()} `)) return null;
  return text.slice(name.length + 2);
}

/** Asks while one types, and shows only the answer to the last question. */
export class InlineResults {
  #choices;
  #done;
  #timer = 0;
  #asked = 0;
  #query = null;

  /** @param {() => void} done what to do when a result was sent */
  constructor(choices, done) {
    this.#choices = choices;
    this.#done = done;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#query = null;
  }

  ask(query) {
    if (query === this.#query) return;
    this.stop();
    this.#query = query;
    const turn = this.#asked;
    const bot = `@${store.bot.username}`;
    this.#timer = setTimeout(async () => {
      this.#choices.show(t("inline.results", { bot }), [], t("inline.waiting", { bot }));
      const found = await trying(() => api.inline({ from: store.me, chat: store.chatId, query }));
      if (turn !== this.#asked) return;
      if (!found) this.#choices.hide();
      else this.#show(found, bot);
    }, REST);
  }

  #show(found, bot) {
    const { chatId: chat, thread } = store;
    const items = (found.results ?? []).map((result) => ({
      content: card(result),
      act: () => this.#send({ from: store.me, chat, ...(thread ? { thread } : {}), query_id: found.id, result_id: result.id }),
    }));
    if (found.button) {
      const { text, start_parameter: payload } = found.button;
      items.unshift({ content: [h("span", { class: "choice-words" }, text)], act: () => start(payload ?? "") });
    }
    this.#choices.show(t("inline.results", { bot }), items, t(found.results ? "inline.none" : "inline.noAnswer", { bot }));
  }

  async #send(body) {
    this.#choices.hide();
    const sent = await trying(() => api.choose(body));
    if (sent === undefined) return;
    this.#done();
    if (sent.chat) store.upsert(sent);
  }
}

const FILES = ["photo_file_id", "gif_file_id", "mpeg4_file_id", "sticker_file_id"];

function card(result) {
  const title = result.title ?? result.caption ?? result.input_message_content?.message_text ?? result.type;
  const file = FILES.find((name) => result[name]);
  const face = file
    ? h("img", { class: "choice-face", src: fileUrl(result[file]), alt: "" })
    : h("span", { class: `choice-face tint-${tint([...title].length)}`, "aria-hidden": "true" }, [...title][0] ?? "·");
  const words = h("span", { class: "choice-words two" }, bdi(title, { class: "choice-title" }));
  if (result.description) words.append(h("small", { dir: "auto" }, result.description));
  return [face, words];
}
