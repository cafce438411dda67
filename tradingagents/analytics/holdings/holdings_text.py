"""Read holdings that somebody states in a line: `100 AAPL at 150, 20 MSFT`, `60 % VELQ and 40 % MODZ`.

Errors quote nothing of what is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tradingagents.dataflows.portfolio_file import portfolio_of_json
from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol, UsageError
from tradingagents.files.json_text import parse_json
from tradingagents.schemas.portfolio import Portfolio, Position

LONGEST = 4_000
"""Characters of a line; a book of hundreds of positions is imported from a file."""
FORMS = "write them like 100 AAPL at 150, 20 MSFT, or as shares of the whole like 60% AAPL, 40% MSFT"
WHOLE = 1.0005
"""Largest sum of stated weights: rounded ones may exceed 100 % a little."""
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SYMBOL = r"\$?(?P<symbol>[A-Za-z^][A-Za-z0-9.=^\-]{0,14})"
_WEIGHT = re.compile(rf"(?P<number>{_NUMBER})\s*%\s*(?:(?:in|of|into|is)\s*)?{_SYMBOL}", re.IGNORECASE)
_WEIGHT_AFTER = re.compile(rf"{_SYMBOL}\s*(?:[:=(]\s*)?(?:(?:at|is)\s*)?(?P<number>{_NUMBER})\s*%\)?", re.IGNORECASE)
_POSITION = re.compile(
    rf"(?P<sign>short |long |-)?\s*(?P<number>{_NUMBER})(?:\s*(?:shares?\s+of|shares?|units?\s+of|units?|x|of))?"
    rf"\s+{_SYMBOL}(?:\s+shares?)?"
    rf"(?:\s*(?:at|@|for|bought at)\s*(?:(?P<unit>[$€£])\s*)?(?P<price>{_NUMBER})\s*(?P<code>[€£]|[A-Z]{{3}}\b)?)?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[;\n&+]|,(?!\d{3}\b)|\band\b|\bplus\b", re.IGNORECASE)
_CASH = frozenset({"CASH"})


@dataclass(frozen=True, slots=True)
class StatedHoldings:
    """What is held: a portfolio of quantities, or weights of the whole; the rest of the whole is cash."""

    portfolio: Portfolio | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    """By symbol, as fractions; empty where quantities are stated."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return what is held."""
        return tuple(self.weights) if self.portfolio is None else self.portfolio.symbols


def read_holdings(text: str) -> StatedHoldings:
    """Return the holdings of a line, or of the JSON of a portfolio.

    Raises:
        UsageError: It cannot be read.
    """
    stated = text.strip().rstrip(".")
    if len(stated) > LONGEST:
        raise UsageError(f"The holdings are too long for a line; {FORMS}, or import them from a file.")
    if stated[:1] in ("[", "{"):
        try:
            return StatedHoldings(portfolio=portfolio_of_json(parse_json(stated)))
        except (UsageError, ValueError):
            raise UsageError(f"The holdings are no JSON of a portfolio; {FORMS}.") from None
    parts = [part.strip() for part in _BETWEEN.split(stated) if part.strip()]
    weights = dict(_weights(parts))
    if weights:
        return StatedHoldings(weights=_checked(weights))
    positions = [_position(number, part) for number, part in enumerate(parts, 1)]
    if not positions:
        raise UsageError(f"There are no holdings; {FORMS}.")
    try:
        return StatedHoldings(portfolio=Portfolio(positions=tuple(positions)))
    except ValueError:
        raise UsageError("A symbol is named twice among the holdings; add its shares up.") from None


def _weights(parts: list[str]) -> Iterator[tuple[str, float]]:
    """Yield weights by symbol; nothing where no part is one."""
    if not any("%" in part for part in parts):
        return
    seen: set[str] = set()
    for number, part in enumerate(parts, 1):
        found = _WEIGHT.fullmatch(part) or _WEIGHT_AFTER.fullmatch(part)
        if found is None:
            raise UsageError(f"Part {number} of the holdings is no share of the whole, as others are; {FORMS}.")
        symbol = found["symbol"].upper()
        if symbol in seen:
            raise UsageError("A symbol is named twice among the holdings; add its weights up.")
        seen.add(symbol)
        yield symbol, float(found["number"].replace(",", "")) / 100


def _checked(weights: Mapping[str, float]) -> dict[str, float]:
    if not 0 < sum(weights.values()) <= WHOLE:
        raise UsageError(
            "The weights of the holdings add up to more than 100 %, or to nothing; give shares of the whole."
        )
    return {_symbol(name): weight for name, weight in weights.items() if name not in _CASH and weight}


def _position(number: int, part: str) -> Position:
    found = _POSITION.fullmatch(part.strip())
    if found is None:
        raise UsageError(f"Part {number} of the holdings is not understood; {FORMS}.")
    quantity = float(found["number"].replace(",", "")) * (-1 if (found["sign"] or "").strip() in ("-", "short") else 1)
    if not quantity:
        raise UsageError(f"Part {number} of the holdings is a position of 0; leave it out.")
    price = found["price"]
    paid = None if price is None else float(price.replace(",", ""))
    return Position(symbol=_symbol(found["symbol"]), quantity=quantity, average_price=paid, currency=_paid_in(found))


def _paid_in(found: re.Match[str]) -> str | None:
    """Return the currency of a stated price; None where none is stated: a bare `$` is that of several.

    Raises:
        UsageError: The letters behind the price are no currency.
    """
    stated = (found["code"] or found["unit"] or "$").upper()
    code = {"$": None, "€": "EUR", "£": "GBP"}.get(stated, stated)
    if code is not None and code not in CODES:
        raise UsageError(f"A price of the holdings is in no currency that is known; {FORMS}.")
    return code


def _symbol(word: str) -> str:
    try:
        return normalise(word)
    except BadSymbol:
        raise UsageError(f"A symbol of the holdings is none; {FORMS}.") from None
