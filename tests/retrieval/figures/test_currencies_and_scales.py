"""Figures of filings in many currencies and scales: the unit that the filing states, or that it states none."""

from __future__ import annotations

from itertools import product

import pytest

from tests.retrieval.figures.filings import ROWS, html_report, html_statement, report, statement
from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.models import SourceDocument

REVENUE = "What is the FY2024 revenue?"
NAMES = {
    "CNY": ("RMB", "Renminbi", "CNY"),
    "CAD": ("C$", "Canadian dollars", "CAD"),
    "EUR": ("€", "euros", "EUR"),
    "GBP": ("£", "pounds sterling", "GBP"),
    "JPY": ("¥", "Japanese yen", "JPY"),
    "HKD": ("HK$", "Hong Kong dollars", "HKD"),
    "CHF": ("SFr.", "Swiss francs", "CHF"),
    "TWD": ("NT$", "New Taiwan dollars", "TWD"),
    "INR": ("₹", "Indian rupees", "INR"),
    "KRW": ("₩", "Korean won", "KRW"),
    "AUD": ("A$", "Australian dollars", "AUD"),
    "SGD": ("S$", "Singapore dollars", "SGD"),
    "BRL": ("R$", "Brazilian reais", "BRL"),
    "USD": ("US$", "U.S. dollars", "USD"),
}
SCALES = {"thousands": 1e3, "millions": 1e6, "billions": 1e9, "crore": 1e7, "lakh": 1e5, "hundred millions": 1e8}


def ask(document: SourceDocument, question: str = REVENUE) -> ExtractiveAnswer:
    return answer_from_documents(question, [document])


def amount(document: SourceDocument) -> tuple[float, str]:
    (operand,) = ask(document).operands
    return operand.value, operand.unit


@pytest.mark.parametrize(("code", "scale"), list(product(NAMES, SCALES)))
def test_a_caption_states_currency_and_scale(code: str, scale: str) -> None:
    sign, name, iso = NAMES[code]
    for caption in (f"({sign} in {scale}, except per share data)", f"(in {scale} of {name})", f"{iso} {scale}"):
        for document in (report(statement(caption)), html_report(html_statement(caption))):
            assert amount(document) == (4_700 * SCALES[scale], code), caption
            eps = ask(document, "What is the FY2024 diluted EPS?")
            assert (eps.value, eps.unit) == (1.38, f"{code}/share")


@pytest.mark.parametrize(
    ("caption", "code", "factor"),
    [
        ("(Rs. in crore)", "INR", 1e7),
        ("₹ in lakhs", "INR", 1e5),
        ("(億円)", "JPY", 1e8),
        ("単位\uff1a百万円", "JPY", 1e6),
        ("(millions of yen)", "JPY", 1e6),
        ("单位\uff1a万元 币种\uff1a人民币", "CNY", 1e4),
        ("人民币百万元", "CNY", 1e6),
        ("€m", "EUR", 1e6),
        ("(EUR'000)", "EUR", 1e3),
        ("£'000", "GBP", 1e3),
        ("(SEKm)", "SEK", 1e6),
        ("DKK bn", "DKK", 1e9),
        ("Rm", "ZAR", 1e6),
        ("R million", "ZAR", 1e6),
        ("(CHF m)", "CHF", 1e6),
        ("in € mn", "EUR", 1e6),
        ("(Amounts expressed in thousands of U.S. dollars, unless otherwise noted)", "USD", 1e3),
        ("(Expressed in Canadian dollars)", "CAD", 1.0),
        ("KRW billions", "KRW", 1e9),
        ("(MSEK)", "SEK", 1e6),
        ("TEUR", "EUR", 1e3),
        ("(in 100 million yen)", "JPY", 1e8),
    ],
)
def test_other_ways_of_stating_a_unit(caption: str, code: str, factor: float) -> None:
    for document in (report(statement(caption)), html_report(html_statement(caption))):
        assert amount(document) == (4_700 * factor, code)


@pytest.mark.parametrize("form", ["20-F", "40-F", "6-K", "call", ""])
@pytest.mark.parametrize(
    "caption", ["(in millions)", "($ in millions)", "(dollars in millions)", "(in RMB and US$ millions)"]
)
def test_a_currency_that_is_not_stated_is_not_supposed(form: str, caption: str) -> None:
    for document in (report(statement(caption), form=form), html_report(html_statement(caption), form=form)):
        assert amount(document) == (4_700e6, UNSTATED_UNIT)
        answer = ask(document)
        assert answer.unit == "millions (currency not stated)"
        assert "USD" not in answer.text
        assert "4,700.00 millions (currency not stated)" in answer.text
        in_dollars = ask(document, "What is the FY2024 revenue in USD millions?")
        assert in_dollars.value is None
        assert "does not state the currency" in in_dollars.refusal
        eps = ask(document, "What is the FY2024 diluted EPS?")
        assert eps.text.startswith("Diluted EPS: 1.38 per share (currency not stated).")
        assert ask(document, "What is the FY2024 net margin?").value == pytest.approx(100 * 700 / 4700)


@pytest.mark.parametrize("form", ["10-K", "8-K"])
@pytest.mark.parametrize("caption", ["(in millions)", "($ in millions)", "(dollars in millions)"])
def test_a_report_of_a_us_company_is_in_us_dollars(form: str, caption: str) -> None:
    for document in (report(statement(caption), form=form), html_report(html_statement(caption), form=form)):
        assert amount(document) == (4_700e6, "USD")


COVER = "FORM 10-K\nMaple Works Inc.\nOntario, Canada 98-0000000\n(State or other jurisdiction of incorporation)"


@pytest.mark.parametrize(
    ("said", "form", "code"),
    [
        ("All amounts are expressed in Canadian dollars unless otherwise stated.", "40-F", "CAD"),
        ("All amounts are expressed in Canadian dollars unless otherwise stated.", "10-K", "CAD"),
        ("The Company's reporting currency is the U.S. dollar.", "20-F", "USD"),
        ("In this report, “$” and “dollars” refer to Australian dollars.", "6-K", "AUD"),
        ("The presentation currency of the group is the Hong Kong dollar.", "20-F", "HKD"),
        ("We report on Form 10-Q and on Form 10-K.", "EX-99.1", "USD"),
        ("We report on Form 40-F.", "EX-99.1", UNSTATED_UNIT),
        (COVER, "10-K", UNSTATED_UNIT),
    ],
)
def test_the_document_says_what_a_dollar_is(said: str, form: str, code: str) -> None:
    caption = "($ in millions)"
    paragraphs = f"<p>{said.replace(chr(10), '</p><p>')}</p>"
    for document in (
        report(said, statement(caption), form=form),
        html_report(paragraphs, html_statement(caption), form=form),
    ):
        assert amount(document) == (4_700e6, code)


def test_a_yen_sign_is_yuan_where_the_document_speaks_of_china() -> None:
    assert amount(report(statement("(¥ in millions)")))[1] == "JPY"
    assert (
        amount(report("We sell in the PRC. RMB is not freely convertible.", statement("(¥ in millions)")))[1] == "CNY"
    )
    both = "We sell in the PRC and in Japan."
    assert amount(report(both, statement("(¥ in millions)")))[1] == UNSTATED_UNIT


@pytest.mark.parametrize(
    ("sign", "code"), [("C$", "CAD"), ("RMB", "CNY"), ("Rs.", "INR"), ("£", "GBP"), ("HK$", "HKD")]
)
def test_signs_before_the_figures_tell_the_currency(sign: str, code: str) -> None:
    rows = [(label, f"{sign} {before}", f"{sign} {after}") for label, before, after in ROWS]
    for document in (
        report(statement("(in millions)", rows=rows)),
        html_report(html_statement("(in millions)", rows=rows)),
    ):
        assert amount(document) == (4_700e6, code)


@pytest.mark.parametrize(
    ("label", "caption", "unit"),
    [
        ("Diluted EPS (US cents)", "(in millions)", "USD/share"),
        ("Diluted earnings per share (pence)", "(£ in millions)", "GBP/share"),
        ("Diluted earnings per share (cents)", "(R million)", "ZAR/share"),
    ],
)
def test_figures_per_share_in_cents(label: str, caption: str, unit: str) -> None:
    rows = [*ROWS[:-1], (label, "122", "138")]
    for document in (report(statement(caption, rows=rows)), html_report(html_statement(caption, rows=rows))):
        row = document.tables[0].rows[-1]
        cell = row.cells[-1]
        assert cell is not None
        assert (row.unit, cell.value) == (unit, pytest.approx(1.38))


def test_heads_of_columns_and_labels_state_units() -> None:
    for head in ("2023 €m 2024 €m", "€m 2023 2024"):
        assert amount(report(statement("", head=("Year ended December 31,", head)))) == (4_700e6, "EUR")
    assert amount(html_report(html_statement("", heads=(("2023<br/>€m", "2024<br/>€m"),)))) == (4_700e6, "EUR")
    rows = [("Revenue (RMB millions)", "4,400", "4,700"), *ROWS[1:]]
    for document in (
        report(statement("(in thousands)", rows=rows)),
        html_report(html_statement("(in thousands)", rows=rows)),
    ):
        assert amount(document) == (4_700e6, "CNY")


def test_figures_in_another_currency_than_asked_are_declined_and_an_open_question_is_not() -> None:
    document = report(statement("(€ in millions)"))
    assert ask(document).value == 4_700.0
    assert ask(document, "What is the FY2024 revenue in EUR billions?").value == 4.7
    declined = ask(document, "What is the FY2024 revenue in USD millions?")
    assert "the figures are in EUR, and the question asks for USD" in declined.refusal
    assert (
        ask(report(statement("(C$ in millions)")), "What is the FY2024 revenue in $ millions?").unit == "CAD millions"
    )


@pytest.mark.parametrize(
    ("label", "figures", "unit"),
    [
        ("Effective tax rate", ("18.4", "17.6"), "percent"),
        ("Gross margin", ("43.2", "42.6"), "percent"),
        ("Return on equity (%)", ("11.0", "12.5"), "percent"),
        ("Current ratio", ("1.7", "1.9"), "ratio"),
        ("Number of employees", ("11,000", "12,345"), "count"),
        ("Dividends per share", ("0.30", "0.35"), "CNY/share"),
    ],
)
def test_what_a_caption_in_millions_does_not_scale(label: str, figures: tuple[str, str], unit: str) -> None:
    caption = "(RMB in millions, except percentages, ratios and per share data)"
    rows = [*ROWS, (label, *figures)]
    for document in (report(statement(caption, rows=rows)), html_report(html_statement(caption, rows=rows))):
        row = document.tables[0].rows[-1]
        cell = row.cells[-1]
        assert (row.label, row.unit, row.scale) == (label, unit, 1.0)
        assert cell is not None
        assert cell.value == float(figures[1].replace(",", ""))


def test_a_caption_over_the_columns_makes_no_percentages_of_them() -> None:
    """As Meta prints revenue by source: the caption stands in the head, over amounts and changes alike."""
    head = "<tr><td></td>{}</tr>"
    page = (
        "<html><body><p>Item 7. Discussion</p><table>"
        + head.format('<td colspan="3">Year Ended December 31,</td><td>2024 vs 2023 % change</td>')
        + head.format("<td>2024</td><td>2023</td><td>2022</td><td></td>")
        + head.format('<td colspan="4">(in millions, except percentages)</td>')
        + "<tr><td>Advertising</td><td>$ 160,633</td><td>$ 131,948</td><td>$ 113,642</td><td>22%</td></tr>"
        + "<tr><td>Other revenue</td><td>1,722</td><td>1,058</td><td>808</td><td>63%</td></tr></table></body></html>"
    )
    rows = [row for table in html_report(page).tables for row in table.rows]
    values = {row.label: [cell.value for cell in row.cells if cell is not None] for row in rows}
    assert values == {
        "Advertising": [160_633e6, 131_948e6, 113_642e6, 22.0],
        "Other revenue": [1_722e6, 1_058e6, 808e6, 63.0],
    }
    assert {row.scale for row in rows} == {1e6}


@pytest.mark.parametrize(
    ("caption", "printed", "value"),
    [
        ("(SEK in millions)", ("31 020", "34 176"), 34_176e6),
        ("(CHF m)", ("31'020", "34'176"), 34_176e6),
        ("(₹ in lakh)", ("11,34,567", "12,34,567"), 1_234_567e5),
        ("(€ in millions)", ("31.020,0", "34.176,5"), 34_176.5e6),
        ("(€ in millions)", ("31\u00a0020", "34\u00a0176"), 34_176e6),
        ("(NOK m)", ("31\u202f020", "34\u202f176"), 34_176e6),
        ("(€ in millions)", ("(31.020)", "(34.176)"), -34_176e6),
        ("(SEK m)", ("(31 020)", "(34 176)"), -34_176e6),
    ],
)
def test_groups_of_digits(caption: str, printed: tuple[str, str], value: float) -> None:
    comma = "." in printed[0]
    rows = [
        ("Revenue", *printed),
        *((label, *map(_european if comma else _plain, figures)) for label, *figures in ROWS[1:]),
    ]
    for document in (report(statement(caption, rows=rows)), html_report(html_statement(caption, rows=rows))):
        (operand,) = ask(document).operands
        assert operand.value == pytest.approx(value)
        assert operand.place is not None
        assert document.text(operand.place).strip("()") in operand.text


def _plain(figure: str) -> str:
    return figure.replace(",", " ")


def _european(figure: str) -> str:
    return figure.replace(",", " ").replace(".", ",").replace(" ", ".")
