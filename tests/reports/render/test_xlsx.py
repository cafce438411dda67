"""XLSX files: texts stay texts, the same workbook gives the same bytes, and the extra is named where it is missing."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from tests.features.valuation_report.test_valuation_workbook import CASES, CLOSE, built_report
from tests.reports.spreadsheet import Spreadsheet
from tests.valuation.cases import FULL
from tradingagents.errors import ConfigurationError
from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.workbook import valuation_workbook
from tradingagents.reports.render.xlsx import LONGEST_TEXT, safe_text, to_xlsx
from tradingagents.reports.workbook import Cell, Sheet, Workbook
from tradingagents.valuation.company.answer_parts import ValuationAssumption

HOSTILE = ("=1+1", "+cmd|'/C calc'!A0", "-2+3", "@SUM(A1)", "\t=1+1", " =1+1", '=HYPERLINK("http://x","y")', "\x00=1")


def book_of(*cells: Cell) -> Workbook:
    sheet = Sheet("One")
    for row, cell in enumerate(cells):
        sheet.put(row, 0, cell)
    return Workbook("Title", date(2025, 3, 14), [sheet], {})


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_from_outside_never_becomes_a_formula(text):
    (cell,) = openpyxl.load_workbook(io.BytesIO(to_xlsx(book_of(Cell(text, format="text")))))["One"]["A"]

    assert cell.data_type == "s"
    assert not str(cell.value).startswith(("=", "+", "-", "@", "\t", " ="))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_and_sources_of_a_valuation_stay_texts(text):
    report = ValuationReport(
        inputs=FULL.with_values(company=text, ticker=text, currency=text),
        price=20.0,
        assumptions=(ValuationAssumption("debt", 300.0, text, text), ValuationAssumption(text, 1.0, "data", "x")),
        notes=(text,),
        refusals=(text,),
    )

    book = Spreadsheet(to_xlsx(valuation_workbook(report)))
    clean = Spreadsheet(to_xlsx(valuation_workbook(ValuationReport(inputs=FULL, price=20.0))))

    assert len(book.formulas()) == len(clean.formulas())
    assert all(book.cells[key] == clean.cells[key] for key in clean.formulas())


def test_ordinary_texts_stay_as_they_are_and_long_ones_fit():
    assert safe_text("Apple Inc. - 10-K") == "Apple Inc. - 10-K"
    assert len(safe_text("a" * 40_000)) == LONGEST_TEXT
    assert safe_text("a\x00b\x1b[31mc\ud800") == "abc"


def test_the_same_valuation_gives_the_same_bytes():
    first, second = (to_xlsx(valuation_workbook(built_report())) for _ in range(2))

    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert len({one.date_time for one in archive.infolist()}) == 1
        assert "2025-03-14T00:00:00Z" in archive.read("docProps/core.xml").decode()


def test_a_number_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match=r"One!A2: nan is no number"):
        to_xlsx(book_of(Cell(1.0), Cell(float("nan"))))


def test_an_input_with_few_values_offers_them():
    sheet = openpyxl.load_workbook(io.BytesIO(to_xlsx(valuation_workbook(built_report()))))["Inputs"]

    offered = {one.formula1 for one in sheet.data_validations.dataValidation}

    assert '"end,midyear"' in offered


def test_without_the_library_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)

    with pytest.raises(ConfigurationError, match=r"pip install 'tradingagents\[xlsx\]'"):
        to_xlsx(book_of(Cell(1.0)))


def test_nothing_of_it_is_imported_before_a_file_is_written():
    code = "import sys, tradingagents.features.valuation_report.workbook, tradingagents.reports.render.xlsx"
    code = f"{code}; print('xlsxwriter' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)

    assert done.stdout.strip() == b"False", done.stderr


SOFFICE = shutil.which("soffice")


@pytest.mark.skipif(not SOFFICE, reason="LibreOffice is not installed: nothing else can open the file")
@pytest.mark.parametrize("name", ["full", "options", "lag"])
def test_libreoffice_computes_the_kernels_value(name, tmp_path: Path):
    report = ValuationReport(inputs=CASES[name], price=25.0)
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(valuation_workbook(report))))  # openpyxl drops the results
    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    book.save(source / "book.xlsx")

    subprocess.run(
        [str(SOFFICE), "--headless", f"-env:UserInstallation=file://{tmp_path}/profile", "--convert-to", "xlsx",
         "--outdir", str(target), str(source / "book.xlsx")], check=True, capture_output=True, timeout=240,
    )  # fmt: skip

    computed = Spreadsheet((target / "book.xlsx").read_bytes())
    for key in Spreadsheet(to_xlsx(valuation_workbook(report))).formulas():
        expected = computed.cell(key)
        if isinstance(expected, float):
            assert computed.shown[key] == pytest.approx(expected, abs=CLOSE)
    sheet, cell = computed._first(computed.names["value_per_share"])
    assert computed.shown[sheet, cell] == pytest.approx(report.valuation.value_per_share, abs=CLOSE)
