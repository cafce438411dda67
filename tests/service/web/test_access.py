"""The page without a mouse, without a screen, on a phone, in the dark; the token; nothing from other places.

The checks are our own in place of axe-core: its licence (MPL-2.0) is not among those that the project takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.web_page import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.service.web.conftest import OpenPage

ROUTES = (
    "#/home",
    "#/new",
    "#/history",
    "#/watchlist?symbols=VELQ",
    "#/portfolio",
    "#/investors",
    "#/data",
    "#/data/get_news",
    "#/chat",
)
UNNAMED = """() => {
  const told = node => node.ariaLabel || node.getAttribute("aria-labelledby");
  const named = node => told(node) || node.textContent.trim() || node.labels?.length;
  return [...document.querySelectorAll("button, a[href], input, select, textarea, [role=tab], [role=region], dialog")]
    .filter(node => node.checkVisibility() && !named(node)).map(node => node.outerHTML.slice(0, 120));
}"""
DOUBLED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""
TABLES = "() => [...document.querySelectorAll('table')].filter(table => !table.querySelector('thead th')).length"
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const behind = node => {
    for (let one = node; one; one = one.parentElement) {
      const found = rgb(getComputedStyle(one).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const linear = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility()) continue;
    if (node.closest(":disabled, svg, .unseen, .skip")) continue;
    const [one, other] = [light(rgb(getComputedStyle(node).color)), light(behind(node))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${node.className} ${walker.currentNode.data.slice(0, 30)}`);
  }
  return [...new Set(faint)];
}"""


IDENTIFIERS = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("code, pre")) continue;
    if (/[a-z]_[a-z]|\\d %/.test(node.data)) found.add(node.data.trim().slice(0, 80));
  }
  return [...found];
}"""
"""Names of the code in texts for people, and per cent written in another way than everywhere."""
BRACKETS = """() => [...document.querySelectorAll("main button.figure")].filter(node => {
  const next = node.nextSibling, last = node.previousSibling;
  const parted = /^[)\\],.;:]/.test(next?.data ?? "") || /[([]$/.test(last?.data ?? "");
  return parted && getComputedStyle(node.parentElement).whiteSpace !== "nowrap";
}).map(node => node.parentElement.textContent.slice(0, 80))"""
"""Figures that a line may end between them and their bracket or comma."""


REFERENCES = """() => {
  const names = ["aria-controls", "aria-labelledby", "aria-describedby", "aria-activedescendant", "for"];
  const ids = node => names.flatMap(name => (node.getAttribute(name) ?? "").split(/\\s+/).filter(Boolean));
  return [...document.querySelectorAll(names.map(name => `[${name}]`).join())].flatMap(ids)
    .filter(id => !document.getElementById(id));
}"""
HEADINGS = """() => {
  const found = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")];
  const shown = found.filter(node => node.checkVisibility());
  const level = node => Number(node.ariaLevel ?? node.tagName[1]);
  const skipped = shown.filter((node, at) => at && level(node) > level(shown[at - 1]) + 1);
  return skipped.map(node => node.textContent.slice(0, 60));
}"""
NESTED = """() => [...document.querySelectorAll("a[href], button, summary, [role=tab], [role=option]")]
  .filter(node => node.querySelector("a[href], button, input, select, textarea"))
  .map(node => node.outerHTML.slice(0, 90))"""
SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, summary")].filter(node => {
  if (!node.checkVisibility() || node.closest("p, li, td, th, dd, label, .prose, .skip, .nowrap")) return false;
  const { width, height } = node.getBoundingClientRect();
  return width && height && (width < 24 || height < 24);
}).map(node => node.outerHTML.slice(0, 90))"""
"""Targets below 24 by 24 pixels that stand in no line of text (WCAG 2.2, 2.5.8)."""
UNREACHED = """() => [...document.querySelectorAll("main *")].filter(node => {
  const style = getComputedStyle(node);
  if (!/auto|scroll/.test(style.overflowX + style.overflowY) || node.tabIndex >= 0) return false;
  const scrolls = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
  return scrolls && !node.querySelector("a[href], button, input, select, textarea, summary, [tabindex]");
}).map(node => node.outerHTML.slice(0, 90))"""
"""Boxes that scroll and that no key reaches."""


FOCUS_SEEN = """() => {
  const outlined = node => getComputedStyle(node).outlineStyle !== "none";
  return outlined(document.activeElement) || !!document.activeElement.closest(".kind:has(:focus-visible)");
}"""


def _places(run_id: str) -> list[str]:
    """Return the routes and, after a space, the tabs of the page."""
    return [*ROUTES, *(f"#/run/{run_id} {tab}" for tab in ("Decision", "Agents", "Debate", "Reports", "Data"))]


def _show(page: Page, place: str) -> None:
    route, _, tab = place.partition(" ")
    if not page.url.endswith(route):
        page.evaluate("route => { location.hash = route; }", route)
    page.wait_for_selector("h1")
    page.wait_for_selector("main .spinner", state="detached")
    if tab:
        page.wait_for_selector("svg.price-chart", state="attached")
        page.click(f"role=tab[name={tab}]")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_names_tables_contrast(open_page: OpenPage, run_id: str, dark: bool) -> None:
    page = open_page(color_scheme="dark" if dark else "light")
    for place in _places(run_id):
        _show(page, place)
        assert page.evaluate(UNNAMED) == [], place
        assert page.evaluate(DOUBLED) == [], place
        assert page.evaluate(TABLES) == 0, place
        for check in (CONTRAST, IDENTIFIERS, BRACKETS, REFERENCES, HEADINGS, NESTED, SMALL, UNREACHED):
            assert page.evaluate(check) == [], (place, check)
        assert page.locator("h1").count() == 1, place
    for landmark in ("header", "nav[aria-label]", "main", "footer", "[aria-live=polite]"):
        assert page.locator(landmark).count() >= 1, landmark


def test_no_sideways_scrolling_on_a_phone(open_page: OpenPage, run_id: str) -> None:
    page = open_page(width=400, height=800)
    for place in _places(run_id):
        _show(page, place)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, place
    page.locator("[role=tabpanel]:visible button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_an_analysis_with_the_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page("#/new")
    page.reload()
    page.wait_for_selector("[name=ticker]")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    _tab_to(page, "ticker")
    page.keyboard.type("VELQ")
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/task/*")
    page.wait_for_selector(".decision:visible", timeout=60_000)
    page.wait_for_selector("svg.price-chart", state="attached")
    page.focus("[role=tab][aria-selected=true]")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Agents"
    assert page.locator(".timeline").is_visible()
    page.keyboard.press("ArrowLeft")
    figure = page.locator("button.figure:visible").first
    figure.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog")
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "figure"
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.wait_for_selector("#history-filter")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "history-filter"


def _tab_to(page: Page, name: str) -> None:
    for _ in range(20):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS_SEEN)
        if page.evaluate("document.activeElement.name") == name:
            return
    raise AssertionError(f"{name} cannot be reached with the keyboard")


def test_an_address_that_is_no_encoding_breaks_no_page(open_page: OpenPage) -> None:
    page = open_page()
    for route, shown in (("#/run/%ff", "main .error"), ("#/%ff", ".first-box"), ("#/history", "#history-filter")):
        page.evaluate("route => { location.hash = route; }", route)
        page.wait_for_selector(shown)


@pytest.mark.parametrize(
    ("route", "said", "way"),
    [
        ("#/run/nosuch", "nosuch", "#/history"),
        ("#/task/nosuch", "nosuch", "#/history"),
        ("#/compare/nosuch/nosuch", "nosuch", "#/history"),
        ("#/compare", "Two runs are compared", "#/history"),
        ("#/paper/nosuch", "nosuch", "#/portfolio"),
        ("#/backtests/nosuch", "nosuch", "#/history"),
        ("#/company/NOSUCH", "NOSUCH", "#/home"),
    ],
)
def test_an_address_of_nothing_is_a_sentence_and_a_way_on(open_page: OpenPage, route: str, said: str, way: str) -> None:
    page = open_page(route)
    page.wait_for_selector(f"main a[href='{way}']")
    assert said in page.inner_text("main")
    assert "undefined" not in page.inner_text("main")
    assert page.locator("main .spinner").count() == 0


def test_the_token_leaves_the_address_and_a_wrong_one_is_asked_for(open_page: OpenPage, site: Site) -> None:
    page = open_page()
    assert site.token not in page.url
    assert site.token not in page.evaluate("JSON.stringify(localStorage)")
    page.evaluate("sessionStorage.setItem('tradingagents-token', 'wrong')")
    page.reload()
    page.wait_for_selector("dialog .error:has-text('refused this token')")
    page.keyboard.press("Escape")
    page.wait_for_selector("main h1:has-text('Token needed')")
    page.click("main button:text-is('Enter the token')")
    page.fill("#token", site.token)
    page.keyboard.press("Enter")
    page.wait_for_selector(".first-box")


def test_colours_can_be_chosen_and_motion_is_reduced(open_page: OpenPage) -> None:
    page = open_page(color_scheme="light", reduced_motion="reduce")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    moving = "[...document.querySelectorAll('*')].some(node => getComputedStyle(node).animationName !== 'none')"
    assert page.evaluate(moving) is False
