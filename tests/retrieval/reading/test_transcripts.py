"""Transcripts: speakers, roles, prepared remarks told from questions, fiscal quarter."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.reading.small_filings import KNOWN_AT, read
from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.reading import read_calls, read_document

SEGMENTS = [
    {"speaker": "Operator", "text": "Welcome to the Small Works earnings call. Questions come later."},
    {"speaker": "Ann Lee", "role": "CEO", "text": "We had a good quarter."},
    {"speaker": "Bo Chen", "role": "CFO", "text": "Sales rose. And with that, let's open the call to questions."},
    {"speaker": "Operator", "text": "The line of Cy Dow of Bank is open."},
    {"speaker": "Cy Dow", "role": "Bank Analyst", "text": "What about margins?"},
    {"speaker": "Bo Chen", "role": "CFO", "text": "They were good."},
]
CALL: dict[str, Any] = {
    "symbol": "smlw", "event_date": "2025-05-02", "fiscal_year": 2025, "fiscal_quarter": 1, "segments": SEGMENTS
}  # fmt: skip
PLAIN = """Small Works Inc. (NASDAQ: SMLW)
Q1 2025 Earnings Call
May 2, 2025

Prepared Remarks:

Operator

Welcome to the call.

Ann Lee -- Chief Executive Officer

We had a good quarter.
Note: this is not a speaker.

Questions and Answers:

Cy Dow -- Bank -- Analyst

What about margins?
"""


def test_a_call_has_turns_with_speaker_role_and_part() -> None:
    document = read(json.dumps(CALL).encode())
    info = document.info
    assert (info.kind, info.form, info.symbol, info.fiscal_year, info.fiscal_quarter) == (
        "call",
        "call",
        "SMLW",
        2025,
        1,
    )
    assert info.name == "SMLW call Q1 2025"
    assert [turn.speaker for turn in document.turns] == [segment["speaker"] for segment in SEGMENTS]
    assert [turn.part for turn in document.turns] == ["prepared"] * 3 + ["questions"] * 3
    assert document.text(document.turns[1].place) == "Ann Lee (CEO): We had a good quarter."


def test_the_source_may_say_which_part_a_turn_belongs_to() -> None:
    segments = [segment | {"section": "Q&A" if at > 1 else "prepared"} for at, segment in enumerate(SEGMENTS)]
    document = read(json.dumps(CALL | {"segments": segments}).encode())
    assert [turn.part for turn in document.turns] == ["prepared"] * 2 + ["questions"] * 4


def test_a_long_turn_is_cut_at_sentences_over_pages() -> None:
    long = [SEGMENTS[0], {"speaker": "Ann Lee", "text": "One more sentence of many. " * 600}]
    document = read(json.dumps(CALL | {"segments": long}).encode())
    assert len(document.pages) > 2
    assert all(document.text(turn.place).endswith(".") for turn in document.turns)


def test_plain_text_with_names_above_the_words() -> None:
    document = read(PLAIN.encode())
    info = document.info
    assert (info.kind, info.symbol, info.company, info.fiscal_year, info.fiscal_quarter) == (
        "call",
        "SMLW",
        "Small Works Inc.",
        2025,
        1,
    )
    assert [(turn.speaker, turn.role, turn.part) for turn in document.turns] == [
        ("Operator", "Operator", "prepared"),
        ("Ann Lee", "Chief Executive Officer", "prepared"),
        ("Cy Dow", "Bank -- Analyst", "questions"),
    ]
    assert "this is not a speaker" in document.text(document.turns[1].place)


def test_plain_text_with_names_before_the_words() -> None:
    text = "Third quarter 2024 conference call\nAnn Lee (CEO): Good.\nIt was.\nBo Chen (CFO): Yes.\nAnn Lee: Thanks.\n"
    document = read(text.encode())
    assert [(turn.speaker, turn.role) for turn in document.turns] == [
        ("Ann Lee", "CEO"),
        ("Bo Chen", "CFO"),
        ("Ann Lee", ""),
    ]
    assert (document.info.fiscal_year, document.info.fiscal_quarter) == (2024, 3)


def test_a_file_of_calls_is_known_from_the_session_after_each_day() -> None:
    lines = "\n".join(json.dumps(call) for call in (CALL, CALL | {"known_at": "2025-05-02T16:00:00-04:00"}))
    first, second = read_calls(gzip.compress(lines.encode()))
    assert first.info.known_at == datetime(2025, 5, 5, 13, 30, tzinfo=UTC)
    assert second.info.known_at == datetime(2025, 5, 2, 20, tzinfo=UTC)
    assert first.info.key != second.info.key


@pytest.mark.parametrize("line", [b'{"symbol": "A"}', b"{", b"[" * 100_000, json.dumps({"segments": []}).encode()])
def test_what_is_no_call_is_refused_with_its_line(line: bytes) -> None:
    with pytest.raises(UnreadableDocument):
        list(read_calls(json.dumps(CALL).encode() + b"\n" + line))


def test_a_call_without_words_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="no words"):
        read_document(json.dumps(CALL | {"segments": [{"speaker": "A", "text": ""}, 5]}).encode(), known_at=KNOWN_AT)


@pytest.mark.real_data
def test_recorded_calls_have_prepared_remarks_and_questions(test_data: Path) -> None:
    content = (test_data / "market" / "transcripts" / "earnings_calls.jsonl.gz").read_bytes()
    documents = list(read_calls(content))
    assert len(documents) == 12
    told_apart = [document for document in documents if not document.warnings]
    assert len(told_apart) == 11
    for document in told_apart:
        parts = [turn.part for turn in document.turns]
        begin = parts.index("questions")
        assert 1 < begin < 12, document.info.name
        assert set(parts[begin:]) == {"questions"}
        prepared = sum(turn.place.end - turn.place.start for turn in document.turns[:begin])
        assert prepared > 8_000, document.info.name
