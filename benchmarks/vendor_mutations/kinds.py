"""The ways in which answers of vendors change, each with where such a change comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.vendor_mutations.documents import Column, Document, Table, like, number_of
from tests.support.vendor_server import Reply

RATES = {"EUR": 0.92, "JPY": 149.6, "GBP": 0.79}
_NO_AMOUNT = frozenset(
    [
        "volume",
        "shares",
        "share",
        "timestamp",
        "date",
        "time",
        "times",
        "beta",
        "ratio",
        "pe",
        "peg",
        "percent",
        "pct",
        "yield",
        "margin",
        "margins",
        "count",
        "periods",
        "numerator",
        "denominator",
        "offset",
        "growth",
        "number",
        "num",
        "score",
        "weight",
        "return",
        "roa",
        "roe",
        "year",
        "fy",
        "cik",
        "age",
        "likes",
        "id",
        "status",
        "hint",
        "size",
        "ps",
        "pb",
        "year",
        "created",
        "utc",
        "quarter",
        "first",
        "second",
        "millis",
        "epoch",
        "delay",
        "decimals",
        "ups",
        "comments",
        "cursor",
    ]
)
_RATIO = frozenset(["yield", "percent", "margin", "margins", "return", "roa", "roe", "growth", "weight", "pct"])
_TIME = re.compile(r"time|date|published|created|filed|accept|updated", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-?\d{2}-?\d{2}[T ]\d{2}:?\d{2}(:?\d{2})?.*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CURRENCY = re.compile(r"currency", re.IGNORECASE)


def _words(label: str) -> frozenset[str]:
    """Return the words of a name: `regularMarketPrice`, `transaction_price` and `5. volume` have theirs."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", label)
    return frozenset(re.split(r"[^a-z0-9]+", apart.lower()))


class NotApplicable(Exception):
    """The answer has nothing that this kind could change."""


@dataclass(frozen=True)
class Changed:
    """A changed answer."""

    reply: Reply
    variant: str
    """Which form of the kind."""
    what: str
    """What was changed."""
    currency: str | None = None
    """The currency that amounts are in now, and say so."""
    rate: float = 1.0
    """Units of it for one of before."""
    hides: bool = False
    """Whether nothing in the answer tells that it was changed, so that only another source could."""


Change = Callable[[Document, Random], Changed]


def _one_of(columns: list[Column], rng: Random) -> Column:
    """Draw a column, four times in five one that is read."""
    if not columns:
        raise NotApplicable
    return rng.choice(columns)


def _column(document: Document, rng: Random, *, numeric: bool = False) -> Column:
    some = document.read if rng.random() < 0.85 else document.columns
    return _one_of([column for column in some if column.is_numeric or not numeric], rng)


def _cells(column: Column, rng: Random) -> tuple[list[tuple[Any, Any]], str]:
    """Return the whole column, or one to three of its values, and what was taken in words."""
    if len(column.cells) < 3 or rng.random() < 0.5:
        return column.cells, "everywhere"
    some = rng.sample(column.cells, rng.randint(1, 3))
    return some, f"in {len(some)} of {len(column.cells)} rows"


def renamed(document: Document, rng: Random) -> Changed:
    """A vendor renames a field, as Yahoo did with its totals."""
    column = _column(document, rng)
    place = max((index for index, part in enumerate(column.path) if part == column.label), default=None)
    if place is None:
        raise NotApplicable
    new = rng.choice((f"{column.label}V2", re.sub(r"(?<!^)(?=[A-Z])", "_", column.label).lower() + "_", "x"))

    def walk(node: Any, path: tuple[str, ...]) -> None:
        if isinstance(node, list):
            for item in node:
                walk(item, path[1:])
            return
        if not isinstance(node, dict) or not path:
            return
        if len(path) == 1:
            if path[0] in node:
                items = [(new if key == path[0] else key, value) for key, value in node.items()]
                node.clear()
                node.update(items)
            return
        for key, value in list(node.items()):
            if path[0] in ("*", key):
                walk(value, path[1:])

    walk(document.body, column.path[: place + 1])
    return Changed(document.reply(), "key", f"{column.label} is called {new}")


def dropped(document: Document, rng: Random) -> Changed:
    """A field is no longer sent, for all rows or for some."""
    column = _column(document, rng)
    cells, where = _cells(column, rng)
    if any(isinstance(container, list) for container, _ in cells):
        raise NotApplicable
    for container, key in cells:
        container.pop(key, None)
    return Changed(document.reply(), where.split(" ")[0], f"{column.label} is left out {where}")


def null(document: Document, rng: Random) -> Changed:
    """A field is sent as null, for all rows or for some."""
    column = _column(document, rng)
    cells, where = _cells(column, rng)
    for container, key in cells:
        container[key] = None
    return Changed(document.reply(), where.split(" ")[0], f"{column.label} is null {where}")


def text_for_number(document: Document, rng: Random) -> Changed:
    """A number arrives as text: plain, with thousands' commas, shortened to 1.2B, or as a word for none."""
    column = _column(document, rng, numeric=True)
    form = rng.choice(("plain", "commas", "short", "word"))
    cells, where = _cells(column, rng)
    for container, key in cells:
        number = number_of(container[key])
        if number is not None:
            container[key] = {
                "plain": f"{number!r}",
                "commas": f"{number:,.2f}",
                "short": f"{number / 1e9:.3f}B" if abs(number) > 1e8 else f"{number / 1e3:.3f}K",
                "word": rng.choice(("N/A", "None", "-", "Infinity")),
            }[form]
    return Changed(document.reply(), form, f"{column.label} is text ({form}) {where}")


def scaled(document: Document, rng: Random) -> Changed:
    """A number is sent in other units: hundredths, thousands, millions; milliseconds for seconds."""
    factor = rng.choice((100.0, 1e3, 1e6, 1e-2, 1e-3, 1e-6))
    if rng.random() < 0.2:
        return _all_scaled(document, factor, "all amounts", _amounts(document))
    column = _column(document, rng, numeric=True)
    cells, where = _cells(column, rng)
    _scale(cells, factor)
    return Changed(document.reply(), where.split(" ")[0], f"{column.label} times {factor:g} {where}")


def other_currency(document: Document, rng: Random) -> Changed:
    """Amounts come in another currency: of the reader's country, of the listing, of the report."""
    code = rng.choice(sorted(RATES))
    amounts = _amounts(document, per_share=True)
    if not amounts:
        raise NotApplicable
    codes = [column for column in document.columns if _CURRENCY.search(column.label)]
    codes = [column for column in codes if any(value in ("USD", *RATES) for value in column.values)]
    stated = bool(codes) and rng.random() < 0.6
    _all_scaled(document, RATES[code], "", amounts)
    if stated:
        for column in codes:
            for container, key in column.cells:
                container[key] = code
        return Changed(document.reply(), "stated", f"amounts in {code}, which is said", code, RATES[code])
    return Changed(document.reply(), "unstated", f"amounts in {code}, which is not said", hides=True)


def other_unit(document: Document, rng: Random) -> Changed:
    """Percentages become fractions or the reverse; amounts come in thousands or in hundredths."""
    ratios = [
        column
        for column in document.read
        if (_words(column.label) & _RATIO or "%" in column.label) and column.is_numeric
    ]
    if ratios and rng.random() < 0.6:
        column, factor = rng.choice(ratios), rng.choice((100.0, 0.01))
        _scale(column.cells, factor)
        return Changed(document.reply(), "percent", f"{column.label} times {factor:g} everywhere")
    factor = rng.choice((100.0, 1e-3, 1e-6))
    return _all_scaled(document, factor, "all amounts", _amounts(document))


def truncated_history(document: Document, rng: Random) -> Changed:
    """Fewer rows are sent: the oldest, the newest, or a middle part is missing."""
    table = _table(document, rng)
    count, total = rng.randint(1, max(1, len(table.rows) // 2)), len(table.rows)
    place = rng.choice(("first", "last", "middle"))
    start = {"first": 0, "last": total - count, "middle": (total - count) // 2}[place]
    table.put([row for index, row in enumerate(table.rows) if not start <= index < start + count])
    return Changed(document.reply(), place, f"{count} of {total} rows are missing at the {place}", hides=True)


def duplicated_rows(document: Document, rng: Random) -> Changed:
    """A row is there twice, beside itself or at the end, or all are."""
    table = _table(document, rng)
    if table.keyed:
        raise NotApplicable
    index, place = rng.randrange(len(table.rows)), rng.choice(("beside", "at the end", "all"))
    copied = json.loads(json.dumps(table.rows[index]))
    rows = list(table.rows)
    if place == "beside":
        rows.insert(index, copied)
    elif place == "at the end":
        rows.append(copied)
    else:
        rows += json.loads(json.dumps(table.rows))
    table.put(rows)
    return Changed(document.reply(), place, f"row {index} is there twice, {place}")


def shifted_rows(document: Document, rng: Random) -> Changed:
    """Values stand a row too early or too late against their days."""
    table = _table(document, rng)
    by = rng.choice((1, -1))
    rows = table.rows
    if table.keyed:
        days, values = [row[0] for row in rows], [row[1] for row in rows]
        values = values[-by:] + values[:-by]
        table.put(list(zip(days, values, strict=True)))
    elif table.day is not None:
        days = [row[table.day] for row in rows]
        moved = rows[-by:] + rows[:-by]
        table.put([[*row[: table.day], day, *row[table.day + 1 :]] for row, day in zip(moved, days, strict=True)])
    else:
        names = [key for key in rows[0] if isinstance(rows[0], dict) and number_of(rows[0][key]) is not None]
        names = [name for name in names if not _TIME.search(name)]
        if not names:
            raise NotApplicable
        old = [{name: row.get(name) for name in names} for row in rows]
        for row, values in zip(rows, old[-by:] + old[:-by], strict=True):
            row.update(values)
    return Changed(document.reply(), "all values", f"values stand {by:+d} row off their days", hides=True)


def html(_: Document, rng: Random) -> Changed:
    """A page instead of data: a wall of cookies, a check for robots, maintenance."""
    page = rng.choice(("Please come back later", "Are you a robot?", "<form>consent</form>"))
    return Changed(Reply(f"<!DOCTYPE html><html><body>{page}</body></html>"), "page", "a page instead of data")


def error_with_200(_: Document, rng: Random) -> Changed:
    """A refusal with the status of an answer."""
    refusals: tuple[Any, ...] = (
        {"error": {"code": "internal", "description": "Something went wrong"}},
        {"Error Message": "Something went wrong", "code": 500},
        {"Information": "Thank you for using our API. Our standard limit is 25 requests per day."},
        {"chart": {"result": None, "error": {"code": "Internal", "description": "failed"}}},
        {"quoteSummary": {"result": None, "error": {"code": "Internal", "description": "failed"}}},
        {"status": "error", "message": "something went wrong"},
        {"success": False, "data": None},
    )
    body = rng.choice(refusals)
    return Changed(Reply(body), next(iter(body)), f"200 with {json.dumps(body)[:60]}")


def empty(document: Document, rng: Random) -> Changed:
    """An empty object, list or table."""
    form = rng.choice(("object", "list", "nothing", "tables"))
    if form == "tables":
        table = _table(document, rng)
        table.put([])
        return Changed(document.reply(), form, "the table has no rows", hides=True)
    body: Any = {"object": {}, "list": [], "nothing": ""}[form]
    return Changed(Reply(body, content_type="application/json"), form, f"an empty {form}")


def cut_body(document: Document, rng: Random) -> Changed:
    """The connection breaks off, or a proxy keeps the first part only."""
    body = json.dumps(document.body).encode()
    if rng.random() < 0.5:
        return Changed(Reply(body, truncated=True, content_type="application/json"), "hung up", "half of the body")
    size = rng.randint(1, len(body) - 1)
    cut = Reply(body[:size], content_type="application/json")
    return Changed(cut, "whole as sent", f"{size} of {len(body)} bytes, declared as all")


def wrong_charset(document: Document, rng: Random) -> Changed:
    """The text is in another encoding than it says, or has a mark before it."""
    form = rng.choice(("utf-16", "latin-1", "utf-8-sig", "cp1252"))
    body = json.dumps(document.body, ensure_ascii=False)
    encoded = body.encode(form, errors="replace")
    return Changed(Reply(encoded, content_type="application/json; charset=utf-8"), form, f"sent in {form}")


def new_field(document: Document, rng: Random) -> Changed:
    """Fields are added that nobody knows."""
    objects: list[dict[str, Any]] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            objects.append(node)
        for value in node.values() if isinstance(node, dict) else node:
            if isinstance(value, (dict, list)):
                walk(value)

    walk(document.body)
    plain = [node for node in objects if not all(re.fullmatch(r"\d{4}-\d{2}-\d{2}.*|\d{9,}", key) for key in node)]
    if not plain:
        raise NotApplicable
    values: tuple[Any, ...] = (7, "new", None, [1, 2], {"raw": 1})
    for node in rng.sample(plain, min(len(plain), 20)):
        node[f"new{rng.randint(1, 9)}"] = rng.choice(values)
    return Changed(document.reply(), "key", "unknown fields are added")


def reordered(document: Document, rng: Random) -> Changed:
    """Rows or fields come in another order."""
    if document.tables and rng.random() < 0.7:
        table = _table(document, rng)
        rows, form = list(table.rows), rng.choice(("reversed", "shuffled"))
        rows.reverse() if form == "reversed" else rng.shuffle(rows)
        table.put(rows)
        return Changed(document.reply(), form, f"rows are {form}")

    def turned(node: Any) -> Any:
        if isinstance(node, dict):
            items = list(node.items())
            rng.shuffle(items)
            return {key: turned(value) for key, value in items}
        return [turned(value) for value in node] if isinstance(node, list) else node

    return Changed(Reply(turned(document.body)), "keys", "fields come in another order")


def other_zone(document: Document, rng: Random) -> Changed:
    """Times are in another zone, or another form."""
    hours = rng.choice((-8, -5, 1, 9, 14))
    times = [column for column in document.columns if _TIME.search(column.label)]
    zones = [column for column in document.columns if column.label in ("exchangeTimezoneName", "timezone", "gmtoffset")]
    if zones and rng.random() < 0.5:
        for column in zones:
            for container, key in column.cells:
                container[key] = hours * 3600 if column.label == "gmtoffset" else "Asia/Tokyo"
        return Changed(document.reply(), "zone named", "another zone is named")
    moved = 0
    form = rng.choice(("moved", "no zone", "day first"))
    for column in times:
        for container, key in column.cells:
            new = _moved(container[key], hours, form)
            moved += new is not None
            container[key] = container[key] if new is None else new
    if not moved:
        raise NotApplicable
    return Changed(document.reply(), form, f"times are {form}, {hours} hours", hides=form == "moved")


def _moved(value: Any, hours: int, form: str) -> Any:
    """Return a time in another zone or form; None for what is no time, or has no such form."""
    if isinstance(value, int) and 1e9 < value < 2.1e9 and form == "moved":
        return value + 3600 * hours
    if not isinstance(value, str):
        return None
    if form == "day first" and _DAY.fullmatch(value):
        return f"{value[8:]}/{value[5:7]}/{value[:4]}"
    if not _ISO.fullmatch(value):
        return None
    if form == "no zone":
        return value.rstrip("Z") if value.endswith("Z") else None
    if form == "moved":
        hour = int(re.split("[T ]", value)[1][:2])
        head, sign, tail = value.partition("T") if "T" in value else value.partition(" ")
        return f"{head}{sign}{(hour + hours) % 24:02d}{tail[2:]}"
    return None


def _scale(cells: list[tuple[Any, Any]], factor: float) -> None:
    for container, key in cells:
        number = number_of(container[key])
        if number is not None:
            container[key] = like(container[key], number * factor)


def _amounts(document: Document, *, per_share: bool = False) -> list[Column]:
    """Return the columns of money; figures per share come in another currency, and in no other unit."""
    some = [column for column in document.columns if column.is_numeric and not (_words(column.label) & _NO_AMOUNT)]
    some = [column for column in some if per_share or "eps" not in _words(column.label)]
    return [column for column in some if "events" not in column.path or column.label == "amount"]


def _all_scaled(document: Document, factor: float, variant: str, columns: list[Column]) -> Changed:
    if not columns:
        raise NotApplicable
    for column in columns:
        _scale(column.cells, factor)
    return Changed(document.reply(), variant, f"all amounts times {factor:g}", hides=True)


def _table(document: Document, rng: Random) -> Table:
    if not document.tables:
        raise NotApplicable
    return rng.choice(document.tables[:6])


KINDS: Mapping[str, Change] = {
    "renamed": renamed,
    "dropped": dropped,
    "null": null,
    "text for a number": text_for_number,
    "scaled": scaled,
    "other currency": other_currency,
    "other unit": other_unit,
    "truncated history": truncated_history,
    "duplicated rows": duplicated_rows,
    "shifted rows": shifted_rows,
    "page": html,
    "error with 200": error_with_200,
    "empty": empty,
    "cut body": cut_body,
    "wrong charset": wrong_charset,
    "new field": new_field,
    "reordered": reordered,
    "other time zone": other_zone,
}
