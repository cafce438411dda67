"""Questions told from the sessions of a price: its best month, its volume, when it last closed above a level."""

from __future__ import annotations

from tradingagents.offline.questions.frame_words import EVER
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.days import NamedDays

PERIODS, VOLUMES, LEVEL = "periods", "volumes", "level_last"
"""What is told of calendar months or weeks, of the shares that were traded, of the last close beyond a level."""
OF_SESSIONS = frozenset({PERIODS, VOLUMES, LEVEL})
UNITS = ("by_month", "by_week")
"""Aspects of the calendar units over which a price is told."""
_BESIDE = frozenset({"price", "recap"})
"""Aspects that say no more than that it is the price that is asked about."""
_JUDGED = ("unusual", "above", "below", "higher", "normal", "usual", "heavy", "much", "average", "放量", "缩量")
"""Words of a volume that set it against the usual one, which is told of one day alone."""
_THE_LAST = frozenset({"last", "zuletzt", "letztes", "上次"})
THE_FIRST = frozenset({"first", "erstmals", "erste", "ersten", "首次", "第一次"})
"""Words that ask for the first close beyond a level, and not for the last one."""
_EXTREMES = ("best", "worst", "strong", "weak", "stärk", "schwäch", "schlecht", "好", "差", "强", "弱")
"""Parts of the words by which a month is the best or the worst of several."""
_HOW = frozenset({"how", "wie", "表现", "怎么样", "如何"})
_REPORTS = frozenset(
    {"report", "reports", "reporting", "reported", "announce", "announces", "pay", "pays", "berichtet"}
)
"""Words for what a company does in a month, and not its price."""
_OF_NOW = frozenset({"today", "right now", "on the day"})
_ORDERS = frozenset({"most", "least"})


def told_by_sessions(
    asked: AskedAspects,
    demands: frozenset[str],
    words: frozenset[str],
    levels: tuple[float, ...],
    days: NamedDays,
    span: str,
) -> str:
    """Return what of these a question asks, a key of `OF_SESSIONS`; empty for another question.

    Args:
        asked: What it says.
        demands: What its answer is to hold.
        words: All its words.
        levels: Its bare numbers.
        days: Its days.
        span: Its words for days; empty for none.
    """
    span = "" if span in _OF_NOW else span
    aspects, claims = set(asked.aspects), set(asked.claims)
    if unit := unit_asked(asked, demands, days.unit):
        alone = aspects <= {unit, *_BESIDE} and claims <= {"fell", "rose"} and asked.asks <= _ORDERS
        ends = bool(asked.asks & _ORDERS) or any(word in asked.said_of(unit) for word in _EXTREMES)
        each = "each_period" in demands and ("price" in aspects or bool(claims or _HOW & words))
        return PERIODS if alone and (ends or each) and not _REPORTS & words else ""
    if "volume" in aspects:
        one_day = len(days.days) == 1 or (days.window and days.start == days.end)  # set against those before it
        judged = any(word in asked.said_of("volume") or word in words for word in _JUDGED) and "average" not in demands
        counted = aspects <= {"volume", "price"} and not claims and asked.asks <= _ORDERS and (one_day or not judged)
        extreme = bool(asked.asks & _ORDERS) and not EVER & words
        return VOLUMES if counted and (span or extreme) else ""
    if asks_level(asked, demands, words) and len(levels) == 1 and not span:
        return LEVEL if aspects <= _BESIDE and claims == {"level"} and asked.asks <= _ORDERS else ""
    return ""


def unit_asked(asked: AskedAspects, demands: frozenset[str], unit: str) -> str:
    """Return the calendar unit over which a question asks what a price did, one of `UNITS`; empty for none.

    Args:
        asked: What it says.
        demands: What its answer is to hold.
        unit: The unit in which its days are counted, as in `which of the last three months was worst`.
    """
    named = [name for name in UNITS if asked.has(name)]
    if not named and "which_period" in demands and asked.asks & _ORDERS:
        return f"by_{unit}" if f"by_{unit}" in UNITS else ""
    return named[0] if len(named) == 1 else ""


def asks_level(asked: AskedAspects, demands: frozenset[str], words: frozenset[str]) -> bool:
    """Tell whether a question asks when a price was last, or first, above or below a level."""
    return "level" in asked.claims and "when" in demands and bool((_THE_LAST | THE_FIRST) & words)
