"""Sentences on one company by what was asked about it, and several side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tradingagents.features.assistant.rules.company.books_text import (
    TTM,
    cash_text,
    debt_text,
    growth_text,
    margin_text,
    profit_text,
    revenue_of_books,
)
from tradingagents.features.assistant.rules.company.buyback_text import buyback_text
from tradingagents.features.assistant.rules.company.daily_moves import daily_text, range_within
from tradingagents.features.assistant.rules.company.dividend_text import dividend_text
from tradingagents.features.assistant.rules.company.filings_text import filings_text
from tradingagents.features.assistant.rules.company.price_text import (
    above_low_text,
    is_of_a_year,
    listing_text,
    peak_text,
    price_text,
    span_said,
    stands_text,
)
from tradingagents.features.assistant.rules.company.ratio_text import FEWEST_PEERS, ratio_text
from tradingagents.features.assistant.rules.company.report_dates import report_date_text
from tradingagents.features.assistant.rules.company.risk_text import (
    averages_text,
    beta_text,
    drawdown_text,
    risk_text,
    rsi_text,
    volume_text,
)
from tradingagents.features.assistant.rules.company.session_text import level_text, periods_text, volumes_text
from tradingagents.features.assistant.rules.company.split_text import split_text
from tradingagents.features.assistant.rules.company.statement_text import statement_text
from tradingagents.features.assistant.rules.found import (
    TurnAnswers,
    articles_told,
    places,
    shown,
)
from tradingagents.features.assistant.rules.insiders import insiders_text
from tradingagents.features.assistant.rules.voices_text import analysts_text, social_text
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frame_words import MARKET
from tradingagents.offline.questions.measures import RATIOS

SNAPSHOT, CHANGE = "market_snapshot", "get_price_change"
ALIKE = 0.1
"""Part by which a multiple may differ from that of the peers and be like it."""
NEAR_HIGH = -1.0
MOST_ROWS = 6


def company_text(found: TurnAnswers, part: str, symbol: str) -> str:
    """Return what is known of a company on what was asked."""
    return ratio_text(found, part, symbol) if part in RATIOS else _WRITERS[part](found, symbol)


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
    year, snapshot = found.ranged(symbol, close), found.one(SNAPSHOT, symbol)
    if year is None:
        return f"{symbol}: {found.no_range(symbol)}"
    own = not is_of_a_year(found, year)  # the range of the snapshot is of another span
    said = found.say(
        f"{side}_close_is" if own else f"{side}_is",
        who=found.who(symbol),
        high=year.shown[close],
        low=year.shown[close],
        day=year.facts.get(day, ""),
        span=span_said(found, year),
        intraday=snapshot.shown.get(f"{side}_52w", "n/a") if snapshot else "n/a",
    )
    if own:
        said = " ".join(text for text in (said, range_within(found, symbol, side)) if text)
    if side == "low":
        return " ".join(text for text in (said, above_low_text(found, year)) if text)
    return said if own else f"{said}\n{peak_text(found, symbol)}"


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
        lines.append(revenue_of_books(found, books))
    if snapshot is not None:
        lines.append(stands_text(found, snapshot, symbol))
    return "\n".join(lines)


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
    "daily": daily_text,
    "periods": periods_text,
    "volumes": volumes_text,
    "level_last": level_text,
    "drawdown": drawdown_text,
    "risk": risk_text,
    "beta": beta_text,
    "rsi": rsi_text,
    "averages": averages_text,
    "volume": volume_text,
    "dividend": dividend_text,
    "debt": debt_text,
    "cash": cash_text,
    "margin": margin_text,
    "growth": growth_text,
    "profit": profit_text,
    "statement": statement_text,
    "valuation": _valuation,
    "insiders": insiders_text,
    "news": _news,
    "filings": filings_text,
    "split": split_text,
    "buybacks": buyback_text,
    "report_date": report_date_text,
    "results": results_text,
    "profile": _profile,
    "opinion": _opinion,
    "social": social_text,
    "analysts": analysts_text,
}
"""By what is asked about a company."""
