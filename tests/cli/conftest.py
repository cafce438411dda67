"""The command line in this process, put back as it was, and in a process of its own."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.main import run

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("error:")]


Command = Callable[..., Outcome]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Command]:
    """Run `tradingagents` in this process, with further environment variables."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def call(*arguments: str, **variables: str) -> Outcome:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            code = run(arguments)
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    yield call
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "TRADINGAGENTS_DRAIN_SECONDS": "0.3", **changes}


@pytest.fixture
def process() -> Command:
    """Run `tradingagents` as its users do."""

    def call(*arguments: str, **changes: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *arguments],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=environment(**changes),
            timeout=60,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def golden(name: str, text: str) -> None:
    """Compare with a golden file, or with `UPDATE_GOLDEN=1` write it anew for a reviewer to read."""
    path = ROOT / "tests" / "golden" / "cli" / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{path} differs; UPDATE_GOLDEN=1 writes it anew"
