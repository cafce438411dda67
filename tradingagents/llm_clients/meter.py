"""The usage meter of one run: what model calls used and cost, by agent and tier, and the budget that ends them."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from tradingagents.errors import BudgetReached, SettingsError
from tradingagents.llm_clients.pricing import Tokens, cost_usd, how_to_price, is_priced
from tradingagents.schemas.records import UsageRecord
from tradingagents.settings import Settings, Tier

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

    from tradingagents.llm_clients.estimate import Asked

MOST_TOKENS = 1_000_000_000
"""No call takes more: a server that counts more, or less than none, has not counted."""
WAIT_SECONDS = 0.02
"""How often a call that has no room yet looks again."""


@dataclass(frozen=True)
class Used:
    """What one call used. Tokens are 0 where the server did not count them; `metered` says so."""

    tier: str
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None
    """None where the price or the tokens are not known."""
    seconds: float
    metered: bool = True
    retries: int = 0
    """Attempts that failed before this reply came."""
    cached_reply: bool = False
    """The reply is one that was kept: no call was made, and it cost nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON-able."""
        return asdict(self)

    @classmethod
    def of(cls, data: object) -> Used | None:
        """Return a call as a run's log tells it; None where the line is damaged."""
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
    """Running totals of some calls."""

    llm_calls: int = 0
    retries: int = 0
    """Further attempts at calls; they are no calls of their own."""
    replayed_calls: int = 0
    """Replies that were kept from an earlier run; they are no calls."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
    unmetered_calls: int = 0
    """Calls whose tokens the server did not count."""
    unpriced_calls: int = 0
    """Calls whose cost is not known."""

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

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "cost_usd": None if self.unpriced_calls else self.cost_usd}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> _Sum:
        known = {key: record[key] for key in cls.__dataclass_fields__ if record.get(key) is not None}
        return cls(**known)


class UsageMeter:
    """Counts every model call of a run, and lets none begin beyond `max_llm_calls` or `budget_usd`.

    Safe to share between threads and tasks.
    """

    def __init__(
        self, settings: Settings, earlier: UsageRecord | None = None, *, within: UsageMeter | None = None
    ) -> None:
        """Start at zero, or where a resumed run left off.

        Args:
            settings: Limits and prices.
            earlier: `totals()` of the interrupted run; it counts against the limits.
            within: Meter of a whole that the run is part of: it counts the run's calls too, and its limits hold in
                place of the run's own.
        """
        self._settings = settings
        self._whole = within
        self._lock = threading.Lock()
        self._under_way: dict[object, float] = {}
        """What each call under way is taken to cost, in USD."""
        self._all = _Sum()
        self._by_agent: dict[str, _Sum] = {}
        self._by_tier: dict[str, _Sum] = {}
        self._replies: dict[str, _Sum] = {}
        """Of each model, by its label, where the server counts their tokens."""
        self._warnings: dict[str, None] = {}
        if earlier is not None:
            self._by_agent = {name: _Sum.of(one) for name, one in earlier.get("by_agent", {}).items()}
            self._by_tier = {name: _Sum.of(one) for name, one in earlier.get("by_tier", {}).items()}
            self._all = _Sum.of({**earlier, **_gaps(self._by_tier.values())})

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the totals should know, each said once."""
        with self._lock:
            return tuple(self._warnings)

    def check(self) -> None:
        """Refuse a further call when the calls made and under way use up what the run may.

        A call under way is taken to cost what it was foreseen to cost.

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
        """Hold a place for one call while it is under way, so that parallel calls do not overshoot the limits.

        A call that does not fit beside those under way waits for them: they may take less than was foreseen, and what
        they take is counted before a refusal ends the run.

        Args:
            asked: The call; what it is likely to cost has to fit in the budget, where there is one. None: it is taken
                to cost what calls cost so far on average, which is nothing before the first one ends.

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
        """Count a reply that was kept: it is no call, uses nothing and costs nothing. Arguments as for `record`."""
        used = Used(tier, model_label, 0, 0, 0, 0.0, 0.0, cached_reply=True)
        self._count(agent, tier, model_label, used)
        if self._whole is not None:
            self._whole._count(agent, tier, model_label, used)
        return used

    def retried(self, agent: str, tier: Tier) -> None:
        """Count a further attempt at a call."""
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
            agent: Who asked.
            tier: Tier of the model.
            model_label: `provider/model`.
            reply: What came back, with its `usage_metadata`.
            seconds: How long it took.
            retries: Attempts that failed before; `retried` has counted them.
        """
        used = replace(self._used(tier, model_label, reply, seconds), retries=retries)
        self._count(agent, tier, model_label, used)
        if self._whole is not None:
            self._whole._count(agent, tier, model_label, used)
        return used

    def adopt(self, agent: str, used: Used) -> None:
        """Count a call that an earlier start of the run made and that its log does not tell of, for the whole too."""
        self.recall(agent, used)
        if self._whole is not None:
            self._whole.recall(agent, used)

    def recall(self, agent: str, used: Used) -> None:
        """Count a call that an earlier start of the run made, as its log tells it; the whole has counted it already."""
        self._count(agent, used.tier, used.model, used)
        with self._lock:
            for total in self._totals(agent, used.tier):
                total.retries += used.retries

    def _count(self, agent: str, tier: str, model_label: str, used: Used) -> None:
        with self._lock:
            for total in self._totals(agent, tier):
                total.add(used)
            if used.cached_reply:
                return
            if used.metered:
                self._replies.setdefault(model_label, _Sum()).add(used)
            if not used.metered:
                self._warnings[f"{model_label or 'The model'} does not report its token usage; totals lack it."] = None
            elif used.cost_usd is None:
                self._warnings[how_to_price(model_label)] = None

    def _totals(self, agent: str, tier: str) -> tuple[_Sum, _Sum, _Sum]:
        return self._all, self._by_agent.setdefault(agent, _Sum()), self._by_tier.setdefault(tier, _Sum())

    def totals(self) -> UsageRecord:
        """Return the totals. `cost_usd` is None once any call's cost is not known."""
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
                by_agent={name: one.to_dict() for name, one in self._by_agent.items()},
                by_tier={name: one.to_dict() for name, one in self._by_tier.items()},
            )

    def _used(self, tier: Tier, label: str, reply: AIMessage, seconds: float) -> Used:
        usage = reply.usage_metadata
        if usage is None:
            free = cost_usd(label, Tokens(1, 1), self._settings.model_prices) == 0.0
            return Used(tier, label, 0, 0, 0, 0.0 if free else None, seconds, metered=False)
        if usage.get("total_cost") == 0:  # LangChain's mark on a reply from its cache
            return Used(tier, label, 0, 0, 0, 0.0, seconds, cached_reply=True)
        cached = usage.get("input_token_details", {}).get("cache_read") or 0
        tokens = Tokens(usage["input_tokens"], usage["output_tokens"], cached)
        cost = cost_usd(label, tokens, self._settings.model_prices)
        return Used(tier, label, tokens.input, tokens.output, tokens.cached, cost, seconds)

    def _usual(self) -> float:
        return self._all.cost_usd / self._all.llm_calls if self._all.llm_calls else 0.0

    def _begin(self, place: object, asked: Asked | None) -> bool:
        """Give a call its place; tell whether it has it, or has to wait for others. Raises BudgetReached."""
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
        """Return what a call is likely to cost, its reply as long as those of its model were so far."""
        said = self._replies.get(asked.label)
        return asked.likely_usd(self._settings, said.output_tokens / said.llm_calls if said else None)

    def _check(self, likely: float = 0.0) -> None:
        """Refuse a further call that would go beyond a limit; `likely` is what it is taken to cost, in USD."""
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
    """Refuse `budget_usd` where a model's price is not known: such a budget could not be kept.

    Args:
        settings: With or without a budget.
        labels: `provider/model` of each model that may be asked.

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


def _gaps(sums: Any) -> dict[str, int]:
    """Return the counts that the record keeps by tier only."""
    parts = list(sums)
    return {key: sum(getattr(one, key) for one in parts) for key in ("unmetered_calls", "unpriced_calls")}
