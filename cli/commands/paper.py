"""`tradingagents paper`: accounts that decide after each close and trade at the next open, with no money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from tradingagents.errors import UsageError

from .. import options
from ..backtest_request import EXITS
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import CommandEntry, command_group, exit_codes
from ..request import read_calendar_day

if TYPE_CHECKING:
    from datetime import date

    from tradingagents.features.backtest.paper.run import PaperRun

app = command_group(
    "Trade on paper: decide after each close, fill at the next open, with no money.",
    {
        "init": CommandEntry("paper:init", "Make a paper account: its cash, tickers, limits and costs."),
        "run": CommandEntry(
            "paper:run",
            "Take an account through the sessions that have closed since its last run, and decide.",
            exit_codes(several=False, approval=False),
        ),
        "status": CommandEntry(
            "paper:status", "Show positions, cash, waiting orders, decisions and return against the benchmark."
        ),
        "list": CommandEntry("paper:list_", "List the paper accounts."),
        "verify": CommandEntry(
            "paper:verify",
            "Check the ledger, the book and the decisions of an account.",
            "Exit codes: 0 they agree · 1 they do not · 2 usage · 3 a file is damaged.",
        ),
    },
)


WHAT, LIMITED, SHORT, COSTS = (
    options.HelpPanel("Account"),
    options.HelpPanel("Limits"),
    options.HelpPanel("Short positions"),
    options.HelpPanel("Costs"),
)

AccountName = Annotated[str, WHAT.option("--account NAME", "Name of the account.")]


@with_options(options.LIST, lambda given: {"account": given["account"]})
def init(
    account: AccountName = "main",
    tickers: Annotated[
        str | None,
        WHAT.option("--tickers LIST", "Symbols, separated by commas; default: the watch list, as it is on each day."),
    ] = None,
    cash: Annotated[float, WHAT.option("--cash", "What it begins with.", min=1)] = 1e5,
    currency: Annotated[
        str, WHAT.option("--currency CODE", "Of the account; tickers in others are converted at the rates known.")
    ] = "USD",
    every: Annotated[int, WHAT.option("--every", "Sessions from one decision to the next.", min=1)] = 1,
    scheme: Annotated[
        str, WHAT.option("--weights NAME", "confidence, equal, inverse_volatility or hrp.")
    ] = "confidence",
    benchmark: Annotated[
        str | None, WHAT.option("--benchmark SYMBOL", "To compare with; default: that of the market.")
    ] = None,
    max_positions: Annotated[int, LIMITED.option("--max-positions", "Positions at most.", min=1)] = 15,
    max_position: Annotated[float, LIMITED.option("--max-position X", "Largest position.", min=0, max=1)] = 0.15,
    max_sector: Annotated[float, LIMITED.option("--max-sector X", "Largest sector.", min=0, max=1)] = 0.35,
    min_cash: Annotated[float, LIMITED.option("--min-cash X", "Smallest share of cash.", min=0, max=1)] = 0.05,
    exits: Annotated[str, WHAT.option("--exits NAME", EXITS)] = "none",
    short: Annotated[bool, SHORT.option("--short/--no-short", "Let SELL sell borrowed shares.")] = False,
    max_short: Annotated[float, SHORT.option("--max-short X", "Largest short position.", min=0, max=1)] = 0.1,
    max_gross: Annotated[float, SHORT.option("--max-gross X", "Long and short together.", min=0)] = 1.5,
    borrow_bp: Annotated[
        float, SHORT.option("--borrow-bp X", "Yearly fee for borrowed shares, in basis points.", min=0)
    ] = 50.0,
    commission: Annotated[float, COSTS.option("--commission X", "Per share.", min=0)] = 0.005,
    min_commission: Annotated[float, COSTS.option("--min-commission X", "Per order.", min=0)] = 1.0,
    half_spread: Annotated[
        float, COSTS.option("--half-spread X", "Fraction of the price, each way.", min=0, max=1)
    ] = 0.0002,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Make a paper account: its cash, tickers, limits and costs.

    They stay as they are; make another account to try others. Nothing is decided before the first run, which is the day
    the account begins.
    """
    with terminal.loading():
        from tradingagents.analytics.holdings.weights import checked_scheme
        from tradingagents.features.backtest.broker import TradingCosts
        from tradingagents.features.backtest.exits import checked_exits
        from tradingagents.features.backtest.limits import RiskLimits, ShortRules
        from tradingagents.features.backtest.paper.account import PaperAccount
        from tradingagents.features.backtest.paper.plan import PaperPlan

        named = tuple(word.strip() for word in (tickers or "").split(",") if word.strip())
        if tickers is not None and not named:
            raise UsageError("Name tickers, or leave the option out for the watch list.")
        plan = PaperPlan(
            name=account,
            tickers=named,
            deposit=cash,
            currency=currency,
            every=every,
            scheme=checked_scheme(scheme),
            benchmark=benchmark,
            costs=TradingCosts(commission, min_commission, half_spread),
            limits=RiskLimits(max_positions, max_position, max_sector, min_cash),
            shorts=ShortRules(max_short=max_short, max_gross=max_gross, borrow_bp=borrow_bp) if short else None,
            exits=checked_exits(exits),
        )
    made = PaperAccount.create(read_both(flags)[0].home_dir, plan)
    if terminal.json:
        terminal.print_json({"account": plan.name, "folder": str(made.folder), "plan": plan.to_json()})
    elif not terminal.quiet:
        what = ", ".join(plan.tickers) or "the watch list"
        words = f"Account {plan.name}: {plan.deposit:,.2f} {plan.currency} for {what}. Folder: {made.folder}"
        terminal.print_text(words)
    return 0


WHEN = options.RUN


@with_options(options.PAPER, lambda given: {"account": given["account"], "date": given["day"]})
def run(
    account: AccountName = "main",
    day: Annotated[
        str | None,
        WHEN.option(
            "--date DATE", "The day it is, for recorded or simulated data; default: the last session that has closed."
        ),
    ] = None,
    decide_missed: Annotated[
        bool,
        WHEN.option(
            "--decide-missed", "Decide on sessions without a run, too, each with what was known after its close."
        ),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Take an account through the sessions that have closed since its last run, and decide.

    Waiting orders are filled at the open of each session, the account is marked at its close, and after the last close
    the models decide on orders for the next open. A second run on a day does nothing; a killed one continues.
    """
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.features.backtest.kind import PaperRunRequest
        from tradingagents.features.backtest.paper.run import run_paper
        from tradingagents.features.backtest.paper.status import paper_status
        from tradingagents.runtime.services import open_services

        from ..paper_output import print_status
        from ..session import run_until_done

        asked_day = read_calendar_day("--date", day)
        request = PaperRunRequest(account=account, day=asked_day, decide_missed=decide_missed)
        services = open_services(settings, environ)

    def tell(done: int, wanted: int) -> None:
        if not terminal.quiet and not terminal.json and done and (done == wanted or done % 10 == 0):
            terminal.err.print(f"{done} of {wanted} decisions", markup=False)

    work = run_paper(services, request.account, request.day, decide_missed=request.decide_missed, tell=tell)
    found = run_until_done(services, work, terminal)
    status = paper_status(settings.home_dir, account, found.until)
    if terminal.json:
        terminal.print_json({**status.to_json(), "status": "done", "run": found.to_json()})
        return 0
    terminal.note(_said(found, status.last_session))
    print_status(terminal.out, status)
    return 0


def _said(found: PaperRun, last: date | None) -> str:
    """Say what a run did."""
    if not found.sessions:
        return f"{found.until} is recorded already, the account has reached {last}; there is nothing to do."
    count = len(found.sessions)
    sessions = "session" if count == 1 else "sessions"
    added = f"{count} {sessions} added, up to {found.until}; decisions taken: {found.decided}."
    if found.undecided:
        return f"{added} Nothing was decided on {len(found.undecided)} missed; --decide-missed does."
    return added


@with_options(options.LIST, lambda given: {"account": given["account"]})
def status(account: AccountName = "main", *, flags: Flags, terminal: Terminal) -> int:
    """Show positions, cash, waiting orders, decisions and return against the benchmark."""
    with terminal.loading():
        from tradingagents.features.backtest.paper.status import paper_status

        from ..paper_output import print_status

        found = paper_status(read_both(flags)[0].home_dir, account)
    if terminal.json:
        terminal.print_json(found.to_json())
    else:
        print_status(terminal.out, found)
    return 0


@with_options(options.LIST)
def list_(*, flags: Flags, terminal: Terminal) -> int:
    """List the paper accounts."""
    with terminal.loading():
        from tradingagents.features.backtest.paper.status import list_paper_accounts

        from ..paper_output import print_accounts

        found = list_paper_accounts(read_both(flags)[0].home_dir)
    if terminal.json:
        terminal.print_json({"accounts": [account.model_dump(mode="json") for account in found]})
    elif found:
        print_accounts(terminal.out, found)
    elif not terminal.quiet:
        words = "There is no paper account; make one with: tradingagents paper init"
        terminal.err.print(words, markup=False, soft_wrap=True)
    return int(any(account.error for account in found))


@with_options(options.LIST, lambda given: {"account": given["account"]})
def verify(account: AccountName = "main", *, flags: Flags, terminal: Terminal) -> int:
    """Check the ledger, the book and the decisions of an account.

    Every line must have the hash that continues the line before, and every session must add up to the cent. The book
    must be what the postings give, and the stored decisions must be those that the ledger has.
    """
    from dataclasses import asdict

    with terminal.loading():
        from tradingagents.features.backtest.paper.status import verify_paper

        found = verify_paper(read_both(flags)[0].home_dir, account)
    if terminal.json:
        terminal.print_json({**asdict(found), "status": "verified"})
        return 0
    missing = f"; {found.not_stored} are no longer stored" if found.not_stored else ""
    words = f"{found.name}: {found.sessions} sessions and {found.decisions} decisions agree{missing}. {found.head}"
    terminal.print_text(words)
    return 0
