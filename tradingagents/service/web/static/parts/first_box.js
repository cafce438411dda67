/**
 * One box for a ticker, a company's name or a question: names are completed from what the server knows.
 * @module
 */

import { fill, h } from "../core/dom.js";
import { errorBox } from "../core/context.js";
import { cut } from "../core/format.js";
import { chatAddress, companyAddress } from "./symbols.js";

/** Milliseconds after a key before names are looked for. */
const PAUSE = 90;
const MOST = 7;
/** Most characters of a name, beyond which a text is a question. */
const LONGEST_NAME = 60;
/** Most characters of a question in the list. */
const SHOWN = 60;

export class FirstBox {
  /**
   * @param {import("../core/context.js").View} view
   * @param {string} example - of what can be typed
   */
  constructor(view, example) {
    this.view = view;
    /** @type {{label: any, go: string}[]} */
    this.options = [];
    this.active = -1;
    /** The latest search, of its text. @type {Promise<Record<string, any> | null>} */
    this.found = Promise.resolve(null);
    this.timer = 0;
    this.wanted = new AbortController();
    this.list = h("ul", { id: "first-list", role: "listbox", class: "options", "aria-label": "Companies and questions", hidden: true });
    this.input = h("input", {
      id: "first", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", autocapitalize: "off", enterkeyhint: "go", maxlength: 2000,
      placeholder: `${example}, or a question`, "aria-expanded": "false", "aria-controls": "first-list", "aria-autocomplete": "list", dataset: { focus: "search" },
      oninput: () => this.typed(), onkeydown: (event) => this.key(event), onblur: () => this.close(),
    });
    this.errors = h("div", {});
    this.element = h("form", { class: "first-box", role: "search", onsubmit: (event) => { event.preventDefault(); this.enter(); } },
      h("label", { for: "first" }, "Ticker, company or question"),
      h("div", { class: "first-line" }, h("div", { class: "combo" }, this.input, this.list), h("button", { type: "submit", class: "button primary" }, "Go")), this.errors);
  }

  typed() {
    clearTimeout(this.timer);
    this.wanted.abort();
    const text = this.input.value.trim();
    fill(this.errors);
    if (!text) return this.close();
    this.timer = setTimeout(async () => this.show(text, await this.search(text)), PAUSE);
  }

  /** The instruments that a text may mean; null where that cannot be told. @param {string} text */
  search(text) {
    if (text.length > LONGEST_NAME) return (this.found = Promise.resolve(null));
    this.wanted = new AbortController();
    this.found = this.view.api.ask("find_instruments", { text, limit: MOST }, null, this.wanted.signal).then((answer) => answer.result, (error) => {
      if (error.name !== "AbortError" && error.status !== 401 && text === this.input.value.trim()) fill(this.errors, errorBox(error));
      return null;
    });
    return this.found;
  }

  /** Offer what a text may mean, the first of the instruments chosen; last that it is asked as a question. */
  show(text, found) {
    if (text !== this.input.value.trim() || document.activeElement !== this.input) return;
    const instruments = found?.candidates ?? [];
    this.options = [
      ...instruments.map((one) => ({ label: [h("strong", {}, one.symbol), h("span", {}, one.name)], go: companyAddress(one.symbol, this.view.query.get("day")) })),
      { label: h("span", {}, h("span", { class: "muted" }, "Ask: "), cut(text, SHOWN)), go: this.question(text) },
    ];
    fill(this.list, this.options.map((one, at) => h("li", {
      id: `first-${at}`, role: "option", "aria-selected": "false", onmousedown: (event) => event.preventDefault(), onclick: () => this.open(one.go),
    }, one.label)));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.choose(instruments.length ? 0 : -1);
    if (instruments.length) this.view.announce(`${instruments.length} found.`);
  }

  /** @param {number} at */
  choose(at) {
    this.active = at;
    [...this.list.children].forEach((one, place) => one.setAttribute("aria-selected", String(place === at)));
    if (at < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", `first-${at}`);
  }

  close() {
    this.options = [];
    this.choose(-1);
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Escape") this.options.length ? this.close() : this.input.blur();
    else if (event.key in steps && this.options.length) {
      const count = this.options.length;
      this.choose(this.active < 0 && event.key === "ArrowUp" ? count - 1 : (this.active + steps[event.key] + count) % count);
    } else if (event.key === "ArrowDown" && this.input.value.trim()) this.typed();
    else return;
    event.preventDefault();
  }

  /** Do the obvious: open what is chosen, or the instrument that the text is, or ask it. */
  async enter() {
    const text = this.input.value.trim();
    if (!text) return this.input.focus();
    const chosen = this.options[this.active];
    if (chosen) return this.open(chosen.go);
    clearTimeout(this.timer);
    const shown = this.options.length > 0;
    const found = await this.search(text);
    if (found?.symbol) return this.open(companyAddress(found.symbol, this.view.query.get("day")));
    if (found?.candidates.length && !shown) return this.show(text, found);
    if (!this.errors.hasChildNodes()) this.open(this.question(text));
  }

  /** The address at which a text is asked, on the day of the page. @param {string} text */
  question(text) {
    return chatAddress({ ask: text, day: this.view.query.get("day") });
  }

  /** @param {string} address */
  open(address) {
    this.close();
    location.hash = address;
  }
}
