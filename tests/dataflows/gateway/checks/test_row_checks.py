"""Rows of every kind: fields of their declared type, numbers of this world; what cannot be is emptied or left out."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, date, datetime
from typing import Any, get_type_hints

import pytest

from tradingagents.dataflows.gateway.checks.row_checks import check_row
from tradingagents.dataflows.gateway.faults import Fault, summarised
from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    Filing,
    InsiderTransaction,
    MacroObservation,
    Mover,
    NewsItem,
    Profile,
    Ratios,
    SectorMember,
    SocialPost,
    Statement,
)

DAY, AT = date(2025, 3, 14), datetime(2025, 3, 14, 20, tzinfo=UTC)
STATEMENT = Statement(
    "ACMQ", "income", "quarterly", 2024, "Q4", date(2024, 12, 31), AT, "USD", "made", {"revenue": 1e9, "eps_diluted": 2}
)
ROWS = (
    STATEMENT,
    NewsItem("Title", AT, AT, "Paper", "Words", "https://a.invalid", "ACMQ"),
    InsiderTransaction("ACMQ", "A. Person", "CEO", "buy", 100.0, 5e4, DAY, AT),
    SocialPost("ACMQ", "Words", AT, AT, "reddit", "author", "stocks", "bullish", 3, 4, "https://b.invalid", AT),
    Filing("ACMQ", "8-K", AT, DAY, "1-2", "https://c.invalid", "Title", DAY, ("2.02",)),
    EarningsEvent("ACMQ", "Acme", DAY, AT, DAY, "Q4", 1.0, 1.1, 1e9),
    EconomicEvent("CPI", DAY, AT, "2025-02", 2.8, 3.0, 2.9),
    MacroObservation(DAY, 4.2, AT),
    Mover("ACMQ", "Acme", 10.0, 5.0, 1e6, AT, 1e9, "technology"),
    SectorMember("ACMQ", "Acme", "Widgets", "Buy", 5.0, AT),
    Ratios("ACMQ", {"pe_trailing": 20.0}, "made", AT, business="Makes widgets."),
    Profile("ACMQ", "Acme", "stock", "technology", "Widgets", "XNYS", listing="XNAS"),
)
WRONG: tuple[Any, ...] = (float("nan"), float("inf"), 10**400, 1e308, ["list"], {"a": 1}, True, b"bytes", "\x1b[31m")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: type(row).__name__)
def test_a_good_row_is_returned_as_it_is(row: Any):
    kept, faults = check_row(row)
    assert kept is row
    assert faults == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: type(row).__name__)
def test_no_value_of_any_field_raises_or_gets_through(row: Any):
    hints = get_type_hints(type(row))
    for field in fields(row):
        if isinstance(row, Profile) and field.name == "symbol":  # the one that was asked about
            continue
        for wrong in WRONG:
            kept, faults = check_row(replace(row, **{field.name: wrong}))
            assert all(len(fault.text()) < 200 and "\x1b" not in fault.text() for fault in faults)
            if not faults:
                assert _may_be(wrong, str(hints[field.name])), f"{field.name}: {wrong!r}"
            if kept is not None and hints[field.name] is float:
                assert abs(getattr(kept, field.name)) < 1e18


def _may_be(wrong: Any, declared: str) -> bool:
    """Tell whether a value of `WRONG` can stand in a field all the same."""
    if isinstance(wrong, str):
        return "str" in declared
    if isinstance(wrong, dict):
        return "Mapping" in declared
    return isinstance(wrong, bool) and "bool" in declared


def test_of_a_statement_single_items_are_left_out():
    kept, faults = check_row(replace(STATEMENT, items={"revenue": float("inf"), "net_income": 5.0}))
    assert kept is not None
    assert kept.items == {"net_income": 5.0}
    assert [fault.text() for fault in faults] == ["ACMQ 2024-12-31: revenue is inf"]


def test_a_statement_filed_before_its_period_ended_is_left_out():
    assert check_row(replace(STATEMENT, known_at=datetime(2024, 11, 3, tzinfo=UTC)))[0] is None


def test_a_field_that_may_be_empty_is_emptied():
    kept, faults = check_row(replace(ROWS[1], source=["x"]))
    assert kept == replace(ROWS[1], source=None)
    assert faults[0].done == "the row is used without its source"


def test_a_profile_is_never_left_out():
    wrong = Profile(
        symbol="ACMQ", name=7, kind="thing", sector="magic", industry=[], exchange="MOON", currency="$", listing="MOON"
    )  # type: ignore[arg-type]
    kept, faults = check_row(wrong)
    assert kept == Profile("ACMQ", "ACMQ", "stock", None, None, "XNYS", "USD")
    assert len(faults) == 7


def test_many_faults_are_counted():
    faults = [(Fault("ACMQ", DAY, f"close is {value}", "the bar is left out"), "") for value in range(5)]
    (sentence,) = summarised(faults)
    assert sentence.startswith("ACMQ 2025-03-14: close is 0; ")
    assert sentence.endswith(" and 2 more; the bar is left out (docs/reference/data-faults.md#invalid-value).")


@pytest.mark.parametrize("title", ["", "  ", "[Removed]", "[deleted]", "N/A", "...", "\u00a0\u200b"])
def test_an_article_without_a_title_is_left_out_and_named(title: str):
    article = replace(ROWS[1], title=title)
    kept, faults = check_row(article)
    assert kept is None
    assert [(fault.kind, fault.day) for fault in faults] == [("invalid-value", AT.date())]
    assert "has no title" in faults[0].reason


@pytest.mark.parametrize("title", ["Removed from the index", "4", "日本"])
def test_a_short_title_is_one(title: str):
    article = replace(ROWS[1], title=title)
    assert check_row(article) == (article, [])


def test_results_filed_before_their_period_ended_are_left_out():
    row, (fault,) = check_row(EarningsEvent("ACMQ", "Acme", DAY, AT, date(2025, 3, 31), "Q1", 1.0))
    assert row is None
    assert fault.what == "it was filed on 2025-03-14, before its period to 2025-03-31 ended"
    announced = EarningsEvent("ACMQ", "Acme", DAY, AT, date(2025, 3, 31), "Q1")
    assert check_row(announced) == (announced, [])
