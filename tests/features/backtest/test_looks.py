"""Which backtests of a home folder are looks at the same idea."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.statistics.selection import Looks, find_looks

ASKED = BacktestRequest(tickers=("AAA", "BBB", "CCC", "DDD"), start=date(2024, 1, 1), end=date(2024, 12, 31))
MODELS = {"deep": "offline/rules"}


def look(home: Path, name: str, tickers: Sequence[str], start: str, end: str, **more: Any) -> None:
    """Write what a look needs of a result."""
    request = {**ASKED.to_json(), "tickers": list(tickers), "start": start, "end": end, **more}
    record = {
        "request": request,
        "models": MODELS,
        "choice": {"variants": ["decisions", "weights_equal"]},
        "strategies": {"decisions": {"ledger": f"{name}-a"}, "weights_equal": {"ledger": f"{name}-b"}},
    }
    folder = home / "backtests" / name
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(json.dumps(record))


def looks_of(home: Path, asked: BacktestRequest = ASKED, own: str = "own") -> Looks:
    return find_looks(home, asked, own, MODELS)


@pytest.mark.parametrize(
    ("tickers", "start", "end", "counts"),
    [
        (ASKED.tickers, "2024-01-02", "2024-12-31", True),
        (ASKED.tickers, "2024-01-01", "2025-01-01", True),
        (("AAA", "BBB", "CCC"), "2024-01-01", "2024-12-31", True),
        ((*ASKED.tickers, "EEE"), "2024-01-01", "2024-12-31", True),
        (("AAA",), "2024-05-06", "2024-05-17", True),  # a piece of the period
        (("aaa",), "2020-01-01", "2029-12-31", True),  # the period is a piece of it
        (("AAA",), "2024-11-25", "2025-11-24", True),  # 37 days of 366, the shorter is 366
        (("AAA",), "2024-11-26", "2025-11-25", False),  # 36 of 366, one short of a tenth
        (("AAA",), "2025-01-01", "2025-12-31", False),
        (("AAA",), "2023-01-01", "2023-12-31", False),
        (("EEE", "FFF"), "2024-01-01", "2024-12-31", False),
    ],
)
def test_periods_that_share_a_tenth_of_the_shorter_and_any_ticker_count(
    tickers: Sequence[str], start: str, end: str, counts: bool, tmp_path: Path
):
    look(tmp_path, "other", tickers, start, end)
    found = looks_of(tmp_path)
    assert (len(found.counted), found.ledgers) == ((1, {"other-a", "other-b"}) if counts else (0, frozenset()))
    assert found.elsewhere == (not counts and "AAA" in tickers)


def test_pieces_of_one_larger_look_count_for_each_other(tmp_path: Path):
    """The whole, cut into four: the last quarter was chosen among five looks."""
    quarters = [("2024-01-01", "2024-03-31"), ("2024-04-01", "2024-06-30"), ("2024-07-01", "2024-09-30")]
    for number, (start, end) in enumerate(quarters):
        look(tmp_path, f"quarter-{number}", ("AAA", "BBB"), start, end)
    last = BacktestRequest(tickers=("AAA", "BBB"), start=date(2024, 10, 1), end=date(2025, 1, 3))
    before = looks_of(tmp_path, last)
    assert (len(before.counted), before.elsewhere) == (0, 3)  # other days, as of a test of another year
    look(tmp_path, "whole", ASKED.tickers, "2024-01-01", "2024-12-31")
    after = looks_of(tmp_path, last)
    assert {one.id for one in after.counted} == {"whole", "quarter-0", "quarter-1", "quarter-2"}
    assert (after.nearest[0].id, after.elsewhere) == ("whole", 0)


def test_the_three_nearest_are_named_with_what_is_other(tmp_path: Path):
    look(tmp_path, "same", ASKED.tickers, "2024-01-01", "2024-12-31", every=3, scheme="equal")
    look(tmp_path, "moved", ASKED.tickers, "2024-01-02", "2024-12-31")
    look(tmp_path, "fewer", ("AAA", "BBB"), "2024-01-01", "2024-12-31")
    look(tmp_path, "half", ("AAA",), "2024-01-01", "2024-06-30", **{"end of": "<script>"})
    look(tmp_path, "own", ASKED.tickers, "2024-01-01", "2024-12-31")  # an earlier result of itself
    found = looks_of(tmp_path)
    assert [one.id for one in found.counted] == ["same", "moved", "fewer", "half"]
    assert [(one.id, one.differs) for one in found.nearest] == [
        ("same", ("every", "weights")),
        ("moved", ("start",)),
        ("fewer", ("2 tickers fewer",)),
    ]
    assert found.nearest[2].shared == ("AAA", "BBB")
    assert [one.trials for one in found.nearest] == [2, 2, 2]


def test_the_same_request_under_another_name_differs_in_settings_or_models(tmp_path: Path):
    look(tmp_path, "same", ASKED.tickers, "2024-01-01", "2024-12-31")
    assert looks_of(tmp_path).nearest[0].differs == ("settings or data",)
    other = find_looks(tmp_path, ASKED, "own", {"deep": "openai/other"})
    assert other.nearest[0].differs == ("models",)


def test_stops_and_targets_that_are_followed_in_one_look_only_are_said(tmp_path: Path):
    """A request leaves `exits` out while it is off, so that a comparison of the fields alone sees no difference."""
    look(tmp_path, "off", ASKED.tickers, "2024-01-01", "2024-12-31")
    followed = replace(ASKED, exits="plan")
    assert looks_of(tmp_path, followed).nearest[0].differs == ("exits",)
    look(tmp_path / "on", "on", ASKED.tickers, "2024-01-01", "2024-12-31", exits="plan")
    assert looks_of(tmp_path / "on").nearest[0].differs == ("exits",)
    assert looks_of(tmp_path / "on", followed).nearest[0].differs == ("settings or data",)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"request": {"tickers": 3}}', "\u0000"])
def test_a_damaged_result_says_nothing(text: str, tmp_path: Path):
    look(tmp_path, "other", ASKED.tickers, "2024-01-01", "2024-12-31")
    (tmp_path / "backtests" / "other" / "result.json").write_text(text)
    assert looks_of(tmp_path) == Looks((), (), 0)
