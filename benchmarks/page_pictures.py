"""Draws the pictures of the web page in `docs/images` with a real Chromium, on the simulated market.

    python -m benchmarks.page_pictures               all of them
    python -m benchmarks.page_pictures home chat     some

Look at each picture before it is committed: a page that changed may need another click here.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from tests.support.web_page import Site, chromium, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
DAY, TICKER = "2025-03-14", "VELQ"
QUESTION = "What would Warren Buffett say about Veltrane?"
WIDE, PHONE = (980, 760), (400, 834)
COLOURS = 96
"""Of a picture, which keeps it below 150 kB."""
DRAWN = "() => !document.querySelector('[aria-busy], .spinner')"


def opened(browser: Browser, site: Site, address: str, size: tuple[int, int], scheme: str = "light") -> Page:
    """Open an address of the page, and wait until nothing loads any more."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.add_init_script(f"sessionStorage.setItem('tradingagents-token', '{site.token}')")
    page.goto(f"{site.origin}/{address}")
    page.wait_for_selector("h1")
    page.wait_for_function(DRAWN, timeout=120_000)
    return page


def taken(page: Page) -> Image.Image:
    """Take the part of the page that the window shows."""
    return Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")


def home(browser: Browser, site: Site) -> Image.Image:
    """The box, the ways to start, the market of the day."""
    return taken(opened(browser, site, f"#/home?day={DAY}", WIDE))


def company(browser: Browser, site: Site) -> Image.Image:
    """A company: chart and key figures."""
    return taken(opened(browser, site, f"#/company/{TICKER}?day={DAY}", (980, 1240)))


def decision(browser: Browser, site: Site) -> Image.Image:
    """A decision with its levels, evidence and chart."""
    return taken(opened(browser, site, f"#/run/{site.analyzed(TICKER, DAY)}", (980, 1000)))


def source(browser: Browser, site: Site) -> Image.Image:
    """A figure of the decision with the row of the data that it comes from."""
    page = opened(browser, site, f"#/run/{site.analyzed(TICKER, DAY)}", WIDE)
    page.locator(".decision .evidence button.figure").first.click()
    page.wait_for_selector("dialog[open]")
    return taken(page)


def agents(browser: Browser, site: Site) -> Image.Image:
    """The agents of a run by phase."""
    page = opened(browser, site, f"#/run/{site.analyzed(TICKER, DAY)}", WIDE)
    page.get_by_role("tab", name="Agents").click()
    page.wait_for_function(DRAWN)
    return taken(page)


def board(browser: Browser, site: Site) -> Image.Image:
    """The plan of a research task."""
    request = {"question": f"Build a thesis on {TICKER}: is the growth priced in?", "day": DAY}
    task = site.ask("/v1/tasks", {"kind": "research", "request": request})
    site.ended(task["task_id"])
    page = opened(browser, site, f"#/task/{task['task_id']}", (1180, 900))
    page.locator("[role=tab]", has_text="Tasks").click()
    page.wait_for_selector("[data-column=done] li")
    return taken(page)


def chat(browser: Browser, site: Site) -> Image.Image:
    """A conversation without a model."""
    page = opened(browser, site, f"#/company/{TICKER}?day={DAY}", (980, 900))
    page.get_by_role("link", name="Ask about it").click()
    message = page.locator("textarea").first
    message.fill(QUESTION)
    message.press("Enter")
    page.wait_for_selector(".transcript .message.assistant .prose p", timeout=60_000)
    page.get_by_role("button", name="Stop").wait_for(state="hidden")
    return taken(page)


def phone(browser: Browser, site: Site) -> Image.Image:
    """Home in light colours and a company in dark ones, beside each other."""
    light = taken(opened(browser, site, f"#/home?day={DAY}", PHONE))
    dark = taken(opened(browser, site, f"#/company/{TICKER}?day={DAY}", PHONE, "dark"))
    both = Image.new("RGB", (light.width + 24 + dark.width, light.height), "white")
    both.paste(light, (0, 0))
    both.paste(dark, (light.width + 24, 0))
    return both


PICTURES: Mapping[str, Callable[[Browser, Site], Image.Image]] = {
    made.__name__: made for made in (home, company, decision, source, agents, board, chat, phone)
}


def main() -> None:
    """Draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="*", choices=[*PICTURES, []])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as site, chromium() as browser:
        for name in given.pictures or PICTURES:
            path = FOLDER / f"web-{name}.png"
            PICTURES[name](browser, site).quantize(COLOURS).save(path, optimize=True)
            print(f"{path.name}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
