/**
 * Any capability of the server by a form made from its declaration.
 * @module
 */

import { button, field, fill, h } from "../core/dom.js";
import { errorBox, loading, reloading, said, viewHead } from "../core/context.js";
import { inWords, titleOf } from "../core/format.js";
import { markdown } from "../core/markdown.js";
import { SchemaForm } from "../core/schema.js";
import { artifactsShown } from "../parts/artifacts.js";
import { linkSymbols } from "../parts/symbols.js";
import { emptyDay } from "./start.js";

/** Arguments that the day of the answer fills in. */
const DAYS = ["curr_date"];

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Data");
  fill(view.main, loading());
  const all = await view.api.get("/v1/capabilities", view.signal);
  const chosen = all.find((one) => one.name === view.path[0]);
  if (chosen) await showOne(view, chosen);
  else showAll(view, all, view.path[0]);
}

function showAll(view, found, wanted) {
  const all = [...found].sort((one, other) => titleOf(one.name).localeCompare(titleOf(other.name)));
  const list = h("ul", { class: "catalogue" });
  const filter = h("input", { type: "search", id: "data-filter", dataset: { focus: "search" }, placeholder: "prices, filings, macro…", oninput: () => rows() });
  const rows = () => fill(list, all.filter((one) => `${one.name} ${one.aliases.join(" ")} ${one.summary}`.toLowerCase().includes(filter.value.toLowerCase())).map(entry));
  fill(view.main, viewHead("Data"), h("div", { class: "toolbar" }, field("Find a capability", filter)), wanted ? errorBox(`There is no capability ${wanted}; these there are.`) : null, list);
  rows();
}

function entry(capability) {
  return h("li", { class: "card" },
    h("a", { href: `#/data/${encodeURIComponent(capability.name)}` }, h("strong", {}, titleOf(capability.name))),
    h("p", {}, capability.summary),
    capability.available ? null : h("p", { class: "warning" }, said(capability.reason ?? "Not available.")));
}

async function showOne(view, capability) {
  view.setTitle(titleOf(capability.name));
  const choices = await view.choices();
  const suggestions = Object.fromEntries(["symbol", "symbols", "ticker"].map((name) => [name, choices.tickers ?? []]));
  const form = new SchemaForm(capability.arguments, { suggestions, omit: DAYS, values: Object.fromEntries(view.query) });
  const result = h("div", { class: "stack answer" });
  const day = h("input", { id: "data-day", type: "date", value: view.query.get("as_of") ?? choices.recorded_until ?? "", max: choices.recorded_until });
  const ask = reloading(view.signal, result, async (signal) => {
    fill(result, loading("Asking…"));
    fill(result, await answerOf(view, await view.api.ask(capability.name, form.values(), day.value, signal), signal));
  });
  fill(view.main, viewHead(titleOf(capability.name)),
    h("p", { class: "muted" }, capability.summary, " ", h("code", {}, capability.name)),
    capability.available ? null : h("p", { class: "notice" }, said(capability.reason ?? "Not available.")),
    h("form", { class: "card", onsubmit: (event) => { event.preventDefault(); ask(); } },
      h("div", { class: "fields" }, form.rows(), h("div", { class: "field" }, h("label", { for: "data-day" }, "As of"), day, h("small", {}, emptyDay(choices)))),
      h("p", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, "Ask"), h("a", { class: "button", href: "#/data" }, "All capabilities"))),
    result);
  if (view.query.size && (capability.arguments.required ?? []).every((name) => view.query.has(name) || DAYS.includes(name))) await ask();
}

async function answerOf(view, answer, signal) {
  const json = h("pre", { tabindex: "0" });
  const details = h("details", { class: "card" }, h("summary", {}, "As JSON"), json);
  details.addEventListener("toggle", () => { json.textContent ||= JSON.stringify(answer.result, null, 2); });
  const copy = button("Copy the figures", () => navigator.clipboard.writeText(JSON.stringify(answer.figures, null, 2)));
  return [
    h("section", { class: "card", "aria-live": "polite" }, await artifactsShown(view.api, answer.artifacts, signal), linkSymbols(h("div", { class: "prose" }, markdown(answer.markdown.split("\n").map((line) => inWords(line, answer.labels)).join("\n"), 2)), answer.as_of)),
    h("p", { class: "actions" }, Object.keys(answer.figures).length ? copy : null), details,
  ];
}
