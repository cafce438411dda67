"""Questions over spans, made from a seed, answered by the library and by an independent reading of the same pages.

python -m benchmarks.series --sec /path/to/sec/companyfacts [--questions 2000] [--seed 1] [--show 20]
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.series.questions import COMPANIES, Judged, SpanQuestion, facts_of, judged, questions


def main() -> None:
    """Ask, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sec", type=Path, required=True, help="folder of the pages of company facts")
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="how many answers that differ to print")
    given = parser.parse_args()
    pages = pages_in(given.sec)
    began = time.perf_counter()
    sources = {symbol: facts_of(symbol, page) for symbol, page in pages.items()}
    print(f"{sum(map(len, pages))} pages read in {time.perf_counter() - began:.1f} s")
    verdicts: Counter[str] = Counter()
    shown = 0
    began = time.perf_counter()
    asked: list[SpanQuestion] = questions(given.questions, given.seed, pages)
    spent = 0.0
    for question in asked:
        found: Judged = judged(question, sources[question.company], pages[question.company])
        spent += found.seconds
        verdicts[found.verdict] += 1
        if found.verdict not in ("right", "right to withhold") and shown < given.show:
            shown += 1
            print(found.verdict, question, *found.why, sep="\n  ")
    print(f"{len(asked)} questions, seed {given.seed}: {dict(verdicts)}; {1000 * spent / len(asked):.1f} ms a question")


def pages_in(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the pages of the five companies."""
    return {
        symbol: json.loads(gzip.decompress(next(folder.glob(f"CIK{cik:010d}*.json.gz")).read_bytes()))
        for symbol, cik in COMPANIES.items()
    }


if __name__ == "__main__":
    main()
