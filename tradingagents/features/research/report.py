"""The report of a research run: the answer first, then how it was found: plan, tasks, figures, reflections."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.research.schemas import IterationNote, ResearchRecord, TaskResultRecord
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
)

_ENDINGS = {
    "failed": "This is a partial answer: the research failed.",
    "budget": "This is a partial answer: the research used up its budget and stopped.",
    "interrupted": "This is a partial answer: the research was interrupted.",
    "awaiting_approval": "The research waits for the user.",
}


def research_document(record: ResearchRecord) -> Document:
    """Return the report of a research run; missing parts are left out, and a partial answer says so at the top."""
    cutoff, question = words.cutoff(record), one_line(record.question)
    tickers = ", ".join(record.understanding.get("tickers", ())) or "none named"
    return Document(
        title=question,
        facts=[
            ("Question", question),
            ("Companies", tickers),
            ("Day", record.as_of),
            ("Cut-off", f"{cutoff}: nothing later was read"),
            ("Run", record.run_id),
        ],
        masthead=Masthead(
            title=question,
            eyebrow="Research",
            heading=question,
            detail=tickers,
            facts=[("Day", record.as_of), ("Cut-off", cutoff)],
            identity=f"Run {record.run_id}",
            versions=record.versions,
        ),
        market_note=market_note(record),
        notice=_notice(record),
        sections=[
            Section("Answer", [Prose(record.answer, under=2)] if record.answer else [], id="answer", menu="Answer"),
            Section("Not found", [Bullets(record.missing)] if record.missing else []),
            warnings_on_page(record.warnings),
            *[_iteration(note, record.tasks) for note in record.iterations],
            Section("Figures", _figures(record.tasks), id="figures", menu="Figures"),
            *what_it_rests_on(record),
            *how_it_ran(record.warnings, record.usage, record.timing, "research"),
        ],
        files=[File("answer.md", question, [Prose(record.answer, under=1)])] if record.answer else [],
    )


def _notice(record: ResearchRecord) -> str | None:
    ending = _ENDINGS.get(record.status)
    return f"{ending} {record.error}".rstrip() if ending else None


def _iteration(note: IterationNote, tasks: Sequence[TaskResultRecord]) -> Section:
    """Return one round: its plan with what each task found, and why the research went on or ended."""
    number = note.number
    blocks: list[Block] = [Prose(str(note.plan.get("summary", "")), under=2)]
    for task in tasks:
        if task.iteration == number:
            blocks += [
                Heading(f"{task.task_id}: {task.description} ({task.status})"),
                Prose(task.findings or task.note),
            ]
    verdict = "Complete" if note.is_complete else "Incomplete"
    blocks.append(Line(f"**{verdict}.** {one_line(note.reasoning)}"))
    return Section(f"Iteration {number}", blocks, id=f"iteration-{number}", menu=f"Iteration {number}")


def _figures(tasks: Sequence[TaskResultRecord]) -> list[Block]:
    rows = dict.fromkeys(
        (fact.symbol or "market", metric_label(figure.name), figure.shown, fact.title, fact.as_of)
        for task in tasks
        for fact in task.facts
        for figure in fact.figures
    )
    return [Table(("Company", "Figure", "Value", "From", "As of"), list(rows))] if rows else []
