/**
 * The first page of a deep report: rating, value against price, the thesis in lines, and where it falls short.
 * @module
 */

import { h, table } from "../core/dom.js";
import { capital, change, percent, price } from "../core/format.js";
import { markdown } from "../core/markdown.js";

const STANDINGS = { validated: "supported", rejected: "not supported", exhausted: "undecided", uncertain: "not researched", open: "undecided" };

/** @param {Record<string, any>} card */
export function isDeepReport(card) {
  return Array.isArray(card.hypotheses) && Boolean(card.scores);
}

/** @param {Record<string, any>} card */
export function deepReport(card) {
  const value = card.valuation;
  const doubts = value?.doubts ?? [];
  return h("section", { class: "card" },
    h("h2", {}, `${card.name ?? card.ticker}: ${card.rating || "not rated"}`),
    card.scores.shortfalls?.length ? h("p", { class: "notice" }, `Below the standard of its rubric: ${card.scores.shortfalls.join("; ")}.`) : null,
    doubts.length ? h("p", { class: "notice" }, `Not rated, because ${doubts.join("; ")}.`) : null,
    h("div", { class: "prose" }, markdown(summaryOf(card.reports?.report ?? ""))),
    value ? worth(value) : h("p", { class: "notice" }, `There is no valuation: ${card.no_valuation || card.error || "the run ended before it"}`),
    table("The thesis", ["Hypothesis", "Impact", "Standing", "Confidence"], card.hypotheses.map((one) => [
      one.title, one.impact, STANDINGS[one.status] ?? one.status, h("span", { class: "computed" }, percent(one.confidence)),
    ])),
    h("p", { class: "muted" }, `${card.evidence?.length ?? 0} items of evidence, quality ${card.scores.overall.toFixed(1)} of 10.`));
}

/** The executive summary of a report, without its heading. @param {string} text */
function summaryOf(text) {
  return /^## Executive summary\s+([\s\S]*?)(?=\n## |$(?![\s\S]))/m.exec(text)?.[1].replace(/\s*\[E-[^\]]*\]/g, "") ?? "";
}

function worth(value) {
  const rows = [
    ["Price", price(value.price, value.currency), value.price_day],
    ["Expected value", price(value.expected_value, value.currency), `${change(100 * value.upside)} against the price`],
    ...value.scenarios.map((one) => [`${capital(one.name)} case`, price(one.value_per_share, value.currency), `probability ${percent(one.probability)}`]),
  ];
  return table("Value against price", ["", "A share", ""], rows);
}
