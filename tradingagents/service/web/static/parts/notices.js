/**
 * What a person must know or decide about a run.
 * @module
 */

import { button, field, fill, h } from "../core/dom.js";
import { said } from "../core/context.js";
import { capital, words } from "../core/format.js";
import { BY_RULES } from "../core/run_model.js";
import { difference } from "./difference.js";

/** Whether fixed rules answered in place of models. @param {Record<string, any>} card */
export function byRules(card) {
  const models = Object.values(card.models ?? {});
  return card.settings?.llm_provider === "offline" || (models.length > 0 && models.every((name) => name === BY_RULES));
}

/**
 * Say that fixed rules decided, where no model did.
 * @param {Record<string, any>} card
 */
export function offlineNotice(card) {
  const offline = byRules(card);
  const simulated = card.settings?.data_vendor === "simulated";
  const facts = [
    offline ? "Fixed rules wrote and decided this, no language model." : null,
    simulated ? "Simulated market: the companies, prices and news are made up." : null,
    ...(card.warnings ?? []),
  ].filter(Boolean);
  return facts.length ? h("ul", { class: "notice" }, facts.map((text) => h("li", {}, said(text)))) : null;
}

/**
 * Ask a person for the verdict on a proposed decision.
 * @param {(answer: {verdict: string, note: string}) => void} answer
 * @param {Element | null} [changes] - what approving changes
 */
export function approvalCard(answer, changes = null) {
  const note = h("textarea", { id: "approval-note", rows: 2 });
  const verdict = (name) => () => answer({ verdict: name, note: note.value.trim() });
  return h("section", { class: "card approval", "aria-labelledby": "approval-title" },
    h("h2", { id: "approval-title" }, "The decision waits for you"),
    h("p", {}, "Approve it, send it back with a note, or reject it. Nothing is final before you answer."),
    changes,
    field("Note", note),
    h("p", { class: "actions" },
      button("Approve", verdict("approve"), { class: "button primary" }),
      button("Revise", verdict("revise")),
      button("Reject", verdict("reject"), { class: "button danger" })));
}

/** Headings of a run that asks for words, by the kind of its question. */
const ASKING = {
  clarification: ["The question is unclear", "Your answer", "Answer"],
  hints: ["The debate waits for hints", "Hints, one a line: bull: … or bear: …; empty for none", "Continue"],
};

/** Whether a run asks for words instead of a verdict. @param {string | undefined} kind */
export function asksForWords(kind) {
  return kind in ASKING;
}

/**
 * Ask a person what a run asks in words.
 * @param {{kind: string, question: string}} asked
 * @param {(answer: {verdict: string, note: string}) => void} answer
 */
export function questionCard(asked, answer) {
  const [title, label, send] = ASKING[asked.kind];
  const note = h("textarea", { id: "approval-note", rows: 3, required: asked.kind === "clarification" });
  const give = () => {
    if (note.reportValidity()) answer({ verdict: "approve", note: note.value.trim() });
  };
  return h("section", { class: "card approval", "aria-labelledby": "approval-title" },
    h("h2", { id: "approval-title" }, title),
    h("p", {}, asked.question),
    h("div", { class: "field" }, h("label", { for: "approval-note" }, label), note),
    h("p", { class: "actions" }, button(send, give, { class: "button primary" })));
}

/**
 * Ask a person for the approval of a plan, which may be edited.
 * @param {Record<string, any>} plan
 * @param {string} [asked] - what the run asks, with what is wrong with an earlier answer
 * @param {(answer: Record<string, any>) => void} answer
 */
export function planApprovalCard(plan, asked, answer) {
  const note = h("textarea", { id: "approval-note", rows: 2 });
  const edited = h("textarea", { id: "approval-plan", rows: 14, spellcheck: "false" }, JSON.stringify(plan, null, 2));
  const wrong = h("p", { class: "error", role: "alert", hidden: true });
  const changes = h("div", { role: "status" });
  const compare = () => {
    try {
      fill(changes, difference("What you change in the plan", parts(plan), parts(JSON.parse(edited.value))));
      wrong.hidden = true;
    } catch {
      fill(changes, h("p", { class: "muted" }, "The plan is not valid JSON yet."));
    }
  };
  edited.addEventListener("input", compare);
  const approve = () => {
    try {
      const changed = edited.value !== edited.defaultValue;
      answer({ verdict: "approve", note: note.value.trim(), ...(changed ? { plan: JSON.parse(edited.value) } : {}) });
    } catch (error) {
      wrong.hidden = false;
      wrong.textContent = `The plan is not valid JSON: ${error.message}`;
    }
  };
  return h("section", { class: "card approval", "aria-labelledby": "approval-title" },
    h("h2", { id: "approval-title" }, "The plan waits for you"),
    h("p", {}, asked ?? "Approve or edit it, or send it back with a note."),
    field("Note for the planner", note),
    h("details", {}, h("summary", {}, "Edit the plan"), field("Plan as JSON", edited), changes),
    wrong,
    h("p", { class: "actions" },
      button("Approve", approve, { class: "button primary" }),
      button("Revise", () => answer({ verdict: "revise", note: note.value.trim() }))));
}

/** The values of a plan by where they stand, such as `Tasks 2, query`. */
function parts(value, place = "") {
  if (value === null || typeof value !== "object") return { [place]: String(value) };
  return Object.assign({}, ...Object.entries(value).map(([name, one]) => parts(one, Array.isArray(value) ? `${place} ${Number(name) + 1}` : place ? `${place}, ${words(name)}` : capital(words(name)))));
}
