/** Small helpers to build pages. Everything that came from somebody enters as a text node or an attribute, never as HTML. */

const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "muted", "hidden", "open"]);

/**
 * An element. `on…` are listeners, `null`, `undefined` and `false` leave an attribute out, strings become text nodes.
 * @param {string} tag
 * @param {Record<string, unknown>} props
 * @param {...(Node | string | number | null | undefined | false | Array)} children
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) element[name] = value ?? (name === "value" ? "" : false);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

/** Flattens children and drops the empty ones; what stays may be given to `append`. */
export function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** A name or another piece of foreign text, isolated so that a right-to-left name does not turn its neighbours round. */
export function bdi(text, props = {}) {
  return h("bdi", props, text);
}

const SVG = "http://www.w3.org/2000/svg";

/** Outlines on a 24 × 24 grid. */
const ICONS = {
  back: "M15 5l-7 7 7 7",
  send: "M4 12L20 4.5 14.5 20 11.5 13.5z M11.5 13.5L20 4.5",
  slash: "M15.5 5l-7 14 M3.5 3.5h17v17h-17z",
  reply: "M10 6l-6 6 6 6 M4 12h9c4 0 7 2 7 6",
  more: "M6 12h.01 M12 12h.01 M18 12h.01",
  close: "M6 6l12 12 M18 6L6 18",
  pin: "M9 4h6l-1 6 3 3v2H7v-2l3-3z M12 15v6",
  down: "M6 10l6 6 6-6",
  file: "M7 3h7l4 4v14H7z M14 3v4h4",
  link: "M8 16L17 7 M10 7h7v7",
  copy: "M9 9h10v11H9z M5 15V4h10",
  quote: "M5 7h14 M5 12h9 M5 17h6",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z M2.5 20c.5-4 3-6 6.500-6s6 2 6.500 6 M16 4.500a3.500 3.500 0 0 1 0 6.300 M18 14.500c2 .8 3.200 2.700 3.500 5.500",
  wrench: "M14.500 6.500a4.500 4.500 0 0 1 5.800-2.200l-2.800 2.800 1.400 2.400 3-.8a4.500 4.500 0 0 1-6.400 4.300L8 20.500 4.500 17 12 9.500a4.500 4.500 0 0 1 2.500-3z",
  keyboard: "M3 7h18v11H3z M7 11h.01 M11 11h.01 M15 11h.01 M8 14.500h8",
  forward: "M5 5l7 7-7 7 M12 5l7 7-7 7",
  plus: "M12 5v14 M5 12h14",
  topic: "M5 9h15 M4 15h15 M10 4L8 20 M16 4l-2 16",
};

/** One of the icons above; it is decoration, so the button around it needs a label. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A round button with an icon: `label` is what a screen reader says and what the pointer sees. */
export function iconButton(name, label, onclick, props = {}) {
  return h("button", { type: "button", class: "round", "aria-label": label, title: label, onclick, ...props }, icon(name));
}
