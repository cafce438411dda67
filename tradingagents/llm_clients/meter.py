"""The usage meter of one run: tokens and cost of model calls by agent and tier, and the budget."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tradingagents.errors import BudgetReached, SettingsError
from tradingagents.llm_clients.pricing import Tokens, cost_usd, how_to_price, is_priced
from tradingagents.schemas.records import UsageRecord
from tradingagents.settings import Settings, Tier

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

    from tradingagents.llm_clients.expected_cost import Asked

MOST_TOKENS = 1_000_000_000
"""Upper bound for plausible token counts; larger or negative ones count as not reported."""
WAIT_SECONDS = 0.02
"""Seconds between two checks of a call that waits for budget."""


@dataclass(frozen=True)
class Used:
    """Usage of one call. Tokens are 0 if the server didn't report them; see `metered`."""

    tier: str
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None
    """None if the price or the tokens are unknown."""
    seconds: float
    metered: bool = True
    retries: int = 0
    """Failed attempts before this reply."""
    cached_reply: bool = False
    """The reply came from the reply cache: no call was made, and it cost nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON-able."""
        return dict(vars(self))  # all are plain values: `asdict` would copy each

    @classmethod
    def of(cls, data: object) -> Used | None:
        """Return a call from its event in a run's log; None if the event is damaged."""
        if not isinstance(data, Mapping):
            return None
        try:
            used = cls(**{name: data[name] for name in cls.__dataclass_fields__ if name in data})
        except TypeError:
            return None
        counts = (used.input_tokens, used.output_tokens, used.cached_tokens, used.retries)
        amounts = (used.seconds, used.cost_usd or 0.0)
        return used if all(map(_is_count, counts)) and all(map(_is_amount, amounts)) else None


@dataclass
class _Sum:
    """Running totals over calls."""

    llm_calls: int = 0
    retries: int = 0
    """Retries; they don't count as calls."""
    replayed_calls: int = 0
    """Replies reused from an earlier run; they don't count as calls."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
    unmetered_calls: int = 0
    """Calls whose tokens the server didn't report."""
    unpriced_calls: int = 0
    """Calls whose cost is unknown."""

    def add(self, used: Used) -> None:
        if used.cached_reply:
            self.replayed_calls += 1
            return
        self.llm_calls += 1
        self.input_tokens += used.input_tokens
        self.output_tokens += used.output_tokens
        self.cached_tokens += used.cached_tokens
        self.cost_usd += used.cost_usd or 0.0
        self.seconds += used.seconds
        self.unmetered_calls += not used.metered
        self.unpriced_calls += used.cost_usd is None

    def join(self, other: _Sum) -> None:
        """Add the totals of other calls."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "cost_usd": None if self.unpriced_calls else self.cost_usd}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> _Sum:
        known = {key: record[key] for key in cls.__dataclass_fields__ if record.get(key) is not None}
        return cls(**known)


class UsageMeter:
    """Counts every model call of a run and enforces `max_llm_calls` and `budget_usd`.

    Safe to share between threads and tasks.
    """

    def __init__(
        self, settings: Settings, earlier: UsageRecord | None = None, *, within: UsageMeter | None = None
    ) -> None:
        """Start at zero, or at the totals of a resumed run.

        Args:
            settings: Limits and prices.
            earlier: `totals()` of the interrupted run; it counts against the limits.
            within: Meter of a batch that the run belongs to: it counts the run's calls too, and its limits replace the
                run's own.
        """
        self._settings = settings
        self._whole = within
        self._lock = threading.Lock()
        self._under_way: dict[object, float] = {}
        """Expected cost in USD of each call in progress."""
        self._all = _Sum()
        self._by_agent: dict[str, _Sum] = {}
        self._by_tier: dict[str, _Sum] = {}
        self._replies: dict[str, _Sum] = {}
        """Usage by model label, if the server reports tokens."""
        self._warnings: dict[str, None] = {}
        if earlier is not None:
            self._by_agent = {name: _Sum.of(part) for name, part in earlier.by_agent.items()}
            self._by_tier = {name: _Sum.of(part) for name, part in earlier.by_tier.items()}
            self._all = _totals_of(earlier)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for readers of the totals, without duplicates."""
        with self._lock:
            return tuple(self._warnings)

    def check(self) -> None:
        """Refuse a further call if the calls made and in progress use up the limits.

        A call in progress counts with its expected cost.

        Raises:
            BudgetReached: Names the setting to raise.
        """
        if self._whole is not None:
            self._whole.check()
            return
        with self._lock:
            self._check()

    @asynccontextmanager
    async def call(self, asked: Asked | None = None) -> AsyncIterator[None]:
        """Reserve budget for one call while it is in progress, so that parallel calls don't exceed the limits.

        A call that doesn't fit waits for the calls in progress: they may cost less than expected, and their actual cost
        is counted before a refusal ends the run.

        Args:
            asked: The call; its expected cost has to fit in the budget, if there is one. None: it is expected to cost
                the average so far, which is nothing before the first call ends.

        Raises:
            BudgetReached: Before the call.
        """
        if self._whole is not None:
            async with self._whole.call(asked):
                yield
            return
        place = object()
        while not self._begin(place, asked):
            await asyncio.sleep(WAIT_SECONDS)
        try:
            yield
        finally:
            with self._lock:
                del self._under_way[place]

    def replayed(self, agent: str, tier: Tier, model_label: str) -> Used:
        """Count a reply from the reply cache: no call, no tokens, no cost. Arguments as for `record`."""
        used = Used(tier, model_label, 0, 0, 0, 0.0, 0.0, cached_reply=True)
        self._count(agent, tier, model_label, used)
        if self._whole is not None:
            self._whole._count(agent, tier, model_label, used)
        return used

    def retried(self, agent: str, tier: Tier) -> None:
        """Count a retry."""
        with self._lock:
            for total in self._totals(agent, tier):
                total.retries += 1
        if self._whole is not None:
            self._whole.retried(agent, tier)

    def record(
        self, agent: str, tier: Tier, model_label: str, reply: AIMessage, seconds: float, *, retries: int = 0
    ) -> Used:
        """Count a reply.

        Args:
            agent: The agent that made the call.
            tier: Tier of the model.
            model_label: `provider/model`.
            reply: The reply with its `usage_metadata`.
            seconds: Duration of the call.
            retries: Failed attempts before; `retried` has counted them.
        """
        used = replace(self._used(tier, model_label, reply, seconds), retries=retries)
        self._count(agent, tier, model_label, used)
        if self._whole is not None:
            self._whole._count(agent, tier, model_label, used)
        return used

    def adopt(self, agent: str, used: Used) -> None:
        """Count a call of an earlier start of the run that is missing from its log, in the batch's meter too."""
        self.recall(agent, used)
        if self._whole is not None:
            self._whole.recall(agent, used)

    def recall(self, agent: str, used: Used) -> None:
        """Count a call of an earlier start of the run from its log; the batch's meter has already counted it."""
        self._count(agent, used.tier, used.model, used)
        with self._lock:
            for total in self._totals(agent, used.tier):
                total.retries += used.retries

    def absorb(self, usage: UsageRecord) -> None:
        """Count calls that another process has made, from its `totals()`."""
        with self._lock:
            self._all.join(_totals_of(usage))
            for sums, parts in ((self._by_agent, usage.by_agent), (self._by_tier, usage.by_tier)):
                for name, part in parts.items():
                    sums.setdefault(name, _Sum()).join(_Sum.of(part))

    def _count(self, agent: str, tier: str, model_label: str, used: Used) -> None:
        with self._lock:
            for total in self._totals(agent, tier):
                total.add(used)
            if used.cached_reply:
                return
            if used.metered:
                self._replies.setdefault(model_label, _Sum()).add(used)
            if not used.metered:
                self._warnings[_unmetered(model_label)] = None
            elif used.cost_usd is None:
                self._warnings[how_to_price(model_label)] = None

    def _totals(self, agent: str, tier: str) -> tuple[_Sum, _Sum, _Sum]:
        return self._all, self._by_agent.setdefault(agent, _Sum()), self._by_tier.setdefault(tier, _Sum())

    def totals(self) -> UsageRecord:
        """Return the totals. `cost_usd` is None if the cost of any call is unknown."""
        with self._lock:
            whole = self._all
            return UsageRecord(
                llm_calls=whole.llm_calls,
                retries=whole.retries,
                replayed_calls=whole.replayed_calls,
                input_tokens=whole.input_tokens,
                output_tokens=whole.output_tokens,
                cached_tokens=whole.cached_tokens,
                cost_usd=None if whole.unpriced_calls else whole.cost_usd,
                by_agent={name: total.to_dict() for name, total in self._by_agent.items()},
                by_tier={name: total.to_dict() for name, total in self._by_tier.items()},
            )

    def _used(self, tier: Tier, label: str, reply: AIMessage, seconds: float) -> Used:
        usage = reply.usage_metadata
        if usage is None:
            free = cost_usd(label, Tokens(1, 1), self._settings.model_prices) == 0.0
            return Used(tier, label, 0, 0, 0, 0.0 if free else None, seconds, metered=False)
        if usage.get("total_cost") == 0:  # set by LangChain on replies from its cache
            return Used(tier, label, 0, 0, 0, 0.0, seconds, cached_reply=True)
        cached = usage.get("input_token_details", {}).get("cache_read") or 0
        tokens = Tokens(usage["input_tokens"], usage["output_tokens"], cached)
        cost = cost_usd(label, tokens, self._settings.model_prices)
        return Used(tier, label, tokens.input, tokens.output, tokens.cached, cost, seconds)

    def _usual(self) -> float:
        return self._all.cost_usd / self._all.llm_calls if self._all.llm_calls else 0.0

    def _begin(self, place: object, asked: Asked | None) -> bool:
        """Reserve budget for a call; return whether it may start or has to wait. Raises BudgetReached."""
        with self._lock:
            likely = self._likely(asked) if asked and self._settings.budget_usd is not None else None
            try:
                self._check(likely or 0.0)
            except BudgetReached:
                if self._under_way:
                    return False
                raise
            self._under_way[place] = self._usual() if likely is None else likely
            return True

    def _likely(self, asked: Asked) -> float:
        """Return the expected cost of a call, with the average reply length of its model so far."""
        said = self._replies.get(asked.label)
        return asked.likely_usd(self._settings, said.output_tokens / said.llm_calls if said else None)

    def _check(self, likely: float = 0.0) -> None:
        """Refuse a further call that would exceed a limit; `likely` is its expected cost in USD."""
        most, budget = self._settings.max_llm_calls, self._settings.budget_usd
        if most is not None and self._all.llm_calls + len(self._under_way) >= most:
            raise BudgetReached(f"The run may make {most} model calls; raise max_llm_calls and run again.")
        if budget is None:
            return
        if self._all.unpriced_calls:
            raise BudgetReached(
                "budget_usd cannot be kept: the cost of a call is not known, as its server reported no token usage; "
                "use max_llm_calls instead."
            )
        bound = self._all.cost_usd + sum(self._under_way.values())
        if bound >= budget or bound + likely > budget:
            further = f", and a further one would take about {likely:.4f}" if bound < budget else ""
            raise BudgetReached(
                f"The run may spend {budget:g} USD and has spent {self._all.cost_usd:.4f} with "
                f"{len(self._under_way)} calls under way{further}; raise budget_usd and run again."
            )


def assert_priceable(settings: Settings, labels: Iterable[str]) -> None:
    """Refuse `budget_usd` if a model's price is unknown, because such a budget can't be enforced.

    Args:
        settings: With or without a budget.
        labels: `provider/model` of each model that may be used.

    Raises:
        SettingsError: Names the model and how to set its price.
    """
    if settings.budget_usd is None:
        return
    for label in labels:
        if not is_priced(label, settings.model_prices):
            raise SettingsError(f"budget_usd cannot be kept. {how_to_price(label)}")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def _is_amount(value: object) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value) and value >= 0


def _totals_of(usage: UsageRecord) -> _Sum:
    """Return the totals of all calls; some counts are recorded by tier only."""
    gaps = {
        key: sum(part.get(key) or 0 for part in usage.by_tier.values()) for key in ("unmetered_calls", "unpriced_calls")
    }
    return _Sum.of({**usage.as_json(), **gaps})


def usage_warnings(model_label: str) -> tuple[str, ...]:
    """Return what a meter may warn of about a model; a replay, which uses nothing, warns of none of it."""
    return _unmetered(model_label), how_to_price(model_label)


def _unmetered(model_label: str) -> str:
    return f"{model_label or 'The model'} does not report its token usage; totals lack it."
