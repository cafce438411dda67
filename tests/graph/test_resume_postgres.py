"""A killed run goes on from steps kept in Postgres, as it does from a file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.graph_factory import COMPANY, DAY
from tests.support.kill_resume import (
    ROLES,
    Server,
    Whole,
    boundaries,
    inside,
    kill_and_go_on,
    named,
    uninterrupted,
)
from tests.support.postgres import postgres
from tests.support.tiers import sampled
from tradingagents.files.database import DatabaseUnreachable
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as running:
        yield running


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def whole(server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Whole]:
    return {kind: uninterrupted(kind, server, tmp_path_factory.mktemp(kind)) for kind in ("trading", "scan")}


def offline(home: Path, **more: Any) -> TradingAgentsGraph:
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **more}
    return TradingAgentsGraph(config=config)


MOMENTS = [(kind, moment) for kind in ROLES for moment in (*inside(kind)[::7], *boundaries(kind)[::6])]


@pytest.mark.parametrize(
    ("kind", "moment"), sampled(MOMENTS, every=14, name=lambda case: f"{case[0]}-{named(case[1])}")
)
def test_a_killed_run_goes_on(
    kind: str, moment: dict[str, Any], url: str, server: Server, tmp_path: Path, whole: dict[str, Whole]
):
    kill_and_go_on(kind, moment, server, tmp_path, whole[kind], database_url=url)
    assert kept_steps(url) == 0
    assert not list(tmp_path.rglob("checkpoints.sqlite"))


def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path):
    graph = offline(tmp_path, database_url="postgresql+psycopg://me:hunter2@127.0.0.1:1/none")
    with pytest.raises(DatabaseUnreachable, match=r"127\.0\.0\.1:1/none.*TRADINGAGENTS_DATABASE_URL") as raised:
        graph.run(COMPANY, DAY)
    assert "hunter2" not in str(raised.value)
    written = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*") if path.suffix in (".json", ".jsonl"))
    assert "none" in written
    assert "hunter2" not in written


def test_many_runs_make_the_tables_of_a_new_database_together(tmp_path: Path):
    with postgres() as new:

        async def runs() -> None:
            graphs = [offline(tmp_path / str(number), database_url=new) for number in range(6)]
            await asyncio.gather(*(graph.arun(COMPANY, DAY) for graph in graphs))

        asyncio.run(runs())
        assert kept_steps(new) == 0


def kept_steps(url: str) -> int:
    import psycopg

    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        (number,) = connection.execute("SELECT count(*) FROM checkpoints").fetchone() or (None,)
    assert isinstance(number, int)
    return number


def test_lessons_live_there_too(url: str):
    store = LessonStore(url)
    store.add(
        "bull_memory", [Lesson("oil falls", "sell", date(2024, 1, 2)), Lesson("oil rises", "buy", date(2024, 5, 2))]
    )
    ((memory, lesson),) = LessonStore(url).list(memory="bull_memory", as_of=date(2024, 2, 1))
    assert (memory, lesson.situation, lesson.settled_on) == ("bull_memory", "oil falls", date(2024, 1, 2))
    assert lesson.id is not None
    assert store.forget([lesson.id]) == 1
    left = {one.situation for _, one in store.list(memory="bull_memory")}
    assert "oil rises" in left
    assert "oil falls" not in left


def test_decisions_are_settled_there_once_by_processes_that_settle_together(tmp_path: Path, url: str):
    for home in ("one", "two"):
        offline(tmp_path / home, database_url=url).run(COMPANY, "2024-03-15")

    async def settle() -> list[int]:
        graphs = [offline(tmp_path / home, database_url=url) for home in ("one", "one", "two")]
        found = await asyncio.gather(*(graph.asettle("2025-03-14") for graph in graphs))
        return [len(one.outcomes) for one in found]

    assert sum(asyncio.run(settle())) == 2
    drawn = [(memory, lesson.run_id) for memory, lesson in LessonStore(url).list(most=1000) if lesson.run_id]
    assert len(drawn) == len(set(drawn)) == 10
    run = offline(tmp_path / "two", database_url=url).run(COMPANY, "2025-01-10")
    assert len(run.record["lessons_used"]) == 5
