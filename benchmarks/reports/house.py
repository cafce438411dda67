"""A house: the words in which one author names figures and periods, prints numbers, and writes sentences and tables."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from benchmarks.reports.books import Truth

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True)
class Layout:
    """How a house sets its tables."""

    shape: str
    """`periods across` or `down`, `companies across` or `down`, `against last year`, `list`, `growth rows`."""
    caption: str = ""
    """Line above the table; `{company}` and `{period}` stand for themselves."""
    quarter: str = "{q} FY{year}"
    fiscal_year: str = "FY{year}"
    scale: float = 1e6
    form: str = ",.0f"
    money_note: str = ""
    """Behind the name of an amount, such as ` ($m)`."""
    share_note: str = ""
    percent_note: str = ""
    """Behind the name of a margin; with it the cells carry no sign of percent."""
    brackets: bool = False
    """Whether negative figures stand in brackets."""
    corner: str = "Item"


@dataclass(frozen=True)
class House:
    """The wording of one author."""

    name: str
    names: Mapping[str, Sequence[str]]
    """What each metric is called, in the middle of a sentence."""
    sentences: Mapping[str, Sequence[str]]
    """By kind: flow, margin, growth, sheet, per_share, price, two (a second metric), peer. See `writer`."""
    quarters: Sequence[str]
    years: Sequence[str]
    billions: Sequence[str]
    """Forms of amounts, with `{b}` in billions or `{m}` in millions."""
    millions: Sequence[str]
    per_share: Sequence[str] = ("${v:.2f}",)
    percents: Sequence[str] = ("{v:.1f}%",)
    points: Sequence[str] = ("{v:.0f} basis points", "{v:.0f}bps")
    negative: str = "-{}"
    days: Sequence[str] = ("{month} {day}, {year}",)
    rose: Sequence[str] = ("rose", "grew", "increased")
    fell: Sequence[str] = ("fell", "declined", "decreased")
    up: Sequence[str] = ("up",)
    down: Sequence[str] = ("down",)
    widened: Sequence[str] = ("widened",)
    narrowed: Sequence[str] = ("narrowed",)
    layouts: Sequence[Layout] = (Layout("periods across", caption="USD millions, except per share"),)
    titles: Sequence[str] = ("# {company} ({symbol}): initiation of coverage",)
    headings: Sequence[str] = ("Results", "Financials")
    asides: Sequence[str] = ()
    """Sentences whose figures, in double brackets, are not those of the data."""
    lists: bool = False
    """Whether sentences that begin with a dash stand alone."""
    extra: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, rng: random.Random, metric: str) -> str:
        """Name a metric."""
        return rng.choice(self.names[metric])

    def period(self, rng: random.Random, truth: Truth) -> str:
        """Name a period."""
        if not truth.period[1]:
            return ""
        return rng.choice(self.years if truth.period[1] == "FY" else self.quarters).format(**_period_words(truth))

    def day(self, rng: random.Random, truth: Truth) -> str:
        """Name the day on which a period ends."""
        return rng.choice(self.days).format(**_period_words(truth) | {"year": truth.end.year})

    def printed(self, rng: random.Random, truth: Truth, value: float) -> str:
        """Print a figure. Changes are printed without their sign: the words say the direction."""
        if truth.unit == "%":
            text = rng.choice(self.percents).format(v=abs(value))
            return text if value >= 0 or truth.item != truth.metric else self.negative.format(text)
        if truth.unit == "bps":
            return rng.choice(self.points).format(v=abs(value))
        if truth.unit in ("per_share", "price"):
            text = rng.choice(self.per_share if truth.unit == "per_share" else ("${v:.2f}",)).format(v=abs(value))
        else:
            forms = self.billions if abs(value) >= 1e9 else self.millions
            text = rng.choice(forms).format(b=abs(value) / 1e9, m=abs(value) / 1e6, k=abs(value) / 1e3)
        return text if value >= 0 else self.negative.format(text)


def _period_words(truth: Truth) -> dict[str, object]:
    year, part = truth.period
    number = int(part[1]) if part[:1] == "Q" else 0
    middle = truth.end - timedelta(days=45)
    word = ORDINALS[number - 1] if number else ""
    return {
        "year": year, "yy": f"{year % 100:02d}", "q": part, "n": number, "word": word, "Word": word.capitalize(),
        "month": MONTHS[truth.end.month - 1], "mon": MONTHS[truth.end.month - 1][:3], "day": truth.end.day,
        "end_year": truth.end.year, "end_yy": f"{truth.end.year % 100:02d}",
        "calendar_q": (middle.month + 2) // 3, "calendar_year": middle.year, "calendar_yy": f"{middle.year % 100:02d}",
        "iso": truth.end.isoformat(),
    }  # fmt: skip
