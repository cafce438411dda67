"""Whether decisions follow the data or the name: the same cases are decided again under altered inputs.

Each ticker and day is decided

1. as it is,
2. disguised: other names, years and levels, the same data. A reader of data decides as before,
3. mirrored: the same name, prices upside down. A reader of data often decides otherwise,
4. under the name of another company that was decided otherwise. A reader decides as the data's company, a memoriser as
   the name's.

Cases 2 and 4 are counted as for the data or for the name; case 3 is reported beside them, since news and statements are
not mirrored with the prices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from tradingagents.analytics.performance.proportions import ObservedShare
from tradingagents.backtest.contamination.experiments import SEED, disguised, under_name_of, upside_down
from tradingagents.backtest.decide import DecisionSet, Tell, Wanted, decide
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.services import Services

Follows = Literal["data", "name", "not settled"]
WORDS: Mapping[Follows, str] = {
    "data": "The decisions follow the data, not the name.",
    "name": "The decisions follow the name, not the data: results on days that the models may know prove nothing.",
    "not settled": "Too few cases, or too much noise, to say whether the decisions follow the data or the name.",
}


@dataclass(frozen=True, slots=True)
class InputDependency:
    """What decisions followed."""

    cases: int
    """Tickers and days with a decision."""
    disguised_same: ObservedShare
    """Decided as before under other names, years and levels."""
    mirrored_changed: ObservedShare
    """Decided otherwise on prices upside down."""
    swapped_data: ObservedShare
    """Decided as the company whose data were shown, under the name of one that was decided otherwise."""
    swapped_name: ObservedShare
    """Decided as the company whose name was shown."""
    llm_usd: float | None
    """Cost of all decisions; None where a price is not known."""
    missing: int
    """Decisions that failed, and NO_DECISION; they count for nothing."""

    @property
    def score(self) -> ObservedShare:
        """Cases that followed the data, of those that followed either: 1 for a reader, near 0 for a memoriser."""
        data = self.disguised_same.count + self.swapped_data.count
        name = self.disguised_same.of - self.disguised_same.count + self.swapped_name.count
        return ObservedShare(data, data + name)

    @property
    def follows(self) -> Follows:
        """What they followed, where the 95 % interval of the score lies on one side of a half."""
        score = self.score
        if not score.of:
            return "not settled"
        if score.low > 0.5:
            return "data"
        return "name" if score.high < 0.5 else "not settled"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        shares = ("disguised_same", "mirrored_changed", "swapped_data", "swapped_name", "score")
        plain = {name: getattr(self, name) for name in ("cases", "missing", "llm_usd", "follows")}
        return {**plain, **{name: getattr(self, name).to_json() for name in shares}}


async def input_dependency(
    services: Services,
    tickers: Sequence[str],
    days: Sequence[date],
    *,
    seed: str = SEED,
    tell: Tell = lambda _done, _all: None,
) -> InputDependency:
    """Decide on tickers and days as they are and under altered inputs, about four times as many decisions.

    One budget covers all of them. Decisions are stored, so that an interrupted experiment continues, and the plain ones
    are shared with backtests.

    Args:
        tickers: Normalised symbols; two at least, for the exchange of names.
        days: Past sessions.
        seed: Of the disguise.
        tell: Called after every decision, with those done and wanted of the present step.

    Raises:
        BudgetReached, Interrupted: Decisions made so far are stored.
        TradingAgentsError: As `decide` raises.
    """
    meter = UsageMeter(services.settings)  # one budget for all
    plain = await decide(services, tickers, days, meter=meter, tell=tell)
    sets, actions = [plain], _actions(plain)
    other_names, mirrored_prices = dict[Wanted, str](), dict[Wanted, str]()
    for day in days:
        hidden = await decide(disguised(services, tickers, day, seed=seed), tickers, [day], meter=meter, tell=tell)
        turned = await decide(upside_down(services, day), tickers, [day], meter=meter, tell=tell)
        sets += [hidden, turned]
        other_names |= _actions(hidden)
        mirrored_prices |= _actions(turned)
    swapped = list[tuple[str, str, str]]()
    for day in days:
        for ticker, other in _unlike(tickers, actions, day):
            found = await decide(under_name_of(services, ticker, other, day), [ticker], [day], meter=meter, tell=tell)
            sets.append(found)
            if (said := _actions(found).get((ticker, day))) is not None:
                swapped.append((actions[ticker, day], actions[other, day], said))
    costs = [one.cost_usd for one in sets]
    return InputDependency(
        cases=len(actions),
        disguised_same=_same(actions, other_names),
        mirrored_changed=_changed(actions, mirrored_prices),
        swapped_data=ObservedShare(sum(said == data for data, _, said in swapped), len(swapped)),
        swapped_name=ObservedShare(sum(said == name for _, name, said in swapped), len(swapped)),
        llm_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        missing=sum(len(one.missing) + len(one.found) - len(_actions(one)) for one in sets),
    )


def _actions(found: DecisionSet) -> dict[Wanted, str]:
    """Return what was decided; NO_DECISION is no decision."""
    return {one: stored.decision.action for one, stored in found.found.items() if stored.decision != "NO_DECISION"}


def _same(actions: Mapping[Wanted, str], again: Mapping[Wanted, str]) -> ObservedShare:
    both = actions.keys() & again.keys()
    return ObservedShare(sum(actions[one] == again[one] for one in both), len(both))


def _changed(actions: Mapping[Wanted, str], again: Mapping[Wanted, str]) -> ObservedShare:
    same = _same(actions, again)
    return ObservedShare(same.of - same.count, same.of)


def _unlike(tickers: Sequence[str], actions: Mapping[Wanted, str], day: date) -> list[tuple[str, str]]:
    """Return each ticker with the next one that was decided otherwise on the day; those without one are left out."""
    decided = [one for one in tickers if (one, day) in actions]
    found = []
    for place, ticker in enumerate(decided):
        rest = [*decided[place + 1 :], *decided[:place]]
        other = next((one for one in rest if actions[one, day] != actions[ticker, day]), None)
        if other is not None:
            found.append((ticker, other))
    return found
