"""The interactive form: asks for values that the flags don't set, checks each answer, and shows the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rich.text import Text

from tradingagents.dataflows.cutoff import cutoff_for, utc_now
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.symbols import MARKET
from tradingagents.errors import ConfigurationError, UsageError
from tradingagents.llm_clients.known_models import suggested
from tradingagents.llm_clients.pricing import FREE_PROVIDERS, price_words
from tradingagents.llm_clients.providers import PROVIDERS, create_chat_model
from tradingagents.reports import formatting as words
from tradingagents.settings import Settings, analyst_choices, environment

from .console import Terminal
from .flags import Flags, check_vendor, command_line, read_settings
from .prompts import Asker, Option, asker_for
from .request import read_day, read_tickers

if TYPE_CHECKING:
    from tradingagents.graph.estimates.estimate import EstimateRecord

T = TypeVar("T")

DEPTHS = {"shallow": 1, "medium": 2, "deep": 3}
"""Rounds of each debate by the name of the depth."""
SOURCES = {
    "yfinance": "Yahoo: free, no key",
    "alpha_vantage": "needs ALPHA_VANTAGE_API_KEY",
    "snapshot": "a folder of recorded data",
    "simulated": "a simulated market, no network",
}
"""Vendors that can answer a whole run; others supply part of the data and are set in the settings."""
PROVIDER_WORDS = {
    "openai": "needs OPENAI_API_KEY",
    "openai_compatible": "a server with OpenAI's interface",
    "ollama": "models on this machine",
    "anthropic": "needs ANTHROPIC_API_KEY",
    "google": "needs GOOGLE_API_KEY",
    "offline": "fixed rules, no model, free",
}
NO_LIMIT = "none"
CHOICES = tuple(name for name in PROVIDERS if name != "scripted")
ANY_MODEL = "any-model"
"""Placeholder for a model not chosen yet, while the provider is tested."""
INTRODUCTION = "Enter accepts what is offered, Ctrl-C quits. Every question has a flag: tradingagents analyze --help."


def ask(written: str | None, flags: Flags, terminal: Terminal) -> tuple[tuple[str, ...], date | None, Flags]:
    """Ask for tickers, and for what a command line left open.

    Args:
        written: The day as given; None asks for it.
        flags: Values they set are not asked for.

    Returns:
        Tickers, day and flags.

    Raises:
        UsageError: Invalid value of a flag.
        SettingsError: Invalid name or value of a variable.
    """
    form = _form(flags, terminal)
    terminal.err.print(Text.assemble(("tradingagents", "bold"), " · what do you want to analyze?"))
    terminal.err.print(Text(INTRODUCTION, style="dim"))
    tickers = form.tickers()
    day = form.day(tickers) if written is None else read_day(written)
    flags = _as_short(form.budget(form.vendor(form.models(form.depth(form.analysts(flags))))))
    print_command(terminal, command_line(tickers, day, flags, json=terminal.json, quiet=terminal.quiet))
    return tickers, day, flags


def ask_market(action: str, terminal: Terminal) -> tuple[date | None, Flags]:
    """Ask for the inputs of a scan; for `auto` also those of the analyses of its candidates.

    Returns:
        The day, and the flags.
    """
    form = _form(Flags(), terminal)
    day = form.day((MARKET,))
    flags = Flags() if action == "scan" else form.depth(form.analysts(Flags()))
    flags = _as_short(form.budget(form.vendor(form.models(flags))))
    print_command(terminal, command_line((), day, flags, command=action))
    return day, flags


def confirmed(
    terminal: Terminal, settings: Settings, estimate: Callable[[], Coroutine[Any, Any, EstimateRecord]]
) -> bool:
    """Show the expected cost of a command and ask for confirmation; a free run isn't confirmed.

    Raises:
        TradingAgentsError: As the estimate raises; nothing was spent.
    """
    tiers = (settings.quick_think_llm_provider, settings.mid_think_llm_provider, settings.deep_think_llm_provider)
    if all((provider or settings.llm_provider) in FREE_PROVIDERS for provider in tiers):
        return True
    with terminal.loading():
        total = asyncio.run(estimate()).total
    if total.cost_usd == 0:
        return True
    span = f" ({words.usd(total.low_usd)} to {words.usd(total.high_usd)})" if total.cost_usd else ""
    cost = f"{words.usd(total.cost_usd)}{span}, about {total.llm_calls:,.0f} model calls"
    limit = f"; it stops at {words.usd(settings.budget_usd)}" if settings.budget_usd else ""
    terminal.err.print(Text.assemble(("Expected cost: ", "bold"), f"{cost}{limit}."))
    return asker_for(terminal).agreed("Start?")


def _form(flags: Flags, terminal: Terminal) -> _Form:
    environ = environment()
    return _Form(asker_for(terminal), read_settings(flags, environ), environ)


def _as_short(flags: Flags) -> Flags:
    if (flags.llm_provider, flags.data_vendor) == ("offline", "simulated"):
        return replace(flags, offline=True, llm_provider=None, data_vendor=None)
    return flags


def print_command(terminal: Terminal, line: str) -> None:
    """Show the command line that does the same without questions."""
    terminal.err.print(Text.assemble("\n", ("The same without questions:", "dim")))
    terminal.err.print(Text(f"  {line}\n"), soft_wrap=True)


class _Form:
    """Asks question by question."""

    def __init__(self, asker: Asker, settings: Settings, environ: Mapping[str, str]) -> None:
        """Prepare to ask.

        Args:
            asker: Asks the questions.
            settings: Source of the defaults.
            environ: Source of keys.
        """
        self._asker, self._settings, self._environ = asker, settings, environ

    def tickers(self) -> tuple[str, ...]:
        """Ask for tickers."""
        return self._asker.text("Ticker, or several", _symbols)

    def day(self, symbols: tuple[str, ...]) -> date | None:
        """Ask for the day; the default is today, or the last recorded day."""
        latest = default_day(self._settings, symbols[0])
        return self._asker.text("Date", lambda text: _checked_day(text, symbols), latest.isoformat())

    def budget(self, flags: Flags) -> Flags:
        """Ask for a budget, unless the run is free."""
        provider = flags.llm_provider or self._settings.llm_provider
        if flags.offline or provider in FREE_PROVIDERS or flags.budget_usd is not None or self._settings.budget_usd:
            return flags

        def check(text: str) -> float | None:
            if text.lower() == NO_LIMIT:
                return None
            try:
                budget = float(text.lstrip("$"))
            except ValueError:
                raise UsageError(f"{text[:40]!r} is not an amount in USD; write 0.50, or none.") from None
            read_settings(Flags(budget_usd=budget), {})
            return budget

        return replace(flags, budget_usd=self._asker.text("Maximum cost, in USD", check, NO_LIMIT))

    def analysts(self, flags: Flags) -> Flags:
        """Ask which analysts report."""
        if flags.analysts is not None:
            return flags

        def check(text: str) -> str | None:
            names = text.replace(",", " ").lower().split()
            if names == ["all"]:
                return None
            chosen = ",".join(names)
            read_settings(Flags(analysts=chosen), {})
            return chosen

        chosen = self._asker.several("Analysts", [Option(name) for name in analyst_choices()], check)
        return replace(flags, analysts=chosen)

    def depth(self, flags: Flags) -> Flags:
        """Ask for the length of both debates."""
        if flags.max_debate_rounds is not None and flags.max_risk_discuss_rounds is not None:
            return flags
        names = {**DEPTHS, **{str(rounds): rounds for rounds in DEPTHS.values()}}
        rounds = self._asker.one(
            "Depth of the debates",
            [Option(name, f"{rounds} round{'' if rounds == 1 else 's'}") for name, rounds in DEPTHS.items()],
            lambda text: names[one_of(text, DEPTHS if text.isalpha() else names)],
            "medium",
        )
        return replace(
            flags,
            max_debate_rounds=rounds if flags.max_debate_rounds is None else flags.max_debate_rounds,
            max_risk_discuss_rounds=rounds if flags.max_risk_discuss_rounds is None else flags.max_risk_discuss_rounds,
        )

    def models(self, flags: Flags) -> Flags:
        """Ask for provider, server and a model for each tier."""
        if flags.offline or flags.llm_provider == "offline":
            return flags
        if flags.llm_provider is None:
            flags = self._provider(flags)
        if flags.llm_provider == "offline":
            return flags
        # The models in the settings belong to their provider; another one's have other names.
        own = flags.llm_provider in ("openai", self._settings.llm_provider)
        usual = self._settings if own else Settings(quick_think_llm="", deep_think_llm="")
        provider = flags.llm_provider or self._settings.llm_provider
        quick = flags.quick_think_llm or self._model("Quick model", provider, usual.quick_think_llm)
        mid = flags.mid_think_llm or self._model("Mid model", provider, usual.mid_think_llm or quick)
        deep = flags.deep_think_llm or self._model("Deep model", provider, usual.deep_think_llm or quick)
        return replace(flags, quick_think_llm=quick, mid_think_llm=mid, deep_think_llm=deep)

    def vendor(self, flags: Flags) -> Flags:
        """Ask for the source of market data."""
        if flags.data_vendor is None and flags.data_dir is None and not flags.offline:
            usual = "simulated" if flags.llm_provider == "offline" else self._settings.data_vendor or "yfinance"
            options = [Option(name, about) for name, about in SOURCES.items()]
            flags = replace(flags, data_vendor=self._asker.one("Data", options, _known_vendor, usual, others=True))
        if flags.data_vendor == "snapshot" and flags.data_dir is None:
            usual = str(self._settings.data_dir or "")
            flags = replace(flags, data_dir=self._asker.text("Folder of recorded data", _folder, usual))
        return flags

    def _model(self, question: str, provider: str, usual: str) -> str:
        """Ask for a model of a provider, suggesting well-known ones with their prices."""
        known = suggested(provider)
        names = dict.fromkeys((*known, *([usual] if usual else [])))
        if not known:
            return self._asker.text(question, str, usual)
        options = [Option(name, price_words(f"{provider}/{name}", self._settings.model_prices)) for name in names]
        return self._asker.one(question, options, str, usual or options[0].value, others=True)

    def _provider(self, flags: Flags) -> Flags:
        """Ask for a provider that is set up, and for its server's URL if it has no fixed one."""
        usual = self._settings.llm_provider
        try:
            self._try_provider(usual, self._settings.backend_url)
        except ConfigurationError:
            usual = "offline"

        def check(text: str) -> tuple[str, str | None]:
            provider = one_of(text, CHOICES)
            url = flags.backend_url or self._settings.backend_url
            if provider == "openai_compatible" and url is None:
                url = self._asker.text("URL of its server", str, "http://localhost:8000/v1")
            self._try_provider(provider, url)
            return provider, url

        options = [Option(name, PROVIDER_WORDS.get(name, "")) for name in CHOICES]
        provider, url = self._asker.one("Provider of the models", options, check, usual)
        return replace(flags, llm_provider=provider, backend_url=None if url == self._settings.backend_url else url)

    def _try_provider(self, provider: str, url: str | None) -> None:
        """Create a model to check key, package and URL; sends no request."""
        create_chat_model(provider, ANY_MODEL, base_url=url, settings=self._settings, environ=self._environ)


def _symbols(text: str) -> tuple[str, ...]:
    return read_tickers(text.replace(",", " ").split(), "Name at least one ticker, for example: VELQ")


def _checked_day(text: str, symbols: tuple[str, ...]) -> date | None:
    day = read_day(text)
    for symbol in symbols:
        if day is not None:
            cutoff_for(day, exchange=exchange_of(symbol), now=utc_now())
    return day


def one_of(text: str, known: Iterable[str]) -> str:
    """Return one of some words as it is known, however it is capitalised. Raises UsageError."""
    names = tuple(known)
    if text.lower() not in names:
        raise UsageError(f"{text[:40]!r} is not one of {', '.join(names)}.")
    return text.lower()


def _known_vendor(text: str) -> str:
    check_vendor(text)
    return text


def _folder(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.is_dir():
        raise UsageError(f"{path} is not a folder.")
    return path
