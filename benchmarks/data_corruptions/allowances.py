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
    """Pattern of the whole name of the figures; cells of tables are named `[row | column]`."""
    why: str
    says: str = ""
    """Pattern of the sentence that the answer must have and the true one lacks; it names rows or a cause anyway."""
    names_row: bool = False
    """Whether that sentence must name one of the changed rows' days."""
    of_remaining: bool = False
    """Whether the figure must equal that of the clean copy without the bars that the answer says are withheld."""
    within: float = 0.0
    """By how much, relatively, the figure may differ from the true one; 0: by any amount."""
    unknowable: bool = False
    """Whether nothing in the data contradicts the figure, so that the answer has no sentence to say."""

    def covers(self, kind: str, question: str, figure: str) -> bool:
        """Return whether this is about a figure of a case.

        Args:
            kind: Name of the kind and its variant, such as `other-currency unlabelled CNY`.
        """
        return (
            (not self.kinds or any(kind == one or kind.startswith(f"{one} ") for one in self.kinds))
            and re.match(self.question, question) is not None
            and re.fullmatch(self.figure, figure) is not None
        )


NO_LENGTH = r"(?!.*(52w|1y|200|252|_1w|_1m|_3m|_6m|_12m|ytd|rsi|macd|ema|boll)).*"
"""Names that state no length of a window, and no mean whose start matters."""
OVER_BARS = r"(trading run )?(risk_profile|open_chart|beta_estimate|get_price_change|get_stock_data|lppl|replay_falsif)"
"""Questions whose answers are over all bars of a window."""
ALLOWANCES = (
    Allowance(
        (),
        ".*",
        r"sessions|.*observations|articles_in_source|peers",
        "A count of the rows used is the count of those that remain, if the answer says that some are withheld.",
    ),
    Allowance(
        (),
        OVER_BARS,
        NO_LENGTH,
        "A figure whose name states no length is over the bars that remain, if the answer says before which day they "
        "are withheld and the figure is right for those that remain.",
        says="before .* withheld",
        of_remaining=True,
    ),
    Allowance(
        (),
        OVER_BARS,
        NO_LENGTH,
        "The same where single bars are left out, if the answer names one of them.",
        names_row=True,
        of_remaining=True,
    ),
    Allowance(
        ("stale-end",),
        ".*",
        ".*",
        "Figures are as of the last bar there is, if the answer says so and names its day: nothing newer can be known.",
        says=r"[Tt]he newest bar (of \S+ )?is",
        names_row=True,
    ),
    Allowance(
        ("halt",),
        ".*",
        ".*(last_close|price|close)",
        "The last close traded is right for a company whose trading stands still, if the answer names the days.",
        names_row=True,
    ),
    Allowance(
        ("halt",),
        ".*",
        ".*",
        "Of a company whose trading stands still figures are as of its last trade, if the answer says so and names the "
        "days: nothing newer can be known.",
        says="as of its last trade",
        names_row=True,
    ),
    Allowance(
        (),
        r"(trading run )?(get_fundamentals|build_valuation_inputs|valuation|sensitivity|reverse_valuation)",
        r"beta(_regression)?|cost_of_equity|wacc|value_per_share|upside|implied_.*|grid_.*|\[.* \| Implied\]"
        r"|\[(un)?levered_beta \| Value\]",
        "A beta is over the returns of the days with a bar, and so is what is valued with it, if the answer names one "
        "of those without.",
        names_row=True,
        of_remaining=True,
    ),
    Allowance(
        ("short-history",),
        r"risk_profile|open_chart|beta_estimate|get_price_change|build_valuation_inputs|market_snapshot|get_stock_data",
        NO_LENGTH,
        "A figure whose name states no length is over the bars there are, if the answer says since when they are.",
        names_row=True,
    ),
    Allowance(
        ("short-history",),
        ".*",
        r"(high|low)_52w|max_drawdown_1y",
        "The highest and lowest of the bars there are, if the answer says since when they are.",
        names_row=True,
    ),
    Allowance(
        ("short-history",),
        r"(trading run )?(get_fundamentals|lppl_analysis|build_valuation_inputs|valuation|sensitivity|reverse_valuation"
        r"|replay_falsif)",
        r"beta.*|lppl_.*|cost_of_equity|wacc|equity_weight|value.*|upside|implied_.*|grid_.*|\[.*",
        "A beta, a fit, and what is valued with it, over the bars there are, if the answer says since when they are.",
        names_row=True,
    ),
    Allowance(
        ("periods-missing half-years",),
        r".*(get_income_statement|get_cashflow|get_statement_figure .* latest_quarter|earnings|get_ttm_analysis)",
        r"\[.*|(?!ttm_).*",
        "Amounts of a half-year as such, if the answer says that its periods are half-years.",
        says=r"half|six months|\b6 months|\b18\d days|two quarters",
    ),
    Allowance(
        ("year-to-date", "annual-as-q4"),
        ".*",
        r"market_cap|share_count|(eps|pe|ps)_ttm|pb|ev_ebitda|(earnings|fcf)_yield|graham_number|z_x4|altman_z_score|\[.*P/[ESB]\]",
        "Average share counts of a quarter worked out from a longer row cannot be known: what is counted in shares is "
        "over the counts of the other quarters, if the answer says that those are withheld.",
        says="share counts and EPS of them are withheld",
        within=0.1,
    ),
    Allowance(
        ("other-currency unlabelled",),
        r"(?!.*(get_stock_data|get_price_change|get_indicators|risk_profile|beta_estimate|lppl|insider|get_news)).*",
        ".*",
        "Every statement of a company in another currency under a wrong label: each agrees with the others, and the "
        "label, which the answers state, is the only word on the currency. What gives it away, multiples that no "
        "company has, is withheld by their bounds.",
        unknowable=True,
    ),
)


def allowed(kind: str, question: str, figure: str) -> tuple[Allowance, ...]:
    """Return the allowances about a figure of a case."""
    return tuple(one for one in ALLOWANCES if one.covers(kind, question, figure))
