"""A research task in a real browser: its plan as a board of tasks, and the approval of the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.web_page import Site

if TYPE_CHECKING:
    from tests.service.web.conftest import OpenPage

QUESTION = "Run a DuPont analysis of VELQ"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def test_a_plan_is_edited_on_the_page_and_its_tasks_end_in_the_done_column(site: Site, open_page: OpenPage):
    request = {"question": QUESTION, "day": "2025-03-14", "approve_plan": True}
    task = site.ask("/v1/tasks", {"kind": "research", "request": request})["task_id"]
    page = open_page(f"#/task/{task}", width=1000)
    page.wait_for_selector("h2:has-text('The plan waits for you')")
    pending = page.locator("[data-column=pending] li")
    planned = pending.count()
    assert planned > 1
    assert page.locator("[data-column=done] li").count() == 0

    page.click("summary:has-text('Edit the plan')")
    proposed = page.input_value("#approval-plan")
    page.fill("#approval-plan", "{")
    page.click("button:has-text('Approve')")
    page.wait_for_selector("[role=alert]:has-text('not valid JSON')")
    page.fill("#approval-plan", '{"summary": "Nothing", "tasks": []}')
    page.click("button:has-text('Approve')")
    page.wait_for_selector(".approval:has-text('The edited plan cannot be carried out')")

    hostile = "<img src=x onerror=alert(1)>"
    page.click("summary:has-text('Edit the plan')")
    page.fill("#approval-plan", proposed.replace('"summary": "', f'"summary": "{hostile} ', 1))
    page.click("button:has-text('Approve')")
    page.wait_for_selector(".chip:has-text('done')")
    page.click("role=tab[name='Tasks']")
    page.wait_for_selector(".reflection:has-text('Complete: ')")
    assert page.locator("[data-column=done] li").count() == planned
    assert page.locator("[data-column=pending] li, [data-column=running] li, [data-column=failed] li").count() == 0
    assert "task_1" in page.inner_text("[data-column=done]")
    assert "iteration 1" in page.inner_text("[role=tabpanel]:visible h2")
    assert page.locator("p", has_text=hostile).count() >= 1
    assert page.locator("main img").count() == 0
    assert page.evaluate(FITS)

    narrow = open_page(f"#/task/{task}", width=400)
    narrow.wait_for_selector(".chip:has-text('done')")
    narrow.click("role=tab[name='Tasks']")
    narrow.wait_for_selector(".reflection:has-text('Complete: ')")
    assert narrow.locator("[data-column=done] li").count() == planned
    assert narrow.evaluate(FITS)


def test_an_edited_plan_stays_while_the_page_learns_more_of_the_task(site: Site, open_page: OpenPage):
    request = {"question": QUESTION, "day": "2025-03-14", "approve_plan": True}
    task = site.ask("/v1/tasks", {"kind": "research", "request": request})["task_id"]
    page = open_page()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    def go_on(number: int) -> None:
        for route in held[:number]:
            route.continue_()
        del held[:number]

    page.route("**/v1/runs/*", hold)
    page.evaluate("route => { location.hash = route; }", f"#/task/{task}")
    before = 0  # requests that the page made without knowing the plan
    while not page.locator("#approval-plan").count():
        go_on(before)
        page.wait_for_timeout(20)
        before = len(held)
    page.click("summary:has-text('Edit the plan')")
    edited = page.input_value("#approval-plan").replace('"summary": "', '"summary": "Only this: ', 1)
    page.fill("#approval-plan", edited)
    page.fill("#approval-note", "Shorter.")
    page.evaluate("document.querySelector('#approval-plan').dataset.old = 'yes'")
    while not held:
        page.wait_for_timeout(20)
    go_on(len(held))
    page.wait_for_selector("#approval-plan:not([data-old])", state="attached")
    assert page.input_value("#approval-plan") == edited
    assert page.input_value("#approval-note") == "Shorter."
    assert page.locator("#approval-plan").is_visible()  # the editor that was opened stays open


def test_an_unclear_question_is_asked_in_words_and_discussed_in_chat(site: Site, open_page: OpenPage):
    request = {"question": "Is it worth its price?", "day": "2025-03-14"}
    task = site.ask("/v1/tasks", {"kind": "research", "request": request})["task_id"]
    page = open_page(f"#/task/{task}")
    page.wait_for_selector("h2:has-text('The question is unclear')")
    assert "Which company" in page.inner_text(".approval")
    assert page.locator("text=The decision waits").count() == 0
    page.click("button:has-text('Answer')")  # an empty answer is not sent
    page.fill("#approval-note", "VELQ")
    page.click("button:has-text('Answer')")
    page.wait_for_selector(".chip:has-text('done')")
    page.wait_for_selector("h2:has-text('Answer')")
    page.click("text=Permanent page of this run")
    page.click("button:has-text('Discuss in chat')")
    page.wait_for_selector("[placeholder='Ask about this run…']")
    page.fill("[placeholder='Ask about this run…']", "What did the research say about the price?")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=From the research")


def test_a_comparison_has_a_board_of_its_companies(site: Site, open_page: OpenPage):
    request = {"tickers": ["VELQ", "MODZ"], "topics": ["margins"], "day": "2025-03-14"}
    task = site.ask("/v1/tasks", {"kind": "compare", "request": request})["task_id"]
    for width in (1280, 400):
        page = open_page(f"#/task/{task}", width=width)
        page.wait_for_selector(".chip:has-text('done')")
        page.wait_for_selector("td:has-text('gross margin')")
        page.click("role=tab[name='Tasks']")
        page.wait_for_selector("[data-column=done] li:has-text('Research MODZ')")
        assert page.locator("[data-column=done] li").count() == 2
        assert page.locator("[data-column=pending] li").count() == 0
        assert page.evaluate(FITS)
