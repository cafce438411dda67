"""What follows from the figures of tasks: comparisons that are stated in full, each with the figures it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.analytics.company.screens import (
    ALTMAN_DISTRESS,
    ALTMAN_SAFE,
    BENEISH_FLAG,
    PIOTROSKI_STRONG,
    PIOTROSKI_WEAK,
)
from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.offline.scores import CLEAR_UPSIDE
from tradingagents.schemas.facts import FigureRecord

SIGNAL = "f_"
"""What the names of the Piotroski signals begin with."""
COMPARED = ("upside", "operating_margin", "revenue_yoy", "gross_margin", "net_margin", "pe_ttm", "dupont_roe", "price")

Figures = Mapping[str, FigureRecord]
Rule = Callable[[str, Figures], str | None]


def signal_of(figure: FigureRecord) -> str:
    """Return the name of a signal that holds (1) or does not (0), such as `accruals`; empty for other figures."""
    signal = figure.name.startswith(SIGNAL) and figure.value in (0, 1)
    return metric_label(figure.name).rpartition(": ")[2] if signal else ""


def conclusion_of(tasks: Sequence[TaskResultRecord]) -> str:
    """Return what follows from tasks: company by company, or one against the other."""
    by_symbol: dict[str, dict[str, FigureRecord]] = {}
    for task in tasks:
        for fact in task.facts:
            known = by_symbol.setdefault(fact.symbol or "The market", {})
            for figure in fact.figures:
                known.setdefault(figure.name, figure)
    known_of = {symbol: figures for symbol, figures in by_symbol.items() if figures}
    if len(known_of) > 1:
        return _side_by_side(known_of)
    sentences = [said for symbol, figures in known_of.items() for rule in RULES if (said := rule(symbol, figures))]
    if sentences:
        return " ".join(sentences)
    listed = {symbol: map(_named, list(figures.values())[:4]) for symbol, figures in known_of.items()}
    overview = [f"{symbol}: {', '.join(named)}." for symbol, named in listed.items()]
    return " ".join(overview) or "The tasks found no figures to conclude from."


def _named(figure: FigureRecord) -> str:
    return f"{metric_label(figure.name)} {figure.shown}"


def _side_by_side(known: Mapping[str, Figures]) -> str:
    said: list[str] = []
    for name in COMPARED:
        rows = [
            (figures[name].value, symbol, figures[name].shown) for symbol, figures in known.items() if name in figures
        ]
        if len(rows) < 2 or (name == "price" and said):
            continue
        rows.sort(reverse=True)
        listed = ", ".join(f"{symbol} {shown}" for _, symbol, shown in rows)
        said.append(f"{metric_label(name).capitalize()}: {listed}; {rows[0][1]} has the highest.")
    return " ".join(said) or "No figure is known of more than one of the companies."


def _value(symbol: str, figures: Figures) -> str | None:
    value, price, upside = (figures.get(name) for name in ("value_per_share", "price", "upside"))
    if value is None or price is None or upside is None:
        return None
    side = "more than" if upside.value > CLEAR_UPSIDE else "less than" if upside.value < -CLEAR_UPSIDE else "about"
    listed = ", ".join(map(_named, (value, price, upside)))
    return f"By the model, {symbol} is worth {side} its price: {listed}."


def _priced_in(symbol: str, figures: Figures) -> str | None:
    implied, reached = figures.get("implied_sales_growth"), figures.get("revenue_yoy")
    if implied is None or reached is None:
        return None
    less = implied.value <= reached.value
    ending = "less than was reached" if less else "more than was reached"
    return (
        f"The price of {symbol} implies sales growth of {implied.shown} in the first year of the forecast; the "
        f"{metric_label(reached.name)} last reported is {reached.shown}: the price asks for {ending}."
    )


def _margin_implied(symbol: str, figures: Figures) -> str | None:
    implied, reached = figures.get("implied_oper_margin"), figures.get("operating_margin")
    if implied is None or reached is None:
        return None
    side = "below" if implied.value <= reached.value else "above"
    return (
        f"The price implies an operating margin of {implied.shown}, {side} the {reached.shown} that {symbol} has now."
    )


def _piotroski(symbol: str, figures: Figures) -> str | None:
    score = figures.get("piotroski_f_score")
    if score is None:
        return None
    word = "strong" if score.value >= PIOTROSKI_STRONG else "weak" if score.value <= PIOTROSKI_WEAK else "middling"
    failed = [signal_of(figure) for figure in figures.values() if signal_of(figure) and not figure.value]
    lacks = f" Signals that do not hold: {', '.join(failed)}." if failed else ""
    return f"The Piotroski F-score of {symbol} is {score.shown} of 9, which counts as {word}.{lacks}"


def _distress(symbol: str, figures: Figures) -> str | None:
    score = figures.get("altman_z_score")
    if score is None:
        return None
    place = (
        "far from"
        if score.value > ALTMAN_SAFE
        else "near"
        if score.value < ALTMAN_DISTRESS
        else "neither near nor far from"
    )
    return f"By its Altman Z-score of {score.shown}, {symbol} is {place} distress."


def _manipulated(symbol: str, figures: Figures) -> str | None:
    score = figures.get("beneish_m_score")
    if score is None:
        return None
    ending = "resemble" if score.value > BENEISH_FLAG else "do not resemble"
    return f"By a Beneish M-score of {score.shown}, the earnings of {symbol} {ending} manipulated ones."


def _cash_backed(symbol: str, figures: Figures) -> str | None:
    income, cash = figures.get("net_income"), figures.get("operating_cash_flow")
    if income is None or cash is None:
        return None
    ending = "are backed by cash" if cash.value >= income.value else "exceed the cash behind them"
    return (
        f"The earnings of {symbol} {ending}: cash flow from operations {cash.shown} against net income {income.shown}."
    )


def _return_on_equity(symbol: str, figures: Figures) -> str | None:
    roe, margin, turnover, leverage = (
        figures.get(name)
        for name in ("dupont_roe", "dupont_net_margin", "dupont_asset_turnover", "dupont_equity_multiplier")
    )
    if roe is None or margin is None or turnover is None or leverage is None:
        return None
    return (
        f"The return on equity of {symbol}, {roe.shown}, is net margin {margin.shown} times asset turnover "
        f"{turnover.shown} times equity multiplier {leverage.shown}."
    )


def _trend(symbol: str, figures: Figures) -> str | None:
    price, average = figures.get("price"), figures.get("sma_200")
    if price is None or average is None:
        return None
    side = "above" if price.value > average.value else "below"
    return f"The price of {symbol}, {price.shown}, is {side} its 200-day average of {average.shown}."


def _estimates(symbol: str, figures: Figures) -> str | None:
    beaten, compared = figures.get("estimates_beaten"), figures.get("estimates_compared")
    if beaten is None or compared is None:
        return None
    return f"{symbol} beat the estimates of {beaten.shown} of {compared.shown} quarters."


def _insiders(symbol: str, figures: Figures) -> str | None:
    net = figures.get("net_value")
    if net is None or not net.value:
        return None
    return f"Insiders of {symbol} {'bought' if net.value > 0 else 'sold'} on balance ({net.shown})."


def _risk(symbol: str, figures: Figures) -> str | None:
    volatility, drawdown = figures.get("volatility_252d"), figures.get("current_drawdown")
    if volatility is None or drawdown is None:
        return None
    return f"{symbol} has {_named(volatility)} and {_named(drawdown)}."


def _cash_of_revenue(symbol: str, figures: Figures) -> str | None:
    gross, operating = figures.get("gross_margin"), figures.get("operating_margin")
    revenue, cash = figures.get("ttm_revenue"), figures.get("ttm_free_cash_flow")
    if gross is None or operating is None or revenue is None or cash is None:
        return None
    return (
        f"Of the revenue of {symbol}, {revenue.shown} over four quarters, {gross.shown} is left as gross profit, "
        f"{operating.shown} as operating income, and {cash.shown} as free cash flow."
    )


RULES: Sequence[Rule] = (
    *(_value, _priced_in, _margin_implied, _piotroski, _distress, _manipulated, _cash_backed, _return_on_equity),
    *(_cash_of_revenue, _trend, _estimates, _insiders, _risk),
)
"""In the order in which their sentences stand."""
