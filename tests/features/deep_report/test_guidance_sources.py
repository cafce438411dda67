"""Research is given what a company guided to where its stored calls say any, and nothing that was said later."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from tests.support.graph_factory import role_of
from tests.support.research import research_services
from tests.support.thesis import labels, reported, thesis_model
from tradingagents.retrieval.reading.transcripts import read_call
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

SAID = {
    "2025-02-14": "For fiscal 2025, we expect revenue of $1.30 billion to $1.40 billion.",
    "2025-03-20": "For fiscal 2025, we expect revenue of $6.66 billion.",
}


def store_calls(home: Path, more: str = "") -> None:
    with open_store(load_settings({"home": home}, environ={})) as store:
        for day, sentence in SAID.items():
            told = {"symbol": "VELQ", "company": "Veltrane", "fiscal_year": 2024, "fiscal_quarter": 4}
            said = [{"speaker": "Ana Ruiz", "role": "CFO", "section": "prepared", "text": f"{sentence} {more}"}]
            known_at = datetime.fromisoformat(day).replace(hour=21, tzinfo=UTC)
            store.add(read_call(json.dumps({**told, "day": day, "segments": said}).encode(), known_at=known_at))


VAGUE = "In fiscal 2025, what we now expect for the top line and our hangars is $77 million to $79 million of spending."


def guidance_claims(*claims: dict[str, Any]) -> Any:
    """Return what the guidance reader answers, and count how often it is asked."""

    def answer(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        (number,) = re.findall(r"^(\d+)\. .*hangars", messages[-1].text, re.MULTILINE)
        return {"ranges": [{"sentence": int(number), **claim} for claim in claims]}

    return answer


async def sources_of(home: Path, reader: Any = None) -> tuple[list[str], int]:
    """Return the sources that a model is shown, and how often the guidance reader was asked."""
    seen: list[str] = []

    def finder(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        found = labels(messages)
        seen.extend(found.values())
        is_read = [reader is not None and "Guidance of VELQ" in text for text in found.values()]
        return {"scores": [{"label": label, "relevance": 9 * read} for label, read in zip(found, is_read, strict=True)]}

    def researcher(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        seen.extend(labels(messages).values())
        return {"items": []}

    replies = {"Source Filter": finder, "Deep Researcher": researcher}
    model = thesis_model({**replies, **({"Guidance Reader": reader} if reader else {})})
    services = research_services(home, model)
    await reported(services, min_iterations=1, max_iterations=1)
    services.close()
    return seen, sum(role_of(call.messages) == "Guidance Reader" for call in model.calls)


async def test_guidance_of_stored_calls_is_a_source_as_known_on_the_day(tmp_path: Path) -> None:
    store_calls(tmp_path)
    seen, asked = await sources_of(tmp_path)
    told = [text for text in seen if "Guidance of VELQ" in text]
    assert asked == 0  # rules read all of it
    assert any("1.30B USD to 1.40B USD" in text for text in told)
    assert any("against what was reported" in text for text in told)
    assert not any("6.66" in text for text in told)


async def test_without_calls_there_is_no_such_source(tmp_path: Path) -> None:
    assert not any("Guidance of VELQ" in text for text in (await sources_of(tmp_path))[0])


async def test_a_model_reads_what_rules_do_not_and_is_held_to_its_words(tmp_path: Path) -> None:
    store_calls(tmp_path, VAGUE)
    quote = "In fiscal 2025, what we now expect for the top line and our hangars is $77 million to $79 million"
    right = {"quote": quote, "item": "hangars", "low": 77e6, "high": 79e6}
    reader = guidance_claims(
        right,
        {**right, "high": 97e6},
        {**right, "item": "runways"},
        {**right, "quote": "our hangars is $77 million to $79 million of spending"},
        {**right, "quote": "We expect hangars of $77 million to $79 million in fiscal 2025"},
    )
    seen, asked = await sources_of(tmp_path, reader)
    tables = [text for text in seen if "| FY2025 | hangars | not stated | 77.00M USD to 79.00M USD |" in text]
    assert asked == 1  # once in a run, for all hypotheses
    tables = [text for text in tables if "Withheld" in text]  # whole, as the researcher reads it
    assert "(read by a model)" in tables[0]
    assert "a model's range: the figures, or their unit, are not those" in tables[0]
    assert "a model's range: the words quoted do not name the item" in tables[0]
    assert "a model's range: the words quoted do not say that it is expected now" in tables[0]
    assert "a model's range: its quotation does not stand in the sentence" in tables[0]
    assert "97.00M" not in tables[0]
