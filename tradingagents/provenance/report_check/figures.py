"""The figures of a report: whose each is, which metric, of which period, in which unit, from the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tradingagents.dataflows.reference.line_items import BALANCE, CASHFLOW, INCOME, PER_SHARE, SHARES
from tradingagents.provenance.mentions import Mention, Reader, TextLine, sentence_ends
from tradingagents.provenance.numbers import SMALL, Number
from tradingagents.provenance.report_check.facts import MULTIPLES, PERCENTAGES
from tradingagents.provenance.report_check.periods import NamedPeriod, named_periods, nearest_period
from tradingagents.provenance.wording import NONE, Book, book_of, names_in
from tradingagents.retrieval.line_items import line_items, metrics
from tradingagents.retrieval.reading.tables.units import scales_of

MeasureKind = Literal["level", "change", "points", "day"]
OF_DAY = frozenset(
    {"price", "market_cap", "pe", "ps", "pb", "peg", "ev_ebitda", "dividend_yield", "fcf_yield", "beta", "high_52w"}
    | {"low_52w", "sma_50", "sma_200", "enterprise_value"}
)
_ITEMS = frozenset((*INCOME, *BALANCE, *CASHFLOW))
_SAME: Mapping[str, tuple[str, ...]] = {
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
_VIEW = re.compile(
    r"(?<![\w-])(?:[Ww]e see|[Ee]xpect(?:s|ed|ing|ations?)?|[Ff]orecasts?|project(?:s|ed|ions?)?"
    r"|[Gg]uid(?:es?|ance|ed|ing)|targets?|[Tt]arget price|[Pp]rice target|[Ee]stimat(?:es?|ed)|[Cc]onsensus"
    r"|should|would|could|will|may|might|[Ii]f"
    r"|unless|until|[Aa]ssum(?:es?|ed|ing|ptions?)|[Oo]utlook|[Ss]cenarios?|[Ff]air value|intrinsic|implie[sd]|upside"
    r"|downside)(?![\w-])"
)
"""Words of a sentence after which a figure is a view. With their case: `May` is a month, `Target` a company."""
_PER_SHARE_WORDS = re.compile(r"\bper (?:\w+ )?share\b|\ba share\b|\bEPS\b", re.IGNORECASE)
_LETTER_SCALE = re.compile(
    r"(?:\$|USD|EUR|GBP|€|£|dollars?)\s?(?:in\s+)?(bn|b|mn|mm|mio|m|k|tn|thousands?|millions?|billions?|trillions?)\b",
    re.IGNORECASE,
)
_MARGIN_WORD = re.compile(r"\bmargins?\b", re.IGNORECASE)
_NO_SHARE_SCALE = PER_SHARE | PERCENTAGES | MULTIPLES
LONGEST_CAPTION = 160
ANY_SCALE = (1.0, 1e3, 1e6, 1e9)


class FigureMeasure(NamedTuple):
    """What a figure may measure."""

    metric: str
    kind: MeasureKind
    quarterly: bool = False
    """Whether a change is from the quarter before, not from the year before."""


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure of a report, characters [start, end) of its text."""

    start: int
    end: int
    text: str
    number: Number
    line: str
    """The sentence or row that it stands in."""
    measures: tuple[FigureMeasure, ...]
    subjects: frozenset[str]
    """Symbols in lower case; empty: the report's company."""
    period: NamedPeriod | None
    scales: tuple[float, ...]
    """Factors from the printed number to its unit: one where the text says it, several where it doesn't."""
    sure: bool
    """Whether the words that name the metric stand right beside it."""
    in_table: bool
    way: int
    not_checkable: str
    """Why it cannot be looked up; empty where it can."""


def book_for(companies: Iterable[tuple[str, str]]) -> Book:
    """Return the phrases of reports on companies, given as pairs of symbol and name."""
    known = tuple(companies)
    header = "| Symbol | Name |"
    book = names_in(((f"| {symbol} | {name} |", header) for symbol, name in known), known[0] if known else ())
    named = {key: one.names for key, one in line_items().items()} | {key: one.names for key, one in metrics().items()}
    pairs = [(name, "metric", key) for key, names in named.items() for name in names]
    return book_of(pairs, book)


class FigureReader:
    """Reads the figures of a text in Markdown."""

    def __init__(self, book: Book) -> None:
        """Prepare to read with the phrases of a report's companies."""
        self._reader = Reader(book)

    def read(self, text: str) -> Iterator[ReportFigure]:
        """Yield the figures of a text in order; whole numbers up to twelve without a unit are counts, no figures."""
        above: list[str] = []
        for line in _lines(text):
            if line.mark:
                yield from self._row(line, above)
                continue
            above = [*above[-2:], line.text] if _is_caption(line.text) else []
            if any(map(str.isdigit, line.text)):
                yield from self._prose(line)

    def _prose(self, line: TextLine) -> Iterator[ReportFigure]:
        mentions = [one for one in self._reader.mentions(line) if _is_wanted(one.number)]
        periods = named_periods(line.text)
        start, carried = 0, _only(named_periods(line.heading))
        for end in sentence_ends(line.text):
            own = [one for one in periods if start <= one.start < end]
            inside = [one for one in mentions if start <= one.start < end]
            for at, one in enumerate(inside):
                begin, stop = one.start, one.start + one.number.end - one.number.start
                low = inside[at - 1].start + len("0") if at else start
                high = inside[at + 1].start if at + 1 < len(inside) else end
                period = nearest_period(own, begin, stop, low, high) or carried
                if (
                    not one.number.unit
                    and float(one.number.value).is_integer()
                    and not self._reader.wording(line.text[start:end]).metrics
                ):
                    one = one._replace(metrics=NONE)  # noqa: PLW2901 - a count, such as 1,200 workers
                alone = self._is_alone(line.text[start:end], one)
                subjects = self._subjects(line.text[start:end], one)
                one = one._replace(subjects=subjects, close_by=one.close_by or alone)  # noqa: PLW2901
                yield self._figure(line, one, period, line.text[start:end].strip(), said=line.text[start:begin])
            carried = own[-1] if own else carried
            start = end

    def _is_alone(self, sentence: str, one: Mention) -> bool:
        """Tell whether a sentence names only one metric that a number's unit fits."""
        named = {mark.means for mark in self._reader.wording(sentence).marks.get("metric", ())}
        fitting = {frozenset(_measures(one._replace(metrics=means), sentence)) for means in named}
        return len(fitting - {frozenset()}) == 1

    def _subjects(self, sentence: str, one: Mention) -> frozenset[str]:
        """Return whom a number is of: the one company that its sentence names, else the one nearest to it."""
        named = _named_companies(self._reader.wording(sentence).subjects)
        return named if len(named) == 1 and not one.subjects & {"@peers", "@median"} else one.subjects

    def _row(self, line: TextLine, above: Sequence[str]) -> Iterator[ReportFigure]:
        cells, titles = line.text.split("|"), line.header.split("|")
        label = next((one.strip() for one in cells if one.strip()), "")
        caption = " ".join(above[-2:])
        place = 0
        for at, cell in enumerate(cells):
            if any(map(str.isdigit, cell)) and cell.strip() != label:
                title = titles[at].strip() if at < len(titles) else ""
                for one in self._reader.cell(line, place):
                    if _is_wanted(one.number) or one.metrics:
                        yield self._cell(line, one, title, label, caption)
            place += len(cell) + 1

    def _cell(self, line: TextLine, one: Mention, title: str, label: str, caption: str) -> ReportFigure:
        said = self._reader.wording
        own = said(title).metrics or said(label).metrics or one.metrics or said(caption).metrics
        named = next(
            (found for words in (title, label, caption, line.heading) if (found := _only(named_periods(words)))), None
        )
        subjects = one.subjects or said(caption).subjects
        one = one._replace(metrics=own, close_by=bool(own), subjects=subjects)
        context = f"{title} | {label}"
        stated = (scales_of(words) for words in (context, caption, line.heading))
        letters = (_letter_scale(words) for words in (context, caption, line.heading))
        scale = next((each.money for each in stated if each.stated), None) or next(filter(None, letters), None)
        return self._figure(line, one, named, f"{label} | {title}", table=(scale, context))

    def _figure(
        self,
        line: TextLine,
        one: Mention,
        period: NamedPeriod | None,
        words: str,
        table: tuple[float | None, str] | None = None,
        said: str = "",
    ) -> ReportFigure:
        start = line.start + one.start
        end = start + one.number.end - one.number.start
        text = line.text[one.start : one.start + one.number.end - one.number.start]
        context = words if table is None else table[1]
        measures = tuple(_measures(one, context))
        scales = _scales(
            text, one.number, measures, table[0] if table is not None else None, in_table=table is not None
        )
        why = _why_not(one, measures, period, said)
        return ReportFigure(
            start, end, text, one.number, words if table is None else f"{line.text.strip()} ({words})", measures,
            _named_companies(one.subjects), period, scales, one.close_by, table is not None, one.way, why,
        )  # fmt: skip


def _lines(text: str) -> Iterator[TextLine]:
    """Yield paragraphs, each as one line, and rows of tables with their header; places are those of the text."""
    heading = header = ""
    held: list[str] = []
    start = at = 0
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        row = line.lstrip().startswith("|")
        alone = row or not line.strip() or line.startswith(("#", "- ", "* ", "> ")) or line.strip().startswith("**")
        if held and alone:
            yield TextLine(" ".join(held), start, heading, "")
            held = []
        if row:
            if not header and "--" in following:
                header = line
            elif not line.replace("|", "").replace("-", "").replace(":", "").strip():
                pass
            else:
                yield TextLine(line, at, heading, header or "| | |")
        else:
            header = ""
            if line.startswith("#"):
                heading = line
                yield TextLine(line, at, heading, "")
            elif alone and line.strip():
                yield TextLine(line, at, heading, "")
            elif line.strip():
                start = at if not held else start
                held.append(line)
        at += len(line) + 1
    if held:
        yield TextLine(" ".join(held), start, heading, "")


def _is_wanted(number: Number) -> bool:
    return not number.whole or abs(number.value) > SMALL


def _only(periods: Sequence[NamedPeriod]) -> NamedPeriod | None:
    return periods[-1] if periods else None


def _measures(one: Mention, words: str) -> Iterator[FigureMeasure]:
    """Yield what a figure may measure, by its metrics and its unit."""
    unit = one.number.unit
    quarterly = "qoq" in one.periods
    found = dict.fromkeys(name for metric in sorted(one.metrics) for name in _SAME.get(metric, (metric,)))
    if _PER_SHARE_WORDS.search(words) and unit in ("", "money") and abs(one.number.value) < 1e5:
        found = {"eps_diluted": None, "eps_basic": None, **({"price": None} if "price" in found else {})}
    if "diluted" in (low := words.lower()) or "basic" in low:
        found.pop("eps_basic" if "diluted" in low else "eps_diluted", None)
    if unit == "%" and _MARGIN_WORD.search(words):
        margins = {"gross_profit": "gross_margin", "operating_income": "operating_margin", "net_income": "net_margin"}
        found = dict.fromkeys(margins.get(name, name) for name in found)
    for name in found:
        if unit in ("points", "bps"):
            if name in PERCENTAGES:
                yield FigureMeasure(name, "points", quarterly)
        elif unit == "x":
            if name in MULTIPLES:
                yield FigureMeasure(name, "day" if name in OF_DAY else "level")
        elif unit == "%":
            if name in OF_DAY and name in PERCENTAGES:
                yield FigureMeasure(name, "day")
            elif name in PERCENTAGES:
                yield FigureMeasure(name, "level")
            elif name in _ITEMS or name in PER_SHARE:
                yield FigureMeasure(name, "change", quarterly)
        elif name in OF_DAY:
            if unit != "money" or name not in MULTIPLES | PERCENTAGES:
                yield FigureMeasure(name, "day")
        elif name in _ITEMS or (unit == "" and name in PERCENTAGES | MULTIPLES):
            yield FigureMeasure(name, "level")


def _scales(
    text: str, number: Number, measures: Sequence[FigureMeasure], stated: float | None, *, in_table: bool
) -> tuple[float, ...]:
    """Return the factors from the number as read to its unit."""
    bare = not any(char.isalpha() for char in text.replace("USD", "").replace("US$", "").replace("EUR", ""))
    if number.unit in ("%", "points", "bps", "x") or not bare:
        return (1.0,)
    if all(one.metric in _NO_SHARE_SCALE or one.metric in ("price", "high_52w", "low_52w") for one in measures):
        return (1.0,)
    if stated is not None:
        return (stated,)
    return ANY_SCALE if in_table or number.unit != "money" else (1.0,)


def _letter_scale(words: str) -> float | None:
    """Return the scale of `($bn)`, `$M`, `USD millions`; None where none is named."""
    match = _LETTER_SCALE.search(words)
    return {"b": 1e9, "m": 1e6, "k": 1e3, "t": 1e12}[match[1][0].lower()] if match else None


def _is_caption(words: str) -> bool:
    """Tell whether a line may say what the table under it shows: it is short and no sentence."""
    return len(words) <= LONGEST_CAPTION and not words.rstrip().endswith((".", "!", "?"))


def _why_not(one: Mention, measures: Sequence[FigureMeasure], period: NamedPeriod | None, said: str) -> str:
    """Return why a figure cannot be looked up; `said` is what its sentence says before it."""
    if period is not None and period.forecast:
        return "a forecast"
    if period is not None and period.span == "part":
        return "a period that is neither a quarter nor a year"
    if _VIEW.search(said):
        return "a view, a condition or an expectation of the writer"
    if any(name.startswith("@") and name not in ("@own",) for name in one.subjects):
        return "of companies that are not named"
    if not measures:
        return (
            "no known figure is named beside it" if not one.metrics else "its unit does not fit what is named beside it"
        )
    return ""


def _named_companies(subjects: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in subjects if not one.startswith("@"))


__all__ = ["ANY_SCALE", "OF_DAY", "SHARES", "FigureMeasure", "FigureReader", "ReportFigure", "book_for"]
