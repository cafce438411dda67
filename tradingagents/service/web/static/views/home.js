/**
 * Home: one box for a ticker, a name or a question, and four ways to start; below, the latest runs.
 * @module
 */

import { fill, h } from "../core/dom.js";
import { loading, showingErrors, viewHead } from "../core/context.js";
import { FirstBox } from "../parts/first_box.js";
import { latestBacktests, latestRuns } from "../parts/latest.js";
import { FIRST_KINDS, byPlace } from "./start.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Home");
  const { tickers = [] } = await view.choices();
  const box = new FirstBox(view, tickers[0] ?? "Apple, AAPL");
  const starts = h("nav", { class: "starts", "aria-label": "Start" });
  const latest = h("section", { class: "card", "aria-labelledby": "latest" }, h("h2", { id: "latest" }, "Latest runs"));
  const runs = h("div", {}, loading());
  latest.append(runs);
  fill(view.main, viewHead("What do you want to know?"), box.element, starts, latest);
  if (matchMedia("(pointer: fine)").matches) box.input.focus();
  await Promise.all([
    showingErrors(starts, async () => fill(starts, startLinks(await view.api.get("/v1/task-kinds", view.signal)))),
    showingErrors(runs, async () => fill(runs, await latestRuns(view), await latestBacktests(view))),
  ]);
}

/** Links to the forms: four in sight, the others folded. */
function startLinks(kinds) {
  const listed = byPlace(kinds);
  const link = (one) => h("a", { class: "kind card", href: `#/new?kind=${encodeURIComponent(one.kind)}` }, h("span", { class: "kind-title" }, one.title), h("span", { class: "muted" }, one.summary));
  return [
    h("div", { class: "kinds" }, listed.filter((one) => FIRST_KINDS.includes(one.kind)).map(link)),
    h("details", { class: "more" }, h("summary", {}, "More"), h("div", { class: "kinds" }, listed.filter((one) => !FIRST_KINDS.includes(one.kind)).map(link))),
  ];
}
