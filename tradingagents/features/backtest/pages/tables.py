"""Tables of a backtest's page, from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.pages.trades import decision_id
from tradingagents.features.backtest.pages.wording import interval, money, number, percent, span, sureness, title_of
from tradingagents.features.backtest.postings import Clamp, OrderRest
from tradingagents.reports.document import Table
from tradingagents.reports.formatting import sureness_name

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
                percent(score["total_return"]),
                _annual(score),
                percent(score["annual_volatility"]),
                number(score["sharpe"]),
                number(score["sortino"]),
                percent(score["max_drawdown"]),
                number(score["calmar"]),
                percent(score["exposure"]),
            )
            for name, score in strategies.items()
        ],
    )


def gap_table(record: Record) -> Table:
    """Return each strategy's return beyond buy and hold with its interval, as it is and at equal exposure."""
    scale, words = span(record)
    rows = [
        (strategy_name(name), interval(score["ci"], scale), interval(score["ci_equal_exposure"], scale))
        for name, score in record["strategies"].items()
        if score["ci"] is not None or score["ci_equal_exposure"] is not None
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
                percent(score["turnover"]),
                *(money(score.get(key)) for key in ("commissions", "slippage", "model_cost", "dividends", "interest")),
                str(score["clamps"]),
                str(sum(score["unfilled"].values())),
            )
            for name, score in strategies.items()
        ],
    )


def paper_rows(record: Record) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the papers' table: each strategy on each ticker alone, then on all tickers."""
    strategies = record["strategies"]
    for ticker in record["request"]["tickers"]:
        for name, score in strategies.items():
            if ticker in score.get("tickers", {}):
                yield (ticker, strategy_name(name), *_papers(score["tickers"][ticker]))
    for name, score in strategies.items():
        yield ("all", strategy_name(name), *_papers(score))


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
            f"{percent(calls['low'])} to {percent(calls['high'])}",
            str(calls["calls"]),
            percent(calls["confidence"]),
            percent(calls["right"]),
        )
        for calls in bins
    ]
    return Table(("Confidence", "Calls", "Mean confidence", "Right"), rows)


def agent_table(rows: Sequence[Record]) -> Table:
    """Return how often each agent's opinion was right."""
    head = ("Agent", "Calls", "Days", "Right", "By chance", "Beyond chance, 95 %", "After bullish", "After bearish")
    return Table(
        head,
        [
            (
                row["who"],
                str(row["calls"]),
                str(row["days"]),
                *_shares(row),
                percent(row["after_bullish"]),
                percent(row["after_bearish"]),
            )
            for row in rows
            if not row["metric"]
        ],
    )


def reading_table(rows: Sequence[Record]) -> Table:
    """Return how often each figure pointed to the right side, those furthest from chance first."""
    own = sorted(
        (row for row in rows if row["metric"]), key=lambda row: (-abs(_beyond(row)), row["who"], row["reading"])
    )
    names = [(row["reading"], row["report"]) for row in own]
    return Table(
        ("Reading", "Analyst", "Calls", "Right", "By chance", "Beyond chance, 95 %"),
        [
            (
                f"{row['reading']} ({row['tool']})"
                if names.count((row["reading"], row["report"])) > 1
                else row["reading"],
                row["who"],
                str(row["calls"]),
                *_shares(row),
            )
            for row in own
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
                str(row["state"]).capitalize(),
                str(row["sessions"]),
                percent(row["decisions"]),
                percent(row["buy_and_hold"]),
                _interval_of(row["gap"], row["low"], row["high"]),
                str(row["calls"]["calls"]),
                percent(row["calls"]["right"]),
                percent(row["calls"]["by_chance"]),
            )
            for row in rows
            if row["about"] == about
        ],
    )


def decision_table(decided: Sequence[tuple[StoredDecision, float | None]]) -> Table:
    """Return the decisions on a ticker, each with what the stock did until the next one."""
    rows = [
        (
            stored.day.isoformat(),
            stored.decision.action,
            sureness(stored.decision),
            percent(change),
            decision_id(stored),
        )
        for stored, change in decided
    ]
    sure = sureness_name([stored.decision for stored, _ in decided])
    return Table(("Close of", "Decision", sure, "Return to the next", "Id"), rows)


def _annual(score: Record) -> str:
    """Return the annual return; one that is extrapolated from less than a year in brackets."""
    if score["annual_return"] is None and score.get("extrapolated_annual_return") is not None:
        return f"({percent(score['extrapolated_annual_return'])})"
    return percent(score["annual_return"])


def _papers(score: Record) -> tuple[str, ...]:
    return (
        _plain_percent(score["total_return"]),
        _annual(score).replace(" %", ""),
        number(score["sharpe"]),
        _plain_percent(None if score["max_drawdown"] is None else -score["max_drawdown"]),
    )


def _plain_percent(value: float | None) -> str:
    return percent(value).removesuffix(" %")


def _largest(what: str, value: float) -> str:
    return percent(value) if what == "Limit" else f"{value:,.0f} shares"


def _beyond(row: Record) -> float:
    return 0.0 if row["right"] is None or row["by_chance"] is None else row["right"] - row["by_chance"]


def _shares(row: Record) -> tuple[str, str, str]:
    """Return the share that was right, what chance gives, and the interval of the difference."""
    sign = {1: " +", -1: " -"}.get(row["tells"], "")
    low = row.get("beyond_low")  # results of earlier versions have another interval, which did not cover
    between = "" if low is None else f"{percent(low)} to {percent(row['beyond_high'])}"
    return f"{percent(row['right'])}{sign}", percent(row["by_chance"]), between


def _interval_of(value: float | None, low: float | None, high: float | None) -> str:
    return percent(value) if low is None else f"{percent(value)} ({percent(low)} to {percent(high)})"
