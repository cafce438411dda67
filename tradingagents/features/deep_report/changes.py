"""Compares two stored deep reports of one company."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from tradingagents.errors import UsageError
from tradingagents.features.deep_report.kind import DEEP_REPORT
from tradingagents.features.deep_report.report.changes import report_changes
from tradingagents.features.deep_report.report.valuation_blocks import DRIVERS, change
from tradingagents.features.deep_report.schemas.report_changes import ComparedReport, ReportChanges
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.files.plain_text import clean, one_line
from tradingagents.reports import formatting as words
from tradingagents.reports.document import Block, Bullets, Document, Heading, Line, Masthead, Section, Table
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.runtime.runs.run_folder import NoSuchRun
from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex

ChangesFormat = Literal["json", "md", "html", "pdf"]
CHANGES_FORMATS: tuple[ChangesFormat, ...] = get_args(ChangesFormat)


_CHANGES = {"changed": "Changed", "new": "New", "gone": "No longer cited"}
_STATUS = {
    "": "not stated",
    "validated": "supported",
    "rejected": "not supported",
    "exhausted": "undecided",
    "uncertain": "not researched",
    "open": "undecided",
}


def compare_reports(home: str | Path, run: str, other: str) -> ReportChanges:
    """Return what changed between two deep reports of one company, and why; the earlier day comes first.

    Args:
        home: The home folder.
        run: Id of a run, or its beginning.
        other: Id of the other run, or its beginning.

    Raises:
        NoSuchRun: There is no such run, or it has no report yet.
        UsageError: A run is no deep report, or they are on different companies, or the same.
    """
    index = RunIndex(Path(home).expanduser())
    return changes_of(index.find(run), index.find(other))


def changes_of(run: IndexedRun, other: IndexedRun) -> ReportChanges:
    """Return what changed between two stored deep reports. Raises as `compare_reports` does."""
    return report_changes(_record(run), _record(other))


def changes_file(found: ReportChanges, name: ChangesFormat) -> bytes:
    """Return a comparison as Markdown, HTML, PDF or JSON.

    Raises:
        ConfigurationError: The extra `pdf` is not installed.
    """
    if name == "json":
        from tradingagents.valuation.canonical import canonical_json

        return canonical_json(found.as_json()).encode()
    document = changes_document(found)
    if name == "md":
        from tradingagents.reports.render.markdown import to_markdown

        return harmless_markdown(to_markdown(document)).encode()
    if name == "html":
        from tradingagents.reports.render.html import to_html

        return clean(to_html(document)).encode()
    from tradingagents.reports.render.pdf import to_pdf

    return to_pdf(document)


def checked_changes_format(name: str) -> ChangesFormat:
    """Return a format by its name.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in CHANGES_FORMATS:
        raise UsageError(f"A comparison can be written as {', '.join(CHANGES_FORMATS)}, not as {name[:20]!r}.")
    return name


def _record(run: IndexedRun) -> DeepReportRecord:
    card = run.card()
    if card is None:
        raise NoSuchRun(f"{run.run_id} has no report yet; `tradingagents runs resume {run.run_id}` finishes it.")
    if card.get("kind") != DEEP_REPORT.name:
        raise UsageError(f"{run.run_id} is no deep report; `tradingagents report TICKER` writes one.")
    return DEEP_REPORT.read({**card, "run_id": run.run_id})


def changes_document(found: ReportChanges) -> Document:
    """Return the comparison as a document."""
    before, after = found.before, found.after
    heading = f"{one_line(found.name)} ({found.ticker})"
    facts = [
        ("Company", heading),
        ("Earlier report", f"{before.as_of}, {before.run_id}"),
        ("Later report", f"{after.as_of}, {after.run_id}"),
    ]
    return Document(
        title=f"What changed: {heading}",
        facts=facts,
        masthead=Masthead(
            title=f"{found.ticker}: what changed",
            eyebrow="Two deep reports side by side",
            heading=heading,
            detail=f"{before.as_of} to {after.as_of}",
            facts=[("Earlier", before.as_of), ("Later", after.as_of)],
            identity=f"Runs {before.run_id} and {after.run_id}",
        ),
        sections=[
            Section("What changed and why", [Bullets(found.why)], id="why", menu="Why"),
            Section("Side by side", _sides(found), id="sides", menu="Side by side"),
            Section("Value", _value(found), id="value", menu="Value"),
            Section("Hypotheses", _hypotheses(found), id="hypotheses", menu="Hypotheses"),
            Section("Evidence", _evidence(found), id="evidence", menu="Evidence"),
            Section("Between the two days", _between(found), id="between", menu="Between"),
        ],
    )


def _sides(found: ReportChanges) -> list[Block]:
    before, after = found.before, found.after
    rows = [
        ("Rating", before.rating or "not rated", after.rating or "not rated"),
        ("Price", *(words.price(report.price) for report in (before, after))),
        ("Value from data alone", *(words.price(report.base_value) for report in (before, after))),
        ("Value with the evidence", *(words.price(report.value_per_share) for report in (before, after))),
        ("Expected value", *(words.price(report.expected_value) for report in (before, after))),
        ("Against the price", *(_upside(report) for report in (before, after))),
        ("Confidence", *(words.percent(report.confidence) for report in (before, after))),
        ("Quality, of 10", *(f"{report.quality:.1f}" for report in (before, after))),
    ]
    money = after.currency or before.currency
    return [Table((f"{money} a share" if money else "", before.as_of, after.as_of), rows)]


def _upside(report: ComparedReport) -> str:
    return words.change(None if report.upside is None else 100 * report.upside)


def _value(found: ReportChanges) -> list[Block]:
    blocks: list[Block] = []
    if value := found.value:
        rows = [
            ("Prices, statements and rates", f"{value.data:+,.2f}"),
            ("Evidence", f"{value.evidence:+,.2f}"),
            ("Scenarios and probabilities", f"{value.scenarios:+,.2f}"),
            ("Expected value", f"{value.total:+,.2f}"),
        ]
        blocks.append(Table(("By", f"Change, {found.after.currency} a share"), rows))
    if found.data:
        blocks += [
            Heading("What the data move"),
            Line(
                "Inputs are replaced one group after the other, in this order; another order would share it otherwise."
            ),
            Table(("Inputs", "Change"), [(group.name, f"{group.change:+,.2f}") for group in found.data]),
        ]
    days = found.before.as_of, found.after.as_of
    if found.drivers:
        drivers = [
            (DRIVERS[moved.driver], change(moved.driver, moved.before), change(moved.driver, moved.after))
            for moved in found.drivers
        ]
        blocks += [Heading("What the evidence moves"), Table(("Driver", *days), drivers)]
    if found.scenarios:
        cases = [
            (
                case.name,
                words.percent(case.probability_before, 1),
                words.percent(case.probability_after, 1),
                words.price(case.value_before),
                words.price(case.value_after),
            )
            for case in found.scenarios
        ]
        head = ("Scenario", *(f"Probability, {day}" for day in days), *(f"Value, {day}" for day in days))
        blocks += [Heading("Scenarios"), Table(head, cases)]
    if found.inputs:
        inputs = [
            (label(given.name), given.before or "none", given.after or "none", given.source) for given in found.inputs
        ]
        blocks += [Heading("Inputs of the base case that differ"), Table(("Input", *days, "Source"), inputs)]
    return blocks


def _hypotheses(found: ReportChanges) -> list[Block]:
    if not found.hypotheses:
        return [Line("Every hypothesis stands as before.")]
    rows = [
        (
            one_line(hypothesis.title),
            _STATUS.get(hypothesis.status_before, hypothesis.status_before),
            _STATUS.get(hypothesis.status_after, hypothesis.status_after),
            words.percent(hypothesis.confidence_before),
            words.percent(hypothesis.confidence_after),
        )
        for hypothesis in found.hypotheses
    ]
    return [Table(("Hypothesis", "Before", "Now", "Confidence before", "Now"), rows)]


def _evidence(found: ReportChanges) -> list[Block]:
    same = found.unchanged_evidence
    first = Line(
        f"{same} item{'' if same == 1 else 's'} of evidence {'is' if same == 1 else 'are'} the same in both reports."
    )
    rows = [
        (
            _CHANGES[item.change],
            item.label,
            item.claim,
            item.before,
            f"{item.direction} (before: {item.direction_before})"
            if item.direction_before not in ("", item.direction)
            else item.direction,
            f"{item.source}, {item.known_at}",
        )
        for item in found.evidence
    ]
    head = ("Change", "Label", "Claim", "Before", "Direction", "Source")
    return [first, *([Table(head, rows)] if rows else [])]


def _between(found: ReportChanges) -> list[Block]:
    rows = [(event.day, event.text) for event in found.events]
    if not rows:
        return [Line("No results, filings, dividends or splits are known between the two days.")]
    return [Table(("Day", "What became known"), rows)]
