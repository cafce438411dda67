/**
 * The agents at work, by phase: who is working, with which tools, how long and for how much.
 * @module
 */

import { fill, h, icon } from "../core/dom.js";
import { callText, capital, dollars, duration, tokens, words } from "../core/format.js";
import { markdown } from "../core/markdown.js";
import { PHASES } from "../core/run_model.js";

export class Timeline {
  /** @param {import("../core/run_model.js").RunModel} run */
  constructor(run) {
    this.run = run;
    this.element = h("ol", { class: "timeline", "aria-label": "Agents by phase" });
    /** @type {Map<string, {row: HTMLElement, summary: HTMLElement, tools: HTMLElement, shown: number}>} */
    this.rows = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.lists = new Map();
  }

  /** Show what is new about an agent. @param {import("../core/run_model.js").AgentWork} agent */
  update(agent) {
    const row = this.rows.get(agent.name) ?? this.add(agent);
    row.row.classList.toggle("working", agent.working);
    fill(row.summary, this.summary(agent));
    for (; row.shown < agent.tools.length; row.shown += 1) row.tools.append(toolCall(agent.tools[row.shown]));
    agent.tools.forEach((call, at) => updateCall(row.tools.children[at], call));
  }

  /** Renew the clocks of agents that are working. */
  tick(now = Date.now()) {
    for (const agent of this.run.agents.values()) {
      const clock = agent.working && this.rows.get(agent.name)?.summary.querySelector(".clock");
      if (clock) clock.textContent = duration(agent.spent + now - agent.since);
    }
  }

  add(agent) {
    const summary = h("summary", {});
    const tools = h("ol", { class: "tools", "aria-label": `Tools called by ${agent.name}` });
    const row = h("li", { class: "agent", dataset: { agent: agent.name } }, h("details", {}, summary, tools));
    this.list(agent.step).append(row);
    const made = { row, summary, tools, shown: 0 };
    this.rows.set(agent.name, made);
    return made;
  }

  /** @param {string} step */
  list(step) {
    const known = this.lists.get(step);
    if (known) return known;
    const list = h("ol", { class: "agents" });
    const phase = h("li", { class: "phase", dataset: { step } }, h("h3", {}, PHASES[step] ?? capital(words(step || "work"))), list);
    const later = [...this.element.children].find((one) => placeOf(one.dataset.step) > placeOf(step));
    this.element.insertBefore(phase, later ?? null);
    this.lists.set(step, list);
    return list;
  }

  summary(agent) {
    const time = agent.spent + (agent.working ? Math.max(0, this.run.last - agent.since) : 0);
    const state = agent.working ? "working" : "done";
    return [
      h("span", { class: `state ${state}` }, agent.working ? h("span", { class: "spinner" }) : icon("check"), h("span", { class: "unseen" }, state)),
      h("span", { class: "name" }, agent.name),
      agent.tools.length ? h("span", { class: "muted" }, `${agent.tools.length} tool${agent.tools.length > 1 ? "s" : ""}`) : null,
      h("span", { class: "costs" },
        agent.tokens ? h("span", {}, `${tokens(agent.tokens)} tokens`) : null,
        agent.tokens ? h("span", {}, agent.unpriced ? "price unknown" : dollars(agent.usd)) : null,
        h("span", { class: "clock" }, duration(time))),
      agent.notes.length ? h("span", { class: "warning" }, agent.notes.at(-1)) : null,
    ];
  }
}

function placeOf(step) {
  const at = Object.keys(PHASES).indexOf(step ?? "");
  return at < 0 ? Object.keys(PHASES).length : at;
}

/**
 * A tool call, folded; its answer is rendered when it is opened.
 * @param {import("../core/run_model.js").ToolCall} call
 */
export function toolCall(call) {
  const answer = h("div", { class: "prose" });
  const details = h("details", {}, h("summary", {}), answer);
  details.addEventListener("toggle", () => {
    if (details.open && call.content && !answer.hasChildNodes()) answer.append(markdown(call.content, 4));
  });
  const item = h("li", { class: "tool-call" }, details);
  updateCall(item, call);
  return item;
}

/**
 * @param {Element} item
 * @param {import("../core/run_model.js").ToolCall} call
 */
export function updateCall(item, call) {
  if (item.dataset.status === call.status) return;
  item.dataset.status = call.status;
  fill(item.querySelector("summary"),
    icon("tool"), h("code", { class: "tool-name" }, call.tool), " ", h("span", { class: "arguments" }, callText(call.args)),
    h("span", { class: `outcome ${call.status}` }, call.status === "running" ? "running" : call.status === "error" ? "failed" : "answered"));
}
