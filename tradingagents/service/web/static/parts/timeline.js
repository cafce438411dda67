/**
 * The agents at work, by phase: who is working, with which tools, how long and for how much.
 * @module
 */

import { fill, h, icon } from "../core/dom.js";
import { callText, capital, cut, dollars, duration, inWords, titleOf, tokens, words } from "../core/format.js";
import { markdown } from "../core/markdown.js";
import { PHASES } from "../core/run_model.js";

/** Most characters of the names of tools on an agent's line. */
const MOST_TOOLS = 70;
/** Tools that ask a capability by its name. */
const HANDS_ON = new Set(["ask_capability"]);

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

  /** List agents that have not begun, in the order in which they will. @param {Record<string, readonly string[]>} phases */
  expect(phases) {
    for (const [step, names] of Object.entries(phases)) {
      for (const name of names) {
        if (this.rows.has(name)) continue;
        const { row, summary } = this.add({ name, step });
        row.classList.add("coming");
        fill(summary, h("span", { class: "state" }, h("span", { class: "unseen" }, "not begun")), h("span", { class: "name" }, name));
      }
    }
  }

  /** Leave out the agents that have not begun: none will. */
  settle() {
    for (const row of this.element.querySelectorAll(".coming")) row.remove();
    for (const phase of this.element.querySelectorAll(".phase:not(:has(.agent))")) phase.hidden = true;
  }

  /** Show what is new about an agent. @param {import("../core/run_model.js").AgentWork} agent */
  update(agent) {
    const row = this.rows.get(agent.name) ?? this.add(agent);
    row.row.classList.toggle("working", agent.working);
    row.row.classList.remove("coming");
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
      agent.tools.length ? h("span", { class: "muted" }, toolsOf(agent)) : null,
      h("span", { class: "costs" },
        agent.tokens ? h("span", {}, `${tokens(agent.tokens)} tokens`) : null,
        agent.tokens ? h("span", {}, agent.unpriced ? "price unknown" : dollars(agent.usd)) : null,
        h("span", { class: "clock" }, duration(time))),
      agent.notes.length ? h("span", { class: "warning" }, agent.notes.at(-1)) : null,
    ];
  }
}

/** The tool that is running, else which were called. @param {import("../core/run_model.js").AgentWork} agent */
function toolsOf(agent) {
  const running = agent.tools.filter((call) => call.status === "running");
  const named = [...new Set((running.length ? running : agent.tools).map((call) => titleOf(call.tool)))];
  return cut(named.join(", "), MOST_TOOLS);
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
    if (details.open && call.content && !answer.hasChildNodes()) answer.append(markdown(inWords(call.content), 4));
  });
  const item = h("li", { class: "tool-call" }, details);
  updateCall(item, call);
  return item;
}

/** What a call asks, in words: of one that hands another on, the other. @param {import("../core/run_model.js").ToolCall} call */
function calledOf({ tool, args }) {
  const inner = HANDS_ON.has(tool) ? args.name : null;
  return inner ? { name: titleOf(inner), args: parsed(args.arguments) } : { name: titleOf(tool), args };
}

/** Arguments that a model gave as JSON. @param {any} given */
function parsed(given) {
  if (typeof given !== "string") return given ?? {};
  try {
    return Object(JSON.parse(given));
  } catch {
    return { arguments: given };
  }
}

/**
 * @param {Element} item
 * @param {import("../core/run_model.js").ToolCall} call
 */
export function updateCall(item, call) {
  if (item.dataset.status === call.status) return;
  item.dataset.status = call.status;
  fill(item.querySelector("summary"),
    icon("tool"), h("span", { class: "tool-name" }, calledOf(call).name), " ", h("span", { class: "arguments" }, callText(calledOf(call).args)),
    h("span", { class: `outcome ${call.status}` }, call.status === "running" ? "running" : call.status === "error" ? "failed" : "answered"));
}
