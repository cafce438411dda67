"""Answers questions about a debate that has ended from its card, by rule, and names the evidence."""

from __future__ import annotations

from datetime import date

from tradingagents.features.debate.graph.brief import kept_brief
from tradingagents.features.debate.rules.questions import debate_answer
from tradingagents.features.debate.schemas import DebateRecord


def answer_from_card(record: DebateRecord, question: str) -> str:
    """Answer a question from the cases and the verdict of a card, with the evidence that the answer rests on."""
    said = debate_answer(kept_brief(date.fromisoformat(record.as_of), record, question, ()))
    words = {*"".join(letter if letter.isalnum() else " " for letter in said).split()}
    weighed = {evidence for point in record.verdict.get("contentions", ()) for evidence in point["evidence"]}
    ids = {fact.id for fact in record.evidence} & words or weighed
    sources = ", ".join(f"[{fact.id}: {fact.title}]" for fact in record.evidence if fact.id in ids)
    head = f"From the debate on {record.ticker} as of {record.as_of} (run {record.run_id}):"
    return "\n".join([head, "", said, *([f"\nSources: {sources}"] if sources else [])])
