"""What the rules read of a finished run: its finding, what it found with sources, and what would change it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RunPassage:
    """One thing that a run found."""

    text: str
    """A figure with its name, a row of a table, or a paragraph."""
    source: str
    about: str = ""
    """Words that belong to it and are not shown, such as the task."""
    written: bool = False
    """Whether the run wrote it; False for what its sources say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBrief:
    """What is known of a finished run, and the question about it."""

    what: str
    """The run in words, such as `research “Is VELQ cheap?”`."""
    run_id: str
    day: str
    question: str
    finding: str = ""
    """What it found, in its own words."""
    passages: tuple[RunPassage, ...] = ()
    """The closest first where two fit a question equally."""
    turning: tuple[RunPassage, ...] = ()
    """What would change the finding."""
    missing: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """Of the finding."""
