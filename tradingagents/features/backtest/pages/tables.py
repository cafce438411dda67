"""Tables of a backtest's page, from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tradingagents.features.backtest.breakdown.trades import decision_id
from tradingagents.features.backtest.engines.decision_store import StoredDecision
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.pages.report import interval, money, number, percent, span, title_of
from tradingagents.features.backtest.postings import Clamp, OrderRest
from tradingagents.reports.document import Table

PAPERS = ("Ticker", "Strategy", "CR %", "ARR %", "SR", "MDD %")
"""The columns in which papers on trading agents report: cumulative and annual return, Sharpe ratio, drawdown."""
Record = Mapping[str, Any]


def strategy_name(key: str) -> str:
    """Return what people call a strategy."""
    return title_of(key)


def return_table(strategies: Record) -> Table:
    """Return return and risk of each strategy."""
    head = ("Strategy", "Return", "CAGR", "Volatility", "Sharpe", "Sortino", "Drawdown", "Calmar", "Invested")
    return Table(
        head,
        [
            (
                strategy_name(name),
                percent(one["total_return"]),
                _annual(one),
                percent(one["annual_volatility"]),
                number(one["sharpe"]),
                number(one["sortino"]),
                percent(one["max_drawdown"]),
                number(one["calmar"]),
                percent(one["exposure"]),
            )
            for name, one in strategies.items()
        ],
    )


def gap_table(record: Record) -> Table:
    """Return each strategy's return beyond buy and hold with its interval, as it is and at equal exposure."""
    scale, words = span(record)
    rows = [
        (strategy_name(name), interval(one["ci"], scale), interval(one["ci_equal_exposure"], scale))
        for name, one in record["strategies"].items()
        if one["ci"] is not None or one["ci_equal_exposure"] is not None
    ]
    return Table(("Strategy", f"Gap, {words}", "At equal exposure"), rows)


def cost_table(strategies: Record) -> Table:
    """Return what each strategy paid and got."""
    head = ("Strategy", "Turnover", "Commissions", "Spread, impact", "Models", "Dividends", "Interest")
    return Table(
        (*head, "Clamps", "Not filled"),
        [
            (
                strategy_name(name),
                percent(one["turnover"]),
                *(money(one.get(key)) for key in ("commissions", "slippage", "model_cost", "dividends", "interest")),
                str(one["clamps"]),
                str(sum(one["unfilled"].values())),
            )
            for name, one in strategies.items()
        ],
    )


def paper_rows(record: Record) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the papers' table: each strategy on each ticker alone, then on all tickers."""
    strategies = record["strategies"]
    for ticker in record["request"]["tickers"]:
        for name, one in strategies.items():
            if ticker in one.get("tickers", {}):
                yield (ticker, strategy_name(name), *_papers(one["tickers"][ticker]))
    for name, one in strategies.items():
        yield ("all", strategy_name(name), *_papers(one))


def limit_table(ledger: BookLedger) -> Table:
    """Return which limits reduced targets and which orders were not filled, and how often."""
    counts: dict[tuple[str, str], list[float]] = {}
    for line in ledger.lines:
        for posting in line.postings:
            if isinstance(posting, Clamp):
                counts.setdefault(("Limit", posting.rule), []).append(posting.wanted - posting.allowed)
            elif isinstance(posting, OrderRest):
                counts.setdefault(("Not filled", posting.reason), []).append(abs(posting.shares))
    rows = [
        (what, reason.replace("_", " "), str(len(found)), _largest(what, max(found)))
        for (what, reason), found in sorted(counts.items())
    ]
    return Table(("What", "Reason", "Times", "Largest"), rows)


def reliability_table(bins: Sequence[Record]) -> Table:
    """Return the share of calls that was right, by stated confidence."""
    rows = [
        (
            f"{percent(one['low'])} to {percent(one['high'])}",
            str(one["calls"]),
            percent(one["confidence"]),
            percent(one["right"]),
        )
        for one in bins
    ]
    return Table(("Confidence", "Calls", "Mean confidence", "Right"), rows)


def agent_table(rows: Sequence[Record]) -> Table:
    """Return how often each agent's opinion was right."""
    head = ("Agent", "Calls", "Days", "Right", "By chance", "Beyond chance, 95 %", "After bullish", "After bearish")
    return Table(
        head,
        [
            (
                one["who"],
                str(one["calls"]),
                str(one["days"]),
                *_shares(one),
                percent(one["after_bullish"]),
                percent(one["after_bearish"]),
            )
            for one in rows
            if not one["metric"]
        ],
    )


def reading_table(rows: Sequence[Record]) -> Table:
    """Return how often each figure pointed to the right side, those furthest from chance first."""
    own = sorted(
        (one for one in rows if one["metric"]), key=lambda one: (-abs(_beyond(one)), one["who"], one["reading"])
    )
    names = [(one["reading"], one["report"]) for one in own]
    return Table(
        ("Reading", "Analyst", "Calls", "Right", "By chance", "Beyond chance, 95 %"),
        [
            (
                f"{one['reading']} ({one['tool']})"
                if names.count((one["reading"], one["report"])) > 1
                else one["reading"],
                one["who"],
                str(one["calls"]),
                *_shares(one),
            )
            for one in own
        ],
    )


def regime_table(rows: Sequence[Record], about: str) -> Table:
    """Return how the tested account did in each state."""
    head = (
        "State",
        "Sessions",
        "Decisions, a year",
        "Buy and hold",
        "Gap, equal exposure",
        "Calls",
        "Right",
        "By chance",
    )
    return Table(
        head,
        [
            (
                str(one["state"]).capitalize(),
                str(one["sessions"]),
                percent(one["decisions"]),
                percent(one["buy_and_hold"]),
                _interval_of(one["gap"], one["low"], one["high"]),
                str(one["calls"]["calls"]),
                percent(one["calls"]["right"]),
                percent(one["calls"]["by_chance"]),
            )
            for one in rows
            if one["about"] == about
        ],
    )


def decision_table(decided: Sequence[tuple[StoredDecision, float | None]]) -> Table:
    """Return the decisions on a ticker, each with what the stock did until the next one."""
    rows = [
        (
            stored.day.isoformat(),
            stored.decision.action,
            percent(stored.decision.confidence),
            percent(change),
            decision_id(stored),
        )
        for stored, change in decided
    ]
    return Table(("Close of", "Decision", "Confidence", "Return to the next", "Id"), rows)


def _annual(one: Record) -> str:
    """Return the annual return; one that is extrapolated from less than a year in brackets."""
    if one["annual_return"] is None and one.get("extrapolated_annual_return") is not None:
        return f"({percent(one['extrapolated_annual_return'])})"
    return percent(one["annual_return"])


def _papers(one: Record) -> tuple[str, ...]:
    return (
        _plain_percent(one["total_return"]),
        _annual(one).replace(" %", ""),
        number(one["sharpe"]),
        _plain_percent(None if one["max_drawdown"] is None else -one["max_drawdown"]),
    )


def _plain_percent(value: float | None) -> str:
    return percent(value).removesuffix(" %")


def _largest(what: str, value: float) -> str:
    return percent(value) if what == "Limit" else f"{value:,.0f} shares"


def _beyond(one: Record) -> float:
    return 0.0 if one["right"] is None or one["by_chance"] is None else one["right"] - one["by_chance"]


def _shares(one: Record) -> tuple[str, str, str]:
    """Return the share that was right, what chance gives, and the interval of the difference."""
    sign = {1: " +", -1: " -"}.get(one["tells"], "")
    low = one.get("beyond_low")  # results of earlier versions have another interval, which did not cover
    between = "" if low is None else f"{percent(low)} to {percent(one['beyond_high'])}"
    return f"{percent(one['right'])}{sign}", percent(one["by_chance"]), between


def _interval_of(value: float | None, low: float | None, high: float | None) -> str:
    return percent(value) if low is None else f"{percent(value)} ({percent(low)} to {percent(high)})"
