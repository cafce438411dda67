"""Why models decide otherwise on a later day: decide again on frozen reports, some of them as they were before.

Models answer the same question in different ways, so that one other answer proves nothing. The later day is decided
several times on unchanged reports: how often these decisions differ is the noise. A set of reports counts as the cause
only where, with these reports as they were on the earlier day, other actions come more often than by noise (Fisher's
exact test at 5 %). Sets are tried from the smallest on: each once, and again where the decision turned, within a given
number of decisions. The result is a sample: a set that by chance did not turn the decision at its only trial is not
tried again.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import combinations
from typing import Any, Literal

from tradingagents.agents import roster
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.analytics.holdings.reader_book import ReaderBook
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BudgetReached, UsageError
from tradingagents.graph.trading.kind import TRADING, TradingKind, TradingRequest
from tradingagents.graph.trading.run import Run, TradingRun
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.kind import AnyGraph, RunParts
from tradingagents.runtime.services import Services

LEVEL = 0.05
DECISIONS, REPEATS = 30, 3
LEAST_DECISIONS = 8
Stopped = Literal["found", "same", "unstable", "not_by_reports", "none", "decisions", "budget"]
"""Why no further set was tried.

- `found`: a set was told from noise.
- `same`: both days have the same action.
- `unstable`: the later day, unchanged, has no action that most decisions share.
- `not_by_reports`: with all reports as before the decision stays; prices and date of the later day decide.
- `none`: every set was tried.
- `decisions`, `budget`: the number of decisions, or the budget, was used up.
"""


@dataclass(frozen=True, slots=True)
class TriedSet:
    """Reports that were as before, and what was decided then."""

    reports: tuple[str, ...]
    """State keys, such as `market_report`."""
    actions: Mapping[str, int]
    """Decisions by action."""
    turned: int
    """Decisions with another action than the later day's."""
    decisions: int
    p_value: float
    """Probability of so many other actions by noise alone (Fisher's exact test, one-sided)."""


@dataclass(frozen=True, slots=True)
class SampledChange:
    """Why models decide otherwise on a later day, as far as a sample shows."""

    ticker: str
    first: date
    second: date
    before: str
    """Action on the earlier day."""
    after: str
    """The action of most decisions on the later day, unchanged."""
    unchanged: Mapping[str, int]
    """Actions of the decisions on the later day's own reports: what differs among them is noise."""
    deciding: tuple[str, ...]
    """The fewest reports found that, as before, turn the decision; empty for none."""
    turned: str | None
    """The action that most decisions have with `deciding` as before."""
    p_value: float | None
    tried: tuple[TriedSet, ...]
    decisions: int
    """Decisions that were made, those of the two days among them."""
    most: int
    stopped: Stopped
    llm_calls: int
    cost_usd: float | None
    """None where the price of a model is not known."""

    @property
    def noise(self) -> float:
        """Share of unchanged decisions with another action than most."""
        return 1 - self.unchanged.get(self.after, 0) / max(sum(self.unchanged.values()), 1)

    def sentence(self) -> str:
        """Say what the sample shows, and that it is one."""
        count = sum(self.unchanged.values())
        base = (
            f"{self.ticker}: {self.before} on {self.first}, {self.after} on {self.second}; of {count} decisions on the "
            f"later day's own reports {count - self.unchanged.get(self.after, 0)} differed."
        )
        return f"{base} {self._found()} This is a sample of {self.decisions} decisions, at most {self.most}."

    def _found(self) -> str:
        if self.deciding:
            named = ", ".join(report.replace("_", " ") for report in self.deciding)
            return f"With {named} as on {self.first} the decision is {self.turned} (p = {self.p_value or 0:.3f})."
        return _ENDINGS[self.stopped]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        days = {"days": [self.first.isoformat(), self.second.isoformat()], "decided_by": "models", "sampled": True}
        plain = {name: value for name, value in asdict(self).items() if name not in ("first", "second")}
        return {**plain, **days, "noise": self.noise, "differs": self.before != self.after, "said": self.sentence()}


_ENDINGS: Mapping[str, str] = {
    "found": "",
    "same": "Both days have the same action.",
    "unstable": "The later decision is not stable: nothing can be told from noise.",
    "not_by_reports": "With all reports as before it stays: the day and its prices decide, or chance.",
    "none": "No set of reports turns it more often than noise does.",
    "decisions": "No set was told from noise within the number of decisions.",
    "budget": "The budget was used up before a set was told from noise.",
}


async def sample_change(
    ticker: str,
    first: date,
    second: date,
    services: Services,
    *,
    decisions: int = DECISIONS,
    repeats: int = REPEATS,
    tell: Callable[[int, int], None] = lambda _done, _most: None,
) -> SampledChange:
    """Decide on two days by the models of the services, then on the later day with some reports as before.

    Args:
        ticker: Any spelling of the symbol.
        first: The earlier day.
        second: The later day.
        services: Models, settings and vendors; nothing is written, and no stored reply is used. The budget of the
            settings covers all decisions together.
        decisions: Most decisions.
        repeats: Further decisions on the unchanged evidence, and decisions on a set that turned.
        tell: Called with the decisions that were made or begun, and the most.

    Raises:
        UsageError: The days are not in order, or the numbers are too small.
        BudgetReached: The budget did not last for the decisions on the two days.
        TradingAgentsError: As a run raises.
    """
    if first >= second:
        raise UsageError(f"The earlier day comes first: {first} is not before {second}.")
    if decisions < LEAST_DECISIONS or not 1 <= repeats <= 20:
        raise UsageError(f"Allow at least {LEAST_DECISIONS} decisions, and 1 to 20 repeats.")
    fresh = services.settings.model_copy(update={"replay": "off", "keep_replies": False})
    sampler = _Sampler(normalise(ticker), second, replace(services, settings=fresh, graphs={}), decisions, tell)
    earlier = await sampler.whole(first)
    later = await sampler.whole(second)
    sampler.freeze(_texts(earlier), _texts(later))
    return await _search(sampler, first, earlier.decision.action, later.decision.action, repeats)


async def _search(sampler: _Sampler, first: date, before: str, seen: str, repeats: int) -> SampledChange:
    """Measure the noise, then try sets from the smallest on."""
    unchanged, tried = Counter([seen]), list[TriedSet]()

    def ended(stopped: Stopped, found: TriedSet | None = None) -> SampledChange:
        after = unchanged.most_common(1)[0][0]
        others = {action: count for action, count in (found.actions if found else {}).items() if action != after}
        return SampledChange(
            ticker=sampler.ticker,
            first=first,
            second=sampler.day,
            before=before,
            after=after,
            unchanged=dict(sorted(unchanged.items())),
            deciding=found.reports if found else (),
            turned=max(others, key=lambda action: others[action]) if others else None,
            p_value=found.p_value if found else None,
            tried=tuple(tried),
            decisions=sampler.made,
            most=sampler.most,
            stopped=stopped,
            llm_calls=sampler.meter.totals().llm_calls,
            cost_usd=sampler.meter.totals().cost_usd,
        )

    try:
        unchanged.update(await sampler.actions([()] * repeats))
        after, share = unchanged.most_common(1)[0]
        if share * 2 <= unchanged.total():
            return ended("unstable")
        if after == before:
            return ended("same")
        for reports in _sets(sampler.changed):
            trial = await _try(sampler, reports, unchanged, repeats)
            if trial is None:
                return ended("decisions")
            tried.append(trial)
            whole = len(reports) == len(sampler.changed)
            if whole and not trial.turned:
                return ended("not_by_reports")
            if not (whole and len(sampler.changed) > 1) and trial.p_value <= LEVEL:
                return ended("found", trial)
    except BudgetReached:
        return ended("budget")
    of_all = [trial for trial in tried if len(trial.reports) == len(sampler.changed) and trial.p_value <= LEVEL]
    return ended("found", of_all[0]) if of_all else ended("none")


async def _try(sampler: _Sampler, reports: tuple[str, ...], unchanged: Counter[str], repeats: int) -> TriedSet | None:
    """Decide with reports as before: once, and again where that turned; None where no decision is left."""
    if not sampler.left:
        return None
    after = unchanged.most_common(1)[0][0]
    actions = Counter(await sampler.actions([reports]))
    if any(action != after for action in actions) and sampler.left >= repeats - 1:
        actions.update(await sampler.actions([reports] * (repeats - 1)))
    turned = actions.total() - actions[after]
    noise = unchanged.total() - unchanged[after]
    p_value = fisher(turned, actions.total(), noise, unchanged.total())
    return TriedSet(reports, dict(sorted(actions.items())), turned, actions.total(), p_value)


def _sets(changed: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield all reports first, since a part turns the decision only if all do; then every set from the smallest on."""
    if not changed:
        return
    yield tuple(changed)
    for size in range(1, len(changed)):
        yield from combinations(changed, size)


def fisher(hits: int, draws: int, others: int, rest: int) -> float:
    """Return the one-sided p-value of Fisher's exact test.

    Args:
        hits: Other actions among the decisions on changed evidence.
        draws: Decisions on changed evidence.
        others: Other actions among the decisions on unchanged evidence.
        rest: Decisions on unchanged evidence.
    """
    total, marked = draws + rest, hits + others
    ways = sum(
        math.comb(marked, found) * math.comb(total - marked, draws - found)
        for found in range(hits, min(draws, marked) + 1)
        if draws - found <= total - marked
    )
    return ways / math.comb(total, draws)


class _Sampler:
    """Decides on the later day with reports as they were on either day, and counts."""

    def __init__(self, ticker: str, day: date, services: Services, most: int, tell: Callable[[int, int], None]) -> None:
        self._tell = tell
        self.ticker, self.day, self.most, self.made = ticker, day, most, 0
        self.meter = UsageMeter(services.settings)
        self.changed: tuple[str, ...] = ()
        self._services = services
        self._before: Mapping[str, str] = {}
        self._after: Mapping[str, str] = {}
        self._places = asyncio.Semaphore(services.settings.max_concurrent_pipelines)

    @property
    def left(self) -> int:
        """Decisions that may still be made."""
        return self.most - self.made

    async def whole(self, day: date) -> Run:
        """Run the whole graph on a day."""
        self._count(1)
        request = TradingRequest(ticker=self.ticker, day=day)
        return await start(TRADING, request, self._services, self._options()).result()

    def freeze(self, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        """Set the reports of both days; one that is missing on a day is not available there."""
        keys = tuple(dict.fromkeys((*after, *before)))
        missing = f"{NOT_AVAILABLE} It was not written for this day."
        self._before = {key: before.get(key, missing) for key in keys}
        self._after = {key: after.get(key, missing) for key in keys}
        self.changed = tuple(key for key in keys if self._before[key] != self._after[key])

    async def actions(self, sets: Iterable[tuple[str, ...]]) -> list[str]:
        """Return the actions decided with each set of reports as before; no more than are left."""
        wanted = list(sets)[: self.left]
        self._count(len(wanted))
        tasks = [asyncio.ensure_future(self._action(reports)) for reports in wanted]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise

    def _count(self, more: int) -> None:
        self.made += more
        self._tell(self.made, self.most)

    async def _action(self, reports: tuple[str, ...]) -> str:
        texts = {key: self._before[key] if key in reports else text for key, text in self._after.items()}
        request = TradingRequest(ticker=self.ticker, day=self.day)
        async with self._places:
            run = await start(_DecideAgain(texts), request, self._services, self._options()).result()
        return run.decision.action

    def _options(self) -> RunOptions:
        return RunOptions(persist="none", observed=False, meter=self.meter)


class _DecideAgain(TradingKind):
    """The trading graph from the reports on."""

    name = "decide_again"

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph without analysts."""
        from tradingagents.graph.trading.graph import build_deciding_graph

        return build_deciding_graph(services.models, services.memories, services.settings)

    def open(self, parts: RunParts, found: tuple[Prices, ReaderBook | None]) -> TradingRun:
        """Return a run that begins with the reports."""
        run = super().open(parts, found)
        return _FrozenRun(parts, run.context, found[0], self._texts)


class _FrozenRun(TradingRun):
    """A run whose analysts have reported."""

    def __init__(self, parts: RunParts, context: Any, prices: Prices, given: Mapping[str, str]) -> None:
        super().__init__(parts, context, prices)
        self._given = given
        self._tracer.take(given.values())

    def first_state(self) -> Mapping[str, Any]:
        """Return ticker, day and the reports."""
        return {**super().first_state(), **self._given}


def _texts(run: Run) -> dict[str, str]:
    """Return what the analysts of a run left, reports and copied results, by state key."""
    state: Mapping[str, Any] = run.state
    keys = (section.key for _, section in roster.analyst_sections())
    return {key: text for key in keys if isinstance(text := state.get(key), str) and text.strip()}
