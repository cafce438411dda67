"""Where the system gives no more: a full disk behind stdout or the log, a folder that was deleted; one line each."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.warm import WarmProcess

DAY = "2025-03-14"
ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def command(home: Path, *arguments: str, cwd: Path = ROOT, **variables: str) -> tuple[int, str]:
    """Run a command whose stdout is full; return its exit code and stderr."""
    called = ["-m", "cli.main", *arguments, "--home", str(home)]
    environment = {**os.environ, **variables}
    with (
        Path("/dev/full").open("wb") as full,
        WarmProcess(called, stdout=full, stderr=subprocess.PIPE, env=environment, cwd=cwd) as process,
    ):
        _, told = process.communicate(120)
        return process.wait(), told


SHORT = ("--analysts", "market", "--debate-rounds", "1")


@pytest.mark.parametrize(
    "options", [pytest.param((), id="text"), pytest.param(("--json",), id="json", marks=pytest.mark.nightly)]
)
def test_a_full_stdout_is_one_line_and_the_code_of_the_set_up(tmp_path: Path, options: tuple[str, ...]):
    code, told = command(tmp_path, "analyze", "VELQ", DAY, "--offline", "--quiet", *SHORT, *options)
    assert code == 3
    assert "No space left on device" in told
    assert "Traceback" not in told
    assert list(tmp_path.glob("runs/*/run.json")), "the run is kept"


def test_a_full_log_is_told_once_and_ends_no_run(tmp_path: Path):
    variables = {"TRADINGAGENTS_LOG_FILE": "/dev/full", "TRADINGAGENTS_LOG_LEVEL": "debug"}
    _, told = command(tmp_path, "analyze", "VELQ", DAY, "--offline", *SHORT, **variables)
    assert told.count("lacks records") == 1
    assert "Traceback" not in told
    assert list(tmp_path.glob("runs/*/run.json"))


def test_an_environment_file_that_is_no_text_is_one_line(tmp_path: Path):
    (tmp_path / ".env").write_bytes("# café\n".encode("latin-1"))
    code, told = command(tmp_path / "home", "runs", "list", cwd=tmp_path)
    assert code == 3
    assert told.count("\n") == 1
    assert ".env is not UTF-8" in told
