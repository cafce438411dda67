"""What a daily brief tells people: moves and weights; what a book is worth only where its owner asks for it."""

from __future__ import annotations

from pathlib import Path

from tradingagents.analytics.holdings.daily_brief import DailyBrief
from tradingagents.memory.cohort import market_note_of
from tradingagents.service.kernel.charts import FONT_CACHE
from tradingagents.service.notices.brief_picture import brief_png
from tradingagents.service.notices.message import NOT_ADVICE, OutgoingMessage
from tradingagents.settings import Settings


def brief_message(brief: DailyBrief, settings: Settings, *, amounts: bool, picture: bool) -> OutgoingMessage:
    """Return the message for a brief.

    Args:
        amounts: Whether it says what the book is worth.
        picture: Whether it has one.

    Raises:
        MatplotlibMissing: The extra `charts`, which draws it, is not installed.
    """
    lines = brief.lines(amounts=amounts)
    text = "\n".join(filter(None, (market_note_of(settings), *lines, *brief.notes, NOT_ADVICE)))
    data = {
        "type": "brief",
        "data": {
            "session": brief.session.isoformat(),
            "source": brief.source,
            "lines": list(lines),
            "moves": [{"group": move.group, "name": move.name, "percent": move.percent} for move in brief.moves()],
            "notes": list(brief.notes),
        },
    }
    return OutgoingMessage(brief.title, text, data, brief_picture(brief, settings) if picture else None)


def brief_picture(brief: DailyBrief, settings: Settings) -> bytes:
    """Return the picture of a brief as PNG.

    Raises:
        MatplotlibMissing: The extra `charts` is not installed.
    """
    note = market_note_of(settings) or f"Source: {brief.source}"
    return brief_png(brief.title, brief.moves(), note, cache=Path(settings.home_dir) / FONT_CACHE)
