/**
 * What the approval of a decision changes: against the last decision on the company, and against what is held.
 * @module
 */

import { fill, h } from "../core/dom.js";
import { number, price } from "../core/format.js";
import { difference } from "./difference.js";

/**
 * Return a box that fills itself with the difference.
 * @param {import("../core/api.js").Api} api
 * @param {{ticker?: string, day?: string}} asked - by the task
 * @param {Record<string, any> | null} decision - the proposal
 * @param {AbortSignal} signal
 */
export function approvalChanges(api, { ticker, day }, decision, signal) {
  const box = h("div", { class: "stack" });
  if (!ticker || !decision) return box;
  const asked = [api.ask("watchlist", { symbols: ticker }, day, signal), api.ask("book", {}, day, signal)];
  Promise.allSettled(asked).then(([list, book]) => {
    if (signal.aborted) return;
    const last = list.value?.result.symbols[0]?.decision;
    const states = [{ Decision: last ? `${last.action} of ${last.trade_date}` : "none yet" }, { Decision: String(decision.action).replaceAll("_", " ") }];
    for (const [name, value] of [["Entry", decision.entry], ["Stop", decision.stop], ["Target", decision.target]]) if (value) states[1][name] = price(value);
    if (book.value) position(book.value.result, ticker, decision, states);
    fill(box, h("h3", {}, "What approving changes"), difference("What approving changes", ...states), book.value ? null : h("p", { class: "muted small" }, "No book is stored by this day, so the position cannot be compared."));
  });
  return box;
}

function position(book, ticker, decision, [before, after]) {
  const held = book.holdings.find((one) => one.symbol === ticker);
  const size = decision.position_size;
  before.Position = held ? `${number(held.quantity)} shares, ${share(held.weight)} of the book` : "not held";
  if (decision.action === "BUY" && size) after.Position = `up to ${share(size)} of equity, ${price(size * book.equity, book.currency)}`;
  else if (decision.action === "SELL") after.Position = size ? `short, up to ${share(size)} of equity` : "not held";
  else after.Position = before.Position;
}

function share(fraction) {
  return fraction === null || fraction === undefined ? "n/a" : `${(100 * fraction).toFixed(2)}%`;
}
