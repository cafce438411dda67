"""`tradingagents paper init`: make a paper account."""

from __future__ import annotations

from typing import Annotated

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

WHAT, LIMITED, SHORT, COSTS = "Account", "Limits", "Short positions", "Costs"

AccountName = Annotated[
    str,
    typer.Option("--account", metavar="NAME", help="Name of the account.", rich_help_panel=WHAT),
]


def _number(flag: str, text: str, panel: str = LIMITED, most: float | None = 1) -> float:
    """Declare an option with a number of 0 or more."""
    declared: float = typer.Option(flag, metavar="X", min=0, max=most, help=text, rich_help_panel=panel)
    return declared


@with_options(options.LIST, lambda given: {"account": given["account"]})
def init(
    account: AccountName = "main",
    tickers: Annotated[
        str | None,
        typer.Option(
            "--tickers",
            metavar="LIST",
            help="Symbols, separated by commas; default: the watch list, as it is on each day.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    cash: Annotated[float, typer.Option("--cash", min=1, help="What it begins with.", rich_help_panel=WHAT)] = 1e5,
    currency: Annotated[
        str,
        typer.Option(
            "--currency",
            metavar="CODE",
            help="Of the account; tickers in others are converted at the rates known.",
            rich_help_panel=WHAT,
        ),
    ] = "USD",
    every: Annotated[
        int, typer.Option("--every", min=1, help="Sessions from one decision to the next.", rich_help_panel=WHAT)
    ] = 1,
    scheme: Annotated[
        str,
        typer.Option(
            "--weights", metavar="NAME", help="confidence, equal, inverse_volatility or hrp.", rich_help_panel=WHAT
        ),
    ] = "confidence",
    benchmark: Annotated[
        str | None,
        typer.Option(
            "--benchmark", metavar="SYMBOL", help="To compare with; default: that of the market.", rich_help_panel=WHAT
        ),
    ] = None,
    max_positions: Annotated[
        int, typer.Option("--max-positions", min=1, help="Positions at most.", rich_help_panel=LIMITED)
    ] = 15,
    max_position: Annotated[float, _number("--max-position", "Largest position.")] = 0.15,
    max_sector: Annotated[float, _number("--max-sector", "Largest sector.")] = 0.35,
    min_cash: Annotated[float, _number("--min-cash", "Smallest share of cash.")] = 0.05,
    short: Annotated[
        bool, typer.Option("--short/--no-short", help="Let SELL sell borrowed shares.", rich_help_panel=SHORT)
    ] = False,
    max_short: Annotated[float, _number("--max-short", "Largest short position.", SHORT)] = 0.1,
    max_gross: Annotated[float, _number("--max-gross", "Long and short together.", SHORT, None)] = 1.5,
    borrow_bp: Annotated[
        float, _number("--borrow-bp", "Yearly fee for borrowed shares, in basis points.", SHORT, None)
    ] = 50.0,
    commission: Annotated[float, _number("--commission", "Per share.", COSTS, None)] = 0.005,
    min_commission: Annotated[float, _number("--min-commission", "Per order.", COSTS, None)] = 1.0,
    half_spread: Annotated[float, _number("--half-spread", "Fraction of the price, each way.", COSTS)] = 0.0002,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Make a paper account: its cash, tickers, limits and costs.

    They stay as they are; make another account to try others. Nothing is decided before the first run, which is the day
    the account begins.
    """
    with terminal.loading():
        from tradingagents.backtest.broker import TradingCosts
        from tradingagents.backtest.limits import RiskLimits, ShortRules
        from tradingagents.backtest.paper.account import PaperAccount
        from tradingagents.backtest.paper.plan import PaperPlan
        from tradingagents.backtest.weights import checked_scheme

        named = tuple(one.strip() for one in (tickers or "").split(",") if one.strip())
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
        )
    made = PaperAccount.create(read_both(flags)[0].home_dir, plan)
    if terminal.json:
        terminal.print_json({"account": plan.name, "folder": str(made.folder), "plan": plan.to_json()})
    elif not terminal.quiet:
        what = ", ".join(plan.tickers) or "the watch list"
        words = f"Account {plan.name}: {plan.deposit:,.2f} {plan.currency} for {what}. Folder: {made.folder}"
        terminal.out.print(words, markup=False, soft_wrap=True)
    return 0
