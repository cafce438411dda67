/**
 * The blocks of a company's page. Each asks a capability that is declared once in the library, and shows its answer.
 * @module
 */

import { button, field, fill, h, outsideLink, table } from "../core/dom.js";
import { loading, said, showingErrors } from "../core/context.js";
import { capital, day as dayText, inWords, number, price, recordOf, sureness, surenessName, utc, words } from "../core/format.js";
import { moved } from "../views/watchlist.js";
import { figureButton, textShown } from "./blocks.js";
import { actionBadge, simulatedTag, statusChip } from "./decision.js";
import { passageSearch } from "./passages.js";
import { PriceChart } from "./price_chart.js";
import { symbolLink } from "./symbols.js";

const CHARTED = { indicators: "close_50_sma,close_200_sma,boll,volume,rsi", annotations: "earnings,dividends,splits" };
const KEY = ["market_cap", "pe_ttm", "ps_ttm", "pb", "ev_ebitda", "fcf_yield", "eps_ttm", "dividend_yield", "beta", "roa", "current_ratio", "peg"];
const TRADED = ["change_1w", "change_1m", "change_3m", "return_ytd", "return_252d", "high_52w", "low_52w", "sma_50", "sma_200", "rsi", "volatility_20d", "avg_volume_20d"];
const MULTIPLES = [["pe_ttm", "P/E"], ["ps_ttm", "P/S"], ["pb", "P/B"], ["ev_ebitda", "EV/EBITDA"], ["fcf_yield", "FCF yield", "%"]];
const STATEMENTS = [["income", "Income"], ["balance", "Balance sheet"], ["cashflow", "Cash flow"]];
/** Names of statement items that their identifier does not give. */
const ITEMS = { ebitda: "EBITDA", eps_basic: "Basic EPS", eps_diluted: "Diluted EPS", selling_general_administrative: "Selling, general and administrative" };
/** Months before the day at which the company's own multiples are asked. */
const EARLIER = [0, 3, 6, 12, 24];
const NEWS_DAYS = 21;
const FILED_DAYS = 365;
const MOST_RUNS = 500;
const SHOWN_RUNS = 12;

/** A day some days or months before another. @param {string} day @param {{days?: number, months?: number}} by */
export function before(day, { days = 0, months = 0 }) {
  const time = new Date(`${day}T00:00:00Z`);
  const [date, target] = [time.getUTCDate(), time.getUTCMonth() - months];
  time.setUTCDate(1);
  time.setUTCMonth(target);
  time.setUTCDate(Math.min(date, new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate()) - days);
  return time.toISOString().slice(0, 10);
}

/** Facts as boxes: name, value, remark. */
export function facts(rows) {
  return h("dl", { class: "levels" }, rows.map(([name, value, note]) => h("div", {}, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : null))));
}

function muted(...text) {
  return h("p", { class: "muted" }, text);
}

/** Figures of an answer with their names in words; those without a value are left out. */
function figuresOf(answer, names) {
  return names.filter((name) => answer.shown[name]).map((name) => [capital(answer.labels[name] ?? words(name)), figureButton(answer, name)]);
}

/** A sentence on the figures without a value, of which the notes say why. */
function notGiven(answer, names) {
  const missing = names.filter((name) => !answer.shown[name]).map((name) => answer.labels[name] ?? words(name));
  return missing.length ? h("p", { class: "muted small" }, `Not given for this day: ${missing.join(", ")}. The notes say why.`) : null;
}

function ratio(value, unit = "x") {
  return value === null || value === undefined ? "n/a" : `${value.toFixed(2)}${unit}`;
}

/** Several questions of which some may have no answer: answers, and as `reasons` why not. */
async function each(asked) {
  const ended = await Promise.allSettled(asked);
  const reasons = ended.filter((one) => one.status === "rejected").map((one) => one.reason);
  const leaving = reasons.find((one) => one?.name === "AbortError");
  if (leaving || reasons.length === asked.length) throw leaving ?? reasons[0];
  return Object.assign(ended.map((one) => one.value ?? null), { reasons });
}

const chart = {
  id: "chart", title: "Price", wide: true,
  ask: ({ ask, symbol, day }) => ask("open_chart", { symbols: symbol, start_date: before(day, { months: 60 }), ...CHARTED }),
  show: (answer, page) => new PriceChart(answer.result, {
    announce: page.view.announce,
    compare: async (other) => (await page.ask("open_chart", { symbols: `${page.symbol},${other}`, start_date: before(page.day, { months: 60 }), indicators: "", annotations: "" })).result,
  }).element,
};

const figures = {
  id: "figures", title: "Key figures", wide: true,
  ask: ({ ask, symbol }) => each([ask("market_snapshot", { ticker: symbol }), ask("get_fundamentals", { ticker: symbol })]),
  show: ([traded, fundamentals]) => [
    fundamentals ? [facts(figuresOf(fundamentals, KEY)), notGiven(fundamentals, KEY)] : muted("There are no statements by this day to compute ratios from."),
    traded ? facts(figuresOf(traded, TRADED)) : null,
  ],
};

const changes = {
  id: "changes", title: "What changed",
  ask: async ({ ask, symbol, day, runs }) => {
    const last = (await runs()).find((row) => row.action && row.day < day);
    const since = last?.day ?? before(day, { months: 1 });
    const answers = await each([ask("get_price_change", { ticker: symbol, start_date: since, end_date: day }), ask("get_fundamentals", { ticker: symbol }), ask("get_fundamentals", { ticker: symbol }, since)]);
    return Object.assign(answers, { last, since });
  },
  show: (answers, { symbol }) => {
    const [moves, now, then] = answers;
    const rows = MULTIPLES.map(([name, title]) => [title, then?.shown[name] ?? "n/a", now?.shown[name] ?? "n/a"]).filter(([, one, other]) => one !== other);
    const reported = now && then && now.result.periods?.[0] !== then.result.periods?.[0];
    return [
      h("p", {}, answers.last ? ["Since the last decision, ", actionBadge(answers.last.action), ` of ${dayText(answers.since)}:`] : `Since ${dayText(answers.since)}, a month before:`),
      moves ? facts(figuresOf(moves, ["first_close", "last_close", "price_change", "total_return"])) : null,
      rows.length ? table("Multiples then and now", ["Multiple", dayText(answers.since), "Now"], rows) : null,
      reported ? h("p", {}, `${symbol} has filed figures of the period to ${dayText(now.result.periods[0])} since.`) : now && then ? muted("No statement was filed in between.") : null,
    ];
  },
};

const worth = {
  id: "worth", title: "What it is worth", wide: true, late: true,
  ask: ({ ask, symbol }) => each([ask("valuation", { ticker: symbol }), ask("relative_valuation", { ticker: symbol })]),
  show: ([own, peers], { symbol, day }) => [
    own ? valued(own) : null,
    peers ? peerPrices(peers.result) : null,
    h("p", { class: "actions" }, h("a", { class: "button small", href: `#/data/sensitivity?ticker=${encodeURIComponent(symbol)}&as_of=${day}` }, "How it changes with growth and margin"), h("a", { class: "button small", href: `#/data/reverse_valuation?ticker=${encodeURIComponent(symbol)}&as_of=${day}` }, "What the price implies")),
  ],
};

function valued(answer) {
  const { result, shown } = answer;
  const blank = Object.fromEntries((result.assumptions ?? []).map((one) => [one.name, one]));
  const unknown = ["cash", "debt"].filter((name) => blank[name] && blank[name].kind === "default" && result.kernel_inputs?.[name] === 0 || (result.notes ?? []).some((note) => note.includes(`gives no ${name}`)));
  const lines = [["Value per share", "value_per_share", answer.title.split(", ")[1]], ["Price", "price", dayText(result.price_day)], ["Growth that the price implies", "implied_growth_years_1_to_5", "a year, years 1 to 5"], ["After the forecast", "terminal_share", "of the value"]].filter(([, name]) => shown[name]).map(([title, name, note]) => [title, figureButton(answer, name), note]);
  if (unknown.length) return [h("p", { class: "notice" }, `The source gives no ${unknown.join(" and no ")} of the company, so no verdict is drawn from its value; the value below leaves ${unknown.length > 1 ? "them" : "it"} out.`), facts(lines)];
  const upside = result.upside ?? answer.figures.upside;
  return [h("p", { class: "lead" }, upside === null || upside === undefined ? "" : `By its free cash flow a share is worth ${shown.value_per_share}, ${Math.abs(answer.figures.upside).toFixed(0)}% ${answer.figures.upside < 0 ? "less" : "more"} than the price of ${shown.price}.`), facts(lines)];
}

const NAMES = { ev_ebitda: "EV/EBITDA", ev_sales: "EV/sales", pe: "P/E", pb: "P/B", p_fcf: "P/FCF" };

function peerPrices(result) {
  const rows = result.ranges.map((one) => [NAMES[one.multiple] ?? words(one.multiple), ratio(one.own), ratio(one.quartiles?.[1]), ...(one.prices ? one.prices.map((value) => price(value)) : ["n/a", "n/a", "n/a"]), String(one.peers.length), one.prices ? "" : capital(inWords(one.reason ?? ""))]);
  return [h("h3", {}, "At the multiples of its peers"), table("Price at the multiples of peers", ["Multiple", "Own", "Median", "Price at lower quartile", "Price at median", "Price at upper quartile", "Peers", "Why not"], rows)];
}

const statements = {
  id: "statements", title: "Statements", wide: true,
  ask: async ({ ask, symbol }) => {
    const of = (period) => each(STATEMENTS.map(([name]) => ask("get_financials", { ticker: symbol, statement_type: name, period, years: 5 })));
    try {
      return await of("annual");
    } catch (error) {
      if (error?.name === "AbortError") throw error;
      return Object.assign(await of("quarterly"), { instead: error.message });
    }
  },
  show: (answers) => [
    answers.instead ? muted("No whole years are known by this day, so quarters are shown.") : null,
    STATEMENTS.map(([name, title], at) => {
      const found = answers[at]?.result;
      const periods = found?.statements[name] ?? [];
      if (!periods.length) return muted(`${title}: nothing is known by this day.`);
      const shown = periods.slice(0, answers.instead ? 8 : 5);
      const items = [...new Set(shown.flatMap((period) => Object.keys(period.items)))];
      const rows = items.map((item) => [ITEMS[item] ?? capital(words(item)), ...shown.map((period) => (item.startsWith("eps_") ? price : number)(period.items[item]))]);
      return h("details", { open: at === 0 }, h("summary", {}, `${title}, in ${found.currency ?? "the currency of the books"}`),
        table(title, ["Item", ...shown.map((period) => h("span", { title: `Known by ${utc(period.known_at)}` }, [period.fiscal_period, period.fiscal_year, "to", period.end].filter(Boolean).join(" ")))], rows));
    }),
  ],
};

const multiples = {
  id: "multiples", title: "Multiples against peers and its own past", wide: true,
  ask: async ({ ask, symbol, day }) => {
    const answers = await each([ask("get_peer_multiples", { ticker: symbol }), ...EARLIER.map((months) => ask("get_fundamentals", { ticker: symbol }, months ? before(day, { months }) : undefined))]);
    return answers;
  },
  show: ([peers, ...own], { day, symbol }) => {
    const rows = (peers?.result.companies ?? []).map((one) => [symbolLink(one.symbol, day), ...MULTIPLES.map(([name, , unit]) => ratio(one.values[name], unit)), one.basis === "ttm" ? "12 months" : "year", one.end]);
    if (peers && rows.length) rows.push(["Median of the peers", ...MULTIPLES.map(([name, , unit]) => ratio(peers.result.medians[name], unit)), "", ""]);
    const past = own.filter(Boolean).map((one) => [dayText(one.as_of), ...MULTIPLES.map(([name, , unit]) => ratio(one.result[name], unit)), one.result.periods?.[0] ?? "n/a"]);
    return [
      rows.length ? table("Multiples of peers", ["Company", ...MULTIPLES.map(([, title]) => title), "Over", "Statements to"], rows) : muted("No peer with known figures by this day."),
      past.length ? [h("h3", {}, `${symbol} at earlier days, as was known then`), table("Own multiples at earlier days", ["Day", ...MULTIPLES.map(([, title]) => title), "Statements to"], past)] : null,
    ];
  },
};

const news = {
  id: "news", title: "News",
  ask: ({ ask, symbol, day }) => ask("get_news", { ticker: symbol, start_date: before(day, { days: NEWS_DAYS }), end_date: day }),
  show: (answer) => {
    const { articles } = answer.result;
    if (!articles.length) return `No article of the ${NEWS_DAYS} days before is about the company.`;
    return [muted(`${articles.length} of ${answer.result.found} stories, the most relevant and newest first.`),
      h("ol", { class: "stories" }, articles.map((one) => h("li", {},
        h("p", {}, outsideLink(one.url, one.title)),
        h("p", { class: "muted small" }, `${one.publisher}, ${utc(one.published_at)} · relevance ${one.relevance.toFixed(2)}${one.weak ? ", weak match" : ""}: ${one.reason}`),
        one.summary ? h("p", { class: "small" }, one.summary) : null)))];
  },
};

const filings = {
  id: "filings", title: "Filings", late: true,
  ask: ({ ask, symbol, day }) => each([ask("get_filings", { ticker: symbol, start_date: before(day, { days: FILED_DAYS }), end_date: day }), ask("search_filings", { query: "results", ticker: symbol, limit: 1 })]),
  show: (answers, page) => {
    const [answer, stored] = answers;
    const known = stored?.result.documents ?? 0;
    const listed = answer ? filed(answer.result.filings, page) : muted(said(answers.reasons[0].message));
    return [listed, known ? passageSearch(page) : muted("No filing of it is stored here to search in; ", h("code", {}, `tradingagents filings add ${page.symbol}`), " stores some.")];
  },
};

/** A list of filings, each with a button for its items where it can be read. */
function filed(listed, page) {
  if (!listed.length) return muted("Nothing was filed in the year before.");
  const rows = listed.map((one) => {
    const box = h("div", {});
    const open = one.accession ? button("Items", () => itemsOf(page, one, box), { class: "button small", "aria-label": `Items of the ${one.form} of ${one.filed_on}` }) : null;
    return [one.form, one.filed_on, [outsideLink(one.url ?? "", one.title || one.form), one.items?.length ? h("small", { class: "muted block" }, `Items ${one.items.join(", ")}`) : null, box], open];
  });
  return table("Filings", ["Form", "Filed", "Subject", "Read"], rows);
}

function itemsOf(page, filing, box) {
  fill(box, loading("Reading…"));
  return showingErrors(box, async () => {
    const { result } = await page.ask("sec_filing_document", { ticker: page.symbol, form: filing.form, accession: filing.accession });
    const address = (item) => `#/data/sec_filing_section?${new URLSearchParams({ ticker: page.symbol, item, form: filing.form, accession: filing.accession, as_of: page.day })}`;
    fill(box, result.items.length ? h("ul", { class: "plain small" }, result.items.map((one) => h("li", {}, h("a", { href: address(one.item) }, `Item ${one.item}: ${one.title}`), h("span", { class: "muted" }, `, pages ${one.first_page}–${one.last_page}`)))) : muted("No items were found in it."));
  });
}

const calls = {
  id: "calls", title: "Calls", late: true,
  ask: ({ ask, symbol }) => ask("search_transcripts", { query: "outlook, guidance, demand and margins", ticker: symbol, limit: 5 }),
  show: (answer, { day }) => (answer.result.passages.length ? textShown(answer, day) : "No earnings call of the company is stored; add one with `tradingagents filings add`."),
};

const insiders = {
  id: "insiders", title: "Insiders",
  ask: ({ ask, symbol }) => ask("get_insider_transactions", { ticker: symbol }),
  show: (answer) => {
    const { trades } = answer.result;
    if (!trades.length) return "No transaction of an insider was reported in the six months before.";
    return [facts(figuresOf(answer, ["buys", "sells", "buy_value", "sell_value", "net_value"])),
      table("Transactions", ["Day", "Insider", "Role", "What", "Shares", "Value"], trades.map((one) => [one.day, one.insider, one.relation ?? "", one.kind === "other" ? "grant, gift or exercise" : one.kind === "sell" ? "sale" : one.kind === "buy" ? "purchase" : words(one.kind), one.withheld ? "withheld" : number(one.shares), one.value === null ? "n/a" : number(one.value)]))];
  },
};

const results = {
  id: "results", title: "Results and guidance", wide: true, late: true,
  ask: ({ ask, symbol }) => each([ask("earnings", { ticker: symbol }), ask("guidance", { ticker: symbol }), ask("guidance_record", { ticker: symbol })]),
  show: ([reported, guided, record], { day }) => [
    reported ? [
      h("p", {}, reported.result.next_day ? `Next results: ${dayText(reported.result.next_day)}.` : "No day of the next results is announced."),
      table("Quarterly results", ["Quarter", "Reported", "EPS", "Estimate", "Surprise", "EPS growth on the year", "Revenue"], reported.result.quarters.map((one) => [h("span", { class: "nowrap" }, `${one.fiscal_period ?? ""} to ${one.period_end ?? "n/a"}`), one.day, price(one.eps), price(one.eps_estimate), moved(one.surprise_pct), moved(one.eps_growth_pct), number(one.revenue)])),
    ] : muted("No results are known by this day."),
    h("h3", {}, "Guidance"),
    guided?.result.statements.length ? textShown(guided, day) : muted(guided?.result.documents ? `No guidance was found in ${guided.result.documents} stored calls and releases.` : "No call or release of the company is stored, so there is no guidance to read."),
    record?.result.outcomes.length ? textShown(record, day) : null,
  ],
};

const runs = {
  id: "runs", title: "Earlier decisions and reports",
  ask: ({ runs: found }) => found(),
  show: (found, { symbol, day }) => {
    const rows = found.filter((row) => !row.day || row.day <= day);
    if (!rows.length) return `Nothing was decided or written about ${symbol} by this day.`;
    return [table("Runs", ["Day", "Kind", "Result", surenessName(rows), "State"], rows.slice(0, SHOWN_RUNS).map((row) => [
      h("a", { href: `#/run/${encodeURIComponent(row.run_id)}` }, row.day ?? row.run_id), [capital(words(row.kind)), " ", simulatedTag(row)], row.action ? actionBadge(row.action) : row.about ?? "", sureness(row), statusChip(row.status),
    ])), h("p", { class: "muted small" }, recordOf(rows)), rows.length > SHOWN_RUNS ? h("p", {}, h("a", { href: "#/history" }, `All ${rows.length} in the history`)) : null];
  },
};

const risk = {
  id: "risk", title: "Risk", late: true,
  ask: ({ ask, symbol }) => ask("risk_profile", { ticker: symbol }),
  show: (answer) => facts(figuresOf(answer, ["volatility_252d", "beta", "current_drawdown", "drawdown_1", "worst_day", "var_95_1d", "expected_shortfall_95_1d"])),
};

const theses = {
  id: "theses", title: "Theses and alerts",
  ask: ({ ask, symbol }) => ask("saved_theses", { ticker: symbol }),
  show: (answer, page) => [
    answer.result.theses.length ? answer.result.theses.map((one) => h("article", { class: "thesis" }, h("p", {}, one.thesis), h("p", { class: "muted small" }, `Known on ${dayText(one.known_on)}`, one.run_id ? [" from ", h("a", { href: `#/run/${encodeURIComponent(one.run_id)}` }, "a run")] : null),
      one.breakers.length ? [h("p", { class: "small" }, "It breaks if:"), h("ul", {}, one.breakers.map((text) => h("li", {}, text)))] : null)) : muted(`No thesis on ${page.symbol} is saved by this day.`),
    thesisForm(page)],
};

/** A thesis with what would break it: tried on the filings and closes of the year before, and saved. */
function thesisForm(page) {
  const thesis = h("textarea", { id: "thesis-text", rows: 2, placeholder: "Margins hold while sales grow." });
  const breakers = h("textarea", { id: "thesis-breakers", rows: 2, spellcheck: "false", placeholder: "gross_margin below 43; price below 200" });
  const told = h("div", { class: "stack", role: "status" });
  const conditions = () => breakers.value.split(/[;\n]/).map((text) => text.trim()).filter(Boolean);
  const test = () => showingErrors(told, async () => {
    if (!conditions().length) throw new Error("Write a condition first, such as gross_margin below 43.");
    fill(told, loading("Looking it up…"));
    const answer = await page.ask("replay_falsifiers", { ticker: page.symbol, conditions: conditions().join("; "), start_date: before(page.day, { months: 12 }), end_date: page.day });
    fill(told, textShown(answer, page.day), (answer.result.notes ?? []).map((note) => h("p", { class: "muted small" }, inWords(note))));
  });
  const save = () => showingErrors(told, async () => {
    await page.view.api.ask("save_thesis", { ticker: page.symbol, thesis: thesis.value.trim(), breakers: conditions().join("; ") }, page.day, page.signal);
    page.refresh("theses");
  });
  return h("details", {}, h("summary", {}, "Write a thesis, or try an alert"), h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); save(); } },
    field("Thesis", thesis),
    h("div", { class: "field" }, h("label", { for: "thesis-breakers" }, "It breaks if"), breakers, h("small", {}, "A condition a line. One on a figure can be tested, as in the example.")),
    h("p", { class: "actions" }, button("Test on the year before", test, { class: "button small" }), h("button", { type: "submit", class: "button small primary" }, "Save")), told));
}

/** In the order of the page: the wide ones, then those of two columns. @type {import("./blocks.js").Block[]} */
export const BLOCKS = [chart, figures, worth, multiples, statements, results, changes, theses, insiders, runs, news, filings, calls, risk];
/** The last of the left column. */
export const LEFT = "runs";

/** The runs on a company, the newest first; asked once for a page. */
export async function runsOn(api, symbol, signal) {
  return (await api.get(`/v1/runs?limit=${MOST_RUNS}`, signal)).filter((row) => row.ticker === symbol);
}
