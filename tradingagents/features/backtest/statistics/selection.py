"""What choosing costs: a result that is the best of many is discounted for all that were tried.

Looks are other backtests of a home folder that share tickers and days with this one. Who moves the start by a day,
drops a ticker or cuts the period into pieces looks at the same idea again. So a backtest counts as a look where it
shares a ticker and at least `LEAST_SHARED` of the shorter period, whatever its settings, and counts whole. Pieces of
one larger look count for each other, too, though they share no day. What merely shares tickers and lies in another
period is said, and is no look: it saw other days.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tradingagents.analytics.performance import (
    PairedTest,
    holm,
    overfitting_probability,
    probabilistic_sharpe,
    sharpe_ratio,
    track_record_needed,
)
from tradingagents.analytics.performance.intervals import LEVEL
from tradingagents.analytics.performance.selection import expected_best
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import read_regular

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest


@dataclass(frozen=True, slots=True)
class DeflatedRatio:
    """A Sharpe ratio, discounted for the number of trials. Ratios are a year."""

    ratio: float
    best_of_chance: float
    """What the best of so many trials without skill is expected to show."""
    probabilistic: float
    """Probability that the true ratio is above 0."""
    deflated: float
    """Probability that it is above the best of chance."""
    track_record_needed: int | None
    """Sessions after which such a ratio is above 0 with 95 % confidence; None where it is not positive."""


@dataclass(frozen=True, slots=True)
class TickerTest:
    """The test of the decisions on one ticker, beside those on the others."""

    p_value: float
    adjusted: float
    """After Holm's procedure over all tickers."""
    beats: bool
    """Whether the adjusted value is at most 5 %."""
    difference: float
    """Yearly, beyond buy and hold of the ticker at equal exposure."""
    smallest_edge: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceCost:
    """What is left of the tested result after all that was tried."""

    trials: int
    """Variants that one may have chosen among: the larger of `declared` and `seen`."""
    counted: Literal["declared", "seen"]
    """Which of the two it is; `seen` where they are the same."""
    declared: int | None
    seen: int
    """Variants of this backtest and of the looks at the same idea in this home folder, each ledger once."""
    looks: int = 0
    """Other backtests of the home folder that share tickers and days, see above."""
    nearest: tuple[NearLook, ...] = ()
    """The nearest of them."""
    elsewhere: int = 0
    """Backtests that share tickers and no, or hardly any, days; they are not counted."""
    variants: tuple[str, ...]
    """The trials that are in this backtest."""
    sharpe: DeflatedRatio | None
    """Of the account's returns beyond bills."""
    edge: DeflatedRatio | None
    """Of its returns beyond buy and hold at equal exposure."""
    overfitting: float | None
    """Probability of overfitting over the trials: how often the best in one half of the sessions is below the median in
    the other. None with one trial, few sessions, or a variant that never varies."""
    overfitting_strategies: float | None
    """The same over all strategies of the table, for who would take the best row of it."""
    tickers: Mapping[str, TickerTest]
    """By ticker, as far as there is a test."""


def cost_of_choice(
    trials: Mapping[str, tuple[Floats, Floats]],
    strategies: Mapping[str, Floats],
    tickers: Mapping[str, PairedTest | None],
    declared: int | None,
    seen: int = 0,
) -> ChoiceCost:
    """Discount the first trial for all others.

    Args:
        trials: Daily returns beyond bills, and those beyond buy and hold at equal exposure, of every variant that was
            tried; the tested one first.
        strategies: Daily returns beyond bills of all rows of the table.
        tickers: The test of the decisions on each ticker alone.
        declared: How many variants were tried, here and before; None: nothing is said.
        seen: How many the home folder shows, those of this backtest included; those of it count in any case.
    """
    seen = max(seen, len(trials))
    count = max(declared or 1, seen)
    own, gap = next(iter(trials.values()))
    return ChoiceCost(
        trials=count,
        counted="declared" if count > seen else "seen",
        declared=declared,
        seen=seen,
        variants=tuple(trials),
        sharpe=_deflated(own, [returns for returns, _ in trials.values()], count),
        edge=_deflated(gap, [edge for _, edge in trials.values()], count),
        overfitting=_overfitting([returns for returns, _ in trials.values()]),
        overfitting_strategies=_overfitting(list(strategies.values())),
        tickers=_over_tickers(tickers),
    )


def _deflated(own: Floats, trials: Sequence[Floats], count: int) -> DeflatedRatio | None:
    ratio, known = sharpe_ratio(own, annual=False), probabilistic_sharpe(own)
    if ratio is None or known is None:
        return None
    ratios = [ratio for ratio in (sharpe_ratio(trial, annual=False) for trial in trials) if ratio is not None]
    spread = float(np.std(ratios, ddof=1)) if len(ratios) > 1 else 0.0
    if count > len(trials):  # of the others nothing is known but that a ratio without skill varies with the sessions
        spread = max(spread, 1 / math.sqrt(len(own) - 1))
    best, year = expected_best(spread, count), math.sqrt(SESSIONS_PER_YEAR)
    deflated = probabilistic_sharpe(own, best)
    return DeflatedRatio(ratio * year, best * year, known, known if deflated is None else deflated,
                         track_record_needed(own))  # fmt: skip


def _overfitting(trials: Sequence[Floats]) -> float | None:
    moving = [trial for trial in trials if sharpe_ratio(trial) is not None]
    if len(moving) < 2:
        return None
    found = np.column_stack(moving)
    begins = int(np.argmax((found != 0).all(axis=1)))  # before, some of them have not bought anything yet
    return overfitting_probability(found[begins:])


def _over_tickers(tickers: Mapping[str, PairedTest | None]) -> dict[str, TickerTest]:
    known = {name: test for name, test in tickers.items() if test is not None}
    adjusted = holm([test.p_value for test in known.values()])
    return {
        name: TickerTest(test.p_value, value, value <= LEVEL, test.difference, test.smallest_edge)
        for (name, test), value in zip(known.items(), adjusted, strict=True)
    }


LEAST_SHARED = 0.1
"""Share of the shorter period's days from which two periods are the same look."""
INSIDE = 0.9
"""Share of a period's days that lie in a larger one from which it is a piece of that."""
SHOWN = 3
"""Nearest looks that a result names."""
FIELD_WORDS = {"scheme": "weights", "schemes": "other weights", "deposit": "cash"}
"""What people call a field of a request that has another name."""
LEFT_OUT = {"exits": "none"}
"""Fields that a request leaves out while they have this value, see `BacktestRequest.to_json`."""
SAID_APART = frozenset(("tickers", "start", "end", "trials"))
"""Fields of a request that are compared in words of their own, or say nothing of what was tested."""


@dataclass(frozen=True, slots=True)
class Look:
    """One finished backtest of the home folder."""

    id: str
    """The name of its folder."""
    start: date
    end: date
    tickers: frozenset[str]
    ledgers: frozenset[str]
    """Of its trials: the tested account and the variants that one may have chosen."""
    request: Mapping[str, Any]
    models: Mapping[str, str]

    @property
    def days(self) -> int:
        """Calendar days of its period."""
        return (self.end - self.start).days + 1

    def days_shared(self, other: Look) -> int:
        """Return how many calendar days are in both periods."""
        return max((min(self.end, other.end) - max(self.start, other.start)).days + 1, 0)

    def overlaps(self, other: Look) -> bool:
        """Tell whether both share a ticker, and enough of the shorter period."""
        least = LEAST_SHARED * min(self.days, other.days)
        shared = self.days_shared(other)
        return bool(self.tickers & other.tickers) and shared > 0 and shared >= least

    def is_piece_of(self, other: Look) -> bool:
        """Tell whether its tickers and nearly all its days are those of a larger look."""
        return self.tickers <= other.tickers and self.days_shared(other) >= INSIDE * self.days

    def nearness(self, other: Look) -> float:
        """Return how much of both is the same: shared days times shared tickers, each as a share of all; 0 to 1."""
        days = self.days_shared(other) / (self.days + other.days - self.days_shared(other))
        return days * len(self.tickers & other.tickers) / len(self.tickers | other.tickers)


@dataclass(frozen=True, slots=True, kw_only=True)
class NearLook:
    """A look as a result names it."""

    id: str
    start: date
    end: date
    shared: tuple[str, ...]
    """The tickers that both have."""
    trials: int
    """How many it adds to the count, whole, where no other look has the same ledgers."""
    differs: tuple[str, ...]
    """What is another than here, in words; names of fields are those of the request, see `FIELD_WORDS`."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks at one idea that a home folder shows, besides the backtest itself."""

    counted: tuple[Look, ...]
    """The nearest first."""
    nearest: tuple[NearLook, ...]
    """The first few of them."""
    elsewhere: int
    """Backtests that share tickers and no, or hardly any, days; they are not counted."""

    @property
    def ledgers(self) -> frozenset[str]:
        """The ledgers of all trials. Trials with the same ledger count as one: nothing was chosen between them."""
        return frozenset[str]().union(*(look.ledgers for look in self.counted))


def find_looks(home: Path, request: BacktestRequest, own: str, models: Mapping[str, str]) -> Looks:
    """Return the looks at the idea of a backtest.

    Only results whose tickers or days can be shared are opened; those that cannot be read say nothing.

    Args:
        home: The home folder.
        request: What is tested.
        own: The id of the backtest itself, whose earlier result is no other look.
        models: Those that decide, `provider/model` by tier.
    """
    fields = request.to_json()
    here = Look(own, request.start, request.end, _symbols(request.tickers), frozenset(), fields, models)
    others = [look for look in _saved(home, own) if look.tickers & here.tickers]
    wholes = [look for look in others if here.is_piece_of(look)]
    counted = [
        look for look in others if here.overlaps(look) or any(look.is_piece_of(whole) for whole in wholes)
    ]  # fmt: skip
    counted.sort(key=lambda look: (-here.nearness(look), len(_differences(here, look)), look.id))
    nearest = tuple(_near(here, look) for look in counted[:SHOWN])
    return Looks(tuple(counted), nearest, len(others) - len(counted))


def _saved(home: Path, own: str) -> Iterator[Look]:
    """Read the finished backtests of a home folder."""
    for path in sorted((home / "backtests").glob("*/result.json")):
        if path.parent.name == own:
            continue
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            yield _look(path.parent.name, parse_json(read_regular(path)))


def _look(name: str, record: Mapping[str, Any]) -> Look:
    request = record["request"]
    return Look(
        name,
        date.fromisoformat(request["start"]),
        date.fromisoformat(request["end"]),
        _symbols(request["tickers"]),
        frozenset(record["strategies"][trial]["ledger"] for trial in record["choice"]["variants"]),
        request,
        record["models"],
    )


def _symbols(tickers: Sequence[str]) -> frozenset[str]:
    return frozenset(normalise(ticker) for ticker in tickers)


def _near(here: Look, look: Look) -> NearLook:
    return NearLook(
        id=look.id,
        start=look.start,
        end=look.end,
        shared=tuple(sorted(here.tickers & look.tickers)),
        trials=len(look.ledgers),
        differs=_differences(here, look),
    )


def _differences(here: Look, look: Look) -> tuple[str, ...]:
    """Say what is another in a look than here; text of its file is not repeated."""
    found = [name for name in ("start", "end") if getattr(here, name) != getattr(look, name)]
    more, less = len(look.tickers - here.tickers), len(here.tickers - look.tickers)
    found += [f"{count} {_tickers(count)} {word}" for count, word in ((more, "more"), (less, "fewer")) if count]
    own = {**LEFT_OUT, **here.request}
    found += [
        FIELD_WORDS.get(name, name)
        for name, value in own.items()
        if name not in SAID_APART and look.request.get(name, LEFT_OUT.get(name, value)) != value
    ]
    found += ["models"] if dict(here.models) != dict(look.models) else []
    return tuple(found) or ("settings or data",)


def _tickers(count: int) -> str:
    return "ticker" if count == 1 else "tickers"
