"""Deep reports with a scripted model on the simulated market."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from tests.support.research import DAY, research_services, scripted
from tradingagents.events import Event
from tradingagents.features.deep_report.kind import DEEP_REPORT, DeepReportRequest
from tradingagents.features.deep_report.run import DeepReport
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.services import Services

QUOTE = "operating_margin | 52.18%"
SECTIONS = ("Executive summary", "Investment thesis", "Catalysts and risks", "Scenarios", "Counter-argument")


def hypothesis(number: int, impact: str = "HIGH") -> dict[str, Any]:
    """Return a hypothesis."""
    return {
        "title": f"Hypothesis number {number}",
        "thesis": f"Part {number} holds. A margin below 15% would prove it wrong.",
        "evidence_needed": [f"Margins of part {number}"],
        "impact": impact,
    }


HYPOTHESES = {
    "hypotheses": [hypothesis(1), hypothesis(2), hypothesis(3, "MEDIUM"), hypothesis(4, "LOW"), hypothesis(5, "LOW")]
}
SYNTHESIS = {
    "bull_case": "Margins are high and rising.",
    "bear_case": "The price knows that already.",
    "synthesis": "Good company, full price.",
    "insights": ["Insight one is new.", "Insight two is new.", "Insight three is new."],
    "probabilities": {"bull": 0.3, "base": 0.5, "bear": 0.2},
    "confidence": 0.7,
}
EVALUATION = {"specificity": 8, "insights": 7, "logic": 8, "actionability": 7, "recommendations": ["Look at capital."]}


def labels(messages: Sequence[BaseMessage]) -> dict[str, str]:
    """Return the text of each source of a prompt, by label."""
    prompt = "\n".join(one.text for one in messages)
    return dict(re.findall(r'<source label="(S\d+)" kind="\w+">\n(.*?)\n</source>', prompt, re.DOTALL))


def relevance(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Find every source relevant that names margins in its title."""
    found = labels(messages)
    return {"scores": [{"label": one, "relevance": 9 if "TTM" in text else 1} for one, text in found.items()]}


def draft(label: str, **changes: Any) -> dict[str, Any]:
    """Return a draft of evidence on the operating margin."""
    return {
        "source": label,
        "claim": "The operating margin is 52.18%.",
        "quote": QUOTE,
        "figure": 52.18,
        "confidence": 0.9,
        "direction": "supports",
        "effect": {"driver": "margin", "change": 0.01},
        **changes,
    }


def evidence(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Find the operating margin in the first source that states it."""
    return {"items": [draft(one) for one, text in labels(messages).items() if QUOTE in text][:1]}


def narrative(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Write one sentence a section, on the first item of evidence."""
    ids = re.findall(r'<evidence id="(E-[0-9a-f]{12})"', messages[-1].text)[:1]
    part = {"text": "The operating margin of 52.18% is high.", "evidence": [*ids, "E-000000000000"]}
    return {"sections": [{"name": name, "paragraphs": [part]} for name in SECTIONS]}


REPLIES: Mapping[str, Any] = {
    "Hypothesis Generator": HYPOTHESES,
    "Source Filter": relevance,
    "Deep Researcher": evidence,
    "Dialectical Engine": SYNTHESIS,
    "Thesis Evaluator": EVALUATION,
    "Refiner": {"questions": [], "new_hypotheses": []},
    "Narrative Builder": narrative,
}


def thesis_model(changes: Mapping[str, Any] | None = None, **fields: Any) -> ScriptedChatModel:
    """A model that answers each agent as in `REPLIES`, or as told."""
    return scripted({**REPLIES, **(changes or {})}, **fields)


async def reported(
    services: Services,
    *,
    ticker: str = "VELQ",
    watch: Callable[[Event], None] | None = None,
    persist: Any = "all",
    **request: Any,
) -> DeepReport:
    """Write a report to its end."""
    asked = DeepReportRequest(ticker=ticker, day=request.pop("day", DAY), **request)
    options = RunOptions(subscribers=(watch,) if watch else (), persist=persist)
    return await start(DEEP_REPORT, asked, services, options).result()


def thesis_services(home: Path, changes: Mapping[str, Any] | None = None, **settings: Any) -> Services:
    """Return services with a scripted model."""
    return research_services(home, thesis_model(changes), **settings)
