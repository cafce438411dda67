"""What `tradingagents` without a command does: one line takes a ticker, a company, a question, or an action's name."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from shlex import join
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tradingagents.errors import ConfigurationError, UsageError

from .command import report_interrupt
from .console import Terminal
from .flags import Flags, read_both
from .form import ask_market, confirmed, one_of, print_command
from .grid_command import GridCommand
from .prompts import Asker, Option, asker_for

if TYPE_CHECKING:
    from tradingagents.graph.estimates.estimate import EstimateRecord
    from tradingagents.settings import Settings

ACTIONS = {"analyze": "analyze", "analyse": "analyze", "scan": "scan", "auto": "auto"}
"""Actions whose inputs are asked for, one after the other, by what may be written."""
INTRODUCTION = (
    "A ticker or a company shows where it stands; a question starts a conversation. analyze, scan and auto ask for "
    "their inputs. Ctrl-C quits."
)
FURTHER = {
    "analyze": "study it with a team of agents, and decide",
    "value": "what a share is worth",
    "debate": "bull against bear from the same evidence",
    "report": "a deep report",
    "chat": "ask about it",
    "nothing": "leave",
}
"""What can be done with a company, each but the last a command."""
QUESTION = "a question"
"""The entry that takes the text as a question."""
MOST_OFFERED = 8


def run_form(terminal: Terminal, run: Callable[[Sequence[str]], int]) -> int:
    """Take a line, and do what it obviously means; return the exit code.

    Args:
        terminal: Where it is asked.
        run: Runs a command line.
    """
    asker, flags = asker_for(terminal), _usable(terminal)
    terminal.err.print(Text.assemble(("tradingagents", "bold"), " · what do you want to know?"))
    terminal.err.print(Text(INTRODUCTION, style="dim"))
    text = asker.text("Ticker, company or question", str)
    if (action := ACTIONS.get(text.lower())) is not None:
        return _act(action, terminal)
    settings, _ = read_both(flags)
    symbol = _symbol(text, settings, asker)
    if symbol is None:
        return _converse(text, flags, terminal)
    common = ["--offline"] if flags.offline else []
    code = run(["ask", "market_snapshot", f"ticker={symbol}", *common])
    if code:
        return code
    options = [Option(name, about) for name, about in FURTHER.items()]
    action = asker.one(f"What next with {symbol}", options, lambda chosen: one_of(chosen, FURTHER), "analyze")
    if action == "nothing":
        return 0
    if action == "chat":
        return _converse(f"Where does {symbol} stand?", flags, terminal)
    line = [action, symbol, *common]
    print_command(terminal, join(["tradingagents", *line]))
    return run(line)


def _usable(terminal: Terminal) -> Flags:
    """Return the flags to go on with: those of the settings, or fixed rules where their model is not set up."""
    from tradingagents.llm_clients.providers import create_chat_model

    settings, environ = read_both(Flags())
    try:
        create_chat_model(
            settings.llm_provider, settings.quick_think_llm, base_url=settings.backend_url, settings=settings,
            environ=environ,
        )  # fmt: skip
    except ConfigurationError as error:
        terminal.note(f"No language model is set up ({str(error).rstrip('.')}): fixed rules answer and decide.")
        return Flags(offline=True)
    return Flags()


def _symbol(text: str, settings: Settings, asker: Asker) -> str | None:
    """Return the instrument that a line means, asking where more than one begins so; None for a question."""
    from tradingagents.capabilities.company import LONGEST_TEXT, find_instruments

    if len(text) > LONGEST_TEXT:
        return None
    found = find_instruments.ask_standalone({"text": text, "limit": MOST_OFFERED}, settings=settings)
    candidates = {candidate["symbol"]: candidate["name"] for candidate in found.model_dump()["candidates"]}
    if found.symbol is not None or not candidates:
        return found.symbol
    options = [Option(symbol, name) for symbol, name in candidates.items()]
    known = (*candidates, QUESTION)
    chosen = asker.one(
        "Which one", [*options, Option(QUESTION, "ask it")], lambda given: _one_of(given, known), options[0].value
    )
    return None if chosen == QUESTION else chosen


def _one_of(text: str, known: Sequence[str]) -> str:
    """Return one of some names, however it is capitalised. Raises UsageError."""
    for name in known:
        if name.lower() == text.strip().lower():
            return name
    raise UsageError(f"{text[:40]!r} is not one of {', '.join(known)}.")


def _converse(text: str, flags: Flags, terminal: Terminal) -> int:
    """Hold a conversation that begins with a message."""
    from .chat.conversation import chat_with
    from .chat.session import ChatOptions

    settings, environ = read_both(flags)
    wanted = ChatOptions(session_id=None, day=None, yes=False, message=text, asks=True, goes_on=True)
    return chat_with(settings, environ, wanted, terminal)


def _act(action: str, terminal: Terminal) -> int:
    """Ask for the inputs of an action and a confirmation, and run it; return the exit code."""
    if action == "analyze":
        from tradingagents.graph.trading.kind import TRADING

        return GridCommand(kind=TRADING).run(Flags(), terminal)
    day, flags = ask_market(action, terminal)
    settings, environ = read_both(flags)
    from tradingagents.graph.estimates.estimate import estimate_auto, estimate_scan

    def estimate() -> Coroutine[Any, Any, EstimateRecord]:
        return estimate_scan(settings, day) if action == "scan" else estimate_auto(settings, day, (), all_picks=True)

    if not confirmed(terminal, settings, estimate):
        return report_interrupt(terminal)
    if action == "scan":
        from tradingagents.graph.scan.kind import SCAN, ScanRequest

        from .grid_session import GridSession

        return GridSession(SCAN, settings, environ, terminal).start([ScanRequest(day=day)])
    from tradingagents.features.batch.kind import AutoRequest

    from .batch_session import AutoSession

    return AutoSession(AutoRequest(day=day), settings, environ, terminal).run()
