"""Topics of a debate by rule: what the same figures say for the bull, what for the bear, and how far they lean.

Each topic needs certain figures and is left out where they are not known. A lean of 1 speaks wholly for the bull, -1
wholly for the bear. Every claim quotes figures as the tools wrote them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.debate.rules.brief import CitedFigure
from tradingagents.features.debate.schemas import DebateSide
from tradingagents.offline.scores import USUAL_DEBT, USUAL_GROWTH, USUAL_MARGIN, USUAL_VOLATILITY

Figures = Mapping[str, CitedFigure]
VALUE_SPAN = 40.0
"""Percent between value and price that lean wholly to one side."""
MULTIPLE_SPAN = 50.0
"""Percent between the price and the price at the peers' multiple that lean wholly to one side."""
GROWTH_SPAN = 20.0
"""Percentage points of sales growth from the usual growth that lean wholly to one side."""
MARGIN_SPAN = 25.0
"""Percentage points of operating margin from the usual margin that lean wholly to one side."""
VOLATILITY_SPAN = 30.0
"""Percentage points from the usual volatility that lean wholly to one side."""
MIDDLE_F_SCORE = 4.5
RELATIVE_SPAN = 20.0
"""Percentage points against the sector over six months that lean wholly to one side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DebateTopic:
    """What the figures of one subject say."""

    name: str
    """valuation, expectations, growth …"""
    question: str
    """What the sides differ on."""
    lean: float
    """-1 (for the bear) to 1 (for the bull)."""
    bull: str
    bear: str
    evidence: tuple[str, ...]
    turns_if: str
    """What would make the figures speak for the other side, as a clause."""

    def claim(self, side: DebateSide) -> str:
        """Return what a side says about it."""
        return self.bull if side == "bull" else self.bear

    def lean_to(self, side: DebateSide) -> float:
        """Return how far it speaks for a side."""
        return self.lean if side == "bull" else -self.lean


TopicRule = Callable[[str, Figures], DebateTopic | None]


def topics_of(ticker: str, figures: Figures) -> list[DebateTopic]:
    """Return the topics whose figures are known, in the order of the rules."""
    return [topic for rule in TOPIC_RULES if (topic := rule(ticker, figures)) is not None]


def _bounded(value: float) -> float:
    return max(-1.0, min(1.0, value))


def _ids(*used: CitedFigure | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(figure.evidence for figure in used if figure is not None))


def _valuation(ticker: str, known: Figures) -> DebateTopic | None:
    value, price, upside = (known.get(name) for name in ("value_per_share", "price", "upside"))
    if value is None or price is None or upside is None:
        return None
    later = known.get("terminal_share")
    against = f"a value per share of {value.shown} against a price of {price.shown} (value over price {upside.shown})"
    rests = f", and the part of the value after the forecast is {later.shown}" if later is not None else ""
    cheap = upside.value > 0
    return DebateTopic(
        name="valuation",
        question=f"Is {ticker} worth more than its price?",
        lean=_bounded(upside.value / VALUE_SPAN),
        bull=f"The discounted cash flow of {ticker} gives {against}."
        if cheap
        else f"The value per share of {value.shown} rests on assumptions that {ticker} may exceed.",
        bear=f"The value per share of {value.shown} is an estimate{rests}."
        if cheap
        else f"The discounted cash flow of {ticker} gives {against}.",
        evidence=_ids(value, price, upside, later),
        turns_if=f"the value per share falls below the price of {price.shown}"
        if cheap
        else f"the value per share rises above the price of {price.shown}",
    )


def _expectations(ticker: str, known: Figures) -> DebateTopic | None:
    implied, reached = known.get("implied_sales_growth"), known.get("revenue_yoy")
    if implied is None or reached is None:
        return None
    less = implied.value <= reached.value
    return DebateTopic(
        name="expectations",
        question=f"Does the price of {ticker} ask for more growth than can be expected?",
        lean=_bounded((reached.value - implied.value) / GROWTH_SPAN),
        bull=f"The price implies sales growth of {implied.shown} a year; sales grew {reached.shown} in the latest one."
        if less
        else f"Sales growth of {reached.shown} has to return to the {implied.shown} that the price implies.",
        bear=f"The price needs sales to grow by {implied.shown} year after year; {reached.shown} is one period only."
        if less
        else f"The price implies sales growth of {implied.shown} a year, more than the {reached.shown} reached.",
        evidence=_ids(implied, reached),
        turns_if=f"sales growth falls below the {implied.shown} that the price implies"
        if less
        else f"sales growth exceeds the {implied.shown} that the price implies",
    )


def _growth(ticker: str, known: Figures) -> DebateTopic | None:
    year, revenue = known.get("revenue_yoy"), known.get("ttm_revenue")
    if year is None or revenue is None:
        return None
    quarter = known.get("revenue_qoq")
    latest = f", quarter-on-quarter revenue growth {quarter.shown}" if quarter is not None else ""
    fast = year.value > USUAL_GROWTH
    return DebateTopic(
        name="growth",
        question=f"Will {ticker} keep growing?",
        lean=_bounded((year.value - USUAL_GROWTH) / GROWTH_SPAN),
        bull=f"Year-on-year revenue growth is {year.shown}{latest}; revenue over twelve months is {revenue.shown}.",
        bear=f"Year-on-year revenue growth of {year.shown} is harder to repeat on revenue of {revenue.shown}."
        if fast
        else f"Year-on-year revenue growth is only {year.shown}, on revenue of {revenue.shown} over twelve months.",
        evidence=_ids(year, revenue, quarter),
        turns_if=f"revenue over twelve months falls below {revenue.shown}"
        if fast
        else f"sales growth rises clearly above {year.shown}",
    )


def _margins(ticker: str, known: Figures) -> DebateTopic | None:
    operating, gross = known.get("operating_margin"), known.get("gross_margin")
    if operating is None or gross is None:
        return None
    implied = known.get("implied_oper_margin")
    high = operating.value > USUAL_MARGIN
    asked = f", while the price implies an operating margin of {implied.shown}" if implied is not None else ""
    return DebateTopic(
        name="margins",
        question=f"Can {ticker} keep its margins?",
        lean=_bounded((operating.value - USUAL_MARGIN) / MARGIN_SPAN),
        bull=f"The operating margin is {operating.shown} and the gross margin {gross.shown}{asked}."
        if high
        else f"A gross margin of {gross.shown} leaves room above the operating margin of {operating.shown}.",
        bear=f"An operating margin of {operating.shown} attracts competition and has more room to fall than to rise."
        if high
        else f"The operating margin is only {operating.shown}, of a gross margin of {gross.shown}.",
        evidence=_ids(operating, gross, implied),
        turns_if=f"the operating margin falls below the {implied.shown} that the price implies"
        if high and implied is not None
        else f"the operating margin falls clearly below {operating.shown}"
        if high
        else f"the operating margin rises clearly above {operating.shown}",
    )


def _cash(ticker: str, known: Figures) -> DebateTopic | None:
    cash, income = known.get("ttm_free_cash_flow"), known.get("ttm_net_income")
    if cash is None or income is None:
        return None
    backed = cash.value / income.value if income.value > 0 else (1.0 if cash.value > 0 else 0.0)
    good = backed > 0.6
    bear = (
        f"Free cash flow of {cash.shown} over twelve months must be paid for by others."
        if cash.value < 0
        else f"Of net income of {income.shown}, free cash flow is no more than {cash.shown} over twelve months."
        if cash.value < income.value
        else f"Free cash flow of {cash.shown} exceeds net income of {income.shown} and need not do so every year."
    )
    bull = (
        f"Free cash flow of {cash.shown} over twelve months stands against net income of {income.shown}."
        if cash.value >= 0
        else f"Free cash flow of {cash.shown} over twelve months is what {ticker} spends on its growth."
    )
    return DebateTopic(
        name="cash",
        question=f"Are the earnings of {ticker} cash?",
        lean=_bounded((backed - 0.6) * 2),
        bull=bull,
        bear=bear,
        evidence=_ids(cash, income),
        turns_if=f"free cash flow falls clearly below {cash.shown} over twelve months"
        if good
        else "free cash flow over twelve months turns positive"
        if cash.value < 0
        else f"free cash flow rises above the net income of {income.shown}",
    )


def _multiples(ticker: str, known: Figures) -> DebateTopic | None:
    price, fair = known.get("price"), known.get("price_at_pe") or known.get("price_at_ev_sales")
    if price is None or fair is None or price.value <= 0:
        return None
    sales = known.get("price_at_pe") is None
    by = "sales" if sales else "earnings"
    cheap = fair.value > price.value
    return DebateTopic(
        name="multiples",
        question=f"Is {ticker} cheap against its peers?",
        lean=_bounded((fair.value / price.value - 1) * 100 / MULTIPLE_SPAN),
        bull=f"At its peers' multiple of {by} the share would cost {fair.shown}, more than its price of {price.shown}."
        if cheap
        else f"The price of {price.shown} exceeds the {fair.shown} at its peers' multiple of {by}, as it does for "
        "companies that outgrow their peers.",
        bear=f"The {fair.shown} at its peers' multiple of {by} holds only as long as the peers keep their price."
        if cheap
        else f"At its peers' multiple of {by} the share would cost {fair.shown}, less than its price of {price.shown}.",
        evidence=_ids(price, fair),
        turns_if=f"the price at its peers' multiple of {by} "
        + (f"falls below {price.shown}" if cheap else f"rises above {price.shown}"),
    )


def _balance(ticker: str, known: Figures) -> DebateTopic | None:
    ratio, debt, equity = (known.get(name) for name in ("debt_to_equity", "total_debt", "equity"))
    if ratio is None or debt is None or equity is None:
        return None
    light = 0 <= ratio.value < USUAL_DEBT
    return DebateTopic(
        name="balance_sheet",
        question=f"Is the debt of {ticker} a burden?",
        lean=_bounded(USUAL_DEBT - ratio.value) if ratio.value >= 0 else -1.0,
        bull=f"Debt to equity is {ratio.shown}: total debt of {debt.shown} against equity of {equity.shown}.",
        bear=f"Total debt of {debt.shown} against equity of {equity.shown} is safe, but safety earns no growth."
        if light
        else f"Total debt of {debt.shown} weighs on equity of {equity.shown}: debt to equity is {ratio.shown}.",
        evidence=_ids(ratio, debt, equity),
        turns_if=f"debt rises above the equity of {equity.shown}"
        if light
        else f"debt falls below the equity of {equity.shown}",
    )


def _quality(ticker: str, known: Figures) -> DebateTopic | None:
    score = known.get("piotroski_f_score")
    if score is None:
        return None
    signals = {name: figure for name, figure in known.items() if name.startswith("f_") and figure.value in (0, 1)}
    failed = [metric_label(name).rpartition(": ")[2] for name, figure in signals.items() if not figure.value]
    lacks = f"; {_listed(failed)} {'do' if len(failed) > 1 else 'does'} not hold" if failed else ""
    good = score.value > MIDDLE_F_SCORE
    return DebateTopic(
        name="quality",
        question=f"Are the accounts of {ticker} getting better?",
        lean=_bounded((score.value - MIDDLE_F_SCORE) / MIDDLE_F_SCORE),
        bull=f"The Piotroski F-score is {score.shown}: so many of its nine signals hold.",
        bear=f"The Piotroski F-score of {score.shown} looks back on the last fiscal year{lacks}.",
        evidence=_ids(score),
        turns_if=f"the Piotroski F-score falls clearly below {score.shown}"
        if good
        else f"the Piotroski F-score rises clearly above {score.shown}",
    )


def _results(ticker: str, known: Figures) -> DebateTopic | None:
    beaten, compared = known.get("estimates_beaten"), known.get("estimates_compared")
    if beaten is None or compared is None or not compared.value:
        return None
    share = beaten.value / compared.value
    return DebateTopic(
        name="results",
        question=f"Does {ticker} deliver more than is expected of it?",
        lean=_bounded((share - 0.5) * 1.6),
        bull=f"Results beat the estimates in {beaten.shown} of {compared.shown} quarters.",
        bear=f"Of {compared.shown} quarters, results beat the estimates in no more than {beaten.shown}.",
        evidence=_ids(beaten, compared),
        turns_if="the next results miss the estimates" if share > 0.5 else "the next results beat the estimates",
    )


def _trend(ticker: str, known: Figures) -> DebateTopic | None:
    price, average, quarter = (known.get(name) for name in ("price", "sma_200", "change_3m"))
    if price is None or average is None or quarter is None or average.value <= 0:
        return None
    above = price.value > average.value
    return DebateTopic(
        name="trend",
        question=f"Does the price of {ticker} confirm the case?",
        lean=_bounded((price.value / average.value - 1) * 3),
        bull=f"The price of {price.shown} stands above its 200-day average of {average.shown}."
        if above
        else f"At {price.shown} the share costs less than its 200-day average of {average.shown}.",
        bear=f"The 3-month change is {quarter.shown}; below the price of {price.shown} lies its 200-day average of "
        f"{average.shown}."
        if above
        else f"The price of {price.shown} stands below its 200-day average of {average.shown}.",
        evidence=_ids(price, average, quarter),
        turns_if=f"the price {'falls below' if above else 'rises above'} its 200-day average of {average.shown}",
    )


def _relative(ticker: str, known: Figures) -> DebateTopic | None:
    alpha, own, sector = (known.get(name) for name in ("alpha_6m", "stock_6m", "etf_6m"))
    if alpha is None or own is None or sector is None:
        return None
    ahead = alpha.value > 0
    return DebateTopic(
        name="sector",
        question=f"Do investors prefer {ticker} to its sector?",
        lean=_bounded(alpha.value / RELATIVE_SPAN),
        bull=f"Over six months the share returned {own.shown}, its sector's fund {sector.shown}."
        if ahead
        else f"The share lags its sector's fund by {alpha.shown.removeprefix('-')} over six months and can catch up.",
        bear=f"A lead of {alpha.shown} on the sector's fund over six months is already paid for."
        if ahead
        else f"Over six months the share returned {own.shown}, its sector's fund {sector.shown}.",
        evidence=_ids(alpha, own, sector),
        turns_if=f"the share {'falls behind' if ahead else 'overtakes'} its sector's fund over six months",
    )


def _risk(ticker: str, known: Figures) -> DebateTopic | None:
    volatility, now, worst = (known.get(name) for name in ("volatility_252d", "current_drawdown", "drawdown_1"))
    if volatility is None or now is None or worst is None:
        return None
    calm = volatility.value < USUAL_VOLATILITY
    return DebateTopic(
        name="risk",
        question=f"How much can an investor in {ticker} lose?",
        lean=_bounded((USUAL_VOLATILITY - volatility.value) / VOLATILITY_SPAN),
        bull=f"The current drawdown is {now.shown}, against {worst.shown} in the largest drawdown.",
        bear=f"The 252-day volatility is {volatility.shown}, and the largest drawdown was {worst.shown}.",
        evidence=_ids(volatility, now, worst),
        turns_if=f"its volatility {'rises clearly above' if calm else 'falls clearly below'} {volatility.shown}",
    )


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


TOPIC_RULES: tuple[TopicRule, ...] = (
    *(_valuation, _expectations, _growth, _margins, _cash, _multiples, _balance, _quality, _results, _trend),
    *(_relative, _risk),
)
