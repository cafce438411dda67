"""The parts of a company, such as its segments or regions, each with a figure: read from a table that states them all.

A table states the parts in one of three ways: rows of parts under a heading that names the figure, rows of figures
under headings that name the parts, or rows of parts with a column for the figure. Totals, eliminations and what is not
allocated are no parts. Where two tables of a filing differ the parts are not told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from tradingagents.retrieval.calculation import CalculationRequest, calculate, operand_names
from tradingagents.retrieval.line_items import plain_label
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, WantedLine
from tradingagents.retrieval.lines.company_books import PeriodFigure
from tradingagents.retrieval.lines.line_questions import AskedMeasure, Group
from tradingagents.retrieval.lines.row_cells import cells_of_table
from tradingagents.retrieval.models import FiledTable, SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

FEWEST = 2
ROUNDED = 2e-3
"""Relative difference of a total from the sum of its rounded parts."""
_TOTAL = re.compile(r"\btotal\b|\bconsolidated\b")
_NO_PART = re.compile(
    r"\btotal\b|\beliminat|\bhedging\b|\bcorporate\b|\bunallocated\b|\breconcil|\bconsolidated\b"
    r"|\bintersegment\b|\ball other\b|^other$"
    r"|^other (?:segments?|business(?:es)?|operations|activities|items|income|net|corporate|revenues?)\b"
    r"|\badjustments?\b|\bloss(?:es)?\b|\bincome\b|\bexpenses?\b|\bcosts?\b|\bnet\b|\bfinancing\b"
    r"|\b(?:in|ex)cluding\b|\bglobal brand\b|\bworldwide\b|\bassets\b|\bmargin\b|\bprofit\b|\bper cent\b|%"
)
_TITLES: Mapping[Group, re.Pattern[str]] = {
    "segment": re.compile(r"\bsegments?\b|\bbusiness areas?\b|\bdivisions?\b"),
    "region": re.compile(r"\bgeograph|\bregions?\b|\bcountr|\bsegments?\b"),
    "product": re.compile(r"\bproducts?\b|\bbrands?\b|\bend markets?\b|\bmarket platforms?\b|\bcategor"),
}


@dataclass(frozen=True, slots=True)
class Members:
    """The parts with their figures, or why they are not told."""

    members: Mapping[str, tuple[PeriodFigure, ...]] = field(default_factory=dict)
    """By part, a figure for each period."""
    notes: tuple[str, ...] = ()
    refusal: str = ""


def members_of(
    documents: Sequence[SourceDocument],
    measure: AskedMeasure,
    group: Group,
    periods: Sequence[FiscalPeriod],
    months: int = 0,
    *,
    of_countries: bool = False,
) -> Members:
    """Return the parts of a company with a measure for each period.

    Args:
        documents: Its filings, the best first.
        measure: What is compared; a ratio is worked out of its items.
        group: What the parts are.
        periods: The periods; all of one filing.
        months: Length of the part of a year that ends with each period; 0 for quarters and years.
        of_countries: Whether regions are countries: else parts of the world are taken before them.
    """
    for document, widely in product(documents, (False, True)):
        found = _stated(document, measure, group, periods, months, widely=widely)
        if group == "region" and found and not of_countries:
            widest = _stated(document, measure, group, periods, months, widely=True)
            found = [each for each in found if _are_regions(each)] or [*filter(_are_regions, widest)] or found
        if found:
            return _agreed(found, document)
    return Members(refusal=f"no table of its filings states {measure.name} of each {group}")


def _stated(
    document: SourceDocument,
    measure: AskedMeasure,
    group: Group,
    periods: Sequence[FiscalPeriod],
    months: int,
    *,
    widely: bool,
) -> list[Mapping[str, tuple[PeriodFigure, ...]]]:
    """Return the parts of a kind with their figures, by each table of a document that states them."""
    tables = [table for table in document.tables if _is_of_group(table, group, document, widely=widely)]
    found = [each for table in tables if (each := _of_table(document, table, measure, periods, months)) is not None]
    if not found and len(operand_names(measure.expression)) > 1:
        found = _of_tables(document, tables, measure, periods, months)
    return [_of_places(each) if group == "region" else each for each in found if _are_of_group(tuple(each), group)]


_OTHER_PLACE = re.compile(r"\b(?:other|rest|all|non)\b")


def _of_places(members: Mapping[str, tuple[PeriodFigure, ...]]) -> Mapping[str, tuple[PeriodFigure, ...]]:
    """Return the parts that are places, or what is left beside them: a brand among regions, as `Converse`, is none."""
    return {
        name: figures for name, figures in members.items() if _PLACE.search(name) or _OTHER_PLACE.search(name.lower())
    }


_REGION = re.compile(r"\b(?:americas?|europe\w*|asia\w*|africa|pacific|emea|apac|latam|latin|middle east|eurasia)\b")


def _are_regions(names: Mapping[str, object]) -> bool:
    """Whether names are those of regions rather than of countries: more than one of them names a part of the world."""
    return sum(bool(_REGION.search(name)) for name in names) > 1


_NAMING = ("revenue", "operating_income")
_AXES: Mapping[Group, str] = {
    "segment": "StatementBusinessSegments",
    "region": "Geograph",
    "product": "ProductOrService",
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def part_names(
    documents: Sequence[SourceDocument], group: Group, periods: Sequence[FiscalPeriod], months: int
) -> tuple[str, ...]:
    """Return what the parts of a company are called: as a table of their revenue names them, else as its tags do."""
    for item in _NAMING:
        measure = AskedMeasure(item, item, item=item)
        found = members_of(documents, measure, group, periods[-1:], months)
        if not found.refusal:
            return tuple(found.members)
    for document in documents:
        members = {
            member
            for fact in document.facts
            for axis, member in fact.dimensions.items()
            if group and _AXES[group] in axis and ":Revenue" in fact.concept
        }
        names = {
            " ".join(_CAMEL.split(member.rpartition(":")[2].removesuffix("Member").removesuffix("Segment"))).lower()
            for member in members
        }
        if named := tuple(sorted(name for name in names if not _NO_PART.search(name))):
            return named
    return ()


def _agreed(found: Sequence[Mapping[str, tuple[PeriodFigure, ...]]], document: SourceDocument) -> Members:
    """Return the parts of the table that has most of them, where the others do not contradict it."""
    best = max(found, key=len)
    for other in found:
        shared = set(best) & set(other)
        differ = [
            name
            for name in shared
            if any(
                abs((one.value or 0.0) - (two.value or 0.0)) > ROUNDED * abs(one.value or 1.0)
                for one, two in zip(best[name], other[name], strict=True)
            )
        ]
        if differ:
            return Members(refusal=f"tables of {document.info.name} differ on {', '.join(sorted(differ))}")
        if not shared and len(other) >= len(best):
            names = " and of ".join(", ".join(sorted(each)) for each in (best, other))
            return Members(refusal=f"{document.info.name} states parts of two kinds: of {names}")
    names = ", ".join(best)
    return Members(best, (f"Parts as a table of {document.info.name} states them: {names}.",))


def _of_table(
    document: SourceDocument,
    table: FiledTable,
    measure: AskedMeasure,
    periods: Sequence[FiscalPeriod],
    months: int,
) -> Mapping[str, tuple[PeriodFigure, ...]] | None:
    """Return the parts that a table states with the measure; None where it does not state at least two."""
    items = operand_names(measure.expression)
    stated = {
        (item, period): cells_of_table(document, table, WantedLine(item=item, kind="money", months=months), period)
        for item in items
        for period in periods
    }
    cells = {each: _by_part(found) for each, found in stated.items()}
    if any(not each for each in cells.values()) or not all(map(_adds_up, stated.values())):
        return None
    names = set.intersection(*(set(each) for each in cells.values()))
    if len(names) < FEWEST:
        return None
    first = next(iter(cells.values()))
    ordered = [name for name in first if name in names]
    made = {name: tuple(_figure(measure, items, cells, name, period) for period in periods) for name in ordered}
    return made if all(figure.value is not None for each in made.values() for figure in each) else None


def _of_tables(
    document: SourceDocument,
    tables: Sequence[FiledTable],
    measure: AskedMeasure,
    periods: Sequence[FiscalPeriod],
    months: int,
) -> list[Mapping[str, tuple[PeriodFigure, ...]]]:
    """Return the parts whose items stand in a table each, as sales by region in one and earnings by region in another.

    All tables have to be of the same parts: those that only one of two tables names are none.
    """
    items = operand_names(measure.expression)
    by_item: dict[str, list[dict[FiscalPeriod, dict[str, FoundCell]]]] = {item: [] for item in items}
    for item, table in product(items, tables):
        wanted = WantedLine(item=item, kind="money", months=months)
        cells = {period: _by_part(cells_of_table(document, table, wanted, period)) for period in periods}
        if all(len(each) >= FEWEST for each in cells.values()):
            by_item[item].append(cells)
    found: list[Mapping[str, tuple[PeriodFigure, ...]]] = []
    for chosen in product(*by_item.values()):
        cells_of = {
            (item, period): each[period] for item, each in zip(items, chosen, strict=True) for period in periods
        }
        names = set.intersection(*(set(each) for each in cells_of.values()))
        ordered = [name for name in next(iter(cells_of.values())) if name in names]
        made = {name: tuple(_figure(measure, items, cells_of, name, period) for period in periods) for name in ordered}
        if len(made) >= FEWEST and all(figure.value is not None for each in made.values() for figure in each):
            found.append(made)
    return found


def _figure(
    measure: AskedMeasure,
    items: Sequence[str],
    cells: Mapping[tuple[str, FiscalPeriod], Mapping[str, FoundCell]],
    name: str,
    period: FiscalPeriod,
) -> PeriodFigure:
    operands = tuple(cells[item, period][name].operand(item) for item in items)
    result = calculate(CalculationRequest(expression=measure.expression, operands=operands, output=measure.output))
    if result.value is None:
        return PeriodFigure(period, refusal=result.refusal)
    return PeriodFigure(period, result.value, result.unit, result.formula, operands)


def _adds_up(cells: Sequence[FoundCell]) -> bool:
    """Whether the rows of a table add up to a total that it states, if it does: else a row of it could not be read."""
    totals = {cell.value for cell in cells if _TOTAL.search(plain_label(cell.row.label))}
    rows = {id(cell.row): cell.value for cell in cells if not _TOTAL.search(plain_label(cell.row.label))}
    parts = [cell.value for cell in _by_part(cells).values()]
    sums = [math.fsum(parts), math.fsum(rows.values())]
    return not totals or any(math.isclose(each, total, rel_tol=ROUNDED) for each in sums for total in totals)


def _by_part(cells: Sequence[FoundCell]) -> dict[str, FoundCell]:
    """Return the cells by the part that they are of: the label, or the heading of a row that names the figure."""
    found: dict[str, list[FoundCell]] = {}
    for cell in cells:
        name = part_of(cell)
        if name:
            found.setdefault(name, []).append(cell)
    return {
        name: max(each, key=lambda cell: cell.strength)
        for name, each in found.items()
        if len({cell.value for cell in each if cell.strength == max(one.strength for one in each)}) == 1
    }


def part_of(cell: FoundCell) -> str:
    """Return the part that a cell is of; empty where it is of none."""
    label = re.sub(r"\s{0,9}\(\w\)$|\s{1,9}\d$", "", plain_label(cell.row.label))
    name = label
    if cell.label_names_item:
        name = plain_label(cell.row.headings[-1]) if cell.row.headings else ""
        name = re.sub(r"\s{0,9}(?:reportable )?segment(?: results)?$", "", name)
    if not name or _NO_PART.search(name) or len(name) > 60 or _FIGURE_NAME.fullmatch(name):
        return ""
    return name


_FIGURE_NAME = re.compile(r"(?:net |operating )?(?:revenues?|sales|earnings)")
"""What names a figure by itself, and no part."""


def _is_of_group(table: FiledTable, group: Group, document: SourceDocument, *, widely: bool) -> bool:
    """Whether a table, by its title, headings or tags, or widely by the text above it, is of parts of a kind."""
    if not group:
        return False
    text = plain_label(
        " ".join(
            (
                table.title,
                *(row.label for row in table.rows),
                *(column.header for column in table.columns),
                *(heading for row in table.rows for heading in row.headings),
            )
        )
    )
    axes = {
        axis.rpartition(":")[2]
        for row in table.rows
        for cell in row.cells
        if cell is not None and cell.fact is not None
        for axis in document.facts[cell.fact].dimensions
    }
    wanted = {"segment": "Segment", "region": "Geograph", "product": "Product"}[group]
    if axes:
        of_segments = (
            group == "region" and widely and any("Segment" in axis for axis in axes)
        )  # segments may be regions
        return of_segments or any(wanted in axis for axis in axes)
    if group == "region" and widely:
        return True  # the names of the parts tell it
    return bool(_TITLES[group].search(text) or (widely and _TITLES[group].search(_text_above(table, document))))


_ABOVE = 400
"""Characters above a table of plain text in which may be said of what it is."""


def _text_above(table: FiledTable, document: SourceDocument) -> str:
    """Return the text just above a table of plain text, in small letters; empty for a table of a marked-up page."""
    if document.facts:
        return ""
    page = next((page for page in document.pages if page.number == table.page), None)
    return page.text[max(0, table.start - _ABOVE) : table.start].lower() if page is not None else ""


_PLACE = re.compile(
    r"\b(?:americas?|europe\w*|asia\w*|pacific|china|japan|emea|united states|(?:non-)?u\.s(?=\W)|us|international"
    r"|canada|africa|latin|east|india|germany|france|united kingdom|uk|world|domestic|foreign|countr(?:y|ies)|apac|ucan"
    r"|latam|eurasia|mexico|brazil|australia|korea|taiwan|singapore|ireland|switzerland|hemisphere|israel"
    r"|hong kong|north|south)\b"
)
"""What the names of regions say."""


_HOME_AND_ABROAD = frozenset(
    {
        "united states",
        "u.s.",
        "us",
        "domestic",
        "international",
        "foreign",
        "non-united states",
        "non-u.s.",
        "rest of world",
    }
)


def _are_of_group(names: Sequence[str], group: Group) -> bool:
    """Whether names may be those of a group: regions are told by places, and business segments are no regions."""
    if group == "segment" and set(names) <= _HOME_AND_ABROAD:
        return False  # the United States and the rest are places of customers
    return group != "region" or 2 * sum(bool(_PLACE.search(name)) for name in names) > len(names)
