"""What a figure may measure, by the metrics that are named beside it and its unit; and its scale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from tradingagents.dataflows.reference.line_items import BALANCE, CASHFLOW, INCOME, PER_SHARE, SHARES
from tradingagents.features.report_check.facts import MULTIPLES, PERCENTAGES, SHARES_OF_REVENUE
from tradingagents.provenance.numbers import Number

MeasureKind = Literal["level", "change", "points", "day", "share"]
"""`share`: a part of revenue, in percent."""
OF_DAY = frozenset(
    {"price", "market_cap", "pe", "ps", "pb", "peg", "ev_ebitda", "dividend_yield", "fcf_yield", "beta", "high_52w"}
    | {"low_52w", "sma_50", "sma_200", "enterprise_value"}
)
PRICES = frozenset({"price", "high_52w", "low_52w", "sma_50", "sma_200"})
ITEMS = frozenset((*INCOME, *BALANCE, *CASHFLOW, "ebitda", "total_debt", "free_cash_flow"))
ESTIMATES = frozenset({"eps_estimate"})
SAME_FIGURE: Mapping[str, tuple[str, ...]] = {
    "eps": ("eps_diluted", "eps_basic"),
    "shareholders_equity": ("equity",),
    "total_equity": ("equity",),
    "cash_and_equivalents": ("cash",),
    "inventories": ("inventory",),
    "total_operating_expenses": ("operating_expenses",),
    "return_on_equity": ("roe",),
    "return_on_assets": ("roa",),
    "effective_tax_rate": ("tax_rate",),
    "shares": ("shares_diluted", "shares_basic"),
}
_MARGINS: Mapping[str, str] = {item: margin for margin, item in SHARES_OF_REVENUE.items()}
_LETTER_SCALE = re.compile(
    r"(?:\$|USD|EUR|GBP|€|£|dollars?)\s?(?:in\s+)?(bn|b|mn|mm|mio|m|k|tn|thousands?|millions?|billions?|trillions?)\b"
    r"|\b(?:in|figures in|amounts in)\s+(thousands|millions|billions)\b|^(bn|mn|mm|mio|m|k)$",
    re.IGNORECASE,
)
_BARE = str.maketrans("", "", "$€£¥")
_CURRENCIES = re.compile(r"US\$|USD|EUR|GBP|JPY|CHF|CAD|AUD|dollars|euros|minus|negative", re.IGNORECASE)
LEAST_BARE = 100.0
"""Whole numbers below it without a unit are pages and counts, not amounts."""
MOST_PER_SHARE = 1e5
ANY_SCALE = (1.0, 1e3, 1e6, 1e9)
_NO_SHARE_SCALE = PER_SHARE | PERCENTAGES | MULTIPLES | PRICES | ESTIMATES


class FigureMeasure(NamedTuple):
    """What a figure may measure."""

    metric: str
    kind: MeasureKind
    quarterly: bool = False
    """Whether a change is from the quarter before, not from the year before."""


class Saying(NamedTuple):
    """What the words around a figure say of its kind."""

    bases: frozenset[str] = frozenset()
    """`year` or `quarter` where it is a change from a year or a quarter before."""
    is_change: bool = False
    """Whether the words call it a rise or a fall."""
    of_revenue: bool = False
    """Whether it is called a share of revenue."""
    is_margin: bool = False
    per_share: bool = False
    diluted: bool | None = None
    """None where neither diluted nor basic is said."""


def measures_of(metrics: Iterable[str], number: Number, text: str, said: Saying) -> tuple[FigureMeasure, ...]:
    """Return what a figure may measure; nothing where its unit fits none of its metrics.

    Args:
        metrics: What the words beside it may name.
        number: The figure.
        text: The same as printed.
        said: What the words around it say of its kind.
    """
    names = dict.fromkeys(name for metric in sorted(metrics) for name in SAME_FIGURE.get(metric, (metric,)))
    if said.per_share and number.unit in ("", "money") and _is_small(number, text):
        names = {name: None for name in names if name in PER_SHARE | PRICES | ESTIMATES} or dict.fromkeys(
            sorted(PER_SHARE) if "net_income" in names else ()
        )
    if said.diluted is not None:
        names.pop("eps_basic" if said.diluted else "eps_diluted", None)
    if number.unit == "" and any(name in ITEMS for name in names):  # `sales` may be a multiple of them: `3.2x sales`
        names = {name: None for name in names if name not in MULTIPLES}
    return tuple(dict.fromkeys(measure for name in names for measure in _measures(name, number, text, said)))


def _measures(name: str, number: Number, text: str, said: Saying) -> Iterator[FigureMeasure]:
    unit = number.unit
    if unit in ("points", "bps"):
        if name in PERCENTAGES or name in _MARGINS:
            yield from _changes(_MARGINS.get(name, name), "points", said)
    elif unit == "x":
        if name in MULTIPLES:
            yield FigureMeasure(name, "day" if name in OF_DAY else "level")
    elif unit == "%":
        yield from _percent(name, number, said)
    elif name in OF_DAY:
        if name in PRICES:
            if _is_small(number, text) and (unit == "money" or not number.whole):
                yield FigureMeasure(name, "day")
        elif unit != "money" or name not in MULTIPLES | PERCENTAGES:
            yield FigureMeasure(name, "day")
    elif name in PER_SHARE or name in ESTIMATES:
        if _is_small(number, text):
            yield FigureMeasure(name, "level")
    elif name in ITEMS:
        if (unit != "money" or name not in SHARES) and (unit == "money" or _has_scale(text) or not _is_tiny(number)):
            yield FigureMeasure(name, "level")
    elif unit == "" and name in PERCENTAGES | MULTIPLES:
        yield FigureMeasure(name, "level")


def _percent(name: str, number: Number, said: Saying) -> Iterator[FigureMeasure]:
    if name in OF_DAY:
        if name in PERCENTAGES:
            yield FigureMeasure(name, "day")
    elif name in PERCENTAGES:
        yield FigureMeasure(name, "level")
    elif name in ITEMS and name not in SHARES:
        if said.of_revenue or said.is_margin:
            yield FigureMeasure(_MARGINS.get(name, name), "level" if name in _MARGINS else "share")
            return
        yield from _changes(name, "change", said)
        if not said.is_change and not said.bases and not number.signed and name in _MARGINS:
            yield FigureMeasure(_MARGINS[name], "level")


def _changes(name: str, kind: MeasureKind, said: Saying) -> Iterator[FigureMeasure]:
    """Yield the changes from a year and from a quarter before; both where the words do not say which."""
    if "quarter" not in said.bases or "year" in said.bases:
        yield FigureMeasure(name, kind)
    if "year" not in said.bases:
        yield FigureMeasure(name, kind, quarterly=True)


def scales_for(
    text: str, number: Number, measures: Sequence[FigureMeasure], stated: float | None, *, in_table: bool
) -> tuple[float, ...]:
    """Return the factors from a number as read to its unit; several where nothing says which.

    Args:
        text: The figure as printed.
        number: The same as read.
        measures: What it may measure.
        stated: The scale that a heading, a caption or a label states.
        in_table: Whether it stands in a table.
    """
    if number.unit in ("%", "points", "bps", "x") or _has_scale(text):
        return (1.0,)
    if measures and all(measure.metric in _NO_SHARE_SCALE for measure in measures):
        return (1.0,)
    if stated is not None:
        return (stated,)
    return ANY_SCALE if in_table or number.unit != "money" else (1.0,)


def letter_scale(words: str) -> float | None:
    """Return the scale of `($bn)`, `$M`, `USD millions`, `in thousands`; None where none is named."""
    match = _LETTER_SCALE.search(words)
    named = next(filter(None, match.groups()), "").lower() if match else ""
    if named.startswith("th"):
        return 1e3
    return {"b": 1e9, "m": 1e6, "k": 1e3, "t": 1e12}[named[0]] if named else None


def _has_scale(text: str) -> bool:
    return any(map(str.isalpha, _CURRENCIES.sub("", text.translate(_BARE))))


def _is_small(number: Number, text: str) -> bool:
    """Tell whether a figure may be an amount per share or a price."""
    return not _has_scale(text) and abs(number.value) < MOST_PER_SHARE


def _is_tiny(number: Number) -> bool:
    return abs(number.value) < LEAST_BARE and number.whole
