"""A check finds what is wrong with a folder, says where, and what the folder is good for."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.support.snapshot_folder import write_prices, year_and_more
from tradingagents.dataflows.snapshots.check import Checked, check_folder
from tradingagents.errors import VendorNotConfigured

NOW = datetime(2026, 3, 2, tzinfo=UTC)
Spoil = Callable[[list[dict[str, Any]]], None]


def checked(folder: Path) -> Checked:
    return check_folder(folder, now=lambda: NOW)


def said(outcome: Checked, level: str) -> list[str]:
    return [f"{finding.file}: {finding.text}" for finding in outcome.findings if finding.level == level]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """What is said of a sound folder."""
    return checked(year_and_more(tmp_path_factory.mktemp("clean")))


def with_prices(folder: Path, spoil: Spoil) -> Checked:
    """Check a folder of which the bars of ACMQ were spoiled."""
    rows = pq.ParquetFile(year_and_more(folder) / "prices.parquet").read().to_pylist()
    own = [row for row in rows if row["symbol"] == "ACMQ"]
    rest = [row for row in rows if row["symbol"] != "ACMQ"]
    spoil(own)
    write_prices(folder, rest + own)
    return checked(folder)


def with_lines(folder: Path, file: str, *rows: Any) -> Checked:
    """Check a folder with further lines in a file."""
    path = year_and_more(folder) / file
    text = gzip.decompress(path.read_bytes()).decode()
    text += "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()))
    return checked(folder)


def test_a_sound_folder_has_no_error_and_says_what_it_answers(tmp_path: Path):
    outcome = checked(year_and_more(tmp_path / "f"))
    assert said(outcome, "error") == []
    assert outcome.sound
    answers = {one.kind: one for one in outcome.answers}
    prices, news = answers["prices"], answers["news"]
    table = pq.read_table(tmp_path / "f" / "prices.parquet")
    assert (prices.rows, prices.subjects) == (table.num_rows, len(set(table["symbol"].to_pylist())))
    assert prices.first == min(table["date"].to_pylist()).date().isoformat()
    assert "get_macro_regime" in prices.tools
    assert news.tools == ("get_news", "get_topic_news")
    assert {"profiles", "quarterly income statements", "insider trades", "filings", "social posts"} <= set(answers)


def test_a_folder_that_is_none_is_refused(tmp_path: Path):
    with pytest.raises(VendorNotConfigured, match="is no snapshot"):
        checked(tmp_path)


def remove_two_sessions(rows: list[dict[str, Any]]) -> None:
    del rows[50:52]


def repeat_a_bar(rows: list[dict[str, Any]]) -> None:
    rows.append(dict(rows[50]))


def contradict_a_bar(rows: list[dict[str, Any]]) -> None:
    rows.append({**rows[50], "close": rows[50]["low"]})


def quote_in_pence_for_three_days(rows: list[dict[str, Any]]) -> None:
    for row in rows[300:303]:
        for name in ("open", "high", "low", "close", "adj_close"):
            row[name] *= 100


def turn_upside_down(rows: list[dict[str, Any]]) -> None:
    rows[50].update(high=70.0, low=90.0)


def lose_a_close(rows: list[dict[str, Any]]) -> None:
    rows[50].update(close=float("nan"))


def lose_every_close(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        row.update(close=float("nan"))


def fall_below_zero(rows: list[dict[str, Any]]) -> None:
    rows[50].update(low=-1.0)


def sell_backwards(rows: list[dict[str, Any]]) -> None:
    rows[50].update(volume=-5)


def halve_from_the_middle(rows: list[dict[str, Any]]) -> None:
    for row in rows[300:]:
        for name in ("open", "high", "low", "close", "adj_close"):
            row[name] /= 2
        row["volume"] *= 2


def stand_still(rows: list[dict[str, Any]]) -> None:
    for row in rows[300:305]:
        row.update(dict.fromkeys(("open", "high", "low", "close"), rows[299]["close"]), volume=0)


def come_from_the_future(rows: list[dict[str, Any]]) -> None:
    rows.append({**rows[-1], "date": rows[-1]["date"] + timedelta(days=3650)})


def change_basis(rows: list[dict[str, Any]]) -> None:
    rows[50].update(basis="auto_adjusted")


@pytest.mark.parametrize(
    ("spoil", "level", "words"),
    [
        (
            remove_two_sessions,
            "warning",
            "missing days (docs/reference/data-faults.md#missing-days): ACMQ 2024-03-18: 2 sessions are ",
        ),
        (repeat_a_bar, "warning", "repeated bar (docs/reference/data-faults.md#repeated-bar): ACMQ "),
        (contradict_a_bar, "error", "two bars of a day (docs/reference/data-faults.md#two-bars-of-a-day): ACMQ "),
        (
            turn_upside_down,
            "error",
            "bar order (docs/reference/data-faults.md#bar-order): ACMQ 2024-03-14: the high 70 lies below ",
        ),
        (lose_a_close, "warning", "bars without a close, which are left out: ACMQ "),
        (lose_every_close, "error", "symbols without any close, of which there are no prices: ACMQ"),
        (
            fall_below_zero,
            "error",
            "invalid value (docs/reference/data-faults.md#invalid-value): ACMQ 2024-03-14: low is -1; ",
        ),
        (
            sell_backwards,
            "error",
            "invalid value (docs/reference/data-faults.md#invalid-value): ACMQ 2024-03-14: the volume is -5",
        ),
        (halve_from_the_middle, "error", "split not listed (docs/reference/data-faults.md#split-not-listed): ACMQ "),
        (
            stand_still,
            "error",
            "no trade (docs/reference/data-faults.md#no-trade): ACMQ 2025-03-14: 5 bars up to 2025-03-20 show no trade",
        ),
        (quote_in_pence_for_three_days, "error", "unit change (docs/reference/data-faults.md#unit-change): ACMQ "),
        (come_from_the_future, "error", "a bar in the future: ACMQ "),
        (change_basis, "error", "more than one basis for one symbol: ACMQ"),
    ],
)
def test_bars_that_cannot_be_are_named(tmp_path: Path, clean: Checked, spoil: Spoil, level: str, words: str):
    outcome = with_prices(tmp_path / "f", spoil)
    assert any(f"prices.parquet: {words}" in line for line in said(outcome, level)), said(outcome, level)
    assert not any(words in line for line in said(clean, level))
    assert outcome.sound == (level == "warning")


def test_prices_that_a_listed_split_was_not_applied_to(tmp_path: Path):
    folder = tmp_path / "f"
    rows = pq.ParquetFile(year_and_more(folder) / "prices.parquet").read().to_pylist()
    own = [row for row in rows if row["symbol"] == "ACMQ"]
    halve_from_the_middle(own)
    write_prices(folder, [row for row in rows if row["symbol"] != "ACMQ"] + own)
    day = own[300]["date"].date()
    with (folder / "actions.csv").open("a", encoding="utf-8") as file:
        file.write(f"ACMQ,{day},split,2\n")
    (line,) = [one for one in said(checked(folder), "error") if "the listed 2 for 1 split is not applied" in one]
    assert f"ACMQ {day}: the close went from " in line


STATEMENT = {
    "symbol": "ACMQ",
    "statement": "income",
    "period": "quarterly",
    "fiscal_year": 2024,
    "fiscal_period": "Q4",
    "period_end": "2024-12-31",
    "filed_at": None,
    "currency": "USD",
    "source": "recorded",
    "items": {"revenue": 1.0, "net_income": 1.0},
}
TRADE = {"symbol": "ACMQ", "transaction_date": "2025-03-10", "insider": "Q", "shares": 10, "text": "Sale"}
ARTICLE = {"symbol": "ACMQ", "published_at": "2025-03-10T12:00:00Z", "title": "Acme"}


@pytest.mark.parametrize(
    ("file", "row", "level", "words"),
    [
        (
            "statements.jsonl.gz",
            {**STATEMENT, "filed_at": "2024-11-01"},
            "error",
            "statements filed before their period ended: ACMQ 2024-12-31 (line ",
        ),
        (
            "statements.jsonl.gz",
            {**STATEMENT, "items": {"gross_profit": 1.0}},
            "warning",
            "income statements without revenue or net_income: ACMQ 2024-12-31 (line ",
        ),
        ("statements.jsonl.gz", {**STATEMENT, "period_end": "2031-12-31"}, "error", "statements from the future: ACMQ"),
        ("news.jsonl.gz", {**ARTICLE, "published_at": ""}, "error", "rows without published_at: line "),
        ("news.jsonl.gz", {**ARTICLE, "published_at": "2031-01-01"}, "error", "rows from the future: line "),
        ("news.jsonl.gz", {**ARTICLE, "published_at": "yesterday"}, "error", "rows that cannot be read: line "),
        ("news.jsonl.gz", "no JSON", "error", "lines that are not JSON objects: line "),
        (
            "insider.jsonl.gz",
            {**TRADE, "filed_at": "2025-03-07"},
            "error",
            "trades reported before they were made: ACMQ 2025-03-10 (line ",
        ),
        ("insider.jsonl.gz", {**TRADE, "transaction_date": "2031-01-02"}, "error", "trades in the future: ACMQ"),
        (
            "insider.jsonl.gz",
            {**TRADE, "text": "Bought", "value": 10.0},
            "error",
            "trades at a price that their day cannot have had",
        ),
        ("social.jsonl.gz", {"symbol": "ACMQ", "posted_at": "2025-03-10"}, "error", "rows without text: line "),
        ("filings.jsonl.gz", {"symbol": "ACMQ", "filed_on": "2025-03-10"}, "error", "rows without form: line "),
    ],
)
def test_rows_that_cannot_be_are_named_by_line(tmp_path: Path, file: str, row: Any, level: str, words: str):
    outcome = with_lines(tmp_path / "f", file, row)
    assert any(line.startswith(f"{file}: {words}") for line in said(outcome, level)), said(outcome, level)
    assert outcome.sound == (level == "warning")


def test_a_row_that_stands_there_twice(tmp_path: Path):
    outcome = with_lines(tmp_path / "f", "news.jsonl.gz", ARTICLE, ARTICLE)
    assert any("duplicate rows: line" in line for line in said(outcome, "warning"))


@pytest.mark.parametrize("file", ["prices.parquet", "news.jsonl.gz", "profiles.json", "actions.csv", "macro.parquet"])
def test_a_file_that_breaks_off_is_an_error(tmp_path: Path, file: str):
    path = year_and_more(tmp_path / "f") / file
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if file != "actions.csv" else b"symbol,date\nACMQ,2025-03-14\n")
    outcome = checked(tmp_path / "f")
    assert not outcome.sound
    assert any(line.startswith(f"{file}: ") for line in said(outcome, "error"))


def test_a_window_that_cannot_be(tmp_path: Path):
    manifest = year_and_more(tmp_path / "f") / "snapshot.json"
    manifest.write_text(json.dumps({"format": 1, "from": "2031-01-01", "to": "2030-01-01"}))
    early, *others = said(checked(tmp_path / "f"), "error")
    assert early.startswith("prices.parquet: prices that end more than 30 days before 2030-01-01: ")
    assert others == [
        "snapshot.json: the window ends before it begins: 2031-01-01 to 2030-01-01.",
        "snapshot.json: the window ends in the future: 2030-01-01.",
    ]


def test_examples_are_few_and_the_count_is_whole(tmp_path: Path):
    def spoil(rows: list[dict[str, Any]]) -> None:
        for row in rows[10:30]:
            row.update(volume=-1)

    outcome = with_prices(tmp_path / "f", spoil)
    (finding,) = [one for one in outcome.findings if one.what.startswith("invalid value")]
    assert (finding.count, len(finding.examples)) == (20, 5)
    assert finding.text.endswith("and 15 more.")


def test_as_json_it_is_the_same(tmp_path: Path):
    outcome = with_lines(tmp_path / "f", "insider.jsonl.gz", {**TRADE, "filed_at": "2025-03-07"})
    plain = json.loads(json.dumps(outcome.to_json()))
    assert (plain["sound"], plain["from"], plain["to"]) == (False, str(outcome.first), str(outcome.last))
    assert [one["text"] for one in plain["findings"]] == [one.text for one in outcome.findings]
    assert date.fromisoformat(plain["answers"][0]["first"]) < date.fromisoformat(plain["answers"][0]["last"])
