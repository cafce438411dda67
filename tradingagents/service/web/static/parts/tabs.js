/**
 * Tabs: arrow keys move between them, as screen readers expect.
 * @module
 */

import { h } from "../core/dom.js";

let numbered = 0;

export class Tabs {
  /**
   * @param {string} label
   * @param {[string, string, HTMLElement][]} parts - name, title, content
   */
  constructor(label, parts) {
    const prefix = `tabs-${(numbered += 1)}`;
    /** Whether the user has chosen a tab. */
    this.chosen = false;
    this.parts = parts.map(([name, title, content]) => ({
      name,
      tab: h("button", {
        type: "button", role: "tab", id: `${prefix}-${name}`, "aria-controls": `${prefix}-${name}-panel`,
        onclick: () => { this.chosen = true; this.show(name); },
      }, title),
      panel: h("div", { role: "tabpanel", id: `${prefix}-${name}-panel`, "aria-labelledby": `${prefix}-${name}`, tabindex: "0" }, h("div", { role: "heading", "aria-level": "2", class: "unseen" }, title), content),
    }));
    const list = h("div", { role: "tablist", "aria-label": label, class: "tabs", onkeydown: (event) => this.move(event) }, this.parts.map((one) => one.tab));
    this.element = h("div", {}, list, this.parts.map((one) => one.panel));
    this.show(parts[0][0]);
  }

  /** @param {string} name */
  show(name) {
    this.current = name;
    for (const one of this.parts) {
      const active = one.name === name;
      one.tab.setAttribute("aria-selected", String(active));
      one.tab.tabIndex = active ? 0 : -1;
      one.panel.hidden = !active;
    }
  }

  /** @param {string} name @param {string} title */
  rename(name, title) {
    const { tab, panel } = this.parts.find((one) => one.name === name);
    for (const named of [tab, panel.firstElementChild]) named.textContent = title;
  }

  /** Offer a tab or not. @param {string} name @param {boolean} offered */
  toggle(name, offered) {
    this.parts.find((one) => one.name === name).tab.hidden = !offered;
  }

  /** Show a tab unless the user has chosen one. @param {string} name */
  suggest(name) {
    if (!this.chosen) this.show(name);
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const offered = this.parts.filter((one) => !one.tab.hidden);
    const at = offered.findIndex((one) => one.name === this.current);
    const ends = { Home: 0, End: offered.length - 1 };
    const next = event.key in steps ? (at + steps[event.key] + offered.length) % offered.length : ends[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.chosen = true;
    this.show(offered[next].name);
    offered[next].tab.focus();
  }
}
