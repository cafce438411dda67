"""What the cell of a row is in: the number that it prints, its scale, and its unit, with what a row counts."""

from __future__ import annotations

import math
import re

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.lines.heads.row_comments import DESCRIBED
from tradingagents.retrieval.lines.rows.label_words import head_text, sentence_before, stems_of
from tradingagents.retrieval.models import Column, FiledTable, Row, TableCell
from tradingagents.retrieval.money import SIGN_PATTERN
from tradingagents.retrieval.row_units import is_per_unit

NUMBER = re.compile(
    r"(?P<open>\()?[^\d()\-\u2212.]{0,9}(?P<minus>[-\u2212])?[^\d()\-.]{0,6}(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)"
)


COUNTED = re.compile(
    r"(?i)\b(?:transactions?|memberships?|members|subscribers?|subscriptions|users|units|deliveries|vehicles|customers"
    r"|cards|stores|warehouses|restaurants|passengers|barrels|employees|headcount|associates|patients|shipments|aircraft"
    r"|square (?:feet|footage|met(?:er|re)s)"
    r"|individuals|households|connections|hotels|guests|merchants|branches|cardholders|stations|[md]aus?"
    r"|prescriptions|claims processed)\b"
)
"""What a row counts. Its caption tells a scale, and the currency of the rows beside it.

Airplanes are not among it: rows of that name are amounts of a segment, and their deliveries are counted by that word.
"""
_FEW = re.compile(
    r"(?i)\b(?:employees|headcount|associates|stores|warehouses|restaurants|hotels|branches|(?:retail|store|operating"
    r"|franchised?|restaurant) units)\b"
)
"""Those who work for a company, and its sites: fewer than the scale of a caption of money would make of them."""
_EXCEPTED = re.compile(r"(?i)\bexcept(?:ing)?\b(?P<what>[^()]{3,120})")
"""What a caption excepts from its scale, as `(in millions, except per share and headcount data)`."""
_OF_MONEY = re.compile(r"(?i)(?:\bdollars|\$|\bUSD)\s{0,3}in (?:thousands|millions|billions)\b")
"""A caption that tells the scale of amounts of money alone."""
_OWN_SCALE = re.compile(r"(?i)\b(?:thousands|millions|billions)\b|\(['\u2018\u2019]?000s?\)")
_IN_THOUSANDS = re.compile(r"(?i)\(['\u2018\u2019]?000s?\)")
AMOUNT = re.compile(
    r"(?i)\b(?:revenues?|sales|costs?|expenses?|income|earnings|profit|loss(?:es)?|fees?|price|receivables?|payables?"
    r"|deposits?|value|volume|spend\w*|cash|assets?|liabilit\w+|incentives|purchases?|equipment|benefits)\b|\$"
)


_NUMBER_OF = re.compile(
    rf"(?i)\bnumber of (?:[\w-]+ ){{0,4}}?(?:people|persons|{COUNTED.pattern.removeprefix('(?i)')})"
)
"""What a sentence before a table says where all its rows count people or things."""
_OF_COUNTED = re.compile(
    r"(?i)\(\W?(?:in )?(?P<scale>thousands|millions) of (?:[\w-]+ ){0,2}"
    r"(?:barrels|units|vehicles|tonnes|tons|ounces)\b[^()]*\)"
)
"""What a label says of the scale in which it counts, as `(thousands of oil-equivalent barrels daily)`."""
_FACTORS = {"thousands": 1e3, "millions": 1e6}
_IS_HEAD_OF_COUNTS = re.compile(r"(?i)\b(?:prescriptions(?: filled| dispensed)?|claims processed)\W*(?:\(\w\)\W*)*$")
"""A heading of rows that count what no amount is of."""
_COUNTS_WHAT_IS_DONE = re.compile(
    rf"{COUNTED.pattern} (?:filled|dispensed|processed|delivered|served|carried|enrolled"
    r"|at (?:the )?(?:end|beginning) of (?:the )?(?:year|quarter|period))\W*(?:\(\w\)\W*)*$"
)
"""A label that counts whatever heading stands above it: a table of revenues may end with `Prescriptions filled`."""
PERCENT = re.compile(r"(?i)%|\bper ?cent")
_COUNTED_PER_ONE = re.compile(rf"{COUNTED.pattern} per (?!cent\b)\w")
"""A row of things for one of others, as `connections per account`, which is no money whatever its caption says."""


def cell_figure(table: FiledTable, row: Row, column: Column, cell: TableCell) -> tuple[float, str]:
    """Return the figure and the unit of a cell: a printed `%` stands above what the table's caption says."""
    is_percent = bool(PERCENT.search(cell.text)) or row.unit == "percent" or bool(PERCENT.search(head_text(column)))
    printed = printed_number(cell.text)
    if is_percent:
        return printed, "percent"
    unit = row.unit_in(column)
    if cell.fact is not None:
        return float(cell.value or 0.0), "count" if _names_unit(row, unit) else unit
    if _is_under_thousands(row) and not is_of_money(row):
        return printed * 1000, "count"
    if _IS_HEAD_OF_COUNTS.search(" ".join(row.headings[-1:])) and not is_of_money(row):
        return printed * (1.0 if _is_unscaled(table, row, column) else row.scale_in(column)), "count"
    if is_money(unit) and _COUNTED_PER_ONE.search(row.label) and not is_of_money(row):
        return printed, "ratio"
    if is_money(unit) and is_per_unit(row.label, [abs(printed)]):
        return printed, unit
    if (of := _OF_COUNTED.search(row.label)) and not is_of_money(row):
        return printed * _FACTORS[of["scale"].lower()], "count"
    if counts_something(table, row, column) and not (unit and is_of_money(row)):
        scaled = printed * (1.0 if _is_unscaled(table, row, column) else row.scale_in(column))
        return scaled, "count" if scaled.is_integer() or row.scale_in(column) > 1 else unit
    if cell.value == printed:
        return printed * row.scale_in(column), unit
    return float(cell.value or 0.0), unit


def _is_under_thousands(row: Row) -> bool:
    """Whether the heading of a row names what is counted in thousands, as `Connections ('000)` among amounts."""
    heading = " ".join(row.headings[-1:])
    return bool(_IN_THOUSANDS.search(heading) and COUNTED.search(heading)) and not PER_ONE.search(row.label)


def _names_unit(row: Row, unit: str) -> bool:
    """Whether the unit of a tagged cell is what its row counts, as `membership` of `Paid memberships`."""
    return unit.isalpha() and unit.islower() and bool(stems_of(unit)) and stems_of(unit) <= stems_of(row.label)


def counts_something(table: FiledTable, row: Row, column: Column) -> bool:
    """Return whether a row counts something by its name; one without a unit may do so by its heading or its table."""
    if PER_ONE.search(row.label) or DESCRIBED.search(table.title):  # patients of whom a medicine's description tells
        return False
    if COUNTED.search(row.label):
        return True
    if _NUMBER_OF.search(sentence_before(table)) and not AMOUNT.search(row.label) and not _has_signs(table):
        return True
    named = " ".join((*row.headings, column.header, *(() if row.unit else (sentence_before(table),))))
    unit = row.unit_in(column)
    return not (unit and is_money(unit)) and bool(COUNTED.search(named)) and not AMOUNT.search(named)


def _has_signs(table: FiledTable) -> bool:
    """Whether a table prints a sign of a currency."""
    return any(re.search(SIGN_PATTERN, cell.text) for row in table.rows for cell in row.cells if cell is not None)


def _is_unscaled(table: FiledTable, row: Row, column: Column) -> bool:
    """Whether the scale of a caption is not meant for a row that counts something."""
    own = " ".join((row.label, *row.headings[-1:]))
    if _OWN_SCALE.search(own):
        return False
    caption = " ".join((table.title, *row.headings, column.header))
    excepted = " ".join(found["what"] for found in _EXCEPTED.finditer(caption))
    excepted = _OF_ONE.sub(" ", excepted)
    counted = {found.lower() for found in COUNTED.findall(row.label)}
    is_excepted = bool(counted & {found.lower() for found in COUNTED.findall(excepted)})
    return bool(_FEW.search(own)) or is_excepted or bool(_OF_MONEY.search(caption))


_OF_ONE = re.compile(r"(?i)\bper [\w-]+")
PER_ONE = re.compile(r"(?i)\bper\b")
"""What is said of one of the things counted."""


def asks_for_count(phrase: str) -> bool:
    """Return whether a phrase of a question names something counted, and no amount or rate of it."""
    return bool(COUNTED.search(phrase) or _MEMBERSHIP.search(phrase)) and not (
        AMOUNT.search(phrase) or PER_ONE.search(phrase) or _RATE.search(phrase)
    )


_MEMBERSHIP = re.compile(r"\bmember$")
"""`Membership`, in the words of tables."""
_RATE = re.compile(r"(?i)\b(?:rates?|percent|churn|growth|average|ratio|margin|share|mix)\b|%")


def is_of_money(row: Row) -> bool:
    """Whether a row that counts something by its name prints a sign of a currency, or names an amount too."""
    signs = any(re.search(SIGN_PATTERN, cell.text) for cell in row.cells if cell is not None)
    headings = () if _COUNTS_WHAT_IS_DONE.search(row.label) else row.headings[-1:]
    return signs or bool(AMOUNT.search(" ".join((row.label, *headings))))


def printed_number(text: str) -> float:
    """Return the number that a cell prints; brackets and a minus make it negative; NaN for none."""
    found = NUMBER.search(text)
    if found is None:
        return math.nan
    value = float(found["digits"].replace(",", ""))
    return -value if found["open"] or found["minus"] else value
