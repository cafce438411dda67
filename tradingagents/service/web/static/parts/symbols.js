/**
 * Links of symbols to their company's page.
 * @module
 */

import { h } from "../core/dom.js";

const SYMBOL = /^\^?[A-Z0-9][A-Z0-9.=-]{0,14}$/;
const HEADS = /^(?:symbol|ticker|company|etf|leader|peer)$/i;

/** The address of a company's page. @param {string} symbol @param {string | null | undefined} [day] */
export function companyAddress(symbol, day) {
  return `#/company/${encodeURIComponent(symbol)}${day ? `?day=${encodeURIComponent(day)}` : ""}`;
}

/**
 * The address of a conversation: with a question it begins, with a symbol or a run and a day it is about them.
 * @param {{ask?: string, symbol?: string, run?: string, day?: string | null}} about
 */
export function chatAddress(about) {
  const given = Object.entries(about).filter(([, value]) => value);
  return `#/chat${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

/** A symbol as a link to its page, on a day. @param {string} symbol @param {string | null | undefined} [day] @param {any} [label] */
export function symbolLink(symbol, day, label = symbol) {
  return SYMBOL.test(symbol) ? h("a", { class: "symbol", href: companyAddress(symbol, day) }, label) : h("span", {}, label);
}

/** Link the cells of tables that hold a symbol, by the heads of their columns. @param {ParentNode} root @param {string | null} [day] */
export function linkSymbols(root, day = null) {
  for (const table of root.querySelectorAll("table")) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    heads.forEach((head, at) => {
      if (!HEADS.test(head.textContent.trim())) return;
      for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
        const cell = row.cells[at];
        const text = cell?.textContent.trim() ?? "";
        if (SYMBOL.test(text) && !cell.querySelector("a, button")) cell.replaceChildren(symbolLink(text, day));
      }
    });
  }
  return root;
}
