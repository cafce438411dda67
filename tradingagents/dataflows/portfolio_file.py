"""Read a portfolio from a file as brokers export it: CSV, JSON or XLSX.

The header names of many brokers are known (`COLUMNS`), rows above the header and notes below the table are passed
over, and rows of totals do not count twice. What cannot be read is named by row and column; nothing is guessed.
"""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.dataflows.cutoff import parse_day
from tradingagents.dataflows.portfolio_table import (
    FORMATS,
    NO_HEADER,
    Cells,
    TableRow,
    first_header,
    is_statement,
    plain_name,
    statement_day,
    table_rows,
    titled_day,
)
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.currencies import CODES, CURRENCIES, HUNDREDTHS
from tradingagents.dataflows.reference.symbols import NEW_YORK, normalise
from tradingagents.errors import BadDate, BadSymbol, UsageError
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import check_regular
from tradingagents.schemas.portfolio import ACCOUNT_LENGTH, Portfolio, Position

MOST_ROWS = 5_000
LARGEST = 5_000_000
"""Maximum bytes of a file; of a workbook, also unpacked ten times that."""
SHOWN = 5
"""Faulty rows that an error names."""
DELIMITERS = ",;\t|"
CASH = frozenset({"cash", "cash&cashinvestments", "cashandcashinvestments", "cashbalance", "sweep", "settlementcash"})
TOTALS = ("total", "accounttotal", "grandtotal", "positionstotal", "subtotal", "summe", "gesamt", "pendingactivity")
SIDES: Mapping[str, int] = {"long": 1, "buy": 1, "l": 1, "short": -1, "sell": -1, "s": -1}
NUMBERS = ("quantity", "average_price", "cost", "value")
UNREAD = ("option", "future", "bond", "fixed income", "warrant", "cfd", "forex", "structured")
UNREAD_CODES = frozenset({"OPT", "FUT", "FOP", "WAR", "IOPT", "BILL"})
"""Of Interactive Brokers."""
NO_SHARES = "options, futures, bonds and the like are not read; leave such rows out"
NO_TICKER = "it is {} and no ticker; write the ticker instead, such as AAPL or SAP.DE, in a column named Ticker"
_OPTION = re.compile(r"\d{6}[CP]\d|\d{2}[A-Z]{3}\d{2} [\d.]+ [CP]$|\d [CP]$|\b(?:CALL|PUT)\b")
"""`AAPL250620C150`, `AAPL 20JUN25 150 C`, `AAPL 06/20/2025 150.00 C`."""
_ISIN = re.compile(r"[A-Z]{2}[0-9A-Z]{9}[0-9]")
_CLASS = re.compile(r"(?<=^[A-Z]{3}) (?=[A-Z]$)|(?<=^[A-Z]{2}) (?=[A-Z]$)|(?<=^[A-Z]) (?=[A-Z]$)")
"""What Interactive Brokers writes before the class of a share: `BRK B`."""
LIKE_SYMBOL = re.compile(r"[A-Za-z]{1,6}(?:[.:/ -][A-Za-z]{1,6})?")
"""What may be quoted: a symbol, perhaps with an exchange; no amount and no number of an account."""
_SIGNS = {sign: currency.code for currency in CURRENCIES for sign in currency.signs}
_NUMBER = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d+)*")


class _FaultyRow(Exception):
    """A row cannot be read; the message names the column."""


def read_portfolio(path: Path, *, day: date | None = None) -> Portfolio:
    r"""Return the portfolio of a file.

    Args:
        path: A table with a row a position (CSV with any of `,;\t|`, XLSX), or JSON: a list of positions, or an object
            with `positions`, `cash`, `day` and `currency` (of prices, and of cash that is one amount). Several rows of
            an instrument in an account are lots of one position.
        day: Day of the holdings where no row of the file names one; without it, that of a title line counts.

    Raises:
        UsageError: The file cannot be read, or rows of it; the message names row and column.
    """
    return portfolio_of_content(portfolio_bytes(path), name=str(path), day=day)


def portfolio_of_content(content: bytes, *, name: str = "What was sent", day: date | None = None) -> Portfolio:
    """Return the portfolio of a file's content; see `read_portfolio`.

    Args:
        content: Of a CSV, JSON or XLSX file.
        name: What an error calls it.
        day: Day of the holdings where the content names none.

    Raises:
        UsageError: It cannot be read, or rows of it; the message names row and column.
    """
    try:
        if content[:2] == b"PK":
            return portfolio_of_rows(_sheet_rows(content), day=day)
        text = _text(content)
        if text.lstrip()[:1] in ("[", "{"):
            return portfolio_of_json(parse_json(text), day=day)
        rows, semicolons = _csv_rows(text)
        return portfolio_of_rows(rows, day=day, semicolons=semicolons)
    except (UsageError, ValueError, csv.Error) as error:
        raise UsageError(f"{name} cannot be read as a portfolio: {error}") from error


def portfolio_of(value: Any) -> Portfolio:
    """Return a portfolio from what Python programs hold it in.

    Args:
        value: A `Portfolio`, a table such as a DataFrame, what `portfolio_of_json` takes, or a path.

    Raises:
        UsageError: It is no portfolio, or some of it cannot be read.
    """
    if isinstance(value, Portfolio):
        return value
    if isinstance(value, str | Path):
        return read_portfolio(Path(value))
    if hasattr(value, "to_dict") and hasattr(value, "columns"):
        return portfolio_of_rows([list(map(str, value.columns)), *value.itertuples(index=False, name=None)])
    return portfolio_of_json(list(value) if isinstance(value, tuple) else value)


def portfolio_of_json(value: Any, *, day: date | None = None) -> Portfolio:
    """Return a portfolio from parsed JSON; see `read_portfolio`.

    Raises:
        UsageError: It is no portfolio, or some of it cannot be read.
    """
    if isinstance(value, list):
        value = {"positions": value}
    if not isinstance(value, dict):
        raise UsageError(f"it is neither a list of positions nor an object with them; give {FORMATS}.")
    positions = next((value[name] for name in ("positions", "holdings") if name in value), None)
    if not isinstance(positions, list) or not all(isinstance(position, dict) for position in positions):
        raise UsageError(f"it has no list `positions` of objects; give {FORMATS}.")
    cash, currency = value.get("cash") or {}, value.get("currency")
    if isinstance(cash, int | float) and not isinstance(cash, bool):
        cash = {str(currency or "USD"): cash}
    if not isinstance(cash, dict):
        raise UsageError('`cash` is no object with an amount by currency, such as {"USD": 1000}.')
    if currency:
        positions = [{"currency": currency, **position} for position in positions]
    names = list(dict.fromkeys(name for position in positions for name in position))
    rows = [names, *([position.get(name) for name in names] for position in positions)]
    found = portfolio_of_rows(rows, day=_day_of(value) or day) if positions else Portfolio(day=_day_of(value) or day)
    amounts = dict(found.cash)
    for currency, amount in cash.items():
        code = _currency(str(currency))
        if code is None or isinstance(amount, bool) or not isinstance(amount, int | float):
            raise UsageError('`cash` cannot be read: give an amount by currency code, such as {"USD": 1000}.')
        amounts[code] = amounts.get(code, 0.0) + amount
    return _checked(found.positions, amounts, found.day)


def portfolio_of_rows(rows: Iterable[Cells], *, day: date | None = None, semicolons: bool = False) -> Portfolio:
    """Return a portfolio from the rows of a table, its header among the first ones; see `read_portfolio`.

    Args:
        rows: Cells as text or numbers.
        day: Day of the holdings where no column names one; without it, that of a title line counts.
        semicolons: Whether the cells were separated by semicolons, as where numbers have a decimal comma.

    Raises:
        UsageError: There is no header, or rows cannot be read; the message names them by number (the first is 1) and
            column.
    """
    listed = [list(row) for row in rows]
    table = table_rows(listed)
    if len(table) > MOST_ROWS:
        raise UsageError(f"it has more than {MOST_ROWS} rows.")
    positions, cash, days = _TableReader(table, semicolons=semicolons).all_rows()
    if len(days) > 1:
        raise UsageError(f"its rows are of several days ({', '.join(sorted(map(str, days))[:3])}); give those of one.")
    return _checked(positions, cash, next(iter(days), None) or statement_day(listed) or day or titled_day(listed))


class _TableReader:
    """Reads the rows of holdings of a file. What it says of faults quotes no cell but what looks like a symbol."""

    def __init__(self, table: Sequence[TableRow], *, semicolons: bool) -> None:
        self._table = table
        self._decimal = _decimal_sign(table, "," if semicolons else ".")

    def all_rows(self) -> tuple[list[Position], dict[str, float], set[date]]:
        """Return positions, cash by currency, and the days that are named. Raises UsageError that names faulty rows."""
        lots: dict[tuple[str, str], list[Position]] = {}
        cash: dict[str, float] = {}
        days: set[date] = set()
        faults: list[tuple[int, str]] = []
        for row in self._table:
            if not self._counts(row):
                continue
            try:
                if row.text("day"):
                    days.add(self._day(row))
                if self._is_cash(row):
                    currency, amount = self._cash(row)
                    cash[currency] = cash.get(currency, 0.0) + amount
                elif (position := self._position(row)) is not None:
                    lots.setdefault((position.symbol, position.account), []).append(position)
            except _FaultyRow as fault:
                faults.append((row.number, str(fault)))
        if faults:
            raise UsageError(_told(faults))
        return [_one_position(held) for held in lots.values()], cash, days

    def _counts(self, row: TableRow) -> bool:
        """Return whether a row is of a position or of cash: not empty, no total, no note below the table."""
        named = plain_name(row.text("symbol") or row.text("number"))
        if any(plain_name(row.text(field)).startswith(TOTALS) for field in ("symbol", "quantity", "name")):
            return False
        filled = [field for field in NUMBERS if row.text(field)]
        return bool(filled) if named else "quantity" in filled or (_is_cash_name(row) and "value" in filled)

    def _is_cash(self, row: TableRow) -> bool:
        symbol = row.text("symbol")
        is_code = symbol.upper() in CODES and not row.text("side")
        return symbol.endswith("**") or plain_name(symbol) in CASH or is_code or (not symbol and _is_cash_name(row))

    def _cash(self, row: TableRow) -> tuple[str, float]:
        symbol = row.text("symbol").upper()
        field = "value" if row.text("value") else "quantity"
        amount = self._number(row, field)
        stated = row.text("currency") or (symbol if symbol in CODES else "")
        if stated:
            return self._code(row, stated), amount
        in_name = re.search(r"\(([A-Z]{3})\)$", row.text("name"))
        if in_name and in_name[1] in CODES:
            return in_name[1], amount
        return row.currencies.get(field) or _sign_of(row.text(field)) or "USD", amount

    def _position(self, row: TableRow) -> Position | None:
        """Return the position of a row; None where its quantity is 0. Raises _FaultyRow."""
        symbol = _symbol(row)
        quantity = self._quantity(row)
        if quantity == 0:
            return None
        price, currency = self._paid(row, quantity)
        if row.of_listing and currency not in (None, "USD") and exchange_of(symbol) == NEW_YORK:
            raise _FaultyRow(
                f"column {row.name('symbol')}: it is listed in {currency} under a symbol that names no exchange; "
                "write it with its suffix, such as SAP.DE, VOD.L or SHOP.TO"
            )
        account = row.text("account")
        if len(account) > ACCOUNT_LENGTH:
            raise _FaultyRow(f"column {row.name('account')}: it has more than {ACCOUNT_LENGTH} characters")
        return Position(symbol=symbol, quantity=quantity, average_price=price, currency=currency, account=account)

    def _paid(self, row: TableRow, quantity: float) -> tuple[float | None, str | None]:
        """Return the average price, from the whole cost where no price is given, and its currency."""
        stated = row.text("currency")
        field = next((name for name in ("average_price", "cost") if row.text(name)), None)
        if field is None:
            return None, self._code(row, stated) if stated else None
        amount = self._number(row, field)
        price = abs(amount / quantity) if field == "cost" else amount
        if price < 0:
            raise _FaultyRow(f"column {row.name(field)}: a price is not negative")
        if field in row.currencies:
            return price, row.currencies[field]
        hundredths = next((unit for unit in HUNDREDTHS if unit == stated), None)
        if hundredths is not None:
            return price / 100, HUNDREDTHS[hundredths]
        return price, self._code(row, stated) if stated else _sign_of(row.text(field))

    def _code(self, row: TableRow, stated: str) -> str:
        found = _currency(stated)
        if found is None:
            raise _FaultyRow(f"column {row.name('currency')}: there is no currency code such as USD")
        return found

    def _quantity(self, row: TableRow) -> float:
        """Return the quantity, negative where the side is short: brokers write such a quantity with or without sign."""
        number, stated = self._number(row, "quantity"), row.text("side").lower()
        if not stated:
            return number
        if stated not in SIDES:
            raise _FaultyRow(f"column {row.name('side')}: it is neither long nor short")
        if SIDES[stated] > 0 > number:
            raise _FaultyRow(f"column {row.name('quantity')}: a long position is not negative")
        return SIDES[stated] * abs(number)

    def _day(self, row: TableRow) -> date:
        try:
            return parse_day(row.text("day")[:10].replace("/", "-"))
        except BadDate:
            raise _FaultyRow(f"column {row.name('day')}: there is no day like 2025-03-14") from None

    def _number(self, row: TableRow, field: str) -> float:
        value, text = row.cells.get(field), row.text(field)
        if not text:
            raise _FaultyRow(f"column {row.name(field)}: there is no number")
        if isinstance(value, int | float) and not isinstance(value, bool):
            number: float | None = float(value)
        else:
            number = _number_of(text, self._decimal)
        if number is None or not math.isfinite(number):
            raise _FaultyRow(f"column {row.name(field)}: what stands there is no number")
        return number


def _is_cash_name(row: TableRow) -> bool:
    """Return whether a row without a symbol is of cash by its name, such as `CASH & CASH FUND (EUR)`."""
    return plain_name(row.text("name")).startswith("cash")


def _symbol(row: TableRow) -> str:
    """Return the symbol of a position. Raises _FaultyRow."""
    named = row.text("symbol")
    if _plain_kind(row.text("kind")):
        raise _FaultyRow(f"column {row.name('kind')}: {NO_SHARES}")
    if not named and row.text("number"):
        raise _FaultyRow(f"column {row.name('number')}: {NO_TICKER.format('a number of a security')}")
    if not named:
        raise _FaultyRow(f"column {row.name('symbol')}: there is no ticker beside the quantity")
    column = f"column {row.name('symbol')}"
    if _OPTION.search(named.upper()):
        raise _FaultyRow(f"{column}: {NO_SHARES}")
    kind = "an ISIN" if _ISIN.fullmatch(named) else "a CUSIP" if _is_cusip(named) else None
    if kind is not None:
        raise _FaultyRow(f"{column}: {NO_TICKER.format(kind)}")
    try:
        return normalise(_CLASS.sub("-", named))
    except BadSymbol as error:
        shown = str(error).partition(";")[0].rstrip(".") if LIKE_SYMBOL.fullmatch(named) else None
        raise _FaultyRow(f"{column}: {shown or 'there is no ticker such as AAPL, BRK-B or 7203.T'}") from None


def _plain_kind(kind: str) -> bool:
    """Return whether a kind of security is one that is not read."""
    said = kind.casefold()
    return any(word in said for word in UNREAD) or kind in UNREAD_CODES


def _is_cusip(text: str) -> bool:
    """Return whether a text is a CUSIP, by the check digit at its end."""
    if not re.fullmatch(r"[0-9A-Z]{8}[0-9]", text):
        return False
    doubled = [int(sign, 36) * (1 + place % 2) for place, sign in enumerate(text[:8])]
    return (10 - sum(number // 10 + number % 10 for number in doubled) % 10) % 10 == int(text[8])


def _told(faults: Sequence[tuple[int, str]]) -> str:
    """Return a sentence on faulty rows, of which several may have the same fault."""
    rows: dict[str, list[int]] = {}
    for number, fault in faults[:SHOWN]:
        rows.setdefault(fault, []).append(number)
    said = (f"{', '.join(f'row {number}' for number in numbers)}, {fault}" for fault, numbers in rows.items())
    return "; ".join(said) + (f" (and {len(faults) - SHOWN} more rows)" if len(faults) > SHOWN else "") + "."


def _one_position(lots: Sequence[Position]) -> Position:
    """Return lots of an instrument in an account as one position, its price averaged by quantity."""
    if len(lots) == 1:
        return lots[0]
    whole = Portfolio.model_construct(
        positions=tuple(lots), cash={}, day=None
    )  # unchecked: an instrument may stand here several times
    price = whole.average_price(lots[0].symbol)
    quantity = whole.quantity(lots[0].symbol)
    if quantity == 0:
        raise UsageError(f"the rows of {lots[0].symbol} cancel each other out; remove them.")
    changes = {"quantity": quantity, "average_price": price[0] if price else None}
    return lots[0].model_copy(update=changes)


def _checked(positions: Iterable[Position], cash: Mapping[str, float], day: date | None) -> Portfolio:
    try:
        return Portfolio(positions=tuple(positions), cash=dict(cash), day=day)
    except ValidationError as error:
        raise UsageError(f"{error.errors()[0]['msg'].removeprefix('Value error, ')}.") from None


def _currency(text: str) -> str | None:
    """Return the code of a currency; None for what is none."""
    code = text.strip().upper()
    return code if code in CODES else _SIGNS.get(text.strip())


def _sign_of(text: str) -> str | None:
    """Return the currency of the sign at an amount; a bare `$` says nothing."""
    sign = re.sub(r"[\d.,'()\s+-]", "", text)
    return _SIGNS.get(sign)


def _decimal_sign(table: Sequence[TableRow], usual: str) -> str:
    """Return the decimal sign of a table's numbers: a point or a comma.

    A number shows it where both signs stand in it (the last one), or one sign once and not before three digits.

    Args:
        table: The rows; those of notes too.
        usual: What holds where no number shows it.

    Raises:
        UsageError: Numbers contradict each other.
    """
    shown: dict[str, str] = {}
    for row in table:
        for field in NUMBERS:
            digits = "".join(re.findall(r"[\d.,]", row.text(field)))
            last = max(digits.rfind("."), digits.rfind(","))
            if last < 0:
                continue
            sign = digits[last]
            both = {".", ","} <= set(digits)
            if digits.count(sign) == 1 and (both or len(digits) - last - 1 != 3):
                shown.setdefault(sign, f"row {row.number}, column {row.name(field)}")
    if len(shown) > 1:
        raise UsageError(f"its numbers have two decimal signs: a point in {shown['.']} and a comma in {shown[',']}.")
    return next(iter(shown), usual)


def _number_of(text: str, decimal: str) -> float | None:
    """Return the number of a cell such as `$1,234.50`, `(100)` or `1.234,5`; None for what is none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    rest = text[: match.start()] + text[match.end() :]
    unit = re.sub(r"[\s()+$-]|\u2212", "", rest)
    if unit and _currency(unit) is None:
        return None
    whole, _, fraction = match[0].partition(decimal)
    first, *groups = re.split(r"[.,' \u00a0\u202f]", whole)
    if (fraction and not fraction.isdigit()) or any(len(group) != 3 for group in groups):
        return None
    value = float(f"{first}{''.join(groups)}.{fraction or 0}")
    return -value if re.search(r"[(-]|\u2212", rest) else value


def _day_of(value: Mapping[str, Any]) -> date | None:
    stated = next((value[name] for name in ("day", "as_of", "date") if value.get(name)), None)
    try:
        return None if stated is None else parse_day(str(stated)[:10])
    except BadDate:
        raise UsageError("its day is none; write it like 2025-03-14.") from None


def read_cash(words: Iterable[str]) -> dict[str, float]:
    """Return amounts of cash such as `USD=1000`, by currency; the last one of a currency counts.

    Raises:
        UsageError: One is not written so.
    """
    amounts: dict[str, float] = {}
    for word in words:
        code, _, amount = word.partition("=")
        try:
            value = float(amount)
        except ValueError:
            value = math.nan
        if code.strip().upper() not in CODES or not math.isfinite(value):
            raise UsageError("An amount of cash is none; write it like USD=1000.")
        amounts[code.strip().upper()] = value
    return amounts


def portfolio_bytes(path: Path) -> bytes:
    """Return the content of a file with holdings.

    Raises:
        UsageError: It cannot be read, is no regular file, or is too large.
    """
    try:
        check_regular(path)
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"Cannot read {path} ({error.strerror}); check the path.") from error
    if len(content) > LARGEST:
        raise UsageError(f"{path} is too large for a portfolio; give {FORMATS}.")
    return content


def _text(content: bytes) -> str:
    """Return the text of a file in UTF-16, UTF-8, or the code page of Western Windows. Raises UsageError."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings = ["utf-16"]
    else:  # names of accounts are all that a wrong code page can spoil: symbols and numbers are ASCII
        encodings = ["utf-8-sig"] if b"\0" in content else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UsageError('it is no text that can be read; save it as "CSV UTF-8".')


def _csv_rows(text: str) -> tuple[list[list[str]], bool]:
    """Return the rows of a CSV text, empty ones too (their numbers are those of its lines), and whether `;` parts them.

    What parts cells is the sign by which a header is found. Raises UsageError.
    """
    for delimiter in DELIMITERS:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
        if is_statement(rows):
            return rows, False
        try:
            first_header(rows)
        except UsageError:
            continue
        return rows, delimiter == ";"
    raise UsageError(NO_HEADER)


def _sheet_rows(content: bytes) -> list[list[Any]]:
    """Return the rows of the first sheet of a workbook that has a header. Raises UsageError."""
    try:
        import openpyxl
    except ImportError as error:
        raise UsageError("reading workbooks needs `pip install 'tradingagents[xlsx]'`, or save it as CSV.") from error
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > 10 * LARGEST:
                raise UsageError("its sheets are too large for a portfolio.")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = [[list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book.worksheets]
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, TypeError) as error:
        raise UsageError(f"it is no workbook that can be read ({type(error).__name__}).") from error
    for rows in sheets:
        try:
            first_header(rows)
        except UsageError:
            continue
        return rows
    return sheets[0] if sheets else []
