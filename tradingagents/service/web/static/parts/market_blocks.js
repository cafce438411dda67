/**
 * The blocks of the home page: the market of a day, the watch list, the book. Each is asked alone, see `blocks.js`.
 * @module
 */

import { h, table } from "../core/dom.js";
import { capital, change, number, price, words } from "../core/format.js";
import { lastDecision, moved } from "../views/watchlist.js";
import { symbolLink } from "./symbols.js";

/** Most rows of gainers, of losers and of events. */
const MOST = 5;
const MOST_EVENTS = 10;
/** Days before and after the day whose events are shown. */
const EVENT_DAYS = 7;

const sector = (name) => capital(words(name.replaceAll("-", "_")));

/** @type {import("./blocks.js").Block[]} */
export const MARKET_BLOCKS = [
  { id: "indices", title: "Indices", ask: (page) => page.ask("get_market_indices"), show: ({ result }, page) => table("Indices", ["Index", "1 day", "Level", "52-week range"], result.indices.map((one) =>
    [symbolLink(one.symbol, page.day, one.name), moved(one.change_pct), price(one.last), h("span", { class: "nowrap muted" }, `${price(one.low_52w)} to ${price(one.high_52w)}`)])) },
  { id: "sectors", title: "Sectors", ask: (page) => page.ask("get_sector_performance"), show: ({ result }, page) => table("Sectors, by their funds", ["Sector", "1 day", "1 week", "1 month", "This year"],
    [...result.sectors].sort((one, other) => (other.returns["1d"] ?? -Infinity) - (one.returns["1d"] ?? -Infinity)).map((one) => [symbolLink(one.etf, page.day, sector(one.sector)), ...["1d", "1w", "1m", "ytd"].map((span) => moved(one.returns[span]))])) },
  { id: "movers", title: "Movers", ask: (page) => Promise.all(["day_gainers", "day_losers"].map((category) => page.ask("get_market_movers", { category }))),
    show: (answers, page) => answers.map(({ result }, at) => [h("h3", {}, at ? "Fell most" : "Rose most"), moversOf(result, at ? -1 : 1, page.day)]) },
  { id: "watchlist", title: "Watch list", ask: (page) => unlessEmpty(page.ask("watchlist"), "usage_error"), show: watched },
  { id: "book", title: "Your book", ask: (page) => unlessEmpty(page.ask("book"), "no_book"), show: held },
  { id: "calendar", title: "Calendar", ask: (page) => page.ask("calendar_events", { days: EVENT_DAYS }), show: calendar },
  { id: "breadth", title: "Breadth", late: true, ask: (page) => page.ask("market_breadth"), show: breadth },
];

/** An answer, or null where there is nothing to show, which the server says with an error. */
function unlessEmpty(answer, code) {
  return answer.catch((error) => {
    if (error.code === code) return null;
    throw error;
  });
}

function moversOf(result, sign, day) {
  const rows = result.movers.filter((one) => Math.sign(one.change_pct) === sign).slice(0, MOST);
  if (!rows.length) return h("p", { class: "muted" }, "None.");
  return table("Movers", ["Symbol", "1 day", "Price", "Name"], rows.map((one) => [symbolLink(one.symbol, day), moved(one.change_pct), price(one.price, one.currency), one.name ?? ""]));
}

function watched(answer, page) {
  if (!answer?.result.symbols.length) return h("p", { class: "muted" }, "The watch list is empty. Open a company and press Watch, or see the ", h("a", { href: "#/watchlist" }, "watch list"), ".");
  return [table("Watch list", ["Symbol", "Price", "1 day", "Last decision"], answer.result.symbols.map((row) =>
    [symbolLink(row.symbol, page.day), price(row.price, row.unit), moved(row.changes?.change_1d), lastDecision(row.decision)])), more("#/watchlist", "All of the watch list")];
}

function held(answer, page) {
  if (!answer) return h("p", { class: "muted" }, "Nothing is stored of what you hold. ", h("a", { href: "#/portfolio" }, "Import it under Portfolio"), ".");
  const { holdings, sentences } = answer.result;
  return [h("p", {}, sentences[0]?.said), table("Holdings", ["Symbol", "Value", "1 day", "Weight"], holdings.map((row) =>
    [symbolLink(row.symbol, page.day), price(row.value, row.currency), moved(row.change_pct), row.weight === null ? "n/a" : `${(100 * row.weight).toFixed(2)}%`])), more("#/portfolio", "Risk and more under Portfolio")];
}

function calendar({ result }, page) {
  const results = (result.earnings?.events ?? []).map((one) => [one.day, symbolLink(one.symbol, page.day), `Results ${one.fiscal_period ?? ""}`, one.eps === null || one.eps === undefined ? one.status : `EPS ${price(one.eps, one.currency)}`]);
  const releases = (result.economic?.events ?? []).map((one) => [one.day, one.name, one.period ?? "Release", one.value === null || one.value === undefined ? one.status : `${number(one.value)}${one.unit === "%" ? "%" : ` ${one.unit ?? ""}`}`]);
  const all = [...results, ...releases].sort(([one], [other]) => one.localeCompare(other));
  if (!all.length) return "No results and no releases are known around this day.";
  const due = all.filter(([day]) => day > page.day).length;
  const from = Math.max(0, Math.min(all.length - MOST_EVENTS, all.length - due - MOST));
  return table("Results and releases", ["Day", "What", "Of", "Outcome"], all.slice(from, from + MOST_EVENTS));
}

function breadth({ result }) {
  const share = (value) => (value === null || value === undefined ? "n/a" : `${Math.round(value)}%`);
  return h("ul", { class: "plain" }, [
    `${result.advancing} of ${result.stocks} stocks rose, ${result.declining} fell.`,
    `${share(result.above_50_pct)} stand above their average of 50 days, ${share(result.above_200_pct)} above that of 200.`,
    `New highs of a year: ${result.new_highs}; new lows: ${result.new_lows}.`,
    `The median stock moved ${change(result.median_return_1m_pct)} over a month.`,
  ].map((said) => h("li", {}, said)));
}

function more(address, label) {
  return h("p", { class: "small" }, h("a", { href: address }, label));
}
