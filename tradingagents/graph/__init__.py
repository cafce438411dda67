"""The compiled LangGraph graphs and what routes them; the names below load what they need when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.graph.conditional_logic import ConditionalLogic
    from tradingagents.graph.propagation import Propagator
    from tradingagents.graph.reflection import Reflector
    from tradingagents.graph.scanner_graph import ScannerGraph
    from tradingagents.graph.setup import GraphSetup
    from tradingagents.graph.signal_processing import SignalProcessor
    from tradingagents.graph.trading_graph import TradingAgentsGraph

__all__ = [
    "ConditionalLogic",
    "GraphSetup",
    "Propagator",
    "Reflector",
    "ScannerGraph",
    "SignalProcessor",
    "TradingAgentsGraph",
]

_LOAD = lazy_names(
    __name__,
    {
        "ConditionalLogic": "conditional_logic",
        "GraphSetup": "setup",
        "Propagator": "propagation",
        "Reflector": "reflection",
        "ScannerGraph": "scanner_graph",
        "SignalProcessor": "signal_processing",
        "TradingAgentsGraph": "trading_graph",
    },
)


def __getattr__(name: str) -> Any:
    return _LOAD(name)
