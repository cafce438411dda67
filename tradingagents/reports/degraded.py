"""What a run had to do without because a model failed, in words that stand beside its decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.schemas.records import DegradedRecord

_WORDS = {
    "missing_report": "{agents} could not report",
    "silent_debater": "{agents} did not speak in every turn",
    "no_verdict": "{agents} gave no usable verdict",
    "fallback_model": "{detail} answered in place of the model of {agents}",
}
"""What is said of each kind, in this order."""


def degraded_notice(record: Mapping[str, Any]) -> str:
    """Return the sentence that a degraded run's decision stands beside; empty for a run that lacked nothing.

    Args:
        record: Of a run, a scan, or a row of a batch; `degraded` may be absent in those of earlier versions.
    """
    found: Sequence[DegradedRecord] = record.get("degraded") or ()
    if not found:
        return ""
    said = [
        words.format(agents=_listed([f"the {one['agent']}" for one in same]), detail=detail)
        for kind, words in _WORDS.items()
        for detail, same in _grouped([one for one in found if one["kind"] == kind], by_detail="{detail}" in words)
    ]
    return f"This is a degraded run: {'; '.join(said)}."


def _grouped(found: Sequence[DegradedRecord], *, by_detail: bool) -> list[tuple[str, list[DegradedRecord]]]:
    groups: dict[str, dict[str, DegradedRecord]] = {}
    for one in found:
        groups.setdefault(one["detail"] if by_detail else "", {}).setdefault(one["agent"], one)
    return [(detail, list(agents.values())) for detail, agents in groups.items()]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
