"""Evidence is appended once, recalled as of a day, and survives a write that was cut."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.features.deep_report.evidence.items import KNOWN, item
from tradingagents.errors import BadSymbol, NotFound, UsageError
from tradingagents.features.deep_report.evidence import EvidenceStore
from tradingagents.files.atomic import UnreadableFile
from tradingagents.schemas.evidence import EvidenceItem

LATER = KNOWN + timedelta(days=30)


def test_the_same_item_is_kept_once(tmp_path: Path):
    store = EvidenceStore(tmp_path, "velq")
    first, other = item(), item("Inventory fell by a third", hypothesis="H2", confidence=0.4)
    assert store.append([first, first]) == [first]
    assert store.append([first, other]) == [other]
    assert EvidenceStore(tmp_path, "VELQ").recall(LATER) == [first, other]  # the surest first
    assert store.recall(LATER, hypothesis="H2") == [other]
    assert store.recall(LATER, least_confidence=0.5) == [first]


def test_what_another_store_appends_meanwhile_is_not_appended_again(tmp_path: Path):
    store, other = EvidenceStore(tmp_path, "VELQ"), EvidenceStore(tmp_path, "VELQ")
    first, second = item(), item("Inventory fell by a third")
    assert store.append([first]) == [first]
    assert other.append([second]) == [second]
    assert store.append([first, second]) == []
    assert len(store.recall(LATER)) == 2


def test_nothing_known_later_is_recalled_or_frozen(tmp_path: Path):
    store = EvidenceStore(tmp_path, "VELQ")
    late = item("The guidance was cut", known_at=LATER)
    store.append([item(), late])
    assert store.recall(KNOWN) == [item()]
    assert store.recall(KNOWN - timedelta(seconds=1)) == []
    with pytest.raises(UsageError, match="after the report's day"):
        store.freeze(KNOWN, [item(), late])
    assert store.bundles() == []


@pytest.mark.parametrize("lost", [1, 40, 200])
def test_a_line_that_was_cut_is_dropped_and_the_next_append_repairs_it(tmp_path: Path, lost: int):
    store = EvidenceStore(tmp_path, "VELQ")
    whole, cut = item(), item("Inventory fell by a third")
    store.append([whole])
    store.append([cut])
    path = store.folder / "items.jsonl"
    path.write_bytes(path.read_bytes()[:-lost])
    assert store.recall(LATER) == [whole]
    assert store.append([cut]) == [cut]
    assert len(store.recall(LATER)) == 2


def test_a_changed_line_is_refused(tmp_path: Path):
    store = EvidenceStore(tmp_path, "VELQ")
    store.append([item()])
    path = store.folder / "items.jsonl"
    path.write_bytes(path.read_bytes().replace(b"of net sales", b"of all sales"))
    with pytest.raises(UnreadableFile, match="line 1 was changed"):
        store.recall(LATER)
    path.write_bytes(b"[]\n")
    with pytest.raises(UnreadableFile, match="line 1 is no evidence"):
        store.append([item()])


def test_a_ticker_cannot_leave_the_folder(tmp_path: Path):
    with pytest.raises(BadSymbol):
        EvidenceStore(tmp_path, "../../etc")


def _append(home: Path, first: int) -> int:
    store = EvidenceStore(home, "VELQ")
    return sum(len(store.append([item(f"Claim number {number} of ten")])) for number in range(first, first + 10))


def test_two_processes_append_together(tmp_path: Path):
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        added = list(pool.map(_append, [tmp_path, tmp_path], [0, 5]))
    assert sum(added) == 15
    assert len(EvidenceStore(tmp_path, "VELQ").recall(LATER)) == 15


def test_a_frozen_bundle_is_the_same_for_the_same_items_and_refused_after_one_changed_byte(tmp_path: Path):
    store = EvidenceStore(tmp_path, "VELQ")
    items: list[EvidenceItem] = [item(), item("Inventory fell by a third", figure=0.33, quote="fell by 33 % to a low")]
    bundle = store.freeze(KNOWN, items)
    assert store.freeze(KNOWN, [*reversed(items), items[0]]).sha256 == bundle.sha256
    assert store.bundles() == [bundle.sha256]
    assert store.bundle(bundle.sha256) == bundle
    path = store.folder / "bundles" / f"{bundle.sha256}.json"
    content = path.read_bytes()
    for at in range(0, len(content), 37):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with pytest.raises(UnreadableFile, match="does not have the hash of its name"):
            store.bundle(bundle.sha256)
    with pytest.raises(UnreadableFile):
        store.freeze(KNOWN, items)  # a changed file is never taken for the bundle


def test_what_is_no_hash_or_no_bundle_is_said(tmp_path: Path):
    store = EvidenceStore(tmp_path, "VELQ")
    with pytest.raises(UsageError, match="no SHA-256"):
        store.bundle("../items")
    with pytest.raises(NotFound):
        store.bundle("0" * 64)
