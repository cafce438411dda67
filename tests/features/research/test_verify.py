"""Numbers of research runs are computed again from the cells that the run has kept."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.research import research_services, researched
from tradingagents.errors import UsageError
from tradingagents.features.research.verify import Verification, verify_research

MARGIN = "What was the operating margin of VELQ in fiscal 2024?"


@pytest.fixture(scope="module")
def run_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    services = research_services(tmp_path_factory.mktemp("home"))
    known: dict[str, Any] = {}

    async def record(question: str) -> dict[str, Any]:
        if question not in known:
            known[question] = (await researched(services, question, persist="none")).record
        return known[question].as_json()

    return record


@pytest.mark.parametrize(
    "question",
    [
        MARGIN,
        "What is the P/E of VELQ?",
        "What was the total return of Modista Lane Stores in 2023?",
        "Compare VELQ and MODZ on margins",
        "Which of VELQ, MODZ and OMBZ have a Piotroski F-score of at least 7?",
        "Run a Piotroski check on VELQ",
        "DCF analysis of VELQ",
        "DuPont analysis of VELQ",
        "Build a thesis on VELQ",
        "Is VELQ cheap?",
        "According to the 10-K of VELQ for fiscal 2024, what was the operating margin?",
        "How many articles on VELQ were there in February 2025?",
    ],
)
async def test_every_number_of_an_offline_run_follows(run_of: Callable[[str], Any], question: str):
    found: Verification = verify_research(await run_of(question))
    assert (found.sound, found.problems) == (True, ())
    assert found.figures > 0
    assert found.numbers > 0


async def test_every_figure_has_a_derivation_with_its_cells(run_of: Callable[[str], Any]):
    figure = (await run_of(MARGIN))["tasks"][0]["facts"][0]["figures"][0]
    assert figure["derivation"]["formula"] == "operating_income@2024 / revenue@2024"
    assert [one["where"] for one in figure["derivation"]["cells"]] == [
        "income statement, fiscal 2024 (to 2024-01-31)"
    ] * 2


def _answer(record: dict[str, Any]) -> None:
    record["answer"] = record["answer"].replace("51.12%", "51.13%")


def _figure(record: dict[str, Any]) -> None:
    record["tasks"][0]["facts"][0]["figures"][0]["value"] = 51.13


def _shown(record: dict[str, Any]) -> None:
    record["tasks"][0]["facts"][0]["figures"][0]["shown"] = "51.21%"


def _cell(record: dict[str, Any]) -> None:
    cell = record["tasks"][0]["facts"][0]["figures"][0]["derivation"]["cells"][0]
    cell["value"] += 1e8


def _formula(record: dict[str, Any]) -> None:
    record["tasks"][0]["facts"][0]["figures"][0]["derivation"]["formula"] = "revenue@2024 / operating_income@2024"


def _no_derivation(record: dict[str, Any]) -> None:
    del record["tasks"][0]["facts"][0]["figures"][0]["derivation"]


def _no_cells(record: dict[str, Any]) -> None:
    record["tasks"][0]["facts"][0]["figures"][0]["derivation"]["cells"] = []


def _sheet(record: dict[str, Any]) -> None:
    next(row for row in record["data_sheet"] if row["method"] == "get_statement_figure")["figures"] = {
        "operating_margin": 51.02
    }


def _no_row(record: dict[str, Any]) -> None:
    record["data_sheet"] = [row for row in record["data_sheet"] if row["method"] != "get_statement_figure"]


@pytest.mark.parametrize(
    ("change", "where", "named"),
    [
        (_answer, "answer", "51.13%"),
        (_figure, "figure", "operating_margin"),
        (_shown, "figure", "51.21%"),
        (_cell, "figure", "operating_margin"),
        (_formula, "figure", "operating_margin"),
        (_no_derivation, "figure", "operating_margin"),
        (_no_cells, "figure", "operating_margin"),
        (_sheet, "data sheet", "operating_margin"),
        (_no_row, "data sheet", "operating_margin"),
    ],
)
async def test_a_change_is_found_and_named(
    run_of: Callable[[str], Any], change: Callable[[dict[str, Any]], None], where: str, named: str
):
    record = copy.deepcopy(await run_of(MARGIN))
    change(record)
    found = verify_research(record)
    assert not found.sound
    assert any(one.where == where and named in one.number for one in found.problems)
    assert found.to_json()["sound"] is False


def test_only_research_runs_are_verified():
    with pytest.raises(UsageError, match="no research run"):
        verify_research({"run_id": "r1", "ticker": "VELQ"})
