"""`tradingagents research`: plans, carries out and judges research on a question, then answers it with sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, limits_of, read_both
from ..request import DateArgument, DateOption, one_day, read_day

if TYPE_CHECKING:
    from collections.abc import Mapping


QUESTION, WAITING = options.HelpPanel("Question"), options.HelpPanel("A run that waits")


@with_options(options.RESEARCH, lambda given: {"question": given["question"]})
def research(
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="In plain words.")] = None,
    day: DateArgument = None,
    date_option: DateOption = None,
    session: Annotated[
        str | None,
        QUESTION.option("--session ID", "Reuse what was researched in this session or conversation, and add to it."),
    ] = None,
    max_iterations: Annotated[int, QUESTION.option("--max-iterations", "Plans at most.", min=1, max=5)] = 5,
    approve_plan: Annotated[bool, QUESTION.option("--approve-plan", "Wait for approval of the plan.")] = False,
    plain: Annotated[bool, QUESTION.option("--plain", "Print progress as lines, without redrawing.")] = False,
    resume: Annotated[str | None, WAITING.option("--resume RUN", "Resume this run instead of asking.")] = None,
    ask: Annotated[str | None, QUESTION.option("--ask RUN", "Answer from this run, which has ended.")] = None,
    answer: Annotated[str | None, WAITING.option("--answer TEXT", "Answer what the run asks back.")] = None,
    approve: Annotated[bool, WAITING.option("--approve", "Approve its plan.")] = False,
    revise: Annotated[str | None, WAITING.option("--revise NOTE", "Have it plan anew, with this note.")] = None,
    plan: Annotated[Path | None, WAITING.option("--plan FILE", "Carry out the plan in this file.")] = None,
    write_plan: Annotated[
        Path | None, WAITING.option("--write-plan FILE", "Write its plan to a file, to be edited.")
    ] = None,
    export: Annotated[
        Path | None,
        QUESTION.option("--export FILE", "Also write the report to this file; its ending is md, html, pdf or xlsx."),
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Research a question: see the plan, the tasks and the reason to stop, and get an answer with its sources."""
    from ..research_session import ResearchSession
    from ..run_answer import print_run_answer

    if (question is None) == (resume is None):
        raise UsageError('Write a question, such as tradingagents research "Is VELQ cheap?", or --resume RUN.')
    settings, environ = read_both(flags)
    if ask is not None:
        return print_run_answer(settings, terminal, ask, question or "")
    draft = flags.stream_tokens is not False
    work = ResearchSession(settings, environ, terminal, plain=plain, draft=draft, export=export)
    if resume is None and write_plan is not None:
        raise UsageError("Say with --resume RUN whose plan is written.")
    if resume is not None:
        said = _said(answer, approve, revise, plan, write_plan)
        return (
            work.resume(resume, said, limits_of(flags)) if write_plan is None else work.write_plan(resume, write_plan)
        )
    with terminal.loading():
        from tradingagents.features.research.run import ResearchRequest

        from ..session_choice import session_and_day

        belongs, as_of = session_and_day(settings, environ, session, read_day(one_day(day, date_option)))
        request = ResearchRequest(
            question=question or "",
            day=as_of,
            session=belongs,
            approve_plan=approve_plan,
            max_iterations=max_iterations,
        )
    return work.start(request)


def _said(
    answer: str | None, approve: bool, revise: str | None, plan: Path | None, write_plan: Path | None
) -> Mapping[str, Any] | None:
    """Return what the user says to a run that waits; None where nothing is said."""
    given = [one for one in (answer, revise, plan, write_plan) if one is not None]
    if len(given) + approve > 1:
        raise UsageError("Give one of --answer, --approve, --revise, --plan and --write-plan.")
    if answer is not None:
        return {"text": answer}
    if revise is not None:
        return {"verdict": "revise", "note": revise}
    if plan is not None:
        from ..plan_file import read_plan

        return {"verdict": "approve", "plan": read_plan(plan).model_dump(mode="json")}
    return {"verdict": "approve"} if approve else None
