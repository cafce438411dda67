"""The test whether decisions follow the data or the name, with chance taken out.

Three comparisons, none of which a decider gains from by saying the same thing often:

- **Exchange.** Two companies that were decided otherwise on one day are each shown under the other's name. Counted is
  how often the decision is that of the data less how often it is that of the name. A decider that reads neither says
  either with the same probability under both names, so that the sign of each pair's difference is a fair coin: the
  exact test by change of signs (Fisher 1935, The Design of Experiments, section 21; Good 2005, Permutation,
  Parametric and Bootstrap Tests of Hypotheses, section 3.2).
- **Agreement** of the plain decisions with the disguised, and with the mirrored ones, beyond what the decider's own mix
  of actions gives: the later decisions are permuted among the companies of each day, which keeps the mix and the
  mood of each day (stratified permutation test; Good 2005, section 7). The agreement that is expected by chance is
  that of Cohen (1960), day by day. P values of drawn permutations count the observation (Phipson and Smyth 2010).
- **Hidden name against turned prices**: whether the decision survives the one more often than the other, by signs.

"Name" needs the exchange to say so, and agreement with the mirrored decisions. "Data" needs the exchange to say so,
agreement with the disguised decisions, and no sign that decisions survive turned prices rather than a hidden name. A
model may know some names and not others: for "data", all days of one pair of companies are one piece of evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Follows = Literal["data", "name", "undecided"]
Why = Literal["too few cases", "too few companies", "one-sided mix", "noise", "contradiction"]
ACTIONS = ("BUY", "SELL", "HOLD")
LEVEL = 0.05
"""Significance level of each comparison."""
LEAST_PAIRS = 5
"""Pairs below which no outcome of the exchange is significant: a half to the fourth power is 6 %."""
DRAWS = 999
SEED = 20260101


@dataclass(frozen=True, slots=True)
class DecidedCase:
    """One ticker on one day; None where the decision is missing."""

    ticker: str
    day: str
    plain: str
    disguised: str | None
    mirrored: str | None


@dataclass(frozen=True, slots=True)
class NameExchange:
    """Two companies of a day that were decided otherwise, each shown under the other's name."""

    tickers: tuple[str, str]
    day: str
    plain: tuple[str, str]
    renamed: tuple[str, str]
    """Decisions on the first's data under the second's name, and on the second's under the first's."""

    @property
    def data(self) -> int:
        """Decisions as those of the data: 0 to 2."""
        return sum(said == own for said, own in zip(self.renamed, self.plain, strict=True))

    @property
    def name(self) -> int:
        """Decisions as those of the name: 0 to 2."""
        return sum(said == shown for said, shown in zip(self.renamed, reversed(self.plain), strict=True))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Decisions that are the same twice, and how many would be by chance."""

    same: int
    of: int
    by_chance: float
    """Expected of a decider with the same mix of actions on each day that does not know which company it decides on."""
    p_value: float
    """How often chance gives at least as many; 1 without cases."""

    @property
    def beyond_chance(self) -> bool:
        """Whether chance seldom gives as many."""
        return self.p_value <= LEVEL


@dataclass(frozen=True, slots=True)
class InputVerdict:
    """What decisions follow, and by which comparisons."""

    follows: Follows
    why: Why | None
    """Why it is undecided; None where it can."""
    disguised: Agreement
    mirrored: Agreement
    pairs: int
    """Exchanges: a pair of companies on a day."""
    companies_paired: int
    """Different pairs of companies."""
    p_data: float
    """How often chance speaks as much for the data in the exchange."""
    p_name: float
    """How often chance speaks as much for the name in the exchange."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        found = asdict(self)
        for name in ("disguised", "mirrored"):
            found[name]["beyond_chance"] = getattr(self, name).beyond_chance
        return found


def judge(cases: Sequence[DecidedCase], exchanges: Sequence[NameExchange], *, draws: int = DRAWS) -> InputVerdict:
    """Judge what decisions follow.

    Args:
        cases: Each ticker and day with a plain decision.
        exchanges: Pairs of companies as `unlike_pairs` returns them.
        draws: Permutations of each agreement.
    """
    disguised = agreement([(case.day, case.plain, case.disguised) for case in cases], draws)
    mirrored = agreement([(case.day, case.plain, case.mirrored) for case in cases], draws)
    leads = [exchange.data - exchange.name for exchange in exchanges]
    by_companies = Counter[frozenset[str]]()
    for exchange, lead in zip(exchanges, leads, strict=True):
        by_companies[frozenset(exchange.tickers)] += lead
    p_data, p_name = chance_of_signs(list(by_companies.values())), chance_of_signs([-lead for lead in leads])
    survives = [
        (case.mirrored == case.plain) - (case.disguised == case.plain)
        for case in cases
        if case.mirrored and case.disguised
    ]
    rather_turned = chance_of_signs(survives) <= LEVEL
    follows: Follows = "undecided"
    if p_name <= LEVEL and mirrored.beyond_chance:
        follows = "name"
    elif p_data <= LEVEL and disguised.beyond_chance and not rather_turned:
        follows = "data"
    settled = follows != "undecided"
    why = None if settled else _why(cases, len(exchanges), len(by_companies), (sum(leads), min(p_data, p_name)))
    return InputVerdict(follows, why, disguised, mirrored, len(exchanges), len(by_companies), p_data, p_name)


def agreement(decided: Sequence[tuple[str, str, str | None]], draws: int = DRAWS) -> Agreement:
    """Return how often two decisions agree, and how often they do when the second are permuted within each day.

    Args:
        decided: Day, first and second decision; those without a second one are left out.
        draws: Permutations drawn, by a fixed seed.
    """
    both = sorted((day, first, second) for day, first, second in decided if second is not None)
    if not both:
        return Agreement(0, 0, 0.0, 1.0)
    days, first, second = (np.unique(column, return_inverse=True) for column in np.array(both).T)
    plain, again = first[0][first[1]], second[0][second[1]]
    same = int((plain == again).sum())
    keys = np.random.default_rng(SEED).random((draws, len(both))) + days[1]  # whole part: the day, which stays in place
    permuted = again[np.argsort(keys, axis=1)]
    as_many = int(((permuted == plain).sum(axis=1) >= same).sum())
    return Agreement(same, len(both), _expected(days[1], plain, again), (1 + as_many) / (1 + draws))


def _expected(days: NDArray[np.int_], plain: NDArray[np.str_], again: NDArray[np.str_]) -> float:
    """Return the mean agreement over all permutations within days."""
    total = 0.0
    for day in np.unique(days):
        of_day = days == day
        counts = Counter(again[of_day].tolist())
        total += sum(number * counts[action] for action, number in Counter(plain[of_day].tolist()).items()) / sum(
            of_day
        )
    return float(total)


def chance_of_signs(differences: Sequence[int]) -> float:
    """Return how often the sum is at least the observed one when each difference takes either sign; exact."""
    ways = np.ones(1)
    for size in (abs(difference) for difference in differences if difference):
        either = np.zeros(2 * size + 1)
        either[[0, -1]] = 0.5
        ways = np.convolve(ways, either)
    middle = len(ways) // 2  # where the sum is 0
    return float(min(1.0, ways[middle + sum(differences) :].sum()))


def unlike_pairs(actions: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return as many pairs of companies with different actions as there can be, each company in one pair at most.

    Args:
        actions: By ticker, of one day.
    """
    number = Counter(actions.values())
    order = sorted(actions, key=lambda ticker: (-number[actions[ticker]], actions[ticker]))
    pairs = min(len(order) // 2, len(order) - max(number.values(), default=0))
    return [(order[place], order[len(order) - pairs + place]) for place in range(pairs)]


def _why(cases: Sequence[DecidedCase], pairs: int, companies: int, exchange: tuple[int, float]) -> Why:
    lead, p_value = exchange
    if len(cases) < 2 * LEAST_PAIRS:
        return "too few cases"
    if pairs < LEAST_PAIRS:
        return "one-sided mix"
    if lead > 0 and companies < LEAST_PAIRS:
        return "too few companies"
    return "contradiction" if p_value <= LEVEL else "noise"
