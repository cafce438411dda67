"""A small made-up snapshot folder for tests, and poison for leak tests: rows that were known only later, in every file.

`write_snapshot` writes about two and a half years of a market of nine companies. Nothing in it is real:

| symbol | sector | what it lacks |
|---|---|---|
| ACMQ | technology | nothing; statements with filing instants, Q4 without, one filing dated by day only |
| ELMQ | technology | filing dates and insider trades |
| CRGQ | materials | statements and insider trades |
| DOVQ | healthcare | news and insider trades |
| FERQ, GANQ, HAWQ | industrials | everything but prices |
| JAYQ, KITQ | utilities | everything but prices |

`poison(folder, after)` then adds what was known only after an instant. An answer as of that instant must not change.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF

FIRST, LAST = date(2023, 1, 3), date(2025, 6, 30)
STOCKS = {
    "ACMQ": ("Acme Quark Devices", "Information Technology", "Quark Devices"),
    "ELMQ": ("Elmwood Quantum", "Information Technology", "Quantum Software"),
    "CRGQ": ("Cragmoor Quarries", "Materials", "Quarries"),
    "DOVQ": ("Dovetail Quill Health", "Health Care", "Health Quills"),
}
MORE_STOCKS = {
    "FERQ": ("Ferrous Quay Works", "Industrials", "Quay Works"),
    "GANQ": ("Gannet Quill Freight", "Industrials", "Quill Freight"),
    "HAWQ": ("Hawthorn Quarter Tools", "Industrials", "Quarter Tools"),
    "JAYQ": ("Jaywick Quiet Power", "Utilities", "Quiet Power"),
    "KITQ": ("Kittiwake Quell Water", "Utilities", "Quell Water"),
}
"""Stocks with prices only, so that a session has movers and a sector has members."""
INDICES = {"^GSPC": 4000.0, "^VIX": 18.0, "^IXIC": 12000.0, "^DJI": 33000.0, "^RUT": 1800.0}
FUNDS = {"SPY": 400.0, "HYG": 75.0, "LQD": 108.0, "TLT": 100.0, "SHY": 81.0}
SYMBOLS = (*STOCKS, *INDICES, *FUNDS, *SECTOR_ETF.values(), *MORE_STOCKS)
MACRO = {
    "jobs_monthly.nonfarm_payrolls_k": ("month", 150_000.0, 120.0, 32),
    "UNRATE": ("month", 4.0, 0.1, 32),
    "us_inflation_releases.cpi_headline_yoy": ("month", 3.0, 0.1, 40),
    "us_inflation_releases.core_pce_yoy": ("month", 2.5, 0.1, 55),
    "retail.retail_food_services": ("month", 700_000.0, 3500.0, 43),
    "us_growth_releases.real_gdp_qoq_saar": ("quarter", 2.0, 0.3, 114),
    "ism_pmi.ism_pmi": ("month", 50.0, 0.5, 31),
    "claims_weekly.initial_claims_weekly": ("week", 220_000.0, 2000.0, 4),
    "inflation_monetary.fed_funds_target": ("day", 4.5, 0.25, -1),
    "rates.ust_10y": ("day", 4.0, 0.01, 0),
}
"""Series to what a row is about, first value, step, and the days after its reference date for which no one knew it."""
POISON_MARK = "POISON"
"""Stands in every poisoned text: nowhere in an answer given before it was known."""
POISON_VALUE = 9.99e14
"""Stands in every poisoned statement and insider trade."""
SPLIT_AFTER_POISON = 2.0
PAID, EX_DAYS = 0.5, slice(30, None, 63)
"""The dividend of ACMQ, and the sessions on which it is paid."""

Row = dict[str, Any]


def write_snapshot(
    folder: Path,
    *,
    first: date = FIRST,
    last: date = LAST,
    seed: int = 7,
    quarters: int = 10,
    poisoned_after: datetime | None = None,
) -> Path:
    """Write a made-up snapshot folder and return it.

    Args:
        folder: Made where it is missing; files in it are overwritten.
        first: First day of the window.
        last: Last day of the window.
        seed: Of the price paths; the rest is by formula.
        quarters: Quarterly statements of each company that has any, the newest ending before `last`.
        poisoned_after: An instant to call `poison` with at once.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in _files(first, last, seed, quarters).items():
        (folder / name).write_bytes(content)
    if poisoned_after is not None:
        poison(folder, poisoned_after)
    return folder


def year_and_more(folder: Path) -> Path:
    """Write a folder of a year and a half, for tests that look at each of its rows."""
    return write_snapshot(folder, first=date(2024, 1, 2))


@lru_cache(maxsize=4)
def _files(first: date, last: date, seed: int, quarters: int) -> dict[str, bytes]:
    """Return the files of a folder: making them takes many times as long as writing them."""
    with TemporaryDirectory() as place:
        _write(Path(place), first, last, seed, quarters)
        return {path.name: path.read_bytes() for path in sorted(Path(place).iterdir())}


def _write(folder: Path, first: date, last: date, seed: int, quarters: int) -> None:
    days = sessions().between(first, last)
    write_manifest(folder, first, last)
    write_prices(folder, (row for symbol in SYMBOLS for row in _bars(symbol, days, seed)))
    write_actions(folder, [("ACMQ", day.isoformat(), "dividend", PAID) for day in days[EX_DAYS]])
    (folder / "profiles.json").write_text(json.dumps(_profiles(), indent=1), encoding="utf-8")
    write_lines(folder / "statements.jsonl.gz", _statements(last, quarters))
    write_lines(folder / "news.jsonl.gz", _news(days))
    write_lines(folder / "insider.jsonl.gz", _insiders(days))
    write_lines(folder / "social.jsonl.gz", _posts(days))
    write_lines(folder / "filings.jsonl.gz", _filings(days))
    write_macro(folder, _macro(days))


def poison(folder: Path, after: datetime) -> None:
    """Add to every file of a folder what was known only after an instant (UTC).

    Later bars are multiplied by nine and ten in turn, and five sessions follow; ACMQ splits two for one, so that its
    earlier bars and dividends are recorded at half; statements are restated and added; news, day-only headlines and
    insider trades follow, some of them with the title and address of an earlier article; posts follow, among them
    earlier ones again, with likes of a later day; filings follow; economic figures that were
    not out yet are multiplied by nine.
    """
    after = after.astimezone(UTC)
    closed = sessions().last_closed(after)
    _poison_prices(folder, closed)
    _poison_actions(folder, closed)
    statements = read_lines(folder / "statements.jsonl.gz")
    write_lines(folder / "statements.jsonl.gz", [*statements, *_poisoned_statements(statements, after)])
    news = read_lines(folder / "news.jsonl.gz")
    write_lines(folder / "news.jsonl.gz", [*news, *_poisoned_news(news, after)])
    insiders = read_lines(folder / "insider.jsonl.gz")
    write_lines(folder / "insider.jsonl.gz", [*insiders, *_poisoned_insiders(after)])
    social = read_lines(folder / "social.jsonl.gz")
    write_lines(folder / "social.jsonl.gz", [*social, *_poisoned_posts(social, after)])
    filings = read_lines(folder / "filings.jsonl.gz")
    write_lines(folder / "filings.jsonl.gz", [*filings, *_poisoned_filings(after)])
    _poison_macro(folder, after.date())


def write_manifest(folder: Path, first: date, last: date, **more: object) -> None:
    """Write snapshot.json; further fields win."""
    manifest = {
        "format": 1,
        "name": "made-up-market",
        "from": first.isoformat(),
        "to": last.isoformat(),
        "exchange": "XNYS",
        "timezone": "America/New_York",
    }
    (folder / "snapshot.json").write_text(json.dumps(manifest | more), encoding="utf-8")


def write_prices(
    folder: Path, rows: Iterable[Row], *, price_type: pa.DataType | None = None, group: int = 10_000
) -> None:
    """Write prices.parquet, prices in single precision unless told, in row groups of `group` rows."""
    price = price_type or pa.float32()
    schema = pa.schema(
        [("symbol", pa.string()), ("date", pa.timestamp("ms"))]
        + [(name, price) for name in ("open", "high", "low", "close", "adj_close")]
        + [("volume", pa.int64()), ("basis", pa.string())]
    )
    table = pa.Table.from_pylist(list(rows), schema=schema)
    pq.write_table(table, folder / "prices.parquet", row_group_size=group)


def write_actions(folder: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write actions.csv from (symbol, date, action, value)."""
    with (folder / "actions.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("symbol", "date", "action", "value"), *rows])


def write_macro(folder: Path, rows: Iterable[tuple[str, date, float]]) -> None:
    """Write macro.parquet from (series, reference date, value)."""
    schema = pa.schema([("series", pa.string()), ("date", pa.timestamp("us")), ("value", pa.float64())])
    found = [{"series": name, "date": datetime.combine(day, time.min), "value": value} for name, day, value in rows]
    table = pa.Table.from_pylist(found, schema=schema)
    pq.write_table(table, folder / "macro.parquet")


def read_macro(folder: Path) -> list[tuple[str, date, float]]:
    """Read macro.parquet."""
    rows = pq.ParquetFile(folder / "macro.parquet").read().to_pylist()
    return [(row["series"], row["date"].date(), row["value"]) for row in rows]


def write_lines(path: Path, rows: Iterable[Row]) -> None:
    """Write a gzipped JSON-lines file."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def read_lines(path: Path) -> list[Row]:
    """Read a gzipped JSON-lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def price_row(symbol: str, day: date, close: float, basis: str = "raw+adj", **more: object) -> Row:
    """Return one bar around a close, 1000 shares traded; further fields win."""
    row: Row = {
        "symbol": symbol,
        "date": datetime.combine(day, time.min),
        "open": close,
        "high": close,
        "low": close,
        "close": close,
        "adj_close": close,
        "volume": 1000,
        "basis": basis,
    }
    return row | more


def statement_row(symbol: str, kind: str, end: date, items: Row, *, filed_at: str | None = None, **more: object) -> Row:
    """Return one quarterly statement in our item names; further fields win."""
    row: Row = {
        "symbol": symbol,
        "statement": kind,
        "period": "quarterly",
        "fiscal_year": str(end.year),
        "fiscal_period": f"Q{(end.month + 2) // 3}",
        "period_start": None,
        "period_end": end.isoformat(),
        "filed_at": filed_at,
        "currency": "USD",
        "source": "recorded",
        "items": items,
    }
    return row | more


def news_row(symbol: str, published_at: str, title: str, **more: object) -> Row:
    """Return one article; further fields win."""
    return {
        "symbol": symbol,
        "published_at": published_at,
        "title": title,
        "summary": None,
        "source": None,
        "url": None,
    } | more


def insider_row(symbol: str, day: date, text: str, **more: object) -> Row:
    """Return one insider trade of 1000 shares; further fields win."""
    row: Row = {
        "symbol": symbol,
        "transaction_date": day.isoformat(),
        "insider": "QUILLER QUINN",
        "relation": "Director",
        "ownership": "D",
        "shares": 1000,
        "value": 50000,
        "text": text,
        "recorded": "2025-06",
    }
    return row | more


def social_row(symbol: str, posted_at: str, text: str, **more: object) -> Row:
    """Return one post without a tag or counts; further fields win."""
    return {"symbol": symbol, "posted_at": posted_at, "text": text, "source": "reddit"} | more


def filing_row(symbol: str, filed_on: date, form: str, **more: object) -> Row:
    """Return one filing, of which only the day is known; further fields win."""
    number = f"{symbol}-{filed_on}-{form}"
    row = {"symbol": symbol, "form": form, "filed_on": filed_on.isoformat()}
    return row | {"accession": number, "url": f"https://filings.invalid/{number}"} | more


def _bars(symbol: str, days: Sequence[date], seed: int) -> list[Row]:
    basis = "index" if symbol in INDICES else "auto_adjusted" if symbol in SECTOR_ETF.values() else "raw+adj"
    rng = np.random.default_rng([seed, SYMBOLS.index(symbol)])
    start = {**INDICES, **FUNDS}.get(symbol, 80.0)
    drift = 0.0 if symbol == "^VIX" else 0.0004
    close = np.round(start * np.exp(np.cumsum(rng.normal(drift, 0.012, len(days)))), 2)
    volume = rng.integers(1_000_000, 5_000_000, len(days)) * 2
    adjusted = without_dividends(close) if symbol == "ACMQ" else close
    rows = []
    for index, day in enumerate(days):
        price = float(close[index])
        opened = float(close[index - 1]) if index else price
        rows.append(
            price_row(
                symbol,
                day,
                price,
                basis,
                open=opened,
                high=round(max(price, opened) * 1.01, 2),
                low=round(min(price, opened) * 0.99, 2),
                adj_close=float(adjusted[index]),
                volume=0 if basis == "index" else int(volume[index]),
            )
        )
    return rows


def without_dividends(close: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return closes less the dividends paid since, in cents."""
    kept = np.ones(len(close))
    kept[EX_DAYS] = 1 - PAID / close[np.arange(len(close))[EX_DAYS] - 1]
    after = np.append(np.cumprod(kept[::-1])[::-1][1:], 1.0)
    return np.round(close * after, 2)


def _profiles() -> Row:
    stocks = {
        symbol: {"name": name, "sector": sector, "industry": industry, "currency": "USD", "kind": "stock"}
        for symbol, (name, sector, industry) in {**STOCKS, **MORE_STOCKS}.items()
    }
    sectors = {
        fund: {
            "name": f"{DISPLAY[sector]} made-up fund",
            "kind": "etf",
            "currency": "USD",
            "tracks_sector": DISPLAY[sector],
        }
        for sector, fund in SECTOR_ETF.items()
    }
    funds = {symbol: {"name": symbol, "kind": "etf", "currency": "USD"} for symbol in FUNDS}
    indices = {symbol: {"name": symbol, "kind": "index", "currency": "USD"} for symbol in INDICES}
    return {**stocks, **sectors, **funds, **indices}


def _quarter_ends(last: date, count: int) -> list[date]:
    """Return the calendar quarter ends before `last`, oldest first."""
    ends: list[date] = []
    day = last.replace(day=1)
    while len(ends) < count:
        day -= timedelta(days=1)
        if day.month % 3 == 0:
            ends.append(day)
        day = day.replace(day=1)
    return ends[::-1]


def _statements(last: date, count: int) -> list[Row]:
    rows: list[Row] = []
    for number, end in enumerate(_quarter_ends(last, count)):
        filed = end + timedelta(days=30)
        filed_at: str | None = f"{filed.isoformat()}T20:30:00Z"
        if end.month == 12:
            filed_at = None
        elif number == 1:
            filed_at = filed.isoformat()
        for symbol, size in (("ACMQ", 1.0), ("ELMQ", 0.4), ("DOVQ", 0.2)):
            known = None if symbol == "ELMQ" else filed_at
            rows.extend(_quarter(symbol, end, 1e9 * size * (1 + 0.03 * number), known))
    return rows


def _quarter(symbol: str, end: date, revenue: float, filed_at: str | None) -> list[Row]:
    income = {
        "revenue": revenue,
        "cost_of_revenue": 0.6 * revenue,
        "gross_profit": 0.4 * revenue,
        "operating_expenses": 0.2 * revenue,
        "operating_income": 0.2 * revenue,
        "depreciation_and_amortization": 0.05 * revenue,
        "interest_expense": 0.01 * revenue,
        "pretax_income": 0.19 * revenue,
        "income_tax": 0.04 * revenue,
        "net_income": 0.15 * revenue,
        "eps_diluted": 0.15 * revenue / 1e8,
        "shares_diluted": 1e8,
    }
    balance = {
        "cash": revenue,
        "inventory": 0.5 * revenue,
        "current_assets": 2.0 * revenue,
        "total_assets": 6.0 * revenue,
        "current_liabilities": 1.0 * revenue,
        "short_term_debt": 0.2 * revenue,
        "long_term_debt": 1.0 * revenue,
        "total_liabilities": 3.0 * revenue,
        "equity": 3.0 * revenue,
    }
    cashflow = {
        "operating_cash_flow": 0.22 * revenue,
        "capital_expenditure": -0.06 * revenue,
        "dividends_paid": -0.05 * revenue,
        "net_change_in_cash": 0.02 * revenue,
    }
    kinds = (("income", income), ("balance", balance), ("cashflow", cashflow))
    return [statement_row(symbol, kind, end, items, filed_at=filed_at) for kind, items in kinds]


def _news(days: Sequence[date]) -> list[Row]:
    rows = []
    for index, day in enumerate(days):
        if index % 2 == 0:
            mood = "gains on strong demand" if index % 4 == 0 else "falls after a warning"
            rows.append(_article("ACMQ", day, f"Acme Quark {mood}, day {index}", index))
        if index % 5 == 0:
            rows.append(_article("ELMQ", day, f"Elmwood Quantum wins contract {index}", index))
        if index % 10 == 0:
            title = f"Quark and quantum makers compared, part {index}"
            rows.extend(_article(symbol, day, title, index, hour=15) for symbol in ("ACMQ", "ELMQ"))
        if index % 7 == 0:
            rows.append(news_row("CRGQ", day.isoformat(), f"Cragmoor Quarries digs deeper, level {index}"))
        if index % 3 == 0:
            rows.append(news_row("^GSPC", day.isoformat(), f"Made-up market closes mixed, session {index}"))
    return rows


def _article(symbol: str, day: date, title: str, number: int, hour: int = 13) -> Row:
    return news_row(
        symbol,
        f"{day.isoformat()}T{hour}:{number % 60:02d}:00Z",
        title,
        summary=f"{title}: a made-up story.",
        source="Made-up Wire",
        url=f"https://news.invalid/{title.replace(' ', '-').lower()}",
    )


def _insiders(days: Sequence[date]) -> list[Row]:
    texts = (
        "Sale at price 50.00 per share.",
        "Purchase at price 49.50 per share.",
        "Stock Gift at price 0.00 per share.",
    )
    return [insider_row("ACMQ", day, texts[index % 3]) for index, day in enumerate(days[10::40])]


def _macro(days: Sequence[date]) -> list[tuple[str, date, float]]:
    """Return rows from the quarter before the window on; values rise by a step and start again every fourth row."""
    first = (days[0] - timedelta(days=92)).replace(day=1)
    every = [first + timedelta(days=count) for count in range((days[-1] - first).days + 1)]
    dated = {
        "day": every,
        "week": [day for day in every if day.isoweekday() == 6],
        "month": [day for day in every if day.day == 1],
        "quarter": [day for day in every if day.day == 1 and day.month % 3 == 1],
    }
    return [
        (series, day, start + step * (number // (90 if period == "day" else 1) % 4))
        for series, (period, start, step, _) in MACRO.items()
        for number, day in enumerate(dated[period])
    ]


def _poison_prices(folder: Path, closed: date) -> None:
    rows: list[Row] = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    newest = {row["symbol"]: row for row in rows}
    calendar = sessions()
    after = max(closed, *(row["date"].date() for row in rows))
    for symbol, row in newest.items():
        for count in range(1, 6):
            rows.append(price_row(symbol, calendar.after(after, count), row["close"], row["basis"]))  # noqa: PERF401
    for row in rows:
        if row["date"].date() > closed:
            for name in ("open", "high", "low", "close", "adj_close"):
                row[name] *= 9.0 + row["date"].toordinal() % 2
        elif row["symbol"] == "ACMQ":
            for name in ("open", "high", "low", "close", "adj_close"):
                row[name] = round(row[name], 2) / SPLIT_AFTER_POISON
            row["volume"] = int(row["volume"] * SPLIT_AFTER_POISON)
    write_prices(folder, rows)


def _poison_actions(folder: Path, closed: date) -> None:
    with (folder / "actions.csv").open(encoding="utf-8", newline="") as file:
        recorded = [(row["symbol"], row["date"], row["action"], float(row["value"])) for row in csv.DictReader(file)]
    split_day = sessions().after(closed).isoformat()
    write_actions(
        folder,
        [
            *(
                (s, d, action, value / SPLIT_AFTER_POISON if d < split_day else value * 9)
                for s, d, action, value in recorded
            ),
            ("ACMQ", split_day, "split", SPLIT_AFTER_POISON),
            ("ACMQ", split_day, "dividend", 40.0),
        ],
    )


def _poisoned_statements(rows: Sequence[Row], after: datetime) -> list[Row]:
    """Restate every company's newest period, and add one that ends on the instant's day and one filed just after it."""
    filed_at = (after + timedelta(hours=1)).isoformat()
    known = [row for row in rows if row["period_end"] < (after - timedelta(days=100)).date().isoformat()]
    newest = {(row["symbol"], row["statement"]): row for row in known}
    bad = [row | {"filed_at": filed_at, "items": dict.fromkeys(row["items"], POISON_VALUE)} for row in newest.values()]
    undated = [
        row
        | {"period_end": after.date().isoformat(), "filed_at": None, "items": dict.fromkeys(row["items"], POISON_VALUE)}
        for row in newest.values()
    ]
    unheard = [
        row
        | {
            "period_end": (after - timedelta(days=40)).date().isoformat(),
            "filed_at": filed_at,
            "items": dict.fromkeys(row["items"], POISON_VALUE),
        }
        for row in newest.values()
    ]
    return bad + undated + unheard


def _poisoned_news(rows: Sequence[Row], after: datetime) -> list[Row]:
    """Add articles after the instant: new ones, day-only ones of its very day, earlier ones under two companies."""
    soon, today = (after + timedelta(minutes=1)).isoformat(), after.date().isoformat()
    bad = [news_row(symbol, soon, f"{POISON_MARK} {symbol} doubles overnight") for symbol in ("ACMQ", "ELMQ", "CRGQ")]
    bad += [news_row(symbol, today, f"{POISON_MARK} {symbol} soars") for symbol in ("ACMQ", "CRGQ", "^GSPC")]
    bad += [
        news_row(
            symbol, (after + timedelta(weeks=week)).isoformat(), f"{POISON_MARK} war, tariffs, Fed, oil: week {week}"
        )
        for week in range(1, 27)
        for symbol in ("ACMQ", "^GSPC")
    ]
    earlier = [row for row in rows if row["symbol"] == "ACMQ" and row["published_at"] < today][-3:]
    return bad + [row | {"symbol": symbol, "published_at": soon} for row in earlier for symbol in ("ELMQ", "ACMQ")]


def _poisoned_insiders(after: datetime) -> list[Row]:
    return [
        insider_row(
            "ACMQ",
            after.date(),
            f"Purchase at price 1.00 per share. {POISON_MARK}",
            shares=POISON_VALUE,
            value=POISON_VALUE,
        )
    ]


def _poison_macro(folder: Path, day: date) -> None:
    write_macro(
        folder,
        [
            (series, reference, value * (9.0 if reference + timedelta(days=MACRO[series][3]) > day else 1.0))
            for series, reference, value in read_macro(folder)
        ],
    )


def _posts(days: Sequence[date]) -> list[Row]:
    """Two posts of every session about ACMQ; of every three the first is tagged bullish, the next bearish."""
    rows = []
    for number, (day, hour) in enumerate((day, hour) for day in days for hour in (13, 18)):
        at = f"{day}T{hour}:00:00Z"
        tag = ("bullish", "bearish", None)[number % 3]
        counts = {"score": number % 7, "comments": number % 3, "counted_at": at}
        where = {"url": f"https://posts.invalid/{number}", "author": f"quill{number % 11}", "community": "stocks"}
        rows.append(social_row("ACMQ", at, f"Thoughts on $ACMQ, number {number}", sentiment=tag, **counts, **where))
    return rows


def _poisoned_posts(known: list[Row], after: datetime) -> list[Row]:
    second, later = (after + timedelta(seconds=1)).isoformat(), "2025-06-12T15:00:00Z"
    again = [row | {"text": POISON_MARK, "posted_at": second, "score": 9999} for row in known[-6:]]
    fresh = [
        social_row("ACMQ", at, f"{POISON_MARK} to the moon", sentiment="bullish", score=9999, counted_at=at)
        for at in (second, later)
    ]
    by_day = social_row("ACMQ", after.date().isoformat(), f"{POISON_MARK} of the day", sentiment="bearish")
    return [*again, *fresh, by_day]


def _filings(days: Sequence[date]) -> list[Row]:
    """A filing of ACMQ every tenth session, in turn a 10-Q with its instant, an 8-K, and a Form 4 with its day only."""
    rows = []
    for number, day in enumerate(days[5::10]):
        accepted = {"accepted_at": f"{day}T21:05:00Z"}
        about = (
            ("10-Q", {"title": "Quarterly report", "period_end": (day - timedelta(days=30)).isoformat(), **accepted}),
            ("8-K", {"items": ["2.02", "9.01"], **accepted}),
            ("4", {}),
        )
        form, more = about[number % 3]
        rows.append(filing_row("ACMQ", day, form, **more))
    return rows


def _poisoned_filings(after: datetime) -> list[Row]:
    soon, day = after + timedelta(seconds=1), after.date()
    timed = [
        filing_row("ACMQ", when.date(), "8-K", title=POISON_MARK, accepted_at=when.isoformat(), accession=f"P-{when}")
        for when in (soon, after + timedelta(weeks=12))
    ]
    return [*timed, filing_row("ACMQ", day, "10-K/A", title=f"{POISON_MARK} of the day")]
