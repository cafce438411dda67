"""`tradingagents brief`: the day in brief, on the terminal, as a picture, or sent to people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tradingagents.errors import ConfigurationError
from tradingagents.files.atomic import replace_whole

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..notices import WHERE, send_message
from ..request import DateArgument, DateOption, day_asked, one_day, read_day
from ..text import clean

if TYPE_CHECKING:
    from tradingagents.analytics.holdings.daily_brief import DailyBrief
    from tradingagents.service.notices.message import OutgoingMessage
    from tradingagents.settings import Settings

BRIEF = options.HelpPanel("Brief")


@with_options(options.ASK, lambda given: {"trade_date": day_asked(given)})
def brief(
    day: DateArgument = None,
    date_option: DateOption = None,
    webhook: Annotated[str | None, BRIEF.option("--webhook WHERE", WHERE)] = None,
    amounts: Annotated[
        bool, BRIEF.option("--amounts", "Say in what is sent what the book is worth; otherwise moves and weights only.")
    ] = False,
    picture: Annotated[Path | None, BRIEF.option("--picture FILE", "Write the moves as a PNG.")] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show the day in brief: the market, what you hold and watch, what lies ahead; also for cron."""
    asked = read_day(one_day(day, date_option))
    settings, environ = read_both(flags)
    receiver = None
    if webhook is not None:
        from tradingagents.service.notices.receivers import receiver_of

        receiver = receiver_of(webhook, environ)
    with terminal.loading():
        from tradingagents.analytics.holdings.daily_brief import DailyBrief
        from tradingagents.service.kernel.caller import Caller
        from tradingagents.service.kernel.kernel import Kernel

        found = Kernel(settings).ask("daily_brief", {}, as_of=asked, caller=Caller(face="cli"))
    if not isinstance(found, DailyBrief):
        raise TypeError("daily_brief answers with a DailyBrief")
    if picture is not None:
        _draw(found, picture, settings)
    if terminal.json:
        terminal.print_json(found.model_dump(mode="json"))
    elif not terminal.quiet:
        terminal.print_text(clean(found.to_markdown()))
    if receiver is None:
        return 0
    return send_message(receiver, _message(found, settings, amounts=amounts), terminal)


def _draw(found: DailyBrief, path: Path, settings: Settings) -> None:
    """Write the picture. Raises ConfigurationError where it cannot be drawn or written."""
    from tradingagents.service.notices.brief_message import brief_picture

    drawn = brief_picture(found, settings)
    try:
        replace_whole(path, drawn, private_file=False)
    except OSError as error:
        raise ConfigurationError(f"The picture cannot be written to {path}: {error.strerror or error}.") from error


def _message(found: DailyBrief, settings: Settings, *, amounts: bool) -> OutgoingMessage:
    """Return what is sent: with the picture where it can be drawn."""
    from tradingagents.reports.charts.chart_image import MatplotlibMissing
    from tradingagents.service.notices.brief_message import brief_message

    try:
        return brief_message(found, settings, amounts=amounts, picture=True)
    except MatplotlibMissing:
        return brief_message(found, settings, amounts=amounts, picture=False)
