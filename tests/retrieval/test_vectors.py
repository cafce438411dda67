from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings
from sqlalchemy import create_engine, text

from tests.retrieval.builders import filing
from tests.retrieval.filing_pages import ANNUAL_REPORT
from tests.support.filings import filing as small_filing
from tests.support.postgres import postgres
from tradingagents.retrieval.index.words import stems_of
from tradingagents.retrieval.models import Scope
from tradingagents.retrieval.store import DocumentStore, open_store
from tradingagents.retrieval.store.vectors import HybridWeights, LangChainVectors, WordVectors, hybrid_scores
from tradingagents.settings import load_settings

LOCAL = """
import socket
def refuse(*arguments, **named):
    raise OSError("no network")
socket.socket.connect = socket.create_connection = refuse
from tradingagents.retrieval.store.vectors import WordVectors
vectors = WordVectors().passages(["the company bought machines", "purchases of equipment", "the weather is mild"])
print(vectors.shape, float(vectors[0] @ vectors[1]) > float(vectors[0] @ vectors[2]))
"""


class Flood(Embeddings):
    """Knows one thing: what a flood is, whatever it is called."""

    WORDS = frozenset(stems_of("flood inundation high water"))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(one) for one in texts]

    def embed_query(self, text: str) -> list[float]:
        return [2.0, 0.0] if self.WORDS & set(stems_of(text)) else [0.0, 3.0]


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    if request.param == "sqlite":
        yield tmp_path
    else:
        with postgres() as url:
            yield url


def test_vectors_find_what_is_said_in_other_words(address: Path | str):
    model = LangChainVectors(Flood(), "flood")
    by_words = DocumentStore(address)
    by_words.add(filing(ANNUAL_REPORT))
    question = "Is there a danger of inundation?"
    assert by_words.search_pages(question, Scope(), 1) == ()  # no page holds a word of it
    both = DocumentStore(address, vectors=model, hybrid=HybridWeights(0.7, 0.3))
    assert both.search_pages(question, Scope(), 1)[0].place.page == 2  # added without vectors: they are made now
    for number in range(30):
        both.add(filing(["pumps", "high water" if number == 17 else "valves"], year=1980 + number, symbol=f"S{number}"))
    assert {hit.info.symbol for hit in both.search(question, Scope(), 2)} == {"EXM", "S17"}
    both.close()
    again = DocumentStore(address, vectors=model, hybrid=HybridWeights(0.7, 0.3))
    assert {hit.info.symbol for hit in again.search(question, Scope(), 2)} == {"EXM", "S17"}
    again.close()
    by_words.close()
    if isinstance(address, str):
        with create_engine(address).connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM passage_vectors")).scalar_one() > 60
        connection.engine.dispose()


def test_the_local_model_needs_no_network(tmp_path: Path):
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    command = [sys.executable, "-c", LOCAL]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "(3, 256) True"


def test_hybrid_scores_weigh_both():
    keyword, vector = np.array([1, 0, 0], np.float32), np.array([0, 0, 1], np.float32)
    assert hybrid_scores(keyword, vector, HybridWeights(0.2, 0.8)).argmax() == 0
    assert hybrid_scores(keyword, vector, HybridWeights(0.8, 0.2)).argmax() == 2
    assert hybrid_scores(keyword, np.zeros(3, np.float32), HybridWeights(0.5, 0.5)).argmax() == 0
    assert len(hybrid_scores(keyword[:0], vector[:0], HybridWeights())) == 0
    assert WordVectors.name


class ShortestFirst:
    """A reranker that likes short passages."""

    def scores(self, query: str, passages: Sequence[str]) -> Sequence[float]:
        return [-len(passage) for passage in passages]


def test_a_reranker_orders_the_passages_that_were_found(tmp_path: Path):
    store = DocumentStore(tmp_path, reranker=ShortestFirst())
    store.add(filing(ANNUAL_REPORT))
    hits = store.search("net sales of pumps and motors", Scope(), 4)
    assert len(hits) == 4
    assert [len(hit.text) for hit in hits] == sorted(len(hit.text) for hit in hits)
    assert hits[0].score == -len(hits[0].text)
    store.close()


def test_the_settings_ask_for_local_vectors(tmp_path: Path) -> None:
    pytest.importorskip("wordllama")
    asked = {"home": str(tmp_path), "filings_vectors": "local", "filings_vector_weight": 0.7}
    with open_store(load_settings(asked, environ={})) as store:
        store.add(small_filing())
        hits = store.search("reasons why profitability went up", limit=3)
    assert hits
    with open_store(load_settings({"home": str(tmp_path)}, environ={})) as words:
        assert {hit.place for hit in words.search("freight costs", limit=3)}
