"""Altered vendor answers: other levels for the same market, or prices turned upside down."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from tradingagents.dataflows.gateway.router import Alter, AnyMethod
from tradingagents.dataflows.models import (
    Dividend,
    EarningsEvent,
    InsiderTransaction,
    Mover,
    NewsItem,
    Prices,
    SocialPost,
    Statement,
)
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

WIDEST = 3.0
"""Money and share counts are multiplied by a factor between 1 / WIDEST and WIDEST."""
MEANINGFUL = frozenset({"^VIX", "^VIX9D", "^VIX3M", "^VVIX", "^MOVE", "^IRX", "^FVX", "^TNX", "^TYX"})
"""Indices whose level is a volatility or a rate: it is read as it is, and so left as it is."""
_UNITS = "trillion|billion|million|thousand|tn|bn|mn|trn|[bmk]"
_AMOUNT = re.compile(
    rf"(?P<sign>[$€£¥]\s?)(?P<number>\d[\d,]*+(?:\.\d+)?)(?P<unit>\s?(?:{_UNITS})\b)?"
    rf"|(?P<bare>(?<!\d)(?<!\d,)\d[\d,]*+(?:\.\d++)?)(?P<said>\s(?:{_UNITS})?\s?(?:dollars|USD))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Levels:
    """By how much the figures of a company are multiplied."""

    money: float
    """Amounts of the company as a whole: revenue, debt, market value."""
    shares: float
    """Counts of shares, and volumes."""

    @property
    def per_share(self) -> float:
        """Prices and per-share amounts."""
        return self.money / self.shares


LevelsOf = Callable[[str], Levels]


def levels_by_seed(seed: str) -> LevelsOf:
    """Return levels that depend on the seed and the symbol alone."""

    def levels(symbol: str) -> Levels:
        return Levels(_factor(f"{seed} money {symbol}"), _factor(f"{seed} shares {symbol}"))

    return levels


def rescaled(levels_of: LevelsOf) -> Alter:
    """Return a change that gives each company other levels, consistently, and leaves every ratio as it is.

    Prices, statements, results, dividends, trades of insiders, movers, and amounts of money in articles and posts about
    one company are rescaled. Economic series, market news, volatility indices, yields, and ratios of vendors that
    answer for today only are not.

    Args:
        levels_of: Returns the levels of a symbol.
    """

    def alter(_method: AnyMethod, answer: Any) -> Any:
        if isinstance(answer, tuple):
            return tuple(_rescaled(part, levels_of) for part in answer)
        return _rescaled(answer, levels_of)

    return alter


def mirrored(day: date) -> Alter:
    """Return a change that turns prices upside down around the last close up to a day: what rose fell, and by as much.

    Args:
        day: The day of the decision; its close stays as it is, so that values per share do.
    """

    def alter(_method: AnyMethod, answer: Any) -> Any:
        return _upside_down(answer, day) if isinstance(answer, Prices) else answer

    return alter


def _factor(text: str) -> float:
    """Return a factor between 1 / WIDEST and WIDEST that is not near 1, from a hash."""
    drawn = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64
    exponent = 2 * drawn - 1
    away = 0.2 + 0.8 * abs(exponent)
    return float(WIDEST ** (away if exponent >= 0 else -away))


def _rescaled(answer: Any, levels_of: LevelsOf) -> Any:
    symbol = getattr(answer, "symbol", None)
    if not symbol or symbol in MEANINGFUL:
        return answer
    levels = levels_of(symbol)
    for kind, change in _CHANGES.items():
        if isinstance(answer, kind):
            return change(answer, levels)
    return answer


def _prices(given: Prices, levels: Levels) -> Prices:
    price = levels.per_share
    return replace(
        given,
        open=given.open * price,
        high=given.high * price,
        low=given.low * price,
        close=given.close * price,
        adj_close=given.adj_close * price,
        volume=given.volume * levels.shares,
        dividends=tuple(Dividend(dividend.day, dividend.amount * price) for dividend in given.dividends),
    )


def _statement(given: Statement, levels: Levels) -> Statement:
    return replace(given, items={name: value * _of_item(name, levels) for name, value in given.items.items()})


def _of_item(name: str, levels: Levels) -> float:
    if name in PER_SHARE:
        return levels.per_share
    return levels.shares if name in SHARES else levels.money


def _earnings(given: EarningsEvent, levels: Levels) -> EarningsEvent:
    eps, expected, revenue = given.eps, given.eps_estimate, given.revenue
    return replace(
        given,
        eps=None if eps is None else eps * levels.per_share,
        eps_estimate=None if expected is None else expected * levels.per_share,
        revenue=None if revenue is None else revenue * levels.money,
    )


def _insider(given: InsiderTransaction, levels: Levels) -> InsiderTransaction:
    value = None if given.value is None else given.value * levels.money
    # The source's words name the price of the trade, without a sign that tells it from other numbers.
    return replace(given, shares=round(given.shares * levels.shares), value=value, text="")


def _mover(given: Mover, levels: Levels) -> Mover:
    cap = None if given.market_cap is None else given.market_cap * levels.money
    return replace(
        given, price=given.price * levels.per_share, volume=given.volume * levels.shares, market_cap=cap
    )  # fmt: skip


def _article(given: NewsItem, levels: Levels) -> NewsItem:
    summary = None if given.summary is None else _money_in(given.summary, levels)
    return replace(given, title=_money_in(given.title, levels), summary=summary)


def _post(given: SocialPost, levels: Levels) -> SocialPost:
    return replace(given, text=_money_in(given.text, levels))


_CHANGES: dict[type[Any], Callable[[Any, Levels], Any]] = {
    Prices: _prices,
    Statement: _statement,
    EarningsEvent: _earnings,
    InsiderTransaction: _insider,
    Mover: _mover,
    NewsItem: _article,
    SocialPost: _post,
}


def _money_in(text: str, levels: Levels) -> str:
    """Rescale amounts of money: those with a unit such as billion as of the whole company, others as of a share."""

    def one(found: re.Match[str]) -> str:
        number = found["number"] or found["bare"]
        unit = found["unit"] or found["said"] or ""
        whole = bool(unit.strip()) and unit.strip().lower() not in ("dollars", "usd")
        return f"{found['sign'] or ''}{_like(number, levels.money if whole else levels.per_share)}{unit}"

    return _AMOUNT.sub(one, text)


def _like(number: str, factor: float) -> str:
    """Return a number times a factor, with as many decimals as it had."""
    decimals = len(number.partition(".")[2])
    comma = "," if "," in number else ""
    return f"{float(number.replace(',', '')) * factor:{comma}.{decimals}f}"


def _upside_down(given: Prices, day: date) -> Prices:
    known = int(np.searchsorted(given.days, np.datetime64(day, "D"), side="right"))
    if not known or not np.all(given.low > 0):
        return given
    square, adjusted = given.close[known - 1] ** 2, given.adj_close[known - 1] ** 2
    places = (
        np.searchsorted(given.days, np.array([dividend.day for dividend in given.dividends], dtype="datetime64[D]")) - 1
    )
    return replace(
        given,
        open=square / given.open,
        high=square / given.low,
        low=square / given.high,
        close=square / given.close,
        adj_close=adjusted / given.adj_close,
        dividends=tuple(
            Dividend(dividend.day, dividend.amount * float(square / given.close[place] ** 2))
            for dividend, place in zip(given.dividends, places, strict=True)
            if place >= 0
        ),
    )
