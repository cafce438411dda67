"""Write the files of a snapshot folder from a journal (docs/reference/snapshot-format.md).

Writes are atomic: a reader sees the old file or the new one.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import numpy as np

from tradingagents.dataflows.gateway.cache import encode
from tradingagents.dataflows.gateway.registry import registrations
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.snapshots.journal import Journal, Settled, writing
from tradingagents.dataflows.snapshots.plan import Request
from tradingagents.dataflows.snapshots.recorded_rows import (
    article_row,
    filing_row,
    post_row,
    profile_row,
    statement_row,
    trade_row,
)
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.dataflows.vendors.snapshot.answers import FILE as ANSWERS
from tradingagents.dataflows.vendors.snapshot.answers import METHODS_KEPT
from tradingagents.dataflows.vendors.snapshot.filings import FILE as FILINGS
from tradingagents.dataflows.vendors.snapshot.folder import FORMAT, MANIFEST
from tradingagents.dataflows.vendors.snapshot.prices import BASIS, COLUMNS
from tradingagents.dataflows.vendors.snapshot.social import FILE as SOCIAL
from tradingagents.dataflows.vendors.snapshot.vintages import FILE as VINTAGES
from tradingagents.files.parquet import pa, pq


def put_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder: all to temporary files first, then each into place, in order.

    The caller holds the folder's lock (`journal.alone`).

    Raises:
        FolderNotWritable: One can't be written; none is replaced unless all temporary files were written.
    """
    drafts: dict[Path, Path] = {}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            for left in folder.glob(f".{name}.*"):  # left by a process that was killed here
                left.unlink(missing_ok=True)
        try:
            for name, content in files.items():
                draft = folder / f".{name}.{secrets.token_hex(3)}"
                drafts[draft] = folder / name
                draft.write_bytes(content)
            for draft, final in drafts.items():
                draft.replace(final)
        finally:
            for draft in drafts:
                draft.unlink(missing_ok=True)


_WORD = {basis: word for word, basis in BASIS.items()}
Row = dict[str, Any]
_STATEMENTS = ("get_income_statement", "get_balance_sheet", "get_cashflow")
COVERED = ("get_news", "get_global_news", "get_insider_transactions", "get_social_posts", "get_filings")
"""Methods whose empty answer means that there was nothing."""


def write_folder(folder: Path, journal: Journal, request: Request) -> None:
    """Write the snapshot of a journal, the manifest last.

    Raises:
        FolderNotWritable: It can't be written.
    """
    answered = sorted(
        (entry for entry in journal if entry.outcome == "answered"),
        key=lambda entry: (entry.question.method, entry.question.subject, str(entry.question.args), entry.vendor),
    )
    by_method: dict[str, list[Settled]] = defaultdict(list)
    for answer in answered:
        by_method[answer.question.method].append(answer)
    prices = [cast(Prices, answer.answer) for answer in by_method["get_stock_data"]]
    cutoff = datetime.fromisoformat(journal.header["cutoff"])
    lines = {
        "statements.jsonl.gz": _rows(by_method, _STATEMENTS, statement_row, cutoff),
        "news.jsonl.gz": [
            *_rows(by_method, ("get_news",), article_row, cutoff),
            *_rows(by_method, ("get_global_news",), lambda row, _: article_row(row, None), cutoff),
        ],
        "insider.jsonl.gz": _rows(by_method, ("get_insider_transactions",), trade_row, cutoff),
        SOCIAL: _rows(by_method, ("get_social_posts",), post_row, cutoff),
        FILINGS: _rows(by_method, ("get_filings",), filing_row, cutoff),
        VINTAGES: [
            {"id": answer.question.subject, **cast(Row, encode(Vendor.get_macro_indicators, answer.answer))}
            for answer in by_method["get_macro_indicators"]
        ],
        ANSWERS: [_answer(answer, cutoff, request) for answer in answered if answer.question.method in METHODS_KEPT],
    }
    files = {
        "prices.parquet": _price_file(prices),
        "actions.csv": _action_file(prices),
        "profiles.json": _json(
            {answer.answer.symbol: profile_row(answer.answer) for answer in by_method["get_profile"]}
        ),
        **{name: gzipped(rows) for name, rows in lines.items() if rows},
        "README.md": _readme(journal, request, answered).encode(),
        MANIFEST: _json(_manifest(journal, request, answered, prices)),
    }
    put_files(folder, files)


def price_table(rows: Mapping[str, Any]) -> pa.Table:
    """Return columns as the table of prices.parquet, in double precision."""
    types = {"symbol": pa.string(), "date": pa.date32(), **dict.fromkeys(COLUMNS, pa.float64())}
    types |= {"basis": pa.string(), "currency": pa.string()}
    return pa.table({name: pa.array(rows[name], type=types[name]) for name in types if name in rows})


def parquet(table: pa.Table) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def gzipped(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as gzipped JSON lines; equal rows give equal bytes."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return gzip.compress(text.encode(), mtime=0)


def _rows(
    by_method: Mapping[str, list[Settled]], methods: Iterable[str], convert: Callable[[Any, str], Row], cutoff: datetime
) -> list[Row]:
    """Return the rows that runs on the recorded days can see: those known by the cut-off."""
    return [
        convert(row, answer.question.subject)
        for method in methods
        for answer in by_method[method]
        for row in answer.answer
        if row.known_at <= cutoff
    ]


def _price_file(prices: Iterable[Prices]) -> bytes:
    found = sorted(prices, key=lambda price: price.symbol)
    columns: dict[str, Any] = {"symbol": [series.symbol for series in found for _ in range(len(series))]}
    columns["date"] = np.concatenate([series.days for series in found]).astype("datetime64[D]") if found else []
    for name in COLUMNS:
        columns[name] = np.concatenate([getattr(series, name) for series in found]) if found else []
    columns["basis"] = [_WORD[series.basis] for series in found for _ in range(len(series))]
    columns["currency"] = [series.currency for series in found for _ in range(len(series))]
    return parquet(price_table(columns))


def action_columns(merged: bool) -> tuple[str, ...]:
    """Return the columns of actions.csv: a file without mergers for shares needs no other symbol."""
    return ("symbol", "date", "action", "value", *(("into", "into_shares") if merged else ()))


def _action_file(prices: Iterable[Prices]) -> bytes:
    text = io.StringIO(newline="")
    out = csv.writer(text, lineterminator="\n")
    found = sorted(prices, key=lambda price: price.symbol)
    merged = any(series.ended is not None and series.ended.into is not None for series in found)
    out.writerow(action_columns(merged))
    rest = ("", "") if merged else ()
    for series in found:
        out.writerows((series.symbol, split.day, "split", repr(split.ratio), *rest) for split in series.splits)
        out.writerows((series.symbol, paid.day, "dividend", repr(paid.amount), *rest) for paid in series.dividends)
        if (end := series.ended) is not None:
            shares = (end.into or "", "" if end.shares is None else repr(end.shares)) if merged else ()
            out.writerow((series.symbol, end.day, end.kind, "" if end.cash is None else repr(end.cash), *shares))
    return text.getvalue().encode()


def _answer(one: Settled, cutoff: datetime, request: Request) -> Row:
    first, last = _days(one) or (request.last, request.last)
    return {
        "method": one.question.method,
        "subject": " ".join(arg for arg in one.question.args if isinstance(arg, str)),
        "first": first.isoformat(),
        "last": last.isoformat(),
        "known_at": cutoff.isoformat(),
        "vendor": one.vendor,
        "answer": encode(METHODS_KEPT[one.question.method], one.answer),
    }


def _days(one: Settled) -> tuple[date, date] | None:
    """Return the days of a request; None if it has none."""
    days = [date.fromisoformat(arg.isoformat()[:10]) for arg in one.question.args if not isinstance(arg, str)]
    return (days[0], days[-1]) if days else None


def _manifest(journal: Journal, request: Request, answered: list[Settled], prices: list[Prices]) -> Row:
    unanswered = [entry for entry in journal if entry.outcome != "answered"]
    return {
        "format": FORMAT,
        "name": f"{'-'.join(request.tickers[:5]).lower()}-{request.first}-{request.last}",
        "from": request.first.isoformat(),
        "to": request.last.isoformat(),
        "exchange": "XNYS",
        "recorded_at": max(answer.at for answer in answered).isoformat(),
        "cutoff": journal.header["cutoff"],
        "tickers": list(request.tickers),
        "symbols": len({price.symbol for price in prices}),
        "provenance": list(_provenance(answered)),
        "covered": _covered(answered, request),
        "unconfirmed": _unconfirmed(answered),
        "missing": [
            {"method": entry.question.method, "subject": entry.question.subject, "why": entry.message}
            for entry in sorted(unanswered, key=lambda entry: (entry.question.method, str(entry.question.args)))
        ],
    }


def _provenance(answered: list[Settled]) -> Iterator[Row]:
    known = registrations()
    by_vendor: dict[str, list[Settled]] = defaultdict(list)
    for answer in answered:
        by_vendor[answer.vendor].append(answer)
    for vendor, found in sorted(by_vendor.items()):
        yield {
            "vendor": vendor,
            "terms": known[vendor].terms if vendor in known else "",
            "recorded_by": f"tradingagents {version('tradingagents')}",
            "first_asked_at": min(answer.at for answer in found).isoformat(),
            "last_asked_at": max(answer.at for answer in found).isoformat(),
            "answers": dict(sorted(Counter(answer.question.method for answer in found).items())),
        }


def _unconfirmed(answered: list[Settled]) -> dict[str, str]:
    """Return by method what of its rows nothing confirms, as the vendors say of the lists that they alone give."""
    known, found = registrations(), dict[str, str]()
    for answer in answered:
        method = METHODS[answer.question.method].vendor_name
        what = known[answer.vendor].kind.unconfirmed.get(method) if answer.vendor in known else None
        if what is not None:
            found.setdefault(method, what)
    return dict(sorted(found.items()))


def _covered(answered: list[Settled], request: Request) -> dict[str, dict[str, list[list[str]]]]:
    """Return the recorded days by method and subject, with adjacent windows merged.

    The oldest window of a feed begins with its first article: a feed with a shorter history doesn't say so.
    """
    windows: dict[tuple[str, str], list[tuple[date, date]]] = defaultdict(list)
    firsts: dict[tuple[str, str], list[date]] = defaultdict(list)
    for answer in answered:
        method = answer.question.method
        if method in COVERED:
            windows[method, answer.question.subject].append(_days(answer) or (request.first, request.last))
            if method in ("get_news", "get_global_news") and answer.answer:
                firsts[method, answer.question.subject].append(min(row.published_at.date() for row in answer.answer))
    covered: dict[str, dict[str, list[list[str]]]] = defaultdict(dict)
    for (method, subject), found in windows.items():
        joined: list[tuple[date, date]] = []
        for first, last in sorted(found):
            if joined and first <= joined[-1][1] + timedelta(days=1):
                joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
            else:
                joined.append((first, last))
        oldest = min(firsts.get((method, subject), [joined[0][0]]))
        joined[0] = (max(joined[0][0], min(oldest, joined[0][1])), joined[0][1])
        covered[method][subject] = [[first.isoformat(), last.isoformat()] for first, last in joined]
    return covered


def _readme(journal: Journal, request: Request, answered: list[Settled]) -> str:
    vendors = list(_provenance(answered))
    terms = [f"- {vendor['vendor']}: {vendor['terms'] or 'no terms of use apply.'}" for vendor in vendors]
    missing = sum(entry.outcome != "answered" for entry in journal)
    return "\n".join(
        (
            f"# Recorded market data: {', '.join(request.tickers)}",
            "",
            f"Recorded by `tradingagents data record` for runs on {request.first} to {request.last}. Run on it:",
            f"`tradingagents analyze {request.tickers[0]} {request.last} --data-dir FOLDER`, or from Python with the",
            'settings `data_vendor` ("snapshot") and `data_dir`. The documentation of tradingagents describes the',
            "format (snapshot-format). `snapshot.json` says who answered what and when, and what could not be answered",
            f"({missing} questions). `recording.jsonl` records every answer: with it the same command continues;",
            "without it the folder still answers.",
            "",
            "The data came from these vendors, whose terms apply to this copy too. Check them before passing it on.",
            "",
            *terms,
            "",
        )
    )


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
