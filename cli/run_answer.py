"""Answers a question about a run that has ended from its record, and prints the answer."""

from __future__ import annotations

from tradingagents.errors import UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .text import clean


def print_run_answer(settings: Settings, terminal: Terminal, run: str, question: str) -> int:
    """Print what a run answers to a question, with its sources; return the exit code.

    Args:
        settings: Whose home folder holds the run.
        run: Its id, or the beginning of it.
        question: Such as "What would change your mind?".

    Raises:
        NoSuchRun: There is no such run.
        UsageError: It has not ended, or the question is empty.
    """
    with terminal.loading():
        from tradingagents.runtime.run_questions.answers import answer_about, finished_run

        if not question.strip():
            raise UsageError('Write a question, such as "What would change your mind?".')
        card = finished_run(settings.home_dir, run)
        answer = answer_about(card, question)
    if terminal.json:
        told = {"run": card["run_id"], "question": question, "answer": answer, "written_by": "rules"}
        terminal.print_json(told)
    else:
        terminal.print_text(clean(answer))
    return 0
