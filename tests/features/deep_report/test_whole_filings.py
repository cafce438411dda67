"""Research reads whole filings: passages by search with the page around them, or item by item from the vendor."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from tests.support.filings import filing
from tests.support.graph_factory import role_of
from tests.support.research import research_services
from tests.support.thesis import draft, labels, reported, thesis_model
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

KNOWN = datetime(2025, 2, 14, 21, tzinfo=UTC)
LATER = datetime(2025, 3, 20, 21, tzinfo=UTC)
PAGES = 30


def page(number: int) -> str:
    """A page about margins, with a finding at its end that no passage in front of it holds."""
    word = "".join(chr(97 + int(digit)) for digit in f"{number:02}")
    filler = "\n".join(f"Row {line} of the page about margins and other matters of the business." for line in range(40))
    return f"Margins of part {word}.\n{filler}\nThe finding of page {word} stands at its very end."


def store_filings(home: Path) -> None:
    """Store a filing known on the day, and one that says the opposite and was known later."""
    with open_store(load_settings({"home": home}, environ={})) as store:
        store.add(filing("VELQ", "Veltrane", 2024, known_at=KNOWN, pages=[page(number) for number in range(PAGES)]))
        poison = [page(number).replace("finding", "POISON") for number in range(PAGES)]
        store.add(filing("VELQ", "Veltrane", 2025, known_at=LATER, pages=poison))


def finder(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Find every passage of the filing relevant."""
    found = labels(messages)
    return {"scores": [{"label": label, "relevance": 9 if "10-K" in text else 0} for label, text in found.items()]}


def reader(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Write down the finding at the end of each page."""
    items = []
    for label, text in labels(messages).items():
        if said := re.search(r"The finding of page \w+ stands at its very end\.", text):
            items.append(draft(label, claim=said.group(), quote=said.group(), figure=None, effect=None))
    return {"items": items[:20]}


async def research_of(home: Path, **request: Any) -> tuple[DeepReportRecord, ScriptedChatModel]:
    """Write a report by a model that reads the filing only."""
    model = thesis_model({"Source Filter": finder, "Deep Researcher": reader})
    services = research_services(home, model)
    made = await reported(services, min_iterations=1, **request)
    services.close()
    return made.record, model


async def test_the_page_around_a_passage_is_read_and_later_rounds_read_further(tmp_path: Path):
    store_filings(tmp_path)
    record, model = await research_of(tmp_path, max_iterations=3)
    rounds = [note["new_items"] for note in record["iterations"]]
    assert all(len(new) >= 5 for new in rounds)  # each hypothesis finds pages that it has not read
    first = record["hypotheses"][0]["id"]
    places = [item["source"]["place"] for item in record["evidence"] if item["hypothesis"] == first]
    assert len(places) == len(set(places)) >= 6
    item = record["evidence"][0]
    key, _, span = item["source"]["address"].partition("#")
    number, begin, end = map(int, re.split(r"[:-]", span))
    assert item["source"]["place"].startswith(f"page {number}")
    with open_store(load_settings({"home": tmp_path}, environ={})) as store:
        assert store.get(key).pages[number - 1].text[begin:end] == item["quote"]  # the address opens the words
    shown = [call.messages[-1].text for call in model.calls if role_of(call.messages) == "Source Filter"]
    assert all(len(re.findall(r"<source label", prompt)) <= 10 for prompt in shown)


async def test_what_was_known_later_is_never_a_source(tmp_path: Path):
    store_filings(tmp_path)
    record, model = await research_of(tmp_path, max_iterations=1)
    assert record["evidence"]
    assert not any("POISON" in message.text for call in model.calls for message in call.messages)
    assert "POISON" not in str(record)


async def test_without_a_stored_filing_the_latest_report_is_read_item_by_item(tmp_path: Path):
    def items(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        found = labels(messages)
        quotes = {label: " ".join(text.splitlines()[-1].split()[:6]) for label, text in found.items()}
        drafts = [
            draft(label, claim="The report discusses it", quote=quote, figure=None) for label, quote in quotes.items()
        ]
        return {"items": drafts}

    model = thesis_model({"Source Filter": finder, "Deep Researcher": items})
    services = research_services(tmp_path, model)
    record = (await reported(services, min_iterations=1, max_iterations=1, persist="none")).record
    services.close()
    sources = [item["source"] for item in record["evidence"]]
    assert sources
    assert {source["kind"] for source in sources} == {"filing"}
    assert all("#Item" in source["address"] and source["place"].startswith("Item ") for source in sources)
