"""What a decision, a report and a turn must rest on: the company studied, figures of the run's data, words of their own.

Whichever way an answer came, this is the one place that says whether it is any: a model that is held to a JSON schema
always fills it in, with the schema's own words where it has nothing to say; and a model may write of another company
than it was asked about (`provenance.text_subject`), or figures that no tool gave.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from langchain_core.messages import BaseMessage

from tradingagents.agents.faults import WISHES
from tradingagents.agents.roster import copied_texts, summary_key, trading_reports
from tradingagents.agents.schemas import Verdict
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.context import TradingContext
from tradingagents.files.plain_text import one_line
from tradingagents.llm_clients.reply_text import is_copied, is_repetition
from tradingagents.provenance.company_mentions import OWN, CompanyBook, company_book
from tradingagents.provenance.figure_check import untraced
from tradingagents.provenance.numbers import read_numbers
from tradingagents.provenance.text_subject import is_named_most, is_subject_clear, other_subject

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.context import RunContext, RunFigures

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
OTHER_COMPANY = "is about {other} and not about {own}"
OTHER_WISH = "you wrote about {other}; write about {own}, from the data above"
TURN_WISH = "Your turn {problem}. Speak again, whole, about {own}, and rest it on the reports above."
MANY_FIGURES = 12
"""Figures from which the share that is found in the data tells something.

Measured on the passages in models' style of `tests/provenance`: of 52 with twelve or more figures, errors planted in
them included, none had half of them missed by the check (of ten or more two of 102 had), and of whole documents at most
16 % of the right ones; held against another company's data, all 52 had.
"""
SOME_FIGURES = 3
"""The same where a text names another company only."""
LEAST_FOUND = 0.5
"""Share of the figures that has to be found."""
_NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
FIGURES_WISH = "state figures as the tools or reports above give them, and leave out those that do not stand there"
MOST_SHOWN = 5
"""Figures that a reason quotes."""


ReadSubject = Callable[[str, CompanyBook], Awaitable[str | None]]
"""Asks a model which company a text is about; see `subject_question.read_subject`."""


class TextRefusal(NamedTuple):
    """Why a verdict is none."""

    why: str
    """Continues a sentence behind "but"."""
    wish: str
    """What to ask of the model."""
    kind: str = "no_evidence"
    """See `DegradedRecord`."""


def is_held_to_data(llm: BaseChatModel) -> bool:
    """Tell whether a model's texts are checked.

    Rules write figures from typed answers of tools; what a rehearsal's stand-in writes is read by nobody.
    """
    return not getattr(llm, "needs_brief", False)


async def verdict_faults(
    verdict: Verdict, context: RunContext, prompt: str, *, given: str = "", reports: Sequence[str] = ()
) -> list[TextRefusal]:
    """Return why a verdict is none; empty for a sound one.

    Args:
        verdict: A model's answer.
        context: The run's context.
        prompt: The instruction that it was given, beside the schema's own descriptions.
        given: All that it was given.
        reports: The reports of models that it rests on.
    """
    faults: list[TextRefusal] = []
    if is_copied(verdict.rationale, [prompt, *WISHES]):  # the words of its schema are refused with the object
        faults.append(TextRefusal(NO_RATIONALE, RATIONALE_WISH))
    elif is_repetition(verdict.rationale):
        faults.append(TextRefusal(REPETITION, RATIONALE_WISH))
    claims = [item.claim for item in verdict.key_evidence]
    own = [verdict.rationale, *filter(None, [verdict.reasoning]), *verdict.plan]
    other = await _other_company("\n".join(own), context, given) or _other_of_claims(claims, context, given)
    if other is not None:
        names = {"other": other, "own": _subject(context)}
        said = f"its text {OTHER_COMPANY.format(**names)}"
        faults.append(TextRefusal(said, OTHER_WISH.format(**names), "other_company"))
    if not await _has_evidence(verdict, context):
        faults.append(TextRefusal(NO_EVIDENCE, EVIDENCE_WISH))
    if missing := await _missing_figures([*own, *claims], context):
        faults.append(TextRefusal(missing, FIGURES_WISH, "untraced_figures"))
    elif missing := await _missing_figures([*own, *claims, *reports], context):
        said = f"with the reports it rests on, {missing}"
        faults.append(TextRefusal(said, FIGURES_WISH, "untraced_figures"))
    return faults


async def report_fault(
    text: str,
    agent: str,
    context: RunContext,
    prompt: str,
    *,
    given: str = "",
    read_subject: ReadSubject | None = None,
) -> str | None:
    """Return why a report is none, as the end of a sentence that begins with "the report"; None for a sound one.

    A report needs no figure where its agent's tools gave few: a search for news may find words only, or nothing.

    Args:
        text: The report.
        agent: Who wrote it.
        context: The run's context.
        prompt: Its instruction.
        given: All that its agent was given.
        read_subject: Asks a model which company the report is about where rules leave that open; None: nobody is asked.
    """
    if is_copied(text, [prompt, *WISHES]):
        return COPIED_REPORT
    if other := await _other_company(text, context, given, read_subject):
        return OTHER_COMPANY.format(other=other, own=_subject(context))
    if fault := await _figure_fault(text, agent, context):
        return fault
    other = await _read_company(text, context, given, read_subject) if read_subject else None
    return OTHER_COMPANY.format(other=other, own=_subject(context)) if other else None


async def _figure_fault(text: str, agent: str, context: RunContext) -> str | None:
    """Return what is wrong with the figures of a report, as `report_fault` does."""
    if context.figures is None:
        return None
    if missing := await _missing_figures([text], context):
        return f"cannot be used: {missing}"
    if not context.figures.gave_figures(agent):
        return None
    places = context.figures.read_before(text) or (await context.figures.places([text]))[0]
    return None if any(place.traced for place in places) else NO_FIGURE


def turn_fault(text: str, context: RunContext, given: str) -> str | None:
    """Return that a turn of a debate is about another company, as the end of a sentence; None for a sound one.

    Its figures are not looked up: a run that is stopped while it waits for them would lose the turn, and ask for it
    twice. So a peer that stands in the data may carry a turn.

    Args:
        text: The turn.
        context: The run's context.
        given: All that its speaker was given.
    """
    book = _book(context)
    other = None if book is None else other_subject(text, book, given, english=_is_english(context))
    return None if other is None else OTHER_COMPANY.format(other=one_line(other), own=_subject(context))


def turn_wish(fault: str, context: RunContext) -> str:
    """Return what a debater is asked whose turn has a fault of `turn_fault`."""
    return TURN_WISH.format(problem=fault, own=_subject(context))


def model_reports(texts: Mapping[str, str]) -> list[str]:
    """Return the reports among the texts of a state that models wrote in this run.

    Args:
        texts: By state key.
    """
    left_out = {*copied_texts(), summary_key()}
    reports = (texts.get(key, "") for key in trading_reports() if key not in left_out)
    return [text for text in reports if text and not text.startswith(NOT_AVAILABLE)]


def all_text(messages: Iterable[BaseMessage]) -> str:
    """Return all that a model was given, as one text."""
    return "\n".join(message.text for message in messages)


def _subject(context: RunContext) -> str:
    """Return name and ticker of the company studied."""
    assert isinstance(context, TradingContext)  # noqa: S101 - nothing else has a subject to differ from
    symbol, name = context.instrument.symbol, one_line(context.instrument.name)
    return symbol if name == symbol else f"{name} ({symbol})"


async def _other_company(
    text: str, context: RunContext, given: str, read_subject: ReadSubject | None = None
) -> str | None:
    """Return the company that a text is about instead of the one studied; None where it is about that one.

    That a company stands in the data too, as a peer, speaks for a text only if the data have its figures. A text that
    never names the company studied may still be about it, by its products or a nickname; a model that is not told
    which company is studied and names it speaks for the text.

    Args:
        text: A report, or the own words of a verdict.
        context: The run's context; a run on a whole market has no company to be about.
        given: All that its writer was given.
        read_subject: As for `report_fault`.
    """
    book = _book(context)
    if book is None:
        return None
    english = _is_english(context)
    other = other_subject(text, book, given, english=english)
    if other and read_subject and not any(one.company == OWN for one in book.named(text, given, english=english)):
        return None if await read_subject(text, book) == OWN else one_line(other)
    if other is None and context.figures and _may_be_missing([text], context.figures, SOME_FIGURES):
        peer = other_subject(text, book, english=_is_english(context))
        other = peer if peer and await _missing_figures([text], context, many=SOME_FIGURES) else None
    return None if other is None else one_line(other)


async def _read_company(text: str, context: RunContext, given: str, read_subject: ReadSubject) -> str | None:
    """Return the company that a model says a report is about instead of the one studied, where rules cannot tell."""
    book = _book(context)
    if book is None or is_subject_clear(text, book, given, english=_is_english(context)):
        return None
    other = await read_subject(text, book)
    return None if other is None or other == OWN else one_line(other)


def _other_of_claims(claims: Sequence[str], context: RunContext, given: str) -> str | None:
    """Return the company that most claims are about; a claim or two on a peer is evidence as any."""
    book = _book(context)
    return None if book is None else is_named_most(claims, book, given, english=_is_english(context))


def _book(context: RunContext) -> CompanyBook | None:
    """Return the names by which a run's texts are read; None where nothing studied has one name.

    A currency pair or a future is called by words: euro, crude, gold.
    """
    if not isinstance(context, TradingContext) or context.instrument.kind in ("currency", "future"):
        return None
    return company_book(context.instrument.symbol, context.instrument.name, _made_up())


def _is_english(context: RunContext) -> bool:
    return context.settings.output_language.strip().lower().startswith("english")


@lru_cache(maxsize=1)
def _made_up() -> tuple[tuple[str, str], ...]:
    """Return the companies of the simulated market, which are on no list of real ones."""
    from tradingagents.dataflows.vendors.simulated import COMPANIES

    return tuple((company.symbol, company.name) for company in COMPANIES.values())


async def _missing_figures(texts: Sequence[str], context: RunContext, *, many: int = MANY_FIGURES) -> str | None:
    """Return how many figures of some texts are not in the data, where that is most of at least `many`; else None."""
    if context.figures is None or not _may_be_missing(texts, context.figures, many):
        return None
    count, missing = 0, list[str]()
    for text, places in zip(texts, await context.figures.places(texts), strict=True):
        count += len(places)
        missing += [text[place.start : place.end] for place in untraced(places)]
    if not _are_missed(count, len(missing), many):
        return None
    shown = ", ".join(list(dict.fromkeys(map(one_line, missing)))[:MOST_SHOWN])
    return f"{len(missing)} of {count} figures are not in the data: {shown}{' …' if len(missing) > MOST_SHOWN else ''}"


def _may_be_missing(texts: Iterable[str], figures: RunFigures, many: int) -> bool:
    """Tell whether figures have to be looked up, which waits for the thread that writes reports.

    Of a text that was not read before, all numbers may be missing; of one that was, no more can be than then.
    """
    count = missing = 0
    for text in texts:
        places = figures.read_before(text)
        if places is None:
            numbers = len(_NUMBER.findall(text))
            count, missing = count + numbers, missing + numbers
        else:
            count, missing = count + len(places), missing + len(untraced(places))
    return _are_missed(count, missing, many)


def _are_missed(count: int, missing: int, many: int) -> bool:
    return count >= many and count - missing < LEAST_FOUND * count


async def _has_evidence(verdict: Verdict, context: RunContext) -> bool:
    """Tell whether a claim names a figure of the data; outside a recorded run, whether one names any figure."""
    claims = [item.claim for item in verdict.key_evidence]
    if context.figures is None:
        return any(read_numbers(claim) for claim in claims)
    for claim in claims:
        if await context.figures.supports(claim):
            return True
    return False
