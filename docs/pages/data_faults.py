"""The page of data faults: each kind, how it is recognised, and what becomes of the figures over it."""

from __future__ import annotations

from collections.abc import Mapping

from pages.markdown import page
from tradingagents.dataflows.reference.data_faults import FAULT_KINDS, About, FaultKind

INTRODUCTION = """
One gate stands between every source and every agent. It judges what a vendor, a recorded folder or an imported file
gives: a row passes, passes with a note, or is withheld. A figure over withheld rows is absent, counts for no score, and
says why, with the kind of fault from this page. The reasons are in the run's card (`data_faults`), its warnings, the
data sheet and every export; `tradingagents data check` finds the same in a recorded folder.

A day is judged by what was known on it, so the answer for a past day never changes because of a later row.
"""
PARTS: Mapping[About, str] = {
    "prices": "Prices",
    "statements": "Statements",
    "identity": "Identity, units and currency",
    "rows": "Other rows",
}


def data_faults_page() -> str:
    """Return the page."""
    parts = [f"## {title}\n\n{_kinds(about)}" for about, title in PARTS.items() if kinds_of(about)]
    return page("Data faults", INTRODUCTION, *parts)


def _kinds(about: About) -> str:
    return "\n\n".join(f"### {kind}\n\n{FAULT_KINDS[kind].seen} {FAULT_KINDS[kind].done}" for kind in kinds_of(about))


def kinds_of(about: About) -> tuple[FaultKind, ...]:
    """Return the kinds of one part, in the order of their declaration."""
    return tuple(kind for kind, meaning in FAULT_KINDS.items() if meaning.about == about)
