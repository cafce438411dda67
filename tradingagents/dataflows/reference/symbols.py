"""Symbols: one spelling each, safe for use in file names and queries; those that changed; and where they are listed.

Changes are from the notices of the exchanges and the companies. Sources keep the history of a company under its present
symbol, so that the old one is unknown to them, or belongs to another company by now.

The exchange on which an instrument is listed is told by the words of its source, apart from the calendar of its
sessions: all exchanges of the United States keep New York's sessions, so that the calendar (XNYS) does not tell it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.exchanges import (
    BLOOMBERG,
    BLOOMBERG_ALONE,
    EXCHANGES,
    OTHER_SUFFIXES,
    PREFIXES,
    US,
)
from tradingagents.errors import BadSymbol
from tradingagents.files.redaction import Redactor, begins_like_key, shown_value

NEW_YORK = "XNYS"
_CODES: Mapping[str, str] = {
    "NMS": "XNAS",
    "NGM": "XNAS",
    "NCM": "XNAS",
    "NAS": "XNAS",
    "NYQ": "XNYS",
    "NYS": "XNYS",
    "ASE": "XASE",
    "AMEX": "XASE",
    "PCX": "ARCX",
    "BTS": "BATS",
    "BATS": "BATS",
}
"""Codes of Yahoo and others. MICs of the market segments are read as those of their exchange."""
_WORDS = (
    ("nasdaq", "XNAS"),
    ("nyse arca", "ARCX"),
    ("nyse american", "XASE"),
    ("nyse mkt", "XASE"),
    ("new york stock exchange", "XNYS"),
    ("nyse", "XNYS"),
    ("cboe", "BATS"),
    ("bats", "BATS"),
)
"""Words in the name of an exchange, the more exact first."""
LISTINGS = ("XNAS", "XNYS", "XASE", "ARCX", "BATS")
"""MICs of the exchanges of the United States."""


def listing_of(symbol: str, said: object = None) -> str | None:
    """Return the MIC of the exchange where an instrument is listed; None where neither source nor symbol tells it.

    Args:
        symbol: Its suffix names an exchange outside the United States: `7203.T` is listed in Tokyo.
        said: What the source calls the exchange: a MIC, a code or a name; None where it says nothing.
    """
    abroad = exchange_of(symbol)
    if abroad != NEW_YORK:
        return abroad
    text = said.strip() if isinstance(said, str) else ""
    if text.upper() in LISTINGS:
        return text.upper()
    return _CODES.get(text.upper()) or next((mic for word, mic in _WORDS if word in text.lower()), None)


def exchange_words(listing: str | None, calendar: str) -> str:
    """Return where an instrument is listed, or that it is not known and whose sessions are used."""
    if listing is not None:
        return listing
    where = "New York" if calendar == NEW_YORK else calendar
    return f"listing not known; sessions of {where}" + (f" ({calendar})" if where != calendar else "")


@dataclass(frozen=True, slots=True)
class SymbolChange:
    """What became of a symbol."""

    day: date
    """First day under the new symbol, or last day of trading where there is none."""
    new: str | None = None
    """None where the company is traded no more."""
    why: str = ""
    """What happened, to end a sentence."""


def _to(new: str, day: str) -> SymbolChange:
    return SymbolChange(date.fromisoformat(day), new)


def _ended(day: str, why: str) -> SymbolChange:
    return SymbolChange(date.fromisoformat(day), None, why)


CHANGES: Mapping[str, SymbolChange] = {
    "ABC": _to("COR", "2023-08-30"),
    "ADS": _to("BFH", "2022-04-04"),
    "ANTM": _to("ELV", "2022-06-28"),
    "BBT": _to("TFC", "2019-12-09"),
    "BLL": _to("BALL", "2022-05-10"),
    "COG": _to("CTRA", "2021-10-04"),
    "CTL": _to("LUMN", "2020-09-18"),
    "DISCA": _to("WBD", "2022-04-11"),
    "DISCK": _to("WBD", "2022-04-11"),
    "DWDP": _to("DD", "2019-06-03"),
    "FB": _to("META", "2022-06-09"),
    "FBHS": _to("FBIN", "2022-12-15"),
    "FLT": _to("CPAY", "2024-03-25"),
    "GPS": _to("GAP", "2024-08-22"),
    "HFC": _to("DINO", "2022-03-15"),
    "HRS": _to("LHX", "2019-07-01"),
    "LB": _to("BBWI", "2021-08-03"),
    "MYL": _to("VTRS", "2020-11-17"),
    "NLOK": _to("GEN", "2022-11-08"),
    "PARA": _to("PSKY", "2025-08-07"),
    "PCLN": _to("BKNG", "2018-02-27"),
    "PEAK": _to("DOC", "2024-03-04"),
    "PKI": _to("RVTY", "2023-05-16"),
    "RDS-A": _to("SHEL", "2022-01-31"),
    "RDS-B": _to("SHEL", "2022-01-31"),
    "RE": _to("EG", "2023-07-10"),
    "SQ": _to("XYZ", "2025-01-21"),
    "SYMC": _to("NLOK", "2019-11-05"),
    "UTX": _to("RTX", "2020-04-03"),
    "VIAC": _to("PARA", "2022-02-16"),
    "WLTW": _to("WTW", "2022-01-10"),
    "ATVI": _ended("2023-10-12", "Microsoft bought the company"),
    "FRC": _ended("2023-04-28", "the bank was closed"),
    "PXD": _ended("2024-05-02", "Exxon Mobil bought the company"),
    "SIVB": _ended("2023-03-09", "the bank was closed"),
    "TWTR": _ended("2022-10-27", "the company was taken private"),
    "VMW": _ended("2023-11-21", "Broadcom bought the company"),
    "XLNX": _ended("2022-02-11", "AMD bought the company"),
}
"""By the old symbol."""


def later_symbols(symbol: str) -> tuple[tuple[str, date], ...]:
    """Return the symbols that a company got after this one, each with its first day, in order; () for none."""
    found: list[tuple[str, date]] = []
    while (change := CHANGES.get(symbol)) is not None and change.new is not None:
        found.append((change.new, change.day))
        symbol = change.new
    return tuple(found)


def change_hint(symbol: str) -> str | None:
    """Return what became of a symbol and what to ask for instead; None where nothing is known of it."""
    change, later = CHANGES.get(symbol), later_symbols(symbol)
    if change is None:
        return None
    if not later:
        return f"{symbol} was last traded on {change.day}: {change.why}."
    became = " and ".join(f"{new} since {day}" for new, day in later)
    ask = " or ".join(new for new, _ in reversed(later))
    return f"{symbol} is {became}; ask for {ask}, under which its earlier prices are kept too."


MARKET = "^GSPC"
"""The index whose exchange gives the sessions of what is about no single instrument."""
_SYMBOL = re.compile(r"[A-Z0-9^][A-Z0-9.^=\-]{0,31}")
_SHARE_CLASS = re.compile(r"([A-Z]{1,5})\.([AB]|WS|WT|RT|UN?|PR[A-Z])")
_CLASSES = {"WS": "WT", "U": "UN", "RT": "RI"}
"""Warrants, units and rights as Yahoo writes them."""
_DOLLAR = re.compile(r"\$[A-Z][A-Z0-9.\-]*")
_SLASH = re.compile(r"([A-Z]{2,5})/([AB])")
"""A share class as Bloomberg and brokers write it."""
_CLASS = re.compile(r"^([A-Z]{1,5})[./]([A-Z])$")
_PAIR = re.compile(r"([A-Z]{3,5})/([A-Z]{3})")
_CHINESE = re.compile(r"(SH|SZ)\.?(\d{6})")
_BLOOMBERG = re.compile(r"([A-Z0-9][A-Z0-9./\-]{0,9}) ([A-Z]{2})( EQUITY)?")
_PREFIXED = re.compile(r"([A-Z]{2,12}):([A-Z0-9][A-Z0-9./\-]{0,19})")
LONGEST = 50
"""Characters of the longest text that is read as a symbol of another system."""
_ALIASES = {
    "XAUUSD": "GC=F",
    "XAGUSD": "SI=F",
    "SILVER": "SI=F",
    "USOIL": "CL=F",
    "SPX500": "^GSPC",
    "SPX": "^GSPC",
    "NAS100": "^NDX",
    "US30": "^DJI",
    "VIX": "^VIX",
}
NAMESAKES = {"GOLD": "gold futures are GC=F", "WTI": "crude oil futures are CL=F"}
"""Symbols of listed companies that people use for something else: the company wins, and the hint names the other."""
_CURRENCIES = frozenset(
    (
        *("USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK"),
        *("CNY", "HKD", "SGD", "INR", "MXN", "ZAR", "TRY", "PLN", "BRL", "KRW"),
    )
)
_CRYPTO = frozenset({"BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "LTC", "BNB", "DOT", "AVAX", "LINK"})


def normalise(symbol: str) -> str:
    """Return the normalized spelling of a symbol: `brk.b` BRK-B, `EURUSD` EURUSD=X, `US30` ^DJI, `LON:VOD` VOD.L.

    Read are the spellings of exchanges, vendors and terminals: `09992.HK`, `sh600519`, `600519.SH`, `NASDAQ:AAPL`,
    `$AAPL`, `BRK/B`, `VOD LN Equity`, `AAPL.US`. An alias never takes the symbol of a listed company: `GOLD` and `WTI`
    are companies (see `NAMESAKES`).

    Raises:
        BadSymbol: It is empty, too long, contains characters that no exchange uses, is a number without an exchange, or
            names an exchange that is not known.
    """
    text = symbol.strip().upper().removesuffix("+") if isinstance(symbol, str) else ""
    if len(text) <= LONGEST and not begins_like_key(text):
        text = _of_other_systems(text)
    if (
        begins_like_key(text)
        or not _SYMBOL.fullmatch(text)
        or ".." in text
        or not any(letter.isalnum() for letter in text)
    ):
        shown = shown_value(symbol, Redactor({}), 50)
        raise BadSymbol(
            f"{shown} is not a ticker symbol; write it like AAPL, BRK-B, 7203.T, ^GSPC, BTC-USD or EURUSD=X."
        )
    if text in _ALIASES:
        return _ALIASES[text]
    if share := _SHARE_CLASS.fullmatch(text):
        return f"{share[1]}-{_CLASSES.get(share[2], share[2].replace('PR', 'P', 1))}"
    head, tail = text[:-3], text[-3:]
    if head in _CURRENCIES and tail in _CURRENCIES and head != tail:
        return f"{text}=X"
    if head in _CRYPTO and tail in ("USD", "EUR"):
        return f"{head}-{tail}"
    if text.isdigit():
        raise BadSymbol(_without_exchange(text))
    return _with_suffix(text) if "." in text else text


def _of_other_systems(text: str) -> str:
    """Return a symbol of a terminal or a web page in our form; any other text as it is."""
    text = text[1:] if _DOLLAR.fullmatch(text) else text
    if found := _SLASH.fullmatch(text):
        return f"{found[1]}-{found[2]}"
    if (found := _PAIR.fullmatch(text)) and {found[1], found[2]} <= {*_CURRENCIES, *_CRYPTO}:
        return f"{found[1]}{found[2]}"
    if found := _CHINESE.fullmatch(text):
        return f"{found[2]}.{found[1]}"
    if found := _BLOOMBERG.fullmatch(text):
        suffix = _bloomberg_suffix(found[1], found[2], alone=not found[3])
        return text if suffix is None else _joined(found[1], suffix)
    if found := _PREFIXED.fullmatch(text):
        place = found[1] if found[1] != "TSE" else "TYO" if found[2].isdigit() else "TSX"
        if place not in PREFIXES:
            near = " or ".join(difflib.get_close_matches(place, PREFIXES, n=3))
            raise BadSymbol(
                f"{text!r} names no exchange that is known{f'; did you mean {near}?' if near else '.'} Write it like "
                f"NASDAQ:AAPL, LON:VOD or VOD.L."
            )
        return _joined(found[2], PREFIXES[place])
    return text


def _bloomberg_suffix(ticker: str, code: str, *, alone: bool) -> str | None:
    if alone and code not in BLOOMBERG_ALONE:
        return None
    if code == "CH":
        return "SS" if ticker.startswith(("6", "9")) else "SZ"
    return BLOOMBERG.get(code)


def _joined(ticker: str, suffix: str) -> str:
    """Return a ticker of another system with our suffix; a class takes a hyphen."""
    plain = _CLASS.sub(r"\1-\2", ticker.removesuffix("/"))
    return f"{plain}.{suffix}" if suffix else plain


def _with_suffix(text: str) -> str:
    """Return a dotted symbol with the suffix and the digits of its exchange.

    Raises:
        BadSymbol: The suffix is that of no known exchange, or the number is none of its exchange.
    """
    head, _, written = text.rpartition(".")
    suffix = OTHER_SUFFIXES.get(written, written)
    if written and suffix == US and head and not head.isdigit():
        return normalise(head)
    if not suffix or suffix not in EXCHANGES or not head:
        close = difflib.get_close_matches(written, filter(None, EXCHANGES), n=4, cutoff=0.4)
        near = ", ".join(f".{one} ({EXCHANGES[one].place})" for one in close or ("L", "T", "HK", "TO"))
        raise BadSymbol(
            f"{text!r} ends with .{written}, the suffix of no exchange that is known; near it are {near}. US symbols "
            f"have no suffix."
        )
    if suffix == "HK" and head.isdigit():
        head = head.lstrip("0").zfill(4)
    if suffix in ("SS", "SZ") and not re.fullmatch(r"\d{6}", head):
        raise BadSymbol(f"{text!r} is no symbol of {EXCHANGES[suffix].place}: they have six digits, like 600519.SS.")
    return f"{head.replace('.', '-')}.{suffix}"


def _without_exchange(number: str) -> str:
    """Return the refusal of a bare number, with the exchanges that use such numbers."""
    if len(number) == 6:
        china = "SS" if number[0] in "569" else "SZ"
        meant = [f"{number}.{suffix}" for suffix in (china, "KS")]
    else:
        meant = [f"{number}.T"] if len(number) == 4 and number[0] != "0" else []
        meant += [f"{number.lstrip('0').zfill(4)}.HK"] if len(number) <= 5 else []
        meant += [f"{number}.TW"] if len(number) == 4 else []
    listed = " or ".join(f"{candidate} ({EXCHANGES[candidate.rpartition('.')[2]].place})" for candidate in meant)
    return f"{number} is a number without its exchange; write {listed or 'it with a suffix, like 7203.T'}."


def namesake_hint(symbol: str) -> str | None:
    """Return a hint on the other meaning of a company's symbol; None for any other symbol."""
    other = NAMESAKES.get(symbol)
    return None if other is None else f"{symbol} is the company that is listed under this symbol; {other}."
