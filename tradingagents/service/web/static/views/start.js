/**
 * Starting work: an analysis, a scan, a question about filings, a valuation, and whatever else the server offers.
 * @module
 */

import { button, fill, h } from "../core/dom.js";
import { errorBox, loading, viewHead } from "../core/context.js";
import { dayOf, subjectOf } from "../core/format.js";
import { SchemaForm } from "../core/schema.js";

/** Kinds of work in sight; the others are folded. */
export const FIRST_KINDS = ["analyze", "scan", "valuation_pack", "filings_question"];
const ORDER = [...FIRST_KINDS, "auto", "research", "debate", "compare", "deep_report", "backtest", "paper_run"];
/** Fields that most people set; all others are folded. */
const FIRST = ["account", "decide_missed", "run", "ticker", "symbol", "tickers", "start", "end", "every", "question", "day", "offline", "book", "analysts", "mode", "budget_usd", "approve", "approve_plan"];
const LABELS = {
  book: "Decide for what I hold: the stored book of the day",
  budget_usd: "Budget in USD", start: "First day of decisions", end: "Last day", max_llm_calls: "Most model calls", approve: "Wait for my approval before the decision is final",
  approve_plan: "Wait for my approval of the plan", debate_rounds: "Rounds of bull against bear", risk_rounds: "Rounds of the risk debate", quick_model: "Quick model",
  mid_model: "Mid model", deep_model: "Deep model", fetch_valuation: "Compute the company's valuation for all agents",
  settle: "Ask the deciding agents again until the action is settled or is not", settle_max_asks: "Most asks of each deciding agent",
  unsettled_action: "Action of an unsettled run",
};
const DEFAULT_OF = {
  analysts: "analysts", debate_rounds: "max_debate_rounds", risk_rounds: "max_risk_discuss_rounds", budget_usd: "budget_usd",
  provider: "llm_provider", quick_model: "quick_think_llm", mid_model: "mid_think_llm", deep_model: "deep_think_llm",
};

/** Where the data of a vendor come from, in words. */
const MARKETS = { simulated: "the simulated market", snapshot: "recorded data" };
/** Kinds of runs that a question can be asked about. */
const ASKED_ABOUT = ["research", "debate", "company_comparison"];
const MOST_OFFERED = 50;

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("New");
  fill(view.main, loading());
  const [kinds, choices] = await Promise.all([view.api.get("/v1/task-kinds", view.signal), view.choices()]);
  const listed = byPlace(kinds);
  const chosen = listed.find((one) => one.kind === view.query.get("kind")) ?? listed[0];
  const form = h("div", {});
  const title = h("span", {});
  const about = h("p", { class: "muted" });
  const open = (kind) => {
    title.textContent = kind.title;
    about.textContent = kind.summary;
    fill(form, kindForm(view, kind, choices));
  };
  const chip = (one) => h("label", { class: "kind chip" },
    h("input", { type: "radio", name: "kind", value: one.kind, checked: one === chosen, onchange: () => open(one) }), h("span", { class: "kind-title" }, one.title));
  const further = listed.filter((one) => !FIRST_KINDS.includes(one.kind));
  fill(view.main, viewHead(title), h("fieldset", { class: "kind-choice" }, h("legend", { class: "unseen" }, "Kind of work"),
    listed.filter((one) => FIRST_KINDS.includes(one.kind)).map(chip),
    h("details", { class: "more", open: further.includes(chosen) }, h("summary", {}, "More"), h("div", { class: "kind-choice" }, further.map(chip)))), about, form);
  if (chosen) open(chosen);
}

/** Kinds of work that are offered, those most people want first. @param {Record<string, any>[]} kinds */
export function byPlace(kinds) {
  return kinds.filter((one) => one.policy?.listed !== false).sort((a, b) => placeOf(a.kind) - placeOf(b.kind));
}

function placeOf(kind) {
  const at = ORDER.indexOf(kind);
  return at < 0 ? ORDER.length : at;
}

function kindForm(view, kind, choices) {
  const schema = withChoices(kind.request, choices);
  const values = Object.fromEntries(Object.keys(schema.properties ?? {}).filter((name) => view.query.has(name)).map((name) => [name, view.query.get(name)]));
  const labels = { ...LABELS, offline: `Fixed rules instead of language models, at no cost, on ${marketOf(choices)}` };
  const given = { analysts: choices.defaults?.analysts, day: choices.last_session, ...values };
  const form = new SchemaForm(schema, { values: given, labels, suggestions: suggestionsOf(choices) });
  const required = schema.required ?? [];
  const errors = h("div", {});
  const day = "day" in (schema.properties ?? {}) ? null : dayField(choices, view.query.get("day"));
  const submit = h("button", { type: "submit", class: "button primary" }, "Start");
  showDefaults(form, choices);
  if (form.byName.has("run")) offerRuns(view, form.byName.get("run"));
  return h("form", { class: "card start", onsubmit: (event) => { event.preventDefault(); start(view, kind, form, day, errors, submit); } },
    h("div", { class: "fields" }, form.rows([...FIRST, ...required.filter((name) => !FIRST.includes(name))]), day),
    h("details", { class: "more" }, h("summary", {}, "Models, limits and details"), keysOf(choices), h("div", { class: "fields" }, form.rows())),
    errors,
    h("p", { class: "actions" }, submit, kind.policy?.costs_money ? h("span", { class: "muted" }, costNote(choices)) : null));
}

function costNote(choices) {
  return choices.defaults?.llm_provider === "offline" ? "Fixed rules decide; nothing is charged."
    : "Models are asked unless you choose fixed rules; set a budget to limit the cost.";
}

/** Where the server's data come from, in words. */
function marketOf(choices) {
  const vendor = choices.defaults?.data_vendor;
  if (choices.recorded_until) return `recorded data to ${choices.recorded_until}`;
  return MARKETS[vendor] ?? (vendor ? `data of ${vendor.replaceAll(",", ", ")}` : "the server's data");
}

/** Offer the runs that a question can be asked about. */
async function offerRuns(view, { input, row }) {
  const runs = await view.api.get(`/v1/runs?limit=${MOST_OFFERED}`, view.signal);
  const known = runs.filter((run) => ASKED_ABOUT.includes(run.kind));
  const list = h("datalist", { id: `${input.id}-list` }, known.map((run) => h("option", { value: run.run_id }, `${subjectOf(run)}, ${dayOf(run)}`)));
  input.setAttribute("list", list.id);
  input.placeholder = known.length ? "Choose or paste a run id" : "No research, debate or comparison yet";
  row.append(list);
}

/** State the choices of the server in the schema: analysts as boxes. */
function withChoices(schema, choices) {
  const properties = { ...schema.properties };
  if (properties.analysts && choices.analysts?.length) {
    properties.analysts = { type: "array", items: { enum: choices.analysts }, description: properties.analysts.description };
  }
  return { ...schema, properties };
}

function suggestionsOf(choices) {
  const models = (choices.providers ?? []).flatMap((one) => one.models);
  const tickers = choices.tickers ?? [];
  return { ticker: tickers, symbol: tickers, quick_model: models, mid_model: models, deep_model: models };
}

/** Show as placeholder what holds where nothing is entered. */
function showDefaults(form, choices) {
  for (const input of form.inputs) {
    const value = choices.defaults?.[DEFAULT_OF[input.name] ?? input.name];
    if (value !== null && value !== undefined && input.input.placeholder === "") input.input.placeholder = String(value);
    if (input.name === "day" && choices.recorded_until) input.input.max = choices.recorded_until;
    if (input.name === "offline" && choices.defaults?.llm_provider === "offline") input.input.checked = true;
  }
}

function dayField(choices, given) {
  return h("div", { class: "field" }, h("label", { for: "start-day" }, "Day"),
    h("input", { type: "date", id: "start-day", name: "as_of", max: choices.recorded_until, value: given ?? choices.last_session }),
    h("small", {}, `Only what was public by the close of this day is used. ${emptyDay(choices)}`));
}

/** What an empty day means. @param {Record<string, any>} choices */
export function emptyDay(choices) {
  return choices.recorded_until ? `Empty: ${choices.recorded_until}, the last recorded day.` : "Empty: the last session.";
}

function keysOf(choices) {
  const named = (choices.providers ?? []).filter((one) => one.key_variable);
  if (!named.length) return null;
  return h("ul", { class: "keys", "aria-label": "Keys of model providers" }, named.map((one) =>
    h("li", { class: one.key_set ? "set" : "missing" }, h("strong", {}, one.name), one.key_set ? " key is set" : ` needs ${one.key_variable}`)));
}

async function start(view, kind, form, day, errors, submit) {
  errors.replaceChildren();
  submit.disabled = true;
  try {
    const asOf = day?.querySelector("input").value || null;
    const task = await view.api.send("/v1/tasks", { kind: kind.kind, request: form.values(), as_of: asOf });
    location.hash = `#/task/${encodeURIComponent(task.task_id)}`;
  } catch (error) {
    fill(errors, errorBox(error));
  } finally {
    submit.disabled = false;
  }
}

/**
 * A button that leads to the form for a ticker.
 * @param {string} ticker
 * @param {string | null} [day] - of the study
 * @param {Record<string, string>} [more] - further fields of the form, such as `{ book: "stored" }`
 */
export function analyzeButton(ticker, day = null, more = {}) {
  return button("Analyze", () => { location.hash = `#/new?${new URLSearchParams({ ticker, ...(day ? { day } : {}), ...more })}`; }, { class: "button small", "aria-label": `Analyze ${ticker}` });
}
