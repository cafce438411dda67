"""Find the rows that say what is held in a table as brokers export it, by the names of its columns.

Rows above the header and notes below the table are passed over; tables that follow are read if they are of holdings
too. The activity statement of Interactive Brokers, a table of many sections, is read by its sections. A table of
transactions is refused: it does not say what is held.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.errors import UsageError

HEADER_WITHIN = 40
"""Rows above the header at most: titles, the day, the name of an account."""
FORMATS = "a CSV, JSON or XLSX file with columns ticker and quantity (and average price, currency, account)"
NO_HEADER = f"no row names the columns ticker and quantity; give {FORMATS}."
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "symbol": ("ticker", "symbol", "tickersymbol", "stocksymbol", "instrument", "financialinstrument", "security",
               "securityid", "stock", "code", "epic", "symbolisin", "symboolisin"),
    "quantity": ("quantity", "qty", "qtyquantity", "shares", "units", "position", "positions", "numberofshares",
                 "sharesowned", "amountofshares", "noofshares", "holding", "openquantity", "stück", "anzahl",
                 "stücknom", "stücknominale", "aantal"),
    "average_price": ("averageprice", "avgprice", "averagecost", "avgcost", "averagecostbasis", "avgcostbasis",
                      "averageopenprice", "avgopenprice", "costbasisprice", "costshare", "costpershare",
                      "costbasispershare", "unitcost", "purchaseprice", "pricepaid", "openprice", "buyprice",
                      "costprice", "bookprice", "einstandskurs", "kaufkurs"),
    "cost": ("costbasistotal", "costbasis", "totalcost", "totalcostbasis", "bookcost", "bookvalue", "costbasismoney",
             "kaufwert", "einstandswert"),
    "currency": ("currency", "ccy", "cur", "currencycode", "currencyprimary", "tradingcurrency", "pricecurrency",
                 "währung"),
    "account": ("account", "accountname", "accountnumber", "accountid", "clientaccountid", "portfolio",
                "portfolioname", "depot"),
    "side": ("side", "longshort", "direction", "positiontype"),
    "value": ("currentvalue", "marketvalue", "value", "mktval", "mktvalmarketvalue", "totalvalue", "positionvalue",
              "amount", "wert", "waarde"),
    "day": ("date", "asof", "asofdate", "reportdate", "positiondate"),
    "name": ("description", "name", "product", "produkt", "investmentname", "bezeichnung", "wertpapier"),
    "number": ("isin", "wkn", "cusip", "sedol", "valor"),
    "kind": ("securitytype", "assetcategory", "assetclass", "assettype", "instrumenttype"),
    "level": ("levelofdetail", "datadiscriminator"),
}  # fmt: skip
"""Header names by field, in lower case without blanks and signs; the first column of a field that is there counts.

A currency at the end of a name, as in `Average price (EUR)` and `Wert in EUR`, is that of the column.
"""
OF_MONEY = ("average_price", "cost", "value")
TRANSACTIONS = frozenset(
    {"action", "transactiontype", "transactionid", "tradeid", "orderid", "buysell", "settlementdate", "tprice"}
)
"""Names of columns, written as in `COLUMNS`, that only a list of transactions has."""
IS_TRANSACTIONS = "lists transactions, not what is held; export the positions or holdings instead"
TITLE_CELLS = 3
"""Most cells of a title or a footnote: a row of holdings has more."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DAY = (
    r"(?<!\d)(?:(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    rf"|(?P<day_before>\d{{1,2}})(?:st|nd|rd|th)?[ -](?P<named>{_MONTH})[ ,-]+(?P<year_after>(?:19|20)\d\d)"
    rf"|(?P<named_first>{_MONTH})[ -](?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?[ ,-]+(?P<year_last>(?:19|20)\d\d)"
    r"|(?P<first>\d{1,2})(?P<sign>[-/.])(?P<second>\d{1,2})[-/.](?P<year_third>(?:19|20)\d\d))(?!\d)"
)
_AS_OF = re.compile(
    rf"(?:\bas (?:of|at|on)\b|\bpositions? (?:for|on)\b|\bholdings? on\b|\bvalued? (?:on|at)\b|\bstand\b"
    rf"|\bstichtag\b|\bper\b|\bsituation au\b|\bfecha\b)[^\n]{{0,60}}?{_DAY}",
    re.IGNORECASE,
)
_MADE = re.compile(
    rf"(?:\bdate downloaded\b|\bdownloaded\b|\bexported\b|\bgenerated\b|\breport date\b|\bdate\b"
    rf"|\berstellt\b|\bdatum\b)"
    rf"[^\n]{{0,40}}?{_DAY}",
    re.IGNORECASE,
)
_AMERICAN = re.compile(
    r"\b(?:E[SD]?T|C[SD]T|M[SD]T|P[SD]?T)\b|\bPositions for (?:account|all)|\bDate downloaded\b"
    r"|Schwab|Fidelity|Vanguard"
)
"""Time zones and words of brokers in the United States, who write the month first."""
STATEMENT, HEADER, DATA, LOT = "Statement", "Header", "Data", "lot"
HELD, CASH = "Open Positions", "Cash Report"
"""Sections of a statement."""
BLANK = frozenset({"", "-", "--", "—", "n/a", "na", "nan", "none", "null"})
Cells = Sequence[Any]


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """A row of holdings: its number in the file, its cells, and the columns of their table."""

    number: int
    cells: Mapping[str, Any]
    """By field."""
    names: Mapping[str, str]
    """Of the columns as the file writes them, by field."""
    currencies: Mapping[str, str]
    """Codes that names of columns end with, by field."""
    of_listing: bool = False
    """Whether the currency is that of the exchange where the instrument is listed."""

    def text(self, field: str) -> str:
        """Return a cell as text without blanks around it; empty where there is none."""
        value = self.cells.get(field)
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        text = str(value).strip()
        return "" if text.lower() in BLANK else text

    def name(self, field: str) -> str:
        """Return what the file calls a column."""
        return self.names.get(field, field)


@dataclass(frozen=True)
class _Columns:
    """The columns of a table."""

    places: Mapping[str, int]
    names: Mapping[str, str]
    currencies: Mapping[str, str]
    is_transactions: bool

    def row(self, number: int, cells: Cells) -> TableRow:
        """Return a row of the table."""
        found = {field: cells[place] for field, place in self.places.items() if place < len(cells)}
        by_broker = "currencyprimary" in map(plain_name, self.names.values())
        return TableRow(number=number, cells=found, names=self.names, currencies=self.currencies, of_listing=by_broker)


def table_rows(rows: Sequence[Cells]) -> list[TableRow]:
    """Return the rows of all tables of holdings, those of notes and totals among them.

    Raises:
        UsageError: No header is found, or it is that of transactions; the message names its row, the first being 1.
    """
    if is_statement(rows):
        return list(_of_statement(rows))
    first, columns = first_header(rows)
    if columns.is_transactions:
        raise UsageError(f"row {first + 1} is the header of a table that {IS_TRANSACTIONS}.")
    found: list[TableRow] = []
    for number, cells in enumerate(rows[first + 1 :], start=first + 2):
        if (again := _columns(cells)) is not None:
            columns = again
        elif not columns.is_transactions:
            found.append(columns.row(number, cells))
    has_sums = any(plain_name(row.text("level")) == "summary" for row in found)
    return [row for row in found if not (has_sums and plain_name(row.text("level")) == LOT)]


def is_statement(rows: Sequence[Cells]) -> bool:
    """Return whether rows are those of an activity statement, whose first cells name section and kind of row."""
    return any([str(cell) for cell in cells[:2]] == [STATEMENT, HEADER] for cells in rows[:2])


def first_header(rows: Sequence[Cells]) -> tuple[int, _Columns]:
    """Return the place of the first header, from 0, and its columns. Raises UsageError."""
    for number, cells in enumerate(rows[:HEADER_WITHIN]):
        if (columns := _columns(cells)) is not None:
            return number, columns
    raise UsageError(NO_HEADER)


def statement_day(rows: Sequence[Cells]) -> date | None:
    """Return the last day of a statement; None where it names none, or no statement is given."""
    if not is_statement(rows):
        return None
    said = next((str(cells[3]) for cells in rows if list(cells[:3]) == [STATEMENT, DATA, "Period"] and cells[3:]), "")
    try:
        return datetime.strptime(said.rpartition(" - ")[2].strip(), "%B %d, %Y").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None


def titled_day(rows: Sequence[Cells]) -> date | None:
    """Return the day that a line above or below a table gives: `... as of 03:15 PM ET, 2025/03/14`.

    A line that says as of which day counts before one that says when the file was made. `03/04/2025` is of March where
    the line shows an American broker, by its words or its time zone; else it may be of April.

    Args:
        rows: Those of the whole file.

    Returns:
        The day; None where no line gives one.

    Raises:
        UsageError: It may be one of two days, or lines give several.
    """
    for cue in (_AS_OF, _MADE):
        days: set[date] = set()
        for number, cells in enumerate(rows, 1):
            said = [str(cell).strip() for cell in cells if cell not in (None, "")]
            line = ", ".join(said)
            if len(said) <= TITLE_CELLS and (found := cue.search(line)):
                days |= {_written_day(found, line, number)} - {None}  # type: ignore[arg-type]
        if len(days) > 1:
            raise UsageError("its title lines are of several days; give the day of the book.")
        if days:
            return days.pop()
    return None


def _written_day(found: re.Match[str], line: str, row: int) -> date | None:
    """Return the day of a title line; None for one that the calendar does not have. Raises UsageError."""
    part = found.groupdict()
    if part["year"]:
        return _day(int(part["year"]), int(part["month"]), int(part["day"]))
    if part["named"] or part["named_first"]:
        name, day, year = (
            (part["named"], part["day_before"], part["year_after"])
            if part["named"]
            else (part["named_first"], part["day_after"], part["year_last"])
        )
        return _day(int(year), MONTHS.index(name[:3].lower()) + 1, int(day))
    first, second, year = int(part["first"]), int(part["second"]), int(part["year_third"])
    if part["sign"] == "." or first > len(MONTHS):
        return _day(year, second, first)
    if second > len(MONTHS) or first == second or _AMERICAN.search(line):
        return _day(year, first, second)
    raise UsageError(f"row {row} names a day that may be of two months, with the month first or second; give the day.")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def plain_name(text: str) -> str:
    """Return a name in lower case without blanks and signs, but for `&`."""
    return re.sub(r"[^\w&]|_", "", text.casefold())


def _columns(cells: Cells) -> _Columns | None:
    """Return the columns that a header names; None for a row that is none."""
    names = [plain_name(str(cell)) if cell is not None else "" for cell in cells]
    places: dict[str, int] = {}
    currencies: dict[str, str] = {}
    for field, known in COLUMNS.items():
        bases = [_base(name, known) if field in OF_MONEY else (name, "") for name in names]
        matches = [
            (known.index(base), not currency, place, currency)
            for place, (base, currency) in enumerate(bases)
            if base in known
        ]
        if matches:
            *_, places[field], currency = min(matches)
            if currency:
                currencies[field] = currency
    if "quantity" not in places and {"symbolisin", "amount"} <= set(names):
        return _columns([QUANTITY if name == "amount" else cell for cell, name in zip(cells, names, strict=True)])
    if "quantity" not in places or not places.keys() & {"symbol", "number"}:
        return None
    shown = {field: str(cells[place]).strip() for field, place in places.items()}
    return _Columns(places, shown, currencies, bool(TRANSACTIONS.intersection(names)))


QUANTITY = "Quantity"
"""What is meant by `Amount` next to `Symbol/ISIN`, where Degiro writes so."""


def _base(name: str, known: Sequence[str]) -> tuple[str, str]:
    """Return the name of a column without the currency at its end, and that currency; empty where it ends with none."""
    code = name[-3:].upper()
    if name in known or code not in CODES:
        return name, ""
    return (name[:-3] if name[:-3] in known else name[:-3].removesuffix("in")), code


def _of_statement(rows: Sequence[Cells]) -> Iterator[TableRow]:
    """Yield the positions and the cash of an activity statement. Raises UsageError."""
    held = list(_section(rows, HELD, _columns))
    if not held:
        raise UsageError(f"it is a statement that has no section {HELD}; export one with it, or a table of positions.")
    for number, cells, columns in held:
        row = columns.row(number, cells)
        if plain_name(row.text("level")) != LOT:
            yield TableRow(number=number, cells=row.cells, names=row.names, currencies={}, of_listing=True)
    for number, cells, columns in _section(rows, CASH, _cash_columns):
        row = columns.row(number, cells)
        if row.text("name") == "Ending Cash" and row.text("symbol").upper() in CODES:
            yield row


def _section(
    rows: Sequence[Cells], section: str, read: Callable[[Cells], _Columns | None]
) -> Iterator[tuple[int, Cells, _Columns]]:
    """Yield the rows of a section of a statement with their numbers and columns."""
    columns: _Columns | None = None
    for number, cells in enumerate(rows, start=1):
        if len(cells) < 3 or cells[0] != section:
            continue
        if cells[1] == HEADER:
            columns = read(cells)
        elif cells[1] == DATA and columns is not None:
            yield number, cells, columns


def _cash_columns(cells: Cells) -> _Columns | None:
    """Return the columns of a statement's report of cash."""
    wanted = {"name": "Currency Summary", "symbol": "Currency", "value": "Total"}
    if not set(wanted.values()) <= set(cells):
        return None
    return _Columns({field: list(cells).index(name) for field, name in wanted.items()}, wanted, {}, False)
