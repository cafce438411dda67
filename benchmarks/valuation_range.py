"""Value over price of every recorded company on many days: `python -m benchmarks.valuation_range --data-dir DIR`.

Asks the question `valuation` about every symbol of a snapshot folder, one `MarketData` a day for all of them, and
prints Markdown tables for `docs/concepts/valuation.md`: the distribution of value over price by sector and by day, and
how many answers were refused and why. `--json` prints the same as JSON, `--older` accepts figures whose successors are
overdue, and `--write` measures with them and writes the table that each answer cites
(`tradingagents/valuation/company/valuation_lean.json`). `faults_of` is the judgement of one answer: what no answer may
hold, whatever the inputs are.

- `Outcome`: what one question gave.
- `outcomes`: the questions; `simulated_outcomes` those of the simulated market.
- `Distribution`, `by_sector`, `by_day`: the figures of the tables.
- `lean_json`: the measured lean of the method.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Literal

from tradingagents.capabilities.valuation import valuation
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.sectors import DISPLAY, sector_key
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import NoData, TradingAgentsError
from tradingagents.settings import Settings, load_settings
from tradingagents.valuation.company.doubts import FILE
from tradingagents.valuation.company.results import CompanyValuation

DAYS = tuple(date(year, month, 14) for year in (2023, 2024, 2025) for month in (3, 6, 9, 12))
"""Four days a year; those outside the recorded window, and weekends, are moved or left out by `days_of`."""
Ending = Literal["valued", "no value", "withheld", "refused"]
NO_VALUE = "No value from these figures"
WITHHELD, REPORT_DUE = "withheld", "base_period="
"""In a reason: the data gate withholds a figure; a report was due, and the value waits for it or for this input."""
WHAT_TO_DO = re.compile(
    r"[a-z0-9_]+=[…a-z0-9]|Choose|choose|Continue without it|another vendor|another model|value a stock instead|"
    r"dates|name a date|use model="
)
"""How a refusal says what to set or to do."""
_PERIOD = re.compile(r"base_period=\d{4}-\d\d-\d\d")
_NUMBERS = re.compile(r"-?\d[\d.,:-]*%?")
LONGEST_REASON = 90
LEAST_COMPANIES, LEAST_VALUES = 2, 10
"""Of a sector whose median is told."""
LEAN = Path(__file__).parents[1] / "tradingagents" / "valuation" / "company" / FILE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the question about one company on one day gave."""

    symbol: str
    day: date
    sector: str
    """As GICS writes it; `none` for a symbol without one, such as an index or a fund."""
    ending: Ending
    model: str = ""
    price: float | None = None
    value: float | None = None
    """Per share; None where there is none."""
    reason: str = ""
    """Of a refusal, whole."""
    faults: tuple[str, ...] = ()
    """What the answer or the refusal should not hold (`faults_of`)."""
    is_older: bool = False
    """Whether the value rests on figures whose successors were due, accepted by `base_period`."""

    @property
    def ratio(self) -> float | None:
        """Value over price."""
        return None if self.value is None or not self.price else self.value / self.price


@dataclass(frozen=True, slots=True)
class Distribution:
    """Value over price of a group of outcomes. Quartiles are None below two values."""

    name: str
    companies: int
    """Companies with a value on one of the days."""
    valued: int
    first_quartile: float | None
    median: float | None
    third_quartile: float | None
    no_value: int
    withheld: int
    refused: int


def faults_of(answer: CompanyValuation) -> tuple[str, ...]:
    """Return what an answer may never hold: a value or upside that no share can have, or a number that is none."""
    found = [f"not a finite number: {place}" for place in not_finite(answer.model_dump())]
    worth, upside = answer.value_per_share, answer.upside
    if worth is not None and worth < 0:
        found.append(f"value below zero: {worth}")
    if upside is not None and upside < -1:
        found.append(f"upside below -100 %: {upside}")
    if worth is not None and upside is not None and not math.isclose(1 + upside, worth / answer.price, rel_tol=1e-9):
        found.append(f"upside {upside} is not {worth} over {answer.price}")
    if re.search(r"(?<![a-z])-?(nan|inf)(?![a-z])", answer.to_markdown(), re.IGNORECASE):
        found.append("the text holds nan or inf")
    return tuple(found)


def not_finite(value: Any, place: str = "") -> Iterator[str]:
    """Return the places of numbers that are not finite in nested fields."""
    if isinstance(value, float) and not math.isfinite(value):
        yield place
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from not_finite(part, f"{place}.{name}")
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from not_finite(part, f"{place}[{number}]")


def ending_of(reason: str) -> Ending:
    """Return which kind of refusal a reason is.

    >>> ending_of("No value from these figures: they are old. Give base_period=2023-12-31.")
    'withheld'
    >>> ending_of("No value from these figures: a loss. Revenue of 2021 is withheld.")
    'no value'
    """
    if REPORT_DUE in reason:
        return "withheld"
    if reason.startswith(NO_VALUE):
        return "no value"
    return "withheld" if WITHHELD in reason else "refused"


def asked(data: MarketData, symbol: str, *, older: bool) -> tuple[CompanyValuation, bool]:
    """Ask what a company is worth.

    Args:
        older: Accept figures whose successors were due and are not known, by `base_period`, where the value waits.

    Returns:
        The answer, and whether it rests on such figures.

    Raises:
        TradingAgentsError: There is no value.
    """
    try:
        return valuation.ask(data, ticker=symbol), False
    except NoData as error:
        period = _PERIOD.search(str(error)) if older else None
        if period is None:
            raise
    return valuation.ask(data, ticker=symbol, assumptions=period[0]), True


def outcome_of(data: MarketData, symbol: str, day: date, sector: str | None, *, older: bool = False) -> Outcome:
    """Ask what a company is worth; errors of the library become a refusal, and any other error is one of ours."""
    key = sector_key(sector)
    name = DISPLAY[key] if key else sector or "none"
    try:
        answer, is_older = asked(data, symbol, older=older)
    except TradingAgentsError as error:
        reason = str(error)
        faults: tuple[str, ...] = (
            () if WHAT_TO_DO.search(reason) else (f"the refusal does not say what to do: {reason}",)
        )
        return Outcome(symbol, day, name, ending_of(reason), reason=reason, faults=faults)
    worth, ending = answer.value_per_share, _ending_with(answer)
    return Outcome(symbol, day, name, ending, answer.model, answer.price, worth, "", faults_of(answer), is_older)


def _ending_with(answer: CompanyValuation) -> Ending:
    return "withheld" if answer.value_per_share is None else "valued"


def recorded_symbols(folder: Path) -> dict[str, str | None]:
    """Return every symbol of a snapshot folder that has prices or statements, with its sector."""
    profiles = json.loads((folder / "profiles.json").read_text("utf-8"))
    return {symbol: profile.get("sector") for symbol, profile in sorted(profiles.items())}


def with_statements(folder: Path) -> frozenset[str]:
    """Return the symbols of a snapshot folder that have statements."""
    with gzip.open(folder / "statements.jsonl.gz", "rt", encoding="utf-8") as lines:
        return frozenset(json.loads(line)["symbol"] for line in lines)


def days_of(folder: Path, days: Sequence[date] = DAYS) -> tuple[date, ...]:
    """Return the days within the recorded window."""
    window = json.loads((folder / "snapshot.json").read_text("utf-8"))
    first, last = (date.fromisoformat(window[name]) for name in ("from", "to"))
    return tuple(day for day in days if first <= day <= last)


def outcomes(folder: Path, symbols: Iterable[str], days: Iterable[date], *, older: bool = False) -> list[Outcome]:
    """Ask about recorded companies on days; all of a day share one `MarketData`. `older`: see `asked`."""
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    return _asked(settings, {symbol: recorded_symbols(folder).get(symbol) for symbol in symbols}, days, older=older)


def simulated_outcomes(days: Iterable[date]) -> list[Outcome]:
    """Ask about every company of the simulated market."""
    return _asked(load_settings({"data_vendor": "simulated"}, environ={}), dict.fromkeys(COMPANIES), days, older=False)


def _asked(settings: Settings, sectors: dict[str, str | None], days: Iterable[date], *, older: bool) -> list[Outcome]:
    vendors, found = Vendors(settings), []
    for day in days:
        data = MarketData(settings, day, vendors=vendors)
        found += [outcome_of(data, symbol, day, sector, older=older) for symbol, sector in sectors.items()]
    return found


def distribution(name: str, found: Sequence[Outcome]) -> Distribution:
    """Return quartiles and counts of a group."""
    ratios = sorted(ratio for one in found if (ratio := one.ratio) is not None)
    parts = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else [None, None, None]
    counts = Counter(one.ending for one in found)
    return Distribution(
        name=name,
        companies=len({one.symbol for one in found if one.value is not None}),
        valued=len(ratios),
        first_quartile=parts[0],
        median=median(ratios) if ratios else None,
        third_quartile=parts[2],
        no_value=counts["no value"],
        withheld=counts["withheld"],
        refused=counts["refused"],
    )


def by_sector(found: Sequence[Outcome]) -> tuple[Distribution, ...]:
    """Return the distribution of each sector, then that of all."""
    ordered = sorted(found, key=lambda one: one.sector)
    groups = [distribution(name, list(group)) for name, group in groupby(ordered, key=lambda one: one.sector)]
    return (*groups, distribution("All", found))


def by_day(found: Sequence[Outcome]) -> tuple[Distribution, ...]:
    """Return the distribution of each day."""
    ordered = sorted(found, key=lambda one: one.day)
    return tuple(distribution(str(day), list(group)) for day, group in groupby(ordered, key=lambda one: one.day))


def reason_kind(one: Outcome) -> str:
    """Return a refusal's reason without the company and the numbers, cut, so that the same reasons can be counted.

    >>> reason_kind(Outcome("BA", date(2025, 3, 14), "", "no value", reason="BA lost 9.1% of 2 years. Give x=…."))
    '… lost … of … years'
    """
    text = re.sub(rf"(?<![\w-]){re.escape(one.symbol)}(?![\w-])", "…", one.reason)
    if one.ending == "no value":
        text = text.removeprefix(f"{NO_VALUE}: ")
    text = _NUMBERS.sub("…", text)
    sentence = re.split(r"[.;](?:\s|$)", text.removeprefix("…: "))[0]
    return sentence if len(sentence) <= LONGEST_REASON else f"{sentence[:LONGEST_REASON].rstrip()} …"


def reasons(found: Iterable[Outcome]) -> list[tuple[str, str, int]]:
    """Return ending, kind of reason and count, the most frequent first."""
    counts = Counter((one.ending, reason_kind(one)) for one in found if one.reason)
    return [(ending, why, count) for (ending, why), count in sorted(counts.items(), key=lambda row: (-row[1], row[0]))]


def table(first: str, rows: Sequence[Distribution]) -> str:
    """Return distributions as a Markdown table."""
    head = (
        f"| {first} | Companies | Values | First quartile | Median | Third quartile | No value | Withheld | Refused |"
    )
    lines = [
        f"| {row.name} | {row.companies} | {row.valued} | {_times(row.first_quartile)} | {_times(row.median)} | "
        f"{_times(row.third_quartile)} | {row.no_value} | {row.withheld} | {row.refused} |"
        for row in rows
    ]
    return "\n".join((head, "|---" + "|--:" * 8 + "|", *lines))


def _times(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def as_json(found: Sequence[Outcome]) -> str:
    """Return tables, reasons and every outcome as JSON."""
    return json.dumps(
        {
            "by_sector": [asdict(row) for row in by_sector(found)],
            "by_day": [asdict(row) for row in by_day(found)],
            "reasons": [{"ending": ending, "reason": why, "count": count} for ending, why, count in reasons(found)],
            "faults": [{"symbol": one.symbol, "day": one.day, "faults": one.faults} for one in found if one.faults],
            "outcomes": [asdict(one) | {"ratio": one.ratio} for one in found],
        },
        default=str,
        indent=1,
    )


def as_markdown(found: Sequence[Outcome]) -> str:
    """Return tables and counts as Markdown."""
    counts = Counter(one.ending for one in found)
    faulty = [f"- {one.symbol} {one.day}: {fault}" for one in found for fault in one.faults]
    head = f"{len(found)} questions: {counts['valued']} valued, {counts['no value']} without a value from the figures, "
    head += f"{counts['withheld']} withheld, {counts['refused']} refused; {len(faulty)} faults."
    why = ["| Ending | Reason | Answers |", "|---|---|--:|"]
    why += [f"| {ending} | {reason} | {count} |" for ending, reason, count in reasons(found)]
    parts = [table("Sector", by_sector(found)), table("Day", by_day(found)), "\n".join(why), head]
    return "\n\n".join((*parts, *(("\n".join(faulty),) if faulty else ())))


def lean_json(found: Sequence[Outcome], measured: date) -> str:
    """Return the measured lean of the method as the package holds it (`valuation.company.lean`).

    Args:
        found: Outcomes by the default inputs, older figures accepted.
        measured: Day of the measurement.
    """
    groups = {row.name: row for row in by_sector(found)}
    every = groups.pop("All")
    sectors = {
        name: _lean_row(row)
        for name, row in groups.items()
        if name in DISPLAY.values() and row.companies >= LEAST_COMPANIES and row.valued >= LEAST_VALUES
    }
    table = {
        "what": "Value over price by the default inputs, of every recorded company with statements: large companies of "
        "today, older figures accepted (base_period). It describes the method and moves no value.",
        "written_by": "python -m benchmarks.valuation_range --data-dir DIR --write",
        "measured": measured,
        "days": sorted({one.day for one in found}),
        "all": _lean_row(every),
        "older": sum(one.is_older and one.value is not None for one in found),
        "sectors": sectors,
    }
    return f"{json.dumps(table, default=str, indent=2)}\n"


def _lean_row(row: Distribution) -> dict[str, int | float]:
    assert row.median is not None  # noqa: S101 - a group with values
    return {"companies": row.companies, "values": row.valued, "median": round(row.median, 4)}


def main() -> None:
    """Ask about every company with statements, or with `--all` about every symbol, and print the tables."""
    parser = argparse.ArgumentParser(description="Value over price of every recorded company on many days.")
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of recorded data")
    parser.add_argument("--day", type=date.fromisoformat, action="append", help="day to ask on; may be given again")
    parser.add_argument("--all", action="store_true", help="ask about symbols without statements too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--older", action="store_true", help="accept figures whose successors are overdue")
    parser.add_argument("--write", action="store_true", help=f"accept them, and write {FILE} in the package")
    given = parser.parse_args()
    symbols = sorted(recorded_symbols(given.data_dir) if given.all else with_statements(given.data_dir))
    days, older = given.day or days_of(given.data_dir), given.older or given.write
    found = outcomes(given.data_dir, symbols, days, older=older)
    if given.write:
        LEAN.write_text(lean_json(found, datetime.now(UTC).date()), encoding="utf-8")
    print(as_json(found) if given.json else as_markdown(found))


if __name__ == "__main__":
    main()
