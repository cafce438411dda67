/**
 * What a person must know or decide about a run.
 * @module
 */

import { button, h } from "../core/dom.js";

/**
 * Say that fixed rules decided, where no model did.
 * @param {Record<string, any>} card
 */
export function offlineNotice(card) {
  const models = Object.values(card.models ?? {});
  const offline = card.settings?.llm_provider === "offline" || (models.length > 0 && models.every((name) => name === "offline/rules"));
  const simulated = card.settings?.data_vendor === "simulated";
  const facts = [
    offline ? "Fixed rules wrote and decided this, no language model." : null,
    simulated ? "The market is simulated: companies, prices and news are made up." : null,
    ...(card.warnings ?? []),
  ].filter(Boolean);
  return facts.length ? h("ul", { class: "notice" }, facts.map((text) => h("li", {}, text))) : null;
}

/**
 * Ask a person for the verdict on a proposed decision.
 * @param {(answer: {verdict: string, note: string}) => void} answer
 */
export function approvalCard(answer) {
  const note = h("textarea", { id: "approval-note", rows: 2 });
  const verdict = (name) => () => answer({ verdict: name, note: note.value.trim() });
  return h("section", { class: "card approval", "aria-labelledby": "approval-title" },
    h("h2", { id: "approval-title" }, "The decision waits for you"),
    h("p", {}, "Approve it, send it back with a note, or reject it. Nothing is final before you answer."),
    h("div", { class: "field" }, h("label", { for: "approval-note" }, "Note"), note),
    h("p", { class: "actions" },
      button("Approve", verdict("approve"), { class: "button primary" }),
      button("Revise", verdict("revise")),
      button("Reject", verdict("reject"), { class: "button danger" })));
}
