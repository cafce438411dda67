"""The deep report as a product: first page, exhibits, linked appendix, PDF, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pypdfium2
import pytest

from tests.reports.spreadsheet import Spreadsheet
from tests.support.research import research_services
from tests.support.thesis import reported
from tradingagents.features.deep_report.report.citations import Citations
from tradingagents.features.deep_report.report.deep_report import deep_report_document
from tradingagents.features.deep_report.report.exhibits import Exhibits
from tradingagents.features.deep_report.run import DeepReport
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
from tradingagents.reports.document import Exhibit
from tradingagents.reports.inner_links import inner_link, links_in_html, without_links
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown
from tradingagents.reports.render.pdf import to_pdf
from tradingagents.runtime.records.export import export_record


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> DeepReport:
    """A report without a language model, made once."""
    import asyncio

    services = research_services(tmp_path_factory.mktemp("product"))
    try:
        return asyncio.run(reported(services))
    finally:
        services.close()


def _exhibits(record: DeepReportRecord) -> list[Exhibit]:
    document = deep_report_document(record)
    return [block for section in document.sections for block in section.blocks if isinstance(block, Exhibit)]


def test_the_json_has_the_documented_shape(made: DeepReport):
    record = json.loads(json.dumps(made.record.as_json()))
    assert {"hypotheses", "evidence", "scenarios", "valuation", "sections", "scores"} <= record.keys()
    for item in record["evidence"]:
        assert {"id", "claim", "quote", "source", "confidence", "driver", "direction", "label"} <= item.keys()
        assert item["driver"] == (item["effect"] or {}).get("driver")
    assert [item["label"] for item in record["evidence"]] == [f"E{n}" for n in range(1, len(record["evidence"]) + 1)]
    assert all(scenario.keys() == {"name", "probability", "value_per_share"} for scenario in record["scenarios"])
    assert record["scenarios"] == record["valuation"]["scenarios"]
    assert {"inputs", "value_per_share", "expected_value"} <= record["valuation"].keys()


def test_every_exhibit_has_title_unit_source_numbers_and_both_widths(made: DeepReport):
    found = _exhibits(made.record)
    assert [exhibit.number for exhibit in found] == list(range(1, 8))
    for exhibit in found:
        assert all((exhibit.title, exhibit.unit, exhibit.source, exhibit.table)), exhibit.title
        assert [kind for kind, _ in exhibit.charts] == ["wide", "narrow"]


def test_what_has_no_data_is_not_drawn_and_says_so(made: DeepReport):
    without = {"valuation": None, "no_valuation": "The books are closed.", "iterations": [], "exhibits": None}
    bare = made.record.model_copy(update=without)
    found = Exhibits(bare)
    drawn = [found.football(), found.tree(), found.sensitivity(), found.prices(), found.margins(), found.growth()]
    assert all(exhibit.missing and not exhibit.charts for exhibit in (*drawn, found.confidence()))
    page = to_html(deep_report_document(bare))
    assert "There is no valuation: The books are closed." in page
    assert page.count("not drawn: ") == 4  # prices, margins, growth, confidence


def test_a_card_is_read_as_it_was_written_and_one_of_the_first_version_too(made: DeepReport):
    card = json.loads(json.dumps(made.record.as_json()))
    read = DeepReportRecord.model_validate(card)
    assert (read.as_json(), list(read.as_json())) == (card, list(card))
    for name in ("exhibits", "hints", "contradictions", "scenarios"):
        del card[name]
    for name in ("past", "doubts", "notes", "opening"):
        del card["valuation"][name]
    for name in ("engagement", "novelty", "density"):
        del card["scores"][name]
    for hypothesis in card["hypotheses"]:
        del hypothesis["proposed"], hypothesis["falsifiers"]
    for iteration in card["iterations"]:
        iteration["contradictions"] = [
            {name: pair[name] for name in ("hypothesis", "supports", "contradicts", "about")}
            for pair in iteration["contradictions"]
        ]
    for item in card["evidence"]:
        del item["label"], item["driver"]
    first = DeepReportRecord.model_validate(card)
    assert (first.exhibits, first.scores.engagement, first.hypotheses[0].falsifiers) == (None, None, None)
    page = to_markdown(deep_report_document(first))
    assert "Contradictions: " not in page
    assert "[E1]" in page


def test_claims_link_to_the_appendix_and_back(made: DeepReport):
    page = to_html(deep_report_document(made.record))
    ids = set(re.findall(r' id="([a-z0-9-]+)"', page))
    targets = re.findall(r'<a class="inner" href="#([a-z0-9-]+)"', page)
    assert {f"evidence-e{n}" for n in range(1, len(made.record.evidence) + 1)} <= ids
    assert set(targets) <= ids
    assert {"evidence-e1", "text-executive-summary"} <= set(targets)
    assert any(target.startswith("figure-ttm-analysis-") for target in targets)  # from a row to the data sheet
    assert re.search(r'<a href="https://[^"]*" rel="noopener', page) or "data-" in page
    text = to_markdown(deep_report_document(made.record))
    assert "[E1]" in text
    assert not re.search("[\ue0f1-\ue0f7]", page + text)


def test_the_pdf_has_a_first_page_contents_and_numbered_pages(made: DeepReport):
    document = deep_report_document(made.record)
    content = to_pdf(document)
    assert content == to_pdf(document)
    file = pypdfium2.PdfDocument(content)
    pages = [page.get_textpage().get_text_bounded() for page in file]
    first = " ".join(pages[0].split())
    missing = [words for words in ("BUY", "Value ranges against the price", "below the standard") if words not in first]
    assert missing == [], first
    assert "Contents" in pages[1]
    listed = dict(re.findall(r"^(\w[\w ]*?)[ .]{4,}(\d+)\s*$", pages[1], re.MULTILINE))
    assert {"Summary", "Valuation", "Evidence", "Model use"} <= listed.keys()
    assert all("\n" + title in "\n" + pages[int(number) - 1].replace("\r", "") for title, number in listed.items())
    assert all(f"Page {at} of {len(pages)}" in " ".join(text.split()) for at, text in enumerate(pages, 1))
    assert len(content) < 1_000_000


def test_a_mark_of_a_model_s_own_becomes_no_link():
    forged = inner_link("evidence-e1", "click") + "\ue0f5"
    assert without_links(f"a {forged} b") == "a click b"
    assert links_in_html("x\ue0f6y\ue0f7") == "xy"
    assert Citations({}, {}).cited(forged, ()) == "click"


def test_a_value_that_stands_on_an_assumed_input_carries_no_rating(made: DeepReport):
    from tradingagents.features.deep_report.graph.value import rating_of

    value = made.record.valuation
    assert value is not None
    assert rating_of(value) == "BUY"
    doubted = value.model_copy(update={"doubts": ["no source gives the cash, which counts as 0 here"]})
    assert rating_of(doubted) == ""
    page = to_html(deep_report_document(made.record.model_copy(update={"valuation": doubted, "rating": ""})))
    assert "Not rated, because no source gives the cash" in page


def test_the_run_takes_little_room(made: DeepReport):
    folder = Path(made.record.paths["folder"])
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 5_000_000


def test_the_workbook_computes_the_report_to_the_cent(made: DeepReport) -> None:
    record, value = made.record, made.record.valuation
    assert value is not None
    book = Spreadsheet(export_record(record, "xlsx"))
    assert book.get("value_per_share") == pytest.approx(value.value_per_share, abs=0.005)
    assert book.get("expected_value") == pytest.approx(value.expected_value, abs=0.005)
    assert book.get("expected_upside") == pytest.approx(value.upside, abs=1e-6)
    cases = {scenario.name: scenario.value_per_share for scenario in value.scenarios}
    for name in ("bull", "bear"):
        assert book.get(f"value_per_share_{name}") == pytest.approx(cases[name], abs=0.005)
    assert not [key for key in book.formulas() if _differs(book.cell(key), book.shown[key])]
    before = book.get("expected_value")
    book.set("wacc", 0.12, year=1)  # an input of the base case alone
    assert book.get("value_per_share") < value.value_per_share
    assert cases["bull"] == pytest.approx(book.get("value_per_share_bull"), abs=0.005)
    assert book.get("expected_value") < before
    labels = [book.cells["Evidence", f"A{row}"] for row in range(4, 4 + len(record.evidence))]
    assert labels == [item["label"] for item in record.evidence]


def _differs(computed: object, shown: object) -> bool:
    if isinstance(computed, int | float) and isinstance(shown, int | float):
        return abs(computed - shown) > 1e-6 * max(1.0, abs(shown))
    return (computed or "") != (shown or "")
