"""Passages with planted errors: `=== style` begins one, `{{shown|kind}}` is an error, every other figure is right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tradingagents.provenance.figure_check import Given


def judged(folder: Path, subjects: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, str, bool]]:
    """Yield each figure: the kind of its error (empty where right), itself with words before it, whether marked."""
    for name, subject in subjects.items():
        given = Given((folder / f"{name}_sheets.md").read_text("utf-8").split("<!-- answer -->"), subject=subject)
        for passage in (folder / f"{name}.md").read_text("utf-8").split("=== ")[1:]:
            text, planted = "", []
            for at, part in enumerate(re.split(r"\{\{(.*?)\}\}", passage.partition("\n")[2])):
                shown, _, kind = part.rpartition("|") if at % 2 else (part, "", "")
                planted += [(len(text), len(text) + len(shown), kind)] if kind else []
                text += shown
            places = given.places(text)
            for start, end, kind in planted:
                marked = any(not one.traced and one.start < end and start < one.end for one in places)
                yield kind, text[max(0, start - 60) : end], marked
            for one in places:
                if not any(one.start < end and start < one.end for start, end, _ in planted):
                    yield "", text[max(0, one.start - 60) : one.end], not one.traced
