"""A past decision with everything its evaluation needs, read from the run's card."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from tradingagents.agents.managers import risk_manager
from tradingagents.agents.memory_query import situation_of
from tradingagents.agents.roster import roster
from tradingagents.agents.schemas import Decision
from tradingagents.agents.spec import DecideAgent
from tradingagents.dataflows.cutoff import Cutoff
from tradingagents.dataflows.instrument import Instrument
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.memory.cohort import Cohort, cohort_of_card
from tradingagents.memory.outcome import Said
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.records import JudgedByRecord
from tradingagents.settings import Settings

DECIDERS: Mapping[str, str] = {
    spec.output_key: spec.name for spec in roster().deciders if isinstance(spec, DecideAgent)
}
"""Deciding agents, by the state key of their decision."""
NO_DECISION = "NO_DECISION"


@dataclass(frozen=True, slots=True)
class Case:
    """A finished run: its reports, debates and decisions, and the prices and horizon to evaluate them with."""

    run_id: str
    ticker: str
    sector: str | None
    currency: str
    trade_date: date
    reports: Mapping[str, str]
    """Texts by state key, including the three plans."""
    debates: Mapping[str, list[dict[str, str]]]
    """Turns of `research` and `risk`."""
    agents: Mapping[str, Said]
    """The decision of each deciding agent, by agent."""
    models: Mapping[str, str]
    vintage: str
    cohort: Cohort
    """Real market and language models when an old card does not state it."""
    judged_by: JudgedByRecord | None
    """`None` when the run ended without a decision."""
    stop: float | None = None
    """Stop of the final decision, as traded on its day; `None` where it names none."""

    @property
    def final(self) -> Said:
        """The decision of the run."""
        return self.agents.get(risk_manager.SPEC.name, Said(NO_DECISION, 0.0))

    @property
    def situation(self) -> str:
        """The situation as the analysts reported it."""
        return self.situation_with("")

    def situation_with(self, debate: str) -> str:
        """Return the situation text by which an agent's lessons are retrieved.

        Args:
            debate: The debate the agent read in addition to the reports; see `situation.debate_context`.
        """
        return situation_of(self.ticker, self.sector, self.trade_date, self.reports, debate)

    @classmethod
    def of(cls, record: RunRecord) -> Case:
        """Read a record.

        Raises:
            ValueError: A day is none, or its settings do not tell on which market it decided.
        """
        decided = {DECIDERS[key]: decision for key, decision in record.decisions.items() if key in DECIDERS}
        judged_by = record.judged_by
        if judged_by is not None:
            date.fromisoformat(judged_by.as_of_session), date.fromisoformat(judged_by.until)
            date.fromisoformat(judged_by.entry_open or judged_by.until)
        cohort = cohort_of_card({"settings": record.settings or None, "models": record.models})
        if cohort is None:
            raise ValueError("its settings do not tell on which market it decided")
        return cls(
            run_id=record.run_id,
            ticker=record.ticker,
            sector=record.instrument.sector,
            currency=record.instrument.currency,
            trade_date=date.fromisoformat(record.trade_date),
            reports=record.reports,
            debates=record.debates,
            agents={agent: _said(decision) for agent, decision in decided.items()},
            models=record.models,
            vintage=_vintage(record),
            cohort=cohort,
            judged_by=judged_by,
            stop=record.decision.stop if record.decision else None,
        )


def judged_by(
    decision: Decision | None, cutoff: Cutoff, prices: Prices, instrument: Instrument, settings: Settings
) -> JudgedByRecord | None:
    """Return the terms on which a decision will be evaluated; `None` when there is no decision.

    Args:
        decision: The run's final decision.
        cutoff: What the run knew. News since the last close move the next open, so the window begins there.
        prices: The price bars given to the run, as traded then.
        instrument: The stock.
        settings: `outcome_days` applies when the decision names no horizon.
    """
    if decision is None or decision.action == NO_DECISION:
        return None
    days = decision.horizon_days or settings.outcome_days
    later = cutoff.knows_more_than_prices
    return JudgedByRecord(
        as_of_price=float(prices.close[-1]),
        as_of_session=prices.days[-1].item().isoformat(),
        horizon_days=days,
        until=(cutoff.as_of + timedelta(days=days)).isoformat(),
        benchmark=instrument.benchmark,
        entry_open=sessions(exchange_of(instrument.symbol)).first_open(cutoff.instant).isoformat() if later else "",
    )


def _said(decision: Decision) -> Said:
    return Said(decision.action, decision.confidence, decision.sell_means, decision.strength)


def _vintage(record: RunRecord) -> str:
    """Return the library version and prompt fingerprint of a run, such as `0.5.0-3f9a1c`."""
    prompts = json.dumps(record.prompts, sort_keys=True)
    return f"{record.versions.get('tradingagents', '?')}-{hashlib.sha256(prompts.encode()).hexdigest()[:6]}"
