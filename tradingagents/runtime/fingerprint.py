"""The fingerprint of a question: what two starts must agree on for one to go on with what the other has done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date
from importlib.metadata import version
from typing import Any

from tradingagents.runtime.prompt_hashes import prompt_hashes
from tradingagents.runtime.services import Services
from tradingagents.settings import without_secrets

NOT_ASKED = frozenset(
    (
        *("home", "results_dir", "checkpoint_enabled", "drain_seconds"),
        *("budget_usd", "max_llm_calls", "model_prices", "max_concurrent_pipelines"),
        *("llm_timeout", "vendor_timeout", "llm_max_retries", "stream_tokens", "max_recur_limit"),
        # A run that failed may go on with a fallback that was named since; where one answers, the card says so.
        *("quick_fallback_llm", "mid_fallback_llm", "deep_fallback_llm"),
        *("outcome_days", "auto_settle"),
        *("vendor_max_retries", "vendor_rates", "replay", "keep_replies", "log_file", "log_format", "log_level"),
    )
)
"""Settings that change what an answer costs, how fast it comes, whether it comes at all or where it is written, but
not what it says. Any other setting is part of the question, a new one too."""
LENGTH = 12


def asked_of(services: Services) -> dict[str, Any]:
    """Return the services' part that changes answers, as JSON: settings without passwords, models, prompts, version."""
    return {
        "settings": without_secrets(services.settings.model_dump(mode="json", exclude=set(NOT_ASKED))),
        "models": services.models.labels,
        "prompts": dict(prompt_hashes()),
        "version": version("tradingagents"),
    }


def fingerprint(services: Services, session: date) -> str:
    """Return the fingerprint of the settings, as hexadecimal digits.

    Args:
        services: Settings and models; its prompts are those of this version.
        session: The last session that has closed: asked before today's close and after it, a question differs.
    """
    return digest({**asked_of(services), "session": session.isoformat()})[:LENGTH]


def digest(question: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a JSON object, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(question, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
