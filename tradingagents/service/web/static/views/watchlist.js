/**
 * The watch list: prices, changes, results and the last decision on each symbol.
 * @module
 */

import { button, field, fill, h, icon, table } from "../core/dom.js";
import { loading, reloading, showingErrors, viewHead } from "../core/context.js";
import { change, price } from "../core/format.js";
import { actionBadge } from "../parts/decision.js";
import { symbolLink } from "../parts/symbols.js";
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
    const { tickers } = await view.api.get("/v1/watchlist", signal);
    const values = symbols.value.trim() ? { symbols: symbols.value.trim() } : {};
    if (!tickers.length && !values.symbols) {
      fill(result, h("p", { class: "empty" }, "The watch list is empty. Add tickers above, such as AAPL, MSFT."));
      return;
    }
    fill(result, overview(await view.api.ask("watchlist", values, day.value, signal), new Set(tickers), (ticker) => remove(view, ticker, result, load)));
  });
  fill(view.main, viewHead("Watch list"), addForm(view, load),
    h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); load(); } },
      field("Symbols", symbols),
      field("As of", day),
      h("button", { type: "submit", class: "button" }, "Show")), result);
  await load();
}

/** The form that adds tickers to the stored list. */
function addForm(view, load) {
  const input = h("input", { id: "watch-add", autocomplete: "off", spellcheck: "false", placeholder: "AAPL, MSFT" });
  const said = h("div", { role: "status" });
  const add = () => showingErrors(said, async () => {
    const tickers = input.value.split(/[\s,;]+/).filter(Boolean);
    if (!tickers.length) throw new Error("Name a ticker, such as AAPL.");
    await view.api.send("/v1/watchlist", { tickers });
    input.value = "";
    fill(said);
    view.announce(`${tickers.join(", ")} added.`);
    await load();
  });
  return h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); add(); } },
    field("Add to the list", input), h("button", { type: "submit", class: "button primary" }, "Add"), said);
}

function remove(view, ticker, result, load) {
  return showingErrors(result, async () => {
    await view.api.request(`/v1/watchlist/${encodeURIComponent(ticker)}`, { method: "DELETE" });
    view.announce(`${ticker} is no longer on the list.`);
    await load();
  });
}

/** @param {any} answer @param {Set<string>} stored @param {(ticker: string) => void} takeOff */
function overview(answer, stored, takeOff) {
  const { symbols, missing } = answer.result;
  const off = (ticker, label = icon("close")) => (stored.has(ticker) ? button(label, () => takeOff(ticker), { class: "button small", title: "Remove", "aria-label": `Remove ${ticker} from the list` }) : null);
  return [
    h("p", { class: "muted" }, `As of ${answer.as_of}`),
    symbols.length ? table("Watch list", ["Symbol", "Name", "Price", "1 day", "1 week", "1 month", "From 52-week high", "Next results", "Last decision", "Analyze"], symbols.map((row) => [
      symbolLink(row.symbol, answer.as_of), row.name ?? "", h("span", { class: "nowrap" }, price(row.price, row.unit)), ...["change_1d", "change_1w", "change_1m"].map((name) => moved(row.changes?.[name])),
      moved(row.from_high_pct), row.next_results ?? "", lastDecision(row.decision), h("span", { class: "nowrap" }, analyzeButton(row.symbol, answer.as_of), " ", off(row.symbol)),
    ])) : null,
    missing?.length ? h("div", { class: "notice" }, "No data for ", missing.map((one) => one.symbol ?? one).map((ticker) => [ticker, " ", off(ticker, "Remove"), " "]), "on this day; check the ticker, or choose a later day.") : null,
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
