"""Whether decisions follow the data or the name: the same cases are decided again under altered inputs.

Each ticker and day is decided

1. as it is,
2. disguised: other names, years and levels, the same data. A reader of data decides as before,
3. mirrored: the same name, prices upside down. A reader of data often decides otherwise,
4. under the name of another company that was decided otherwise. A reader decides as the data's company, a memoriser as
   the name's.

Two companies that were decided otherwise on a day exchange their names. `verdict` judges what that says, with chance
taken out; `case_plan` says how many cases it takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from tradingagents.analytics.performance.intervals import ObservedShare
from tradingagents.features.backtest.contamination.case_plan import (
    LEAST_TICKERS,
    MOST_CASES,
    plan_cases,
    power,
    smoothed,
)
from tradingagents.features.backtest.contamination.disguises import SEED, disguised, under_name_of, upside_down
from tradingagents.features.backtest.contamination.verdict import (
    ACTIONS,
    DecidedCase,
    Follows,
    NameExchange,
    Why,
    judge,
    unlike_pairs,
)
from tradingagents.features.backtest.decisions.decide import DecisionSet, Tell, Wanted, decide
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.services import Services

WORDS: Mapping[Follows, str] = {
    "data": "The decisions follow the data, not the name.",
    "name": "The decisions follow the name, not the data: results on days that the models may know prove nothing.",
    "undecided": "It is undecided whether the decisions follow the data or the name",
}
WHY: Mapping[Why, str] = {
    "too few cases": "too few tickers and days were tried.",
    "too few companies": "the same few pairs of companies were compared again and again; name more tickers.",
    "one-sided mix": "nearly all decisions are the same, so that few companies differ on a day and can exchange names.",
    "noise": "decisions followed the one about as often as the other.",
    "contradiction": "exchanged names say one thing, hidden names or turned prices another.",
}
WRONG: Mapping[Follows, float] = {"data": 0.07, "name": 0.005}
"""Largest share of trials with this verdict on a decider that does not deserve it: `benchmarks.input_dependency`."""
MEASURED_CASES = "24 to 384"
"""Cases of the trials of `WRONG`: 12 tickers on 2 to 32 days. The largest share for "data" is that of 384 cases."""


@dataclass(frozen=True, slots=True)
class InputDependency:
    """What decisions followed."""

    cases: tuple[DecidedCase, ...]
    """Tickers and days with a decision."""
    exchanges: tuple[NameExchange, ...]
    """Pairs of companies whose names were exchanged, both decided again."""
    llm_usd: float | None
    """Cost of all decisions; None where a price is not known."""
    missing: int
    """Decisions that failed, and NO_DECISION; they count for nothing."""

    @property
    def mix(self) -> dict[str, int]:
        """Plain decisions by action."""
        return {action: sum(case.plain == action for case in self.cases) for action in ACTIONS}

    @property
    def swapped_data(self) -> ObservedShare:
        """Decided as the company whose data were shown, under the name of one that was decided otherwise."""
        return ObservedShare(sum(exchange.data for exchange in self.exchanges), 2 * len(self.exchanges))

    @property
    def swapped_name(self) -> ObservedShare:
        """Decided as the company whose name was shown."""
        return ObservedShare(sum(exchange.name for exchange in self.exchanges), 2 * len(self.exchanges))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON, with the verdict and, where it undecided, the cases that it would take."""
        verdict = judge(self.cases, self.exchanges)
        tickers, days = (len({getattr(case, key) for case in self.cases}) for key in ("ticker", "day"))
        settled = verdict.follows != "undecided"
        needed = None if settled or tickers < LEAST_TICKERS else plan_cases(tickers, smoothed(self.mix)).to_json()
        seen = None if needed is None else power(tickers, days, smoothed(self.mix))
        return {
            "cases": len(self.cases),
            "missing": self.missing,
            "llm_usd": self.llm_usd,
            "mix": self.mix,
            **verdict.to_json(),
            "swapped_data": self.swapped_data.to_json(),
            "swapped_name": self.swapped_name.to_json(),
            "wrong_at_most": WRONG.get(verdict.follows),
            "memoriser_found": None if seen is None else seen[0],
            "reader_found": None if seen is None else seen[1],
            "needed": needed,
        }


def verdict_words(found: Mapping[str, Any]) -> str:
    """Return the verdict in words, with how often it is wrong, or why there is none and what it would take.

    Args:
        found: What `InputDependency.to_json` returned.
    """
    words = WORDS[found["follows"]]
    if found["why"] is None:
        wrong = _percent(found["wrong_at_most"], 1)
        return f"{words} In simulated trials of {MEASURED_CASES} cases this verdict was wrong in {wrong} at most."
    return f"{words}: {WHY[found['why']]}{_more_cases(found)}"


def _more_cases(found: Mapping[str, Any]) -> str:
    needed = found["needed"]
    if needed is None:
        return ""
    seen = (
        f" With this number of cases and this mix of actions, the test recognises {_percent(found['memoriser_found'])} "
        f"of deciders that remember nine tenths of the names, and {_percent(found['reader_found'])} of those that read."
    )
    if needed["cases"] is None:
        return f"{seen} With this mix, {MOST_CASES} cases of these tickers are not enough; name more tickers."
    more = needed["cases"] - found["cases"]
    if more <= 0:
        return f"{seen} More cases may not help."
    return f"{seen} The test asks for {needed['cases']} cases, {more} more ({needed['decisions']} decisions in all)."


def _percent(value: float, digits: int = 0) -> str:
    return f"{100 * value:.{digits}f} %"


async def input_dependency(
    services: Services,
    tickers: Sequence[str],
    days: Sequence[date],
    *,
    seed: str = SEED,
    tell: Tell = lambda _done, _all: None,
) -> InputDependency:
    """Decide on tickers and days as they are and under altered inputs, about four times as many decisions.

    One budget covers all. Decisions are stored: an interrupted experiment continues, backtests share the plain ones.

    Args:
        tickers: Normalised symbols; two at least, for the exchange of names.
        days: Past sessions.
        seed: Of the disguise.
        tell: Called after every decision, with those done and wanted of the present step.

    Raises:
        TradingAgentsError: As `decide` raises; decisions made so far are stored.
    """
    meter = UsageMeter(services.settings)  # one budget for all
    plain = await decide(services, tickers, days, meter=meter, tell=tell)
    sets, actions = [plain], _actions(plain)
    other_names, mirrored_prices, exchanges = dict[Wanted, str](), dict[Wanted, str](), list[NameExchange]()
    for day in days:
        hidden = await decide(disguised(services, tickers, day, seed=seed), tickers, [day], meter=meter, tell=tell)
        turned = await decide(upside_down(services, day), tickers, [day], meter=meter, tell=tell)
        sets += [hidden, turned]
        other_names |= _actions(hidden)
        mirrored_prices |= _actions(turned)
    for day in days:
        of_day = {ticker: actions[ticker, day] for ticker in tickers if (ticker, day) in actions}
        for pair in unlike_pairs(of_day):
            renamed = [
                await decide(under_name_of(services, ticker, other, day), [ticker], [day], meter=meter, tell=tell)
                for ticker, other in (pair, pair[::-1])
            ]
            sets += renamed
            exchanges += _exchange(pair, day, of_day, renamed)
    cases = (
        DecidedCase(wanted[0], str(wanted[1]), said, other_names.get(wanted), mirrored_prices.get(wanted))
        for wanted, said in actions.items()
    )
    return InputDependency(
        cases=tuple(cases),
        exchanges=tuple(exchanges),
        llm_usd=_cost(sets),
        missing=sum(len(decided.missing) + len(decided.found) - len(_actions(decided)) for decided in sets),
    )


def _cases(
    actions: Mapping[Wanted, str], other_names: Mapping[Wanted, str], mirrored_prices: Mapping[Wanted, str]
) -> tuple[DecidedCase, ...]:
    return tuple(
        DecidedCase(wanted[0], str(wanted[1]), said, other_names.get(wanted), mirrored_prices.get(wanted))
        for wanted, said in actions.items()
    )


def _exchange(
    pair: tuple[str, str], day: date, of_day: Mapping[str, str], renamed: Sequence[DecisionSet]
) -> list[NameExchange]:
    """Return the exchange of a pair; none where a decision under the other's name is missing."""
    first, second = (_actions(decided).get((ticker, day)) for decided, ticker in zip(renamed, pair, strict=True))
    if first is None or second is None:
        return []
    return [NameExchange(pair, str(day), (of_day[pair[0]], of_day[pair[1]]), (first, second))]


def _cost(sets: Sequence[DecisionSet]) -> float | None:
    costs = [decided.cost_usd for decided in sets]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _actions(found: DecisionSet) -> dict[Wanted, str]:
    """Return what was decided; NO_DECISION is no decision."""
    return {
        wanted: stored.decision.action for wanted, stored in found.found.items() if stored.decision != "NO_DECISION"
    }
