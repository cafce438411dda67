/**
 * Builds elements. Text always becomes text nodes: nothing in this page parses HTML into the document.
 * @module
 */

const SVG = "http://www.w3.org/2000/svg";

/** Paths of the icons, each drawn in a box of 24 by 24. */
const ICONS = {
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  chat: "M4 5h16v11H9l-5 4z",
  history: "M12 7v5l3 2M4.5 9A8 8 0 1 1 4 12M4 5v4h4",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  pie: "M12 3v9h9A9 9 0 1 1 12 3zM16 3.6A9 9 0 0 1 20.4 8H16z",
  data: "M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0zM4 6c0 4 16 4 16 0M4 12c0 4 16 4 16 0",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  stop: "M7 7h10v10H7z",
  tool: "M14.5 6.5a4 4 0 0 0 5 5L12 19l-4 1-3-3 1-4 7.500-7.500z",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  help: "M9 9a3 3 0 1 1 4 2.800c-.8.4-1 .9-1 2.200M12 17.500v.1",
  up: "M12 5l8 14H4z",
  down: "M12 19L4 5h16z",
  flat: "M4 9h16M4 15h16",
};

/**
 * Create an element.
 *
 * Attributes named `on…` are listeners, `dataset` and `style` are objects, `true` sets an empty attribute; `false`,
 * null and undefined set none. Children that are null or false are left out.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** Append children to an element; strings become text nodes. @param {Element} element @param {any[]} children */
export function append(element, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replace the children of an element. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * Draw an icon; it is hidden from screen readers, so the text next to it must say the same.
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/**
 * Return a button.
 * @param {any} label
 * @param {(event: Event) => void} onclick
 * @param {Record<string, any>} [attributes]
 */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", class: "button", ...attributes, onclick }, label);
}

/**
 * Return a link to another site; the text alone where the address is not http or https.
 * @param {string} address
 * @param {any} label
 */
export function outsideLink(address, label) {
  if (!/^https?:\/\//i.test(address)) return h("span", {}, label);
  return h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, label);
}

/**
 * Return a table with column headers, in a box that scrolls sideways where it is too wide.
 * @param {string} caption - read by screen readers
 * @param {any[]} head
 * @param {any[][]} rows
 */
export function table(caption, head, rows) {
  const cells = (row) => row.map((cell, at) => (at === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, cell)))),
      h("tbody", {}, rows.map((row) => (Array.isArray(row) ? h("tr", {}, cells(row)) : row)))));
}
