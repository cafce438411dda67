"""Dossiers of real runs: sealed, recomputed without a network, a key or a home, and decided again by others."""

from __future__ import annotations

import json
import random
import socket
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, OpenAIServer
from tests.features.dossier.test_archive import spans
from tests.support.graph_factory import COMPANY, DAY
from tests.support.served_runs import MODEL, server_config
from tradingagents.dataflows.gateway.cache import CACHE_FILE
from tradingagents.dataflows.gateway.vendor_call import VendorCall, VendorQuestion
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import BudgetReached, UsageError, VendorDown
from tradingagents.features.deep_report.kind import DEEP_REPORT, DeepReportRequest
from tradingagents.features.dossier.archive import BadDossier, pack, unpack
from tradingagents.features.dossier.contents import CARD, REPORT
from tradingagents.features.dossier.redecide import decide_again
from tradingagents.features.dossier.seal import NotSealable, seal_run
from tradingagents.features.dossier.verify import read_dossier, verify_dossier
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.llm_clients.reply_cache import REPLIES_FILE
from tradingagents.memory.lessons import Lesson
from tradingagents.runtime.executor import start
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.request import RunRequest
from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex
from tradingagents.runtime.services import open_services
from tradingagents.schemas.portfolio import Portfolio, Position
from tradingagents.settings import Settings, load_settings

KEY = "sk-plantedkey0123456789abcdef"
TOKEN = "planted-token-value-77"  # noqa: S105 - planted
TRADE = TradingRequest(ticker=COMPANY, day=DAY)


async def ran(
    config: Mapping[str, Any], workflow: RunKind[Any, Any, Any] = TRADING, request: RunRequest = TRADE
) -> tuple[IndexedRun, Settings]:
    """Take a run to its end; return it with the settings of its process."""
    settings = load_settings(config)
    services = open_services(settings, ENVIRON)
    handle = start(workflow, request, services)
    await handle.result()
    await services.models.aclose()
    services.close()
    return RunIndex(settings.home_dir).find(handle.run_id), settings


ENVIRON = {"OPENAI_COMPATIBLE_API_KEY": KEY, "SOME_SERVICE_TOKEN": TOKEN}


def offline(home: Path) -> dict[str, Any]:
    return {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home)}


async def sealed(folder: Path, run: IndexedRun, settings: Settings) -> Path:
    path = folder / "run.dossier"
    path.write_bytes(await seal_run(run, settings, ENVIRON))
    return path


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize(
    ("workflow", "request_"),
    [
        pytest.param(TRADING, TRADE, id="trading"),
        pytest.param(RESEARCH, ResearchRequest(question="What are the margins of VELQ?", day=DAY), id="research"),
        pytest.param(  # of models: test_models_and_filings.py
            DEEP_REPORT, DeepReportRequest(ticker=COMPANY, day=DAY), id="deep report", marks=pytest.mark.nightly
        ),
    ],
)
async def test_a_run_of_the_rules_is_recomputed_byte_for_byte(
    tmp_path: Path, no_network: None, workflow: RunKind[Any, Any, Any], request_: RunRequest
):
    run, settings = await ran(offline(tmp_path), workflow, request_)
    path = await sealed(tmp_path, run, settings)

    found = await verify_dossier(path)

    assert found.problems == ()
    assert found.sound
    entries = unpack(path).entries
    assert entries[REPORT] == (run.path / "reports" / "complete_report.md").read_bytes()
    assert str(tmp_path).encode() not in path.read_bytes()
    assert path.read_bytes() == await seal_run(run, settings, ENVIRON)
    if workflow is DEEP_REPORT:
        assert_evidence_is_frozen(entries, tmp_path)


async def test_what_a_reader_holds_is_sealed_with_consent_only(tmp_path: Path, no_network: None):
    book = Portfolio(positions=(Position(symbol=COMPANY, quantity=7.375), Position(symbol="MODZ", quantity=2)))
    run, settings = await ran(offline(tmp_path), request=TRADE.changed(book=book))
    with pytest.raises(UsageError, match="--with-book"):
        await seal_run(run, settings, ENVIRON)
    path = tmp_path / "run.dossier"
    path.write_bytes(await seal_run(run, settings, ENVIRON, with_book=True))
    found = await verify_dossier(path)
    assert (found.problems, found.sound) == ((), True)
    assert json.loads(unpack(path).entries[CARD])["book"]["quantity"] == 7.375


def assert_evidence_is_frozen(entries: Mapping[str, bytes], home: Path) -> None:
    """The dossier of a deep report holds the evidence as the run froze it."""
    bundle = json.loads(entries[CARD])["bundle"]
    frozen = home / "evidence" / COMPANY / "bundles" / f"{bundle}.json"
    assert entries[f"evidence/{bundle}.json"] == frozen.read_bytes()


async def test_a_run_with_models_is_recomputed_without_them_and_holds_no_secret(tmp_path: Path):
    planted = f"The key is {KEY} and the token {TOKEN}; see https://user:{TOKEN}@host/x?apikey=abcdef123456."
    with OpenAIServer(reply_tokens=60) as server:
        server.always(Answer(text=planted), role="News Analyst")
        config = server_config(server, tmp_path, tool_vendors={})
        run, settings = await ran(config)
        calls = server.calls
        path = await sealed(tmp_path, run, settings)
        assert server.calls == calls
    content = path.read_bytes()
    for secret in (KEY, TOKEN, "abcdef123456"):
        assert secret.encode() not in content

    found = await verify_dossier(path)  # the server is gone

    assert found.problems == ()
    entries = unpack(path).entries
    prompts, replies = ({one for one in entries if one.startswith(kind)} for kind in ("prompts/", "replies/"))
    assert len(replies) == calls == len(prompts)
    text = "".join(str(message["content"]) for message in json.loads(entries[min(prompts)])["messages"])
    assert "# Your role: " in text

    other = await decide_again(read_dossier(path), "offline", {})
    assert "decision.action" in other.sealed
    assert other.sealed["decision.confidence"] == 0.64
    assert other.other["decision.confidence"] != 0.64
    assert set(other.differing) >= {"decision.confidence"}
    assert other.model == "offline/rules"

    (tmp_path / REPLIES_FILE).unlink()
    with pytest.raises(NotSealable, match="not kept"):
        await seal_run(run, settings, ENVIRON)


async def test_another_model_decides_on_the_dossier_within_its_budget(tmp_path: Path):
    run, settings = await ran(offline(tmp_path))
    dossier = read_dossier(await sealed(tmp_path, run, settings))
    with OpenAIServer(reply_tokens=40) as server:
        asked = {"backend_url": server.url}
        found = await decide_again(dossier, f"openai_compatible/{MODEL}", ENVIRON, **asked)  # type: ignore[arg-type]
        assert found.other["decision.action"] == "BUY"
        assert found.llm_calls == server.calls > 5
        assert found.to_json()["differing"] == list(found.differing)
        with pytest.raises(BudgetReached):
            await decide_again(dossier, f"openai_compatible/{MODEL}", ENVIRON, backend_url=server.url, max_llm_calls=3)
    for wrong in ("gpt-5", "nobody/gpt-5", "openai/", "offline/x", ""):
        with pytest.raises(UsageError, match="provider/model"):
            await decide_again(dossier, wrong, {})


async def test_a_lesson_that_an_agent_recalled_is_in_the_dossier(tmp_path: Path):
    with OpenAIServer(reply_tokens=40) as server:
        config = server_config(server, tmp_path)
        run, settings = await ran(config)
        services = open_services(settings, ENVIRON)
        situation = "\n".join(run.card()["reports"].values())  # type: ignore[index]
        lesson = Lesson(situation, "Waiting for the close was right.", run.day - timedelta(days=30))
        for memory in services.memories.values():
            memory.add_lessons([lesson])
        await services.models.aclose()
        services.close()
        again, settings = await ran(config)
        assert any("Waiting for the close was right." in one["prompt"] for one in server.requests)
        path = await sealed(tmp_path, again, settings)
    assert b"Waiting for the close was right." in unpack(path).entries["memory.json"]
    assert (await verify_dossier(path)).problems == ()


async def test_flipped_bytes_of_every_entry_are_found_and_forged_ones_recomputed(tmp_path: Path):
    run, settings = await ran(offline(tmp_path), RESEARCH, ResearchRequest(question="Margins of VELQ?", day=DAY))
    path = await sealed(tmp_path, run, settings)
    whole, draw = path.read_bytes(), random.Random(17)  # noqa: S311
    entries = dict(unpack(path).entries)
    for name, span in spans(whole).items():
        for at in {span.start, span.stop - 1, *draw.choices(span, k=6)}:
            changed = bytearray(whole)
            changed[at] ^= 1 << draw.randrange(8)
            path.write_bytes(changed)
            try:
                told = "\n".join(map(str, unpack(path).problems))
            except BadDossier as error:
                told = str(error)
            assert name in told or (told and name.startswith("the directory")), (name, at, told)

    card = json.loads(entries[CARD])
    figure = card["tasks"][0]["facts"][0]["figures"][0]
    figure["value"] += 1
    about = {"run_id": card["run_id"]}
    path.write_bytes(pack({**entries, CARD: json.dumps(card).encode()}, about))
    found = await verify_dossier(path)
    assert (found.recomputed, found.sound) == (True, False)
    assert f"{CARD} tasks[0].facts[0].figures[0].value" in [one.where for one in found.problems]

    path.write_bytes(pack({**entries, REPORT: entries[REPORT] + b" "}, about))
    assert [one.where for one in (await verify_dossier(path)).problems] == [REPORT]

    cells = {name: json.loads(content) for name, content in entries.items() if "/get_income_statement/" in name}
    fewer = {name: {**cell, "answer": cell["answer"][len(cell["answer"]) // 2 :]} for name, cell in cells.items()}
    path.write_bytes(pack({**entries, **{name: json.dumps(one).encode() for name, one in fewer.items()}}, about))
    assert any(one.where.startswith(CARD) for one in (await verify_dossier(path)).problems)

    path.write_bytes(pack({name: one for name, one in entries.items() if name != "run/manifest.json"}, about))
    with pytest.raises(BadDossier, match=r"run/manifest\.json is none"):
        await verify_dossier(path)
    path.write_bytes(whole)
    root = unpack(path).root
    assert (await verify_dossier(path, root=root.upper())).sound
    wrong = await verify_dossier(path, root="0" * 64)
    assert (wrong.recomputed, [one.where for one in wrong.problems]) == (False, ["the root hash"])
    assert zipfile.ZipFile(path).testzip() is None


async def test_answers_of_remote_vendors_come_from_the_cache_however_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(SimulatedVendor, "local", False)  # as far as the gateway knows, over a network
    run, settings = await ran(offline(tmp_path), RESEARCH, ResearchRequest(question="Margins of VELQ?", day=DAY))
    with closing(sqlite3.connect(tmp_path / CACHE_FILE)) as cache, cache:
        stored = cache.execute("SELECT COUNT(*) FROM answers").fetchone()[0]
        cache.execute("UPDATE answers SET stored_at = '2020-01-01T00:00:00.000000+00:00'")
    asked: list[str] = []
    plain = VendorCall.answer

    def answer(self: VendorCall, question: VendorQuestion) -> Any:
        asked.append(question.method.name)
        return plain(self, question)

    monkeypatch.setattr(VendorCall, "answer", answer)
    path = await sealed(tmp_path, run, settings)

    entries = unpack(path).entries
    cells = [name for name in entries if name.startswith("data/simulated/")]
    assert (stored, asked) == (len(cells), [])
    monkeypatch.setattr(SimulatedVendor, "local", True)
    assert (await verify_dossier(path)).problems == ()
    (tmp_path / CACHE_FILE).unlink()
    monkeypatch.setattr(VendorCall, "answer", refuse_to_answer)
    with pytest.raises(NotSealable, match="cannot be sealed"):
        await seal_run(run, settings, ENVIRON)


def refuse_to_answer(*_: Any, **__: Any) -> Any:
    raise VendorDown("The vendor is gone.")
