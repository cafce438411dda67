"""What a reply says before everything else: what of the question it does not answer, and of which days it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from tradingagents.features.assistant.rules.found import who
from tradingagents.features.assistant.rules.replies import in_quotes
from tradingagents.features.assistant.rules.texts import TEXT_LANGUAGES, explained, say
from tradingagents.offline.questions.answered import CHECKED, OF_FREE_WORDS, Unanswered, given_by, unanswered
from tradingagents.offline.questions.conversation import ConversationBrief, ToolFact
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.mended_message import parts_of_latest
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.retrieval.questions.plain_words import plain_words
from tradingagents.retrieval.questions.positions.stated_positions import PositionsQuestion
from tradingagents.retrieval.questions.spans import closed_day, last_session
from tradingagents.retrieval.questions.turns.question_parts import QuestionPart

_LATE = timedelta(days=10)
"""How long after the first day of a span prices may begin and still be of that span."""
_CHART = timedelta(days=150)
"""Days that a chart shows where prices are known for as long."""
_QUARTER = timedelta(days=92)
_LISTED_OF_ALL = "^GSPC"
"""The index whose companies lists are taken from."""


def gaps_of(known: ConversationBrief, request: MessageRequest, results: Sequence[ToolFact]) -> Unanswered:
    """Return what of the latest question a reply from some results does not answer; nothing where it is not checked."""
    frame = request.frame
    of_words = request.lookup is not None and request.lookup.tool in OF_FREE_WORDS
    if request.wish not in CHECKED or of_words or frame is None or all(fact.failed for fact in results):
        return Unanswered()
    return unanswered(
        parts_beside_terms(known, request.language), given_by(request, results), tuple(_named(frame, request, results))
    )


def parts_beside_terms(known: ConversationBrief, language: str) -> tuple[QuestionPart, ...]:
    """Return the parts of the latest message that ask for more than the meaning of a term."""
    return tuple(part for part in parts_of_latest(known) if part.names or not explained(part.text, language))


def days_beside_positions(known: ConversationBrief, asked: PositionsQuestion) -> tuple[str, ...]:
    """Return the parts of a message on stated positions that ask for other days than its sums are of."""
    if asked.span is not None:
        return ()
    put_in = (each.bought for each in asked.positions if each.money is not None)
    bought = {(days.start, days.days) for days in put_in if days is not None}
    return tuple(
        part.text
        for part in parts_of_latest(known)[1:]
        if part.asks and _names_a_span(part) and not any(map(str.isdigit, part.text))
        if (part.days.start, part.days.days) not in bought
    )


_UNITS = frozenset({"week", "month", "quarter", "year", "woche", "monat", "quartal", "jahr"})
_OF_HOLDER = frozenset({"i", "my", "me", "mine", "we", "our", "ich", "mein", "meine", "mir", "wir", "unser"})


def _names_a_span(part: QuestionPart) -> bool:
    """Tell whether a part is on more than the day, and not on what the holder did or has."""
    words = set(plain_words(part.text).split())
    spans = bool(_UNITS & words) or any(sign in part.text for sign in ("周", "星期", "月", "年", "季度"))
    return spans and not _OF_HOLDER & words and "我" not in part.text


def gaps_text(known: ConversationBrief, gaps: Unanswered, request: MessageRequest, results: Sequence[ToolFact]) -> str:
    """Return the sentences that stand before a reply; empty where it answers all of the question."""
    language = request.language if request.wish == "aspects" and request.language in TEXT_LANGUAGES else "en"
    lines = [say(language, "cannot_say", what=in_quotes(gaps.parts))] if gaps.parts else []
    lines += [say(language, "no_reason_known")] if gaps.unreasoned else []
    lines += [say(language, "news_unjudged")] if gaps.unjudged else []
    return "\n".join(dict.fromkeys([*lines, *_of_closed_day(known, request), *_of_other_days(results, language)]))


_PRICED = frozenset(
    {
        *("get_price_change", "market_snapshot", "get_market_indices", "get_market_movers", "get_sector_performance"),
        *("get_industry_performance", "market_breadth"),
    }
)
"""What tells of the last session on a day without trading."""


def _of_closed_day(known: ConversationBrief, request: MessageRequest) -> Iterator[str]:
    """Yield that nothing is traded on the day that a question names, and of which session it is told instead."""
    days, told = request.frame.days if request.frame is not None else None, known.now.results
    if days is None or not any(fact.answered_by in _PRICED and not fact.failed for fact in told):
        return
    language = request.language if request.wish == "aspects" and request.language in TEXT_LANGUAGES else "en"
    if (day := closed_day(days, known.day)) is not None:
        given = {"day": day, "weekday": say(language, f"weekday_{day.weekday()}"), "last": last_session(day)}
        yield say(language, "closed_day", **given)
    elif days.window and days.start and days.end and days.end >= known.day and last_session(days.end) < days.start:
        yield say(language, "no_session_yet", start=days.start, last=last_session(days.end))


def _named(frame: QuestionFrame, request: MessageRequest, results: Sequence[ToolFact]) -> Iterator[tuple[str, str]]:
    """Yield the companies and indices that a question names, each with its name; of a market's tools all indices."""
    told = {fact.subject for fact in results if fact.subject}  # a failure is told by its reason
    for symbol in dict.fromkeys(frame.symbols):
        if symbol in request.symbols and symbol not in told:  # the question before may have named others
            yield symbol, symbol
    shown = any(fact.answered_by == "get_market_indices" and not fact.failed for fact in results)
    for index in frame.indices:
        whole = shown and (not request.index or request.index == index)
        if index not in told and not whole and index != _LISTED_OF_ALL:
            yield index, who(None, index)


def _of_other_days(results: Sequence[ToolFact], language: str) -> Iterator[str]:
    """Yield of which days prices are where they begin later than asked, and where a later quarter has ended."""
    for fact in results:
        who_is, given = who(fact, fact.subject), fact.given
        first, start = fact.facts.get("first_day", ""), str(given.get("start_date", ""))
        dated = fact.answered_by == "get_price_change" and bool(first and start)
        if dated and date.fromisoformat(first) - date.fromisoformat(start) > _LATE:
            yield say(language, "prices_begin", who=who_is, day=first)
        if fact.answered_by == "open_chart" and (start := fact.facts.get("start", "")):
            yield say(language, "chart_of", start=start, end=fact.facts.get("end", ""))
            if date.fromisoformat(fact.as_of) - date.fromisoformat(start) < _CHART:
                yield say(language, "prices_begin", who=who_is, day=start)
        end = fact.facts.get("end", "") if given.get("period") == "latest_quarter" else ""
        if end and date.fromisoformat(end) + _QUARTER + _LATE <= date.fromisoformat(fact.as_of):
            yield say(language, "later_quarter", who=who_is, end=end, day=fact.as_of)
