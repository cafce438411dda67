/**
 * Settings: what holds, how to change it, and whether models and data answer. Keys are never shown or entered here.
 * @module
 */

import { button, fill, h } from "../core/dom.js";
import { errorBox, loading, showingErrors, viewHead } from "../core/context.js";
import { capital, words } from "../core/format.js";

/** Checks of a group of settings, with what they ask. */
const CHECKS = { Models: ["models", "Test the models"], Data: ["data", "Test the data"] };

/** Names of settings that their words do not tell. */
const TITLES = {
  llm_provider: "Provider", quick_think_llm: "Quick model", mid_think_llm: "Mid model", deep_think_llm: "Deep model", backend_url: "Model server", budget_usd: "Budget in USD", max_llm_calls: "Model calls at most",
  max_risk_discuss_rounds: "Risk rounds", max_debate_rounds: "Debate rounds", max_concurrent_pipelines: "Tickers at once", sell_means: "SELL means",
};

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Settings");
  fill(view.main, viewHead("Settings"), loading());
  const [known, choices] = await Promise.all([view.api.get("/v1/settings/shown", view.signal), view.choices()]);
  const inputs = new Map();
  const lines = h("div", { class: "stack" });
  const changed = () => linesOf(known, inputs, lines);
  const groups = [...new Set(known.map((one) => one.group))];
  fill(view.main, viewHead("Settings"),
    h("p", { class: "muted" }, "Settings come from flags, the environment, and .env where the server starts; there is no other file. Enter a value to try it, and to get the line that sets it from the next start."),
    h("div", { class: "stack" }, groups.map((group) => groupOf(view, group, known.filter((one) => one.group === group), inputs, changed, known))),
    lines, keys(choices));
  changed();
}

function groupOf(view, group, settings, inputs, changed, known) {
  const [what, label] = CHECKS[group] ?? [];
  const said = h("div", { role: "status" });
  const test = () => {
    fill(said, loading("Asking; this may take some seconds…"));
    return showingErrors(said, async () => {
      const found = await view.api.send("/v1/settings/check", { what, changes: changesOf(known, inputs) });
      fill(said, h("ul", { class: "plain" }, found.map((one) => h("li", { class: one.works ? "" : "notice" }, h("strong", {}, one.about), ` ${one.works ? "✓" : "✗"} ${one.state}${one.trouble ? `: ${one.trouble}` : ""}`))));
    });
  };
  return h("section", { class: "card stack", "aria-label": group }, h("h2", {}, group),
    h("div", { class: "fields" }, settings.map((one) => field(one, inputs, changed))),
    what ? h("p", { class: "actions" }, button(label, test, { class: "button primary" })) : null, said);
}

function field(one, inputs, changed) {
  const id = `setting-${one.setting}`;
  const input = h("input", { id, name: one.setting, value: textOf(one.now), placeholder: one.usual === null ? "unset" : textOf(one.usual), autocomplete: "off", spellcheck: "false", disabled: !one.tried, oninput: changed, "aria-describedby": `${id}-help` });
  inputs.set(one.setting, input);
  return h("div", { class: "field" }, h("label", { for: id }, TITLES[one.setting] ?? capital(words(one.setting))), input,
    h("small", { id: `${id}-help` }, one.meaning, textOf(one.now) === textOf(one.usual) || typeof one.usual === "object" && one.usual ? "" : `. Usual: ${textOf(one.usual) || "unset"}`, one.tried ? "" : ". Set it where the server is started."));
}

/** The lines of `.env` that set what was entered. */
function linesOf(known, inputs, box) {
  const lines = known.filter((one) => inputs.get(one.setting).value.trim() !== textOf(one.now)).map((one) => `${one.variable}=${inputs.get(one.setting).value.trim()}`);
  if (!lines.length) return fill(box);
  const text = lines.join("\n");
  return fill(box, h("section", { class: "card stack", "aria-label": "Lines for .env" }, h("h2", {}, "Lines for .env"), h("pre", { tabindex: "0" }, text), h("p", { class: "actions" }, button("Copy", () => navigator.clipboard.writeText(text)), h("span", { class: "muted" }, "Put them into .env and start the server again."))));
}

/** What was entered, as values of their kind. */
function changesOf(known, inputs) {
  const found = known.filter((one) => one.tried && inputs.get(one.setting).value.trim() !== textOf(one.now));
  return Object.fromEntries(found.map((one) => [one.setting, valueOf(inputs.get(one.setting).value.trim(), one)]));
}

function valueOf(text, { now, usual }) {
  if (!text) return usual;
  if (typeof (now ?? usual) === "object" && (now ?? usual)) return Object.fromEntries(text.split(";").filter(Boolean).map((part) => part.split("=").map((word) => word.trim())));
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function textOf(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? Object.entries(value).map(([name, one]) => `${name}=${one}`).join(";") : String(value);
}

function keys(choices) {
  const known = [...choices.providers.flatMap((one) => (one.key_variable ? [[one.key_variable, one.key_set]] : [])), ...choices.vendors.flatMap((one) => one.key_variables.map((name) => [name, one.keys_set]))];
  return h("section", { class: "card", "aria-label": "Keys" }, h("h2", {}, "Keys"), h("p", { class: "muted" }, "Read from the environment or .env only; never shown or entered here."),
    known.length ? h("ul", { class: "keys" }, [...new Map(known)].map(([name, set]) => h("li", { class: set ? "set" : "" }, h("code", {}, name), set ? " ✓ set" : " not set"))) : errorBox("No provider is known."));
}
