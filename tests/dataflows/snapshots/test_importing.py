"""Tables of one's own become a snapshot: by their own column names, whole or not at all, every fault named by line."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.snapshot_folder import write_snapshot
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.snapshots.columns import Kind, TableTerms, UnusableFile
from tradingagents.dataflows.snapshots.importing import Imported, import_file
from tradingagents.dataflows.snapshots.journal import OtherRecording
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NoData, UsageError, VendorDown

NOW = datetime(2025, 4, 1, 12, tzinfo=UTC)
WINDOW = date(2025, 3, 1), date(2025, 3, 31)
EVER = datetime(2000, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC)
BARS = """Ticker,Date,Open,High,Low,Close,Adj Close,Volume
brk.b,2025-03-13,$79.50,80.5,79,80,78.5,"120,000"
BRK-B,2025-03-14,80,82,79.5,81.5,80,150000
"""


def csv_file(tmp_path: Path, text: str, name: str = "own.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def taken(tmp_path: Path, text: str, kind: Kind, **more: object) -> Imported:
    terms = TableTerms(**{name: more.pop(name) for name in ("symbol", "named", "constant", "decimal") if name in more})  # type: ignore[arg-type]
    return import_file(csv_file(tmp_path, text), tmp_path / "f", kind, terms, now=lambda: NOW, **more)  # type: ignore[arg-type]


def problems(tmp_path: Path, text: str, kind: Kind, **more: object) -> tuple[str, ...]:
    """What an import is refused for; nothing may be there afterwards."""
    with pytest.raises(UnusableFile) as caught:
        taken(tmp_path, text, kind, **more)
    assert not (tmp_path / "f").exists()
    return caught.value.problems


def test_prices_of_a_download_by_their_usual_names(tmp_path: Path):
    done = taken(tmp_path, BARS, "prices")
    assert (done.rows, done.symbols, done.first, done.last) == (2, ("BRK-B",), date(2025, 3, 13), date(2025, 3, 14))
    bars = SnapshotVendor(tmp_path / "f").get_stock_data("BRK-B", *WINDOW)
    assert (bars.open.tolist(), bars.high.tolist(), bars.low.tolist()) == ([79.5, 80.0], [80.5, 82.0], [79.0, 79.5])
    assert (bars.close.tolist(), bars.adj_close.tolist()) == ([80.0, 81.5], [78.5, 80.0])
    assert (bars.volume.tolist(), bars.basis) == ([120000.0, 150000.0], "split_adjusted")


def test_the_manifest_has_the_window_and_where_the_rows_came_from(tmp_path: Path):
    taken(tmp_path, BARS, "prices")
    manifest = json.loads((tmp_path / "f" / "snapshot.json").read_text(encoding="utf-8"))
    assert (manifest["format"], manifest["from"], manifest["to"]) == (1, "2025-03-13", "2025-03-14")
    assert manifest["provenance"] == [{"imported": "own.csv", "kind": "prices", "rows": 2, "at": NOW.isoformat()}]


def test_a_symbol_for_all_rows_and_columns_that_no_usual_name_tells(tmp_path: Path):
    text = "When,O,H,L,Fixing\n20250314,1.0,1.2,0.9,1.1\n"
    done = taken(tmp_path, text, "prices", symbol="acmq", named={"date": "When", "close": "Fixing"}, basis="index")
    bars = SnapshotVendor(tmp_path / "f").get_stock_data("ACMQ", *WINDOW)
    assert (done.symbols, bars.close.tolist(), bars.adj_close.tolist(), bars.volume.tolist(), bars.basis) == (
        ("ACMQ",),
        [1.1],
        [1.1],
        [0.0],
        "index",
    )


def test_parquet_with_timestamps_of_a_zone(tmp_path: Path):
    days = pa.array([datetime(2025, 3, 14, 4, tzinfo=UTC)], pa.timestamp("us", tz="America/New_York"))
    columns = {"symbol": ["ACMQ"], "Date": days, "open": [1.0], "high": [1.2], "low": [0.9], "close": [1.1]}
    pq.write_table(pa.table(columns), tmp_path / "own.parquet")
    import_file(tmp_path / "own.parquet", tmp_path / "f", "prices")
    assert str(SnapshotVendor(tmp_path / "f").get_stock_data("ACMQ", *WINDOW).days[0]) == "2025-03-14"


def test_every_faulty_bar_is_named_by_line_and_none_is_taken(tmp_path: Path):
    text = (
        "symbol,date,open,high,low,close\n"
        "ACMQ,2025-03-10,1,1.2,0.9,1.1\n"
        "ACMQ,2025-03-11,1,0.8,0.9,0.85\n"
        "ACMQ,2025-03-12,1,1.2,0.9,\n"
        "ACMQ,13th of March,1,1.2,0.9,1.1\n"
        "../x,2025-03-14,1,1.2,0.9,1.1\n"
        "ACMQ,2025-03-14,1,1.2,-0.9,1.1\n"
        "ACMQ,2025-03-17,1,1.2,0.9,inf\n"
        "ACMQ,2025-03-18 15:30,1,1.2,0.9,1.1\n"
    )
    assert problems(tmp_path, text, "prices") == (
        "line 3: the high 0.8 lies below the low 0.9.",
        "line 4: close is empty.",
        "line 5: '13th of March' is not an unambiguous date; write it like 2025-03-14.",
        "line 6: '../x' is not a symbol.",
        "line 7: low is not above zero.",
        "line 8: 'inf' is not a finite number.",
        "line 9: 2025-03-18 15:30 has a time of day, where a day is asked for.",
    )


def test_rows_alike_count_once_and_rows_that_contradict_are_refused(tmp_path: Path):
    line = "ACMQ,2025-03-10,1,1.2,0.9,1.1\n"
    head = "symbol,date,open,high,low,close\n"
    assert problems(tmp_path, head + line + line.replace("1.1", "1.15"), "prices") == (
        "line 3: it stands for the same symbol and date as line 2.",
    )
    done = taken(tmp_path, head + line + line, "prices")
    assert (done.rows, done.repeated) == (1, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "date,open,high,low,close\n2025-03-10,1,1,1,1\n",
            "no column for symbol.*symbol='S' or named={'symbol': 'COLUMN'}",
        ),
        ("symbol,date,open,high,low\nACMQ,2025-03-10,1,1,1\n", "no column for close.*named={'close': 'COLUMN'}"),
        ("symbol,date,open,high,low,close\n", "has no rows"),
        ("symbol,date,open,high,low,close\nACMQ,2025-03-10,1,1,1,1,9\n", "more cells than the header"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(tmp_path: Path, text: str, words: str):
    with pytest.raises(UnusableFile, match=words):
        taken(tmp_path, text, "prices")
    assert not (tmp_path / "f").exists()


def test_options_that_cannot_be(tmp_path: Path):
    with pytest.raises(UsageError, match="not a column of prices"):
        taken(tmp_path, BARS, "prices", named={"klose": "Close"})
    with pytest.raises(UsageError, match="has no column Fixing; name one of: Ticker, Date"):
        taken(tmp_path, BARS, "prices", named={"close": "Fixing"})
    with pytest.raises(UsageError, match="'a/b' is not a symbol; write it like AAPL"):
        taken(tmp_path, BARS, "prices", symbol="a/b")
    with pytest.raises(UsageError, match=r"neither \.csv nor \.parquet"):
        import_file(csv_file(tmp_path, BARS, "own.xlsx"), tmp_path / "f", "prices")


def test_new_bars_replace_those_of_the_same_session_and_leave_the_rest(tmp_path: Path):
    folder = write_snapshot(tmp_path / "market")
    before = SnapshotVendor(folder).get_stock_data("ACMQ", date(2025, 3, 3), date(2025, 3, 14))
    others = SnapshotVendor(folder).get_stock_data("ELMQ", date(2022, 1, 1), date(2026, 1, 1))
    text = "symbol,date,open,high,low,close\nACMQ,2025-03-14,7,8,6,7.5\nNEWQ,2025-03-14,7,8,6,7.5\n"
    done = import_file(csv_file(tmp_path, text), folder, "prices")
    after = SnapshotVendor(folder).get_stock_data("ACMQ", date(2025, 3, 3), date(2025, 3, 14))
    assert (done.rows, done.replaced) == (2, 1)
    assert after.close.tolist() == [*before.close.tolist()[:-1], 7.5]
    same = SnapshotVendor(folder).get_stock_data("ELMQ", date(2022, 1, 1), date(2026, 1, 1))
    assert same.close.tolist() == others.close.tolist()
    assert len(SnapshotVendor(folder).get_stock_data("NEWQ", *WINDOW)) == 1


def test_another_basis_for_a_symbol_is_refused(tmp_path: Path):
    folder = write_snapshot(tmp_path / "market")
    bytes_before = (folder / "prices.parquet").read_bytes()
    text = "symbol,date,open,high,low,close\nACMQ,2025-03-14,7,8,6,7.5\n"
    with pytest.raises(UsageError, match="with basis='split_adjusted'"):
        import_file(csv_file(tmp_path, text), folder, "prices", basis="fully_adjusted")
    assert (folder / "prices.parquet").read_bytes() == bytes_before


def test_the_whole_history_of_a_symbol_may_come_in_another_basis(tmp_path: Path):
    taken(tmp_path, BARS, "prices")
    done = taken(tmp_path, BARS, "prices", basis="fully_adjusted")
    assert done.replaced == 2
    assert SnapshotVendor(tmp_path / "f").get_stock_data("BRK-B", *WINDOW).basis == "fully_adjusted"


def test_an_index_among_stocks_is_taken_as_one_and_a_column_gives_each_symbol_its_basis(tmp_path: Path):
    text = (
        "symbol,date,open,high,low,close,basis\nSPX,2025-03-14,5600,5650,5590,5640,\n"
        "ACMQ,2025-03-14,80,82,79,81,\nELMQ,2025-03-14,80,82,79,81,fully_adjusted\n"
    )
    done = taken(tmp_path, text, "prices")
    assert (done.indices, dict(done.respelled)) == (("^GSPC",), {"SPX": "^GSPC"})
    vendor = SnapshotVendor(tmp_path / "f")
    bases = [vendor.get_stock_data(symbol, *WINDOW).basis for symbol in ("^GSPC", "ACMQ", "ELMQ")]
    assert bases == ["index", "split_adjusted", "fully_adjusted"]
    two = text + "ELMQ,2025-03-13,80,82,79,81,split_adjusted\n"
    with pytest.raises(UsageError, match="ELMQ in two bases"):
        taken(tmp_path, two, "prices")


def test_a_listed_company_keeps_its_symbol(tmp_path: Path):
    text = "symbol,date,open,high,low,close\nGOLD,2025-03-14,18,19,17,18.5\nWTI,2025-03-14,1.8,1.9,1.7,1.85\n"
    done = taken(tmp_path, text, "prices")
    assert (done.symbols, dict(done.respelled)) == (("GOLD", "WTI"), {})


def test_prices_bring_their_splits_and_dividends_along(tmp_path: Path):
    """As a download from Yahoo has them: columns that are zero on most days."""
    text = (
        "Ticker,Date,Open,High,Low,Close,Volume,Dividends,Stock Splits\n"
        "ACMQ,2025-03-13,80,82,79,81,100,0.0,0.0\nACMQ,2025-03-14,80,82,79,81,100,0.25,3.0\n"
    )
    assert taken(tmp_path, text, "prices", basis="fully_adjusted").splits_listed
    bars = SnapshotVendor(tmp_path / "f").get_stock_data("ACMQ", *WINDOW)
    assert [(split.day, split.ratio) for split in bars.splits] == [(date(2025, 3, 14), 3.0)]
    assert [(paid.day, paid.amount) for paid in bars.dividends] == [(date(2025, 3, 14), 0.25)]
    assert bars.splits_listed


def test_prices_without_a_list_of_splits_are_not_called_as_traded(tmp_path: Path):
    assert not taken(tmp_path, BARS, "prices").splits_listed
    assert not SnapshotVendor(tmp_path / "f").get_stock_data("BRK-B", *WINDOW).splits_listed
    assert taken(tmp_path, BARS, "prices", no_splits=True).splits_listed
    bars = SnapshotVendor(tmp_path / "f").get_stock_data("BRK-B", *WINDOW)
    assert (bars.splits, bars.splits_listed) == ((), True)


def test_statements_say_in_whose_shares_they_count(tmp_path: Path):
    text = (
        "symbol,statement,frequency,period_end,filed_at,eps_diluted,revenue,shares_as_of\n"
        "ACMQ,income,quarterly,2024-09-30,2024-11-04,1.5,10,\nACMQ,income,quarterly,2024-12-31,2025-02-03,1.5,10,2025-03-31\n"
    )
    taken(tmp_path, text, "statements")
    newest, older = SnapshotVendor(tmp_path / "f").get_statements("ACMQ", "income", "quarterly")
    assert newest.shares_as_of == datetime(2025, 3, 31, 20, tzinfo=UTC)
    assert older.shares_as_of is None


def test_actions_with_a_split_as_a_ratio(tmp_path: Path):
    taken(tmp_path, BARS, "prices")
    text = "symbol,Ex-Date,type,amount\nBRK-B,2025-03-14,Dividend,0.25\nBRK-B,2025-03-13,split,3:2\n"
    assert taken(tmp_path, text, "actions").rows == 2
    bars = SnapshotVendor(tmp_path / "f").get_stock_data("BRK-B", *WINDOW)
    assert [(split.day, split.ratio) for split in bars.splits] == [(date(2025, 3, 13), 1.5)]
    assert [(paid.day, paid.amount) for paid in bars.dividends] == [(date(2025, 3, 14), 0.25)]


def test_a_split_of_nothing_is_none(tmp_path: Path):
    text = "symbol,date,action,value\nACMQ,2025-03-14,split,2:0\nACMQ,2025-03-14,merger,1\nACMQ,2025-03-14,split,-2\n"
    assert problems(tmp_path, text, "actions") == (
        "line 2: the value is not above zero.",
        "line 3: action is 'merger', and can be split, dividend, delisted, merged.",
        "line 4: the value is not above zero.",
    )


def test_profiles_with_their_sector(tmp_path: Path):
    text = "Ticker,Company,Kind,GICS Sector,Currency\nACMQ,Acme Quark,stock,Information Technology,USD\n"
    taken(tmp_path, text, "profiles")
    profile = SnapshotVendor(tmp_path / "f").get_profile("ACMQ")
    assert (profile.name, profile.kind, profile.sector) == ("Acme Quark", "stock", "technology")


def test_an_unknown_sector_is_no_sector(tmp_path: Path):
    text = "symbol,name,sector\nACMQ,Acme,Magic\n"
    assert problems(tmp_path, text, "profiles") == ("line 2: 'Magic' is not one of the eleven sectors.",)


def test_statements_with_a_column_for_each_item(tmp_path: Path):
    text = (
        "symbol,statement,frequency,period_end,filed_at,fiscal_year,fiscal_period,revenue,net_income,total_assets\n"
        "ACMQ,income,quarterly,2024-12-31,2025-02-03T21:05:00Z,2024,Q4,1000000,150000,\n"
        "ACMQ,balance,quarterly,2024-12-31,2025-02-03,2024,Q4,,,6000000\n"
    )
    taken(tmp_path, text, "statements")
    vendor = SnapshotVendor(tmp_path / "f")
    (income,) = vendor.get_statements("ACMQ", "income", "quarterly")
    assert income.items == {"revenue": 1e6, "net_income": 1.5e5}
    assert (income.known_at, income.known_by) == (datetime(2025, 2, 3, 21, 5, tzinfo=UTC), "accepted")
    (balance,) = vendor.get_statements("ACMQ", "balance", "quarterly")
    assert (balance.items, balance.known_at) == ({"total_assets": 6e6}, datetime(2025, 2, 4, 14, 30, tzinfo=UTC))


def test_statements_that_cannot_be(tmp_path: Path):
    text = (
        "symbol,statement,period,period_end,filed_at,revenue\n"
        "ACMQ,income,quarterly,2024-12-31,2024-11-03,1000000\n"
        "ACMQ,income,monthly,2024-12-31,2025-02-03,1000000\n"
        "ACMQ,income,quarterly,2024-12-31,2025-02-03,\n"
        "ACMQ,income,quarterly,2024-12-31,2025-02-03T10:00:00,1000000\n"
    )
    assert problems(tmp_path, text, "statements") == (
        "line 2: it was filed on 2024-11-03, before its period ended on 2024-12-31.",
        "line 3: period is 'monthly', and can be quarterly, annual.",
        "line 4: none of the items of income has a number.",
        "line 5: 2025-02-03T10:00:00 names no time zone; write it like 2025-03-14T13:05:00Z, or as a day.",
    )


def test_news_in_utc_and_by_day(tmp_path: Path):
    text = (
        "ticker,published_utc,headline,description,publisher,link\n"
        "ACMQ,2025-03-14T09:05:00-04:00,Acme wins,A contract,Wire,https://news.invalid/1\n"
        "ACMQ,2025-03-13,Acme hopes,,,\n"
    )
    taken(tmp_path, text, "news")
    newer, older = SnapshotVendor(tmp_path / "f").get_news("ACMQ", *EVER)
    assert (newer.published_at, newer.title, newer.summary) == (
        datetime(2025, 3, 14, 13, 5, tzinfo=UTC),
        "Acme wins",
        "A contract",
    )
    assert (newer.source, newer.url, newer.day_only) == ("Wire", "https://news.invalid/1", False)
    assert (older.day_only, older.known_at) == (True, datetime(2025, 3, 14, 13, 30, tzinfo=UTC))


def test_insider_trades_with_their_kind(tmp_path: Path):
    text = (
        "symbol,transaction_date,filed_at,insider,relation,kind,shares,value\n"
        "ACMQ,2025-03-10,2025-03-12T20:00:00Z,QUILLER QUINN,Director,buy,1000,80000\n"
    )
    taken(tmp_path, text, "insiders")
    (trade,) = SnapshotVendor(tmp_path / "f").get_insider_transactions("ACMQ")
    assert (trade.kind, trade.shares, trade.value, trade.relation) == ("buy", 1000.0, 80000.0, "Director")
    assert (trade.known_at, trade.known_by) == (datetime(2025, 3, 12, 20, tzinfo=UTC), "accepted")
    assert len(taken(tmp_path, text, "insiders").symbols) == 1
    assert len(SnapshotVendor(tmp_path / "f").get_insider_transactions("ACMQ")) == 1


def test_a_recording_and_a_folder_of_other_things_are_left_alone(tmp_path: Path):
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "recording.jsonl").write_text("{}\n")
    with pytest.raises(OtherRecording, match="is a recording"):
        taken(tmp_path, BARS, "prices")
    (tmp_path / "f" / "recording.jsonl").rename(tmp_path / "f" / "letter.txt")
    with pytest.raises(OtherRecording, match="is no snapshot"):
        taken(tmp_path, BARS, "prices")
    assert [path.name for path in (tmp_path / "f").iterdir() if not path.name.startswith(".")] == ["letter.txt"]


def test_a_damaged_file_of_the_folder_is_named_and_kept(tmp_path: Path):
    taken(tmp_path, BARS, "prices")
    (tmp_path / "f" / "prices.parquet").write_bytes(b"PAR1")
    with pytest.raises((VendorDown, NoData), match=r"prices\.parquet"):
        taken(tmp_path, BARS, "prices")
    assert (tmp_path / "f" / "prices.parquet").read_bytes() == b"PAR1"


@pytest.mark.parametrize(
    ("kind", "row", "reason"),
    [
        ("prices", "ACMQ,9999-12-31,1,1,1,1", "date is 9999-12-31, which lies in the future"),
        ("prices", "ACMQ,2025-03-16,1,1,1,1", "2025-03-16 is not a session of the exchange of ACMQ"),
        ("prices", "ACMQ,2025-03-14,1,1e12,1,1", "1e+12 is not a valid price"),
        ("actions", "ACMQ,2025-03-14,split,1e308", "1e+308 is not a valid split ratio"),
        ("actions", "ACMQ,2031-03-14,split,2", "date is 2031-03-14, which lies in the future"),
        ("news", "ACMQ,9999-12-31,Title", "published_at is 9999-12-31, which lies in the future"),
        ("news", "ACMQ,9999-12-31T23:59:59-12:00,Title", "'9999-12-31T23:59:59-12:00' lies outside all calendars"),
        ("news", "ACMQ,0001-01-01T00:00:00+14:00,Title", "'0001-01-01T00:00:00+14:00' lies outside all calendars"),
        ("news", "ACMQ,2025-03-13,[Removed]", "'[Removed]' is no title"),
        ("insiders", "ACMQ,0001-01-01,A. Person,1", "transaction_date is 0001-01-01, before all calendars"),
        ("insiders", "ACMQ,2025-03-14,A. Person,1e300", "shares is 1e+300, which is not valid"),
        ("statements", "ACMQ,income,quarterly,9999-12-31,1", "period_end is 9999-12-31, which lies in the future"),
        ("profiles", "ACMQ,Acme,dollars", "'dollars' is not a currency; write it like USD"),
    ],
)
def test_rows_that_would_damage_a_folder_are_refused(tmp_path: Path, kind: Kind, row: str, reason: str):
    header = {
        "prices": "symbol,date,open,high,low,close",
        "actions": "symbol,date,action,value",
        "news": "symbol,published_at,title",
        "insiders": "symbol,transaction_date,insider,shares",
        "statements": "symbol,statement,period,period_end,revenue",
        "profiles": "symbol,name,currency",
    }[kind]
    assert problems(tmp_path, f"{header}\n{row}\n", kind) == (f"line 2: {reason}.",)


def test_a_split_announced_for_next_month_is_taken(tmp_path: Path):
    assert taken(tmp_path, "symbol,date,action,value\nACMQ,2025-05-02,split,2\n", "actions").rows == 1


def test_prices_with_a_break_are_taken_and_its_days_are_named(tmp_path: Path):
    days = [day.isoformat() for day in sessions().between(date(2025, 2, 3), date(2025, 3, 14))]
    levels = [400 if day < "2025-03-03" else 100 for day in days]
    bars = zip(days, levels, strict=True)
    rows = [f"ACMQ,{day},{level},{level},{level},{level},{100000 // level}" for day, level in bars]
    done = taken(tmp_path, "\n".join(["symbol,date,open,high,low,close,volume", *rows]), "prices", no_splits=True)
    assert done.rows == len(days)
    (said,) = done.doubts
    assert said == (
        "ACMQ 2025-03-03: the close went from 400.00 on 2025-02-28 to 100.00 on 2025-03-03, like a 4 for 1 split that "
        "is not listed; its prices are not used (docs/reference/data-faults.md#split-not-listed)."
    )
    split = taken(tmp_path, "symbol,date,action,value\nACMQ,2025-03-03,split,4", "actions")
    assert "the listed 4 for 1 split is not applied" in split.doubts[0]
    assert taken(tmp_path, BARS, "prices").doubts == ()


def test_statements_that_contradict_each_other_are_taken_and_what_runs_withhold_is_named(tmp_path: Path):
    ends = ("2024-03-31", "2024-06-30", "2024-09-30", "2024-12-31")
    text = "\n".join(
        (
            "symbol,statement,period,period_end,filed_at,revenue,gross_profit,net_income",
            *(f"ACMQ,income,quarterly,{end},,1000000000,400000000,200000000" for end in ends[:3]),
            f"ACMQ,income,quarterly,{ends[3]},,1000000,400000,200000",
        )
    )
    done = taken(tmp_path, text, "statements")
    assert done.rows == len(ends)
    (said,) = done.doubts
    assert said.startswith(
        "items that cannot be true (unit-jump), which runs withhold: ACMQ 2024-12-31: amounts of imported's"
    )
    assert "about 1,000 times smaller than in the others; 3 of 4 statements agree" in said
    right = text.replace("1000000,400000,200000", "1000000000,400000000,200000000")
    assert taken(tmp_path, right, "statements").doubts == ()


HISTORY = "Date,Open,High,Low,Close,Volume,Dividends\n2025-03-13,70,71,69,70.5,9,0\n2025-03-14,70,71,69,70.1,9,0.51\n"
"""As yfinance's `history()` writes it: Close without the dividends that its column lists."""


@pytest.mark.parametrize("with_same_adjusted", [False, True])
def test_closes_that_may_be_without_their_dividends_are_refused_until_their_basis_is_named(
    tmp_path: Path, with_same_adjusted: bool
):
    rows, text = HISTORY.splitlines(), HISTORY
    if with_same_adjusted:
        text = "\n".join([f"{rows[0]},Adj Close", *(f"{row},{row.split(',')[4]}" for row in rows[1:])])
    with pytest.raises(UsageError, match=r"lists dividends of KO, the first on 2025-03-14.*basis='fully_adjusted'"):
        taken(tmp_path, text, "prices", symbol="KO")
    assert not (tmp_path / "f" / "prices.parquet").exists()
    assert taken(tmp_path, text, "prices", symbol="KO", basis="fully_adjusted").rows == 2
    assert SnapshotVendor(tmp_path / "f").get_stock_data("KO", *WINDOW).basis == "fully_adjusted"


def test_closes_with_an_adjusted_close_that_follows_their_dividends_are_as_traded(tmp_path: Path):
    rows = HISTORY.splitlines()
    text = "\n".join([f"{rows[0]},Adj Close", f"{rows[1]},{70.5 - 0.51}", f"{rows[2]},70.1"])
    done = taken(tmp_path, text, "prices", symbol="KO", no_splits=True)
    assert done.doubts == ()
    assert SnapshotVendor(tmp_path / "f").get_stock_data("KO", *WINDOW).basis == "split_adjusted"


def test_dividends_that_come_after_the_prices_name_the_days_they_contradict(tmp_path: Path):
    taken(tmp_path, HISTORY.replace(",Dividends", ",Other"), "prices", symbol="KO")
    done = taken(tmp_path, "symbol,date,action,value\nKO,2025-03-14,dividend,0.51", "actions")
    (said,) = done.doubts
    assert said.startswith(
        "KO 2025-03-14: the adjusted close takes off 0.00 %, and the listed dividend is 0.72 % of the "
    )
    assert said.endswith("(docs/reference/data-faults.md#dividends-disagree).")
