"""News and insider trades of a snapshot: when each was known, and what counts once."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import snapshot_folder as made
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.snapshot.insiders import trade_kind
from tradingagents.errors import NoData

EVER = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
BEGIN = datetime(2023, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def vendor(tmp_path_factory: pytest.TempPathFactory) -> SnapshotVendor:
    return SnapshotVendor(made.write_snapshot(tmp_path_factory.mktemp("snapshot")))


def with_news(folder: Path, *rows: made.Row) -> SnapshotVendor:
    made.write_manifest(folder, made.FIRST, made.LAST)
    names = {"ACMQ": "Acme", "ACMQ-P": "Acme", "ELMQ": "Elmwood", "^GSPC": "^GSPC"}
    profiles = {symbol: {"name": name, "kind": "stock"} for symbol, name in names.items()}
    (folder / "profiles.json").write_text(json.dumps(profiles))
    made.write_lines(folder / "news.jsonl.gz", rows)
    return SnapshotVendor(folder)


def titles(vendor: SnapshotVendor, symbol: str | None = "ACMQ") -> list[str]:
    found = vendor.get_news(symbol, *EVER) if symbol else vendor.get_global_news(*EVER)
    return [item.title for item in found]


def test_a_timed_article_is_known_when_it_was_published(tmp_path: Path) -> None:
    (item,) = with_news(tmp_path, made.news_row("ACMQ", "2025-01-31T11:01:27Z", "filed")).get_news("ACMQ", *EVER)
    assert item.published_at == item.known_at == datetime(2025, 1, 31, 11, 1, 27, tzinfo=UTC)
    assert not item.day_only


def test_a_day_only_headline_is_known_when_the_next_session_opens(tmp_path: Path) -> None:
    (item,) = with_news(tmp_path, made.news_row("ACMQ", "2025-07-03", "half day")).get_news("ACMQ", *EVER)
    assert item.day_only
    assert item.published_at == datetime(2025, 7, 3, tzinfo=UTC)
    assert item.known_at == datetime(2025, 7, 7, 13, 30, tzinfo=UTC), "Independence Day and a weekend lie between"


def test_a_window_holds_timed_items_by_instant_and_the_others_by_day(tmp_path: Path) -> None:
    vendor = with_news(
        tmp_path,
        made.news_row("ACMQ", "2025-03-10T09:59:59Z", "too early"),
        made.news_row("ACMQ", "2025-03-10T10:00:00Z", "first"),
        made.news_row("ACMQ", "2025-03-10", "that day"),
        made.news_row("ACMQ", "2025-03-12T20:00:00Z", "last"),
        made.news_row("ACMQ", "2025-03-12T20:00:01Z", "too late"),
    )
    start, end = datetime(2025, 3, 10, 10, tzinfo=UTC), datetime(2025, 3, 12, 20, tzinfo=UTC)
    assert [item.title for item in vendor.get_news("ACMQ", start, end)] == ["last", "first", "that day"]


@given(start=st.integers(0, 22_000), hours=st.integers(0, 2_000), before=st.integers(0, 500), after=st.integers(0, 500))
def test_an_article_does_not_depend_on_the_window_asked(
    vendor: SnapshotVendor, start: int, hours: int, before: int, after: int
) -> None:
    begin = BEGIN + timedelta(days=30, hours=start)
    end = begin + timedelta(hours=hours)
    wide = (begin - timedelta(hours=before), end + timedelta(hours=after))
    for ask in (lambda *window: vendor.get_news("ACMQ", *window), vendor.get_global_news):
        inside = [
            item
            for item in ask(*wide)
            if begin <= item.published_at <= end
            or (item.day_only and begin.date() <= item.published_at.date() <= end.date())
        ]
        assert list(ask(begin, end)) == inside


def test_news_come_newest_first(vendor: SnapshotVendor) -> None:
    for found in (vendor.get_news("ACMQ", *EVER), vendor.get_global_news(*EVER)):
        assert [item.published_at for item in found] == sorted((item.published_at for item in found), reverse=True)


def test_no_news_in_a_window_is_an_answer_and_no_news_at_all_is_none(vendor: SnapshotVendor) -> None:
    quiet = datetime(2024, 1, 6, tzinfo=UTC)
    assert vendor.get_news("ACMQ", quiet, quiet + timedelta(days=1)) == ()
    with pytest.raises(NoData, match="no news for DOVQ"):
        vendor.get_news("DOVQ", *EVER)


def test_silence_before_the_first_article_says_nothing(vendor: SnapshotVendor) -> None:
    with pytest.raises(NoData, match="no news for ACMQ up to 2022-06-30"):
        vendor.get_news("ACMQ", datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 30, tzinfo=UTC))


def test_an_article_carried_twice_counts_once_and_as_the_earlier(tmp_path: Path) -> None:
    vendor = with_news(
        tmp_path,
        made.news_row("ACMQ", "2025-03-10T12:00:00Z", "Same story", url="https://a.invalid/2"),
        made.news_row("ACMQ", "2025-03-10T10:00:00Z", "same STORY ", url="https://a.invalid/1"),
        made.news_row("ACMQ", "2025-03-28T10:00:00Z", "Other words", url="https://a.invalid/1"),
    )
    (item,) = vendor.get_news("ACMQ", *EVER)
    assert item.published_at == datetime(2025, 3, 10, 10, tzinfo=UTC)


def test_the_same_title_a_week_later_is_another_article(tmp_path: Path) -> None:
    rows = [made.news_row("ACMQ", f"2025-03-{day}T10:00:00Z", "Acme in five charts") for day in (10, 13, 17)]
    vendor = with_news(tmp_path, *rows)
    assert [item.published_at.day for item in vendor.get_news("ACMQ", *EVER)] == [17, 10]


def test_market_news_are_looked_for_in_every_article_once(tmp_path: Path) -> None:
    noon = "2025-03-10T12:00:00Z"
    vendor = with_news(
        tmp_path,
        made.news_row("^GSPC", "2025-03-09", "Index headline"),
        made.news_row("ACMQ", noon, "Both", url="https://a.invalid/both"),
        made.news_row("ELMQ", noon, "Both", url="https://a.invalid/both"),
        made.news_row("ACMQ", noon, "One company", url="https://a.invalid/one"),
        made.news_row("XXXX", noon, "A stranger"),
    )
    found = {item.title: item.symbol for item in vendor.get_global_news(*EVER)}
    assert found == {"Index headline": None, "Both": "ACMQ", "One company": "ACMQ", "A stranger": "XXXX"}
    assert titles(vendor, "ELMQ") == ["Both"]


def test_a_later_row_changes_no_earlier_article(tmp_path: Path) -> None:
    early = made.news_row("ELMQ", "2025-03-10T12:00:00Z", "Alone then", url="https://a.invalid/1")
    late = made.news_row("ACMQ", "2025-03-11T12:00:00Z", "Alone then", url="https://a.invalid/1")
    for name in ("alone", "both"):
        (tmp_path / name).mkdir()
    alone = with_news(tmp_path / "alone", early).get_global_news(*EVER)
    both = with_news(tmp_path / "both", early, late).get_global_news(*EVER)
    assert alone == both


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Sale at price 159.76 per share.", "sell"),
        ("Sale at price 10.00 - 11.00 per share.", "sell"),
        ("Bought at price 12.00 per share.", "buy"),
        ("Purchase at price 12.00 per share.", "buy"),
        ("Stock Gift at price 0.00 per share.", "gift"),
        ("Stock Award(Grant) at price 0.00 per share.", "grant"),
        ("Conversion of Exercise of derivative security at price 3.00 per share.", "exercise"),
        ("Exercise of options at price 3.00 per share.", "exercise"),
        ("", "other"),
        ("Inheritance", "other"),
    ],
)
def test_the_text_tells_what_a_trade_was(text: str, kind: str) -> None:
    assert trade_kind(text) == kind


def with_insiders(folder: Path, *rows: made.Row) -> SnapshotVendor:
    made.write_manifest(folder, made.FIRST, made.LAST)
    made.write_lines(folder / "insider.jsonl.gz", rows)
    return SnapshotVendor(folder)


def test_an_insider_trade_is_known_after_the_two_sessions_it_may_take_to_file(tmp_path: Path) -> None:
    vendor = with_insiders(
        tmp_path, made.insider_row("ACMQ", date(2025, 3, 13), "Sale at price 50 per share.", value=None)
    )
    (trade,) = vendor.get_insider_transactions("ACMQ")
    assert trade.known_at == datetime(2025, 3, 18, 13, 30, tzinfo=UTC), (
        "Thursday; filed by Monday's end; known on Tuesday"
    )
    assert trade.known_by == "assumed"
    assert (trade.kind, trade.shares, trade.value) == ("sell", 1000.0, None)


def test_a_recorded_filing_instant_of_a_trade_counts(tmp_path: Path) -> None:
    row = made.insider_row("ACMQ", date(2025, 3, 13), "", filed_at="2025-03-14T21:05:00Z")
    (trade,) = with_insiders(tmp_path, row).get_insider_transactions("ACMQ")
    assert trade.known_at == datetime(2025, 3, 14, 21, 5, tzinfo=UTC)
    assert trade.known_by == "accepted"


def test_trades_follow_the_calendar_of_their_exchange(tmp_path: Path) -> None:
    row = made.insider_row("ACMQ.L", date(2025, 5, 2), "")  # Friday before a London bank holiday
    (trade,) = with_insiders(tmp_path, row).get_insider_transactions("ACMQ.L")
    assert trade.known_at == datetime(2025, 5, 8, 7, tzinfo=UTC)
