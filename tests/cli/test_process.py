"""What only a process of its own can show: its streams, signals, and what it imports."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import COMMANDS
from cli.groups import KindEntry, LazyGroup
from tests.cli.conftest import Command, environment
from tests.support.tiers import sampled
from tests.support.warm import WarmProcess, run_warm


@pytest.mark.nightly
def test_a_run_is_decided_on_stdout_and_told_on_stderr(process: Command, home: Path):
    outcome = process("analyze", "VELQ", "2025-03-14", "--offline", "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["paths"]["folder"].startswith(str(home))
    assert "VELQ" in outcome.err
    assert "Traceback" not in outcome.err


def test_output_is_utf8_whatever_the_locale(process: Command):
    outcome = process("analyze", "--help", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert outcome.code == 0
    assert "0 done · 2 usage" in outcome.out


def test_output_has_the_encoding_that_is_named():
    command = (sys.executable, "-m", "cli.main", "analyze")
    named = {**environment(), "PYTHONIOENCODING": "cp1252"}
    told = subprocess.run([*command, "--help"], capture_output=True, env=named, check=True)
    assert "0 done · 2 usage" in told.stdout.decode("cp1252")
    refused = subprocess.run([*command, "VELQ", "20✓25", "--json"], capture_output=True, env=named, check=False)
    assert refused.returncode == 2
    assert "20✓25" in json.loads(refused.stdout.decode("cp1252").splitlines()[0])["error"]


HELP = """
import json, os, sys
import cli.main
for words in json.loads(sys.argv[1]):
    if not (child := os.fork()):
        null = os.open(os.devnull, os.O_WRONLY)
        out = os.dup(1)
        os.dup2(null, 1)
        code = cli.main.run([*words, "--help"])
        sys.stdout.flush()
        os.write(out, (json.dumps([code, sorted(sys.modules)]) + "\\n").encode())
        os._exit(0)
    os.waitpid(child, 0)
"""
"""Prints what the help of each command ends with and has loaded, beyond what the command line itself loads."""
HEAVY = frozenset({"pandas", "numpy", "langchain", "langchain_core", "langgraph", "openai", "rich"})
OF_KINDS = frozenset(name for name, entry in COMMANDS.items() if isinstance(entry, KindEntry))
"""Their options are the fields of a kind's request; which of those are settings only the settings tell."""


@pytest.mark.parametrize("name", sampled(["", *COMMANDS], every=8))
def test_help_imports_nothing_heavy(name: str):
    command = COMMANDS[name].load(name) if name else None
    below = command.commands if isinstance(command, LazyGroup) else ()
    asked = [[name] * bool(name), *([name, word] for word in below)]
    arguments = [sys.executable, "-c", HELP, json.dumps(asked)]
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment(), check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [code for code, _ in found] == [0] * len(asked)
    for words, (_, loaded) in zip(asked, found, strict=True):
        assert not HEAVY.intersection(loaded), words
        of_kind = name in OF_KINDS or words in (["filings", "ask"], ["filings", "grid"], ["filings", "chat"])
        assert of_kind or "tradingagents.settings" not in loaded, words


@pytest.fixture
def silent_server() -> Iterator[str]:
    """A model server that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


@pytest.mark.parametrize("stop", sampled([signal.SIGINT, signal.SIGTERM], every=2))
def test_an_interrupted_run_leaves_its_record_and_ends_with_130(silent_server: str, home: Path, stop: signal.Signals):
    arguments = ["VELQ", "2025-03-14", "--data-vendor", "simulated", "--llm-provider", "openai_compatible"]
    process = WarmProcess(
        ["-m", "cli.main", "analyze", *arguments, "--backend-url", silent_server, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stderr
    while "starts" not in (line := process.stderr.readline()):
        assert line, "the run ended before an agent began"
    process.send_signal(stop)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    (card,) = (home / "runs").glob("*/run.json")
    last = f"error: Interrupted; `tradingagents runs resume {card.parent.name}` continues. Results so far: "
    assert err.splitlines()[-1].startswith(last)
    assert "stopping: calls in progress get 0.3 seconds to end; interrupt again to stop at once.\n" in err
    assert json.loads(card.read_text("utf-8"))["status"] == json.loads(out)["status"] == "interrupted"


def test_an_interrupted_auto_says_how_to_go_on_and_ends_with_130(silent_server: str, home: Path):
    arguments = ["2025-03-14", "--data-vendor", "simulated", "--llm-provider", "openai_compatible"]
    process = WarmProcess(
        ["-m", "cli.main", "auto", *arguments, "--backend-url", silent_server, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stderr
    while "Sector Scanner starts" not in (line := process.stderr.readline()):
        assert line, "the scan ended before an agent began"
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    (folder,) = (home / "auto").glob("*")
    last = err.splitlines()[-1]
    assert last.startswith("error: Interrupted; the same command continues it.")
    assert last.endswith(str(folder))
    record = json.loads(out)
    assert (record["status"], record["kind"], record["scan"]["status"]) == ("interrupted", "Interrupted", "interrupted")


def ended(process: WarmProcess, stop: signal.Signals) -> tuple[str, str]:
    """Wait for the end; a signal that arrived where Python drops exceptions is sent again, as one would."""
    for _ in range(5):
        try:
            return process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.send_signal(stop)
    return process.communicate(timeout=10)


@pytest.fixture
def slow_file(tmp_path: Path) -> Iterator[tuple[Path, list[int]]]:
    """A file whose opening waits, as on a slow disk, and the signals that tell that somebody waits for it.

    This process holds a lease on it; the kernel lets others wait until the lease is given up, and signals that they do.
    """
    path, waiting = tmp_path / "holdings", list[int]()
    path.write_text("VELQ\n", "utf-8")
    before = signal.signal(signal.SIGIO, lambda number, _: waiting.append(number))
    file = os.open(path, os.O_RDONLY)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    yield path, waiting
    os.close(file)
    signal.signal(signal.SIGIO, before)


@pytest.mark.parametrize("stop", sampled([signal.SIGINT, signal.SIGTERM], every=2))
def test_before_anything_runs_an_interruption_answers_a_program_too(
    home: Path, slow_file: tuple[Path, list[int]], stop: signal.Signals
):
    holdings, waiting = slow_file
    process = WarmProcess(
        ["-m", "cli.main", "auto", "--offline", "--json", "--portfolio", str(holdings)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    until = time.monotonic() + 30
    while not waiting and time.monotonic() < until:
        time.sleep(0.02)
    assert waiting
    process.send_signal(stop)
    out, err = ended(process, stop)
    assert (process.returncode, err) == (130, "error: Interrupted; nothing was in progress.\n")
    answered = json.loads(out)
    assert (answered["status"], answered["kind"], answered["exit_code"]) == ("interrupted", "Interrupted", 130)
    assert not (home / "auto").exists()


@pytest.mark.parametrize("stop", sampled([signal.SIGINT, signal.SIGTERM], every=2))
def test_an_interrupted_webhook_leaves_the_results_and_ends_with_130(
    silent_server: str, home: Path, stop: signal.Signals
):
    run_warm(["-m", "cli.main", "watch", "add", "VELQ"], env=environment(), check=True)
    hook = ["--webhook", f"{silent_server}?token=t0ken", "--analysts", "market", "--debate-rounds", "1"]
    secret = "whsec_" + base64.b64encode(bytes(range(32))).decode()
    running = WarmProcess(
        ["-m", "cli.main", "watch", "run", "2025-03-14", "--offline", "--json", "--quiet", *hook],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TRADINGAGENTS_WEBHOOK_SECRET=secret),
    )
    assert running.stdout
    record = json.loads(running.stdout.readline())
    time.sleep(0.2)  # the message is on its way
    running.send_signal(stop)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, "")
    assert err == "error: Interrupted before the webhook took the message; the results are written.\n"
    assert json.loads(Path(record["paths"]["card"]).read_text("utf-8")) == record


def answer(arguments: list[str], answers: str, *, interrupt_at: str = "") -> tuple[int, str, str]:
    """Run bare or with arguments on a pseudo-terminal; return code, what the terminal showed, and stdout."""
    terminal, child = pty.openpty()
    process = WarmProcess(
        ["-m", "cli.main", *arguments],
        stdin=child,
        stderr=child,
        stdout=subprocess.PIPE,
        env=environment(TERM="dumb", COLUMNS="100", LINES="40", NO_COLOR="1"),
    )
    os.close(child)
    os.write(terminal, answers.encode())
    shown = ""
    while chunk := _read(terminal, process if interrupt_at and interrupt_at in shown else None):
        shown += chunk
    out, _ = process.communicate(timeout=60)
    os.close(terminal)
    return process.returncode, shown, out


def _read(terminal: int, waiting: WarmProcess | None) -> str:
    """Read what is there; empty once the other side is closed, which Linux tells by an error.

    Args:
        terminal: Where the process writes.
        waiting: The process to interrupt where it is silent, again after each second: an interrupt between Python's
            look for signals and its wait for input is not seen until the next one.
    """
    for _ in range(60):
        if select.select([terminal], [], [], 1.0)[0]:
            break
        if waiting is not None:
            waiting.send_signal(signal.SIGINT)
    else:
        pytest.fail("The terminal showed nothing for a minute.")
    try:
        return os.read(terminal, 65536).decode(errors="replace")
    except OSError:
        return ""


def test_bare_on_a_terminal_asks_checks_shows_the_command_and_runs_it():
    answers = [
        "analyse",
        "../x",
        "VELQ",
        "2999-01-01",
        "2025-03-14",
        "market nwes",
        "market news",
        "1",
        "openai",
        "offline",
        "",
    ]
    code, shown, out = answer([], "\n".join(answers) + "\n")
    assert code == 0
    for words in (
        "'../x' is not a ticker symbol",
        "2999-01-01 is in the future",
        "there is no analyst 'nwes'",
        "openai needs OPENAI_API_KEY",
        "tradingagents analyze VELQ 2025-03-14 --offline --analysts market,news --debate-rounds 1 --risk-rounds 1",
        "Risk Manager",
    ):
        assert words in shown
    assert "Reports       ✓ market  · sentiment (not asked)  ✓ news  · fundamentals (not asked)" in out


def test_bare_on_a_terminal_takes_a_company_or_a_question():
    code, shown, out = answer([], "veltrane\nvalue\n")
    assert code == 0
    assert "fixed rules answer and decide" in shown  # no key is set
    assert "Market snapshot: Veltrane Systems (VELQ)" in out
    assert "tradingagents value VELQ --offline" in shown
    assert "Valuation: Veltrane Systems" in out
    code, shown, out = answer([], "a\nnone\naurz\nnothing\n")
    assert code == 0
    assert "'none' is not one of AERQ, AURZ" in shown
    assert "(AURZ)" in out
    code, shown, out = answer([], "What is VELQ trading at?\nexit\n")
    assert code == 0
    assert "VELQ" in out
    assert "Continue with: tradingagents chat --session" in shown


def test_ctrl_c_leaves_the_form_with_130(home: Path):
    code, shown, out = answer([], "", interrupt_at="Ticker, company or question")
    assert (code, out) == (130, "")
    assert "Interrupted; nothing was in progress." in shown
    assert "Traceback" not in shown
    assert list(home.iterdir()) == []
