"""Where the system gives no more: a full disk behind stdout or the log, a folder that was deleted; one line each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DAY = "2025-03-14"
COMMAND = (sys.executable, "-m", "cli.main")
ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def command(home: Path, *arguments: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    with Path("/dev/full").open("wb") as full:
        return subprocess.run(
            [*COMMAND, *arguments, "--home", str(home)],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=cwd,
            check=False,
            timeout=120,
        )


SHORT = ("--analysts", "market", "--debate-rounds", "1")


@pytest.mark.parametrize(
    "options", [pytest.param((), id="text"), pytest.param(("--json",), id="json", marks=pytest.mark.nightly)]
)
def test_a_full_stdout_is_one_line_and_the_code_of_the_set_up(tmp_path: Path, options: tuple[str, ...]):
    ended = command(tmp_path, "analyze", "VELQ", DAY, "--offline", "--quiet", *SHORT, *options)
    assert ended.returncode == 3
    assert b"No space left on device" in ended.stderr
    assert b"Traceback" not in ended.stderr
    assert list(tmp_path.glob("runs/*/run.json")), "the run is kept"


def test_a_full_log_is_told_once_and_ends_no_run(tmp_path: Path):
    variables = {"TRADINGAGENTS_LOG_FILE": "/dev/full", "TRADINGAGENTS_LOG_LEVEL": "debug"}
    ended = command(tmp_path, "analyze", "VELQ", DAY, "--offline", *SHORT, **variables)
    assert ended.stderr.count(b"lacks records") == 1
    assert b"Traceback" not in ended.stderr
    assert list(tmp_path.glob("runs/*/run.json"))


def test_an_environment_file_that_is_no_text_is_one_line(tmp_path: Path):
    (tmp_path / ".env").write_bytes("# café\n".encode("latin-1"))
    ended = command(tmp_path / "home", "runs", "list", cwd=tmp_path)
    assert ended.returncode == 3
    assert ended.stderr.count(b"\n") == 1
    assert b".env is not UTF-8" in ended.stderr
