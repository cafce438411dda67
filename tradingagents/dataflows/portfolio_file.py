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
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.dataflows.cutoff import parse_day
from tradingagents.dataflows.reference.currencies import CODES, CURRENCIES, HUNDREDTHS
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadDate, BadSymbol, UsageError
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import check_regular
from tradingagents.schemas.portfolio import ACCOUNT_LENGTH, Portfolio, Position

MOST_ROWS = 5_000
LARGEST = 5_000_000
"""Maximum bytes of a file; of a workbook, also unpacked ten times that."""
HEADER_WITHIN = 40
"""Rows above the header at most: titles, the day, the name of an account."""
SHOWN = 5
"""Faulty rows that an error names."""
FORMATS = "a CSV, JSON or XLSX file with columns ticker and quantity (and average price, currency, account)"
NO_HEADER = f"no row names the columns ticker and quantity; give {FORMATS}."
DELIMITERS = ",;\t|"
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "symbol": ("ticker", "symbol", "tickersymbol", "stocksymbol", "instrument", "financialinstrument", "security",
               "securityid", "stock", "code", "epic"),
    "quantity": ("quantity", "qty", "qtyquantity", "shares", "units", "position", "positions", "numberofshares",
                 "sharesowned", "amountofshares", "noofshares", "holding", "openquantity", "stück", "anzahl"),
    "average_price": ("averageprice", "avgprice", "averagecost", "avgcost", "averagecostbasis", "avgcostbasis",
                      "averageopenprice", "avgopenprice", "costshare", "costpershare", "costbasispershare", "unitcost",
                      "purchaseprice", "pricepaid", "openprice", "buyprice", "costprice", "bookprice", "einstandskurs"),
    "cost": ("costbasistotal", "costbasis", "totalcost", "totalcostbasis", "bookcost", "bookvalue", "costbasismoney"),
    "currency": ("currency", "ccy", "cur", "currencycode", "tradingcurrency", "pricecurrency", "währung"),
    "account": ("account", "accountname", "accountnumber", "accountid", "portfolio", "portfolioname", "depot"),
    "side": ("side", "longshort", "direction", "positiontype"),
    "value": ("currentvalue", "marketvalue", "value", "mktval", "mktvalmarketvalue", "totalvalue", "amount"),
    "day": ("date", "asof", "asofdate", "reportdate", "positiondate"),
}  # fmt: skip
"""Header names by field, in lower case without blanks and signs; the first column of a field that is there counts."""
CASH = frozenset({"cash", "cash&cashinvestments", "cashandcashinvestments", "cashbalance", "sweep", "settlementcash"})
TOTALS = ("total", "accounttotal", "grandtotal", "positionstotal", "subtotal", "totals", "pendingactivity")
BLANK = frozenset({"", "-", "--", "—", "n/a", "na", "nan", "none", "null"})
SIDES: Mapping[str, int] = {"long": 1, "buy": 1, "l": 1, "short": -1, "sell": -1, "s": -1}
_SIGNS = {sign: currency.code for currency in CURRENCIES for sign in currency.signs}
_NUMBER = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d+)*")
Cells = Sequence[Any]


@dataclass(frozen=True)
class _TableRow:
    """A row of the table: its number in the file, and its cells by field."""

    number: int
    cells: Mapping[str, Any]

    def text(self, field: str) -> str:
        """Return a cell as text without blanks around it; empty where there is none."""
        value = self.cells.get(field)
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        text = str(value).strip()
        return "" if text.lower() in BLANK else text


class _FaultyRow(Exception):
    """A row cannot be read; the message names the column."""


def read_portfolio(path: Path, *, day: date | None = None) -> Portfolio:
    r"""Return the portfolio of a file.

    Args:
        path: A table with a row a position (CSV with any of `,;\t|`, XLSX), or JSON: a list of positions, or an object
            with `positions`, `cash`, `day` and `currency` (of prices, and of cash that is one amount). Several rows of
            an instrument in an account are lots of one position.
        day: Day of the holdings where the file names none.

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
            raise UsageError(f"`cash` cannot be read at {str(currency)[:10]!r}: give an amount by currency code.")
        amounts[code] = amounts.get(code, 0.0) + amount
    return _checked(found.positions, amounts, found.day)


def portfolio_of_rows(rows: Iterable[Cells], *, day: date | None = None, semicolons: bool = False) -> Portfolio:
    """Return a portfolio from the rows of a table, its header among the first ones; see `read_portfolio`.

    Args:
        rows: Cells as text or numbers.
        day: Day of the holdings where no column names one.
        semicolons: Whether the cells were separated by semicolons, as where numbers have a decimal comma.

    Raises:
        UsageError: There is no header, or rows cannot be read; the message names them by number (the first is 1) and
            column.
    """
    listed = [list(row) for row in rows]
    at, columns = _header(listed)
    if len(listed) - at - 1 > MOST_ROWS:
        raise UsageError(f"it has more than {MOST_ROWS} rows.")
    table = [
        _TableRow(number, _by_field(columns, cells)) for number, cells in enumerate(listed[at + 1 :], start=at + 2)
    ]
    names = {field: str(listed[at][column]).strip() for field, column in columns.items()}
    positions, cash, days = _TableReader(names, table, semicolons=semicolons).all_rows()
    if len(days) > 1:
        raise UsageError(f"its rows are of several days ({', '.join(sorted(map(str, days))[:3])}); give those of one.")
    return _checked(positions, cash, next(iter(days), None) or day)


class _TableReader:
    """Reads the rows of one table, whose columns are known."""

    def __init__(self, names: Mapping[str, str], table: Sequence[_TableRow], *, semicolons: bool) -> None:
        self._names = names
        self._table = table
        texts = [row.text(field) for row in table for field in ("quantity", "average_price", "cost", "value")]
        self._decimal = _decimal_sign([text for text in texts if text], "," if semicolons else ".")

    def all_rows(self) -> tuple[list[Position], dict[str, float], set[date]]:
        """Return positions, cash by currency, and the days that are named. Raises UsageError that names faulty rows."""
        lots: dict[tuple[str, str], list[Position]] = {}
        cash: dict[str, float] = {}
        days: set[date] = set()
        faults: list[str] = []
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
                faults.append(f"row {row.number}, {fault}")
        if faults:
            more = f" (and {len(faults) - SHOWN} more rows)" if len(faults) > SHOWN else ""
            raise UsageError("; ".join(faults[:SHOWN]) + more + ".")
        return [_one_position(held) for held in lots.values()], cash, days

    def _counts(self, row: _TableRow) -> bool:
        """Return whether a row is of a position or of cash: not empty, no total, no note below the table."""
        symbol = _plain(row.text("symbol"))
        if symbol.startswith(TOTALS):
            return False
        filled = [field for field in ("quantity", "average_price", "cost", "value") if row.text(field)]
        return bool(filled) if symbol else "quantity" in filled

    def _is_cash(self, row: _TableRow) -> bool:
        symbol = row.text("symbol")
        return symbol.endswith("**") or _plain(symbol) in CASH or (symbol.upper() in CODES and not row.text("side"))

    def _cash(self, row: _TableRow) -> tuple[str, float]:
        symbol = row.text("symbol").upper()
        field = "value" if row.text("value") else "quantity"
        amount = self._number(row, field)
        stated = row.text("currency") or (symbol if symbol in CODES else "")
        return self._code(stated) if stated else _sign_of(row.text(field)) or "USD", amount

    def _position(self, row: _TableRow) -> Position | None:
        """Return the position of a row; None where its quantity is 0. Raises _FaultyRow."""
        named = row.text("symbol")
        if not named:
            raise _FaultyRow(f"column {self._names['symbol']}: there is no ticker beside the quantity")
        try:
            symbol = normalise(named)
        except BadSymbol as error:
            raise _FaultyRow(f"column {self._names['symbol']}: {str(error).partition(';')[0].rstrip('.')}") from None
        quantity = self._number(row, "quantity") * self._side(row)
        if quantity == 0:
            return None
        price, currency = self._paid(row, quantity)
        account = row.text("account")
        if len(account) > ACCOUNT_LENGTH:
            raise _FaultyRow(f"column {self._names['account']}: it has more than {ACCOUNT_LENGTH} characters")
        return Position(symbol=symbol, quantity=quantity, average_price=price, currency=currency, account=account)

    def _paid(self, row: _TableRow, quantity: float) -> tuple[float | None, str | None]:
        """Return the average price, from the whole cost where no price is given, and its currency."""
        field = next((name for name in ("average_price", "cost") if row.text(name)), None)
        if field is None:
            return None, self._code(row.text("currency")) if row.text("currency") else None
        amount = self._number(row, field)
        price = abs(amount / quantity) if field == "cost" else amount
        if price < 0:
            raise _FaultyRow(f"column {self._names[field]}: a price is not negative")
        stated = row.text("currency")
        hundredths = next((unit for unit in HUNDREDTHS if unit == stated), None)
        if hundredths is not None:
            return price / 100, HUNDREDTHS[hundredths]
        return price, self._code(stated) if stated else _sign_of(row.text(field))

    def _code(self, stated: str) -> str:
        found = _currency(stated)
        if found is None:
            raise _FaultyRow(f"column {self._names.get('currency', 'currency')}: {stated[:12]!r} is no currency code")
        return found

    def _side(self, row: _TableRow) -> int:
        stated = row.text("side")
        if stated and stated.lower() not in SIDES:
            raise _FaultyRow(f"column {self._names['side']}: {stated[:12]!r} is neither long nor short")
        return SIDES[stated.lower()] if stated else 1

    def _day(self, row: _TableRow) -> date:
        try:
            return parse_day(row.text("day")[:10])
        except BadDate:
            stated = row.text("day")[:20]
            raise _FaultyRow(f"column {self._names['day']}: {stated!r} is no day; write it like 2025-03-14") from None

    def _number(self, row: _TableRow, field: str) -> float:
        value, text = row.cells.get(field), row.text(field)
        if not text:
            raise _FaultyRow(f"column {self._names.get(field, field)}: there is no number")
        if isinstance(value, int | float) and not isinstance(value, bool):
            number: float | None = float(value)
        else:
            number = _number_of(text, self._decimal)
        if number is None or not math.isfinite(number):
            raise _FaultyRow(f"column {self._names[field]}: {text[:20]!r} is no number")
        return number


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


def _header(rows: Sequence[Cells]) -> tuple[int, dict[str, int]]:
    """Return the number of the header's row from 0, and the column of each field. Raises UsageError."""
    for number, cells in enumerate(rows[:HEADER_WITHIN]):
        names = [_plain(str(cell)) if cell is not None else "" for cell in cells]
        found = {
            field: names.index(name)
            for field, known in COLUMNS.items()
            if (name := next((name for name in known if name in names), None)) is not None
        }
        if {"symbol", "quantity"} <= found.keys():
            return number, found
    raise UsageError(NO_HEADER)


def _by_field(columns: Mapping[str, int], cells: Cells) -> dict[str, Any]:
    return {field: cells[column] for field, column in columns.items() if column < len(cells)}


def _plain(text: str) -> str:
    """Return a name in lower case without blanks and signs, but for `&`."""
    return re.sub(r"[^\w&]|_", "", text.casefold())


def _currency(text: str) -> str | None:
    """Return the code of a currency; None for what is none."""
    code = text.strip().upper()
    return code if code in CODES else _SIGNS.get(text.strip())


def _sign_of(text: str) -> str | None:
    """Return the currency of the sign at an amount; a bare `$` says nothing."""
    sign = re.sub(r"[\d.,'()\s+-]", "", text)
    return _SIGNS.get(sign)


def _decimal_sign(texts: Sequence[str], usual: str) -> str:
    """Return the decimal sign of a table's numbers: a point or a comma.

    A number shows it where both signs stand in it (the last one), or one sign once and not before three digits.

    Args:
        texts: The cells that hold numbers.
        usual: What holds where no number shows it.

    Raises:
        UsageError: Numbers contradict each other.
    """
    shown: dict[str, str] = {}
    for text in texts:
        digits = "".join(re.findall(r"[\d.,]", text))
        last = max(digits.rfind("."), digits.rfind(","))
        if last < 0:
            continue
        sign = digits[last]
        both = {".", ","} <= set(digits)
        if digits.count(sign) == 1 and (both or len(digits) - last - 1 != 3):
            shown.setdefault(sign, text)
    if len(shown) > 1:
        raise UsageError(f"its numbers have two decimal signs: {shown['.'][:20]!r} and {shown[','][:20]!r}.")
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
    return None if stated is None else parse_day(str(stated)[:10])


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
            raise UsageError("An amount of cash is written like USD=1000: a currency code, = and a number.")
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
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise UsageError('it is not UTF-8 text; save it as "CSV UTF-8".') from None


def _csv_rows(text: str) -> tuple[list[list[str]], bool]:
    """Return the rows of a CSV text, empty ones too (their numbers are those of its lines), and whether `;` parts them.

    What parts cells is the sign by which a header is found. Raises UsageError.
    """
    for delimiter in DELIMITERS:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
        try:
            _header(rows)
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
            _header(rows)
        except UsageError:
            continue
        return rows
    return sheets[0] if sheets else []
