"""The report of a comparison: the answer first, then the table with its terms, and the research on each company."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.features.compare.schemas import CompareRecord, ComparisonRow
from tradingagents.files.plain_text import one_line
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.blocks import how_it_ran, warnings_on_page, what_it_rests_on
from tradingagents.reports.document import Block, Bullets, Document, File, Masthead, Prose, Section, Table

_ENDINGS = {
    "failed": "This comparison failed before it was finished.",
    "budget": "This comparison used up its budget and stopped.",
    "interrupted": "This comparison was interrupted.",
}


def compare_document(record: CompareRecord) -> Document:
    """Return the report of a comparison; missing parts are left out, and one that stopped says so at the top."""
    tickers, topics = ", ".join(record.tickers), ", ".join(record.topics)
    title, cutoff = f"{tickers}: {topics}", words.cutoff(record)
    ending = _ENDINGS.get(record.status)
    return Document(
        title=title,
        facts=[
            ("Companies", tickers),
            ("Topics", topics),
            ("Day", record.as_of),
            ("Cut-off", f"{cutoff}: nothing later was read"),
            ("Run", record.run_id),
        ],
        masthead=Masthead(
            title=title,
            eyebrow="Comparison",
            heading=tickers,
            detail=topics,
            facts=[("Day", record.as_of), ("Cut-off", cutoff)],
            identity=f"Run {record.run_id}",
            versions=record.versions,
        ),
        market_note=market_note(record),
        notice=f"{ending} {record.error}".rstrip() if ending else None,
        sections=[
            Section("Answer", [Prose(record.answer, under=2)] if record.answer else [], id="answer", menu="Answer"),
            Section("Not compared", [Bullets(record.missing)] if record.missing else []),
            warnings_on_page(record.warnings),
            Section("Figures", _figures(record.table, record.tickers), id="figures", menu="Figures"),
            *[
                Section(
                    f"Research on {company.symbol}",
                    [Prose(company.answer or company.note, under=2)],
                    id=f"research-{number}",
                    menu=company.symbol,
                )
                for number, company in enumerate(record.companies, 1)
            ],
            *what_it_rests_on(record),
            *how_it_ran(record.warnings, record.usage, record.timing, "comparison"),
        ],
        files=[File("answer.md", title, [Prose(record.answer, under=1)])] if record.answer else [],
    )


def _figures(table: Sequence[ComparisonRow], tickers: Sequence[str]) -> list[Block]:
    """Return each row with its source, period and definition; withheld figures say why."""
    if not table:
        return []
    rows = []
    for row in table:
        cells = {cell.symbol: cell.shown or f"withheld: {one_line(cell.withheld)}" for cell in row.cells}
        terms = (row.source, row.period, row.definition)
        rows.append((row.topic, row.label, *(cells[ticker] for ticker in tickers), *terms))
    return [Table(("Topic", "Figure", *tickers, "Source", "Period", "Definition"), rows)]
