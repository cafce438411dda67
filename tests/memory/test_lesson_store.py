"""Lessons outlive the process, are shared by several, and are forgotten everywhere once they are forgotten."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from tests.support.warm import WarmProcess
from tradingagents.errors import HomeNotWritable
from tradingagents.files.database import DatabaseUnreachable
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.situations import FinancialSituationMemory

RISING = "revenue growth accelerates while margins expand and the stock trades above its 200 day average"
DEBT = "heavy debt with rising interest expense and shrinking free cash flow in a slowing industry"
DAY = date(2024, 1, 2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "memory.sqlite"


def test_what_one_process_learned_the_next_one_knows(file: Path):
    FinancialSituationMemory("bull_memory", LessonStore(file)).add_situations([(RISING, "let it run")], settled_on=DAY)
    again = FinancialSituationMemory("bull_memory", LessonStore(file))
    assert len(again) == 1
    (match,) = again.get_memories(RISING, as_of=DAY)
    assert (match["recommendation"], match["similarity_score"]) == ("let it run", 1.0)
    assert again.get_memories(RISING, as_of=date(2024, 1, 1)) == []


def test_memories_keep_to_themselves(file: Path):
    store = LessonStore(file)
    FinancialSituationMemory("bull_memory", store).add_situations([(RISING, "let it run")], settled_on=DAY)
    assert FinancialSituationMemory("bear_memory", store).get_memories(RISING) == []


def test_a_lesson_is_seen_by_a_memory_that_was_open_already(file: Path):
    reader = FinancialSituationMemory("bull_memory", LessonStore(file))
    assert reader.get_memories(RISING) == []
    writer = FinancialSituationMemory("bull_memory", LessonStore(file))
    for count in range(1, 4):
        writer.add_situations([(RISING, f"lesson {count}")], settled_on=DAY)
        assert len(reader.get_memories(RISING, 9)) == count


def test_what_is_forgotten_is_gone_for_everyone_and_its_number_is_not_given_again(file: Path):
    store = LessonStore(file)
    memory = FinancialSituationMemory("bull_memory", store)
    memory.add_lessons([Lesson(RISING, "wrong", DAY, ticker="ACMQ"), Lesson(DEBT, "stay away", DAY)])
    ((_, kept), (_, wrong)) = store.list(memory="bull_memory")
    assert (kept.recommendation, wrong.ticker, wrong.id) == ("stay away", "ACMQ", 1)
    assert memory.get_memories(RISING)[0]["recommendation"] == "wrong"
    assert LessonStore(file).forget([1, 99]) == 1
    assert memory.get_memories(RISING) == []
    assert len(memory) == 1
    memory.add_situations([(RISING, "right")], settled_on=DAY)
    assert memory.get_memories(RISING)[0]["recommendation"] == "right"
    assert store.list(memory="bull_memory")[0][1].id == 3


def test_a_list_is_of_a_memory_a_ticker_and_a_day(file: Path):
    store = LessonStore(file)
    store.add("bull_memory", [Lesson(RISING, "a", date(2024, 1, 2), "ACMQ"), Lesson(RISING, "b", date(2024, 3, 1))])
    store.add("bear_memory", [Lesson(DEBT, "c", date(2024, 2, 1), "ACMQ")])
    assert [one.recommendation for _, one in store.list()] == ["b", "c", "a"]
    assert [one.recommendation for _, one in store.list(ticker="ACMQ")] == ["c", "a"]
    assert [one.recommendation for _, one in store.list(as_of=date(2024, 2, 1), most=1)] == ["c"]
    assert [name for name, _ in store.list(memory="bear_memory")] == ["bear_memory"]


WRITER = """
import sys
from datetime import date
from pathlib import Path
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.situations import FinancialSituationMemory
memory = FinancialSituationMemory("bull_memory", LessonStore(Path(sys.argv[1])))
for number in range(60):
    memory.add_situations([(f"writer {sys.argv[2]} number{number}", "x")], settled_on=date(2024, 1, 2))
    memory.get_memories(f"writer number{number}")
"""


def test_processes_that_write_at_once_lose_nothing(file: Path):
    writers = [WarmProcess(["-c", WRITER, str(file), str(number)], stderr=subprocess.PIPE) for number in range(4)]
    for writer in writers:
        _, shown = writer.communicate(timeout=120)
        assert (writer.returncode, shown) == (0, "")
    lessons = [one.situation for _, one in LessonStore(file).list(most=1000)]
    assert sorted(lessons) == sorted(f"writer {who} number{number}" for who in range(4) for number in range(60))


def test_lessons_of_one_call_are_kept_together_or_not_at_all(file: Path):
    store = LessonStore(file)
    with pytest.raises(HomeNotWritable):
        store.add("bull_memory", [Lesson(RISING, "kept?", DAY), Lesson(RISING, None, DAY)])  # type: ignore[arg-type]
    assert store.list() == []


def test_a_file_that_is_no_database_is_named(file: Path):
    file.parent.mkdir()
    file.write_text("no database", encoding="utf-8")
    with pytest.raises(HomeNotWritable, match=r"memory\.sqlite .* unlock that file or put a copy of it back"):
        LessonStore(file).list()


@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://me:SECRET-word@127.0.0.1:1/x", "nonsense://me:SECRET-word@host/x", "SECRET"]
)
def test_a_database_that_cannot_be_reached_is_named_without_its_password(url: str):
    with pytest.raises(DatabaseUnreachable, match="check the address and the server") as caught:
        LessonStore(url).list()
    assert "SECRET-word" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_without_a_lesson_nothing_is_made_and_no_database_is_loaded(file: Path):
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from tradingagents.memory.lesson_store import LessonStore\n"
        "from tradingagents.memory.situations import FinancialSituationMemory\n"
        f"memory = FinancialSituationMemory('bull_memory', LessonStore(Path({str(file)!r})))\n"
        "assert memory.get_memories('anything') == [] and len(memory) == 0\n"
        "assert 'sqlalchemy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert not file.exists()
