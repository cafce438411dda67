"""Questions on rows of filings that no person wrote: `python -m benchmarks.filings.row_questions --store FOLDER`.

Rows are drawn from the recorded filings, and a question is written from the printed label, the headings where the label
alone names several rows, the company and the year. What is expected is read apart from tables: the inline XBRL fact
with which a figure of a filing in HTML is tagged, and, for a filing in plain text, the figure on which two filings of
one company agree. A figure or a winner that differs from it is wrong; a refusal or a named gap is declined. Signs are
not compared: of a cost, tables print what tags tell without one.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.filings.analyst_questions import AS_OF, SHARED, given_in, same_winner
from benchmarks.filings.analyst_store import RecordedFacts, filled_store
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.store_lines import lines_asked
from tradingagents.retrieval.models import DocumentInfo, Fact, FiledTable, Row, SourceDocument
from tradingagents.retrieval.series.filed import FiledFacts

_ROUNDING = 0.0011
_LABEL = re.compile(r"[A-Za-z][A-Za-z&',/ ()-]{3,70}")
_OF_ONE_MEMBER = 1
_DRAWN = 100
"""Rows drawn for each question at most: some name no single value, and some are drawn twice."""
_YEAR_DAYS = (350, 380)


@dataclass(frozen=True, slots=True)
class RowFigure:
    """A figure of a year, read apart from the table."""

    company: str
    is_html: bool
    table: str
    label: str
    heading: str
    member: str
    """The part of the company that its tag names; empty for the whole company."""
    year: int
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """A question with what is expected: the figures, or the label of the higher one."""

    form: str
    figure: RowFigure
    text: str
    values: tuple[float, ...]
    winner: str = ""


def tagged_figures(document: SourceDocument) -> Iterator[RowFigure]:
    """Yield the tagged figures of whole years, and of the ends of years, of an annual report."""
    info = document.info
    if not document.facts or not info.form.startswith("10-K") or info.fiscal_year is None or info.period_end is None:
        return
    for table, row in _rows(document):
        for cell in row.cells:
            fact = document.facts[cell.fact] if cell is not None and cell.fact is not None else None
            if fact is None or not fact.value or (year := _year_of(fact, info.period_end, info.fiscal_year)) is None:
                continue
            percent = fact.unit == "pure" and "%" in cell.text + row.unit if cell else False
            value = fact.value * 100 if percent or row.unit == "percent" else fact.value
            yield _figure(info, table, row, member=member_of(fact), year=year, value=value, is_html=True)


def agreed_figures(documents: Sequence[SourceDocument]) -> Iterator[RowFigure]:
    """Yield the figures of plain-text filings on which two filings of one company agree."""
    found: dict[tuple[str, str, int], dict[str, set[float]]] = defaultdict(lambda: defaultdict(set))
    figures: dict[tuple[str, str, int], RowFigure] = {}
    for document in documents:
        if document.facts or not document.info.form.startswith("10-K"):
            continue
        for table, row in _rows(document):
            for column, cell in zip(table.columns, row.cells, strict=False):
                year = column.fiscal_year
                if cell is None or not cell.value or year is None or column.months not in (12, None):
                    continue
                figure = _figure(document.info, table, row, member="", year=year, value=cell.value, is_html=False)
                key = (figure.company, f"{figure.heading} {figure.label}".lower(), figure.year)
                found[key][document.info.name].add(abs(cell.value))
                figures[key] = figure
    for key, named in found.items():
        if len(named) > 1 and len(set().union(*named.values())) == 1:
            yield figures[key]


def _rows(document: SourceDocument) -> Iterator[tuple[FiledTable, Row]]:
    return ((table, row) for table in document.tables for row in table.rows if _LABEL.fullmatch(row.label.strip()))


def _figure(
    info: DocumentInfo, table: FiledTable, row: Row, *, member: str, year: int, value: float, is_html: bool
) -> RowFigure:
    heading = row.headings[-1].strip(": ") if row.headings else ""
    named = info.symbol or info.company
    unit = "money" if row.unit[:3].isupper() and "/" not in row.unit else row.unit
    return RowFigure(named, is_html, table.title, row.label.strip(": "), heading, member, year, value, unit)


def member_of(fact: Fact) -> str:
    """Return the name of the one part of the company that a tag names, in words; empty for none, `?` for several."""
    members = [each for each in fact.dimensions.values() if not each.endswith(":OperatingSegmentsMember")]
    if len(members) != _OF_ONE_MEMBER:
        return "?" if members else ""
    name = members[0].rpartition(":")[2].removesuffix("Member").removesuffix("Segment")
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|\d+", name))


def _year_of(fact: Fact, end: date, year: int) -> int | None:
    """Return the fiscal year of a tag by how far before the end of the filing's own year it ends."""
    if fact.period_start and not _YEAR_DAYS[0] < (fact.period_end - fact.period_start).days < _YEAR_DAYS[1]:
        return None
    before = (end - fact.period_end).days
    years = round(before / 365.25)
    return year - years if abs(before - years * 365.25) < 10 and years >= 0 else None


def questions(figures: Sequence[RowFigure], most: int, seed: int) -> list[RowQuestion]:
    """Return questions on figures whose words name one value, spread over companies and tables."""
    values: dict[tuple[str, str, int], set[float]] = defaultdict(set)
    for each in figures:
        for words in {each.label, f"{each.heading} {each.label}", f"{each.member} {each.label}"}:
            values[each.company, words.lower().strip(), each.year].add(abs(each.value))
    by_table: dict[tuple[str, str], list[RowFigure]] = defaultdict(list)
    for each in figures:
        by_table[each.company, each.table].append(each)
    drawn, found = random.Random(seed), []  # noqa: S311
    tables = sorted(by_table)
    written: set[str] = set()
    for _ in range(_DRAWN * most):
        if len(found) == most:
            break
        rows = by_table[tables[drawn.randrange(len(tables))]]
        row = drawn.choice(rows)
        words = next(
            (
                text.strip()
                for text in (row.label, f"{row.heading} {row.label}", f"{row.member} {row.label}")
                if len(values[row.company, text.lower().strip(), row.year]) == 1
            ),
            "",
        )
        if not words or row.member == "?":
            continue
        own = [each for each in rows if each.member == row.member and each.unit == row.unit]
        same = [each for each in own if each.label == row.label and each.heading == row.heading]
        earlier = [each for each in same if each.year == row.year - 1 and each.value * row.value > 0]
        others = [each for each in own if each.year == row.year and each.label.lower() != row.label.lower()]
        question = _written(row, words, earlier, others, drawn)
        if question.text not in written:
            written.add(question.text)
            found.append(question)
    return found


def _written(
    row: RowFigure, words: str, earlier: Sequence[RowFigure], others: Sequence[RowFigure], drawn: random.Random
) -> RowQuestion:
    """Return a question in a form that the row allows."""
    whole, name, year = abs(row.value), row.company, row.year
    form = drawn.choice(("asked", "short", "two years", "growth", "higher", "share"))
    if form == "two years" and earlier:
        text = f"{words} of {name} in {year - 1} and {year}"
        return RowQuestion(form, row, text, (whole, abs(earlier[0].value)))
    if form == "growth" and earlier and row.unit not in ("percent", "ratio"):
        growth = (row.value / earlier[0].value - 1) * 100
        return RowQuestion(form, row, f"How much did {words} of {name} grow from {year - 1} to {year}?", (abs(growth),))
    total = [each for each in others if re.match(r"(?i)total \w", each.label) and abs(each.value) >= whole]
    if form == "share" and total:
        text = f"What share of {total[0].label} was {words} at {name} in fiscal {year}?"
        return RowQuestion(form, row, text, (whole / abs(total[0].value) * 100,))
    plain = [each for each in others if not each.label.lower().startswith("total") and abs(each.value) != whole]
    if form == "higher" and plain:
        other = drawn.choice(plain)
        winner = max((row, other), key=lambda each: each.value).label
        text = f"{words} or {other.label} of {name} in {year}: which is higher?"
        return RowQuestion(form, row, text, (whole, abs(other.value)), winner)
    if form == "short":
        return RowQuestion(form, row, f"{name} {words} FY{year % 100:02}", (whole,))
    return RowQuestion("asked", row, f"What was {words} of {name} in fiscal {year}?", (whole,))


def verdict_on(question: RowQuestion, answer: LineAnswer | None) -> str:
    """Return `right`, `declined` or `wrong`."""
    if answer is None or not answer.complete:
        return "declined"
    given = [abs(value) for value, *_ in given_in(answer)]
    near = _ROUNDING if question.form not in ("growth", "share") else 0.0
    if not all(any(abs(one - each) <= near * each + 0.006 for one in given) for each in question.values):
        return "wrong"
    if not question.winner or same_winner(question.winner, answer.winner):
        return "right"
    return "wrong" if answer.winner else "declined"


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, required=True, help="a folder of its own; one that is filled is used")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the recorded data")
    parser.add_argument("--most", type=int, default=200, help="questions on each of HTML and plain text")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    store = filled_store(options.store, options.shared)
    infos = [info for info in store.documents() if info.kind == "filing"]
    documents = [store.get(info.key) for info in infos]
    tagged = [figure for document in documents for figure in tagged_figures(document)]
    asked = [*questions(tagged, options.most, options.seed)]
    asked += questions(list(agreed_figures(documents)), options.most, options.seed)
    facts, counts = FiledFacts(store, AS_OF, RecordedFacts(options.shared)), Counter[tuple[str, str, str]]()
    for each in asked:
        answer = lines_asked(each.text, infos, store.get, facts, AS_OF, holding=store.holding)
        verdict = verdict_on(each, answer)
        counts["HTML" if each.figure.is_html else "text", each.form, verdict] += 1
        if verdict == "wrong" and answer:
            given = [(value.line, value.row, value.period, value.value) for value in answer.values]
            results = [(result.name, result.value) for result in answer.results]
            found = {"question": each.text, "table": each.figure.table, "expected": each.values, "given": given}
            print(json.dumps(found | {"results": results}), flush=True)
    for key, count in sorted(counts.items()):
        print(*key, count)


if __name__ == "__main__":
    main()
