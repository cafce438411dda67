"""On statements that cannot be true no run decides as if they were sound: the items are withheld, the periods named."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from tests.support.offline_runs import graph_on
from tests.support.snapshot_folder import read_lines, write_lines, year_and_more
from tradingagents.capabilities.registry import by_name
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.snapshots.check import check_folder
from tradingagents.errors import NoData
from tradingagents.graph.start import Run
from tradingagents.reports.decision_notes import degraded_notice
from tradingagents.settings import load_settings

SYMBOL, DAY, NEWEST = "ACMQ", "2025-03-14", "2024-09-30"
OVER_REVENUE = {"ttm_revenue", "revenue_yoy", "revenue_qoq", "gross_margin", "operating_margin", "net_margin", "ps_ttm"}
REASON = "about 1,000 times smaller than in the others"


def spoiled(folder: Path, factor: float, *names: str, end: str = NEWEST) -> Path:
    """A folder in which one period of the company is wrong by a factor: the named items, or all amounts."""
    path = year_and_more(folder) / "statements.jsonl.gz"
    rows = read_lines(path)
    for row in rows:
        if row["symbol"] == SYMBOL and row["period_end"] == end:
            row["items"] = {
                name: value * factor if (name in names if names else not name.startswith(("shares", "eps"))) else value
                for name, value in row["items"].items()
            }
    write_lines(path, rows)
    return folder


async def run_on(folder: Path, home: Path) -> Run:
    return await graph_on(folder, home=str(home)).arun(SYMBOL, DAY)


def market(folder: Path) -> MarketData:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    return MarketData(settings, date.fromisoformat(DAY))


def figures(run: Run) -> dict[str, float]:
    return {name: value for row in run.record["data_sheet"] for name, value in row["figures"].items()}


@pytest.mark.parametrize("end", [NEWEST, "2024-03-31"])
async def test_a_quarter_in_thousands_gives_no_figure_over_it_and_the_card_says_so(tmp_path: Path, end: str):
    run = await run_on(spoiled(tmp_path / "f", 1e-3, end=end), tmp_path / "home")
    clean = await run_on(year_and_more(tmp_path / "clean"), tmp_path / "home2")
    given, sound = figures(run), figures(clean)
    gone = OVER_REVENUE if end == NEWEST else {"ttm_revenue", "gross_margin", "net_margin", "ps_ttm"}
    assert gone <= set(sound)
    assert not gone & set(given)
    (degraded,) = run.record["degraded"]
    assert (degraded["kind"], degraded["agent"]) == ("withheld_statements", "Fundamentals Analyst")
    assert f"quarterly income statement of {end} are {REASON}" in degraded["detail"]
    assert "items of the statements of ACMQ are withheld (amounts of " in degraded_notice(run.record.degraded)
    assert clean.record["degraded"] == []
    assert any("data-faults.md#unit-jump" in one for one in run.record["warnings"])
    assert {fault["kind"] for fault in run.record["data_faults"]} == {"unit-jump"}
    assert all(fault["withholds"] for fault in run.record["data_faults"])


async def test_no_amount_in_thousands_stands_in_what_agents_and_readers_are_given(tmp_path: Path):
    run = await run_on(spoiled(tmp_path / "f", 1e-3), tmp_path / "home")
    said = json.dumps(run.record.as_json())
    revenue = 1e9 * (1 + 0.03 * 7)
    for share in (1.0, 0.4, 0.2, 0.15, 6.0, 3.0, 2.0):
        assert f"{share * revenue / 1e6:.2f}K" not in said
        assert f"{share * revenue / 1e9:.2f}M" not in said


def test_tables_say_which_items_are_withheld_and_the_notes_why(tmp_path: Path):
    data = market(spoiled(tmp_path / "f", 1e-3))
    for name, item in (
        ("get_income_statement", "revenue"),
        ("get_balance_sheet", "equity"),
        ("get_cashflow", "free_cash_flow"),
    ):
        answer = by_name(name).ask(data, ticker=SYMBOL)
        assert f"| {item} | withheld | " in answer.to_markdown()
        assert any(REASON in note for note in answer.notes)
        assert "withheld" not in json.loads(answer.model_dump_json())
    asked = by_name("get_financials").ask(data, ticker=SYMBOL, period="quarterly")
    assert "| total_debt | withheld | " in asked.to_markdown()
    assert asked.roe is None
    assert asked.debt_to_equity is None


def test_a_valuation_refuses_with_the_reason_and_no_default_stands_for_what_is_withheld(tmp_path: Path):
    for number, items in enumerate((("revenue",), ("long_term_debt",), ("interest_expense", "net_income"))):
        data = market(spoiled(tmp_path / str(number), 1e-3, *items))
        with pytest.raises(NoData, match=r"ACMQ.*data-faults.md#unit-jump"):
            by_name("valuation").ask(data, ticker=SYMBOL)


def test_an_old_quarter_in_thousands_leaves_no_growth_of_a_default_to_the_valuation(tmp_path: Path):
    data = market(spoiled(tmp_path / "f", 1e-3, end="2023-06-30"))
    with pytest.raises(NoData, match="of 2023-06-30"):
        by_name("valuation").ask(data, ticker=SYMBOL)


def test_screens_do_not_count_the_signals_that_remain(tmp_path: Path):
    screen = by_name("fundamental_screen").ask(market(spoiled(tmp_path / "f", 1e-3)), ticker=SYMBOL)
    scores = {one.framework: one for one in screen.scores}
    assert scores["piotroski_f"].score is None
    assert "are withheld" in scores["piotroski_f"].reading
    assert scores["altman_z"].score is None
    assert any(REASON in note for note in screen.notes)


def test_debt_without_its_withheld_part_is_no_debt(tmp_path: Path):
    data = market(spoiled(tmp_path / "g", 1e3, "short_term_debt"))
    found = by_name("get_ttm_analysis").ask(data, ticker=SYMBOL)
    assert found.total_debt is None
    assert found.debt_to_equity is None


def test_the_data_check_says_what_a_run_withholds(tmp_path: Path):
    assert check_folder(year_and_more(tmp_path / "clean")).sound
    checked = check_folder(spoiled(tmp_path / "f", 1e-3))
    (error,) = [one for one in checked.findings if one.level == "error"]
    assert error.what == "items that cannot be true (unit-jump), which runs withhold"
    assert error.count == 3
    assert all(REASON in one for one in error.examples)
