"""What all pages share: the templates, and a policy that forbids scripts and every load from outside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.reports import formatting as words
from tradingagents.reports import sections as outline
from tradingagents.reports.anchors import report_anchor, source_markup
from tradingagents.reports.direction import good_or_bad
from tradingagents.reports.model_text import as_html, as_inline_html, first_words
from tradingagents.reports.sheet_groups import sheet_groups

_SHARED = "report.css"


def render_page(template: str, *, sheet: str | None = None, embedded: Sequence[str] = (), **parts: Any) -> str:
    """Render a template of ours as a self-contained page.

    Whatever a model or a vendor wrote is escaped; the page's own policy allows only style sheets that we wrote, by
    their hashes.

    Args:
        template: File name in `templates`, made on `base.html.j2`.
        sheet: File name of what this kind of page adds to the style all pages share.
        embedded: Style sheets that parts of the page bring along.
        parts: What the template shows.
    """
    css = style(_SHARED) + (style(sheet) if sheet else "")
    page = _environment().get_template(template)
    return page.render(
        css=Markup(css),  # noqa: S704 - files of ours
        policy=_policy(css, *embedded),
        no_advice=outline.NO_ADVICE,
        **parts,
    )


def render_part(template: str, macro: str, *arguments: Any) -> Markup:
    """Render one macro of a template of ours by itself, ahead of the page it will stand in."""
    part: Markup = getattr(_environment().get_template(template).module, macro)(*arguments)
    return part


@lru_cache
def style(sheet: str) -> str:
    """Return a style sheet of `templates`, character by character."""
    return files("tradingagents.reports").joinpath(f"templates/{sheet}").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("tradingagents.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        action=words.action_words,
        change=words.change,
        count=words.count,
        duration=words.duration,
        evidence_note=words.evidence_note,
        figure=words.figure,
        first_words=first_words,
        instant=words.instant,
        line=as_inline_html,
        percent=words.percent,
        points=words.points,
        position=words.position,
        price=words.price,
        sector=lambda key: DISPLAY.get(key, key),
        report_anchor=report_anchor,
        sheet_groups=sheet_groups,
        source=source_markup,
        prose=lambda text, under: as_html(text, under=under),
        usd=words.usd,
    )
    environment.globals.update(window=words.window, good_or_bad=good_or_bad)
    return environment


@lru_cache
def _policy(*sheets: str) -> str:
    hashes = " ".join(f"'sha256-{_sha256(css)}'" for css in sheets)
    return f"default-src 'none'; style-src {hashes}; base-uri 'none'; form-action 'none'"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
