"""Random command lines of commands that read questions, files and ids: a promised code, never a bug or a hang."""

from __future__ import annotations

import json
import random
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from typer.main import get_command

from cli.main import app, run
from tests.fuzz.test_settings import GARBAGE, KEY
from tests.support.tiers import sampled

GROUPS = (
    "ask",
    "chat",
    "research",
    "value",
    "filings",
    "mcp",
    "serve",
    "runs",
    "tasks",
    "memory",
    "watch",
    "compare",
    "report",
    "evidence",
    "thesis",
    "debate",
    "data",
    "doctor",
)
NOT_HERE = ("watch run", "memory settle")
"""They analyze: `test_settings` gives `analyze` bad values."""
SEEDS = range(400, 420)
CASES = 55
LIMIT_S = 60
KNOWN_CODES = (0, 2, 3, 4, 5, 6, 7)
SAFE = ("--offline", "--data-vendor", "--home", "--http", "--port", "--host", "--workers", "--follow", "--yes")
"""Options that the test itself gives, or that must not be drawn: a server that starts would serve."""
PLAUSIBLE = (
    *("VELQ", "velq", "NOSUCH", "CPLZ", "latest", "2025-03-14", "2025-03-15", "1900-01-01", "2999-01-01", "2025-02-30"),
    *(
        "1",
        "0",
        "2",
        "-1",
        "3.5",
        "wacc=0.09",
        "wacc=nan",
        "wacc=",
        "=1",
        "beta=1e308",
        "stable_growth=0.5",
        "no_such=1",
    ),
    *("ticker=VELQ", "ticker=", "ticker=[1]", "days=-1", "days=1e9", "get_news", "get_fundamentals", "explain", "fcff"),
    *(
        "wacc,stable_growth",
        "wacc,wacc",
        "10-K",
        "item:7",
        "What is the revenue of VELQ?",
        "compare VELQ and CPLZ",
        "?",
    ),
    *("s-1", "../x", "..", ".", "", " ", "analyze", "done", "approve", "markdown", "a" * 300),
)
DEEP = "[" * 100_000 + "]" * 100_000
FILES: dict[str, bytes] = {
    "empty.json": b"",
    "deep.json": DEEP.encode(),
    "nan.json": b'{"wacc": NaN, "revenue": Infinity}',
    "huge.json": b'{"revenue": ' + b"9" * 5_000 + b"}",
    "list.json": b'[1, null, {"name": 1, "probability": "x", "set": []}]',
    "wrong.json": b'{"tasks": [{"id": 1}], "revenue": {"a": [true]}, "name": null}',
    "scenarios.json": b'[{"name": "a", "probability": 1e400, "set": {"wacc": -5}}]',
    "latin.json": '{"n\xe4me": 1}'.encode("latin-1"),
    "utf16.json": "{}".encode("utf-16"),
    "bare.pdf": b"%PDF-1.7\n%%EOF",
    "cut.pdf": b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Kids[2 0 R]/Count 99999999>>endobj\n",
    "page.html": b"<html><table><tr><td colspan=999999999>1</td></tr>" + b"<div>" * 20_000 + b"\xff\xfe" + KEY.encode(),
    "nul.txt": b"\0" * 5_000,
    "call.txt": "Operator: \u202e\x1b[2JHello\n".encode() * 50,
}


class HungError(BaseException):
    """A command line took too long; no handler of errors takes it for one of its own."""


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise HungError


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise where a command does not end by itself."""
    before = signal.signal(signal.SIGALRM, _ring)
    signal.alarm(LIMIT_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def commands() -> dict[str, tuple[list[str], list[str], int]]:
    """Return the options with a value, the switches and the number of arguments of each command."""
    found: dict[str, tuple[list[str], list[str], int]] = {}

    def walk(group: object, path: tuple[str, ...]) -> None:
        for name in group.list_commands(None):  # type: ignore[attr-defined]
            command = group.get_command(None, name)  # type: ignore[attr-defined]
            here = (*path, name)
            if here[0] not in GROUPS or " ".join(here) in NOT_HERE:
                continue
            if hasattr(command, "list_commands"):
                walk(command, here)
                continue
            options = [one for one in command.params if one.opts[0].startswith("-")]
            found[" ".join(here)] = (
                [one.opts[0] for one in options if not one.is_flag],
                [one.opts[0] for one in options if one.is_flag],
                len(command.params) - len(options),
            )

    walk(get_command(app), ())
    return found


COMMANDS = commands()


@pytest.fixture(scope="module")
def busy_port() -> Iterator[int]:
    """A port that is taken, so that a server whose other settings are sound ends with a stated reason."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield int(listener.getsockname()[1])


def drawn(rng: random.Random, home: Path, port: int) -> list[str]:
    """Draw a command line that ends by itself and needs no network."""
    name = rng.choice([*COMMANDS])
    valued, switches, arguments = COMMANDS[name]
    values = [one for one in GARBAGE if one != "//h"]  # where root runs the tests that folder would be made

    def value() -> str:
        pool = rng.random()
        if pool < 0.2:
            return rng.choice([*FILES, "no_such_file.json", ".", "/dev/null"])
        return rng.choice(PLAUSIBLE) if pool < 0.7 else rng.choice(values)

    line = name.split()
    line += [value() for _ in range(rng.randint(0, arguments + 1))]
    own = [one for one in valued if one not in SAFE]
    for option in rng.sample(own, min(rng.randint(0, 3), len(own))):
        line += [option, value()]
    line += [one for one in rng.sample(switches, min(rng.randint(0, 2), len(switches))) if one not in SAFE]
    if "--offline" in switches:
        line.append("--offline")
    elif "--data-vendor" in valued:
        line += ["--data-vendor", "simulated"]
    if name in ("serve", "mcp"):
        line += ["--port", str(port), *(["--http"] if name == "mcp" else [])]
    return [*line, "--home", str(home)]


def fault(code: int, out: str, err: str) -> str | None:
    """Return what is wrong with how a command ended; None if nothing is."""
    if code not in KNOWN_CODES:
        return f"code {code}"
    if "Traceback" in err + out or "Unexpected" in err:
        return "a bug"
    if KEY in err + out:
        return "the key was printed"
    if code and not (err + out).strip():
        return "failed without a word"
    if "\x1b[2J" in err + out:
        return "an escape sequence reached the terminal"
    return None


@pytest.mark.parametrize("seed", sampled(SEEDS, every=len(SEEDS)))
def test_command_lines_end_with_a_promised_code_and_a_word(
    seed: int, busy_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    faults: list[str] = []
    for number in range(CASES):
        line = drawn(rng, tmp_path / "home", busy_port)
        with Path("/dev/null").open() as nothing, monkeypatch.context() as here:
            here.setattr("sys.stdin", nothing)
            try:
                with time_limit():
                    code = run(line)
            except HungError:
                code, line = 99, [*line, "(hung)"]
        said = capfd.readouterr()
        if wrong := fault(code, said.out, said.err):
            shown = re.sub(r"(.)\1{30,}", r"\1…", json.dumps(line))[:600]
            faults.append(f"{seed}-{number} {wrong}: {shown} -> {code} {said.err[-400:]}")
    assert not faults, "\n".join(faults)
