"""Answer a question from the cells of filings by rule; quote sentences where no figure is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tradingagents.dataflows.reference.currencies import DOLLARS, UNSTATED_UNIT, is_money, scale_word, scaled_unit
from tradingagents.retrieval.calculation import (
    Calculation,
    CalculationRequest,
    Output,
    calculate,
    for_year,
    formula_in_words,
)
from tradingagents.retrieval.figures.column_choice import WantedColumn
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.figures.sentences import best_sentences
from tradingagents.retrieval.figures.stated_twice import stated_otherwise
from tradingagents.retrieval.figures.statements import FilingStatements, Reading
from tradingagents.retrieval.index.companies import Companies, company_id
from tradingagents.retrieval.models import DocumentInfo, Hit, SourceDocument
from tradingagents.retrieval.questions.figures import FigureQuestion, with_capitals, years_to
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.text_tables import with_text_tables

_WHICH_PART = re.compile(
    r"(?i)\bwhich (?:of )?(?:[\w\u2019'&.-]{1,30} ){0,4}(?:segments?|divisions?|business(?:es)?|regions?|geograph\w+)\b"
)
"""Asks for a part of a company by its figure, such as `which of its segments had the lowest revenue`."""
MOST_FILINGS = 3
"""Filings read for a figure: of the year asked, and later ones that show it beside their own."""


def answer_from_documents(
    question: str, documents: Sequence[SourceDocument], hits: Sequence[Hit] = ()
) -> ExtractiveAnswer:
    """Answer a question from filings, the likeliest filing first; `hits` are passages to quote sentences from.

    A figure is computed from cited cells of one filing. Where none of the filings gives it, the answer is a refusal in
    words, with the sentences that come nearest.
    """
    asked = QuestionReading(question).figure
    if not asked.asks_figure:
        return _sentences(asked, documents, hits, "" if asked.expression else "The question names no known figure.")
    if _WHICH_PART.search(question):
        return _refusal(
            asked, "The question asks which part of a company it is, and a figure of the whole is no answer."
        )
    own, unclear = _of_company(question, documents)
    if unclear:
        return _refusal(asked, unclear)
    refusals: list[str] = []
    for document in _ordered(asked, own):
        with_tables = document if document.tables else with_text_tables(document)
        answer = _from_filing(asked, with_tables)
        if not answer.refusal:
            return _with_others(answer, with_tables)
        refusals.append(f"{document.info.name}: {answer.refusal}")
    reason = " ".join(dict.fromkeys(refusals)) or "No filing was given."
    return _sentences(asked, own, hits, reason)


def _of_company(question: str, documents: Sequence[SourceDocument]) -> tuple[list[SourceDocument], str]:
    """Return the filings of the company that a question names; none, and why, where it names no single one of them."""
    known = {company_id(each.info.symbol, each.info.company): each.info for each in documents}
    if len(known) <= 1:
        return list(documents), ""
    named = Companies((info.symbol, info.company) for info in known.values()).named(question)
    if len(named) != 1:
        which = "several companies" if named else "none of the companies"
        return [], f"The question names {which} of the filings given; a figure is computed for one company at a time."
    return [each for each in documents if company_id(each.info.symbol, each.info.company) in named], ""


def likeliest_filings(infos: Sequence[DocumentInfo], years: Sequence[int], quarter: int | None) -> list[DocumentInfo]:
    """Return the filings that tell of a period: of its own year first, then of the years after it; else the newest."""
    wanted = ("10-Q",) if quarter else ("10-K", "20-F", "40-F")
    fitting = [info for info in infos if info.form.upper().startswith(wanted)] or list(infos)
    if not years:
        return sorted(fitting, key=lambda info: (info.fiscal_year or 0, info.known_at), reverse=True)[:1]
    last = max(years)
    later = [info for info in fitting if (info.fiscal_year or last) >= last]
    return sorted(later, key=lambda info: ((info.fiscal_year or last) - last, info.known_at))[:MOST_FILINGS]


def _ordered(asked: FigureQuestion, documents: Sequence[SourceDocument]) -> list[SourceDocument]:
    """Return annual filings first, then the filing of the year asked, then later ones, which show earlier years too."""
    year = asked.years[-1] if asked.years else None

    def distance(document: SourceDocument) -> tuple[bool, int]:
        info = document.info
        other_form = asked.quarter is None and not info.form.upper().replace("-", "").startswith(("10K", "20F", "40F"))
        if year is None:
            return other_form, -(info.fiscal_year or 0)
        own = info.fiscal_year or year
        return other_form, abs(own - year) + (100 if own < year else 0)

    return sorted(documents, key=distance)


def _from_filing(asked: FigureQuestion, document: SourceDocument) -> ExtractiveAnswer:
    """Answer from one filing."""
    wanted = WantedColumn(asked.quarter, asked.currency, asked.basis)
    statements = FilingStatements(document, wanted)
    if asked.quarter and document.info.fiscal_quarter != asked.quarter and not statements.shows_quarter():
        return _refusal(asked, statements.no_quarter())
    years = asked.years or statements.years[:1]
    if asked.span and years:
        years = years_to(max(years), asked.span, asked.operation)
    if not years:
        return _refusal(asked, statements.no_years())
    if asked.metric is not None and asked.metric.needs:
        needed = statements.read(asked.metric.needs, years[-1])
        if needed.lacks_row:
            return _refusal(asked, f"{asked.metric.why}.")
    if asked.operation == "compare" or asked.each_year:
        return _compare(asked, statements, years)
    expression, output = _expression(asked, years)
    return _computed(asked, statements.resolve(expression), output)


def _with_others(answer: ExtractiveAnswer, document: SourceDocument) -> ExtractiveAnswer:
    """Return an answer with the cells of its filing that state its figures otherwise, told in its text."""
    twice = stated_otherwise(document, answer.operands)
    if not twice:
        return answer
    text = " ".join([answer.text, *(contradiction.said for contradiction in twice)])
    return answer.model_copy(update={"others": tuple(contradiction.other for contradiction in twice), "text": text})


def _expression(asked: FigureQuestion, years: Sequence[int]) -> tuple[str, Output]:
    """Return the expression over `item@year` for the operation of a question."""
    each = [for_year(asked.expression, year) for year in years]
    if asked.operation == "average" and len(each) > 1:
        return f"average({', '.join(each)})", asked.output
    if asked.operation in ("growth", "difference", "cagr"):
        first = years[0] if len(years) > 1 else years[0] - 1
        before, after = (for_year(asked.expression, year) for year in (first, years[-1]))
        if asked.operation == "growth":
            return f"growth({before}, {after})", "percent"
        if asked.operation == "cagr":
            return f"cagr({before}, {after}, {years[-1] - first})", "percent"
        return f"{after} - {before if _is_term(before) else f'({before})'}", asked.output
    return for_year(asked.expression, years[-1]), asked.output


def _is_term(expression: str) -> bool:
    """Tell whether an expression needs no brackets where it is subtracted."""
    return not any(sign in expression for sign in (" + ", " - "))


def _computed(asked: FigureQuestion, reading: Reading, output: Output) -> ExtractiveAnswer:
    if reading.refusal:
        return _refusal(asked, reading.refusal)
    result = calculate(CalculationRequest(expression=reading.expression, operands=reading.operands, output=output))
    if result.value is None:
        return _refusal(asked, result.refusal)
    if output == "money" and (other := _other_currency(asked, result.unit)):
        return _refusal(asked, other)
    scale, unit = _unit_of(asked, result, output)
    value = result.value / scale
    text = f"{_title(asked)}: {_shown(value, unit, asked.decimals)}. "
    text = f"{text}{formula_in_words(result.formula)}.{_told(reading.notes)}"
    return ExtractiveAnswer(
        question=asked.text,
        kind="figure",
        text=text,
        value=value,
        unit="" if unit == "times" else unit,
        formula=result.formula,
        operands=result.operands,
        confidence=reading.confidence,
    )


def _unit_of(asked: FigureQuestion, result: Calculation, output: Output) -> tuple[float, str]:
    """Return the factor and the unit of an answer: as the question asks, else as the amount is best read."""
    if output == "money" and asked.scale != 1.0:
        return asked.scale, scaled_unit(result.unit, f"{scale_word(asked.scale)}s")
    if output == "money" or asked.unit == "":
        return _readable(result.unit, [result.value or 0.0])
    return 1.0, asked.unit


def _other_currency(asked: FigureQuestion, unit: str) -> str:
    """Say that figures are not in the currency that a question asks for; empty where they are, or none is asked."""
    if asked.currency in ("", unit) or (asked.currency == "$" and unit in (*DOLLARS, UNSTATED_UNIT)):
        return ""
    named = "dollars" if asked.currency == "$" else asked.currency
    if unit == UNSTATED_UNIT:
        return f"the filing does not state the currency of the figures, and the question asks for {named}."
    return f"the figures are in {unit}, and the question asks for {named}; nothing is converted."


def _told(notes: Sequence[str]) -> str:
    return "".join(f" {note}" for note in notes)


def _compare(asked: FigureQuestion, statements: FilingStatements, years: Sequence[int]) -> ExtractiveAnswer:
    """Give a figure of each year asked, or of a year and the one before, and whether it went up or down."""
    last = years[-1]
    compared = years if len(years) > 1 else (last - 1, last)
    found: list[tuple[int, Calculation, Reading]] = []
    for year in compared:
        reading = statements.resolve(for_year(asked.expression, year))
        if reading.refusal:
            if year == last or len(years) > 1:
                return _refusal(asked, reading.refusal)
            continue
        request = CalculationRequest(expression=reading.expression, operands=reading.operands, output=asked.output)
        result = calculate(request)
        if result.value is None:
            return _refusal(asked, result.refusal)
        if asked.output == "money" and (other := _other_currency(asked, result.unit)):
            return _refusal(asked, other)
        found.append((year, result, reading))
    if len({result.unit for _, result, _ in found}) > 1:
        units = " and ".join(f"{result.unit} in fiscal {year}" for year, result, _ in found)
        return _refusal(asked, f"the figures are of different units: {units}.")
    return _comparison(asked, found)


def _comparison(asked: FigureQuestion, found: Sequence[tuple[int, Calculation, Reading]]) -> ExtractiveAnswer:
    """Return the figures of both years in words, with what became of the question's claim."""
    unit = found[-1][1].unit
    scale, unit = _readable(unit, [result.value or 0.0 for _, result, _ in found])
    values = [(result.value or 0.0) / scale for _, result, _ in found]
    shown = [f"fiscal {year}: {_shown(value, unit, None)}" for (year, _, _), value in zip(found, values, strict=True)]
    name = _title(asked)
    formula = "; ".join(result.formula for _, result, _ in found)
    change = f", {_change(values[0], values[-1], unit)}" if len(values) > 1 else ""
    operands = {(each.name, each.place): each for _, result, _ in found for each in result.operands}
    notes = list(dict.fromkeys(note for *_, reading in found for note in reading.notes))
    return ExtractiveAnswer(
        question=asked.text,
        kind="comparison",
        text=f"{_verdict(asked, values)}{name} in {', in '.join(shown)}{change}. "
        f"{formula_in_words(formula)}.{_told(notes)}",
        value=values[-1],
        unit="" if unit == "times" else unit,
        formula=formula,
        operands=tuple(operands.values()),
        confidence=min(reading.confidence for *_, reading in found),
    )


def _title(asked: FigureQuestion) -> str:
    """Return what is asked for and what is done with it, as a sentence begins; abbreviations in capitals."""
    named = with_capitals(asked.name or "the figure")
    doing = {"growth": "growth of ", "cagr": "compound annual growth rate of ", "average": "average of "}
    if asked.operation == "difference":
        doing["difference"] = "change in "
    words = f"{doing.get(asked.operation, '')}{named}"
    return f"{words[:1].upper()}{words[1:]}"


def _verdict(asked: FigureQuestion, values: Sequence[float]) -> str:
    """Return "Yes. " or "No. " where the question supposes something that the figures decide; else nothing."""
    if asked.claim in ("positive", "negative"):
        return "Yes. " if (values[-1] > 0) == (asked.claim == "positive") else "No. "
    if len(values) < 2 or not asked.claim:
        return ""
    change = values[-1] - values[0]
    better = asked.metric.better if asked.metric is not None else ""
    if asked.claim in ("improved", "worsened"):
        if not better and asked.metric is not None:
            return ""
        change = change if better != "down" else -change
    return "Yes. " if (change > 0 if asked.claim in ("improved", "rose") else change < 0) else "No. "


def _change(before: float, after: float, unit: str) -> str:
    change = after - before
    if change == 0:
        return "unchanged"
    points = "percentage points" if unit == "percent" else unit
    return f"{'up' if change > 0 else 'down'} {_shown(abs(change), points, None)}"


def _readable(unit: str, values: Sequence[float]) -> tuple[float, str]:
    """Return the factor and the unit in which an amount of money is best read."""
    if unit in ("times", "days", "") or not is_money(unit) or "/" in unit:
        return 1.0, unit
    return (1e6, scaled_unit(unit, "millions")) if max(map(abs, values), default=0.0) >= 1e6 else (1.0, unit)


def _shown(value: float, unit: str, decimals: int | None) -> str:
    places = decimals if decimals is not None else 2
    figure = f"{value:,.{places}f}"
    if unit == "percent":
        return f"{figure} %"
    if unit == "times":
        return f"{figure}x"
    if unit == f"{UNSTATED_UNIT}/share":
        return f"{figure} per share ({UNSTATED_UNIT})"
    words = f"({unit})" if unit == UNSTATED_UNIT else unit
    return f"{figure} {words}".strip()


def _refusal(asked: FigureQuestion, reason: str) -> ExtractiveAnswer:
    return ExtractiveAnswer(question=asked.text, kind="refusal", text=f"Cannot answer: {reason}", refusal=reason)


def _sentences(
    asked: FigureQuestion, documents: Sequence[SourceDocument], hits: Sequence[Hit], reason: str
) -> ExtractiveAnswer:
    """Quote the sentences that come nearest to a question; told as quotations, not as an answer."""
    sentences = best_sentences(asked.text, documents, hits)
    if asked.asks_figure or not sentences:
        reason = reason or "No sentence of the documents shares enough words with the question."
        return ExtractiveAnswer(
            question=asked.text,
            kind="refusal",
            text=f"Cannot answer: {reason}",
            sentences=sentences,
            refusal=reason,
        )
    quoted = " ".join(sentence.text for sentence in sentences)
    text = f"No figure is computed for this question. The passages nearest to it say: {quoted}"
    return ExtractiveAnswer(
        question=asked.text, kind="sentences", text=text, sentences=sentences, confidence=0.3, refusal=""
    )
