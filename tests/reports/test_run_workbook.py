"""The workbook of a run: figures are numbers with sources, ratios are formulas that give what was stated."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reports.hostile import PAYLOADS, hostile_record, hostile_scan
from tests.reports.render.test_xlsx import HOSTILE
from tests.reports.rendered import run_of, scan_of
from tests.reports.sample import sample_record
from tests.reports.scan_sample import sample_scan
from tests.reports.spreadsheet import Spreadsheet
from tradingagents.features.research.schemas import ResearchRecord
from tradingagents.reports.document import Document, Masthead, Prose, Section, Table
from tradingagents.reports.ratios import RATIOS
from tradingagents.reports.render.xlsx import to_xlsx
from tradingagents.reports.run_workbook import run_workbook
from tradingagents.reports.scan import scan_document
from tradingagents.reports.trading import trading_document

HEAD = Masthead(title="t", eyebrow="Report", heading="h", detail="", facts=[], identity="Run 1")


def row(method: str, figures: dict[str, float], symbol: str | None = "QFIX", end: str = "2025-03-14") -> dict[str, Any]:
    return {
        "method": method, "symbol": symbol, "vendor": "simulated", "start": None, "end": end, "rows": 1,
        "known_at": "2025-03-14T20:00:00+00:00", "fetched_at": "computed", "figures": figures, "notes": [],
        "inputs": [],
    }  # fmt: skip


def card_with(rows: list[dict[str, Any]], **fields: Any) -> ResearchRecord:
    own = {
        "kind": "research",
        "question": "?",
        "as_of": "2025-03-14",
        "understanding": {},
        "iterations": [],
        "tasks": [],
        "answer": "",
    }
    more = {"sources": [], "missing": [], "stopped": "", "written_by": "rules"}
    return ResearchRecord.model_validate({**sample_record(), **own, **more, "data_sheet": rows, **fields})


def book(rows: list[dict[str, Any]], *blocks: Any, title: str = "A title", **record: Any) -> Spreadsheet:
    document = Document(title=title, facts=[("Day", "2025-03-14")], masthead=HEAD, sections=[Section("Part", blocks)])
    return Spreadsheet(to_xlsx(run_workbook(card_with(rows, **record), document)))


def column(found: Spreadsheet, sheet: str, letter: str) -> dict[int, Any]:
    return {int(at[len(letter) :]): value for (name, at), value in found.cells.items()
            if name == sheet and at.rstrip("0123456789") == letter}  # fmt: skip


def line_of(found: Spreadsheet, name: str) -> int:
    return next(at for at, value in column(found, "Figures", "C").items() if value == name)


TTM = {"ttm_revenue": 2.41e9, "ttm_gross_profit": 1.2e9, "gross_margin": 49.79, "operating_margin": 18.31}


def test_figures_are_numbers_with_their_unit_source_and_period():
    found = book([row("get_ttm_analysis", TTM), row("get_stock_data", {"last_close": 121.27})])

    at = line_of(found, "gross_margin")
    assert found.cells["Figures", f"D{at}"] == pytest.approx(0.4979)
    assert found.cells["Figures", f"E{at}"] == "%"
    assert found.cells["Figures", f"F{at}"] == "2025-03-14"
    assert found.cells["Figures", f"H{at}"] == "Twelve months of statements (get_ttm_analysis)"
    assert found.cells["Figures", f"D{line_of(found, 'last_close')}"] == 121.27
    numbers = [at for at in column(found, "Figures", "D") if at > 3]
    assert len(numbers) == 5
    for letter in "AFGHI":
        assert all(found.cells["Figures", f"{letter}{number}"] for number in numbers)


def test_a_ratio_is_a_formula_of_its_inputs_and_follows_them():
    found = book([row("get_ttm_analysis", TTM)])

    (cell,) = found.formulas()  # the inputs of the operating margin are not known
    assert (
        found.cells[cell]
        == f"=Figures!$D${line_of(found, 'ttm_gross_profit')}/Figures!$D${line_of(found, 'ttm_revenue')}"
    )
    assert found.cell(cell) == pytest.approx(1.2 / 2.41)
    assert found.shown[cell] == pytest.approx(found.cell(cell))
    assert found.cells["Ratios", f"D{cell[1][1:]}"] == pytest.approx(0.4979)
    found.cells["Figures", f"D{line_of(found, 'ttm_revenue')}"] = 2.4e9
    found._done.clear()
    assert found.cell(cell) == pytest.approx(0.5)


def test_a_stated_ratio_of_another_period_gets_no_formula():
    found = book([row("get_ttm_analysis", {"ttm_revenue": 2.41e9, "ttm_gross_profit": 1.2e9, "gross_margin": 30.0})])

    assert found.formulas() == []


def test_a_ratio_that_nobody_stated_is_computed_within_one_answer_only():
    one = book([row("get_balance_sheet", {"current_assets": 30.0, "current_liabilities": 12.0})])
    two = book(
        [row("get_balance_sheet", {"current_assets": 30.0}), row("get_financials", {"current_liabilities": 12.0})]
    )

    assert [one.cell(cell) for cell in one.formulas()] == [2.5]
    assert two.formulas() == []


def test_figures_of_other_companies_are_not_mixed():
    found = book([row("a", {"price": 96.0}, "VELQ"), row("a", {"eps_ttm": 3.0, "pe_ttm": 32.0}, "OMBZ")])

    assert found.formulas() == []


@pytest.mark.parametrize(
    "ratio", [one for ways in RATIOS.values() for one in ways], ids=lambda one: f"{one.name}-{one.above}"
)
def test_every_ratio_recomputes(ratio: Any):
    stated = round(ratio.of(7.0, 4.0), 2)
    found = book([row("a", {ratio.above: 7.0, ratio.below: 4.0, ratio.name: stated})])

    values = [found.cell(cell) * (100 if ratio.unit == "%" else 1) for cell in found.formulas()]

    assert pytest.approx(ratio.of(7.0, 4.0)) in values


def test_the_report_in_words_and_its_tables_as_numbers():
    table = Table(("Company", "Margin", "Sales"), [("VELQ", "52.18%", "101.54B USD"), ("OMBZ", "=1+1", "n/a")])

    found = book([], Prose("# Lead\n\nVELQ **leads**.\n\n- one"), table)

    lines = list(column(found, "Summary", "B").values())
    assert {"Lead", "VELQ leads.", "one"} <= set(lines)
    assert found.cells["Tables", "B3"] == pytest.approx(0.5218)
    assert found.cells["Tables", "C3"] == pytest.approx(101.54e9)
    assert found.cells["Tables", "B4"] == "'=1+1"
    assert found.cells["Figures", "A2"] == "No figure was given."


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_formula(text: str):
    hostile = row(text, {text: 2.0, "price": 8.0, "eps_ttm": 2.0}, text)
    hostile.update(vendor=text, notes=[text], inputs=[text], known_at=text, start=text)

    found = book([hostile], Prose(text), Table((text, text), [(text, text)]), title=text)

    assert {sheet for sheet, _ in found.formulas()} == {"Ratios"}
    assert all(found.cells[cell].startswith("=Figures!$D$") for cell in found.formulas())


@pytest.mark.parametrize("payload", PAYLOADS[:3])
def test_records_of_other_kinds_have_a_workbook(payload: str):
    for record, document in (
        (run_of(sample_record()), trading_document(run_of(sample_record()))),
        (scan_of(sample_scan()), scan_document(scan_of(sample_scan()))),
        (run_of(hostile_record(payload)), trading_document(run_of(hostile_record(payload)))),
        (scan_of({**hostile_scan(payload), "scan_date": "2025-03-14"}), scan_document(scan_of(hostile_scan(payload)))),
    ):
        content = to_xlsx(run_workbook(record, document))
        assert to_xlsx(run_workbook(record, document)) == content
        assert ("Sources", "A1") in Spreadsheet(content).cells


def test_an_empty_record_has_a_workbook():
    found = Spreadsheet(to_xlsx(run_workbook(card_with([]), Document(title="", facts=[], masthead=HEAD, sections=[]))))

    assert {sheet for sheet, _ in found.cells} == {"Summary", "Figures", "Sources"}
