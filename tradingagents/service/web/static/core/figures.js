/**
 * Finds where a figure in a text comes from: the row of the run's data sheet, and the cell of the tool's answer.
 * @module
 */

import { h } from "./dom.js";

/** A number that stands alone: no part of a date, a name or a longer number, and not said to be derived. */
const FIGURE = /(?<![\w.,/:-]|\d[-–])[-+\u2212]?\$?\d[\d,]*(?:\.\d+)?(?:\s?%|x\b|[TBMK]\b)?(?![\w/]|-\d|\.\d|,\d|\s?\(?derived)/g;
const FACTORS = { T: 1e12, B: 1e9, M: 1e6, K: 1e3 };
/** Before a score that an agent gives: it comes from no data. */
const SCORED = /(?:bullish|bearish|neutral)\s+$/i;
/** Whole numbers below this occur everywhere: they are linked only where the source is named next to them. */
const COMMON = 1000;

/** Signs that no line break parts from the figure after or before them. */
const OPENING = /[([]$/;
const CLOSING = /^[)\],.;:]+/;

/**
 * @typedef {object} Source
 * @property {number} row - place in the data sheet
 * @property {string} method
 * @property {string} name - of the figure
 * @property {number} value
 */

/**
 * Return the value of a figure as written; null where it is none.
 * @param {string} text
 * @returns {number | null}
 */
export function valueOf(text) {
  const found = /^([-+\u2212]?)\$?(\d[\d,]*(?:\.\d+)?)\s?([TBMK])?/.exec(text.trim());
  if (!found) return null;
  const size = parseFloat(found[2].replaceAll(",", "")) * (FACTORS[found[3]] ?? 1);
  return found[1] && found[1] !== "+" ? -size : size;
}

/** The figures of a run's data sheet, by value. */
export class FigureIndex {
  /** @param {Record<string, any>[]} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    /** @type {Map<string, Source[]>} */
    this.byValue = new Map();
    sheet.forEach((row, at) => {
      for (const [name, value] of Object.entries(row.figures ?? {})) {
        if (typeof value !== "number") continue;
        const known = this.byValue.get(keyOf(value)) ?? [];
        known.push({ row: at, method: row.method, name, value });
        this.byValue.set(keyOf(value), known);
      }
    });
  }

  /**
   * Return the rows that a figure may come from: first those of tools named next to it, then of tools named in the text.
   * @param {string} figure
   * @param {string} [around]
   * @param {string} [text]
   * @returns {Source[]}
   */
  sources(figure, around = "", text = "") {
    const value = valueOf(figure);
    if (value === null) return [];
    const found = this.byValue.get(keyOf(value)) ?? this.byValue.get(keyOf(-value)) ?? [];
    const named = found.filter((one) => around.includes(one.method));
    if (Number.isInteger(value) && Math.abs(value) < COMMON && !/[%xTBMK]$/.test(figure)) return named;
    const others = found.filter((one) => !named.includes(one));
    const rank = (one) => (text.includes(one.method) ? 0 : 1);
    return [...named, ...others.sort((one, other) => rank(one) - rank(other))];
  }

  /**
   * Turn every figure of an element that is in the data sheet into a button; not what rules or a model made (`.computed`),
   * which is in no data even where a figure happens to have the same value.
   * @param {Element | DocumentFragment} root
   * @param {(figure: string, sources: Source[]) => void} open
   * @param {string} [whole] - text that names the tools which the element speaks of
   */
  link(root, open, whole = root.textContent ?? "") {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.parentElement?.closest("a, button, code, pre, summary, mark, .computed")) continue;
      const around = (text.parentElement?.closest("tr, li, p") ?? text.parentElement)?.textContent ?? "";
      const parts = this.parts(text.data, (one) => this.sources(one, around, whole), open);
      if (parts.length > 1 || typeof parts[0] !== "string") text.replaceWith(...parts);
    }
  }

  /**
   * @param {string} text
   * @param {(figure: string) => Source[]} find
   * @param {(figure: string, sources: Source[]) => void} open
   * @returns {(string | Element)[]}
   */
  parts(text, find, open) {
    const parts = [];
    let done = 0;
    for (const found of text.matchAll(FIGURE)) {
      const sources = SCORED.test(text.slice(0, found.index)) ? [] : find(found[0]);
      if (!sources.length) continue;
      const before = text.slice(done, found.index), after = text.slice(found.index + found[0].length);
      const opening = OPENING.exec(before)?.[0] ?? "", closing = CLOSING.exec(after)?.[0] ?? "";
      const figure = h("button", {
        type: "button", class: "figure", title: "Show where this figure comes from", onclick: () => open(found[0], sources),
      }, found[0]);
      parts.push(before.slice(0, before.length - opening.length), opening || closing ? h("span", { class: "nowrap" }, opening, figure, closing) : figure);
      done = found.index + found[0].length + closing.length;
    }
    parts.push(text.slice(done));
    return parts.filter((part) => part !== "");
  }
}

/** @param {number} value */
function keyOf(value) {
  return Number(value.toPrecision(10)).toString();
}
