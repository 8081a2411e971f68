/** Pictures, animations, films and files of messages. */
import { bdi, h, icon, iconButton } from "./dom.js";
import { fileUrl } from "./api.js";
import { t } from "./i18n.js";

/** The widest and the tallest that a picture is shown, CSS pixels. */
const WIDE = 420;
const TALL = 440;
/** The narrowest. */
const NARROW = 220;

/** @returns {HTMLElement | null} what stands over the caption; null where the message has only words */
export function mediaOf(message) {
  if (message.animation) return moving(message, message.animation, "media.animation");
  if (message.photo?.length) return photo(message);
  if (message.video) return moving(message, message.video, "media.video");
  if (message.sticker) return sticker(message);
  for (const kind of ["document", "audio", "voice", "video_note"]) {
    if (message[kind]) return attachment(message, message[kind]);
  }
  return null;
}

/** Several messages of one album; pictures in a grid, files in a column. */
export function album(messages) {
  const visual = messages.every((message) => message.photo || message.video || message.animation);
  const classes = `media album ${visual ? "grid" : "column"} count-${Math.min(messages.length, 10)}`;
  return h("div", { class: classes, role: "group", "aria-label": t("media.album") }, messages.map(mediaOf));
}

const largest = (sizes) => sizes.reduce((best, one) => (one.width * one.height > best.width * best.height ? one : best));
const address = (message, file) => message.file ?? fileUrl(file.file_id);

/** Says the size before the bytes are there, so that nothing jumps. */
function boxed(width, height) {
  if (!width || !height) return "";
  const scale = Math.min(1, WIDE / width, TALL / height);
  // A picture smaller than a thumb-nail is enlarged a little; boards of a few cells are such.
  const shown = Math.max(Math.round(width * scale), NARROW);
  return { width: shown, ratio: `${width} / ${height}` };
}

function framed(element, message, width, height, label) {
  const box = boxed(width, height);
  element.classList.add("picture");
  if (box) {
    element.style.width = `${box.width}px`;
    element.style.aspectRatio = box.ratio;
  }
  return message.has_media_spoiler ? covered(element, label) : element;
}

function covered(element) {
  const cover = h("button", { type: "button", class: "cover", "aria-label": t("media.spoiler") }, "👁");
  const frame = h("div", { class: "covered" }, element, cover);
  cover.addEventListener("click", () => {
    frame.classList.add("open");
    cover.remove();
  });
  return frame;
}

function photo(message) {
  const size = largest(message.photo);
  const url = address(message, size);
  const label = message.caption ? `${t("media.photo")}: ${message.caption.slice(0, 120)}` : t("media.photo");
  const image = h("img", { src: url, alt: label, decoding: "async", draggable: "false" });
  const button = h("button", { type: "button", class: "media photo", title: t("media.open"), "data-media": url }, image);
  button.addEventListener("click", () => lightbox(url, label));
  return framed(button, message, size.width, size.height, label);
}

function moving(message, file, label) {
  const url = address(message, file);
  const isPicture = /^image\//.test(file.mime_type ?? "") || /\.gif$/i.test(file.file_name ?? "");
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const player = isPicture
    ? h("img", { src: url, alt: t(label), decoding: "async" })
    : h("video", {
        src: url,
        "aria-label": t(label),
        muted: true,
        playsinline: true,
        loop: Boolean(message.animation),
        autoplay: Boolean(message.animation) && !quiet,
        controls: !message.animation || quiet,
        preload: "metadata",
      });
  const mark = message.animation ? h("span", { class: "gif-mark", "aria-hidden": "true" }, "GIF") : null;
  const frame = h("div", { class: "media moving", "data-media": url }, player, mark);
  return framed(frame, message, file.width, file.height, t(label));
}

function sticker(message) {
  const { sticker: file } = message;
  const url = address(message, file);
  return h("img", { class: "media sticker", src: url, alt: file.emoji ?? t("media.sticker"), "data-media": url });
}

function attachment(message, file) {
  const url = address(message, file);
  const name = file.file_name ?? t("media.file");
  return h(
    "a",
    { class: "media document", href: url, download: name, "data-media": url },
    h("span", { class: "document-icon" }, icon("file")),
    h("span", { class: "document-words" }, bdi(name, { class: "document-name" }), h("small", {}, bytes(file.file_size))),
  );
}

function bytes(size) {
  if (!size) return "";
  const power = Math.min(3, Math.floor(Math.log(size) / Math.log(1024)));
  return `${(size / 1024 ** power).toFixed(power > 1 ? 1 : 0)} ${["B", "KB", "MB", "GB"][power]}`;
}

/** A picture over the whole window; Escape, the button or a press beside it closes it. */
export function lightbox(url, label) {
  const dialog = h("dialog", { class: "lightbox", "aria-label": label });
  const shut = () => dialog.close();
  dialog.append(h("img", { src: url, alt: label }), iconButton("close", t("media.close"), shut, { class: "round glass" }));
  dialog.addEventListener("click", shut);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
