/** Where the tab is: `?as=ID&chat=ID&thread=T`. The address is the truth, so a tab can be copied, reloaded and gone back from. */
import { store } from "./store.js";

const number = (text) => (text !== null && /^-?\d+$/.test(text) ? Number(text) : null);

/** Reads the address into the store. */
export function readPlace() {
  const params = new URLSearchParams(location.search);
  store.me = number(params.get("as"));
  store.chatId = number(params.get("chat"));
  store.thread = number(params.get("thread")) ?? 0;
}

/** The address of a person, a chat, a topic; what else is in the address (the language) stays. */
export function address({ as = store.me, chat = null, thread = 0 }) {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries({ as, chat, thread: thread || null })) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  return `${location.pathname}?${params}`;
}

/** Opens a chat in this tab; `null` is the list of chats (on a phone). */
export function go(chat, thread = 0) {
  if (chat === store.chatId && thread === store.thread) return;
  history.pushState(null, "", address({ chat, thread }));
  arrive();
}

function arrive() {
  readPlace();
  store.openDraft(null);
  store.tell("place");
}

addEventListener("popstate", arrive);
