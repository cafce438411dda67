"""The fingerprint of a question: what two batches must agree on for one to go on with what the other has done."""

from __future__ import annotations

import hashlib
import json
from datetime import date

from tradingagents.graph.desk import Desk
from tradingagents.recording.prompt_hashes import prompt_hashes
from tradingagents.recording.recorder import without_passwords

NOT_ASKED = frozenset(
    (
        *("home", "budget_usd", "max_llm_calls", "model_prices", "max_concurrent_pipelines"),
        *("llm_timeout", "vendor_timeout", "llm_max_retries", "stream_tokens", "max_recur_limit"),
        *("vendor_max_retries", "vendor_rates"),
    )
)
"""Settings that change what an answer costs, how fast it comes, whether it comes at all or where it is written, but
not what it says. Any other setting is part of the question, a new one too."""
LENGTH = 12


def fingerprint(desk: Desk, session: date) -> str:
    """Return the fingerprint of what a desk is told, as hexadecimal digits.

    Args:
        desk: Settings and models; its prompts are those of this version.
        session: The last session that has closed: asked before today's close and after it, a question differs.
    """
    settings = without_passwords(desk.settings.model_dump(mode="json", exclude=set(NOT_ASKED)))
    question = {
        "settings": settings,
        "models": desk.models.labels,
        "prompts": dict(prompt_hashes()),
        "session": session.isoformat(),
    }
    text = json.dumps(question, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
