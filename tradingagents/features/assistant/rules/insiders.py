"""What insiders traded: of one company, across the largest companies at hand, and by one person."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta

from tradingagents.dataflows.reference.metrics import MISSING
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


def calls_across(known: ConversationBrief, frame: QuestionFrame) -> Iterator[Call]:
    """Yield the calls that show what insiders of the largest companies at hand traded."""
    yield "top_companies", {"limit": MOST_RANKED}
    yield from (trades_asked(symbol, frame, known.day) for symbol in members_found(known))


def trades_asked(symbol: str, frame: QuestionFrame, today: date) -> Call:
    """Return the call for the trades of a company on the days that a question names; of the last half-year if none."""
    days = frame.days
    one = days.days[0] if days.days and not days.window else None
    start, end = (one, one) if one is not None else (days.start, days.end) if days.window else (None, None)
    if start is None or end is None or start > today:
        return TRADES, {"ticker": symbol}
    return TRADES, {"ticker": symbol, "start_date": start.isoformat(), "end_date": min(end, today).isoformat()}


def insiders_text(found: TurnAnswers, symbol: str) -> str:
    """Return what insiders of a company traded; of one of them where a question names him."""
    fact = found.one(TRADES, symbol)
    if fact is None:
        return f"{symbol}: {found.say('not_held', reason=found.reason(TRADES, symbol) or 'n/a')}"
    given = {"who": found.who(symbol), "start": fact.facts.get("start", ""), "day": _end(fact)}
    traded = fact.figures.get("buys", 0) + fact.figures.get("sells", 0)
    said = found.say(
        "insiders" if traded else "insiders_none_within",
        **given,
        sells=fact.shown.get("sells", "0"),
        sold=fact.shown.get("sell_value", "n/a"),
        buys=fact.shown.get("buys", "0"),
        bought=fact.shown.get("buy_value", "n/a"),
    )
    person, lead = found.frame.person, []
    rows = _lines(found, [(fact, row) for row in _trades(fact, person)])
    if person and not rows:
        lead = [found.say("no_trade_of", person=person, start=_told_from(fact), day=_end(fact))]
        rows = _lines(found, [(fact, row) for row in _trades(fact)])
    elif person:
        said = _of_person(found, fact, person, given)
    role = _role_of(found.frame)
    if role and not person:
        lead = _of_role(found, fact, role, given)
    return "\n".join([*lead, said, *rows[:MOST_OF_COMPANY], found.say("grants")])


def _of_person(found: TurnAnswers, fact: ToolFact, person: str, given: Mapping[str, str]) -> str:
    """Return how much a person sold and bought, as the trades of his that are told add up to."""
    sums: dict[str, str] = {}
    for kind in _SAID:
        own = list(_trades(fact, person, (kind,)))
        money = f"{sum(_number(row, 'value') for row in own):,.0f} {fact.facts.get('currency', '')}".strip()
        shares = f"{sum(_number(row, 'shares') for row in own):,.0f}"
        sums[kind] = found.say("trade", shares=shares, value=money if all("value" in row for row in own) else MISSING)
        sums[f"{kind}s"] = str(len(own))
    start = max(given["start"], _told_from(fact))
    said = found.say("insiders_person", **{**given, "start": start}, person=person.title(), **sums)
    cut = found.say("insiders_cut", start=given["start"], day=start) if start > given["start"] else ""
    return " ".join(text for text in (said, cut) if text)


def _role_of(frame: QuestionFrame) -> str:
    """Return the role whose trades a question asks for, as filings write it; empty where it names none."""
    return next((role for role, words in _ROLES.items() if words & frame.words), "")


def _of_role(found: TurnAnswers, fact: ToolFact, role: str, given: Mapping[str, str]) -> list[str]:
    """Return what the holder of a role did of what is asked; nothing where the source tells no roles of this rank."""
    told = [row for row in _trades(fact) if role in row.get("relation", "").lower()]
    if not any("chief" in row.get("relation", "").lower() for row in _trades(fact)):
        return []
    wanted = _wanted(found.frame)
    own = [row for row in told if _KINDS[row["kind"]] in wanted]
    if own:
        return []
    what = found.say("trades_of_both" if len(wanted) > 1 else f"trades_of_{next(iter(wanted))}")
    return [found.say("role_none", what=what, role=role, **given)]


def insiders_across(found: TurnAnswers, known: ConversationBrief) -> str:
    """Return what insiders of the largest companies at hand traded, the latest first, or the largest where it asks."""
    frame, facts = found.frame, [fact for fact in found.all(TRADES) if not fact.failed]
    wanted, large = _wanted(frame), bool(_LARGE & frame.words)
    named = bool(frame.days.window or frame.days.days)  # then the calls were about those days alone
    lately = str(known.day - LATELY)
    start = min((fact.facts["start"] for fact in facts), default=lately) if named else lately
    since = "" if frame.person else start
    rows = [(fact, row) for fact in facts for row in _trades(fact, frame.person, wanted) if row["day"] >= since]
    rows.sort(key=lambda pair: (_number(pair[1], "value") if large else 0.0, pair[1]["day"]), reverse=True)
    given: dict[str, object] = {"count": len(facts), "looked": len(found.all(TRADES)), "start": start}
    given["day"] = max(map(_end, facts), default=known.day)
    if frame.person and facts:
        given["start"] = min((row["day"] for _, row in rows), default=max(map(_told_from, facts)))
    if not rows and frame.person:
        return found.say("no_trade_across", person=frame.person, **given)
    what = found.say("trades_of_both" if len(wanted) > 1 else f"trades_of_{next(iter(wanted))}")
    order = found.say("largest_first" if large else "latest_first")
    lines = _lines(found, rows[:MOST_ACROSS], across=True)
    said = found.say("insiders_across", what=what, all=len(rows), order=order, **given)
    return "\n".join([said, *lines, found.say("grants")])


_ROLES: Mapping[str, frozenset[str]] = {
    "chief executive": frozenset({"ceo", "boss", "executive", "chef", "vorstandschef", "首席执行官", "老板"}),
    "chief financial": frozenset({"cfo", "finanzchef", "finanzvorstand", "首席财务官"}),
}
"""Words for a role, by the words of filings for it."""
_LARGE = frozenset({"biggest", "largest", "größte", "größten", "größter", "größtes", "最大", "最大的", "最多"})
_SAID = {
    "buy": frozenset(
        {"bought", "buy", "buying", "buys", "purchase", "purchases", "gekauft", "käufe", "kaufen", "买入", "增持"}
    ),
    "sell": frozenset(
        {"sold", "sell", "selling", "sells", "sale", "sales", "dumping", "verkauft", "verkäufe", "卖出", "减持"}
    ),
}


def _wanted(frame: QuestionFrame) -> set[str]:
    """Return whether purchases, sales or both are asked for."""
    return {kind for kind, words in _SAID.items() if words & frame.words} or set(_SAID)


def _told_from(fact: ToolFact) -> str:
    """Return from which day on every purchase and sale of a company is told: of many trades the latest alone are."""
    rows = [row for _, row in places(fact, "trades")]
    told = sum(row.get("kind", "") in _KINDS for row in rows)
    cut = told < fact.figures.get("buys", 0) + fact.figures.get("sells", 0)
    if cut and rows:  # of the oldest day that is told some may be missing
        return str(date.fromisoformat(rows[-1]["day"]) + timedelta(days=1))
    return fact.facts.get("start", "") or fact.as_of


def _end(fact: ToolFact) -> str:
    """Return the last day of the span that a company's trades are told of."""
    return fact.facts.get("end", "") or fact.as_of


def _trades(fact: ToolFact, person: str = "", wanted: Collection[str] = ("buy", "sell")) -> Iterator[Mapping[str, str]]:
    """Yield the purchases and sales on the open market.

    Args:
        fact: What the insiders of a company traded.
        person: Whose trades are told; empty for those of all.
        wanted: Whether purchases, sales or both.
    """
    first = _told_from(fact) if person else ""
    for _, row in places(fact, "trades"):
        own = not person or (row.get("day", "") >= first and is_named(person, row.get("insider", "")))
        if _KINDS.get(row.get("kind", "")) in wanted and own:
            yield row


def _lines(
    found: TurnAnswers, trades: Sequence[tuple[ToolFact, Mapping[str, str]]], *, across: bool = False
) -> list[str]:
    """Return the line that tells each trade; across companies with the company of each."""
    lines = []
    for fact, row in trades:
        did = found.say(_KINDS[row["kind"]])
        value = f"{_number(row, 'value'):,.0f} {fact.facts.get('currency', '')}".strip() if "value" in row else MISSING
        shares = f"{_number(row, 'shares'):,.0f}"
        told = found.say("trade", shares=shares, value=value)
        who = f"{row.get('insider', '')} ({row.get('relation', '')})"
        lines.append(f"- {row['day']}: {who}, {did}{f', {fact.subject}' if across else ''}: {told}")
    return lines


def _number(row: Mapping[str, str], name: str) -> float:
    return float(row.get(name, 0.0))


def is_named(person: str, name: str) -> bool:
    """Tell whether a person is meant by a name as filings write it: Tim Cook is `COOK TIMOTHY D`."""
    *first, last = person.lower().split()
    words = name.lower().replace(".", "").split()
    letters = {word[:_SAME_FIRST_LETTERS] for word in words if word != last and len(word) > 1}
    return last in words and (not first or first[0][:_SAME_FIRST_LETTERS] in letters)
