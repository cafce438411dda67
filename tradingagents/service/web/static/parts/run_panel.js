/**
 * A run, live or finished: decision with chart, agents at work, debates, reports, data. Live runs add to it event by
 * event; the card, which is written last, completes it.
 * @module
 */

import { button, fill, h, outsideLink, table } from "../core/dom.js";
import { FigureIndex } from "../core/figures.js";
import { inWords, number, sureness, surenessName, titleOf, utc, words, wordsIn } from "../core/format.js";
import { markdown, markUnmatched } from "../core/markdown.js";
import { RunModel } from "../core/run_model.js";
import { Board } from "./board.js";
import { chartsOf } from "./chart.js";
import { Debates } from "./debate.js";
import { askedAgain, decisionCard, simulatedTag, stances } from "./decision.js";
import { deepReport, isDeepReport } from "./deep_report.js";
import { showEvidence, showRow } from "./evidence.js";
import { linkCitations, sourcesOf } from "./passages.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";

/** Sections of a card that are reports, in the order in which they are read; others follow. */
const ORDER = [
  "market_report", "sentiment_report", "news_report", "fundamentals_report", "macro_regime_report", "investment_plan",
  "trader_investment_plan", "final_trade_decision",
];

/** What the files of a report are called on their buttons. @type {Record<string, string>} */
const FILES = { "report.html": "Download the report as a page", "complete_report.md": "Download it as Markdown" };

/** Events that are shown as a line although they change the run's state. */
const ANNOUNCED = new Set(["warning", "error", "result", "approval"]);

export class RunPanel {
  /**
   * @param {import("../core/api.js").Api} api
   * @param {{announce?: (text: string) => void, onTotals?: () => void}} [options]
   */
  constructor(api, { announce = () => {}, onTotals = () => {} } = {}) {
    this.api = api;
    this.announce = announce;
    this.onTotals = onTotals;
    this.run = new RunModel();
    this.timeline = new Timeline(this.run);
    this.debates = new Debates();
    this.board = new Board();
    /** @type {Record<string, any> | null} */
    this.card = null;
    /** @type {Map<string, HTMLElement>} */
    this.reports = new Map();
    this.feed = h("ol", { class: "feed", tabindex: "0", "aria-label": "What the agents say" });
    this.decision = h("div", { class: "stack" }, h("p", { class: "empty" }, "No decision yet."));
    this.reportList = h("div", { class: "stack" }, h("p", { class: "empty" }, "No report yet. Reports appear here as they are written."));
    this.data = h("div", { class: "stack" }, h("p", { class: "empty" }, "The data sheet is shown when the run has ended."));
    this.tabs = new Tabs("Parts of the run", [
      ["decision", "Decision", this.decision],
      ["board", "Tasks", this.board.element],
      ["work", "Agents", h("div", { class: "work" }, this.timeline.element, this.feed)],
      ["debate", "Debate", this.debates.element],
      ["reports", "Reports", this.reportList],
      ["data", "Data", this.data],
    ]);
    this.tabs.toggle("board", false);
    this.element = h("div", { class: "run" }, this.tabs.element);
  }

  /** @param {Record<string, any>} event */
  apply(event) {
    if (this.board.apply(event)) {
      this.tabs.toggle("board", true);
      const waits = this.card?.status === "awaiting_approval"; // the card may be read before the events
      if (event.type === "plan" && (waits || this.tabs.current === "work")) this.tabs.suggest("board");
      if (event.type === "task") return;
    }
    const turns = this.run.turns.length;
    const lines = this.run.lines.length;
    const agent = this.run.apply(event);
    if (agent) this.timeline.update(agent);
    if (event.type === "debate_turn" && this.run.turns.length > turns) this.addTurn(this.run.turns.at(-1));
    if (event.type === "node_end" && agent) this.finished(agent);
    if (event.type === "usage" || event.type === "node_end") this.onTotals();
    if (ANNOUNCED.has(event.type) || this.run.lines.length > lines) this.addLine(event);
  }

  addTurn(turn) {
    this.debates.add(turn);
    this.tabs.toggle("debate", true); // after a lost connection the card may be read before the turns
    this.feed.append(h("li", { class: "said" }, h("strong", {}, turn.speaker), h("div", { class: "prose clamp" }, markdown(beginning(turn.text), 5))));
    this.announce(`${turn.speaker} has spoken.`);
  }

  finished(agent) {
    this.announce(`${agent.name} is done.`);
    if (agent.report) {
      if (!this.card) this.showReport(agent.name, agent.report);
      this.feed.append(h("li", { class: "said" }, h("strong", {}, agent.name), h("div", { class: "prose clamp" }, markdown(beginning(agent.report), 5))));
    }
    if (agent.decision) {
      const { action, rationale } = agent.decision;
      this.feed.append(h("li", { class: "said" }, h("strong", {}, `${agent.name}: ${action}`),
        h("span", { class: "muted" }, ` ${surenessName([agent.decision]).toLowerCase()} ${sureness(agent.decision)}`),
        h("p", { class: "clamp" }, rationale)));
      if (!this.card) fill(this.decision, decisionCard(agent.decision, { proposal: true }));
    }
  }

  addLine(event) {
    this.feed.append(h("li", { class: `line ${event.type}` }, inWords(event.message)));
    this.announce(event.message);
  }

  /**
   * @param {string} title
   * @param {string} text
   */
  showReport(title, text) {
    if (!this.reports.size) this.reportList.replaceChildren();
    const body = h("div", { class: "prose" }, markdown(text, 2));
    const section = h("details", { class: "card report", open: this.reports.size === 0 }, h("summary", {}, title), body);
    this.reports.set(title, section);
    this.reportList.append(section);
    return body;
  }

  /**
   * Complete the panel from the card of a run that has ended.
   * @param {Record<string, any>} card
   * @param {AbortSignal} signal
   */
  async complete(card, signal) {
    this.card = card;
    this.timeline.settle();
    this.index = new FigureIndex(card.data_sheet ?? []);
    this.showReports(card);
    fill(this.data, dataSheet(card, (row) => showRow(row, (method) => this.run.answersOf(method))), articles(card), settingsOf(card));
    this.showDecision(card);
    await this.showChart(card, signal);
  }

  /**
   * Make the figures of an element lead to their source.
   * @param {Element} element
   * @param {string} [whole] - text that names the tools
   */
  link(element, whole = undefined) {
    this.index.link(element, (figure, sources) =>
      showEvidence(figure, sources, this.card.data_sheet, (method) => this.run.answersOf(method)), whole);
  }

  showDecision(card) {
    const currency = card.instrument?.currency ?? "";
    this.chartBox = h("div", {});
    const main = card.decision ? decisionCard(card.decision, { currency, simulated: simulatedTag(card) }) : this.outcome(card);
    const reports = Object.entries(card.reports ?? {}).filter(([key]) => key.endsWith("_report"));
    const texts = Object.values(card.reports ?? {}).join(" ");
    this.link(main, texts);
    fill(this.decision, main, askedAgain(card.settling), stances(reports.map(([key, text]) => [titleOf(key), text])), this.chartBox, this.downloads(card));
    this.link(this.debates.element, texts);
    for (const shown of [this.decision, this.debates.element, this.feed]) wordsIn(shown);
    this.tabs.rename("decision", card.summary ? "Summary" : card.answer ? "Answer" : isDeepReport(card) ? "Report" : card.verdict ? "Verdict" : "Decision");
    this.tabs.toggle("debate", this.run.turns.length > 0);
  }

  /** What a run without a decision says instead: a summary, an answer, or a proposal that waits for a person. */
  outcome(card) {
    const proposal = card.decisions?.final_trade_decision ?? this.run.decision();
    if (card.status === "awaiting_approval" && proposal) return decisionCard(proposal, { proposal: true, currency: card.instrument?.currency, simulated: simulatedTag(card) });
    if (card.status === "awaiting_approval") return h("section", { class: "card" }, h("p", {}, "This run waits for an answer."));
    if (card.answer) return h("section", { class: "card" }, h("h2", {}, "Answer"), linkCitations(h("div", { class: "prose" }, markdown(card.answer)), card), sourcesOf(card));
    if (card.summary) return scanSummary(card.summary);
    if (isDeepReport(card)) return deepReport(card);
    if (card.reports?.verdict) return h("section", { class: "card" }, h("div", { class: "prose" }, markdown(card.reports.verdict, 2)));
    return h("section", { class: "card" }, h("p", {}, card.error || this.run.error || "This run has no decision."));
  }

  downloads(card) {
    const files = (card.report_files ?? []).filter((name) => /^(report\.html|complete_report\.md|.*\.xlsx)$/.test(name));
    if (!files.length) return null;
    const exported = isDeepReport(card) ? ["pdf", "xlsx"] : [];
    return h("p", { class: "actions" },
      files.map((name) => button(FILES[name] ?? `Download ${name}`, () => this.download(card.run_id, name), { class: "button" })),
      exported.map((name) => button(`Download report.${name}`, () => this.download(card.run_id, `report.${name}`, exportPath(card.run_id, name)), { class: "button" })));
  }

  async download(runId, name, path = reportPath(runId, name)) {
    const response = await this.api.request(path);
    const address = URL.createObjectURL(await response.blob());
    h("a", { href: address, download: `${runId}-${name}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  async showChart(card, signal) {
    if (!(card.report_files ?? []).includes("report.html")) return;
    const charts = chartsOf(await this.api.text(reportPath(card.run_id, "report.html"), signal));
    if (charts.length) fill(this.chartBox, h("section", { class: "card", "aria-label": "Chart" }, h("h2", {}, isDeepReport(card) ? "Charts" : "Price"), charts));
  }

  showReports(card) {
    this.reports.clear();
    fill(this.reportList);
    const unmatched = card.grounding?.unmatched ?? [];
    const keys = Object.keys(card.reports ?? {}).sort((a, b) => placeOf(a) - placeOf(b));
    for (const key of keys) {
      const text = card.reports[key];
      if (typeof text !== "string" || !text.trim()) continue;
      const marked = markUnmatched(text, unmatched.filter((one) => one.where === `reports.${key}`));
      const report = this.showReport(titleOf(key), marked);
      this.link(report);
      wordsIn(report);
    }
    if (!this.reports.size) fill(this.reportList, h("p", { class: "empty" }, "This run wrote no report."));
  }
}

/** The first paragraphs of a text, without headings. @param {string} text */
function beginning(text) {
  const paragraphs = text.split(/\n\s*\n/).filter((one) => !/^#/.test(one.trim()));
  return paragraphs.slice(0, 2).join("\n\n");
}

function placeOf(key) {
  const at = ORDER.indexOf(key);
  return at < 0 ? ORDER.length : at;
}


/**
 * @param {string} runId
 * @param {string} name
 */
export function reportPath(runId, name) {
  return `/v1/runs/${encodeURIComponent(runId)}/reports/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * @param {string} runId
 * @param {string} format
 */
function exportPath(runId, format) {
  return `/v1/runs/${encodeURIComponent(runId)}/export/${format}`;
}

function scanSummary(summary) {
  const picks = summary.stocks_to_investigate ?? summary.picks ?? [];
  return h("section", { class: "card" }, h("h2", {}, "What to look at"), h("p", { class: "lead" }, summary.executive_summary ?? ""),
    picks.length ? table("Stocks to investigate", ["Symbol", "Conviction", "Why"], picks.map((pick) => [
      h("a", { href: `#/new?ticker=${encodeURIComponent(pick.ticker ?? "")}` }, pick.ticker ?? ""), pick.conviction ?? "", pick.rationale ?? pick.thesis ?? "",
    ])) : null);
}

function dataSheet(card, open) {
  const rows = [...(card.data_sheet ?? [])].sort((one, other) => Number(isBare(one)) - Number(isBare(other)));
  if (!rows.length) return h("p", { class: "empty" }, "This run asked for no data.");
  return h("section", { class: "card" }, h("h2", {}, "Data sheet"),
    h("p", { class: "muted" }, "What this run was given, and nothing else. Open a row to see its figures."),
    table("Data sheet", ["Data", "Subject", "Source", "Window", "Rows", "Known by"], rows.map((row) => [
      button(titleOf(row.method), () => open(row), { class: "link" }), row.symbol ?? "market", row.vendor, row.start ? `${row.start} to ${row.end}` : row.end ?? "",
      number(row.rows), utc(row.known_at),
    ])));
}

/** A row without figures is what a figure was computed from. */
function isBare(row) {
  return Object.keys(row.figures ?? {}).length === 0;
}

function articles(card) {
  const read = card.articles_read ?? [];
  if (!read.length) return null;
  return h("section", { class: "card" }, h("h2", {}, "Articles"),
    h("ul", { class: "plain" }, read.map((one) => h("li", {}, outsideLink(String(one.url ?? ""), one.title),
      h("span", { class: "muted" }, ` ${one.publisher ?? ""}, ${one.day_only ? String(one.published_at).slice(0, 10) : utc(one.published_at)}`)))));
}

function settingsOf(card) {
  const shown = Object.entries(card.settings ?? {}).filter(([, value]) => value !== null && value !== "" && typeof value !== "object");
  return h("details", { class: "card" }, h("summary", {}, "Settings and versions"),
    table("Settings", ["Setting", "Value"], [...shown, ...Object.entries(card.versions ?? {})].map(([name, value]) => [words(name), String(value)])));
}
