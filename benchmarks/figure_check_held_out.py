"""Errors planted in passages as models write them: how many the check of our own figures finds and wrongly marks.

    python -m benchmarks.figure_check_held_out [--seed N]

The sentences were written without a look at the rules, and nothing was changed for them. Their figures are those of the
trailing-twelve-months analysis of companies of the simulated market; a figure in five gets an error: another value, two
digits swapped, a factor of a thousand, the value of another quarter or of another metric.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import time
from collections import Counter
from datetime import date
from typing import Any

from tradingagents.capabilities.registry import registry
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.provenance.figure_check import Given, untraced
from tradingagents.settings import load_settings

COMPANIES = ("CIRQZ", "HELQ", "MEDQZ", "NODQ", "HOMQ", "AERQ", "TAQZ", "VITZ")
DAY = date(2025, 2, 20)
RATE = 0.2
OWN = ("name", "rose_op", "rose_yoy", "qoq_signed")
PASSAGES = (
    "For the quarter ended {q0}, {name} recorded revenue of {rev0}, compared with {rev4} in the year-ago quarter.",
    "Trailing-twelve-month revenue stands at {ttm_rev}, with net income of {ttm_ni} over the same window.",
    "Gross margin on a trailing basis is {gm}, and the operating margin is {om}.",
    "Quarterly net income came in at {ni0}; the prior quarter had delivered {ni1}.",
    "Operating income {rose_op} to {op0} in the most recent quarter from {op1} in the quarter before.",
    "**Cash generation:** operating cash flow over twelve months totals {ttm_ocf}; free cash flow is {ttm_fcf}.",
    "- Net margin (TTM): {nm}\n- Operating margin (TTM): {om}",
    "Revenue {rose_yoy} {yoy} year over year and moved {qoq_signed} sequentially.",
    "With equity of {equity} against total assets of {assets}, the balance sheet looks sound.",
    "Return on equity of {roe} is a useful yardstick here.",
    "Free cash flow in the latest quarter was {fcf0}, versus {fcf1} the quarter before.",
    "On trailing revenue of {ttm_rev}, {name} earns an operating income of {ttm_op}.",
    "Total debt of {debt} is modest next to trailing EBITDA of {ttm_ebitda}.",
    "Gross profit of {gp0} in the quarter to {q0} compares with {gp4} twelve months earlier.",
    "| Item | Value |\n|---|---|\n| TTM revenue | {ttm_rev} |\n| TTM net income | {ttm_ni} |\n| Gross margin | {gm} |",
    "The quarter's operating margin was {opm0}, up or down from {opm1} one quarter ago.",
)


def answers_of(symbol: str) -> tuple[str, list[str]]:
    """Return the name of a company and the tool answers on it."""
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    data = MarketData(settings, DAY, vendors=Vendors(settings, {"simulated": SimulatedVendor()}))
    known = registry()
    asked = (known["get_ttm_analysis"].answer(data, symbol), known["get_fundamentals"].answer(data, symbol, DAY))
    return data.profile(symbol).name, [one.to_markdown() for one in asked]


def values_of(answer: str) -> dict[str, str]:
    """Return the figures of a trailing-twelve-months analysis by slot, as it prints them."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in answer.split("\n") if line.startswith("|")]
    named = {row[0]: row[1].replace(" USD", "") for row in rows if len(row) == 2}
    quarters = [row for row in rows if re.fullmatch(r"\d{4}-\d\d-\d\d", row[0])]
    columns = ("rev", "gp", "op", "ni", "ocf", "fcf", "opm")
    values = {
        f"{name}{at}": row[1 + place] for at, row in enumerate(quarters[:6]) for place, name in enumerate(columns)
    }
    ttm = {"rev": "revenue", "ni": "net_income", "op": "operating_income", "ocf": "operating_cash_flow"}
    ttm |= {"fcf": "free_cash_flow", "ebitda": "ebitda"}
    values |= {f"ttm_{short}": named[f"ttm_{name}"] for short, name in ttm.items()}
    plain = {"gm": "gross_margin", "om": "operating_margin", "nm": "net_margin", "roe": "roe", "equity": "equity"}
    plain |= {"assets": "total_assets", "debt": "total_debt", "yoy": "revenue_yoy", "qoq": "revenue_qoq"}
    values |= {short: named[name] for short, name in plain.items() if name in named}
    return {"q0": quarters[0][0], **{slot: value for slot, value in values.items() if re.search(r"\d", value)}}


def printed(rng: random.Random, value: str) -> str:
    """Print a figure of the data as a model would: rounded, with or without a currency sign."""
    number, unit = float(re.sub(r"[^\d.-]", "", value)), re.sub(r"[\d.,\s-]", "", value)
    if unit == "%":
        return rng.choice((f"{number:.1f}%", f"{number:.2f}%"))
    sign, size = ("-" if number < 0 else ""), abs(number)
    word = {"B": " billion", "M": " million", "T": " trillion"}[unit]
    return rng.choice((f"{sign}${size:.2f}{unit}", f"{sign}${size:.1f}{word}", f"{sign}${size:.2f}{word}"))


def wrong(rng: random.Random, slot: str, values: dict[str, str]) -> str | None:
    """Return another value for a slot; None where it could not be told from the right one."""
    value = values[slot]
    number, unit = float(re.sub(r"[^\d.-]", "", value)), re.sub(r"[\d.,\s-]", "", value)
    kind = rng.choice(("value", "value", "digits", "scale", "quarter", "metric"))
    if kind == "scale" and unit in "BM":
        return f"{number}{'M' if unit == 'B' else 'B'}"
    if kind in ("quarter", "metric"):
        base = slot.rstrip("0123456789")
        others = [one for one in values if one not in (slot, "q0")]
        same = [one for one in others if (one.rstrip("0123456789") == base) == (kind == "quarter")]
        same = [one for one in same if ("%" in values[one]) == ("%" in value)]
        if not same:
            return None
        found = values[rng.choice(same)]
        return found if abs(float(re.sub(r"[^\d.-]", "", found)) - number) > 0.06 * abs(number) else None
    pairs = enumerate(itertools.pairwise(value))
    digits = [at for at, (one, other) in pairs if one.isdigit() and other.isdigit() and one != other]
    if kind == "digits" and digits:
        at = digits[0]
        return value[:at] + value[at + 1] + value[at] + value[at + 2 :]
    return f"{number * (1 + rng.choice((-1, 1)) * rng.uniform(0.06, 0.5)):.2f}{unit}"


def main(arguments: Any = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    rng = random.Random(parser.parse_args(arguments).seed)  # noqa: S311
    count: Counter[str] = Counter()
    took = 0.0
    for symbol in COMPANIES:
        name, answers = answers_of(symbol)
        values = values_of(answers[0])
        for _ in range(12):
            text, figures = passage(rng, name, values)
            began = time.process_time()
            marks = untraced(Given(answers, subject=(symbol, name)).places(text))
            took += time.process_time() - began
            for start, end, error in figures:
                marked = any(one.start < end and start < one.end for one in marks)
                count["errors" if error else "right"] += 1
                count["found" if error else "false"] += marked
    found, false = count["found"] / count["errors"], count["false"] / count["right"]
    print(f"errors found {count['found']} of {count['errors']} ({found:.1%}), {1000 * took / 96:.1f} ms a passage")
    print(f"right figures marked {count['false']} of {count['right']} ({false:.1%})")


def passage(rng: random.Random, name: str, values: dict[str, str]) -> tuple[str, list[tuple[int, int, bool]]]:
    """Return a passage of six sentences with the places of its figures, and whether each is wrong."""
    text, figures = "", []
    known = [one for one in PASSAGES if all(slot in values or slot in OWN for slot in re.findall(r"\{(\w+)\}", one))]
    for sentence in rng.sample(known, 6):
        for part in re.split(r"(\{\w+\})", sentence):
            slot = part[1:-1] if part.startswith("{") else ""
            if slot in ("name", "q0") or slot.startswith("rose") or slot == "qoq_signed" or not slot:
                up = "-" not in values.get("yoy" if slot == "rose_yoy" else "qoq", "")
                if slot == "rose_op":
                    up = float(values["op0"][:-1]) > float(values["op1"][:-1])
                shown = {"name": name, "q0": values["q0"], "qoq_signed": values["qoq"]}.get(slot, part)
                text += ("rose" if up else "fell") if slot.startswith("rose") else shown
                continue
            made = wrong(rng, slot, values) if rng.random() < RATE else None
            shown = printed(rng, (made or values[slot]) if slot != "yoy" else (made or values[slot]).lstrip("-"))
            figures.append((len(text), len(text) + len(shown), made is not None))
            text += shown
        text += "\n\n"
    return text, figures


if __name__ == "__main__":
    main()
