import csv
import pickle
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.filings.question_files import read_documents
from tradingagents.retrieval.questions.companies import listed_instruments
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.reading.read import read_document
from tradingagents.retrieval.text_tables import with_text_tables

S = Path("/work/shared")
out = {}
for r in csv.DictReader(open(S / "market/filings/index.csv")):
    p = S / "market" / r["file"]
    if not p.name.endswith(".html.gz"):
        continue
    import re

    if not re.fullmatch(r"\d{4}-\d\d-\d\d", r["filed"]):
        r["filed"] = "2026-05-20"
    y, m, d = map(int, r["filed"].split("-"))
    form = r["form"]
    try:
        doc = read_document(
            p.read_bytes(), known_at=datetime(y, m, d, 21, tzinfo=UTC), hints=Hints(symbol=r["symbol"], form=form)
        )
    except Exception as e:
        print(p.name, repr(e))
        continue
    out[p.name] = doc
    print(
        p.name,
        doc.info.name,
        doc.info.company,
        doc.info.form,
        doc.info.fiscal_year,
        doc.info.fiscal_quarter,
        doc.info.period_end,
        len(doc.tables),
        len(doc.facts),
    )
fb = read_documents(S / "financebench/pages.jsonl.gz", S / "financebench/documents.jsonl")
ins = listed_instruments()
for n, d in fb.items():
    ms = ins.mentions(d.info.company)
    sym = ms[0].symbol if ms else ""
    d = with_text_tables(replace(d, info=replace(d.info, symbol=sym)))
    out[n] = d
    print(n, d.info.company, sym, len(d.tables))
pickle.dump(out, open("/dev/shm/kind/docs.pkl", "wb"))
