/**
 * Conversations with the assistant: the list of sessions next to the one that is open.
 * @module
 */

import { button, fill, h } from "../core/dom.js";
import { loading, showingErrors } from "../core/context.js";
import { when } from "../core/format.js";
import { Conversation } from "../parts/conversation.js";
import { confirmed } from "../parts/dialog.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Chat");
  const open = view.path[0] ?? "";
  const run = view.query.get("run");
  const list = h("div", {}, loading());
  const title = h("h1", { tabindex: "-1" }, "Chat");
  const symbols = h("p", { class: "muted symbols" });
  const remove = button("Delete", () => removeSession(view, conversation.sessionId), { class: "button small", hidden: true });
  const conversation = new Conversation(view.api, {
    signal: view.signal,
    announce: view.announce,
    view: () => (run ? { page: "run", run_id: run } : null),
    onChange: (session) => {
      title.textContent = session.title || "Chat";
      symbols.textContent = session.symbols.length ? `About ${session.symbols.join(", ")}` : "";
      remove.hidden = false;
      if (session.session_id !== open) {
        history.replaceState(null, "", `#/chat/${encodeURIComponent(session.session_id)}${run ? `?run=${encodeURIComponent(run)}` : ""}`);
        showingErrors(list, () => sessions(view, list, session.session_id));
      }
    },
  });
  fill(view.main, h("div", { class: "chat" },
    h("aside", { class: "sessions", "aria-label": "Conversations" }, h("a", { class: "button primary", href: "#/chat" }, "New chat"), list),
    h("section", { class: "chat-main", "aria-label": "Conversation" }, h("header", { class: "view-head" }, title, remove), symbols, conversation.element)));
  if (run) conversation.input.placeholder = "Ask about this run…";
  await sessions(view, list, open);
  conversation.input.focus();
  const first = view.query.get("ask");
  if (first && !open) {
    history.replaceState(null, "", "#/chat"); // going back must not ask again
    conversation.input.value = first;
    await conversation.send();
  }
  if (open) await showingErrors(conversation.errors, () => conversation.open(open));
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

