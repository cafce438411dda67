/**
 * A report page of the library in place: its chapters, copied element by element, so that no HTML is parsed into the document.
 * @module
 */

import { h } from "../core/dom.js";
import { UNUSED, copied } from "./chart.js";

/** All that a chapter of a report consists of; of anything else the text alone is taken. */
const ELEMENTS = new Set([
  "section", "h2", "h3", "h4", "p", "ul", "ol", "li", "strong", "em", "code", "small", "span", "div", "dl", "dt", "dd", "table", "thead", "tbody",
  "tr", "th", "td", "figure", "figcaption", "details", "summary", "br",
]);
const CLASSES = new Set(["scroll", "right", "terms", "value-terms", "exhibit", "unit", "source-line", "chart", "wide", "narrow", "warnings", "prose", "notice"]);

/**
 * Return the chapters of a report.
 * @param {string} page - HTML of the report
 * @returns {HTMLElement}
 */
export function reportOf(page) {
  const parsed = new DOMParser().parseFromString(page.replace(UNUSED, ""), "text/html");
  return h("div", { class: "report-page stack" }, [...parsed.querySelectorAll("main > section, main > p")].map(inPlace));
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
