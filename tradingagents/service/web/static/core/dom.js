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
  sliders: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5",
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
 * Return an input, which has an id, below its label.
 * @param {string} label
 * @param {HTMLElement} input
 */
export function field(label, input) {
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input);
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
 * Return a table with column headers, in a box that scrolls sideways where it is too wide; numbers stand on the right, and
 * heads sort. A column without a cell is left out.
 * @param {string} caption - read by screen readers
 * @param {any[]} head
 * @param {any[][]} rows
 */
export function table(caption, head, rows) {
  const empty = head.map((_, at) => at > 0 && rows.length > 0 && rows.every((row) => Array.isArray(row) && (row[at] === null || row[at] === undefined || row[at] === "")));
  if (empty.includes(true)) return table(caption, head.filter((_, at) => !empty[at]), rows.map((row) => row.filter((_, at) => !empty[at])));
  const cells = (row) => row.map((cell, at) => (at === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    tidied(h("table", {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, cell)))),
      h("tbody", {}, rows.map((row) => (Array.isArray(row) ? h("tr", {}, cells(row)) : row))))));
}

/** A cell that is a number with its unit, a change, or says that there is none. */
const NUMERIC = /^(?:[▴▾]\s*)?[-+\u2212]?[$€£¥]?\d[\d,]*(?:\.\d+)?\s?(?:[TBMKx%]|bn)?(?:\s(?:[A-Z]{3}|shares|days))?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const NONE = /^(?:n\/a|none|withheld|…|—|-|)$/;
const SIZES = { T: 1e12, B: 1e9, bn: 1e9, M: 1e6, K: 1e3 };
/** Fewest rows of a table whose heads sort. */
const SORTED = 3;

/** Put numbers on the right and let the heads sort. @param {HTMLTableElement} found */
export function tidied(found) {
  const rows = [...found.tBodies].flatMap((body) => [...body.rows]);
  const heads = [...(found.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((cell, at) => {
    const all = rows.map((row) => textOf(row.cells[at])), texts = all.filter((text) => !NONE.test(text));
    const kind = texts.length && texts.every((text) => DAY.test(text)) ? "nowrap" : at > 0 && (texts.length ? texts.every((text) => NUMERIC.test(text)) : all.includes("n/a")) ? "num" : "";
    if (kind) for (const one of [cell, ...rows.map((row) => row.cells[at])]) one?.classList.add(kind);
    if (rows.length < SORTED || !cell.textContent.trim() || cell.querySelector("button, input") || heads.some((one) => one.colSpan > 1) || rows.some((row) => row.cells[at]?.querySelector(".button, input"))) return;
    const sort = h("button", { type: "button", class: "sort", onclick: () => sorted(found, heads, at) }, ...cell.childNodes);
    cell.replaceChildren(sort);
  });
  return found;
}

function textOf(cell) {
  const first = cell?.querySelector(".sorted-by") ?? cell?.firstChild;
  return (cell?.dataset.sort ?? first?.textContent ?? "").trim();
}

/** Sort the rows of a table by a column, from the least first; again, from the most. */
function sorted(found, heads, at) {
  const down = heads[at].getAttribute("aria-sort") === "ascending";
  for (const cell of heads) cell.removeAttribute("aria-sort");
  heads[at].setAttribute("aria-sort", down ? "descending" : "ascending");
  for (const body of found.tBodies) {
    const rows = [...body.rows].map((row) => [sizeOf(row.cells[at]), row]);
    rows.sort(([one], [other]) => (one === null ? 1 : other === null ? -1 : (down ? -1 : 1) * (typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other)))));
    body.append(...rows.map(([, row]) => row));
  }
}

/** What a cell is sorted by: its number, else its text; null where it has none. */
function sizeOf(cell) {
  const text = textOf(cell) || (cell?.textContent ?? "").trim();
  if (NONE.test(text)) return null;
  if (!NUMERIC.test(text)) return text.toLowerCase();
  const [, sign, digits, unit] = /([-\u2212▾]?)\s*[-+\u2212]?[$€£¥]?(\d[\d,]*(?:\.\d+)?)\s?([TBMK]|bn)?/.exec(text);
  return (sign || /[-\u2212]/.test(text) ? -1 : 1) * Number(digits.replaceAll(",", "")) * (SIZES[unit] ?? 1);
}
