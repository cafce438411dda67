"""Trust: what is tried again, after how long, and when requests are refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tradingagents.dataflows.gateway import resilience as module
from tradingagents.dataflows.gateway.resilience import FAILURES, FIRST_WAIT, LONGEST_WAIT, REST, Trust
from tradingagents.errors import (
    NoData,
    NotForPastDate,
    NotInPlan,
    RateLimited,
    VendorDown,
    VendorNotConfigured,
)

BACKOFF = module.BACKOFF
"""As it is outside of tests, where nothing is waited for."""


@pytest.fixture(autouse=True)
def _waits_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BACKOFF", BACKOFF)


class Scripted:
    """A vendor that raises or answers in order; the last goes on."""

    def __init__(self, *outcomes: Any) -> None:
        self.outcomes = list(outcomes)
        self.asked = 0

    def __call__(self) -> Any:
        self.asked += 1
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


def trust(*, retries: int = 2, patience: float = 30.0) -> tuple[Trust, list[float]]:
    slept: list[float] = []
    return Trust(retries=retries, patience=patience, sleep=slept.append), slept


def test_a_failure_that_passes_is_tried_again_after_a_growing_wait():
    calls, slept = trust()
    vendor = Scripted(VendorDown("down."), VendorDown("down."), "answer")
    assert calls.call("acme", vendor) == "answer"
    assert FIRST_WAIT <= slept[0] <= 2 * FIRST_WAIT
    assert 2 * FIRST_WAIT <= slept[1] <= 3 * FIRST_WAIT


def test_waits_are_bounded_and_differ():
    calls, slept = trust(retries=10)
    for number in range(10):  # a vendor each, since a breaker opens after three failures
        waits = _waits_of(calls, f"vendor {number}", slept)
        assert all(wait <= LONGEST_WAIT for wait in waits)
    firsts = slept[::2]
    assert len(set(firsts)) > 5, "those who failed together do not come back together"


def _waits_of(calls: Trust, name: str, slept: list[float]) -> Sequence[float]:
    before = len(slept)
    with pytest.raises(VendorDown):
        calls.call(name, Scripted(VendorDown("down.")))
    assert len(slept) - before == FAILURES - 1, "the breaker ends the attempts"
    return slept[before:]


def test_a_vendor_that_asks_for_a_wait_gets_it():
    calls, slept = trust()
    assert calls.call("acme", Scripted(RateLimited("slow.", retry_after=7.0), "answer")) == "answer"
    assert 7.0 <= slept[0] <= 7.0 + FIRST_WAIT


@pytest.mark.parametrize("after", [None, 30.1, 86400.0])
def test_a_vendor_that_asks_for_too_long_a_wait_is_given_up_at_once(after: float | None):
    calls, slept = trust(patience=30.0)
    vendor = Scripted(RateLimited("slow.", retry_after=after), "answer")
    with pytest.raises(RateLimited, match="slow"):
        calls.call("acme", vendor)
    assert (vendor.asked, slept) == (1, [])


@pytest.mark.parametrize(
    "error",
    [NoData("none."), NotForPastDate("today."), VendorNotConfigured("key."), NotInPlan("plan."), KeyError("bug")],
)
def test_an_answer_that_is_final_is_not_asked_for_again(error: Exception):
    calls, slept = trust()
    vendor = Scripted(error)
    with pytest.raises(type(error)):
        calls.call("acme", vendor)
    assert (vendor.asked, slept) == (1, [])


def test_no_retries_is_one_attempt():
    calls, _ = trust(retries=0)
    vendor = Scripted(VendorDown("down."))
    with pytest.raises(VendorDown):
        calls.call("acme", vendor)
    assert vendor.asked == 1


def test_after_three_failures_a_vendor_is_left_alone_and_probed_once_after_a_minute():
    now = 50.0
    calls = Trust(retries=2, patience=30, sleep=lambda _: None, clock=lambda: now)
    vendor = Scripted(VendorDown("down."))
    with pytest.raises(VendorDown, match=r"^down"):
        calls.call("acme", vendor)
    with pytest.raises(VendorDown, match="it is not asked for 60 s"):
        calls.call("acme", vendor)
    assert vendor.asked == FAILURES
    now += REST
    with pytest.raises(VendorDown, match=r"^down"):
        calls.call("acme", vendor)
    assert vendor.asked == FAILURES + 1, "one probe, and no further attempt"
    now += REST
    assert calls.call("acme", Scripted("answer")) == "answer"
    assert calls.call("acme", Scripted("answer")) == "answer"


def test_one_vendor_s_failures_are_not_another_s():
    calls, _ = trust()
    with pytest.raises(VendorDown):
        calls.call("acme", Scripted(VendorDown("down.")))
    assert calls.call("other", Scripted("answer")) == "answer"


def test_that_there_is_nothing_counts_as_an_answer():
    calls, _ = trust(retries=0)
    for outcome in (VendorDown("d."), VendorDown("d."), NoData("none."), VendorDown("d."), VendorDown("d.")):
        with pytest.raises(type(outcome)):
            calls.call("acme", Scripted(outcome))
    assert calls.call("acme", Scripted("answer")) == "answer"


@pytest.mark.parametrize("error", [RateLimited("our count.", retry_after=90, asked=False), KeyboardInterrupt()])
def test_what_was_never_sent_or_broken_off_says_nothing_about_the_vendor(error: BaseException):
    calls, _ = trust(retries=0)
    for _ in range(2 * FAILURES):
        with pytest.raises(type(error)):
            calls.call("acme", Scripted(error))
    assert calls.call("acme", Scripted("answer")) == "answer"
