"""Read the tickers of a portfolio file: CSV with a ticker column, JSON, or one ticker a line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tradingagents.dataflows.portfolio_file import LIKE_SYMBOL, portfolio_bytes
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol, UsageError
from tradingagents.files.json_text import parse_json

COLUMNS = ("ticker", "symbol")
"""Accepted names of the ticker column or field, in any case."""
MOST = 500
"""Maximum number of tickers in a file: each is a complete run of the trading graph."""
DELIMITERS = ",;\t"
FORMATS = "a CSV file with a ticker column, a JSON list of tickers, or one ticker a line"


def read_holdings(path: Path) -> tuple[str, ...]:
    """Return the normalised tickers of a portfolio file, in file order without duplicates.

    Args:
        path: CSV with a column `ticker` or `symbol`; JSON with a list of tickers or of objects with such a field, or
            an object with such a list under `holdings`; or one ticker a line, with `#` for comments.

    Raises:
        UsageError: The file is missing, has another format, or holds no ticker or too many.
        BadSymbol: An entry is not a valid ticker.
    """
    text = _read(path)
    try:
        named = _json_tickers(text) if text.lstrip()[:1] in ("[", "{") else _lines_tickers(text)
        read = (_normalised(ticker, number, path) for number, ticker in enumerate(named, start=1))
        tickers = tuple(islice(dict.fromkeys(read), MOST + 1))
    except (ValueError, RecursionError, csv.Error) as error:
        raise UsageError(f"{path} cannot be read as a portfolio ({error}); give {FORMATS}.") from error
    if not tickers:
        raise UsageError(f"{path} contains no ticker; give {FORMATS}.")
    if len(tickers) > MOST:
        raise UsageError(f"{path} names more than {MOST} tickers; name those that matter most.")
    return tickers


def columns_left_out(path: Path) -> tuple[str, ...]:
    """Return the columns or fields of a portfolio file that are not read, such as quantity and cost.

    Raises:
        UsageError: As `read_holdings` raises.
    """
    text = _read(path)
    try:
        names = _json_fields(text) if text.lstrip()[:1] in ("[", "{") else _columns(text)[1]
    except (ValueError, RecursionError, csv.Error) as error:
        raise UsageError(f"{path} cannot be read as a portfolio ({error}); give {FORMATS}.") from error
    own = {name: None for name in names if name.strip() and name.strip().lower() not in COLUMNS}
    return tuple(own) if len(names) > 1 else ()


def _read(path: Path) -> str:
    try:
        return portfolio_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f'{path} is not UTF-8 text; save it as "CSV UTF-8", or give {FORMATS}.') from error


def _normalised(ticker: str, number: int, path: Path) -> str:
    try:
        return normalise(ticker)
    except BadSymbol as error:
        if LIKE_SYMBOL.fullmatch(ticker.strip()):
            raise BadSymbol(f"In {path}: {error}") from error
        said = f"In {path}: entry {number} is not a ticker symbol; write it like AAPL, BRK-B or 7203.T."
        raise BadSymbol(said) from None  # what stands there may be how much is held


def _json_tickers(text: str) -> Iterator[str]:
    for entry in _json_holdings(text):
        yield _field(entry) if isinstance(entry, dict) else _text(entry)


def _json_fields(text: str) -> list[str]:
    return [name for one in _json_holdings(text) if isinstance(one, dict) for name in one]


def _json_holdings(text: str) -> list[Any]:
    value: Any = parse_json(text)
    if isinstance(value, dict):
        value = value.get("holdings")
    if not isinstance(value, list):
        raise ValueError("it holds no list of holdings")
    return value


def _field(holding: dict[str, Any]) -> str:
    for key, value in holding.items():
        if key.strip().lower() in COLUMNS:
            return _text(value)
    raise ValueError("a holding has neither ticker nor symbol")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("an entry is no text, and so no ticker")
    return value


def _lines_tickers(text: str) -> Iterable[str]:
    lines, header, delimiter = _columns(text)
    names = [name.strip().lower() for name in header]
    column = next((names.index(name) for name in COLUMNS if name in names), None)
    if column is not None:
        rows = csv.reader(lines[1:], delimiter=delimiter)
        return (row[column] for row in rows if len(row) > column and row[column].strip())
    if len(names) > 1:
        raise ValueError("its first line names no column ticker or symbol")
    return (line.partition("#")[0] for line in lines)


def _columns(text: str) -> tuple[list[str], list[str], str]:
    """Return the lines of a table, the cells of the first one, and the sign between cells."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    header = lines[0] if lines else ""
    delimiter = max(DELIMITERS, key=header.count)
    return lines, next(csv.reader([header], delimiter=delimiter), []), delimiter
