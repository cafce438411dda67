"""The deep report as a product: first page, exhibits, linked appendix, PDF, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pypdfium2
import pytest

from tests.support.research import research_services
from tests.support.thesis import reported
from tradingagents.reports.deep.citations import citations_of
from tradingagents.reports.deep.exhibits import Exhibits
from tradingagents.reports.deep_report import deep_report_document
from tradingagents.reports.document import Exhibit
from tradingagents.reports.inner_links import inner_link, links_in_html, without_links
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown
from tradingagents.reports.render.pdf import to_pdf
from tradingagents.schemas.thesis import DeepReportRecord
from tradingagents.workflows.deep_report import DeepReport


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
    record = json.loads(json.dumps(made.record))
    assert {"hypotheses", "evidence", "scenarios", "valuation", "sections", "scores"} <= record.keys()
    for item in record["evidence"]:
        assert {"id", "claim", "quote", "source", "confidence", "driver", "direction", "label"} <= item.keys()
        assert item["driver"] == (item["effect"] or {}).get("driver")
    assert [one["label"] for one in record["evidence"]] == [f"E{n}" for n in range(1, len(record["evidence"]) + 1)]
    assert all(one.keys() == {"name", "probability", "value_per_share"} for one in record["scenarios"])
    assert record["scenarios"] == record["valuation"]["scenarios"]
    assert {"inputs", "value_per_share", "expected_value"} <= record["valuation"].keys()


def test_every_exhibit_has_title_unit_source_numbers_and_both_widths(made: DeepReport):
    found = _exhibits(made.record)
    assert [one.number for one in found] == list(range(1, 8))
    for one in found:
        assert all((one.title, one.unit, one.source, one.table)), one.title
        assert [kind for kind, _ in one.charts] == ["wide", "narrow"]


def test_what_has_no_data_is_not_drawn_and_says_so(made: DeepReport):
    bare: DeepReportRecord = {
        **made.record,
        "valuation": None,
        "no_valuation": "The books are closed.",
        "iterations": [],
    }
    del bare["exhibits"]
    found = Exhibits(bare)
    drawn = [found.football(), found.tree(), found.sensitivity(), found.prices(), found.margins(), found.growth()]
    assert all(one.missing and not one.charts for one in (*drawn, found.confidence()))
    page = to_html(deep_report_document(bare))
    assert "There is no valuation: The books are closed." in page
    assert page.count("not drawn: ") == 4  # prices, margins, growth, confidence


def test_claims_link_to_the_appendix_and_back(made: DeepReport):
    page = to_html(deep_report_document(made.record))
    ids = set(re.findall(r' id="([a-z0-9-]+)"', page))
    targets = re.findall(r'<a class="inner" href="#([a-z0-9-]+)"', page)
    assert {f"evidence-e{n}" for n in range(1, len(made.record["evidence"]) + 1)} <= ids
    assert set(targets) <= ids
    assert {"evidence-e1", "text-executive-summary"} <= set(targets)
    assert any(one.startswith("figure-ttm-analysis-") for one in targets)  # from a row to the data sheet
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
    assert all(words in pages[0] for words in ("BUY", "Value ranges against the price", "below the standard"))
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
    record = {"evidence": [], "sections": []}
    assert citations_of(record).cited(forged, ()) == "click"  # type: ignore[arg-type]


def test_a_value_that_stands_on_an_assumed_input_carries_no_rating(made: DeepReport):
    from tradingagents.workflows.graphs.thesis.value import rating_of

    value = made.record["valuation"]
    assert value is not None
    assert rating_of(value) == "BUY"
    doubted = {**value, "doubts": ["no source gives the cash, which counts as 0 here"]}
    assert rating_of(doubted) == ""  # type: ignore[arg-type]
    page = to_html(deep_report_document({**made.record, "valuation": doubted, "rating": ""}))  # type: ignore[typeddict-item]
    assert "Not rated, because no source gives the cash" in page


def test_the_run_takes_little_room(made: DeepReport):
    folder = Path(made.record["paths"]["folder"])
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 5_000_000
