/**
 * What an investor held at a quarter's end, with the changes to the quarter before.
 * @module
 */

import { fill, h, table } from "../core/dom.js";
import { loading, showingErrors, viewHead } from "../core/context.js";
import { capital, change, number } from "../core/format.js";
import { analyzeButton } from "./start.js";

const INVESTORS = ["Berkshire Hathaway", "Larkspur Hill Capital", "Fenwick Row Partners", "Moorcastle Macro"];

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Portfolio");
  const result = h("div", { class: "stack" }, h("p", { class: "empty" }, "Enter an investor. Form 13F shows what large investors held at the end of a quarter."));
  const investor = h("input", { id: "investor", name: "investor", required: true, autocomplete: "off", list: "investors" });
  const day = h("input", { id: "portfolio-day", type: "date" });
  const load = () => showingErrors(result, async () => {
    fill(result, loading());
    fill(result, holdings(await view.api.ask("portfolio", { investor: investor.value.trim(), limit: 50 }, day.value, view.signal)));
  });
  fill(view.main, viewHead("Portfolio of an investor", h("a", { class: "button", href: "#/paper" }, "Paper accounts")),
    h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); load(); } },
      h("div", { class: "field" }, h("label", { for: "investor" }, "Investor or CIK"), investor, h("datalist", { id: "investors" }, INVESTORS.map((one) => h("option", { value: one })))),
      h("div", { class: "field" }, h("label", { for: "portfolio-day" }, "As of"), day),
      h("button", { type: "submit", class: "button primary" }, "Show")),
    result);
}

function holdings(answer) {
  const held = answer.result;
  const rows = held.positions.map((one) => [
    one.symbol ?? one.issuer, one.issuer, h("span", { class: "share" }, `${one.share_pct.toFixed(2)}%`, shareBar(one.share_pct, held.positions[0].share_pct)),
    number(one.value), number(one.shares), capital(one.change) + (one.change_pct ? ` ${change(one.change_pct)}` : ""), one.symbol ? analyzeButton(one.symbol) : "",
  ]);
  return [
    h("section", { class: "card" },
      h("h2", {}, `${held.investor} at ${held.period_end}`),
      h("dl", { class: "levels" }, [["Total value", number(held.total_value)], ["Quarter before", number(held.total_before)], ["Positions", number(answer.figures.positions)], ["Filed on", held.filed_on]]
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))))),
    table("Positions", ["Symbol", "Issuer", "Share", "Value", "Shares", "Against the quarter before", "Analyze"], rows),
    (held.notes ?? []).map((note) => h("p", { class: "muted" }, note)),
  ];
}

function shareBar(share, largest) {
  return h("span", { class: "share-bar", "aria-hidden": "true", style: { "--size": `${Math.min(100, (100 * share) / largest)}%` } });
}
