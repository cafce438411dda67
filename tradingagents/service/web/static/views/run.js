/**
 * A run of the history: its card and its events.
 * @module
 */

import { button, fill, h } from "../core/dom.js";
import { loading, showingErrors, viewHead } from "../core/context.js";
import { answersIn, dayOf, dollars, duration, kindOf, subjectOf, titleOfRun, when } from "../core/format.js";
import { statusChip } from "../parts/decision.js";
import { byRules, offlineNotice } from "../parts/notices.js";
import { RunPanel } from "../parts/run_panel.js";
import { chatAddress, symbolLink } from "../parts/symbols.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  fill(view.main, loading());
  const path = `/v1/runs/${encodeURIComponent(view.path[0])}`;
  const [card, events] = await Promise.all([view.api.get(path, view.signal), view.api.get(`${path}/events`, view.signal)]);
  const title = card.question ?? titleOfRun(card);
  view.setTitle(title);
  const panel = new RunPanel(view.api);
  for (const event of events) panel.apply(event);
  const notice = h("div", {});
  fill(view.main, viewHead(title, card.ticker ? symbolLink(card.ticker, dayOf(card), title.startsWith(card.ticker) ? "Page of the company" : card.ticker) : null, statusChip(card.status)),
    h("p", { class: "facts-line" }, factsOf(card).map((fact) => h("span", {}, fact))),
    h("p", { class: "actions" },
      button("Discuss in chat", () => { location.hash = chatAddress({ run: card.run_id, day: dayOf(card) }); }),
      h("a", { class: "button", href: `#/history?compare=${encodeURIComponent(card.run_id)}` }, "Compare with another run")),
    offlineNotice(card), notice, panel.element);
  await showingErrors(notice, () => panel.complete(card, view.signal));
}

/** @param {Record<string, any>} card */
export function headOf(card) {
  return card.instrument?.name ?? subjectOf(card);
}

function factsOf(card) {
  const usage = card.usage?.total ?? card.usage ?? {};
  return [
    card.question ? `${kindOf(card)}, ${dayOf(card)}` : null,
    card.began ? `began ${when(card.began)}` : null,
    card.instrument?.industry,
    card.timing?.wall_s !== undefined ? duration(card.timing.wall_s * 1000) : null,
    ...(usage.llm_calls === undefined ? [] : answersIn(usage.llm_calls, usage.input_tokens ?? 0, usage.output_tokens ?? 0, byRules(card))),
    usage.llm_calls ? (typeof usage.cost_usd === "number" ? dollars(usage.cost_usd) : "price unknown") : null,
  ].filter(Boolean);
}
