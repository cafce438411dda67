"""A decision most of whose figures stand nowhere in the data is none, and neither is such a report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.provenance.test_model_styles import SETS
from tests.provenance.test_other_hands import SUBJECTS
from tests.support.graph_factory import COMPANY, DAY, Watch, role_of, scripted, trading_graph, verdict
from tradingagents.agents.builders.grounds import LEAST_FOUND, MANY_FIGURES
from tradingagents.provenance.figure_check import Given, untraced

INVENTED = [f"The ratio of {chr(65 + at)} is {7.137 + 11.21 * at:.3f}" for at in range(30)]
FOUND = ["The last close is 96.58", "The RSI is 49.46", "The 52-week high is 111.21", "The 52-week low is 62.91"]


def text(invented: int, found: int) -> str:
    return ". ".join([*INVENTED[:invented], *FOUND[:found]]) + "."


async def decided(**changes: Any) -> tuple[Any, int]:
    """Return the record of a run whose risk manager always answers so, and how often it was asked."""
    model = scripted({"Risk Manager": verdict(**changes)})
    run = await trading_graph(model).arun(COMPANY, DAY)
    return run.record, sum(role_of(call.messages) == "Risk Manager" for call in model.calls)


@pytest.mark.parametrize("field", ["rationale", "reasoning"])
async def test_a_verdict_of_invented_figures_is_none_and_says_how_many(field: str) -> None:
    record, asked = await decided(**{field: text(invented=9, found=2)})
    assert record["status"] == "no_decision"
    said = record["decision"]["rationale"]
    found = re.search(r"but (\d+) of (\d+) figures are not in the data: 7\.137, 18\.347", said)
    assert found
    assert (int(found[1]), int(found[2])) == (9, 12)  # the claim of VERDICT states the last close once more
    assert asked == 2
    assert [(one["kind"], one["agent"]) for one in record["degraded"]] == [("untraced_figures", "Risk Manager")]


async def test_a_few_invented_figures_are_marked_and_no_more() -> None:
    """With fewer than a dozen, what the check misses of right figures would weigh too much."""
    record, asked = await decided(rationale=text(invented=6, found=2))
    assert (record["decision"]["action"], asked) == ("BUY", 1)
    assert record["grounding"]["by_report"]["final_trade_decision"]["matched"] >= 2


async def test_half_of_them_found_is_enough() -> None:
    record, asked = await decided(rationale=text(invented=4, found=4), reasoning=text(invented=0, found=4))
    assert (record["decision"]["action"], asked) == ("BUY", 1)


async def test_a_verdict_that_drops_them_when_asked_is_taken() -> None:
    model = scripted({"Risk Manager": [verdict(rationale=text(invented=12, found=1)), verdict()]})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert run.decision.action == "BUY"
    asked = [call for call in model.calls if role_of(call.messages) == "Risk Manager"]
    assert "leave out those that do not stand there" in asked[-1].messages[-1].text


async def test_reports_of_few_figures_each_are_counted_together_with_the_decision_that_rests_on_them() -> None:
    names = ("Market Analyst", "Social Media Analyst", "News Analyst", "Fundamentals Analyst")
    reports: dict[str, Any] = {
        name: ". ".join([*INVENTED[at * 5 : at * 5 + 5], FOUND[0]]) + "." for at, name in enumerate(names)
    }
    run = await trading_graph(scripted(reports)).arun(COMPANY, DAY)
    assert run.decision.action == "NO_DECISION"
    assert "but with the reports it rests on, 20 of 25 figures are not in the data" in run.decision.rationale
    assert {one["kind"] for one in run.record["degraded"]} == {"untraced_figures"}


async def test_a_report_of_invented_figures_is_asked_for_again_and_then_missing() -> None:
    model, watch = scripted({"Market Analyst": text(invented=12, found=2)}), Watch()
    run = await trading_graph(model).arun(COMPANY, DAY, subscribers=[watch])
    (lack,) = run.record["degraded"]
    assert lack["detail"].startswith("the model's report cannot be used: 12 of 14 figures are not in the data: 7.137,")
    assert len(watch.of("retry")) == 1


def shares() -> Iterator[tuple[str, int, int]]:
    """Yield subject, figures and how many of them the check misses, for each passage of models' style."""
    root = Path(__file__).parents[1] / "provenance"
    for folder, subjects in {**SETS, **SUBJECTS}.items():
        for name, subject in subjects.items():
            sheets = (root / folder / f"{name}_sheets.md").read_text("utf-8").split("<!-- answer -->")
            given = Given(sheets, subject=subject)
            for passage in (root / folder / f"{name}.md").read_text("utf-8").split("=== ")[1:]:
                places = given.places(re.sub(r"\{\{(.*?)\|[a-z]+\}\}", r"\1", passage.partition("\n")[2]))
                yield name, len(places), len(untraced(places))


def test_passages_and_documents_are_far_from_the_limit_even_with_errors_planted_in_them() -> None:
    by_document: dict[str, tuple[int, int]] = {}
    for name, count, missing in shares():
        assert count < MANY_FIGURES or missing <= LEAST_FOUND * count
        known = by_document.get(name, (0, 0))
        by_document[name] = (known[0] + count, known[1] + missing)
    assert len(by_document) == 13
    assert max(missing / count for count, missing in by_document.values()) < 0.4
