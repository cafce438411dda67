/**
 * A conversation with the assistant: transcript, live turn, tool calls folded, memos as cards, charts in place,
 * approvals. The page and the widget show the same.
 * @module
 */

import { append, button, fill, h, icon } from "../core/dom.js";
import { errorBox } from "../core/context.js";
import { ENDED, pause } from "../core/event_stream.js";
import { callText, capital, words } from "../core/format.js";
import { markdown } from "../core/markdown.js";
import { artifactsShown } from "./artifacts.js";
import { actionBadge } from "./decision.js";
import { TaskCard } from "./task_card.js";
import { toolCall, updateCall } from "./timeline.js";

const PAGE = 200;
const NOTICE_TRIES = 10;
const NOTICE_WAIT = 500;

export class Conversation {
  /**
   * @param {import("../core/api.js").Api} api
   * @param {{signal: AbortSignal, announce?: (text: string) => void, onChange?: (session: Record<string, any>) => void, view?: () => Record<string, any> | null, day?: () => string | null}} options - `day`: of a conversation that begins
   */
  constructor(api, { signal, announce = () => {}, onChange = () => {}, view = () => null, day = () => null }) {
    this.api = api;
    this.signal = signal;
    this.announce = announce;
    this.onChange = onChange;
    this.view = view;
    this.day = day;
    this.sessionId = "";
    this.last = -1;
    this.turn = "";
    /** @type {Map<string, {item: Element, call: import("../core/run_model.js").ToolCall}>} */
    this.calls = new Map();
    /** What this session has started. @type {Map<string, TaskCard>} */
    this.cards = new Map();
    /** Tasks by the approval that started them. @type {Map<string, string>} */
    this.approved = new Map();
    /** Tasks whose end stands in the transcript. @type {Set<string>} */
    this.noticed = new Set();
    this.entries = h("ol", { class: "transcript", "aria-label": "Conversation" });
    this.live = h("div", { class: "live-turn" });
    this.approvals = h("div", {});
    this.errors = h("div", {});
    this.input = h("textarea", { id: "chat-input", rows: 2, placeholder: "Ask about a stock, a filing, the market…", dataset: { focus: "search" }, onkeydown: (event) => this.key(event) });
    this.sendButton = h("button", { type: "submit", class: "button primary" }, "Send");
    this.stopButton = button([icon("stop"), " Stop"], () => this.stop(), { class: "button danger", hidden: true });
    this.element = h("div", { class: "conversation-box" },
      h("div", { class: "scroller", tabindex: "0", role: "log", "aria-label": "Messages" }, this.entries, this.live, this.approvals),
      this.errors,
      h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); this.send(); } },
        h("label", { for: "chat-input", class: "unseen" }, "Message"), this.input, this.sendButton, this.stopButton));
    this.scroller = this.element.querySelector(".scroller");
  }

  get path() {
    return `/v1/sessions/${encodeURIComponent(this.sessionId)}`;
  }

  /** Show a session and, where a turn is under way, follow it. @param {string} sessionId */
  async open(sessionId) {
    this.sessionId = sessionId;
    this.learn(await this.api.get(this.path, this.signal));
    await this.catchUp();
    await this.refresh();
    const turn = await this.turnUnderWay();
    if (turn) await this.follow(turn);
  }

  /** Show the entries that were added to the transcript, all at once: what streamed in makes room for them. */
  async catchUp() {
    const entries = [];
    for (let found = [null], last = this.last; found.length; last = entries.at(-1)?.seq ?? last) {
      found = await this.api.get(`${this.path}/transcript?after=${last}&limit=${PAGE}`, this.signal);
      entries.push(...found);
    }
    for (const entry of entries) {
      if (entry.seq <= this.last) continue;
      this.last = entry.seq;
      this.turn = entry.turn || this.turn;
      this.add(entry);
    }
    this.scroll();
  }

  /** @param {Record<string, any>} session */
  learn(session) {
    for (const one of session.approvals) if (one.task_id) this.approved.set(one.approval_id, one.task_id);
  }

  async refresh() {
    const session = await this.api.get(this.path, this.signal);
    this.learn(session);
    const waiting = session.approvals.filter((one) => one.status === "waiting");
    fill(this.approvals, waiting.map((one) => this.approval(one)));
    this.onChange(session);
    this.scroll();
    await this.awaitTasks();
  }

  /** Show the tasks of the conversation that no entry of it shows. */
  async awaitTasks() {
    const tasks = await this.api.get(`/v1/tasks?session_id=${encodeURIComponent(this.sessionId)}`, this.signal);
    for (const { task_id: taskId, title } of tasks) {
      if (!this.cards.has(taskId) && !this.noticed.has(taskId)) this.entries.append(h("li", {}, this.card(taskId, title)));
    }
  }

  /** The card of a task, which goes on by itself; the same wherever it is shown. @param {string} taskId @param {string} [title] */
  card(taskId, title = "Task") {
    const known = this.cards.get(taskId);
    if (known) return known.element;
    const made = new TaskCard(this.api, taskId, title, this.signal);
    this.cards.set(taskId, made);
    made.follow().then(() => this.showEnd(taskId)).catch((error) => { if (error.name !== "AbortError") fill(this.errors, errorBox(error)); });
    return made.element;
  }

  /** Show the notice of a task that has ended, which is written a little later. @param {string} taskId */
  async showEnd(taskId) {
    this.announce(`${this.cards.get(taskId)?.task.title}: ${this.cards.get(taskId)?.task.status}.`);
    for (let tries = 0; tries < NOTICE_TRIES && !this.noticed.has(taskId) && !this.signal.aborted; tries += 1) {
      if (this.stopButton.hidden) await this.catchUp();
      if (!this.noticed.has(taskId)) await pause(NOTICE_WAIT, this.signal);
    }
  }

  /** The task of the last turn if it has not ended; a turn that is unknown by now has. */
  async turnUnderWay() {
    if (!this.turn) return null;
    try {
      const task = await this.api.get(`/v1/tasks/${encodeURIComponent(this.turn)}`, this.signal);
      return ENDED.has(task.status) ? null : task;
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  async send() {
    const text = this.input.value.trim();
    if (!text || this.sendButton.hidden) return;
    fill(this.errors);
    this.sendButton.hidden = true;
    try {
      if (!this.sessionId) await this.begin();
      const task = await this.api.send(`${this.path}/messages`, { text, view: this.view() });
      this.input.value = "";
      await this.catchUp();
      await this.follow(task, this.turn === task.task_id ? "" : text);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.errors, errorBox(error));
    } finally {
      this.sendButton.hidden = false;
    }
  }

  async begin() {
    const session = await this.api.send("/v1/sessions", { defaults: { as_of: this.day() } });
    this.sessionId = session.session_id;
    this.onChange(session);
  }

  /**
   * Show a turn as it happens; its transcript replaces it when it has ended.
   * @param {Record<string, any>} task
   * @param {string} [said] - what the user said, where the transcript does not have it yet
   */
  async follow(task, said = "") {
    this.taskId = task.task_id;
    this.stopButton.hidden = false;
    this.sendButton.hidden = true;
    const turn = new LiveTurn(this.live, this, said);
    try {
      for await (const event of this.api.taskEvents(task.task_id, { signal: this.signal })) {
        turn.apply(event);
        if (event.type === "approval") await this.refresh();
        this.scroll();
      }
      if (this.signal.aborted) return;
      await this.catchUp();
      fill(this.live);
      await this.showFailure(task.task_id);
      await this.refresh();
      this.announce("The assistant has answered.");
    } finally {
      this.stopButton.hidden = true;
      this.sendButton.hidden = false;
    }
  }

  async showFailure(taskId) {
    const { status, error } = await this.api.get(`/v1/tasks/${encodeURIComponent(taskId)}`, this.signal);
    if (status === "failed" && error) fill(this.errors, errorBox(error));
    if (status === "cancelled" || status === "interrupted") fill(this.errors, h("p", { class: "notice" }, "The turn was stopped."));
  }

  async stop() {
    await this.api.send(`/v1/tasks/${encodeURIComponent(this.taskId)}/cancel`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.send();
  }

  scroll() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  /** @param {Record<string, any>} entry - of the transcript */
  add(entry) {
    if (entry.type === "notice" && entry.data?.task_id) this.noticed.add(entry.data.task_id);
    const show = ENTRIES[entry.type];
    const shown = show?.(entry, this);
    if (shown) this.entries.append(shown);
  }

  approval(approval) {
    const answer = (approved) => async () => {
      try {
        this.learn(await this.api.send(`${this.path}/approvals/${encodeURIComponent(approval.approval_id)}`, { approved }));
        await this.catchUp();
        await this.refresh();
      } catch (error) {
        fill(this.errors, errorBox(error));
      }
    };
    return h("section", { class: "card approval", "aria-label": "Approval needed" },
      h("p", {}, h("strong", {}, `May the assistant use ${words(approval.action)}?`)),
      h("p", {}, h("code", {}, callText(approval.arguments))), h("p", { class: "muted" }, approval.reason),
      h("p", { class: "actions" }, button("Approve", answer(true), { class: "button primary" }), button("Refuse", answer(false), { class: "button danger" })));
  }
}

/** Entries of a transcript by type. @type {Record<string, (entry: Record<string, any>, conversation: Conversation) => any>} */
const ENTRIES = {
  user: (entry) => saidByUser(entry.text),
  assistant: (entry, conversation) => (entry.text || entry.data?.artifacts?.length
    ? h("li", { class: "message assistant" }, h("p", { class: "unseen" }, "Assistant"), h("div", { class: "prose" }, markdown(withoutIds(entry.text, conversation), 3)), charts(conversation, entry)) : null),
  tool_call(entry, conversation) {
    const call = { call: entry.call_id, tool: entry.name ?? "", args: entry.arguments ?? {}, status: "running", summary: "", content: "" };
    const item = toolCall(call);
    conversation.calls.set(entry.call_id, { item, call });
    return item;
  },
  tool_result(entry, conversation) {
    const known = conversation.calls.get(entry.call_id);
    if (known) {
      Object.assign(known.call, { status: entry.status === "error" ? "error" : "success", content: entry.text });
      updateCall(known.item, known.call);
    }
    if (entry.data?.artifacts?.length) return h("li", { class: "in-place" }, charts(conversation, entry));
    return entry.data?.task_id ? h("li", {}, conversation.card(entry.data.task_id, entry.data.title)) : null;
  },
  memo: (entry) => memoCard(entry.data?.memo ?? entry.data ?? {}, entry.name),
  notice(entry, conversation) {
    const started = conversation.approved.get(entry.data?.approval_id);
    return h("li", { class: "notice-line" }, noticeText(entry, conversation, started), started ? conversation.card(started) : null);
  },
  summary: (entry) => h("li", { class: "notice-line" }, h("details", {}, h("summary", {}, "Earlier messages are summed up for the model"), h("div", { class: "prose" }, markdown(entry.text, 4)))),
};

function saidByUser(text) {
  return h("li", { class: "message user" }, h("p", { class: "unseen" }, "You"), h("div", { class: "plain-text" }, text));
}

/** A text without the ids of tasks that cards show. @param {string} text @param {Conversation} conversation */
function withoutIds(text, conversation) {
  return [...conversation.cards.keys()].reduce((rest, id) => rest.replaceAll(` ${id}`, ""), text);
}

/** What a notice says; without the id of a task that a card shows. */
function noticeText(entry, conversation, started) {
  const { task_id: task, result, status } = entry.data ?? {};
  if (started) return `You allowed it: ${words(entry.name ?? "")}.`;
  const title = conversation.cards.get(task)?.task.title;
  return [result?.action ? [actionBadge(result.action), " "] : null, title && status ? `${title}: ${words(status)}.` : entry.text, task ? [" ", taskLink(conversation, task)] : null];
}

/** A link to a task on the page of the server, which is another page for the widget. */
function taskLink(conversation, taskId) {
  return h("a", { href: `${conversation.api.base}/#/task/${encodeURIComponent(taskId)}` }, "Open the task");
}

function charts(conversation, entry) {
  const box = h("div", { class: "artifacts" });
  artifactsShown(conversation.api, entry.data?.artifacts ?? [], conversation.signal)
    .then((found) => { fill(box, found); conversation.scroll(); })
    .catch((error) => { if (error.name !== "AbortError") fill(box, errorBox(error)); });
  return box;
}

const STANCES = { bullish: "▴", bearish: "▾", neutral: "–", abstain: "○" };

/**
 * The memo of an investor persona.
 * @param {Record<string, any>} memo
 * @param {string | null} [name]
 */
export function memoCard(memo, name = null) {
  const lists = [["Evidence", memo.key_evidence], ["Risks", memo.risks], ["Open questions", memo.open_questions], ["Sources", memo.citations]];
  const who = memo.title ?? words(memo.guru ?? name ?? "investor").split(" ").map(capital).join(" ");
  return h("li", { class: "card memo" },
    h("p", { class: "memo-head" }, h("strong", {}, who),
      h("span", { class: `stance ${memo.stance}` }, STANCES[memo.stance] ?? "", " ", memo.stance ?? ""),
      memo.confidence === undefined ? null : h("span", { class: "muted" }, `${memo.by_rules ? "strength" : "confidence"} ${memo.confidence} of 100`)),
    h("p", {}, memo.thesis ?? memo.summary ?? ""),
    h("details", {}, h("summary", {}, "Evidence, risks, open questions"), lists.filter(([, items]) => items?.length).map(([title, items]) =>
      h("section", {}, h("h4", {}, title), h("ul", {}, items.map((item) => h("li", {}, typeof item === "string" ? item : item.claim ?? JSON.stringify(item))))))));
}

/** The turn under way: what streams in before it stands in the transcript. */
class LiveTurn {
  /** @param {Element} box @param {Conversation} conversation @param {string} said - by the user */
  constructor(box, conversation, said) {
    this.conversation = conversation;
    this.text = "";
    this.calls = new Map();
    this.list = h("ol", { class: "transcript" });
    this.reply = h("div", { class: "prose" });
    this.message = h("li", { class: "message assistant" }, h("p", { class: "thinking" }, h("span", { class: "spinner" }), " Working…"), this.reply);
    append(this.list, [said ? saidByUser(said) : null, this.message]);
    fill(box, this.list);
  }

  /** @param {Record<string, any>} event */
  apply(event) {
    const data = event.data ?? {};
    if (this.conversation.calls.has(data.call)) return; // it stands in the transcript already
    if (event.type === "message") {
      this.text += data.delta ?? "";
      fill(this.reply, markdown(this.text, 3));
    } else if (event.type === "tool_start") {
      const call = { call: data.call, tool: data.tool ?? event.message, args: data.args ?? {}, status: "running", summary: "", content: "" };
      const item = toolCall(call);
      this.calls.set(data.call, { item, call });
      this.list.insertBefore(item, this.message);
    } else if (event.type === "tool_end" && this.calls.has(data.call)) {
      const { item, call } = this.calls.get(data.call);
      Object.assign(call, { status: data.status === "error" ? "error" : "success", content: data.content ?? "" });
      updateCall(item, call);
      if (data.task_id) item.after(h("li", {}, this.conversation.card(data.task_id)));
    } else if (event.type === "memo") {
      this.list.insertBefore(memoCard(data.memo ?? data), this.message);
    }
  }
}
