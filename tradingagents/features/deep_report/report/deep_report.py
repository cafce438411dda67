"""The deep report as a document: summary, thesis, valuation by evidence, scenarios, hypotheses, evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tradingagents.features.deep_report.report.appendix import appendix, passages
from tradingagents.features.deep_report.report.citations import Citations, citations_of, section_anchor
from tradingagents.features.deep_report.report.compact_sheet import compact_sheet
from tradingagents.features.deep_report.report.contradictions import contradictions_section, hint_blocks
from tradingagents.features.deep_report.report.exhibits import Exhibits
from tradingagents.features.deep_report.report.falsifiers import falsifier_blocks
from tradingagents.features.deep_report.report.summary import standing_of, summary_blocks, surest
from tradingagents.features.deep_report.report.valuation_blocks import valuation_blocks
from tradingagents.features.deep_report.schemas.thesis import (
    WHOLE,
    DeepReportRecord,
    NarrativeSectionRecord,
    SynthesisRecord,
)
from tradingagents.files.plain_text import one_line
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.blocks import how_it_ran, warnings_on_page, what_it_rests_on
from tradingagents.reports.document import (
    Block,
    Bullets,
    Document,
    Heading,
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
_IMPACTS = {"HIGH": "high", "MED": "medium", "LOW": "low"}
BELOW = "This report is below the standard of its rubric: "


def deep_report_document(record: DeepReportRecord) -> Document:
    """Return the report of a run; missing parts are left out, and one below the standard says so at the top."""
    from tradingagents.reports.charts.figure_svg import figure_css
    from tradingagents.reports.charts.price_chart import chart_css
    from tradingagents.reports.charts.value_bars import bars_css

    cutoff = words.cutoff(record)
    heading = f"{one_line(record['name'])} ({record['ticker']})"
    return Document(
        title=f"Deep report: {heading}",
        facts=[
            ("Company", heading),
            ("Rating", record["rating"] or "not rated"),
            ("Day", record["as_of"]),
            ("Cut-off", f"{cutoff}: nothing later was read"),
            ("Run", record["run_id"]),
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
    written = [_written(one, citations) for one in record["sections"]]
    valuation = valuation_blocks(record, citations, exhibits)
    charts = [exhibits.prices(), exhibits.margins(), exhibits.growth()]
    confidence = exhibits.confidence()
    contradicted = contradictions_section(record)
    return [
        Section("Summary", summary, id="summary", menu="Summary"),
        warnings_on_page(record["warnings"]),
        *written,
        Section("Valuation", valuation, id="valuation", menu="Valuation"),
        Section("The company in charts", charts, id="charts", menu="Charts"),
        Section("Hypotheses", _hypotheses(record, citations), id="hypotheses", menu="Hypotheses"),
        Section("Both sides", _syntheses(record, citations), id="dialectic", menu="Both sides"),
        replace(contradicted, blocks=_with_labels(contradicted.blocks, citations)),
        Section("Research", [confidence, *_iterations(record)], id="iterations", menu="Research"),
        Section("Quality", _quality(record), id="quality", menu="Quality"),
        Section("Evidence", appendix(record, citations), id="evidence", menu="Evidence"),
        Section("Passages of filings and calls", passages(record, citations), id="passages", menu="Passages"),
        *what_it_rests_on(record, plain=compact_sheet(record["data_sheet"])),
        *how_it_ran(record["warnings"], record["usage"], record["timing"], "report"),
    ]


def report_text(record: DeepReportRecord) -> str:
    """Return the narrative as Markdown with the ids of its evidence; empty where none was written."""
    return "\n\n".join(
        "\n\n".join([f"## {section['name']}", *(_cited(one["text"], one["evidence"]) for one in section["paragraphs"])])
        for section in record["sections"]
    )


def _cited(text: str, evidence: Sequence[str]) -> str:
    return f"{text} [{', '.join(evidence)}]" if evidence else text


def _masthead(record: DeepReportRecord, heading: str) -> Masthead:
    return Masthead(
        title=f"{record['ticker']} deep report",
        eyebrow="Deep report",
        heading=heading,
        detail=record["rating"] or "not rated",
        facts=[("Day", record["as_of"]), ("Cut-off", words.cutoff(record))],
        identity=f"Run {record['run_id']}",
        versions=record.versions,
    )


def _notice(record: DeepReportRecord) -> str | None:
    if ending := _ENDINGS.get(record["status"]):
        return f"{ending} {record.error}".rstrip()
    shortfalls = record["scores"]["shortfalls"]
    return f"{BELOW}{'; '.join(shortfalls)}." if shortfalls else None


def _written(section: NarrativeSectionRecord, citations: Citations) -> Section:
    blocks = [Prose(citations.cited(one["text"], one["evidence"]), under=2) for one in section["paragraphs"]]
    return Section(section["name"], blocks, id=section_anchor(section["name"]), menu=section["name"])


def _hypotheses(record: DeepReportRecord, citations: Citations) -> list[Block]:
    by_model = record["written_by"] != "rules"  # what rules write of a hypothesis is this list already
    blocks: list[Block] = []
    for one in record["hypotheses"]:
        own = surest([item for item in citations.items.values() if item["hypothesis"] == one["id"]])
        sides = [
            (said, [item for item in own if item["direction"] == direction])
            for said, direction in (("For it", "supports"), ("Against it", "contradicts"))
        ]
        standing = standing_of(one, any(items for _, items in sides))
        impact = _IMPACTS.get(one["impact"], one["impact"].lower())
        lines = [
            f"{said}: "
            + "; ".join(f"{one_line(item['claim']).rstrip('.')} {citations.mark(item['id'])}" for item in items)
            + "."
            for said, items in sides
            if items
        ]
        blocks += [
            Heading(one_line(one["title"])),
            Prose(one["thesis"]),
            Line(
                f"Impact on the value: {impact}. Standing: {standing}, confidence {words.percent(one['confidence'])}."
            ),
            *([Bullets(lines or ["No evidence was found."])] if by_model else []),
            *_with_labels(falsifier_blocks(one), citations),
        ]
    return blocks


def _with_labels(blocks: Sequence[Block], citations: Citations) -> list[Block]:
    """Return blocks whose lists and tables name evidence by its labels."""

    def labelled(block: Block) -> Block:
        if isinstance(block, Bullets):
            return Bullets([citations.cited(line, ()) for line in block.lines])
        if isinstance(block, Table):
            return Table(block.header, [tuple(citations.cited(cell, ()) for cell in row) for row in block.rows])
        return block

    return [labelled(one) for one in blocks]


def _syntheses(record: DeepReportRecord, citations: Citations) -> list[Block]:
    titles = {WHOLE: "the report as a whole", **{one["id"]: one["title"] for one in record["hypotheses"]}}
    last = [one for one in record["syntheses"] if one["hypothesis"] == WHOLE]
    others = [one for one in record["syntheses"] if one["hypothesis"] != WHOLE]
    if last and record["written_by"] == "rules":
        others = []  # rules say nothing of a hypothesis here that the text does not say
    return [block for one in (*last, *others) for block in _synthesis(one, titles, citations)]


def _synthesis(one: SynthesisRecord, titles: Mapping[str, str], citations: Citations) -> list[Block]:
    likely = ", ".join(f"{name} {words.percent(share, 1)}" for name, share in one["probabilities"].items())
    when = "At the end" if one["hypothesis"] == WHOLE else f"After iteration {one['iteration']}"
    return [
        Heading(f"{when}: {one_line(titles.get(one['hypothesis'], one['hypothesis']))}"),
        Heading("Bull case", level=4),
        Prose(citations.cited(one["bull_case"], ()), under=4),
        Heading("Bear case", level=4),
        Prose(citations.cited(one["bear_case"], ()), under=4),
        Heading("Both weighed", level=4),
        Prose(citations.cited(one["synthesis"], ()), under=4),
        Bullets([citations.cited(text, ()) for text in one["insights"]]),
        Line(f"Probabilities: {likely}."),
    ]


def _iterations(record: DeepReportRecord) -> list[Block]:
    rows = [
        (
            str(one["number"]),
            words.count(len(one["researched"])),
            words.count(len(one["new_items"])),
            words.count(len(one["dropped"])),
            words.count(len(one["contradictions"])),
            words.percent(one["confidence"]),
        )
        for one in record["iterations"]
    ]
    head = ("Iteration", "Hypotheses researched", "New evidence", "Refused", "Contradictions", "Confidence")
    return [*([Table(head, rows)] if rows else []), *hint_blocks(record)]


def _quality(record: DeepReportRecord) -> list[Block]:
    scores = record["scores"]
    rows = [
        ("Overall, of 10", f"{scores['overall']:.1f}", "7.0"),
        ("Specificity, of 10", f"{scores['specificity']:.1f}", "7.0"),
        ("Types of source", words.count(scores["diversity"]), "4"),
        ("Items of evidence", words.count(scores["items"]), "15"),
        ("Insights", words.count(scores["insights"]), "3"),
        ("Claims that name evidence", f"{words.percent(scores['coverage'])} of {scores['claims']}", "80%"),
    ]
    if "engagement" in scores:
        rows += [
            ("Syntheses whose sides name each other's evidence", words.percent(scores["engagement"]), ""),
            ("Insights that no single item of evidence states", words.percent(scores["novelty"]), ""),
            ("Items of evidence for 1,000 words", f"{scores['density']:.1f}", ""),
        ]
    blocks: list[Block] = [Table(("Criterion", "Score", "Least"), rows)]
    if record["bundle"]:
        said = f"The {len(record['evidence'])} items of evidence were frozen before the text was written."
        blocks.append(Line(f"{said} SHA-256 of the bundle: {record['bundle']}"))
    return blocks
