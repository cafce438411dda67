"""The deep report as a document: summary, thesis, valuation by evidence, scenarios, hypotheses, evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tradingagents.features.deep_report.report.appendix import appendix, compact_sheet, passages
from tradingagents.features.deep_report.report.citations import Citations, citations_of, section_anchor
from tradingagents.features.deep_report.report.exhibits import Exhibits
from tradingagents.features.deep_report.report.hypotheses import (
    contradictions_section,
    hint_blocks,
    hypothesis_blocks,
    synthesis_blocks,
    with_labels,
)
from tradingagents.features.deep_report.report.summary import summary_blocks
from tradingagents.features.deep_report.report.valuation_blocks import valuation_blocks
from tradingagents.features.deep_report.schemas.thesis import (
    DeepReportRecord,
    NarrativeSectionRecord,
)
from tradingagents.files.plain_text import one_line
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.blocks import how_it_ran, warnings_on_page, what_it_rests_on
from tradingagents.reports.document import (
    Block,
    Document,
    Line,
    Masthead,
    Prose,
    Section,
    Table,
)

_ENDINGS = {
    "failed": "This is a partial report: the run failed.",
    "budget": "This is a partial report: the run used up its budget and stopped.",
    "interrupted": "This is a partial report: the run was interrupted.",
    "no_answer": "No evidence was found.",
}
BELOW = "This report is below the standard of its rubric: "


def deep_report_document(record: DeepReportRecord) -> Document:
    """Return the report of a run; missing parts are left out, and one below the standard says so at the top."""
    from tradingagents.reports.charts.figure_svg import figure_css
    from tradingagents.reports.charts.price_chart import chart_css
    from tradingagents.reports.charts.value_bars import bars_css

    cutoff = words.cutoff(record)
    heading = f"{one_line(record.name)} ({record.ticker})"
    return Document(
        title=f"Deep report: {heading}",
        facts=[
            ("Company", heading),
            ("Rating", record.rating or "not rated"),
            ("Day", record.as_of),
            ("Cut-off", f"{cutoff}: nothing later was read"),
            ("Run", record.run_id),
        ],
        masthead=_masthead(record, heading),
        market_note=market_note(record),
        notice=_notice(record),
        sections=_sections(record),
        contents=True,
        style="deep_report.css",
        inline_styles=(figure_css(), bars_css(), chart_css()),
    )


def _sections(record: DeepReportRecord) -> list[Section]:
    """Return the chapters; exhibits are numbered in the order in which they are read."""
    citations, exhibits = citations_of(record), Exhibits(record)
    summary = summary_blocks(record, citations, exhibits)
    written = [_written(section, citations) for section in record.sections]
    valuation = valuation_blocks(record, citations, exhibits)
    charts = [exhibits.prices(), exhibits.margins(), exhibits.growth()]
    confidence = exhibits.confidence()
    contradicted = contradictions_section(record)
    return [
        Section("Summary", summary, id="summary", menu="Summary"),
        warnings_on_page(record.warnings),
        *written,
        Section("Valuation", valuation, id="valuation", menu="Valuation"),
        Section("The company in charts", charts, id="charts", menu="Charts"),
        Section("Hypotheses", hypothesis_blocks(record, citations), id="hypotheses", menu="Hypotheses"),
        Section("Both sides", synthesis_blocks(record, citations), id="dialectic", menu="Both sides"),
        replace(contradicted, blocks=with_labels(contradicted.blocks, citations)),
        Section("Research", [confidence, *_iterations(record)], id="iterations", menu="Research"),
        Section("Quality", _quality(record), id="quality", menu="Quality"),
        Section("Evidence", appendix(record, citations), id="evidence", menu="Evidence"),
        Section("Passages of filings and calls", passages(record, citations), id="passages", menu="Passages"),
        *what_it_rests_on(record, plain=compact_sheet(record.data_sheet)),
        *how_it_ran(record.warnings, record.usage, record.timing, "report"),
    ]


def report_text(record: DeepReportRecord) -> str:
    """Return the narrative as Markdown with the ids of its evidence; empty where none was written."""
    return "\n\n".join(
        "\n\n".join([f"## {section.name}", *(_cited(part.text, part.evidence) for part in section.paragraphs)])
        for section in record.sections
    )


def _cited(text: str, evidence: Sequence[str]) -> str:
    return f"{text} [{', '.join(evidence)}]" if evidence else text


def _masthead(record: DeepReportRecord, heading: str) -> Masthead:
    return Masthead(
        title=f"{record.ticker} deep report",
        eyebrow="Deep report",
        heading=heading,
        detail=record.rating or "not rated",
        facts=[("Day", record.as_of), ("Cut-off", words.cutoff(record))],
        identity=f"Run {record.run_id}",
        versions=record.versions,
    )


def _notice(record: DeepReportRecord) -> str | None:
    if ending := _ENDINGS.get(record.status):
        return f"{ending} {record.error}".rstrip()
    shortfalls = record.scores.shortfalls
    return f"{BELOW}{'; '.join(shortfalls)}." if shortfalls else None


def _written(section: NarrativeSectionRecord, citations: Citations) -> Section:
    blocks = [Prose(citations.cited(part.text, part.evidence), under=2) for part in section.paragraphs]
    return Section(section.name, blocks, id=section_anchor(section.name), menu=section.name)


def _iterations(record: DeepReportRecord) -> list[Block]:
    rows = [
        (
            str(note.number),
            words.count(len(note.researched)),
            words.count(len(note.new_items)),
            words.count(len(note.dropped)),
            words.count(len(note.contradictions)),
            words.percent(note.confidence),
        )
        for note in record.iterations
    ]
    head = ("Iteration", "Hypotheses researched", "New evidence", "Refused", "Contradictions", "Confidence")
    return [*([Table(head, rows)] if rows else []), *hint_blocks(record)]


def _quality(record: DeepReportRecord) -> list[Block]:
    scores = record.scores
    rows = [
        ("Overall, of 10", f"{scores.overall:.1f}", "7.0"),
        ("Specificity, of 10", f"{scores.specificity:.1f}", "7.0"),
        ("Types of source", words.count(scores.diversity), "4"),
        ("Items of evidence", words.count(scores.items), "15"),
        ("Insights", words.count(scores.insights), "3"),
        ("Claims that name evidence", f"{words.percent(scores.coverage)} of {scores.claims}", "80%"),
    ]
    if scores.engagement is not None and scores.density is not None:
        rows += [
            ("Syntheses whose sides name each other's evidence", words.percent(scores.engagement), ""),
            ("Insights that no single item of evidence states", words.percent(scores.novelty), ""),
            ("Items of evidence for 1,000 words", f"{scores.density:.1f}", ""),
        ]
    blocks: list[Block] = [Table(("Criterion", "Score", "Least"), rows)]
    if record.bundle:
        said = f"The {len(record.evidence)} items of evidence were frozen before the text was written."
        blocks.append(Line(f"{said} SHA-256 of the bundle: {record.bundle}"))
    return blocks


def lines_in_short(record: DeepReportRecord) -> list[str]:
    """Return the report in a few lines: rating, value against price, thesis, quality."""
    value, scores = record.valuation, record.scores
    lines = [f"{record.name} ({record.ticker}), {record.as_of}: {record.rating or 'not rated'}"]
    if value is None:
        lines.append(f"No valuation: {record.no_valuation or 'the run ended before it'}")
    else:
        span = [scenario.value_per_share for scenario in value.scenarios]
        lines.append(
            f"Expected value {value.expected_value:,.2f} {value.currency} a share, price {value.price:,.2f} "
            f"({value.upside:+.1%}); scenarios {min(span):,.2f} to {max(span):,.2f}"
        )
        lines += [f"Not rated: {doubt}" for doubt in value.doubts]
    lines += [
        f"  {hypothesis.status:<10} {hypothesis.confidence:>4.0%}  {hypothesis.title}"
        for hypothesis in record.hypotheses
    ]
    kinds = f"{scores.items} items of evidence from {scores.diversity} types of source"
    lines.append(f"Quality {scores.overall:.1f} of 10; {kinds}; {scores.coverage:.0%} of the claims name evidence")
    lines += [f"Below the standard: {shortfall}" for shortfall in scores.shortfalls]
    return lines
