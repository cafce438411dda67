/**
 * Conversations with the assistant: the list of sessions next to the one that is open.
 * @module
 */

import { button, fill, h } from "../core/dom.js";
import { loading, showingErrors } from "../core/context.js";
import { day as dayText, when } from "../core/format.js";
import { Conversation } from "../parts/conversation.js";
import { confirmed } from "../parts/dialog.js";

const NOT_FOUND = 404;

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Chat");
  const open = view.path[0] ?? "";
  const [run, symbol, asked] = ["run", "symbol", "day"].map((name) => view.query.get(name));
  const choices = await view.choices();
  const list = h("div", {}, loading());
  const title = h("h1", { tabindex: "-1" }, symbol && !open ? `Chat about ${symbol}` : "Chat");
  const about = h("p", { class: "muted symbols" });
  const day = h("input", { id: "chat-day", type: "date", value: asked || choices.last_session, max: choices.recorded_until });
  const remove = button("Delete", () => removeSession(view, conversation.sessionId), { class: "button small", hidden: true });
  const conversation = new Conversation(view.api, {
    signal: view.signal,
    announce: view.announce,
    view: () => (run ? { page: "run", run_id: run } : symbol ? { page: "company", symbols: [symbol] } : null),
    day: () => (asked || day.value !== choices.last_session ? day.value || null : null),
    onChange: (session) => {
      title.textContent = session.title || "Chat";
      about.textContent = aboutOf(session);
      remove.hidden = false;
      welcome.remove();
      if (session.session_id !== open) {
        const context = new URLSearchParams([["run", run], ["symbol", symbol]].filter(([, value]) => value)).toString();
        history.replaceState(null, "", `#/chat/${encodeURIComponent(session.session_id)}${context ? `?${context}` : ""}`);
        showingErrors(list, () => sessions(view, list, session.session_id));
      }
    },
  });
  const welcome = h("div", { class: "stack", hidden: Boolean(open) },
    h("div", { class: "toolbar" }, h("div", { class: "field" }, h("label", { for: day.id }, "Day of the conversation"), day, h("small", {}, "Only what was public by the close of this day is known to it."))),
    run ? null : h("div", {}, h("p", { class: "muted" }, "For example:"), h("ul", { class: "plain" }, examples(choices, symbol).map((text) =>
      h("li", {}, button(text, () => { conversation.input.value = text; conversation.send(); }, { class: "link" }))))));
  conversation.entries.before(welcome);
  fill(view.main, h("div", { class: "chat" },
    h("aside", { class: "sessions", "aria-label": "Conversations" }, h("a", { class: "button primary", href: "#/chat" }, "New chat"), list),
    h("section", { class: "chat-main", "aria-label": "Conversation" }, h("header", { class: "view-head" }, title, remove), about, conversation.element)));
  if (run || symbol) conversation.input.placeholder = run ? "Ask about this run…" : `Ask about ${symbol}…`;
  await sessions(view, list, open);
  conversation.input.focus();
  const first = view.query.get("ask");
  if (first && !open) {
    history.replaceState(null, "", "#/chat"); // going back must not ask again
    conversation.input.value = first;
    await conversation.send();
  }
  if (open) await showingErrors(conversation.errors, () => conversation.open(open).catch((error) => {
    if (error.status === NOT_FOUND) title.textContent = "No such conversation";
    throw error;
  }));
}

/** What a conversation is about: symbols, and its day where it has one of its own. */
function aboutOf({ symbols, defaults }) {
  const parts = [symbols.length ? `About ${symbols.join(", ")}` : "", defaults?.as_of ? `on ${dayText(defaults.as_of)}` : ""].filter(Boolean).join(" ");
  return parts.charAt(0).toUpperCase() + parts.slice(1);
}

/** Questions that can be asked, of which one begins a conversation. */
function examples(choices, symbol) {
  const [one = "AAPL", other = "MSFT"] = [...new Set([symbol, ...(choices.tickers ?? []), "AAPL", "MSFT"].filter(Boolean))];
  return [`Why did ${one} move?`, `Compare ${one} and ${other}`, `What is ${one} worth?`, `What is in the news on ${one}?`, "How was the market?", "What can you do?"];
}

async function sessions(view, list, open) {
  const found = await view.api.get("/v1/sessions?limit=50", view.signal);
  fill(list, found.length ? h("ul", { class: "session-list" }, found.map((one) => h("li", {},
    h("a", { href: `#/chat/${encodeURIComponent(one.session_id)}`, "aria-current": one.session_id === open ? "page" : null },
      h("span", { class: "session-title" }, one.title || "Untitled"), h("small", { class: "muted" }, when(one.updated_at))))))
    : h("p", { class: "empty" }, "No conversation yet."));
}

async function removeSession(view, sessionId) {
  if (!(await confirmed("Delete this conversation with its transcript?", "Delete it"))) return;
  await view.api.request(`/v1/sessions/${encodeURIComponent(sessionId)}`, { method: "DELETE" });
  location.hash = "#/chat";
}

