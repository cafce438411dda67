"""The figures of a company's filings, each with the words that name it, its period and its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

from tradingagents.features.report_check.facts import CheckedCell
from tradingagents.features.report_check.filings.names import COST, NameReader, agree_on_cost, has_item, is_part
from tradingagents.features.report_check.periods import NamedPeriod, named_periods
from tradingagents.retrieval.models import Column, Fact, FiledTable, Row, SourceDocument, TableCell
from tradingagents.retrieval.text_figures import parse_figure

_CHANGE = re.compile(r"\b(?:change|variance|growth|increase|decrease|vs\.?)\b|%", re.IGNORECASE)
_MOVED = re.compile(r"\W*(?:increases?|decreases?|additions?|reductions?|change)\b", re.IGNORECASE)
"""Begins the label of a movement, which is not the amount itself."""
_SENTENCE = re.compile(r"[a-z)]\.(?:\s|$)")
LONGEST_LABEL = 120
DAYS = 365.25
BEFORE_TABLE = 400
"""Characters above a table that say what it shows."""
QUARTER, YEAR = range(75, 108), range(340, 386)
"""Days of a quarter and of a year, of 13 or 14 and of 52 or 53 weeks."""


@dataclass(frozen=True, slots=True)
class FilingFigure:
    """A figure of a filing."""

    required: frozenset[str]
    """Words of its row, the heading above it and its column: who speaks of the figure says all of them."""
    tag: frozenset[str]
    """Words of its tag, by which it may be called as well; empty without one."""
    words: frozenset[str]
    """Every word that names it, those of its table and its tag as well."""
    start: date | None
    """None for an instant, and where the table does not tell."""
    end: date
    is_annual: bool
    """Whether the filing is one of a year, for a period whose first day is not known."""
    value: float
    unit: str
    label: str
    page: int | None
    document: SourceDocument

    @property
    def names(self) -> tuple[frozenset[str], ...]:
        """What it is called by its row, and by its tag."""
        return (self.required, self.tag) if self.tag else (self.required,)

    @property
    def is_percent(self) -> bool:
        """Whether it is a percentage."""
        return self.unit == "percent"

    def spans(self, days: range) -> bool:
        """Tell whether its period has a number of days, or is the instant at the end of one."""
        if self.start is None:
            return days is QUARTER or self.is_annual
        return (self.end - self.start).days in days

    def shown(self, symbol: str, metric: str = "", value: float | None = None) -> CheckedCell:
        """Return it as a cell of the data: what it is of, and where it stands."""
        info = self.document.info
        place = "tagged" if self.page is None else f"page {self.page + 1}{_item(self.document, self.page)}"
        days = f" ({(self.end - self.start).days + 1} days)" if self.start else ""
        return CheckedCell(
            symbol=symbol,
            metric=metric or self.label,
            period=f"{'to ' if self.start else ''}{self.end}{days}",
            value=self.value if value is None else value,
            source=f"{info.name}, {place}, filed {info.known_at:%Y-%m-%d}",
            known_at=info.known_at.isoformat(),
        )


class CompanyFilings:
    """The filings of a company known by the day, the newest first. Reads them when a figure is first looked up."""

    def __init__(self, symbol: str, documents: Callable[[], Sequence[SourceDocument]], reader: NameReader) -> None:
        """Set the filings.

        Args:
            symbol: The company.
            documents: Returns its filings, the newest first.
            reader: Reads the names of figures.
        """
        self.symbol, self._read, self._reader = symbol, documents, reader

    @cached_property
    def documents(self) -> Sequence[SourceDocument]:
        """Its filings, the newest first."""
        return self._read()

    @cached_property
    def figures(self) -> list[FilingFigure]:
        """All figures, those of the newest filing first."""
        return [figure for document in self.documents for figure in _Filing(document, self._reader).figures()]

    @cached_property
    def known(self) -> frozenset[str]:
        """Every word of a row, a heading or a column."""
        return frozenset().union(*{name for figure in self.figures for name in figure.names})

    @cached_property
    def whole_names(self) -> tuple[str, ...]:
        """Labels that hold a comma or an `and`, in small letters."""
        labels = {figure.label.rpartition(" / ")[2].lower() for figure in self.figures}
        return tuple(sorted(text for text in labels if ", " in text or " and " in text or " & " in text))

    @cached_property
    def _by_word(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for number, figure in enumerate(self.figures):
            for word in figure.words:
                found.setdefault(word, set()).add(number)
        return found

    @cached_property
    def _year_ends(self) -> dict[int, date]:
        """Last days of the fiscal years that filings name, and of a quarter's year as it will end."""
        found: dict[int, date] = {}
        for info in (source.info for source in reversed(self.documents)):
            if info.fiscal_year is not None and info.period_end is not None:
                left = 4 - (info.fiscal_quarter or 4)
                if info.fiscal_quarter is None or info.fiscal_year not in found:
                    found[info.fiscal_year] = info.period_end + timedelta(days=round(DAYS * left / 4))
        return found

    def ends(self, period: NamedPeriod | None) -> list[tuple[date, range | None]]:
        """Return the last day of a period, and how long it is; None for an instant. Of no period the newest ones."""
        if period is None or period.latest:
            return self._newest(period)
        days = {"quarter": QUARTER, "year": YEAR}.get(period.span)
        if period.last_day is not None and period.span != "part":
            return [(period.last_day, days)]
        if days is None or period.year is None or not self._year_ends:
            return []
        if period.calendar:
            return [(date(period.year, 3 * (period.quarter or 4), 30), days)]
        year = min(self._year_ends, key=lambda one: abs(one - (period.year or 0)))
        back = DAYS * (year - period.year + (4 - (period.quarter or 4)) / 4)
        return [(self._year_ends[year] - timedelta(days=round(back)), days)]

    def _newest(self, period: NamedPeriod | None) -> list[tuple[date, range | None]]:
        annual = [source.info for source in self.documents if source.info.fiscal_quarter is None]
        other = [source.info for source in self.documents if source.info.fiscal_quarter is not None]
        ends = [(max((info.period_end for info in infos if info.period_end), default=None), days)
                for infos, days in ((other, QUARTER), (annual, YEAR))
                if period is None or (days is QUARTER) == (period.span == "quarter")]  # fmt: skip
        return [(end, days) for end, days in ends if end is not None]

    def named(self, near: frozenset[str], around: frozenset[str]) -> list[FilingFigure]:
        """Return the figures that words name, the newest first.

        They have all near words, and none in their row that is not said around them. The words around a table may say
        which item it shows, not which part of the company a row is of.
        """
        wanted = near - {COST}
        if not wanted:
            return []
        numbers = set.intersection(*(self._by_word.get(word, set()) for word in wanted))
        found = [one for number in sorted(numbers) if _is_said(one := self.figures[number], around)]
        found = [fact for fact in found if agree_on_cost(fact.required | fact.tag, near)]
        parts = set(filter(is_part, near))
        most = max((_shared(fact, parts) for fact in found), default=0)
        return [fact for fact in found if _shared(fact, parts) == most] if most or not parts else []


def _is_said(one: FilingFigure, around: frozenset[str]) -> bool:
    return any(name <= around | {COST} for name in one.names)


def _shared(one: FilingFigure, parts: set[str]) -> int:
    return len(parts & (one.required | one.tag))


class _Filing:
    """Reads one filing."""

    def __init__(self, document: SourceDocument, reader: NameReader) -> None:
        self._document, self._reader = document, reader
        self._is_annual = document.info.fiscal_quarter is None

    def figures(self) -> Iterator[FilingFigure]:
        tagged: set[int] = set()
        above: FiledTable | None = None
        for table in self._document.tables:
            if above is not None and _goes_on(above, table):
                table = replace(table, columns=above.columns)  # noqa: PLW2901
            above = table
            yield from self._of_table(table, tagged)
        for number, fact in enumerate(self._document.facts):
            if number not in tagged and fact.unit:
                yield from self._of_fact(fact)

    def _of_table(self, table: FiledTable, tagged: set[int]) -> Iterator[FilingFigure]:
        text = self._document.pages[table.page].text[max(0, table.start - BEFORE_TABLE) : table.start]
        about = self._reader.words(table.title) | self._reader.words(text.rpartition("\n\n")[2][-BEFORE_TABLE:])
        changes = [_CHANGE.search(column.header) is not None for column in table.columns]
        columns = [self._reader.words(column.header) for column in table.columns]
        stated = [own for own, change in zip(columns, changes, strict=True) if not change]
        shared: frozenset[str] = frozenset.intersection(*stated) if stated else frozenset()
        columns = [own - shared for own in columns]
        parts = [
            any(period.span == "part" for period in named_periods(f"{table.title} | {column.header}"))
            for column in table.columns
        ]
        for row in table.rows:
            if len(row.label) > LONGEST_LABEL or _SENTENCE.search(row.label):
                continue
            moved = frozenset({"increase"}) if _MOVED.match(row.label) else frozenset()
            label, headings = (
                self._reader.words(row.label) | moved,
                [self._reader.words(heading) for heading in row.headings],
            )
            required = label | (headings[-1] if headings else frozenset())
            row_words = shared.union(label, *headings)
            for column, own, change, partial, cell in zip(
                table.columns, columns, changes, parts, row.cells, strict=True
            ):
                if cell is None or cell.value is None:
                    continue
                fact = self._document.facts[cell.fact] if cell.fact is not None else None
                if cell.fact is not None:
                    tagged.add(cell.fact)
                percent = _is_percent(cell, cell.value, row, fact)
                if fact is None and ((change and not percent) or (partial and column.period_start is None)):
                    continue
                if (end := self._end(column, fact)) is None or not (required | own):
                    continue
                tag = self._words_of(fact)
                words = row_words | own | tag
                yield FilingFigure(
                    required | own,
                    tag,
                    words | (_parts_of(about) if has_item(words) else about - {COST}),
                    fact.period_start if fact else column.period_start,
                    end,
                    self._is_annual,
                    cell.value,
                    "percent" if percent else row.unit_in(column),
                    " / ".join((*row.headings, row.label)),
                    table.page,
                    self._document,
                )

    def _end(self, column: Column, fact: Fact | None) -> date | None:
        """Return the last day of a column's period; that of the fiscal year where only a year is named."""
        if fact is not None:
            return fact.period_end
        if column.period_end is not None:
            return column.period_end
        info = self._document.info
        if column.fiscal_year is None or info.period_end is None or info.fiscal_year is None or not self._is_annual:
            return None
        years = column.fiscal_year - info.fiscal_year
        return date.fromordinal(info.period_end.toordinal() + round(365.25 * years))

    def _words_of(self, fact: Fact | None) -> frozenset[str]:
        names = (fact.concept, *fact.dimensions.values()) if fact is not None else ()
        return frozenset().union(*map(self._reader.words_of_tag, names))

    def _of_fact(self, fact: Fact) -> Iterator[FilingFigure]:
        """Yield a fact that is tagged in the text, not in a table: all words of its tag are required."""
        words = self._words_of(fact)
        label = " / ".join(one.rpartition(":")[2] for one in (*fact.dimensions.values(), fact.concept))
        yield FilingFigure(
            words, words, words, fact.period_start, fact.period_end, self._is_annual,
            fact.value * (100 if fact.unit == "pure" else 1), "percent" if fact.unit == "pure" else fact.unit,
            label, None, self._document,
        )  # fmt: skip


def _parts_of(words: frozenset[str]) -> frozenset[str]:
    return frozenset(filter(is_part, words))


def _goes_on(above: FiledTable, table: FiledTable) -> bool:
    """Tell whether a table without titles of columns has those of the table above it."""
    bare = not any(column.header or column.period_end or column.fiscal_year for column in table.columns)
    return bare and above.page == table.page and len(above.columns) == len(table.columns)


def _is_percent(cell: TableCell, value: float, row: Row, fact: Fact | None) -> bool:
    """Tell whether a cell holds a percentage; in a row of amounts in millions one that is not scaled does."""
    if "%" in cell.text or row.unit == "percent" or (fact is not None and fact.unit == "pure"):
        return True
    return row.scale > 1 and value != 0 and parse_figure(cell.text) == value


def _item(document: SourceDocument, page: int) -> str:
    places = [(section.first_page, section.item) for section in document.sections if section.first_page <= page]
    return f", Item {max(places)[1]}" if places else ""
