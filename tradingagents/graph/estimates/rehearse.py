"""Run the real graph, prompts and tools with a stand-in for every model, and record the expected calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from langsmith import tracing_context

from tradingagents.agents.builders.subject_question import TextSubject, subject_question
from tradingagents.agents.roster import roster
from tradingagents.agents.spec import DecideAgent
from tradingagents.analytics.decisions.settling import LEAST_UNSETTLED
from tradingagents.events import Event
from tradingagents.llm_clients.cost_model import RehearsalModel, Replies
from tradingagents.llm_clients.expected_cost import REPLY_TOKENS, prompt_text, tokens_of
from tradingagents.llm_clients.pricing import Tokens, cost_usd
from tradingagents.llm_clients.tiers import TIERS, TierModels, choices
from tradingagents.memory.situations import new_memories
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.request import RunRequestT
from tradingagents.runtime.services import open_services
from tradingagents.settings import Settings, Tier

LOCAL_VENDORS = ("simulated", "snapshot")
"""Vendors with local data, which a rehearsal reads: they need no request and write nothing."""
SUBJECT_TOKENS = 40
"""Length of an answer to the question which company a report is about: two names and a ticker."""
AWAY: Mapping[str, Any] = {
    "budget_usd": None,
    "max_llm_calls": None,
    "stream_tokens": False,
    "approve": False,
    "replay": "off",
    "keep_replies": False,
    "auto_settle": False,
    "checkpoint_enabled": False,
}
"""Settings that a rehearsal turns off: limits, approval, and everything that writes."""


@dataclass(frozen=True)
class Call:
    """A model call of a rehearsal."""

    agent: str
    tier: Tier
    model: str
    """`provider/model`."""
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None
    """`None` if the price is not known."""


@dataclass(frozen=True)
class Rehearsal:
    """The result of a rehearsal."""

    calls: tuple[Call, ...]
    result: Any
    """What the run returned; its texts are meaningless."""


@dataclass(frozen=True)
class Stage:
    """Settings of a rehearsal and the stand-ins for the models."""

    settings: Settings
    replies: Mapping[str, Replies]
    """Reply lengths of each model, by its label."""
    cached: frozenset[str]
    """Labels of the models whose provider caches shared prompt prefixes."""

    @property
    def labels(self) -> dict[Tier, str]:
        """`provider/model` of every tier."""
        return labels_of(self.settings)

    @property
    def models(self) -> TierModels:
        """New stand-ins with empty caches; tiers with the same model share one."""
        made = {
            label: RehearsalModel(self.replies.get(label, Replies()), cached=label in self.cached)
            for label in dict.fromkeys(self.labels.values())
        }
        quick, mid, deep = (made[self.labels[tier]] for tier in TIERS)
        return TierModels(quick, mid, deep, self.labels)

    @property
    def local(self) -> bool:
        """Whether the market data are local, so that the rehearsal can study the requested ticker itself."""
        return self.settings.data_vendor in LOCAL_VENDORS

    @property
    def rehearsed(self) -> Settings:
        """The settings of the rehearsal: without limits, and with local data."""
        market = {} if self.local else {"data_vendor": "simulated", "tool_vendors": {}}
        return self.settings.model_copy(update={**AWAY, **market})


def labels_of(settings: Settings) -> dict[Tier, str]:
    """Return `provider/model` of every tier, as the settings choose them."""
    return {tier: choice.label for tier, choice in choices(settings).items()}


def asked_again(rehearsal: Rehearsal, settings: Settings, *, most: bool) -> Rehearsal:
    """Return a rehearsal in which the setting `settle` asks the deciding agents most often, or least often.

    A rehearsal's answers are alike, so that each agent has the asks that settle an action at once. The fewest asks are
    those of a first agent whose action is unsettled after three: the others are then asked once.

    Args:
        rehearsal: Of the graph with these settings.
        settings: With `settle` on or off; off, nothing changes.
        most: Whether asks are to be the most that there may be.
    """
    asked = _calls_of_deciders(rehearsal)
    if not settings.settle or not asked:
        return rehearsal
    fewest = {name: LEAST_UNSETTLED if place == 0 else 1 for place, name in enumerate(asked)}
    times = dict.fromkeys(asked, settings.settle_max_asks) if most else fewest
    others = [call for call in rehearsal.calls if call.agent not in asked]
    again = [[*own, *[own[-1]] * settings.settle_max_asks][: times[name]] for name, own in asked.items()]
    return replace(rehearsal, calls=(*others, *chain.from_iterable(again)))


def may_ask_again(rehearsal: Rehearsal) -> bool:
    """Return whether the setting `settle` has any agent asked again: one that decides, and not by rules."""
    return bool(_calls_of_deciders(rehearsal))


def _calls_of_deciders(rehearsal: Rehearsal) -> dict[str, list[Call]]:
    """Return the calls of the deciding agents whose models may answer otherwise when asked again."""
    deciders = [spec.name for spec in roster().every if isinstance(spec, DecideAgent)]
    calls = {name: [call for call in rehearsal.calls if call.agent == name] for name in deciders}
    return {name: own for name, own in calls.items() if own and not own[0].model.startswith("offline")}


async def rehearse(stage: Stage, kind: RunKind[RunRequestT, Any, Any], request: RunRequestT) -> Rehearsal:
    """Rehearse a run through the executor; it writes nothing and is not traced.

    Args:
        stage: Settings and stand-ins.
        kind: The kind of run.
        request: What would be asked; on the simulated market where the real data are not local.

    Raises:
        UsageError: The symbol or date is invalid.
        DataError: The data are local and have no prices of the ticker.
    """
    asked = request if stage.local else kind.stand_in(request)
    calls: list[Call] = []

    def note(event: Event) -> None:
        if event.type == "usage":
            used = {key: event.data[key] for key in Call.__dataclass_fields__ if key != "agent"}
            calls.append(Call(agent=event.node or "", **used))

    opened = open_services(stage.rehearsed, {}, models=stage.models)
    services = replace(opened, memories=new_memories())  # lessons of the home folder would be opened, and made
    try:
        with tracing_context(enabled=False):
            options = RunOptions(subscribers=(note,), persist="none", observed=False)
            result = await start(kind, asked, services, options).result()
    finally:
        services.close()
    return Rehearsal((*calls, *_questions(stage, calls)), result)


def _questions(stage: Stage, calls: Sequence[Call]) -> Iterator[Call]:
    """Yield the questions which company a report is about, one for each analyst of a rehearsal.

    A rehearsal's reports say nothing, so that none is asked about. Of long reports in models' style, rules leave open
    of more than four in five which company they are about (53 of 62 of `tests/provenance`).
    """
    if not stage.settings.ask_report_company:
        return
    for call in {call.agent: call for call in calls if call.agent in _analysts()}.values():
        if not call.model.startswith("offline"):  # rules are not asked about their reports
            yield _question(stage, call)


def _analysts() -> frozenset[str]:
    return frozenset(spec.name for spec in roster().analysts.values())


def _question(stage: Stage, report: Call) -> Call:
    """Return the question about an analyst's report: its prompt, and a reply as long as the agent's in past runs."""
    replies = stage.replies.get(report.model, Replies())
    prompt = prompt_text(subject_question(""), {"tools": [TextSubject.model_json_schema()]})
    asked = tokens_of(prompt) + round(replies.text.get(report.agent, REPLY_TOKENS) * replies.scale)
    is_learnt = report.agent in replies.billed  # the mean of all its calls, questions among them
    said = report.output_tokens if is_learnt else round((SUBJECT_TOKENS + replies.thinking) * replies.scale)
    cost = cost_usd(report.model, Tokens(asked, said), stage.settings.model_prices)
    return replace(report, input_tokens=asked, cached_tokens=0, output_tokens=said, cost_usd=cost)
