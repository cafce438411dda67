/**
 * The latest runs, by what they found.
 * @module
 */

import { said } from "../core/context.js";
import { h } from "../core/dom.js";
import { actionOf, cut, findingOf, titleOfRun } from "../core/format.js";
import { actionBadge, simulatedTag, statusChip } from "./decision.js";

const LATEST = 8;
/** Most characters of a question in the list. */
const SUBJECT = 60;
/** Most characters of what a run found. */
const FINDING = 140;

/** @param {import("../core/context.js").View} view */
export async function latestRuns(view) {
  const runs = await view.api.get(`/v1/runs?limit=${LATEST}`, view.signal);
  if (!runs.length) return h("p", { class: "muted" }, "None yet. Analyze a stock: by fixed rules it needs no key and takes some seconds.");
  return h("ul", { class: "latest" }, runs.slice(0, LATEST).map((run) => h("li", {}, h("a", { href: `#/run/${encodeURIComponent(run.run_id)}` },
    h("span", { class: "subject" }, titleOfRun(run, SUBJECT)), simulatedTag(run), actionOf(run) ? actionBadge(actionOf(run)) : run.status === "done" ? null : statusChip(run.status),
    findingOf(run) ? h("span", { class: "muted small finding" }, said(cut(findingOf(run), FINDING))) : null))));
}
