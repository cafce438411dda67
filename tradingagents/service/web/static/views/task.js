/**
 * A task at work: its runs live, what they cost against the budget, stop, resume, approve.
 * @module
 */

import { button, fill, h, table } from "../core/dom.js";
import { errorBox, loading, said, showingErrors, viewHead } from "../core/context.js";
import { ENDED } from "../core/event_stream.js";
import { answersIn, dollars, duration, recordOf, subjectOf, sureness, surenessName, titleOfRun, titleOfTask } from "../core/format.js";
import { artifactsShown } from "../parts/artifacts.js";
import { confirmed } from "../parts/dialog.js";
import { actionBadge, statusChip } from "../parts/decision.js";
import { approvalChanges } from "../parts/approval_changes.js";
import { approvalCard, asksForWords, offlineNotice, planApprovalCard, questionCard } from "../parts/notices.js";
import { reportOf } from "../parts/report_page.js";
import { RunPanel } from "../parts/run_panel.js";
import { accountShown } from "./paper.js";

const RESUMABLE = new Set(["interrupted", "failed"]);
const NOT_FOUND = 404;

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  fill(view.main, loading());
  await new TaskView(view, view.path[0]).open();
}

class TaskView {
  /**
   * @param {import("../core/context.js").View} view
   * @param {string} taskId
   */
  constructor(view, taskId) {
    this.view = view;
    this.path = `/v1/tasks/${encodeURIComponent(taskId)}`;
    this.taskId = taskId;
    this.last = -1;
    this.answers = 0;
    /** @type {Map<string, RunPanel>} */
    this.panels = new Map();
    this.facts = h("p", { class: "facts-line" });
    this.state = h("span", {});
    this.connection = h("span", { class: "chip lost", hidden: true, role: "status" }, "Connection lost; trying again…");
    this.actions = h("p", { class: "actions" });
    this.notice = h("div", {});
    this.ranking = h("div", {});
    this.choice = h("div", { class: "run-choice", role: "group", "aria-label": "Runs of this task" });
    this.body = h("div", {});
  }

  async open() {
    this.task = await this.view.api.get(this.path, this.view.signal);
    this.view.setTitle(titleOfTask(this.task));
    this.coming = comingAgents(this.task, await this.view.choices());
    this.head = h("span", {}, titleOfTask(this.task));
    fill(this.view.main, viewHead(this.head, this.state, this.connection), this.facts, this.actions, this.notice, this.ranking, this.choice, this.body);
    this.showTask();
    const clock = setInterval(() => this.tick(), 200);
    this.view.signal.addEventListener("abort", () => clearInterval(clock));
    await this.follow();
  }

  /** Show the events, stored ones first, until the task has ended. */
  async follow() {
    const options = { after: this.last, signal: this.view.signal, onState: (state) => { this.connection.hidden = state === "live"; } };
    for await (const event of this.view.api.taskEvents(this.taskId, options)) {
      this.last = event.seq;
      if (event.type === "task" && !event.run_id) await this.refresh();
      else if (event.run_id) this.panel(event.run_id).apply(event);
      else if (event.data?.total) this.showProgress(event.data.done, event.data.total, event.message);
      else if (event.message) this.showStep(event.message);
    }
    this.connection.hidden = true;
    if (!this.view.signal.aborted) await this.refresh();
  }

  /** A step of a task that has no run. @param {string} message */
  showStep(message) {
    this.steps ??= h("ol", { class: "feed steps", "aria-label": "Steps" });
    if (!this.panels.size && this.steps.parentElement !== this.body) fill(this.body, this.steps);
    this.steps.append(h("li", { class: "line" }, message));
    this.view.announce(message);
  }

  /** How many of its parts a task without runs has finished. */
  showProgress(done, total, message) {
    this.bar ??= h("progress", { class: "parts", "aria-label": "Finished parts" });
    this.said ??= h("p", { class: "muted" });
    this.bar.max = total;
    this.bar.value = done;
    this.said.textContent = message;
    if (this.bar.parentElement !== this.body) fill(this.body, this.bar, this.said);
    this.view.announce(message);
  }

  async refresh() {
    const before = this.answers;
    const task = await this.view.api.get(this.path, this.view.signal);
    if (before !== this.answers) return; // it would ask again
    this.task = task;
    this.showTask();
    if (ENDED.has(this.task.status) || this.task.status === "awaiting_approval") await this.complete();
  }

  /** @param {string} runId */
  panel(runId) {
    const known = this.panels.get(runId);
    if (known) return known;
    const panel = new RunPanel(this.view.api, { announce: this.view.announce, onTotals: () => this.showFacts() });
    panel.tabs.show("work");
    if (!ENDED.has(this.task.status)) panel.timeline.expect(this.coming);
    this.panels.set(runId, panel);
    const choose = button(runId.split("-")[1] ?? runId, () => this.showPanel(runId), { class: "tag-button", dataset: { run: runId } });
    this.choice.append(choose);
    this.choice.hidden = this.panels.size < 2;
    if (this.panels.size === 1) this.showPanel(runId);
    return panel;
  }

  showPanel(runId) {
    fill(this.body, this.panels.get(runId).element);
    for (const one of this.choice.children) one.setAttribute("aria-pressed", String(one.dataset.run === runId));
  }

  /** Read the cards of runs that have ended. */
  async complete() {
    const ids = this.task.run_ids.length ? this.task.run_ids : [...this.panels.keys()];
    if (!ids.length) await this.showFiles();
    for (const runId of ids) {
      await showingErrors(this.notice, async () => {
        const card = await this.cardOf(runId);
        if (!card) return;
        const panel = this.panel(runId);
        if (ids.length === 1) this.showTitle(card.question ?? titleOfRun(card));
        this.showNotice(ids.length === 1 ? card : { ...card, warnings: [] }); // the page of each run has its own
        if (panel.card?.status === card.status) return;
        this.choice.querySelector(`[data-run="${CSS.escape(runId)}"]`).replaceChildren(subjectOf(card), card.decision ? " " : "", card.decision ? actionBadge(card.decision.action) : "");
        await panel.complete(card, this.view.signal);
        panel.tabs.suggest(card.status === "awaiting_approval" && panel.board.plan ? "board" : "decision");
      });
    }
  }

  /** @param {string} title */
  showTitle(title) {
    this.head.textContent = title;
    this.view.setTitle(title);
  }

  /** The card of a run; null for one that failed before it wrote anything, of which the task's own error tells. */
  async cardOf(runId) {
    try {
      return await this.view.api.get(`/v1/runs/${encodeURIComponent(runId)}`, this.view.signal);
    } catch (error) {
      if (this.task.error && error.status === NOT_FOUND) return null;
      throw error;
    }
  }

  /** Show the files of a task that has no run: charts, text, downloads. */
  async showFiles() {
    await showingErrors(this.notice, async () => {
      if (this.task.kind === "backtest" && this.task.result) return this.showBacktest();
      if (this.task.kind === "paper_run" && this.task.result) return fill(this.body, await accountShown(this.view, this.task.result.account));
      const files = await artifactsShown(this.view.api, this.task.artifacts, this.view.signal, true);
      const none = this.task.error ? null : h("p", { class: "empty" }, "This task left no files.");
      fill(this.body, h("div", { class: "stack files" }, files.length ? files : none));
    });
  }

  /** Show the page of a finished backtest, and its files. */
  async showBacktest() {
    const known = await Promise.all(this.task.artifacts.map((id) => this.view.api.get(`/v1/artifacts/${encodeURIComponent(id)}`, this.view.signal)));
    const page = known.find((one) => one.media_type.startsWith("text/html"));
    const files = await artifactsShown(this.view.api, this.task.artifacts, this.view.signal);
    const text = page ? await this.view.api.text(`/v1/artifacts/${encodeURIComponent(page.artifact_id)}/content`, this.view.signal) : "";
    const link = h("a", { class: "button", href: `#/backtests/${encodeURIComponent(this.task.result.backtest)}` }, "Permanent page of this backtest");
    fill(this.body, h("div", { class: "stack" }, h("p", { class: "actions" }, link), files.at(-1), text ? reportOf(text) : h("p", {}, this.task.result.verdict)));
  }

  showTask() {
    const { status, error, resumable, task_id: id } = this.task;
    fill(this.state, statusChip(status));
    fill(this.actions,
      ENDED.has(status) ? null : button("Stop", () => this.stop(), { class: "button danger" }),
      RESUMABLE.has(status) && resumable ? button("Resume", () => this.resume(null), { class: "button primary" }) : null,
      status === "failed" && !resumable ? h("a", { class: "button primary", href: this.again() }, "Change the request") : null,
      this.task.run_ids.length === 1 ? h("a", { class: "button", href: `#/run/${encodeURIComponent(this.task.run_ids[0])}` }, "Permanent page of this run") : null);
    fill(this.ranking, ranking(this.task.result?.rows ?? []));
    if (error) fill(this.notice, errorBox(error));
    else this.showNotice(null);
    if (!this.body.hasChildNodes() && !ENDED.has(status)) fill(this.body, loading(status === "queued" ? "Waiting for its turn…" : "Starting…"));
    this.showFacts();
    this.view.announce(`Task ${id} is ${status.replaceAll("_", " ")}.`);
  }

  /** The address of the form with what this task asked for. */
  again() {
    const { kind, request } = this.task;
    const plain = Object.entries(request).filter(([, value]) => ["string", "number"].includes(typeof value));
    return `#/new?${new URLSearchParams([["kind", kind], ...plain])}`;
  }

  showNotice(card) {
    const panel = [...this.panels.values()].at(-1);
    if (this.task.status === "awaiting_approval") {
      const old = this.notice.querySelectorAll("textarea");
      const isOpen = this.notice.querySelector("details")?.open ?? false;
      fill(this.notice, waitingCard(panel, (given) => this.resume(given), this.changes(panel)));
      this.notice.querySelector("details")?.toggleAttribute("open", isOpen);
      for (const { id, value, defaultValue } of old) {
        const field = this.notice.querySelector(`#${id}`);
        if (field?.defaultValue === defaultValue) field.value = value;
      }
    } else if (card) {
      fill(this.notice, offlineNotice(card));
    }
  }

  /** What approving the proposal changes; asked once for each proposal. */
  changes(panel) {
    const decision = panel?.run.decision() ?? null;
    if (this.proposal !== decision) {
      this.proposal = decision;
      this.proposed = approvalChanges(this.view.api, this.task.request, decision, this.view.signal);
    }
    return this.proposed ?? null;
  }

  showFacts() {
    const totals = [...this.panels.values()].map((one) => one.run.totals);
    const sum = (name) => totals.reduce((all, one) => all + one[name], 0);
    const spent = sum("usd");
    const said = totals.some((one) => one.unpriced) ? "price unknown" : dollars(spent);
    const budget = this.task.request.budget_usd;
    this.clock ??= h("span", { class: "clock" });
    if (!totals.length) {
      fill(this.facts, this.clock);
      return;
    }
    const turns = [...this.panels.values()].reduce((all, one) => all + one.run.ended, 0);
    const most = this.task.progress?.total;
    fill(this.facts, this.clock, most ? h("span", { class: "turns" }, `${Math.min(turns, most)} of ${most} steps`) : null, answersIn(sum("calls"), sum("input"), sum("output"), !totals.some((one) => one.asked)).map((said) => h("span", {}, said)),
      h("span", { class: "spent" }, budget ? `${said} of ${dollars(budget)}` : said,
        budget ? h("meter", { min: "0", max: budget, high: 0.8 * budget, value: spent, "aria-label": "Share of the budget spent" }) : null));
    this.tick();
  }

  tick() {
    if (!this.clock) return;
    const { started_at: started, finished_at: finished, created_at: created } = this.task;
    this.clock.textContent = duration((finished ? Date.parse(finished) : Date.now()) - Date.parse(started ?? created));
    for (const panel of this.panels.values()) if (!this.task.finished_at) panel.timeline.tick();
  }

  async stop() {
    if (!(await confirmed("Stop this task for good? What its agents have finished stays.", "Stop the task"))) return;
    await showingErrors(this.notice, async () => {
      await this.view.api.send(`${this.path}/cancel`);
      await this.refresh();
    });
  }

  async resume(answer) {
    await showingErrors(this.notice, async () => {
      const ended = ENDED.has(this.task.status);
      this.task = await this.view.api.send(`${this.path}/resume`, { answer });
      this.answers += 1;
      this.notice.replaceChildren();
      this.showTask();
      if (ended) await this.follow();
    });
  }
}

/** The agents of a task by phase, where the server tells them before they begin; of an analysis the chosen analysts. */
function comingAgents({ kind, request }, { phases = {}, analysts = [], defaults }) {
  const known = phases[kind] ?? {};
  const chosen = request.analysts ?? defaults?.analysts ?? analysts;
  return known.analysts ? { ...known, analysts: known.analysts.filter((_, at) => chosen.includes(analysts[at])) } : known;
}

/** What a waiting task asks: words, the approval of a plan, or the verdict on a decision. */
function waitingCard(panel, answer, changes) {
  const approval = panel?.run.approval;
  if (asksForWords(approval?.asked?.kind)) return questionCard(approval.asked, answer);
  return panel?.board.plan ? planApprovalCard(panel.board.plan, approval?.asked?.question ?? approval?.message, answer) : approvalCard(answer, changes);
}

/** The decisions of a task with more than one run, best first as the server ranks them. */
function ranking(rows) {
  if (!rows.length) return null;
  return h("section", { class: "card" }, h("h2", {}, "Decisions"), table("Decisions", ["Stock", "Decision", surenessName(rows), "Why"], rows.map((row) => [
    row.run_id ? h("a", { href: `#/run/${encodeURIComponent(row.run_id)}` }, row.ticker) : row.ticker, actionBadge(row.action),
    row.action ? sureness(row) : "", said(row.error ?? row.key_reason ?? ""),
  ])), h("p", { class: "muted small" }, recordOf(rows)));
}
