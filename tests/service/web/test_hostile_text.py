"""Text from outside in every place that the page shows: it stands there as text, and no script of it runs."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.web_page import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.service.web.conftest import OpenPage

SCRIPT = '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1"><svg onload="window.hacked = 1">'
LINK = "[read this](javascript:window.hacked=1) ![x](https://outside.example/pixel.png)"
HOSTILE = f"{SCRIPT} {LINK}"
FIXED = (
    *("run_id", "status", "kind", "action", "type", "node", "step", "call", "ts", "trade_date", "session", "cutoff"),
    *("known_at", "method"),
)
"""Fields that the library itself writes, and that a page needs to find its way."""
RUN = "20250314T200000Z-VELQ-2025-03-14-bad000"


def _poisoned(node: Any, key: str = "") -> Any:
    """Return a card or event with hostile text after every text that people and models wrote."""
    if isinstance(node, dict):
        return {name: _poisoned(value, name) for name, value in node.items()}
    if isinstance(node, list):
        return [_poisoned(one, key) for one in node]
    return f"{node}\n\n{HOSTILE}" if isinstance(node, str) and key not in FIXED else node


@pytest.fixture(scope="module")
def hostile_run(site: Site, run_id: str) -> str:
    """A finished run whose every text is hostile: reports, titles of articles, names, ticker, arguments, answers."""
    folder = site.home / "runs" / RUN
    shutil.copytree(site.home / "runs" / run_id, folder)
    card = json.loads((folder / "run.json").read_text())
    card = {**_poisoned(card), "run_id": RUN, "ticker": f"VELQ{SCRIPT}"}
    card["instrument"]["name"] = HOSTILE
    for article in card["articles_read"]:
        article["url"] = "javascript:window.hacked=1"
    (folder / "run.json").write_text(json.dumps(card))
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    lines = (json.dumps({**_poisoned(one), "run_id": RUN}) for one in events)
    (folder / "events.jsonl").write_text("".join(f"{line}\n" for line in lines))
    page = (folder / "reports" / "report.html").read_text()
    drawing = page.replace("</svg>", f"<text>{SCRIPT}</text><script>window.hacked = 1</script></svg>", 1)
    (folder / "reports" / "report.html").write_text(drawing.replace("<svg ", '<svg onload="window.hacked = 1" ', 1))
    return RUN


def test_every_part_of_a_run(open_page: OpenPage, hostile_run: str) -> None:
    page = open_page(f"#/run/{hostile_run}")
    page.wait_for_selector("svg.price-chart", state="attached")
    assert "<script>window.hacked" in page.inner_text("h1")
    for tab in ("Decision", "Agents", "Debate", "Reports", "Data"):
        page.click(f"role=tab[name={tab}]")
        assert "<script>window.hacked" in (page.locator("[role=tabpanel]:visible").text_content() or ""), tab
    for fold in page.locator(".agent > details > summary").all():
        fold.evaluate("node => { node.parentElement.open = true; }")
    page.evaluate("for (const node of document.querySelectorAll('details')) node.open = true")
    page.locator(".tool-call .prose table").first.wait_for(state="attached")
    page.evaluate("document.querySelector('button.figure').click()")
    page.wait_for_selector("dialog")
    _nothing_ran(page)


def test_history_and_comparison(open_page: OpenPage, site: Site, hostile_run: str) -> None:
    page = open_page("#/history")
    page.wait_for_selector(f"a[href$='{hostile_run}']")
    other = next(one["run_id"] for one in site.ask("/v1/runs") if one["run_id"] != hostile_run)
    page.evaluate(f"location.hash = '#/compare/{hostile_run}/{other}'")
    page.wait_for_selector("h2:text('Evidence')")
    assert "<script>window.hacked" in page.inner_text("main")
    _nothing_ran(page)


def test_title_of_a_session_and_messages(open_page: OpenPage, site: Site) -> None:
    session = site.ask("/v1/sessions", {"title": HOSTILE[:400]})
    page = open_page(f"#/chat/{session['session_id']}")
    page.wait_for_selector("h1:has-text('<script>')")
    assert "<script>" in page.inner_text(".session-list")
    _nothing_ran(page)


def test_addresses_and_fields(open_page: OpenPage) -> None:
    page = open_page(f"#/new?ticker={SCRIPT}")
    page.wait_for_selector("[name=ticker]")
    assert page.input_value("[name=ticker]") == SCRIPT
    page.evaluate("text => { location.hash = `#/run/${encodeURIComponent(text)}`; }", SCRIPT)
    page.wait_for_selector("[role=alert]")
    _nothing_ran(page)


MARKDOWN = [
    SCRIPT,
    LINK,
    "<a href='javascript:window.hacked=1'>x</a>",
    "[x](  javascript:window.hacked=1 )",
    "[x](data:text/html,<script>window.hacked=1</script>)",
    "[x](JaVaScRiPt:window.hacked=1)",
    '[x](https://ok.example/"onclick="window.hacked=1)',
    '<https://ok.example/" onmouseover="window.hacked=1>',
    "| a | b |\n|---|---|\n| <img src=x onerror=window.hacked=1> | `<script>` |",
    "```\n</code><script>window.hacked=1</script>\n```",
    "> " * 400 + SCRIPT,
    "**" * 3000 + SCRIPT,
    "[" * 3000 + "](x)",
    "- " * 400 + SCRIPT,
]


def test_markdown_makes_elements_without_behaviour(open_page: OpenPage) -> None:
    page = open_page()
    shown = page.evaluate(
        """async texts => {
          const app = document.querySelector("script[src]").src;
          const { markdown } = await import(app.replace("app.js", "core/markdown.js"));
          const began = performance.now();
          const box = document.createElement("div");
          for (const text of texts) box.append(markdown(text));
          document.getElementById("main").replaceChildren(box);
          const all = [...box.querySelectorAll("*")];
          return {
            tags: [...new Set(all.map(node => node.localName))],
            attributes: [...new Set(all.flatMap(node => node.getAttributeNames()))],
            links: [...box.querySelectorAll("a")].map(link => [link.getAttribute("href"), link.rel]),
            took: performance.now() - began,
          };
        }""",
        MARKDOWN,
    )
    assert not {"script", "img", "svg", "iframe", "style"} & set(shown["tags"])
    assert not {one for one in shown["attributes"] if one.startswith("on") or one in ("style", "src")}
    assert all(address.startswith("https://") and rel == "noopener noreferrer" for address, rel in shown["links"])
    assert shown["took"] < 3000
    _nothing_ran(page)


def _nothing_ran(page: Page) -> None:
    page.wait_for_timeout(100)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, main iframe, main [onload], main [onerror]").count() == 0
