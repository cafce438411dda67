"""Lines that say what a run waits for: at once where nothing else is said, and none where nobody reads."""

from __future__ import annotations

import io
import threading
import time

import pytest
from rich.console import Console

from cli.chat.output import ChatOutput
from cli.console import Terminal
from cli.heartbeat import Heartbeat, with_signs_of_life
from tests.cli.scripted import Script
from tradingagents.events import Event

LONG = 60.0
"""Seconds a test waits for what takes some milliseconds."""


def test_it_beats_until_it_is_left():
    beaten = threading.Event()
    with Heartbeat(beaten.set, quiet=0.01):
        assert beaten.wait(LONG)
    assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"]


def terminal(**options: bool) -> Terminal:
    return Terminal(out=Console(file=io.StringIO()), err=Console(file=io.StringIO(), width=200), **options)


def printed(terminal: Terminal) -> str:
    return terminal.err.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_a_turn_of_a_conversation_on_a_pipe_says_that_it_is_at_work():
    screen = terminal()
    output = ChatOutput(screen)
    with output.alive(quiet=0.01):
        deadline = time.monotonic() + LONG
        while "waiting for the answer" not in printed(screen) and time.monotonic() < deadline:
            time.sleep(0.01)
    assert printed(screen).startswith("· waiting for the answer, 0 s\n")
    assert screen.out.file.getvalue() == "", "stdout holds replies alone"  # type: ignore[attr-defined]


@pytest.mark.parametrize("options", [{"quiet": True}, {"json": True}], ids=["quiet", "json"])
def test_a_turn_that_nobody_reads_along_says_nothing(options: dict[str, bool]):
    screen = terminal(**options)
    with ChatOutput(screen).alive(quiet=0.0):
        assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"]
    assert printed(screen) == ""


def test_any_kind_of_run_shows_its_retries():
    shown: list[Event] = []
    screen = terminal()
    with with_signs_of_life(shown.append, screen) as told:
        for event in Script().add(3.0, "retry", "It asks again.", "Planner", attempt=2, wait_s=2.4).events:
            told(event)
    assert [event.type for event in shown] == ["run_start", "retry"]
    assert printed(screen) == "retry: It asks again; attempt 2 in 2 s\n"


@pytest.mark.parametrize("options", [{"quiet": True}, {"quiet": True, "json": True}], ids=["quiet", "quiet json"])
def test_where_nobody_reads_nothing_is_printed(options: dict[str, bool]):
    screen = terminal(**options)
    with with_signs_of_life(lambda _event: None, screen) as told:
        for event in Script().add(3.0, "retry", "It asks again.", "Planner").events:
            told(event)
    assert printed(screen) == ""


def test_where_json_is_printed_signs_of_life_go_to_stderr():
    screen = terminal(json=True)
    with with_signs_of_life(lambda _event: None, screen) as told:
        for event in Script().add(3.0, "retry", "It asks again.", "Planner", attempt=2, wait_s=2.4).events:
            told(event)
    assert printed(screen) == "retry: It asks again; attempt 2 in 2 s\n"
