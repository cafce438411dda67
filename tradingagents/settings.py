"""The settings of a run: one frozen `Settings`, read once from arguments, environment, `.env` and defaults."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tradingagents.errors import SettingsError
from tradingagents.files.environment import environment
from tradingagents.files.json_text import parse_json
from tradingagents.files.redaction import HIDDEN, Redactor, is_key, redacted_url, secrets_in_urls, shown_value
from tradingagents.files.user_folders import data_folder
from tradingagents.schemas.decision import SellMeans
from tradingagents.schemas.mcp_servers import McpServer, assert_server_names

__all__ = [
    "AGENT_PACKAGES",
    "ANALYSTS",
    "CATEGORIES",
    "DEFAULT_DATA_VENDORS",
    "DEFAULT_TOOL_VENDORS",
    "DEFAULT_VENDOR",
    "ENV_PREFIX",
    "KEYS",
    "MODEL_PROVIDERS",
    "NOT_SETTINGS",
    "VENDOR_PREFIX",
    "Category",
    "Settings",
    "Tier",
    "analyst_choices",
    "assert_provider",
    "environment",
    "load_settings",
    "nearest",
    "secrets_of",
    "without_secrets",
]

ENV_PREFIX = "TRADINGAGENTS_"
VENDOR_PREFIX = "VENDOR_"
NOT_SETTINGS = frozenset(
    {
        *("TEST_DATA", "SERVER_TOKEN", "WEBHOOK_SECRET", "SLACK_WEBHOOK", "DISCORD_WEBHOOK"),
        *("TELEGRAM_TOKEN", "TELEGRAM_CHAT", "TELEGRAM_SERVER", "SMTP_URL", "MAIL_FROM", "MAIL_TO"),
    }
)
"""Variables with our prefix that are not settings: the folder of recorded test data, and the server's token and what
messages are sent with, which must not appear in records."""

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
ANALYSTS = ("market", "social", "news", "fundamentals")
"""The analysts of a run that names none."""
AGENT_PACKAGES = "tradingagents.agents"
"""Entry point group by which installed packages add analysts, see `agents.roster`."""


def analyst_choices() -> tuple[str, ...]:
    """Return the names that `analysts` may hold: ours, then those of installed packages. Loads no agent."""
    from importlib.metadata import entry_points

    return tuple(dict.fromkeys((*ANALYSTS, *sorted(entry_points(group=AGENT_PACKAGES).names))))


MODEL_PROVIDERS = ("openai", "openai_compatible", "ollama", "anthropic", "google", "offline", "scripted")

SELL_MEANINGS: Mapping[SellMeans, str] = {
    "short": "sell the stock short",
    "close": "sell what is held of the stock, or stay out of it; open no short position",
}
"""Meaning of SELL, by the setting `sell_means`; shown to agents, and to readers next to a SELL."""

DEFAULT_VENDOR = "yfinance"
WITH_FALLBACK = f"{DEFAULT_VENDOR},alpha_vantage"
"""For categories with methods that may fall back: the second vendor is used if its key is set and the first fails."""
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
"""Tools with vendors of their own. `data_vendor` overrides these, but not tools set in `tool_vendors`."""

LONGEST_PATH = 3_000
"""Maximum length of a path in bytes: systems allow about 4,000, and the paths of runs are longer than `home`."""
LONGEST_NAME = 255
"""Maximum length of one path component in bytes, which is the limit of file systems."""
LONGEST_SECONDS = 86_400.0
"""One day: longer than any reply takes, and within the range of system timers."""
Seconds = Annotated[float, Field(gt=0, le=LONGEST_SECONDS)]


class Settings(BaseModel):
    """Every setting, with its default and description. Frozen: graphs with different settings do not interfere.

    API keys are not settings: they are read from the environment when a client is created, and never stored.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    # Models
    llm_provider: str = Field(
        "openai", description="openai, openai_compatible, ollama, anthropic, google, offline or scripted"
    )
    quick_think_llm: str = Field(
        "gpt-5-mini", description="Model of the quick tier: analysts, scanners and risk debaters"
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
        description="Fallback model, used when the quick tier's model fails for good, as model or provider/model",
    )
    mid_fallback_llm: str | None = Field(
        None, min_length=1, description="Fallback model of the mid tier; unset: the quick tier's"
    )
    deep_fallback_llm: str | None = Field(None, min_length=1, description="Fallback model of the deep tier")
    temperature: float | None = Field(
        None, ge=0, le=2, description="Sampling temperature; unset: the provider's default"
    )
    openai_reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = Field(
        None, description="Reasoning effort requested from OpenAI models"
    )
    anthropic_effort: Literal["low", "medium", "high", "max"] | None = Field(
        None, description="Effort requested from Anthropic models"
    )
    google_thinking_level: Literal["minimal", "low", "medium", "high"] | None = Field(
        None, description="Thinking level requested from Google models"
    )
    structured_output: Literal["auto", "json_schema", "function_calling", "json_mode", "prompt"] = Field(
        "auto", description="How structured output is requested; auto: by provider and model"
    )
    stream_tokens: bool = Field(False, description="Stream replies token by token into the event stream")
    llm_timeout: Seconds = Field(120.0, description="Time limit of one model request in seconds, reply included")
    llm_max_retries: int = Field(2, ge=0, le=10, description="Retries of a model call after a temporary failure")
    max_output_tokens: int | None = Field(
        None, gt=0, le=10_000_000, description="Maximum length of a reply in tokens; unset: the provider's default"
    )
    max_reply_chars: int = Field(
        100_000, ge=1, le=2_000_000, description="Maximum length of a reply in characters; longer replies are cut off"
    )
    model_prices: dict[str, tuple[float, float, float]] = Field(
        default_factory=dict,
        description="USD per million tokens (input, cached input, output) by model; overrides the built-in price list",
    )

    model_rates: dict[str, str] = Field(
        default_factory=dict,
        description="Request rate by model provider, such as 500/minute, counted for each key over all processes",
    )
    knowledge_cutoffs: dict[str, date] = Field(
        default_factory=dict,
        description="Last day of the training data by model; overrides the built-in table that backtests are split by",
    )

    replay: Literal["off", "on", "only"] = Field(
        "off",
        description="on: reuse the stored reply to an identical earlier request; only: the same, and end the run if "
        "there is none",
    )
    keep_replies: bool = Field(True, description="Store model replies in home for later replay")

    # The graph
    analysts: tuple[str, ...] = Field(
        ANALYSTS, description=f"Analysts that write a report: {', '.join(ANALYSTS)}, or those of installed packages"
    )
    max_debate_rounds: int = Field(
        2,
        ge=0,
        le=10,
        description="Rounds of the research debate; in one round bull and bear each speak once; 0: no debate",
    )
    max_risk_discuss_rounds: int = Field(
        2,
        ge=0,
        le=10,
        description="Rounds of the risk debate; in one round all three debaters speak once; 0: no debate",
    )
    debate_mode: Literal["turns", "simultaneous"] = Field(
        "turns",
        description="turns: each debater answers all earlier turns; simultaneous: all sides of a round speak at once "
        "and answer each other in the next round",
    )
    settle: bool = Field(
        False,
        description="Ask the agents that decide again, with the inputs they had, until a sequential test says whether "
        "the action is settled or the same question gives different ones",
    )
    settle_max_asks: int = Field(
        20, ge=6, le=200, description="Maximum number of times that `settle` asks each of them; 6 alike answers settle"
    )
    unsettled_action: Literal["NO_DECISION", "HOLD"] = Field(
        "NO_DECISION", description="Action of a run that `settle` found unsettled, with the reason"
    )
    fetch_valuation: bool = Field(
        False,
        description="Compute the company's valuation and screens in every trading run and show them to all agents; "
        "otherwise the fundamentals analyst may ask for them",
    )
    filings_vectors: Literal["off", "local"] = Field(
        "off",
        description="local: searches in filings and calls also compare vectors, by the model of the extra `embeddings`",
    )
    filings_vector_weight: float = Field(
        0.1, ge=0, le=1, description="Share of the vectors in the score of such a search; words have the rest"
    )
    max_tool_rounds: int = Field(
        5, ge=0, le=20, description="Rounds of tool calls an analyst may make before it must write its report"
    )
    ask_report_company: bool = Field(
        True,
        description="Ask the analysts' model which company a report is about where its words leave that open; a report "
        "on another company is refused",
    )
    research_task_seconds: Seconds = Field(
        600.0, description="Time limit of one attempt at a research task in seconds, model calls and tools included"
    )
    max_concurrent_research_tasks: int = Field(
        10, ge=1, le=10, description="Tasks of one research plan that are carried out at the same time"
    )
    max_recur_limit: int = Field(100, ge=25, le=100_000, description="Maximum number of LangGraph steps in a run")
    max_concurrent_pipelines: int = Field(4, ge=1, le=256, description="Tickers that run at the same time")
    backtest_engine: Literal["asyncio", "processes", "ray"] = Field(
        "asyncio",
        description="Where a backtest makes its decisions: asyncio (in this process), processes (on the cores of this "
        "machine) or ray (on a Ray cluster that shares the home folder, extra `ray`)",
    )
    backtest_workers: int | None = Field(
        None, ge=1, le=1024, description="Workers of `backtest_engine`; unset: one for each core"
    )
    max_auto_tickers: int | None = Field(
        None, ge=1, le=50, description="Exact number of stocks a scan selects; unset: 8 to 10, as the model decides"
    )
    task_engine: Literal["local", "ray"] = Field(
        "local",
        description="Where background tasks that ask a language model run: local (in this process) or ray (in worker "
        "processes of Ray, extra `ray`)",
    )
    output_language: str = Field("English", min_length=2, max_length=40, description="Language of reports and debates")

    # Decisions
    decide_at: str = Field(
        "close",
        description="Moment of a past day at which a run decides: close, open (the next session's open, so that the "
        "night's news are known) or a time of the exchange such as 08:30; today, never later than now",
    )
    sell_means: SellMeans = Field(
        "short",
        description="Meaning of SELL: short (sell the stock short, with entry, stop, target and size) or close (sell "
        "an existing holding or stay out, with at most a price to sell at)",
    )
    max_position_size: float = Field(
        0.15, gt=0, le=1, description="Largest position of a decision, as a fraction of equity"
    )

    # Data
    data_vendor: str | None = Field(None, description="One vendor for all categories")
    data_vendors: dict[Category, str] = Field(
        default_factory=lambda: dict(DEFAULT_DATA_VENDORS),
        description="Vendor, or comma-separated vendors in order of preference, by category",
    )
    tool_vendors: dict[str, str] = Field(
        default_factory=lambda: dict(DEFAULT_TOOL_VENDORS),
        description="Vendor, or vendors in order of preference, by tool name; overrides the category",
    )
    vendor_rates: dict[str, str] = Field(
        default_factory=dict,
        description="Request rate of a vendor, such as 75/minute; overrides the built-in rate of its free plan",
    )
    vendor_urls: dict[str, str] = Field(default_factory=dict, description="Base URL by vendor, for a proxy or a mirror")
    vendor_max_retries: int = Field(
        2, ge=0, le=10, description="Retries of a vendor request after a temporary failure or a request to wait"
    )
    second_vendor: Literal["free", "all", "off"] = Field(
        "free",
        description="Whose prices and statements a remote vendor's are held against: free (vendors without a key: "
        "Yahoo, and EDGAR where EDGAR_IDENTITY is set; one more request a question and day), all (also vendors whose "
        "key is set), off",
    )
    data_dir: Path | None = Field(None, description="Folder of the snapshot vendor's recorded data")
    simulated_seed: int = Field(7, ge=0, lt=2**63, description="Seed of the simulated market")
    price_history_days: int = Field(
        800,
        ge=800,
        le=5000,
        description="Calendar days of price history read before the trade date, at least those that figures go back",
    )
    news_article_limit: int = Field(20, ge=1, le=200, description="Number of company articles shown to an agent")
    global_news_article_limit: int = Field(
        10, ge=1, le=200, description="Maximum number of market articles per tool call"
    )
    global_news_lookback_days: int = Field(
        7, ge=1, le=90, description="Days of market news fetched for the news analyst"
    )
    benchmark_ticker: str | None = Field(None, description="Benchmark of every ticker; unset: by exchange")
    vendor_timeout: Seconds = Field(30.0, description="Time limit of one vendor request in seconds")

    mcp_servers: dict[str, McpServer] = Field(
        default_factory=dict,
        description="Other MCP servers whose tools the assistant may use, by name; see the guide on MCP",
    )

    # Memory
    outcome_days: int = Field(
        30, ge=1, le=1000, description="Calendar days after which a decision without its own horizon is evaluated"
    )
    auto_settle: bool = Field(
        True, description="At the start of a run, evaluate the newest due decisions on its ticker"
    )

    # The assistant
    assistant_tier: Tier = Field("mid", description="Model tier of the assistant's conversation")
    persona_tier: Tier = Field("mid", description="Model tier of the investor personas that the assistant consults")
    assistant_max_rounds: int = Field(
        10, ge=1, le=40, description="Rounds of tool calls the assistant may make in a turn before it must reply"
    )
    assistant_context_tokens: int | None = Field(
        None,
        ge=4096,
        le=10_000_000,
        description="Tokens of context of the assistant's model; unset: as its provider states, else 32768. "
        "A conversation is summarised before it fills the context",
    )
    personas_dir: Path | None = Field(
        None, description="Folder of further personas, one YAML file each; unset: personas in home"
    )

    # Limits and places
    budget_usd: float | None = Field(None, gt=0, description="Maximum cost of the model calls of a run, in USD")
    max_llm_calls: int | None = Field(None, gt=0, lt=2**63, description="Maximum number of model calls in a run")
    log_file: Path | None = Field(None, description="File that the log records of runs are appended to; unset: none")
    log_format: Literal["text", "json"] = Field(
        "text", description="Format of the log in log_file and on the command line's stderr; json: one object a line"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Lowest level in log_file; debug: also every event, and the logs of HTTP clients"
    )
    database_url: str | None = Field(
        None, description="Database of lessons, outcomes and checkpoints of unfinished runs; unset: SQLite in home"
    )
    checkpoint_enabled: bool = Field(
        True, description="Store checkpoints of a run until it has ended, so that it can be resumed"
    )
    approve: bool = Field(False, description="Require a person's approval before a decision becomes final")
    drain_seconds: float = Field(
        8.0,
        ge=0,
        le=LONGEST_SECONDS,
        description="Seconds that running calls get to finish after Ctrl-C or SIGTERM; 0 stops them at once",
    )
    results_dir: Path | None = Field(
        None,
        description="Folder to which each trading run also writes its state as JSON, "
        "TICKER/TradingAgentsStrategy_logs/full_states_log_DATE.json; unset: none",
    )
    home: Path | None = Field(None, description="Folder of runs and caches; unset: the user's data folder")

    # The server
    server_allowed_origins: tuple[str, ...] = Field(
        (), description="Origins of other web pages that may ask the server, such as https://pro.openbb.co"
    )
    server_allowed_hosts: tuple[str, ...] = Field(
        (), description="Host names that clients may use for the server, besides localhost and its addresses"
    )
    server_rate: str = Field("1200/minute", description="Requests that one token may make, such as 20/second")
    server_max_body_bytes: int = Field(
        1_000_000, ge=1_000, le=100_000_000, description="Maximum size of a request's body in bytes"
    )
    server_max_connections: int = Field(
        1_000, ge=10, le=100_000, description="Maximum number of open connections of one server process"
    )

    @field_validator("analysts")
    @classmethod
    def _known_analysts_once_each(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("name at least one analyst")
        if not set(value) <= set(ANALYSTS) and (unknown := set(value) - set(analyst_choices())):
            raise ValueError(f"there is no analyst {shown_value(min(unknown), Redactor({}))}")
        return tuple(dict.fromkeys(value))

    @field_validator("decide_at")
    @classmethod
    def _a_moment(cls, value: str) -> str:
        if value not in ("close", "open") and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
            raise ValueError("write close, open or a time of the exchange such as 08:30")
        return value

    @field_validator("server_allowed_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            _assert_address(origin)
            parts = urlsplit(origin)
            if (
                parts.scheme not in ("http", "https")
                or not parts.hostname
                or origin != f"{parts.scheme}://{parts.netloc}"
            ):
                raise ValueError("it is not an origin; write it as https://example.com")
        return value

    @field_validator("data_vendors", mode="after")
    @classmethod
    def _every_category(cls, value: dict[Category, str]) -> dict[Category, str]:
        return {category: value.get(category, DEFAULT_DATA_VENDORS[category]) for category in CATEGORIES}

    @field_validator("*", mode="before")
    @classmethod
    def _readable_text(cls, value: Any) -> Any:
        for text in _texts(value):
            _assert_text(text)
            if is_key(text):
                raise ValueError("it looks like a key; give keys in variables of their own, such as OPENAI_API_KEY")
        return value

    @field_validator("model_prices", mode="after")
    @classmethod
    def _no_negative_price(cls, value: dict[str, tuple[float, float, float]]) -> dict[str, tuple[float, float, float]]:
        for model, prices in value.items():
            if any(price < 0 or not math.isfinite(price) for price in prices):
                raise ValueError(f"a price of {model} is below 0 or no number")
        return value

    @field_validator(
        "backend_url", "quick_think_backend_url", "mid_think_backend_url", "deep_think_backend_url", "database_url"
    )
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is not None:
            _assert_address(value)
        return value

    @field_validator("database_url")
    @classmethod
    def _a_database(cls, value: str | None) -> str | None:
        if value is not None and not _is_database(value):
            raise ValueError("no such kind of database; write it as postgresql+psycopg://host/name")
        return value

    @field_validator("vendor_urls")
    @classmethod
    def _addresses(cls, value: dict[str, str]) -> dict[str, str]:
        for address in value.values():
            _assert_address(address)
        return value

    @field_validator("mcp_servers")
    @classmethod
    def _names_of_servers(cls, value: dict[str, McpServer]) -> dict[str, McpServer]:
        assert_server_names(value)
        return value

    @field_validator("data_dir", "home", "log_file", "personas_dir", "results_dir", mode="before")
    @classmethod
    def _not_empty(cls, value: Any) -> Any:
        if isinstance(value, str) and not value.strip():
            raise ValueError("name a folder or file, or leave it unset")
        return value

    @field_validator("data_dir", "home", "log_file", "personas_dir", "results_dir", mode="after")
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        return _absolute_path(value) if value is not None else None

    @property
    def home_dir(self) -> Path:
        """The home folder: `home`, or the platform's folder for user data.

        Raises:
            HomeNotWritable: There is neither.
        """
        return self.home if self.home is not None else data_folder()

    def __getitem__(self, key: str) -> Any:
        """Return a setting by name, as from a dict: `graph.config["llm_provider"]`."""
        if key not in type(self).model_fields:
            raise KeyError(key)
        return getattr(self, key)

    def __contains__(self, key: object) -> bool:
        return key in type(self).model_fields

    def get(self, key: str, default: Any = None) -> Any:
        """Return a setting by name, or the default if there is no such setting."""
        return self[key] if key in type(self).model_fields else default

    def keys(self) -> tuple[str, ...]:
        """Return the names of all settings, so that `dict(settings)` and `{**settings}` work."""
        return tuple(type(self).model_fields)

    def vendors_for(self, method: str, category: Category) -> tuple[str, ...]:
        """Return the vendors of `method` in order: set for it, `data_vendor`, default for it, or of its category."""
        override = self.tool_vendors.get(method)
        if self.data_vendor and override == DEFAULT_TOOL_VENDORS.get(method):
            override = None
        chosen = override or self.data_vendor or self.data_vendors[category]
        return tuple(name.strip() for name in chosen.split(",") if name.strip())


KEYS = tuple(Settings.model_fields)
_DATABASES = ("postgresql", "sqlite", "mysql", "mariadb", "oracle", "mssql")
"""Kinds of database supported by SQLAlchemy itself; packages may add others."""
_WITH_URLS = ("backend_url", "vendor_urls", "database_url")
"""Suffixes of the names of settings that hold URLs."""


def secrets_of(settings: Settings) -> set[str]:
    """Return the passwords and tokens in the URLs of settings."""
    return secrets_in_urls([getattr(settings, key) for key in KEYS if key.endswith(_WITH_URLS)])


OF_SETTLING: Mapping[str, Any] = {
    name: Settings.model_fields[name].default for name in ("settle", "settle_max_asks", "unsettled_action")
}
"""Settings that change nothing while `settle` is off, and their defaults: records hold them only where it is on."""


def recorded_settings(settings: Settings) -> dict[str, Any]:
    """Return settings as records hold them: as JSON, without secrets, and without those that change nothing."""
    unused = set() if settings.settle else set(OF_SETTLING)
    return without_secrets(settings.model_dump(mode="json", exclude=unused))


def without_secrets(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by name in a form safe for records: URLs without users, passwords and tokens."""
    return {key: _without_secrets(value) if key.endswith(_WITH_URLS) else value for key, value in settings.items()}


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_secrets(part) for name, part in value.items()}
    return redacted_url(value) if isinstance(value, str) else value


def changed_settings(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return settings with some changed.

    Raises:
        SettingsError: A name is unknown, or a value invalid.
    """
    return load_settings(explicit={**dict(settings), **changes}, environ={}) if changes else settings


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    explicit: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Read settings from explicit values, overrides, `TRADINGAGENTS_<KEY>` variables and defaults, in this order.

    A key of `overrides` that repeats its default counts as not given, so that the environment still applies to a
    script that passes a whole `DEFAULT_CONFIG.copy()`. Dicts of vendors are merged key by key.

    Args:
        overrides: Settings by name, as in `DEFAULT_CONFIG`.
        explicit: Settings that always win, such as command-line flags; a dict of vendors replaces the default.
        names: The caller's names of `explicit` settings, for errors: `{"home": "--home"}`.
        environ: Variables to read; `None` reads `.env` and the process environment (see `environment`).

    Raises:
        SettingsError: A key is unknown or a value invalid; the message names the nearest known key.
    """
    given, certain = dict(overrides or {}), dict(explicit or {})
    _refuse_unknown([*given, *certain], KEYS, where="setting")
    environ = environment() if environ is None else environ
    from_env = _from_environment(environ)
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
        raise SettingsError(_explain(error, called, Redactor(environ))) from None


def assert_provider(name: str) -> None:
    """Check that a model provider exists.

    Raises:
        SettingsError: There is no such provider; the message names the nearest one.
    """
    if name not in MODEL_PROVIDERS:
        close = nearest(name, MODEL_PROVIDERS)
        hint = f"did you mean {close}?" if close else f"known are: {', '.join(MODEL_PROVIDERS)}."
        raise SettingsError(f"Unknown model provider {shown_value(name, Redactor({}))}; {hint}")


def _texts(value: Any) -> Iterator[str]:
    """Yield the strings in a value, including those in keys and items."""
    if isinstance(value, (str, Path)):
        yield str(value)
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _texts(pair)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)


def _assert_text(text: str) -> None:
    """Reject text that cannot be written to a file or sent to a server."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it is not valid UTF-8") from None
    if any(ord(sign) < 0x20 or 0x7F <= ord(sign) < 0xA0 for sign in text):
        raise ValueError("it holds a line break or another control character")


def _assert_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        _ = parts.port, parts.hostname
    except ValueError as error:
        raise ValueError(f"it is not an address ({error})") from None
    if any(sign.isspace() for sign in parts.netloc):
        raise ValueError("it is not an address (white space in the host)")


def _is_database(url: str) -> bool:
    """Return whether a URL names a kind of database for which SQLAlchemy has a dialect."""
    scheme, mark, _ = url.partition(":")  # cards of earlier runs hold some without slashes
    kind = scheme.partition("+")[0]
    if mark and kind in _DATABASES:
        return True
    from importlib.metadata import entry_points

    installed = {name.partition(".")[0] for name in entry_points(group="sqlalchemy.dialects").names}
    return bool(mark) and kind in installed


def _absolute_path(path: Path) -> Path:
    try:
        whole = path.expanduser().absolute()
    except RuntimeError:
        raise ValueError("there is no such user") from None
    except FileNotFoundError:
        raise ValueError("the working folder no longer exists") from None
    if len(bytes(whole)) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in whole.parts):
        raise ValueError("it is too long for a path")
    return whole


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to `word`; `None` when none is close."""
    match = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.5)
    return match[0] if match else None


def _is_default(key: str, value: Any) -> bool:
    default = Settings.model_fields[key].get_default(call_default_factory=True, validated_data={})
    if isinstance(value, (list, tuple)):
        return bool(tuple(value) == default)
    return type(value) is type(default) and bool(value == default)


def _merge_vendors(key: str, from_env: Any, given: Any) -> dict[str, Any]:
    """Merge the given vendors that differ from the default over those of the environment."""
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


_AS_JSON = {
    "knowledge_cutoffs": '{"model": "2025-06-30"}, the last day of its training data',
    "model_prices": '{"model": [input, cached, output]} in USD per million tokens',
    "mcp_servers": '{"name": {"command": "program", "args": []}} or {"name": {"url": "https://…"}}',
}
"""Settings whose variable holds JSON, and how it is written."""


def _parse(key: str, text: str, name: str) -> Any:
    """Convert a variable's text to the type of the setting; pydantic converts numbers and booleans."""
    if key in ("analysts", "server_allowed_origins", "server_allowed_hosts"):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if key in ("data_vendors", "tool_vendors", "vendor_rates", "vendor_urls", "model_rates"):
        pairs = [part.partition("=") for part in text.split(";")]
        if not all(middle and left.strip() and right.strip() for left, middle, right in pairs):
            raise SettingsError(
                f"{name}={shown_value(text, Redactor({}))} is not understood; write it as name=value;name=value."
            )
        return {left.strip(): right.strip() for left, _, right in pairs}
    if key in _AS_JSON:
        try:
            return parse_json(text)
        except ValueError:
            raise SettingsError(f"{name} is not JSON; write it as {_AS_JSON[key]}.") from None
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
        raise SettingsError(f"Unknown {where} {shown or shown_value(word, Redactor({}))}; {hint}")


def _explain(error: ValidationError, called: Mapping[str, str], redactor: Redactor) -> str:
    """Describe the first invalid value, by the name under which it was given, and the values allowed."""
    first = error.errors(include_url=False)[0]
    key = str(first["loc"][0])
    name = called.get(key, key)
    message = redactor.text(str(first["msg"]).removeprefix("Value error, "))
    shown = _shown(first.get("input"), key, redactor)
    hint = ""
    if key == "analysts":
        hint = f" Analysts are: {', '.join(analyst_choices())}."
    elif key == "data_vendors" and len(first["loc"]) > 1:
        shown = shown_value(first["loc"][1], redactor)
        hint = f" Categories are: {', '.join(CATEGORIES)}."
    return f"{name} cannot be {shown}: {message[0].lower() + message[1:]}.{hint}"


def _shown(value: Any, key: str, redactor: Redactor) -> str:
    """Return a rejected value as an error may quote it; invalid addresses are hidden."""
    if key == "database_url":
        return HIDDEN  # a malformed address may hold a password
    if key.endswith("_url") and isinstance(value, str):
        return shown_value(redacted_url(value), redactor)
    return shown_value(value, redactor)
