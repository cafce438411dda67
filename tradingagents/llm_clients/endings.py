"""How a reply ended, for every provider: complete, cut at a length limit, or stopped by a content filter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from langchain_core.messages import AIMessage

Ending = Literal["whole", "cut", "censored"]

CUT = frozenset(
    {
        "length",  # OpenAI, Ollama, and most servers that speak OpenAI's language
        "max_tokens",  # Anthropic, Google
        "max_output_tokens",  # OpenAI's Responses API
        "model_context_window_exceeded",  # Anthropic
        "model_length",  # Mistral
    }
)
CENSORED = frozenset(
    {
        "content_filter",  # OpenAI and its Responses API, Azure
        "refusal",  # Anthropic
        "safety",  # Google, and all below
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "image_safety",
        "language",
    }
)
_REASONS = ("finish_reason", "stop_reason", "done_reason")
"""Metadata keys of the finish reason: OpenAI and Google, Anthropic, Ollama."""


def ending(reply: AIMessage) -> Ending:
    """Return how a reply ended, streamed or not; "complete" if its server doesn't report a reason."""
    reasons = set(_reasons(reply))
    if reasons & CENSORED:
        return "censored"
    return "cut" if reasons & CUT else "whole"


def _reasons(reply: AIMessage) -> Iterator[str]:
    said = reply.response_metadata
    for name in _REASONS:
        yield _word(said.get(name))
    details = said.get("incomplete_details")  # OpenAI's Responses API
    if isinstance(details, dict):
        yield _word(details.get("reason"))
    feedback = said.get("prompt_feedback")  # Google, if it refused the prompt
    if isinstance(feedback, dict) and feedback.get("block_reason"):
        yield "safety"
    if reply.additional_kwargs.get("refusal"):
        yield "refusal"


def _word(reason: Any) -> str:
    """Return a reason in lower case, once: a server that repeats it in two chunks of a stream doubles it."""
    word = str(reason or "").lower().rpartition(".")[2]
    half = word[: len(word) // 2]
    return half if half and word == half + half else word
