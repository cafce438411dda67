"""Calls and releases of a made-up company, whose fiscal year ends in September."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.reading.transcripts import read_call

COMPANY = "ACMQ"


def call(
    year: int, quarter: int, day: str, *sentences: str, answers: str = "", company: str = COMPANY
) -> SourceDocument:
    """Return a call about a fiscal quarter: what the finance chief says, and what is answered."""
    segments = [{"speaker": "Ana Ruiz", "role": "CFO", "section": "prepared", "text": " ".join(sentences)}]
    if answers:
        segments += [
            {
                "speaker": "Bo Lind",
                "role": "Analyst",
                "section": "questions",
                "text": "We expect sales of $9 billion?",
            },
            {"speaker": "Ana Ruiz", "role": "CFO", "section": "questions", "text": answers},
        ]
    told = {"symbol": company, "company": "Acme Quarterly Inc.", "fiscal_year": year, "fiscal_quarter": quarter}
    content = json.dumps({**told, "segments": segments}).encode()
    return read_call(content, known_at=datetime.fromisoformat(day).replace(hour=21, tzinfo=UTC))
