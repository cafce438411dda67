"""How a backtest is worded: names of strategies, the span that figures cover, numbers, intervals, money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.features.backtest.strategies import DECISIONS
from tradingagents.features.backtest.variants.decided import TITLES
from tradingagents.schemas.decision import Decision

NAMES = {
    "decisions": "Decisions",
    "buy_and_hold": "Buy and hold",
    "equal_weight": "Equal weight, monthly",
    "always_buy": "Always buy",
    "random": "Random (decisions shuffled)",  # of results before there were random deciders
    "macd": "MACD",
    "kdj_rsi": "KDJ & RSI",
    "zmr": "ZMR",
    "sma": "SMA cross",
    "momentum": "Momentum 12-1",
    "benchmark": "Benchmark fund",
    "60_40": "60/40",
    "sector_funds": "Sector funds",
    **{name: title for name, title in TITLES.items() if name != DECISIONS},
}


def ratio_basis(record: Mapping[str, Any]) -> str:
    """Say what a ratio is of: `beyond bills`, or `of plain returns` where the result knows no bills."""
    return "of plain returns" if record.get("bills") is None else "beyond bills"


def span(record: Mapping[str, Any]) -> tuple[float, str]:
    """Return the factor that turns a yearly difference into the one that is shown, and the span of that in words.

    A test shorter than a year shows the difference over its own sessions, since nothing says that a whole year would
    have gone on like them. `SESSIONS_PER_YEAR` counts returns, of which there is one fewer than sessions, as in
    `StrategyScore.under_a_year`.
    """
    sessions: int = record["sessions"]
    if sessions > SESSIONS_PER_YEAR:
        return 1.0, "a year"
    return sessions / SESSIONS_PER_YEAR, f"over the {sessions} sessions"


def title_of(name: str) -> str:
    """Return a strategy's name for people."""
    scheme = name.removeprefix("weights_")
    return f"Decisions, weights {scheme.replace('_', ' ')}" if scheme != name else NAMES.get(name, name)


def yearly(score: Mapping[str, Any]) -> float | None:
    """Return a strategy's annual return; of a test shorter than a year the extrapolated one, to be labelled so."""
    found: float | None = score["annual_return"]
    extrapolated: float | None = score["extrapolated_annual_return"]
    return extrapolated if found is None else found


def interval(test: Mapping[str, Any] | None, scale: float) -> str:
    """Return a difference with its interval; empty for none.

    Args:
        scale: See `span`.
    """
    if test is None:
        return ""
    value, low, high = (percent(scale * test[name]) for name in ("difference", "low", "high"))
    return f"{value} ({low} to {high})"


def smallest(test: Mapping[str, Any] | None, scale: float) -> str:
    """Return the smallest edge that a test could have seen; empty for none."""
    return "" if test is None else percent(scale * test["smallest_edge"])


def money(value: float | None) -> str:
    """Return an amount with cents; a dash for none, such as the interest of results of earlier versions."""
    return "-" if value is None else f"{value:,.2f}"


def percent(value: float | None) -> str:
    """Return a fraction in percent; a dash for none."""
    return "-" if value is None else f"{_unsigned_zero(f'{100 * value:.1f}')} %"


def sureness(decision: Decision) -> str:
    """Return how sure a decision is: the stated confidence of a language model, or how strongly rules speak."""
    return percent(decision.confidence) if decision.strength is None else number(decision.strength)


def number(value: float | None) -> str:
    """Return a number with two decimals; a dash for none."""
    return "-" if value is None else _unsigned_zero(f"{value:.2f}")


def brier_score(value: float | None) -> str:
    """Return a Brier score with three decimals, since those of good and bad confidence lie close; a dash for none."""
    return "-" if value is None else _unsigned_zero(f"{value:.3f}")


def _unsigned_zero(shown: str) -> str:
    """Return a rounded number without the sign of a zero."""
    return shown.removeprefix("-") if float(shown) == 0 else shown
