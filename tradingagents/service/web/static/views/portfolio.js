/**
 * What the user holds: value, day change, weight, share of the risk and last decision of each holding; and its import.
 * @module
 */

import { button, field, fill, h, table } from "../core/dom.js";
import { errorBox, loading, reloading, showingErrors, viewHead } from "../core/context.js";
import { capital, inWords, number, price } from "../core/format.js";
import { bookEditor, cashOf } from "../parts/book_editor.js";
import { symbolLink } from "../parts/symbols.js";
import { shareShown } from "./investors.js";
import { analyzeButton } from "./start.js";
import { lastDecision, moved } from "./watchlist.js";

const EXAMPLE = "ticker,quantity,average price,currency\nAAPL,100,150.00,USD\nCASH,5000,,USD";
/** Bytes that are turned into text at once. */
const PIECE = 32768;
/** Fields that let a decision count what is held. */
const WITH_BOOK = { book: "stored" };

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  view.setTitle("Portfolio");
  const choices = await view.choices();
  const result = h("div", { class: "stack" });
  const day = h("input", { id: "book-day", type: "date", value: view.query.get("day") ?? choices.recorded_until ?? "", max: choices.recorded_until });
  const importer = h("details", { class: "card", id: "import" }, h("summary", {}, "Import what you hold"));
  const load = reloading(view.signal, result, (signal) => loadBook(view.api, signal, day.value, result, importer, load));
  importer.append(importForm(view, choices, async () => { importer.open = false; await load(); }));
  fill(view.main,
    viewHead("Portfolio", h("a", { class: "button", href: "#/paper" }, "Paper accounts"), h("a", { class: "button", href: "#/investors" }, "Investors")),
    h("form", { class: "toolbar", onsubmit: (event) => { event.preventDefault(); load(); } },
      field("As of", day),
      h("button", { type: "submit", class: "button primary" }, "Show")),
    result, importer);
  await load();
}

/** Show the book of a day, or what to do where there is none. */
async function loadBook(api, signal, day, result, importer, reload) {
  fill(result, loading());
  const stored = await api.get("/v1/books", signal);
  if (!stored.length) {
    importer.open = true;
    fill(result, h("p", { class: "empty" }, "Nothing is stored yet. Import a file of your broker below: it stays on this machine, readable by you only."));
    return;
  }
  const risk = h("section", { class: "card stack", "aria-label": "Risk" }, loading("Measuring the risk…"));
  const [answer, profile] = [api.ask("book", {}, day, signal), api.ask("book_risk", {}, day, signal)];
  profile.catch(() => null); // shown in its own section
  const overview = (await answer).result;
  const of = stored.find((one) => one.day === overview.book_day) ?? stored[0];
  fill(result, summary(overview, of.book), holdings(overview, null), bookEditor(api, of, reload), risk, notesOf(overview), storedBooks(api, stored, reload));
  try {
    const found = (await profile).result;
    fill(risk, riskOf(found, overview.currency));
    result.querySelector("[data-holdings]")?.replaceWith(holdings(overview, found));
  } catch (error) {
    if (error?.name !== "AbortError") fill(risk, h("h2", {}, "Risk"), errorBox(error));
  }
}

function summary(overview, book) {
  const changes = overview.holdings.map((holding) => holding.change).filter((value) => value !== null);
  const gained = changes.reduce((sum, value) => sum + value, 0);
  const before = overview.equity - gained;
  const facts = [
    ["Worth", price(overview.equity, overview.currency)],
    ["Since the close before", changes.length ? [moved(before > 0 ? (100 * gained) / before : null), " ", signed(gained, overview.currency)] : "n/a"],
    ["Cash", Object.keys(book.cash ?? {}).length ? price(overview.cash, overview.currency) : "not named"],
    ["Holdings", String(overview.holdings.length)],
  ];
  return h("section", { class: "card stack" },
    h("h2", {}, `Your book of ${overview.book_day}, as of ${overview.as_of}`),
    levels(facts),
    h("ul", { class: "plain" }, overview.sentences.slice(1).map((sentence) => h("li", {}, inWords(sentence.said)))),
    h("p", { class: "actions" },
      h("a", { class: "button primary", href: `#/new?${new URLSearchParams({ kind: "auto", day: overview.as_of, ...WITH_BOOK })}` }, "Scan, and decide on all holdings"),
      h("a", { class: "button", href: "#/data/rebalance" }, "Rebalance"),
      h("a", { class: "button", href: "#/data/book_risk" }, "All figures of the risk")));
}

/** The holdings as a table; the share of the risk is added when it has been measured. */
function holdings(overview, profile) {
  const shares = Object.fromEntries((profile?.holdings ?? []).map((holding) => [holding.symbol, holding.contribution]));
  const largest = Math.max(...overview.holdings.map((holding) => Math.abs(holding.weight ?? 0)), 0);
  const rows = overview.holdings.map((holding) => [
    h("span", {}, symbolLink(holding.symbol, overview.as_of), holding.note ? h("small", { class: "muted block" }, holding.note) : null),
    number(holding.quantity), h("span", { class: "nowrap" }, price(holding.price, holding.currency)),
    h("span", { class: "nowrap" }, h("span", { class: "sorted-by" }, moved(holding.change_pct)), holding.change === null ? "" : h("small", { class: "muted block" }, signed(holding.change))),
    h("span", { class: "nowrap" }, price(holding.value)),
    holding.weight === null ? "n/a" : shareShown(100 * holding.weight, 100 * largest),
    profile === null ? "…" : holding.symbol in shares ? `${(100 * shares[holding.symbol]).toFixed(2)}%` : "n/a",
    holding.gain === null ? "n/a" : moved(100 * holding.gain),
    holding.next_results ? [h("span", { class: "nowrap" }, holding.next_results), holding.results_expected ? h("small", { class: "muted block" }, "expected") : null] : null,
    h("span", { class: "nowrap" }, lastDecision(holding.decision), " ", analyzeButton(holding.symbol, overview.as_of, WITH_BOOK)),
  ]);
  const head = ["Symbol", "Quantity", "Price", "1 day", `Value (${overview.currency})`, "Weight", "Of the risk", "Gain", "Next results", "Last decision"];
  return h("div", { dataset: { holdings: "" } }, rows.length ? table("Holdings", head, rows) : h("p", { class: "empty" }, "Nothing is held."));
}

function riskOf(profile) {
  const [month, loss] = profile.worst_months[0] ?? [];
  const facts = [
    ["Volatility a year", `${(100 * profile.volatility).toFixed(2)}%`],
    [profile.benchmark ? `Beta to ${profile.benchmark}` : "Beta", profile.beta === null ? "n/a" : profile.beta.toFixed(2)],
    ["Largest fall measured", `${(-100 * profile.drawdown).toFixed(2)}%`],
    ["Worst month", month ? `${(100 * loss).toFixed(2)}% (${month})` : "n/a"],
    ["As concentrated as", `${profile.effective_holdings.toFixed(2)} equal holdings`],
  ];
  return [h("h2", {}, "Risk"), levels(facts),
    h("div", { class: "columns" }, exposure("Sector", profile.sectors), exposure("Currency", profile.currencies)),
    h("p", { class: "muted" }, `Measured over ${profile.start} to ${profile.end}, as weighted today.`), notesOf(profile)];
}

function exposure(title, shares) {
  const rows = Object.entries(shares).sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  const cells = rows.map(([name, share]) => [capital(name.replace(/[_-]/g, " ")), shareShown(100 * share, 100 * (rows[0]?.[1] ?? 0))]);
  return table(`Weights by ${title.toLowerCase()}`, [title, "Weight"], cells);
}

function notesOf(result) {
  return result.notes?.length ? h("ul", { class: "plain" }, result.notes.map((note) => h("li", { class: "notice" }, note))) : null;
}

/** The days of which books are stored, each with a button that deletes it. */
function storedBooks(api, stored, reload) {
  const said = h("div", { role: "status" });
  const remove = (one) => showingErrors(said, async () => {
    await api.request(`/v1/books/${encodeURIComponent(one.day)}`, { method: "DELETE" });
    await reload();
  });
  const rows = stored.map((one) => {
    const sure = h("span", {}, button("Delete", () => fill(sure, "For good? ", button("Yes, delete", () => remove(one), { class: "button small danger" })), { class: "button small", "aria-label": `Delete the book of ${one.day}` }));
    return [one.day, one.book.positions.length, cashText(one.book.cash), sure];
  });
  return h("details", { class: "card" }, h("summary", {}, `Stored books (${stored.length})`), said, table("Stored books", ["Day", "Positions", "Cash", "Delete"], rows));
}

/** The form that reads a file or pasted rows, shows what was read, and stores it when the user says so. */
function importForm(view, choices, stored) {
  const file = h("input", { id: "book-file", type: "file", accept: ".csv,.tsv,.txt,.json,.xlsx" });
  const text = h("textarea", { id: "book-text", rows: 5, spellcheck: "false", autocomplete: "off", placeholder: EXAMPLE });
  const day = h("input", { id: "import-day", type: "date", max: choices.recorded_until });
  const cash = h("input", { id: "import-cash", autocomplete: "off", placeholder: "USD 5000, EUR 200" });
  const said = h("div", { class: "stack", role: "status" });
  const check = reloading(view.signal, said, async (signal) => {
    fill(said, loading("Reading…"));
    const body = { ...await contentOf(file, text), day: day.value || null, cash: cashOf(cash.value) };
    const found = await view.api.send("/v1/books", { ...body, store: false });
    if (signal.aborted) return;
    const store = button("Store it", () => showingErrors(said, async () => {
      const { day: of } = await view.api.send("/v1/books", { ...body, day: found.day });
      view.announce(`The book of ${of} is stored.`);
      for (const input of [file, text, cash]) input.value = "";
      fill(said);
      await stored();
    }), { class: "button primary" });
    fill(said, preview(found.book), h("p", { class: "actions" }, store, h("span", { class: "muted" }, `It replaces a book of ${found.day}, and nothing else.`)));
  });
  file.addEventListener("change", () => { if (file.files.length) check(); });
  return h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); check(); } },
    h("div", { class: "fields" },
      h("div", { class: "field" }, h("label", { for: "book-file" }, "File of your broker"), file, h("small", {}, "CSV, JSON or XLSX; a row a position: ticker and quantity, and average price, currency, account if known.")),
      field("Or paste the rows", text),
      h("div", { class: "field" }, h("label", { for: "import-day" }, "Day of the holdings"), day, h("small", {}, "If the file names none. Later splits adjust them. Empty: the last session.")),
      h("div", { class: "field" }, h("label", { for: "import-cash" }, "Cash"), cash, h("small", {}, "In place of the file's."))),
    h("p", { class: "actions" }, h("button", { type: "submit", class: "button" }, "Read it")), said);
}

function preview(book) {
  const rows = book.positions.map((position) => [position.symbol, number(position.quantity), price(position.average_price, position.currency ?? ""), position.account ?? ""]);
  return [h("h3", {}, `${rows.length} position${rows.length === 1 ? "" : "s"} on ${book.day}; cash ${cashText(book.cash)}`),
    rows.length ? table("What was read", ["Symbol", "Quantity", "Average price", "Account"], rows) : h("p", { class: "muted" }, "Nothing is held.")];
}

/** What the user gave, as the server takes it. */
async function contentOf(file, text) {
  const [chosen] = file.files;
  if (!chosen) {
    if (!text.value.trim()) throw new Error("Choose a file or paste rows.");
    return { text: text.value };
  }
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  let signs = "";
  for (let at = 0; at < bytes.length; at += PIECE) signs += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return { base64: btoa(signs) };
}

function cashText(cash) {
  return Object.entries(cash ?? {}).map(([currency, amount]) => price(amount, currency)).join(", ") || "not named";
}

function signed(value, unit = "") {
  return `${value > 0 ? "+" : ""}${price(value, unit)}`;
}

function levels(facts) {
  return h("dl", { class: "levels" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
