"""The kernel: policy before data, one answer for every caller, a catalogue that says what cannot be asked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import tradingagents
from tradingagents.capabilities.capability import TEXT_METHODS
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.errors import ApprovalNeeded, NoData, NotFound, PolicyRefused, UsageError
from tradingagents.schemas.workspace import ArtifactInfo, SessionDefaults, SessionInfo, ViewContext
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.kernel.kernel import Invocation, Kernel
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
NOW = datetime(2025, 3, 15, tzinfo=UTC)
AGENT = Caller(face="agent", agent="assistant")


@pytest.fixture(scope="module")
def vendors() -> Vendors:
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


@pytest.fixture
def kernel(tmp_path: Path, vendors: Vendors) -> Kernel:
    return Kernel(load_settings({"data_vendor": "simulated", "home": tmp_path / "home"}, environ={}), vendors=vendors)


class OneSession:
    """A session with a view, that notes what is audited."""

    def __init__(self) -> None:
        self.audited: list[tuple[str, Mapping[str, Any]]] = []

    def get(self, session_id: str, /, *, hidden: bool = False) -> SessionInfo:
        if session_id != "s-1":
            raise NotFound(f"There is no session {session_id}.")
        return SessionInfo(
            session_id="s-1",
            agent="assistant",
            title="",
            created_at=NOW,
            updated_at=NOW,
            view=ViewContext(symbols=("VELQ",), page="chart", note="the gap in January"),
            defaults=SessionDefaults(as_of=DAY),
        )

    def audit(self, session_id: str, record: Mapping[str, Any], /) -> None:
        self.audited.append((session_id, record))


class Register:
    """Registers files by their names."""

    def __init__(self) -> None:
        self.paths: list[Path] = []

    def register(self, path: Path, /, *, kind: Any, title: str, session_id: str | None = None) -> ArtifactInfo:
        self.paths.append(path)
        return ArtifactInfo(
            artifact_id=f"a-{len(self.paths)}",
            kind=kind,
            title=title,
            media_type="text/html",
            size=path.stat().st_size,
            created_at=NOW,
            session_id=session_id,
        )


def test_invoke_shows_the_answer_that_ask_returns(kernel: Kernel, vendors: Vendors):
    answer = kernel.invoke("market_snapshot", {"ticker": "velq"}, as_of="2025-03-14")
    result = tradingagents.ask("market_snapshot", ticker="VELQ", as_of=DAY, settings=kernel.settings, vendors=vendors)
    assert (answer.symbol, answer.as_of, answer.title) == ("VELQ", DAY, result.title)
    assert answer.markdown == result.to_markdown()
    assert {**answer.result, "fetched_at": None} == {**result.model_dump(mode="json"), "fetched_at": None}
    assert answer.figures["price"] == 96.58


def test_an_alias_is_answered_under_the_name_of_the_capability(kernel: Kernel):
    assert kernel.invoke("sec_filings", {"ticker": "VELQ", "start_date": "2025-01-02"}, as_of=DAY).capability == (
        "get_filings"
    )


def test_an_agent_uses_only_what_its_definition_allows(kernel: Kernel):
    caller = Caller(face="agent", agent="value", allowed=frozenset({"valuation"}))
    with pytest.raises(PolicyRefused, match="may not use market_snapshot"):
        kernel.invoke("market_snapshot", {"ticker": "VELQ"}, as_of=DAY, caller=caller)
    assert [one.name for one in kernel.catalogue(caller)] == ["valuation"]


def test_an_alias_is_no_way_around_the_policy(kernel: Kernel):
    caller = Caller(face="agent", agent="value", allowed=frozenset({"sec_filings"}))
    with pytest.raises(PolicyRefused, match="get_filings"):
        kernel.invoke("sec_filings", {"ticker": "VELQ", "start_date": "2025-01-02"}, as_of=DAY, caller=caller)


def test_a_refused_call_reads_no_data(kernel: Kernel):
    caller = Caller(face="agent", agent="value", allowed=frozenset())
    with pytest.raises(PolicyRefused):
        kernel.invoke("market_snapshot", {"ticker": "no such symbol at all"}, as_of=DAY, caller=caller)


@pytest.mark.parametrize(
    ("caller", "writes", "costs", "allowed"),
    [
        (Caller(), True, True, True),
        (AGENT, False, False, True),
        (AGENT, True, False, True),
        (AGENT, False, True, False),
        (Caller(face="agent", agent="assistant", auto_approve=True), True, True, True),
        (Caller(face="agent", agent="assistant", outside_text_seen=True), False, False, True),
        (Caller(face="agent", agent="assistant", outside_text_seen=True), True, False, False),
        (Caller(face="agent", agent="assistant", outside_text_seen=True, auto_approve=True), False, True, False),
    ],
)
def test_what_costs_money_or_may_have_been_asked_for_by_others_needs_approval(
    kernel: Kernel, caller: Caller, writes: bool, costs: bool, allowed: bool
):
    if allowed:
        kernel.authorize("open_chart", caller, writes=writes, costs_money=costs)
    else:
        with pytest.raises(ApprovalNeeded, match="must approve"):
            kernel.authorize("open_chart", caller, writes=writes, costs_money=costs)


def test_a_chart_that_news_may_have_asked_for_is_not_drawn(kernel: Kernel):
    caller = Caller(face="agent", agent="assistant", outside_text_seen=True)
    with pytest.raises(ApprovalNeeded):
        kernel.invoke("open_chart", {"symbols": "VELQ"}, as_of=DAY, caller=caller)
    assert not (kernel.settings.home_dir / "charts").exists()


def test_the_catalogue_says_why_a_capability_cannot_be_asked(tmp_path: Path):
    kernel = Kernel(load_settings({"home": tmp_path}, environ={}), vendors=None)
    kernel.vendors = Vendors(kernel.settings, environ={})
    missing = kernel.info("macro_focus")
    assert not missing.available
    assert missing.policy.needs_key
    assert "FRED_API_KEY" in str(missing.reason)
    assert kernel.info("market_snapshot").available


def test_every_capability_of_the_simulated_market_is_available(kernel: Kernel):
    found = kernel.catalogue()
    assert [one.name for one in found] == sorted(built_in())
    assert [one.name for one in found if not one.available] == []
    assert all(one.arguments["additionalProperties"] is False for one in found)


def test_whatever_asks_for_texts_of_others_is_marked():
    marked = {one.name for one in built_in().values() if one.outside_text}
    assert {one.name for one in built_in().values() if one.methods & TEXT_METHODS} <= marked
    assert {"search_filings", "search_transcripts", "answer_from_filings", "company_info"} <= marked
    assert "valuation" not in marked


def test_a_session_gives_the_day_the_view_and_the_audit(tmp_path: Path, vendors: Vendors):
    session = OneSession()
    settings = load_settings({"data_vendor": "simulated", "home": tmp_path}, environ={})
    kernel = Kernel(settings, vendors=vendors, sessions=session)
    view = kernel.invoke("current_view_context", {}, caller=Caller(session_id="s-1"))
    assert view.as_of == DAY
    assert view.result["symbols"] == ["VELQ"]
    assert "Selected text: the gap in January" in view.markdown
    assert kernel.invoke("market_snapshot", {"ticker": "VELQ"}, caller=Caller(session_id="s-1")).as_of == DAY
    assert [record["action"] for _, record in session.audited] == ["current_view_context", "market_snapshot"]
    with pytest.raises(NotFound):
        kernel.invoke("current_view_context", {}, caller=Caller(session_id="s-2"))


def test_without_a_session_nothing_is_open(kernel: Kernel):
    assert "No session has told what is open." in kernel.invoke("current_view_context", {}, as_of=DAY).markdown


def test_files_of_an_answer_become_artifacts(tmp_path: Path, vendors: Vendors):
    register = Register()
    settings = load_settings({"data_vendor": "simulated", "home": tmp_path}, environ={})
    answer = Kernel(settings, vendors=vendors, artifacts=register).invoke("open_chart", {"symbols": "VELQ"}, as_of=DAY)
    assert answer.artifacts[0] == "a-1"
    assert register.paths[0].suffix == ".html"
    assert len(answer.artifacts) == len(answer.result["files"])


def test_every_call_is_observed_also_one_that_fails(tmp_path: Path, vendors: Vendors):
    seen: list[Invocation] = []
    settings = load_settings({"data_vendor": "simulated", "home": tmp_path}, environ={})
    kernel = Kernel(settings, vendors=vendors, observer=seen.append)
    kernel.invoke("get_income_statement", {"ticker": "VELQ", "curr_date": "2025-03-14"})
    with pytest.raises(NoData):
        kernel.invoke("market_snapshot", {"ticker": "ZZZZQ"}, as_of=DAY)
    with pytest.raises(UsageError, match="has no argument 'tickers'"):
        kernel.invoke("market_snapshot", {"tickers": "VELQ"}, as_of=DAY)
    assert [(one.name, type(one.error)) for one in seen] == [
        ("get_income_statement", type(None)),
        ("market_snapshot", NoData),
        ("market_snapshot", UsageError),
    ]
    assert seen[0].as_of == DAY


async def test_callers_at_the_same_time_share_answers(kernel: Kernel):
    first = await kernel.ainvoke("market_snapshot", {"ticker": "VELQ"}, as_of=DAY)
    second = await kernel.ainvoke("market_snapshot", {"ticker": "VELQ"}, as_of=DAY)
    assert first == second
