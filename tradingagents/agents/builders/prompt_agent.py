"""Agents that answer one prompt, with a typed object or a text, as a step of a larger graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import joined, role_part
from tradingagents.context import RunContext
from tradingagents.llm_clients.model_profile import USUAL_TOKENS, text_limit
from tradingagents.llm_clients.structured import StructuredOutputError
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.settings import Tier

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, kw_only=True, eq=False)
class PromptAgent:
    """An agent that answers one prompt."""

    name: str
    tier: Tier
    prompt: str
    """Its instruction; fields in braces are filled in by the node."""
    offline: ObjectRule | TextRule
    """Answers for it where no language model does."""
    most_tokens: int | None = None
    """Limit of its replies; None: the usual one of an object, of a text by the length that its instruction states."""

    def calls(
        self, context: RunContext, models: TierModels, brief: Callable[[str, ObjectRule | TextRule], Brief]
    ) -> ModelCalls:
        """Return its model calls in one step.

        Args:
            context: The run's context.
            models: The models by tier.
            brief: Makes the brief of its rule, from its name and the rule.
        """

        async def known(_messages: Sequence[BaseMessage]) -> Brief:
            return brief(self.name, self.offline)

        usual = USUAL_TOKENS if isinstance(self.offline, ObjectRule) else text_limit(self.prompt)
        limit = usual if self.most_tokens is None else self.most_tokens
        model, label = models.of(self.tier), models.names.get(self.tier)
        return ModelCalls(context, self.name, self.tier, model, known, label, most_tokens=limit)

    def messages(self, context: RunContext, parts: Sequence[str], **fields: object) -> list[BaseMessage]:
        """Return its prompt: the material first, its instruction last."""
        role = role_part(self.name, self.prompt.format(**fields) if fields else self.prompt)
        return [SystemMessage(context.preamble), HumanMessage(joined([*parts, role]))]

    async def typed(
        self,
        calls: ModelCalls,
        schema: type[Answer],
        parts: Sequence[str],
        *,
        check: Callable[[Answer], str | None] | None = None,
        **fields: object,
    ) -> Answer:
        """Ask for a typed object. Raises as `ModelCalls.typed` does, with the agent's name."""
        try:
            return await calls.typed(schema, self.messages(calls.context, parts, **fields), check=check)
        except StructuredOutputError as error:
            raise StructuredOutputError(f"{self.name}: {error}", error.reason) from error

    async def text(self, calls: ModelCalls, parts: Sequence[str], **fields: object) -> str:
        """Ask for a text. Raises as `ModelCalls.whole` does."""
        return (await calls.whole(self.messages(calls.context, parts, **fields))).text.strip()
