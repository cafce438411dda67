"""What an experiment hides from the models: prompts are rewritten before they are sent, and replies are turned back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from langchain_core.messages import AIMessage, BaseMessage


class PromptMask(Protocol):
    """Rewrites conversations; equal conversations give equal ones, so that stored replies are found again."""

    def hidden(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """Return the conversation as a model is sent it."""

    def revealed(self, reply: AIMessage) -> AIMessage:
        """Return a reply, its tool calls included, as agents read it."""
