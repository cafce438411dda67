"""What stands below an answer by rule: what was not found, and the sources. The answer of a run that stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tradingagents.features.research.agents.states import ResearchState
from tradingagents.features.research.graph.tasks import key_of
from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.files.plain_text import one_line
from tradingagents.runtime.records.facts import source_of
from tradingagents.schemas.facts import AnsweredQuestion, FactRecord

NOTE_CHARS = 200
"""Characters of the reason why something is missing."""


def with_sources(text: str, sources: Sequence[str], missing: Sequence[str], note: str = "") -> str:
    """Return an answer with a note on it, the list of what was not found, and its sources last."""
    parts = [text, *([note] if note else [])]
    if missing:
        parts.append(f"**Not found:** {'; '.join(one_line(each).rstrip('.') for each in missing)}.")
    if sources:
        parts.append(f"---\nSources: {', '.join(f'[{name}]' for name in sources)}")
    return "\n\n".join(parts)


def source_names(results: Iterable[TaskResultRecord]) -> list[str]:
    """Return the sources as the answer names them: each task with what its tools answered, filings with their pages."""
    named: list[str] = []
    for result in results:
        sources = dict.fromkeys(source_of(fact) for fact in result.facts if not fact.failure)
        if result.status == "completed" and sources:
            task = result.task_id if result.iteration == 1 else f"{result.task_id} of iteration {result.iteration}"
            named.append(f"{task}: {'; '.join(sources)}")
    return named


def session_sources(
    history: Sequence[AnsweredQuestion], tickers: Sequence[str], results: Sequence[TaskResultRecord], text: str
) -> list[str]:
    """Return the sources of earlier questions of the session that an answer uses, each with its day and run.

    Used are those on a company of which this run has gathered nothing, and those of a figure that stands in the answer
    and in no tool answer of this run.
    """
    own = [fact for result in results for fact in result.facts if not fact.failure]
    gathered, shown = {fact.symbol for fact in own}, set(_shown(own))
    asked = set(tickers) - gathered
    named: dict[str, None] = {}
    for earlier in history:
        used = [
            fact
            for fact in earlier.facts
            if fact.symbol in asked or any(figure in text for figure in set(_shown([fact])) - shown)
        ]
        if used:
            where = f"earlier in this session, as of {earlier.as_of}, run {earlier.run_id}"
            named[f"{where}: {'; '.join(dict.fromkeys(map(source_of, used)))}"] = None
    return list(named)


def missing_from(state: ResearchState, judged: Sequence[str] | None = None) -> list[str]:
    """Return what an answer lacks: what the reflection misses, then the tasks of the last plan without a result.

    Args:
        state: The run's state.
        judged: What the reflection misses; None: what the one before said.
    """
    iterations, number = state.get("iterations") or [], state.get("iteration", 0)
    said = judged if judged is not None else iterations[-1].missing_info if iterations else ()
    found = (state.get("results") or {}).values()
    lost = (result for result in found if result.iteration == number and result.status != "completed")
    return list(dict.fromkeys([*said, *map(without_result, lost)]))


def not_carried_out(state: ResearchState, results: Iterable[TaskResultRecord]) -> Iterator[str]:
    """Yield the tasks of the present plan that a run which stopped has not ended."""
    ended, number = {result.key for result in results}, state.get("iteration", 0)
    for task in (state.get("plan") or {}).get("tasks", ()):
        if key_of(number, task["id"]) not in ended:
            yield f"{one_line(task['description'])} (not carried out)"


def without_result(task: TaskResultRecord) -> str:
    """Return a task that failed or was skipped, with the reason."""
    note = one_line(task.note)
    return f"{one_line(task.description)} ({note if len(note) <= NOTE_CHARS else f'{note[:NOTE_CHARS]}…'})"


def partial_answer(results: Sequence[TaskResultRecord], missing: Sequence[str]) -> str:
    """Return what a run that ended early has found, and what it lacks; empty where it found nothing."""
    done = [result for result in results if result.status == "completed"]
    if not done:
        return ""
    parts = ["The research ended before an answer was written. This was found:"]
    parts += [f"**{result.description}**\n\n{result.findings}" for result in done]
    return with_sources("\n\n".join(parts), source_names(results), missing)


def _shown(facts: Iterable[FactRecord]) -> Iterator[str]:
    """Yield figures as written; those of one or two characters say nothing about their source."""
    return (figure.shown for fact in facts for figure in fact.figures if len(figure.shown) > 2)
