"""The interactive form: asks what the flags leave open, checks each answer at once, shows it as a command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from cli.flags import Flags, check_vendor, command_line, read_settings
from cli.request import Request, read_day, read_request
from cli.terminal import Terminal, print_line
from tradingagents.dataflows.calendar import exchange_of
from tradingagents.dataflows.cutoff import cutoff_for, utc_now
from tradingagents.dataflows.registry import registrations
from tradingagents.errors import ConfigurationError, TradingAgentsError, UsageError
from tradingagents.llm_clients.providers import PROVIDERS, create_chat_model
from tradingagents.runs import last_session
from tradingagents.settings import ANALYSTS, Settings, environment

T = TypeVar("T")

DEPTHS = {"shallow": 1, "medium": 2, "deep": 3}
"""Rounds of either debate by the name of the depth."""
CHOICES = tuple(name for name in PROVIDERS if name != "scripted")
ANY_MODEL = "any-model"
"""Stands for a model not chosen yet, while the provider is tried."""
INTRODUCTION = (
    "Enter takes what stands in brackets, Ctrl-C leaves. Each question has a flag: tradingagents analyze --help."
)


def ask(tickers: tuple[str, ...], day: str | None, flags: Flags, terminal: Terminal) -> tuple[Request, Flags]:
    """Ask for what a command line left open.

    Args:
        tickers: Given already, if any.
        day: As given; None asks for it.
        flags: What they say is not asked.
        terminal: Where to ask.

    Returns:
        What to run, and with which flags.

    Raises:
        UsageError: A flag's value cannot be.
        SettingsError: A variable's name or value cannot be.
    """
    environ = environment()
    form = _Form(terminal.err, read_settings(flags, environ), environ)
    terminal.err.print(Text.assemble(("tradingagents", "bold"), " · what shall be studied?"))
    terminal.err.print(Text(INTRODUCTION, style="dim"))
    request = form.request(tickers, day)
    flags = form.vendor(form.models(form.depth(form.analysts(flags))))
    if (flags.llm_provider, flags.data_vendor) == ("offline", "simulated"):
        flags = replace(flags, offline=True, llm_provider=None, data_vendor=None)
    words = command_line(request.tickers, request.day, flags, json=terminal.json, quiet=terminal.quiet)
    terminal.err.print(Text.assemble("\n", ("The same without questions:", "dim")))
    terminal.err.print(Text(f"  {words}\n"), soft_wrap=True)
    return request, flags


class _Form:
    """Asks question by question."""

    def __init__(self, console: Console, settings: Settings, environ: Mapping[str, str]) -> None:
        """Prepare to ask.

        Args:
            console: Where to ask.
            settings: What holds without answers: the defaults offered.
            environ: Where keys are read from.
        """
        self._console, self._settings, self._environ = console, settings, environ

    def request(self, tickers: tuple[str, ...], day: str | None) -> Request:
        """Ask for tickers and date."""
        symbols = read_request(tickers, None).tickers if tickers else self._ask("Ticker, or several", _symbols)
        if day is not None:
            return Request(symbols, read_day(day))
        latest = last_session(symbols[0])
        return Request(symbols, self._ask("Date", lambda text: _checked_day(text, symbols), latest.isoformat()))

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

        chosen = self._ask("Analysts", check, "all", choices=("all", *ANALYSTS))
        return replace(flags, analysts=chosen)

    def depth(self, flags: Flags) -> Flags:
        """Ask how long is debated; one answer for both debates."""
        if flags.max_debate_rounds is not None and flags.max_risk_discuss_rounds is not None:
            return flags
        names = {**DEPTHS, **{str(rounds): rounds for rounds in DEPTHS.values()}}
        rounds = self._ask(
            "Depth of the debates",
            lambda text: names[_one_of(text, DEPTHS if text.isalpha() else names)],
            "medium",
            choices=[f"{name} ({rounds})" for name, rounds in DEPTHS.items()],
        )
        return replace(
            flags,
            max_debate_rounds=flags.max_debate_rounds or rounds,
            max_risk_discuss_rounds=flags.max_risk_discuss_rounds or rounds,
        )

    def models(self, flags: Flags) -> Flags:
        """Ask who thinks: provider, server and a model for each tier."""
        if flags.offline or flags.llm_provider == "offline":
            return flags
        if flags.llm_provider is None:
            flags = self._provider(flags)
        if flags.llm_provider == "offline":
            return flags
        # The models of the settings belong to the provider of the settings; another one's have other names.
        own = flags.llm_provider in ("openai", self._settings.llm_provider)
        usual = self._settings if own else Settings(quick_think_llm="", deep_think_llm="")
        quick = flags.quick_think_llm or self._ask("Quick model", str, usual.quick_think_llm)
        mid = flags.mid_think_llm or self._ask("Mid model", str, usual.mid_think_llm or quick)
        deep = flags.deep_think_llm or self._ask("Deep model", str, usual.deep_think_llm or quick)
        return replace(flags, quick_think_llm=quick, mid_think_llm=mid, deep_think_llm=deep)

    def vendor(self, flags: Flags) -> Flags:
        """Ask where market data come from."""
        if flags.data_vendor is None and flags.data_dir is None and not flags.offline:
            usual = "simulated" if flags.llm_provider == "offline" else self._settings.data_vendor or "yfinance"
            flags = replace(flags, data_vendor=self._ask("Data", _known_vendor, usual, choices=registrations()))
        if flags.data_vendor == "snapshot" and flags.data_dir is None:
            usual = str(self._settings.data_dir or "")
            flags = replace(flags, data_dir=self._ask("Folder of recorded data", _folder, usual))
        return flags

    def _provider(self, flags: Flags) -> Flags:
        """Ask for a provider that is set up, and its server where it has none of its own."""
        usual = self._settings.llm_provider
        try:
            self._try_provider(usual, self._settings.backend_url)
        except ConfigurationError:
            usual = "offline"

        def check(text: str) -> tuple[str, str | None]:
            provider = _one_of(text, CHOICES)
            url = flags.backend_url or self._settings.backend_url
            if provider == "openai_compatible" and url is None:
                url = self._ask("URL of its server", str, "http://localhost:8000/v1")
            self._try_provider(provider, url)
            return provider, url

        provider, url = self._ask("Provider of the models", check, usual, choices=CHOICES)
        return replace(flags, llm_provider=provider, backend_url=None if url == self._settings.backend_url else url)

    def _try_provider(self, provider: str, url: str | None) -> None:
        """Make a model to see whether key, package and URL are there; it is asked nothing."""
        create_chat_model(provider, ANY_MODEL, base_url=url, settings=self._settings, environ=self._environ)

    def _ask(self, question: str, check: Callable[[str], T], default: str = "", *, choices: Iterable[str] = ()) -> T:
        """Ask until an answer passes; an empty answer is the default, where there is one."""
        if offered := ", ".join(choices):
            self._console.print(Text(f"  {offered}", style="dim"))
        while True:
            shown = Text.assemble((question, "bold"), (f" [{default}]" if default else "", "cyan"), ": ")
            answer = self._console.input(shown).strip() or default
            if not answer:
                continue
            try:
                return check(answer)
            except TradingAgentsError as error:
                print_line(self._console, "  no:", str(error), "red")


def _symbols(text: str) -> tuple[str, ...]:
    return read_request(text.replace(",", " ").split(), None).tickers


def _checked_day(text: str, symbols: tuple[str, ...]) -> date | None:
    day = read_day(text)
    for symbol in symbols:
        if day is not None:
            cutoff_for(day, exchange=exchange_of(symbol), now=utc_now())
    return day


def _one_of(text: str, known: Iterable[str]) -> str:
    names = tuple(known)
    if text.lower() not in names:
        raise UsageError(f"{text[:40]!r} is none of {', '.join(names)}.")
    return text.lower()


def _known_vendor(text: str) -> str:
    check_vendor(text)
    return text


def _folder(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.is_dir():
        raise UsageError(f"{path} is no folder.")
    return path
