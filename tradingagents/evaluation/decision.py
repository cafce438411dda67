"""A run that ended in a decision, as far as what came of it is to be judged: read from its card."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from tradingagents.agents.managers import risk_manager
from tradingagents.agents.memory_query import situation_of
from tradingagents.agents.roster import roster
from tradingagents.agents.schemas import Decision
from tradingagents.agents.spec import DecideAgent
from tradingagents.cohort import Cohort, cohort_of_card
from tradingagents.dataflows.instrument import Instrument
from tradingagents.dataflows.models import Prices
from tradingagents.memory.outcomes import Said
from tradingagents.schemas.records import JudgedByRecord
from tradingagents.settings import Settings

DECIDERS: Mapping[str, str] = {
    spec.output_key: spec.name for spec in roster().deciders if isinstance(spec, DecideAgent)
}
"""Who decides, by the state key of the decision."""
NO_DECISION = "NO_DECISION"


@dataclass(frozen=True, slots=True)
class Case:
    """What a run said, and what its decision is judged by."""

    run_id: str
    ticker: str
    sector: str | None
    currency: str
    trade_date: date
    reports: Mapping[str, str]
    """Texts by state key, the three plans included."""
    debates: Mapping[str, list[dict[str, str]]]
    """Turns of `research` and `risk`."""
    agents: Mapping[str, Said]
    """What each deciding agent decided, by agent."""
    models: Mapping[str, str]
    vintage: str
    cohort: Cohort
    """Real market and language models where the card is too old to tell."""
    judged_by: JudgedByRecord | None
    """None where there is no decision to judge."""

    @property
    def final(self) -> Said:
        """What the run decided."""
        return self.agents.get(risk_manager.SPEC.name, Said(NO_DECISION, 0.0))

    @property
    def situation(self) -> str:
        """The situation as the analysts reported it."""
        return self.situation_with("")

    def situation_with(self, debate: str) -> str:
        """Return the situation as an agent's lessons were looked up by.

        Args:
            debate: What it had read beside the reports; see `situation.debate_context`.
        """
        return situation_of(self.ticker, self.sector, self.trade_date, self.reports, debate)

    @classmethod
    def of(cls, card: Mapping[str, Any]) -> Case:
        """Read a card.

        Raises:
            KeyError, TypeError, ValueError: It is none of ours, or damaged.
        """
        decided = {DECIDERS[key]: one for key, one in card.get("decisions", {}).items() if key in DECIDERS}
        judged_by = card.get("judged_by")
        if judged_by is not None:
            date.fromisoformat(judged_by["as_of_session"]), date.fromisoformat(judged_by["until"])
        cohort = cohort_of_card(card)
        if cohort is None:
            raise ValueError("its settings do not tell on which market it decided")
        return cls(
            run_id=str(card["run_id"]),
            ticker=str(card["ticker"]),
            sector=card["instrument"]["sector"],
            currency=str(card["instrument"]["currency"]),
            trade_date=date.fromisoformat(card["trade_date"]),
            reports={key: str(text) for key, text in card["reports"].items()},
            debates=card["debates"],
            agents={agent: _said(one) for agent, one in decided.items()},
            models=dict(card.get("models", {})),
            vintage=_vintage(card),
            cohort=cohort,
            judged_by=judged_by,
        )


def judged_by(
    decision: Decision | None, trade_date: date, prices: Prices, instrument: Instrument, settings: Settings
) -> JudgedByRecord | None:
    """Return what a decision will be judged by; None where there is none to judge.

    Args:
        decision: How the run ended.
        trade_date: The day it pretends it was.
        prices: The bars it was given, as traded then.
        instrument: The stock.
        settings: `outcome_days` counts where the decision names no horizon.
    """
    if decision is None or decision.action == NO_DECISION:
        return None
    days = decision.horizon_days or settings.outcome_days
    return JudgedByRecord(
        as_of_price=float(prices.close[-1]),
        as_of_session=prices.days[-1].item().isoformat(),
        horizon_days=days,
        until=(trade_date + timedelta(days=days)).isoformat(),
        benchmark=instrument.benchmark,
    )


def _said(decision: Mapping[str, Any]) -> Said:
    return Said(str(decision["action"]), float(decision["confidence"]), decision.get("sell_means"))


def _vintage(card: Mapping[str, Any]) -> str:
    """Return which version of this library asked, and with which prompts: `0.5.0-3f9a1c`."""
    prompts = json.dumps(card.get("prompts", {}), sort_keys=True)
    return f"{card.get('versions', {}).get('tradingagents', '?')}-{hashlib.sha256(prompts.encode()).hexdigest()[:6]}"
