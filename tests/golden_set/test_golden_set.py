"""The part of the golden set that needs no recorded data and little time; `make golden` runs all of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUICK = ("tools", "chat-sim", "scan-sim-2025-03-14")
"""Beginnings of the names of the cases: tool schemas, chats, a scan.

Cases that talk to the model server log retries and waits where the machine is busy, as it is while all tests run; they
and the killed runs are for `make golden`, on an idle one.
"""


def test_the_product_answers_as_the_golden_set_says() -> None:
    command = [sys.executable, "-m", "tests.golden_set.run", "--simulated", "--workers", "1", *QUICK]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 differ" in done.stdout
