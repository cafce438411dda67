"""Posts of a snapshot folder: as recorded, in their window, and only where the folder has any."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.support.snapshot_folder import social_row, write_lines, write_manifest
from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NoData

START, END = datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC)
AT = datetime(2025, 3, 14, 13, tzinfo=UTC)


def vendor(folder: Path, *rows: dict) -> SnapshotVendor:
    write_manifest(folder, date(2025, 1, 2), date(2025, 3, 14))
    if rows:
        write_lines(folder / "social.jsonl.gz", rows)
    return SnapshotVendor(folder)


def test_every_field_of_a_post(tmp_path: Path):
    told = social_row(
        "BRK.B",
        "2025-03-14T13:00:00Z",
        " Thoughts on $BRK.B ",
        source="stocktwits",
        author="quillfan",
        community="stocks",
        sentiment="bearish",
        score=4,
        comments=0,
        url="https://posts.invalid/1",
        counted_at="2025-03-14T14:00:00Z",
    )
    assert vendor(tmp_path, told).get_social_posts("BRK-B", START, END) == (
        SocialPost(
            symbol="BRK-B",
            text="Thoughts on $BRK.B",
            posted_at=AT,
            known_at=AT,
            source="stocktwits",
            author="quillfan",
            community="stocks",
            sentiment="bearish",
            score=4,
            comments=0,
            url="https://posts.invalid/1",
            counted_at=datetime(2025, 3, 14, 14, tzinfo=UTC),
        ),
    )


def test_counts_without_the_instant_they_were_read_at_are_not_taken(tmp_path: Path):
    (post,) = vendor(tmp_path, social_row("ACMQ", "2025-03-14T13:00:00Z", "x", score=900, comments=7)).get_social_posts(
        "ACMQ", START, END
    )
    assert (post.score, post.comments, post.counted_at) == (None, None, None)


def test_a_post_dated_by_day_only_is_known_at_the_next_open(tmp_path: Path):
    (post,) = vendor(tmp_path, social_row("ACMQ", "2025-03-12", "x")).get_social_posts("ACMQ", START, END)
    assert post.known_at == datetime(2025, 3, 13, 13, 30, tzinfo=UTC)


def test_newest_first_within_the_window(tmp_path: Path):
    days = ("2025-03-14T20:00:00Z", "2025-03-14T20:00:01Z", "2025-03-07T00:00:00Z", "2025-03-06T23:59:59Z")
    found = vendor(tmp_path, *(social_row("ACMQ", day, day) for day in days)).get_social_posts("ACMQ", START, END)
    assert [post.text for post in found] == ["2025-03-14T20:00:00Z", "2025-03-07T00:00:00Z"]


def test_a_quiet_time_is_an_answer_and_silence_before_the_first_post_is_none(tmp_path: Path):
    quiet = vendor(tmp_path, social_row("ACMQ", "2025-02-14T13:00:00Z", "old"))
    assert quiet.get_social_posts("ACMQ", START, END) == ()
    for symbol, end in (("ELMQ", END), ("ACMQ", datetime(2025, 2, 14, 12, tzinfo=UTC))):
        with pytest.raises(NoData, match=f"no social posts about {symbol} up to"):
            quiet.get_social_posts(symbol, datetime(2025, 2, 1, tzinfo=UTC), end)


def test_it_can_be_asked_where_the_folder_has_the_file(tmp_path: Path):
    (tmp_path / "without").mkdir()
    (tmp_path / "with").mkdir()
    without = vendor(tmp_path / "without")
    assert not without.supports(Vendor.get_social_posts)
    assert without.supports(Vendor.get_news)
    assert not without.supports(Vendor.get_filings)
    assert vendor(tmp_path / "with", social_row("ACMQ", "2025-03-12", "x")).supports(Vendor.get_social_posts)


@pytest.mark.parametrize("wrong", [{"sentiment": "euphoric"}, {"text": None}, {"posted_at": "soon"}, {"source": ...}])
def test_a_corrupt_row_is_left_out_and_named_by_file_and_line(tmp_path: Path, wrong: dict):
    good = social_row("ACMQ", "2025-03-12T10:00:00Z", "x")
    bad = {key: value for key, value in {**good, **wrong}.items() if value is not ...}
    folder = vendor(tmp_path, good, bad)
    assert len(folder.get_social_posts("ACMQ", START, END)) == 1
    (gap,) = folder.unreadable(Vendor.get_social_posts, "ACMQ")
    assert gap.startswith("social.jsonl.gz line 2 cannot be read")
