"""Turns: never more than allowed in any window, first come first served, shared by threads and processes."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples
from tests.support.vendor_server import VendorServer, vendor_server
from tests.support.warm import WarmProcess
from tradingagents.dataflows.gateway.limits import Rate, RateLimiter, parse_rates
from tradingagents.errors import HomeNotWritable, RateLimited, SettingsError

ROOT = Path(__file__).resolve().parents[3]
START = 1_000_000.0


class Time:
    """A clock that stands still but for sleeping and being set; `true` is the time that passes whatever it shows."""

    def __init__(self) -> None:
        self.now = START
        self.true = START
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.pass_(seconds)

    def pass_(self, seconds: float) -> None:
        self.now += seconds
        self.true += seconds


def limiter(folder: Path, time: Time) -> RateLimiter:
    return RateLimiter(folder / "limits.sqlite", clock=time, sleep=time.sleep)


def most_in(instants: Sequence[float], seconds: float) -> int:
    """Return the most instants in any half-open window of that length."""
    ordered = sorted(instants)
    return max(bisect_left(ordered, first + seconds - 1e-6) - index for index, first in enumerate(ordered))


RATES = st.lists(
    st.builds(Rate, st.integers(1, 6), st.sampled_from([1, 60, 3600])),
    min_size=1,
    max_size=3,
    unique_by=lambda r: r.seconds,
)


@settings(max_examples=examples(60), deadline=None)
@given(rates=RATES, pauses=st.lists(st.floats(0, 90), min_size=1, max_size=30))
def test_no_window_of_any_rate_holds_more_than_allowed(rates: list[Rate], pauses: list[float]):
    time, sent = Time(), []
    with TemporaryDirectory() as folder:
        turns = limiter(Path(folder), time)
        for pause in pauses:
            time.pass_(pause)
            turns.wait("v:k", rates, patience=1e9)
            sent.append(time.now)
    assert all(most_in(sent, rate.seconds) <= rate.calls for rate in rates)


@settings(max_examples=examples(60), deadline=None)
@given(
    rate=st.builds(Rate, st.integers(1, 4), st.sampled_from([1, 60])),
    steps=st.lists(st.tuples(st.floats(0, 30), st.floats(0, 100)), min_size=1, max_size=25),
)
def test_a_clock_set_back_allows_no_more(rate: Rate, steps: list[tuple[float, float]]):
    """Each step lets time pass, then sets the clock back."""
    time, sent = Time(), []
    with TemporaryDirectory() as folder:
        turns = limiter(Path(folder), time)
        for passed, back in steps:
            time.pass_(passed)
            time.now -= back
            turns.wait("v:k", [rate], patience=1e9)
            sent.append(time.true)
    assert most_in(sent, rate.seconds) <= rate.calls


def test_a_clock_set_back_by_an_hour_holds_nobody_up(tmp_path: Path):
    time = Time()
    turns = limiter(tmp_path, time)
    for _ in range(3):
        turns.wait("v:k", [Rate(1, 1), Rate(25, 86400)], patience=30)
    time.now -= 3600
    turns.wait("v:k", [Rate(1, 1), Rate(25, 86400)], patience=30)
    assert time.slept == [1.0, 1.0, 2.0], "as if the last turn had been asked for just now"


def test_turns_are_given_in_the_order_in_which_they_are_asked_for(tmp_path: Path):
    time, delays = Time(), []
    turns = RateLimiter(tmp_path / "limits.sqlite", clock=time, sleep=delays.append)
    for _ in range(6):
        turns.wait("v:k", [Rate(2, 1)], patience=60)
    assert delays == [1.0, 1.0, 2.0, 2.0], "the first two go at once"


def test_a_turn_too_far_away_is_refused_and_not_taken(tmp_path: Path):
    time = Time()
    turns = limiter(tmp_path, time)
    day = [Rate(1, 1), Rate(2, 86400)]
    turns.wait("alpha:k", day, patience=30)
    turns.wait("alpha:k", day, patience=30)
    for _ in range(2):
        with pytest.raises(RateLimited, match=r"alpha may be asked 1/second, 2/day and this is used up for 24 h") as no:
            turns.wait("alpha:k", day, patience=30)
        assert (no.value.retry_after, no.value.asked) == (86399.0, False)
    assert turns.used("alpha:", 86400) == 2
    time.pass_(86399)
    turns.wait("alpha:k", day, patience=30)
    assert time.slept == [1.0]


def test_each_vendor_and_key_has_its_own_count(tmp_path: Path):
    time = Time()
    turns = limiter(tmp_path, time)
    for bucket in ("a:one", "a:two", "ab:one"):
        turns.wait(bucket, [Rate(1, 60)], patience=0)
    assert (time.slept, turns.used("a:", 60), turns.used("ab:", 60)) == ([], 2, 1)


def test_no_rate_is_no_wait_and_no_file(tmp_path: Path):
    turns = limiter(tmp_path, Time())
    turns.wait("v:k", (), patience=0)
    assert turns.used("v:", 60) == 0
    assert not (tmp_path / "limits.sqlite").exists()


def test_what_is_older_than_a_day_and_every_window_is_forgotten(tmp_path: Path):
    time = Time()
    turns = limiter(tmp_path, time)
    turns.wait("v:k", [Rate(5, 1)], patience=0)
    time.pass_(3600)
    turns.wait("v:k", [Rate(5, 1)], patience=0)
    assert (turns.used("v:", 60), turns.used("v:", 7200)) == (1, 2)
    time.pass_(86400)
    turns.wait("v:k", [Rate(5, 1)], patience=0)
    with sqlite3.connect(tmp_path / "limits.sqlite") as connection:
        assert connection.execute("SELECT COUNT(*) FROM turn").fetchone() == (1,)
    connection.close()


def test_a_file_deleted_meanwhile_is_made_anew(tmp_path: Path):
    turns = limiter(tmp_path, Time())
    turns.wait("v:k", [Rate(1, 60)], patience=0)
    (tmp_path / "limits.sqlite").unlink()
    turns.wait("v:k", [Rate(1, 60)], patience=0)
    assert turns.used("v:", 60) == 1


def test_a_file_that_is_no_count_is_named(tmp_path: Path):
    (tmp_path / "limits.sqlite").write_text("this is no database, but long enough to be read as one" * 40)
    with pytest.raises(HomeNotWritable, match=r"limits\.sqlite.*fix or delete"):
        limiter(tmp_path, Time()).wait("v:k", [Rate(1, 60)], patience=0)


def test_rates_are_read_as_they_are_written():
    assert parse_rates("5/second, 500 / day") == (Rate(5, 1), Rate(500, 86400))
    assert parse_rates("") == ()
    assert str(Rate(60, 60)) == "60/minute"
    for wrong in ("5", "0/second", "5/fortnight", "-1/day", "5/second;6/day"):
        with pytest.raises(SettingsError, match="is not a rate; write it as"):
            parse_rates(wrong)


ASKERS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import httpx
from tradingagents.dataflows.gateway.limits import Rate, RateLimiter
turns = RateLimiter(Path(sys.argv[1]))
def ask(number):
    turns.wait("v:k", [Rate(40, 1)], patience=60)
    httpx.get(f"{sys.argv[2]}/{sys.argv[3]}/{number}").raise_for_status()
with ThreadPoolExecutor(25) as pool:
    list(pool.map(ask, range(50)))
"""


def test_two_processes_of_many_threads_keep_one_rate(tmp_path: Path):
    """100 requests at 40 a second, as a server sees them come, and as they were counted."""
    with vendor_server() as server:
        server.answer("/", {})
        askers = [
            WarmProcess(["-c", ASKERS, str(tmp_path / "l.sqlite"), server.url, name], cwd=ROOT)
            for name in ("one", "two")
        ]
        assert [asker.wait(timeout=60) for asker in askers] == [0, 0]
        arrived = _arrivals(server)
    with sqlite3.connect(tmp_path / "l.sqlite") as connection:
        taken = [row[0] for row in connection.execute("SELECT at FROM turn")]
    connection.close()
    assert len(taken) == len(arrived) == 100
    assert most_in(taken, 1.0) <= 40
    assert arrived[-1] - arrived[0] > 1.4, "100 at 40 a second take a second and a half at least"
    # What is sent in its turn may arrive late on a busy machine, never early.
    assert all(later - earlier > 0.5 for earlier, later in zip(arrived, arrived[80:], strict=False))
    assert all(gap < 5 for gap in (later - earlier for earlier, later in pairwise(arrived)))


def _arrivals(server: VendorServer) -> list[float]:
    assert len({request.path for request in server.asked}) == 100
    return sorted(request.at for request in server.asked)
