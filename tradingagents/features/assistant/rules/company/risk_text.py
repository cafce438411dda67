"""Sentences on how the price of one company moves: its risk, its falls, its place among its averages."""

from __future__ import annotations

from tradingagents.features.assistant.rules.company.daily_moves import fall_text, sessions_gap, sessions_of, swings_text
from tradingagents.features.assistant.rules.found import TurnAnswers, close_day, percent, places

SNAPSHOT = "market_snapshot"
DEEPEST = 3


def risk_text(found: TurnAnswers, symbol: str) -> str:
    """Return how much a price moves, and how deep it fell."""
    fact = found.one("risk_profile", symbol)
    if fact is None:
        return found.missing("risk_profile", symbol)
    first = dict(places(fact, "drawdowns")).get("0", {})
    if within := swings_text(found, symbol):
        return within
    if _is_of_days(found) and not sessions_of(found, symbol):
        return sessions_gap(found, symbol)
    return found.say(
        "risk",
        who=found.who(symbol),
        vol=fact.shown.get("volatility_252d", "n/a"),
        vol20=fact.shown.get("volatility_20d", "n/a"),
        beta=fact.shown.get("beta", "n/a"),
        deepest=fact.shown.get("drawdown_1", "n/a"),
        spans=f"{first.get('peak', '')} to {first.get('trough', '')}",
        now=percent(fact.figures.get("current_drawdown", 0.0)),
    )


def _is_of_days(found: TurnAnswers) -> bool:
    """Tell whether a question asks about several days that are not the last year, which is told anyway."""
    days = found.frame.days
    return days.window and days.start != days.end and (days.count, days.unit) not in ((1, "year"), (12, "month"))


def drawdown_text(found: TurnAnswers, symbol: str) -> str:
    """Return the deepest fall that began in the days of a question."""
    if within := fall_text(found, symbol):
        return within
    if found.frame.days.window and not sessions_of(found, symbol):
        return sessions_gap(found, symbol)
    fact = found.one("risk_profile", symbol)
    if fact is None:
        return found.missing("risk_profile", symbol)
    start = found.frame.days.start.isoformat() if found.frame.days.window and found.frame.days.start else ""
    for number, row in places(fact, "drawdowns"):
        if row.get("peak", "") >= start and int(number) < DEEPEST:
            after = found.say("recovered", day=row["recovered"]) if row.get("recovered") else found.say("not_recovered")
            depth = fact.shown.get(f"drawdown_{int(number) + 1}", "n/a")
            return found.say(
                "drawdown",
                who=found.who(symbol),
                depth=depth,
                peak=row.get("peak"),
                trough=row.get("trough"),
                after=after,
            )
    year = found.one("get_stock_data", symbol)
    if year is not None and "max_drawdown_1y" in year.shown:
        return found.say("drawdown_year", who=found.who(symbol), depth=year.shown["max_drawdown_1y"])
    return found.say("drawdown_none")


def beta_text(found: TurnAnswers, symbol: str) -> str:
    """Return how a price moves with the market."""
    fact = found.one("beta_estimate", symbol)
    if fact is None:
        return found.missing("beta_estimate", symbol)
    return found.say(
        "beta",
        who=found.who(symbol),
        daily=fact.shown.get("beta_daily", "n/a"),
        weekly=fact.shown.get("beta_weekly", "n/a"),
    )


def rsi_text(found: TurnAnswers, symbol: str) -> str:
    """Return whether a price is overbought or oversold."""
    fact = found.one(SNAPSHOT, symbol)
    if fact is None or "rsi" not in fact.figures:
        return found.missing(SNAPSHOT, symbol)
    value = fact.figures["rsi"]
    state = "overbought" if value >= 70 else "oversold" if value <= 30 else "neither"
    return found.say(
        "rsi", who=found.who(symbol), rsi=fact.shown["rsi"], state=found.say(state), price=fact.shown["price"]
    )


UNUSUAL = 1.5
"""Times of the usual volume from which on, and by one over which, a day's volume is far from it."""


def volume_text(found: TurnAnswers, symbol: str) -> str:
    """Return how many shares were traded on the last day, against the usual."""
    fact = found.one(SNAPSHOT, symbol)
    if fact is None or not {"session_volume", "avg_volume_20d"} <= set(fact.figures):
        return found.say("volume_none", who=found.who(symbol))
    times = fact.figures["session_volume"] / fact.figures["avg_volume_20d"]
    side = "high" if times >= UNUSUAL else "low" if times <= 1 / UNUSUAL else "usual"
    return found.say(
        "volume",
        who=found.who(symbol),
        volume=fact.shown["session_volume"],
        average=fact.shown["avg_volume_20d"],
        times=f"{times:.2f}",
        day=close_day(fact),
        side=found.say(f"volume_{side}"),
    )


def averages_text(found: TurnAnswers, symbol: str) -> str:
    """Return on which side of its averages a price stands."""
    fact = found.one(SNAPSHOT, symbol)
    if fact is None or not {"sma_50", "sma_200", "price"} <= set(fact.figures):
        return found.missing(SNAPSHOT, symbol)
    price, short, long = (fact.figures[name] for name in ("price", "sma_50", "sma_200"))
    said = found.say(
        "averages",
        who=found.who(symbol),
        price=fact.shown["price"],
        a200=fact.shown["sma_200"],
        a50=fact.shown["sma_50"],
        side200=found.say("above" if price > long else "below"),
        side50=found.say("above" if price > short else "below"),
    )
    return f"{said} {found.say('golden' if short > long else 'death')}"
