"""An offline analysis in a real browser: from the click to the decision, its chart and the source of each figure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.web_page import Site

if TYPE_CHECKING:
    from tests.service.web.conftest import OpenPage

DAY = "2025-03-14"


def test_from_click_to_decision_and_chart(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/new")
    page.fill("[name=ticker]", "CIRQZ")
    page.fill("[name=day]", DAY)
    page.click("text=Start")
    page.wait_for_selector("[data-agent='Market Analyst']", state="attached")
    page.wait_for_selector(".decision .badge:visible", timeout=60_000)
    page.wait_for_selector("svg.price-chart:visible")
    run = next(one for one in site.ask("/v1/runs") if one["ticker"] == "CIRQZ")
    card = site.ask(f"/v1/runs/{run['run_id']}")
    decision = card["decision"]
    shown = page.inner_text(".decision")
    assert decision["action"] in shown
    assert f"{decision['strength']:.2f}" in shown
    assert decision["track_record"].replace(" %", "%") in shown
    assert decision["rationale"][:60] in shown
    chart = page.locator("svg.price-chart:visible").get_attribute("aria-label") or ""
    assert f"Entry {decision['entry']:.2f}" in chart
    assert f"Stop {decision['stop']:.2f}" in chart
    assert f"Target {decision['target']:.2f}" in chart
    assert page.locator("svg.price-chart:visible path").count() > 20
    assert "Fixed rules wrote and decided this" in page.inner_text("main")
    assert "not investment advice" in page.inner_text("footer")


def test_the_work_of_every_agent_is_shown(open_page: OpenPage, site: Site, run_id: str) -> None:
    page = open_page(f"#/run/{run_id}")
    page.click("role=tab[name=Agents]")
    events = site.ask(f"/v1/runs/{run_id}/events")
    agents = {one["node"] for one in events if one["type"] == "node_end"}
    assert {one.get_attribute("data-agent") for one in page.locator(".agent").all()} == agents
    calls = [one for one in events if one["type"] == "tool_start"]
    assert page.locator(".tool-call").count() == len(calls)
    analyst = page.locator("[data-agent='Market Analyst']")
    analyst.locator("summary").first.click()
    call = analyst.locator(".tool-call").filter(has_text="Technical indicators").first
    assert "symbol: VELQ" in call.inner_text()
    call.locator("summary").click()
    assert "close 200 sma" in call.locator("table").inner_text()
    page.click("role=tab[name=Debate]")
    turns = [one for one in events if one["type"] == "debate_turn"]
    assert page.locator(".bubble").count() == len(turns)
    first, second = page.locator(".bubble").all()[:2]
    assert "left" in (first.get_attribute("class") or "")
    assert "right" in (second.get_attribute("class") or "")


def test_a_figure_leads_to_its_row_and_back(open_page: OpenPage, site: Site, run_id: str) -> None:
    page = open_page(f"#/run/{run_id}")
    page.click("role=tab[name=Reports]")
    row = page.locator(".report tr", has_text="200-day average").first
    figure = row.locator("button.figure").first
    written = figure.inner_text()
    figure.click()
    panel = page.locator("dialog")
    assert written in panel.locator("h2").inner_text()
    found = panel.locator("tr.found").first
    assert "close 200 sma" in found.inner_text().lower()
    sheet = site.ask(f"/v1/runs/{run_id}")["data_sheet"]
    value = next(one["figures"]["close_200_sma"] for one in sheet if "close_200_sma" in one["figures"])
    assert float(re.sub(r"[^\d.]", "", written)) == value
    panel.locator("summary", has_text="full answer").first.click()
    assert written in panel.locator("td.found").first.inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.className") == "figure"


def test_what_rules_made_leads_to_no_data_that_happens_to_have_its_value(open_page: OpenPage, run_id: str) -> None:
    """A strength of 0.64 once led to a return of -0.64 %."""
    page = open_page(f"#/run/{run_id}")
    page.wait_for_selector(".decision .evidence button.figure")
    assert page.locator(".decision .confidence button, .decision .confidence a").count() == 0
    linked = page.locator(".decision .levels > div", has=page.locator("button.figure"))
    assert all(text.startswith("Entry") for text in linked.all_inner_texts())


def test_live_events_arrive_once_over_a_broken_connection_in_two_tabs(open_page: OpenPage, site: Site) -> None:
    first, second = open_page("#/new"), open_page()
    first.route("**/events?*", lambda route: route.abort(), times=1)
    first.fill("[name=ticker]", "VELQ")
    first.fill("[name=day]", "2025-02-14")
    first.fill("[name=budget_usd]", "1")
    first.click("text=Start")
    first.wait_for_url("**/#/task/*")
    second.goto(first.url)
    for page in (first, second):
        page.wait_for_selector("svg.price-chart", state="attached", timeout=60_000)
    task_id = first.url.rpartition("/")[2]
    run_id = site.ask(f"/v1/tasks/{task_id}")["run_ids"][0]
    events = site.ask(f"/v1/runs/{run_id}/events")
    for page in (first, second):
        page.click("role=tab[name=Debate]")
        assert page.locator(".bubble").count() == sum(one["type"] == "debate_turn" for one in events)
        assert f"{sum(one['type'] == 'usage' for one in events)} answers by fixed rules" in page.inner_text(
            ".facts-line"
        )
        assert "$0.00 of $1.00" in page.inner_text(".facts-line")


def test_a_closed_tab_stops_nothing(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/new")
    page.fill("[name=ticker]", "NODQ")
    page.fill("[name=day]", DAY)
    page.click("text=Start")
    page.wait_for_url("**/#/task/*")
    task_id = page.url.rpartition("/")[2]
    page.context.close()
    assert site.ended(task_id)["status"] == "done"


def test_stop_ends_a_task_for_good(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/new?kind=auto")
    page.wait_for_selector("[name=day]")
    page.fill("[name=day]", DAY)
    page.click("button:text-is('Start')")
    page.wait_for_url("**/#/task/*")
    page.click("button:text-is('Stop')")
    page.click("text=Stop the task")
    page.wait_for_selector(".chip.status-cancelled")
    assert site.ask(f"/v1/tasks/{page.url.rpartition('/')[2]}")["status"] == "cancelled"


def test_a_run_that_waits_is_revised_and_approved(open_page: OpenPage, site: Site) -> None:
    task = site.ask("/v1/tasks", {"kind": "analyze", "request": {"ticker": "VELQ", "day": DAY, "approve": True}})
    assert site.ended(task["task_id"])["status"] == "awaiting_approval"
    page = open_page(f"#/task/{task['task_id']}")
    page.wait_for_selector(".approval h3:has-text('What approving changes')")
    changed = page.inner_text(".approval table")
    assert "Decision" in changed
    assert "Stop" in changed
    page.fill("#approval-note", "Think again about the size.")
    page.click("text=Revise")
    # The card of the next decision has a field of its own, which may be there before the browser is asked again.
    page.wait_for_function("() => document.querySelector('#approval-note')?.value === ''")
    page.click("button:text-is('Approve')")
    page.wait_for_selector(".chip.status-done")
    assert site.ended(task["task_id"])["status"] == "done"
    page.wait_for_selector(".decision:visible")


def test_a_note_stays_while_the_page_learns_more_of_the_task(open_page: OpenPage, site: Site) -> None:
    task = site.ask("/v1/tasks", {"kind": "analyze", "request": {"ticker": "VELQ", "day": DAY, "approve": True}})
    assert site.ended(task["task_id"])["status"] == "awaiting_approval"
    page = open_page()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/events*", hold)
    page.evaluate("route => { location.hash = route; }", f"#/task/{task['task_id']}")
    page.fill("#approval-note", "Think again.")
    assert not page.locator(".timeline .phase").count()
    for route in held:
        route.continue_()
    page.wait_for_selector(".timeline .phase", state="attached")
    assert page.input_value("#approval-note") == "Think again."


def test_two_runs_side_by_side(open_page: OpenPage, site: Site, run_id: str) -> None:
    other = site.analyzed("VELQ", "2025-01-15")
    page = open_page("#/history")
    page.fill("#history-filter", "VELQ")
    page.check(f"input[value='{run_id}']")
    page.check(f"input[value='{other}']")
    page.click("button:text-is('Compare')")
    page.wait_for_selector("h1:text('Comparison')")
    left, right = (site.ask(f"/v1/runs/{one}")["decision"] for one in (run_id, other))
    row = page.locator("tr", has=page.locator("th:text-is('Entry')"))
    assert f"{left['entry']:.2f}" in row.inner_text()
    assert f"{right['entry']:.2f}" in row.inner_text()
    assert row.locator("td").last.inner_text() == "differs"
    assert page.locator("tr", has=page.locator("th:text-is('Fundamentals')")).locator(".scale").count() == 2
    shared = {one["claim"] for one in left["key_evidence"]} & {one["claim"] for one in right["key_evidence"]}
    assert page.locator(".tag:text-is('in both')").count() == 2 * len(shared)


def test_a_valuation_is_shown_with_its_files(open_page: OpenPage) -> None:
    page = open_page("#/new?kind=valuation_pack&ticker=VELQ")
    page.wait_for_selector("[name=ticker]")
    page.fill("[name=day]", DAY)
    page.click("button:text-is('Start')")
    page.wait_for_selector("svg.value-bars:visible", timeout=60_000)
    assert "per share" in page.inner_text(".files")
    with page.expect_download() as download:
        page.click("button:has-text('(xlsx)')")
    assert download.value.suggested_filename.endswith(".xlsx")


def test_filter_of_the_history(open_page: OpenPage, run_id: str) -> None:
    page = open_page("#/history")
    page.wait_for_selector(f"a[href$='{run_id}']")
    page.fill("#history-filter", "nosuchticker")
    page.wait_for_selector("text=No run matches the filter.")


@pytest.mark.usefixtures("run_id")
def test_watch_list_and_any_capability(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/watchlist")
    page.fill("#watch-symbols", "VELQ,NODQ")
    page.fill("#watch-day", DAY)
    page.click("button:text-is('Show')")
    row = page.locator("tr", has=page.locator("th:has-text('VELQ')"))
    row.wait_for()
    assert f"VELQ-{DAY}" in (row.locator("a.plain-link").get_attribute("href") or "")
    page.evaluate("location.hash = '#/data/get_indicators'")
    page.fill("[name=symbol]", "VELQ")
    page.fill("[name=indicator]", "rsi")
    page.fill("#data-day", DAY)
    page.click("button:text-is('Ask')")
    answer = site.ask(
        "/v1/capabilities/get_indicators", {"arguments": {"symbol": "VELQ", "indicator": "rsi"}, "as_of": DAY}
    )
    assert answer["shown"]["rsi"] in page.locator(".answer table").inner_text()


def test_an_error_of_the_server_is_shown_in_words(open_page: OpenPage) -> None:
    page = open_page("#/data/get_indicators")
    page.fill("[name=symbol]", "NOSUCH")
    page.fill("[name=indicator]", "rsi")
    with page.expect_response("**/v1/capabilities/get_indicators") as answer:
        page.click("button:text-is('Ask')")
    assert answer.value.status >= 400
    said = answer.value.json()["error"]["message"].replace("data_vendor", "“Data vendor” (Settings)")
    assert page.locator("[role=alert]").inner_text() == said  # settings have the name that the page gives them
