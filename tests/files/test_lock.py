"""A lock between processes: one holder at a time, and none is left by a process that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.served_runs import ROOT
from tradingagents.files.lock import Locked, held, locked

HOLD = """
import sys, time
from pathlib import Path
from tradingagents.files.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def holder(path: Path, seconds: float) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), str(seconds)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def test_two_holders_exclude_each_other_also_within_one_process(tmp_path: Path):
    with locked(tmp_path / "deep" / "lock"), pytest.raises(Locked), locked(tmp_path / "deep" / "lock"):
        raise AssertionError("held twice")
    with locked(tmp_path / "deep" / "lock"):
        pass


def test_another_process_s_lock_is_refused_at_once_or_waited_for(tmp_path: Path):
    process = holder(tmp_path / "lock", 0.5)
    with pytest.raises(Locked), locked(tmp_path / "lock"):
        raise AssertionError("held twice")
    with locked(tmp_path / "lock", wait=30):
        assert process.wait(10) == 0
    assert process.stdout
    process.stdout.close()


def test_a_killed_holder_leaves_no_lock(tmp_path: Path):
    process = holder(tmp_path / "lock", 60)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=10)
    began = time.monotonic()
    with locked(tmp_path / "lock", wait=5):
        assert time.monotonic() - began < 1


def test_whether_a_lock_is_held_can_be_asked_without_taking_it(tmp_path: Path):
    assert not held(tmp_path / "lock")
    assert not (tmp_path / "lock").exists()
    with locked(tmp_path / "lock"):
        assert held(tmp_path / "lock")
    assert not held(tmp_path / "lock")
    process = holder(tmp_path / "lock", 60)
    assert held(tmp_path / "lock")
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=10)
    assert not held(tmp_path / "lock")
