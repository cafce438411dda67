"""What would prove the hypotheses of a report wrong, and what became of it, in words."""

from __future__ import annotations

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.deep_report.evidence.falsifiers import condition, shown
from tradingagents.features.deep_report.schemas.falsifiers import Falsifier
from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord
from tradingagents.files.plain_text import one_line
from tradingagents.reports.document import Block, Bullets, Line


def falsifier_blocks(hypothesis: HypothesisRecord) -> list[Block]:
    """Return the conditions that would prove a hypothesis wrong; nothing for records made before there were any."""
    if "falsifiers" not in hypothesis:
        return []
    found = stored_falsifiers(hypothesis)
    if not found:
        return [Line("**Proved wrong by:** no watched figure; its evidence rests on none.")]
    ahead = [one for one in found if not one.holds(one.value_then)]
    met = [one for one in found if one.holds(one.value_then)]
    blocks: list[Block] = []
    if ahead:
        blocks += [Line("**Proved wrong by**"), Bullets([_told(one) for one in ahead])]
    if met:
        blocks += [Line("**Already against it**"), Bullets([_met(one) for one in met])]
    return blocks


def stored_falsifiers(hypothesis: HypothesisRecord) -> list[Falsifier]:
    """Return the falsifiers of a hypothesis as objects."""
    return [
        Falsifier.model_validate({key: one[key] for key in one if key != "id"})
        for one in hypothesis.get("falsifiers", ())
    ]


def _told(one: Falsifier) -> str:
    words = condition(one)
    return f"{words[:1].upper()}{words[1:]} (last {shown(one, one.value_then)}). {one_line(one.reason)}"


def _met(one: Falsifier) -> str:
    """Say that the last value meets a condition, which fires again where a later one meets it too."""
    name = metric_label(one.figure)
    last = f"{name[:1].upper()}{name[1:]} was {shown(one, one.value_then)} in the period to {one.after}"
    return f"{last}, {one.comparison} {shown(one, one.threshold)}. {one_line(one.reason)}"
