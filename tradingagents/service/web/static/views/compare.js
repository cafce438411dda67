/**
 * Two runs side by side: what differs in decision, scores, evidence, data and settings.
 * @module
 */

import { fill, h, table } from "../core/dom.js";
import { loading, viewHead } from "../core/context.js";
import { capital, dayOf, number, price, sureness, surenessName, titleOf, words } from "../core/format.js";
import { actionBadge, scale, signed, stanceOf } from "../parts/decision.js";
import { headOf } from "./run.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Comparison");
  if (view.path.length < 2) return fill(view.main, viewHead("Comparison"), h("p", {}, "Two runs are compared: choose them among the ", h("a", { href: "#/history" }, "runs"), "."));
  fill(view.main, loading());
  const cards = await Promise.all(view.path.slice(0, 2).map((id) => view.api.get(`/v1/runs/${encodeURIComponent(id)}`, view.signal)));
  const heads = cards.map((card) => h("a", { href: `#/run/${encodeURIComponent(card.run_id)}` }, `${headOf(card)}, ${dayOf(card)}`));
  fill(view.main, viewHead("Comparison"), decisions(cards, heads), scores(cards, heads), evidence(cards, heads), figures(cards, heads), settings(cards, heads));
}

/** Rows of a comparison; those that differ say so in words and by weight. */
function compared(title, heads, rows, empty) {
  const found = rows.map(([name, left, right, same]) => h("tr", same ? {} : { class: "differs" },
    h("th", { scope: "row" }, name), h("td", {}, left), h("td", {}, right), h("td", {}, same ? "same" : "differs")));
  return h("section", { class: "card" }, h("h2", {}, title),
    found.length ? table(title, ["", heads[0].cloneNode(true), heads[1].cloneNode(true), "Comparison"], found) : h("p", { class: "empty" }, empty));
}

function decisions(cards, heads) {
  const [left, right] = cards.map((card) => card.decision ?? {});
  const unit = cards.map((card) => card.instrument?.currency ?? "");
  const rows = [
    ["Action", actionBadge(left.action), actionBadge(right.action), left.action === right.action],
    textRow(surenessName([left, right]), sureness(left), sureness(right)),
    ...["entry", "stop", "target"].map((name) => textRow(capital(name), price(left[name], unit[0]), price(right[name], unit[1]))),
    textRow("Position size", sizeOf(left), sizeOf(right)),
    textRow("Horizon", `${left.horizon_days ?? "n/a"} days`, `${right.horizon_days ?? "n/a"} days`),
    textRow("Rationale", left.rationale ?? "n/a", right.rationale ?? "n/a"),
    textRow("Dissent", left.dissent ?? "n/a", right.dissent ?? "n/a"),
  ];
  return compared("Decision", heads, rows, "");
}

function sizeOf(decision) {
  return decision.position_size ? `${(100 * decision.position_size).toFixed(2)}% of equity` : "n/a";
}

function textRow(name, left, right) {
  return [name, left, right, left === right];
}

function scores(cards, heads) {
  const keys = [...new Set(cards.flatMap((card) => Object.keys(card.reports ?? {})))].filter((key) => key.endsWith("_report"));
  const rows = keys.map((key) => [key, ...cards.map((card) => stanceOf(card.reports?.[key]))]).filter(([, left, right]) => left || right);
  return compared("Scores of the reports", heads, rows.map(([key, left, right]) =>
    [titleOf(key), scoreCell(left), scoreCell(right), left?.score === right?.score]), "Neither run states scores.");
}

function scoreCell(stance) {
  return stance ? h("span", { class: "score" }, `${stance.direction} ${signed(stance.score)}`, scale(stance.score)) : "no score";
}

function evidence(cards, heads) {
  const claims = cards.map((card) => (card.decision?.key_evidence ?? []).map((one) => one.claim));
  const columns = claims.map((own, at) => h("section", {}, h("h3", {}, heads[at].cloneNode(true)), h("ul", { class: "evidence" }, own.map((claim) => {
    const shared = claims[1 - at].includes(claim);
    return h("li", shared ? {} : { class: "differs" }, claim, " ", h("span", { class: "tag" }, shared ? "in both" : "only here"));
  }))));
  return h("section", { class: "card" }, h("h2", {}, "Evidence"), h("div", { class: "columns" }, columns));
}

function figures(cards, heads) {
  const [left, right] = cards.map(figuresOf);
  const names = [...new Set([...left.keys(), ...right.keys()])].filter((name) => left.get(name) !== right.get(name));
  const rows = names.map((name) => [words(name), number(left.get(name)), number(right.get(name)), false]);
  return h("details", { class: "card" }, h("summary", {}, `Figures that differ (${rows.length})`),
    rows.length ? table("Figures that differ", ["Figure", heads[0].cloneNode(true), heads[1].cloneNode(true)], rows.map((row) => row.slice(0, 3))) : null);
}

/** Figures of the run's own subject and of the market, by tool and name. */
function figuresOf(card) {
  const rows = (card.data_sheet ?? []).filter((row) => row.symbol === null || row.symbol === card.ticker);
  return new Map(rows.flatMap((row) => Object.entries(row.figures ?? {}).map(([name, value]) => [`${row.method}: ${name}`, value])));
}

function settings(cards, heads) {
  const [left, right] = cards.map((card) => ({ ...card.settings, ...card.models }));
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]));
  return compared("Settings that differ", heads, names.map((name) => [words(name), JSON.stringify(left[name]) ?? "", JSON.stringify(right[name]) ?? "", false]),
    "Both runs used the same settings and models.");
}
