/**
 * Finished backtests: a list, and the report of one.
 * @module
 */

import { fill, h, table } from "../core/dom.js";
import { loading, viewHead } from "../core/context.js";
import { change } from "../core/format.js";
import { reportOf } from "../parts/report_page.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Backtests");
  fill(view.main, viewHead("Backtests"), loading());
  if (view.path[0]) await showOne(view, view.path[0]);
  else await showAll(view);
}

async function showAll(view) {
  const { result } = await view.api.ask("saved_backtests", {}, "", view.signal);
  fill(view.main, viewHead("Backtests"), result.backtests.length ? listed(result.backtests)
    : h("p", { class: "empty" }, "No backtest has been finished yet. ", h("a", { href: "#/new?kind=backtest" }, "Start one")),
    ...result.damaged.map((one) => h("p", {}, one)));
}

function listed(found) {
  return table("Finished backtests", ["Tickers", "Period", "Decisions", "Their return", "Buy and hold", "Smallest edge seen", "Models"], found.map((one) => [
    h("a", { href: `#/backtests/${encodeURIComponent(one.backtest)}` }, named(one.tickers)),
    h("span", { class: "nowrap" }, `${one.first_session} to ${one.last_session}`), String(one.decisions), change(100 * one.decisions_return),
    change(100 * one.buy_and_hold_return), one.smallest_edge === null ? "" : `${(100 * one.smallest_edge).toFixed(1)}% a year`, one.models.join(", "),
  ]));
}

/** @param {string[]} tickers */
export function named(tickers) {
  return tickers.length > 4 ? `${tickers.slice(0, 4).join(", ")} and ${tickers.length - 4} more` : tickers.join(", ");
}

async function showOne(view, id) {
  const answer = await view.api.ask("saved_backtests", { backtest: id }, "", view.signal);
  const [one] = answer.result.backtests;
  const page = answer.artifacts.length ? await view.api.text(`/v1/artifacts/${encodeURIComponent(answer.artifacts[0])}/content`, view.signal) : "";
  view.setTitle(`Backtest of ${named(one.tickers)}`);
  fill(view.main, viewHead(`Backtest of ${named(one.tickers)}`),
    h("p", { class: "facts-line" }, h("span", {}, `${one.first_session} to ${one.last_session}`), h("span", {}, `${one.decisions} decisions`), h("span", {}, one.models.join(", "))),
    h("p", { class: "actions" }, h("a", { class: "button", href: "#/backtests" }, "All backtests")),
    page ? reportOf(page) : h("p", {}, one.verdict));
}
