"""`extract_json` by its public import path; the reading itself lives in `llm_clients.reply_text`."""

from __future__ import annotations

from typing import Any

from tradingagents.llm_clients.reply_text import json_object


def extract_json(text: str) -> dict[str, Any]:
    """Return the JSON object in a reply: bare, after `<think>` blocks, in a Markdown fence, or amid prose.

    Raises:
        ValueError: There is none, or it cannot be read; says where it breaks.
    """
    return json_object(text)


__all__ = ["extract_json"]
