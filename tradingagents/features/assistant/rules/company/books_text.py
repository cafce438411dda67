"""Sentences on a company's books: debt, margins, growth, profit, cash."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.features.assistant.rules.company.years_text import revenue_years_text
from tradingagents.features.assistant.rules.found import TurnAnswers, shown
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.measures import CASH_HELD

TTM, FIGURE = "get_ttm_analysis", "get_statement_figure"
HARDLY = 2.0
"""Percent of growth a year below which a company hardly grows."""
NET_INCOME = "net income"
OWED = ("long-term debt", "total liabilities")
_ASKS_FIGURE = frozenset({"much", "what", "whats", "show", "give", "list", "viel", "welchen", "zeig", "zeige", "多少"})
"""Words by which a question asks for the profit, and not whether there is one."""


def _figures(found: TurnAnswers, symbol: str, change: str) -> list[ToolFact]:
    return [
        fact
        for fact in found.all(FIGURE, symbol)
        if not fact.failed and str(fact.given.get("change", "none")) == change and fact.shown
    ]


def debt_text(found: TurnAnswers, symbol: str) -> str:
    """Return what a company owes, against what it has."""
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
    return "\n".join([*lines, *_net_of_cash(found, symbol, books)])


def _net_of_cash(found: TurnAnswers, symbol: str, books: ToolFact | None) -> list[str]:
    """Return whether a company holds more cash than it owes, where a question asks for both; nothing for another."""
    held = next((own for own in _figures(found, symbol, "none") if own.given.get("figure") == CASH_HELD), None)
    if not {"cash", "debt"} <= set(found.frame.parts):
        return []
    owed = books.figures.get("total_debt") if books is not None else None
    if held is None or books is None or owed is None or books.facts.get("end", "-") not in held.facts.get("period", ""):
        return [found.say("net_unknown", who=found.who(symbol))]
    cash, shown_cash = next(iter(held.figures.values())), next(iter(held.shown.values()))
    unit, shown_debt = shown_cash.rpartition(" ")[2], books.shown["total_debt"]
    if shown_debt.rpartition(" ")[2] != unit:
        return [found.say("net_unknown", who=found.who(symbol))]
    net = Figure("net", abs(cash - owed), unit).text
    key = "net_cash" if cash > owed else "net_debt"
    return [found.say(key, who=found.who(symbol), cash=shown_cash, debt=shown_debt, net=net)]


def margin_text(found: TurnAnswers, symbol: str) -> str:
    """Return its margins, how they changed, and their trend."""
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


def _by_figure(grown: Sequence[ToolFact]) -> dict[str, ToolFact]:
    """Return the growth of each figure over the last quarter."""
    return {str(fact.given.get("figure")): fact for fact in grown if fact.given.get("period") == "latest_quarter"}


def _quarter_lines(found: TurnAnswers, symbol: str, figures: Sequence[str]) -> list[str]:
    """Return figures of the last quarter with their growth on the year before."""
    lines, grown = [], _by_figure(_figures(found, symbol, "growth"))
    for fact in _figures(found, symbol, "none"):
        asked = str(fact.given.get("figure"))
        if asked not in figures or (change := grown.get(asked)) is None:
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
    return lines


def growth_text(found: TurnAnswers, symbol: str) -> str:
    """Return how revenue and profit grew."""
    if years := _fiscal(found, symbol, "revenue"):
        return years
    grown = _figures(found, symbol, "growth")
    quarterly = _by_figure(grown)
    lines = _quarter_lines(found, symbol, tuple(quarterly))
    yearly = next((fact for fact in grown if fact.given.get("period") == "latest_year"), None)
    if yearly is not None:
        by = next(iter(yearly.figures.values()))
        lines.append(found.say("growth_year", growth=f"{by:+.1f}%", period=yearly.facts.get("period", "")))
    books = found.one(TTM, symbol)
    if books is not None and "ttm_revenue" in books.shown and not lines:
        lines.append(revenue_of_books(found, books))
    if (series := found.one("series", symbol)) is not None:
        lines.append(revenue_years_text(found, series, symbol))
    by_revenue = quarterly.get("revenue")
    rate = (
        next(iter(by_revenue.figures.values())) if by_revenue else books.figures.get("revenue_yoy") if books else None
    )
    if rate is not None:
        state = found.say("growth_none" if 0 <= rate < HARDLY else "shrinking" if rate < 0 else "growing")
        lines.append(_answered(found, state, holds=rate >= HARDLY, asked=_GROWS, other=_SHRINKS, other_holds=rate < 0))
    return "\n".join(lines) or found.missing(TTM, symbol)


def _basis_of(books: ToolFact) -> str:
    """Return whether figures are of the last twelve months, or of the last fiscal year that is known."""
    return "annual" if books.facts.get("basis") == "annual" else "ttm"


def revenue_of_books(found: TurnAnswers, books: ToolFact) -> str:
    """Return the revenue of the last period of a company's statements, with its growth."""
    given = {"revenue": books.shown["ttm_revenue"], "growth": shown(books, "revenue_yoy")}
    return found.say(f"growth_{_basis_of(books)}", end=books.facts.get("end", "n/a"), **given)


def profit_text(found: TurnAnswers, symbol: str) -> str:
    """Return what it earned, and whether it did."""
    if years := _fiscal(found, symbol, "net income"):
        return years
    fact = found.one(TTM, symbol)
    if fact is None:
        return found.missing(TTM, symbol)
    if "ttm_net_income" not in fact.shown:
        reason = " ".join(fact.facts.get("note", "").split()) or found.say("no_figures", who=found.who(symbol))
        return _last_quarter(found, symbol).strip() or reason
    if {"fell", "rose"} & set(found.frame.asked.claims) and (quarter := _quarter_lines(found, symbol, ("net income",))):
        return "\n".join(quarter)
    earned = fact.figures.get("ttm_net_income")
    whether, gain = asks_whether_profit(found.frame), (earned or 0.0) > 0
    state = found.say("made_profit" if gain else "made_loss") if whether and earned is not None else ""
    lead = _answered(found, state, holds=gain, asked=_GAIN, other=_LOSS, other_holds=not gain) if state else ""
    return (
        f"{lead} " * bool(lead)
        + found.say(
            "profit",
            who=found.who(symbol),
            span=found.say(f"of_{_basis_of(fact)}", end=fact.facts.get("end", "n/a")),
            net=fact.shown.get("ttm_net_income", "n/a"),
            margin=fact.shown.get("net_margin", "n/a"),
            revenue=fact.shown.get("ttm_revenue", "n/a"),
        )
        + _last_quarter(found, symbol) * bool(state)
    )


def _last_quarter(found: TurnAnswers, symbol: str) -> str:
    """Return the profit or loss of the last quarter; empty where it was not looked up."""
    own = (fact for fact in _figures(found, symbol, "none") if fact.given.get("figure") == NET_INCOME)
    fact = next((fact for fact in own if fact.given.get("period") == "latest_quarter"), None)
    if fact is None:
        return ""
    return " " + found.say("profit_quarter", period=fact.facts.get("period", ""), net=next(iter(fact.shown.values())))


def asks_whether_profit(frame: QuestionFrame) -> bool:
    """Tell whether a question on profits asks whether there are any, and not for the figure."""
    return not _ASKS_FIGURE & frame.words


def _answered(
    found: TurnAnswers, state: str, *, holds: bool, asked: frozenset[str], other: frozenset[str], other_holds: bool
) -> str:
    """Return how things are, behind yes or no where a question asks for one of two opposite ways.

    `is it still losing money` is answered yes by a loss, `does it make money` by a gain; a question for the reason of
    what is so is no yes-or-no question, one for the reason of what is not so is answered no.

    Args:
        found: The answers.
        state: How things are, in a sentence.
        holds: Whether the first way is so.
        asked: Words of the first way.
        other: Words of the opposite one.
        other_holds: Whether the opposite way is so.
    """
    text = " ".join(found.frame.words)  # Chinese words stand in one
    named = [so for words, so in ((other, other_holds), (asked, holds)) if any(_is_said(word, text) for word in words)]
    whether = _WHETHER & found.frame.words or any(sign in text for sign in ("吗", "是否", "是不是"))
    why = {"cause", "because"} & found.frame.demands
    open_ = not named or not (whether or why) or bool(_EITHER & found.frame.words) or "还是" in text
    if open_ or (named[0] and why):
        return f"{state[:1].upper()}{state[1:]}"
    return found.say("so_it_is" if named[0] else "so_it_is_not", state=state)


def _is_said(word: str, text: str) -> bool:
    return f" {word} " in f" {text} " if word.isascii() else word in text


_WHETHER = frozenset(
    {
        *("is", "are", "isn", "aren", "does", "do", "did", "has", "have", "still", "was", "were"),
        *(
            "macht",
            "machen",
            "ist",
            "sind",
            "hat",
            "schreibt",
            "noch",
            "wächst",
            "sinkt",
            "schrumpft",
            "fällt",
            "steigt",
        ),
    }
)
_EITHER = frozenset({"or", "oder"})
_LOSS = frozenset(
    {
        *("losing", "lose", "loses", "lost", "loss", "losses", "lossmaking", "unprofitable"),
        *("verlust", "verluste", "rote", "roten", "亏"),
    }
)
_GAIN = frozenset(
    {
        *("profit", "profits", "profitable", "money", "black", "profitabel", "gewinn", "gewinne", "geld"),
        *("schwarze", "schwarzen", "盈利", "赚"),
    }
)
_SHRINKS = frozenset(
    {
        *("shrink", "shrinks", "shrinking", "shrank", "shrunk", "falling", "fell", "fall", "fallen", "declining"),
        *("declined", "dropping", "dropped", "down", "decreasing", "contracting", "slipping", "schrumpft"),
        *("schrumpfen", "geschrumpft", "sinkt", "sinken", "gesunken", "fällt", "rückläufig"),
        *("下降", "萎缩", "下滑", "减少"),
    }
)
_GROWS = frozenset(
    {
        *("growing", "grow", "grows", "grew", "grown", "rising", "rise", "rose", "up", "increasing", "climbing"),
        *("wächst", "wachsen", "gewachsen", "steigt", "gestiegen", "增长", "上升"),
    }
)
"""Words of two opposite ways, of a profit and of a growth."""


def _fiscal(found: TurnAnswers, symbol: str, figure: str) -> str:
    """Return a figure of the fiscal period that a question names; empty where it names none."""
    if not found.frame.fiscal:
        return ""
    own = [fact for fact in _figures(found, symbol, "none") if fact.given.get("figure") == figure]
    lines = []
    grown = (
        {fact.given.get("figure"): fact for fact in _figures(found, symbol, "growth")}
        if found.frame.asks_growth
        else {}
    )
    for fact in own:
        name, text = next(iter(fact.shown.items()))
        period = fact.facts.get("period", "")
        if (change := grown.get(figure)) is not None:
            given = {"who": found.who(symbol), "label": found.label(name), "value": text, "period": period}
            by = next(iter(change.figures.values()))
            lines.append(found.say("growth_quarter", growth=f"{by:+.1f}%", **given))
            continue
        lines.append(found.say("margin_now", who=found.who(symbol), label=found.label(name), value=text, period=period))
        asked = int(fact.as_of[:4]) - 1
        if found.frame.fiscal == "latest_year" and fact.facts.get("end", fact.as_of)[:4] < str(asked):
            lines.append(found.say("no_later_year", who=found.who(symbol), day=fact.as_of))
    return "\n".join(lines) or next(
        (f"{symbol}: {found.say('not_held', reason=fact.reason)}" for fact in found.all(FIGURE, symbol) if fact.failed),
        "",
    )


def cash_text(found: TurnAnswers, symbol: str) -> str:
    """Return its cash and its cash flows."""
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
