"""What stated positions come to at the closes that were looked up: shares, value, what was paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.features.assistant.rules.found import TurnAnswers
from tradingagents.features.assistant.rules.positions.position_calls import (
    CHANGE,
    SPLITS_SEEN,
    bought_between,
    change_call,
)
from tradingagents.features.assistant.rules.screens import SNAPSHOT
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.retrieval.questions.positions.stated_positions import PositionsQuestion, StatedPosition

_LIKELY = 6.0
"""Times by which a price paid may differ from the close, where it is not said whether it is of a share or of all."""
_NEAR = 1.15
"""Times by which a price paid in a session may differ from its close, or from the closes of a month or year."""


@dataclass(frozen=True, slots=True)
class PositionSum:
    """One position with its price."""

    stated: StatedPosition
    who: str
    price: float
    unit: str
    day: str
    change_1d: float | None
    bought: ToolFact | None = None
    """What the price did since it was bought; None where no day is said."""
    within: ToolFact | None = None
    """What it did within the days of which one is that of the buying; None where that day is said."""
    lately: ToolFact | None = None
    """What it did in the last years, where a price paid is said and no day."""

    @property
    def split(self) -> float:
        """Return how many shares of today one of the buying is, by the splits that are known; 1 without one."""
        fact = self.bought or self.lately
        return 1.0 if fact is None else fact.figures.get("split_ratio", 1.0)

    @property
    def was_split(self) -> float | None:
        """Return by what the number and the price stated are to be converted; None where that is not clear.

        Closes are those of today's shares. A price paid that fits the closes of its day only as one of before the
        split is of before it, and so is the number of shares; without a day it can only be of today's shares.
        """
        if self.split == 1.0 or self.stated.paid is None or self.stated.currency not in ("", self.unit):
            return 1.0
        prices = [self.stated.paid] if self.stated.paid_for != "all" else []
        prices += (
            [self.stated.paid / self.stated.shares] if self.stated.shares and self.stated.paid_for != "share" else []
        )
        fits = {ratio for ratio in (1.0, self.split) if any(self._is_near(paid / ratio) for paid in prices)}
        if self.lately is not None:
            return 1.0 if 1.0 in fits else None
        return fits.pop() if len(fits) == 1 else None

    def _is_near(self, paid: float) -> bool:
        """Tell whether a price may have been paid in the days of the buying."""
        fact = self.within or self.lately or self.bought
        if fact is None:
            return True
        day = fact is self.bought
        low, high = (fact.figures.get("first_close" if day else name) for name in ("lowest_close", "highest_close"))
        return low is not None and high is not None and low / _NEAR <= paid <= high * _NEAR

    @property
    def shares(self) -> float | None:
        """Return the number of shares; None where it is not said, nor can be worked out."""
        if self.stated.shares is not None:
            return None if self.was_split is None else self.stated.shares * self.was_split
        if self.stated.money is None:
            return None
        if self.stated.currency not in ("", self.unit):
            return None
        if self.stated.is_worth:
            return self.stated.money / self.price
        at = self.paid if self.stated.paid is not None else self.first_close
        return self.stated.money / at if at else None

    @property
    def first_close(self) -> float | None:
        """Return the close at which it was bought; None where its day is not said."""
        if self.bought is None or self.within is not None:
            return None
        return self.bought.figures.get("first_close")

    @property
    def value(self) -> float | None:
        """Return what it is worth."""
        return None if self.shares is None else self.shares * self.price

    @property
    def paid(self) -> float | None:
        """Return what was paid a share; None where it is not said in the currency of the price, or may mean two."""
        if self.stated.paid is None or self.was_split is None or self.stated.currency not in ("", self.unit):
            return None
        count = self.stated.shares
        stated = self.stated.paid / self.was_split
        count = None if count is None else count * self.was_split
        if self.stated.paid_for == "share" or not count:
            return stated
        if self.stated.paid_for == "all":
            return self.stated.paid / count
        each, every = (self._is_likely(paid) for paid in (stated, self.stated.paid / count))
        if each != every or count == 1:
            return stated if each else self.stated.paid / count
        return None

    @property
    def cost(self) -> float | None:
        """Return what was paid for all of it."""
        if self.stated.money is not None:
            return None if self.stated.is_worth else self.stated.money
        at = self.paid if self.stated.paid is not None else self.first_close
        return None if at is None or self.shares is None else at * self.shares

    @property
    def is_unsure(self) -> bool:
        """Tell whether a price is said, and not whether it is that of a share or of all."""
        known = self.was_split is not None and self.stated.currency in ("", self.unit)
        return known and self.stated.paid is not None and self.paid is None

    def _is_likely(self, paid: float) -> bool:
        return self.price / _LIKELY <= paid <= self.price * _LIKELY


def position_sums(found: TurnAnswers, asked: PositionsQuestion, today: date) -> tuple[list[PositionSum], list[str]]:
    """Return the positions of which a price is known, and the symbols of the others."""
    known: list[PositionSum] = []
    missing: list[str] = []
    for stated in asked.positions:
        fact = found.one(SNAPSHOT, stated.symbol)
        if fact is None or "price" not in fact.figures:
            missing += [stated.symbol] if stated.symbol in asked.symbols else []
            continue
        days = bought_between(stated.bought, today) if stated.bought is not None else None
        bought = change_fact(found, stated.symbol, (days[0], today)) if days else None
        within = change_fact(found, stated.symbol, days) if days and days[0] < days[1] else None
        known.append(
            PositionSum(
                stated,
                found.who(stated.symbol),
                fact.figures["price"],
                _unit_of(fact),
                fact.as_of,
                fact.figures.get("change_1d"),
                bought,
                within,
                None if days else _lately(found, stated.symbol, today),
            )
        )
    return known, missing


def _unit_of(fact: ToolFact) -> str:
    """Return the currency of a price; of an index, whose points have none, the dollars in which it is thought of."""
    number, _, unit = fact.shown["price"].rpartition(" ")
    return unit if number else "USD"


def _lately(found: TurnAnswers, symbol: str, today: date) -> ToolFact | None:
    """Return what a price did in the last years, as far back as the data go."""
    facts = (change_fact(found, symbol, (today - back, today)) for back in SPLITS_SEEN)
    return next((fact for fact in facts if fact is not None), None)


def change_fact(found: TurnAnswers, symbol: str, window: tuple[date, date] | None) -> ToolFact | None:
    """Return what a price did between two days; None where it is not known, or was not looked up."""
    given = change_call(symbol, *window)[1] if window else {}
    return next(
        (
            fact
            for fact in found.all(CHANGE, symbol)
            if given and not fact.failed and {name: fact.given.get(name) for name in given} == given
        ),
        None,
    )


def common_unit(sums: Sequence[PositionSum]) -> str:
    """Return the currency of all positions; empty where there are several."""
    units = {each.unit for each in sums}
    return units.pop() if len(units) == 1 else ""
