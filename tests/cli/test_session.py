"""Running until the end, or until somebody stops it: signals, and what they leave to the runs."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from cli.batch_session import why_ended
from cli.console import open_terminal
from cli.session import run_until_done
from tests.features.batch.batch_graphs import batch_desk, batch_model
from tradingagents.errors import Interrupted
from tradingagents.runtime.services import Services


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return batch_desk(tmp_path, batch_model(), drain_seconds=0)


def test_a_second_termination_does_not_keep_the_runs_from_leaving_their_records(services: Services):
    left: list[str] = []

    async def work() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0.05)
            left.append("record")
            raise

    with pytest.raises(Interrupted):
        run_until_done(services, work(), open_terminal(quiet=True))
    assert left == ["record"]


@pytest.mark.parametrize("stopped", [False, True])
def test_what_follows_a_run_can_be_terminated_as_what_went_before(services: Services, stopped: bool):
    async def work() -> str:
        if stopped:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(5)
        return "done"

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        try:
            assert run_until_done(services, work(), open_terminal(quiet=True)) == "done"
        except Interrupted:
            assert stopped
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_an_interruption_that_left_no_record_does_not_say_that_nothing_was_done():
    assert why_ended(Interrupted("Interrupted."), None) == (
        "Interrupted before there was a record; the same command continues it."
    )
