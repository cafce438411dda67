"""Figures of anyone's report: each verdict on a page written by hand, and a sample of planted errors."""

from __future__ import annotations

import base64
import io
import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from benchmarks.check import Score, market, measure
from benchmarks.reports.houses import SETS
from tests.support.tiers import sampled
from tests.support.warm import run_warm
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import NoData, UnreadableDocument, UsageError
from tradingagents.features.report_check.capabilities.report_check import ReportCheck, check_report
from tradingagents.features.report_check.figures import FigureReader
from tradingagents.features.report_check.periods import named_periods
from tradingagents.features.report_check.words import book_for
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
REPORT = """# Veltrane Systems (VELQ): our view

Revenue was $88.40 billion in fiscal 2024. Net income of the fiscal year ended January 31, 2024 came to $35,149 million.
Operating income was $51.03 billion in fiscal 2024.
Revenue was $24.36 billion in Q3 FY2025.
Gross profit was $60.2 million in fiscal 2024.
In Q3 FY2025, gross margin was 71.1%, and we expect 75.5% next year.
Ombrix Software had revenue of $88.40 billion in fiscal 2024.
Research and development expense was $9.99 billion in fiscal 1999.
Revenue grew 21.8% year over year in fiscal 2024. The plant has 1,200 workers.
The shares closed at $96.58 on March 14, 2025.
Operating cash flow was $31.62 billion in fiscal 2024.
"""


class _Restated(SimulatedVendor):
    """A market in which operating cash flow of one year was first filed a tenth lower."""

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        found = super().get_statements(symbol, kind, freq)
        earlier = [
            _first_filed(one)
            for one in found
            if symbol == "VELQ" and (kind, one.fiscal_year, one.fiscal_period) == ("cashflow", 2024, "FY")
        ]
        return (*found, *earlier)


def _first_filed(one: Statement) -> Statement:
    from dataclasses import replace

    items = {**one.items, "operating_cash_flow": 0.9 * one.items["operating_cash_flow"]}
    return replace(one, items=items, known_at=one.known_at - timedelta(days=20))


@pytest.fixture(scope="module")
def data() -> MarketData:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    return MarketData(settings, DAY, vendors=Vendors(settings, {"simulated": _Restated()}))


def verdicts(found: ReportCheck) -> dict[str, str]:
    return {one.text: one.verdict for one in found.checked}


def test_every_verdict_on_a_report(data: MarketData):
    found = check_report.answer(data, "", REPORT, page=True)
    assert (found.symbol, found.as_of) == ("VELQ", DAY)
    assert verdicts(found) == {
        "$88.40 billion": "wrong_company",  # the last of the two: the first matches
        "$35,149 million": "matches",
        "$51.03 billion": "wrong_value",
        "$24.36 billion": "wrong_period",
        "$60.2 million": "wrong_unit",
        "71.1%": "wrong_value",
        "75.5%": "not_checkable",
        "$9.99 billion": "not_found",
        "21.8%": "matches",
        "1,200": "not_checkable",
        "$96.58": "matches",
        "$31.62 billion": "restated",
    }
    first = found.checked[0]
    assert (first.verdict, first.cell and first.cell.metric) == ("matches", "revenue")
    assert REPORT[first.start : first.end] == "$88.40 billion"
    moved = next(one for one in found.checked if one.verdict == "wrong_period")
    assert moved.elsewhere is not None
    assert moved.elsewhere.period == "Q4 of fiscal 2024 (to 2024-01-31)"
    assert found.page.count("<mark ") == len(found.checked)
    assert found.page.count('class="wrong"') == len(found.wrong) == 6


def test_html_and_pdf_give_the_verdicts_of_markdown(data: MarketData):
    rows = (("USD millions", "FY2024", "FY2023"), ("Revenue", "88,395", "72,577"), ("Net income", "35,149", "17,447"))
    words = "Veltrane Systems (VELQ) closed at $96.58 on March 14, 2025. Gross margin was 70.1% in fiscal 2024."
    page = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    html = f"<html><body><p>{words}</p><table>{page}</table><script>alert('2.5%')</script></body></html>"
    pdf = base64.b64encode(_pdf(words, rows)).decode()
    expected = {
        "$96.58": "matches",
        "70.1%": "wrong_value",
        "88,395": "matches",
        "72,577": "matches",
        "35,149": "matches",
        "17,447": "wrong_value",
    }
    assert verdicts(check_report.answer(data, "", html)) == expected
    assert verdicts(check_report.answer(data, "", pdf, encoding="base64")) == expected


def test_estimates_and_calendar_quarters_are_looked_up(data: MarketData):
    text = """# Veltrane Systems (VELQ)

The consensus EPS estimate for Q3 FY2025 was $0.61, and the consensus EPS for Q2 FY2025 was $9.61.
In the calendar third quarter of 2024 revenue was $25.78 billion.
Revenue in the October quarter of 2024 was $27.12 billion, compared with $18.1 billion a year earlier.
Revenue in Q4 CY2024 was $24.00 billion.
"""
    found = check_report.answer(data, "", text).checked
    assert [(one.text, one.verdict) for one in found] == [
        ("$0.61", "matches"),
        ("$9.61", "wrong_value"),
        ("$25.78 billion", "wrong_period"),  # that of the quarter to July
        ("$27.12 billion", "matches"),
        ("$18.1 billion", "wrong_value"),
        ("$24.00 billion", "not_found"),  # it ended in January, and is not filed yet
    ]
    assert found[4].cell is not None
    assert found[4].cell.period == "Q3 of fiscal 2024 (to 2023-10-31)"


def test_a_price_without_a_day_or_a_session_names_the_nearest_close(data: MarketData):
    text = "# Veltrane Systems (VELQ)\n\nThe shares closed at $90.00. The shares closed at $90.00 on March 9, 2025.\n"
    first, second = check_report.answer(data, "", text).checked
    assert (first.verdict, second.verdict) == ("not_found", "not_found")
    assert first.why == "No day is named; the nearest close of the last two years is 89.89 on 2024-02-22."
    assert second.why.startswith("The data have no close of 2025-03-09; that of 2025-03-07 is ")


def test_a_part_that_had_a_figure_is_not_the_company(data: MarketData):
    text = (
        "# Veltrane Systems (VELQ)\n\nCloud posted sales of $3.1 billion and grew 41% in fiscal 2024. It is 11.2% of "
        "our capital, bought at $41.30. The group had revenue of $3.1 billion in fiscal 2024.\n"
    )
    found = check_report.answer(data, "", text).checked
    assert [one.verdict for one in found] == [
        *("not_found", "not_found", "not_checkable", "not_checkable", "wrong_value"),
    ]


def told(data: MarketData, text: str) -> list[tuple[str, str]]:
    found = check_report.answer(data, "", f"# Veltrane Systems (VELQ)\n\n{text}\n").checked
    return [(one.text, one.verdict) for one in found]


def test_a_figure_is_carried_to_what_the_next_sentence_says_of_it(data: MarketData):
    grown = "**Has Veltrane Systems' revenue grown?** In Q3 FY2025 it"
    assert told(data, f"{grown} rose to $27.12 billion.") == [("$27.12 billion", "matches")]
    assert told(data, f"{grown} rose to $25.78 billion.") == [("$25.78 billion", "wrong_period")]
    named = "That is what Veltrane Systems booked as revenue in Q3 FY2025."
    assert told(data, f"Is $27.12 billion a lot? {named}") == [("$27.12 billion", "matches")]
    assert told(data, f"Is $25.78 billion a lot? {named}") == [("$25.78 billion", "wrong_period")]
    asked = "Somebody asked about Veltrane Systems' revenue. Answer:"
    assert told(data, f"{asked} $27.12 billion in Q3 FY2025.") == [("$27.12 billion", "matches")]
    year, before = (_eps(data, 2024), _eps(data, 2023))
    earned = f"Veltrane Systems earned ${year:.2f} per share in fiscal 2024. A year earlier:"
    assert told(data, f"{earned} ${before:.2f}.")[1] == (f"${before:.2f}", "matches")
    assert told(data, f"{earned} ${before + 1:.2f}.")[1][1] == "wrong_value"


def _eps(data: MarketData, year: int) -> float:
    found = data.statement_versions("VELQ", "income", "annual")
    return next(one.items["eps_diluted"] for one in found if one.fiscal_year == year)


def test_the_quarter_before_is_counted_from_the_quarter_that_is_named(data: MarketData):
    text = (
        "Veltrane Systems had revenue of $27.12 billion in Q3 FY2025; a year ago it was $22.46 billion and the quarter"
    )
    assert told(data, f"{text} before $25.78 billion.") == [
        ("$27.12 billion", "matches"),
        ("$22.46 billion", "matches"),
        ("$25.78 billion", "matches"),
    ]


def test_the_estimate_that_was_beaten_is_a_view(data: MarketData):
    text = "Veltrane Systems beat expectations in fiscal 2024; the average estimate was for $1.71 per share."
    assert told(data, text) == [("$1.71", "not_checkable")]


def test_a_company_that_stood_at_a_price_is_its_shares(data: MarketData):
    assert told(data, "Veltrane Systems stood at $96.58 on March 14, 2025.") == [("$96.58", "matches")]
    assert told(data, "Veltrane Systems stood at $80.12 on March 14, 2025.") == [("$80.12", "wrong_value")]


@pytest.mark.parametrize(
    ("text", "companies"),
    [
        ("Apple earned $1.40 a share in fiscal 2024. A year earlier: $1.26.", ["aapl", "aapl"]),
        ("Agilent (A) had revenue of $6.5 billion in fiscal 2024.", ["a"]),
        ("A reported 6.5% growth of revenue in fiscal 2024 after 4.5% at $A.", ["a", "a"]),
        ("NI of Apple was $93.7 billion in fiscal 2024.", ["aapl"]),
        ("NiSource (NI) had revenue of $5.5 billion in fiscal 2024.", ["ni"]),
        ("Consolidated revenue of Apple was $391 billion in fiscal 2024.", ["aapl"]),
    ],
)
def test_words_that_are_also_symbols_or_names_are_read_as_words(text: str, companies: list[str]):
    named = [("A", "Agilent Technologies"), ("NI", "NiSource"), ("ED", "Consolidated Edison"), ("AAPL", "Apple Inc.")]
    found = [sorted(one.subjects) for one in FigureReader(book_for(named)).read(text)]
    assert found == [[one] for one in companies]


def test_an_empty_report_is_called_empty(data: MarketData):
    with pytest.raises(UnreadableDocument, match="empty"):
        check_report.answer(data, "VELQ", " \n")


def test_a_broker_note_in_two_columns(data: MarketData):
    note = base64.b64encode(_broker_note()).decode()
    found = check_report.answer(data, "", note, encoding="base64")
    assert verdicts(found) == {
        "$96.58": "matches",
        "$27.12bn": "matches",
        "70.9%": "matches",
        "$212": "not_checkable",
        "$18.99bn": "wrong_value",
        "88,395": "matches",
        "72,577": "matches",
        "60,216": "matches",
        "48,000": "wrong_value",
        "21.8%": "matches",
    }


def _broker_note() -> bytes:
    """Return a page with a headline over two columns of prose and a table with footnotes at its foot."""
    platypus = pytest.importorskip("reportlab.platypus")
    from reportlab.lib.styles import getSampleStyleSheet

    styles, stream = getSampleStyleSheet(), io.BytesIO()
    left = (
        "Veltrane Systems (VELQ) closed at $96.58 on March 14, 2025. Revenue came to $27.12bn in Q3 FY2025, and the "
        "gross margin was 70.9% in Q3 FY2025."
    )
    right = "Our target price is $212. Net income reached $18.99bn in Q3 FY2025, more than the market had hoped for."
    rows = [
        ["USD millions (1)", "FY2024", "FY2023"],
        ["Revenue", "88,395", "72,577"],
        ["Gross profit (2)", "60,216", "48,000"],
    ]
    story = [
        platypus.Paragraph(left, styles["BodyText"]),
        platypus.FrameBreak(),
        platypus.Paragraph(right, styles["BodyText"]),
        platypus.FrameBreak(),
        platypus.Table(rows, hAlign="LEFT"),
        platypus.Paragraph("(1) Years end in January. (2) Before other income.", styles["BodyText"]),
        platypus.Paragraph("Revenue grew 21.8% year over year in fiscal 2024.", styles["BodyText"]),
    ]
    document = platypus.BaseDocTemplate(stream)
    frames = [
        platypus.Frame(*place, showBoundary=0)
        for place in ((50, 500, 235, 260), (310, 500, 235, 260), (50, 60, 495, 420))
    ]
    document.addPageTemplates([platypus.PageTemplate(frames=frames)])
    document.build(story)
    return stream.getvalue()


def simple_pdf(words: str) -> bytes:
    """Return a page with one line."""
    return _pdf(words, ())


def _pdf(words: str, rows: tuple[tuple[str, ...], ...]) -> bytes:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    stream = io.BytesIO()
    page = canvas.Canvas(stream)
    page.drawString(40, 800, words[:60])
    page.drawString(40, 786, words[60:])
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            page.drawString(40 + 150 * column, 740 - 16 * at, cell)
    page.save()
    return stream.getvalue()


def test_hostile_and_empty_reports_are_escaped_or_refused(data: MarketData):
    hostile = 'Veltrane (VELQ) <script>alert(1)</script> revenue was $88.40 billion in fiscal 2024 "><img src=x>.'
    page = check_report.answer(data, "VELQ", hostile, page=True).page
    assert "<script>alert" not in page
    assert "<img" not in page
    with pytest.raises(UsageError):
        check_report.answer(data, "", "Revenue was $1.00 billion.")
    with pytest.raises(NoData):
        check_report.answer(data, "NOSUCH", REPORT)
    with pytest.raises(UnreadableDocument):
        check_report.answer(data, "VELQ", "%", encoding="base64")


def test_the_command_writes_the_page_and_ends_with_five_where_a_figure_is_contradicted(tmp_path: Path):
    for words, code in (("Revenue was $88.40 billion", 0), ("Revenue was $77.70 billion", 5)):
        (tmp_path / "note.md").write_text(f"# Veltrane Systems (VELQ)\n\n{words} in fiscal 2024.\n", encoding="utf-8")
        command = ["-m", "cli.main", "check", "note.md", "--as-of", "2025-03-14", "--offline", "--json"]
        done = run_warm([*command, "--home", str(tmp_path / "home")], cwd=tmp_path)
        assert done.returncode == code, done.stderr
        told = json.loads(done.stdout)
        assert [one["verdict"] for one in told["checked"]] == ["wrong_value" if code else "matches"]
        assert told["page"] == "note.checked.html"
        assert words.rpartition("was ")[2] in (tmp_path / "note.checked.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "span", "year", "quarter", "last_day"),
    [
        ("in Q3 FY2025", "quarter", 2025, 3, None),
        ("in 3Q25", "quarter", 2025, 3, None),
        ("the third quarter of fiscal 2025", "quarter", 2025, 3, None),
        ("the three months ended June 28, 2025", "quarter", None, None, date(2025, 6, 28)),
        ("in fiscal 2024", "year", 2024, None, None),
        ("on 2025-03-14", "day", None, None, date(2025, 3, 14)),
        ("over the last twelve months", "twelve_months", None, None, None),
        ("in H1 2025", "part", None, None, None),
    ],
)
def test_named_periods(words: str, span: str, year: int | None, quarter: int | None, last_day: date | None):
    (found,) = named_periods(words)
    assert (found.span, found.year, found.quarter, found.last_day) == (span, year, quarter, last_day)


@pytest.mark.parametrize("name", sampled(["held out five", "development", "held out three"], every=2))
def test_a_sample_of_the_planted_errors_is_found_and_rightly_named(name: str):
    score, (data, books) = Score(), market(None)
    for house in SETS[name]:
        measure(data, books, house=house, errors=3, most=6, score=score)
    named, alarms = score.rates()
    assert sum(score.planted.values()) > 120
    assert named >= 0.97
    assert alarms <= 0.02


@pytest.mark.real_data
def test_a_sample_of_the_planted_errors_in_recorded_statements(test_data: Path):
    score, (data, books) = Score(), market(test_data / "snapshot")
    for house in (SETS["earlier"][0], SETS["held out one"][1], *SETS["held out six"]):
        measure(data, books, house=house, errors=5, most=6, score=score)
    named, alarms = score.rates()
    assert named >= 0.97
    assert alarms <= 0.02
