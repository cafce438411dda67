/**
 * The tasks of a research plan as a board; a new plan replaces that of the last iteration.
 * @module
 */

import { fill, h } from "../core/dom.js";

const COLUMNS = { pending: "Pending", running: "Running", done: "Done", failed: "Failed or skipped" };
const COLUMN_OF = { running: "running", retry: "running", completed: "done", failed: "failed", skipped: "failed" };

export class Board {
  constructor() {
    /** Plans by company; "" where the run researches one question. @type {Map<string, Record<string, any>>} */
    this.plans = new Map();
    this.element = h("div", { class: "stack" });
  }

  /**
   * Take in an event; returns whether it concerns the board.
   * @param {Record<string, any>} event
   */
  apply(event) {
    const data = event.data ?? {};
    const key = data.symbol ?? "";
    const shown = this.plans.get(key) ?? this.plans.get(""); // a comparison has one plan, with a task for each company
    if (event.type === "plan" && Array.isArray(data.plan?.tasks)) {
      this.plans.set(key, { ...data, summary: event.message, states: new Map(), reflection: null });
    } else if (event.type === "task" && shown) {
      if (data.iteration === shown.iteration) shown.states.set(data.task_id, { status: data.status, note: data.note ?? data.result?.note });
    } else if (event.type === "reflection" && shown) {
      shown.reflection = event.message;
      shown.most = data.most;
    } else {
      return false;
    }
    fill(this.element, [...this.plans].map(planShown));
    return true;
  }

  /** The plan that a person may edit. */
  get plan() {
    return this.plans.get("")?.plan ?? null;
  }
}

function planShown([symbol, { plan, iteration, most, summary, states, reflection }]) {
  const tasks = (column) => plan.tasks.filter((task) => (COLUMN_OF[states.get(task.id)?.status] ?? "pending") === column);
  return h("section", { class: "card" },
    h("h2", {}, symbol ? `${symbol}: plan` : "Plan", h("span", { class: "muted small" }, ` iteration ${iteration}${most ? ` of at most ${most}` : ""}`)),
    h("p", {}, summary),
    h("div", { class: "board" }, Object.entries(COLUMNS).map(([name, title]) => column(name, title, tasks(name), states))),
    reflection ? h("p", { class: "reflection" }, h("strong", {}, "Reflection: "), reflection) : null);
}

function column(name, title, tasks, states) {
  return h("section", { dataset: { column: name } }, h("h3", {}, `${title} (${tasks.length})`), h("ul", { class: "plain" }, tasks.map((task) =>
    h("li", { dataset: { task: task.id } }, h("strong", {}, task.id), " ", task.description,
      task.depends_on?.length ? h("p", { class: "muted small" }, `after ${task.depends_on.join(", ")}`) : null,
      name === "failed" ? h("p", { class: "muted small" }, [states.get(task.id).status, states.get(task.id).note].filter(Boolean).join(": ")) : null))));
}
