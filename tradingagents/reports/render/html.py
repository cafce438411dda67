"""Renders a document as one self-contained HTML page: no scripts, no external requests, responsive.

Text from models and vendors is escaped; the page's own policy forbids scripts and external resources, and allows only
our style sheets, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tradingagents.reports import formatting as words
from tradingagents.reports.anchors import report_anchor, resolved, source_markup
from tradingagents.reports.charts.heat_map import STEPS
from tradingagents.reports.citation_marks import shown_in_html
from tradingagents.reports.direction import good_or_bad
from tradingagents.reports.document import Block, Card, Document, Exhibit, Section
from tradingagents.reports.inner_links import links_in_html
from tradingagents.reports.model_text import as_html, as_inline_html, first_words
from tradingagents.reports.render.tables import data_sheet, pick_items, use_rows
from tradingagents.reports.sections import NO_ADVICE

_WITH_OWN_SECTION = frozenset({"decision", "stances", "price_chart", "warnings", "abstract", "ranked_decisions"})
"""Macros that draw the element around their section themselves."""


LONG = 650
"""Pixels from which on a section but the first is folded."""
LINE, WIDTH = 26, 110
"""Height of a line of text in pixels, and its characters."""
_HEIGHTS = {"<tr": 36, "<svg ": 330, "<summary": 84}
"""Height of what is no running text, in pixels, by how it begins."""
_ROWS = re.compile(r"<(?P<of>table|svg|summary)\b.*?</(?P=of)>", re.DOTALL)
_UNSEEN = re.compile(r"(?<=</summary>).*?(?=</details>)", re.DOTALL)
"""What a folded text holds."""
_TEXT = re.compile(r">\s*([^<\s][^<]*)")


class _ShownSection(NamedTuple):
    """A section of a page."""

    title: str
    id: str
    menu: str
    bare: bool
    """Whether its content brings the element around it."""
    folded: bool
    """Whether only its heading shows until a reader opens it."""
    content: Markup


def to_html(document: Document) -> str:
    """Render a document as a page; broken inner links become plain text."""
    drawn = any(isinstance(block, Exhibit) for section in document.sections for block in section.blocks)
    names = ("report.css", *(("exhibit.css",) if drawn else ()), *((document.style,) if document.style else ()))
    css = "".join(map(style, names))
    page = _environment().get_template("document.html.j2")
    html = page.render(
        css=Markup(css),  # noqa: S704 - files of ours
        policy=_policy(css, *document.inline_styles),
        no_advice=NO_ADVICE,
        market_note=document.market_note,
        notice=document.notice,
        head=document.masthead,
        sections=_shown(section for section in document.sections if section.blocks and section.only != "file"),
    )
    return resolved(links_in_html(shown_in_html(html)), document.used_in)


def _shown(sections: Iterable[Section]) -> list[_ShownSection]:
    """Return the sections as shown: the first stands open, and of the others those that are long are folded."""
    shown: list[_ShownSection] = []
    for section in sections:
        cards = list(_as_cards(section.blocks))
        content = Markup("".join(map(_card_html, cards)))  # noqa: S704 - Markup
        bare = bool(cards) and cards[0].macro in _WITH_OWN_SECTION
        folded = bool(shown) and not bare and bool(section.id) and _height(content) > LONG
        shown.append(_ShownSection(section.title, section.id, section.menu, bare, folded, content))
    return shown


def _height(content: str) -> int:
    """Return about how high content stands on a screen of 1280 pixels, in pixels, from what is seen of it at first."""
    seen = _UNSEEN.sub("", content)
    blocks = sum(height * len(re.findall(start, seen)) for start, height in _HEIGHTS.items())
    return blocks + LINE * sum(math.ceil(len(text) / WIDTH) for text in _TEXT.findall(_ROWS.sub("", seen)))


def _card_html(card: Card) -> Markup:
    macros = _environment().get_template("blocks.html.j2").module
    markup: Markup = getattr(macros, card.macro)(*card.arguments)
    return markup


def _as_cards(blocks: Iterable[Block]) -> Iterator[Card]:
    """Yield each block as a card for a macro; a card without its macro becomes its plain blocks."""
    macros = _environment().get_template("blocks.html.j2").module
    for block in blocks:
        if not isinstance(block, Card):
            yield Card(type(block).__name__.lower(), (block,))
        elif hasattr(macros, block.macro):
            yield block
        else:
            yield from _as_cards(block.plain)


@lru_cache
def style(sheet: str) -> str:
    """Return a style sheet from `templates`, unchanged."""
    return files("tradingagents.reports").joinpath(f"templates/{sheet}").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("tradingagents.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        action=words.action_words,
        change=words.change,
        count=words.count,
        data_sheet=data_sheet,
        duration=words.duration,
        evidence_note=words.evidence_note,
        figure=words.figure,
        first_words=first_words,
        instant=words.instant,
        line=as_inline_html,
        percent=words.percent,
        pick_items=pick_items,
        points=words.points,
        position=words.position,
        price=words.price,
        report_anchor=report_anchor,
        source=source_markup,
        sureness=words.sureness,
        sureness_name=words.sureness_name,
        prose=lambda text, under: as_html(text, under=under),
        usd=words.usd,
        use_rows=use_rows,
    )
    environment.globals.update(good_or_bad=good_or_bad, steps=STEPS)
    return environment


@lru_cache
def _policy(*sheets: str) -> str:
    hashes = " ".join(f"'sha256-{_sha256(css)}'" for css in sheets)
    return f"default-src 'none'; style-src {hashes}; base-uri 'none'; form-action 'none'"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
