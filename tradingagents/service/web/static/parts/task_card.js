/**
 * What a conversation has started, as a card that goes on by itself: how far it is, and what came out.
 * @module
 */

import { fill, h } from "../core/dom.js";
import { errorBox } from "../core/context.js";
import { ENDED } from "../core/event_stream.js";
import { cut, duration, inWords } from "../core/format.js";
import { RunModel } from "../core/run_model.js";
import { actionBadge, statusChip } from "./decision.js";

/** Most characters of what came out. */
const FINDING = 240;
/** Events that end a step of a task: what the server knows of its progress is asked anew. */
const STATES = new Set(["task", "approval"]);

export class TaskCard {
  /**
   * @param {import("../core/api.js").Api} api
   * @param {string} taskId
   * @param {string} title - until the task has told its own
   * @param {AbortSignal} signal
   */
  constructor(api, taskId, title, signal) {
    this.api = api;
    this.path = `/v1/tasks/${encodeURIComponent(taskId)}`;
    this.taskId = taskId;
    this.signal = signal;
    this.task = { title, status: "queued" };
    this.run = new RunModel();
    this.said = "";
    this.element = h("section", { class: "card task-card", "aria-label": title, dataset: { task: taskId } });
    this.show();
  }

  /** Show the task until it has ended. */
  async follow() {
    try {
      await this.refresh();
      if (ENDED.has(this.task.status)) return;
      for await (const event of this.api.taskEvents(this.taskId, { signal: this.signal })) {
        this.run.apply(event);
        if (event.type === "node_start" && event.node) this.said = event.node;
        else if (!event.node && event.message) this.said = event.message;
        if (STATES.has(event.type)) await this.refresh();
        else this.show();
      }
      if (!this.signal.aborted) await this.refresh();
    } catch (error) {
      if (error.name !== "AbortError") this.element.append(errorBox(error));
    }
  }

  async refresh() {
    this.task = await this.api.get(this.path, this.signal);
    this.show();
  }

  show() {
    const { title, status, error, run_ids: runs = [], progress } = this.task;
    const ended = ENDED.has(status), waits = status === "awaiting_approval";
    const total = progress?.total, done = Math.min(this.run.ended, total ?? 0);
    // to the page of the server, which is another page for the widget
    const link = (address, label) => h("a", { class: "button small", href: `${this.api.base}/#/${address}` }, label);
    this.element.setAttribute("aria-label", title);
    fill(this.element,
      h("p", { class: "task-head" }, ended || waits ? null : h("span", { class: "spinner" }), h("strong", {}, title), statusChip(status), this.took()),
      ended ? this.outcome() : [total ? h("progress", { max: total, value: done, "aria-label": `Steps of ${title}` }) : null,
        h("p", { class: "muted small" }, [total ? `${done} of ${total} steps` : "", inWords(this.said)].filter(Boolean).join(": "))],
      error ? h("p", { class: "warning" }, inWords(error.message)) : null,
      h("p", { class: "actions" }, status === "done" && runs.length === 1 ? link(`run/${encodeURIComponent(runs[0])}`, "Open the run") : link(`task/${encodeURIComponent(this.taskId)}`, waits ? "Answer it" : "Open the task")));
  }

  took() {
    const { started_at: started, finished_at: finished } = this.task;
    return started && finished ? h("span", { class: "muted small" }, duration(Date.parse(finished) - Date.parse(started))) : null;
  }

  /** What came out, where the task tells it in short. */
  outcome() {
    const result = this.task.result ?? {};
    const found = [result.rationale, result.answer, result.verdict, result.summary, result.message].find((one) => typeof one === "string" && one);
    if (!result.action && !found) return null;
    return h("p", {}, result.action ? [actionBadge(result.action), " "] : null, found ? cut(inWords(found), FINDING) : null);
  }
}
