/** The playground's clock and the buttons that move it forward. */
import { api } from "./api.js";
import { icon } from "./dom.js";
import { moments } from "./entities.js";
import { t } from "./i18n.js";
import { store } from "./store.js";
import { clockTime, fullTime, now, setNow, shortMoment } from "./time.js";
import { toast, trying } from "./toasts.js";

const HOUR = 3600;
const STEPS = [
  ["clock.hour", HOUR],
  ["clock.six", 6 * HOUR],
  ["clock.day", 24 * HOUR],
];

const bar = document.getElementById("clock");
const face = bar.querySelector("time");
const deadlineButton = document.getElementById("to-deadline");

/**
 * The deadline that is being waited for: of the newest message (an edit counts) that names a time to come, the nearest one.
 * @returns {number | null} Unix seconds
 */
export function deadline() {
  if (store.chatId === null) return null;
  let best = null;
  for (const message of store.messages(store.chatId, store.thread)) {
    const coming = moments(message).filter((unix) => unix > now());
    const at = message.edit_date ?? message.date;
    if (coming.length > 0 && (best === null || at >= best.at)) best = { at, unix: Math.min(...coming) };
  }
  return best?.unix ?? null;
}

/** Draws the time, and whether there is a deadline to go to. */
export function drawClock() {
  const unix = now();
  face.dateTime = new Date(unix * 1000).toISOString();
  face.textContent = shortMoment(unix);
  face.title = `${t("clock.label")}: ${fullTime(unix)}`;
  const target = deadline();
  deadlineButton.disabled = target === null || bar.getAttribute("aria-busy") === "true";
  deadlineButton.title = target === null ? t("clock.noDeadline") : t("clock.deadlineAt", { when: shortMoment(target) });
  const when = deadlineButton.querySelector("small");
  when.textContent = target === null ? "" : clockTime(target);
}

async function move(body) {
  bar.setAttribute("aria-busy", "true");
  for (const button of bar.querySelectorAll("button")) button.disabled = true;
  const answer = await trying(() => api.moveClock(body));
  bar.removeAttribute("aria-busy");
  for (const button of bar.querySelectorAll("button")) button.disabled = false;
  if (answer) {
    setNow(answer.now);
    store.tell("clock");
    toast(t("clock.moved", { when: shortMoment(answer.now) }));
  }
  drawClock();
}

export function startClock() {
  bar.setAttribute("aria-label", t("clock.label"));
  const steps = bar.querySelectorAll("[data-step]");
  STEPS.forEach(([label, seconds], index) => {
    steps[index].textContent = t(label);
    steps[index].title = t("clock.move");
    steps[index].addEventListener("click", () => move({ advance: seconds }));
  });
  deadlineButton.replaceChildren(icon("forward"), t("clock.deadline"), document.createElement("small"));
  // A moment later, so that it has passed for certain: an entity carries whole seconds.
  deadlineButton.addEventListener("click", () => move({ to: deadline() + 1 }));
  setInterval(drawClock, 1000);
  store.on("clock messages place state", drawClock);
}
