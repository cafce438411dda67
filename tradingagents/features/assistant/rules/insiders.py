"""What insiders traded: of one company, across the largest companies at hand, and by one person."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta

from tradingagents.features.assistant.rules.found import TurnAnswers, places
from tradingagents.features.assistant.rules.screens import MOST_RANKED, Call, members_found
from tradingagents.offline.questions.conversation import ConversationBrief, ToolFact
from tradingagents.offline.questions.frames import QuestionFrame

TRADES = "get_insider_transactions"
LATELY = timedelta(days=92)
"""How far back trades across companies are listed where a question names no days."""
MOST_OF_COMPANY, MOST_ACROSS = 6, 12
_SAME_FIRST_LETTERS = 3
"""Letters by which a first name is told: Tim is Timothy."""
_KINDS: Mapping[str, str] = {"buy": "buy", "purchase": "buy", "sell": "sell", "sale": "sell"}


def calls_across(known: ConversationBrief) -> Iterator[Call]:
    """Yield the calls that show what insiders of the largest companies at hand traded."""
    yield "top_companies", {"limit": MOST_RANKED}
    for symbol in members_found(known):
        yield TRADES, {"ticker": symbol}


def insiders_text(found: TurnAnswers, symbol: str) -> str:
    """Return what insiders of a company traded; of one of them where a question names him."""
    fact = found.one(TRADES, symbol)
    if fact is None:
        return f"{symbol}: {found.say('not_held', reason=found.reason(TRADES, symbol) or 'n/a')}"
    said = found.say(
        "insiders",
        who=found.who(symbol),
        start=fact.facts.get("start", ""),
        day=fact.as_of,
        sells=fact.shown.get("sells", "0"),
        sold=fact.shown.get("sell_value", "n/a"),
        buys=fact.shown.get("buys", "0"),
        bought=fact.shown.get("buy_value", "n/a"),
    )
    person, lead, days = found.frame.person, [], found.frame.days
    since = days.start if days.window else days.days[0] if days.days else None
    until = days.end if days.window else since
    rows = [line for _, line in _trades(found, fact, person, since, until=until)]
    if since is not None and not person:
        lead = [_within(found, fact, symbol, (since, until or since))]
    if person and not rows:
        lead = [found.say("no_trade_of", person=person, start=_told_from(fact), day=fact.as_of)]
        rows = [line for _, line in _trades(found, fact, start=since)]
    return "\n".join([*lead, said, *rows[:MOST_OF_COMPANY], found.say("grants")])


def _within(found: TurnAnswers, fact: ToolFact, symbol: str, days: tuple[date, date]) -> str:
    """Return how many trades insiders of a company made within the days of a question, as far back as all are told."""
    start, end = max(days[0], date.fromisoformat(_told_from(fact))), min(days[1], date.fromisoformat(fact.as_of))
    sells, buys = (len(list(_trades(found, fact, "", start, (kind,), until=end))) for kind in ("sell", "buy"))
    given = {"who": found.who(symbol), "start": start, "day": end, "sells": sells, "buys": buys}
    return found.say("insiders_within" if sells or buys else "insiders_none_within", **given)


def insiders_across(found: TurnAnswers, known: ConversationBrief) -> str:
    """Return what insiders of the largest companies at hand traded, the latest first."""
    frame, facts = found.frame, [fact for fact in found.all(TRADES) if not fact.failed]
    start = _start_of(frame, known.day)
    since: date | None = start
    if frame.person:
        since, start = None, max((date.fromisoformat(_told_from(fact)) for fact in facts), default=start)
    wanted = _wanted(frame)
    rows = sorted(
        (
            (day, f"{line}, {fact.subject}")
            for fact in facts
            for day, line in _trades(found, fact, frame.person, since, wanted)
        ),
        key=lambda row: row[0],
        reverse=True,
    )
    given = {"count": len(facts), "looked": len(found.all(TRADES)), "start": start, "day": known.day}
    if rows and since is None:
        given["start"] = min(rows)[0]
    if not rows and frame.person:
        return found.say("no_trade_across", person=frame.person, **given)
    lines = [line for _, line in rows[:MOST_ACROSS]]
    what = found.say("trades_of_both" if len(wanted) > 1 else f"trades_of_{next(iter(wanted))}")
    return "\n".join([found.say("insiders_across", what=what, all=len(rows), **given), *lines, found.say("grants")])


_SAID = {
    "buy": frozenset(
        {"bought", "buy", "buying", "buys", "purchase", "purchases", "gekauft", "käufe", "kaufen", "买入", "增持"}
    ),
    "sell": frozenset({"sold", "sell", "selling", "sells", "sales", "dumping", "verkauft", "verkäufe", "卖出", "减持"}),
}


def _wanted(frame: QuestionFrame) -> set[str]:
    """Return whether purchases, sales or both are asked for."""
    return {kind for kind, words in _SAID.items() if words & frame.words} or set(_SAID)


def _told_from(fact: ToolFact) -> str:
    """Return from which day on every purchase and sale of a company is told: of many trades the latest alone are."""
    rows = [row for _, row in places(fact, "trades")]
    told = sum(row.get("kind", "") in _KINDS for row in rows)
    cut = told < fact.figures.get("buys", 0) + fact.figures.get("sells", 0)
    return rows[-1].get("day", "") if cut and rows else fact.facts.get("start", "") or fact.as_of


def _start_of(frame: QuestionFrame, today: date) -> date:
    days = frame.days
    return days.start if days.window and days.start is not None else today - LATELY


def _trades(
    found: TurnAnswers,
    fact: ToolFact,
    person: str = "",
    start: date | None = None,
    wanted: Collection[str] = ("buy", "sell"),
    *,
    until: date | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the day of each purchase and sale on the open market, and the line that tells it.

    Args:
        found: The answers of the turn.
        fact: What the insiders of a company traded.
        person: Whose trades are told; empty for those of all.
        start: From which day on; None for all.
        wanted: Whether purchases, sales or both.
        until: To which day; None: all.
    """
    for _, row in places(fact, "trades"):
        kind, day, name = _KINDS.get(row.get("kind", "")), row.get("day", ""), row.get("insider", "")
        if kind is None or kind not in wanted:
            continue
        if until is not None and day > until.isoformat():
            continue
        if (start is None or day >= start.isoformat()) and (not person or is_named(person, name)):
            yield day, f"- {day}: {name} ({row.get('relation', '')}), {found.say(kind)}"


def is_named(person: str, name: str) -> bool:
    """Tell whether a person is meant by a name as filings write it: Tim Cook is `COOK TIMOTHY D`."""
    *first, last = person.lower().split()
    words = name.lower().replace(".", "").split()
    letters = {word[:_SAME_FIRST_LETTERS] for word in words if word != last and len(word) > 1}
    return last in words and (not first or first[0][:_SAME_FIRST_LETTERS] in letters)
