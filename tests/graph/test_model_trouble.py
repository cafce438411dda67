"""Whole runs whose models fail: retries, fallbacks, the breaker, and a decision that says what it lacks."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer
from tests.support.graph_factory import COMPANY, DAY, Watch
from tests.support.offline_server import OfflineServer
from tests.support.served_runs import MODEL, server_config
from tradingagents.dataflows.gateway.resilience import FAILURES
from tradingagents.errors import BudgetReached, ModelFailure, ModelUnreachable, SettingsError
from tradingagents.events import Event
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.start import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients import pacing as retries
from tradingagents.schemas.records import DegradedRecord

SPARE = "spare-model"
PRICES = {"model_prices": {MODEL: (1.0, 0.1, 2.0), SPARE: (10.0, 1.0, 20.0)}}
SHORT = {"max_debate_rounds": 1, "max_risk_discuss_rounds": 1, "llm_timeout": 5.0, **PRICES}
CALLS = 13
"""Model calls of a run with one round of each debate."""


class PickyServer(OfflineServer):
    """The offline analysts; a model, or a role asking it, may be told to fail in its own way."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.fails: dict[tuple[str, str | None], Answer] = {}
        """What a model answers a role with; None stands for any role."""

    def choose(self, body: Any, role: str | None) -> Answer:
        for key in ((body["model"], role), (body["model"], None)):
            if key in self.fails:
                return self.fails[key]
        return super().choose(body, role)

    def asked(self, model: str, role: str | None = None) -> int:
        """Count the requests to a model, by a role or by any."""
        return sum(one["request"]["model"] == model and (role is None or one["role"] == role) for one in self.requests)


@pytest.fixture
def served() -> Iterator[PickyServer]:
    with PickyServer() as server:
        yield server


def graph_on(server: OfflineServer, home: Path, **more: Any) -> TradingAgentsGraph:
    return TradingAgentsGraph(config=server_config(server, home, ask_report_company=False, **{**SHORT, **more}))


async def run_on(graph: TradingAgentsGraph, *subscribers: Watch, ticker: str = COMPANY) -> Run:
    try:
        return await graph.arun(ticker, DAY, subscribers=subscribers)
    finally:
        await graph.services.models.aclose()


def report_of(run: Run) -> str:
    return Path(run.record["paths"]["report"]).read_text("utf-8")


# Retries


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_run_whose_calls_were_made_again_is_not_degraded(tmp_path: Path, served: PickyServer, stream: bool):
    watch = Watch()
    for role in ("Market Analyst", "Bull Researcher", "Risk Manager"):
        served.answer(Answer(status=500), Answer(text="It rises. " * 30, cut=True), role=role)
    run = await run_on(graph_on(served, tmp_path, llm_max_retries=2, stream_tokens=stream), watch)
    usage = run.record["usage"]
    assert run.record["degraded"] == []
    assert "degraded" not in report_of(run)
    assert (usage["llm_calls"], usage["retries"], served.calls) == (CALLS, 6, CALLS + 6)
    assert usage["by_agent"]["Bull Researcher"]["retries"] == 2
    assert usage["by_agent"]["Bear Researcher"]["retries"] == 0
    told = [event.node for event in watch.of("usage") if event.data["retries"]]
    assert sorted(told) == ["Bull Researcher", "Market Analyst", "Risk Manager"]
    again = [event for event in watch.of("retry") if event.node == "Bull Researcher"]
    assert [event.data["attempt"] for event in again] == [2, 3]
    assert "failed to answer" in again[0].message


async def test_streamed_text_after_the_last_retry_is_the_reply(tmp_path: Path, served: PickyServer):
    """A listener that drops what it has at a `retry` holds the reply in the end, and nothing twice."""
    served.answer(Answer(text="It rises. " * 30, cut=True), role="Bull Researcher")
    heard: list[str] = []

    def listen(event: Event) -> None:
        if event.node != "Bull Researcher":
            return
        if event.type == "retry":
            assert "".join(heard).startswith("It rises.")
            heard.clear()
        elif event.type == "token":
            heard.append(event.message)

    graph = graph_on(served, tmp_path, llm_max_retries=1, stream_tokens=True)
    run = await graph.arun(COMPANY, DAY, subscribers=[listen])
    await graph.services.models.aclose()
    (said,) = [one["text"] for one in run.record["debates"]["research"] if one["speaker"] == "Bull Researcher"]
    assert "".join(heard).strip() == said


async def test_a_retry_waits_without_keeping_others(
    tmp_path: Path, served: PickyServer, monkeypatch: pytest.MonkeyPatch
):
    """One analyst waits for its next attempt until all others have reported: they must not wait for it."""
    served.answer(Answer(status=429), role="Market Analyst")
    others_done = asyncio.Event()
    monkeypatch.setattr(retries, "PAUSE", lambda seconds: others_done.wait())
    watch = Watch()

    def listen(event: Event) -> None:
        watch(event)
        if sum(one.step == "analysts" for one in watch.of("node_end")) == 3:
            others_done.set()

    graph = graph_on(served, tmp_path, llm_max_retries=1, max_llm_calls=CALLS)
    async with asyncio.timeout(60):
        run = await graph.arun(COMPANY, DAY, subscribers=[listen])
    await graph.services.models.aclose()
    assert run.record["usage"]["retries"] == 1
    assert [event.node for event in watch.of("node_end") if event.step == "analysts"][-1] == "Market Analyst"


async def test_retries_do_not_count_as_calls(tmp_path: Path, served: PickyServer):
    served.answer(*[Answer(status=500)] * 4)
    run = await run_on(graph_on(served, tmp_path, llm_max_retries=4, max_llm_calls=CALLS))
    assert run.record["usage"]["llm_calls"] == CALLS
    with pytest.raises(BudgetReached):
        await run_on(graph_on(served, tmp_path, llm_max_retries=4, max_llm_calls=CALLS - 1))


# Fallbacks


async def test_a_fallback_answers_where_a_model_fails_for_good(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, "Bull Researcher"] = Answer(status=503)
    served.fails[MODEL, "News Analyst"] = Answer(status=503)
    watch = Watch()
    graph = graph_on(served, tmp_path, llm_max_retries=1, quick_fallback_llm=SPARE)
    run = await run_on(graph, watch)
    expected = await TradingAgentsGraph(config={"llm_provider": "offline", **SHORT, "data_vendor": "simulated"}).arun(
        COMPANY, DAY
    )
    assert run.record["decision"] == expected.record["decision"]
    assert run.record["reports"] == expected.record["reports"]
    spare = f"openai_compatible/{SPARE}"
    assert sorted(run.record["degraded"], key=str) == [
        DegradedRecord(kind="fallback_model", agent="Bull Researcher", detail=spare),
        DegradedRecord(kind="fallback_model", agent="News Analyst", detail=spare),
    ]
    assert (served.asked(MODEL, "Bull Researcher"), served.asked(SPARE, "Bull Researcher")) == (2, 1)
    assert served.asked(SPARE) == 2
    by_node = {event.node: event.data for event in watch.of("usage")}
    assert by_node["Bull Researcher"]["model"] == by_node["News Analyst"]["model"] == spare
    assert by_node["Bear Researcher"]["model"] == f"openai_compatible/{MODEL}"
    used = by_node["Bull Researcher"]
    assert used["cost_usd"] == pytest.approx((used["input_tokens"] * 10 + used["output_tokens"] * 20) / 1e6)
    assert run.record["usage"]["cost_usd"] == pytest.approx(sum(event.data["cost_usd"] for event in watch.of("usage")))


@pytest.mark.parametrize(
    "failure",
    [
        Answer(status=401),
        Answer(status=403),
        Answer(status=404),
        Answer(status=429),
        Answer(hang=True),
        Answer(body="<html>"),
    ],
    ids=["key", "not allowed", "no such model", "busy", "hangs", "garbage"],
)
async def test_whatever_fails_for_good_falls_back(tmp_path: Path, served: PickyServer, failure: Answer):
    served.fails[MODEL, "Risk Manager"] = failure
    run = await run_on(graph_on(served, tmp_path, deep_fallback_llm=SPARE, llm_timeout=2.0 if failure.hang else 5.0))
    assert run.record["status"] == "done"
    assert [one["agent"] for one in run.record["degraded"]] == ["Risk Manager"]
    assert served.asked(SPARE) == 1


async def test_a_refused_form_is_asked_in_another_form_and_not_of_another_model(tmp_path: Path, served: PickyServer):
    served.answer(Answer(status=400, error="tools are not supported"), role="Risk Manager")
    run = await run_on(graph_on(served, tmp_path, deep_fallback_llm=SPARE))
    assert run.record["degraded"] == []
    assert (served.asked(MODEL, "Risk Manager"), served.asked(SPARE)) == (2, 0)


async def test_a_fallback_is_asked_by_the_method_that_suits_it(tmp_path: Path, served: PickyServer):
    """A fallback of another provider has its own way to typed answers, tools and prices."""
    served.fails[MODEL, None] = Answer(status=500)
    graph = graph_on(served, tmp_path, quick_fallback_llm="offline/rules", deep_fallback_llm="offline/rules")
    run = await run_on(graph)
    expected = await TradingAgentsGraph(config={"llm_provider": "offline", **SHORT, "data_vendor": "simulated"}).arun(
        COMPANY, DAY
    )
    assert run.record["decision"] == expected.record["decision"]
    assert {one["detail"] for one in run.record["degraded"]} == {"offline/rules"}
    assert run.record["usage"]["cost_usd"] == 0.0
    assert len(run.record["degraded"]) == 12


async def test_a_fallback_that_fails_too_is_named(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, None] = Answer(status=401)
    served.fails[SPARE, None] = Answer(status=404)
    with pytest.raises(ModelUnreachable) as caught:
        await run_on(graph_on(served, tmp_path, quick_fallback_llm=SPARE))
    assert "refuses the API key" in str(caught.value)
    assert f"The fallback openai_compatible/{SPARE} failed too:" in str(caught.value)
    assert f"does not know the model {SPARE}" in str(caught.value)


async def test_a_budget_needs_the_fallbacks_price(tmp_path: Path, served: PickyServer):
    prices = {"model_prices": {MODEL: (1.0, 0.1, 2.0)}}
    with pytest.raises(SettingsError, match=SPARE):
        graph_on(served, tmp_path, budget_usd=5.0, quick_fallback_llm=SPARE, **prices)


async def test_a_scan_falls_back_and_says_so(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, "Macro Synthesis"] = Answer(status=500)
    served.fails[MODEL, "Sector Scanner"] = Answer(status=500)
    graph = ScannerGraph(config=server_config(served, tmp_path, **PRICES, deep_fallback_llm=SPARE))
    scan = await graph.arun(DAY)
    await graph.services.models.aclose()
    assert [(one["kind"], one["agent"]) for one in scan.record["degraded"]] == [
        ("missing_report", "Sector Scanner"),
        ("fallback_model", "Macro Synthesis"),
    ]
    report = Path(scan.record["paths"]["report"]).read_text("utf-8")
    assert (
        "This is a degraded run: the Sector Scanner could not report; "
        f"openai_compatible/{SPARE} answered in place of the model of the Macro Synthesis." in report
    )


async def test_a_replay_takes_the_fallbacks_reply_where_the_models_own_is_not_kept(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, "Bull Researcher"] = Answer(status=503)
    first = await run_on(graph_on(served, tmp_path, quick_fallback_llm=SPARE))
    asked = served.calls
    again = await run_on(graph_on(served, tmp_path, quick_fallback_llm=SPARE, replay="only"))
    assert served.calls == asked
    for part in ("decision", "reports", "debates", "degraded"):
        assert again.record[part] == first.record[part]  # type: ignore[literal-required]


# The breaker


async def test_the_runs_of_a_desk_share_what_they_know_of_a_server(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, None] = Answer(status=500)
    graph = graph_on(served, tmp_path)
    for _ in range(2):
        with pytest.raises(ModelFailure):
            await graph.arun(COMPANY, DAY)
    # Four analysts at once, refused after the third failure in a row; the next run asks nothing at all.
    assert FAILURES <= served.calls <= 4
    with pytest.raises(ModelFailure, match=f"{MODEL} at 127.0.0.1:{served.port} failed . calls in a row"):
        await graph.arun("VELQ", DAY)
    asked = served.calls
    assert asked <= 4
    other = graph_on(served, tmp_path)
    with pytest.raises(ModelFailure, match="failed to answer"):
        await other.arun("VELQ", DAY)
    assert served.calls > asked, "another desk has its own breakers"
    await graph.services.models.aclose()
    await other.services.models.aclose()


async def test_a_model_that_is_left_alone_is_answered_for_at_once(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, None] = Answer(status=500)
    graph = graph_on(served, tmp_path, quick_fallback_llm=SPARE, deep_fallback_llm=SPARE)
    run = await run_on(graph)
    assert run.record["status"] == "done"
    assert len(run.record["degraded"]) == 12
    assert served.asked(SPARE) == CALLS
    assert served.asked(MODEL) <= 4, "four analysts side by side, then nobody asks it"


# What a decision lacks


async def test_the_decision_of_a_degraded_run_says_what_it_lacks(tmp_path: Path, served: PickyServer):
    watch = Watch()
    served.fails[MODEL, "News Analyst"] = Answer(status=500)
    served.fails[MODEL, "Bear Researcher"] = Answer(text="")
    served.fails[MODEL, "Trader"] = Answer(text="I cannot say.")
    run = await run_on(graph_on(served, tmp_path), watch)
    said = (
        "This is a degraded run: the News Analyst could not report; the Bear Researcher did not speak in every turn; "
        "the Trader gave no usable verdict; the Risk Manager had no plan of the trader to act on."
    )
    assert [(one["kind"], one["agent"]) for one in run.record["degraded"]] == [
        ("missing_report", "News Analyst"),
        ("silent_debater", "Bear Researcher"),
        ("no_verdict", "Trader"),
        ("no_plan", "Risk Manager"),
    ]
    assert run.decision == "NO_DECISION"
    decision = report_of(run).partition("## Decision")[2].partition("\n## ")[0]
    assert f"> **{said}**" in decision
    page = Path(run.record["paths"]["html"]).read_text("utf-8")
    card = page.partition('<section id="decision"')[2].partition("</section>")[0]
    assert f'<p class="notice" role="note"><strong>{said}</strong></p>' in card
    written = run.record.as_json()["degraded"]
    assert json.loads(Path(run.record["paths"]["card"]).read_text("utf-8"))["degraded"] == written
    (result,) = watch.of("result")
    assert result.message.endswith(", degraded")
    assert result.data["degraded"] == written


async def test_an_agent_that_gives_nothing_is_told_as_it_happens_and_named_once(tmp_path: Path, served: PickyServer):
    watch = Watch()
    served.fails[MODEL, "News Analyst"] = served.fails[MODEL, "Bear Researcher"] = Answer(text="")
    run = await run_on(graph_on(served, tmp_path), watch)
    for said in (
        "News Analyst could not report: the model's reply was empty, twice; try another model.",
        "Bear Researcher did not speak: the model's reply was empty, twice; try another model.",
    ):
        assert said in [event.message for event in watch.of("warning")]
        assert said in run.record["warnings"]


async def test_the_models_own_words_are_left_alone(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, "News Analyst"] = Answer(status=500)
    run = await run_on(graph_on(served, tmp_path))
    assert "degraded" not in json.dumps([run.record.decision.as_json(), run.record.reports, run.record.debates])


async def test_a_server_that_hangs_hangs_no_run(tmp_path: Path, served: PickyServer):
    served.fails[MODEL, "Market Analyst"] = Answer(hang=True)
    async with asyncio.timeout(60):
        run = await run_on(graph_on(served, tmp_path, llm_timeout=2.0, llm_max_retries=1))
    assert [(one["kind"], one["agent"]) for one in run.record["degraded"]] == [("missing_report", "Market Analyst")]
    assert Counter(one["role"] for one in served.requests)["Market Analyst"] == 2
