"""Processor time of reading filings: `python -m benchmarks.reading FILE … [--json]` (html, pdf, txt; also packed)."""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, datetime
from pathlib import Path

from tradingagents.retrieval.reading import read_document

KNOWN_AT = datetime(2000, 1, 1, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = [measure(path) for path in given.files]
    if given.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print(
            f"{row['file']:40} {row['seconds']:6.2f} s {row['pages']:5} pages {row['tables']:4} tables "
            f"{row['facts']:5} facts {row['items']:3} items {row['unsure']:3} unsure"
        )
    print(f"{sum(float(row['seconds']) for row in rows) / len(rows):.2f} s a file")


def measure(path: Path) -> dict[str, str | int | float]:
    content = path.read_bytes()
    started = time.process_time()
    document = read_document(content, known_at=KNOWN_AT)
    return {
        "file": path.name,
        "seconds": round(time.process_time() - started, 3),
        "pages": len(document.pages),
        "tables": len(document.tables),
        "facts": len(document.facts),
        "items": len(document.sections),
        "unsure": sum(not section.sure for section in document.sections),
    }


if __name__ == "__main__":
    main()
