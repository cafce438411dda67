/**
 * A debate as a conversation: each voice on its own side, with its own mark.
 * @module
 */

import { h } from "../core/dom.js";
import { markdown } from "../core/markdown.js";

/** Side and mark by a word of the speaker's name. */
const VOICES = [
  ["Bull", "left", "bull"], ["Bear", "right", "bear"], ["Aggressive", "left", "bull"], ["Conservative", "right", "bear"],
  ["Neutral", "middle", "neutral"],
];

/**
 * @param {{speaker: string, text: string}} turn
 * @param {number} number
 */
export function bubble(turn, number) {
  const [word, side, tone] = VOICES.find(([one]) => turn.speaker.includes(one)) ?? [turn.speaker, "middle", "neutral"];
  return h("li", { class: `bubble ${side} ${tone}` },
    h("p", { class: "speaker" }, h("span", { class: "avatar", "aria-hidden": "true" }, word.slice(0, 2)), h("strong", {}, turn.speaker),
      h("span", { class: "muted" }, `turn ${number}`)),
    h("div", { class: "prose" }, markdown(turn.text, 5)));
}

/** Conversations of a run, one for each debate; turns are added as they are said. */
export class Debates {
  constructor() {
    this.element = h("div", { class: "debates" }, h("p", { class: "empty" }, "Nobody has spoken yet."));
    /** @type {Map<string, HTMLElement>} */
    this.lists = new Map();
  }

  /** @param {{step: string, speaker: string, text: string}} turn */
  add(turn) {
    if (!this.lists.size) this.element.replaceChildren();
    const list = this.lists.get(turn.step) ?? this.begin(turn.step);
    list.append(bubble(turn, list.children.length + 1));
    return /** @type {HTMLElement} */ (list.lastElementChild);
  }

  /** @param {string} step */
  begin(step) {
    const title = step === "risk" ? "Risk debate" : step === "research" ? "Bull against bear" : "Debate";
    const list = h("ol", { class: "conversation", "aria-label": title });
    this.element.append(h("section", {}, h("h3", {}, title), list));
    this.lists.set(step, list);
    return list;
  }
}
