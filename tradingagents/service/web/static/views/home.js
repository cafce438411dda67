/**
 * Home: one box for a ticker, a name or a question, and four ways to start; below, the market of the day, what is watched
 * and held, and the latest runs.
 * @module
 */

import { fill, h } from "../core/dom.js";
import { errorBox, loading, showingErrors, viewHead } from "../core/context.js";
import { simulatedTag } from "../parts/decision.js";
import { FirstBox } from "../parts/first_box.js";
import { fillBlocks, sectionOf } from "../parts/blocks.js";
import { latestRuns } from "../parts/latest.js";
import { MARKET_BLOCKS } from "../parts/market_blocks.js";
import { FIRST_KINDS, byPlace } from "./start.js";

/** Blocks that fail for one reason before it is said once in place of all, such as a data folder that is gone. */
const ALIKE = 3;

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Home");
  const choices = await view.choices();
  const box = new FirstBox(view, choices.tickers?.[0] ?? "Apple, AAPL");
  const starts = h("nav", { class: "starts", "aria-label": "Start" });
  const runs = h("div", { class: "stack" }, loading());
  const latest = h("section", { class: "card block", "aria-labelledby": "latest" }, h("h2", { id: "latest" }, "Latest runs"), runs);
  const market = h("div", { class: "stack" });
  fill(view.main, viewHead("What do you want to know?"), box.element, starts, market);
  if (matchMedia("(pointer: fine)").matches) box.input.focus();
  const links = showingErrors(starts, async () => fill(starts, startLinks(await view.api.get("/v1/task-kinds", view.signal), view.query.get("day"))));
  const found = showingErrors(runs, async () => fill(runs, await latestRuns(view)));
  await Promise.all([links, found, marketOf(view, choices, market, latest)]);
}

/** Show the market of the day that is chosen, each block when it is answered. */
async function marketOf(view, choices, market, latest) {
  const input = h("input", { type: "date", id: "market-day", value: view.query.get("day") || choices.last_session, max: choices.recorded_until ?? choices.last_session, "aria-label": "Day of the market" });
  const blocks = h("div", {});
  const tag = simulatedTag({ market: choices.defaults?.data_vendor ?? "" });
  fill(market, h("header", { class: "view-head" }, h("h2", { class: "big" }, "The market on"), input, tag), blocks);
  let leaving = new AbortController();
  view.signal.addEventListener("abort", () => leaving.abort());
  const load = async () => {
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    const page = { view, choices, signal, day: input.value || choices.last_session, ask: (name, values = {}) => view.api.ask(name, values, page.day, signal, false) };
    page.failed = [];
    const sections = MARKET_BLOCKS.map((block) => [block, sectionOf(block)]);
    const left = sections.filter((_, at) => at % 2 === 0), right = sections.filter((_, at) => at % 2);
    const column = (some) => h("div", { class: "stack" }, some.map(([, section]) => section));
    fill(blocks, h("div", { class: "blocks" }, column(left), h("div", { class: "stack" }, latest, right.map(([, section]) => section))));
    await fillBlocks(sections, page);
    const [reason, ...others] = new Set(page.failed);
    if (page.failed.length >= ALIKE && !others.length) fill(blocks, h("div", { class: "stack" }, errorBox(reason), latest));
  };
  input.addEventListener("change", () => {
    view.query.set("day", input.value); // the box above leads to companies, and asks, on this day
    history.replaceState(null, "", `#/home?day=${encodeURIComponent(input.value)}`);
    for (const link of view.main.querySelectorAll("a.kind")) link.href = startAddress(link.dataset.kind, input.value);
    showingErrors(blocks, load);
  });
  await load();
}

function startAddress(kind, day) {
  return `#/new?${new URLSearchParams({ kind, ...(day ? { day } : {}) })}`;
}

/** Links to the forms: four in sight, the others folded. */
function startLinks(kinds, day) {
  const listed = byPlace(kinds);
  const link = (one) => h("a", { class: "kind card", dataset: { kind: one.kind }, href: startAddress(one.kind, day) }, h("span", { class: "kind-title" }, one.title), h("span", { class: "muted" }, one.summary));
  return [
    h("div", { class: "kinds" }, listed.filter((one) => FIRST_KINDS.includes(one.kind)).map(link)),
    h("details", { class: "more" }, h("summary", {}, "More"), h("div", { class: "kinds" }, listed.filter((one) => !FIRST_KINDS.includes(one.kind)).map(link))),
  ];
}
