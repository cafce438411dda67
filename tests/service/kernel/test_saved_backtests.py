"""The list of saved backtests: only new results are read; what was listed before comes from the index."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.support.opened_files import opened_files
from tradingagents.features.backtest.capabilities.backtests import SavedBacktests
from tradingagents.files.atomic import UnreadableFile
from tradingagents.service.kernel.backtests import with_saved_backtests
from tradingagents.settings import load_settings

GOLDEN = Path(__file__).parents[2] / "golden" / "backtest" / "result.json"
COUNT = 40


def saved(home: Path, number: int) -> Path:
    folder = home / "backtests" / f"b-{number:03}"
    folder.mkdir(parents=True)
    record = {**json.loads(GOLDEN.read_text("utf-8")), "id": folder.name}
    (folder / "result.json").write_text(json.dumps(record), "utf-8")
    return folder / "result.json"


def answered(home: Path, wanted: str = "") -> SavedBacktests:
    question = SavedBacktests(as_of=date(2025, 1, 2), source="test", fetched_at=datetime.now(UTC), wanted=wanted)
    found = with_saved_backtests(question, load_settings({"home": home}, environ={}))
    assert isinstance(found, SavedBacktests)
    return found


def listed(home: Path) -> tuple[list[str], list[str]]:
    """Return the ids of the list, and the files that were opened for it."""
    with opened_files() as files:
        found = answered(home)
    return [one.backtest for one in found.backtests], [one for one in files if one.startswith(str(home / "backtests"))]


def test_only_new_results_are_read(tmp_path: Path):
    paths = [saved(tmp_path, number) for number in range(COUNT)]
    names, opened = listed(tmp_path)
    assert sorted(names) == [path.parent.name for path in paths]
    assert {str(path) for path in paths} <= set(opened)
    again, opened = listed(tmp_path)
    assert (again, [Path(one).name for one in opened]) == (names, ["index.json"])

    new = saved(tmp_path, COUNT)
    names, opened = listed(tmp_path)
    assert names[0] == new.parent.name
    assert [one for one in opened if one.endswith("result.json")] == [str(new)]
    new.write_text("{}", "utf-8")  # of an earlier version
    assert listed(tmp_path)[0] == again
    new.write_text('{"verdict": ""}', "utf-8")
    assert [listed(tmp_path)[0] for _ in range(2)] == [again, again]
    new.unlink()
    assert listed(tmp_path)[0] == again


def test_a_damaged_result_is_named_and_the_others_are_listed(tmp_path: Path):
    for number in range(2):
        saved(tmp_path, number)
    saved(tmp_path, 2).write_text('{"verdict": ""}', "utf-8")
    found = answered(tmp_path)
    assert len(found.backtests) == 2
    assert "backtests/b-002/result.json" in found.body()
    assert "no result of a backtest" in found.body()
    assert answered(tmp_path, "b-001").report
    with pytest.raises(UnreadableFile, match=r"b-002.*no result of a backtest"):
        answered(tmp_path, "b-002")
