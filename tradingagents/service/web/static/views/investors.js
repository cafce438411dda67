/**
 * What an investor held at a quarter's end, with the changes to the quarter before.
 * @module
 */

import { field, fill, h, table } from "../core/dom.js";
import { loading, reloading, viewHead } from "../core/context.js";
import { capital, change, number } from "../core/format.js";
import { analyzeButton } from "./start.js";

const INVESTORS = ["Berkshire Hathaway", "Larkspur Hill Capital", "Fenwick Row Partners", "Moorcastle Macro"];

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Investors");
  const result = h("div", { class: "stack" }, h("p", { class: "empty" }, "Enter an investor. Form 13F shows what large investors held at the end of a quarter."));
  const investor = h("input", { id: "investor", name: "investor", required: true, autocomplete: "off", list: "investors" });
  const choices = await view.choices();
  const day = h("input", { id: "investor-day", type: "date", value: choices.last_session, max: choices.recorded_until });
  const load = reloading(view.signal, result, async (signal) => {
    fill(result, loading());
    fill(result, holdings(await view.api.ask("portfolio", { investor: investor.value.trim(), limit: 50 }, day.value, signal)));
  });
  fill(view.main, viewHead("Holdings of an investor", h("a", { class: "button", href: "#/portfolio" }, "Your portfolio")),
    h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); load(); } },
      h("div", { class: "field" }, h("label", { for: "investor" }, "Investor or CIK"), investor, h("datalist", { id: "investors" }, INVESTORS.map((one) => h("option", { value: one })))),
      field("As of", day),
      h("button", { type: "submit", class: "button primary" }, "Show")),
    result);
}

function holdings(answer) {
  const held = answer.result;
  const rows = held.positions.map((one) => [
    one.symbol ?? one.issuer, one.issuer, shareShown(one.share_pct, held.positions[0].share_pct),
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

/**
 * A share with a bar, whose length is that of the largest where the share is the largest.
 * @param {number} share - in percent
 * @param {number} largest - in percent
 */
export function shareShown(share, largest) {
  const size = Math.min(100, largest ? (100 * Math.abs(share)) / Math.abs(largest) : 0);
  return h("span", { class: "share" }, `${share.toFixed(2)}%`, h("span", { class: "share-bar", "aria-hidden": "true", style: { "--size": `${size}%` } }));
}
