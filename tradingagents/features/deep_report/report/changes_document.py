"""Two deep reports of one company side by side, as a document."""

from __future__ import annotations

from tradingagents.features.deep_report.report.valuation_blocks import DRIVERS, change
from tradingagents.features.deep_report.schemas.report_changes import ComparedReport, ReportChanges
from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.files.plain_text import one_line
from tradingagents.reports import formatting as words
from tradingagents.reports.document import Block, Bullets, Document, Heading, Line, Masthead, Section, Table

_CHANGES = {"changed": "Changed", "new": "New", "gone": "No longer cited"}
_STATUS = {
    "": "not stated",
    "validated": "supported",
    "rejected": "not supported",
    "exhausted": "undecided",
    "uncertain": "not researched",
    "open": "undecided",
}


def changes_document(found: ReportChanges) -> Document:
    """Return the comparison as a document."""
    before, after = found["before"], found["after"]
    heading = f"{one_line(found['name'])} ({found['ticker']})"
    facts = [
        ("Company", heading),
        ("Earlier report", f"{before['as_of']}, {before['run_id']}"),
        ("Later report", f"{after['as_of']}, {after['run_id']}"),
    ]
    return Document(
        title=f"What changed: {heading}",
        facts=facts,
        masthead=Masthead(
            title=f"{found['ticker']}: what changed",
            eyebrow="Two deep reports side by side",
            heading=heading,
            detail=f"{before['as_of']} to {after['as_of']}",
            facts=[("Earlier", before["as_of"]), ("Later", after["as_of"])],
            identity=f"Runs {before['run_id']} and {after['run_id']}",
        ),
        sections=[
            Section("What changed and why", [Bullets(found["why"])], id="why", menu="Why"),
            Section("Side by side", _sides(found), id="sides", menu="Side by side"),
            Section("Value", _value(found), id="value", menu="Value"),
            Section("Hypotheses", _hypotheses(found), id="hypotheses", menu="Hypotheses"),
            Section("Evidence", _evidence(found), id="evidence", menu="Evidence"),
            Section("Between the two days", _between(found), id="between", menu="Between"),
        ],
    )


def _sides(found: ReportChanges) -> list[Block]:
    before, after = found["before"], found["after"]
    rows = [
        ("Rating", before["rating"] or "not rated", after["rating"] or "not rated"),
        ("Price", *(words.price(one["price"]) for one in (before, after))),
        ("Value from data alone", *(words.price(one["base_value"]) for one in (before, after))),
        ("Value with the evidence", *(words.price(one["value_per_share"]) for one in (before, after))),
        ("Expected value", *(words.price(one["expected_value"]) for one in (before, after))),
        ("Against the price", *(_upside(one) for one in (before, after))),
        ("Confidence", *(words.percent(one["confidence"]) for one in (before, after))),
        ("Quality, of 10", *(f"{one['quality']:.1f}" for one in (before, after))),
    ]
    money = after["currency"] or before["currency"]
    return [Table((f"{money} a share" if money else "", before["as_of"], after["as_of"]), rows)]


def _upside(one: ComparedReport) -> str:
    return words.change(None if one["upside"] is None else 100 * one["upside"])


def _value(found: ReportChanges) -> list[Block]:
    blocks: list[Block] = []
    if value := found["value"]:
        rows = [
            ("Prices, statements and rates", f"{value['data']:+,.2f}"),
            ("Evidence", f"{value['evidence']:+,.2f}"),
            ("Scenarios and probabilities", f"{value['scenarios']:+,.2f}"),
            ("Expected value", f"{value['total']:+,.2f}"),
        ]
        blocks.append(Table(("By", f"Change, {found['after']['currency']} a share"), rows))
    if found["data"]:
        blocks += [
            Heading("What the data move"),
            Line(
                "Inputs are replaced one group after the other, in this order; another order would share it otherwise."
            ),
            Table(("Inputs", "Change"), [(one["name"], f"{one['change']:+,.2f}") for one in found["data"]]),
        ]
    days = found["before"]["as_of"], found["after"]["as_of"]
    if found["drivers"]:
        moved = [
            (DRIVERS[one["driver"]], change(one["driver"], one["before"]), change(one["driver"], one["after"]))
            for one in found["drivers"]
        ]
        blocks += [Heading("What the evidence moves"), Table(("Driver", *days), moved)]
    if found["scenarios"]:
        cases = [
            (
                one["name"],
                words.percent(one["probability_before"], 1),
                words.percent(one["probability_after"], 1),
                words.price(one["value_before"]),
                words.price(one["value_after"]),
            )
            for one in found["scenarios"]
        ]
        head = ("Scenario", *(f"Probability, {day}" for day in days), *(f"Value, {day}" for day in days))
        blocks += [Heading("Scenarios"), Table(head, cases)]
    if found["inputs"]:
        inputs = [
            (label(one["name"]), one["before"] or "none", one["after"] or "none", one["source"])
            for one in found["inputs"]
        ]
        blocks += [Heading("Inputs of the base case that differ"), Table(("Input", *days, "Source"), inputs)]
    return blocks


def _hypotheses(found: ReportChanges) -> list[Block]:
    if not found["hypotheses"]:
        return [Line("Every hypothesis stands as before.")]
    rows = [
        (
            one_line(one["title"]),
            _STATUS.get(one["status_before"], one["status_before"]),
            _STATUS.get(one["status_after"], one["status_after"]),
            words.percent(one["confidence_before"]),
            words.percent(one["confidence_after"]),
        )
        for one in found["hypotheses"]
    ]
    return [Table(("Hypothesis", "Before", "Now", "Confidence before", "Now"), rows)]


def _evidence(found: ReportChanges) -> list[Block]:
    same = found["unchanged_evidence"]
    first = Line(
        f"{same} item{'' if same == 1 else 's'} of evidence {'is' if same == 1 else 'are'} the same in both reports."
    )
    rows = [
        (
            _CHANGES[one["change"]],
            one["label"],
            one["claim"],
            one["before"],
            f"{one['direction']} (before: {one['direction_before']})"
            if one["direction_before"] not in ("", one["direction"])
            else one["direction"],
            f"{one['source']}, {one['known_at']}",
        )
        for one in found["evidence"]
    ]
    head = ("Change", "Label", "Claim", "Before", "Direction", "Source")
    return [first, *([Table(head, rows)] if rows else [])]


def _between(found: ReportChanges) -> list[Block]:
    rows = [(one["day"], one["text"]) for one in found["events"]]
    if not rows:
        return [Line("No results, filings, dividends or splits are known between the two days.")]
    return [Table(("Day", "What became known"), rows)]
