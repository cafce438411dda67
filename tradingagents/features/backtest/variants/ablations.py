"""Ablations: the tested graph with a part taken away; what is lost without a part is what the part is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tradingagents.agents.managers import sole_decider
from tradingagents.agents.roster import trading_agents
from tradingagents.agents.spec import ReportAgent
from tradingagents.errors import UsageError
from tradingagents.graph.trading.kind import TRADING, TradingKind
from tradingagents.llm_clients.tiers import TIERS, TierModels, build_tiers
from tradingagents.memory.cohort import cohort_of
from tradingagents.runtime.kind import AnyGraph
from tradingagents.runtime.services import Services
from tradingagents.settings import Settings

OFFLINE = "offline"
"""The variant that is decided by the offline analysts; a baseline, and no trial."""
FIRST_ANALYST = "market"
NEWS = frozenset({"get_news", "get_global_news"})
"""Tools of analysts that read news."""
_NO_DEBATE = {"max_debate_rounds": 0, "max_risk_discuss_rounds": 0}
_RULES = "offline/"
"""Beginning of the labels of models that are rules."""


class OneCallKind(TradingKind):
    """The trading run without its team."""

    name = "one_call"

    def prompts(self) -> Mapping[str, str]:
        """Return the one instruction there is."""
        return {sole_decider.SPEC.name: sole_decider.PROMPT}

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.backtest.variants.one_call import build_one_call_graph

        return build_one_call_graph(services.models, services.settings, name=self.name)


ONE_CALL = OneCallKind()


@dataclass(frozen=True, slots=True)
class Ablation:
    """A part that can be taken away."""

    title: str
    change: Callable[[Services], Services]


def ablated(services: Services, name: str) -> Services:
    """Return services without a part.

    Args:
        services: Those of the test.
        name: One of `ABLATIONS`.

    Raises:
        UsageError: There is no such part, or nothing would change.
    """
    if name == "no_memory":
        raise UsageError("A backtest decides without memory of other runs already, so no_memory would change nothing.")
    if name not in ABLATIONS:
        raise UsageError(f"There is no ablation {name[:30]!r}; there are {', '.join(ABLATIONS)}.")
    changed = ABLATIONS[name].change(services)
    if _named(changed) == _named(services):
        raise UsageError(f"The ablation {name} would change nothing: the tested settings have no such part.")
    return changed


def _named(services: Services) -> tuple[Settings, Mapping[Any, str], str]:
    """Return what an ablation can change."""
    return services.settings, services.models.labels, services.variant


def offline_variant(services: Services) -> Services | None:
    """Return services whose agents are the offline analysts; None where nothing but rules decides already."""
    if follows_rules(services.models.labels):
        return None
    plain: dict[str, object] = {"llm_provider": "offline", "backend_url": None}
    for tier in TIERS:
        plain |= {f"{tier}_think_llm_provider": None, f"{tier}_think_backend_url": None, f"{tier}_fallback_llm": None}
    settings = services.settings.model_copy(update=plain)
    models = build_tiers(settings, {})
    return replace(services, settings=settings, models=models, cohort=cohort_of(settings, models.labels), graphs={})


def decider_of(services: Services) -> TradingKind:
    """Return the kind of run by which services decide: the team, or one call."""
    return ONE_CALL if services.variant == ONE_CALL.name else TRADING


def follows_rules(labels: Mapping[Any, str]) -> bool:
    """Tell whether all models are the rules of the offline analysts, which decide the same each time."""
    return all(label.startswith(_RULES) for label in labels.values())


def _with(services: Services, **settings: object) -> Services:
    changed: Settings = services.settings.model_copy(update=settings)
    return replace(services, settings=changed, graphs={})


def _without_debate(services: Services) -> Services:
    return _with(services, **_NO_DEBATE)


def _one_analyst(services: Services) -> Services:
    analysts = services.settings.analysts
    return _with(services, analysts=(FIRST_ANALYST if FIRST_ANALYST in analysts else analysts[0],))


def _without_news(services: Services) -> Services:
    agents = trading_agents(services.settings.analysts)
    readers = {
        spec.choice for spec in agents if isinstance(spec, ReportAgent) and NEWS & {tool.name for tool in spec.tools}
    }
    left = tuple(name for name in services.settings.analysts if name not in readers)
    if not left:
        raise UsageError("The ablation no_news would leave no analyst: all of them read news.")
    return _with(services, analysts=left)


def _single_model(services: Services) -> Services:
    models = services.models
    label, fallback = models.label("deep"), models.fallbacks.get("deep")
    same = TierModels(
        models.deep,
        models.deep,
        models.deep,
        names=dict.fromkeys(TIERS, label),
        connections=models.connections,
        fallbacks={} if fallback is None else dict.fromkeys(TIERS, fallback),
    )
    return replace(_without_debate(services), models=same)


def _one_call(services: Services) -> Services:
    if follows_rules(services.models.labels):
        raise UsageError(
            "The ablation one_call asks a language model once, and rules decide here; choose a model (llm_provider), "
            "or leave it out."
        )
    return replace(services, variant=ONE_CALL.name, graphs={})


ABLATIONS: Mapping[str, Ablation] = {
    "no_debate": Ablation("Without debates", _without_debate),
    "one_analyst": Ablation("One analyst", _one_analyst),
    "no_news": Ablation("Without news", _without_news),
    "single_model": Ablation("One model, without debates", _single_model),
    "one_call": Ablation("One call of the deep model", _one_call),
}
"""By name, in the order of the report."""
