"""A scan with scripted models: each scanner writes a line, the synthesis picks from the candidates it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.graph_factory import report_of, role_of
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels

DAY = "2025-03-14"
SCANNERS = ("Geopolitical Scanner", "Market Movers Scanner", "Sector Scanner")
DEEP_DIVE, SYNTHESIS = "Industry Deep Dive", "Macro Synthesis"
AGENTS = (*SCANNERS, DEEP_DIVE, SYNTHESIS)
_CANDIDATE = re.compile(r"^\| (\S+) \| [^|]* \| [^|]* \| (?:[+-]\d|n/a)", re.MULTILINE)

Answer = Reply | Callable[[Sequence[BaseMessage], tuple[str, ...]], Reply]


def candidates(messages: Sequence[BaseMessage]) -> list[str]:
    """Return the tickers of the table of candidates, as the synthesis is shown it."""
    shown = next(message.text for message in messages if '<report name="candidates"' in message.text)
    return _CANDIDATE.findall(shown.partition('<report name="candidates"')[2])


def pick(ticker: str, **changes: Any) -> dict[str, Any]:
    """A pick as a model writes one."""
    return {
        "ticker": ticker,
        "name": f"{ticker} Incorporated",
        "sector": "Energy",
        "rationale": f"{ticker} moved more than its sector on unusual volume.",
        "thesis_angle": "momentum",
        "conviction": "high",
        "key_catalysts": ["results due"],
        "risks": ["the move fades"],
        "evidence": [{"claim": "moved more than its sector", "source": "get_market_movers"}],
        **changes,
    }


def summary(tickers: Sequence[str], **changes: Any) -> dict[str, Any]:
    """A summary as a model writes one."""
    return {
        "timeframe": "1-3 months",
        "executive_summary": "Energy leads the month while technology gives back.",
        "macro_context": {
            "economic_cycle": "late expansion",
            "central_bank_stance": "holding",
            "geopolitical_risks": ["trade talks"],
        },
        "key_themes": [{"theme": "rotation", "description": "money moves to energy", "conviction": "medium"}],
        "stocks_to_investigate": [pick(ticker) for ticker in tickers],
        "risk_factors": ["a turn in rates"],
        **changes,
    }


def summary_call(content: dict[str, Any]) -> AIMessage:
    """The summary as a forced tool call."""
    return AIMessage("", tool_calls=[{"name": "ScanSummary", "args": content, "id": "s1", "type": "tool_call"}])


def picks_first(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
    """Pick the first candidates, as many as a scan names at most."""
    return summary_call(summary(candidates(messages)[:10]))


def scan_script(answers: dict[str, Answer | list[Answer]] | None = None, delay: float = 0.0) -> ScriptedChatModel:
    """A model that answers each scanner role sensibly, or as told: one answer for always, or a list in order."""
    told = dict(answers or {})
    queues = {role: list(replies) for role, replies in told.items() if isinstance(replies, list)}

    def script(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        role = role_of(messages)
        answer: Any = queues[role].pop(0) if role in queues else told.get(role)
        if answer is None:
            answer = picks_first if role == SYNTHESIS else report_of(messages)
        return answer(messages, tools) if callable(answer) else answer

    return ScriptedChatModel(script, delay=delay)


def scanner_graph(model: ScriptedChatModel, **config: Any) -> ScannerGraph:
    """The scanner with one scripted model for all tiers, on the simulated market unless told otherwise."""
    return ScannerGraph(config={"data_vendor": "simulated", **config}, models=TierModels.same(model))
