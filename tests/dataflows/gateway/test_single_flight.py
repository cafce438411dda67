"""Single flight: those who want the same at the same time get one answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tradingagents.dataflows.gateway.vendor_call import SingleFlight
from tradingagents.errors import VendorDown

WAITING = 30


def together(flights: SingleFlight, key: str, ask: Callable[[], Any]) -> list[Any]:
    """Ask from many threads that are all there before the first is answered; return answers or errors."""
    barrier = threading.Barrier(WAITING)

    def one(_: int) -> Any:
        barrier.wait()
        try:
            return flights.once(key, ask)
        except BaseException as error:  # noqa: BLE001 - what an asker is told is what is tested
            return error

    with ThreadPoolExecutor(WAITING) as pool:
        return list(pool.map(one, range(WAITING)))


def test_the_first_asks_and_all_get_its_answer():
    calls: list[int] = []

    def ask() -> object:
        calls.append(1)
        time.sleep(0.2)
        return answer

    answer = object()
    assert set(map(id, together(SingleFlight(), "key", ask))) == {id(answer)}
    assert len(calls) == 1


def test_all_get_the_error_and_the_next_asks_anew():
    flights, calls = SingleFlight(), []

    def ask() -> str:
        calls.append(1)
        time.sleep(0.2)
        raise VendorDown("down.")

    assert {str(error) for error in together(flights, "key", ask)} == {"down."}
    assert len(calls) == 1
    assert flights.once("key", lambda: "up") == "up"


def test_one_who_is_interrupted_takes_nobody_along():
    calls: list[int] = []
    lock = threading.Lock()

    def ask() -> str:
        with lock:
            calls.append(1)
            first = len(calls) == 1
        time.sleep(0.2)
        if first:
            raise KeyboardInterrupt
        return "answer"

    outcomes = together(SingleFlight(), "key", ask)
    assert sum(isinstance(outcome, KeyboardInterrupt) for outcome in outcomes) == 1
    assert outcomes.count("answer") == WAITING - 1
    assert len(calls) == 2


def test_different_questions_do_not_wait_for_each_other():
    flights, inside = SingleFlight(), threading.Barrier(2, timeout=10)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda key: flights.once(key, inside.wait), ["one", "two"]))
    assert sorted(answers) == [0, 1]


def test_an_answer_is_not_kept():
    flights = SingleFlight()
    assert [flights.once("key", lambda: "one"), flights.once("key", lambda: "two")] == ["one", "two"]
    with pytest.raises(ValueError, match="no"):
        flights.once("key", lambda: int("no"))
