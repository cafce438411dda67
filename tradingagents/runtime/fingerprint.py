"""Fingerprints of what changes an answer: two starts with the same fingerprint may share their work."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from tradingagents.runtime.prompt_hashes import hashed, prompt_hashes
from tradingagents.runtime.services import Services
from tradingagents.settings import recorded_settings

NOT_ASKED = frozenset(
    (
        *("home", "results_dir", "checkpoint_enabled", "drain_seconds"),
        *("budget_usd", "max_llm_calls", "model_prices", "max_concurrent_pipelines", "task_engine"),
        *("backtest_engine", "backtest_workers"),
        *("knowledge_cutoffs", "model_rates"),
        *("llm_timeout", "vendor_timeout", "llm_max_retries", "stream_tokens", "max_recur_limit"),
        # A run that failed may go on with a fallback that was named since; where one answers, the card says so.
        *("quick_fallback_llm", "mid_fallback_llm", "deep_fallback_llm"),
        *("outcome_days", "auto_settle"),
        *("assistant_tier", "persona_tier", "assistant_max_rounds", "assistant_context_tokens", "personas_dir"),
        *(
            "mcp_servers",
            "research_task_seconds",
            "max_concurrent_research_tasks",
            "server_allowed_origins",
            "server_allowed_hosts",
            "server_rate",
        ),
        *("server_max_body_bytes", "server_max_connections"),
        *("vendor_max_retries", "vendor_rates", "replay", "keep_replies", "log_file", "log_format", "log_level"),
    )
)
"""Settings that change the cost, the speed, the chance of success or the place of an answer, but not what it says. Any
other setting, a new one too, is part of the fingerprint."""
LENGTH = 12


def asked_of(services: Services, prompts: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what changes an answer, as JSON: settings without passwords, models, hashes of prompts, version.

    Args:
        services: Settings and models.
        prompts: The prompts of a kind of run besides those that every run has; see `RunKind.prompts`.
    """
    known = recorded_settings(services.settings)
    return {
        "settings": {name: value for name, value in known.items() if name not in NOT_ASKED},
        "models": services.models.labels,
        "prompts": {**prompt_hashes(tuple(services.settings.analysts)), **hashed(prompts or {})},
        "version": _version(),
        **({"variant": services.variant} if services.variant else {}),
    }


def fingerprint(services: Services, session: date) -> str:
    """Return the fingerprint of the settings, as hexadecimal digits.

    Args:
        services: Settings and models; its prompts are those of this version.
        session: The last session that has closed; before and after today's close the fingerprints differ.
    """
    return digest({**asked_of(services), "session": session.isoformat()})[:LENGTH]


def digest(value: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a JSON object, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


_RELEASE = re.compile(r"\d+(?:\.\d+)*")


@lru_cache(maxsize=1)
def _version() -> str:
    """Return the release that is installed, without what names the commit of a build between two releases.

    Else each new installation of a checkout would ask every day of a watch list and of a backtest again.
    """
    installed = version("tradingagents")  # reads and parses the package's metadata: 5 ms
    found = _RELEASE.match(installed)
    return found.group() if found else installed
