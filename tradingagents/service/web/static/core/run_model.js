/**
 * What the events of a run say: who works, which tools were called, who said what, what it cost.
 * @module
 */

/** Phases in running order, with their titles; phases of other run kinds follow in the order of their events. */
export const PHASES = {
  data: "Data", analysts: "Analysts", research: "Research debate", trading: "Trading plan", risk: "Risk debate",
  decision: "Decision", scanners: "Scanners", industries: "Industries", synthesis: "Synthesis",
};

/**
 * @typedef {object} ToolCall
 * @property {string} call
 * @property {string} tool
 * @property {Record<string, any>} args
 * @property {"running" | "success" | "error"} status
 * @property {string} summary
 * @property {string} content
 */

/**
 * @typedef {object} AgentWork
 * @property {string} name
 * @property {string} step
 * @property {boolean} working
 * @property {number} spent - milliseconds at work, of finished turns
 * @property {number} since - start of the present turn
 * @property {number} tokens
 * @property {number} usd
 * @property {boolean} unpriced - whether the price of one of its calls is not known
 * @property {string} model
 * @property {ToolCall[]} tools
 * @property {string} report
 * @property {Record<string, any> | null} decision
 * @property {string[]} notes - warnings and retries
 */

/** What fixed rules are called where a model's name stands. */
export const BY_RULES = "offline/rules";

export class RunModel {
  constructor() {
    /** @type {Map<string, AgentWork>} */
    this.agents = new Map();
    /** @type {{step: string, speaker: string, text: string}[]} */
    this.turns = [];
    /** @type {{seq: number, message: string, ts: string, node: string | null, type: string}[]} */
    this.lines = [];
    /** @type {string[]} */
    this.warnings = [];
    /** `unpriced`: whether the price of a call is not known, so that the sum says nothing. */
    this.totals = { calls: 0, input: 0, output: 0, usd: 0, unpriced: false, asked: false };
    /** Turns that have ended. */
    this.ended = 0;
    this.runId = "";
    this.started = 0;
    this.last = 0;
    /** @type {Record<string, any> | null} */
    this.result = null;
    /** @type {Record<string, any> | null} */
    this.approval = null;
    this.error = "";
    this.message = "";
  }

  /**
   * Take in an event and return the agent that it concerns, if any.
   * @param {Record<string, any>} event
   * @returns {AgentWork | null}
   */
  apply(event) {
    const time = Date.parse(event.ts);
    this.started ||= time;
    this.last = time;
    this.runId = event.run_id || this.runId;
    const agent = event.node ? this.agentOf(event) : null;
    const handler = HANDLERS[event.type];
    if (handler) handler(this, event, agent, time);
    else if (event.message && event.type !== "task") this.note(event);
    return agent;
  }

  /** @returns {AgentWork} */
  agentOf(event) {
    const known = this.agents.get(event.node);
    if (known) {
      known.step ||= event.step ?? "";
      return known;
    }
    const agent = {
      name: event.node, step: event.step ?? "", working: false, spent: 0, since: 0, tokens: 0, usd: 0, unpriced: false, model: "", tools: [],
      report: "", decision: null, notes: [],
    };
    this.agents.set(event.node, agent);
    return agent;
  }

  /** Agents by phase, in running order. @returns {[string, AgentWork[]][]} */
  phases() {
    const order = Object.keys(PHASES);
    const found = new Map();
    for (const agent of this.agents.values()) found.set(agent.step, [...(found.get(agent.step) ?? []), agent]);
    const place = (step) => (order.includes(step) ? order.indexOf(step) : order.length);
    return [...found].sort(([one], [other]) => place(one) - place(other));
  }

  /** Texts of a tool's answers. @param {string} method */
  answersOf(method) {
    const calls = [...this.agents.values()].flatMap((agent) => agent.tools);
    return [...new Set(calls.filter((call) => call.tool === method && call.content).map((call) => call.content))];
  }

  /** The decision as it stands: the final one, else the latest proposal. */
  decision() {
    const proposals = [...this.agents.values()].map((agent) => agent.decision).filter(Boolean);
    return this.result?.decision ?? proposals.at(-1) ?? null;
  }

  note(event) {
    this.lines.push({ seq: event.seq, message: event.message, ts: event.ts, node: event.node, type: event.type });
  }
}

/** @type {Record<string, (run: RunModel, event: Record<string, any>, agent: any, time: number) => void>} */
const HANDLERS = {
  run_start(run) {
    run.error = "";
    run.approval = null;
    for (const agent of run.agents.values()) agent.working = false;
  },
  node_start(run, event, agent, time) {
    agent.working = true;
    agent.since = time;
  },
  node_end(run, event, agent, time) {
    if (agent.working) agent.spent += time - agent.since;
    agent.working = false;
    run.ended += 1;
    agent.report = event.data?.report ?? agent.report;
    agent.decision = event.data?.decision ?? agent.decision;
  },
  tool_start(run, event, agent) {
    const { call = `${event.seq}`, tool = event.message, args = {} } = event.data ?? {};
    agent?.tools.push({ call, tool, args, status: "running", summary: "", content: "" });
  },
  tool_end(run, event, agent) {
    const { call, tool, status, content = "" } = event.data ?? {};
    const open = agent?.tools.filter((one) => one.status === "running") ?? [];
    const found = open.find((one) => one.call === call) ?? open.find((one) => one.tool === tool) ?? open[0];
    if (found) Object.assign(found, { status: status === "error" ? "error" : "success", summary: event.message, content });
  },
  debate_turn(run, event) {
    run.turns.push({ step: event.step ?? "", speaker: event.node ?? "", text: event.data?.text ?? event.message });
  },
  usage(run, event, agent) {
    const { input_tokens: input = 0, output_tokens: output = 0, cost_usd: usd = null, model = "" } = event.data ?? {};
    run.totals.calls += 1;
    run.totals.input += input;
    run.totals.output += output;
    run.totals.usd += usd ?? 0;
    run.totals.unpriced ||= usd === null;
    run.totals.asked ||= model !== BY_RULES;
    if (!agent) return;
    agent.tokens += input + output;
    agent.usd += usd ?? 0;
    agent.unpriced ||= usd === null;
    agent.model = model;
  },
  warning(run, event, agent) {
    run.warnings.push(event.message);
    agent?.notes.push(event.message);
  },
  retry(run, event, agent) {
    agent?.notes.push(event.message);
  },
  approval(run, event) {
    run.approval = { message: event.message, ...event.data };
  },
  result(run, event) {
    run.result = event.data ?? {};
    run.message = event.message;
    for (const agent of run.agents.values()) agent.working = false;
  },
  error(run, event) {
    run.error = event.message;
    for (const agent of run.agents.values()) agent.working = false;
  },
  token() {},
};
