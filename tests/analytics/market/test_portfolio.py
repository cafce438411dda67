"""Form 13F reports combined by hand: amendments, share classes, changes, splits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from tradingagents.analytics.market.portfolio import InvestorPortfolio, portfolio
from tradingagents.dataflows.models import Holding, HoldingsReport
from tradingagents.errors import NoData

Q3, Q4 = date(2024, 9, 30), date(2024, 12, 31)
NOW = datetime(2025, 3, 14, 20, tzinfo=UTC)


def line(name: str, value: float, shares: float, **more: Any) -> Holding:
    return Holding(name, more.pop("title", "COM"), name.upper()[:9], more.pop("kind", "shares"), value, shares, **more)


def report(end: date, *lines: Holding, days: int = 45, amendment: Any = None, number: int = 0) -> HoldingsReport:
    known = datetime(end.year, end.month, end.day, 21, tzinfo=UTC) + timedelta(days=days)
    form = "13F-HR/A" if amendment else "13F-HR"
    return HoldingsReport("LARK LP", 7, end, known, known.date(), f"{end}-{days}-{number}", form, lines, amendment)


def made(*reports: HoldingsReport, limit: int = 20) -> InvestorPortfolio:
    return portfolio(reports, as_of=date(2025, 3, 14), limit=limit, source="x", fetched_at=NOW)


def changes(found: InvestorPortfolio) -> dict[str, tuple[str, float | None]]:
    rows: Sequence[Any] = (*found.positions, *found.options, *found.sold_out)
    return {f"{row.issuer} {row.kind}": (row.change, row.change_pct) for row in rows}


def test_changes_to_the_quarter_before():
    found = made(
        report(Q3, line("a", 100, 10), line("b", 50, 10), line("c", 40, 4), line("gone", 30, 3)),
        report(Q4, line("a", 150, 15), line("b", 25, 5), line("c", 45, 4), line("d", 80, 8)),
    )
    assert changes(found) == {
        "a shares": ("added", pytest.approx(50)),
        "b shares": ("reduced", pytest.approx(-50)),
        "c shares": ("unchanged", pytest.approx(0)),
        "d shares": ("new", None),
        "gone shares": ("sold out", -100.0),
    }
    assert [row.issuer for row in found.positions] == ["a", "d", "c", "b"]
    assert [row.share_pct for row in found.positions] == pytest.approx([50, 26.666667, 15, 8.333333])
    assert (found.total_value, found.total_before, found.period_before) == (300, 220, Q3)
    assert {figure.name: figure.value for figure in found.figures()}["positions_new"] == 1


def test_a_restatement_replaces_and_new_holdings_are_added():
    found = made(
        report(Q4, line("wrong", 999, 9)),
        report(Q4, line("a", 100, 10), days=50, amendment="restatement"),
        report(Q4, line("b", 60, 6), line("a", 20, 2), days=60, amendment="new_holdings"),
    )
    assert [(row.issuer, row.value, row.shares) for row in found.positions] == [("a", 120, 12), ("b", 60, 6)]
    assert found.amendments == 2
    assert found.filed_on == Q4 + timedelta(days=60)
    assert any("2 amendment(s) are included" in note for note in found.notes)
    later = made(
        report(Q4, line("a", 1, 1)),
        report(Q4, line("b", 60, 6), days=50, amendment="new_holdings"),
        report(Q4, line("c", 70, 7), days=60, amendment="restatement"),
    )
    assert [row.issuer for row in later.positions] == ["c"], "a restatement also replaces what was added before it"


def test_an_addition_to_an_unknown_report_is_no_portfolio():
    with pytest.raises(NoData, match="No report of holdings had been accepted by 2025-03-14"):
        made(report(Q4, line("b", 60, 6), amendment="new_holdings"))
    found = made(report(Q3, line("a", 1, 1)), report(Q4, line("b", 60, 6), amendment="new_holdings"))
    assert found.period_end == Q3


def test_lines_of_one_security_are_summed_and_options_kept_apart():
    found = made(
        report(Q3, line("a", 10, 1, kind="put")),
        report(
            Q4,
            line("a", 100, 10),
            line("a", 50, 5),
            line("a", 40, 4, kind="put"),
            line("a", 30, 3, kind="call"),
            line("bond", 20, 25, kind="principal"),
        ),
    )
    assert [(row.issuer, row.kind, row.value) for row in found.positions] == [
        ("a", "shares", 150),
        ("bond", "principal", 20),
    ]
    assert [(row.kind, row.value, row.share_pct, row.change) for row in found.options] == [
        ("put", 40, None, "added"),
        ("call", 30, None, "new"),
    ]
    assert found.total_value == 170
    assert "### Options" in found.body()


@pytest.mark.parametrize(
    ("before", "now", "change", "split"),
    [
        ((1000, 10), (1100, 100), "unchanged", 10),  # 100 a share, then 11: ten for one
        ((1000, 10), (1320, 120), "added", 10),
        ((1000, 100), (1000, 10), "unchanged", 0.1),
        ((903.6e6, 1e6), (1235.4e6, 1e7), "unchanged", 10),  # with a rise of 37 % in the quarter of the split
        ((1000, 10), (1300, 20), "added", None),  # bought as much again while the price fell by a third
        ((1000, 10), (2000, 20), "added", None),  # the price stood still: bought
        ((1000, 10), (500, 10), "unchanged", None),  # the price halved
    ],
)
def test_a_split_between_two_reports_is_no_purchase(before: Any, now: Any, change: str, split: float | None):
    found = made(report(Q3, line("a", *before)), report(Q4, line("a", *now)))
    (row,) = found.positions
    assert (row.change, row.split) == (change, split)
    assert any("split" in note for note in found.notes) == (split is not None)


def test_without_the_quarter_before_nothing_is_called_new():
    found = made(report(date(2024, 6, 30), line("a", 5, 5)), report(Q4, line("a", 1, 1), line("b", 2, 2)))
    assert {row.change for row in found.positions} == {"unknown"}
    assert (found.period_before, found.total_before, found.sold_out) == (None, None, ())
    assert any("changes are not computed" in note for note in found.notes)


def test_values_that_look_like_thousands_are_doubted():
    cheap = [line(f"s{number}", 0.05 * number, number) for number in range(1, 7)]
    assert any("thousands" in note for note in made(report(Q4, *cheap)).notes)
    dear = [line(f"s{number}", 50.0 * number, number) for number in range(1, 7)]
    assert not any("thousands" in note for note in made(report(Q4, *dear)).notes)


def test_the_tables_are_cut_and_say_so():
    found = made(report(Q4, *(line(f"s{number}", 100.0 + number, 1) for number in range(9))), limit=3)
    assert len(found.positions) == 9
    assert "The largest 3 of 9 positions are listed." in found.notes
    assert found.to_markdown().count("| s") == 3


def test_names_from_outside_cannot_form_tables():
    found = made(report(Q4, line("A | B\n# C <script>", 5, 5)))
    assert "A / B # C ‹script›" in found.to_markdown()  # noqa: RUF001
