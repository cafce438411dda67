"""What `make test` samples and `make test-all` runs whole: large matrices of moments, seeds and days."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], *, every: int, name: Callable[[Any], str] | None = None) -> list[Any]:
    """Return cases for `parametrize`: one in so many runs each time, the others with `--all`.

    Args:
        cases: One value each, or a tuple of values.
        every: One in how many; take one that has no factor in common with the length of a pattern in the cases.
        name: Gives a case its id; None leaves that to pytest.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            id=name(case) if name else None,
            marks=() if number % every == 0 else pytest.mark.nightly,
        )
        for number, case in enumerate(cases)
    ]
