"""Symbols that changed: a company's new symbol, with its first day; and symbols that are traded no more.

From the notices of the exchanges and the companies. Sources keep the history of a company under its present symbol, so
that the old one is unknown to them, or belongs to another company by now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


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
