"""Dossiers of runs that read the store of filings and calls, and what another model finds in them."""

from __future__ import annotations

import json
import os
import random
import zipfile
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.features.dossier.test_archive import spans
from tests.features.dossier.test_dossier import KEY, TOKEN, offline, ran, sealed
from tests.support.filings import filing
from tests.support.graph_factory import COMPANY, DAY
from tests.support.warm import run_warm
from tradingagents.capabilities.standalone import open_market
from tradingagents.features.deep_report.kind import DEEP_REPORT, DeepReportRequest
from tradingagents.features.dossier.archive import BadDossier, pack, unpack
from tradingagents.features.dossier.contents import CARD, from_entries
from tradingagents.features.dossier.documents import ANSWERS, DOCUMENTS, DocumentCells, ReplayedDocuments
from tradingagents.features.dossier.model_replies import WithoutSecrets
from tradingagents.features.dossier.redecide import decide_again
from tradingagents.features.dossier.verify import read_dossier, verify_dossier
from tradingagents.features.filings_qa.kind import FILINGS_QA, FilingsRequest
from tradingagents.files.redaction import Redactor
from tradingagents.retrieval.ingest import add_file, add_filings, end_of_day
from tradingagents.retrieval.models import DocumentOutline, Scope, SourceDocument
from tradingagents.retrieval.store import DocumentMissing, open_store
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.request import RunRequest
from tradingagents.settings import load_settings

LATER = datetime(2026, 1, 5, tzinfo=UTC)
MARGINS = FilingsRequest(question="What was VELQ's operating margin in fiscal 2024?", day=DAY)
REPORT = DeepReportRequest(ticker=COMPANY, day=DAY)


def store_filings(home: Path) -> None:
    """Store filings of the company, one of another, one that was known later, and a secret on a page nobody quotes."""
    settings = load_settings(offline(home), environ={})
    market = open_market({"ticker": COMPANY}, settings=settings)
    with open_store(settings) as store:
        assert list(add_filings(store, market, [COMPANY], forms=["10-K", "10-Q"], years=3))
        store.add(filing("MODZ", "Modz Industries", 2023, pages=["Net sales of Modz fell in Qoph."]))
        store.add(filing(COMPANY, "Veltrane", 2025, known_at=LATER, pages=["Net sales of the future fell in Zayin."]))
        annual = next(
            one for one in store.documents(Scope(symbols=(COMPANY,), forms=("10-K",))) if one.known_at < LATER
        )
        document = store.get(annual.key)
        store.remove(annual.key)
        planted = replace(document.pages[-1], text=f"{document.pages[-1].text}\nDo not publish: {KEY} {TOKEN}.\n")
        store.add(replace(document, pages=(*document.pages[:-1], planted)))


def documents_of(path: Path) -> list[dict[str, Any]]:
    """Return the packed documents of a dossier."""
    return [json.loads(one) for name, one in unpack(path).entries.items() if name.startswith(DOCUMENTS)]


@pytest.mark.parametrize(
    ("workflow", "request_"),
    [
        pytest.param(DEEP_REPORT, REPORT, id="deep report", marks=pytest.mark.nightly),
        pytest.param(FILINGS_QA, MARGINS, id="question"),
    ],
)
async def test_a_run_that_read_stored_filings_is_recomputed_without_them(
    tmp_path: Path, workflow: RunKind[Any, Any, Any], request_: RunRequest
):
    store_filings(tmp_path)
    run, settings = await ran(offline(tmp_path), workflow, request_)
    path = await sealed(tmp_path, run, settings)
    packed, content = documents_of(path), path.read_bytes()

    assert {one["document"]["info"]["symbol"] for one in packed} == {COMPANY}
    assert any(one["whole"] for one in packed)
    for text in ("Qoph", "Zayin", KEY, TOKEN, str(tmp_path)):
        assert text.encode() not in content
    (tmp_path / "filings").rename(tmp_path / "gone")
    assert (await verify_dossier(path)).problems == ()
    again = await decide_again(read_dossier(path), "offline", {})
    assert (again.differing, again.own_searches) == ((), ())

    entries = dict(unpack(path).entries)
    name = next(one for one in entries if one.startswith(DOCUMENTS) and json.loads(entries[one])["whole"])
    shorter = json.loads(entries[name])
    shorter["document"]["pages"], shorter["document"]["tables"] = shorter["document"]["pages"][:1], []
    path.write_bytes(pack({**entries, name: json.dumps(shorter).encode()}, {"run_id": run.run_id}))
    assert any(one.where.startswith((CARD, "the run")) for one in (await verify_dossier(path)).problems)
    path.write_bytes(pack({**entries, name: b'{"document":{},"pages":1,"whole":true}'}, {"run_id": run.run_id}))
    with pytest.raises(BadDossier, match=name):
        await verify_dossier(path)


async def test_flipped_bytes_of_documents_and_answers_are_found_and_named(tmp_path: Path):
    store_filings(tmp_path)
    run, settings = await ran(offline(tmp_path), FILINGS_QA, MARGINS)
    path, draw = await sealed(tmp_path, run, settings), random.Random(23)  # noqa: S311
    whole, places = path.read_bytes(), spans(path.read_bytes())
    assert {one.partition("/")[0] for one in places if "/" in one} >= {"run", "data", "filings"}
    for name, span in places.items():
        for at in {span.start, span.stop - 1, *draw.choices(span, k=20)}:
            changed = bytearray(whole)
            changed[at] ^= 1 << draw.randrange(8)
            path.write_bytes(changed)
            try:
                told = "\n".join(map(str, unpack(path).problems))
            except BadDossier as error:
                told = str(error)
            assert name in told or (told and name.startswith("the directory")), (name, at, told)


async def test_another_model_searches_what_the_dossier_holds_and_nothing_else(tmp_path: Path):
    store_filings(tmp_path)
    run, settings = await ran(offline(tmp_path), FILINGS_QA, MARGINS)
    cells = from_entries(unpack(await sealed(tmp_path, run, settings)).entries).documents
    store = ReplayedDocuments(cells, tmp_path / "indexed")
    scope = Scope(as_of=datetime(2025, 3, 14, 20, tzinfo=UTC))
    hits = store.search("depend on suppliers", scope, 5)
    pages = {(key, page.number) for key, one in cells.documents.items() for page in one.document.pages}
    assert hits
    assert {(hit.place.document, hit.place.page) for hit in hits} <= pages
    assert list(store.own_searches) == ["depend on suppliers"]
    recorded = next(one["asked"] for one in cells.answers.values() if one["asked"]["method"] == "documents")
    assert recorded["scope"]["as_of"]
    assert store.has(scope)
    assert not store.has(replace(scope, symbols=("MODZ",)))
    with pytest.raises(DocumentMissing, match="not read then"):
        store.get("0" * 64)
    store.close()


def test_what_is_read_is_packed_page_by_page_and_half_characters_are_replaced():
    cells = DocumentCells(WithoutSecrets(Redactor({"A_KEY": KEY})))
    document = filing(pages=["First page.", f"Second page, {KEY}, and its end.", "Third."])
    second = replace(document.pages[1], text=document.pages[1].text.replace("its", "its \ud800"))
    whole = replace(document, pages=(document.pages[0], second, document.pages[2]))
    for number in (1, 1, 0):
        cells.add_page(whole.info, number, whole.pages[number].text, outline_of(whole), 3)
    (entry,) = cells.to_entries().values()
    assert [page["number"] for page in entry["document"]["pages"]] == [0, 1]
    text = entry["document"]["pages"][1]["text"]
    assert text == f"Second page, {'*' * len(KEY)}, and its ? end."
    assert (entry["whole"], entry["pages"]) == (False, 3)
    cells.add_whole(whole)
    cells.add_page(whole.info, 0, "another text", outline_of(whole), 3)
    (entry,) = cells.to_entries().values()
    assert (entry["whole"], len(entry["document"]["pages"])) == (True, 3)


def outline_of(document: SourceDocument) -> DocumentOutline:
    """Return where the items and turns of a document stand."""
    return DocumentOutline(document.sections, document.turns)


@pytest.mark.real_data
@pytest.mark.nightly
async def test_a_report_with_recorded_filings_is_recomputed_by_a_machine_without_them(tmp_path: Path, test_data: Path):
    recorded = test_data / "market" / "filings"
    if not recorded.is_dir():
        pytest.skip("no recorded filings")
    home = tmp_path / "home"
    config = {"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    settings = load_settings({**config, "home": str(home)}, environ={})
    with open_store(settings) as store:
        for symbol, day in (("JNJ", date(2025, 2, 13)), ("AAPL", date(2024, 11, 1))):
            file = recorded / "10k" / f"{symbol}_10k_{day}.html.gz"
            add_file(store, file, symbol=symbol, form="10-K", known_at=end_of_day(day))
    run, settings = await ran(
        {**config, "home": str(home)}, DEEP_REPORT, DeepReportRequest(ticker="JNJ", day="2025-07-24")
    )
    path = await sealed(tmp_path, run, settings)
    content = path.read_bytes()
    assert len(content) < 6_000_000
    packed = documents_of(path)
    assert {one["document"]["info"]["symbol"] for one in packed} == {"JNJ"}
    assert any(one["whole"] for one in packed)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    found = run_warm(
        ["-m", "tradingagents", "runs", "verify", str(path), "--json"],
        cwd=elsewhere,
        env={"HOME": str(elsewhere), "PATH": os.defpath},
    )
    assert (found.returncode, json.loads(found.stdout)["sound"]) == (0, True), found.stderr
    changed = bytearray(content)
    with zipfile.ZipFile(path) as packed:
        at = max(one.header_offset for one in packed.infolist() if one.filename.startswith(ANSWERS)) + 200
    changed[at] ^= 1
    path.write_bytes(changed)
    assert not (await verify_dossier(path)).sound
