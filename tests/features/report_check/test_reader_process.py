"""Text from outside is read in a process of its own, which is ended at its limit and when nobody waits."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from tradingagents.errors import Interrupted, NoData, UnreadableDocument, UsageError
from tradingagents.features.report_check.reader_process import LEAVING, read_apart

Ask = Callable[..., Any]


def joined(ask: Ask, left: str, right: str) -> str:
    return ask("between", left) + right


def refuse(ask: Ask) -> None:
    raise UsageError("The text names nothing; name it.")


def crash(ask: Ask) -> None:
    raise ZeroDivisionError("by zero")


def search_for_ever(ask: Ask) -> None:
    re.match(r"(a+)+$", "a" * 64 + "b")  # holds the interpreter


def test_a_function_is_given_its_arguments_and_may_ask() -> None:
    helpers = {"between": lambda left: f"{left} and "}
    assert read_apart(joined, "bull", "bear", helpers=helpers, seconds=5) == "bull and bear"


def test_its_errors_are_those_of_the_caller() -> None:
    with pytest.raises(UsageError, match="names nothing; name it"):
        read_apart(refuse, helpers={}, seconds=5)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        read_apart(crash, helpers={}, seconds=5)


def test_an_error_of_what_it_asks_for_goes_to_the_caller_as_it_is() -> None:
    def nothing(left: str) -> str:
        raise NoData(f"There is nothing of {left}; ask for another.")

    with pytest.raises(NoData, match="nothing of bull"):
        read_apart(joined, "bull", "bear", helpers={"between": nothing}, seconds=5)


def test_it_is_ended_at_its_limit_and_the_next_text_is_read() -> None:
    with pytest.raises(UnreadableDocument, match="within 1 seconds of processor time"):
        read_apart(search_for_ever, helpers={}, seconds=1)
    assert read_apart(joined, "a", "b", helpers={"between": str}, seconds=5) == "ab"


def test_it_is_ended_when_nobody_waits_and_other_threads_go_on_meanwhile() -> None:
    gone, turns = threading.Event(), [0]

    def others() -> None:
        while not gone.is_set():
            turns[0] += 1
            if turns[0] == 20:
                gone.set()
            time.sleep(0.01)

    token = LEAVING.set(gone)
    thread = threading.Thread(target=others)
    thread.start()
    try:
        with pytest.raises(Interrupted):
            read_apart(search_for_ever, helpers={}, seconds=600)
    finally:
        LEAVING.reset(token)
        thread.join()
    assert turns[0] == 20


def test_it_knows_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    from tradingagents.features.report_check import reader_process

    monkeypatch.setenv("OPENAI_API_KEY", "sk-hostile")
    monkeypatch.setattr(reader_process, "_idle", [])
    try:
        assert read_apart(environment_of, helpers={}, seconds=5) is None
    finally:
        reader_process._end_all()


def environment_of(ask: Ask) -> str | None:
    import os

    return os.environ.get("OPENAI_API_KEY")
