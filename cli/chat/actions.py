"""What the commands of a conversation do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from tradingagents.errors import UsageError

from ..text import one_line

if TYPE_CHECKING:
    from tradingagents.features.assistant.personas.persona import Persona
    from tradingagents.service.workspace.api import ReportFormat

    from .session import ChatSession

FORMATS: tuple[ReportFormat, ...] = ("md", "html", "pdf", "xlsx")
WHAT_WOULD_CHANGE = "What would change your mind?"
LISTED = 20
"""Conversations and tasks that are listed."""


async def research(chat: ChatSession, question: str) -> None:
    """Research a question within the conversation."""
    if not question:
        raise UsageError("Write a question behind it: /research Is VELQ cheap?")
    await chat.run_task("research", {"question": question, "stream_tokens": chat.drafts})


async def debate(chat: ChatSession, words: str) -> None:
    """Hold a debate on a company; `deep` and `coach` behind its ticker as the flags of the command."""
    ticker, *how = words.replace("--", "").split() or [""]
    if not ticker or not set(how) <= {"deep", "coach"}:
        raise UsageError("Write a ticker behind it: /debate VELQ; deep and coach may follow.")
    await chat.run_task("debate", {"ticker": ticker, "rounds": 2 if "deep" in how else 1, "coach": "coach" in how})


async def compare(chat: ChatSession, words: str) -> None:
    """Compare companies; `on` and topics may follow their tickers, as after the flag of the command."""
    tickers, _, topics = f" {words.replace('--on', 'on')} ".partition(" on ")
    companies = tickers.replace(",", " ").split()
    if len(companies) < 2:
        raise UsageError("Write two tickers behind it or more: /compare VELQ MODZ on margins,growth.")
    asked = {"tickers": companies, "topics": topics.replace(",", " ").split(), "stream_tokens": chat.drafts}
    await chat.run_task("compare", asked)


async def ask(chat: ChatSession, question: str) -> None:
    """Ask about the last research, debate or comparison of the conversation."""
    from .sources import last_researched

    run_id = await last_researched(chat.workspace, chat.session_id)
    if run_id is None:
        raise UsageError(
            "Nothing was researched in this conversation yet; /research, /debate and /compare make runs to ask about."
        )
    await chat.run_task("run_question", {"run": run_id, "question": question or WHAT_WOULD_CHANGE})


async def persona(chat: ChatSession, words: str) -> None:
    """List the personas, or ask one of them through the assistant."""
    known = await asyncio.to_thread(chat.personas)
    name, _, question = words.partition(" ")
    if not name:
        width = max(len(persona.name) for persona in known)
        chat.output.lines([f"{persona.name:<{width}}  {persona.title}: {one_line(persona.lens)}" for persona in known])
        return
    chosen = _persona_named(name, known)
    if not question.strip():
        raise UsageError(f"Write a question behind it: /persona {chosen.name} Should I look at VELQ?")
    await chat.answer(f"What would {chosen.title} say? {question.strip()}")


def _persona_named(name: str, known: tuple[Persona, ...]) -> Persona:
    from tradingagents.settings import nearest

    found = [persona for persona in known if name.lower() in (persona.name, *persona.name.split("_"))]
    if len(found) != 1:
        words = {word: persona.name for persona in known for word in (persona.name, *persona.name.split("_"))}
        near = nearest(name, words)
        hint = f"did you mean {words[near]}?" if near else "/persona lists them."
        raise UsageError(f"There is no persona {one_line(name)[:40]!r}; {hint}")
    return found[0]


async def export(chat: ChatSession, words: str) -> None:
    """Write the report of the last run, or of a named one, to a file in the working folder."""
    from tradingagents.runtime.runs.run_export import write_export
    from tradingagents.runtime.runs.run_index import RunIndex

    from .sources import last_run

    typed, _, named = words.partition(" ")
    form = next((choice for choice in FORMATS if choice == typed), None)
    if form is None:
        *some, last = (f"/export {choice}" for choice in FORMATS)
        raise UsageError(f"Write a format behind it: {', '.join(some)} or {last}; a run may follow.")
    run_id = await last_run(chat.workspace, chat.session_id)
    if named.strip():
        index = RunIndex(chat.workspace.settings.home_dir)
        run_id = (await asyncio.to_thread(index.find, named.strip())).run_id
    if run_id is None:
        raise UsageError("No run of this conversation has a report yet; /research makes one, or name a run behind it.")
    target = (Path.cwd() / f"{run_id}.{form}").absolute()
    if target.exists():
        raise UsageError(f"{target} is there already; move or remove it first.")
    content = await chat.workspace.export_run(run_id, form)
    await asyncio.to_thread(write_export, target, content)
    chat.output.lines([f"Wrote {target}"])


async def sources(chat: ChatSession, _: str) -> None:
    """List what the last answer rests on."""
    from .sources import sources_of

    chat.output.lines(await sources_of(chat.workspace, chat.session_id))


async def cost(chat: ChatSession, _: str) -> None:
    """Say what the conversation has used so far."""
    from ..live_render import spent_words

    spent = await chat.spending.total(chat.workspace, chat.session_id)
    chat.output.lines([f"This conversation so far: {spent_words(spent)}"])


async def tasks(chat: ChatSession, _: str) -> None:
    """List the tasks of the conversation."""
    from .output import task_line

    found = await chat.workspace.tasks(session_id=chat.session_id)
    chat.output.lines([task_line(task) for task in found] or ["No task was started here yet."])


async def approve(chat: ChatSession, approval_id: str) -> None:
    """Allow what waits, or one of it."""
    session = await chat.workspace.session(chat.session_id)
    waiting = [approval.approval_id for approval in session.approvals if approval.status == "waiting"]
    chosen = [approval_key for approval_key in waiting if approval_id in ("", approval_key)]
    if not chosen:
        raise UsageError("Nothing waits for an approval here." if not waiting else f"Not waiting: {approval_id}.")
    for chosen_id in chosen:
        await chat.approve(chosen_id)


async def sessions(chat: ChatSession, session_id: str) -> None:
    """List the latest conversations, or continue another one."""
    known = await chat.workspace.sessions(limit=LISTED)
    if not session_id:
        chat.output.sessions(known, chat.session_id)
        return
    begun = [info.session_id for info in known if info.session_id.startswith(session_id)]
    chosen = await chat.workspace.session(begun[0] if len(begun) == 1 else session_id)
    chat.session_id = chosen.session_id
    title = one_line(chosen.title)[:60]
    chat.output.note(f"Continuing {chosen.session_id}{f': {title}' if title else ''}")


async def leave(chat: ChatSession, _: str) -> None:
    """End the conversation."""
    chat.ended = True
