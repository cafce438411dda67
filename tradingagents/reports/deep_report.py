"""The deep report as a document: summary, thesis, valuation by evidence, scenarios, hypotheses, evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.plain_text import one_line
from tradingagents.reports import formatting as words
from tradingagents.reports.blocks import how_it_ran, warnings_on_page, what_it_rests_on
from tradingagents.reports.contradictions import contradictions_section
from tradingagents.reports.document import (
    Block,
    Bullets,
    Document,
    Heading,
    Line,
    Masthead,
    Notice,
    Prose,
    Section,
    Table,
    one_line_of_markdown,
)
from tradingagents.reports.falsifiers import falsifier_blocks
from tradingagents.reports.valuation_sheets.inputs import label
from tradingagents.schemas.thesis import (
    WHOLE,
    DeepReportRecord,
    HypothesisRecord,
    NarrativeSectionRecord,
    SynthesisRecord,
    ThesisIteration,
    ThesisValuation,
)

_ENDINGS = {
    "failed": "This is a partial report: the run failed.",
    "budget": "This is a partial report: the run used up its budget and stopped.",
    "interrupted": "This is a partial report: the run was interrupted.",
    "no_answer": "No evidence was found.",
}
_STOPPED = {
    "confidence": "the confidence of the whole reached its bound",
    "max_iterations": "the most iterations were made",
    "no_material_hypotheses": "no hypothesis of high or medium impact was open",
    "budget_level": "most of the budget was used",
}
_DRIVERS = {
    "growth": "growth of revenue",
    "margin": "operating margin",
    "cost_of_capital": "cost of capital",
    "capital_intensity": "capital intensity",
}
BELOW = "This report is below the standard of its rubric: "


def deep_report_document(record: DeepReportRecord) -> Document:
    """Return the report of a run; missing parts are left out, and one below the standard says so at the top."""
    cutoff = words.instant(record["cutoff"])
    name = one_line(record["name"])
    heading = f"{name} ({record['ticker']})"
    rating = record["rating"] or "not rated"
    return Document(
        title=f"Deep report: {heading}",
        facts=[
            ("Company", heading),
            ("Rating", rating),
            ("Day", record["as_of"]),
            ("Cut-off", f"{cutoff}: nothing later was read"),
            ("Evidence", f"{len(record['evidence'])} items, SHA-256 {record['bundle']}" if record["bundle"] else ""),
            ("Run", record["run_id"]),
        ],
        masthead=Masthead(
            title=f"{record['ticker']} deep report",
            eyebrow="Deep report",
            heading=heading,
            detail=rating,
            facts=[("Day", record["as_of"]), ("Cut-off", cutoff)],
            identity=f"Run {record['run_id']}",
            versions=record.get("versions", {}),
        ),
        notice=_notice(record),
        sections=[
            Section("Summary", _summary(record), id="summary", menu="Summary"),
            warnings_on_page(record["warnings"]),
            *[_written(one) for one in record["sections"]],
            Section("Valuation", _valuation(record), id="valuation", menu="Valuation"),
            Section("Hypotheses", _hypotheses(record["hypotheses"]), id="hypotheses", menu="Hypotheses"),
            Section("Both sides", _syntheses(record), id="dialectic", menu="Both sides"),
            contradictions_section(record),
            Section("Iterations", _iterations(record["iterations"]), id="iterations", menu="Iterations"),
            Section("Quality", _quality(record), id="quality", menu="Quality"),
            Section("Evidence", _evidence(record["evidence"]), id="evidence", menu="Evidence"),
            *what_it_rests_on(record, None),
            *how_it_ran(record["warnings"], record["usage"], record["timing"], "report"),
        ],
    )


def report_text(record: DeepReportRecord) -> str:
    """Return the narrative as Markdown with the ids of its evidence; empty where none was written."""
    return "\n\n".join(
        "\n\n".join([f"## {section['name']}", *(_cited(one["text"], one["evidence"]) for one in section["paragraphs"])])
        for section in record["sections"]
    )


def _cited(text: str, evidence: Sequence[str]) -> str:
    return f"{text} [{', '.join(evidence)}]" if evidence else text


def _notice(record: DeepReportRecord) -> str | None:
    if ending := _ENDINGS.get(record["status"]):
        return f"{ending} {record.get('error', '')}".rstrip()
    shortfalls = record["scores"]["shortfalls"]
    return f"{BELOW}{'; '.join(shortfalls)}." if shortfalls else None


def _summary(record: DeepReportRecord) -> list[Block]:
    value = record["valuation"]
    lines = [f"**Rating:** {record['rating'] or 'none'}"]
    if value is not None:
        low, high = (pick(one["value_per_share"] for one in value["scenarios"]) for pick in (min, max))
        lines += [
            f"**Expected value:** {_money(value, value['expected_value'])} ({words.percent(value['upside'], 1)})",
            f"**Price:** {_money(value, value['price'])} on {value['price_day']}",
            f"**Range of scenarios:** {_money(value, low)} to {_money(value, high)}",
        ]
    else:
        lines.append(f"**No valuation:** {one_line_of_markdown(record['no_valuation'] or 'the run ended before it')}")
    lines.append(
        f"**Confidence:** {words.percent(record['confidence'])} after {len(record['iterations'])} iterations"
        + (f"; research ended because {_STOPPED[record['stopped']]}" if record["stopped"] in _STOPPED else "")
    )
    thesis = [
        f"{one_line(one['title'])}: {one['status']}, confidence {words.percent(one['confidence'])}"
        for one in sorted(record["hypotheses"], key=lambda one: -one["confidence"])[:5]
    ]
    blocks: list[Block] = [Line(one) for one in lines]
    return [*blocks, Heading("Thesis in five lines"), Bullets(thesis)] if thesis else blocks


def _written(section: NarrativeSectionRecord) -> Section:
    name = section["name"]
    blocks = [Prose(_cited(one["text"], one["evidence"]), under=2) for one in section["paragraphs"]]
    return Section(name, blocks, id=name.lower().replace(" ", "-"), menu=name)


def _valuation(record: DeepReportRecord) -> list[Block]:
    value = record["valuation"]
    if value is None:
        return [Notice(record["no_valuation"])] if record["no_valuation"] else []
    scenarios = [
        (one["name"], words.percent(one["probability"], 1), _money(value, one["value_per_share"]))
        for one in value["scenarios"]
    ]
    bars = [
        (label(one["driver"]), _optional(value, one["low"]), _optional(value, one["high"]))
        for one in value["sensitivity"]
    ]
    needs = [
        (label(one["driver"]), _level(one["driver"], one["base_level"]), _level(one["driver"], one["level"]))
        for one in value["price_needs"]
    ]
    inputs = [(label(one["name"]), str(one["shown"]), str(one["source"])) for one in value["assumptions"]]
    return [
        *_moved(value, {one["id"]: one["claim"] for one in record["evidence"]}),
        Heading("Scenarios"),
        Table(("Scenario", "Probability", "Value per share"), scenarios),
        Heading("Sensitivity"),
        Table(("Driver", "Low", "High"), bars),
        Heading("What the price needs"),
        Table(("Driver", "In this report", "For the price"), needs),
        Heading("Inputs of the base case"),
        Table(("Input", "Value", "Source"), inputs),
    ]


def _moved(value: ThesisValuation, claims: Mapping[str, str]) -> list[Block]:
    """Return what the evidence moves, item by item."""
    steps = [
        (
            step["item"],
            claims.get(step["item"], ""),
            _DRIVERS[step["driver"]],
            _change(step["driver"], step["asked"]),
            _change(step["driver"], step["weighted"]),
            f"{step['value_effect']:+.2f}",
        )
        for step in value["steps"]
    ]
    blocks: list[Block] = [
        Line(
            f"The base case from data is worth {_money(value, value['base_value'])} per share; with the evidence it is "
            f"{_money(value, value['value_per_share'])}. Items of evidence that move a driver: {len(steps)}."
        )
    ]
    if steps:
        head = ("Evidence", "Claim", "Driver", "Change", "Used", "Value per share")
        blocks += [Heading("What the evidence moves"), Table(head, steps)]
    if abs(value["interaction"]) >= 0.005:
        blocks.append(Line(f"Drivers acting on each other, and limits: {value['interaction']:+.2f} per share."))
    if value["limited_drivers"]:
        named = ", ".join(_DRIVERS[one] for one in value["limited_drivers"])
        blocks.append(Line(f"The sum of all changes was limited for: {named}."))
    return blocks


def _hypotheses(found: Sequence[HypothesisRecord]) -> list[Block]:
    blocks: list[Block] = []
    for one in found:
        blocks += [
            Heading(one_line(one["title"])),
            Prose(one["thesis"]),
            Line(
                f"{one['id']}: impact {one['impact']}, {one['status']}, confidence {words.percent(one['confidence'])}"
            ),
            *falsifier_blocks(one),
        ]
    return blocks


def _syntheses(record: DeepReportRecord) -> list[Block]:
    titles = {WHOLE: "the report as a whole", **{one["id"]: one["title"] for one in record["hypotheses"]}}
    return [block for one in record["syntheses"] for block in _synthesis(one, titles)]


def _synthesis(one: SynthesisRecord, titles: Mapping[str, str]) -> list[Block]:
    likely = ", ".join(f"{name} {words.percent(share, 1)}" for name, share in one["probabilities"].items())
    return [
        Heading(f"Iteration {one['iteration']}: {one_line(titles.get(one['hypothesis'], one['hypothesis']))}"),
        Line("**Bull case**"),
        Prose(one["bull_case"]),
        Line("**Bear case**"),
        Prose(one["bear_case"]),
        Line("**Synthesis**"),
        Prose(one["synthesis"]),
        Bullets(one["insights"]),
        Line(f"Probabilities: {likely}."),
    ]


def _iterations(found: Sequence[ThesisIteration]) -> list[Block]:
    rows = [
        (
            str(one["number"]),
            words.count(len(one["researched"])),
            words.count(len(one["new_items"])),
            words.count(len(one["dropped"])),
            words.count(len(one["contradictions"])),
            words.percent(one["confidence"]),
        )
        for one in found
    ]
    head = ("Iteration", "Hypotheses", "New evidence", "Refused", "Contradictions", "Confidence")
    return [Table(head, rows)] if rows else []


def _quality(record: DeepReportRecord) -> list[Block]:
    scores = record["scores"]
    rows = [
        ("Overall, of 10", f"{scores['overall']:.1f}"),
        ("Specificity, of 10", f"{scores['specificity']:.1f}"),
        ("Types of source", words.count(scores["diversity"])),
        ("Items of evidence", words.count(scores["items"])),
        ("Insights", words.count(scores["insights"])),
        ("Claims that name evidence", f"{words.percent(scores['coverage'])} of {scores['claims']}"),
    ]
    return [Table(("Criterion", "Score"), rows)]


def _evidence(items: Sequence[Mapping[str, Any]]) -> list[Block]:
    rows = [
        (
            one["id"],
            one["claim"],
            one["quote"],
            ", ".join(part for part in (one["source"]["title"], one["source"]["place"]) if part),
            one["source"]["known_at"][:10],
            one["direction"],
            words.percent(one["confidence"]),
        )
        for one in items
    ]
    head = ("Evidence", "Claim", "Quotation", "Source", "Known", "Direction", "Confidence")
    return [Table(head, rows)] if rows else []


def _money(value: ThesisValuation, amount: float) -> str:
    return f"{amount:,.2f} {value['currency']}".rstrip()


def _optional(value: ThesisValuation, amount: float | None) -> str:
    return "n/a" if amount is None else _money(value, amount)


def _change(driver: str, change: float) -> str:
    return f"{100 * change:+.2f} %" if driver == "capital_intensity" else f"{100 * change:+.2f} points"


def _level(driver: str, level: float | None) -> str:
    if level is None:
        return "no level explains it"
    return f"{level:.2f}" if driver == "sales_to_capital" else f"{100 * level:.2f} %"
