/**
 * A company on a day: price, figures, worth, statements, news, filings, and what was decided before.
 * @module
 */

import { button, field, fill, h } from "../core/dom.js";
import { errorBox, loading, said, showingErrors } from "../core/context.js";
import { capital, change, price, words } from "../core/format.js";
import { fillBlocks, linkFigures, sectionOf } from "../parts/blocks.js";
import { BLOCKS, LEFT, runsOn } from "../parts/company_blocks.js";
import { chatAddress, companyAddress, symbolLink } from "../parts/symbols.js";
import { analyzeButton } from "./start.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  const wanted = (view.path[0] ?? "").trim();
  view.setTitle(wanted || "Company");
  fill(view.main, h("header", { class: "view-head" }, h("h1", { tabindex: "-1" }, wanted || "Company")), loading());
  if (!wanted) return notFound(view, "", {});
  const choices = await view.choices();
  const day = view.query.get("day") || choices.recorded_until || choices.last_session || new Date().toISOString().slice(0, 10);
  const page = pageOf(view, wanted.toUpperCase(), day, choices);
  try {
    page.info = await page.ask("company_info", { ticker: wanted });
  } catch (error) {
    if (error.name === "AbortError" || error.status === 401 || error.status === 0) throw error;
    return notFound(view, wanted, error, choices);
  }
  page.symbol = page.info.symbol;
  const sections = BLOCKS.map((block) => [block, sectionOf(block)]);
  const named = `${page.info.result.name ?? page.symbol} (${page.symbol})`;
  view.setTitle(named);
  page.refresh = (id) => {
    const [block, section] = sections.find(([one]) => one.id === id);
    page.forget();
    fill(section, section.firstElementChild);
    fillBlocks([[block, section]], page);
  };
  const quote = h("p", { class: "quote" }, loading(""));
  fill(view.main, head(view, page, quote), jumps(sections), placed(sections));
  quoteOf(page, quote);
  await fillBlocks(sections, page);
  view.announce(`${named} is complete.`);
}

/** What the blocks share: the company, the day, and questions that are asked once however many blocks need them. */
function pageOf(view, symbol, day, choices) {
  const asked = new Map();
  const once = (key, work) => { if (!asked.has(key)) { asked.set(key, work()); asked.get(key).catch(() => asked.delete(key)); } return asked.get(key); };
  const page = { view, symbol, day, choices, signal: view.signal };
  page.ask = (name, values, of = day) => once(`${name} ${JSON.stringify(values)} ${of}`, () => view.api.ask(name, values, of, view.signal, false));
  page.forget = () => asked.clear();
  page.runs = () => once("runs", () => runsOn(view.api, page.symbol, view.signal));
  return page;
}

function head(view, page, quote) {
  const { result } = page.info;
  const day = h("input", { id: "company-day", type: "date", value: page.day, max: page.choices.recorded_until, "aria-label": "Day of the page" });
  const go = h("input", { id: "company-go", autocomplete: "off", spellcheck: "false", placeholder: "Another company", "aria-label": "Ticker or name of another company", dataset: { focus: "search" } });
  const kinds = [result.sector ? capital(words(result.sector)) : null, result.industry, result.kind === "stock" ? null : capital(words(result.kind ?? ""))].filter(Boolean);
  const open = (event) => { event.preventDefault(); location.hash = companyAddress(go.value.trim() || page.symbol, day.value || page.day); };
  return h("header", { class: "company-head" },
    h("div", {}, h("h1", { tabindex: "-1" }, result.name ?? page.symbol, " ", h("span", { class: "muted" }, page.symbol)),
      h("p", { class: "muted" }, kinds.join(" · "), page.choices.defaults?.data_vendor === "simulated" ? [" ", h("span", { class: "chip", title: "The companies, prices and news are made up." }, "Simulated market")] : null), quote),
    h("form", { class: "company-tools", onsubmit: open }, day, go, h("button", { type: "submit", class: "button" }, "Show"), analyzeButton(page.symbol, page.day), h("a", { class: "button small", href: chatAddress({ symbol: page.symbol, day: page.day }) }, "Ask about it"), watchButton(view, page.symbol)),
    result.peers?.length ? h("p", { class: "small peers" }, h("span", { class: "muted" }, "Peers: "), result.peers.map((one) => [symbolLink(one, view.query.get("day")), " "])) : null);
}

async function quoteOf(page, box) {
  try {
    const answer = await page.ask("market_snapshot", { ticker: page.symbol });
    const { price: last, unit, changes } = answer.result;
    const by = changes?.change_1d;
    fill(box, h("strong", {}, price(last, unit)), " ", h("span", { class: by < 0 ? "fell" : "rose" }, by === null || by === undefined ? "" : `${by < 0 ? "▾" : "▴"} ${change(by)}`), h("span", { class: "muted small" }, ` on ${answer.result.end}`));
    linkFigures(box, [answer]);
  } catch (error) {
    if (error?.name !== "AbortError") fill(box, h("span", { class: "muted" }, said(error.message)));
  }
}

/** The wide blocks, then the others in two columns. */
function placed(sections) {
  const narrow = sections.filter(([block]) => !block.wide);
  const middle = narrow.findIndex(([block]) => block.id === LEFT) + 1;
  const column = (some) => h("div", { class: "stack" }, some.map(([, section]) => section));
  return h("div", { class: "blocks" }, sections.filter(([block]) => block.wide).map(([, section]) => section), column(narrow.slice(0, middle)), column(narrow.slice(middle)));
}

function jumps(sections) {
  const links = sections.map(([block, section]) => h("a", { href: `#block-${block.id}`, onclick: (event) => { event.preventDefault(); section.scrollIntoView({ block: "start" }); section.setAttribute("tabindex", "-1"); section.focus({ preventScroll: true }); } }, block.title));
  return h("div", { class: "jumps", role: "navigation", "aria-label": "Parts of the page" }, links);
}

function watchButton(view, symbol) {
  const said = h("span", { role: "status", class: "small" });
  const add = button("Watch", () => showingErrors(said, async () => {
    await view.api.send("/v1/watchlist", { tickers: [symbol] });
    add.disabled = true;
    add.textContent = "On the watch list";
    view.announce(`${symbol} is on the watch list.`);
  }), { class: "button small" });
  return [add, said];
}

/** Status of errors that another ticker or day would not have: the others are of the server's data. */
const ASKED_WRONG = [400, 404];

/** Say that there is no such company, or that its data cannot be read, and where to go from here. */
async function notFound(view, wanted, error, choices = {}) {
  const input = h("input", { id: "company-name", autocomplete: "off", spellcheck: "false", value: wanted, placeholder: "AAPL or Apple" });
  const box = h("div", { class: "stack" });
  const unusable = wanted && !ASKED_WRONG.includes(error.status);
  fill(view.main, h("header", { class: "view-head" }, h("h1", { tabindex: "-1" }, unusable ? "The data cannot be read" : wanted ? `No company ${wanted}` : "Company")),
    wanted ? errorBox(error) : null, box,
    h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); if (input.value.trim()) location.hash = companyAddress(input.value.trim(), view.query.get("day")); } },
      field("Ticker or name", input), h("button", { type: "submit", class: "button primary" }, "Show")),
    h("p", { class: "actions" }, h("a", { class: "button", href: "#/home" }, "Start page")));
  if (!wanted || unusable) return;
  const last = choices.recorded_until ?? choices.last_session, given = view.query.get("day");
  const asked = /^\d{4}-\d\d-\d\d$/.test(given ?? "") && given <= last ? given : last; // on a day of nothing, nothing is found
  const found = await view.api.ask("resolve", { ticker: wanted }, asked, view.signal, false).catch(() => null);
  const candidates = found?.result.candidates ?? [];
  if (candidates.length === 1 && candidates[0].match !== "ticker" && candidates[0].symbol !== wanted.toUpperCase()) {
    location.replace(companyAddress(candidates[0].symbol, view.query.get("day")));
  } else if (candidates.some((one) => one.symbol === wanted.toUpperCase())) {
    view.main.querySelector("h1").textContent = `No data of ${wanted.toUpperCase()} on ${given ?? last}`;
    fill(box, h("p", { class: "actions" }, h("a", { class: "button", href: companyAddress(wanted.toUpperCase(), last) }, `Show it on ${last}`)));
  } else if (candidates.length) {
    fill(box, h("p", {}, "Did you mean: "), h("ul", { class: "plain" }, candidates.map((one) => h("li", {}, symbolLink(one.symbol, view.query.get("day")), ` ${one.name ?? ""}`))));
  }
}
