"""What a company filed: which documents, and whether the report of a year is among them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from tradingagents.features.assistant.rules.found import TurnAnswers, places
from tradingagents.offline.questions.frames import QuestionFrame

LATELY, YEAR = timedelta(days=92), timedelta(days=365)
MOST_FILED = 12
_REPORTS: Mapping[str, frozenset[str]] = {
    "10-K,20-F,40-F": frozenset({"annual", "10 k", "10k", "jahresbericht", "geschäftsbericht", "年报", "年度报告"}),
    "10-Q": frozenset({"quarterly", "10 q", "10q", "quartalsbericht", "季报", "季度报告"}),
}
"""Forms by the words for them."""


def filings_asked(symbol: str, frame: QuestionFrame, window: tuple[date, date] | None, today: date) -> dict[str, str]:
    """Return what is asked of `get_filings`: reports of a year are filed in the year after it, too.

    Args:
        symbol: The company.
        frame: The question.
        window: The first and the last day that it names; None where it names none.
        today: The day of the conversation.
    """
    forms = _forms_named(frame)
    start, end = window or (today - (YEAR if forms else LATELY), today)
    last = today if forms and _year_named(frame) else end
    given = {"ticker": symbol, "start_date": start.isoformat(), "end_date": last.isoformat()}
    return {**given, "forms": forms} if forms else given


def filings_text(found: TurnAnswers, symbol: str) -> str:
    """Return what a company filed, and whether a report of the year that a question names is among it."""
    asked, fact = found.all("get_filings", symbol), found.one("get_filings", symbol)
    if fact is None:
        return found.say("filings_none", who=found.who(symbol), reason=found.reason("get_filings", symbol))
    given = {"who": found.who(symbol), **{name: asked[0].given.get(f"{name}_date", "") for name in ("start", "end")}}
    rows = [row for _, row in places(fact, "filings")]
    if not rows:
        return found.say("filings_empty", **given)
    year = _year_named(found.frame) if _forms_named(found.frame) else None
    told = any(row.get("period_end", "").startswith(str(year)) for row in rows)
    lead = [found.say("filings_not_of", year=year, **given)] if year and not told else []
    lines = [
        f"- {row.get('filed_on', '')}: {row.get('form', '')}, {row.get('title', '')}"
        + (f" ({found.say('period_to', end=row['period_end'])})" if row.get("period_end") else "")
        for row in rows
    ]
    return "\n".join([*lead, found.say("filings", **given), *lines[:MOST_FILED]])


def _forms_named(frame: QuestionFrame) -> str:
    """Return the forms of the reports that a question names, separated by commas; empty for all filings."""
    said = {*frame.words, *(words for aspect, words in frame.asked.phrases if aspect == "filings")}
    return ",".join(forms for forms, words in _REPORTS.items() if words & said)


def _year_named(frame: QuestionFrame) -> int | None:
    """Return the year that a question names by its number; None for other days."""
    start, end = frame.days.start, frame.days.end
    if start is None or (start.month, start.day) != (1, 1) or end != date(start.year, 12, 31):
        return None
    return start.year
