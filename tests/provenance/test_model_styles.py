"""The rate of the check on passages in styles of language models, by other writers than the check's.

`model_styles` was measured once before anything was changed for it: 88.3 % of the errors were found and 10.8 % of the
right figures marked. The check was then written anew with it in sight, and with `dense_reports`: both have been seen.
`dense_reports` is much harder: most of its figures are worked out from others, of another day, or abbreviated.
The bounds hold what was measured; the aims are 90 % and 3 %.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from tests.provenance.planted import judged

SETS = {
    "model_styles": {
        "cirqz": ("CIRQZ", "Cirquell Devices"),
        "homq": ("HOMQ", "Homestrand Depot"),
        "aerq": ("AERQ", "Aerolith Defense"),
    },
    "dense_reports": {
        "medqz": ("MEDQZ", "Medquarry Devices"),
        "colqz": ("COLQZ", "Colavine Beverages"),
        "petqz": ("PETQZ", "Petrazone Exploration"),
    },
}


@lru_cache
def figures(name: str) -> list[tuple[str, str, bool]]:
    return list(judged(Path(__file__).parent / name, SETS[name]))


@pytest.mark.parametrize(("name", "least"), [("model_styles", 0.9), ("dense_reports", 0.83)])
def test_errors_in_texts_in_the_style_of_models_are_found(name: str, least: float) -> None:
    errors = [marked for kind, _, marked in figures(name) if kind]
    assert len(errors) > 120
    assert sum(errors) >= least * len(errors)


@pytest.mark.parametrize(("name", "most"), [("model_styles", 0.02), ("dense_reports", 0.1)])
def test_right_figures_in_texts_in_the_style_of_models_are_not_marked(name: str, most: float) -> None:
    right = [marked for kind, _, marked in figures(name) if not kind]
    assert len(right) > 250
    assert sum(right) <= most * len(right)
