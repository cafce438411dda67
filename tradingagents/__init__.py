"""Teams of LLM agents study a market and say what they would do, and why.

The public names load what they need when first used, so that `import tradingagents` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tradingagents.dataflows.plain_calls import PlainAnswer, answer_plain_calls_with

if TYPE_CHECKING:
    from tradingagents.agents.final_decision import FinalDecision
    from tradingagents.agents.schemas import Decision
    from tradingagents.default_config import DEFAULT_CONFIG
    from tradingagents.errors import (
        BudgetReached,
        ConfigurationError,
        DataError,
        ModelFailure,
        TradingAgentsError,
        UsageError,
    )
    from tradingagents.graph.filings_answerer import FilingsAnswerer, create_agent
    from tradingagents.graph.scanner_graph import ScannerGraph
    from tradingagents.graph.trading_graph import TradingAgentsGraph
    from tradingagents.service.kernel.ask import ask

_HOMES = {
    "DEFAULT_CONFIG": "default_config",
    "Decision": "agents.schemas",
    "FinalDecision": "agents.final_decision",
    "FilingsAnswerer": "graph.filings_answerer",
    "ScannerGraph": "graph.scanner_graph",
    "TradingAgentsGraph": "graph.trading_graph",
    "BudgetReached": "errors",
    "ConfigurationError": "errors",
    "DataError": "errors",
    "ModelFailure": "errors",
    "TradingAgentsError": "errors",
    "UsageError": "errors",
    "ask": "service.kernel.ask",
    "create_agent": "graph.filings_answerer",
}

__all__ = [
    "DEFAULT_CONFIG",
    "BudgetReached",
    "ConfigurationError",
    "DataError",
    "Decision",
    "FilingsAnswerer",
    "FinalDecision",
    "ModelFailure",
    "ScannerGraph",
    "TradingAgentsError",
    "TradingAgentsGraph",
    "UsageError",
    "ask",
    "create_agent",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def _plain_answer() -> PlainAnswer:
    answer: PlainAnswer = importlib.import_module(f"{__name__}.capabilities.registry").ask_named
    return answer


answer_plain_calls_with(_plain_answer)


def __dir__() -> list[str]:
    return sorted(__all__)
