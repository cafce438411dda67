"""How well pages of filings are found and questions about them answered: `python -m benchmarks.filings`.

What is measured
- known_filing: the filing that answers is given. page_recall: mean share of the answering pages among the first 1, 5,
  10 and 20 pages found, from 0 to 1; query_ms: median processor time of a query, in milliseconds.
- one_store: the same in one store of all filings, where the filing must be found too.
- out_of_fold: with `--out-of-fold`, both again with weights that were fitted on other companies
  (`cross_validation.py`), and with `--filings` the questions of our own, and those that were never tuned on
  (`kept_aside`), with the weights that the library ships.
- index: mean processor seconds and stored bytes of a filing, its pages read already.
- answers: with `--answers`, shares of questions answered right, refused and wrong without a language model, by type.

With `--size` documents are made up instead, and adding and searching them is measured: `python -m benchmarks.filings
--size 10000 [--database-url URL]`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.filings.answers import score_answers
from benchmarks.filings.cross_validation import cross_validated
from benchmarks.filings.judging import ModelJudge
from benchmarks.filings.made_up import measure
from benchmarks.filings.page_recall import FIRST, page_recall
from benchmarks.filings.question_files import read_documents, read_questions, rows
from tradingagents.retrieval.index.question import RULES
from tradingagents.retrieval.store import FILE, DocumentStore
from tradingagents.retrieval.store.vectors import HybridWeights, WordVectors


def main() -> None:
    """Measure and print."""
    options = _options()
    if options.size:
        print(json.dumps(measure(options.size, options.database_url), indent=None if options.json else 1))
        return
    result = run(options)
    if options.json:
        print(json.dumps(result))
        return
    print("                 " + "".join(f"{f'@{count}':>8}" for count in FIRST) + "   ms/query  questions")
    for name in ("known_filing", "one_store"):
        for key in ("page_recall", "any_page_recall"):
            if key in result[name]:
                shares = "".join(f"{100 * share:7.1f}%" for share in result[name][key].values())
                print(f"{name if key == 'page_recall' else '  at least one':<17}{shares}", end="")
                print(f"{result[name]['query_ms']:11.2f}{result[name]['n']:11d}" if key == "page_recall" else "")
    for name, figures in result.get("out_of_fold", {}).items():
        for key in ("known_filing", "one_store"):
            shares = "".join(f"{100 * share:7.1f}%" for share in figures[key].values())
            print(f"{name:<17}{shares}{figures['n']:22d}  {key}")
    print(json.dumps({name: result[name] for name in ("index", "not_scoreable", "answers")}))


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Return everything that is measured."""
    documents = read_documents(options.pages, options.documents)
    questions, others = read_questions(options.questions, documents)
    with tempfile.TemporaryDirectory() as folder:
        vectors = WordVectors() if options.vectors is not None else None
        weight = options.vectors or 0.0
        store = DocumentStore(folder, vectors=vectors, hybrid=HybridWeights(weight, 1 - weight))
        began = time.process_time()
        for one in documents.values():
            store.add(one)
        seconds = time.process_time() - began
        result: dict[str, Any] = {}
        for name, given in (("known_filing", True), ("one_store", False)):
            result[name] = page_recall(store, documents, questions, given=given, without=options.without).as_json()
        store.close()
        size = (Path(folder) / FILE).stat().st_size
    count = max(len(documents), 1)
    judge = ModelJudge.of_settings() if options.judge else None
    result["answers"] = score_answers(documents, rows(options.questions), judge) if options.answers else {}
    result["index"] = {
        "filings": len(documents),
        "pages": sum(len(one.pages) for one in documents.values()),
        "cpu_s_per_filing": round(seconds / count, 3),
        "bytes_per_filing": round(size / count),
    }
    result["not_scoreable"] = others
    if options.out_of_fold:
        result["out_of_fold"] = cross_validated(options)
    return result


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, help="pages: objects with doc, page (from 0) and text")
    parser.add_argument("--documents", type=Path, help="filings: doc, company, doc_type, doc_period")
    parser.add_argument("--questions", type=Path, help="questions: question, doc, gold_pages, answer, question_type")
    parser.add_argument("--out-of-fold", action="store_true", help="ask with weights fitted on other companies too")
    parser.add_argument("--filings", type=Path, help="folder of filings in HTML that the questions of our own are on")
    parser.add_argument("--answers", action="store_true", help="answer the questions too, without a language model")
    parser.add_argument("--judge", action="store_true", help="have the deep model judge what is no bare figure")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--without", action="append", default=[], choices=sorted(RULES), help="leave out a rule")
    parser.add_argument("--vectors", type=float, metavar="WEIGHT", help="add local word vectors with this weight")
    parser.add_argument("--size", type=int, help="measure a store of so many made-up documents instead")
    parser.add_argument("--database-url", help="with --size: the database, else a folder of its own")
    options = parser.parse_args()
    if not options.size and not (options.pages and options.documents and options.questions):
        parser.error("--pages, --documents and --questions are needed, or --size")
    return options


if __name__ == "__main__":
    main()
