"""Generates questions from data, and computes their answers with plain arithmetic over plain rows."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pandas as pd

from benchmarks.research.cases import ExpectedValue, Intent, ResearchCase
from benchmarks.research.raw_data import RawMarket, RawStatement, cutoff

DAYS = (date(2024, 9, 13), date(2024, 12, 13), date(2025, 3, 14), date(2025, 6, 13))
"""Days of the questions: Fridays with a session."""
MONTHS = (
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
)
ITEMS = {
    "revenue": ("income", ("revenue", "total revenue", "sales")),
    "net_income": ("income", ("net income",)),
    "operating_income": ("income", ("operating income",)),
    "operating_cash_flow": ("cashflow", ("operating cash flow", "cash from operations")),
}
MARGINS = {
    "gross_profit": ("gross margin", "gross profit margin"),
    "operating_income": ("operating margin", "operating profit margin"),
    "net_income": ("net margin", "net profit margin"),
}
MOST_TRIES = 60
SMALLEST_COUNT = 1e6
"""Share counts below it are in thousands or millions, an error of the source."""
Made = ResearchCase | None


class QuestionGenerator:
    """Makes questions of every kind; the same seed gives the same questions."""

    def __init__(self, market: RawMarket, seed: int) -> None:
        """Set the data and the seed."""
        self._market, self._random = market, random.Random(seed)  # noqa: S311 - questions, no secrets
        self._symbols = sorted(market.companies())

    def questions(self, count: int) -> list[ResearchCase]:
        """Return so many questions, no two of the same words."""
        kinds: list[tuple[int, Callable[[], Made]]] = [
            (4, self.close_on_a_day), (3, self.extreme_close), (5, self.item_of_a_year), (4, self.item_of_a_quarter),
            (5, self.margin_of_a_year), (3, self.margin_of_twelve_months), (4, self.return_over_a_window),
            (4, self.growth_of_a_year), (3, self.compound_growth), (2, self.average_margin), (4, self.multiple),
            (3, self.market_value), (5, self.compared_margin), (3, self.compared_return), (4, self.screened),
            (2, self.insiders), (3, self.current_ratio), (3, self.from_a_filing), (2, self.price_to_sales),
            (2, self.not_filed_yet), (2, self.after_the_day), (1, self.unknown_figure),
            (1, self.no_such_company), (3, self.f_score), (2, self.graham_number),
        ]  # fmt: skip
        chosen = [make for weight, make in kinds for _ in range(weight)]
        found: dict[str, ResearchCase] = {}
        for tried in range(MOST_TRIES * count):
            if len(found) == count:
                break
            made = chosen[tried % len(chosen)]()
            if made is not None:
                found.setdefault(made.question + str(made.as_of), made)
        return [
            replace(one, id=f"g{number:03}", real_data=self._market.real)
            for number, one in enumerate(found.values(), 1)
        ]

    # what is drawn

    def _one(self, choices: Sequence[str]) -> str:
        return self._random.choice(choices)

    def _day(self) -> date:
        return self._random.choice(DAYS)

    def _company(self) -> tuple[str, str]:
        """Return a symbol, and how the question names it: by symbol or by name."""
        symbol = self._one(self._symbols)
        return symbol, symbol if self._random.random() < 0.7 else self._market.companies()[symbol]

    def _several(self, count: int) -> list[str]:
        return self._random.sample(self._symbols, count)

    # what is looked up

    def _filed(self, symbol: str, day: date) -> list[RawStatement]:
        """Return the statements filed by a day, each period as filed last."""
        known = sorted(
            (one for one in self._market.statements(symbol) if one.filed <= cutoff(day)), key=lambda one: one.filed
        )
        return list({(one.kind, one.frequency, one.year, one.period): one for one in known}.values())

    def _year(self, symbol: str, day: date, kind: str, item: str, year: int) -> float | None:
        """Return an item of a fiscal year: as filed, else the sum of its four quarters."""
        rows = [one for one in self._filed(symbol, day) if one.kind == kind and one.year == year and item in one.items]
        whole = next((one for one in rows if one.frequency == "annual"), None)
        if whole is not None:
            return whole.items[item]
        quarters = [one for one in rows if one.frequency == "quarterly"]
        return sum(one.items[item] for one in quarters) if len(quarters) == 4 else None

    def _last_years(self, symbol: str, day: date) -> list[int]:
        return [year for year in range(day.year + 1, 2018, -1) if self._year(symbol, day, "income", "revenue", year)]

    def _quarters(self, symbol: str, day: date, kind: str) -> list[RawStatement]:
        """Return quarters in order, newest first."""
        rows = [one for one in self._filed(symbol, day) if one.kind == kind and one.frequency == "quarterly"]
        return sorted(rows, key=lambda one: one.end, reverse=True)

    def _twelve_months(self, symbol: str, day: date, kind: str, item: str) -> float | None:
        rows = self._quarters(symbol, day, kind)[:4]
        if len(rows) < 4 or any(item not in one.items for one in rows) or (rows[0].end - rows[3].end).days > 300:
            return None
        return sum(one.items[item] for one in rows)

    def _bars(self, symbol: str, day: date) -> pd.DataFrame:
        """Return the bars up to a day, as traded then."""
        bars = self._market.prices(symbol)
        factor = math.prod(ratio for split, ratio in self._market.splits(symbol) if split > day)
        known = bars[bars["day"] <= pd.Timestamp(day)].copy()
        known[["close", "adjusted"]] *= factor
        return known

    def _close(self, symbol: str, day: date, on: date, column: str = "close") -> float:
        bars = self._bars(symbol, day)
        return float(bars.loc[bars["day"] <= pd.Timestamp(on), column].iloc[-1])

    def _made(self, intent: Intent, question: str, day: date, *values: ExpectedValue, **more: object) -> ResearchCase:
        return ResearchCase("", intent, question, day, values, **more)  # type: ignore[arg-type]

    # prices

    def close_on_a_day(self) -> Made:
        """Ask for a close."""
        symbol, name = self._company()
        day = self._day()
        bars = self._bars(symbol, day)
        row = bars.iloc[self._random.randrange(len(bars) - 300, len(bars))]
        on = row["day"].date()
        shown = self._one(
            [
                on.isoformat(),
                f"{on.day} {MONTHS[on.month - 1]} {on.year}",
                f"{MONTHS[on.month - 1]} {on.day}, {on.year}",
            ]
        )
        asked = self._one(
            [
                f"What did {name} close at on {shown}?",
                f"What was the closing price of {name} on {shown}?",
                f"Close of {name} on {shown}?",
            ]
        )
        return self._made(
            "quick_lookup", asked, day, ExpectedValue(float(row["close"]), "money"), derivation=f"close of {on}"
        )

    def extreme_close(self) -> Made:
        """Ask for the highest or lowest close of a year or month."""
        symbol, name = self._company()
        day = self._day()
        word = self._one(["highest", "lowest"])
        month = self._random.randrange(1, 13)
        whole = self._random.random() < 0.5
        first, last = (
            (date(2023, 1, 1), date(2023, 12, 31))
            if whole
            else (date(2023, month, 1), (date(2023, month, 28) + timedelta(days=4)).replace(day=1) - timedelta(days=1))
        )
        when = "2023" if whole else f"{MONTHS[month - 1]} 2023"
        bars = self._bars(symbol, day)
        closes = bars.loc[(bars["day"] >= pd.Timestamp(first)) & (bars["day"] <= pd.Timestamp(last)), "close"]
        asked = self._one(
            [f"What was the {word} close of {name} in {when}?", f"{word.title()} closing price of {name} in {when}?"]
        )
        value = float(closes.max() if word == "highest" else closes.min())
        return self._made(
            "quick_lookup", asked, day, ExpectedValue(value, "money"), derivation=f"{word} close of {first} to {last}"
        )

    def return_over_a_window(self) -> Made:
        """Ask for a return with or without dividends."""
        symbol, name = self._company()
        day = self._day()
        total = self._random.random() < 0.5
        kind = self._random.randrange(3)
        if kind == 0:
            first, last, when = date(2022, 12, 31), date(2023, 12, 31), "in 2023"
        elif kind == 1:
            months = self._random.choice((3, 6, 12))
            number = day.year * 12 + day.month - 1 - months
            first, last, when = date(number // 12, number % 12 + 1, day.day), day, f"over the last {months} months"
        else:
            first = date(2023, self._random.randrange(1, 13), self._random.randrange(1, 28))
            last = first + timedelta(days=self._random.randrange(60, 250))
            when = f"from {first} to {last}"
        column = "adjusted" if total else "close"
        start, end = self._close(symbol, day, first, column), self._close(symbol, day, last, column)
        asked = (
            self._one(
                [
                    f"What was the total return of {name} {when}?",
                    f"How much did shareholders of {name} earn {when}, dividends included (total return)?",
                ]
            )
            if total
            else self._one(
                [
                    f"What was the price change of {name} {when}?",
                    f"By how much did the price of {name} change {when}, price change without dividends?",
                ]
            )
        )
        value = 100 * (end / start - 1)
        return self._made(
            "research",
            asked,
            day,
            ExpectedValue(value, "%", tolerance=0.002),
            derivation=f"{column} {end} over {start}",
        )

    # statements

    def item_of_a_year(self) -> Made:
        """Ask for an item of a fiscal year."""
        symbol, name = self._company()
        day = self._day()
        item = self._one(sorted(ITEMS))
        kind, words = ITEMS[item]
        years = self._last_years(symbol, day)[:5]
        if not years:
            return None
        year = self._random.choice(years)
        value = self._year(symbol, day, kind, item, year)
        if not value:
            return None
        word = self._one(words)
        asked = self._one(
            [
                f"What was the {word} of {name} in fiscal {year}?",
                f"How much {word} did {name} report for fiscal year {year}?",
                f"{name} FY{year} {word}?",
            ]
        )
        return self._made(
            "quick_lookup", asked, day, ExpectedValue(value, "money"), derivation=f"{item} of fiscal {year}"
        )

    def item_of_a_quarter(self) -> Made:
        """Ask for an item of a fiscal quarter."""
        symbol, name = self._company()
        day = self._day()
        item = self._one(["revenue", "net_income", "operating_income"])
        rows = [one for one in self._quarters(symbol, day, "income")[:10] if one.items.get(item)]
        if not rows:
            return None
        one = self._random.choice(rows)
        word, number = ITEMS[item][1][0], one.period[1]
        ordinal = ("first", "second", "third", "fourth")[int(number) - 1]
        asked = self._one(
            [
                f"What was the {word} of {name} in Q{number} {one.year}?",
                f"What {word} did {name} report for the {ordinal} quarter of fiscal {one.year}?",
            ]
        )
        return self._made(
            "quick_lookup",
            asked,
            day,
            ExpectedValue(one.items[item], "money"),
            derivation=f"{item} of {one.period} {one.year}",
        )

    def _margin(self, symbol: str, day: date, item: str, year: int) -> float | None:
        above, below = (self._year(symbol, day, "income", name, year) for name in (item, "revenue"))
        return 100 * above / below if above is not None and below else None

    def margin_of_a_year(self) -> Made:
        """Ask for a margin of a fiscal year."""
        symbol, name = self._company()
        day = self._day()
        item = self._one(["operating_income", "net_income"] if self._is_financial(symbol) else sorted(MARGINS))
        years = self._last_years(symbol, day)[:4]
        year = self._random.choice(years) if years else 0
        value = self._margin(symbol, day, item, year)
        if value is None:
            return None
        word = self._one(MARGINS[item])
        asked = self._one(
            [
                f"What was the {word} of {name} in fiscal {year}?",
                f"{word.capitalize()} of {name}, FY{year}?",
                f"What {word} did {name} reach in fiscal year {year}?",
            ]
        )
        return self._made(
            "quick_lookup", asked, day, ExpectedValue(value, "%"), derivation=f"{item} over revenue, fiscal {year}"
        )

    def _is_financial(self, symbol: str) -> bool:
        """Tell whether a company may have no meaningful gross profit: its statements lack cost or it is a bank."""
        return self._market.real or symbol in ("LEDQ", "COVZ", "PAYQZ", "BROQ", "TRUZ")

    def margin_of_twelve_months(self) -> Made:
        """Ask for a margin of the last four quarters."""
        symbol, name = self._company()
        day = self._day()
        item = self._one(["operating_income", "net_income"])
        above, below = (self._twelve_months(symbol, day, "income", one) for one in (item, "revenue"))
        if above is None or not below:
            return None
        word = self._one(MARGINS[item])
        asked = self._one(
            [
                f"What is the {word} of {name} over the last twelve months?",
                f"Trailing twelve-month {word} of {name}?",
                f"What is the {word} of {name}?",
            ]
        )
        return self._made(
            "research",
            asked,
            day,
            ExpectedValue(100 * above / below, "%"),
            derivation=f"{item} over revenue, four quarters",
        )

    def growth_of_a_year(self) -> Made:
        """Ask for growth from a fiscal year to the next."""
        symbol, name = self._company()
        day = self._day()
        item = self._one(["revenue", "net_income"])
        years = self._last_years(symbol, day)[:4]
        year = self._random.choice(years) if years else 0
        now, then = (self._year(symbol, day, "income", item, one) for one in (year, year - 1))
        if now is None or not then or then <= 0 or now <= 0:
            return None
        word = ITEMS[item][1][0]
        asked = self._one(
            [
                f"How fast did the {word} of {name} grow in fiscal {year}?",
                f"What was the {word} growth of {name} in fiscal {year}?",
                f"By what percentage did {name}'s {word} change from fiscal {year - 1} to {year}?",
            ]
        )
        return self._made(
            "research", asked, day, ExpectedValue(100 * (now / then - 1), "%"), derivation=f"{item} {now} over {then}"
        )

    def compound_growth(self) -> Made:
        """Ask for a compound growth rate."""
        symbol, name = self._company()
        day = self._day()
        years = self._last_years(symbol, day)
        if len(years) < 4:
            return None
        last, span = years[0], self._random.choice((2, 3))
        now, then = (self._year(symbol, day, "income", "revenue", one) for one in (last, last - span))
        if not now or not then:
            return None
        asked = self._one(
            [
                f"What was the revenue CAGR of {name} from fiscal {last - span} to fiscal {last}?",
                f"At what compound annual growth rate did revenue of {name} grow from FY{last - span} to FY{last}?",
            ]
        )
        return self._made(
            "research",
            asked,
            day,
            ExpectedValue(100 * ((now / then) ** (1 / span) - 1), "%"),
            derivation=f"({now} / {then}) ** (1 / {span}) - 1",
        )

    def average_margin(self) -> Made:
        """Ask for an average margin of three fiscal years."""
        symbol, name = self._company()
        day = self._day()
        years = self._last_years(symbol, day)[:3]
        found = [self._margin(symbol, day, "operating_income", year) for year in years]
        margins = [one for one in found if one is not None]
        if len(margins) < 3:
            return None
        asked = self._one(
            [
                f"What was the average operating margin of {name} over fiscal {years[2]} to {years[0]}?",
                f"Average operating margin of {name} over the last three fiscal years?",
            ]
        )
        return self._made("research", asked, day, ExpectedValue(sum(margins) / 3, "%"), derivation=f"mean of {margins}")

    def current_ratio(self) -> Made:
        """Ask for the current ratio at the end of a fiscal quarter."""
        symbol, name = self._company()
        day = self._day()
        rows = [
            one
            for one in self._quarters(symbol, day, "balance")[:6]
            if one.period != "Q4" and {"current_assets", "current_liabilities"} <= set(one.items)
        ]
        if not rows or self._is_financial(symbol):
            return None
        one = self._random.choice(rows)
        value = one.items["current_assets"] / one.items["current_liabilities"]
        asked = self._one(
            [
                f"What was the current ratio of {name} in {one.period} {one.year}?",
                f"Current ratio of {name} at the end of {one.period} FY{one.year}?",
            ]
        )
        return self._made(
            "quick_lookup", asked, day, ExpectedValue(value, "x"), derivation=f"balance sheet of {one.end}"
        )

    # valuation

    def _shares(self, symbol: str, day: date) -> float | None:
        rows = [
            one
            for one in self._quarters(symbol, day, "income")
            if one.items.get("shares_diluted", 0.0) > SMALLEST_COUNT
        ]
        if not rows:
            return None
        factor = math.prod(ratio for split, ratio in self._market.splits(symbol) if rows[0].filed.date() < split <= day)
        return rows[0].items["shares_diluted"] * factor

    def multiple(self) -> Made:
        """Ask for the P/E on the last four quarters."""
        symbol, name = self._company()
        day = self._day()
        rows = self._quarters(symbol, day, "income")[:4]
        if (
            len(rows) < 4
            or any("eps_diluted" not in one.items for one in rows)
            or any(date(2023, 1, 1) < split for split, _ in self._market.splits(symbol))
        ):
            return None
        eps = sum(one.items["eps_diluted"] for one in rows)
        if eps <= 0.2:
            return None
        value = self._close(symbol, day, day) / eps
        asked = self._one(
            [
                f"What is the P/E of {name}?",
                f"Price to earnings of {name}?",
                f"At what trailing P/E ratio does {name} trade?",
                f"What was the P/E of {name} as of {day}?",
            ]
        )
        return self._made(
            "valuation", asked, day, ExpectedValue(value, "x", tolerance=0.015), derivation=f"close over {eps}"
        )

    def market_value(self) -> Made:
        """Ask for the market value."""
        symbol, name = self._company()
        day = self._day()
        shares = self._shares(symbol, day)
        if not shares:
            return None
        asked = self._one(
            [
                f"What is the market cap of {name}?",
                f"What is the market value of {name}?",
                f"Market capitalisation of {name}?",
            ]
        )
        return self._made(
            "valuation",
            asked,
            day,
            ExpectedValue(self._close(symbol, day, day) * shares, "money"),
            derivation=f"close times {shares}",
        )

    def price_to_sales(self) -> Made:
        """Ask for the price to sales."""
        symbol, name = self._company()
        day = self._day()
        shares, sales = self._shares(symbol, day), self._twelve_months(symbol, day, "income", "revenue")
        if not shares or not sales:
            return None
        asked = self._one([f"What is the price to sales ratio of {name}?", f"P/S of {name}?"])
        return self._made(
            "valuation",
            asked,
            day,
            ExpectedValue(self._close(symbol, day, day) * shares / sales, "x", tolerance=0.01),
            derivation="market value over revenue of four quarters",
        )

    def graham_number(self) -> Made:
        """Ask for the Graham number."""
        symbol, name = self._company()
        day = self._day()
        rows, sheets = self._quarters(symbol, day, "income")[:4], self._quarters(symbol, day, "balance")
        shares = self._shares(symbol, day)
        split = any(date(2023, 1, 1) < one for one, _ in self._market.splits(symbol))
        if len(rows) < 4 or any("eps_diluted" not in one.items for one in rows) or not shares or split or not sheets:
            return None
        eps, book = sum(one.items["eps_diluted"] for one in rows), sheets[0].items.get("equity", 0.0) / shares
        if eps <= 0.2 or book <= 0:
            return None
        asked = self._one([f"What is the Graham number of {name}?", f"Graham number for {name}?"])
        value = math.sqrt(22.5 * eps * book)
        return self._made(
            "valuation",
            asked,
            day,
            ExpectedValue(value, "money", tolerance=0.015),
            derivation=f"(22.5 * {eps} * {book}) ** 0.5",
        )

    def f_score(self) -> Made:
        """Ask for the Piotroski F-score, computed from twelve quarters."""
        symbol, name = self._company()
        day = self._day()
        score = None if self._is_financial(symbol) else self._piotroski(symbol, day)
        if score is None:
            return None
        asked = self._one(
            [
                f"What is the Piotroski F-score of {name}?",
                f"Run a Piotroski check on {name}",
                f"How many Piotroski points does {name} have?",
            ]
        )
        return self._made("screen", asked, day, ExpectedValue(score, tolerance=0.0), derivation="nine signals")

    def _piotroski(self, symbol: str, day: date) -> int | None:
        """Return the signals that hold: two years of four quarters over the assets at their starts (Piotroski 2000)."""
        income, cash, sheets = (self._quarters(symbol, day, kind) for kind in ("income", "cashflow", "balance"))
        by_end = {one.end: one.items for one in sheets}
        if len(income) < 9 or len(cash) < 8 or any(income[at].end not in by_end for at in (0, 4, 8)):
            return None

        def flow(rows: Sequence[RawStatement], item: str, start: int) -> float:
            return sum(one.items[item] for one in rows[start : start + 4])

        now, before, opening = (by_end[income[at].end] for at in (0, 4, 8))
        earned, earned_before = flow(income, "net_income", 0), flow(income, "net_income", 4)
        sold, sold_before = flow(income, "revenue", 0), flow(income, "revenue", 4)
        gross, gross_before = flow(income, "gross_profit", 0), flow(income, "gross_profit", 4)
        operating = flow(cash, "operating_cash_flow", 0)
        debt, debt_before = now.get("long_term_debt", 0.0), before.get("long_term_debt", 0.0)
        leverage = debt / (now["total_assets"] + before["total_assets"])
        leverage_before = debt_before / (before["total_assets"] + opening["total_assets"])
        signals = (
            earned > 0,
            operating > 0,
            earned / before["total_assets"] > earned_before / opening["total_assets"],
            operating > earned,
            leverage < leverage_before or (debt == 0 and debt_before == 0),
            now["current_assets"] / now["current_liabilities"]
            > before["current_assets"] / before["current_liabilities"],
            income[0].items["shares_diluted"] <= income[4].items["shares_diluted"],
            gross / sold > gross_before / sold_before,
            sold / before["total_assets"] > sold_before / opening["total_assets"],
        )
        return sum(signals)

    # several companies

    def compared_margin(self) -> Made:
        """Ask which company has the highest or lowest margin."""
        day, symbols = self._day(), self._several(self._random.choice((2, 3)))
        item = self._one(["operating_income", "net_income"])
        years = set.intersection(*(set(self._last_years(one, day)) for one in symbols))
        if not years:
            return None
        year = max(years)
        found = {one: self._margin(one, day, item, year) for one in symbols}
        known = {one: value for one, value in found.items() if value is not None}
        ranked = sorted(known.values())
        if len(known) < len(symbols) or min(b - a for a, b in pairwise(ranked)) < 0.1:
            return None
        side, word = self._one(["highest", "lowest"]), MARGINS[item][0]
        winner = (max if side == "highest" else min)(known, key=lambda one: known[one])
        listed = f"{', '.join(symbols[:-1])} and {symbols[-1]}"
        asked = self._one(
            [
                f"Which of {listed} had the {side} {word} in fiscal {year}?",
                f"Compare {listed} on {word} in fiscal {year}: who had the {side}?",
            ]
        )
        values = [ExpectedValue(value, "%", one) for one, value in known.items()]
        return self._made(
            "comparison",
            asked,
            day,
            *values,
            winner=winner,
            subjects=tuple(symbols),
            derivation=f"{item} over revenue, fiscal {year}",
        )

    def compared_return(self) -> Made:
        """Ask which company's share did best in a year."""
        day, symbols = self._day(), self._several(2)
        found = {
            one: 100
            * (
                self._close(one, day, date(2023, 12, 31), "adjusted")
                / self._close(one, day, date(2022, 12, 31), "adjusted")
                - 1
            )
            for one in symbols
        }
        winner = max(found, key=lambda one: found[one])
        asked = self._one(
            [
                f"Which had the higher total return in 2023, {symbols[0]} or {symbols[1]}?",
                f"Compare the total return of {symbols[0]} and {symbols[1]} in 2023: which was higher?",
            ]
        )
        values = [ExpectedValue(value, "%", one) for one, value in found.items()]
        return self._made(
            "comparison", asked, day, *values, winner=winner, subjects=tuple(symbols), derivation="adjusted closes"
        )

    def screened(self) -> Made:
        """Ask which companies pass a bound."""
        day, symbols = self._day(), self._several(self._random.choice((3, 4)))
        years = set.intersection(*(set(self._last_years(one, day)) for one in symbols))
        if not years:
            return None
        year = max(years)
        growth = self._random.random() < 0.5
        found: dict[str, float] = {}
        for one in symbols:
            now, then = (self._year(one, day, "income", "revenue", each) for each in (year, year - 1))
            value = (
                100 * (now / then - 1)
                if growth and now and then
                else None
                if growth
                else self._margin(one, day, "net_income", year)
            )
            if value is None:
                return None
            found[one] = value
        bound = self._random.choice((5, 10, 15))
        if min(abs(value - bound) for value in found.values()) < 0.1:
            return None
        listed = f"{', '.join(symbols[:-1])} and {symbols[-1]}"
        what = "revenue growth" if growth else "net margin"
        asked = self._one(
            [
                f"Which of {listed} had {what} above {bound}% in fiscal {year}?",
                f"Screen {listed} for {what} of more than {bound}% in fiscal {year}.",
            ]
        )
        values = [ExpectedValue(value, "%", one) for one, value in found.items()]
        met = tuple(sorted(one for one, value in found.items() if value > bound))
        return self._made(
            "screen", asked, day, *values, met=met, subjects=tuple(symbols), derivation=f"{what}, fiscal {year}"
        )

    # people, news, filings

    def insiders(self) -> Made:
        """Ask how often insiders sold or bought."""
        symbol, name = self._company()
        day = self._day()
        rows = self._market.insiders(symbol)
        if rows is None or rows.empty:
            return None
        known = rows[(rows["filed"] <= cutoff(day)) & (rows["day"] >= day - timedelta(days=180)) & (rows["day"] <= day)]
        side, word = self._random.choice((("sell", "sales"), ("buy", "purchases")))
        count = int((known["kind"] == side).sum())
        asked = self._one(
            [
                f"How many insider {word} were there at {name} over the last six months?",
                f"Number of insider {word} at {name}?",
            ]
        )
        return self._made("research", asked, day, ExpectedValue(count), derivation=f"{side} rows filed by {day}")

    def from_a_filing(self) -> Made:
        """Ask for a figure of the latest annual report."""
        if self._market.real:
            return None
        symbol, name = self._company()
        day = self._day()
        annual = [one for one in self._filed(symbol, day) if one.kind == "income" and one.frequency == "annual"]
        if not annual:
            return None
        newest = max(annual, key=lambda one: one.end)
        item = self._one(["revenue", "net_income", "operating_income"])
        word = ITEMS[item][1][0]
        asked = self._one(
            [
                f"According to the 10-K of {name} for fiscal {newest.year}, what was the {word}?",
                f"What {word} does the fiscal {newest.year} annual report of {name} show?",
            ]
        )
        return self._made(
            "filings",
            asked,
            day,
            ExpectedValue(newest.items[item], "money"),
            derivation=f"{item}, 10-K of fiscal {newest.year}",
        )

    # what has no answer

    def not_filed_yet(self) -> Made:
        """Ask for a fiscal year that had not been filed."""
        symbol, name = self._company()
        day = self._day()
        years = self._last_years(symbol, day)
        if not years:
            return None
        word = self._one(["revenue", "net income", "operating margin"])
        return self._made(
            "quick_lookup",
            f"What was the {word} of {name} in fiscal {years[0] + 1}?",
            day,
            gap=True,
            derivation="not filed by the day",
        )

    def after_the_day(self) -> Made:
        """Ask for a price after the day."""
        _, name = self._company()
        day = self._day()
        later = day + timedelta(days=self._random.randrange(5, 60))
        return self._made(
            "quick_lookup", f"What did {name} close at on {later}?", day, gap=True, derivation="after the day"
        )

    def unknown_figure(self) -> Made:
        """Ask for what no source has."""
        _, name = self._company()
        word = self._one(["number of employees", "market share", "revenue by region", "price target of analysts"])
        return self._made(
            "research", f"What is the {word} of {name}?", self._day(), gap=True, derivation="no source has it"
        )

    def no_such_company(self) -> Made:
        """Ask about a company that there is not."""
        name = self._one(["Zorbanetics Holdings", "Quixmere Dynamics", "Plumdale Freightways"])
        return self._made(
            "quick_lookup",
            f"What was the revenue of {name} in fiscal {self._random.choice((2022, 2023))}?",
            self._day(),
            gap=True,
            derivation="no such company",
        )
