"""Decides again on the frozen evidence of a dossier with another model, and compares what the two conclude."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.features.dossier.contents import Dossier
from tradingagents.features.dossier.data_cells import ReplayedVendors
from tradingagents.features.dossier.documents import ReplayedDocuments
from tradingagents.features.dossier.rerun import dossier_services, refusing_forged, run_again, with_first_ids
from tradingagents.llm_clients.providers import PROVIDERS
from tradingagents.retrieval.store import own_store

OFFLINE = "offline"
"""The provider of the rules, which has one model."""
OF_A_DECISION = ("action", "confidence", "strength", "entry", "stop", "target", "position_size", "horizon_days")
OF_A_RUN = ("status", "rating", "confidence", "stopped", "answer")
OF_A_VERDICT = ("thesis", "conviction", "other_conviction")
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
    own_searches: tuple[str, ...] = ()
    """Searches in filings that the sealed run did not make: made in the pages that the dossier holds."""

    @property
    def differing(self) -> tuple[str, ...]:
        """Names of what differs."""
        return tuple(name for name in self.names if self.sealed.get(name) != self.other.get(name))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of what either concluded, those of the sealed run first."""
        return tuple(dict.fromkeys((*self.sealed, *self.other)))

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
            "own_searches": list(self.own_searches),
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
        BadDossier: Entries of the dossier have other forms than ours.
        UsageError: The model is not given as `provider/model`.
        ModelNotConfigured: Its key or package is missing.
        BudgetReached: The limit was reached before there was a decision.
        ModelFailure: It does not answer.
    """
    limits = {"budget_usd": budget_usd, "max_llm_calls": max_llm_calls}
    changes = {**_model_settings(model), "backend_url": backend_url, "replay": "off", **limits}
    with refusing_forged(), tempfile.TemporaryDirectory(prefix="tradingagents-") as home:
        services = dossier_services(dossier, Path(home), environ, changes)
        labels, vendors = set(services.models.labels.values()), services.vendors
        documents = own_store(services.settings, services.memo)
        card = with_first_ids(await run_again(dossier.manifest, services), dossier.card, dossier.manifest.kind)
    usage = card.get("usage", {})
    return OtherConclusion(
        run_id=dossier.manifest.run_id,
        model=", ".join(sorted(labels)),
        sealed=conclusion(dossier.card),
        other=conclusion(card),
        llm_calls=int(usage.get("llm_calls", 0)),
        cost_usd=usage.get("cost_usd"),
        not_held=vendors.not_held if isinstance(vendors, ReplayedVendors) else (),
        own_searches=tuple(documents.own_searches) if isinstance(documents, ReplayedDocuments) else (),
    )


def conclusion(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a run concluded, by name: decision, verdict, valuation, scenarios, hypotheses, stocks, answer."""
    summary, verdict = card.get("summary") or {}, card.get("verdict") or {}
    stocks = summary.get("stocks_to_investigate", ()) if isinstance(summary, Mapping) else ()
    decision, valuation = card.get("decision") or {}, card.get("valuation") or {}
    scenarios = valuation.get("scenarios") or card.get("scenarios") or []
    return {
        **{name: card[name] for name in OF_A_RUN if name in card},
        **{f"decision.{name}": decision[name] for name in OF_A_DECISION if name in decision},
        **{f"valuation.{name}": valuation[name] for name in OF_A_VALUATION if name in valuation},
        **{f"verdict.{name}": verdict[name] for name in OF_A_VERDICT if name in verdict},
        **{f"hypothesis.{hypothesis['title']}": hypothesis["status"] for hypothesis in card.get("hypotheses", ())},
        **{f"stock.{stock['ticker']}": f"{stock['stance']}, {stock['conviction']}" for stock in stocks},
        **{
            f"probability.{scenario['name']}": scenario["probability"]
            for scenario in scenarios
            if "probability" in scenario
        },
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
