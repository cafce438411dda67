"""The table of a comparison: a row holds figures from one source, over one period, by one definition.

What does not fit the row is withheld with the reason. The row follows what most companies have; between equals, the
first company decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tradingagents.analytics.company.fundamental_screen import FundamentalScreen
from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.analytics.company.ttm import TTMAnalysis
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.features.compare.agents.topics import TOPICS
from tradingagents.features.compare.schemas import ComparedCell, ComparisonRow
from tradingagents.files.plain_text import one_line
from tradingagents.valuation.company.results import CompanyValuation, ValuedCompany

FURTHEST_APART = timedelta(days=92)
"""Between the ends of the periods of one row: fiscal years end in different months, but never a whole quarter apart."""
VALUE = "value_per_share"
MOST_REASON = 160
"""Letters of a reason within the table; the whole stands below."""
LEADING = 3
"""Sentences of an opening that a comparison shows: what the price pays for, the range, the value."""
_BASIS = {"ttm": "trailing twelve months", "annual": "last fiscal year", "none": "no twelve months"}
Answers = Mapping[tuple[str, str], Result | str]
"""Answers by company and capability; a text says why there is none."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A company's figure with what makes it comparable."""

    symbol: str
    figure: Figure
    source: str
    span: str
    """The kind of period, such as `trailing twelve months`."""
    definition: str
    end: date

    @property
    def terms(self) -> tuple[str, str, str, str]:
        return self.source, self.span, self.definition, self.figure.unit


def comparison_table(tickers: Sequence[str], topics: Sequence[str], answers: Answers) -> list[ComparisonRow]:
    """Return the rows of all topics, in their order; a figure that two topics share stands in the first."""
    rows: dict[tuple[str, str], ComparisonRow] = {}
    for topic in topics:
        for capability, name in TOPICS[topic].figures:
            if (capability, name) not in rows:
                rows[capability, name] = _row(topic, capability, name, tickers, answers)
    return list(rows.values())


def table_markdown(table: Sequence[ComparisonRow], tickers: Sequence[str]) -> str:
    """Return the table as Markdown; withheld figures are marked and explained below."""
    lines = [
        f"| Figure | {' | '.join(tickers)} | Period | Source |",
        f"|{'---|' * (len(tickers) + 3)}",
    ]
    for row in table:
        shown = {cell.symbol: _shown(row, cell) for cell in row.cells}
        cells = " | ".join(shown[symbol] for symbol in tickers)
        lines.append(f"| {row.label} | {cells} | {row.period or 'none'} | {row.source or 'none'} |")
    return "\n".join(lines)


def _shown(row: ComparisonRow, cell: ComparedCell) -> str:
    """Return a figure as shown; a value that is refused is shown as the reason, in its first sentence."""
    if cell.shown or row.name != VALUE:
        return cell.shown or "withheld"
    reason = one_line(cell.withheld).replace("|", "/").partition(". ")[0].rstrip(".")
    short = reason if len(reason) <= MOST_REASON else f"{reason[:MOST_REASON].rpartition(' ')[0]} …"
    return f"withheld: {short}"


def paid_for(tickers: Sequence[str], answers: Answers) -> list[str]:
    """Return what the price of each company pays for, its range and its value, in the words of its valuation."""
    found = {symbol: answers.get((symbol, "valuation")) for symbol in tickers}
    return [
        f"{symbol}: {' '.join(answer.opening[:LEADING])}"
        for symbol, answer in found.items()
        if isinstance(answer, CompanyValuation) and answer.opening
    ]


def withheld_cells(table: Sequence[ComparisonRow]) -> list[str]:
    """Return why figures are withheld, one sentence for each reason and company."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in table:
        for cell in row.cells:
            if cell.withheld:
                found.setdefault((cell.symbol, cell.withheld), []).append(row.label)
    return [f"{', '.join(labels)} of {symbol}: {one_line(why).rstrip('.')}" for (symbol, why), labels in found.items()]


def table_sources(table: Sequence[ComparisonRow]) -> list[str]:
    """Return what the table rests on: each capability with its vendor."""
    return list(dict.fromkeys(f"table: {row.capability}, {row.source}" for row in table if row.source))


def _row(topic: str, capability: str, name: str, tickers: Sequence[str], answers: Answers) -> ComparisonRow:
    found = {symbol: _known(symbol, name, answers.get((symbol, capability), "was not asked")) for symbol in tickers}
    known = [figure for figure in found.values() if isinstance(figure, _Known)]
    counted = Counter(figure.terms for figure in known)
    terms = max(counted, key=counted.__getitem__) if counted else None  # the first of equals
    newest = max((figure.end for figure in known if figure.terms == terms), default=date.min)
    cells = [_cell(symbol, found[symbol], terms, newest) for symbol in tickers]
    ends = sorted(cell.end for cell in cells if cell.shown)
    source, span, definition, unit = terms or ("", "", "", "")
    period = f"{span} to {ends[0] if ends[0] == ends[-1] else f'{ends[0]} … {ends[-1]}'}" if ends else ""
    return ComparisonRow(
        topic=topic,
        name=name,
        label=metric_label(name),
        capability=capability,
        source=source,
        period=period,
        definition=definition,
        unit=unit,
        cells=cells,
    )


def _cell(symbol: str, known: _Known | str, terms: tuple[str, str, str, str] | None, newest: date) -> ComparedCell:
    why = known if isinstance(known, str) else _misfit(known, terms or known.terms, newest)
    if isinstance(known, str) or why:
        return ComparedCell(symbol=symbol, value=None, shown="", withheld=why, end="")
    figure = known.figure
    return ComparedCell(symbol=symbol, value=figure.rounded, shown=figure.text, withheld="", end=known.end.isoformat())


def _misfit(known: _Known, terms: tuple[str, str, str, str], newest: date) -> str:
    """Return why a figure does not fit its row; empty where it does."""
    names = ("its source", "its period", "its definition", "its unit")
    for what, own, others in zip(names, known.terms, terms, strict=True):
        if own != others:
            return f"{what} is {own or 'another'}, that of the other companies {others or 'another'}"
    if newest - known.end > FURTHEST_APART:
        return f"its period ends on {known.end}, the newest of the row on {newest}: more than a quarter apart"
    return ""


def _known(symbol: str, name: str, answer: Result | str) -> _Known | str:
    """Return a figure with its terms, or why there is none."""
    if isinstance(answer, str):
        return answer
    figure = next((figure for figure in answer.figures() if figure.name == name), None)
    if figure is None or figure.rounded is None:
        return f"{answer.title} does not give it"
    span, definition, end = _terms(answer)
    # `over` ends in its day, which may differ between companies: the end of the period says it.
    return _Known(symbol, figure, answer.source, figure.over.partition(" to ")[0] or span, definition, end)


def _terms(answer: Result) -> tuple[str, str, date]:
    """Return the kind of an answer's period, its definition, and the end of its period."""
    if isinstance(answer, TTMAnalysis | Fundamentals):
        return _BASIS[answer.basis], "as filed", answer.periods[0] if answer.periods else answer.as_of
    if isinstance(answer, FundamentalScreen):
        return _BASIS[answer.basis], "as filed", answer.years[0] if answer.years else answer.as_of
    if isinstance(answer, ValuedCompany):
        return "valued", f"model {answer.model}", answer.price_day
    return "prices", "as traded", answer.end or answer.as_of
