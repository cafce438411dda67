"""`tradingagents chat`: a conversation with the assistant in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_day

CONVERSATION = "Conversation"


@with_options(options.CHAT, lambda given: {"session_id": given["session"]})
def chat(
    message: Annotated[
        str | None,
        typer.Argument(metavar="MESSAGE", help="One message; without it, a conversation, or one message a line."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Continue a conversation.", rich_help_panel=CONVERSATION),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            "--date",
            metavar="DATE",
            help="Day of all questions: nothing known only later is used; default: the present.",
            rich_help_panel=CONVERSATION,
        ),
    ] = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes",
            help="Approve what the assistant asks for, such as an analysis that costs money.",
            rich_help_panel=CONVERSATION,
        ),
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Read plain lines and print progress as lines: no history, no completion, no redrawing.",
            rich_help_panel=CONVERSATION,
        ),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Talk with the assistant: it looks things up, weighs investors' views, and starts analyses and research.

    Ctrl-C stops an answer, Ctrl-D ends the conversation. /help lists its commands.
    """
    from ..chat.conversation import chat_with
    from ..chat.session import ChatOptions

    day = read_day(as_of)
    settings, environ = read_both(flags)
    asks = sys.stdin.isatty()
    wanted = ChatOptions(session_id=session, day=day, yes=yes, message=message, asks=asks, plain=plain)
    return chat_with(settings, environ, wanted, terminal)
