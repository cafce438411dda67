"""What a deep report costs beside its model: `python -m benchmarks.deep_report [--delay 0.2] [--iterations 12]`.

A scripted model answers in this process after a fixed delay; data from the simulated market, warm; all steps are saved,
and evidence is appended and frozen on disk. The store holds an annual report of 400 pages. Five hypotheses stay open in
all iterations: every round reads pages that are new, and finds evidence in each. Printed are:

- the wall time against the critical path: the longest sequence of dependent model calls (see `critical_path`);
- processor time, and peak memory;
- the prompt tokens of each iteration, in all and of the largest prompt of each agent.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from langchain_core.messages import BaseMessage

from benchmarks.measuring import CHARACTERS_PER_TOKEN, DAY, peak_mb
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.features.deep_report.graph.context import SIDE_BY_SIDE
from tradingagents.features.deep_report.graph.judgement import CHECKPOINTS
from tradingagents.features.deep_report.kind import DEEP_REPORT, DeepReportRequest
from tradingagents.features.deep_report.run import DeepReport
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.retrieval.models import DocumentInfo, Page, SourceDocument
from tradingagents.retrieval.store import open_store
from tradingagents.runtime.executor import start
from tradingagents.runtime.services import open_services
from tradingagents.settings import Settings, load_settings

HYPOTHESES = 5
QUESTIONS = 2
"""Of a round for each hypothesis; they name parts of the report that no round before has asked for."""
PAGES, LINES = 400, 45
"""Of the annual report: about 3,700 characters a page."""
READ, MOST_ITEMS = 4, 20
"""Sources of a batch that the model finds worth reading, and the most items of evidence that it writes down at once."""
MOST_ABOVE_PATH = 1.1
SECTIONS = ("Executive summary", "Investment thesis", "Catalysts and risks", "Scenarios", "Counter-argument")
_SOURCE = re.compile(r'<source label="(S\d+)" kind="\w+">\n(.*?)\n</source>', re.DOTALL)


def critical_path(iterations: int) -> int:
    """Return the longest sequence of dependent model calls of a report.

    One call states the hypotheses. A round filters and reads (two calls) for three hypotheses at a time, is judged and,
    but for the last, refined; a checkpoint adds a synthesis. A final synthesis and the narrative close it.
    """
    waves = math.ceil(HYPOTHESES / SIDE_BY_SIDE)
    rounds = iterations * (2 * waves + 1) + iterations - 1
    return 1 + rounds + sum(one <= iterations for one in CHECKPOINTS) + 2


class ReportModel:
    """Answers every agent of a report, and notes the size of each prompt with its iteration."""

    def __init__(self, delay: float) -> None:
        """Set how long each call takes, in seconds."""
        self.sizes: list[tuple[int, str, int]] = []
        self._iteration, self._claims = 1, 0
        self._found: dict[str, int] = defaultdict(int)
        self.chat = ScriptedChatModel(self._reply, delay=delay)

    def _reply(self, messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        agent = messages[1].text.rpartition("# Your role: ")[2].partition("\n")[0].strip()
        self.sizes.append((self._iteration, agent, sum(len(one.text) for one in messages)))
        made = self._made(agent, messages[-1].text)
        self._iteration += agent == "Refiner"
        return json.dumps(made)

    def _made(self, agent: str, prompt: str) -> Mapping[str, Any]:
        if agent == "Hypothesis Generator":
            return {"hypotheses": [_hypothesis(number) for number in range(1, HYPOTHESES + 1)]}
        if agent == "Source Filter":
            return {"scores": [{"label": one, "relevance": 9} for one, _ in _SOURCE.findall(prompt)[-READ:]]}
        if agent == "Deep Researcher":
            return {"items": self._items(prompt)}
        if agent == "Refiner":
            ids = re.findall(r'<hypothesis id="(H-[0-9a-f]+)"', prompt)
            first = QUESTIONS * len(ids) * self._iteration
            asked = [f"Margins and growth of part {first + number}" for number in range(QUESTIONS)]
            return {"questions": [{"hypothesis": one, "questions": asked} for one in ids], "new_hypotheses": []}
        if agent == "Narrative Builder":
            ids = re.findall(r'<evidence id="(E-[0-9a-f]{12})"', prompt)[:3]
            part = {"text": "The margin is high and lasts.", "evidence": ids}
            return {"sections": [{"name": name, "paragraphs": [part]} for name in SECTIONS]}
        return _SYNTHESIS if agent == "Dialectical Engine" else _EVALUATION

    def _items(self, prompt: str) -> list[Mapping[str, Any]]:
        """Return so much new evidence that the depth of the hypothesis grows by a sixth."""
        hypothesis = prompt.partition('<hypothesis id="')[2][:10]
        count = min(MOST_ITEMS, max(4, math.ceil(self._found[hypothesis] / 6)))
        self._found[hypothesis] += count
        sources = _SOURCE.findall(prompt)
        return [self._item(*sources[number % len(sources)]) for number in range(count)]

    def _item(self, label: str, text: str) -> Mapping[str, Any]:
        """Return a claim that is new, in words of the source that are there."""
        self._claims += 1
        spoken = "".join(chr(97 + int(digit)) for digit in str(self._claims))
        quote = " ".join(text.splitlines()[-1].split()[:8])
        direction = "supports" if self._claims % 3 else "contradicts"
        return {"source": label, "claim": f"M{spoken} is b{spoken} and c{spoken}",
                "quote": quote, "confidence": 0.9, "direction": direction}  # fmt: skip


def store_filing(settings: Settings) -> None:
    """Store an annual report whose pages all speak of margins and growth, each in its own words."""
    pages = [
        Page(number, "\n".join(f"Margins and growth of part {number} in region {line}: demand held, and costs fell."
                               for line in range(LINES)))
        for number in range(PAGES)
    ]  # fmt: skip
    info = DocumentInfo(
        key="b" * 64,
        name="VELQ 10-K 2024",
        kind="filing",
        company="Veltrane",
        symbol="VELQ",
        form="10-K",
        known_at=datetime(2025, 2, 14, 21, tzinfo=UTC),
        fiscal_year=2024,
        period_end=date(2024, 12, 31),
    )
    with open_store(settings) as store:
        store.add(SourceDocument(info, tuple(pages)))


def _hypothesis(number: int) -> Mapping[str, Any]:
    return {
        "title": f"Hypothesis number {number} about the company holds",
        "thesis": f"Part {number} holds. A margin below 15% would prove it wrong.",
        "evidence_needed": [f"Margins of part {number}", f"Growth of part {number}"],
        "impact": "HIGH",
    }


_SYNTHESIS = {
    "bull_case": "Margins are high and rising. " * 20,
    "bear_case": "The price knows that already. " * 20,
    "synthesis": "Good company, full price. " * 10,
    "insights": ["Insight one is new.", "Insight two is new.", "Insight three is new."],
    "probabilities": {"bull": 0.3, "base": 0.5, "bear": 0.2},
    "confidence": 0.7,
}
_EVALUATION = {"specificity": 8, "insights": 7, "logic": 8, "actionability": 7, "recommendations": ["Look at capital."]}


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.2, help="Seconds a model call takes")
    parser.add_argument("--iterations", type=int, default=12, help="Rounds of research")
    parser.add_argument("--runs", type=int, default=3, help="Runs; that with the least wall time is shown")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"data_vendor": "simulated", "llm_provider": "offline", "home": folder}, environ={})
        asyncio.run(_measure(settings, Vendors(settings), given.delay, given.iterations, given.runs))
    print(f"peak memory: {peak_mb():.0f} MB")


async def _measure(settings: Settings, vendors: Vendors, delay: float, iterations: int, runs: int) -> None:
    store_filing(settings)
    await write_report(settings, vendors, ReportModel(0.0), 1)  # warms the data and the imports
    made = []
    for _ in range(runs):
        model = ReportModel(delay)
        made.append((*await write_report(settings, vendors, model, iterations), model))
    wall, worked, report, model = min(made, key=lambda one: one[0])
    calls, path = critical_path(iterations), critical_path(iterations) * delay
    record = report.record
    print(
        f"{len(record['iterations'])} iterations, {len(record['hypotheses'])} hypotheses, "
        f"{len(record['evidence'])} items of evidence, {len(model.sizes)} model calls, delay {delay:g} s"
    )
    print(
        f"critical path {calls} calls, {path:.2f} s; wall {wall:.2f} s; wall/path {wall / path if path else 0:.3f} "
        f"(at most {MOST_ABOVE_PATH:g}); processor {worked:.2f} s"
    )
    print_prompts(model.sizes)


def print_prompts(sizes: Sequence[tuple[int, str, int]]) -> None:
    """Print the prompt tokens of each iteration: in all, and of the largest prompt of each agent."""
    total: dict[int, int] = defaultdict(int)
    largest: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for iteration, agent, size in sizes:
        total[iteration] += size
        largest[agent][iteration] = max(largest[agent][iteration], size)
    numbers = sorted(total)
    print("prompt tokens by iteration (what follows the last iteration counts to it):")
    for name, found in (("all calls", total), *sorted(largest.items())):
        print(f"  {name:20}", " ".join(f"{found.get(one, 0) // CHARACTERS_PER_TOKEN:7,}" for one in numbers))


async def write_report(
    settings: Settings, vendors: Vendors, model: ReportModel, iterations: int
) -> tuple[float, float, DeepReport]:
    """Write one report; return its wall and processor time without opening the services, and the report."""
    services = open_services(settings, {}, models=TierModels.same(model.chat), vendors=vendors)
    began, worked = time.perf_counter(), time.process_time()
    request = DeepReportRequest(ticker="VELQ", day=DAY, min_iterations=iterations, max_iterations=iterations)
    report = await start(DEEP_REPORT, request, services).result()
    spent = time.perf_counter() - began, time.process_time() - worked
    services.close()
    return *spent, report


if __name__ == "__main__":
    main()
