/** Messages that Telegram itself writes: who came, who left, what was pinned. And a message in one line. */
import { bdi, h } from "./dom.js";
import { t, tn } from "./i18n.js";
import { fullName, sender } from "./names.js";
import { entityTime } from "./time.js";

const who = (name) => h("strong", {}, bdi(name));

/** @returns {Array<string | Node> | null} null for an ordinary message */
export function serviceParts(message) {
  const actor = who(sender(message).name);
  const by = { who: actor };
  if (message.new_chat_members) {
    return message.new_chat_members.flatMap((user, index) => [
      index > 0 ? "\n" : "",
      ...(user.id === message.from?.id
        ? tn("service.joined", { who: who(fullName(user)) })
        : tn("service.added", { who: who(sender(message).name), whom: who(fullName(user)) })),
    ]);
  }
  if (message.left_chat_member) {
    const gone = who(fullName(message.left_chat_member));
    return message.left_chat_member.id === message.from?.id
      ? tn("service.left", { who: gone })
      : tn("service.removed", { ...by, whom: gone });
  }
  if (message.pinned_message) return tn("service.pinned", { ...by, what: bdi(clip(summary(message.pinned_message), 40)) });
  if (message.new_chat_title) return tn("service.title", { ...by, title: bdi(message.new_chat_title) });
  if (message.group_chat_created || message.supergroup_chat_created) {
    return tn("service.created", { ...by, title: bdi(message.chat.title ?? "") });
  }
  if (message.migrate_to_chat_id) return [t("service.toSupergroup")];
  if (message.migrate_from_chat_id) return [t("service.fromGroup")];
  if (message.forum_topic_created) return tn("service.topicCreated", { ...by, name: bdi(message.forum_topic_created.name) });
  if (message.forum_topic_edited) return tn("service.topicRenamed", { ...by, name: bdi(message.forum_topic_edited.name ?? "") });
  if (message.forum_topic_closed) return tn("service.topicClosed", by);
  if (message.forum_topic_reopened) return tn("service.topicReopened", by);
  if (message.new_chat_photo || message.delete_chat_photo) return tn("service.photo", by);
  return null;
}

const LABELS = [
  ["animation", "media.animation", "🎞"],
  ["photo", "media.photo", "🖼"],
  ["video", "media.video", "🎬"],
  ["sticker", "media.sticker", "🏷"],
  ["document", "media.file", "📎"],
  ["poll", "media.poll", "📊"],
];

/** A message in one line, for quotes, the pinned bar and the list of chats. */
export function summary(message) {
  // The Bot API's way to say that it is not there any more.
  if (message.date === 0) return t("message.gone");
  const service = serviceParts(message);
  if (service) return service.map((part) => (part instanceof Node ? part.textContent : part)).join("");
  const words = plain(message).replace(/\s+/g, " ").trim();
  const media = LABELS.find(([kind]) => message[kind]);
  if (media) {
    const [kind, label, sign] = media;
    return `${sign} ${words || (message[kind].file_name ?? message[kind].question ?? t(label))}`;
  }
  if (message.dice) return `${message.dice.emoji} ${message.dice.value}`;
  return words || t("message.unknown");
}

/** The text without its looks: moments in the reader's form, hidden words still hidden. */
function plain(message) {
  let text = message.text ?? message.caption ?? "";
  const changed = [...(message.entities ?? message.caption_entities ?? [])]
    .filter(({ type }) => type === "spoiler" || type === "date_time")
    .sort((a, b) => b.offset - a.offset);
  for (const { type, offset, length, unix_time: unix, date_time_format: pattern } of changed) {
    const instead = type === "spoiler" ? "▒".repeat(Math.min(length, 12)) : entityTime(unix, pattern);
    if (instead !== null) text = text.slice(0, offset) + instead + text.slice(offset + length);
  }
  return text;
}

function clip(text, length) {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join("")}…` : text;
}
