"""Headings of documents, and the risk factors that a report names."""

from __future__ import annotations

from tests.retrieval.reading.small_filings import KNOWN_AT, LONG, annual_report, read
from tradingagents.retrieval.reading import read_document
from tradingagents.retrieval.reading.headings import risk_factors
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.store.codec import decode, encode

TEXT = "<p>" + "Costs of freight and of copper vary with the weather, with strikes and with politics. " * 6 + "</p>"
RISKS = f"""<p>You should consider the following.</p><p><b>Risks Related to Our Business</b></p>
<p><b>A single supplier makes most of our compressors.</b></p>{TEXT}
<p><b>Freight costs may rise again.</b></p>{TEXT}
<p><b>Risks Related to Regulation</b></p>
<p><b>New rules on refrigerants could make our products unlawful.</b></p>{TEXT}"""


def test_lines_in_bold_are_headings() -> None:
    document = read(annual_report(texts={"1A": RISKS}))
    texts = [heading.text for heading in document.headings]
    assert texts[:3] == ["PART I", "Item 1. Business", "Item 1A. Risk Factors"]
    assert "Freight costs may rise again." in texts
    assert not any("Costs of freight" in text or "Total revenues" in text for text in texts)
    for heading in document.headings:
        assert document.pages[heading.page].text[heading.start : heading.end] == heading.text
    assert decode(*encode(document)) == document


def test_a_running_header_is_no_heading() -> None:
    pages = "\f".join(f"Small Works Inc.\nChapter {n}\nThe works of the year were small, and few." for n in "ABCDEF")
    texts = [heading.text for heading in read_document(pages.encode(), known_at=KNOWN_AT).headings]
    assert texts == [f"Chapter {n}" for n in "ABCDEF"]


def test_the_weightiest_risk_of_each_group_comes_first() -> None:
    found = risk_factors(read(annual_report(texts={"1A": RISKS})))
    assert [one.text for one in found] == [
        "A single supplier makes most of our compressors.",
        "New rules on refrigerants could make our products unlawful.",
        "Freight costs may rise again.",
    ]


def test_a_report_without_risk_factors_names_none() -> None:
    assert risk_factors(read(annual_report(leave_out=("1A",)))) == ()


TITLES = {
    "1": "Identity of Directors, Senior Management and Advisers", "2": "Offer Statistics and Expected Timetable",
    "3": "Key Information", "4": "Information on the Company", "4A": "Unresolved Staff Comments",
    "5": "Operating and Financial Review and Prospects", "6": "Directors, Senior Management and Employees",
    "7": "Major Shareholders and Related Party Transactions", "8": "Financial Information", "9": "The Offer and Listing",
    "10": "Additional Information", "11": "Quantitative and Qualitative Disclosures about Market Risk",
    "12": "Description of Securities Other than Equity Securities", "13": "Defaults, Dividend Arrearages",
    "14": "Material Modifications", "15": "Controls and Procedures", "16A": "Audit Committee Financial Expert",
    "16D": "Exemptions from the Listing Standards", "16K": "Cybersecurity", "17": "Financial Statements",
    "18": "Financial Statements", "19": "Exhibits",
}  # fmt: skip


def test_the_items_of_a_20f_are_told_apart() -> None:
    texts = {"3": RISKS + LONG, "4": LONG, "5": LONG}
    parts = {"1": "I", "13": "II", "17": "III"}
    body = "".join(
        (f"<div><b>PART {parts[item]}</b></div>" if item in parts else "")
        + f"<div><b>ITEM {item}. {title}</b></div>{texts.get(item, '<p>Not applicable.</p>')}"
        for item, title in TITLES.items()
    )
    contents = "".join(f"<tr><td>Item {one}.</td><td>{title}</td><td>{n + 3}</td></tr>" for n, (one, title) in
                       enumerate(TITLES.items()))  # fmt: skip
    page = f"<html><body><div>FORM 20-F</div><table>{contents}</table>{body}<p>Signatures</p></body></html>"
    document = read_document(page.encode(), known_at=KNOWN_AT, hints=Hints(form="20-F"))
    assert [section.item for section in document.sections] == list(TITLES)
    assert all(section.sure for section in document.sections), document.sections
    assert document.warnings == ()
    assert document.section_text(next(one for one in document.sections if one.item == "16D")).startswith("ITEM 16D")
    assert risk_factors(document)[0].text == "A single supplier makes most of our compressors."
