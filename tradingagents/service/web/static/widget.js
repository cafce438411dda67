/**
 * The chat in other pages: a script that adds the element `<tradingagents-chat>`.
 *
 *     <script type="module" src="SERVER/static/widget.js"></script>
 *     <tradingagents-chat server="SERVER" title="Ask TradingAgents"></tradingagents-chat>
 *
 * The server must allow the origin of the page (`server_allowed_origins`). The token is asked for in the widget, or the
 * page's script sets the property `token`; it is kept for the tab only.
 * @module
 */

import { Api } from "./core/api.js";
import { button, fill, h, icon } from "./core/dom.js";
import { Conversation } from "./parts/conversation.js";

const TOKEN = "tradingagents-widget-token";
const STYLES = ["chart.css", "app.css", "widget.css"];

class TradingAgentsChat extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.closing = new AbortController();
    this.api = new Api({ base: new URL(import.meta.url).origin, token: sessionStorage.getItem(TOKEN) });
  }

  /** The bearer token of the server. @param {string} value */
  set token(value) {
    this.api.token = value;
    sessionStorage.setItem(TOKEN, value);
    if (this.isConnected) this.show();
  }

  connectedCallback() {
    this.closing = new AbortController();
    const server = this.getAttribute("server");
    if (server) this.api.base = server.replace(/\/$/, "");
    this.api.onUnauthorized = () => this.askForToken();
    const title = this.getAttribute("title") ?? "Ask TradingAgents";
    this.body = h("div", { class: "widget-body" });
    this.box = h("section", { class: "widget", "aria-label": title, hidden: true },
      h("header", {}, h("strong", {}, title), button(icon("close"), () => this.toggle(false), { class: "button quiet", "aria-label": "Close the chat" })),
      this.body, h("p", { class: "widget-foot" }, "Research software; not investment advice."));
    this.opener = button([icon("chat"), ` ${title}`], () => this.toggle(true), { class: "button primary opener", "aria-expanded": "false" });
    const sheets = STYLES.map((name) => h("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href }));
    fill(this.shadowRoot, sheets, this.box, this.opener);
  }

  disconnectedCallback() {
    this.closing.abort();
  }

  /** @param {boolean} open */
  toggle(open) {
    this.box.hidden = !open;
    this.opener.hidden = open;
    this.opener.setAttribute("aria-expanded", String(open));
    if (!open) this.opener.focus();
    else if (!this.body.hasChildNodes()) this.show();
  }

  show() {
    if (!this.api.token) {
      this.askForToken();
      return;
    }
    this.conversation = new Conversation(this.api, { signal: this.closing.signal, view: () => ({ page: "widget", symbols: this.symbols() }) });
    fill(this.body, this.conversation.element);
    this.conversation.input.focus();
  }

  /** Symbols that the page is about, from the attribute `symbols`. */
  symbols() {
    return (this.getAttribute("symbols") ?? "").split(",").map((one) => one.trim()).filter(Boolean);
  }

  askForToken() {
    const input = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
    fill(this.body, h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); this.token = input.value.trim(); } },
      h("div", { class: "field" }, h("label", { for: "token" }, "Token of the server"), input, h("small", {}, "It is part of the address that the server prints.")),
      h("p", {}, h("button", { type: "submit", class: "button primary" }, "Continue"))));
    input.focus();
  }
}

customElements.define("tradingagents-chat", TradingAgentsChat);
