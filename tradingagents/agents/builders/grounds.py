"""What a decision and a report must rest on: figures of the run's data, and words that are not those of the instruction.

Whichever way an answer came, this is the one place that says whether it is any: a model that is held to a JSON schema
always fills it in, with the schema's own words where it has nothing to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.faults import WISHES
from tradingagents.agents.schemas import Verdict
from tradingagents.llm_clients.copied_text import is_copied, is_repetition
from tradingagents.provenance.numbers import read_numbers

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.context import RunContext

NO_EVIDENCE = "none of its key evidence names a figure found in the data of this run"
EVIDENCE_WISH = (
    "at least one claim of key_evidence must state a figure as the tools or reports above give it, with its metric and "
    "period in the same sentence"
)
NO_RATIONALE = "its rationale repeats the instructions"
REPETITION = "its rationale says the same words over and over"
RATIONALE_WISH = "rationale must say in your own words why, with the figures that decide"
NO_FIGURE = "has no figure of what the tools answered"
COPIED_REPORT = "repeats the instructions"
REPORT_WISH = (
    "Your report {problem}. Write it again, whole: say what the answers of the tools above show, and quote the figures "
    "that matter as they stand there."
)


def is_held_to_data(llm: BaseChatModel) -> bool:
    """Tell whether a model's texts are checked.

    Rules write figures from typed answers of tools; what a rehearsal's stand-in writes is read by nobody.
    """
    return not getattr(llm, "needs_brief", False)


async def verdict_faults(verdict: Verdict, context: RunContext, prompt: str) -> dict[str, str]:
    """Return why a verdict is none, each reason with what to ask of the model; empty for a sound one.

    Args:
        verdict: A model's answer.
        context: The run's context.
        prompt: The instruction that it was given, beside the schema's own descriptions.
    """
    faults = {}
    if is_copied(verdict.rationale, [prompt, *WISHES]):  # the words of its schema are refused with the object
        faults[NO_RATIONALE] = RATIONALE_WISH
    elif is_repetition(verdict.rationale):
        faults[REPETITION] = RATIONALE_WISH
    if not await _has_evidence(verdict, context):
        faults[NO_EVIDENCE] = EVIDENCE_WISH
    return faults


async def report_fault(text: str, agent: str, context: RunContext, prompt: str) -> str | None:
    """Return why a report is none, as the end of a sentence that begins with "the report"; None for a sound one.

    A report needs no figure where its agent's tools gave few: a search for news may find words only, or nothing.

    Args:
        text: The report.
        agent: Who wrote it.
        context: The run's context.
        prompt: Its instruction.
    """
    if is_copied(text, [prompt, *WISHES]):
        return COPIED_REPORT
    if context.figures is None or not context.figures.gave_figures(agent):
        return None
    return None if any(place.traced for place in await context.figures.places(text)) else NO_FIGURE


async def _has_evidence(verdict: Verdict, context: RunContext) -> bool:
    """Tell whether a claim names a figure of the data; outside a recorded run, whether one names any figure."""
    claims = [item.claim for item in verdict.key_evidence]
    if context.figures is None:
        return any(read_numbers(claim) for claim in claims)
    for claim in claims:
        if await context.figures.supports(claim):
            return True
    return False
