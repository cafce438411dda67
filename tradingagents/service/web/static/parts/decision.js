/**
 * A decision as a card: what to do, at which prices, why, and what speaks against it.
 * @module
 */

import { h, icon } from "../core/dom.js";
import { capital, price, sourceTitles, sureness, surenessName } from "../core/format.js";

const SHAPES = { BUY: "up", SELL: "down", HOLD: "flat" };
const OVERALL = /\bOverall:?\W{0,6}(bullish|bearish|neutral)\W{1,4}?([+\-\u2212]?[01](?:\.\d+)?)/i;
const SEARCHED = 1500;

/**
 * The action as a badge with a shape, so that colour is not the only sign.
 * @param {string | null | undefined} action
 */
export function actionBadge(action) {
  if (!action) return h("span", { class: "muted" }, "—");
  const name = SHAPES[action];
  return h("span", { class: `badge ${action.toLowerCase().replaceAll("_", "-")}` }, name ? icon(name) : null, action.replaceAll("_", " "));
}

/**
 * @param {string} status
 */
export function statusChip(status) {
  return h("span", { class: `chip status-${status}` }, capital(status.replaceAll("_", " ")));
}

/** Say that the companies of a run are made up, from its row or card; null for a real market. @param {Record<string, any>} run */
export function simulatedTag(run) {
  const simulated = run.market ? run.market.startsWith("simulated") : run.settings?.data_vendor === "simulated";
  return simulated ? h("span", { class: "chip", title: "The companies, prices and news are made up." }, "Simulated market") : null;
}

/**
 * @param {Record<string, any>} decision
 * @param {{currency?: string, proposal?: boolean, simulated?: HTMLElement | null}} options
 */
export function decisionCard(decision, { currency = "", proposal = false, simulated = null } = {}) {
  return h("section", { class: `card decision tone-${String(decision.action).toLowerCase()}`, "aria-label": "Decision" },
    h("div", { class: "verdict" },
      actionBadge(decision.action),
      confidence(decision),
      simulated,
      proposal ? h("span", { class: "chip" }, "Proposal, not final") : null),
    levels(decision, currency),
    h("p", { class: "lead" }, decision.rationale),
    evidence(decision.key_evidence ?? []),
    h("div", { class: "columns" },
      decision.dissent ? h("section", {}, h("h3", {}, "What the other side had right"), h("p", {}, decision.dissent)) : null,
      decision.would_change ? h("section", {}, h("h3", {}, "What would change it"), h("p", {}, decision.would_change)) : null));
}

/**
 * What the deciding agents answered that were asked the same again; null for a run that asked once.
 * @param {Record<string, any>[] | undefined} settling
 */
export function askedAgain(settling) {
  if (!settling?.length) return null;
  const rows = settling.map(({ agent, answers, reason, added_calls: calls }) => h("li", {},
    h("strong", {}, agent), ` ${Object.entries(answers).map(([action, count]) => `${action.replaceAll("_", " ")} ${count}`).join(", ")}. ${reason}`,
    calls ? h("small", { class: "muted" }, ` ${calls} calls added`) : null));
  return h("section", { class: "card", "aria-label": "Asked again" }, h("h3", {}, "Asked again with the same inputs"), h("ul", {}, rows));
}

function confidence(decision) {
  const shown = sureness(decision);
  if (!shown) return null;
  const name = surenessName([decision]);
  const value = decision.strength ?? decision.confidence;
  return h("div", { class: "confidence computed" },
    h("p", {}, h("span", {}, name), h("strong", {}, shown)),
    h("meter", { min: "0", max: "1", value, "aria-label": name }),
    decision.track_record ? h("p", { class: "muted small" }, decision.track_record) : null);
}

function levels(decision, currency) {
  const away = (level) => (decision.entry && level ? `${level > decision.entry ? "+" : ""}${(100 * (level / decision.entry - 1)).toFixed(2)}% from entry` : "");
  const risk = Math.abs(decision.entry - decision.stop);
  const ratio = decision.entry && decision.stop && decision.target && risk ? Math.abs(decision.target - decision.entry) / risk : null;
  const shown = [
    ["Entry", decision.entry && price(decision.entry, currency), ""],
    ["Stop", decision.stop && price(decision.stop, currency), away(decision.stop)],
    ["Target", decision.target && price(decision.target, currency), away(decision.target)],
    ["Reward to risk", ratio && ratio.toFixed(1), ""],
    ["Position size", decision.position_size && `${(100 * decision.position_size).toFixed(2)}%`, "of equity"],
    ["Horizon", decision.horizon_days && `${decision.horizon_days} days`, ""],
  ].filter(([, value]) => value);
  if (!shown.length) return null;
  return h("dl", { class: "levels" }, shown.map(([name, value, note]) =>
    h("div", { class: name === "Entry" ? "" : "computed" }, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : null))));
}

function evidence(items) {
  if (!items.length) return null;
  return h("section", {}, h("h3", {}, "Key evidence"), h("ul", { class: "evidence" }, items.map(({ claim, source }) =>
    h("li", { dataset: { source } }, claim, source ? [" ", h("span", { class: "tag", title: source }, sourceTitles(source))] : null))));
}

/**
 * The direction and score that a report states for itself; null where it states none.
 * @param {string | undefined} report
 * @returns {{direction: string, score: number} | null}
 */
export function stanceOf(report) {
  const found = OVERALL.exec(String(report ?? "").slice(0, SEARCHED));
  return found ? { direction: found[1].toLowerCase(), score: parseFloat(found[2].replace("\u2212", "-")) } : null;
}

/**
 * The analysts' scores at a glance, each on a scale from bearish to bullish.
 * @param {[string, string][]} reports - titles and texts
 */
export function stances(reports) {
  const found = reports.map(([title, text]) => ({ title, stance: stanceOf(text) })).filter((one) => one.stance);
  if (!found.length) return null;
  return h("ul", { class: "stances", "aria-label": "Scores of the reports, from -1 (bearish) to 1 (bullish)" }, found.map(({ title, stance }) =>
    h("li", { class: "card" },
      h("p", {}, h("span", {}, title), h("strong", {}, stance.direction, " ", signed(stance.score))),
      scale(stance.score))));
}

/** @param {number} score - -1 to 1 */
export function scale(score) {
  const bar = h("span", { class: score < 0 ? "bar less" : "bar more" });
  bar.style.setProperty("--from", `${50 + Math.min(0, score) * 50}%`);
  bar.style.setProperty("--size", `${Math.abs(score) * 50}%`);
  return h("span", { class: "scale", "aria-hidden": "true" }, bar);
}

/** @param {number} score */
export function signed(score) {
  return `${score > 0 ? "+" : ""}${score.toFixed(2)}`;
}
