"""The store that runs share stays open, and sees what other processes do to its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.retrieval.builders import filing
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.retrieval.models import CallTurn, ItemSection, TextPlace
from tradingagents.retrieval.store import FILE, DocumentMissing, DocumentStore, open_store, shared_store
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings, load_settings


def settings_in(home: Path) -> Settings:
    return load_settings({"data_vendor": "simulated", "llm_provider": "offline", "home": str(home)}, environ={})


def services_of(settings: Settings) -> Services:
    models = TierModels.same(ScriptedChatModel(lambda _messages, _tools: "no"))
    return open_services(settings, {}, models=models)


def open_files(folder: Path) -> list[str]:
    links = (one for one in Path("/proc/self/fd").iterdir() if one.is_symlink())
    return [name for link in links if (name := str(link.readlink())).startswith(str(folder))]


def test_a_shared_store_sees_what_is_added_removed_and_replaced_elsewhere(tmp_path: Path) -> None:
    settings, memo = settings_in(tmp_path), Memo(8)
    first, second = filing(["Net sales rose."]), filing(["Net sales fell."], year=2022)

    def known() -> list[str]:
        with shared_store(settings, memo) as store:
            return sorted(one.key for one in store.documents())

    assert known() == []
    with open_store(settings) as other:
        other.add(first)
    assert known() == [first.info.key]
    with shared_store(settings, memo) as store:
        again = store
        assert store.page(first.info.key, 0)[0] == "Net sales rose."
    with open_store(settings) as other:
        other.add(second)
        other.remove(first.info.key)
    assert known() == [second.info.key]
    with shared_store(settings, memo) as store:
        assert store is again
        with pytest.raises(DocumentMissing):
            store.page(first.info.key, 0)
    for part in (tmp_path / "filings").iterdir():
        part.unlink()
    assert known() == []
    with open_store(settings) as other:
        other.add(first)
    assert known() == [first.info.key]


def test_services_close_the_store_that_their_runs_share(tmp_path: Path) -> None:
    services = services_of(settings_in(tmp_path))
    with open_store(services.settings) as store:
        store.add(filing(["Net sales rose."]))
    with shared_store(services.settings, services.memo) as store:
        assert store.search("net sales")
    assert any(FILE in name for name in open_files(tmp_path))
    services.close()
    assert not any(FILE in name for name in open_files(tmp_path))


def test_a_page_is_read_without_the_rest_of_its_document(tmp_path: Path) -> None:
    plain = filing(["Item 7", "We grew.", "The end."])
    document = replace(
        plain,
        sections=(ItemSection("7", "Discussion", 0, 0, 2, 3, sure=False, doubt="no heading"),),
        turns=(CallTurn("Ann Lee", "CFO", "questions", TextPlace(plain.info.key, 1, 0, 8)),),
    )
    store = DocumentStore(tmp_path)
    store.add(document)
    text, outline = store.page(plain.info.key, 1)
    assert text == document.pages[1].text
    assert (outline.sections, outline.turns) == (document.sections, document.turns)
    assert (store.page_count(plain.info.key), store.page_count("no key")) == (3, 0)
    with pytest.raises(DocumentMissing):
        store.page(plain.info.key, 3)
    store.close()
