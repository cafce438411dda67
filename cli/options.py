"""The options commands share, and how flags become settings: flags beat environment beat `.env` beat defaults."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import SettingsError, UsageError

if TYPE_CHECKING:
    from tradingagents.settings import Settings

_MODELS, _DATA, _GRAPH, _LIMITS, _OUTPUT = "Models", "Data", "Graph", "Limits and places", "Output"

Offline = Annotated[
    bool,
    typer.Option(
        "--offline",
        help="No key, no network: offline analysts on the simulated market, unless other flags name a model or vendor.",
        rich_help_panel=_MODELS,
    ),
]
LlmProvider = Annotated[
    str | None,
    typer.Option(
        "--llm-provider",
        metavar="NAME",
        help="openai, openai_compatible, ollama, anthropic, google or offline; for all three tiers.",
        rich_help_panel=_MODELS,
    ),
]
BackendUrl = Annotated[
    str | None,
    typer.Option("--backend-url", metavar="URL", help="Base URL of the model server.", rich_help_panel=_MODELS),
]
QuickModel = Annotated[
    str | None,
    typer.Option(
        "--quick-model", metavar="MODEL", help="Model of analysts and risk debators.", rich_help_panel=_MODELS
    ),
]
MidModel = Annotated[
    str | None,
    typer.Option("--mid-model", metavar="MODEL", help="Model of bull, bear and trader.", rich_help_panel=_MODELS),
]
DeepModel = Annotated[
    str | None,
    typer.Option("--deep-model", metavar="MODEL", help="Model of the two managers.", rich_help_panel=_MODELS),
]
Stream = Annotated[
    bool | None,
    typer.Option("--stream/--no-stream", help="Show replies while they are written.", rich_help_panel=_MODELS),
]
DataVendor = Annotated[
    str | None,
    typer.Option(
        "--data-vendor",
        metavar="NAME",
        help="yfinance, snapshot or simulated; for every kind of data.",
        rich_help_panel=_DATA,
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="DIR",
        help="Folder of recorded data; implies --data-vendor snapshot.",
        rich_help_panel=_DATA,
    ),
]
Analysts = Annotated[
    str | None,
    typer.Option(
        "--analysts", metavar="LIST", help="Of market,social,news,fundamentals; default all.", rich_help_panel=_GRAPH
    ),
]
DebateRounds = Annotated[
    int | None,
    typer.Option("--debate-rounds", metavar="N", help="Rounds of bull against bear.", rich_help_panel=_GRAPH),
]
RiskRounds = Annotated[
    int | None,
    typer.Option("--risk-rounds", metavar="N", help="Rounds of the risk debate.", rich_help_panel=_GRAPH),
]
BudgetUsd = Annotated[
    float | None,
    typer.Option(
        "--budget-usd", metavar="X", help="Most a ticker's run may spend on models, in USD.", rich_help_panel=_LIMITS
    ),
]
MaxLlmCalls = Annotated[
    int | None,
    typer.Option(
        "--max-llm-calls", metavar="N", help="Most model calls a ticker's run may make.", rich_help_panel=_LIMITS
    ),
]
MaxConcurrent = Annotated[
    int | None,
    typer.Option("--max-concurrent", metavar="N", help="Tickers that run at the same time.", rich_help_panel=_LIMITS),
]
Home = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="Where runs and caches are written.", rich_help_panel=_LIMITS),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object a line for each ticker, nothing else.", rich_help_panel=_OUTPUT),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the result and errors only.", rich_help_panel=_OUTPUT)
]
Debug = Annotated[
    bool, typer.Option("--debug", help="Show log lines, and the traceback of a bug.", rich_help_panel=_OUTPUT)
]


@dataclass(frozen=True)
class Flags:
    """What the command line says of settings, by the settings' names; None where it says nothing."""

    offline: bool = False
    llm_provider: str | None = None
    backend_url: str | None = None
    quick_think_llm: str | None = None
    mid_think_llm: str | None = None
    deep_think_llm: str | None = None
    stream_tokens: bool | None = None
    data_vendor: str | None = None
    data_dir: Path | None = None
    analysts: str | None = None
    max_debate_rounds: int | None = None
    max_risk_discuss_rounds: int | None = None
    budget_usd: float | None = None
    max_llm_calls: int | None = None
    max_concurrent_pipelines: int | None = None
    home: Path | None = None


FLAG_OF: Mapping[str, str] = {
    "llm_provider": "--llm-provider",
    "backend_url": "--backend-url",
    "quick_think_llm": "--quick-model",
    "mid_think_llm": "--mid-model",
    "deep_think_llm": "--deep-model",
    "stream_tokens": "--stream",
    "data_vendor": "--data-vendor",
    "data_dir": "--data-dir",
    "analysts": "--analysts",
    "max_debate_rounds": "--debate-rounds",
    "max_risk_discuss_rounds": "--risk-rounds",
    "budget_usd": "--budget-usd",
    "max_llm_calls": "--max-llm-calls",
    "max_concurrent_pipelines": "--max-concurrent",
    "home": "--home",
}
"""The flag of each setting that has one, in the order of the help."""


def explicit_settings(flags: Flags) -> dict[str, Any]:
    """Return the settings the flags fix, with what they imply.

    A provider or URL named for the run holds for every tier, and a vendor for every tool: what the environment says of
    single tiers and tools steps back. `--offline` means the offline analysts and the simulated market, as far as no
    other flag names a provider, a vendor or a folder of recorded data.
    """
    given = {
        field.name: value
        for field in fields(flags)
        if field.name != "offline" and (value := getattr(flags, field.name)) is not None
    }
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
        flags: What the command line says.
        environ: `.env` and the process environment, see `tradingagents.settings.environment`.

    Raises:
        UsageError: A flag's value cannot be.
        SettingsError: A variable's name or value cannot be.
    """
    from tradingagents.settings import load_settings

    explicit = explicit_settings(flags)
    try:
        load_settings(explicit=explicit, names=FLAG_OF, environ={})
        check_vendor(flags.data_vendor)
    except SettingsError as error:
        raise UsageError(str(error)) from None
    return load_settings(explicit=explicit, names=FLAG_OF, environ=environ)


def command_line(
    tickers: tuple[str, ...], day: date | None, flags: Flags, *, json: bool = False, quiet: bool = False
) -> str:
    """Return the command line that says the same as tickers, day and flags, as a shell reads it."""
    words = ["tradingagents", "analyze", *tickers]
    words += [day.isoformat()] if day else []
    words += ["--offline"] if flags.offline else []
    for name, flag in FLAG_OF.items():
        value = getattr(flags, name)
        if isinstance(value, bool):
            words.append(flag if value else flag.replace("--", "--no-"))
        elif value is not None:
            words += [flag, str(value)]
    words += ["--json"] if json else []
    words += ["--quiet"] if quiet else []
    return shlex.join(words)


def check_vendor(names: str | None) -> None:
    """Refuse a vendor nobody knows; several may be named in order, with commas.

    Raises:
        SettingsError: Names the nearest known vendor.
    """
    from tradingagents.dataflows.interface import maker_of

    for name in (names or "").split(","):
        if name.strip():
            maker_of(name.strip())
