"""The settings that a page shows, and whether models and data would answer with them. Keys and folders are never shown.

There is no file of settings: values come from flags, variables and `.env`, and count from the next start of the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.look_up import default_day
from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import SettingInfo, SettingsCheck
from tradingagents.settings import ENV_PREFIX, Settings, changed_settings, without_secrets

Checked = Literal["models", "data"]
CHECKS: tuple[Checked, ...] = ("models", "data")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "Models": (
        *("llm_provider", "quick_think_llm", "mid_think_llm", "deep_think_llm"),
        *("backend_url", "temperature", "max_output_tokens", "structured_output", "output_language"),
    ),
    "Budget and limits": (
        *("budget_usd", "max_llm_calls", "max_debate_rounds", "max_risk_discuss_rounds", "max_concurrent_pipelines"),
        *("max_position_size", "sell_means"),
    ),
    "Data": (
        *("data_vendor", "data_vendors", "tool_vendors", "price_history_days", "news_article_limit"),
        *("benchmark_ticker", "vendor_timeout"),
    ),
}
"""Settings that are shown, by group."""
ADDRESSES = frozenset({"backend_url"})
"""Shown, and never tried with another value: the server would send requests wherever a page names."""
WORKING = frozenset({"works offline", "key set", "not asked", "answers", "local"})
"""States of models and vendors that are no failure."""


def shown_settings(settings: Settings) -> tuple[SettingInfo, ...]:
    """Return what is shown of the settings, by group: value, default, meaning, variable."""
    now = without_secrets(settings.model_dump(mode="json"))
    fields = Settings.model_fields
    usual = Settings().model_dump(mode="json")
    return tuple(
        SettingInfo(
            setting=name,
            group=group,
            now=now[name],
            usual=usual[name],
            meaning=fields[name].description or "",
            variable=f"{ENV_PREFIX}{name.upper()}",
            tried=name not in ADDRESSES,
        )
        for group, names in GROUPS.items()
        for name in names
    )


def checked_settings(
    settings: Settings, environ: Mapping[str, str], what: str, changes: Mapping[str, Any]
) -> tuple[SettingsCheck, ...]:
    """Ask whether each model, or each vendor in use, answers with the settings or with changed ones; stores nothing.

    Hosted providers are asked for their list of models only, which costs nothing.

    Args:
        settings: The present ones.
        environ: Where keys are read from.
        what: One of `CHECKS`.
        changes: Settings to try, by name.

    Raises:
        UsageError: There is no such check, or a setting cannot be tried from here.
        SettingsError: A value is invalid.
    """
    from tradingagents.service.doctor.data import examine_data  # loads vendors and model clients
    from tradingagents.service.doctor.models import examine_models

    if what not in CHECKS:
        raise UsageError(f"There is no check {what[:40]!r}; choose {' or '.join(CHECKS)}.")
    tried = {name for names in GROUPS.values() for name in names} - ADDRESSES
    if wrong := [name for name in changes if name not in tried]:
        raise UsageError(f"{wrong[0][:40]!r} cannot be tried from here; set it where the server is started.")
    chosen = changed_settings(settings, changes)
    if what == "models":
        tiers = examine_models(chosen, environ, network=True, hosted=True)
        return tuple(
            SettingsCheck(
                about=f"{tier.tier}: {tier.model}",
                state=tier.state,
                works=tier.trouble is None,
                trouble=tier.trouble or "",
            )
            for tier in tiers
        )
    state = examine_data(chosen, environ, default_day(chosen), network=True, now=utc_now)
    return tuple(
        SettingsCheck(about=vendor.name, state=vendor.state, works=vendor.state in WORKING, trouble=vendor.trouble)
        for vendor in state.vendors
        if vendor.used
    )
