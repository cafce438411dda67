"""What a run is told: one frozen `Settings`, read once at the edge from arguments, environment, `.env` and defaults."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tradingagents.errors import SettingsError

ENV_PREFIX = "TRADINGAGENTS_"
VENDOR_PREFIX = "VENDOR_"
NOT_SETTINGS = frozenset({"TEST_DATA", "WEBHOOK_SECRET"})
"""Names under our prefix that other parts of the project read: the folder of recorded test data, and the secret that
webhooks are signed with, which as a setting would stand in every record."""

Tier = Literal["quick", "mid", "deep"]
Category = Literal[
    "core_stock_apis",
    "technical_indicators",
    "fundamental_data",
    "news_data",
    "scanner_data",
    "calendar_data",
    "macro_data",
    "social_data",
    "filing_data",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)
AnalystName = Literal["market", "social", "news", "fundamentals"]
ANALYSTS: tuple[AnalystName, ...] = get_args(AnalystName)

DEFAULT_VENDOR = "yfinance"
WITH_FALLBACK = f"{DEFAULT_VENDOR},alpha_vantage"
"""For categories with methods that may fall back: the second vendor is asked if its key is set and the first fails."""
DEFAULT_DATA_VENDORS: Mapping[Category, str] = {
    **dict.fromkeys(CATEGORIES, DEFAULT_VENDOR),
    "core_stock_apis": WITH_FALLBACK,
    "scanner_data": WITH_FALLBACK,
    "calendar_data": "finnhub,yfinance",
    "macro_data": "fred",
    "social_data": "stocktwits,reddit",
    "filing_data": "sec_edgar",
}
DEFAULT_TOOL_VENDORS: Mapping[str, str] = {
    "get_insider_transactions": "finnhub,financial_datasets,alpha_vantage,sec_edgar,yfinance",
    "get_economic_calendar": "finnhub,fred,yfinance",
    "get_financials": "financial_datasets,sec_edgar,yfinance",
}
"""Tools whose vendors are not their category's. `data_vendor` wins over these, not over others of `tool_vendors`."""


class Settings(BaseModel):
    """Every setting, with its default and meaning. Frozen: two graphs with different settings share nothing.

    API keys are not settings: they are read from the environment where a client is made, and are kept nowhere.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Models
    llm_provider: str = Field(
        "openai", description="openai, openai_compatible, ollama, anthropic, google, offline or scripted"
    )
    quick_think_llm: str = Field(
        "gpt-5-mini", description="Model of the quick tier: analysts, scanners and risk debators"
    )
    mid_think_llm: str | None = Field(
        None, description="Model of the mid tier: bull, bear, trader, industry deep dive; unset: the quick model"
    )
    deep_think_llm: str = Field("gpt-5.2", description="Model of the deep tier: the two managers, macro synthesis")
    quick_think_llm_provider: str | None = Field(None, description="Provider of the quick tier; unset: llm_provider")
    mid_think_llm_provider: str | None = Field(None, description="Provider of the mid tier; unset: the quick tier's")
    deep_think_llm_provider: str | None = Field(None, description="Provider of the deep tier; unset: llm_provider")
    backend_url: str | None = Field(None, description="Base URL of the model server; unset: the provider's own")
    quick_think_backend_url: str | None = Field(None, description="URL of the quick tier; unset: backend_url")
    mid_think_backend_url: str | None = Field(None, description="URL of the mid tier; unset: the quick tier's")
    deep_think_backend_url: str | None = Field(None, description="URL of the deep tier; unset: backend_url")
    quick_fallback_llm: str | None = Field(
        None,
        min_length=1,
        description="Model that answers where the quick tier's fails for good, as model or provider/model",
    )
    mid_fallback_llm: str | None = Field(
        None, min_length=1, description="The same for the mid tier; unset: the quick tier's"
    )
    deep_fallback_llm: str | None = Field(None, min_length=1, description="The same for the deep tier")
    temperature: float | None = Field(
        None, ge=0, le=2, description="Sampling temperature; unset: the provider's default"
    )
    openai_reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = Field(
        None, description="Reasoning effort asked of OpenAI models"
    )
    anthropic_effort: Literal["low", "medium", "high", "max"] | None = Field(
        None, description="Effort asked of Anthropic models"
    )
    google_thinking_level: Literal["minimal", "low", "medium", "high"] | None = Field(
        None, description="Thinking level asked of Google models"
    )
    structured_output: Literal["auto", "json_schema", "function_calling", "json_mode", "prompt"] = Field(
        "auto", description="How typed answers are asked for; auto: by provider and model"
    )
    stream_tokens: bool = Field(False, description="Stream replies token by token into the event stream")
    llm_timeout: float = Field(120.0, gt=0, description="Seconds one request to a model may take, reply included")
    llm_max_retries: int = Field(
        2, ge=0, le=10, description="Further attempts at a model call that fails in a way that may pass"
    )
    max_output_tokens: int | None = Field(
        None, gt=0, description="Longest reply in tokens; unset: the provider's default"
    )
    model_prices: dict[str, tuple[float, float, float]] = Field(
        default_factory=dict,
        description="USD per million tokens (input, cached input, output) by model, over the built-in price list",
    )

    replay: Literal["off", "on", "only"] = Field(
        "off",
        description="on: a question that a model was asked before is answered from the kept replies; only: a question "
        "that was not ends the run",
    )
    keep_replies: bool = Field(True, description="Keep the replies of models in home, for a replay")

    # The graph
    analysts: tuple[AnalystName, ...] = Field(ANALYSTS, description="Which analysts report")
    max_debate_rounds: int = Field(2, ge=1, le=10, description="Rounds of bull against bear; one round is both once")
    max_risk_discuss_rounds: int = Field(
        2, ge=1, le=10, description="Rounds of the risk debate; one round is all three once"
    )
    max_tool_rounds: int = Field(
        5, ge=0, le=20, description="Rounds of tool calls an analyst may ask for before it must write"
    )
    max_recur_limit: int = Field(100, ge=25, description="Steps after which LangGraph gives a run up")
    max_concurrent_pipelines: int = Field(4, ge=1, le=256, description="Tickers that run at the same time")
    max_auto_tickers: int | None = Field(
        None, ge=1, le=50, description="Stocks a scan names, exactly; unset: 8 to 10, as many as deserve it"
    )
    output_language: str = Field("English", min_length=2, max_length=40, description="Language of reports and debates")

    # Data
    data_vendor: str | None = Field(None, description="One vendor for every category at once")
    data_vendors: dict[Category, str] = Field(
        default_factory=lambda: dict(DEFAULT_DATA_VENDORS),
        description="Vendor, or comma-separated vendors in order of preference, by category",
    )
    tool_vendors: dict[str, str] = Field(
        default_factory=lambda: dict(DEFAULT_TOOL_VENDORS),
        description="Vendor, or vendors in order of preference, by tool name; wins over the category",
    )
    vendor_rates: dict[str, str] = Field(
        default_factory=dict,
        description="How often a vendor may be asked, such as 75/minute, over the built-in rates of its free plan",
    )
    vendor_urls: dict[str, str] = Field(
        default_factory=dict, description="Base address by vendor, for a proxy or a mirror of it"
    )
    vendor_max_retries: int = Field(
        2, ge=0, le=10, description="Further attempts at a vendor that fails or asks to wait a little"
    )
    data_dir: Path | None = Field(None, description="Folder of the snapshot vendor's recorded data")
    simulated_seed: int = Field(7, ge=0, description="Seed of the simulated market")
    price_history_days: int = Field(
        800, ge=400, le=5000, description="Calendar days of prices read before the trade date"
    )
    news_article_limit: int = Field(20, ge=1, le=200, description="Company articles given to an agent")
    global_news_article_limit: int = Field(10, ge=1, le=200, description="Most market articles a tool call may ask for")
    global_news_lookback_days: int = Field(
        7, ge=1, le=90, description="Days of market news fetched for the news analyst"
    )
    benchmark_ticker: str | None = Field(None, description="Benchmark of every ticker; unset: by exchange")
    vendor_timeout: float = Field(30.0, gt=0, description="Seconds one vendor request may take")

    # Memory
    outcome_days: int = Field(
        30, ge=1, le=1000, description="Calendar days after which a decision is judged that names no horizon of its own"
    )
    auto_settle: bool = Field(
        True, description="At the start of a run, settle the newest decisions on its ticker whose window has passed"
    )

    # Limits and places
    budget_usd: float | None = Field(None, gt=0, description="Most a run may spend on models, in USD")
    max_llm_calls: int | None = Field(None, gt=0, description="Most model calls a run may make")
    log_file: Path | None = Field(None, description="File that the log records of runs are appended to; unset: none")
    log_format: Literal["text", "json"] = Field(
        "text", description="Form of log records, in log_file and on the command line's stderr; json: one object a line"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Lowest level in log_file; debug: every event, and what HTTP clients log"
    )
    database_url: str | None = Field(
        None, description="Database of lessons, outcomes and the steps of unfinished runs; unset: SQLite in home"
    )
    checkpoint_enabled: bool = Field(
        True, description="Keep the steps of a run until it has ended, so that it can go on"
    )
    approve: bool = Field(False, description="Wait for a person's approval before a decision becomes final")
    drain_seconds: float = Field(
        8.0, ge=0, description="Seconds that calls under way get to end after Ctrl-C or SIGTERM; 0 ends them at once"
    )
    home: Path | None = Field(None, description="Where runs and caches are written; unset: the user's data folder")

    @field_validator("analysts")
    @classmethod
    def _some_analysts_once_each(cls, value: tuple[AnalystName, ...]) -> tuple[AnalystName, ...]:
        if not value:
            raise ValueError("name at least one analyst")
        return tuple(dict.fromkeys(value))

    @field_validator("data_vendors", mode="after")
    @classmethod
    def _every_category(cls, value: dict[Category, str]) -> dict[Category, str]:
        return {category: value.get(category, DEFAULT_DATA_VENDORS[category]) for category in CATEGORIES}

    @field_validator("data_dir", "home", "log_file", mode="after")
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        return value.expanduser().absolute() if value else None

    @property
    def home_dir(self) -> Path:
        """Where this run writes: `home`, or the platform's folder for user data."""
        if self.home is not None:
            return self.home
        from platformdirs import user_data_path

        return user_data_path("tradingagents", appauthor=False)

    def vendors_for(self, method: str, category: Category) -> tuple[str, ...]:
        """Return the vendors that may answer `method`, in order: tool override, `data_vendor`, usual tool, category."""
        override = self.tool_vendors.get(method)
        if self.data_vendor and override == DEFAULT_TOOL_VENDORS.get(method):
            override = None
        chosen = override or self.data_vendor or self.data_vendors[category]
        return tuple(name.strip() for name in chosen.split(",") if name.strip())


KEYS = tuple(Settings.model_fields)


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    explicit: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Read settings once: what was given explicitly, overrides, `TRADINGAGENTS_<KEY>`, defaults, in this order.

    A key of `overrides` that only repeats its default counts as not given, so that a script that passes
    `DEFAULT_CONFIG.copy()` whole can still be steered by the environment. Dicts of vendors merge key by key.

    Args:
        overrides: Settings by name, as in `DEFAULT_CONFIG`.
        explicit: Settings that win whatever their value, as a command line's flags do; a dict of vendors replaces.
        names: What the giver of `explicit` calls a setting, for errors: `{"home": "--home"}`.
        environ: Variables to read; None reads `.env` and the process environment (see `environment`).

    Raises:
        SettingsError: An unknown key or a value that cannot be, named with the nearest known key.
    """
    given, certain = dict(overrides or {}), dict(explicit or {})
    _refuse_unknown([*given, *certain], KEYS, where="setting")
    from_env = _from_environment(environment() if environ is None else environ)
    changed = {key: value for key, value in given.items() if not _is_default(key, value)}
    merged: dict[str, Any] = {**from_env, **changed}
    for key in ("data_vendors", "tool_vendors"):
        parts = (from_env.get(key), given.get(key))
        if any(isinstance(part, Mapping) for part in parts):
            merged[key] = _merge_vendors(key, *parts)
    merged.update(certain)
    called = {key: ENV_PREFIX + key.upper() for key in from_env if key not in changed}
    called.update({key: (names or {}).get(key, key) for key in certain})
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise SettingsError(_explain(error, called)) from None


def environment(directory: Path | None = None) -> dict[str, str]:
    """Return `.env` of the working folder (or a parent) overlaid with the process environment; empty = unset.

    Nothing is written to the process environment.
    """
    from dotenv import dotenv_values, find_dotenv

    path = directory / ".env" if directory else find_dotenv(usecwd=True)
    from_file = dotenv_values(path, encoding="utf-8") if path and Path(path).is_file() else {}
    merged = {**from_file, **{key: value for key, value in os.environ.items() if value.strip()}}
    return {key: value for key, value in merged.items() if value and value.strip()}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like `word`; None when nothing is close."""
    match = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.5)
    return match[0] if match else None


def _is_default(key: str, value: Any) -> bool:
    default = Settings.model_fields[key].get_default(call_default_factory=True, validated_data={})
    if isinstance(value, (list, tuple)):
        return bool(tuple(value) == default)
    return type(value) is type(default) and bool(value == default)


def _merge_vendors(key: str, from_env: Any, given: Any) -> dict[str, Any]:
    """Overlay the given vendors that differ from the default on those of the environment."""
    default = Settings.model_fields[key].get_default(call_default_factory=True, validated_data={})
    chosen = {name: vendor for name, vendor in (given or {}).items() if default.get(name) != vendor}
    return {**default, **(from_env or {}), **chosen}


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    vendors: dict[str, str] = {}
    for name, text in environ.items():
        if not name.startswith(ENV_PREFIX) or not text.strip():
            continue
        key = name.removeprefix(ENV_PREFIX)
        if key in NOT_SETTINGS:
            continue
        if key.startswith(VENDOR_PREFIX) and key.lower() not in KEYS:
            category = key.removeprefix(VENDOR_PREFIX).lower()
            _refuse_unknown([category], CATEGORIES, where=f"category in {name}")
            vendors[category] = text.strip()
            continue
        _refuse_unknown([key.lower()], KEYS, where="variable", shown=name)
        values[key.lower()] = _parse(key.lower(), text.strip(), name)
    if vendors:
        values["data_vendors"] = {**values.get("data_vendors", {}), **vendors}
    return values


def _parse(key: str, text: str, name: str) -> Any:
    """Turn a variable's text into what the setting takes; pydantic does the numbers and booleans."""
    if key == "analysts":
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if key in ("data_vendors", "tool_vendors", "vendor_rates", "vendor_urls"):
        pairs = [part.partition("=") for part in text.split(";")]
        if not all(middle and left.strip() and right.strip() for left, middle, right in pairs):
            raise SettingsError(f"{name}={text!r} is not understood; write it as name=value;name=value.")
        return {left.strip(): right.strip() for left, _, right in pairs}
    if key == "model_prices":
        import json

        try:
            return json.loads(text)
        except ValueError:
            raise SettingsError(
                f'{name} is not JSON; write it as {{"model": [input, cached, output]}} in USD per million tokens.'
            ) from None
    return text


def _refuse_unknown(given: Iterable[str], known: Iterable[str], *, where: str, shown: str | None = None) -> None:
    known = tuple(known)
    for word in given:
        if word in known:
            continue
        close = nearest(str(word), known)
        if shown and close:
            close = ENV_PREFIX + close.upper()
        hint = f"did you mean {close}?" if close else f"known are: {', '.join(known)}."
        raise SettingsError(f"Unknown {where} {shown or word!r}; {hint}")


def _explain(error: ValidationError, called: Mapping[str, str]) -> str:
    """Say what the first bad value is, by the name it was given under, and what it may be."""
    first = error.errors(include_url=False)[0]
    key = str(first["loc"][0])
    name = called.get(key, key)
    message = str(first["msg"]).removeprefix("Value error, ")
    shown = repr(first.get("input"))
    hint = ""
    if key == "analysts":
        hint = f" Analysts are: {', '.join(ANALYSTS)}."
    elif key == "data_vendors" and len(first["loc"]) > 1:
        shown = repr(first["loc"][1])
        hint = f" Categories are: {', '.join(CATEGORIES)}."
    return f"{name} cannot be {shown}: {message[0].lower() + message[1:]}.{hint}"
