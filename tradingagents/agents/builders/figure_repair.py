"""What an agent is told whose text holds figures without a source."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.files.plain_text import one_line
from tradingagents.provenance.figure_check import Place, words_around

WISH = """\
These figures of your text do not stand in what the tools answered, or stand there for another metric, company or
period:
{figures}
Write the whole text again. Put the figure in their place that the tools gave, name its metric, company and period in
the same sentence, and put a figure that you work out into one sentence with those it follows from; or leave it out.
Readers are not shown a figure without a source. Change nothing else."""
MOST_NAMED = 30
"""Figures that are named."""


def repair_wish(found: Sequence[tuple[str, tuple[int, int]]]) -> str:
    """Return the request to put figures right.

    Args:
        found: Each text with the place of a figure in it, as characters [start, end).
    """
    lines = [
        f"- {one_line(text[start:end])} in: {words_around(text, Place(start, end, traced=False))}"
        for text, (start, end) in found[:MOST_NAMED]
    ]
    return WISH.format(figures="\n".join(dict.fromkeys(lines)))
