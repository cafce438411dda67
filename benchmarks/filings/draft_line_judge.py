import gzip
import json
import pickle
import re
import sys
from datetime import UTC, datetime

from tradingagents.dataflows.vendors.sec_edgar.facts import read_facts
from tradingagents.dataflows.vendors.sec_edgar.statements import reported_facts
from tradingagents.retrieval.figures.store_lines import books_named, line_answer
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.reported import facts_of_reported

docs = pickle.load(open("/dev/shm/kind/docs.pkl", "rb"))
by_key = {d.info.key: d for d in docs.values()}
CIK = {
    "AAPL": "CIK0000320193",
    "NVDA": "CIK0001045810",
    "GOOGL": "CIK0001652044",
    "MRVL": "CIK0001835632",
    "SNOW": "CIK0001640147_SNOW",
}


def load(c):
    if c not in CIK:
        return None
    raw = json.loads(gzip.open(f"/work/shared/market/vendor_payloads/sec/companyfacts/{CIK[c]}.json.gz").read())
    return FactHistory(
        c, facts_of_reported(reported_facts(c, int(re.search(r"\d+", CIK[c]).group()), read_facts(raw), {}))
    )


class Given:
    def __init__(self):
        self.h = {}

    def groups(self, company, item):
        if company not in self.h:
            self.h[company] = load(company)
        if self.h[company] is not None:
            yield self.h[company]


given = Given()
infos = [d.info for d in docs.values() if d.info.kind == "filing"]


def unit_of(u):
    if u.endswith("/share"):
        return "USD per share"
    if u in ("times", "ratio"):
        return "times"
    return {"USD": "USD", "percent": "percent"}.get(u, u or "count")


def judge(d, a):
    exp = d["answer"]
    if exp == "not available":
        return "right" if a.refusal or all(v.value is None for v in a.values) else "WRONG"
    if a.refusal:
        return "declined"
    have = [(v.value, unit_of(v.unit)) for v in a.values if v.value is not None] + [
        (r.value, unit_of(r.unit)) for r in a.results if r.value is not None
    ]
    miss = []
    for e in exp:
        if not any(
            u == e["unit"]
            and v * e["value"] >= 0
            and abs(v - e["value"])
            <= max(d["tolerance"] * abs(e["value"]), 1e-9) + (0.0051 if e["unit"] in ("percent", "times") else 0)
            for v, u in have
        ):
            miss.append(e)
    gaps = any(v.gap for v in a.values) or any(r.refusal for r in a.results)
    if miss:
        return ("partial" if gaps else "WRONG") + " missing " + ", ".join(f"{e['label']}={e['value']}" for e in miss)
    w = d.get("winner")
    if w and not a.winner:
        return "nowinner want " + w + " | " + a.verdict
    if w:
        return f"right? winner {a.winner} want {w}"
    return "right"


if __name__ == "__main__":
    from collections import Counter

    cnt = Counter()
    only = sys.argv[2:]
    for l in open(sys.argv[1]):
        d = json.loads(l)
        if only and d["id"] not in only:
            continue
        try:
            books = books_named(d["question"], infos, lambda k: by_key[k], given, datetime(2026, 6, 1, tzinfo=UTC))
            a = line_answer(d["question"], books)
        except Exception as e:
            import traceback

            print(d["id"], "CRASH", repr(e))
            cnt["crash"] += 1
            traceback.print_exc()
            continue
        v = judge(d, a)
        cnt[v.split()[0]] += 1
        print(d["id"], d["kind"][:4], v[:300], "|", d["question"][:110])
        if v != "right" or only:
            if a.refusal:
                print("     REFUSED", a.refusal[:400])
            else:
                for x in a.values[:12]:
                    print("      ", x.company, "|", x.line, "|", x.period, "|", x.value, x.unit, "|", x.gap[:160])
                for x in a.results[:6]:
                    print("      R", x.name, x.value, x.unit, x.refusal)
                print("      ", a.winner, "|", a.verdict[:200])
    print(cnt)
