"""Explain why the offline analysts decide otherwise on a later day, by deciding on both days and comparing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, get_args

from langchain_core.messages import AIMessage
from pydantic import PrivateAttr

from tradingagents.agents.managers import risk_manager
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.errors import TradingAgentsError, UsageError
from tradingagents.features.why.rules import DecisionChange, decision_change
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.llm_clients.offline_model import MODEL_NAME, OfflineChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import BRIEF, Brief
from tradingagents.offline.decisions import final_action
from tradingagents.offline.evidence import View, view_of
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings, Tier


class NoEvidence(TradingAgentsError):
    """No analyst read anything on a day, so that there is no decision to explain."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class ExplainedChange:
    """The decisions on a company on two days, and why they differ."""

    ticker: str
    first: date
    second: date
    change: DecisionChange

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        days = [self.first.isoformat(), self.second.isoformat()]
        about = {"ticker": self.ticker, "days": days, "decided_by": "offline", "sampled": False}
        return {**about, **asdict(self.change), "differs": self.change.differs, "said": self.sentence()}

    def sentence(self) -> str:
        """Say which readings turn the decision, and whether a smaller set could."""
        change = self.change
        if not change.differs:
            return f"The decision is the same; {len(change.changes)} readings changed."
        if not change.deciding:
            count = len(change.changes)
            return f"No set of the {count} changed readings turns the decision by itself: readings are missing."
        count = len(change.deciding)
        readings = "this reading" if count == 1 else f"these {count} readings"
        decided = f"With {readings} as on {self.first}, the rules decide {change.turned} on {self.second}."
        return f"{decided} {_how_sure(change)}"


def _how_sure(change: DecisionChange) -> str:
    if not change.smallest:
        return "A smaller set may exist: not all were tried."
    return "No smaller set turns the decision." if len(change.deciding) > 1 else "All else is unchanged."


async def explain_change(
    ticker: str,
    first: date,
    second: date,
    settings: Settings,
    environ: Mapping[str, str],
    *,
    vendors: Vendors | None = None,
) -> ExplainedChange:
    """Decide on two days by the offline analysts, whichever models are set, and compare what they read.

    Args:
        ticker: Any spelling of the symbol.
        first: The earlier day.
        second: The later day.
        settings: Of the runs; nothing is written.
        environ: Where keys of vendors are read from.
        vendors: Vendors that exist already; None makes them from settings.

    Raises:
        NoEvidence: No analyst read anything on one of the days.
        UsageError: The days are not in order.
        TradingAgentsError: As a run raises.
    """
    if first >= second:
        raise UsageError(f"The earlier day comes first: {first} is not before {second}.")
    model = _AttentiveModel()
    tiers = TierModels(model, model, model, names=dict.fromkeys(get_args(Tier), f"offline/{MODEL_NAME}"))
    services = open_services(settings, environ, models=tiers, vendors=vendors)
    try:
        before = await _view(ticker, first, services, model)
        after = await _view(ticker, second, services, model)
    finally:
        services.close()
    change = await asyncio.to_thread(decision_change, before, after, final_action)  # up to some seconds of trials
    return ExplainedChange(ticker, first, second, change)


async def _view(ticker: str, day: date, services: Services, model: _AttentiveModel) -> View:
    request = TradingRequest(day=day.isoformat(), ticker=ticker)
    await start(TRADING, request, services, RunOptions(persist="none", observed=False)).result()
    brief = model.last_brief()
    if brief is None or not (found := view_of(brief)).evidence:
        raise NoEvidence(f"No analyst read anything about {ticker} on {day}: no source answered.")
    return found


class _AttentiveModel(OfflineChatModel):
    """The offline model, which remembers what the risk manager knew."""

    _brief: Brief | None = PrivateAttr(default=None)

    def last_brief(self) -> Brief | None:
        """Return what the risk manager knew when it was asked last, and forget it."""
        brief, self._brief = self._brief, None
        return brief

    def _reply(self, messages: Any, kwargs: dict[str, Any]) -> AIMessage:
        brief = BRIEF.get()
        if brief is not None and brief.agent == risk_manager.SPEC.name:
            self._brief = brief
        return super()._reply(messages, kwargs)
