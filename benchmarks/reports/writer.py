"""Writes reports in the words of a house, with errors at a given rate.

Sentences have slots for figures: `{value}`; `{value2}` of `{period2}`; `{prior}` and `{previous}`, the same a year and
a quarter before; `{growth}`, the change from the year before; `{margin}`, the share of revenue; `{points}`, the change
of a margin; `{second}` of `{metric2}` in the same period; `{peer_value}` of `{company2}`. `{rose}`, `{up}` and
`{widened}` are verbs in the direction of the change.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.reports.books import GROWTH, MARGIN_OF, MARGINS, MONEY, POINTS, SHEET, Books, Truth
from benchmarks.reports.house import House
from benchmarks.reports.planting import Planted, Planter
from benchmarks.reports.tables import TableWriter

_SLOT = re.compile(r"\{(\w+)\}")
_ASIDE = re.compile(r"\[\[(.+?)\]\]")
_FIGURES = frozenset(
    {"value", "value2", "prior", "previous", "growth", "margin", "points", "second", "peer_value", "growth2"}
)
_KINDS = ("flow", "flow", "flow", "margin", "growth", "sheet", "per_share", "price", "two", "peer")


@dataclass(frozen=True)
class MadeReport:
    """A report in Markdown, and the figures that it prints, in order."""

    text: str
    figures: tuple[Planted, ...]


class ReportWriter:
    """Writes reports on companies of a market."""

    def __init__(self, books: Sequence[Books], rng: random.Random, *, house: House, rate: float) -> None:
        """Set the companies, the chance, the house and the share of figures with an error."""
        self._rng, self._house = rng, house
        self._planter = Planter(books, rng, rate)
        self._lines: list[str] = []
        self._figures: list[Planted] = []
        self._about: Books | None = None

    def write(self, company: Books, *, others: Sequence[Books], paragraphs: int) -> MadeReport:
        """Return a report on one company, with a table that sets it beside others."""
        rng, house = self._rng, self._house
        self._lines, self._figures = [], []
        self._planter.beside = [company, *others]
        tables = TableWriter(house, rng, self._planter)
        self._say(rng.choice(house.titles).format(company=company.company, symbol=company.symbol))
        self._say("")
        for number in range(paragraphs):
            if number % 4 == 0:
                self._say(f"## {rng.choice(house.headings)}")
                self._say("")
            if number % 4 == 1:
                lines, figures = tables.write(company, [company, *others])
                self._lines += lines
                self._figures += figures
            else:
                self._paragraph(company, others)
            self._say("")
        return MadeReport("\n".join(self._lines) + "\n", tuple(self._figures))

    def _say(self, line: str) -> None:
        self._lines.append(line)

    def _paragraph(self, company: Books, others: Sequence[Books]) -> None:
        self._about = None
        for _ in range(3):
            about = company if self._rng.random() < 0.8 or not others else self._rng.choice(list(others))
            self._sentence(about, company, others)
        if self._house.asides:
            aside = self._rng.choice(self._house.asides)
            self._figures += [Planted(text, None, None) for text in _ASIDE.findall(aside)]
            self._say(_ASIDE.sub(r"\1", aside))

    def _sentence(self, about: Books, subject: Books, others: Sequence[Books]) -> None:
        rng = self._rng
        kind = rng.choice([one for one in _KINDS if one in self._house.sentences])
        plain = about is subject and self._about in (None, subject)  # else the sentence before is on another company
        phrases = [one for one in self._house.sentences[kind] if plain or "{company}" in one]
        if not phrases:
            return
        phrase = rng.choice(phrases)
        truth = self._truth(about, kind)
        slots = self._slots(phrase, truth, [one for one in (subject, *others) if one is not about]) if truth else None
        if truth is None or slots is None:
            return
        self._about = about
        self._print(phrase, truth, slots)

    def _slots(self, phrase: str, truth: Truth, others: Sequence[Books]) -> dict[str, Truth] | None:
        """Return the figures of a phrase by slot; None where the statements lack one."""
        own = self._planter.of(truth)
        slots: dict[str, Truth] = {}
        named = set(_SLOT.findall(phrase))
        change = truth.metric + (POINTS if truth.metric in MARGINS else GROWTH)
        second = self._second(truth) if named & {"second", "metric2", "growth2"} else ""
        wanted: dict[str, Callable[[], Truth | None]] = {
            "value": lambda: truth,
            "value2": lambda: own.truth(truth.metric, self._other_period(truth)),
            "prior": lambda: own.truth(truth.metric, own.before(truth.period)),
            "previous": lambda: own.truth(truth.metric, own.before(truth.period, quarter=True)),
            "growth": lambda: own.truth(truth.metric + GROWTH, truth.period),
            "points": lambda: own.truth(truth.metric + POINTS, truth.period),
            "margin": lambda: own.truth(MARGIN_OF.get(truth.metric, ""), truth.period),
            "second": lambda: own.truth(second, truth.period),
            "growth2": lambda: own.truth(second + GROWTH, truth.period),
            "peer_value": lambda: self._of_peer(truth, others),
        }
        for slot in sorted(named & _FIGURES):
            found = wanted[slot]()
            if found is None or (slot == "previous" and truth.period[1] == "FY"):
                return None
            slots[slot] = found
        if named & {"rose", "up", "widened"} and not ({"growth", "points"} & named):
            if (found := own.truth(change, truth.period)) is None:
                return None
            slots["change"] = found
        small = any(
            one.unit in ("%", "bps") and abs(one.value) < (5 if one.unit == "bps" else 0.25) for one in slots.values()
        )
        return None if small else slots

    def _of_peer(self, truth: Truth, others: Sequence[Books]) -> Truth | None:
        """Return the figure of another company for the same months; None where its periods end on other days."""
        found = self._rng.choice(list(others)).truth(truth.metric, truth.period) if others else None
        return found if found is not None and abs((found.end - truth.end).days) <= 12 else None

    def _second(self, truth: Truth) -> str:
        same = [one for one in MONEY if (one in SHEET) == (truth.metric in SHEET) and one != truth.metric]
        return self._rng.choice(same)

    def _print(self, phrase: str, truth: Truth, slots: dict[str, Truth]) -> None:
        """Write a sentence, and note its figures in the order in which they stand."""
        rng, house = self._rng, self._house
        change = slots.get("growth") or slots.get("points") or slots.get("change")
        rising = change is None or change.value > 0
        words = {
            "company": truth.company, "symbol": truth.symbol, "period": house.period(rng, truth),
            "metric": house.name_of(rng, truth.metric) if truth.metric != "price" else "",
            "day": house.day(rng, truth), "rose": rng.choice(house.rose if rising else house.fell),
            "up": rng.choice(house.up if rising else house.down),
            "widened": rng.choice(house.widened if rising else house.narrowed),
        }  # fmt: skip
        words["Metric"] = words["metric"][:1].upper() + words["metric"][1:]
        words["Period"] = words["period"][:1].upper() + words["period"][1:]
        if "second" in slots or "growth2" in slots:
            words["metric2"] = house.name_of(rng, (slots.get("second") or slots["growth2"]).item)
        if "margin" in slots:
            words["margin_name"] = house.name_of(rng, slots["margin"].metric)
        if "value2" in slots:
            words["period2"] = house.period(rng, slots["value2"])
        if "peer_value" in slots:
            words["company2"] = slots["peer_value"].company
        for slot in _SLOT.findall(phrase):
            if slot in slots:
                value, error = self._planter.value(slots[slot])
                words[slot] = house.printed(rng, slots[slot], value)
                self._figures.append(Planted(words[slot], error, slots[slot]))
        line = _SLOT.sub(lambda match: words[match[1]], phrase)
        self._say(line[:1].upper() + line[1:])

    def _other_period(self, truth: Truth) -> tuple[int, str]:
        """Return another period of the same kind."""
        same = [one for one in self._planter.of(truth).periods(10) if (one[1] == "FY") == (truth.period[1] == "FY")]
        return self._rng.choice([one for one in same if one != truth.period] or same)

    def _truth(self, about: Books, kind: str) -> Truth | None:
        rng = self._rng
        if kind == "price":
            return Truth(about.symbol, about.company, "price", (0, ""), about.price_day, about.price, "price")
        flows = [one for one in MONEY if one not in SHEET]
        metrics = {
            "sheet": sorted(SHEET),
            "margin": list(MARGINS),
            "per_share": ["eps_diluted"],
            "margin_of": list(MARGIN_OF),
            "growth": ["revenue", "net_income", "eps_diluted", "operating_income", "gross_profit"],
        }.get(kind, flows)
        for _ in range(8):
            truth = about.truth(rng.choice(metrics), rng.choice(about.periods(10)))
            if truth is not None and (truth.unit != "money" or abs(truth.value) > 1e6) and abs(truth.value) > 0.05:
                return truth
        return None


def reports(
    books: Sequence[Books], *, seed: int, count: int, paragraphs: int, house: House, rate: float
) -> Iterator[MadeReport]:
    """Yield reports, each on another company in turn, with two others beside it."""
    rng = random.Random(seed)  # noqa: S311
    writer = ReportWriter(books, rng, house=house, rate=rate)
    for number in range(count):
        company = books[number % len(books)]
        others = rng.sample([one for one in books if one is not company], min(2, len(books) - 1))
        yield writer.write(company, others=others, paragraphs=paragraphs)
