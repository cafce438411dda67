"""The night: a failing step stops no other, a slow one is ended with what it started, what is not there is named."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from benchmarks import nightly
from benchmarks.nightly import Step, run, steps
from tests.support.tiers import is_in_part


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def test_a_failing_step_stops_no_other_and_the_table_says_what_each_did(tmp_path: Path):
    slow = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {'import time; time.sleep(60)'!r}])"
    wanted = (
        Step("bad", "fails", (python("print('7 failed'); raise SystemExit(3)"), python("print('never')")), 1),
        Step("slow", "takes too long", (python(slow),), 0.03),
        Step("absent", "needs a tool", (python("raise SystemExit(1)"),), 1, lacks=lambda: "no tool"),
        Step("nowhere", "cannot start", (("/no/such/program",),), 1),
        Step(
            "good",
            "passes",
            (python("import os; print(os.environ['A'])"), python("print('== 5 | 6 ==')")),
            1,
            {"A": "b"},
        ),
    )
    began = time.monotonic()
    results = run(wanted, tmp_path)
    assert time.monotonic() - began < 20
    assert [result.state for result in results] == ["failed", "failed", "skipped", "failed", "passed"]
    page = (tmp_path / "results.md").read_text()
    assert "1 passed, 3 failed, 1 skipped" in page
    assert "| bad | fails | failed | 0 | 7 failed |" in page
    assert "over its 0.03 minutes" in page
    assert "| absent | needs a tool | skipped | 0 | no tool |" in page
    assert "| 5 \\| 6 |" in page
    assert (tmp_path / "good.log").read_text() == "b\n== 5 | 6 ==\n"
    assert "never" not in (tmp_path / "bad.log").read_text()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_night_that_is_interrupted_ends_its_step_and_says_so(sent: signal.Signals, tmp_path: Path):
    late = tmp_path / "late"
    step = f"import pathlib, time; print('begun', flush=True); time.sleep(4); pathlib.Path({str(late)!r}).touch()"
    night = (
        "import sys; from benchmarks import nightly; from benchmarks.nightly import Step\n"
        f"slow = Step('slow', 'is interrupted', ((sys.executable, '-c', {step!r}),), 1)\n"
        "nightly.steps = lambda *_: (slow, Step('next', 'is not run', ((sys.executable, '-c', 'pass'),), 1))\n"
        f"sys.argv = ['nightly', '--out', {str(tmp_path)!r}]\n"
        "sys.exit(nightly.main())"
    )
    process = subprocess.Popen(python(night), cwd=nightly.ROOT)
    until, log = time.monotonic() + 30, tmp_path / "slow.log"
    while not (log.exists() and log.read_text()):
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(sent)
    assert process.wait(30) == 1
    page = (tmp_path / "results.md").read_text()
    assert "0 passed, 1 failed, 0 skipped" in page
    assert re.search(r"\| slow \| is interrupted \| failed \| \d \| interrupted \|", page)
    time.sleep(4)
    assert not late.exists(), "the step went on"


def test_a_night_that_is_killed_names_the_step_that_was_under_way(tmp_path: Path):
    page = tmp_path / "results.md"
    seen = f"print('| slow | is looked at | failed | 0 | begun' in open({str(page)!r}).read())"
    run((Step("first", "passes", (python("pass"),), 1), Step("slow", "is looked at", (python(seen),), 1)), tmp_path)
    assert (tmp_path / "slow.log").read_text() == "True\n"
    assert "begun" not in page.read_text()


def test_folders_of_tests_lie_in_memory_where_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(nightly, "MEMORY", tmp_path)
    monkeypatch.delenv("TMPDIR", raising=False)
    shown = Step("shown", "shows its folder", (python("import tempfile; print(tempfile.gettempdir())"),), 1)
    for free, expected in ((0, str(tmp_path)), (1e30, tempfile.gettempdir())):
        monkeypatch.setattr(nightly, "MEMORY_FREE", free)
        (result,) = run((shown,), tmp_path / "out")
        assert result.note == expected


def test_the_whole_suite_is_shared_out_among_its_workers():
    (suite,) = (step.commands[0] for step in steps(workers=3) if step.name == "tests")
    assert suite[-4:] == ("-n", "3", "--dist", "worksteal")


def test_a_week_of_nights_runs_every_module_whole():
    (whole,) = (step.commands[0] for step in steps() if step.name == "whole")
    number, count = map(int, whole[whole.index("--part") + 1].split("/"))
    assert (1 <= number <= count, count, "--all" in whole) == (True, nightly.PARTS, True)
    tests = Path(__file__).parent
    modules = sorted(tests.rglob("test_*.py"))
    parts = [[is_in_part(module, tests, f"{part}/{count}") for part in range(1, count + 1)] for module in modules]
    assert all(sum(row) == 1 for row in parts)
    sizes = [sum(column) for column in zip(*parts, strict=True)]
    assert max(sizes) < 2 * min(sizes)
    for wrong in ("0/7", "8/7", "2", ""):
        with pytest.raises(pytest.UsageError, match="name one such as 2/7"):
            is_in_part(modules[0], tests, wrong)


def test_the_list_says_how_long_each_step_takes(tmp_path: Path):
    quick, new = Step("mcp2", "asks", (python("pass"),), 5), Step("never run", "is new", (python("pass"),), 3)
    page = tmp_path / "results.md"
    assert nightly.estimate((quick, new), page).splitlines() == [
        "mcp2                  158 s, at most  5 min  asks",
        "never run      not measured, at most  3 min  is new",
        "together              3 min, at most 60 min",
    ]
    run((quick,), tmp_path)
    assert nightly.estimate((quick,), page).startswith("mcp2                    0 s")


def test_a_step_that_a_signal_ends_has_failed(tmp_path: Path):
    step = Step("killed", "is killed", (python("import os; os.kill(os.getpid(), 9)"),), 1)
    (result,) = run((step,), tmp_path)
    assert (result.state, result.note) == ("failed", "ended by signal 9")


def test_a_night_without_time_fails_the_rest(tmp_path: Path):
    (result,) = run((Step("late", "finds no time", (python("print(1)"),), 5),), tmp_path, minutes=0)
    assert (result.state, result.note) == ("failed", "no time left")


@pytest.mark.parametrize(("code", "expected"), [("pass", 0), ("raise SystemExit(2)", 1)])
def test_the_exit_code_says_whether_a_step_failed(
    code: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(nightly, "steps", lambda *_: (Step("one", "a step", (python(code),), 1),))
    monkeypatch.setattr(sys, "argv", ["nightly", "--out", str(tmp_path)])
    assert nightly.main() == expected


def test_every_step_has_a_name_of_its_own_and_what_it_runs_is_there():
    known = steps(sys.executable)
    assert len({step.name for step in known}) == len(known)
    for step in known:
        for command in step.commands:
            for word in command:
                if word.startswith("tests/"):
                    assert (nightly.ROOT / word).exists(), word
    assert all(0 < step.minutes < nightly.MINUTES for step in known)
