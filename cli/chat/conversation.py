"""Holds a conversation: where its lines come from, and what a line does."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .commands import LEAVE, command_of, unknown
from .completion import words_of
from .lines import PromptLines, StdinLines
from .session import ChatOptions, ChatSession, LineSource

if TYPE_CHECKING:
    from tradingagents.settings import Settings

    from ..console import Terminal


def chat_with(settings: Settings, environ: Mapping[str, str], wanted: ChatOptions, terminal: Terminal) -> int:
    """Hold a conversation until its end; return the exit code.

    Raises:
        NotFound: There is no session of that id.
        TradingAgentsError: The only message could not be answered.
    """
    with terminal.loading():
        from tradingagents.memory.cohort import market_note_of
        from tradingagents.service.workspace.workspace import Workspace

        workspace = Workspace(settings, environ, face="cli")

    def lines_of(chat: ChatSession) -> LineSource:
        if not (wanted.asks and wanted.reads_lines and terminal.live) or wanted.plain or terminal.json:
            return StdinLines(terminal, asks=wanted.asks)
        from .history import ChatHistory

        return PromptLines(ChatHistory(settings.home_dir, environ), lambda: words_of(chat))

    if told := market_note_of(settings):
        terminal.note(told)
    chat = ChatSession(workspace, wanted, terminal, lines_of=lines_of, take=take_line)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return asyncio.run(chat.run())
    finally:
        # A closed event loop restores the system's own handlers, which would end the process without a message.
        for number, handler in before.items():
            signal.signal(number, handler)


async def take_line(chat: ChatSession, text: str) -> None:
    """Run a command, or have a message answered. Raises TradingAgentsError."""
    if text.lower() in LEAVE:
        chat.ended = True
    elif not text.startswith("/"):
        await chat.answer(text)
    else:
        name, _, argument = text[1:].partition(" ")
        command = command_of(name or "help")
        if command is None:
            chat.output.lines([unknown(name)])
        else:
            await command.run(chat, argument.strip())
