/** What this tab knows: who it is, which chat is open, the people, the chats and their messages. */

/** How many messages of a chat are kept. */
export const KEPT = 200;

class Store extends EventTarget {
  /** Ids from the address: the person, the chat, the topic (0: no topic, or General). */
  me = null;
  chatId = null;
  thread = 0;

  bot = null;
  switches = {};
  people = new Map();
  chats = new Map();
  linked = false;

  /** chat id → (key → {message, place}) */
  #messages = new Map();
  /** Messages that were deleted: an answer that is under way may still have them. */
  #gone = new Set();

  /** What the next message is about: `{kind: "reply" | "edit", message}` or null. */
  draft = null;

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  on(names, listener) {
    for (const name of names.split(" ")) this.addEventListener(name, (event) => listener(event.detail));
  }

  setState(state) {
    this.bot = state.bot ?? null;
    this.switches = state.switches ?? {};
    this.people = new Map((state.people ?? []).map((person) => [person.id, person]));
    this.chats = new Map((state.chats ?? []).map((chat) => [chat.id, chat]));
    this.tell("state");
  }

  get person() {
    return this.people.get(this.me) ?? null;
  }

  get chat() {
    return this.chatId === null ? null : this.chatById(this.chatId);
  }

  /** A chat by its id; the private chat with the bot exists even where the server does not list it. */
  chatById(id) {
    if (this.chats.has(id)) return this.chats.get(id);
    return id === this.me && this.person ? { ...this.person, type: "private", is_forum: false } : null;
  }

  /** This person's chats: his groups (those that have not moved), and the one with the bot. */
  myChats() {
    const groups = [...this.chats.values()].filter(
      (chat) => chat.type !== "private" && !chat.migrated_to && this.isMember(chat),
    );
    return this.person ? [...groups, this.chatById(this.me)] : groups;
  }

  member(chat, id = this.me) {
    return (chat.members ?? []).find((member) => member.id === id) ?? null;
  }

  isMember(chat, id = this.me) {
    if (chat.type === "private") return chat.id === id;
    const status = this.member(chat, id)?.status;
    return status !== undefined && status !== "left" && status !== "kicked";
  }

  isAdmin(chat, id = this.me) {
    const status = this.member(chat, id)?.status;
    return status === "administrator" || status === "creator";
  }

  openDraft(draft) {
    this.draft = draft;
    this.tell("draft", draft);
  }

  /** Whether this person may see the message at all. */
  sees(message) {
    const chat = this.chatById(message.chat.id);
    if (!chat || !(this.isMember(chat) || chat.id === this.me)) return false;
    return !message.receiver_user || message.receiver_user.id === this.me;
  }

  /**
   * The messages of a chat as the playground knew them at `version`. What the stream has told since then stays: the answer may be
   * older than the news.
   */
  setMessages(chatId, messages, version) {
    const newer = [...(this.#messages.get(chatId)?.values() ?? [])].filter(({ message }) => message.version > version);
    const known = new Map();
    this.#messages.set(chatId, known);
    for (const message of messages) {
      if (this.sees(message) && !this.#gone.has(goneKey(chatId, message.message_id))) this.#place(known, message);
    }
    for (const { message } of newer) this.#place(known, message);
    this.tell("messages", { chatId });
  }

  /** The stream was interrupted, perhaps because the playground was started anew: nothing that was known counts any more. */
  forget() {
    this.#messages.clear();
    this.#gone.clear();
  }

  /** A message that has come or changed. An older version than the known one is passed over. */
  upsert(message) {
    if (!this.sees(message)) return;
    const chatId = message.chat.id;
    if (!this.#messages.has(chatId)) this.#messages.set(chatId, new Map());
    const known = this.#messages.get(chatId);
    const before = known.get(keyOf(message));
    if (before && (before.message.version ?? 0) > (message.version ?? 0)) return;
    this.#place(known, message);
    if (known.size > 2 * KEPT) for (const { message: old } of sorted(known).slice(0, KEPT)) known.delete(keyOf(old));
    this.tell("messages", { chatId, message, fresh: !before });
  }

  /** A message without a number of its own (only one person sees it) stands behind the newest one of its moment. */
  #place(known, message) {
    const key = keyOf(message);
    let place = message.message_id || known.get(key)?.place;
    if (!place) place = Math.max(0, ...[...known.values()].map((one) => one.place)) + 0.001;
    known.set(key, { message, place });
  }

  remove(chatId, messageId) {
    this.#gone.add(goneKey(chatId, messageId));
    if (this.#messages.get(chatId)?.delete(messageId)) this.tell("messages", { chatId });
  }

  message(chatId, messageId) {
    return this.#messages.get(chatId)?.get(messageId)?.message ?? null;
  }

  /** The messages of a chat, or of one of its topics, oldest first. */
  messages(chatId, thread = null) {
    const all = sorted(this.#messages.get(chatId) ?? new Map()).map(({ message }) => message);
    const chat = this.chatById(chatId);
    return thread === null || !chat?.is_forum ? all : all.filter((message) => threadOf(message) === thread);
  }
}

const goneKey = (chatId, messageId) => `${chatId}:${messageId}`;

const sorted = (known) => [...known.values()].sort((a, b) => a.place - b.place);

/** What a message is known by in its chat: its number, or, where only one person sees it, the number it has for him. */
export const keyOf = (message) => message.message_id || `only-${message.ephemeral_message_id ?? message.version}`;

/** The topic of a message; General and chats without topics are 0. */
export const threadOf = (message) => {
  const thread = message.is_topic_message || message.forum_topic_created ? (message.message_thread_id ?? 0) : 0;
  return thread === 1 ? 0 : thread;
};

export const store = new Store();
