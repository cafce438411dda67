"""Makes what questions about a finished run are answered from: its record as passages with sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.files.plain_text import one_line
from tradingagents.runtime.records.facts import source_of
from tradingagents.runtime.run_questions.brief import RunBrief, RunPassage
from tradingagents.schemas.facts import FactRecord, FigureRecord

PARAGRAPH_CHARS = 1500
MOST_ROWS = 4
"""Rows of a comparison whose order is named as what would change its finding."""


class _FigureFound(NamedTuple):
    figure: FigureRecord
    source: str


def run_brief(card: Mapping[str, Any], question: str) -> RunBrief:
    """Return what the rules know of a finished run."""
    text = str(card.get("answer") or next(iter((card.get("reports") or {}).values()), ""))
    paragraphs = [part.strip() for part in text.partition("\n---\n")[0].split("\n\n") if part.strip()]
    return RunBrief(
        what=_named(card),
        run_id=card["run_id"],
        day=str(card.get("as_of") or card.get("trade_date") or ""),
        question=question,
        finding=paragraphs[0] if paragraphs else "",
        passages=tuple(_passages(card)),
        turning=tuple(_turning(card)),
        missing=tuple(map(one_line, card.get("missing") or ())),
        sources=tuple(map(str, card.get("sources") or ())),
    )


def _named(card: Mapping[str, Any]) -> str:
    if question := card.get("question"):
        return f"research “{one_line(question)[:120]}”"
    companies = ", ".join(card.get("tickers") or ()) or card.get("ticker") or ""
    kind = str(card.get("kind", "run")).replace("_", " ")
    return f"{kind} of {companies}" if companies else kind


def _passages(card: Mapping[str, Any]) -> Iterator[RunPassage]:
    """Yield figures, rows and paragraphs; figures first, for their source is the closest."""
    for row in card.get("table") or ():
        if cells := [f"{cell['symbol']} {cell['shown']}" for cell in row["cells"] if cell["shown"]]:
            source = f"{row['capability']}, {row['source']}"
            yield RunPassage(f"{row['label']} ({row['period']}): {', '.join(cells)}", source, row["topic"])
    seen: set[str] = set()
    for task in card.get("tasks") or ():
        for fact in map(FactRecord.model_validate, task["facts"]):
            for text in _figures_of(fact):
                if text not in seen:
                    seen.add(text)
                    yield RunPassage(text, source_of(fact), task["description"])
            yield from (RunPassage(text, source_of(fact), task["description"]) for text in fact.texts)
    for task in card.get("tasks") or ():
        for part in _paragraphs(task["findings"]):
            yield RunPassage(part, f"{task['task_id']} of the run", task["description"], written=True)
    for name, text in (card.get("reports") or {}).items():
        parts = _paragraphs(str(text).partition("\n---\n")[0])
        yield from (RunPassage(part, f"{name} of the run", written=True) for part in parts)


def _figures_of(fact: FactRecord) -> Iterator[str]:
    if not fact.failure:
        for figure in fact.figures:
            over = f", {figure.over}" if figure.over else ""
            yield f"{fact.symbol or 'Market'}: {metric_label(figure.name)} {figure.shown}{over}"


def _paragraphs(text: str) -> Iterator[str]:
    for part in text.split("\n\n"):
        if (said := part.strip()) and not said.startswith(("#", "|")):
            yield said[:PARAGRAPH_CHARS]


def _turning(card: Mapping[str, Any]) -> Iterator[RunPassage]:
    """Yield what would change the finding: the bounds that its figures are compared with, and the order of a table."""
    known: dict[str, dict[str, _FigureFound]] = {}
    for task in card.get("tasks") or ():
        for fact in map(FactRecord.model_validate, task["facts"]):
            if not fact.failure:
                figures = known.setdefault(fact.symbol or "Market", {})
                for figure in fact.figures:
                    figures.setdefault(figure.name, _FigureFound(figure, source_of(fact)))
    for symbol, figures in known.items():
        for (name, bound), say in _BOUNDS.items():
            if name in figures and bound in figures:
                found, compared = figures[name], figures[bound]
                sources = "; ".join(dict.fromkeys((found.source, compared.source)))
                yield RunPassage(say(symbol, found.figure, compared.figure), sources)
    yield from _order(card.get("table") or ())


def _order(table: Iterable[Mapping[str, Any]]) -> Iterator[RunPassage]:
    rows = [row for row in table if sum(cell["value"] is not None for cell in row["cells"]) > 1]
    for row in rows[:MOST_ROWS]:
        ranked = sorted((cell for cell in row["cells"] if cell["value"] is not None), key=lambda cell: -cell["value"])
        first, second = ranked[:2]
        said = (
            f"{row['label']}: {first['symbol']} is ahead with {first['shown']}, before {second['symbol']} with "
            f"{second['shown']}; the comparison changes if {second['symbol']} passes it."
        )
        yield RunPassage(said, f"{row['capability']}, {row['source']}", row["topic"])


def _value(symbol: str, value: FigureRecord, price: FigureRecord) -> str:
    side = "above" if value.value > price.value else "below"
    turns = "rises above that value" if side == "above" else "falls below that value"
    return (
        f"The model's value of {symbol}, {value.shown} a share, is {side} its price of {price.shown}: it changes "
        f"if the price {turns}, or the value passes the price."
    )


def _implied(what: str) -> Callable[[str, FigureRecord, FigureRecord], str]:
    def say(symbol: str, reached: FigureRecord, implied: FigureRecord) -> str:
        less = reached.value >= implied.value
        return (
            f"The price of {symbol} implies {what} of {implied.shown}, and {reached.shown} was reached: it "
            f"changes if {what} {'falls below' if less else 'rises above'} {implied.shown}."
        )

    return say


def _trend(symbol: str, price: FigureRecord, average: FigureRecord) -> str:
    above = price.value > average.value
    return (
        f"The price of {symbol}, {price.shown}, is {'above' if above else 'below'} its 200-day average of "
        f"{average.shown}: the trend changes if it {'falls below' if above else 'rises above'} it."
    )


def _cash(symbol: str, cash: FigureRecord, income: FigureRecord) -> str:
    backed = cash.value >= income.value
    return (
        f"Cash flow from operations of {symbol} ({cash.shown}) {'covers' if backed else 'does not cover'} its net "
        f"income ({income.shown}): it changes if cash flow {'falls below' if backed else 'rises above'} net income."
    )


_BOUNDS: Mapping[tuple[str, str], Callable[[str, FigureRecord, FigureRecord], str]] = {
    ("value_per_share", "price"): _value,
    ("revenue_yoy", "implied_sales_growth"): _implied("sales growth"),
    ("operating_margin", "implied_oper_margin"): _implied("the operating margin"),
    ("operating_cash_flow", "net_income"): _cash,
    ("price", "sma_200"): _trend,
}
"""Figures and the figures that they are compared with."""
