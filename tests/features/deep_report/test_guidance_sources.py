"""Research is given what a company guided to where its stored calls say any, and nothing that was said later."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from tests.support.research import research_services
from tests.support.thesis import labels, reported, thesis_model
from tradingagents.retrieval.reading.transcripts import read_call
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

SAID = {
    "2025-02-14": "For fiscal 2025, we expect revenue of $1.30 billion to $1.40 billion.",
    "2025-03-20": "For fiscal 2025, we expect revenue of $6.66 billion.",
}


def store_calls(home: Path) -> None:
    with open_store(load_settings({"home": home}, environ={})) as store:
        for day, sentence in SAID.items():
            told = {"symbol": "VELQ", "company": "Veltrane", "fiscal_year": 2024, "fiscal_quarter": 4}
            said = [{"speaker": "Ana Ruiz", "role": "CFO", "section": "prepared", "text": sentence}]
            known_at = datetime.fromisoformat(day).replace(hour=21, tzinfo=UTC)
            store.add(read_call(json.dumps({**told, "day": day, "segments": said}).encode(), known_at=known_at))


async def sources_of(home: Path) -> list[str]:
    seen: list[str] = []

    def finder(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        found = labels(messages)
        seen.extend(found.values())
        return {"scores": [{"label": label, "relevance": 0} for label in found]}

    services = research_services(home, thesis_model({"Source Filter": finder}))
    await reported(services, min_iterations=1, max_iterations=1)
    services.close()
    return seen


async def test_guidance_of_stored_calls_is_a_source_as_known_on_the_day(tmp_path: Path) -> None:
    store_calls(tmp_path)
    told = [text for text in await sources_of(tmp_path) if "Guidance of VELQ" in text]
    assert any("1.30B USD to 1.40B USD" in text for text in told)
    assert any("against what was reported" in text for text in told)
    assert not any("6.66" in text for text in told)


async def test_without_calls_there_is_no_such_source(tmp_path: Path) -> None:
    assert not any("Guidance of VELQ" in text for text in await sources_of(tmp_path))
