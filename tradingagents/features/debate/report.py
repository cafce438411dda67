"""The report of a debate: verdict first, then statements, rebuttals, evidence; its summary; answers about it."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.debate.agents.debate_rules import band_of
from tradingagents.features.debate.agents.statements import (
    breaker_line,
    case_text,
    conviction_line,
    opening_key,
    rebuttal_key,
)
from tradingagents.features.debate.schemas import (
    SIDES,
    DebateCase,
    DebateEvidence,
    DebateQuestionRecord,
    DebateRecord,
    DebateSide,
    DebateVerdict,
)
from tradingagents.files.plain_text import one_line
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.blocks import how_it_ran, warnings_on_page, what_it_rests_on
from tradingagents.reports.document import (
    Block,
    Bullets,
    Document,
    File,
    Heading,
    Line,
    Masthead,
    Prose,
    Section,
    Table,
    one_line_of_markdown,
)

_ENDINGS = {
    "failed": "This debate is partial: it failed.",
    "budget": "This debate is partial: it used up its budget and stopped.",
    "interrupted": "This debate is partial: it was interrupted.",
    "awaiting_approval": "The debate waits for the user's hints.",
    "no_answer": "The debate ended without a verdict.",
}
NAMES = {"bull": "Bull", "bear": "Bear"}


def debate_document(record: DebateRecord) -> Document:
    """Return the full report of a debate; missing parts are left out, and a partial debate says so at the top."""
    said = record.reports
    openings: list[Block] = []
    for side in SIDES:
        if text := said.get(opening_key(side)):
            openings += [Heading(NAMES[side]), Prose(text)]
    files = [
        File(f"{key}.md", key.replace("_", " ").capitalize(), [Prose(text, under=1)]) for key, text in said.items()
    ]
    return Document(
        title=_title(record),
        facts=_facts(record),
        masthead=_masthead(record, "Debate", record.ticker),
        market_note=market_note(record),
        notice=_notice(record),
        sections=[
            Section(
                "Verdict", [Prose(said["verdict"], under=2)] if "verdict" in said else [], id="verdict", menu="Verdict"
            ),
            warnings_on_page(record.warnings),
            Section("Opening statements", openings, id="openings", menu="Openings"),
            *[_round(record, number) for number in range(1, record.rounds + 1)],
            Section("Hints of the user", _hints(record)),
            Section("Evidence", _evidence(record.evidence), id="evidence", menu="Evidence"),
            *what_it_rests_on(record),
            *how_it_ran(record.warnings, record.usage, record.timing, "debate"),
        ],
        files=files,
    )


def debate_summary(record: DebateRecord) -> Document:
    """Return the debate on a page: conviction, thesis-breaker, contentions and the points of both sides."""
    return Document(
        title=_title(record),
        facts=_facts(record),
        masthead=_masthead(record, "Debate", record.ticker),
        market_note=market_note(record),
        notice=_notice(record),
        sections=[
            Section("Verdict", _verdict_in_short(record)),
            *[Section(f"Case of the {side}", _case(record, side)) for side in SIDES],
        ],
    )


def debate_question_document(record: DebateQuestionRecord) -> Document:
    """Return the report of an answer to a question about a debate."""
    question = one_line(record.question)
    return Document(
        title=question,
        facts=[
            ("Question", question),
            ("Debate", record.debate),
            ("Company", record.ticker),
            ("Day", record.as_of),
            ("Run", record.run_id),
        ],
        masthead=_masthead(record, "Question about a debate", question),
        market_note=market_note(record),
        notice=_notice(record),
        sections=[
            Section("Answer", [Prose(record.answer, under=2)] if record.answer else [], id="answer"),
            warnings_on_page(record.warnings),
            *how_it_ran(record.warnings, record.usage, record.timing, "answer"),
        ],
        files=[File("answer.md", question, [Prose(record.answer, under=1)])] if record.answer else [],
    )


def _title(record: DebateRecord) -> str:
    return f"Debate on {record.ticker}, {record.as_of}"


def _facts(record: DebateRecord) -> list[tuple[str, str]]:
    return [
        ("Company", record.ticker),
        ("Day", record.as_of),
        ("Cut-off", f"{words.cutoff(record)}: nothing later was read"),
        ("Statements", record.annual_filing),
        ("Rebuttals a side", str(record.rounds)),
        ("Written by", "fixed rules, no language model" if record.written_by == "rules" else "language models"),
        ("Run", record.run_id),
    ]


def _masthead(record: DebateRecord | DebateQuestionRecord, eyebrow: str, heading: str) -> Masthead:
    return Masthead(
        title=f"{eyebrow}: {heading}",
        eyebrow=eyebrow,
        heading=heading,
        detail=record.ticker,
        facts=[("Day", record.as_of), ("Cut-off", words.cutoff(record))],
        identity=f"Run {record.run_id}",
        versions=record.versions,
    )


def _notice(record: DebateRecord | DebateQuestionRecord) -> str | None:
    ending = _ENDINGS.get(record.status)
    return f"{ending} {record.error}".rstrip() if ending else None


def _round(record: DebateRecord, number: int) -> Section:
    blocks: list[Block] = []
    for side in SIDES:
        if text := record.reports.get(rebuttal_key(side, number)):
            blocks += [Heading(NAMES[side]), Prose(text)]
    title = f"Rebuttals {number}" if record.rounds > 1 else "Rebuttals"
    return Section(title, blocks, id=f"rebuttals-{number}", menu=title)


def _hints(record: DebateRecord) -> list[Block]:
    lines = [f"{NAMES[hint.side]} ({hint.phase}): {one_line(hint.text)}" for hint in record.hints]
    return [Bullets(lines)] if lines else []


def _evidence(evidence: Sequence[DebateEvidence]) -> list[Block]:
    if not evidence:
        return []
    tools = [
        (fact.id, fact.title, fact.capability, " and ".join(fact.asked_by), fact.failure or "answered")
        for fact in evidence
    ]
    figures = [
        (fact.id, fact.symbol or "market", metric_label(figure.name), figure.shown, fact.as_of)
        for fact in evidence
        for figure in fact.figures
    ]
    found: list[Block] = [Table(("Id", "Evidence", "Tool", "Gathered by", "Result"), tools)]
    return [*found, Table(("Id", "Company", "Figure", "Value", "As of"), figures)] if figures else found


def _verdict_in_short(record: DebateRecord) -> list[Block]:
    if not record.verdict:
        return []
    verdict = DebateVerdict.model_validate(record.verdict)
    band = band_of(verdict.conviction)
    contentions = [
        (contention.question, contention.leans, ", ".join(contention.evidence), one_line(contention.why))
        for contention in verdict.contentions
    ]
    blocks: list[Block] = [
        Line(f"**Conviction {verdict.conviction} of 10 ({band}).** {one_line_of_markdown(conviction_line(verdict))}"),
        Line(f"**Thesis-breaker.** {one_line_of_markdown(breaker_line(verdict))}"),
        Table(("Contention", "Leans", "Evidence", "Why"), contentions),
    ]
    for title, lines in (("Consensus", verdict.consensus), ("Factual discrepancies", verdict.discrepancies)):
        if lines:
            blocks += [Line(f"**{title}**"), Bullets(lines)]
    return blocks


def _case(record: DebateRecord, side: DebateSide) -> list[Block]:
    given = record.cases.get(side)
    if not given:
        return []
    return [Prose(case_text(DebateCase.model_validate(given), side), under=2)]
