"""The part of the golden set that needs no recorded data and little time; `make golden` runs all of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUICK = (
    *("prompts-analyze", "prompts-scan", "prompts-research", "prompts-debate", "prompts-report", "prompts-compare"),
    *("prompts-chat", "prompts-filings", "tools", "chat-sim", "scan-sim-2025-03-14", "kill-12"),
)
"""Beginnings of the names of the cases: each prompt and tool, a run of most kinds, one killed."""


def test_the_product_answers_as_the_golden_set_says() -> None:
    command = [sys.executable, "-m", "tests.golden_set.run", "--simulated", "--workers", "1", *QUICK]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 differ" in done.stdout
