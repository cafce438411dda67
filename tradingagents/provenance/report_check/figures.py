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
from tradingagents.provenance.wording import NONE, Book, Mark, book_of, names_in, union
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
    r"(?<![\w-])(?:[Ww]e see|[Ee]xpect(?:s|ed|ing)?|[Ff]orecasts?|project(?:s|ed|ions?)?"
    r"|[Gg]uid(?:es?|ance|ed|ing)|targets?|[Tt]arget price|[Pp]rice target|[Ee]stimated?"
    r"|should|would|could|will|may|might|[Ii]f"
    r"|unless|until|[Aa]ssum(?:es?|ed|ing|ptions?)|[Oo]utlook|[Ss]cenarios?|[Ff]air value|intrinsic|implie[sd]|upside"
    r"|downside)(?![\w-])"
)
"""Words of a sentence after which a figure is a view. With their case: `May` is a month, `Target` a company."""
_BESIDE_VIEW = re.compile(r"\b(?:expectations?|estimates?|consensus)\b[^,;.]{0,30}$", re.IGNORECASE)
"""Right before a figure: `expectations of $13.1 billion`; a report may also beat expectations, with sales up 5 %."""
_PRICE_WORD = re.compile(r"\b(?:shares?|stock|price)\b", re.IGNORECASE)
_LAST_WORD = re.compile(r"[A-Za-z][A-Za-z&-]*$")
_PER_SHARE_WORDS = re.compile(r"\bper (?:\w+ )?share\b|\ba share\b|\bEPS\b", re.IGNORECASE)
_LETTER_SCALE = re.compile(
    r"(?:\$|USD|EUR|GBP|€|£|dollars?)\s?(?:in\s+)?(bn|b|mn|mm|mio|m|k|tn|thousands?|millions?|billions?|trillions?)\b",
    re.IGNORECASE,
)
_MARGIN_WORD = re.compile(r"\bmargins?\b", re.IGNORECASE)
_NO_SHARE_SCALE = PER_SHARE | PERCENTAGES | MULTIPLES
LONGEST_CAPTION = 160
LONGEST_NAME = 60
LEAST_BARE = 100.0
"""Whole numbers below it without a unit are pages and counts, not amounts."""
_WORDS = re.compile(r"[A-Za-z][A-Za-z&-]*")
_NOTE = re.compile(r"\([^()]*\)")
_NEUTRAL = frozenset(
    (
        *(
            "total",
            "net",
            "the",
            "a",
            "of",
            "in",
            "and",
            "for",
            "on",
            "to",
            "at",
            "its",
            "their",
            "our",
            "with",
            "as",
            "by",
        ),
        *(
            "consolidated",
            "company",
            "group",
            "reported",
            "gaap",
            "usd",
            "us",
            "dollars",
            "millions",
            "million",
            "billion",
        ),
        *(
            "billions",
            "thousands",
            "m",
            "bn",
            "mn",
            "growth",
            "change",
            "yoy",
            "y",
            "year",
            "over",
            "per",
            "share",
            "diluted",
        ),
        *(
            "expense",
            "expenses",
            "margin",
            "ratio",
            "spending",
            "had",
            "has",
            "was",
            "is",
            "were",
            "while",
            "that",
            "when",
        ),
        *(
            "basic",
            "annual",
            "quarterly",
            "record",
            "lifted",
            "reported",
            "posted",
            "generated",
            "grew",
            "increased",
            "x",
        ),
    )
)
"""Words around the name of a figure that leave it the company's own."""
_SECTIONS = frozenset(
    (
        *(
            "assets",
            "liabilities",
            "equity",
            "current",
            "non-current",
            "noncurrent",
            "operating",
            "investing",
            "financing",
        ),
        *(
            "activities",
            "cash",
            "flows",
            "flow",
            "income",
            "statement",
            "statements",
            "operations",
            "shareholders",
            "data",
        ),
        *(
            "stockholders",
            "sales",
            "revenue",
            "revenues",
            "earnings",
            "costs",
            "cost",
            "summary",
            "financials",
            "results",
        ),
    )
)
"""Words of the headings of a primary statement."""
_PART_WORDS = frozenset(
    (
        *(
            "segment",
            "segments",
            "division",
            "unit",
            "services",
            "service",
            "products",
            "product",
            "international",
            "online",
        ),
        *("foreign", "deferred", "organic", "same-store", "comparable", "comp", "subscription", "cloud", "advertising"),
        *("non-gaap", "adjusted", "core", "recurring", "underlying", "domestic", "other", "proceeds", "paid", "store"),
    )
)
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
                period = nearest_period(line.text, own, (begin, stop), (low, high)) or carried
                one = self._in_sentence(line.text[start:end], one, dated=period is not None)  # noqa: PLW2901
                if _is_listed(line.text, inside, at):
                    one = one._replace(close_by=False)  # noqa: PLW2901 - `$1 and $2 in 2023 and 2024`
                yield self._figure(line, one, period, line.text[start:end].strip(), said=line.text[start:begin])
            carried = own[-1] if own else carried
            start = end

    def _in_sentence(self, sentence: str, one: Mention, *, dated: bool) -> Mention:
        """Return a number of a sentence with whom and what it measures: what its own sentence says goes first.

        It is sure where the words stand right beside it, or the sentence names only one metric that its unit fits.
        """
        said = self._reader.wording(sentence)
        means = {mark.means for mark in said.marks.get("metric", ())}
        fitting = [each for each in means if any(_measures(one._replace(metrics=each), sentence))]
        alone = len({frozenset(_measures(one._replace(metrics=each), sentence)) for each in fitting}) == 1
        metrics, close = one.metrics, one.close_by
        if not metrics & said.metrics or not any(_measures(one, sentence)):
            metrics, close = union(Mark(0, 0, each) for each in fitting) or metrics, False
        if not fitting and one.number.unit == "money" and _PRICE_WORD.search(sentence):
            metrics, alone = frozenset({"price"}), dated
        if not said.metrics and not one.number.unit and float(one.number.value).is_integer():
            metrics = NONE  # a count, such as 1,200 workers
        one = one._replace(metrics=metrics, subjects=self._subjects(sentence, one))
        return one._replace(close_by=(close or alone) and not self._is_part(sentence, one))

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
        headings, _, last = label.rpartition(" / ")
        own = said(title).metrics or said(last).metrics or said(label).metrics or one.metrics or said(caption).metrics
        sure = self._is_whole(title) if said(title).metrics else self._is_whole(last)
        sure = sure and all(word.lower() in _NEUTRAL | _SECTIONS for word in _WORDS.findall(headings))
        sure = sure and (bool(one.number.unit) or not one.number.whole or abs(one.number.value) >= LEAST_BARE)
        named = next(
            (found for words in (title, label, caption, line.heading) if (found := _only(named_periods(words)))), None
        )
        subjects = one.subjects or said(caption).subjects
        one = one._replace(metrics=own, close_by=sure, subjects=subjects)
        context = f"{title} | {label}"
        stated = (scales_of(words) for words in (context, caption, line.heading))
        letters = (_letter_scale(words) for words in (context, caption, line.heading))
        scale = next((each.money for each in stated if each.stated), None) or next(filter(None, letters), None)
        return self._figure(line, one, named, f"{label} | {title}", table=(scale, context))

    def _is_whole(self, words: str) -> bool:
        """Tell whether a label names a metric of the company and nothing else: no segment, no part, no kind of it."""
        said = self._reader.wording(words)
        if not said.metrics:
            return False
        spans = [
            (mark.start, mark.end) for kind in ("metric", "subject", "period") for mark in said.marks.get(kind, ())
        ]
        spans += [(one.start, one.end) for one in named_periods(words)]
        plain = list(words)
        for start, end in spans:
            plain[start:end] = " " * (end - start)
        rest = (word.lower() for word in _WORDS.findall(_NOTE.sub(" ", "".join(plain))))
        return all(word in _NEUTRAL for word in rest)

    def _is_part(self, sentence: str, one: Mention) -> bool:
        """Tell whether the words before the metric of a figure make it a part: `iPhone sales`, `segment profit`."""
        for mark in self._reader.wording(sentence).marks.get("metric", ()):
            if not mark.means & one.metrics:
                continue
            before = sentence[: mark.start].rstrip()
            word = _LAST_WORD.search(before)
            if word is None or word[0].lower() in _NEUTRAL:
                continue
            if word[0].lower() in _PART_WORDS:
                return True
            name = before[-LONGEST_NAME:]
            named = self._reader.wording(name).marks
            ends = {each.end for kind in ("subject", "period", "metric") for each in named.get(kind, ())}
            if len(name) in ends or any(each.end == len(name) for each in named_periods(name)):
                continue
            if word[0][0].isupper() and word.start():
                return True
        return False

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


def _is_listed(text: str, mentions: Sequence[Mention], at: int) -> bool:
    """Tell whether a figure is one of a list whose periods stand behind it in the same order."""
    for left, right in ((at - 1, at), (at, at + 1)):
        if left >= 0 and right < len(mentions):
            first = mentions[left]
            between = text[first.start + first.number.end - first.number.start : mentions[right].start]
            if between.strip() in ("and", ",", ", and", "&"):
                return True
    return False


def _only(periods: Sequence[NamedPeriod]) -> NamedPeriod | None:
    return periods[-1] if periods else None


def _measures(one: Mention, words: str) -> Iterator[FigureMeasure]:
    """Yield what a figure may measure, by its metrics and its unit."""
    unit = one.number.unit
    quarterly = "qoq" in one.periods
    found = dict.fromkeys(name for metric in sorted(one.metrics) for name in _SAME.get(metric, (metric,)))
    if (
        (unit == "money" or (unit == "" and abs(one.number.value) >= LEAST_BARE))
        and "gross_margin" in found
        and _MARGIN_WORD.search(words)
    ):
        found["gross_profit"] = None  # some statements call it so
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
            elif name in _ITEMS and name not in SHARES:
                yield FigureMeasure(name, "change", quarterly)
        elif name in OF_DAY:
            if unit != "money" or name not in MULTIPLES | PERCENTAGES:
                yield FigureMeasure(name, "day")
        elif (name in _ITEMS and (unit != "money" or name not in SHARES)) or (
            unit == "" and name in PERCENTAGES | MULTIPLES
        ):
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
    if _VIEW.search(said) or _BESIDE_VIEW.search(said):
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
