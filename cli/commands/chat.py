"""`tradingagents chat`: a conversation with the assistant in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateArgument, DateOption, looks_like_date, one_day, read_day

CONVERSATION = options.HelpPanel("Conversation")


@with_options(options.CHAT, lambda given: {"session_id": given["session"]})
def chat(
    message: Annotated[
        str | None,
        typer.Argument(metavar="MESSAGE", help="One message; without it, a conversation, or one message a line."),
    ] = None,
    day: DateArgument = None,
    session: Annotated[str | None, CONVERSATION.option("--session ID", "Continue a conversation.")] = None,
    date_option: DateOption = None,
    yes: Annotated[
        bool, CONVERSATION.option("--yes", "Approve what the assistant asks for, such as an analysis that costs money.")
    ] = False,
    plain: Annotated[
        bool,
        CONVERSATION.option(
            "--plain", "Read plain lines and print progress as lines: no history, no completion, no redrawing."
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

    if message is not None and day is None and looks_like_date(message):
        message, day = None, message
    asked = read_day(one_day(day, date_option))
    settings, environ = read_both(flags)
    is_attended = sys.stdin.isatty()
    wanted = ChatOptions(session_id=session, day=asked, yes=yes, message=message, asks=is_attended, plain=plain)
    return chat_with(settings, environ, wanted, terminal)
