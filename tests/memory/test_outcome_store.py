"""Outcomes are kept once, together with their lessons, whoever else is at it and whenever one is killed."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.support.warm import WarmProcess
from tradingagents.errors import HomeNotWritable
from tradingagents.memory.cohort import Cohort
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.outcome import Outcome, Said
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import MEMORY_NAMES

DAY = date(2025, 4, 14)
OUTCOME = Outcome(
    run_id="20250314T210000Z-ACME-2025-03-14-abcdef",
    ticker="ACME",
    trade_date=date(2025, 3, 14),
    start=date(2025, 3, 14),
    end=DAY,
    settled_on=DAY,
    horizon_days=30,
    action="BUY",
    confidence=0.7,
    as_of_price=50.0,
    total_return=0.1,
    benchmark="SPY",
    benchmark_return=None,
    drawdown=-0.05,
    position_drawdown=-0.05,
    vendor="rows",
    models={"quick": "offline/rules"},
    vintage="0.1.0-abcdef",
    agents={"Trader": Said("HOLD", 0.5), "Risk Manager": Said("BUY", 0.7)},
    cohort=Cohort("real", "rules"),
)


def lessons(text: str = "let it run") -> list[tuple[str, Lesson]]:
    return [(name, Lesson(f"{name} rising", text, DAY, "ACME", OUTCOME.run_id)) for name in MEMORY_NAMES]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


def kept(file: Path) -> list[str]:
    return [lesson.recommendation for _, lesson in LessonStore(file).list()]


def test_what_is_kept_reads_back_as_it_was(file: Path):
    assert OutcomeStore(file).keep(OUTCOME, lessons())
    assert OutcomeStore(file).list() == [OUTCOME]
    assert OutcomeStore(file).knows(OUTCOME.run_id) == (True, True)
    assert OutcomeStore(file).knows("another") == (False, False)
    assert [name for name, _ in LessonStore(file).list()] == list(reversed(MEMORY_NAMES))


def test_a_run_has_one_outcome_and_one_set_of_lessons(file: Path):
    store = OutcomeStore(file)
    assert store.keep(OUTCOME, lessons())
    assert not store.keep(replace(OUTCOME, total_return=9.9), lessons("again"))
    assert store.list() == [OUTCOME]
    assert kept(file) == ["let it run"] * 5


def test_what_is_told_takes_the_place_of_what_was_taught(file: Path):
    store = OutcomeStore(file)
    store.teach(OUTCOME.run_id, lessons("told"))
    store.teach(OUTCOME.run_id, lessons("told better"))
    assert kept(file) == ["told better"] * 5
    assert store.keep(OUTCOME, lessons("drawn from prices"))
    assert kept(file) == ["told better"] * 5
    assert store.list() == [OUTCOME]


def test_an_outcome_and_its_lessons_are_kept_together_or_not_at_all(file: Path):
    bad = [*lessons()[:3], ("bear_memory", Lesson("x", None, DAY))]  # type: ignore[arg-type]
    with pytest.raises(HomeNotWritable):
        OutcomeStore(file).keep(OUTCOME, bad)
    assert OutcomeStore(file).list() == []
    assert kept(file) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("models", "{'quick': 1}"), ("models", "[1]"), ("agents", "x"), ("agents", "[]"), ("agents", '{"a": 5}')),
        *(("trade_date", "2025-13-45"), ("settled_on", "x"), ("confidence", "x"), ("total_return", "[]")),
        *(("agents", '{"a": {"action": "BUY", "confidence": "x"}}'), ("cohort", "x"), ("added_at", "x")),
    ],
)
def test_a_value_that_no_outcome_has_is_told_with_the_file(file: Path, column: str, value: str):
    store = OutcomeStore(file)
    store.keep(OUTCOME, ())
    store.close()
    with sqlite3.connect(file) as connection:
        connection.execute(f'UPDATE outcomes SET "{column}" = ?', (value,))  # noqa: S608 - a name of ours
    connection.close()
    with pytest.raises(HomeNotWritable, match=r"memory\.sqlite"):
        OutcomeStore(file).list()


def test_a_list_is_of_a_ticker_and_a_day(file: Path):
    store = OutcomeStore(file)
    store.keep(OUTCOME, ())
    store.keep(replace(OUTCOME, run_id="b", ticker="ELMQ", settled_on=date(2025, 5, 1)), ())
    assert [one.run_id for one in store.list()] == ["b", OUTCOME.run_id]
    assert [one.run_id for one in store.list(ticker="ACME")] == [OUTCOME.run_id]
    assert [one.run_id for one in store.list(as_of=DAY)] == [OUTCOME.run_id]
    assert store.list(since=date(2025, 3, 15)) == []


def test_where_nothing_was_settled_nothing_is_made_and_no_database_is_loaded(file: Path):
    code = (
        "import sys\nfrom pathlib import Path\nfrom tradingagents.memory.outcomes import OutcomeStore\n"
        f"store = OutcomeStore(Path({str(file)!r}))\n"
        "assert store.list() == [] and store.knows('x') == (False, False)\n"
        "assert 'sqlalchemy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert not file.exists()


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.memory.test_outcome_store import OUTCOME, lessons
from tradingagents.memory.outcomes import OutcomeStore
store = OutcomeStore(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    kept = store.keep(replace(OUTCOME, run_id=f"run {number}"),
                      [(name, replace(lesson, run_id=f"run {number}")) for name, lesson in lessons()])
    print(kept, flush=True)
"""


def writer(file: Path, count: int) -> WarmProcess:
    process = WarmProcess(["-c", WRITER, str(file), str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_processes_that_settle_the_same_at_once_double_nothing(file: Path):
    writers = [writer(file, 20) for _ in range(3)]
    said = []
    for one in writers:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    for one in writers:
        out, _ = one.communicate(timeout=120)
        assert one.returncode == 0
        said += out.split()
    assert said.count("True") == 20
    assert len(OutcomeStore(file).list()) == 20
    assert len(LessonStore(file).list(most=None)) == 100


@pytest.mark.parametrize("after", [1, 3, 7])
def test_a_kill_leaves_whole_outcomes_and_the_rest_is_kept_next_time(file: Path, after: int):
    process = writer(file, 2000)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    for _ in range(after):
        process.stdout.readline()
    time.sleep(0.003 * after)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    found = {one.run_id for one in OutcomeStore(file).list()}
    taught = [lesson.run_id for _, lesson in LessonStore(file).list(most=None)]
    assert after <= len(found) < 2000
    assert sorted(taught, key=str) == sorted(5 * list(found))
    store = OutcomeStore(file)
    for number in range(len(found) + 2):
        assert store.keep(replace(OUTCOME, run_id=f"run {number}"), ()) == (f"run {number}" not in found)
