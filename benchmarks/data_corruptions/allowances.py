"""Differences from the true figures that are right all the same: each narrow, and with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Allowance:
    """Figures that may differ in some kinds of cases."""

    kinds: tuple[str, ...]
    """Empty: in all."""
    question: str
    """Pattern of the questions, matched from the start."""
    figure: str
    """Pattern of the whole name of the figures."""
    why: str
    told: bool = True
    """Whether the answer must say so: with a sentence that the true answer lacks, and that names a day."""
    names_row: bool = False
    """Whether that sentence must name one of the changed rows' days."""

    def covers(self, kind: str, question: str, figure: str) -> bool:
        """Return whether this is about a figure of a case."""
        return (
            (not self.kinds or kind in self.kinds)
            and re.match(self.question, question) is not None
            and re.fullmatch(self.figure, figure) is not None
        )


ALLOWANCES = (
    Allowance(
        (),
        ".*",
        r"sessions|.*observations|conditions_met|candidates|stocks_used|articles_in_source",
        "A count of the rows used is the count of those that remain, if the answer says that some are withheld.",
    ),
    Allowance(
        ("stale-end",),
        ".*",
        ".*",
        "Figures are as of the last bar there is, if the answer names its day: nothing newer can be known.",
        names_row=True,
    ),
    Allowance(
        ("halt",),
        ".*",
        ".*(last_close|price|close|change_1d)",
        "The last close traded is right for a company whose trading stands still, if the answer names the days.",
        names_row=True,
    ),
    Allowance(
        ("short-history",),
        r"(trading run )?(get_stock_data|market_snapshot|risk_profile|beta_estimate|build_valuation_inputs|lppl).*",
        r"(?!.*(52w|1y|200|_1m|_3m|_6m|_12m|ytd)).*",
        "A figure whose name states no length may be over the bars there are, if the answer says since when.",
        names_row=True,
    ),
    Allowance(
        ("short-history",),
        r"get_price_change.*",
        "first_close|price_change|total_return|highest_close|lowest_close|average_close|sessions",
        "The window begins with the first bar there is, if the answer says so.",
        names_row=True,
    ),
    Allowance(
        ("short-history",),
        r".*",
        r"(high|low)_52w|max_drawdown_1y",
        "The highest and lowest of the bars there are, if the answer says since when they are.",
        names_row=True,
    ),
    Allowance(
        ("periods-missing",),
        r".*(get_income_statement|get_balance_sheet|get_cashflow|get_statement_figure .* latest_quarter|earnings)",
        ".*",
        "The newest statement there is, under the day of its period, if the answer names the period that is missing.",
        names_row=True,
    ),
)


def allowed(kind: str, question: str, figure: str) -> tuple[Allowance, ...]:
    """Return the allowances about a figure of a case."""
    return tuple(one for one in ALLOWANCES if one.covers(kind, question, figure))
