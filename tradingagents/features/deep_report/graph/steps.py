"""What the agents of the deep report do in each step: prompts made, answers checked, evidence accepted or refused."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.features.deep_report.agents import (
    deep_researcher,
    dialectical_engine,
    guidance_reader,
    hypothesis_generator,
    narrative_builder,
    refiner,
    source_filter,
    thesis_evaluator,
)
from tradingagents.features.deep_report.agents.prompting import (
    SourceText,
    accumulated_part,
    claim_lines,
    contradictions_part,
    evidence_lines,
    gaps_part,
    hints_part,
    history_part,
    hypothesis_part,
    passages_part,
    previews_part,
    questions_part,
    sources_part,
    synthesis_lines,
    titles_part,
)
from tradingagents.features.deep_report.agents.states import HypothesisTask, ResearchOutcome, ThesisState
from tradingagents.features.deep_report.evidence import faults_of
from tradingagents.features.deep_report.graph.context import ThesisContext
from tradingagents.features.deep_report.graph.filing_sources import read_whole
from tradingagents.features.deep_report.graph.found_source import FoundSource
from tradingagents.features.deep_report.graph.guidance_sources import (
    ledger_address,
    unread_guidance,
    with_model_ranges,
)
from tradingagents.features.deep_report.graph.judgement import open_hypotheses, source_kinds
from tradingagents.features.deep_report.graph.profile import by_rules, company_profile
from tradingagents.features.deep_report.graph.sources import find_sources, readable
from tradingagents.features.deep_report.rules.brief import CompanyProfile, ReadableSource, SourceFigure, ThesisBrief
from tradingagents.features.deep_report.schemas.replies import (
    LEAST_HYPOTHESES,
    MOST_HYPOTHESES,
    Evaluation,
    EvidenceDraft,
    EvidenceDrafts,
    GuidanceRanges,
    Hypothesis,
    HypothesisSet,
    Narrative,
    Refinement,
    SourceScores,
    Synthesis,
    hypothesis_problems,
    narrative_problems,
)
from tradingagents.features.deep_report.schemas.thesis import (
    WHOLE,
    EvaluationRecord,
    HypothesisRecord,
    NarrativeSectionRecord,
    ParagraphRecord,
    ReportHint,
    SynthesisRecord,
    ThesisIteration,
)
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.schemas.evidence import EvidenceItem, EvidenceSource

BATCH = 10
"""Sources that are scored in one call."""
WORTH_READING = 7.0
"""Relevance from which on a source is read whole."""
READ_AT_ONCE = 8
"""Sources that one call reads."""

Left = dict[str, Any]
"""What a step adds to the state besides its result."""


class ThesisSteps:
    """The agents at work."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def first_hypotheses(
        self, context: ThesisContext, hints: Sequence[ReportHint] = ()
    ) -> tuple[list[HypothesisRecord], Left]:
        """State at least five hypotheses. Raises ModelFailure."""
        spec = hypothesis_generator.SPEC
        calls = self._calls(context, spec, profile=await self._profile(context, spec))
        found = await spec.typed(
            calls,
            HypothesisSet,
            [hints_part(hints, 1)],
            check=lambda made: " ".join(hypothesis_problems(made, frozenset(), least=LEAST_HYPOTHESES)) or None,
            least=LEAST_HYPOTHESES,
            most=MOST_HYPOTHESES,
        )
        return [record_of(stated) for stated in found.hypotheses], calls.left

    async def sources(self, context: ThesisContext, task: HypothesisTask) -> list[FoundSource]:
        """Find what a hypothesis is to be researched in."""
        hypothesis = task["hypothesis"]
        first = task["iteration"] == 1
        wanted = [*hypothesis.questions, *hypothesis.evidence_needed] if first else hypothesis.questions
        wanted = wanted or hypothesis.evidence_needed
        profile = await self._profile(context, deep_researcher.SPEC, source_filter.SPEC)
        return await find_sources(
            context,
            context.instrument.symbol,
            wanted,
            task["read"],
            rounds=task["iteration"] - 1,
            for_rules=profile is not None,
        )

    async def research(
        self, context: ThesisContext, task: HypothesisTask, found: Sequence[FoundSource]
    ) -> tuple[ResearchOutcome, Left]:
        """Keep the relevant sources, read them, and accept what stands in them. Raises ModelFailure."""
        profile = await self._profile(context, deep_researcher.SPEC, source_filter.SPEC)
        left: Left = {}
        if profile is None:
            found = await self._with_read_guidance(context, found, left)
        chosen = await read_whole(context, await self._relevant(context, task, found, left, profile)) if found else []
        batches = [chosen[first : first + READ_AT_ONCE] for first in range(0, len(chosen), READ_AT_ONCE)]
        read = await asyncio.gather(*(self._read(context, task, batch, left, profile) for batch in batches))
        items = {item.id: item for new, _ in read for item in new}
        known = {item["id"] for item in task["evidence"]}
        outcome = ResearchOutcome(
            hypothesis=task["hypothesis"].id,
            iteration=task["iteration"],
            items=[item.model_dump(mode="json") for item in items.values() if item.id not in known],
            read=list(dict.fromkeys(source.candidate.address for source in (*found, *chosen))),
            dropped=[why for _, refused in read for why in refused],
            failure="",
        )
        return outcome, left

    async def synthesise(self, context: ThesisContext, task: HypothesisTask) -> tuple[SynthesisRecord, Left]:
        """Weigh both sides of a hypothesis in one call. Raises ModelFailure."""
        spec, prior = dialectical_engine.SPEC, task["prior"]
        calls = self._calls(
            context,
            spec,
            evidence=task["evidence"],
            hypotheses=[task["hypothesis"]],
            profile=await self._profile(context, spec),
        )
        parts = [
            hypothesis_part(task["hypothesis"]),
            accumulated_part(task["evidence"], task["iteration"]),
            _contradictions(context, task["evidence"]),
            "\n".join(["# Prior synthesis", *synthesis_lines(prior)]) if prior is not None else "",
        ]
        reply = await spec.typed(calls, Synthesis, parts, check=lambda made: made.probabilities.problem())
        return _synthesis_record(reply, task["iteration"], task["hypothesis"].id), calls.left

    async def weigh_whole(self, context: ThesisContext, state: ThesisState) -> tuple[SynthesisRecord, Left]:
        """Weigh all hypotheses in one call, the rejected ones too. Raises ModelFailure."""
        spec = dialectical_engine.SPEC
        shown, own = list(state["hypotheses"].values()), _evidence(state)
        last = {made.hypothesis: made for made in state.get("syntheses", [])}
        profile = await self._profile(context, spec)
        calls = self._calls(context, spec, evidence=own, hypotheses=shown, profile=profile)
        parts = [
            *(hypothesis_part(hypothesis) for hypothesis in shown),
            "\n".join(["# Evidence", evidence_lines(own)]),
            _contradictions(context, own),
            *("\n".join(["# Prior synthesis", *synthesis_lines(made)]) for made in last.values()),
        ]
        reply = await spec.typed(calls, Synthesis, parts, check=lambda made: made.probabilities.problem())
        return _synthesis_record(reply, state["iteration"], WHOLE), calls.left

    async def evaluate(
        self, context: ThesisContext, state: ThesisState, note: ThesisIteration
    ) -> tuple[EvaluationRecord, Left]:
        """Score a round. Raises ModelFailure."""
        spec, evidence = thesis_evaluator.SPEC, state.get("evidence", {})
        items = context.items.items(evidence.values())
        new = [evidence[key] for key in note.new_items]
        draft = "\n".join(["# Draft", history_part([note], evidence, note.number) or evidence_lines(new)])
        calls = self._calls(context, spec, evidence=list(evidence.values()))
        judged = await spec.typed(calls, Evaluation, [draft])
        kinds = float(len(source_kinds(items)))
        return EvaluationRecord(**dict(judged), diversity=kinds, items=len(items)), calls.left

    async def refine(self, context: ThesisContext, state: ThesisState) -> tuple[dict[str, HypothesisRecord], Left]:
        """Return the hypotheses with the questions of the next round. Raises ModelFailure."""
        spec, hypotheses, evidence = refiner.SPEC, state["hypotheses"], state.get("evidence", {})
        note = state["iterations"][-1]
        wanted = open_hypotheses(hypotheses)
        titles = [hypothesis.title for hypothesis in hypotheses.values()]
        claims = {key: item["claim"] for key, item in evidence.items()}
        known = frozenset(title.casefold() for title in titles)
        calls = self._calls(context, spec, hypotheses=wanted)
        made = await spec.typed(
            calls,
            Refinement,
            [
                titles_part(titles),
                *(hypothesis_part(hypothesis) for hypothesis in wanted),
                contradictions_part([pair for pair in note.contradictions if not pair.prevails], claims),
                gaps_part(note.evaluation.recommendations if note.evaluation is not None else []),
                hints_part(state.get("hints", []), state["iteration"] + 1),
            ],
            check=lambda made: (
                " ".join(hypothesis_problems(HypothesisSet(hypotheses=made.new_hypotheses), known, least=0)) or None
            ),
        )
        questions = {about.hypothesis: about.questions for about in made.questions}
        refined = {
            key: hypothesis.model_copy(update={"questions": questions.get(key, [])})
            for key, hypothesis in hypotheses.items()
        }
        room = MOST_HYPOTHESES - len(refined)
        refined |= {new.id: new for new in map(record_of, made.new_hypotheses[: max(0, room)])}
        return refined, calls.left

    async def narrate(self, context: ThesisContext, state: ThesisState) -> tuple[list[NarrativeSectionRecord], Left]:
        """Write the report: hypotheses that were not rejected, all evidence. Raises ModelFailure."""
        spec, evidence = narrative_builder.SPEC, state.get("evidence", {})
        shown = [hypothesis for hypothesis in state["hypotheses"].values() if hypothesis.status != "rejected"]
        own = _evidence(state)
        calls = self._calls(context, spec, evidence=own, hypotheses=shown)
        made = await spec.typed(
            calls,
            Narrative,
            [
                history_part(state["iterations"], evidence, state["iteration"]),
                *(hypothesis_part(hypothesis) for hypothesis in shown),
                "\n".join(["# Evidence", evidence_lines(own)]),
                _contradictions(context, own),
            ],
            check=lambda made: " ".join(narrative_problems(made)) or None,
        )
        sections = [
            NarrativeSectionRecord(
                name=section.name,
                paragraphs=[
                    ParagraphRecord(text=part.text, evidence=[key for key in part.evidence if key in evidence])
                    for part in section.paragraphs
                ],
            )
            for section in made.sections
        ]
        return sections, calls.left

    async def _profile(self, context: ThesisContext, *specs: PromptAgent) -> CompanyProfile | None:
        """Return the company's figures where rules answer for an agent; models are not shown them here."""
        if not by_rules(self._models, *(spec.tier for spec in specs)):
            return None
        return await company_profile(context, context.instrument.symbol)

    async def _with_read_guidance(
        self, context: ThesisContext, found: Sequence[FoundSource], left: Left
    ) -> list[FoundSource]:
        """Return sources, that of the company's guidance with what a model reads where rules do not; asked once a run.

        A model is asked where the ledger is among the sources and leaves sentences unread.
        """
        ticker = context.instrument.symbol
        if not any(source.candidate.address == ledger_address(ticker) for source in found):
            return list(found)
        once = context.guidance
        async with once.lock:
            passages = unread_guidance(context, ticker) if once.ranges is None else []
            if passages:
                spec = guidance_reader.SPEC
                calls = self._calls(context, spec)
                made = await spec.typed(calls, GuidanceRanges, [passages_part(passages)])
                _add(left, calls.left)
                once.ranges = tuple(made.ranges)
            once.ranges = once.ranges or ()
        return [
            with_model_ranges(context, ticker, source, once.ranges)
            if once.ranges and source.candidate.address == ledger_address(ticker)
            else source
            for source in found
        ]

    async def _relevant(
        self,
        context: ThesisContext,
        task: HypothesisTask,
        found: Sequence[FoundSource],
        left: Left,
        profile: CompanyProfile | None,
    ) -> list[FoundSource]:
        """Return the sources worth reading, ten scored in one call, the calls side by side."""
        spec = source_filter.SPEC

        async def scored(batch: Sequence[FoundSource]) -> list[FoundSource]:
            calls = self._calls(context, spec, sources=readable(batch), task=task, profile=profile)
            made = await spec.typed(
                calls, SourceScores, [*_about(task), previews_part([source.candidate for source in batch])]
            )
            _add(left, calls.left)
            relevance = {score.label: score.relevance for score in made.scores}
            return [source for source in batch if relevance.get(source.candidate.label, 0.0) >= WORTH_READING]

        batches = [found[first : first + BATCH] for first in range(0, len(found), BATCH)]
        return [source for chosen in await asyncio.gather(*map(scored, batches)) for source in chosen]

    async def _read(
        self,
        context: ThesisContext,
        task: HypothesisTask,
        sources: Sequence[FoundSource],
        left: Left,
        profile: CompanyProfile | None,
    ) -> tuple[list[EvidenceItem], list[str]]:
        """Return the evidence in sources and why some was refused; what is at fault is repaired once."""
        spec = deep_researcher.SPEC
        known = {source.candidate.label: source.candidate for source in sources}
        calls = self._calls(
            context, spec, sources=readable(sources), evidence=task["evidence"], task=task, profile=profile
        )
        judged: list[list[tuple[EvidenceItem | None, list[str]]]] = []

        def check(found: EvidenceDrafts) -> str | None:
            """Ask once for faulty items again; what is still at fault is refused below."""
            judged.append([accepted(draft, known, task) for draft in found.items])
            faults = [why for _, faults in judged[-1] for why in faults]
            return " ".join(faults) if faults and len(judged) == 1 else None

        await spec.typed(
            calls,
            EvidenceDrafts,
            [
                *_about(task),
                "\n".join(["# Known evidence", claim_lines(task["evidence"])]) if task["evidence"] else "",
                sources_part(list(known.values())),
            ],
            check=check,
        )
        _add(left, calls.left)
        items = [item for item, _ in judged[-1] if item is not None]
        return items, [why for _, faults in judged[-1] for why in faults]

    def _calls(
        self,
        context: ThesisContext,
        spec: PromptAgent,
        *,
        sources: Sequence[ReadableSource] = (),
        evidence: Sequence[Mapping[str, Any]] = (),
        hypotheses: Sequence[HypothesisRecord] = (),
        task: HypothesisTask | None = None,
        profile: CompanyProfile | None = None,
    ) -> ModelCalls:
        who = context.instrument
        figures: dict[str, SourceFigure] = {}
        for source in sources:
            for figure in source.figures:
                figures.setdefault(figure.name, figure)
        known = ThesisBrief(
            ticker=who.symbol,
            name=who.name or who.symbol,
            topic=task["hypothesis"].title if task is not None else "",
            profile=profile,
            figures=figures,
            sources=sources,
            evidence=evidence,
            hypotheses=hypotheses,
        )

        def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
            return Brief(agent, rule, known=known)

        return spec.calls(context, self._models, brief)


def accepted(
    draft: EvidenceDraft, sources: Mapping[str, SourceText], task: HypothesisTask
) -> tuple[EvidenceItem | None, list[str]]:
    """Return a draft as an item of evidence, or None and why it is none."""
    source = sources.get(draft.source)
    if source is None:
        return None, [f"{draft.source!r} is no source of this call."]
    try:
        item = EvidenceItem(
            hypothesis=task["hypothesis"].id,
            claim=draft.claim,
            quote=draft.quote,
            figure=draft.figure,
            source=EvidenceSource.model_validate(
                {
                    **{name: getattr(source, name) for name in ("kind", "title", "place", "known_at")},
                    "address": _address(source, draft.quote),
                }
            ),
            confidence=draft.confidence,
            direction=draft.direction,
            effect=draft.effect,
            iteration=task["iteration"],
        )
    except ValidationError as error:
        return None, [f"{draft.source}: {error.errors()[0]['msg']}."]
    if faults := faults_of(item, source.text):
        return None, [f"{draft.source}, {draft.claim[:80]!r}: {'; '.join(faults)}."]
    return item, []


def _address(source: SourceText, quote: str) -> str:
    """Return the address of a quotation: the characters of the page or item, where they can be told."""
    at = source.text.find(quote) if source.start >= 0 else -1
    if at < 0:
        return source.address
    begin = source.start + at
    return f"{source.address.rpartition(':')[0]}:{begin}-{begin + len(quote)}"


def record_of(stated: Hypothesis) -> HypothesisRecord:
    """Return a new hypothesis as it is kept; its id follows from its title."""
    return HypothesisRecord(
        id=f"H-{hashlib.sha256(stated.title.casefold().encode()).hexdigest()[:8]}",
        title=stated.title,
        thesis=stated.thesis,
        evidence_needed=list(stated.evidence_needed),
        impact=stated.impact,
        status="open",
        confidence=0.0,
        depths=[],
        questions=[],
        proposed=stated.falsifiers,
    )


def _evidence(state: ThesisState) -> list[Mapping[str, Any]]:
    """Return all evidence, the surest first; that of rejected hypotheses is the case against the thesis."""
    return sorted(state.get("evidence", {}).values(), key=lambda item: (-item["confidence"], item["id"]))


def _synthesis_record(reply: Synthesis, iteration: int, hypothesis: str) -> SynthesisRecord:
    given = {**dict(reply), "probabilities": reply.probabilities.normalised()}
    return SynthesisRecord(iteration=iteration, hypothesis=hypothesis, **given)


def _add(left: Left, new: Left) -> None:
    """Add what a call leaves to what earlier ones left."""
    for name, values in new.items():
        left[name] = [*left.get(name, []), *values]


def _contradictions(context: ThesisContext, evidence: Sequence[Mapping[str, Any]]) -> str:
    """Return the contradictions among evidence, as an agent reads them."""
    found = context.items.contradictions(context.items.items(evidence))
    return contradictions_part(found, {item["id"]: item["claim"] for item in evidence})


def _about(task: HypothesisTask) -> list[str]:
    return [hypothesis_part(task["hypothesis"]), questions_part(task["hypothesis"].questions)]
