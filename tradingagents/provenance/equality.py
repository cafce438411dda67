"""When a figure that was written and one that was given are the same: value, unit, direction, period and day."""

from __future__ import annotations

from collections.abc import Iterator

from tradingagents.provenance.lexicon import LEVELS, UNSIGNED
from tradingagents.provenance.numbers import Number
from tradingagents.provenance.reading import Reading

ANY_UNIT = "?"
"""Unit of a cell that was given without one: it may be of any."""
_PERIODS_OF_RETURNS = frozenset(("1d", "1w", "1m", "3m", "6m", "ytd", "1y", "yoy", "qoq"))


def scales(number: Number) -> Iterator[tuple[float, float]]:
    """Yield a number's value and half width as cells may hold it."""
    half = half_width(number)
    if number.unit == "bps":
        yield number.value, half
        yield number.value / 100, half / 100
    else:
        yield number.value, half
        if number.unit == "%":
            yield number.value / 100, half / 100
        elif not number.unit and abs(number.value) < 20:
            yield number.value * 100, half * 100


def half_width(number: Number) -> float:
    """Return how far off a cell may lie: half of the last digit, more where the words say `about`."""
    half = number.half
    if number.about:
        half *= 2
        if number.half >= 0.5 and number.value:  # about 20,000: the zeros are not meant
            zeros = len(f"{abs(number.value):.0f}") - len(f"{abs(number.value):.0f}".rstrip("0"))
            half = max(half, min(0.5 * 10**zeros, 0.03 * abs(number.value)))
    return half * (1 + 1e-9) + abs(number.value) * 1e-9


def equal(wanted: Reading, cell: Reading, *, firm: bool) -> bool:
    """Tell whether a cell has a reading's value, unit and direction."""
    number, other = wanted.number, cell.number
    half = half_width(number)
    value = number.value
    if other.unit == ANY_UNIT:
        pass
    elif number.unit == "%":
        if other.unit in ("", "x") and firm and abs(other.value) <= 20 and cell.tabled:
            value, half = value / 100, half / 100
        elif other.unit not in ("%", "points"):
            return False
    elif number.unit == "bps":
        if other.unit in ("%", "points"):
            value, half = value / 100, half / 100
        elif other.unit != "bps":
            return False
    elif number.unit == "points":
        if other.unit not in ("%", "points", ""):
            return False
    elif number.unit == "x":
        if other.unit not in ("x", ""):
            return False
    elif number.unit == "money":
        if other.unit not in ("money", ""):
            return False
    elif other.unit in ("%", "bps", "points") and not firm:
        return False
    if abs(abs(value) - abs(other.value)) > half:
        return False
    return _same_way(wanted, cell, value)


def _same_way(wanted: Reading, cell: Reading, value: float) -> bool:
    """Tell whether signs and words of direction agree."""
    if any(UNSIGNED.intersection(one.concepts) for one in (wanted, cell)):
        return not (cell.way and wanted.way and cell.way != wanted.way)
    return any(_agree(wanted, cell, value, way) for way in {wanted.way, wanted.way or wanted.way_before})


def _agree(wanted: Reading, cell: Reading, value: float, way: int) -> bool:
    number, its = wanted.number, cell.number.value
    if not its or not value:
        return True
    if number.bracketed:
        return True
    if number.signed:
        return (value < 0) == (its < 0) or (
            cell.way != 0 and its > 0 and not cell.number.signed and (value < 0) == (cell.way < 0)
        )
    if its < 0:
        return way < 0
    if cell.way and not cell.number.signed and number.unit in ("%", "points", "bps"):
        return way == cell.way or (not way and cell.way > 0)
    return not (way < 0 and _is_move(cell) and number.unit in ("%", "points", "bps"))


def _is_move(cell: Reading) -> bool:
    """Tell whether a cell is a change, so that its sign matters."""
    return cell.number.unit in ("%", "points") and (
        bool(cell.periods & _PERIODS_OF_RETURNS) or bool({"return", "change", "alpha"} & set(cell.concepts))
    )


def same_period(wanted: Reading, cell: Reading) -> bool:
    """Tell whether a move may be of the same period: where both name one, they share it."""
    mine, its = wanted.periods & _PERIODS_OF_RETURNS, cell.periods & _PERIODS_OF_RETURNS
    return not mine or not its or bool(mine & its) or wanted.number.unit not in ("%", "points", "bps")


def same_time(wanted: Reading, cell: Reading) -> bool:
    """Tell whether a value of an earlier day may be meant: the sentence names the day, or looks back."""
    if not cell.past or not cell.tabled:
        return True
    days, its = ({day for day in one.months if "-" in day} for one in (wanted, cell))
    if days and its:
        return bool(days & its)
    if wanted.months and LEVELS.intersection(cell.concepts):
        return bool(wanted.months & cell.months)
    return wanted.past or wanted.tabled or bool(wanted.periods & {"yoy", "qoq"})


def follows(number: Number, first: float, second: float, pair: bool) -> bool:
    """Tell whether a number is a change, share, ratio, difference or sum of two others."""
    value, half = abs(number.value), half_width(number)
    if number.unit in ("%", "points", "bps"):
        factor = 100 if number.unit == "bps" else 1
        if abs(abs(first - second) * factor - value) <= half + 0.01 * factor and abs(first) < 1000:
            return True
        if not second or number.unit != "%" or first * second < 0:
            return False
        share = abs(first / second) * 100
        slack = half + 0.0011 * share
        return abs(abs(share - 100) - value) <= slack or (abs(share - value) <= slack and share < 100)
    if number.unit == "x" or (number.unit == "" and pair and not (number.whole or number.signed) and 0.05 < value < 50):
        return bool(second) and abs(abs(first / second) - value) <= half + 0.0011 * value
    if not pair:
        return False
    return any(abs(abs(made) - value) <= half + 1e-3 * value for made in (first - second, first + second))


def points_the_way(wanted: Reading, new: float, old: float) -> bool:
    """Tell whether a change goes the way that the words, or the sign, say."""
    way = (1 if wanted.number.value > 0 else -1) if wanted.number.signed else wanted.way
    return not way or (new - old) * way >= 0 or wanted.number.unit not in ("%", "points", "bps")
