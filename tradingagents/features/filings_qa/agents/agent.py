"""What every agent of a filings question declares, and how it is asked."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.context import RunContext
from tradingagents.features.filings_qa.brief import FilingsBrief
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief


class FilingsAgent(PromptAgent):
    """An agent that answers one prompt of a question about filings."""

    def filings_calls(self, context: RunContext, models: TierModels, brief: FilingsBrief) -> ModelCalls:
        """Return its model calls in one step; `brief` is what its rule knows."""
        return self.calls(context, models, lambda agent, rule: Brief(agent, rule, known=brief))
