"""A report by a model that searches stored filings: sealed, recomputed without it, and decided again by another one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.deep_report import ReportModel, store_filing
from benchmarks.openai_answers import Answer, ToolCall, text_of
from benchmarks.openai_server import OpenAIServer
from tests.features.dossier.test_dossier import ENVIRON, assert_evidence_is_frozen, ran, sealed
from tests.graph.test_resume_settle import SMALL, FlippingServer
from tests.support.graph_factory import COMPANY, DAY
from tests.support.served_runs import MODEL, server_config
from tradingagents.features.deep_report.kind import DEEP_REPORT, DeepReportRequest
from tradingagents.features.dossier.archive import unpack
from tradingagents.features.dossier.contents import CARD
from tradingagents.features.dossier.documents import ANSWERS
from tradingagents.features.dossier.redecide import decide_again
from tradingagents.features.dossier.verify import read_dossier, verify_dossier
from tradingagents.settings import load_settings


class ReportServer(OpenAIServer):
    """A server that answers every agent of a deep report."""

    def __init__(self) -> None:
        super().__init__()
        self._model = ReportModel(0.0)

    def choose(self, body: Mapping[str, Any], role: str | None) -> Answer:
        """Return what the benchmark's model says."""
        made = self._model._made(str(role), text_of(body["messages"][-1]))
        if tools := body.get("tools"):
            return Answer(tool_calls=(ToolCall(tools[0]["function"]["name"], dict(made)),))
        return Answer(text=json.dumps(made))


async def test_each_of_several_asks_of_the_same_is_sealed_with_its_own_reply(tmp_path: Path):
    with FlippingServer() as server:
        config = server_config(server, tmp_path, **SMALL, settle=True, model_prices={MODEL: (1.0, 0.1, 4.0)})
        run, settings = await ran(config)
        path = await sealed(tmp_path, run, settings)
    found = await verify_dossier(path)
    assert found.problems == ()
    card = json.loads(unpack(path).entries[CARD])
    assert card["settling"][-1]["answers"] == {"BUY": 10, "SELL": 1}
    assert card["settling"][-1]["added_cost_usd"] > 0


async def test_a_report_by_a_model_that_searched_filings_is_recomputed_and_decided_again(tmp_path: Path):
    with ReportServer() as server:
        config = server_config(server, tmp_path, tool_vendors={})
        store_filing(load_settings(config, environ={}))
        asked = DeepReportRequest(ticker=COMPANY, day=DAY, min_iterations=1, max_iterations=2)
        run, settings = await ran(config, DEEP_REPORT, asked)
        path = await sealed(tmp_path, run, settings)
    (tmp_path / "filings").rename(tmp_path / "gone")
    entries = unpack(path).entries
    assert_evidence_is_frozen(entries, tmp_path)
    searches = [json.loads(one)["asked"] for name, one in entries.items() if name.startswith(ANSWERS)]
    assert any(one.get("query", "").startswith("Margins of part") for one in searches)
    assert (await verify_dossier(path)).problems == ()

    other = await decide_again(read_dossier(path), "offline", {})
    assert other.own_searches
    assert not {one.get("query") for one in searches} & {*other.own_searches}
    assert set(other.differing) >= {"confidence"}
    with ReportServer() as server:
        again = await decide_again(read_dossier(path), f"openai_compatible/{MODEL}", ENVIRON, backend_url=server.url)
        assert again.llm_calls == server.calls > 5
