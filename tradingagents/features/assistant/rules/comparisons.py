"""Several companies side by side in what a question asks of them, and who is ahead in each figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tradingagents.features.assistant.rules.aspect_calls import margins_named
from tradingagents.features.assistant.rules.company.books_text import FIGURE, TTM
from tradingagents.features.assistant.rules.company.company_text import CHANGE, SNAPSHOT, company_text
from tradingagents.features.assistant.rules.company.daily_moves import swings_text
from tradingagents.features.assistant.rules.company.ratio_text import unknown_text
from tradingagents.features.assistant.rules.company.report_dates import report_order_text
from tradingagents.features.assistant.rules.company.years_text import growth_over_years, years_asked
from tradingagents.features.assistant.rules.found import TurnAnswers, currency_of, shown
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frame_words import MARKET
from tradingagents.offline.questions.measures import CASH_FIGURE, FUNDAMENTALS, RATIOS

WITH_DIVIDENDS = "with dividends"
"""What prices are compared by where their dividends are to be counted."""
_Row = tuple[str, str, bool | None]
_COMPARED: Mapping[str, tuple[_Row, ...]] = {
    "opinion": (
        (SNAPSHOT, "return_ytd", None),
        (SNAPSHOT, "return_252d", None),
        (SNAPSHOT, "rsi", None),
        ("trailing_forward_pe", "pe_ttm", None),
        ("risk_profile", "volatility_252d", None),
        ("risk_profile", "drawdown_1", None),
    ),
    "price": (
        (CHANGE, "price_change", True),
        (CHANGE, "total_return", None),
        (SNAPSHOT, "change_1d", None),
        (SNAPSHOT, "change_1w", None),
        (SNAPSHOT, "change_1m", None),
        (SNAPSHOT, "return_ytd", True),
    ),
    WITH_DIVIDENDS: ((CHANGE, "total_return", True), (CHANGE, "price_change", None)),
    "dividend": (
        ("get_dividends", "dividend_yield", True),
        ("get_dividends", "dividends_12m", None),
        ("get_dividends", "payout_ratio", None),
        ("get_dividends", "dividend_yoy", True),
    ),
    "margin": (),
    "growth": (
        (FIGURE, "revenue_growth", True),
        (FIGURE, "revenue", True),
        (TTM, "revenue_yoy", True),
        (TTM, "ttm_revenue", None),
    ),
    "profit": ((FIGURE, "net_income", True), (TTM, "ttm_net_income", True), (TTM, "net_margin", True)),
    "debt": ((TTM, "total_debt", False), (TTM, "debt_to_equity", False), (TTM, "equity", None)),
    "cash": ((FIGURE, CASH_FIGURE, True), (TTM, "ttm_free_cash_flow", True), (TTM, "ttm_operating_cash_flow", None)),
    "valuation": (
        ("trailing_forward_pe", "pe_ttm", False),
        ("valuation", "value_per_share", None),
        ("valuation", "upside", None),
        ("trailing_forward_pe", "price", None),
    ),
    "risk": (
        ("risk_profile", "volatility_252d", False),
        ("risk_profile", "beta", None),
        ("risk_profile", "drawdown_1", None),
        ("risk_profile", "current_drawdown", None),
    ),
    "profile": (("company_info", "market_cap", True),),
    "rsi": ((SNAPSHOT, "rsi", None), (SNAPSHOT, "price", None)),
    **{name: ((FUNDAMENTALS, ratio.figure, ratio.more_leads),) for name, ratio in RATIOS.items()},
}
"""What stands side by side: the capability, its figure, and whether more (True) or less is ahead; None: neither is."""


_SIZE = frozenset({"bigger", "larger", "größer", "大"})
"""Words by which a question compares companies by their size."""


def compared_parts(found: TurnAnswers, parts: Sequence[str], symbols: Sequence[str]) -> str:
    """Return several companies side by side in what was asked, and who is ahead; the others one after the other."""
    sizes = "profile" in parts and bool(_SIZE & found.frame.words)
    over_years = growth_over_years(found, symbols) if "growth" in parts and years_asked(found.frame) else ""
    parts = [part for part in parts if part != "growth" or not over_years]
    parts_of_rows = [part for part in parts if part in _COMPARED and (sizes or part != "profile")]
    if found.frame.past_day is not None:  # of that day and of today, each by itself
        parts_of_rows = [part for part in parts_of_rows if part not in RATIOS]
    if all(swings_text(found, symbol) for symbol in symbols):  # those of the days that are named
        parts_of_rows = [part for part in parts_of_rows if part != "risk"]
    rows = [
        row for part in parts_of_rows for row in (_margins(found, symbols) if part == "margin" else _COMPARED[part])
    ]
    lines: list[str] = []
    verdicts: list[str] = []
    for capability, name, more in rows:
        facts = {symbol: _fact_with(found, capability, name, symbol) for symbol in symbols}
        known = {symbol: fact for symbol, fact in facts.items() if fact is not None}
        if name == "revenue_yoy" and lines:  # the same growth stands there with its periods
            continue
        if len(known) < 2 and not (known and len(rows) <= 4):
            continue
        cells = [_cell(fact, name) if (fact := facts[symbol]) is not None else "n/a" for symbol in symbols]
        lines.append(f"| {found.label(name)} | {' | '.join(cells)} |")
        if more is not None and len({currency_of(fact, name) for fact in known.values()}) > 1:
            verdicts.append(found.say("currencies_apart", label=found.label(name)))
        elif more is not None and len(known) == len(symbols):
            fell = name == "price_change" and "fell" in found.frame.asked.claims  # `which lost more?`
            verdicts.append(_verdict(found, name, known, more=more and not fell))
            if more and "least" in found.frame.asked.asks:
                verdicts.append(_verdict(found, name, known, more=False, key="worse"))
    if any(row[0] == CHANGE for row in rows) and lines and (days := _days_of(found, symbols)):
        verdicts.append(days)
    verdicts += _second_window(found, symbols) if "price" in parts_of_rows else []
    table = [f"| | {' | '.join(map(found.who, symbols))} |", f"|---|{'---|' * len(symbols)}", *lines] if lines else []
    single = [company_text(found, part, symbol) for part in parts if part not in parts_of_rows for symbol in symbols]
    failed = dict.fromkeys(
        f"{fact.subject}: {fact.reason}"
        for fact in found.results
        if fact.failed and (not _is_side(fact) or (found.frame.fiscal and fact.answered_by == FIGURE))
    )
    failed |= dict.fromkeys(_unknown_ratios(found, parts, symbols))
    ends = _ends(found, rows, symbols) if lines else ""
    order = report_order_text(found, symbols) if "report_date" in parts else ""
    told = [
        part
        for part in (order, over_years, "\n".join(verdicts), "\n".join(table), ends, *single, "\n".join(failed))
        if part
    ]
    return "\n\n".join(told) or found.say("no_figures", who=", ".join(map(found.who, symbols)))


def _days_of(found: TurnAnswers, symbols: Sequence[str]) -> str:
    """Return between which closes prices are compared, where all are of the same."""
    facts = [fact for symbol in symbols if (fact := _fact_with(found, CHANGE, "price_change", symbol)) is not None]
    days = {(fact.facts.get("first_day", ""), fact.facts.get("last_day", "")) for fact in facts}
    if len(days) != 1 or not all(*days):
        return ""
    start, end = days.pop()
    return found.say("compared_days", start=start, end=end)


def _second_window(found: TurnAnswers, symbols: Sequence[str]) -> list[str]:
    """Return who is ahead over the second of two windows of days that a question names; nothing where it names one."""
    if found.frame.also is None:
        return []
    changes = {symbol: found.asked_change(symbol, found.frame.also) for symbol in symbols}
    known = {symbol: own for symbol, own in changes.items() if own is not None and "price_change" in own.figures}
    if len(known) < len(symbols):
        return []
    days = next(iter(known.values())).facts
    span = f"{days.get('first_day', '')} / {days.get('last_day', '')}"
    return [f"{span}: {_verdict(found, 'price_change', known, more=True)}"]


def _unknown_ratios(found: TurnAnswers, parts: Sequence[str], symbols: Sequence[str]) -> Iterator[str]:
    """Yield why a ratio of a company stands in no cell although its fundamentals are known."""
    for part in parts:
        for symbol in symbols:
            own = found.one(FUNDAMENTALS, symbol)
            if part in RATIOS and own is not None and RATIOS[part].figure not in own.shown:
                yield unknown_text(found, part, own, symbol)


def _ends(found: TurnAnswers, rows: Sequence[_Row], symbols: Sequence[str]) -> str:
    """Return to which day the twelve months of each company reach, where its figures are of such."""
    books = [(symbol, found.one(TTM, symbol)) for symbol in symbols]
    ends = [f"{symbol} {fact.facts['end']}" for symbol, fact in books if fact is not None and fact.facts.get("end")]
    return found.say("months_to", ends=", ".join(ends)) if ends and any(row[0] == TTM for row in rows) else ""


def _margins(found: TurnAnswers, symbols: Sequence[str]) -> list[_Row]:
    """Return the margins that a question names: of its period where all have one, else over twelve months too."""
    names = [name.replace(" ", "_") for name in margins_named(found.frame)]
    dated: list[_Row] = [(FIGURE, name, True) for name in names] if found.frame.fiscal else []
    whole = bool(dated) and all(_fact_with(found, FIGURE, name, symbol) for name in names for symbol in symbols)
    return dated if whole else [*dated, *((TTM, name, True) for name in names)]


def _is_side(fact: ToolFact) -> bool:
    return fact.answered_by in (FIGURE, "valuation", "get_peer_multiples", "get_news")


def _cell(fact: ToolFact, name: str) -> str:
    """Return a figure as written; one of statements with its period, since fiscal years differ between companies."""
    period = fact.facts.get("period", "") if fact.answered_by == FIGURE else ""
    return f"{shown(fact, name)} in {period}" if period else shown(fact, name)


def _fact_with(found: TurnAnswers, capability: str, name: str, symbol: str) -> ToolFact | None:
    if capability == CHANGE:
        asked = found.asked_change(symbol) if found.frame.span else None
        return asked if asked is not None and name in asked.shown else None
    return next((fact for fact in found.all(capability, symbol) if not fact.failed and name in fact.shown), None)


def _verdict(found: TurnAnswers, name: str, known: Mapping[str, ToolFact], *, more: bool, key: str = "") -> str:
    order = sorted(known, key=lambda symbol: known[symbol].figures[name], reverse=more)
    figures = ", ".join(f"{found.who(symbol)} {_cell(known[symbol], name)}" for symbol in order)
    if name == "volatility_252d" and MARKET in known and known[MARKET].figures[name]:
        other = next(symbol for symbol in order if symbol != MARKET)
        times = known[other].figures[name] / known[MARKET].figures[name]
        told = found.say("lower", label=found.label(name), who=found.who(order[0]), figures=figures)
        return f"{told} {found.who(other)}: {found.say('times_market', times=f'{times:.1f}')}"
    if 0 < (place := found.frame.place) <= len(order):
        told = found.say("ranked_place", place=place, who=found.who(order[place - 1]))
        return f"{found.label(name)}: {told} {figures}"
    key = key or ("higher" if more else "lower")
    return found.say(key, label=found.label(name), who=found.who(order[0]), figures=figures)
