"""What the assistant says to investors' questions without a model, beside what a right answer has to say.

    python -m benchmarks.investor_questions --out answers.jsonl
    python -m benchmarks.investor_questions questions.jsonl --ids i001 i002 --show

Each line of the file is a question: `id`, `market` (simulated, or snapshot: recorded prices), `day`, `question`, the
messages said `before` it, what a right answer has to say (`expect`) and what would lie `beside` the point. Nothing is
judged here: an answer is right, partly right, declined or beside by what a reader finds in it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tests.support.assistant_bench import AssistantBench

QUESTIONS = Path(__file__).parent / "investor_questions.jsonl"
SNAPSHOT = Path("../shared/snapshot")
"""Where recorded prices lie beside a checkout; any folder of `tradingagents data record` will do."""
KEPT = ("id", "market", "day", "before", "question")
JUDGED_BY = ("expect", "beside", "first_verdict")


def questions_of(path: Path, ids: Sequence[str] = ()) -> list[Mapping[str, Any]]:
    """Return the questions of a file, all of them or those of some ids."""
    every = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [question for question in every if not ids or question["id"] in ids]


async def answer_to(question: Mapping[str, Any], home: Path, data_dir: Path) -> str:
    """Return what the assistant says to a question, in a session of its own, after what was said before it."""
    day = date.fromisoformat(question["day"])
    recorded: dict[str, Any] = {"data_vendor": "snapshot", "data_dir": data_dir}
    async with AssistantBench(home, as_of=day, **(recorded if question["market"] == "snapshot" else {})) as bench:
        for earlier in question["before"]:
            await bench.say(earlier)
        return await bench.say(question["question"])


def answered(questions: Sequence[Mapping[str, Any]], data_dir: Path) -> Iterator[dict[str, Any]]:
    """Yield each question with its answer, and with what a judge needs."""
    for question in questions:
        with tempfile.TemporaryDirectory() as home:
            began = time.perf_counter()
            answer = asyncio.run(answer_to(question, Path(home), data_dir))
            seconds = round(time.perf_counter() - began, 2)
        judged_by = {name: question[name] for name in JUDGED_BY if name in question}
        yield {**{name: question[name] for name in KEPT}, "answer": answer, "seconds": seconds, **judged_by}


def main() -> None:
    """Ask each question once, and write its answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="?", type=Path, default=QUESTIONS, help="a file with one question a line")
    parser.add_argument("--ids", nargs="*", default=(), help="only these")
    parser.add_argument("--data-dir", type=Path, default=SNAPSHOT, help="folder of recorded prices")
    parser.add_argument("--out", type=Path, help="file to write; without: standard output")
    parser.add_argument("--show", action="store_true", help="write text for reading instead of JSON")
    given = parser.parse_args()
    written = _as_text if given.show else _as_json
    answers = answered(questions_of(given.questions, given.ids), given.data_dir)
    text = "".join(f"{written(answer)}\n" for answer in answers)
    if given.out is None:
        sys.stdout.write(text)
    else:
        given.out.write_text(text, "utf-8")


def _as_json(answer: Mapping[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)


def _as_text(answer: Mapping[str, Any]) -> str:
    earlier = [f"  ({before})" for before in answer["before"]]
    judged_by = [f"{name}: {answer[name]}" for name in JUDGED_BY if name in answer]
    asked = [f"=== {answer['id']} {answer['market']} {answer['day']}", *earlier, f"> {answer['question']}"]
    return "\n".join([*asked, *judged_by, "--", answer["answer"], ""])


if __name__ == "__main__":
    main()
