"""The assistant by fixed rules: how each known question on the simulated market is read, held by a golden file.

A rule for one kind of question that takes others away from theirs shows here as a changed line, for a reviewer to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.investor_questions import QUESTIONS, questions_of
from tests.support.assistant_bench import AssistantBench
from tests.support.golden_files import assert_golden
from tradingagents.features.assistant.rules import dialogue
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.offline.questions.requests import read_request


async def test_known_questions_are_read_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    known = await _brief_of_a_turn(tmp_path, monkeypatch)
    lines = [_line(question, known) for question in questions_of(QUESTIONS) if question["market"] == "simulated"]
    assert_golden("readings/investor_questions.txt", "".join(f"{line}\n" for line in lines))


async def _brief_of_a_turn(home: Path, monkeypatch: pytest.MonkeyPatch) -> ConversationBrief:
    """Return what the rules are given in a turn on the simulated market."""
    briefs: list[ConversationBrief] = []

    def noted(brief: ConversationBrief) -> MessageRequest:
        briefs.append(brief)
        return read_request(brief)

    with monkeypatch.context() as patched:
        patched.setattr(dialogue, "read_request", noted)
        async with AssistantBench(home) as bench:
            await bench.say("What can I ask?")
    return briefs[0]


def _line(question: Mapping[str, Any], known: ConversationBrief) -> str:
    """Return what a question is read as: its wish, what is asked of which companies or index, and over which days."""
    brief = replace(
        known,
        now=AskedQuestion(question=question["question"]),
        before=tuple(AskedQuestion(question=earlier) for earlier in question["before"]),
        day=date.fromisoformat(question["day"]),
    )
    request = read_request(brief)
    frame = request.frame
    parts = [question["id"], request.wish]
    if request.wish in ("unread", "other_day"):
        return " ".join(parts)
    symbols = ",".join(request.symbols or (frame.symbols if frame else ()))
    of = (
        ",".join(request.parts),
        symbols,
        request.index or (frame.index if frame else ""),
        frame.sector if frame else "",
    )
    parts += [each for each in of if each]
    if request.figures:
        parts.append(",".join(dict.fromkeys(figure.tool for figure in request.figures)))
    if frame is not None and frame.days.window:
        parts.append(f"{frame.days.start}..{frame.days.end}")
    return " ".join(parts)
