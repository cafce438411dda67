"""The list of saved backtests: only new results are read; what was listed before comes from the index."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.support.opened_files import opened_files
from tradingagents.capabilities.backtests import SavedBacktests
from tradingagents.kernel.backtests import with_saved_backtests
from tradingagents.settings import load_settings
from tradingagents.store.atomic import UnreadableFile

GOLDEN = Path(__file__).parents[1] / "golden" / "backtest" / "result.json"
COUNT = 40


def saved(home: Path, number: int) -> Path:
    folder = home / "backtests" / f"b-{number:03}"
    folder.mkdir(parents=True)
    record = {**json.loads(GOLDEN.read_text("utf-8")), "id": folder.name}
    (folder / "result.json").write_text(json.dumps(record), "utf-8")
    return folder / "result.json"


def listed(home: Path) -> tuple[list[str], list[str]]:
    """Return the ids of the list, and the files that were opened for it."""
    question = SavedBacktests(as_of=date(2025, 1, 2), source="test", fetched_at=datetime.now(UTC))
    with opened_files() as files:
        found = with_saved_backtests(question, load_settings({"home": home}, environ={}))
    assert isinstance(found, SavedBacktests)
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
    for _ in range(2):
        with pytest.raises(UnreadableFile, match="no result of a backtest"):
            listed(tmp_path)
    new.unlink()
    assert listed(tmp_path)[0] == again
