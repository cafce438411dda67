"""Whole statements of a company: which one a question asks for, and the items of the newest period."""

from __future__ import annotations

from tradingagents.features.assistant.rules.found import TurnAnswers
from tradingagents.offline.questions.frames import QuestionFrame

_OF_CASH = ("cash", "kapitalfluss", "现金")
"""What is in the names of the cash-flow statement, and not in those of the income statement."""
_ANNUAL = frozenset({"annual", "yearly", "year", "fiscal", "jährliche", "jahr", "jahres", "letztes", "年度", "全年"})
_INCOME, _CASH = "get_income_statement", "get_cashflow"


def statement_asked(symbol: str, frame: QuestionFrame) -> tuple[str, dict[str, str]]:
    """Return the call that gives the statement which a question names: of years where it speaks of one, or quarters."""
    named = frame.asked.said_of("statement")
    freq = "annual" if _ANNUAL & frame.words or frame.fiscal.endswith("year") else "quarterly"
    return _CASH if any(word in named for word in _OF_CASH) else _INCOME, {"ticker": symbol, "freq": freq}


def statement_text(found: TurnAnswers, symbol: str) -> str:
    """Return the items of the newest statement; of others a question that names days is told how to ask for them."""
    capability = next((name for name in (_INCOME, _CASH) if found.all(name, symbol)), _INCOME)
    fact = found.one(capability, symbol)
    if fact is None:
        return found.missing(capability, symbol)
    lines = [
        found.say(
            f"statement_{fact.facts['kind']}",
            who=found.who(symbol),
            span=found.say(f"statement_{fact.facts['frequency']}", end=fact.facts["end"]),
        ),
        *(f"- {found.label(name)}: {text}" for name, text in fact.shown.items()),
    ]
    if found.frame.span:
        lines.append(found.say("statement_newest", symbol=symbol))
    return "\n".join(lines)
