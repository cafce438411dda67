"""Graphs whose scripted model answers scan and trading roles alike, and what batches leave on disk."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.graph_factory import DECIDERS, report_of, role_of, sound_verdict
from tests.support.scan_graph_factory import SYNTHESIS, candidates, pick, summary, summary_call
from tradingagents.events import Event
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services, open_services
from tradingagents.schemas.batches import BatchRow
from tradingagents.settings import load_settings

SCAN_CALLS, RUN_CALLS, OFFLINE_RUN_CALLS = 5, 9, 18
"""Model calls of a scan, of a run with the settings of `SHORT`, and of an offline run with the default settings."""
SHORT: dict[str, Any] = {"analysts": ("market",), "max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
"""Settings of scripted runs: what a batch does is the same with one analyst and debates of one round."""


def batch_model(answers: Mapping[str, Any] | None = None, delay: float = 0.0) -> ScriptedChatModel:
    """A model that answers each role of both graphs sensibly, or as told: a reply, a function, or a list in order."""
    told = {role: list(answer) if isinstance(answer, list) else answer for role, answer in (answers or {}).items()}

    def script(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        role = role_of(messages)
        answer = told.get(role)
        if isinstance(answer, list):
            answer = answer.pop(0)
        if answer is None:
            decided = sound_verdict(messages) if role in DECIDERS else report_of(messages)
            answer = picks_asked if role == SYNTHESIS else decided
        return answer(messages, tools) if callable(answer) else answer

    return ScriptedChatModel(script, delay=delay)


def picks_asked(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> AIMessage:
    """Pick the first candidates, as many as are asked."""
    asked = re.findall(r"Picks asked: (?:exactly )?(\d+)", messages[-1].text)
    return summary_call(summary(candidates(messages)[: int(asked[-1])]))


def picking(**conviction: str) -> AIMessage:
    """The synthesis' answer that picks these tickers with these convictions."""
    named = [pick(ticker, conviction=level) for ticker, level in conviction.items()]
    return summary_call(summary([], stocks_to_investigate=named))


def batch_desk(home: Path, model: ScriptedChatModel | None = None, **config: Any) -> Services:
    """A graph on the simulated market: scripted, or with the offline analysts where no model is given."""
    given = {"data_vendor": "simulated", "home": str(home), **config}
    if model is None:
        return open_services(load_settings({"llm_provider": "offline", **given}, environ={}), {})
    return open_services(load_settings({**SHORT, **given}, environ={}), {}, models=TierModels.same(model))


def about(messages: Sequence[BaseMessage]) -> str:
    """Return the ticker that a trading prompt is about."""
    return messages[0].text.rpartition("\nTicker: ")[2].partition("\n")[0]


def cards(home: Path) -> list[dict[str, Any]]:
    """Return the cards of all runs under a home."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(home.glob("runs/*/run.json"))]


def runs_of(home: Path) -> Counter[str]:
    """Return how many runs were started of each ticker, and of the scan as SCAN, killed ones included."""
    return Counter(folder.name.split("-")[1] for folder in home.glob("runs/*"))


def calls_logged(home: Path) -> int:
    """Return how many model calls the event logs of all runs tell of."""
    logs = home.glob("runs/*/events.jsonl")
    lines = (json.loads(line) for log in logs for line in log.read_text("utf-8").splitlines())
    return sum(event["type"] == "usage" for event in lines)


class BatchWatch:
    """A watcher that keeps what it saw."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.plans: list[list[str]] = []
        self.rows: list[BatchRow] = []

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def planned(self, tickers: Sequence[str]) -> None:
        self.plans.append(list(tickers))

    def ended(self, row: BatchRow) -> None:
        self.rows.append(row)
