"""Analysts and tools follow the kind of the instrument; what only companies have is refused for everything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.offline_runs import graph_on
from tests.support.snapshot_folder import year_and_more
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.dataflows.instrument import assert_company, kind_of
from tradingagents.dataflows.models import Profile
from tradingagents.errors import UsageError
from tradingagents.graph.start import Run

DAY = "2025-03-14"
FUND = "SPY is an exchange-traded fund, so it was studied without the Fundamentals Analyst."
LANGUAGE = "The rules write English only, so nothing they wrote is in German; a language model writes it."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return year_and_more(tmp_path_factory.mktemp("kinds") / "f")


async def run_of(symbol: str, folder: Path, home: Path, **more: Any) -> Run:
    return await graph_on(folder, home=str(home), **more).arun(symbol, DAY)


async def test_a_fund_is_studied_without_what_only_companies_have_and_one_line_says_so(folder: Path, tmp_path: Path):
    run = await run_of("SPY", folder, tmp_path)
    assert run.record["decision"]["action"] in ("BUY", "SELL", "HOLD")
    assert run.record["degraded"] == []
    assert FUND in run.record["warnings"]
    assert [one for one in run.record["warnings"] if "Fundamentals Analyst got" in one or "insider" in one] == []
    assert run.record["reports"]["fundamentals_report"].startswith(NOT_AVAILABLE)
    asked = {row["method"] for row in run.record["data_sheet"]}
    assert not asked & {"get_insider_transactions", "get_ttm_analysis", "get_fundamentals", "get_earnings_calendar"}


async def test_a_company_is_studied_by_all_and_nothing_is_said(folder: Path, tmp_path: Path):
    run = await run_of("ACMQ", folder, tmp_path)
    assert not any("studied without" in one for one in run.record["warnings"])
    assert {"get_insider_transactions", "get_fundamentals"} <= {row["method"] for row in run.record["data_sheet"]}


async def test_an_index_that_no_chosen_analyst_studies_is_refused(folder: Path, tmp_path: Path):
    with pytest.raises(UsageError, match=r"\^GSPC is an index, which fundamentals cannot study; choose among market,"):
        await run_of("^GSPC", folder, tmp_path, analysts=["fundamentals"])


async def test_one_that_another_chosen_analyst_studies_goes_on(folder: Path, tmp_path: Path):
    run = await run_of("^GSPC", folder, tmp_path, analysts=["fundamentals", "market"])
    assert "^GSPC is an index, so it was studied without the Fundamentals Analyst." in run.record["warnings"]
    assert run.record["decision"]["action"] != "NO_DECISION"


async def test_a_language_that_rules_cannot_write_is_said_once(folder: Path, tmp_path: Path):
    run = await run_of("ACMQ", folder, tmp_path, output_language="German")
    assert run.record["warnings"].count(LANGUAGE) == 1
    english = await run_of("ACMQ", folder, tmp_path, output_language="English (UK)")
    assert not any("rules write English" in one for one in english.record["warnings"])


@pytest.mark.parametrize(
    ("symbol", "kind"),
    [
        ("AAPL", "stock"),
        ("BRK-B", "stock"),
        ("^GSPC", "index"),
        ("EURUSD=X", "currency"),
        ("GC=F", "future"),
        ("BTC-USD", "crypto"),
    ],
)
def test_the_form_of_a_symbol_tells_its_kind(symbol: str, kind: str):
    assert kind_of(symbol) == kind


@pytest.mark.parametrize("kind", ["etf", "index", "crypto", "currency", "future"])
def test_only_a_company_is_one(kind: Any):
    with pytest.raises(UsageError, match="not a company; value a stock instead"):
        assert_company(Profile(symbol="X", name="X", kind=kind), "value a stock instead")
    assert_company(Profile(symbol="X", name="X", kind="stock"), "value a stock instead")
