"""Guidance as a question: of the stored documents that were known by the day, and of no later one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.retrieval.guidance.calls import COMPANY, call
from tradingagents.capabilities.guidance import guidance, guidance_record
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import UsageError
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

SAID = {
    1: ("2024-01-30", "For fiscal 2024, we expect revenue of $1.30 billion to $1.40 billion."),
    2: ("2024-04-30", "For fiscal 2024, we expect revenue of $1.40 billion to $1.45 billion."),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    settings = load_settings({"data_vendor": "simulated", "home": str(tmp_path)}, environ={})
    with open_store(settings) as store:
        for quarter, (day, sentence) in SAID.items():
            store.add(call(2024, quarter, day, sentence))
    return tmp_path


def market(home: Path, day: str) -> MarketData:
    settings = load_settings({"data_vendor": "simulated", "home": str(home)}, environ={})
    return MarketData(settings, date.fromisoformat(day))


def test_a_revision_is_not_known_before_it_is_said(home: Path) -> None:
    before, after = (guidance.ask(market(home, day), ticker=COMPANY) for day in ("2024-04-29", "2024-05-02"))
    assert [(row.low, row.revision) for row in before.statements] == [(1.3e9, "first")]
    assert before.documents == 1
    assert [(row.low, row.revision) for row in after.statements] == [(1.3e9, "first"), (1.4e9, "raised")]
    assert after.statements[1].quote == SAID[2][1]


def test_a_record_names_why_nothing_is_compared(home: Path) -> None:
    record = guidance_record.ask(market(home, "2024-05-02"), ticker=COMPANY, item="revenue")
    assert record.compared == 0
    assert [row.said_in[-10:] for row in record.outcomes] == ["2024-04-30"]
    assert record.outcomes[0].reason


def test_a_company_without_documents_has_no_guidance_and_an_unknown_item_is_refused(home: Path) -> None:
    assert guidance.ask(market(home, "2024-05-02"), ticker="NOSUCH").statements == ()
    with pytest.raises(UsageError, match=r"name one of .*revenue"):
        guidance.ask(market(home, "2024-05-02"), ticker=COMPANY, item="happiness")


def test_a_document_is_read_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = guidance.ask(market(home, "2024-05-02"), ticker=COMPANY)

    def refuse(_document: object) -> bytes:
        raise AssertionError("read again")

    monkeypatch.setattr("tradingagents.retrieval.guidance.statements.encode_reading", refuse)
    again = guidance.ask(market(home, "2024-05-02"), ticker=COMPANY)
    assert again.statements == first.statements
    monkeypatch.setattr("tradingagents.retrieval.guidance.statements.GUIDANCE_VERSION", 999)
    with pytest.raises(AssertionError, match="read again"):
        guidance.ask(market(home, "2024-05-02"), ticker=COMPANY)


def test_an_item_is_named_in_the_words_of_the_company(home: Path) -> None:
    with open_store(load_settings({"data_vendor": "simulated", "home": str(home)}, environ={})) as store:
        store.add(call(2024, 3, "2024-07-30", "For fiscal 2024, we expect development starts of $4 billion."))
    found = guidance.ask(market(home, "2024-08-02"), ticker=COMPANY, item="development starts")
    assert [(row.item, row.low) for row in found.statements] == [("development starts", 4e9)]


def test_what_came_of_guidance_is_not_known_before_it_is_reported(tmp_path: Path) -> None:
    settings = load_settings({"data_vendor": "simulated", "home": str(tmp_path)}, environ={})
    said = call(2025, 1, "2024-05-10", "For fiscal 2025, we expect revenue of $100 billion.", company="VELQ")
    with open_store(settings) as store:
        store.add(said)
    before, after = (
        guidance_record.ask(market(tmp_path, day), ticker="VELQ").outcomes[0] for day in ("2024-12-20", "2025-06-13")
    )
    assert (before.actual, before.verdict) == (None, "")
    assert "had not been reported by 2024-12-20" in before.reason
    assert after.against_middle == pytest.approx((after.actual / 100e9 - 1) * 100)
    assert after.verdict == "beat"
