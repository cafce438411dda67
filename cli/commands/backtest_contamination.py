"""`tradingagents backtest contamination`: what the models may remember, and whether they follow data or names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from .. import options
from ..backtest_request import TEST, BacktestOptions, about, with_request
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Mapping


@with_options(options.BACKTEST, about)
@with_request
def contamination(
    *,
    asked: BacktestOptions,
    cases: Annotated[int, TEST.option("--cases", "Tickers and days to try.", min=2)] = 24,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Find out what the models may remember of a backtest's days, and whether they decide by data or by name.

    Each case is decided as it is, under other names, years and levels, with prices upside down, and under the name of
    another company; models are also asked what they remember without any data. Four decisions a case, all stored.
    """
    with terminal.loading():
        from tradingagents.backtest.contamination.assess import assess_contamination
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        request = asked.request()
        settings, environ = read_both(flags)
        services = open_services(settings, environ)
    found = run_until_done(services, assess_contamination(services, request, cases=cases), terminal).to_json()
    if terminal.json:
        terminal.print_json({**found, "status": "done"})
    else:
        _print(terminal, found)
    return 0


def _print(terminal: Terminal, found: Mapping[str, Any]) -> None:
    for line in _lines(found):
        terminal.out.print(line, markup=False)


def _lines(found: Mapping[str, Any]) -> list[str]:
    followed = found["input_dependency"]
    lines = [found["verdict"], ""]
    for one in found["models"]:
        until = f"trained until {one['cutoff']}" if one["cutoff"] else "until when it was trained is not known"
        lines.append(f"{one['model']}: {until if one['remembers'] else 'decides by rules and remembers nothing'}")
    days = f"{found['known_days']} of {len(found['days'])} days"
    lines += [f"May be remembered  {days}", ""]
    for name, key in (
        ("Same decision under other names, years and levels", "disguised_same"),
        ("Decision of the data's company under another's name", "swapped_data"),
        ("Decision of the company whose name was shown", "swapped_name"),
        ("Other decision with prices upside down", "mirrored_changed"),
        ("Followed the data, of those that followed either", "score"),
    ):
        lines.append(f"{name}  {_share(followed[key])}")
    for one in found["recall"]:
        chance = "-" if one["by_chance"] is None else f"{100 * one['by_chance']:.0f} %"
        lines += [
            "",
            f"Recall of {one['model']} without data, {one['asked']} questions, {one['failed']} failed",
            f"Direction right, of those answered  {_share(one['directions'])}, by chance {chance}",
            f"Close within 5 %, of those answered  {_share(one['closes'])}",
        ]
    if followed["missing"]:
        lines.append(f"Without a decision: {followed['missing']}.")
    return lines


def _share(found: Mapping[str, Any]) -> str:
    if found["share"] is None:
        return "0 of 0"
    low, high = 100 * found["low"], 100 * found["high"]
    return f"{found['count']} of {found['of']}, {100 * found['share']:.0f} % ({low:.0f} to {high:.0f} %)"
