"""Two processes at work under one home: nothing is lost, damaged or doubled, and nobody hears of a lock."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.support.graph_factory import COMPANY
from tests.support.tiers import sampled
from tests.support.warm import WarmProcess
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.situations import MEMORY_NAMES

WORK = """
import sys
from datetime import date
from tradingagents.graph.trading_graph import TradingAgentsGraph

home, name, *days = sys.argv[1:]
config = {"llm_provider": "offline", "data_vendor": "simulated", "home": home, "keep_replies": True}
graph = TradingAgentsGraph(config=config)
for number, day in enumerate(days):
    for memory in graph.memories.values():
        memory.add_situations([(f"{name} {number} crude oil falls", f"{name} {number}")], settled_on=date(2020, 1, 1))
    run = graph.run("COMPANY", day)
    assert run.record["status"] == "done", run.record
""".replace("COMPANY", COMPANY)


DAYS = ("2024-01-05", "2024-03-08", "2024-06-14", "2024-12-13")


@pytest.mark.parametrize("days", sampled([(DAYS[::3],), (DAYS,)], every=2))
def test_two_processes_share_a_home(tmp_path: Path, days: tuple[str, ...]):
    processes = [
        WarmProcess(["-c", WORK, str(tmp_path), name, *days], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for name in ("one", "two")
    ]
    said = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert not any("locked" in text.lower() for pair in said for text in pair)
    cards = [json.loads(path.read_text("utf-8")) for path in tmp_path.glob("runs/*/run.json")]
    assert sorted(card["trade_date"] for card in cards) == sorted(2 * days)
    assert not any("lock" in warning for card in cards for warning in card["warnings"])
    store = LessonStore(tmp_path / "memory.sqlite")
    expected = {f"{name} {number}" for name in ("one", "two") for number in range(len(days))}
    for memory in MEMORY_NAMES:
        told = [lesson.recommendation for _, lesson in store.list(memory=memory) if "crude" in lesson.situation]
        assert sorted(told) == sorted(expected)
    # What the two had decided was settled by whichever came first, once.
    drawn = [(memory, lesson.run_id) for memory, lesson in store.list(most=1000) if lesson.run_id]
    assert len(drawn) == len(set(drawn)) > 0
    for database in (*tmp_path.glob("*.sqlite"), *tmp_path.glob("*.db")):
        with sqlite3.connect(database) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
