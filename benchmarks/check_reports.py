"""Reports with planted errors: sentences and tables of other people's wording, from figures computed here.

The figures come from the statements and prices of a market, computed apart from the checker. The phrasings of `FIRST`
were looked at while the checker was written. Those of `SECOND` were written at the same time, before any of its rules,
and were held out until it was measured on them; then its misses were looked at. Those of `PRESS` follow sentences of
recorded news, and were held out likewise. Those of `FRESH` came last, with two figures in many sentences.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Statement
from tradingagents.errors import TradingAgentsError

Kind = Literal["value", "period", "scale", "company", "restated"]
Style = Literal["first", "second", "press", "fresh"]
STYLES: tuple[Style, ...] = ("first", "second", "press", "fresh")
KINDS: tuple[Kind, ...] = ("value", "period", "scale", "company", "restated")
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONEY = (
    *("revenue", "gross_profit", "operating_income", "net_income", "operating_cash_flow", "free_cash_flow"),
    *("research_and_development", "cash", "total_debt", "total_assets", "equity"),
)
SHEET = frozenset({"cash", "total_debt", "total_assets", "equity"})
MARGINS = {"gross_margin": "gross_profit", "operating_margin": "operating_income", "net_margin": "net_income"}
GROWTH = {"revenue_growth": "revenue", "net_income_growth": "net_income", "eps_growth": "eps_diluted"}

FIRST_NAMES: Mapping[str, str] = {
    "revenue": "revenue",
    "gross_profit": "gross profit",
    "operating_income": "operating income",
    "net_income": "net income",
    "operating_cash_flow": "operating cash flow",
    "free_cash_flow": "free cash flow",
    "research_and_development": "research and development expense",
    "cash": "cash",
    "total_debt": "total debt",
    "total_assets": "total assets",
    "equity": "shareholders' equity",
    "gross_margin": "gross margin",
    "operating_margin": "operating margin",
    "net_margin": "net margin",
    "eps_diluted": "diluted EPS",
}
SECOND_NAMES: Mapping[str, str] = {
    "revenue": "net sales",
    "gross_profit": "gross profit",
    "operating_income": "operating profit",
    "net_income": "net profit",
    "operating_cash_flow": "cash flow from operations",
    "free_cash_flow": "FCF",
    "research_and_development": "R&D spending",
    "cash": "cash and equivalents",
    "total_debt": "borrowings",
    "total_assets": "assets",
    "equity": "book equity",
    "gross_margin": "gross profit margin",
    "operating_margin": "EBIT margin",
    "net_margin": "net profit margin",
    "eps_diluted": "diluted earnings per share",
}


@dataclass(frozen=True, slots=True)
class Truth:
    """A figure of a company as the market has it."""

    symbol: str
    company: str
    metric: str
    period: tuple[int, str]
    """Fiscal year and Q1 … Q4 or FY."""
    end: date
    value: float
    unit: Literal["money", "%", "per_share", "x", "price"]


@dataclass(frozen=True, slots=True)
class Planted:
    """A figure as a report prints it, with the error planted in it; none for a sound one."""

    text: str
    error: Kind | None
    truth: Truth
    line: int
    """Line of the Markdown on which it stands, from 0."""
    style: Style


@dataclass(frozen=True)
class MadeReport:
    """A report in Markdown, and the figures that it prints, in order."""

    text: str
    figures: tuple[Planted, ...]


class Books:
    """The figures of one company, computed from its statements one by one."""

    def __init__(self, data: MarketData, symbol: str) -> None:
        """Read the statements and the price."""
        self.symbol, self.company = symbol, data.profile(symbol).name
        self.by_period: dict[tuple[int, str], dict[str, Statement]] = {}
        self.earlier: dict[tuple[int, str], dict[str, Statement]] = {}
        for kind in ("income", "balance", "cashflow"):
            for freq in ("quarterly", "annual"):
                try:
                    found = data.statement_versions(symbol, kind, freq)  # type: ignore[arg-type]
                except TradingAgentsError:
                    continue
                for one in reversed(found):  # the last version of a period ends on top
                    key = (one.fiscal_year, one.fiscal_period)
                    sheets = self.by_period.setdefault(key, {})
                    if kind in sheets and sheets[kind].period_end == one.period_end:
                        self.earlier.setdefault(key, {})[kind] = sheets[kind]
                    sheets[kind] = one
        bars = data.prices(symbol, days=400)
        self.price, self.price_day = float(bars.close[-1]), bars.days[-1].item()

    def periods(self, most: int) -> list[tuple[int, str]]:
        """Return the newest quarters and years with an income statement."""
        known = [(sheets["income"].period_end, key) for key, sheets in self.by_period.items() if "income" in sheets]
        return [key for _, key in sorted(known, reverse=True)[:most]]

    def truth(self, metric: str, period: tuple[int, str], *, earlier: bool = False) -> Truth | None:
        """Return a figure; None where the statements lack a part."""
        value = self._value(metric, period, earlier)
        if value is None or period not in self.by_period or "income" not in self.by_period[period]:
            return None
        unit = "%" if metric in MARGINS or metric in GROWTH else "per_share" if metric == "eps_diluted" else "money"
        end = self.by_period[period]["income"].period_end
        return Truth(self.symbol, self.company, metric, period, end, value, unit)  # type: ignore[arg-type]

    def _value(self, metric: str, period: tuple[int, str], earlier: bool = False) -> float | None:
        if metric in MARGINS:
            part, whole = (self._item(name, period, earlier) for name in (MARGINS[metric], "revenue"))
            return 100 * part / whole if part is not None and whole else None
        if metric in GROWTH:
            now, then = (self._item(GROWTH[metric], (year, period[1]), earlier) for year in (period[0], period[0] - 1))
            return 100 * (now / then - 1) if now is not None and then is not None and then > 0 and now > 0 else None
        return self._item(metric, period, earlier)

    def _item(self, name: str, period: tuple[int, str], earlier: bool) -> float | None:
        for kind, sheet in self.by_period.get(period, {}).items():
            old = self.earlier.get(period, {}).get(kind)
            used = old if earlier and old is not None else sheet
            if name in used.items:
                return used.items[name]
        return None


def quarter_words(rng: random.Random, truth: Truth, *, second: bool) -> str:
    """Name a period."""
    year, part = truth.period
    if not part:
        return ""
    ended = f"{MONTHS[truth.end.month - 1]} {truth.end.day}, {truth.end.year}"
    if part == "FY":
        styles = [f"fiscal {year}", f"FY{year}", f"fiscal year {year}"]
        return rng.choice([f"FY{year % 100}", f"the fiscal year ended {ended}", f"FY {year}"] if second else styles)
    number = int(part[1])
    word = ("first", "second", "third", "fourth")[number - 1]
    if second:
        return rng.choice([f"{number}QFY{year % 100}", f"FQ{number} {year}", f"the three months ended {ended}"])
    return rng.choice([f"Q{number} FY{year}", f"the {word} quarter of fiscal {year}", f"the quarter ended {ended}"])


def money(rng: random.Random, value: float, *, second: bool) -> str:
    """Print an amount."""
    sign = "-" if value < 0 else ""
    size = abs(value)
    if second:
        if size >= 1e9:
            return rng.choice(
                [f"{sign}USD {size / 1e9:.2f}bn", f"{sign}${size / 1e9:.1f} bn", f"{sign}${size / 1e6:,.1f}m"]
            )
        return f"{sign}USD {size / 1e6:.1f}m"
    if size >= 1e9:
        return rng.choice(
            [f"{sign}${size / 1e9:.2f} billion", f"{sign}${size / 1e6:,.0f} million", f"{sign}${size / 1e9:.1f}B"]
        )
    return f"{sign}${size / 1e6:.1f} million"


def printed(rng: random.Random, truth: Truth, value: float, *, second: bool) -> str:
    """Print a figure."""
    if truth.unit == "%":
        return rng.choice([f"{value:.1f} percent", f"{value:.2f}%"] if second else [f"{value:.1f}%", f"{value:.2f}%"])
    if truth.unit == "x":
        return f"{value:.1f}x"
    if truth.unit in ("per_share", "price"):
        sign = "-" if value < 0 else ""
        return f"{sign}${abs(value):.2f}"
    return money(rng, value, second=second)


FIRST: Mapping[str, Sequence[str]] = {
    "flow": (
        "{company} reported {metric} of {value} in {period}.",
        "In {period}, {company}'s {metric} was {value}.",
        "{Metric} came in at {value} for {period}.",
        "{company} generated {value} of {metric} in {period}, in line with our model.",
        "We start from {period}: {metric} amounted to {value}.",
    ),
    "margin": (
        "{company}'s {metric} was {value} in {period}.",
        "In {period}, {metric} reached {value}.",
        "{Metric} of {value} in {period} shows the pricing power of {company}.",
    ),
    "growth": (
        "{Base} grew {value} year over year in {period}.",
        "In {period}, {company}'s {base} rose by {value} from a year earlier.",
    ),
    "sheet": (
        "At the end of {period}, {company} had {metric} of {value}.",
        "{company} ended {period} with {metric} of {value}.",
    ),
    "per_share": (
        "{company} earned {value} per diluted share in {period}.",
        "Diluted EPS was {value} in {period}.",
    ),
    "price": (
        "The shares of {company} closed at {value} on {day}.",
        "{company} last traded at {value} ({day}).",
    ),
}
SECOND: Mapping[str, Sequence[str]] = {
    "flow": (
        "For {period}, we note {metric} of {value} at {company}.",
        "{company} posted {period} {metric} of {value}.",
        "{Metric} ({period}): {value}.",
        "{company} delivered {value} in {metric} over {period}.",
        "The {metric} that {company} booked for {period} stands at {value}.",
    ),
    "margin": (
        "{period} {metric} stood at {value}.",
        "With {value}, the {metric} of {company} in {period} was the number to watch.",
        "{company} ran a {metric} of {value} during {period}.",
    ),
    "growth": (
        "Against the same period of the prior year, {base} of {company} went up {value} in {period}.",
        "{company} increased {base} {value} y/y in {period}.",
    ),
    "sheet": (
        "The balance sheet of {company} showed {metric} of {value} at the close of {period}.",
        "As of {day}, {metric} stood at {value}.",
    ),
    "per_share": (
        "Diluted earnings per share for {period} were {value}.",
        "{company} made {value} a share (diluted) in {period}.",
    ),
    "price": (
        "On {day}, {company}'s stock finished at {value}.",
        "Price ({day} close): {value}.",
    ),
}
PRESS_NAMES: Mapping[str, str] = {
    **FIRST_NAMES,
    "revenue": "sales",
    "net_income": "profit",
    "operating_income": "operating earnings",
    "operating_cash_flow": "cash from operations",
    "research_and_development": "R&D",
    "equity": "stockholders' equity",
    "cash": "cash and cash equivalents",
    "eps_diluted": "diluted earnings per share",
}
PRESS: Mapping[str, Sequence[str]] = {
    "flow": (
        "In its recently announced earnings for {period}, {company} reported {metric} of {value}.",
        "In {period}, {company} generated {value} in {metric}, ahead of what the market had hoped for.",
        "{company} reported results for {period} topping the market's hopes, with {metric} of {value}.",
        "Generating {value} in {metric} in {period}, {company} is now one of the largest in its field.",
        "{company} has grown a lot since it was founded, and {metric} hit {value} in {period}.",
    ),
    "margin": (
        "{company} revealed a {value} {metric} for {period}, but its shares reflect years of growth already.",
        "Its {metric} was {value} in {period}, as costs at {company} moved with sales.",
    ),
    "growth": (
        "{company} reported {period} results beating expectations, with {base} up {value} year on year.",
        "{company} has seen significant growth, with its {base} increasing by {value} in {period}.",
        "{Base} surged {value} in {period} at {company}.",
    ),
    "sheet": ("{company} finished {period} with {value} of {metric} on its balance sheet.",),
    "per_share": (
        "{company} posted profit per diluted share of {value} for {period}.",
        "For {period}, {company} delivered diluted earnings per share of {value}.",
    ),
    "price": ("{company} shares ended {day} at {value}.", "Shares of {company} closed {day} at {value} each."),
}
FRESH_NAMES: Mapping[str, str] = {
    **FIRST_NAMES,
    "revenue": "total revenue",
    "net_income": "net earnings",
    "operating_income": "EBIT",
    "free_cash_flow": "free cash flow",
    "gross_profit": "gross profit",
    "equity": "equity",
}
FRESH: Mapping[str, Sequence[str]] = {
    "flow": (
        "{Metric} at {company} was {value} in {period}, compared with {value2} in {period2}.",
        "{company} lifted {metric} from {value2} in {period2} to {value} in {period}.",
        "- {period}: {metric} {value} ({period2}: {value2})",
        "While {metric} had been {value2} in {period2}, {company} printed {value} for {period}.",
        "{company} turned in {metric} of {value} for {period}; a year or a quarter never tells the whole story.",
    ),
    "margin": (
        "{Metric} for {period} came to {value} at {company}, versus {value2} in {period2}.",
        "{company}: {metric} {value} ({period}).",
    ),
    "growth": ("{company} grew {base} by {value} in {period} over the prior-year period.",),
    "sheet": ("{company} carried {metric} of {value} on its books at the end of {period}.",),
    "per_share": ("{company} recorded diluted EPS of {value} in {period}, against {value2} in {period2}.",),
    "price": ("{company} stock changed hands at {value} when the market closed on {day}.",),
}
_WORDS = {
    "fresh": (FRESH_NAMES, FRESH),
    "first": (FIRST_NAMES, FIRST),
    "second": (SECOND_NAMES, SECOND),
    "press": (PRESS_NAMES, PRESS),
}
FILLER = (
    "We think that the market underrates how long this can last.",
    "Management repeated that it sees 3 reasons for caution, and gave no guidance.",
    "The next catalyst is the product cycle; page 4 of the appendix has our channel checks.",
    "Our target price of $310 rests on a discounted cash flow.",
    "We expect margins to widen by 150 basis points over the coming 3 years.",
)


class ReportWriter:
    """Writes reports on companies of a market, with errors at a given rate."""

    def __init__(self, books: Sequence[Books], rng: random.Random, *, style: Style, rate: float) -> None:
        """Set the companies, the chance, the phrasing and the share of figures with an error."""
        self._books, self._rng, self._style, self._rate = books, rng, style, rate
        self._names, self._phrases = _WORDS[style]
        self._second = style == "second"
        self._lines: list[str] = []
        self._figures: list[Planted] = []
        self._about: Books | None = None
        self._beside: Sequence[Books] = ()

    def write(self, company: Books, *, others: Sequence[Books], paragraphs: int) -> MadeReport:
        """Return a report on one company, with a table that sets it beside others."""
        self._lines, self._figures, self._beside = [], [], [company, *others]
        self._say(f"# {company.company} ({company.symbol}): initiation of coverage")
        self._say("")
        for number in range(paragraphs):
            if number % 4 == 0:
                self._say(f"## {self._rng.choice(('Results', 'Financials', 'What the numbers say', 'Key figures'))}")
                self._say("")
            if number % 4 == 1:
                self._period_table(company)
            elif number % 8 == 3:
                self._company_table([company, *others])
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
            self._sentence(about, company)
        self._say(self._rng.choice(FILLER))

    def _sentence(self, about: Books, subject: Books) -> None:
        kind = self._rng.choice(("flow", "flow", "flow", "margin", "growth", "sheet", "per_share", "price"))
        truth = self._truth(about, kind)
        if truth is None:
            return
        plain = about is subject and self._about in (None, subject)  # else the sentence before is on another company
        self._about = about
        phrases = [one for one in self._phrases[kind] if plain or "{company}" in one]
        phrase = self._rng.choice(phrases)
        text, shown, error = self._printed(truth)
        other = self._of(truth).truth(truth.metric, self._other_period(truth)) if "{value2}" in phrase else None
        if "{value2}" in phrase and other is None:
            return
        text2 = printed(self._rng, other, other.value, second=self._second) if other is not None else ""
        name = self._names.get(GROWTH.get(truth.metric, truth.metric), truth.metric)
        line = phrase.format(
            company=shown.company,
            metric=name,
            Metric=name[:1].upper() + name[1:],
            base=name,
            Base=name[:1].upper() + name[1:],
            value=text,
            value2=text2,
            period2=quarter_words(self._rng, other, second=self._second) if other is not None else "",
            period=quarter_words(self._rng, shown, second=self._second),
            day=f"{MONTHS[shown.end.month - 1]} {shown.end.day}, {shown.end.year}",
        )
        line = line[:1].upper() + line[1:]
        here = [Planted(text, error, truth, len(self._lines), self._style)]
        if other is not None:
            here.append(Planted(text2, None, other, len(self._lines), self._style))
        self._figures += reversed(here) if phrase.find("{value2}") < phrase.find("{value}") and other else here
        self._say(line)

    def _other_period(self, truth: Truth) -> tuple[int, str]:
        """Return another period of the same kind."""
        same = [one for one in self._of(truth).periods(10) if (one[1] == "FY") == (truth.period[1] == "FY")]
        return self._rng.choice([one for one in same if one != truth.period] or same)

    def _truth(self, about: Books, kind: str) -> Truth | None:
        rng = self._rng
        if kind == "price":
            return Truth(about.symbol, about.company, "price", (0, ""), about.price_day, about.price, "price")
        metrics = {
            "flow": [one for one in MONEY if one not in SHEET],
            "sheet": sorted(SHEET),
            "margin": list(MARGINS),
            "growth": list(GROWTH),
            "per_share": ["eps_diluted"],
        }[kind]
        for _ in range(8):
            truth = about.truth(rng.choice(metrics), rng.choice(about.periods(10)))
            if truth is not None and (truth.unit != "money" or abs(truth.value) > 1e6) and abs(truth.value) > 0.05:
                if kind == "growth" and truth.value <= 1:
                    continue
                return truth
        return None

    def _printed(self, truth: Truth) -> tuple[str, Truth, Kind | None]:
        """Return a figure as printed, the truth whose words stand around it, and the error, if any."""
        if self._rng.random() < self._rate:
            kinds = [one for one in KINDS if one != "restated" or self._has_earlier(truth)]
            weights = [5 if one == "restated" else 1 for one in kinds]
            for kind in self._rng.choices(kinds, weights, k=6):
                if (made := self._wrong(truth, kind)) is not None:
                    return made, truth, kind
        return printed(self._rng, truth, truth.value, second=self._second), truth, None

    def _has_earlier(self, truth: Truth) -> bool:
        return self._of(truth).earlier.get(truth.period) is not None

    def _of(self, truth: Truth) -> Books:
        return next(one for one in self._books if one.symbol == truth.symbol)

    def _wrong(self, truth: Truth, kind: Kind) -> str | None:
        """Print a figure with an error; None where it would be right after all, or an error of another kind."""
        value = self._wrong_value(truth, kind)
        if value is None or truth.value == 0:
            return None
        text = printed(self._rng, replace(truth, unit=truth.unit), value, second=self._second)
        resolution = 0.06 if truth.unit == "%" else 0.006 if truth.unit in ("per_share", "price") else 0.06e9
        if kind != "scale" and abs(value - truth.value) <= max(0.02 * abs(truth.value), resolution):
            return None  # not told from the right one as printed
        if kind == "value" and self._is_elsewhere(truth, value):
            return None
        if kind in ("company", "restated") and self._is_elsewhere(truth, value, own=True):
            return None
        return text

    def _wrong_value(self, truth: Truth, kind: Kind) -> float | None:
        rng, own = self._rng, self._of(truth)
        if kind == "value":
            return truth.value * rng.choice((1, 1, -1)) ** 0 * (1 + rng.choice((-1, 1)) * rng.uniform(0.04, 0.4))
        if kind == "scale":
            return truth.value * rng.choice((1e3, 1e-3)) if truth.unit == "money" and abs(truth.value) > 5e9 else None
        if truth.metric == "price":
            others = [one for one in self._beside if one.symbol != truth.symbol]
            return rng.choice(others).price if kind == "company" and others else None
        if kind == "period":
            near = [one for one in own.periods(10) if one != truth.period]
            found = own.truth(truth.metric, rng.choice(near))
            return found.value if found is not None else None
        if kind == "company":
            other = rng.choice([one for one in self._beside if one.symbol != truth.symbol])
            same = other.truth(truth.metric, truth.period)
            return same.value if same is not None else None
        old = own.truth(truth.metric, truth.period, earlier=True)
        return old.value if old is not None else None

    def _is_elsewhere(self, truth: Truth, value: float, *, own: bool = False) -> bool:
        """Tell whether a value is that of another period, or of another company, within what is printed."""
        for books in self._books:
            if own and books.symbol != truth.symbol:
                continue
            for period in books.periods(14):
                one = books.truth(truth.metric, period) if truth.metric != "price" else None
                if one is not None and abs(one.value - value) <= 0.011 * abs(value) + _step(truth, value):
                    return True
        return False

    def _table_second(self) -> bool:
        """Tell whether the next table is of the second kind: periods or metrics down, metrics or companies across."""
        return self._second or (self._style in ("press", "fresh") and self._rng.random() < 0.5)

    def _period_table(self, company: Books) -> None:
        """Write a table of one company: metrics by periods, or periods by metrics."""
        quarterly = self._rng.random() < 0.6
        periods = [one for one in company.periods(14) if (one[1] == "FY") != quarterly][:4]
        metrics = self._rng.sample(["revenue", "gross_profit", "operating_income", "net_income", "free_cash_flow"], 4)
        metrics += [*self._rng.sample(list(MARGINS), 1), "eps_diluted"]
        if self._table_second():
            self._table_by_rows(company, periods, metrics)
            return
        heads = [f"{part} FY{year}" if part != "FY" else f"FY{year}" for year, part in periods]
        self._say("USD millions, except per share")
        self._say("")
        self._say(f"| Item | {' | '.join(heads)} |")
        self._say(f"|---|{'---|' * len(heads)}")
        for metric in metrics:
            cells = [self._cell(company.truth(metric, one), 1e6, ",.0f") for one in periods]
            self._say(f"| {self._names[metric][:1].upper()}{self._names[metric][1:]} | {' | '.join(cells)} |")

    def _table_by_rows(self, company: Books, periods: Sequence[tuple[int, str]], metrics: Sequence[str]) -> None:
        names = [
            self._names[one] + (" ($bn)" if one in MONEY else " ($)" if one == "eps_diluted" else "") for one in metrics
        ]
        self._say(f"Summary financials of {company.company}")
        self._say("")
        self._say(f"| Period | {' | '.join(names)} |")
        self._say(f"|---|{'---:|' * len(names)}")
        for year, part in periods:
            cells = [self._cell(company.truth(one, (year, part)), 1e9, ",.2f") for one in metrics]
            head = f"{part[1]}Q FY{year}" if part != "FY" else f"FY{year}"
            self._say(f"| {head} | {' | '.join(cells)} |")

    def _company_table(self, companies: Sequence[Books]) -> None:
        """Write a table of companies for one year: companies by metrics, or the other way round."""
        common = set.intersection(*(set(one.periods(14)) for one in companies))
        years = sorted((one for one in common if one[1] == "FY"), reverse=True) or sorted(common, reverse=True)
        if not years:
            return
        period, metrics = years[0], ["revenue", "net_income", "gross_margin", "net_margin"]
        label = f"fiscal {period[0]}" if period[1] == "FY" else f"{period[1]} FY{period[0]}"
        if self._table_second():
            self._say(f"Peers, {label} ($ millions)")
            self._say("")
            self._say(f"| | {' | '.join(one.company for one in companies)} |")
            self._say(f"|---|{'---|' * len(companies)}")
            for metric in metrics:
                cells = [self._cell(one.truth(metric, period), 1e6, ",.0f") for one in companies]
                self._say(f"| {self._names[metric]} | {' | '.join(cells)} |")
            return
        heads = [f"{self._names[one]}{' ($M)' if one in MONEY else ''}" for one in metrics]
        self._say(f"Comparison for {label}:")
        self._say("")
        self._say(f"| Company | {' | '.join(heads)} |")
        self._say(f"|---|{'---|' * len(heads)}")
        for one in companies:
            cells = [self._cell(one.truth(metric, period), 1e6, ",.0f") for metric in metrics]
            self._say(f"| {one.company} ({one.symbol}) | {' | '.join(cells)} |")

    def _cell(self, truth: Truth | None, scale: float, form: str) -> str:
        if truth is None:
            return "n/a"
        value, error = truth.value, None
        if self._rng.random() < self._rate:
            kinds = [one for one in KINDS if one != "restated" or self._has_earlier(truth)]
            kind = self._rng.choices(kinds, [5 if one == "restated" else 1 for one in kinds])[0]
            wrong = self._wrong(truth, kind)
            made = self._wrong_value(truth, kind) if wrong is not None else None
            if made is not None and self._still_wrong(truth, made, kind):
                value, error = made, kind
        shown = (
            f"{value:.1f}%"
            if truth.unit == "%"
            else f"{value:.2f}"
            if truth.unit == "per_share"
            else format(value / scale, form)
        )
        self._figures.append(Planted(shown, error, truth, len(self._lines), self._style))
        return shown

    def _still_wrong(self, truth: Truth, value: float, kind: Kind) -> bool:
        """Tell whether a second draw of an error fulfils what the first did."""
        resolution = 0.11 if truth.unit == "%" else 0.011
        if kind != "scale" and abs(value - truth.value) <= max(0.02 * abs(truth.value), resolution):
            return False
        if kind == "scale":
            return abs(value) > 1.5e9  # three digits at least, also in billions
        return not (
            (kind == "value" and self._is_elsewhere(truth, value))
            or (kind in ("company", "restated") and self._is_elsewhere(truth, value, own=True))
        )


def _step(truth: Truth, value: float) -> float:
    """Return twice the coarsest step in which a figure is printed."""
    if truth.unit == "money":
        return 0.11e9 if abs(value) >= 1e9 else 0.11e6
    return 0.11 if truth.unit == "%" else 0.011


def reports(
    books: Sequence[Books], *, seed: int, count: int, paragraphs: int, style: Style, rate: float
) -> Iterator[MadeReport]:
    """Yield reports, each on another company in turn, with two others beside it."""
    rng = random.Random(seed)  # noqa: S311
    writer = ReportWriter(books, rng, style=style, rate=rate)
    for number in range(count):
        company = books[number % len(books)]
        others = rng.sample([one for one in books if one is not company], min(2, len(books) - 1))
        yield writer.write(company, others=others, paragraphs=paragraphs)


def with_restatements(found: Sequence[Statement], seed: int) -> tuple[Statement, ...]:
    """Return statements with an earlier version of every third period, filed when it was; the later one restates it."""
    made: list[Statement] = []
    for one in found:
        made.append(one)
        rng = random.Random(f"{seed}{one.symbol}{one.period_end}{one.frequency}")  # noqa: S311
        if rng.random() < 0.35:
            later = one.known_at + timedelta(days=30)
            factor = 1 + rng.choice((-1, 1)) * rng.uniform(0.05, 0.2)
            items = {name: value * factor for name, value in one.items.items()}
            made[-1] = replace(one, items=items)
            made.append(replace(one, known_at=later))
    return tuple(made)
