"""From home to the cell of a figure, by mouse, by keyboard and by touch, in the light and in the dark, wide and narrow.

What a place looks like is compared with what is stored as a perceptual hash: the picture in a grid of 16 by 16 cells,
one bit a pair of neighbours for which of them is lighter. Another version of a font turns few bits; a block that is
gone, doubled, moved by more than a sixteenth of the page or laid over another turns many. Colours alone it does not
see: test_access.py measures contrast. `UPDATE_GOLDEN=1` stores what is seen.
"""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from tests.service.web.test_access import CONTRAST, DOUBLED, TABLES, UNNAMED

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.service.web.conftest import OpenPage

STORED = Path(__file__).parents[2] / "golden" / "web" / "journey.json"
CELLS = 16
WITHOUT_OWN = """() => {
  const own = "[aria-labelledby=latest] .stack, #block-watchlist > :not(h2), #block-book > :not(h2)";
  for (const node of document.querySelectorAll(own)) node.remove();
}"""
"""Takes away what other tests have run, watched and stored, so that the home looks as it always does."""
MOST_TURNED = 0.22
"""Part of the bits that may differ: half of them differ between two pictures that have nothing in common."""
BY = {
    "mouse": {"width": 1280, "height": 900, "color_scheme": "light"},
    "keyboard": {"width": 1280, "height": 900, "color_scheme": "dark"},
    "touch": {"width": 400, "height": 800, "color_scheme": "light", "has_touch": True},
    "touch, dark": {"width": 400, "height": 800, "color_scheme": "dark", "has_touch": True},
}


def looks(page: Page) -> str:
    """Return the perceptual hash of what the window shows, as hexadecimal digits."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("L")
    cells = np.asarray(picture.resize((CELLS + 1, CELLS), Image.Resampling.BOX), dtype=float)
    bits = cells[:, 1:] > cells[:, :-1] + 0.5
    return np.packbits(bits).tobytes().hex()


def turned(one: str, other: str) -> float:
    """Return the part of the bits in which two hashes differ."""
    left, right = (np.unpackbits(np.frombuffer(bytes.fromhex(text), dtype=np.uint8)) for text in (one, other))
    return float((left != right).mean())


def sound(page: Page, place: str) -> None:
    """Check names, contrast, tables, headings, and that nothing is wider than the screen."""
    for check, expected in ((UNNAMED, []), (DOUBLED, []), (TABLES, 0), (CONTRAST, [])):
        assert page.evaluate(check) == expected, (place, check[:60])
    assert page.locator("h1").count() == 1, place
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, place


def press(page: Page, way: str, selector: str) -> None:
    """Use a control by mouse, by finger, or by the key that it answers to."""
    control = page.locator(selector).first
    control.wait_for()
    if way == "mouse":
        control.click()
    elif way == "keyboard":
        control.focus()
        page.keyboard.press("Enter")
    else:
        control.tap()


@pytest.mark.parametrize(
    "by", [pytest.param(by, marks=pytest.mark.nightly) if by == "touch, dark" else by for by in BY]
)
def test_from_home_to_the_cell_of_a_figure(open_page: OpenPage, by: str) -> None:
    way = by.partition(",")[0]
    options: dict[str, Any] = dict(BY[by])
    page = open_page("#/home?day=2025-03-14", **options)
    seen: dict[str, str] = {}

    def noted(place: str) -> None:
        page.evaluate("scrollTo(0, 0)")
        sound(page, place)
        seen[place] = looks(page)

    page.wait_for_selector("#block-breadth:not([aria-busy])")
    page.wait_for_function("() => !document.querySelector('main [aria-busy], main .spinner')")
    page.evaluate(WITHOUT_OWN)
    noted("home")
    page.fill("#first", "VELQ")
    page.press("#first", "Enter")
    page.wait_for_url("**/#/company/VELQ**")
    page.evaluate("location.hash = '#/company/VELQ?day=2025-03-14'")
    page.wait_for_function("() => document.querySelector('.blocks') && !document.querySelector('[aria-busy]')")
    noted("company")
    if way == "touch":
        look_with_a_finger(page)
    press(page, way, "button[aria-label='Analyze VELQ']")
    page.wait_for_selector("form.start")
    page.fill("[name=day]", "2025-03-14")
    press(page, way, "form.start button[type=submit]")
    page.wait_for_url("**/#/task/*")
    page.wait_for_selector(".decision:visible", timeout=60_000)
    page.wait_for_selector("svg.price-chart", state="attached")
    noted("decision")
    press(page, way, "button.figure:visible")
    page.wait_for_selector("dialog tr[aria-current]")
    sound(page, "figure")
    compare_with_stored(by, seen)


def look_with_a_finger(page: Page) -> None:
    """Touch the chart: the values of the day under the finger are read out."""
    plot = page.locator(".plot").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.4)
    first = page.inner_text(".readout")
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.4)
    assert "Close" in first
    assert page.inner_text(".readout") != first


def compare_with_stored(by: str, seen: dict[str, str]) -> None:
    stored: dict[str, dict[str, str]] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    if os.environ.get("UPDATE_GOLDEN"):
        STORED.parent.mkdir(exist_ok=True)
        STORED.write_text(json.dumps({**stored, by: seen}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return
    differing = {place: round(turned(looked, stored[by][place]), 2) for place, looked in seen.items()}
    assert all(part <= MOST_TURNED for part in differing.values()), differing


def test_a_page_without_a_block_looks_otherwise(open_page: OpenPage, run_id: str) -> None:
    """The comparison finds what it is for: a block that is gone, and one laid over another; not a larger letter."""
    page = open_page(f"#/run/{run_id}")
    page.wait_for_selector(".decision:visible")
    page.wait_for_selector("svg.price-chart", state="attached")
    as_it_is = looks(page)
    page.evaluate("document.body.style.cssText = 'font-family: DejaVu Serif, serif; letter-spacing: .2px'")
    assert turned(as_it_is, looks(page)) <= MOST_TURNED
    page.evaluate("document.querySelector('.decision').remove()")
    assert turned(as_it_is, looks(page)) > MOST_TURNED
