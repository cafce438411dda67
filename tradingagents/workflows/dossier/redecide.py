"""Decides again on the frozen evidence of a dossier with another model, and compares what the two conclude."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.llm_clients.providers import PROVIDERS
from tradingagents.workflows.dossier.contents import Dossier
from tradingagents.workflows.dossier.data_cells import ReplayedVendors
from tradingagents.workflows.dossier.rerun import dossier_services, run_again

OFFLINE = "offline"
"""The provider of the rules, which has one model."""
OF_A_DECISION = ("action", "confidence", "entry", "stop", "target", "position_size", "horizon_days")
OF_A_RUN = ("status", "rating", "confidence", "stopped", "answer")
OF_A_VALUATION = ("expected_value", "price", "currency")


@dataclass(frozen=True, slots=True)
class OtherConclusion:
    """What a run concluded, and what another model concludes from the same evidence."""

    run_id: str
    model: str
    """`provider/model` of the other model."""
    sealed: Mapping[str, Any]
    """The conclusion of the sealed run, by name."""
    other: Mapping[str, Any]
    """The conclusion of the other model, by the same names."""
    llm_calls: int
    cost_usd: float | None
    """None where the price of a model is not known."""
    not_held: tuple[str, ...]
    """Requests for data that the sealed run did not make: the other model got no answer to them."""

    @property
    def differing(self) -> tuple[str, ...]:
        """Names of what differs."""
        return tuple(name for name in self.sealed if self.sealed[name] != self.other.get(name))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "run_id": self.run_id,
            "model": self.model,
            "differing": list(self.differing),
            "sealed": dict(self.sealed),
            "other": dict(self.other),
            "llm_calls": self.llm_calls,
            "cost_usd": self.cost_usd,
            "not_held": list(self.not_held),
        }


async def decide_again(
    dossier: Dossier,
    model: str,
    environ: Mapping[str, str],
    *,
    backend_url: str | None = None,
    budget_usd: float | None = None,
    max_llm_calls: int | None = None,
) -> OtherConclusion:
    """Run a sealed run with another model for every tier; data come from the dossier alone.

    Args:
        dossier: The sealed run.
        model: `provider/model`, or `offline` for the rules.
        environ: Where the key of the model is read from.
        backend_url: Address of the model's server; None for the provider's own.
        budget_usd: The most that it may cost.
        max_llm_calls: The most calls that it may make.

    Raises:
        UsageError: The model is not given as `provider/model`.
        ModelNotConfigured: Its key or package is missing.
        BudgetReached: The limit was reached before there was a decision.
        ModelFailure: It does not answer.
    """
    limits = {"budget_usd": budget_usd, "max_llm_calls": max_llm_calls}
    changes = {**_model_settings(model), "backend_url": backend_url, "replay": "off", **limits}
    with tempfile.TemporaryDirectory(prefix="tradingagents-") as home:
        services = dossier_services(dossier, Path(home), environ, changes)
        labels, vendors = set(services.models.labels.values()), services.vendors
        card = await run_again(dossier.manifest, services)
    usage = card.get("usage", {})
    return OtherConclusion(
        run_id=dossier.manifest.run_id,
        model=", ".join(sorted(labels)),
        sealed=conclusion(dossier.card),
        other=conclusion(card),
        llm_calls=int(usage.get("llm_calls", 0)),
        cost_usd=usage.get("cost_usd"),
        not_held=vendors.not_held if isinstance(vendors, ReplayedVendors) else (),
    )


def conclusion(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a run concluded, by name: of its decision, its valuation, its scenarios, its answer."""
    decision, valuation = card.get("decision") or {}, card.get("valuation") or {}
    scenarios = valuation.get("scenarios") or card.get("scenarios") or []
    return {
        **{name: card[name] for name in OF_A_RUN if name in card},
        **{f"decision.{name}": decision[name] for name in OF_A_DECISION if name in decision},
        **{f"valuation.{name}": valuation[name] for name in OF_A_VALUATION if name in valuation},
        **{f"probability.{one['name']}": one["probability"] for one in scenarios if "probability" in one},
    }


def _model_settings(model: str) -> dict[str, Any]:
    """Return the settings of a model that answers for every tier.

    Raises:
        UsageError: Its provider is not known.
    """
    provider, _, name = model.partition("/")
    if (provider not in PROVIDERS and provider != OFFLINE) or bool(name) == (provider == OFFLINE):
        raise UsageError(
            f"{model[:60]!r} names no model; write provider/model, such as openai/gpt-5-mini, or offline for the rules."
        )
    tiers = ("quick", "mid", "deep")
    return {
        "llm_provider": provider,
        **{f"{tier}_think_llm": name or provider for tier in tiers},
        **{f"{tier}_think_llm_provider": None for tier in tiers},
        **{f"{tier}_think_backend_url": None for tier in tiers},
        **{f"{tier}_fallback_llm": None for tier in tiers},
    }
