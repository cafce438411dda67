"""Lists of companies by what a question asks of each: in which order, which bounds are kept, and of which companies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from tradingagents.features.assistant.rules.found import TurnAnswers, currency_of, of_industry, shown
from tradingagents.features.assistant.rules.sectors_text import sector_window
from tradingagents.offline.questions.conversation import ConversationBrief, ToolFact
from tradingagents.offline.questions.coverage import A_MONTH
from tradingagents.offline.questions.forms.company_size import LARGE
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.measures import CASH_FIGURE, CASH_HELD, FUNDAMENTALS, RATIOS, STATEMENT_TOOL
from tradingagents.retrieval.questions.spans import last_session
from tradingagents.retrieval.questions.wording import ListBound

Call = tuple[str, Mapping[str, Any]]
MOST_RANKED = 60
"""Companies that are looked at for a ranked list."""
SNAPSHOT, CHANGE = "market_snapshot", "get_price_change"
OVERSOLD = 30.0
MOST_ROWS, MOST_OF_SECTOR, NEAREST = 10, 16, 3
"""Rows of a list, of one of a sector's companies, and of those nearest to a bound that none keeps."""
_RECENT = timedelta(days=7)
"""Days of bars that are read where only a figure of the last of them is wanted."""
_RETURNS: Mapping[str, str] = {"1d": "change_1d", "1w": "change_1w", "1m": "change_1m", "ytd": "return_ytd"}
"""Returns of a snapshot by the windows that they are of."""
_OF_UNITS: Mapping[tuple[int, str], str] = {
    **dict.fromkeys(((1, "year"), (12, "month")), "return_252d"),
    **dict.fromkeys(((3, "month"), (1, "quarter")), "change_3m"),
    (1, "month"): "change_1m",
}
"""The same, of windows that are named by their length."""
_OF_PERCENT = frozenset({"dividend_yield", "net_margin", "revenue_yoy", "volatility_252d", "fcf_yield", "roa"})
_AMOUNTS = frozenset({"market_cap", "ttm_revenue", "ttm_net_income", "total_debt", "ttm_free_cash_flow", CASH_FIGURE})
_LARGE = 1e6
"""Money from which on a bound is of what a whole company has or is worth, and not of a share."""

REVENUE_GROWTH = "revenue_yoy"


@dataclass(frozen=True, slots=True)
class ListOrder:
    """By what a list of companies is put in order, and which bound each is to keep."""

    capability: str
    figure: str
    most: bool
    """Whether the largest figure comes first."""
    bound: ListBound | None = None
    window: tuple[date, date] | None = None
    """Of a change of the price over other days than those of a snapshot."""
    on: date | None = None
    """The day of a ratio; None for what is given of the conversation's day alone."""
    item: str = ""
    """The item of the last quarter's statements, in words, for `get_statement_figure`."""

    def call(self, symbol: str) -> Call:
        """Return the call that gives the figure of a company."""
        if self.item:
            return self.capability, {"ticker": symbol, "figure": self.item, "period": "latest_quarter"}
        days = {} if self.on is None else {"curr_date": self.on.isoformat()}
        if self.window is not None:
            days = {"start_date": self.window[0].isoformat(), "end_date": self.window[1].isoformat()}
        return self.capability, {"symbol" if self.capability == "get_stock_data" else "ticker": symbol, **days}

    def keeps(self, value: float) -> bool:
        """Tell whether a figure keeps the bound."""
        if self.bound is None:
            return True
        if self.bound.to is not None:
            return self.bound.value <= value <= self.bound.to
        return value >= self.bound.value if self.bound.above else value <= self.bound.value


def orders_of(frame: QuestionFrame, today: date) -> tuple[ListOrder, ...]:
    """Return by what a question orders companies, what decides first: what it asks for, and the bounds that it sets.

    Args:
        frame: The question.
        today: The day of the conversation.
    """
    asked = frame.asked
    most = "least" not in asked.asks
    highest = len(frame.ranked) == 1 and _says(frame, _HIGHEST) and not _says(frame, _CHEAP)  # of which a low one leads
    small = _says(frame, _SMALL)  # of falls, which are negative
    dear = highest or _says(frame, _DEAR)
    shrinks = of_revenue(frame) and "fell" in asked.claims
    by_aspect: Mapping[str, ListOrder] = {
        **{
            name: ListOrder(FUNDAMENTALS, ratio.figure, most if ratio.more_leads else dear, on=today)
            for name, ratio in RATIOS.items()
        },
        "dividend": ListOrder("get_dividends", "dividend_yield", most or len(frame.ranked) > 1),
        "valuation": ListOrder("trailing_forward_pe", "pe_ttm", dear),
        "margin": ListOrder("get_ttm_analysis", _margin_said(frame), most),
        "growth": ListOrder("get_ttm_analysis", _revenue_said(frame), most != shrinks),
        "profit": ListOrder("get_ttm_analysis", "ttm_net_income", most),
        "cash": _cash_said(frame, most=most),
        "debt": ListOrder("get_ttm_analysis", _debt_said(frame), most and "no_debt" not in asked.asks),
        "risk": ListOrder("risk_profile", _swings_over(frame, today), most and not _says(frame, _CALM)),
        "drawdown": ListOrder("get_stock_data", "max_drawdown_1y", small, window=(today - _RECENT, today)),
        "rsi": ListOrder(SNAPSHOT, "rsi", highest or _says(frame, _OVERBOUGHT)),
        "beaten": ListOrder(SNAPSHOT, "rsi", most=False),
        "peak": ListOrder("risk_profile", "current_drawdown", small),
        "momentum": ListOrder(SNAPSHOT, "return_252d", most),
    }
    found = [by_aspect[name] for name in frame.ranked if name in by_aspect]
    if _says(frame, _LOSSES):  # those that make one, the largest first
        loss = ListOrder("get_ttm_analysis", "ttm_net_income", most=False, bound=ListBound(0.0, False, False))
        found = [loss if order.figure == loss.figure else order for order in found]
    if _asks_largest(frame):
        found = [by_aspect["market_cap"]]
    of_fall = bool({"peak", "drawdown"} & set(frame.ranked))  # `fell furthest from its peak`: that is the fall
    falling = not of_fall and ("fell" in asked.claims or (asked.has("losers") and not asked.has("winners")))
    if not found or ((falling or "rose" in asked.claims) and not of_revenue(frame)):
        below_high = falling and bool(frame.bounds) and _says(frame, _PEAK) and not frame.span
        found.append(
            by_aspect["peak"]
            if below_high
            else _by_return(frame, today, most=_rises_first(frame, most, falling=falling))
        )
    if "no_debt" in asked.asks:
        found.append(ListOrder("get_ttm_analysis", "total_debt", most=False, bound=ListBound(0.0, False, False)))
    once = {(order.capability, order.figure): order for order in reversed(found)}  # the first of each decides
    fell = falling or "fell" in asked.claims
    return _bounded(tuple(reversed(once.values())), frame, today, falling=fell)


def _asks_largest(frame: QuestionFrame) -> bool:
    """Tell whether a question asks for the largest companies, and not for what they did: `biggest tech stocks`."""
    asked = frame.asked
    alone = set(asked.aspects) <= {"members", "recap"} and not (asked.claims or frame.span or frame.bounds)
    return alone and "most" in asked.asks and _says(frame, LARGE)


def _rises_first(frame: QuestionFrame, most: bool, *, falling: bool) -> bool:
    """Tell whether the largest change of a price comes first: `which fell least` asks for the smallest fall."""
    return bool(_LEAST & frame.words) if falling else most


_LEAST = frozenset({"least", "smallest", "wenigsten", "geringsten", "最少", "最小"})


def _revenue_said(frame: QuestionFrame) -> str:
    """Return the figure of revenue that is asked for: its amount, or its growth where a word says so."""
    said = frame.asked.said_of("growth")
    grows = frame.asks_growth or {"fell", "rose"} & set(frame.asked.claims)
    return "ttm_revenue" if said in _REVENUE and not grows else REVENUE_GROWTH


def _margin_said(frame: QuestionFrame) -> str:
    """Return the margin that is named; the net one where none is."""
    said = frame.asked.said_of("margin")
    return next((name for name, words in _MARGINS.items() if any(word in said for word in words)), "net_margin")


def _cash_said(frame: QuestionFrame, *, most: bool) -> ListOrder:
    """Return the order by free cash flow, or by the cash that is held where no flow is named."""
    if "flow" in (said := frame.asked.said_of("cash")) or said in ("fcf", "free cash", "现金流", "自由现金流"):
        return ListOrder("get_ttm_analysis", "ttm_free_cash_flow", most)
    return ListOrder(STATEMENT_TOOL, CASH_FIGURE, most, item=CASH_HELD)


def _debt_said(frame: QuestionFrame) -> str:
    """Return the figure of debt that is asked for: of the most or the least its amount, else its part of equity."""
    extreme = {"most", "least"} & frame.asked.asks or _says(frame, _HIGHEST)
    return "total_debt" if extreme and frame.asked.said_of("debt") in _OWED else "debt_to_equity"


_REVENUE = frozenset(
    {
        *("revenue", "revenues", "sales", "turnover", "top line", "sales numbers", "how much revenue"),
        *("umsatz", "umsätze", "erlöse", "erlös", "einnahmen", "营收", "收入", "营业收入", "销售额", "营业额", "销售"),
    }
)
_MARGINS = {
    "gross_margin": ("gross", "brutto", "毛利"),
    "operating_margin": ("operating", "operative", "ebit", "营业利润"),
}
_OWED = frozenset(
    {
        *("debt", "debts", "total debt", "debt load", "debt level", "debt levels", "in debt", "owe", "owes", "owing"),
        *("borrowed", "borrowings", "schulden", "schuldenlast", "schuldenstand", "负债", "债务", "总债务"),
    }
)


def _swings_over(frame: QuestionFrame, today: date) -> str:
    """Return the volatility that is nearest to the days of a question: of 20 sessions, or of a year."""
    days = frame.days
    short = days.window and days.base is not None and days.end == today and (today - days.base).days <= A_MONTH
    return "volatility_20d" if short or _says(frame, _NOW) else "volatility_252d"


def _other_span(found: TurnAnswers, order: ListOrder) -> list[str]:
    """Return that a list is of another span than its question names; nothing where it is of that one."""
    days, figure = found.frame.days, order.figure
    if not found.frame.span or not found.frame.dated or figure not in _OF_A_YEAR:
        return []
    today = _day_of(found)
    a_year = (days.count, days.unit) in ((1, "year"), (12, "month")) and days.end == date.fromisoformat(today)
    return [] if a_year else [found.say("ranked_other_span", label=found.label(figure), span=found.frame.span)]


_OF_A_YEAR = frozenset({"volatility_252d", "max_drawdown_1y"})
"""Figures that are always of the last year."""


def _bounded(
    orders: tuple[ListOrder, ...], frame: QuestionFrame, today: date, *, falling: bool
) -> tuple[ListOrder, ...]:
    """Return the orders with the bounds of a question, each at the figure that it can be about."""
    found = list(orders)
    for bound in frame.bounds:
        own = next((at for at, order in enumerate(found) if order.bound is None and _fits(bound, order)), None)
        if own is None:
            of_size = bound.money and bound.value >= _LARGE
            by = (FUNDAMENTALS, "market_cap") if of_size else (SNAPSHOT, "price")
            found.append(ListOrder(*by, most=not bound.above, bound=bound, on=today if of_size else None))
            continue
        turned = (
            replace(bound, value=-bound.value, above=not bound.above) if falling and _is_move(found[own]) else bound
        )
        found[own] = replace(found[own], bound=turned)
    if {"fell", "rose"} & set(frame.asked.claims):
        bound = ListBound(0.0, not falling, True)
        moved = [order.figure == REVENUE_GROWTH if of_revenue(frame) else _is_return(order) for order in found]
        found = [
            replace(order, bound=bound) if of_it and order.bound is None else order
            for order, of_it in zip(found, moved, strict=True)
        ]
    return tuple(found)


def of_revenue(frame: QuestionFrame) -> bool:
    """Tell whether revenue is what a question says to have fallen or risen: it names neither days nor prices."""
    return "growth" in frame.ranked and not frame.span and not frame.asked.has("price")


def _fits(bound: ListBound, order: ListOrder) -> bool:
    if bound.money:
        return order.figure in _AMOUNTS if bound.value >= _LARGE else order.figure == "price"
    of_percent = order.figure in _OF_PERCENT or _is_move(order)
    bare = not bound.percent and order.figure in ("dividend_yield", "fcf_yield")  # `a yield above 4`
    return bare or bound.percent == of_percent


def _is_move(order: ListOrder) -> bool:
    return _is_return(order) or order.figure == "current_drawdown"


def _is_return(order: ListOrder) -> bool:
    return order.figure.startswith(("change_", "return_", "price_change"))


_DEAR = frozenset(
    {"expensive", "pricey", "overvalued", "overpriced", "dearest", "teuer", "teuerste", "teuersten", "贵", "最贵"}
)
_HIGHEST = frozenset({"highest", "höchste", "höchsten", "höchster", "höchstes", "最高", "最高的"})
_CHEAP = frozenset({"cheap", "cheaper", "cheapest", "günstig", "günstigste", "billig", "billigste", "便宜", "最便宜"})
_CALM = frozenset(
    {
        *(
            "safe",
            "safest",
            "safer",
            "calm",
            "calmer",
            "calmest",
            "stable",
            "steady",
            "steadiest",
            "defensive",
            "quiet",
        ),
        *(
            "sicher",
            "sichere",
            "sichersten",
            "ruhig",
            "ruhige",
            "ruhigen",
            "ruhigste",
            "ruhigsten",
            "stabil",
            "stabile",
        ),
        *("stabilsten", "defensive", "安全", "稳定", "稳健", "低风险"),
    }
)
_LOSSES = frozenset(
    {"losing", "lose", "loses", "loss", "losses", "lossmaking", "unprofitable", "verlust", "verluste", "亏损", "亏钱"}
)
_NOW = frozenset(
    {
        "now",
        "moment",
        "currently",
        "lately",
        "recently",
        "today",
        "momentan",
        "derzeit",
        "aktuell",
        "目前",
        "现在",
        "最近",
    }
)
_PEAK = frozenset({"high", "highs", "peak", "peaks", "hoch", "höchststand", "高点", "高位"})
_SMALL = frozenset(
    {"smallest", "least", "lowest", "shallowest", "closest", "nearest", "kleinste", "kleinsten", "geringste", "最小"}
)
_OVERBOUGHT = frozenset({"overbought", "überkauft", "uberkauft", "超买"})


def _says(frame: QuestionFrame, words: frozenset[str]) -> bool:
    return bool(words & frame.words)


def _by_return(frame: QuestionFrame, today: date, *, most: bool) -> ListOrder:
    """Return the order by what prices did over the span of a question; the year so far where it names none."""
    days = frame.days
    if not (days.window and days.start and days.end):
        if days.days and days.days[0] < today:
            day = days.days[0]
            return ListOrder(CHANGE, "price_change", most, window=(day - timedelta(days=1), day))
        return ListOrder(SNAPSHOT, "change_1d" if frame.span else "return_ytd", most)
    start, end, last = days.base or days.start, min(days.end, today), last_session(today)
    to_now = end >= last
    own = _OF_UNITS.get((days.count, days.unit), "") if to_now else ""
    if own or (key := sector_window(days, last)) in _RETURNS:
        return ListOrder(SNAPSHOT, own or _RETURNS[key], most)
    return ListOrder(CHANGE, "price_change", most, window=(start, end))


def screen_calls(known: ConversationBrief, frame: QuestionFrame) -> Iterator[Call]:
    """Yield the members of a sector, or the largest companies, then the figures of each that order them."""
    sector = frame.sector
    yield ("get_industry_performance", {"sector_key": sector}) if sector else ("top_companies", {"limit": MOST_RANKED})
    orders = orders_of(frame, known.day)
    for symbol in (symbol for symbol in members_found(known, frame.industry) if symbol not in frame.excluded):
        yield from (order.call(symbol) for order in orders)


def members_found(known: ConversationBrief, industry: str = "") -> tuple[str, ...]:
    """Return the companies of the list that was asked for, those of one industry of it; none before it was answered."""
    for fact in known.now.results:
        if fact.answered_by == "top_companies":
            found = (name.removesuffix("_market_cap") for name in fact.figures if name.endswith("_market_cap"))
            return tuple(found)[:MOST_RANKED]
        if fact.answered_by == "get_industry_performance":
            return tuple(row["symbol"] for row in of_industry(fact, industry))[:MOST_RANKED]
    return ()


def screen_text(found: TurnAnswers, known: ConversationBrief) -> str:
    """Return the members of a list in the order of what was asked, those that keep the bounds."""
    industry = found.frame.industry
    members, orders = _members_kept(found, known), orders_of(found.frame, known.day)
    if not members and industry and found.one("get_industry_performance") is not None:
        return found.say("industry_none", industry=found.industry(industry))
    if not members:
        return found.say("not_held", reason=next((fact.reason for fact in found.results if fact.failed), "n/a"))
    values = {symbol: _values(found, orders, symbol) for symbol in members}
    first = orders[0]
    whole = {symbol: own for symbol, own in values.items() if all(value is not None for value in own)}
    apart = _in_other_currency(found, first, whole)
    whole = {symbol: own for symbol, own in whole.items() if symbol not in apart}
    order = sorted(whole, key=lambda symbol: whole[symbol][0] or 0.0, reverse=first.most)
    kept = [
        symbol
        for symbol in order
        if all(each.keeps(value or 0.0) for each, value in zip(orders, whole[symbol], strict=True))
    ]
    if first.figure == "dividend_yield" and first.most:
        kept = [symbol for symbol in kept if whole[symbol][0]]  # who pays none is no dividend stock
    sector, day = found.industry(industry) or found.sector(found.frame.sector), _day_of(found)
    what = (
        found.say("ranked_sector", sector=sector, count=len(members))
        if sector
        else found.say("ranked_large", count=len(members))
    )
    lines = [found.say("ranked", what=what, label=found.label(first.figure), day=day, of=_window_text(first))]
    alone = [found.say("ranked_rest", count=len(members))] if not sector and _is_return(first) else []
    lines = [*_other_span(found, first), *alone, *lines, *_left_out(found)]
    if first.figure == "rsi" and not first.most:
        low = [symbol for symbol in order if (whole[symbol][0] or 0.0) <= OVERSOLD]
        lines.append(found.say("ranked_oversold", count=len(low), all=len(order)))
    rows = kept
    if bounds := ", ".join(text for each in orders if (text := _bound_text(found, each))):
        key = "bound_kept" if kept else "bound_none"
        lines.append(found.say(key, count=len(kept), all=len(order), bound=bounds))
        rows = kept or order[:NEAREST]
    lines += _at_place(found, rows)
    most = max(found.frame.rows, found.frame.place) or (MOST_OF_SECTOR if sector or bounds else MOST_ROWS)
    for number, symbol in enumerate(rows[:most], start=1):
        lines.append(f"{number}. {found.who(symbol)}: {_row(found, orders, symbol)}")
    if apart:
        lines.append(found.say("ranked_apart", symbols=", ".join(apart)))
    if unknown := [symbol for symbol in members if symbol not in whole and symbol not in apart]:
        lines.append(found.say("unknown_for", count=len(unknown), symbols=", ".join(unknown[:MOST_ROWS])))
    if found.frame.index:
        lines.append(found.say("members_unknown"))
    return "\n".join(lines)


def _members_kept(found: TurnAnswers, known: ConversationBrief) -> list[str]:
    """Return the companies of a list without those that a question leaves out."""
    every = members_found(known, found.frame.industry)
    return [symbol for symbol in every if symbol not in found.frame.excluded]


def _left_out(found: TurnAnswers) -> list[str]:
    """Return which companies a list leaves out, where a question asks for that."""
    excluded = ", ".join(map(found.who, found.frame.excluded))
    return [found.say("ranked_without", who=excluded)] if excluded else []


def _at_place(found: TurnAnswers, rows: Sequence[str]) -> list[str]:
    """Return who stands in the place that a question asks for; nothing where it asks for none."""
    place = found.frame.place
    who = found.who(rows[place - 1]) if 0 < place <= len(rows) else "n/a"
    return [found.say("ranked_place", place=place, who=who)] if place else []


def _in_other_currency(found: TurnAnswers, order: ListOrder, symbols: Iterable[str]) -> list[str]:
    """Return the companies whose amounts are in another currency than those of most: no order holds across them."""
    facts = {symbol: fact for symbol in symbols if (fact := found.one(order.capability, symbol)) is not None}
    currencies = {symbol: currency_of(fact, order.figure) for symbol, fact in facts.items()}
    most = Counter(currencies.values()).most_common(1)
    return [symbol for symbol, currency in currencies.items() if most and currency != most[0][0]]


def _values(found: TurnAnswers, orders: Sequence[ListOrder], symbol: str) -> list[float | None]:
    values = []
    for order in orders:
        fact = found.one(order.capability, symbol)
        value = fact.figures.get(order.figure) if fact is not None else None
        if order.figure == "pe_ttm" and value is not None and value <= 0:
            value = None
        values.append(value)
    return values


def _row(found: TurnAnswers, orders: Sequence[ListOrder], symbol: str) -> str:
    first = found.one(orders[0].capability, symbol)
    if first is None:
        return "n/a"
    others = [
        f"{found.label(order.figure)} {shown(fact, order.figure)}"
        for order in orders[1:]
        if (fact := found.one(order.capability, symbol)) is not None
    ]
    if not others and first.answered_by == SNAPSHOT:
        others = [_beside(first)]
    beside = f" ({', '.join(others)})" if others else ""
    return f"{shown(first, orders[0].figure)}{beside}"


def _beside(fact: ToolFact) -> str:
    returns = " / ".join(shown(fact, name) for name in ("change_1m", "return_ytd", "return_252d"))
    return f"{fact.shown.get('price', 'n/a')}, {returns}: 1m / ytd / 252d"


def _bound_text(found: TurnAnswers, order: ListOrder) -> str:
    if order.bound is None:
        return ""
    bound, label = order.bound, found.label(order.figure)
    value, end = (
        _amount(end) if bound.money else f"{end:g}{'%' * bound.percent}" for end in (bound.value, bound.to or 0.0)
    )
    if bound.to is not None:
        return found.say("bound_between", label=label, value=value, end=end)
    return found.say("bound_above" if bound.above else "bound_below", label=label, value=value)


def _amount(value: float) -> str:
    return next(
        (f"{value / size:g}{sign}" for size, sign in ((1e12, "T"), (1e9, "B"), (1e6, "M")) if value >= size),
        f"{value:g}",
    )


def _window_text(order: ListOrder) -> str:
    if order.figure in _OF_A_YEAR:
        return ""
    return f" ({order.window[0]} / {order.window[1]})" if order.window is not None else ""


def _day_of(found: TurnAnswers) -> str:
    return max((fact.as_of for fact in found.results if fact.as_of), default="")
