/**
 * Passages of filings and calls, as an answer cites them and as a search finds them; each leads to its page of the document.
 * @module
 */

import { button, field, fill, h, outsideLink } from "../core/dom.js";
import { loading, showingErrors } from "../core/context.js";
import { dayOf } from "../core/format.js";
import { openDialog } from "./dialog.js";

const CITATION = /\[([A-Za-z0-9]+)\]/g;
const MOST = 5;

/** The address of a page, counted from 1, of a stored document. */
function pageAddress(document, page, day) {
  return `#/data/read_filing_page?${new URLSearchParams({ document, page: String(page), as_of: day })}`;
}

/** Where a passage stands, in words; pages are counted from 1. */
function placeOf({ name, page, item, speaker }) {
  return [name, page ? `page ${page}` : "", item ? `Item ${item}` : "", speaker].filter(Boolean).join(", ");
}

/** What a passage says, and the ways to what stands around it. */
function passage({ document, page, text, url }, day) {
  return [h("blockquote", {}, text.trim()),
    h("p", { class: "actions" }, document && page ? h("a", { class: "button small", href: pageAddress(document, page, day) }, "Read the page") : null, url ? outsideLink(url, "At the source") : null)];
}

/** A source of a card as a passage: a card counts pages from 0. */
function cited(source) {
  const page = source.page === null || source.page === undefined ? null : source.page + 1;
  return { ...source, name: source.name || source.title || source.label, page, text: source.text ?? "" };
}

/** The sources of an answer, folded. @param {Record<string, any>} card */
export function sourcesOf(card) {
  const sources = (card.sources ?? []).map(cited);
  if (!sources.length) return null;
  return h("details", { class: "passages" }, h("summary", {}, sources.length === 1 ? "1 source" : `${sources.length} sources`),
    h("ul", { class: "plain" }, sources.map((source) => h("li", {}, h("strong", {}, `[${source.label}] ${placeOf(source)}`), passage(source, dayOf(card))))));
}

/** Make the citations of an answer, such as [10K1], open what they cite. @param {Element} element @param {Record<string, any>} card */
export function linkCitations(element, card) {
  const known = new Map((card.sources ?? []).map((source) => [source.label, cited(source)]));
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = [];
    let end = 0;
    for (const found of text.data.matchAll(CITATION)) {
      const source = known.get(found[1]);
      if (!source) continue;
      parts.push(text.data.slice(end, found.index), button(found[0], () => opened(source, dayOf(card)), { class: "figure", title: `Read it: ${placeOf(source)}` }));
      end = found.index + found[0].length;
    }
    if (parts.length) text.replaceWith(...parts, text.data.slice(end));
  }
  return element;
}

function opened(source, day) {
  const dialog = openDialog(placeOf(source), [h("section", { class: "source card" }, passage(source, day))], { side: true });
  for (const link of dialog.querySelectorAll("a[href^='#']")) link.addEventListener("click", () => dialog.close());
}

/** A box that searches the stored filings of a company. @param {any} page - of the company, see `company.js` */
export function passageSearch(page) {
  const query = h("input", { id: "passage-query", type: "search", required: true, autocomplete: "off", placeholder: "supply constraints" });
  const found = h("div", { class: "stack", role: "status" });
  const search = () => showingErrors(found, async () => {
    fill(found, loading("Searching…"));
    const { result } = await page.ask("search_filings", { query: query.value.trim(), ticker: page.symbol, limit: MOST });
    fill(found, result.passages.length ? h("ul", { class: "plain passages" }, result.passages.map((one) => h("li", {}, h("strong", {}, placeOf({ ...one, name: one.document })), passage({ ...one, document: one.key }, page.day))))
      : h("p", { class: "muted" }, `Nothing was found in ${result.documents} stored ${result.documents === 1 ? "filing" : "filings"}.`));
  });
  return h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); search(); } },
    h("div", { class: "toolbar" }, field("Find a passage in its stored filings", query), h("button", { type: "submit", class: "button" }, "Find")), found);
}
