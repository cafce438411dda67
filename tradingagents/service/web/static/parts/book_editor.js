/**
 * The book, edited in place: rows of positions and cash, and what storing them would change.
 * @module
 */

import { button, field, fill, h } from "../core/dom.js";
import { showingErrors } from "../core/context.js";
import { number, price } from "../core/format.js";
import { difference } from "./difference.js";

const FIELDS = [["symbol", "Ticker", "AAPL"], ["quantity", "Quantity", "100"], ["average_price", "Average price", ""], ["currency", "Currency", "USD"], ["account", "Account", ""]];

const QUOTE = "\x22";

/**
 * @param {import("../core/api.js").Api} api
 * @param {any} stored - book as it is stored
 * @param {() => Promise<void>} reload
 */
export function bookEditor(api, stored, reload) {
  const rows = h("div", { class: "stack" });
  const cash = h("input", { id: "edit-cash", autocomplete: "off", value: Object.entries(stored.book.cash ?? {}).map(([currency, amount]) => `${currency} ${amount}`).join(", "), placeholder: "USD 5000, EUR 200" });
  const said = h("div", { class: "stack", role: "status" });
  let numbered = 0;
  const add = (position = {}) => {
    numbered += 1;
    const inputs = FIELDS.map(([name, title, example]) => h("input", { name, "aria-label": `${title} of row ${numbered}`, placeholder: example || title, autocomplete: "off", spellcheck: "false", inputmode: name === "quantity" || name === "average_price" ? "decimal" : null, value: position[name] ?? "" }));
    const row = h("div", { class: "book-row" }, inputs, button("Remove", () => row.remove(), { class: "button small", "aria-label": `Remove row ${numbered}` }));
    rows.append(row);
    return inputs[0];
  };
  for (const position of stored.book.positions) add(position);
  const review = () => showingErrors(said, async () => {
    const body = { text: csvOf(rows), day: stored.day, cash: cashOf(cash.value) };
    const found = await api.send("/v1/books", { ...body, store: false });
    const store = button("Store it", () => showingErrors(said, async () => { await api.send("/v1/books", body); await reload(); }), { class: "button primary" });
    fill(said, h("h3", {}, `What storing changes in the book of ${stored.day}`), difference("Changes of the book", shown(stored.book), shown(found.book)), h("p", { class: "actions" }, store));
  });
  return h("details", { class: "card", id: "edit-book" }, h("summary", {}, `Edit the book of ${stored.day}`),
    h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); review(); } },
      rows, h("p", { class: "actions" }, button("Add a position", () => add().focus())),
      field("Cash", cash),
      h("p", { class: "actions" }, h("button", { type: "submit", class: "button" }, "Show what changes"))), said);
}

/** The rows as a file of a broker would hold them; rows without a ticker are left out. */
function csvOf(rows) {
  const lines = [...rows.children].map((row) => [...row.querySelectorAll("input")].map((input) => input.value.trim())).filter(([symbol]) => symbol);
  return ["ticker,quantity,average price,currency,account", ...lines.map((cells) => cells.map((cell) => (/[\x22,\n]/.test(cell) ? QUOTE + cell.replaceAll(QUOTE, QUOTE + QUOTE) + QUOTE : cell)).join(","))].join("\n");
}

/** Positions and cash by name, as people read them. */
function shown(book) {
  const positions = book.positions.map((one) => [[one.symbol, one.account].filter(Boolean).join(", "), `${number(one.quantity)}${one.average_price ? ` at ${price(one.average_price, one.currency ?? "")}` : ""}`]);
  return Object.fromEntries([...positions, ...Object.entries(book.cash ?? {}).map(([currency, amount]) => [`Cash in ${currency}`, price(amount)])]);
}

/** Amounts by currency from `USD 5000, EUR 200`. @param {string} words */
export function cashOf(words) {
  const amounts = {};
  for (const word of words.split(/[,;]/).map((part) => part.trim()).filter(Boolean)) {
    const found = /^([A-Za-z]{3})[\s=:]*(-?\d+(?:\.\d+)?)$/.exec(word);
    if (!found) throw new Error("Write cash like USD 5000, EUR 200: a currency code and a number without separators.");
    amounts[found[1].toUpperCase()] = Number(found[2]);
  }
  return amounts;
}
