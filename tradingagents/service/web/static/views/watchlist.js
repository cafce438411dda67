/**
 * The watch list: prices, changes, results and the last decision on each symbol.
 * @module
 */

import { fill, h, table } from "../core/dom.js";
import { loading, reloading, viewHead } from "../core/context.js";
import { change, price } from "../core/format.js";
import { actionBadge } from "../parts/decision.js";
import { analyzeButton } from "./start.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Watch list");
  const result = h("div", { class: "stack" });
  const symbols = h("input", { id: "watch-symbols", name: "symbols", autocomplete: "off", placeholder: "The stored list", value: view.query.get("symbols") ?? "" });
  const choices = await view.choices();
  const day = h("input", { id: "watch-day", type: "date", value: choices.recorded_until ?? "", max: choices.recorded_until });
  const load = reloading(view.signal, result, async (signal) => {
    fill(result, loading());
    const values = symbols.value.trim() ? { symbols: symbols.value.trim() } : {};
    fill(result, overview(await view.api.ask("watchlist", values, day.value, signal)));
  });
  fill(view.main, viewHead("Watch list"),
    h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); load(); } },
      h("div", { class: "field" }, h("label", { for: "watch-symbols" }, "Symbols"), symbols),
      h("div", { class: "field" }, h("label", { for: "watch-day" }, "As of"), day),
      h("button", { type: "submit", class: "button primary" }, "Show")),
    h("p", { class: "muted" }, "Without symbols the stored list is shown; ", h("code", {}, "tradingagents watch add"), " changes it."), result);
  await load();
}

function overview(answer) {
  const { symbols, missing } = answer.result;
  if (!symbols.length) return h("p", { class: "empty" }, "The watch list is empty. Enter symbols above, or add some with ", h("code", {}, "tradingagents watch add AAPL"), ".");
  return [
    h("p", { class: "muted" }, `As of ${answer.as_of}`),
    table("Watch list", ["Symbol", "Name", "Price", "1 day", "1 week", "1 month", "From 52-week high", "Next results", "Last decision", "Analyze"], symbols.map((row) => [
      row.symbol, row.name ?? "", h("span", { class: "nowrap" }, price(row.price, row.unit)), ...["change_1d", "change_1w", "change_1m"].map((name) => moved(row.changes?.[name])),
      moved(row.from_high_pct), row.next_results ?? "", lastDecision(row.decision), analyzeButton(row.symbol),
    ])),
    missing?.length ? h("p", { class: "notice" }, `No data for ${missing.map((one) => one.symbol ?? one).join(", ")}.`) : null,
  ];
}

/** A change with its sign and a shape, so that colour is not the only sign. @param {number | null | undefined} value */
export function moved(value) {
  if (value === null || value === undefined) return "n/a";
  return h("span", { class: value < 0 ? "fell" : value > 0 ? "rose" : "" }, value < 0 ? "▾ " : value > 0 ? "▴ " : "", change(value));
}

/** The last decision on a symbol, with its day and a link to its run. @param {Record<string, any> | null | undefined} decision */
export function lastDecision(decision) {
  if (!decision) return h("span", { class: "muted" }, "none");
  return h("a", { class: "plain-link", href: `#/run/${encodeURIComponent(decision.run_id)}`, title: decision.trade_date }, actionBadge(decision.action), ` ${decision.trade_date}`);
}
