"""Cohort: runs that may be compared, because they share the market and the kind of analyst that decides.

Lessons, outcomes, scores, cost history and watch-list changes never cross cohorts: results of rules on a simulated
market say nothing about a language model on a real one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import ValidationError

from tradingagents.schemas.cards import CardRecord
from tradingagents.settings import KEYS, Settings

DecidedBy = Literal["models", "rules", "scripted"]
DECIDERS: tuple[DecidedBy, ...] = get_args(DecidedBy)
REAL, SIMULATED = "real", "simulated"
SIMULATED_MARKET = "Simulated market: the companies, prices and news are made up."
_BY_PROVIDER: Mapping[str, DecidedBy] = {"offline": "rules", "scripted": "scripted"}


@dataclass(frozen=True, slots=True, order=True)
class Cohort:
    """The market studied, and the kind of analyst that decides."""

    market: str
    """`real` (live vendors and recorded folders) or `simulated-SEED`; each seed is a different market."""
    decided_by: DecidedBy
    """`models`: language models; `rules`: the offline analysts; `scripted`: predefined replies."""

    def __str__(self) -> str:
        return f"{self.market}/{self.decided_by}"

    @property
    def label(self) -> str:
        """The cohort as text, for headings."""
        seed = self.market.removeprefix(f"{SIMULATED}-")
        market = "real market" if self.market == REAL else f"simulated market (seed {seed})"
        who = {"models": "language models", "rules": "offline analysts", "scripted": "scripted replies"}
        return f"{market}, {who[self.decided_by]}"

    @classmethod
    def parse(cls, text: str) -> Cohort:
        """Parse the result of `str`.

        Raises:
            ValueError: The text is not a cohort.
        """
        market, _, decided_by = text.partition("/")
        known = next((one for one in DECIDERS if one == decided_by), None)
        if not market or known is None:
            raise ValueError(f"{text!r} is not a cohort")
        return cls(market, known)


def cohort_of(settings: Settings, models: Mapping[Any, str] | None = None) -> Cohort:
    """Return the cohort of a run.

    Args:
        models: `provider/model` by tier, if known; the deep tier's provider overrides that of the settings.
    """
    label = (models or {}).get("deep", "")
    provider = label.partition("/")[0] or settings.deep_think_llm_provider or settings.llm_provider
    prices = settings.vendors_for("get_stock_data", "core_stock_apis")
    market = f"{SIMULATED}-{settings.simulated_seed}" if SIMULATED in prices else REAL
    return Cohort(market, _BY_PROVIDER.get(provider, "models"))


def market_note(record: CardRecord) -> str | None:
    """Return the sentence that a run's market is made up, for everything that shows its record; None for a real one."""
    sources = {name for row in record.data_sheet for name in row.vendor.split("+")}
    vendors = str(record.settings.get("data_vendor") or "").split(",")
    return SIMULATED_MARKET if SIMULATED in {*sources, *vendors} else None


def note_on_market(market: str) -> str | None:
    """Return the same sentence for the market of a cohort."""
    return SIMULATED_MARKET if market.partition("-")[0] == SIMULATED else None


def market_note_of(settings: Settings) -> str | None:
    """Return the same sentence for what is computed with these settings."""
    return note_on_market(cohort_of(settings).market)


def cohort_of_card(card: Mapping[str, Any]) -> Cohort | None:
    """Return the cohort of a run from its card; `None` when the card does not state it."""
    given = card.get("settings")
    if not isinstance(given, Mapping):
        return None
    models = card.get("models")
    try:
        settings = Settings.model_validate({key: value for key, value in given.items() if key in KEYS})
    except ValidationError:
        return None
    return cohort_of(settings, models if isinstance(models, Mapping) else None)
