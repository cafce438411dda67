/**
 * Paper accounts: a list, and one next to its benchmark.
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
  fill(view.main, viewHead(title), name ? await accountShown(view, name) : listed((await asked(view)).accounts));
}

async function asked(view, values = {}) {
  return (await view.api.ask("paper_accounts", values, "", view.signal)).result;
}

function listed(accounts) {
  if (!accounts.length) return h("p", { class: "empty" }, "There is no paper account yet. Make one with `tradingagents paper init --tickers AAPL,MSFT`.");
  return table("Paper accounts", ["Account", "Tickers", "Until", "Worth", "Return", "Benchmark", "Positions", "Orders"], accounts.map((one) => (one.error ? [one.account, one.error] : [
    h("a", { href: `#/paper/${one.account}` }, one.account), named(one.tickers) || "the watch list", one.last_session ?? "not run yet", price(one.equity, one.currency), change(100 * one.total_return),
    one.benchmark_return === null ? "" : `${one.benchmark} ${change(100 * one.benchmark_return)}`, one.positions, one.orders,
  ])));
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
