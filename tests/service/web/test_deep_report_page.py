"""A deep report in a real browser: started from the form, watched, reopened from the history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web_page import Site

if TYPE_CHECKING:
    from tests.service.web.conftest import OpenPage

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def test_a_report_is_started_watched_and_reopened(site: Site, open_page: OpenPage) -> None:
    page = open_page("#/new?kind=deep_report")
    page.fill("[name=ticker]", "VELQ")
    page.fill("[name=day]", "2025-03-14")
    page.click("button[type=submit]")
    page.wait_for_selector(".chip:has-text('done')")
    page.wait_for_selector("h2:has-text('Veltrane Systems: BUY')")
    shown = page.inner_text("main")
    assert "Below the standard of its rubric" in shown
    assert "Expected value" in shown
    assert page.locator("button:has-text('Download report.pdf')").count() >= 1
    with page.expect_download() as told:
        page.locator("button:has-text('Download report.xlsx')").first.click()
    assert told.value.path().read_bytes()[:2] == b"PK"

    run_id = site.ask("/v1/runs?limit=1")[0]["run_id"]
    again = open_page(f"#/run/{run_id}", width=400)
    again.wait_for_selector("h2:has-text('Veltrane Systems: BUY')")
    again.wait_for_selector("figure.chart.narrow svg.report-figure")
    assert again.evaluate(FITS)
