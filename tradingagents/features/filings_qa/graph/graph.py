"""Builds the graph that answers questions about filings, calls and news.

analyse → reason → filings ∥ calls ∥ news → compute → answer → assess → (search → compute → answer → assess)* → finish

Where the model gives a step nothing usable, or an answer without a source, rules answer from `analyse` on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import Node
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import fenced
from tradingagents.errors import ModelFailure, ModelUnreachable, UnusableReply
from tradingagents.features.filings_qa.agents import answer_assessor, answer_writer, question_analyzer, research_planner
from tradingagents.features.filings_qa.agents.modes import (
    MAX_QUARTERS,
    MAX_TICKERS,
    NUDGE,
    AnswerMode,
    ModeLimits,
    asks_for_deep_search,
    limits_of,
)
from tradingagents.features.filings_qa.agents.prompting import history_part, question_part, sources_part
from tradingagents.features.filings_qa.agents.schemas import Assessment, QuestionAnalysis
from tradingagents.features.filings_qa.agents.states import Exchange, FilingsState, Target
from tradingagents.features.filings_qa.graph.calculator import MAX_ROUNDS, Calculations, calculator
from tradingagents.features.filings_qa.graph.compute import (
    complete_of,
    computed_sources,
    nearest_sentences,
    risk_sources,
)
from tradingagents.features.filings_qa.graph.confidence import rule_confidence, withheld
from tradingagents.features.filings_qa.graph.follow_up import complete_question
from tradingagents.features.filings_qa.graph.lines import FilingFacts, answered_lines
from tradingagents.features.filings_qa.graph.lookup import (
    FilingsContext,
    in_thread,
    labelled_hits,
    search_calls,
    search_filings,
    search_news,
)
from tradingagents.features.filings_qa.graph.reading import (
    StoreQuestion,
    latest_periods,
    read,
    targets_named,
)
from tradingagents.features.filings_qa.graph.search import build_filings_search
from tradingagents.features.filings_qa.rules import MADE_BY, FilingsBrief
from tradingagents.features.filings_qa.schemas import AssessmentRecord, ClaimRecord, IterationRecord, SourceRecord
from tradingagents.llm_clients.calls import PromptTooLong
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.provenance.citations import check_answer, unknown_labels
from tradingagents.retrieval.figures.answer_confidence import BAR
from tradingagents.retrieval.models import DocumentInfo
from tradingagents.retrieval.series.filed import FiledFacts
from tradingagents.runtime.graphs.by_rules import START_OVER, models_of, note_of, or_rules, started_over

T = TypeVar("T")
FilingsGraph = CompiledStateGraph[FilingsState, "FilingsContext", FilingsState, FilingsState]

MAX_HISTORY = 6
"""Earlier exchanges of a conversation that are shown."""
NEWS_WORDS = ("news", "headline", "breaking", "this week", "last week", "recent development")
"""Words that add news to what is searched; they never take a source away."""
NOT_FOUND = "The answer was not found: nothing that was read speaks of it."
WORDS_PER_TOKEN = 0.75
LEAST_CONFIDENCE = 0.1
"""Below it a model's answer is not shown."""
_NOTHING = Assessment(
    completeness_score=0,
    specificity_score=0,
    accuracy_score=0,
    clarity_score=0,
    goals_met=False,
    sufficient=True,
    issues=["nothing was found"],
)
UNFINISHED = ("max_iterations", "no_phrases")
"""Why a search ended that could have gone on: then the answer offers a deeper one."""


def build_filings_graph(models: TierModels) -> FilingsGraph:
    """Compile the graph."""
    steps = _QuestionSteps(models)
    graph: StateGraph[FilingsState, FilingsContext, FilingsState, FilingsState] = StateGraph(
        FilingsState, FilingsContext
    )
    for name in ("analyse", "reason", "answer", "assess"):
        graph.add_node(name, Node(or_rules(getattr(steps, name)), name=name))
    for name in ("calls", "news", "compute", "search", "finish", START_OVER):
        graph.add_node(name, Node(getattr(steps, name), name=name), defer=name == "compute")
    graph.add_node("filings", cast(Any, build_filings_search(models)))
    graph.add_edge(START, "analyse")
    graph.add_edge(START_OVER, "analyse")
    graph.add_conditional_edges("analyse", _after_analysis, ["finish", "reason", START_OVER])
    graph.add_conditional_edges("reason", _searches, ["filings", "calls", "news", START_OVER])
    for name in ("filings", "calls", "news", "search"):
        graph.add_edge(name, "compute")
    graph.add_edge("compute", "answer")
    graph.add_conditional_edges("answer", _after_answer, ["assess", START_OVER])
    graph.add_conditional_edges("assess", _after_assessment, ["finish", "search", START_OVER])
    graph.add_edge("finish", END)
    return graph.compile(name="filings_qa")


def _after_analysis(state: FilingsState) -> str:
    if state.get("unusable"):
        return START_OVER
    return "finish" if state.get("rejected") else "reason"


def _searches(state: FilingsState) -> list[str]:
    """Return the searches that the question needs, side by side."""
    return [START_OVER] if state.get("unusable") else list(state["wanted"])


def _after_answer(state: FilingsState) -> str:
    return START_OVER if state.get("unusable") else "assess"


def _after_assessment(state: FilingsState) -> str:
    if state.get("unusable"):
        return START_OVER
    return "finish" if state.get("stopped") else "search"


class _QuestionSteps:
    """The nodes."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def analyse(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Read the question: companies, periods, intent, mode; reject what is no question about companies."""
        context, question = runtime.context, state["question"]
        documents = await in_thread(context, partial(context.store.documents, context.scope))
        earlier = [exchange.get("complete", exchange["question"]) for exchange in state.get("history", [])]
        complete = complete_question(question, earlier, documents)
        reading = read(complete, documents)
        spec = question_analyzer.SPEC
        calls = spec.filings_calls(context, models_of(state, self._models), _brief(complete, reading))
        parts = [history_part(_told(state)), question_part(question)]
        analysis = await spec.typed(calls, QuestionAnalysis, parts, known=_companies(documents))
        if not state.get("by_rules") and (overlooked := _overlooked(analysis, reading, documents)):
            return {"unusable": overlooked, **calls.left}
        if not analysis.valid:
            return self._rejected(
                context, analysis, analysis.reason or "It is no question about companies.", "off_topic"
            )
        names = analysis.companies or list(reading.companies)
        targets, unclear = targets_named(names, documents, most=MAX_TICKERS)
        if unclear:
            return self._rejected(context, analysis, unclear, "ambiguous")
        mode = _mode(context, analysis, question)
        wanted = _wanted(analysis, complete, targets, documents)
        targets = [_with_periods(target, analysis, documents, calls="calls" in wanted) for target in targets]
        data = {**analysis.model_dump(mode="json"), "answer_mode": mode.value, "targets": targets, "search_in": wanted}
        data |= {"asks_figure": reading.asks_figure, "complete": complete}
        who = ", ".join(target["symbol"] or target["company"] for target in targets) or "all companies"
        context.events.emit("analysis", f"{who}: {', '.join(wanted)}, {mode.value}", step="analysis", **data)
        return {
            "analysis": data,
            "targets": targets,
            "mode": mode.value,
            "wanted": wanted,
            "rejected": "",
            **calls.left,
        }

    def _rejected(self, context: FilingsContext, analysis: QuestionAnalysis, reason: str, why: str) -> dict[str, Any]:
        context.events.emit("rejected", reason, step="analysis", reason=reason, why=why)
        return {"analysis": analysis.model_dump(mode="json"), "rejected": reason, "stopped": "rejected"}

    async def reason(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Say what has to be found, before anything is searched."""
        context, spec = runtime.context, research_planner.SPEC
        calls = spec.filings_calls(context, models_of(state, self._models), self._brief_of(state))
        known = ", ".join(state["wanted"])
        parts = [history_part(_told(state)), question_part(state["question"])]
        reasoning = await spec.text(calls, parts, known=known)
        context.events.emit("reasoning", reasoning, step="planning", reasoning=reasoning)
        return {"reasoning": reasoning, **calls.left}

    async def calls(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Search the earnings calls: each company side by side, in its own quarters."""
        context = runtime.context
        phrase = state["analysis"]["search_query"] or state["question"]
        hits = await search_calls(context, [phrase], state["targets"])
        context.events.emit(
            "progress", f"{len(hits)} passages of calls", step="transcripts", found=len(hits), phrases=[phrase]
        )
        return {"sources": labelled_hits(hits, state, "T")}

    async def news(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Search the news of the last month."""
        context = runtime.context
        query = state["analysis"]["search_query"] or state["question"]
        found, warnings = await search_news(context, [query], state["targets"], state)
        context.events.emit("news_search", f"{len(found)} articles", step="news", found=len(found), query=query)
        return {"sources": found, "warnings": warnings}

    async def compute(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Compute the figure that is asked from statement cells, where the rules know its formula."""
        context = runtime.context
        if state.get("lines"):
            return {}
        facts = FiledFacts(context.store, context.as_of, FilingFacts(context.data))
        lines = await in_thread(context, partial(answered_lines, context.store, context.scope, state, facts))
        own = [lines.refusal] if lines.refusal else []
        if lines.answer is not None and not lines.answer.perhaps_elsewhere:
            return {"sources": lines.sources, "refusals": own, "lines": lines.as_state}
        compute = partial(computed_sources, context.store, context.scope, state)
        found, refusals, warnings = await in_thread(context, compute)
        refusals = refusals or ([] if found else own)
        risks = await in_thread(context, partial(risk_sources, context.store, context.scope, state))
        return {"sources": [*found, *risks], "refusals": refusals, "warnings": warnings}

    async def answer(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Write the answer; ask once more for one that cites only what was given; check every citation."""
        context, spec, sources = runtime.context, answer_writer.SPEC, state.get("sources", [])
        lines = state.get("lines")
        if lines and (context.by_rules or state.get("by_rules")):
            text = _with_absent(f"{MADE_BY}\n\n{lines['text']}", state["targets"])
            return {"answer": text, "problems": [], "cited": lines["cited"]}
        if not sources:
            return {"answer": _not_found(state["targets"]), "problems": [], "cited": []}
        context.events.emit("progress", f"writing from {len(sources)} sources", step="answer", sources=len(sources))
        limits = self._limits(context, state)
        calls = spec.filings_calls(context, models_of(state, self._models), self._brief_of(state))
        several = answer_writer.SEVERAL_COMPANIES if len(state["targets"]) > 1 else ""
        parts = [
            history_part(_told(state)),
            question_part(state["question"]),
            f"# Plan\n{fenced(state['reasoning'])}",
            sources_part(sources),
        ]
        texts = {source.label: source.text for source in sources}
        words = int(limits.max_tokens * WORDS_PER_TOKEN)
        calculations = Calculations(context.store, sources)
        messages = spec.messages(context, parts, words=words, companies=several)
        written = await _written(calls, messages, calculations)
        texts |= {source.label: source.text for source in calculations.made}
        if unknown := unknown_labels(written, texts):
            repair = answer_writer.REPAIR.format(labels=", ".join(f"[{label}]" for label in unknown))
            written = await _written(calls, [*messages, AIMessage(written), HumanMessage(repair)], calculations)
            texts |= {source.label: source.text for source in calculations.made}
        checked = check_answer(written, texts, given=state["question"])
        problems = [ClaimRecord(kind=problem.kind, text=problem.text) for problem in checked.problems]
        text, cited = checked.text, list(checked.cited)
        if lines:
            text, cited = f"{lines['text']}\n\n{text}", list(dict.fromkeys([*lines["cited"], *cited]))
        update = {"answer": _with_absent(text, state["targets"]), "problems": problems, "cited": cited}
        return {**update, "sources": calculations.made, **calls.left}

    async def assess(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Score the answer; decide whether to search again, and for what."""
        context, number = runtime.context, len(state.get("iterations", [])) + 1
        limits = self._limits(context, state)
        text = f"iteration {number} of at most {limits.max_iterations}"
        context.events.emit("iteration_start", text, step="iteration", iteration=number)
        by_rules = bool(context.by_rules or state.get("by_rules"))
        brief = self._brief_of(state)
        if by_rules and state.get("sources"):
            rating = partial(rule_confidence, context.store, context.scope, state)
            brief = replace(brief, confidence=await in_thread(context, rating))
        assessed, left = await self._assessment(state, context, brief) if state.get("sources") else (_NOTHING, {})
        record = _record(assessed)
        stopped = _stop_reason(assessed, number, limits, found=bool(state.get("sources")))
        if by_rules and stopped == "unsure" and not brief.refusals:
            left = {**left, **withheld(brief)}
        phrases = [] if stopped else _declarative(assessed.phrases)
        if not stopped and not phrases:
            stopped = "no_phrases"
        confidence = f"confidence {record.overall_confidence:.0%}"
        context.events.emit("agent_decision", f"{confidence}; {stopped or 'searching for more'}", step="iteration",
                            iteration=number, **record.as_json(), stopped=stopped, phrases=phrases)  # fmt: skip
        if stopped and not by_rules and (why := _worthless(state, record)):
            return {"unusable": why, **left}
        iteration = IterationRecord(number=number, assessment=record, phrases=phrases, found=0)
        if stopped:
            context.events.emit(
                "iteration_complete", f"iteration {number} complete", step="iteration", iteration=number
            )
        wanted = [
            *(["filings"] if "filings" in state["wanted"] or not assessed.needs_transcript_search else []),
            *(["calls"] if "calls" in state["wanted"] or assessed.needs_transcript_search else []),
            *(["news"] if assessed.needs_news_search else []),
        ]
        return {
            "assessment": record,
            "iterations": [iteration],
            "phrases": phrases,
            "wanted": wanted,
            "stopped": stopped,
            **left,
        }

    async def search(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Search for each phrase in all target periods at once; passages that are known are left out."""
        context, phrases, wanted = runtime.context, state["phrases"], state["wanted"]
        number = len(state["iterations"])
        context.events.emit(
            "iteration_followup", "; ".join(phrases), step="iteration", iteration=number, phrases=phrases
        )
        found: list[SourceRecord] = []
        warnings: list[str] = []
        if "filings" in wanted:
            hits = await search_filings(context, phrases, state["targets"])
            found += labelled_hits(hits, state, "10K")
        if "calls" in wanted:
            hits = await search_calls(context, phrases, state["targets"])
            found += labelled_hits(hits, state, "T")
        if "news" in wanted:
            articles, warnings = await search_news(context, phrases, state["targets"], state)
            found += articles
            context.events.emit("news_search", f"{len(articles)} articles", step="news", found=len(articles))
        context.events.emit("iteration_search", f"{len(found)} new passages", step="iteration", iteration=number,
                            found=len(found))  # fmt: skip
        context.events.emit("iteration_complete", f"iteration {number} complete", step="iteration", iteration=number)
        last = state["iterations"][-1].model_copy(update={"found": len(found)})
        return {"sources": found, "warnings": warnings, "iterations": [last]}

    async def finish(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Add the exchange to the conversation; nudge where the answer stayed unsure."""
        reason = state.get("by_rules", "")
        if state.get("rejected"):
            return {"answer": _by_rules(state["rejected"], reason)}
        answer, limits = state["answer"], self._limits(runtime.context, state)
        assessment = state["assessment"]
        unsure = assessment is not None and assessment.overall_confidence < limits.confidence_threshold
        if unsure and state["stopped"] in UNFINISHED and state["mode"] != AnswerMode.DEEP_SEARCH:
            answer = f"{answer}\n\n{NUDGE}"
        complete = complete_of(state)
        exchange = Exchange(question=state["question"], answer=state["answer"], complete=complete)
        history = [*state.get("history", []), exchange][-MAX_HISTORY:]
        return {"answer": _by_rules(answer, reason), "history": history}

    async def start_over(
        self, state: FilingsState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Forget what the model has led to; rules answer from the beginning."""
        update = started_over(state, answer_writer.SPEC.name)
        runtime.context.events.emit("progress", note_of(state["unusable"]), step="answer", warning=True)
        return {**update, "sources": None, "iterations": None, "answer": "", "problems": [], "cited": [], "stopped": ""}

    async def _assessment(
        self, state: FilingsState, context: FilingsContext, brief: FilingsBrief
    ) -> tuple[Assessment, dict[str, Any]]:
        spec = answer_assessor.SPEC
        calls = spec.filings_calls(context, models_of(state, self._models), brief)
        parts = [
            question_part(state["question"]),
            f"# Plan\n{fenced(state['reasoning'])}",
            sources_part(state.get("sources", [])),
            f"# Draft\n<draft>\n{fenced(state['answer'])}\n</draft>",
        ]
        problems = "; ".join(f"{problem.kind}: {problem.text}" for problem in state.get("problems", [])) or "nothing"
        try:
            return await spec.typed(calls, Assessment, parts, problems=problems), calls.left
        except (ModelUnreachable, UnusableReply, PromptTooLong):
            raise
        except ModelFailure as failure:
            warning = f"The answer was not assessed: {failure}"
            context.events.emit("progress", warning, step="iteration", warning=True)
            return _NOTHING.model_copy(update={"issues": [warning]}), {"warnings": [warning], **calls.left}

    def _brief_of(self, state: FilingsState) -> FilingsBrief:
        analysis, sources = state["analysis"], tuple(state.get("sources", []))
        return FilingsBrief(
            question=complete_of(state),
            companies=tuple(target["symbol"] or target["company"] for target in state.get("targets", [])),
            fiscal_years=tuple(analysis.get("fiscal_years", ())),
            fiscal_quarters=tuple(analysis.get("fiscal_quarters", ())),
            phrase=analysis.get("search_query", ""),
            asks_figure=bool(analysis.get("asks_figure")),
            sources=sources,
            sentences=nearest_sentences(state, sources),
            incomplete=not (state.get("lines") or {"complete": True})["complete"],
            answer=state.get("answer", ""),
            refusals=tuple(state.get("refusals", ())),
        )

    @staticmethod
    def _limits(context: FilingsContext, state: FilingsState) -> ModeLimits:
        limits = limits_of(AnswerMode(state["mode"]))
        if context.max_iterations is None:
            return limits
        return ModeLimits(context.max_iterations, limits.max_tokens, limits.confidence_threshold)


async def _written(calls: ModelCalls, messages: list[BaseMessage], calculations: Calculations) -> str:
    """Have the answer written; the model may call the calculator for some rounds before it."""
    tool = calculator()
    for _ in range(MAX_ROUNDS):
        reply = await calls.reply(messages, bind=lambda model: model.bind_tools([tool]))
        if not reply.tool_calls:
            return (await calls.mended(reply, messages, calls.reply)).text.strip()
        messages = [*messages, reply, *map(calculations.answer, reply.tool_calls)]
    return (await calls.whole([*messages, HumanMessage(answer_writer.WRITE_NOW)])).text.strip()


def _by_rules(answer: str, reason: str) -> str:
    """Return an answer that says why rules gave it, where they stood in for the model."""
    return f"{note_of(reason)}\n\n{answer}" if reason else answer


def _overlooked(analysis: QuestionAnalysis, reading: StoreQuestion, documents: Sequence[DocumentInfo]) -> str:
    """Return what a model overlooked in a question that asks a figure of a company of the store; empty for nothing."""
    known, unclear = targets_named(reading.companies, documents, most=MAX_TICKERS)
    names = [target["symbol"] or target["company"] for target in known if target["documents"]]
    if not reading.asks_figure or unclear or not names:
        return ""
    asked = f"The question asks a figure of {', '.join(names)}, and the model"
    if not analysis.valid:
        return f"{asked} refused it; name a larger model."
    found, unclear = targets_named(analysis.companies or names, documents, most=MAX_TICKERS)
    if not unclear and not any(target["documents"] for target in found):
        return f"{asked} read other companies from it; name a larger model."
    return ""


def _worthless(state: FilingsState, assessed: AssessmentRecord) -> str:
    """Return why a model's answer is not shown: no source is cited, or it is as good as certainly wrong."""
    if not state.get("sources"):
        return ""
    if not state.get("cited"):
        return "Its answer cites none of the sources that it was given; name a larger model."
    if assessed.overall_confidence < LEAST_CONFIDENCE:
        return f"Its answer has a confidence of {assessed.overall_confidence:.0%}; name a larger model."
    return ""


def _brief(question: str, reading: StoreQuestion) -> FilingsBrief:
    return FilingsBrief(
        question=question,
        companies=reading.companies,
        fiscal_years=reading.fiscal_years,
        fiscal_quarters=reading.fiscal_quarters,
        last_periods=reading.last_periods,
        on_topic=reading.on_topic,
        phrase=reading.phrase,
        asks_figure=reading.asks_figure,
        deep=asks_for_deep_search(question),
    )


def _mode(context: FilingsContext, analysis: QuestionAnalysis, question: str) -> AnswerMode:
    """Return the caller's mode, else the analysis's; deep_search only where the question asks for it."""
    if context.mode is not None:
        return context.mode
    if asks_for_deep_search(question):
        return AnswerMode.DEEP_SEARCH
    return AnswerMode.STANDARD if analysis.answer_mode is AnswerMode.DEEP_SEARCH else analysis.answer_mode


def _wanted(
    analysis: QuestionAnalysis, question: str, targets: Sequence[Target], documents: Sequence[DocumentInfo]
) -> list[str]:
    """Return where to search; words may add news, never take a source away.

    Where the store has none of what was chosen for these companies, what it has is searched instead.
    """
    source = analysis.data_source
    filings = source in ("10k", "hybrid") or analysis.needs_10k
    calls = source in ("earnings_transcripts", "hybrid")
    lowered = question.lower()
    news = source in ("latest_news",) or analysis.needs_latest_news or any(word in lowered for word in NEWS_WORDS)
    own = {key for target in targets for key in target["documents"]}
    kinds = {document.kind for document in documents if not targets or document.key in own}
    if calls and "call" not in kinds and "filing" in kinds:
        filings = True
    if filings and not calls and "filing" not in kinds and "call" in kinds:
        calls = True
    chosen = (("filings", filings), ("calls", calls), ("news", news))
    return [name for name, wanted in chosen if wanted]


def _with_periods(
    target: Target, analysis: QuestionAnalysis, documents: Sequence[DocumentInfo], *, calls: bool
) -> Target:
    """Return a company with its periods: "latest" is its own latest, of its calls where calls are searched."""
    own = [document for document in documents if document.key in set(target["documents"])]
    if analysis.last_periods:
        call_documents = [document for document in own if document.kind == "call"] if calls else []
        periods = latest_periods(call_documents or own, min(analysis.last_periods, MAX_QUARTERS))
    elif analysis.fiscal_quarters:
        periods = [(year, quarter) for year in analysis.fiscal_years for quarter in analysis.fiscal_quarters]
    else:
        periods = [(year, None) for year in sorted(analysis.fiscal_years, reverse=True)]
    return {**target, "periods": periods}


def _not_found(targets: Sequence[Target]) -> str:
    """Say that nothing was found, and of which companies the store has no document."""
    return " ".join(part for part in (NOT_FOUND, _absent(targets)) if part)


def _with_absent(answer: str, targets: Sequence[Target]) -> str:
    """Return an answer that says which of the companies asked about it leaves out."""
    return "\n\n".join(part for part in (answer, _absent(targets)) if part)


def _absent(targets: Sequence[Target]) -> str:
    """Say of which companies the store has no document; empty if it has some of each."""
    lacking = [target for target in targets if not target["documents"]]
    if not lacking:
        return ""
    names = ", ".join(target["symbol"] or target["company"] for target in lacking)
    tickers = " ".join(target["symbol"] for target in lacking if target["symbol"]) or "TICKER"
    return f"The store has no document of {names}; add some with `tradingagents filings add {tickers}`."


def _stop_reason(assessed: Assessment, number: int, limits: ModeLimits, *, found: bool) -> str:
    """Return why the search ends; empty where it goes on."""
    if not found:
        return "nothing_found"
    sure = round(assessed.overall_confidence, 2)
    if sure >= limits.confidence_threshold:
        return "confident"
    if assessed.sufficient:
        return "sufficient" if sure >= BAR else "unsure"
    return "max_iterations" if number >= limits.max_iterations else ""


def _declarative(phrases: Sequence[str]) -> list[str]:
    """Return phrases without question marks and question words, each once."""
    cleaned = (phrase.strip().rstrip("?").strip() for phrase in phrases)
    return list(dict.fromkeys(_without_question(phrase) for phrase in cleaned if phrase))


def _without_question(phrase: str) -> str:
    words = phrase.split()
    asking = {"what", "which", "how", "did", "does", "do", "is", "are", "was", "were", "why", "when", "who", "the"}
    while len(words) > 1 and words[0].lower() in asking:
        words = words[1:]
    return " ".join(words)


def _record(assessed: Assessment) -> AssessmentRecord:
    return AssessmentRecord(
        completeness_score=assessed.completeness_score,
        specificity_score=assessed.specificity_score,
        accuracy_score=assessed.accuracy_score,
        clarity_score=assessed.clarity_score,
        overall_confidence=assessed.overall_confidence,
        goals_met=assessed.goals_met,
        issues=list(assessed.issues),
    )


def _companies(documents: Sequence[DocumentInfo]) -> str:
    named = sorted({document.symbol or document.company for document in documents} - {""})
    return ", ".join(named[:200]) or "none"


def _told(state: FilingsState) -> list[tuple[str, str]]:
    return [(exchange["question"], exchange["answer"]) for exchange in state.get("history", [])]
