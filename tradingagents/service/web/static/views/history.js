/**
 * All runs, newest first, with a filter; two can be chosen and compared.
 * @module
 */

import { button, field, fill, h, table } from "../core/dom.js";
import { loading, said, viewHead } from "../core/context.js";
import { actionOf, cut, dayOf, findingOf, kindOf, recordOf, subjectOf, sureness, surenessName, titleOfRun, titleOfTask, waitingFor, when } from "../core/format.js";
import { actionBadge, simulatedTag, statusChip } from "../parts/decision.js";

const PAGE = 100;
/** Most characters of a question, and of what was found. */
const SUBJECT = 90;
const FINDING = 160;

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Runs");
  fill(view.main, viewHead("Runs"), loading());
  await new History(view).open();
}

class History {
  /** @param {import("../core/context.js").View} view */
  constructor(view) {
    this.view = view;
    /** @type {Record<string, any>[]} */
    this.rows = [];
    /** @type {string[]} */
    this.chosen = view.query.has("compare") ? [view.query.get("compare")] : [];
    this.list = h("div", {});
    this.market = h("select", { id: "history-market", onchange: () => this.showRows() }, [["", "All markets"], ["real", "Real market"], ["simulated", "Simulated market"]].map(([value, label]) => h("option", { value }, label)));
    this.kind = h("select", { id: "history-kind", onchange: () => this.showRows() }, h("option", { value: "" }, "All kinds"));
    this.filter = h("input", { type: "search", id: "history-filter", placeholder: "Company, day, action, words…", dataset: { focus: "search" }, oninput: () => this.showRows() });
    this.compare = button("Compare", () => this.open2(), { class: "button primary", disabled: true });
    this.hint = h("span", { class: "muted", role: "status" });
    this.more = button("Show earlier runs", () => this.load(), { hidden: true });
  }

  async open() {
    const tasks = await this.view.api.get("/v1/tasks?limit=30", this.view.signal);
    const open = tasks.filter((one) => !["done", "cancelled"].includes(one.status));
    fill(this.view.main, viewHead("Runs"), open.length ? openTasks(open) : null,
      h("div", { class: "toolbar" }, field("Filter", this.filter), field("Market", this.market), field("Kind", this.kind), this.compare, this.hint, h("a", { class: "button", href: "#/backtests" }, "Backtests")),
      this.list, h("p", { class: "actions" }, this.more));
    fill(this.list, loading());
    await this.load();
  }

  async load() {
    const before = this.rows.length ? `&before=${encodeURIComponent(this.rows.at(-1).run_id)}` : "";
    const found = await this.view.api.get(`/v1/runs?limit=${PAGE}${before}`, this.view.signal);
    this.rows.push(...found);
    this.more.hidden = found.length < PAGE;
    const kinds = [...new Set(this.rows.map(kindOf))].sort();
    const chosen = this.kind.value;
    fill(this.kind, h("option", { value: "" }, "All kinds"), kinds.map((kind) => h("option", { value: kind, selected: kind === chosen }, kind)));
    this.showRows();
  }

  showRows() {
    const wanted = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = this.rows.filter((row) => {
      const text = [titleOfRun(row), row.about, row.error, row.status, row.action].join(" ").toLowerCase();
      if (this.kind.value && kindOf(row) !== this.kind.value) return false;
      if (this.market.value && !String(row.market ?? "").startsWith(this.market.value)) return false;
      return wanted.every((word) => text.includes(word));
    });
    if (!shown.length) fill(this.list, h("p", { class: "empty" }, this.rows.length ? "No run matches the filter." : ["No run yet. ", h("a", { href: "#/new" }, "Start one")]));
    else fill(this.list, table("Runs", ["Run", "Compare", "Found", surenessName(shown), "Status", "Began"], shown.map((row) => this.row(row))), h("p", { class: "muted small" }, recordOf(shown)));
    this.showChosen();
  }

  row(row) {
    const subject = subjectOf(row);
    const box = h("input", { type: "checkbox", checked: this.chosen.includes(row.run_id), "aria-label": `Compare ${subject} ${dayOf(row)}`, value: row.run_id,
      onchange: (event) => this.choose(row.run_id, event.target.checked) });
    return [
      [h("a", { class: "run-title", href: `#/run/${encodeURIComponent(row.run_id)}`, title: subject }, titleOfRun(row, SUBJECT)), " ", simulatedTag(row)],
      box, [actionOf(row) ? [actionBadge(actionOf(row)), " "] : null, h("span", { class: "finding" }, said(cut(findingOf(row), FINDING)))],
      sureness(row), statusChip(row.status ?? "unknown"), h("span", { class: "nowrap muted" }, when(row.began)),
    ];
  }

  choose(runId, on) {
    this.chosen = on ? [...this.chosen, runId].slice(-2) : this.chosen.filter((one) => one !== runId);
    for (const box of this.list.querySelectorAll("input[type=checkbox]")) box.checked = this.chosen.includes(box.value);
    this.showChosen();
  }

  showChosen() {
    this.compare.disabled = this.chosen.length !== 2;
    this.hint.textContent = ["Choose two runs to compare.", "Choose one more run.", ""][this.chosen.length];
  }

  open2() {
    location.hash = `#/compare/${this.chosen.map(encodeURIComponent).join("/")}`;
  }
}


function openTasks(tasks) {
  return h("section", { class: "card" }, h("h2", {}, "At work, waiting, interrupted or failed"), h("ul", { class: "plain" }, tasks.map((task) =>
    h("li", {}, h("a", { href: `#/task/${encodeURIComponent(task.task_id)}` }, titleOfTask(task)), " ", statusChip(task.status), " ",
      h("span", { class: "muted" }, task.error || task.status !== "awaiting_approval" ? [said(waitingFor(task.error?.message ?? task.progress?.message ?? "", task.status)), " "] : null, h("span", { class: "nowrap" }, when(task.created_at)))))));
}
