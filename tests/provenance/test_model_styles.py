"""The rate of the check on passages in styles of language models, written before the check was rewritten.

When they were first measured, after the rewrite, 88.3 % of the errors were found and 10.8 % of the right figures
marked; nothing was changed for them. The aims are 90 % and 3 %: the bounds hold what was measured.

A passage begins with `=== style`; `{{shown|kind}}` is a planted error, every other figure is right.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from tradingagents.provenance.figure_check import Given

FOLDER = Path(__file__).parent / "model_styles"
SUBJECTS = {
    "cirqz": ("CIRQZ", "Cirquell Devices"),
    "homq": ("HOMQ", "Homestrand Depot"),
    "aerq": ("AERQ", "Aerolith Defense"),
}


@lru_cache
def judged() -> list[tuple[str, str, str, bool]]:
    """Return each figure: its passage's company, the kind of its error (empty where right), itself, whether marked."""
    found = []
    for name, subject in SUBJECTS.items():
        given = Given((FOLDER / f"{name}_sheets.md").read_text("utf-8").split("<!-- answer -->"), subject=subject)
        for passage in (FOLDER / f"{name}.md").read_text("utf-8").split("=== ")[1:]:
            text, planted = "", []
            for at, part in enumerate(re.split(r"\{\{(.*?)\}\}", passage.partition("\n")[2])):
                shown, _, kind = part.rpartition("|") if at % 2 else (part, "", "")
                planted += [(len(text), len(text) + len(shown), kind)] if kind else []
                text += shown
            places = given.places(text)
            for start, end, kind in planted:
                marked = any(not one.traced and one.start < end and start < one.end for one in places)
                found.append((name, kind, text[max(0, start - 60) : end], marked))
            right = (one for one in places if not any(one.start < end and start < one.end for start, end, _ in planted))
            found += [(name, "", text[max(0, one.start - 60) : one.end], not one.traced) for one in right]
    return found


def test_errors_in_texts_in_the_style_of_models_are_found() -> None:
    errors = [marked for _, kind, _, marked in judged() if kind]
    assert len(errors) > 120
    assert sum(errors) >= 0.88 * len(errors)  # the aim is 0.90


def test_right_figures_in_texts_in_the_style_of_models_are_not_marked() -> None:
    right = [marked for _, kind, _, marked in judged() if not kind]
    assert len(right) > 250
    assert sum(right) <= 0.12 * len(right)  # the aim is 0.03
