"""The commands of a conversation, declared once: the help, the completion and the documentation are made from this."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeAlias

from . import actions

if TYPE_CHECKING:
    from .session import ChatSession

    Action: TypeAlias = Callable[[ChatSession, str], Awaitable[None]]


@dataclass(frozen=True)
class ChatCommand:
    """A line that begins with a slash."""

    name: str
    argument: str
    """As the help shows it; empty for none."""
    help: str
    run: Action
    completes: str = ""
    """What its argument is completed with, a field of `CompletionWords`; empty for nothing."""

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"/{self.name} {self.argument}".rstrip()


async def _show_help(chat: ChatSession, _: str) -> None:
    """List the commands."""
    chat.output.lines(help_lines())


COMMANDS: tuple[ChatCommand, ...] = (
    ChatCommand("research", "QUESTION", "plan, carry out and judge research, in this conversation", actions.research,
                "tickers"),
    ChatCommand("debate", "TICKER [deep] [coach]", "bull against bear on a company, and a verdict", actions.debate,
                "tickers"),
    ChatCommand("compare", "TICKERS [on TOPICS]", "companies side by side, in one table and one answer",
                actions.compare, "tickers"),
    ChatCommand("ask", "[QUESTION]", "ask about the last run; alone, what would change its finding", actions.ask,
                "tickers"),
    ChatCommand("persona", "[NAME QUESTION]", "ask an investor persona; alone, list the personas", actions.persona,
                "personas"),
    ChatCommand("export", "FORMAT [RUN]", "write the last report, or that of a run, as md, html, pdf or xlsx",
                actions.export, "formats"),
    ChatCommand("sources", "", "what the last answer rests on", actions.sources),
    ChatCommand("cost", "", "model calls, tokens and USD of this conversation so far", actions.cost),
    ChatCommand("tasks", "", "the tasks of this conversation", actions.tasks),
    ChatCommand("approve", "[ID]", "allow what the assistant asked for; without an id, everything that waits",
                actions.approve, "approvals"),
    ChatCommand("sessions", "[ID]", "the latest conversations; with an id, continue that one", actions.sessions,
                "sessions"),
    ChatCommand("help", "", "this list", _show_help),
    ChatCommand("quit", "", "end; --session continues the conversation later", actions.leave),
)  # fmt: skip
"""In the order of the help."""
ALIASES = {"exit": "quit", "q": "quit", "?": "help", "session": "sessions", "personas": "persona"}
LEAVE = ("exit", "quit", ":q")
"""Words that end a conversation without a slash."""


def command_of(name: str) -> ChatCommand | None:
    """Return a command by its name or alias; None where there is none."""
    wanted = ALIASES.get(name.lower(), name.lower())
    return next((command for command in COMMANDS if command.name == wanted), None)


def unknown(name: str) -> str:
    """Return what is said about a command that there is not."""
    near = get_close_matches(name.lower(), [command.name for command in COMMANDS], n=1, cutoff=0.5)
    return f"There is no /{name}{f'; did you mean /{near[0]}?' if near else '.'} /help lists the commands."


def help_lines(commands: Sequence[ChatCommand] = COMMANDS) -> list[str]:
    """Return a line for each command."""
    width = max(len(command.usage) for command in commands)
    return [f"{command.usage:<{width}}  {command.help}" for command in commands]
