"""Convert flags to settings. Precedence: flags, environment, `.env`, defaults."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import SettingsError, UsageError

from .options import FLAG_OF

if TYPE_CHECKING:
    from tradingagents.settings import Settings


@dataclass(frozen=True)
class Flags:
    """Values of settings from the command line, by name; None if not given."""

    offline: bool = False
    llm_provider: str | None = None
    backend_url: str | None = None
    quick_think_llm: str | None = None
    mid_think_llm: str | None = None
    deep_think_llm: str | None = None
    stream_tokens: bool | None = None
    replay: bool | None = None
    replay_only: bool = False
    data_vendor: str | None = None
    data_dir: Path | None = None
    decide_at: str | None = None
    analysts: str | None = None
    max_debate_rounds: int | None = None
    max_risk_discuss_rounds: int | None = None
    debate_mode: str | None = None
    fetch_valuation: bool | None = None
    settle: bool | None = None
    approve: bool | None = None
    max_auto_tickers: int | None = None
    budget_usd: float | None = None
    max_llm_calls: int | None = None
    max_concurrent_pipelines: int | None = None
    max_concurrent_research_tasks: int | None = None
    backtest_engine: str | None = None
    backtest_workers: int | None = None
    home: Path | None = None


def explicit_settings(flags: Flags) -> dict[str, Any]:
    """Return the settings that the flags set, and those they imply.

    A provider or URL for the run applies to every tier, and a vendor to every tool: values in the environment for
    single tiers and tools are ignored. `--offline` selects the offline analysts and the simulated market, unless
    another flag names a provider, a vendor or a folder of recorded data.
    """
    given = {
        field.name: value
        for field in fields(flags)
        if field.name not in ("offline", "replay", "replay_only") and (value := getattr(flags, field.name)) is not None
    }
    if flags.replay_only or flags.replay is not None:
        given["replay"] = "only" if flags.replay_only else "on" if flags.replay else "off"
    if "analysts" in given:
        given["analysts"] = tuple(name.strip() for name in given["analysts"].split(",") if name.strip())
    if "data_dir" in given:
        given.setdefault("data_vendor", "snapshot")
    if flags.offline:
        given.setdefault("llm_provider", "offline")
        given.setdefault("data_vendor", "simulated")
    if "llm_provider" in given:
        given.update(dict.fromkeys(f"{tier}_think_llm_provider" for tier in ("quick", "mid", "deep")))
    if "backend_url" in given:
        given.update(dict.fromkeys(f"{tier}_think_backend_url" for tier in ("quick", "mid", "deep")))
    if "data_vendor" in given:
        given["tool_vendors"] = {}
    return given


def read_settings(flags: Flags, environ: Mapping[str, str]) -> Settings:
    """Return the settings of a command.

    Args:
        flags: Values from the command line.
        environ: `.env` and the process environment, see `tradingagents.settings.environment`.

    Raises:
        UsageError: Invalid value of a flag.
        SettingsError: Invalid name or value of a variable.
    """
    from tradingagents.settings import load_settings

    explicit = explicit_settings(flags)
    try:
        load_settings(explicit=explicit, names=FLAG_OF, environ={})
        check_vendor(flags.data_vendor)
        check_provider(flags.llm_provider)
    except SettingsError as error:
        raise UsageError(str(error)) from None
    return load_settings(explicit=explicit, names=FLAG_OF, environ=environ)


def read_both(flags: Flags) -> tuple[Settings, Mapping[str, str]]:
    """Return the settings of a command in this process, and the environment they were read from. Raises as above."""
    from tradingagents.files.private_files import keep_private
    from tradingagents.settings import environment

    environ = environment()
    settings = read_settings(flags, environ)
    keep_private(settings.home_dir)
    return settings, environ


def command_line(
    tickers: tuple[str, ...],
    day: date | None,
    flags: Flags,
    *,
    command: str = "analyze",
    json: bool = False,
    quiet: bool = False,
) -> str:
    """Return the equivalent command line for tickers, day and flags, quoted for a shell."""
    words = ["tradingagents", command, *tickers]
    words += [day.isoformat()] if day else []
    words += ["--offline"] if flags.offline else []
    for name, flag in FLAG_OF.items():
        value = getattr(flags, name)
        if isinstance(value, bool):
            words.append(flag if value else flag.replace("--", "--no-"))
        elif value is not None:
            words += [flag, str(value)]
    words += ["--replay-only"] if flags.replay_only else []
    words += ["--json"] if json else []
    words += ["--quiet"] if quiet else []
    return shlex.join(words)


def check_provider(name: str | None) -> None:
    """Refuse an unknown model provider.

    Raises:
        SettingsError: Suggests the nearest known provider.
    """
    if name is not None:
        from tradingagents.settings import assert_provider

        assert_provider(name)


def check_vendor(names: str | None) -> None:
    """Refuse an unknown vendor; a comma-separated list sets the order of preference.

    Raises:
        SettingsError: Suggests the nearest known vendor.
    """
    if not names:
        return
    from tradingagents.dataflows.gateway.registry import registration_of  # imported here, because it loads numpy

    for name in names.split(","):
        if name.strip():
            registration_of(name.strip())


def limits_of(flags: Flags) -> dict[str, Any]:
    """Return what a resumed run may change, as far as it is given: none of it changes an answer."""
    names = ("budget_usd", "max_llm_calls", "stream_tokens")
    return {name: value for name in names if (value := getattr(flags, name)) is not None}
