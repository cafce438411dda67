"""One call instead of a team: the analysts' prescribed tool results in one prompt, one decision by the deep model.

It is what a backtest compares the team with, and is not a kind of run that is started by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.agents.managers import sole_decider
from tradingagents.graph.trading.kind import TradingKind
from tradingagents.runtime.kind import AnyGraph
from tradingagents.runtime.services import Services


class OneCallKind(TradingKind):
    """The trading run without its team."""

    name = "one_call"

    def prompts(self) -> Mapping[str, str]:
        """Return the one instruction there is."""
        return {sole_decider.SPEC.name: sole_decider.PROMPT}

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.backtest.variants.one_call_graph import build_one_call_graph

        return build_one_call_graph(services.models, services.settings, name=self.name)


ONE_CALL = OneCallKind()
