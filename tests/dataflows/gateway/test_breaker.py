"""The circuit breaker: three failures in a row, a minute's rest, one probe."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tradingagents.dataflows.gateway.resilience import FAILURES, REST, CircuitBreaker
from tradingagents.errors import VendorDown


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker("acme", clock=clock)
    for _ in range(FAILURES):
        breaker.enter()
        breaker.failed()
    return breaker


def test_it_opens_after_three_failures_in_a_row_and_says_for_how_long():
    clock = Clock()
    breaker = opened(clock)
    clock.now += 10
    with pytest.raises(VendorDown, match=r"acme failed 3 times in a row; it is not asked for 50 s; try again then"):
        breaker.enter()
    assert breaker.is_open


def test_an_answer_between_failures_keeps_it_closed():
    breaker = CircuitBreaker("acme", clock=Clock())
    for outcome in (breaker.failed, breaker.failed, breaker.succeeded, breaker.failed, breaker.failed):
        breaker.enter()
        outcome()
    breaker.enter()
    assert not breaker.is_open


def test_after_the_rest_one_of_many_probes():
    clock = Clock()
    breaker = opened(clock)
    clock.now += REST
    barrier = threading.Barrier(20)

    def enter(_: int) -> bool:
        barrier.wait()
        try:
            breaker.enter()
        except VendorDown:
            return False
        return True

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(enter, range(20))) == 1


def test_a_probe_that_is_answered_closes_it():
    clock = Clock()
    breaker = opened(clock)
    clock.now += REST
    breaker.enter()
    breaker.succeeded()
    for _ in range(3):
        breaker.enter()


def test_a_probe_that_fails_opens_it_for_another_minute():
    clock = Clock()
    breaker = opened(clock)
    clock.now += REST
    breaker.enter()
    breaker.failed()
    clock.now += REST - 1
    with pytest.raises(VendorDown, match="4 times in a row; it is not asked for 1 s"):
        breaker.enter()
    clock.now += 1
    breaker.enter()


def test_a_probe_broken_off_by_us_leaves_the_question_open_for_the_next():
    clock = Clock()
    breaker = opened(clock)
    clock.now += REST
    breaker.enter()
    breaker.left()
    breaker.enter()
    with pytest.raises(VendorDown):
        breaker.enter()
