"""Asks questions on a terminal: with arrow keys and checkboxes, or line by line on simple terminals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TextIO, TypeVar, cast

from rich.console import Console
from rich.text import Text

from tradingagents.errors import TradingAgentsError

from .console import Terminal, print_line

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

T = TypeVar("T")
ALL = "all"
OTHER = "another one"
"""The entry of a list for other values."""


@dataclass(frozen=True)
class Option:
    """An option."""

    value: str
    about: str = ""
    """A short description."""


class Asker(Protocol):
    """Asks until an answer passes its check."""

    def text(self, question: str, check: Callable[[str], T], default: str = "") -> T:
        """Ask for a line."""

    def one(
        self, question: str, options: Sequence[Option], check: Callable[[str], T], default: str, *, others: bool = False
    ) -> T:
        """Ask for one option; with `others`, also for a value that isn't listed."""

    def several(self, question: str, options: Sequence[Option], check: Callable[[str], T]) -> T:
        """Ask for any number of options; the check gets them comma-separated, or `all`."""

    def agreed(self, question: str) -> bool:
        """Ask for yes or no; Enter means yes."""


def asker_for(terminal: Terminal) -> Asker:
    """Return the asker for a terminal: the picker if it is supported."""
    if terminal.err.is_terminal and not terminal.err.is_dumb_terminal:
        return PickingAsker(terminal.err)
    return PlainAsker(terminal.err)


class PlainAsker:
    """Asks line by line; an empty answer is the default, if there is one."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def text(self, question: str, check: Callable[[str], T], default: str = "") -> T:
        """Ask for a line."""
        while True:
            shown = Text.assemble((question, "bold"), (f" [{default}]" if default else "", "cyan"), ": ")
            answer = self._console.input(shown).strip() or default
            if not answer:
                continue
            try:
                return check(answer)
            except TradingAgentsError as error:
                print_line(self._console, "  no:", str(error), "red")

    def one(
        self,
        question: str,
        options: Sequence[Option],
        check: Callable[[str], T],
        default: str,
        *,
        others: bool = False,  # noqa: ARG002 - the check tells: anything can be typed
    ) -> T:
        """Ask for one option, each shown with its description."""
        offered = ", ".join(f"{option.value} ({option.about})" if option.about else option.value for option in options)
        if offered:
            self._console.print(Text(f"  {offered}", style="dim"))
        return self.text(question, check, default)

    def several(self, question: str, options: Sequence[Option], check: Callable[[str], T]) -> T:
        """Ask for any number of options."""
        return self.one(question, (Option(ALL), *options), check, ALL)

    def agreed(self, question: str) -> bool:
        """Ask for yes or no."""
        return self._console.input(Text.assemble((question, "bold"), " [Y/n]: ")).strip().lower() in ("", "y", "yes")


class PickingAsker:
    """Asks with arrow keys and checkboxes."""

    def __init__(self, console: Console, source: Input | None = None, screen: Output | None = None) -> None:
        """Prepare to ask.

        Args:
            console: For messages about refused answers.
            source: Source of key presses; None: the terminal.
            screen: Where questions are drawn; None: the console's own file, which is stderr, so that stdout may be a
                pipe.
        """
        from prompt_toolkit.output import create_output

        self._console = console
        self._drawn: dict[str, Any] = {"output": screen or create_output(stdout=cast(TextIO, console.file))}
        if source is not None:
            self._drawn["input"] = source

    def text(self, question: str, check: Callable[[str], T], default: str = "") -> T:
        """Ask for a line; Enter selects the default."""
        import questionary

        shown = f"{question} [{default}]:" if default else f"{question}:"

        def ask() -> str:
            answer: str = questionary.text(shown, **self._drawn).unsafe_ask()
            return answer.strip() or default

        return self._until_it_passes(ask, check)

    def one(
        self, question: str, options: Sequence[Option], check: Callable[[str], T], default: str, *, others: bool = False
    ) -> T:
        """Ask for one option."""
        import questionary

        known = [option.value for option in options]
        width = max((len(value) for value in known), default=0) + 2
        choices = [questionary.Choice(_titled(option, width), value=option.value) for option in options]
        if others:
            choices.append(questionary.Choice(f"{OTHER} …", value=OTHER))

        def ask() -> str:
            chosen: str = questionary.select(
                f"{question}:", choices=choices, default=default if default in known else None, **self._drawn
            ).unsafe_ask()
            return self.text(question, str, "") if chosen == OTHER else chosen

        return self._until_it_passes(ask, check)

    def several(self, question: str, options: Sequence[Option], check: Callable[[str], T]) -> T:
        """Ask for any number of options; all are selected initially."""
        import questionary

        choices = [questionary.Choice(option.value, value=option.value, checked=True) for option in options]

        def ask() -> str:
            chosen: list[str] = questionary.checkbox(f"{question}:", choices=choices, **self._drawn).unsafe_ask()
            return ALL if len(chosen) == len(options) else ",".join(chosen)

        return self._until_it_passes(ask, check)

    def agreed(self, question: str) -> bool:
        """Ask for yes or no."""
        import questionary

        return bool(questionary.confirm(question, default=True, **self._drawn).unsafe_ask())

    def _until_it_passes(self, ask: Callable[[], str], check: Callable[[str], T]) -> T:
        while True:
            if not (answer := ask()):
                continue
            try:
                return check(answer)
            except TradingAgentsError as error:
                print_line(self._console, "  no:", str(error), "red")


def _titled(option: Option, width: int) -> str:
    return f"{option.value:<{width}}{option.about}" if option.about else option.value
