"""`tradingagents paper init`: make a paper account."""

from __future__ import annotations

from typing import Annotated

from tradingagents.errors import UsageError

from .. import options
from ..backtest_request import EXITS
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

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
        from tradingagents.features.backtest.broker import TradingCosts
        from tradingagents.features.backtest.exits import checked_exits
        from tradingagents.features.backtest.limits import RiskLimits, ShortRules
        from tradingagents.features.backtest.paper.account import PaperAccount
        from tradingagents.features.backtest.paper.plan import PaperPlan
        from tradingagents.features.backtest.weights import checked_scheme

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
