"""Pages beyond the tenth: statements, segments, the other report on the period, and continued pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.retrieval.builders import filing
from tests.retrieval.filing_pages import BALANCE, CASH, INCOME, SEGMENTS
from tradingagents.retrieval.models import Scope
from tradingagents.retrieval.store import DocumentStore

CONTINUED = "Copper, steel and zinc rose in price during the year; nickel fell."
REPEATED = tuple(
    f"Freight\nFreight rates of route {number} rose: freight was dear on sea and land in 2023, and freight contracts "
    f"of route {number} ended."
    for number in range(14)
)
PLAIN = tuple(f"Orders of plant {number} were filled from stock. {'Workers were hired. ' * 30}" for number in range(9))
RELEASE = ("Example Corp reports results of the fourth quarter of 2023. Freight was a burden.", "Outlook of 2024.")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> DocumentStore:
    made = DocumentStore(tmp_path_factory.mktemp("spread"))
    pages = [*REPEATED, CONTINUED + " Freight is part of it.", *PLAIN, INCOME, BALANCE, CASH, SEGMENTS]
    made.add(filing([page + "\nExample freight annual report 2023" for page in pages]))
    made.add(filing(RELEASE, form="EX-99.1", quarter=4))
    return made


QUESTION = "What did Example Corp pay for freight in fiscal 2023?"
STATEMENTS = {(24, "10-K"), (25, "10-K"), (26, "10-K")}


def found(store: DocumentStore, limit: int, *without: str) -> list[tuple[int, str]]:
    return [(hit.place.page, hit.info.form) for hit in store.search_pages(QUESTION, Scope(), limit, without=without)]


def test_the_first_ten_pages_are_the_best_by_score(store: DocumentStore):
    assert found(store, 20)[:10] == found(store, 10) == found(store, 20, "spread")[:10]


def test_the_tenth_page_is_followed_by_statements_segments_and_the_other_report(store: DocumentStore):
    later = set(found(store, 20)[10:])
    assert later >= STATEMENTS | {(27, "10-K"), (0, "EX-99.1")}
    assert not STATEMENTS & set(found(store, 20, "spread"))


def test_no_page_is_found_twice_and_the_limit_holds(store: DocumentStore):
    for limit in (11, 13, 20, 100):
        pages = found(store, limit)
        assert len(pages) == len(set(pages)) <= limit
    # Page 1 of the release shares no word; its first page does, though it speaks of a quarter and not of the year.
    assert sorted(found(store, 100)) == sorted([*((page, "10-K") for page in range(28)), (0, "EX-99.1")])


def test_the_items_of_a_scope_hold_beyond_the_tenth_page_too(store: DocumentStore):
    assert store.search_pages(QUESTION, Scope(items=("7",)), 20) == ()


def test_a_document_without_pages_is_no_obstacle(tmp_path: Path):
    made = DocumentStore(tmp_path)
    made.add(filing([*REPEATED]))
    made.add(filing([], form="EX-99.1"))
    assert len(made.search_pages(QUESTION, Scope(), 20)) == 14
