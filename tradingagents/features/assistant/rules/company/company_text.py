"""Sentences on one company by what was asked about it, and several side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tradingagents.features.assistant.rules.company.dividend_text import dividend_text
from tradingagents.features.assistant.rules.company.filings_text import filings_text
from tradingagents.features.assistant.rules.company.price_text import (
    listing_text,
    peak_text,
    price_text,
    span_said,
    stands_text,
)
from tradingagents.features.assistant.rules.company.report_dates import report_date_text
from tradingagents.features.assistant.rules.company.risk_text import (
    averages_text,
    beta_text,
    drawdown_text,
    risk_text,
    rsi_text,
)
from tradingagents.features.assistant.rules.company.statement_text import statement_text
from tradingagents.features.assistant.rules.company.years_text import revenue_years_text
from tradingagents.features.assistant.rules.found import (
    TurnAnswers,
    articles_told,
    places,
    shown,
)
from tradingagents.features.assistant.rules.insiders import insiders_text
from tradingagents.features.assistant.rules.voices_text import analysts_text, social_text
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import MARKET

SNAPSHOT, CHANGE, TTM, FIGURE = "market_snapshot", "get_price_change", "get_ttm_analysis", "get_statement_figure"
HARDLY = 2.0
"""Percent of growth a year below which a company hardly grows."""
ALIKE = 0.1
"""Part by which a multiple may differ from that of the peers and be like it."""
NEAR_HIGH = -1.0
FEWEST_PEERS = 3
"""Peers from which on the middle of them is a yardstick."""
MOST_ROWS = 6
CASH_HELD = "cash and cash equivalents"
OWED = ("long-term debt", "total liabilities")


def company_text(found: TurnAnswers, part: str, symbol: str) -> str:
    """Return what is known of a company on what was asked."""
    return _WRITERS[part](found, symbol)


def _cause(found: TurnAnswers, symbol: str) -> str:
    own, stands = found.changes(symbol), found.one(SNAPSHOT, symbol)
    reported = bool({"missed", "beat"} & set(found.frame.asked.claims))
    parts = [stands_text(found, stands, symbol)] if reported and stands is not None else [price_text(found, symbol)]
    if found.frame.span and len(own) > 1 and not reported:
        parts.append(peak_text(found, symbol))
    market = found.changes(MARKET)
    if market and symbol != MARKET:
        start, end = (market[0].facts.get(name, "") for name in ("first_day", "last_day"))
        parts.append(found.say("same_days", start=start, end=end, change=shown(market[0], "price_change")))
    news = found.one("get_news", symbol)
    start = str(found.all("get_news", symbol)[0].given.get("start_date", "")) if found.all("get_news", symbol) else ""
    end = str(found.all("get_news", symbol)[0].given.get("end_date", "")) if found.all("get_news", symbol) else ""
    earned = found.one("earnings", symbol)
    if earned is not None and not reported and start <= earned.facts.get("quarters.0.day", "") <= end:
        parts.append(results_text(found, symbol))
    told = articles_told(news) if news is not None else []
    if told:
        parts.append("\n".join([found.say("news_then", start=start, end=end), *told]))
    else:
        parts.append(found.say("no_news", start=start, end=end))
    return "\n".join(parts)


def _high(found: TurnAnswers, symbol: str, side: str = "high") -> str:
    close, day = ("highest_close", "highest_day") if side == "high" else ("lowest_close", "lowest_day")
    year, snapshot = found.longest(symbol, close), found.one(SNAPSHOT, symbol)
    if year is None:
        return f"{symbol}: {found.no_range(symbol)}"
    said = found.say(
        f"{side}_is",
        who=found.who(symbol),
        high=year.shown[close],
        low=year.shown[close],
        day=year.facts.get(day, ""),
        span=span_said(found, year),
        intraday=snapshot.shown.get(f"{side}_52w", "n/a") if snapshot else "n/a",
    )
    return f"{said}\n{peak_text(found, symbol)}" if side == "high" else said


def _figures(found: TurnAnswers, symbol: str, change: str) -> list[ToolFact]:
    return [
        fact
        for fact in found.all(FIGURE, symbol)
        if not fact.failed and str(fact.given.get("change", "none")) == change and fact.shown
    ]


def _debt(found: TurnAnswers, symbol: str) -> str:
    books = found.one(TTM, symbol)
    told = [fact for fact in _figures(found, symbol, "none") if fact.given.get("figure") in OWED]
    owed = list({str(fact.given.get("figure")): fact for fact in reversed(told)}.values())[::-1]  # the latest period
    if books is None and not owed:
        return found.missing(TTM, symbol)
    period = (books.facts.get("end", "") if books else "") or (owed[0].facts.get("end", "") if owed else "")
    lines = [found.say("debt", who=found.who(symbol), period=period)]
    if books is not None:
        lines += [
            f"- {found.label(name)}: {books.shown[name]}"
            for name in ("total_debt", "equity", "total_assets")
            if name in books.shown
        ]
    for fact in owed:
        name, text = next(iter(fact.shown.items()))
        lines.append(f"- {found.label(name)}: {text} ({fact.facts.get('period', '')})")
        grown = next(
            (each for each in _figures(found, symbol, "growth") if each.given.get("figure") == "total liabilities"),
            None,
        )
        if name == "total_liabilities" and grown is not None:
            by = next(iter(grown.figures.values()))
            lines.append(found.say("debt_change", change=f"{by:+.1f}%"))
    if not any(fact.given.get("figure") == OWED[0] for fact in owed) and "total_debt" not in (
        books.shown if books else ()
    ):
        lines.append(found.say("debt_unknown"))
    if books is not None and books.figures.get("equity", 1.0) < 0:
        lines.append(found.say("debt_negative"))
    if books is not None and "debt_to_equity" in books.shown:
        lines.append(found.say("leverage", ratio=books.shown["debt_to_equity"]))
    return "\n".join(lines)


def _margin(found: TurnAnswers, symbol: str) -> str:
    lines = []
    changed = {str(fact.given.get("figure")): fact for fact in _figures(found, symbol, "difference")}
    for fact in _figures(found, symbol, "none"):
        if not str(fact.given.get("figure", "")).endswith("margin"):
            continue
        name, text = next(iter(fact.shown.items()))
        line = found.say(
            "margin_now",
            who=found.who(symbol),
            label=found.label(name),
            value=text,
            period=fact.facts.get("period", ""),
        )
        change = changed.get(str(fact.given.get("figure")))
        if change is not None:
            by = next(iter(change.figures.values()))
            way = "up" if by > 0.05 else "down" if by < -0.05 else "flat"
            line += " " + found.say("margin_change", change=f"{by:+.1f} points", direction=found.say(way))
        lines.append(line)
    books = found.one(TTM, symbol)
    if books is not None:
        trends = {kind: books.facts.get(f"margin_trend.{kind}", "") for kind in ("gross", "operating", "net")}
        known = [
            f"{found.label(f'{kind}_margin')} {found.say(way)}"
            for kind, way in trends.items()
            if way in ("expanding", "contracting", "stable")
        ]
        if known:
            lines.append(found.say("margin_trend", trends=", ".join(known)))
        if not _figures(found, symbol, "none"):
            lines += [
                f"- {found.label(name)}: {books.shown[name]}"
                for name in ("gross_margin", "operating_margin", "net_margin")
                if name in books.shown
            ]
    return "\n".join(lines) or found.missing(TTM, symbol)


def _growth(found: TurnAnswers, symbol: str) -> str:
    if years := _fiscal(found, symbol, "revenue"):
        return years
    lines, grown = [], _figures(found, symbol, "growth")
    quarterly = {str(fact.given.get("figure")): fact for fact in grown if fact.given.get("period") == "latest_quarter"}
    for fact in _figures(found, symbol, "none"):
        if (change := quarterly.get(str(fact.given.get("figure")))) is None:
            continue
        name, text = next(iter(fact.shown.items()))
        by = next(iter(change.figures.values()))
        lines.append(
            found.say(
                "growth_quarter",
                who=found.who(symbol),
                label=found.label(name),
                value=text,
                period=fact.facts.get("period", ""),
                growth=f"{by:+.1f}%",
            )
        )
    yearly = next((fact for fact in grown if fact.given.get("period") == "latest_year"), None)
    if yearly is not None:
        by = next(iter(yearly.figures.values()))
        lines.append(found.say("growth_year", growth=f"{by:+.1f}%", period=yearly.facts.get("period", "")))
    books = found.one(TTM, symbol)
    if books is not None and "ttm_revenue" in books.shown and not lines:
        lines.append(_revenue_of_books(found, books))
    if (series := found.one("series", symbol)) is not None:
        lines.append(revenue_years_text(found, series, symbol))
    by_revenue = quarterly.get("revenue")
    rate = (
        next(iter(by_revenue.figures.values())) if by_revenue else books.figures.get("revenue_yoy") if books else None
    )
    if rate is not None:
        lines.append(found.say("growth_none" if 0 <= rate < HARDLY else "shrinking" if rate < 0 else "growing"))
    return "\n".join(lines) or found.missing(TTM, symbol)


def _basis_of(books: ToolFact) -> str:
    """Return whether figures are of the last twelve months, or of the last fiscal year that is known."""
    return "annual" if books.facts.get("basis") == "annual" else "ttm"


def _revenue_of_books(found: TurnAnswers, books: ToolFact) -> str:
    given = {"revenue": books.shown["ttm_revenue"], "growth": shown(books, "revenue_yoy")}
    return found.say(f"growth_{_basis_of(books)}", end=books.facts.get("end", "n/a"), **given)


def _valuation(found: TurnAnswers, symbol: str) -> str:
    fact, peers, value = (
        found.one("trailing_forward_pe", symbol),
        found.one("get_peer_multiples", symbol),
        found.one("valuation", symbol),
    )
    lines = []
    if fact is not None and "pe_ttm" in fact.shown:
        lines.append(
            found.say(
                "pe",
                who=found.who(symbol),
                pe=fact.shown["pe_ttm"].removesuffix("x"),
                eps=fact.shown.get("eps_ttm", "n/a"),
                price=fact.shown.get("price", "n/a"),
            )
        )
        own = [row for _, row in places(peers, "companies") if row.get("role") == "peer"] if peers is not None else []
        if peers is not None and "peer_median_pe_ttm" in peers.figures and len(own) >= FEWEST_PEERS:
            ratio = fact.figures["pe_ttm"] / peers.figures["peer_median_pe_ttm"]
            side = "alike" if abs(ratio - 1) <= ALIKE else "dearer" if ratio > 1 else "cheaper"
            names = ", ".join(row.get("symbol", "") for row in own)
            lines.append(
                found.say(
                    "pe_peers",
                    peers=names,
                    median=peers.shown["peer_median_pe_ttm"].removesuffix("x"),
                    side=found.say(side),
                )
            )
    else:
        reason = (
            found.reason("trailing_forward_pe", symbol)
            or "no earnings of twelve months are known, or there was a loss."
        )
        lines.append(found.say("pe_none", who=found.who(symbol), reason=reason))
    if value is not None and {"value_per_share", "upside"} <= set(value.shown):
        lines.append(
            found.say("value", value=value.shown["value_per_share"], upside=shown(value, "upside"), symbol=symbol)
        )
    elif found.reason("valuation", symbol):
        lines.append(found.say("value_none", reason=found.reason("valuation", symbol)))
    books, snapshot = found.one(TTM, symbol), found.one(SNAPSHOT, symbol)
    if books is not None and {"ttm_revenue", "revenue_yoy"} <= set(books.shown):
        lines.append(_revenue_of_books(found, books))
    if snapshot is not None:
        lines.append(stands_text(found, snapshot, symbol))
    return "\n".join(lines)


def _profit(found: TurnAnswers, symbol: str) -> str:
    if years := _fiscal(found, symbol, "net income"):
        return years
    fact = found.one(TTM, symbol)
    if fact is None:
        return found.missing(TTM, symbol)
    earned = fact.figures.get("ttm_net_income")
    whether = earned is not None and not _ASKS_FIGURE & found.frame.words
    lead = found.say("made_profit" if (earned or 0.0) > 0 else "made_loss") if whether else ""
    return f"{lead} " * bool(lead) + found.say(
        "profit",
        who=found.who(symbol),
        span=found.say(f"of_{_basis_of(fact)}", end=fact.facts.get("end", "n/a")),
        net=fact.shown.get("ttm_net_income", "n/a"),
        margin=fact.shown.get("net_margin", "n/a"),
        revenue=fact.shown.get("ttm_revenue", "n/a"),
    )


_ASKS_FIGURE = frozenset({"much", "what", "whats", "show", "give", "list", "viel", "welchen", "zeig", "zeige", "多少"})
"""Words by which a question asks for the profit, and not whether there is one."""


def _fiscal(found: TurnAnswers, symbol: str, figure: str) -> str:
    """Return a figure of the fiscal period that a question names; empty where it names none."""
    if not found.frame.fiscal:
        return ""
    own = [fact for fact in _figures(found, symbol, "none") if fact.given.get("figure") == figure]
    lines = []
    for fact in own:
        name, text = next(iter(fact.shown.items()))
        period = fact.facts.get("period", "")
        lines.append(found.say("margin_now", who=found.who(symbol), label=found.label(name), value=text, period=period))
        asked = int(fact.as_of[:4]) - 1
        if found.frame.fiscal == "latest_year" and fact.facts.get("end", fact.as_of)[:4] < str(asked):
            lines.append(found.say("no_later_year", who=found.who(symbol), day=fact.as_of))
    return "\n".join(lines) or next(
        (f"{symbol}: {found.say('not_held', reason=fact.reason)}" for fact in found.all(FIGURE, symbol) if fact.failed),
        "",
    )


def _cash(found: TurnAnswers, symbol: str) -> str:
    fact = found.one(TTM, symbol)
    if fact is None:
        return found.missing(TTM, symbol)
    flows = found.say(
        "cash",
        who=found.who(symbol),
        span=found.say(f"of_{_basis_of(fact)}", end=fact.facts.get("end", "n/a")),
        operating=fact.shown.get("ttm_operating_cash_flow", "n/a"),
        free=fact.shown.get("ttm_free_cash_flow", "n/a"),
    )
    held = next((own for own in _figures(found, symbol, "none") if own.given.get("figure") == CASH_HELD), None)
    if held is None:
        return flows
    period = held.facts.get("period", "")
    return (
        f"{found.say('cash_held', who=found.who(symbol), cash=next(iter(held.shown.values())), period=period)}\n{flows}"
    )


def _news(found: TurnAnswers, symbol: str) -> str:
    asked = found.all("get_news", symbol)
    fact = found.one("get_news", symbol)
    if not asked:
        return ""
    given = {
        "who": found.who(symbol),
        "start": asked[0].given.get("start_date", ""),
        "end": asked[0].given.get("end_date", ""),
    }
    told = articles_told(fact) if fact is not None else []
    return "\n".join([found.say("news", **given), *told]) if told else found.say("news_none", **given)


def results_text(found: TurnAnswers, symbol: str) -> str:
    """Return the last results against the estimates."""
    fact = found.one("earnings", symbol)
    if fact is None or "eps_reported" not in fact.shown:
        return found.say("results_none", who=found.who(symbol), reason=found.reason("earnings", symbol) or "n/a")
    said = found.say("results", who=found.who(symbol), **_reported(fact))
    if "estimates_compared" in fact.shown:
        said += " " + found.say(
            "results_of", beaten=fact.shown.get("estimates_beaten", "n/a"), compared=fact.shown["estimates_compared"]
        )
    return said


def _reported(fact: ToolFact) -> Mapping[str, str]:
    names = {"eps": "eps_reported", "estimate": "eps_estimate", "surprise": "eps_surprise", "growth": "eps_yoy"}
    return {
        "day": fact.facts.get("quarters.0.day", fact.as_of),
        **{key: fact.shown.get(name, "n/a") for key, name in names.items()},
    }


def _profile(found: TurnAnswers, symbol: str) -> str:
    fact = found.one("company_info", symbol)
    if fact is None:
        return found.missing("company_info", symbol)
    sector = fact.facts.get("sector", "n/a").replace("-", " ")
    return found.say(
        "profile",
        who=found.who(symbol),
        sector=sector,
        industry=fact.facts.get("industry", "n/a"),
        cap=fact.shown.get("market_cap", "n/a"),
        shares=fact.shown.get("share_count", "n/a"),
    )


def _opinion(found: TurnAnswers, symbol: str) -> str:
    snapshot = found.one(SNAPSHOT, symbol)
    if snapshot is None:
        return found.missing(SNAPSHOT, symbol)
    lines = [
        found.say("opinion", who=found.who(symbol), day=snapshot.as_of),
        f"- {stands_text(found, snapshot, symbol)}",
    ]
    lines += [f"- {rsi_text(found, symbol)}", f"- {averages_text(found, symbol)}"]
    pe = found.one("trailing_forward_pe", symbol)
    if pe is not None and "pe_ttm" in pe.shown:
        lines.append(
            "- "
            + found.say(
                "pe",
                who=found.who(symbol),
                pe=pe.shown["pe_ttm"].removesuffix("x"),
                eps=pe.shown.get("eps_ttm", "n/a"),
                price=pe.shown.get("price", "n/a"),
            )
        )
    else:
        lines.append(
            "- "
            + found.say("pe_none", who=found.who(symbol), reason=found.reason("trailing_forward_pe", symbol) or "n/a")
        )
    if found.one("risk_profile", symbol) is not None:
        lines.append(f"- {risk_text(found, symbol)}")
    return "\n".join([*lines, found.say("opinion_end", symbol=symbol)])


_WRITERS: Mapping[str, Callable[[TurnAnswers, str], str]] = {
    "price": price_text,
    "cause": _cause,
    "peak": peak_text,
    "high": _high,
    "low": lambda found, symbol: _high(found, symbol, "low"),
    "listing": listing_text,
    "drawdown": drawdown_text,
    "risk": risk_text,
    "beta": beta_text,
    "rsi": rsi_text,
    "averages": averages_text,
    "dividend": dividend_text,
    "debt": _debt,
    "cash": _cash,
    "margin": _margin,
    "growth": _growth,
    "profit": _profit,
    "statement": statement_text,
    "valuation": _valuation,
    "insiders": insiders_text,
    "news": _news,
    "filings": filings_text,
    "report_date": report_date_text,
    "results": results_text,
    "profile": _profile,
    "opinion": _opinion,
    "social": social_text,
    "analysts": analysts_text,
}
"""By what is asked about a company."""
