"""What both advocates do: gather evidence, state a case, answer the other side. Each side's file adds its stance."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.agents.model_calls import MakeBrief, ModelCalls
from tradingagents.agents.prompting import role_part
from tradingagents.context import RunContext
from tradingagents.features.debate.rules import speakers as rules
from tradingagents.features.debate.schemas import DebateSide
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import DialogueRule, ObjectRule

MOST_CALLS = 5
"""Tool calls that each side may make."""
RESEARCH = """
{stance}
Gather the data that the case needs, by at most {most} tool calls in all; call independent tools together. The other side
gathers at the same time, and both sides will see everything that either one gathered. Do not write the case yet. When
you have what you need, answer DONE.
"""
OPENING = """
{stance}
State your case: 3 to 5 points, the strongest first, each with the ids of the evidence that it rests on. Where the
evidence is on the other side, make the best honest case that there is, and mark its points as weak.
"""
REBUTTAL = """
{stance}
Answer the other side (rebuttal {number} of {rounds}): 1 to 5 of its arguments, the most important first. Name the
argument by its id, quote its words verbatim, and answer with evidence. Answer what was said, not a weaker form of it.
Where the other side is right, concede the argument and say what is left of your case. Do not repeat yourself.
"""
TOOLS = (
    *("get_ttm_analysis", "get_financials", "fundamental_screen", "get_fundamentals", "company_info", "earnings"),
    *("valuation", "reverse_valuation", "relative_valuation", "sensitivity", "get_peer_multiples"),
    *("market_snapshot", "get_stock_data", "get_sector_relative", "risk_profile", "get_insider_transactions"),
    *("search_filings", "search_transcripts", "answer_from_filings", "get_news", "get_social_sentiment"),
)
"""Capabilities that the advocates may call, where a vendor can answer them."""
GATHERING = DialogueRule(rules.gather)
"""Chooses the calls where no language model does."""


@dataclass(frozen=True, kw_only=True)
class Advocate:
    """One side's agent in the three phases in which it speaks."""

    side: DebateSide
    name: str
    stance: str
    """Opens each of its prompts."""
    opening: PromptAgent
    rebuttal: PromptAgent

    def research_messages(self, context: RunContext) -> list[BaseMessage]:
        """Return the prompt with which it gathers evidence."""
        role = role_part(self.name, RESEARCH.format(stance=self.stance, most=MOST_CALLS))
        return [SystemMessage(context.preamble), HumanMessage(role)]

    def research_calls(self, context: RunContext, models: TierModels, known: MakeBrief) -> ModelCalls:
        """Return the model calls with which it gathers evidence.

        Args:
            context: The run's context.
            models: The models by tier.
            known: Makes the brief of its rule, `GATHERING`.
        """
        tier = self.opening.tier
        return ModelCalls(context, self.name, tier, models.of(tier), known)


def advocate(side: DebateSide, name: str, stance: str) -> Advocate:
    """Return the agent of a side.

    Args:
        side: The side.
        name: The agent's name.
        stance: What it argues for.
    """
    return Advocate(
        side=side,
        name=name,
        stance=stance,
        opening=PromptAgent(name=name, tier="mid", prompt=OPENING, offline=ObjectRule(rules.opening, rules.TOO_LITTLE)),
        rebuttal=PromptAgent(
            name=name, tier="mid", prompt=REBUTTAL, offline=ObjectRule(rules.rebuttal, rules.TOO_LITTLE)
        ),
    )
