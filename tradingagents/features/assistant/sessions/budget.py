"""How much of a conversation fits a model's context, by an estimate that never needs the provider's tokenizer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from tradingagents.features.assistant.sessions.errors import ContextTooSmall
from tradingagents.settings import Settings

UNLIMITED = 10**9
"""For the fixed rules, which read the transcript and no prompt: what a summary leaves out they would not know."""
DEFAULT_CONTEXT = 32_768
"""Tokens of context where neither the settings nor the provider's list say how many there are."""
START, KEPT, SUMMARY, RESULT = 0.7, 0.3, 0.15, 0.2
"""Shares of the room for the conversation: how full it may be before it is compacted, how much of it stays word for
word then, how long the summary may be, and how much of it one tool result may take."""
LEAST_ROOM = 1024
"""Tokens without which no conversation is possible."""
PER_MESSAGE = 8
"""Tokens that the role and the delimiters of a message take."""
PER_LETTER, PER_DIGIT, PER_SIGN, PER_OUTSIDE = 0.27, 0.7, 0.8, 1.2
"""Tokens per character: letters and spaces, digits, other ASCII characters, characters outside ASCII."""
_DIGITS = b"0123456789"
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n"


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few.

    Prose has about four characters a token. Figures and the punctuation of tables and JSON have between one and two,
    depending on the tokenizer; a character outside ASCII is about one.
    """
    if not text:
        return 0
    known = text.encode("ascii", "ignore")
    digits = len(known) - len(known.translate(None, _DIGITS))
    letters = len(known) - len(known.translate(None, _LETTERS))
    signs, outside = len(known) - digits - letters, len(text) - len(known)
    return round(letters * PER_LETTER + digits * PER_DIGIT + signs * PER_SIGN + outside * PER_OUTSIDE) + 1


def message_tokens(messages: Sequence[BaseMessage]) -> int:
    """Return about how many tokens messages have, with their tool calls and the provider's own parts."""
    return sum(map(_tokens, messages))


def schema_tokens(tools: Sequence[Any]) -> int:
    """Return about how many tokens the schemas of tools have."""
    return sum(estimate_tokens(json.dumps(tool, ensure_ascii=False, default=str)) for tool in tools)


def context_tokens(model: BaseChatModel | None, settings: Settings) -> int:
    """Return the tokens of context of the assistant's model.

    Args:
        model: The model; its client knows the context of the provider's own models.
        settings: May say how many, which wins.
    """
    if settings.assistant_context_tokens is not None:
        return settings.assistant_context_tokens
    if getattr(model, "needs_brief", False):
        return UNLIMITED
    served = getattr(model, "num_ctx", None)  # a local server's context is as long as it was loaded with
    if isinstance(served, int):
        return served
    known = (getattr(model, "profile", None) or {}).get("max_input_tokens")
    return known if isinstance(known, int) and known > 0 else DEFAULT_CONTEXT


@dataclass(frozen=True, kw_only=True)
class ContextBudget:
    """The tokens of one model call. Lengths are in tokens unless they say otherwise."""

    context: int
    """What the model can read and write at once."""
    reply: int
    """What is left free for its reply."""
    fixed: int = 0
    """What instructions and the schemas of tools take in each call."""
    factor: float = 1.0
    """By how much more the provider counts than the estimate says, see `corrected`."""

    @classmethod
    def of(cls, context: int, *, fixed: int = 0, reply: int | None = None) -> ContextBudget:
        """Return the budget for a context.

        Args:
            context: What the model can read and write at once.
            fixed: What instructions and the schemas of tools take.
            reply: Longest reply; None: a quarter of the context, at most 8192.

        Raises:
            ContextTooSmall: There is no room for a conversation.
        """
        made = cls(context=context, reply=min(reply or 8192, context // 4), fixed=fixed)
        if made.room < LEAST_ROOM:
            raise ContextTooSmall(
                f"The model's context of {context:,} tokens has no room for a conversation beside {fixed:,} tokens of "
                "instructions and tools; choose a model with more, or correct assistant_context_tokens."
            )
        return made

    @property
    def room(self) -> int:
        """What the conversation may take."""
        return round((self.context - self.reply) / self.factor) - self.fixed

    @property
    def start(self) -> int:
        """Length of the conversation above which it is compacted."""
        return int(self.room * START)

    @property
    def kept(self) -> int:
        """Length of the conversation's end that compaction leaves word for word."""
        return int(self.room * KEPT)

    @property
    def summary(self) -> int:
        """Longest summary."""
        return int(self.room * SUMMARY)

    @property
    def longest_result(self) -> int:
        """Characters of a tool result that are shown."""
        return int(self.room * RESULT) * 3

    def corrected(self, estimated: int, reported: int) -> ContextBudget:
        """Return the budget once a provider has said how long a prompt was.

        Args:
            estimated: Estimate of the same prompt, instructions and tools included.
            reported: Input tokens that the provider counted.
        """
        if estimated < LEAST_ROOM or reported <= 0:
            return self
        return replace(self, factor=min(max(reported / estimated, 1.0), 3.0))


def _tokens(message: BaseMessage) -> int:
    counted = estimate_tokens(message.text)
    if isinstance(message, AIMessage):
        counted += sum(
            estimate_tokens(call["name"]) + estimate_tokens(json.dumps(call["args"], default=str))
            for call in message.tool_calls
        )
        own = [message.additional_kwargs] if message.additional_kwargs else []
        if isinstance(message.content, list):
            own += [part for part in message.content if isinstance(part, dict) and part.get("type") != "text"]
        counted += sum(estimate_tokens(json.dumps(part, default=str)) for part in own)
    return counted + PER_MESSAGE
