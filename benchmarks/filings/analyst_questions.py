"""Questions of analysts over years, companies and qualifiers: `python -m benchmarks.filings.analyst_questions FILE`.

Each is asked of one store that holds every recorded filing, with the recorded companyfacts, without a language model,
as `filings ask` computes it. FILE holds an object a line: id, kind, question, answer (label, value and unit each, or
"not available"), tolerance, and winner where one is asked for.

Verdicts
- right: every expected figure is given within its tolerance, in its unit, of the period that its label names, and the
  winner is the expected one; or nothing is given where nothing is available.
- declined: nothing is answered, or some figures are given and what is missing is named.
- silently wrong: a figure or a winner is given that is not the expected one, and nothing says so; or figures are given
  without a word of what is missing where nothing is available.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from benchmarks.filings.analyst_store import RecordedFacts, filled_store
from benchmarks.filings.question_files import rows
from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.index.words import words_of
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.store_lines import lines_asked
from tradingagents.retrieval.lines.wording import row_words
from tradingagents.retrieval.questions.companies import listed_instruments
from tradingagents.retrieval.series.filed import FiledFacts

SHARED = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or Path(__file__).parents[3] / "shared")
AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
ROUNDING = 0.0051
"""Of a percentage or a ratio that the expected answer gives to two decimals."""
Verdict = Literal["right", "declined", "silently wrong"]
Given = tuple[float, str, str, str]
"""Value, unit, period (empty where it is computed over several), company."""


def verdict_on(row: Mapping[str, Any], answer: LineAnswer | None) -> tuple[Verdict, str]:
    """Return the verdict on an answer, and what decides it."""
    expected = row["answer"]
    if answer is None or answer.refusal:
        return ("right", "") if expected == "not available" else ("declined", answer.refusal if answer else "not read")
    if expected == "not available":
        return ("right", "nothing is given") if not answer.complete else ("silently wrong", "figures are given")
    given = given_in(answer)
    missing = [each for each in expected if not any(_is(each, one, row["tolerance"]) for one in given)]
    told = ", ".join(f"{each['label']} = {each['value']}" for each in missing)
    if missing:
        return ("silently wrong" if answer.complete else "declined"), f"without {told}"
    if row.get("winner") and not answer.winner:
        return "declined", f"no winner: {answer.verdict}"
    if row.get("winner") and not (same_winner(row["winner"], answer.winner) or _has_figure_of_winner(row, answer)):
        return "silently wrong", f"winner {answer.winner}"
    return "right", ""


def given_in(answer: LineAnswer) -> list[Given]:
    """Return every figure that an answer gives."""
    values = [
        (value.value, value.unit, value.period, value.company) for value in answer.values if value.value is not None
    ]
    return values + [(each.value, each.unit, "", "") for each in answer.results if each.value is not None]


def _is(expected: Mapping[str, Any], given: Given, tolerance: float) -> bool:
    """Whether a figure is the expected one: value, unit, and year and company where the label names them."""
    value, unit, period, company = given
    wanted = float(expected["value"])
    if _unit(unit) != _unit(expected["unit"]) or value * wanted < 0:
        return False
    label = str(expected["label"])
    years = set(re.findall(r"(?:19|20)\d\d", re.sub(r"\([^)]*10-[KQ][^)]*\)", "", label)))
    if period and len(years) == 1 and not years & set(re.findall(r"(?:19|20)\d\d", period)):
        return False
    quarter = re.search(r"\bQ([1-4])\b", label)
    if period and quarter and f"Q{quarter[1]}" not in period:
        return False
    named = [mention.symbol for mention in listed_instruments().mentions(label)]
    if company and named and company not in named:
        return False
    rounding = ROUNDING if expected["unit"] in ("percent", "times") else 0.0
    return abs(value - wanted) <= tolerance * abs(wanted) + rounding


def _unit(unit: str) -> str:
    if unit.endswith("/share"):
        return "USD per share"
    if unit in ("times", "ratio"):
        return "times"
    if unit == "percentage points":  # the answer names such a change so, and gives its unit as that of its figures
        return "percent"
    return unit if unit in ("percent", "days") or is_money(unit) else unit or "count"


def _has_figure_of_winner(row: Mapping[str, Any], answer: LineAnswer) -> bool:
    """Whether the winner that is named has the figure of the expected one, and of no other."""
    expected = [each for each in row["answer"] if each["label"].startswith(row["winner"])]
    highest = answer.winner.partition(" highest, ")[0]
    named = [value for value in answer.values if highest and highest in value.line]
    given = [(value.value, value.unit, value.period, value.company) for value in named if value.value is not None]
    others = [each for each in row["answer"] if each not in expected]
    return bool(given) and all(
        any(_is(each, figure, row["tolerance"]) for each in expected)
        and not any(_is(each, figure, row["tolerance"]) for each in others)
        for figure in given
    )


def same_winner(expected: str, given: str) -> bool:
    """Whether two name the same winners: by ticker, by quarter, or by the words of the expected one."""
    symbols = [{mention.symbol for mention in listed_instruments().mentions(text)} for text in (expected, given)]
    if symbols[1] and symbols[0] & symbols[1]:
        return True
    both = re.fullmatch(r"(?P<high>.+) highest, (?P<low>.+) lowest", given)
    named = re.fullmatch(r"highest: (?P<high>.+); lowest: (?P<low>.+)", expected)
    if both and named:
        return all(same_winner(named[which], both[which]) for which in ("high", "low"))
    if both and "lowest" not in expected.lower() and same_winner(expected, both["high"]):
        return True
    quarters = [re.findall(r"\bQ[1-4]\b", text) for text in (expected, given)]
    if quarters[1]:
        return quarters[0] == quarters[1]
    words = {word for word in words_of(row_words(re.sub(r"\bfy(?=\d)", "", given.lower()))) if word != "and"}
    return bool(words) and any(words <= set(words_of(row_words(part.lower()))) for part in expected.split(";"))


def run(questions: Sequence[Mapping[str, Any]], shared: Path, folder: Path) -> list[dict[str, Any]]:
    """Return the verdict on each question."""
    store, found = filled_store(folder, shared), []
    facts = FiledFacts(store, AS_OF, RecordedFacts(shared))
    infos = [info for info in store.documents() if info.kind == "filing"]
    for row in questions:
        began = time.process_time()
        answer = lines_asked(row["question"], infos, store.get, facts, AS_OF, holding=store.holding)
        verdict, why = verdict_on(row, answer)
        seconds = round(time.process_time() - began, 2)
        found.append({"id": row["id"], "kind": row["kind"], "verdict": verdict, "why": why, "seconds": seconds})
    store.close()
    return found


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--shared", type=Path, default=SHARED, help="the recorded data")
    parser.add_argument("--store", type=Path, help="keep the store in this folder; one that is there is used as it is")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with nullcontext(options.store) if options.store else tempfile.TemporaryDirectory() as folder:
        found = run(list(rows(options.file)), options.shared, Path(folder))
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        by_kind[each["kind"]][each["verdict"]] += 1
        by_kind["all"][each["verdict"]] += 1
    if options.json:
        print(json.dumps({"questions": found, "counts": by_kind}))
        return
    for each in found:
        print(f"{each['id']} {each['kind']:<11}{each['verdict']:<15}{each['seconds']:6.2f} s  {each['why'][:200]}")
    for kind, counts in by_kind.items():
        print(f"{kind:<12}" + "  ".join(f"{name} {counts[name]}" for name in ("right", "declined", "silently wrong")))


if __name__ == "__main__":
    main()
