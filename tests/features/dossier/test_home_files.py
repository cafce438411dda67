"""Dossiers of runs that read files of the home folder, and dossiers that were made to do harm."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.features.dossier.test_dossier import KEY, offline, ran, sealed
from tests.support.graph_factory import COMPANY, DAY
from tradingagents.errors import TradingAgentsError
from tradingagents.features.compare.kind import COMPARE, CompareRequest
from tradingagents.features.debate.kind import DEBATE, DebateRequest
from tradingagents.features.debate.question_kind import DEBATE_QUESTION, question_about
from tradingagents.features.dossier.archive import BadDossier, pack, unpack
from tradingagents.features.dossier.contents import CARD, REQUEST, VENDORS
from tradingagents.features.dossier.redecide import decide_again
from tradingagents.features.dossier.seal import NotSealable, seal_run
from tradingagents.features.dossier.verify import read_dossier, verify_dossier
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.runtime.runs.session_findings import SessionFindings

FRAMEWORK = """name: my_margins
title: My margins
summary: Margins as I look at them; my key is {key}
words: [my margins]
tasks:
  - description: Margins of {{ticker}}
    calls:
      - capability: get_ttm_analysis
        arguments: {{ticker: "{{ticker}}", curr_date: "{{day}}"}}
"""


def own_framework(home: Path, name: str = "my_margins.yaml") -> Path:
    """Write a framework of the user's into a home folder."""
    path = home / "frameworks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FRAMEWORK.format(key=KEY))
    return path


async def test_own_frameworks_and_what_a_session_found_are_in_the_dossier(tmp_path: Path):
    home, session = tmp_path / "home", "margins-of-2025"
    framework = own_framework(home)
    ask = ResearchRequest(question="Show my margins for VELQ", day=DAY, session=session)
    await ran(offline(home), RESEARCH, ask)
    again = ResearchRequest(question="What are the risks of VELQ?", day=DAY, session=session)
    run, settings = await ran(offline(home), RESEARCH, again)
    await ran(offline(home), RESEARCH, ResearchRequest(question="What did VELQ earn?", day=DAY, session=session))
    assert len(SessionFindings(home, session).known()) == 3

    path = await sealed(tmp_path, run, settings)

    entries = unpack(path).entries
    found = json.loads(entries[f"home/research_sessions/{session}.json"])
    assert [one["question"] for one in found["questions"]] == ["Show my margins for VELQ"]
    assert b"name: my_margins" in entries["home/frameworks/my_margins.yaml"]
    assert KEY.encode() not in path.read_bytes()
    assert (await verify_dossier(path)).problems == ()
    framework.rename(framework.with_name("my margins.yaml"))
    with pytest.raises(NotSealable, match="rename it"):
        await seal_run(run, settings, {})


async def test_a_comparison_and_a_question_about_a_debate_are_recomputed(tmp_path: Path):
    short = {**offline(tmp_path), "analysts": ["market"], "max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
    run, settings = await ran(short, COMPARE, CompareRequest(tickers=(COMPANY, "MODZ"), day=DAY))
    path = await sealed(tmp_path, run, settings)
    assert (await verify_dossier(path)).problems == ()
    assert (await decide_again(read_dossier(path), "offline", {})).differing == ()

    debate, settings = await ran(short, DEBATE, DebateRequest(ticker=COMPANY, day=DAY))
    assert (await verify_dossier(await sealed(tmp_path, debate, settings))).problems == ()
    asked = question_about(tmp_path, debate.run_id, "What would change your mind?")
    run, settings = await ran(short, DEBATE_QUESTION, asked)
    path = await sealed(tmp_path, run, settings)
    assert f"home/runs/{debate.run_id}/run.json" in unpack(path).entries
    (RunIndex(tmp_path).find(debate.run_id).path / "run.json").unlink()
    assert (await verify_dossier(path)).problems == ()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dossier of a small run."""
    import asyncio

    folder = tmp_path_factory.mktemp("small")

    async def made() -> Path:
        run, settings = await ran(offline(folder), RESEARCH, ResearchRequest(question="Margins of VELQ?", day=DAY))
        return await sealed(folder, run, settings)

    return asyncio.run(made())


def forged(source: Path, target: Path, name: str, change: Callable[[Any], Any]) -> Path:
    """Write a dossier with one entry changed and all hashes right."""
    entries = dict(unpack(source).entries)
    value = json.loads(entries[name])
    entries[name] = json.dumps(change(value) or value).encode()
    target.write_bytes(pack(entries, {"run_id": "r"}))
    return target


async def test_a_dossier_writes_only_below_its_own_folder(small: Path, tmp_path: Path):
    inside = tmp_path / "harm"
    path = forged(small, tmp_path / "a.dossier", REQUEST, lambda one: one.update(run_id=f"../../..{inside}"))
    with pytest.raises(BadDossier):
        await verify_dossier(path)
    for name in ("home/filings/documents.sqlite", "home/replies.sqlite", "home/personas/a.yaml", "home/cache/x.json"):
        path.write_bytes(pack({**unpack(small).entries, name: b"x"}, {"run_id": "r"}))
        with pytest.raises(BadDossier, match=name):
            await verify_dossier(path)
    places = {"log_file": str(inside), "results_dir": str(inside), "home": str(inside), "data_dir": str(inside)}
    path = forged(small, path, REQUEST, lambda one: one["settings"].update(places))
    await verify_dossier(path)
    assert not inside.exists()


async def test_settings_of_another_version_and_a_changed_card_are_named(small: Path, tmp_path: Path):
    path = forged(small, tmp_path / "a.dossier", REQUEST, lambda one: one["settings"].update(a_new_setting=1))
    with pytest.raises(BadDossier, match=r"a_new_setting.*sealed with version"):
        await verify_dossier(path)
    path = forged(small, path, CARD, lambda one: one["settings"].update(max_debate_rounds=7))
    (problem,) = (await verify_dossier(path)).problems
    assert problem.where == f"{CARD} settings.max_debate_rounds"


PIECES: tuple[Any, ...] = (None, 0, -1, 1e308, "", "../../x", [], {}, True, [[[]]], {"a": 1}, "2025-13-45", "\ud800")


def changed_somewhere(value: Any, draw: random.Random) -> Any:
    """Return a JSON value with one part of it replaced or left out."""
    holder, key = None, None
    at = value
    while isinstance(at, dict | list) and at and (holder is None or draw.random() < 0.7):
        holder, key = at, draw.choice(list(at)) if isinstance(at, dict) else draw.randrange(len(at))
        at = at[key]
    if isinstance(holder, dict) and draw.random() < 0.3:
        del holder[key]
    elif holder is not None:
        holder[key] = draw.choice(PIECES)
    return value


@pytest.mark.parametrize("seed", range(12))
async def test_a_forged_dossier_is_named_or_recomputed_and_never_breaks(small: Path, tmp_path: Path, seed: int):
    draw = random.Random(seed)  # noqa: S311
    told: list[str] = []
    names = [name for name in unpack(small).entries if name.endswith(".json")]
    for name in (REQUEST, VENDORS, draw.choice(names)):
        path = forged(small, tmp_path / "a.dossier", name, lambda one: changed_somewhere(one, draw))
        try:
            assert (await verify_dossier(path)).recomputed
        except TradingAgentsError as error:
            told.append(str(error))
    assert all(told)
