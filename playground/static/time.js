/** Times as the reader writes them, by the playground's clock. */
import { language } from "./i18n.js";

const own = navigator.language ?? "en";
/** The reader's own habits where they fit the language of the page. */
const locale = own.toLowerCase().startsWith(language) ? own : { en: "en-GB", ru: "ru-RU" }[language];

let offset = 0;

/** The playground said what its clock shows. */
export function setNow(now) {
  offset = now - Date.now() / 1000;
}

/** Unix seconds of the playground's clock. */
export const now = () => Date.now() / 1000 + offset;

const formats = new Map();

function format(unix, options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options));
  return formats.get(key).format(new Date(unix * 1000));
}

const year = (unix) => new Date(unix * 1000).getFullYear();
const HOURS = { hour: "numeric", minute: "2-digit" };

export const clockTime = (unix) => format(unix, HOURS);
export const dayKey = (unix) => new Date(unix * 1000).toDateString();
export const isoTime = (unix) => new Date(unix * 1000).toISOString();
export const fullTime = (unix) => format(unix, { dateStyle: "full", timeStyle: "medium" });
export const shortMoment = (unix) => format(unix, { weekday: "short", day: "numeric", month: "short", ...HOURS });

/** "Today", "yesterday" or the date, for the line between days. */
export function dayName(unix) {
  const days = Math.round((midnight(unix) - midnight(now())) / 86400);
  if (days === 0 || days === -1) {
    const word = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
    return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1);
  }
  return format(unix, { day: "numeric", month: "long", year: year(unix) === year(now()) ? undefined : "numeric" });
}

const midnight = (unix) => new Date(unix * 1000).setHours(0, 0, 0, 0) / 1000;

/** In the list of chats: the time today, the weekday within a week, else the date. */
export function listTime(unix) {
  if (dayKey(unix) === dayKey(now())) return clockTime(unix);
  if (now() - unix < 6 * 86400 && unix <= now()) return format(unix, { weekday: "short" });
  return format(unix, { day: "2-digit", month: "2-digit", year: "2-digit" });
}

/** "in 3 hours", "2 days ago". */
export function relative(unix) {
  const seconds = unix - now();
  const size = Math.abs(seconds);
  const [unit, length] =
    size < 60 ? ["second", 1] : size < 3600 ? ["minute", 60] : size < 36 * 3600 ? ["hour", 3600] : ["day", 86400];
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(seconds / length), unit);
}

/**
 * A `date_time` entity: `r`, or any of `w`, `d`/`D`, `t`/`T`; Telegram shows them in the order weekday, time, date.
 * @returns {string | null} null where the author's own words stay
 */
export function entityTime(unix, pattern) {
  if (!pattern) return null;
  if (pattern === "r") return relative(unix);
  const parts = [];
  if (pattern.includes("w")) parts.push(format(unix, { weekday: "long" }));
  if (pattern.includes("t")) parts.push(clockTime(unix));
  if (pattern.includes("T")) parts.push(format(unix, { ...HOURS, second: "2-digit" }));
  if (pattern.includes("d")) {
    parts.push(format(unix, { day: "numeric", month: "short", year: year(unix) === year(now()) ? undefined : "numeric" }));
  }
  if (pattern.includes("D")) parts.push(format(unix, { day: "numeric", month: "long", year: "numeric" }));
  return parts.length > 0 ? parts.join(", ") : null;
}
