"""Use of past runs of the same cohort: reply lengths by model, and the use of runs with the same settings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import ValidationError

from tradingagents.agents.roster import reports_of, roster
from tradingagents.errors import SettingsError
from tradingagents.files.atomic import UnreadableFile
from tradingagents.graph.estimates.rehearse import labels_of
from tradingagents.llm_clients.cost_model import Replies
from tradingagents.llm_clients.expected_cost import thinking_tokens, tokens_of
from tradingagents.memory.cohort import cohort_of
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.runtime.runs.run_rows import kind_of_card
from tradingagents.settings import KEYS, Settings, Tier

LEAST_RUNS = 3
"""Minimum number of past runs with the same settings to base an estimate on."""
MOST_RUNS = 10
"""Maximum number of past runs used, the newest ones."""
LOOKED_AT = 60
"""Maximum number of cards read to find them."""
QUESTION = (
    *("analysts", "max_debate_rounds", "max_risk_discuss_rounds", "debate_mode", "fetch_valuation"),
    *("max_tool_rounds", "max_auto_tickers", "ask_report_company", "settle", "settle_max_asks"),
    *("structured_output", "output_language", "max_output_tokens"),
    *("openai_reasoning_effort", "anthropic_effort", "google_thinking_level"),
    *("data_vendor", "news_article_limit", "global_news_article_limit"),
)
"""Settings that change the number and length of calls; runs that share these and their models are comparable."""
ENDED = ("done", "no_decision")


@dataclass(frozen=True)
class PastRun:
    """The use recorded by a past run."""

    usage: Mapping[str, Mapping[str, Any]]
    """Recorded use by agent."""
    labels: Mapping[Tier, str]
    same: bool
    """Whether its settings and models were the same."""
    written: Mapping[str, float]
    """Mean length in tokens of the texts an agent wrote for other agents, by agent."""


def past_runs(home: Path, kind: str, settings: Settings) -> list[PastRun]:
    """Return the newest finished runs that are informative for a run with these settings.

    They belong to the same cohort and share the model of at least one tier. If at least `LEAST_RUNS` of them have the
    same settings and models, only those are returned.
    """
    found = list(islice(_past(home, kind, settings), LOOKED_AT))
    same = [run for run in found if run.same]
    return (same if len(same) >= LEAST_RUNS else found)[:MOST_RUNS]


def learnt_replies(
    runs: Sequence[PastRun], settings: Settings, tiers: Mapping[str, Tier], scale: float = 1.0
) -> dict[str, Replies]:
    """Return the reply lengths of each model, by its label: from past runs if known, else the defaults.

    Args:
        settings: Models to use.
        tiers: The tier of each agent.
        scale: Factor applied to the lengths.
    """
    labels = labels_of(settings)
    billed: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    written: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for agent, used in run.usage.items():
            tier = tiers.get(agent)
            if tier is None or run.labels[tier] != labels[tier] or not _counted(used):
                continue
            billed[labels[tier]][agent].append(used["output_tokens"] / used["llm_calls"])
            if agent in run.written:
                written[labels[tier]][agent].append(run.written[agent])
    return {
        label: Replies(
            text=_means(written[label]),
            billed=_means(billed[label]),
            thinking=thinking_tokens(label, settings),
            most=settings.max_output_tokens,
            scale=scale,
        )
        for label in dict.fromkeys(labels.values())
    }


def _past(home: Path, kind: str, settings: Settings) -> Iterator[PastRun]:
    labels, question = labels_of(settings), _question(settings)
    cohort = cohort_of(settings, labels)
    for run in islice(RunIndex(home).newest_first(), 10 * LOOKED_AT):
        try:
            card = run.card()
            if card is None or card["status"] not in ENDED or kind_of_card(card) != kind:
                continue
            then = Settings.model_validate({key: value for key, value in card["settings"].items() if key in KEYS})
            usage = card["usage"]["by_agent"]
            then_labels = labels_of(then)
            if cohort_of(then, then_labels) != cohort or not any(then_labels[tier] == labels[tier] for tier in labels):
                continue
            same = then_labels == labels and _question(then) == question and all(map(_counted, usage.values()))
            yield PastRun(usage, then_labels, same, _written(card))
        except (UnreadableFile, SettingsError, ValidationError, ValueError, KeyError, TypeError, AttributeError):
            continue  # written by another version, or damaged


def _question(settings: Settings) -> dict[str, Any]:
    return {key: getattr(settings, key) for key in QUESTION}


def _counted(used: Mapping[str, Any]) -> bool:
    """Return whether the server reported the tokens of all of an agent's calls."""
    return bool(used["llm_calls"]) and not used.get("unmetered_calls")


def _written(card: Mapping[str, Any]) -> dict[str, float]:
    """Return the mean length of each agent's texts, in tokens; structured outputs are not included."""
    texts: dict[str, list[float]] = defaultdict(list)
    for agent, key in reports_of(roster().every).items():
        if key in card["reports"]:
            texts[agent].append(tokens_of(card["reports"][key]))
    for turns in card.get("debates", {}).values():
        for turn in turns:
            texts[turn["speaker"]].append(tokens_of(turn["text"]))
    return _means(texts)


def _means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: fmean(several) for name, several in values.items()}
