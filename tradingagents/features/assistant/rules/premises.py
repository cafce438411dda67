"""Whether a question is right in what it takes for granted: that a price fell, that estimates were missed, a level."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from tradingagents.features.assistant.rules.aspect_calls import RESULTS_DAYS
from tradingagents.features.assistant.rules.economy_text import changed_rate, economic_level
from tradingagents.features.assistant.rules.found import TurnAnswers, close_day, percent, shown
from tradingagents.features.assistant.rules.sentences import CLAIM_TOLERANCE
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.forms.session_kinds import OF_SESSIONS
from tradingagents.offline.questions.frame_words import MARKET, OVER, UNDER
from tradingagents.retrieval.questions.names import percentage_in
from tradingagents.retrieval.questions.wording import words_in

NEAR_HIGH = 5.0
"""Percent below the highest close of a year up to which a price is not at a low."""
REACTION = timedelta(days=3)
"""How long after results a price may move by them."""
LEVEL_TOLERANCE = 0.03
"""Part by which a level that a question names may differ from the true one."""


def premises_text(found: TurnAnswers, symbols: Sequence[str], said: str) -> str:
    """Return what a question takes for granted and is not so, or is so where it was asked.

    Args:
        found: The answers of the turn.
        symbols: The companies of the question.
        said: The question in plain letters.
    """
    claims = found.frame.asked.claims
    # Which of two moves is said of whom is not read; a question on single days or a fall takes none for granted.
    several = {"fell", "rose"} <= set(claims) or found.frame.also is not None
    if not OF_SESSIONS.isdisjoint(found.frame.parts):
        claims = ()  # its months, or its last close above a level, are told
    if several or found.frame.asks_days or "drawdown" in found.frame.parts:
        claims = tuple(claim for claim in claims if claim not in ("fell", "rose"))
    if found.frame.sets_beside or (len(symbols) > 1 and found.frame.demands & {"gap", "rank"}):  # of one by the other
        claims = tuple(claim for claim in claims if claim not in ("fell", "rose"))
    if not symbols and "level" in claims and found.frame.index:
        return "\n".join(text for text in (_of_market(found), _index_level(found, said)) if text)
    if found.frame.foresees and found.frame.asked.has("fed"):
        return found.say("ahead", day=max((fact.as_of for fact in found.results), default="n/a"))
    if not symbols:
        return changed_rate(found) or economic_level(found, said) or _of_market(found)
    companies = [symbol for symbol in symbols if symbol != MARKET] or list(symbols)
    lines = [check(found, symbol) for symbol in companies for check in (_reported_then, _free_of_debt, _insiders_did)]
    lines += [_CHECKS[claim](found, symbol, said) for claim in claims if claim in _CHECKS for symbol in companies]
    return "\n".join(line for line in dict.fromkeys(lines) if line)


def _of_market(found: TurnAnswers) -> str:
    fact, claims = found.one("get_market_indices"), found.frame.asked.claims
    if fact is None or not ({"fell", "rose"} & set(claims)) or {"fell", "rose"} <= set(claims):
        return ""
    if found.frame.asked.has("winners", "losers") or found.frame.of_whole_market:  # others are said to have moved
        return ""
    of_vix = found.frame.asked.said_of("mood") in _VIX  # that it rose is not said of the market
    index = found.frame.index or ("^VIX" if of_vix else "^GSPC")
    if found.frame.days.window and (asked := found.asked_change(index)) is not None:
        by, fell = asked.figures.get("price_change", 0.0), "fell" in claims
        key = "not_fell" if fell else "not_rose"
        given = {"span": _span(found), "who": found.who(index), "change": shown(asked, "price_change")}
        return found.say(key, **given) if by and (by > 0) == fell else ""
    moved, day = fact.figures.get(f"{index}_change_pct", 0.0), close_day(fact)
    said = f"{moved:+.2f}%"
    if index != "^GSPC":
        key = "not_rose" if "rose" in claims and moved < 0 else "not_fell" if "fell" in claims and moved > 0 else ""
        span = found.frame.span if found.language == "en" and found.frame.span else found.say("this_span")
        return found.say(key, span=span, who=found.who(index), change=said) if key else ""
    if "rose" in claims and moved < 0:
        return found.say("market_fell", day=day, change=said)
    return found.say("market_rose", day=day, change=said) if "fell" in claims and moved > 0 else ""


_VIX = frozenset({"vix", "fear index", "fear gauge", "angstbarometer", "恐慌指数"})


def _direction(found: TurnAnswers, symbol: str, said: str, *, fell: bool) -> str:
    """Return that a price did not do what a question says it did, over its span or at all."""
    if found.frame.of_earnings:
        return _earnings_direction(found, symbol, fell=fell)
    of_price = found.frame.asked.has("price") and found.frame.dated and not found.frame.fiscal
    if _OF_STATEMENTS & set(found.frame.asked.aspects) and not of_price:
        return _figure_direction(found, symbol, fell=fell)
    changes, snapshot = found.changes(symbol), found.one("market_snapshot", symbol)
    name = found.who(symbol)
    key = "not_fell" if fell else "not_rose"
    claimed = percentage_in(said)
    told = f" {found.say('said_claimed', claimed=claimed[1])}" if claimed else ""
    if found.frame.span and (asked := found.asked_change(symbol)) is not None:
        moved = asked.figures.get("price_change", 0.0)
        if (moved > 0) == fell and moved:
            return found.say(key, span=_span(found), who=name, change=shown(asked, "price_change")) + told
        return _size(found, asked, said)
    if snapshot is None:
        return ""
    if fell and any(word in said for word in ("new low", "new lows", "新低", "all time low")) and changes:
        return _at_high(found, changes[-1])
    if not fell and any(word in said for word in ("best performing", "best performer")):
        ytd = snapshot.figures.get("return_ytd", 0.0)
        return found.say("not_best", who=name, change=shown(snapshot, "return_ytd")) if ytd < 0 else ""
    if changes and any(word in said for word in _TIMES):
        return _times(found, changes[-1], fell=fell)
    lately = any(word in said for word in _LATELY)
    spans = ("change_1w", "change_1m") if lately else ("change_1d", "change_1w", "change_1m", "return_ytd")
    moves = [snapshot.figures.get(each, 0.0) for each in spans]
    wrong = all((move > 0) == fell for move in moves)
    if not wrong:
        return ""
    return found.say(key, span=found.say("span_lately"), who=name, change=shown(snapshot, "change_1m")) + told


def _span(found: TurnAnswers) -> str:
    """Return the words for the days of a question."""
    own = found.language == "en" and found.frame.span != RESULTS_DAYS
    return found.frame.span if own else found.say("this_span")


_OF_STATEMENTS = frozenset({"growth", "profit"})
"""Aspects of which a question that asks about them says that they fell or rose, and not of the price."""


def _figure_direction(found: TurnAnswers, symbol: str, *, fell: bool) -> str:
    """Return that a figure of statements did not do what a question says; empty where it did, or is not known."""
    figure = "revenue" if found.frame.asked.has("growth") else "net income"
    grown = next(
        (
            fact
            for fact in found.all("get_statement_figure", symbol)
            if not fact.failed and fact.given.get("figure") == figure and fact.given.get("change") == "growth"
        ),
        None,
    )
    by = next(iter(grown.figures.values()), 0.0) if grown is not None else 0.0
    if grown is None or not by or (by < 0) == fell:
        return ""
    label, period = found.label(figure.replace(" ", "_")), grown.facts.get("period", "")
    key = "figure_not_fell" if fell else "figure_not_rose"
    return found.say(key, label=label, who=found.who(symbol), change=f"{by:+.1f}%", period=period)


def _earnings_direction(found: TurnAnswers, symbol: str, *, fell: bool) -> str:
    """Return that the earnings per share did not do what a question says; empty where they did, or it is not known."""
    fact = found.one("earnings", symbol)
    by = fact.figures.get("eps_yoy", 0.0) if fact is not None else 0.0
    if fact is None or not by or (by < 0) == fell:
        return ""
    label, key = found.label("eps_reported"), "figure_not_fell" if fell else "figure_not_rose"
    period = fact.facts.get("quarters.0.period", "") or fact.facts.get("quarters.0.day", fact.as_of)
    return found.say(key, label=label, who=found.who(symbol), change=f"{by:+.1f}%", period=period)


_TIMES = ("doubled", "tripled", "halved", "verdoppelt", "halbiert", "翻倍", "腰斩")
_LATELY = ("lately", "recently", "these days", "zuletzt", "neulich", "最近", "近期")


def _times(found: TurnAnswers, year: ToolFact, *, fell: bool) -> str:
    """Return what a price did over a year that a question says to have doubled or halved, where it did not."""
    moved = year.figures.get("price_change", 0.0)
    if (moved > 0) == fell and moved:
        span = found.say("this_span") if found.language != "en" else "over twelve months"
        key = "not_fell" if fell else "not_rose"
        return found.say(key, span=span, who=found.who(year.subject), change=shown(year, "price_change"))
    claimed = 50.0 if fell else 100.0
    if abs(abs(moved) - claimed) <= CLAIM_TOLERANCE * claimed:
        return ""
    return found.say("size_is", who=found.who(year.subject), true=shown(year, "price_change"), claimed=f"{claimed:g}%")


def _at_high(found: TurnAnswers, year: ToolFact) -> str:
    if not {"highest_close", "lowest_close"} <= year.figures.keys():
        return found.no_range(year.subject)
    last, high, low = (year.figures[name] for name in ("last_close", "highest_close", "lowest_close"))
    below = 100 * (1 - last / high)
    if below > NEAR_HIGH and last < low * 1.1:
        return ""
    if below <= 0:
        return found.say("at_record", last=year.shown["last_close"])
    return found.say(
        "near_high",
        last=year.shown["last_close"],
        off=percent(below),
        over=percent(100 * (last / low - 1)),
        high=year.shown["highest_close"],
        low=year.shown["lowest_close"],
    )


def _size(found: TurnAnswers, fact: ToolFact, said: str) -> str:
    """Return that a price moved by another percentage than a question says; halved and doubled are percentages too."""
    claimed = percentage_in(said)
    by = claimed[0] if claimed else 50.0 if any(word in said for word in ("halved", "halbiert", "腰斩")) else None
    true = fact.figures.get("price_change")
    if by is None or true is None or abs(by - abs(true)) <= max(1.0, CLAIM_TOLERANCE * abs(true)):
        return ""
    return found.say("size_is", who=found.who(fact.subject), true=shown(fact, "price_change"), claimed=f"{by:g}%")


def _reported_then(found: TurnAnswers, symbol: str) -> str:
    """Return that no results came on the days on which a question says that they did; empty where it says no such."""
    frame, fact = found.frame, found.one("earnings", symbol)
    of_results = frame.asked.has("results") and bool(frame.demands & {"because", "event"})
    reports = "reported" in frame.words or {"beat", "missed"} & set(frame.asked.claims) or of_results
    start, end = (frame.days.start, frame.days.end) if frame.days.window else (*frame.days.days, None, None)[:2]
    if not reports or fact is None or start is None or frame.fiscal == "latest_quarter":
        return ""  # `beat last quarter` means the last results, on whatever day they came
    last = fact.facts.get("quarters.0.day", "")
    if not last or (start - REACTION).isoformat() <= last <= (end or start).isoformat():
        return ""
    span = _span(found)
    return found.say("not_reported_then", who=found.who(symbol), span=span, day=last)


def _free_of_debt(found: TurnAnswers, symbol: str) -> str:
    """Return whether a company owes nothing, as a question says; empty where it says no such."""
    fact = found.one("get_ttm_analysis", symbol)
    if "no_debt" not in found.frame.asked.asks or fact is None or "total_debt" not in fact.figures:
        return ""
    key = "has_debt" if fact.figures["total_debt"] > 0 else "no_debt"
    return found.say(key, who=found.who(symbol), **({"debt": fact.shown["total_debt"]} if key == "has_debt" else {}))


def _insiders_did(found: TurnAnswers, symbol: str) -> str:
    """Return that insiders of a company did not buy, or sell, as a question says that they did."""
    asked, fact = found.frame.asked, found.one("get_insider_transactions", symbol)
    kinds = [kind for kind in ("bought", "sold") if kind in asked.asks]
    if fact is None or len(kinds) != 1 or not asked.has("insiders") or found.frame.person or found.frame.days.window:
        return ""
    figure, what = {"bought": ("buys", "trades_of_buy"), "sold": ("sells", "trades_of_sell")}[kinds[0]]
    if fact.figures.get(figure, 1.0):
        return ""
    start, day = fact.facts.get("start", ""), fact.as_of
    return found.say("insiders_not", who=found.who(symbol), what=found.say(what), start=start, day=day)


def _reported(found: TurnAnswers, symbol: str, *, missed: bool) -> str:
    fact = found.one("earnings", symbol)
    if fact is None or "eps_surprise" not in fact.figures:
        reason = found.reason("earnings", symbol) or found.say("no_estimate_given")
        return found.say("no_estimates", who=found.who(symbol), reason=reason)
    fell_short = fact.figures["eps_surprise"] < 0
    key = ("has_missed" if fell_short else "not_missed") if missed else ("not_beat" if fell_short else "has_beat")
    given = {
        "eps": fact.shown["eps_reported"],
        "estimate": fact.shown.get("eps_estimate", "n/a"),
        "surprise": fact.shown["eps_surprise"],
    }
    return found.say(key, who=found.who(symbol), day=fact.facts.get("quarters.0.day", fact.as_of), **given)


def _dividend(found: TurnAnswers, symbol: str, *, cut: bool) -> str:
    fact = found.one("get_dividends", symbol)
    if fact is None or not {"dividend_last", "dividend_before"} <= set(fact.figures):
        return ""
    last, before = fact.figures["dividend_last"], fact.figures["dividend_before"]
    grown = fact.figures.get("dividend_yoy", 0.0)
    if last == before and (grown < 0 if cut else grown > 0):
        given = {"last": fact.shown["dividend_last"], "growth": shown(fact, "dividend_yoy")}
        return found.say("lowered_in_year" if cut else "raised_in_year", who=found.who(symbol), **given)
    key = ("has_cut" if last < before else "not_cut") if cut else ("has_raised" if last > before else "not_raised")
    return found.say(
        key,
        who=found.who(symbol),
        last=fact.shown["dividend_last"],
        before=fact.shown["dividend_before"],
        day=fact.facts.get("last_ex_date", ""),
    )


def _level(found: TurnAnswers, symbol: str, said: str) -> str:
    fact = found.one("market_snapshot", symbol)
    if fact is None or not found.frame.levels or (found.frame.days.window and found.changes(symbol)):
        return _level_within(found, symbol, said)
    days = found.frame.days
    over = days.window and days.end is not None and days.end.isoformat() < fact.as_of
    if over or any(day.isoformat() < fact.as_of for day in days.days):
        return ""  # the level of another day
    name = "rsi" if "rsi" in found.frame.words else "price"
    true, claimed = fact.figures.get(name), found.frame.levels[0]
    if true is None or found.frame.asked.has("averages"):
        return ""
    under = bool(UNDER & words_in(said))
    over = bool(OVER & words_in(said))
    what = f"{found.who(symbol)}, {found.label(name)},"
    if (under and true >= claimed) or (over and true <= claimed):
        return found.say(
            "level_side",
            what=what,
            true=fact.shown[name],
            side=found.say("below" if under else "above"),
            claimed=f"{claimed:g}",
        )
    if not under and not over and abs(true - claimed) > LEVEL_TOLERANCE * claimed:
        return found.say("level_is", what=what, true=fact.shown[name], claimed=f"{claimed:g}")
    return ""


def _level_within(found: TurnAnswers, symbol: str, said: str) -> str:
    """Return whether a price closed above or below a level within the days that a question names."""
    if not found.frame.levels or not found.frame.days.window or not found.changes(symbol):
        return ""
    fact, claimed = found.asked_change(symbol), found.frame.levels[0]
    if fact is None:
        return ""
    under = bool(UNDER & words_in(said))
    figure = "lowest" if under else "highest"
    close, day = fact.figures.get(f"{figure}_close"), fact.facts.get(f"{figure}_day", "")
    if close is None:
        return ""
    key = "closed_beyond" if (close < claimed if under else close > claimed) else "not_closed_beyond"
    return found.say(
        key,
        who=found.who(symbol),
        side=found.say("below" if under else "above"),
        claimed=f"{claimed:g}",
        close=fact.shown[f"{figure}_close"],
        day=day,
    )


def _index_level(found: TurnAnswers, said: str) -> str:
    """Return that an index does not stand where a question says it does; of named days, whether it closed beyond."""
    fact, index = found.one("get_market_indices"), found.frame.index
    if found.frame.days.window and found.changes(index):
        return _level_within(found, index, said)
    true = fact.figures.get(f"{index}_last") if fact is not None else None
    if fact is None or true is None or not found.frame.levels:
        return ""
    claimed, text = found.frame.levels[0], fact.shown[f"{index}_last"]
    under = bool(UNDER & words_in(said))
    if under == (true < claimed):
        over = bool(OVER & words_in(said))
        side = found.say("below" if under else "above")
        so = found.say("level_so", what=found.who(index), true=text, side=side, claimed=f"{claimed:g}")
        return so if (under or over) and not found.frame.demands & {"cause", "when"} else ""
    side = found.say("below" if under else "above")
    return found.say("level_side", what=found.who(index), true=text, side=side, claimed=f"{claimed:g}")


_CHECKS: Mapping[str, Callable[[TurnAnswers, str, str], str]] = {
    "fell": lambda found, symbol, said: _direction(found, symbol, said, fell=True),
    "rose": lambda found, symbol, said: _direction(found, symbol, said, fell=False),
    "missed": lambda found, symbol, _said: _reported(found, symbol, missed=True),
    "beat": lambda found, symbol, _said: _reported(found, symbol, missed=False),
    "cut_dividend": lambda found, symbol, _said: _dividend(found, symbol, cut=True),
    "raised_dividend": lambda found, symbol, _said: _dividend(found, symbol, cut=False),
    "level": _level,
}
