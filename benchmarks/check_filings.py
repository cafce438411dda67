"""Errors planted in figures that stand in filings only: how many `check` names rightly, and how often it is wrong.

    python -m benchmarks.check_filings --snapshot DIR --filings DIR [--errors N] [--half development]

The filings folder is one that `tradingagents filings add` reads, with `index.csv`. Values are those of the tagged
facts.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.check import FALSE, VERDICTS
from benchmarks.reports.filed import HALVES, FiledName, Half
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.features.report_check.capabilities.report_check import CheckedReportFigure, check_report
from tradingagents.retrieval.ingest import add_folder
from tradingagents.retrieval.models import Fact, Scope, SourceDocument
from tradingagents.retrieval.store import DocumentStore, store_of
from tradingagents.settings import load_settings

DAY = date(2025, 8, 29)
RATE = 0.3
CONCEPTS = {
    "revenue": ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax"),
    "operating_income": ("OperatingIncomeLoss",),
}
_GENERAL = (
    "OperatingSegmentsMember",
    "ReportableSegmentAggregationBeforeOtherOperatingSegmentMember",
    "StreamingMember",
)
NAMES = {
    "AAPL": "Apple", "AMZN": "Amazon", "NVDA": "NVIDIA", "UNH": "UnitedHealth", "JNJ": "Johnson & Johnson",
    "KO": "Coca-Cola", "META": "Meta", "V": "Visa", "HD": "Home Depot", "PG": "Procter & Gamble", "NFLX": "Netflix",
    "GOOGL": "Alphabet", "WMT": "Walmart", "TSLA": "Tesla", "BA": "Boeing", "MA": "Mastercard", "ABBV": "AbbVie",
}  # fmt: skip


class FiledPlant(NamedTuple):
    """A figure of a made report."""

    text: str
    error: str | None
    sentence: str


Values = Mapping[int, float]


def values_of(document: SourceDocument, name: FiledName) -> dict[int, float]:
    """Return the values of a name by fiscal year, as tagged; nothing for a year that is tagged with two values."""
    info = document.info
    found: dict[int, set[float]] = {}
    for one in document.facts:
        if one.unit == "USD" and _is(one, name) and info.period_end is not None and info.fiscal_year is not None:
            back = (info.period_end - one.period_end).days / 365.25
            if abs(back - round(back)) < 0.05 and (one.period_start is None or _days(one) > 340):
                found.setdefault(info.fiscal_year - round(back), set()).add(abs(one.value))
    return {year: next(iter(values)) for year, values in found.items() if len(values) == 1 and max(values) >= 1e7}


def _days(fact: Fact) -> int:
    return (fact.period_end - fact.period_start).days if fact.period_start else 0


def _is(fact: Fact, name: FiledName) -> bool:
    members = {one.rpartition(":")[2] for one in fact.dimensions.values()} - {*_GENERAL}
    wanted = CONCEPTS.get(name.kind, (name.concept,))
    return fact.concept.rpartition(":")[2] in wanted and members == ({name.member} if name.member else set())


class Writer:
    """Writes reports on the figures of filings."""

    def __init__(self, half: Half, facts: Mapping[FiledName, Values], seed: int) -> None:
        """Set the wording and the values."""
        self._half, self._facts, self._random = half, facts, random.Random(seed)  # noqa: S311

    def report(self, sentences: int) -> tuple[str, list[FiledPlant]]:
        """Return a report with its figures in order."""
        names = self._random.sample(sorted({one.symbol for one in self._facts}), 4)
        parts = [f"# {' and '.join(f'{NAMES[one]} ({one})' for one in names)}\n"]
        planted: list[FiledPlant] = []
        pool = [one for one in self._facts if one.symbol in names]
        for _ in range(sentences):
            text, figures = self._sentence(self._random.choice(pool), names)
            parts.append(text)
            planted += [FiledPlant(figure, error, text) for figure, error in figures]
        return "\n\n".join(parts), planted

    def _sentence(self, name: FiledName, names: list[str]) -> tuple[str, list[tuple[str, str | None]]]:
        values, pick = self._facts[name], self._random.choice
        years = [year for year in values if year - 1 in values]
        if not years or self._random.random() < 0.12:
            return self._unknown(name.symbol, max(values))
        year = pick(years)
        kind = self._random.random() if name.kind != "amount" else 1.0
        templates = (
            self._half.change if kind < 0.15 else self._half.part if name.kind != "amount" else self._half.amount
        )
        template = pick(templates)
        growth = 100 * (values[year] / values[year - 1] - 1)
        error = self._error(name, year, names) if self._random.random() < RATE else None
        value, growth_error = values[year], None
        if error is not None:
            value = error[1]
        if "{g}" in template or "{a}" in template:
            error = ("value", 0.0) if error is not None else None
            growth_error = error
            growth = growth + pick((3.7, 5.3, -4.1)) if error is not None else growth
        metric = pick(self._half.metric[name.kind])
        shown = {
            "c": NAMES[name.symbol], "p": name.words, "p_": name.words[:1].upper() + name.words[1:], "m": metric,
            "m_": metric[:1].upper() + metric[1:], "y": str(year), "w": str(year - 1), "x": self._money(value),
            "z": self._money(values[year - 1]), "g": f"{growth:.1f}%", "a": f"{abs(growth):.1f}%",
            "d": "grew" if growth > 0 else "fell", "u": "up" if growth > 0 else "down",
        }  # fmt: skip
        text = template.format(**shown)
        kinds = {
            "x": error[0] if error else None,
            "z": None,
            "g": growth_error and "value",
            "a": growth_error and "value",
        }
        order = sorted((template.index(f"{{{one}}}"), one) for one in kinds if f"{{{one}}}" in template)
        return text[:1].upper() + text[1:], [(shown[one], kinds[one]) for _, one in order]

    def _error(self, name: FiledName, year: int, names: list[str]) -> tuple[str, float] | None:
        """Return a kind of error and the wrong value; None where it could not be distinguished from the right one."""
        values = self._facts[name]
        kind = self._random.choice(("value", "period", "scale", "company"))
        others = [
            self._facts[one][year]
            for one in self._facts
            if (one.words, one.kind) == (name.words, name.kind) and one.symbol in names and one.symbol != name.symbol
            and year in self._facts[one]
        ]  # fmt: skip
        if kind == "company" and not others:
            kind = "value"
        wrong = {
            "value": lambda: values[year] * self._random.choice((0.83, 0.91, 1.07, 1.16, 1.31)),
            "period": lambda: self._random.choice([values[one] for one in values if one != year]),
            "scale": lambda: values[year] * self._random.choice((1e-3, 1e3)),
            "company": lambda: self._random.choice(others),
        }[kind]()
        rivals = [value for one, value in values.items() if kind != "period" or one == year]
        rivals += others if kind != "company" else []
        return None if any(abs(wrong - one) < 0.012 * one for one in rivals) else (kind, wrong)

    def _unknown(self, symbol: str, year: int) -> tuple[str, list[tuple[str, str | None]]]:
        number = self._money(self._random.uniform(2e8, 9e10))
        words = self._random.choice(self._half.unknown).format(c=NAMES[symbol], y=year, r=number)
        return words, ([("250", None)] if " 250 " in words else []) + [(number, None)]

    def _money(self, value: float) -> str:
        form = self._random.randrange(3)
        if value >= 1e13 or (value >= 1e9 and form == 0):
            return f"${value / 1e9:,.1f} billion" if value >= 1e10 else f"${value / 1e9:,.2f} billion"
        if value >= 1e9 and form == 1:
            return f"${value / 1e9:,.2f}bn"
        return f"${value / 1e6:,.0f} million" if value >= 1e8 else f"${value / 1e6:,.1f} million"


def market(snapshot: Path, filings: Path, home: Path) -> tuple[MarketData, dict[str, SourceDocument]]:
    """Store the filings, and open the market with them; with the newest annual report of each company."""
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(snapshot), "home": str(home)}, environ={})
    store: DocumentStore = store_of(settings)
    list(add_folder(store, filings))
    annual = {one.symbol: store.get(one.key) for one in store.documents(Scope(forms=("10-K",)))}
    store.close()
    return MarketData(settings, DAY, vendors=Vendors(settings, {"snapshot": SnapshotVendor(snapshot)})), annual


def aligned(
    planted: list[FiledPlant], checked: tuple[CheckedReportFigure, ...]
) -> Iterator[tuple[FiledPlant, str, str]]:
    """Pair planted figures with verdicts, in order; `missed` for one that was not read."""
    at = 0
    for one in planted:
        found = next((n for n in range(at, len(checked)) if _digits(checked[n].text) == _digits(one.text)), None)
        if found is None:
            yield one, "missed", ""
            continue
        at = found + 1
        yield one, checked[found].verdict, checked[found].why


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit() or char == ".")


def main(arguments: Any = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--snapshot", type=Path, required=True)
    parser.add_argument("--filings", type=Path, required=True)
    parser.add_argument("--errors", type=int, default=1000)
    parser.add_argument("--half", nargs="*", default=list(HALVES), choices=list(HALVES))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--misses", type=int, default=0)
    given = parser.parse_args(arguments)
    with TemporaryDirectory() as home:
        data, annual = market(given.snapshot, given.filings, Path(home))
        for title in given.half:
            half = HALVES[title]
            facts = {one: found for one in half.names if (found := values_of(annual[one.symbol], one))}
            print(f"{title}: {len(facts)} of {len(half.names)} names are tagged", flush=True)
            _measure(title, data, Writer(half, facts, given.seed), given)


def _measure(title: str, data: MarketData, writer: Writer, given: argparse.Namespace) -> None:
    planted, named, found, sound = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    misses: list[object] = []
    began = time.process_time()
    while sum(planted.values()) < given.errors:
        text, figures = writer.report(40)
        for one, verdict, why in aligned(figures, check_report.answer(data, "", text).checked):
            if one.error is None:
                sound[verdict] += 1
                wrong = verdict in FALSE
            else:
                planted[one.error] += 1
                named[one.error] += verdict == VERDICTS[one.error]
                found[verdict] += 1
                wrong = verdict != VERDICTS[one.error]
            if wrong or (one.error is None and verdict not in ("matches", "not_checkable")):
                misses.append((one.text, one.error, verdict, why, one.sentence))
    total, alarms = sum(planted.values()), sum(sound[one] for one in FALSE)
    for kind in planted:
        print(f"  {kind:<10} planted {planted[kind]:>5}  rightly named {named[kind] / planted[kind]:7.2%}")
    print(
        f"  {title}: rightly named {sum(named.values()) / total:.2%} of {total}, called right {found['matches']}; "
        f"sound figures {sum(sound.values())}, matched {sound['matches'] / sum(sound.values()):.2%}, false alarms "
        f"{alarms / sum(sound.values()):.2%}; {time.process_time() - began:.0f} s of processor time",
        flush=True,
    )
    for miss in random.Random(1).sample(misses, min(given.misses, len(misses))):  # noqa: S311
        print("   ", *(miss if isinstance(miss, tuple) else (miss,)), sep=" | ")


if __name__ == "__main__":
    main()
