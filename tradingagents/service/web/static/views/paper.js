/**
 * Paper accounts: a list with that of forward records, and one next to its benchmark.
 * @module
 */

import { button, fill, h, table } from "../core/dom.js";
import { loading, showingErrors, viewHead } from "../core/context.js";
import { change, price } from "../core/format.js";
import { reportOf } from "../parts/report_page.js";
import { named } from "./backtests.js";

/** @param {import("../core/context.js").View} view */
export async function show(view) {
  const [name] = view.path;
  const title = name ? `Paper account ${name}` : "Paper accounts";
  view.setTitle(title);
  fill(view.main, viewHead(title), loading());
  fill(view.main, viewHead(title), name ? await accountShown(view, name) : [listed((await asked(view)).accounts), newAccount(view), forwardRecords(view)]);
}

async function asked(view, values = {}) {
  return (await view.api.ask("paper_accounts", values, "", view.signal)).result;
}

function listed(accounts) {
  if (!accounts.length) return h("p", { class: "empty" }, "There is no paper account yet. Make one below.");
  return table("Paper accounts", ["Account", "Tickers", "Until", "Worth", "Return", "Benchmark", "Positions", "Orders"], accounts.map((one) => (one.error ? [one.account, one.error] : [
    h("a", { href: `#/paper/${one.account}` }, one.account), named(one.tickers) || "the watch list", one.last_session ?? "not run yet", price(one.equity, one.currency), change(100 * one.total_return),
    one.benchmark_return === null ? "" : `${one.benchmark} ${change(100 * one.benchmark_return)}`, one.positions, one.orders,
  ])));
}

/** Every forward record; what their next opens allow is revealed from here. @param {import("../core/context.js").View} view */
function forwardRecords(view) {
  const box = h("div", {}, loading());
  const said = h("div", { role: "status" });
  const reveal = (record) => showingErrors(said, async () => {
    const { revealed } = (await view.api.ask("reveal_forward_record", { record }, "", view.signal)).result;
    fill(said, h("p", { class: "notice" }, `${record}: ${revealed.length ? `revealed ${revealed.join(", ")}` : "no session can be revealed now"}.`));
    await list();
  });
  const list = () => showingErrors(box, async () => {
    const { records } = (await view.api.ask("forward_records", {}, "", view.signal)).result;
    fill(box, records.length ? table("Forward records", ["Record", "Sessions", "Committed", "Too late", "Revealed", "Return", ""], records.map((one) => [
      one.name, one.committed ? `${one.first} to ${one.last}` : "none yet", one.committed, one.late, one.revealed,
      one.total_return === null ? "nothing revealed" : change(100 * one.total_return), button("Reveal", () => reveal(one.name), { "aria-label": `Reveal ${one.name}` }),
    ])) : h("p", { class: "empty" }, "There is no forward record yet; ", h("code", {}, "tradingagents record start"), " begins one."));
  });
  list();
  return h("section", { class: "stack", id: "forward-records" }, h("h2", {}, "Forward records"), box, said);
}

/** The form that makes an account. */
function newAccount(view) {
  const said = h("div", { role: "status" });
  const field = (name, label, attributes, help) => h("div", { class: "field" }, h("label", { for: `paper-${name}` }, label), h("input", { id: `paper-${name}`, name, autocomplete: "off", spellcheck: "false", ...attributes }), help ? h("small", {}, help) : null);
  const choice = (name, label, options) => h("div", { class: "field" }, h("label", { for: `paper-${name}` }, label), h("select", { id: `paper-${name}`, name }, options.map(([value, text]) => h("option", { value }, text))));
  const form = h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); make(); } },
    h("div", { class: "fields" },
      field("name", "Name", { required: true, value: "main" }, "Small letters, digits, - and _."),
      field("tickers", "Tickers", { placeholder: "AAPL, MSFT" }, "Empty: the watch list, as it is on each day."),
      field("deposit", "Cash to begin with", { type: "number", min: 1, step: "any", value: 100000, required: true }), field("currency", "Currency", { value: "USD", maxlength: 3, required: true }),
      field("every", "Sessions between decisions", { type: "number", min: 1, step: 1, value: 1, required: true }), field("benchmark", "Compare with", { placeholder: "the market's" }),
      choice("scheme", "Weights", [["confidence", "by confidence"], ["equal", "equal"], ["inverse_volatility", "by inverse volatility"], ["hrp", "by hierarchical risk parity"]]),
      choice("exits", "Between decisions", [["none", "nothing is closed"], ["plan", "stop and target of the decision close"]])),
    h("p", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, "Make it"), h("span", { class: "muted" }, "Its rules stay as they are.")), said);
  const make = () => showingErrors(said, async () => {
    const given = Object.fromEntries(new FormData(form));
    const plan = { name: given.name.trim(), tickers: given.tickers.split(/[\s,;]+/).filter(Boolean), deposit: Number(given.deposit), currency: given.currency.trim(), every: Number(given.every), scheme: given.scheme, exits: given.exits };
    if (given.benchmark.trim()) plan.benchmark = given.benchmark.trim().toUpperCase();
    const { account } = await view.api.send("/v1/paper", { plan });
    view.announce(`The account ${account} is made.`);
    location.hash = `#/paper/${account}`;
  });
  return h("details", { class: "card", id: "new-account" }, h("summary", {}, "New account"), form);
}

/** Return an account as it stands, and what can be done with it. */
export async function accountShown(view, account) {
  const { page } = await asked(view, { account, page: true });
  const checked = h("div", { role: "status" });
  const verify = () => showingErrors(checked, async () => {
    const { verified } = await asked(view, { account, verify: true });
    fill(checked, h("p", { class: "notice" }, `${verified.sessions} sessions and ${verified.decisions} decisions agree; ${verified.not_stored} are no longer stored.`));
  });
  return h("div", { class: "stack" }, h("p", { class: "actions" }, h("a", { class: "button", href: "#/paper" }, "All accounts"),
    h("a", { class: "button primary", href: `#/new?kind=paper_run&account=${account}` }, "Run it"), button("Verify", verify)), checked, reportOf(page));
}
