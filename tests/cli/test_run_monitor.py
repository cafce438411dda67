"""Which run an event belongs to, and what is the only run of a command."""

from __future__ import annotations

import pytest

from cli.run_monitor import SCAN, RunMonitor
from tests.cli.scripted import at, finished, scan_finished
from tradingagents.settings import ANALYSTS


def test_one_ticker_or_one_scan_is_the_only_run_and_a_batch_never_is():
    ticker = RunMonitor(["VELQ"], analysts=ANALYSTS).only
    scan = RunMonitor(scan=True).only
    assert ticker
    assert scan
    assert (ticker.subject, scan.subject) == ("VELQ", SCAN)
    assert RunMonitor(["VELQ", "OMBZ"], analysts=ANALYSTS).only is None
    assert RunMonitor(scan=True, more_to_come=True).only is None
    assert RunMonitor(["VELQ"], more_to_come=True).only is None


def test_events_find_their_run_by_the_ticker_their_first_one_names():
    runs = RunMonitor(["VELQ", "SCAN"], analysts=ANALYSTS, scan=True)
    for event in (*scan_finished().events, *finished("SCAN").events):
        runs.apply(event)
    assert runs[None].outcome == "3 stocks to investigate: VELQ, OMBZ, TAQZ"
    assert runs["SCAN"].outcome == "BUY (confidence 0.62)"
    assert runs["VELQ"].state == "waiting"


def test_the_plan_ends_the_scan():
    runs = RunMonitor(analysts=ANALYSTS, scan=True, more_to_come=True)
    for event in scan_finished().events:
        runs.apply(event)
    runs.plan(["VELQ", "OMBZ"], at(7.0))
    assert (runs[None].state, runs[None].seconds(at(100))) == ("done", 7.0)
    assert [run.subject for run in runs.tickers] == ["VELQ", "OMBZ"]


def test_what_is_done_and_never_began_was_done_by_an_earlier_start():
    runs = RunMonitor(analysts=ANALYSTS, scan=True, more_to_come=True)
    runs.plan(["VELQ", "OMBZ"], at(0.1))
    runs.end("VELQ", "done", "BUY (confidence 0.62)", at(0.1))
    runs.end("OMBZ", "failed", "not begun", at(0.1))
    assert runs[None].outcome == "from an earlier start"
    assert runs["VELQ"].outcome == "before: BUY (confidence 0.62)"
    assert runs["OMBZ"].outcome == "not begun"


def test_a_failed_scan_stays_failed_when_holdings_are_studied_all_the_same():
    runs = RunMonitor(analysts=ANALYSTS, scan=True, more_to_come=True)
    runs.end(None, "failed", "No model server answers.", at(1.0))
    runs.plan(["VELQ"], at(2.0))
    assert (runs[None].state, runs[None].outcome) == ("failed", "No model server answers.")


def test_nobody_asks_for_a_scan_that_is_not_watched():
    with pytest.raises(KeyError, match="no scan"):
        RunMonitor(["VELQ"], analysts=ANALYSTS)[None]
