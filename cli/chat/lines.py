"""Where the lines of a conversation come from: a prompt with history and completion, or stdin."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .completion import CompletionWords, candidates

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from ..console import Terminal
    from .history import ChatHistory

PROMPT = "> "
HOW_TO_END = "Ctrl-D or /quit ends the conversation."


class StdinLines:
    """Lines of stdin, read by a thread of its own, so that the event loop can end while it waits."""

    def __init__(self, terminal: Terminal, *, asks: bool) -> None:
        """Begin to read with the first line that is asked for.

        Args:
            terminal: Where to show the prompt.
            asks: Whether a person sits at stdin.
        """
        self._terminal, self._asks = terminal, asks
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._thread: threading.Thread | None = None
        self._wanted = threading.Semaphore(0)

    async def message(self) -> str | None:
        """Return the next line; None at the end."""
        return await self.reply(PROMPT)

    async def reply(self, question: str) -> str | None:
        """Ask and return the next line; None at the end."""
        if self._asks:
            self._terminal.err.print(question, end="", markup=False)
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True)
            self._thread.start()
        self._wanted.release()
        return await self._queue.get()

    async def above(self, show: Callable[[], None]) -> None:
        """Print it."""
        show()

    def interrupted(self) -> bool:
        """Say how the conversation ends, to a person; end it where there is none."""
        if self._asks:
            self._terminal.err.print(f"\n{HOW_TO_END}\n{PROMPT}", end="", markup=False)
        return self._asks

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            self._wanted.acquire()
            line: str | None = sys.stdin.readline() or None
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._queue.put_nowait, line)
            if line is None:
                return


class PromptLines:
    """A prompt with history and completion, by prompt_toolkit."""

    def __init__(
        self,
        history: ChatHistory,
        words: Callable[[], Awaitable[CompletionWords]],
        *,
        source: Input | None = None,
        shown: Output | None = None,
    ) -> None:
        """Open the prompt on stderr.

        Args:
            history: Earlier lines.
            words: Returns what can be completed, before each message.
            source: Keys; None: the terminal.
            shown: Screen; None: the terminal of stderr.
        """
        from prompt_toolkit import PromptSession
        from prompt_toolkit.output.vt100 import Vt100_Output

        self._refresh, self._words = words, CompletionWords()
        # Without requests for the position of the cursor, which some terminals leave unanswered.
        screen = shown or Vt100_Output(sys.stderr, _size_of_terminal, enable_cpr=False)
        self._messages: PromptSession[str] = PromptSession(
            history=_history_of(history),
            completer=self._completer(),
            complete_while_typing=False,
            input=source,
            output=screen,
        )
        self._replies: PromptSession[str] = PromptSession(input=source, output=screen)
        self._active: PromptSession[str] | None = None

    async def message(self) -> str | None:
        """Return the next message; None at the end of input."""
        self._words = await self._refresh()
        while (line := await self._line(self._messages, PROMPT)) is None or not line.strip():
            if line is None:
                return None
        return line

    async def reply(self, question: str) -> str | None:
        """Ask something in between; the line does not enter the history."""
        return await self._line(self._replies, question)

    async def above(self, show: Callable[[], None]) -> None:
        """Print above the line that is being typed."""
        from prompt_toolkit.application import run_in_terminal
        from prompt_toolkit.application.current import set_app

        if self._active is None:
            show()
            return
        with set_app(self._active.app):
            await run_in_terminal(show)

    def interrupted(self) -> bool:
        """Drop the line that is being typed."""
        if self._active is not None and self._active.app.is_running:
            self._active.app.exit(exception=KeyboardInterrupt)
        return True

    async def _line(self, prompt: PromptSession[str], question: str) -> str | None:
        while True:
            self._active = prompt
            try:
                return await prompt.prompt_async(question, handle_sigint=False)
            except KeyboardInterrupt:
                if prompt is self._replies:
                    return ""
                typed = bool(prompt.default_buffer.text.strip())
                if not typed:
                    sys.stderr.write(f"{HOW_TO_END}\n")
            except EOFError:
                return None
            finally:
                self._active = None

    def _completer(self) -> Any:
        from prompt_toolkit.completion import Completer, Completion

        lines = self

        class ChatCompleter(Completer):
            def get_completions(self, document: Any, complete_event: Any) -> Iterable[Completion]:  # noqa: ARG002
                for choice in candidates(document.text_before_cursor, lines._words):
                    yield Completion(choice.text, start_position=-choice.replaces, display_meta=choice.about)

        return ChatCompleter()


def _size_of_terminal() -> Size:
    from prompt_toolkit.data_structures import Size

    columns, rows = os.get_terminal_size(sys.stderr.fileno())
    return Size(rows=rows or 24, columns=columns or 80)


def _history_of(history: ChatHistory) -> Any:
    from prompt_toolkit.history import History

    class PromptHistory(History):
        def load_history_strings(self) -> Iterable[str]:
            return reversed(history.lines())

        def store_string(self, string: str) -> None:
            history.add(string)

    return PromptHistory()
