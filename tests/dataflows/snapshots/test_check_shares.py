"""A check names what makes a valuation wrong by a split's ratio, and windows that do not hold what they say."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.snapshot_folder import LAST, write_snapshot
from tradingagents.dataflows.models import Split, Statement
from tradingagents.dataflows.snapshots.check import check_folder
from tradingagents.dataflows.snapshots.check_fields import CheckFindings
from tradingagents.dataflows.snapshots.check_statements import check_shares, check_spans
from tradingagents.dataflows.vendors.snapshot.prices import Actions

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SPAN = (date(2023, 1, 3), date(2025, 6, 30))
ENDS = [date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30), date(2024, 12, 31)]


def statements(*counts: float, restated: bool = False, source: str = "books") -> list[Statement]:
    return [
        Statement(
            symbol="ACME",
            kind="income",
            frequency="quarterly",
            fiscal_year=2024,
            fiscal_period=f"Q{index + 1}",
            period_end=end,
            known_at=datetime(end.year, end.month, end.day, 20, tzinfo=UTC) + timedelta(days=30),
            currency="USD",
            source=source,
            items={"net_income": 100.0, "shares_diluted": count, "eps_diluted": 100.0 / count},
            shares_as_of=NOW if restated else None,
        )
        for index, (end, count) in enumerate(zip(ENDS, counts, strict=False))
    ]


def found(rows: list[Statement], *splits: Split, span: tuple[date, date] = SPAN) -> list[str]:
    findings = CheckFindings()
    check_shares({"ACME": rows}, {"ACME": Actions(splits)}, {"ACME": span}, findings)
    return [f"{one.level} {one.text}" for one in findings.all()]


def test_a_count_that_jumps_without_a_split_is_an_error():
    (error,) = found(statements(500.0, 505.0, 10_080.0, 10_100.0))
    assert error.startswith("error share counts that jump like a split which actions.csv lacks")
    assert error.endswith("ACME 20 for 1 between 2024-06-30 and 2024-09-30.")


def test_a_count_in_another_unit_is_an_error_of_its_own():
    rows = [
        replace(row, items={"shares_diluted": row.items["shares_diluted"]}) for row in statements(500e6, 505e6, 506e3)
    ]
    (error,) = found(rows)
    assert error.startswith("error share counts that jump further than any split: one of the two is in another unit")


def test_a_listed_split_explains_the_jump_of_counts_as_filed():
    assert found(statements(500.0, 505.0, 10_080.0, 10_100.0), Split(date(2024, 8, 15), 20.0)) == []


def test_a_source_that_restates_must_not_jump_at_all():
    assert (
        found(statements(10_000.0, 10_050.0, 10_080.0, 10_100.0, restated=True), Split(date(2024, 8, 15), 20.0)) == []
    )
    assert len(found(statements(500.0, 505.0, 10_080.0, restated=True), Split(date(2024, 8, 15), 20.0))) == 1


def test_growth_is_no_split_and_a_jump_before_the_first_price_is_none_of_ours():
    assert found(statements(500.0, 570.0, 690.0, 800.0)) == []
    assert found(statements(500.0, 505.0, 10_080.0, 10_100.0), span=(date(2024, 9, 1), SPAN[1])) == []


@pytest.mark.parametrize(("recorded", "level"), [(SPAN[1], "error"), (date(2025, 11, 1), "warning")])
def test_series_that_end_early_and_splits_after_the_window_are_errors(recorded: date, level: str):
    """A folder that was recorded after the split has prices that the source had adjusted for it."""
    findings = CheckFindings()
    spans = {"ACME": SPAN, "BRK": (SPAN[0], date(2024, 6, 7)), "^DJI": (SPAN[0], date(2024, 6, 7))}
    late = {"ACME": Actions((Split(date(2025, 10, 3), 10.0),)), "NONE": Actions((Split(date(2025, 10, 3), 2.0),))}
    check_spans(late, spans, SPAN[1], recorded, findings)
    found = sorted((one.level, one.examples) for one in findings.all())
    early = [("error", ("BRK 2024-06-07",)), ("warning", ("^DJI 2024-06-07",))]
    assert found == sorted([*early, (level, ("ACME 10 for 1 on 2025-10-03",))])


@pytest.mark.parametrize("listed", [True, False])
def test_a_folder_without_a_list_of_splits_is_told(tmp_path: Path, listed: bool):
    folder = write_snapshot(tmp_path / "f", last=LAST)
    if not listed:
        (folder / "actions.csv").unlink()
    texts = [one.text for one in check_folder(folder, now=lambda: NOW).findings if one.file == "actions.csv"]
    assert (texts == ["it is missing, so that no price is known to be as traded."]) is not listed
