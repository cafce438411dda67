"""How well research answers questions whose answers are known: `python -m benchmarks.research --offline`.

300 questions are generated from a seed over the simulated market, or with `--data-dir` over recorded data, and 30 were
written by hand. 30 more ask for the value of a share, which is worked out in plain loops from listed inputs, and 30 for
the number of articles in a window; `--filings DIR` adds questions on figures of recorded annual reports, whose sources
must name the page. Their answers are computed from the rows of the data, not by the library.

What is measured, by intent
- right: the first paragraph states the expected numbers of the expected companies; where nothing is known, it says so.
- gap stated: the answer says that it does not know. wrong: neither.
- with sources: the answer names a source, or states a gap.
- calls, tokens, USD: of the model, per question; without a language model these are what its rules would have used.
- seconds: of the processor, per question.

`--with trading,single` asks the trading desk and a single agent with tools the same. The desk writes a report, in which
the expected numbers may stand anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.research.baselines import single_agent, trading_desk
from benchmarks.research.cases import ResearchCase, read_cases
from benchmarks.research.filing_questions import FilingQuestions
from benchmarks.research.generator import QuestionGenerator
from benchmarks.research.news_questions import news_questions, recorded_count, simulated_count
from benchmarks.research.raw_data import RawMarket, RecordedRaw, SimulatedRaw
from benchmarks.research.running import Answerer, Asked, ask_all, research, summary, table
from benchmarks.research.valuation_questions import valuation_questions
from tradingagents.retrieval.store import store_of
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

BASELINES = ("trading", "single")
MORE = 30
"""Questions on the value of a share, and on the number of articles."""


def main() -> None:
    """Ask and print."""
    options = _options()
    market: RawMarket = RecordedRaw(options.data_dir) if options.data_dir else SimulatedRaw()
    with tempfile.TemporaryDirectory() as home:
        services = open_services(_settings(options, Path(home)), os.environ)
        sets = {name: _sample(cases, options.sample) for name, cases in _sets(options, market, services).items()}
        answerers = {"research": research(services), **_baselines(options, services, market)}
        measured = asyncio.run(_measure(sets, answerers))
        services.close()
    if options.json:
        print(json.dumps({name: _as_json(results) for name, results in measured.items()}))
        return
    for name, results in measured.items():
        print(f"\n{name}\n\n{table(results)}")
        for one in results if options.show_wrong else ():
            if one.verdict != "right":
                print(f"- {one.verdict} {one.case.id} ({one.case.as_of}): {one.case.question} -> {one.answer[:300]!r}")


def _sets(options: argparse.Namespace, market: RawMarket, services: Services) -> dict[str, list[ResearchCase]]:
    """Return the questions by the name of their set; the reports that some are about are added to the store."""
    seed, symbols = options.seed, market.companies()
    count_of = recorded_count(options.data_dir) if options.data_dir else simulated_count()
    sets = {
        f"generated (seed {seed})": QuestionGenerator(market, seed).questions(options.count),
        f"value of a share (seed {seed})": valuation_questions(services, market, seed, MORE),
        f"number of articles (seed {seed})": news_questions(symbols, count_of, seed, MORE),
        "by hand": [one for one in read_cases() if one.real_data == market.real],
    }
    if options.filings:
        asked = FilingQuestions(options.filings, seed)
        store = store_of(services.settings)
        for document in asked.documents:
            store.add(document)
        store.close()
        sets[f"annual reports (seed {seed})"] = asked.questions(options.count)
    return sets


async def _measure(sets: dict[str, list[ResearchCase]], answerers: dict[str, Answerer]) -> dict[str, list[Asked]]:
    found = {}
    for name, cases in sets.items():
        for who, answerer in answerers.items():
            asked = [replace(one, anywhere=who == "trading") for one in cases]
            found[f"{name}: {who}"] = await ask_all(asked, answerer)
    return found


def _baselines(options: argparse.Namespace, services: Services, market: RawMarket) -> dict[str, Answerer]:
    known: dict[str, Answerer] = {
        "trading": trading_desk(services, market.companies()),
        "single": single_agent(services),
    }
    return {name: known[name] for name in options.baselines}


def _sample(cases: list[ResearchCase], count: int) -> list[ResearchCase]:
    if not count or count >= len(cases):
        return cases
    return random.Random(count).sample(cases, count)  # noqa: S311 - a sample, no secret


def _settings(options: argparse.Namespace, home: Path) -> Any:
    given: dict[str, Any] = {"home": home, **dict(one.split("=", 1) for one in options.set)}
    if options.data_dir:
        given |= {"data_vendor": "snapshot", "data_dir": str(options.data_dir)}
    else:
        given |= {"data_vendor": "simulated"}
    if options.offline:
        given["llm_provider"] = "offline"
    return load_settings(given, environ=os.environ)


def _as_json(results: list[Asked]) -> dict[str, Any]:
    rows = [
        {
            "id": one.case.id,
            "intent": one.case.intent,
            "verdict": one.verdict,
            "sourced": one.sourced,
            "calls": one.calls,
            "tokens": one.tokens,
            "usd": one.usd,
            "seconds": round(one.seconds, 4),
        }
        for one in results
    ]
    return {**summary(results), "questions": rows}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offline", action="store_true", help="no language model")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting, such as llm_provider=anthropic"
    )
    parser.add_argument("--data-dir", type=Path, help="folder of recorded data; else the simulated market")
    parser.add_argument("--filings", type=Path, help="folder of annual reports: pages.jsonl.gz and documents.jsonl")
    parser.add_argument("--seed", type=int, default=2, help="of the generated questions; 1 is for development")
    parser.add_argument("--count", type=int, default=300, help="generated questions")
    parser.add_argument("--sample", type=int, default=0, help="ask so many of each set only")
    parser.add_argument("--with", dest="others", default="", help=f"also ask {', '.join(BASELINES)}")
    parser.add_argument("--show-wrong", action="store_true", help="print the questions that were not answered right")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    options.baselines = [one for one in options.others.split(",") if one]
    if unknown := set(options.baselines) - set(BASELINES):
        parser.error(f"--with knows {', '.join(BASELINES)}, not {', '.join(sorted(unknown))}")
    if not options.offline and not options.set:
        parser.error("--offline, or --set llm_provider=… for a language model")
    return options


if __name__ == "__main__":
    main()
