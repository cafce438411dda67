/**
 * A report page of the library in place: its chapters, copied element by element, so that no HTML is parsed into the document.
 * @module
 */

import { button, h } from "../core/dom.js";
import { UNUSED, copied } from "./chart.js";

/** All that a chapter of a report consists of; of anything else the text alone is taken. */
const ELEMENTS = new Set([
  "section", "h2", "h3", "h4", "p", "ul", "ol", "li", "strong", "em", "code", "small", "span", "div", "dl", "dt", "dd", "table", "thead", "tbody",
  "tr", "th", "td", "figure", "figcaption", "details", "summary", "br",
]);
const CLASSES = new Set(["scroll", "right", "terms", "value-terms", "exhibit", "unit", "source-line", "chart", "wide", "narrow", "warnings", "prose", "notice"]);

/** How much of a report stands open: characters, of which a figure counts as so many. The chapters after it are folded. */
const OPEN = 9000;
const FIGURE = 900;

/**
 * Return the chapters of a report below their list; those after the first are folded.
 * @param {string} page - HTML of the report
 * @returns {HTMLElement}
 */
export function reportOf(page) {
  const parsed = new DOMParser().parseFromString(page.replace(UNUSED, ""), "text/html");
  const parts = [...parsed.querySelectorAll("main > section, main > p")].map(inPlace);
  const chapters = parts.filter((part) => part.localName === "section" && part.querySelector("h2"));
  let length = 0;
  const folded = new Map(chapters.map((chapter) => {
    const open = length < OPEN;
    length += chapter.textContent.length + FIGURE * chapter.querySelectorAll("figure.wide").length;
    return [chapter, chapterOf(chapter, open)];
  }));
  const list = h("nav", { class: "card contents", "aria-label": "Contents" }, [...folded.values()].map((chapter) =>
    button(chapter.firstChild.textContent, () => { chapter.open = true; chapter.scrollIntoView(); chapter.firstChild.focus({ preventScroll: true }); }, { class: "link" })));
  return h("div", { class: "report-page stack" }, chapters.length > 2 ? list : null, parts.map((part) => folded.get(part) ?? part));
}

/** A chapter that can be folded by its heading. @param {HTMLElement} section @param {boolean} open */
function chapterOf(section, open) {
  const head = section.querySelector("h2");
  head.remove();
  const body = section.querySelector(":scope > details > div") ?? section; // the file folds long chapters itself
  return h("details", { class: section.className, open }, h("summary", {}, head), ...body.childNodes);
}

/** @param {Element} source */
function inPlace(source) {
  if (source.localName === "svg") return copied(source);
  const children = [...source.childNodes].map((child) => (child instanceof Element ? inPlace(child) : child.nodeType === Node.TEXT_NODE ? child.textContent.replace(/(\d) %/g, "$1%") : null));
  if (!ELEMENTS.has(source.localName)) return h("span", {}, children);
  const names = [...source.classList].filter((one) => CLASSES.has(one));
  if (source.localName === "section") names.push("card");
  const scope = source.getAttribute("scope");
  const scrolls = names.includes("scroll") ? { tabindex: "0", role: "region", "aria-label": "Table" } : {};
  return h(source.localName, { class: names.length ? names.join(" ") : null, scope, ...scrolls }, children);
}
