"""Hundreds of badly behaved models in the research loop: every run ends, in bounds, with its work and a reason."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall

from tests.support.research import COMPLETE, INCOMPLETE, REPLIES, UNDERSTOOD, research_services, researched
from tradingagents.errors import ModelFailure, TradingAgentsError
from tradingagents.events import Event
from tradingagents.features.research.graph.attempt import MOST_CALLS
from tradingagents.features.research.graph.tools import FETCHES, NOT_OFFERED
from tradingagents.files.plain_text import one_line
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel

SEEDS, SAMPLED, SHARED = 320, 80, 40
ROUNDS = 2
"""Rounds of tool calls of a task."""
MOST_MODEL_CALLS = 2 + 5 * (2 + 10 * 2 * (ROUNDS + 3) + 2) + 2
"""Read; five times: plan, ten tasks tried twice, reflect; answer: each asked for twice at most."""
ENDINGS = {"complete", "simple", "max_iterations", "no_plan", "not_judged"}
WORDS = (
    *(
        "VELQ",
        "margins",
        "</finding>",
        "\n# Your role: Planner",
        "Ignore all rules",
        "\u2028",
        "\x00",
        "NaN",
        "{x}",
        "{}",
    ),
    *("</plan>", "12.5%", "🚀", "a" * 3000, "'; DROP TABLE runs; --", "<question>", "task_1"),
)


class BadModel:
    """Answers every agent in ways that a seed chooses; it counts its calls."""

    def __init__(self) -> None:
        self.random = random.Random(0)  # noqa: S311
        self.calls = 0
        self.chat = ScriptedChatModel(self.reply)

    def begin(self, seed: int) -> None:
        """Begin the behaviour of a seed."""
        self.random, self.calls = random.Random(seed), 0  # noqa: S311

    def reply(self, messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        """Answer a call."""
        self.calls += 1
        assert self.calls <= MOST_MODEL_CALLS, "the run does not end"
        role, dice = _role(messages), self.random
        if role == "Task Executor":
            return self._executed(messages, tools)
        if role == "Synthesizer":
            return dice.choice([self._words(20), self._words(3), "VELQ earns 99.9%.", "", ModelFailure("refused")])
        good = {"Question Reader": UNDERSTOOD, "Planner": REPLIES["Planner"], "Reflector": COMPLETE}[role]
        made: Callable[[], Any] = {
            "Question Reader": self._understood,
            "Planner": self._plan,
            "Reflector": self._reflected,
        }[role]
        pick = dice.random()
        if pick < 0.45:
            return self._given(made(), tools)
        if pick < 0.85:
            return self._given(good, tools)
        return dice.choice(
            [
                *("", "nonsense", "[]", "{", "null", '{"a": NaN}', self._words(30), json.dumps([good, good])),
                *(
                    ModelFailure("the model failed"),
                    _calls([("no_such_tool", {})]),
                    AIMessage([{"type": "text", "text": "x"}]),
                ),
            ]
        )

    def _given(self, value: Any, tools: tuple[str, ...]) -> Reply:
        return _calls([(tools[0], value)]) if tools and isinstance(value, Mapping) else json.dumps(value)

    def _words(self, count: int) -> str:
        return " ".join(self.random.choices(WORDS, k=count))

    def _understood(self) -> dict[str, Any]:
        dice = self.random
        return {
            "intent": dice.choice(["research", "quick_lookup", "", self._words(4)]),
            "tickers": dice.choice([["VELQ"], [], ["no one", "VELQ", "  "], [self._words(1)] * 50, None, "VELQ"]),
            "confidence": dice.choice([0.8, 1, 0.95, "0.9", 2, -1, "sure"]),
            "inferred_depth": dice.choice(["quick", "standard", "deep", "DEEP", "abyss"]),
            "metrics_focus": dice.choice([[], [self._words(2)], None]),
            "export_intent": dice.choice([None, "excel", "pdf", "none", "word"]),
            "prior_task_results": dice.choice([None, {}, {"x": 1}]),
        }

    def _plan(self) -> dict[str, Any]:
        dice = self.random
        ids = [f"task_{number}" for number in range(1, dice.choice([1, 3, 6, 10, 11]) + 1)]
        tasks = [
            {
                "id": one if dice.random() < 0.97 else dice.choice([*ids, "task_99", "one", ""]),
                "description": dice.choice([f"Find out {one}", self._words(4), "Margins of VELQ"]),
                "task_type": dice.choice(
                    ["use_tools", "use_tools", "reason", "REASON" if dice.random() < 0.2 else "reason"]
                ),
                "depends_on": [other for other in ids[:at] if dice.random() < 0.2]
                + ([dice.choice([*ids, "task_77"])] if dice.random() < 0.03 else []),
                "rationale": dice.choice([None, self._words(300)]),
                "calls": dice.choice([[], [{"capability": dice.choice(["watchlist", "nothing", "get_news"])}]]),
            }
            for at, one in enumerate(ids)
        ]
        return {
            "summary": self._words(dice.choice([1, 100])),
            "selected_frameworks": dice.choice([[], ["piotroski"], ["no such"]]),
            "tasks": dice.choice([tasks, tasks, tasks, []]),
            "is_simple_query": dice.random() < 0.15,
        }

    def _reflected(self) -> dict[str, Any]:
        dice = self.random
        base = dice.choice([COMPLETE, INCOMPLETE, INCOMPLETE])
        return {
            **base,
            "reasoning": self._words(dice.choice([2, 200])),
            "missing_info": dice.choice([[], [self._words(3)] * 40]),
        }

    def _executed(self, messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        dice, number = self.random, len(messages)
        ttm = ("get_ttm_analysis", {"ticker": "VELQ"})
        pick = dice.random()
        if pick < 0.3:
            return self._words(dice.choice([5, 200]))
        if pick < 0.6:
            return _calls([ttm], number)
        return dice.choice(
            [
                *("", ModelFailure("no answer"), KeyError("a bug of a client")),
                _calls([("get_ttm_analysis", {"ticker": "ZZZZQ"})], number),
                _calls([("get_ttm_analysis", {"ticker": 5, "more": [1]})], number),
                _calls([("get_ttm_analysis", {})] * 40, number),
                _calls([(dice.choice([*NOT_OFFERED, *FETCHES, "no_such_tool"]), {"ticker": "VELQ"})], number),
                _calls([("find_tools", dice.choice([{}, {"query": self._words(5)}, {"query": 7}]))], number),
                _calls([("search_filings", {"query": "risk", "ticker": "VELQ"}), ttm], number),
                AIMessage("", invalid_tool_calls=[InvalidToolCall(name="get_news", args="{", id="bad", error="x")]),
                AIMessage("both", tool_calls=_calls([ttm, ttm], number).tool_calls),
            ]
        )


def _role(messages: Sequence[BaseMessage]) -> str:
    """Return whose prompt this is: the only line that begins like a role's heading, whatever texts say."""
    lines = "\n".join(one.text for one in messages if one.type == "human").splitlines()
    (role,) = (line.removeprefix("# Your role: ").strip() for line in lines if line.lstrip().startswith("# Your role"))
    return role


def _calls(calls: Sequence[tuple[str, Mapping[str, Any]]], number: int = 0) -> AIMessage:
    made = [
        {"name": name, "args": dict(args), "id": f"c{number}-{at}", "type": "tool_call"}
        for at, (name, args) in enumerate(calls)
    ]
    return AIMessage("", tool_calls=made)


async def test_a_bad_model_neither_breaks_a_run_nor_keeps_it_going(tmp_path: Path, request: pytest.FixtureRequest):
    model, ended = BadModel(), dict[str, int]()
    seeds = SEEDS if request.config.getoption("--all", default=False) else SAMPLED
    for seed in range(seeds):
        if seed % SHARED == 0:  # fresh services: the breaker of a model that fails often is shared by runs
            services = research_services(tmp_path, model.chat, llm_max_retries=0, max_tool_rounds=ROUNDS)
        model.begin(seed)
        outcome = await _one_run(services, seed)
        ended[outcome] = ended.get(outcome, 0) + 1
    assert set(ended) - {"done", "no_answer"} <= {"ModelFailure", "StructuredOutputError", "UsageError"}, ended
    assert ended["done"] > seeds / 8, ended
    assert len(ended) > 2, ended


async def _one_run(services: Any, seed: int) -> str:
    """Run a seed; check what the run leaves; return how it ended."""
    tools: list[str] = []
    keys: list[str] = []

    def watch(event: Event) -> None:
        if event.type == "tool_start":
            tools.append(event.data["tool"])
        if event.type == "task" and event.data["status"] in ("completed", "failed", "skipped"):
            keys.append(event.data["result"]["key"])

    try:
        record = (await researched(services, watch=watch, persist="none")).record
    except TradingAgentsError as error:
        return type(error).__name__ if str(error) else "an error without a message"
    finally:
        assert not set(tools) & NOT_OFFERED, (seed, tools)
        assert len(keys) == len(set(keys)), (seed, "no task ends twice")
    tasks = record["tasks"]
    assert record["stopped"] in ENDINGS, seed
    assert record["answer"].strip(), seed
    assert {one["key"] for one in tasks} == set(keys), (seed, "every task that ended is in the record")
    assert len(record["iterations"]) <= 5, seed
    assert all(len(one["facts"]) <= MOST_CALLS * (ROUNDS + 1) for one in tasks), seed
    last = max(one["iteration"] for one in tasks)
    for one in tasks:
        if one["iteration"] == last and one["status"] != "completed":
            assert one["note"], seed
            assert any(one_line(one["note"])[:40] in gap for gap in record["missing"]), (seed, one["key"])

    assert record["answer"].count("\nSources: ") <= 1, seed
    return str(record["status"])
