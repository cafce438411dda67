"""`tradingagents backtest contamination`: what the models may remember, and whether they follow data or names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from tradingagents.errors import UsageError

from .. import options
from ..backtest_request import TEST, BacktestOptions, about, with_request, words
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Mapping

_MIX = "Expected shares of BUY, SELL and HOLD, for the number of cases asked for."


@with_options(options.BACKTEST, about)
@with_request
def contamination(
    *,
    asked: BacktestOptions,
    cases: Annotated[int, TEST.option("--cases", "Tickers and days to try.", min=2)] = 24,
    plan: Annotated[bool, TEST.option("--plan", "Say how many cases the test asks for, and decide nothing.")] = False,
    mix: Annotated[str, TEST.option("--mix LIST", _MIX)] = "60,20,20",
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Find out what the models may remember of a backtest's days, and whether they decide by data or by name.

    Each case is decided as it is, under other names, years and levels, with prices upside down, and under the name of
    another company; models are also asked what they remember without any data. At most four decisions a case, all
    stored. How many cases the test asks for is said first; --plan stops there.
    """
    with terminal.loading():
        from tradingagents.features.backtest.contamination.assess import assess_contamination, plan_assessment
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        request = asked.request()
        planned = plan_assessment(request, _shares(mix)).to_json()
        settings, environ = read_both(flags)
        services = None if plan else open_services(settings, environ)
    if services is None:
        if terminal.json:
            terminal.print_json({"kind": "contamination_plan", **planned, "status": "done"})
        else:
            terminal.print_text(_plan_line(planned))
        return 0
    terminal.note(_plan_line(planned))
    found = run_until_done(services, assess_contamination(services, request, cases=cases), terminal).to_json()
    if terminal.json:
        terminal.print_json({**found, "plan": planned, "status": "done"})
    else:
        _print(terminal, found)
    return 0


def _shares(mix: str) -> tuple[float, ...]:
    """Return the shares of a list such as 60,20,20. Raises UsageError."""
    from tradingagents.features.backtest.contamination.verdict import ACTIONS

    try:
        shares = tuple(float(share) for share in words(mix))
    except ValueError:
        shares = ()
    if len(shares) != len(ACTIONS) or not all(0 <= share < math.inf for share in shares) or not sum(shares):
        raise UsageError(f"--mix takes three shares of {', '.join(ACTIONS)}, such as 60,20,20; not {mix!r}.")
    return shares


def _plan_line(planned: Mapping[str, Any]) -> str:
    from tradingagents.features.backtest.contamination.verdict import ACTIONS

    mix = ", ".join(f"{100 * share:.0f} % {action}" for share, action in zip(planned["mix"], ACTIONS, strict=True))
    if planned["cases"] is None:
        return f"With {planned['tickers']} tickers and {mix}, not even the largest test is enough; name more tickers."
    return (
        f"With {planned['tickers']} tickers and {mix}, the test asks for {planned['cases']} cases, about "
        f"{planned['decisions']} decisions: a memoriser of 90 % is then found with a "
        f"probability of {100 * planned['memoriser_found']:.0f} %, a reader with {100 * planned['reader_found']:.0f} %."
    )


def _print(terminal: Terminal, found: Mapping[str, Any]) -> None:
    for line in _lines(found):
        terminal.out.print(line, markup=False)


def _lines(found: Mapping[str, Any]) -> list[str]:
    followed = found["input_dependency"]
    lines = [found["verdict"], ""]
    for model in found["models"]:
        until = f"trained until {model['cutoff']}" if model["cutoff"] else "until when it was trained is not known"
        lines.append(f"{model['model']}: {until if model['remembers'] else 'decides by rules and remembers nothing'}")
    days = f"{found['known_days']} of {len(found['days'])} days"
    lines += [f"May be remembered  {days}", ""]
    lines += [
        f"Decisions  {', '.join(f'{count} {action}' for action, count in followed['mix'].items())}",
        f"Same decision under other names, years and levels  {_agreement(followed['disguised'])}",
        f"Same decision with prices upside down  {_agreement(followed['mirrored'])}",
        f"Pairs of companies whose names were exchanged  {followed['pairs']}",
        f"Decision of the data's company under another's name  {_share(followed['swapped_data'])}",
        f"Decision of the company whose name was shown  {_share(followed['swapped_name'])}",
    ]
    for recall in found["recall"]:
        chance = ""
        if recall["by_chance"] is not None:
            more = "more than chance explains" if recall["remembers"] else "which chance explains"
            chance = f", by chance {100 * recall['by_chance']:.0f} %: {more}"
        lines += [
            "",
            f"Recall of {recall['model']} without data, {recall['asked']} questions, {recall['failed']} failed",
            f"Direction right, of those answered  {_share(recall['directions'])}{chance}",
            f"Close within 5 %, of those answered  {_share(recall['closes'])}",
        ]
    if followed["missing"]:
        lines.append(f"Without a decision: {followed['missing']}.")
    return lines


def _agreement(found: Mapping[str, Any]) -> str:
    chance = "more than chance explains" if found["beyond_chance"] else "which chance explains"
    return f"{found['same']} of {found['of']}, by chance {found['by_chance']:.1f}: {chance}"


def _share(found: Mapping[str, Any]) -> str:
    if found["share"] is None:
        return "0 of 0"
    return f"{found['count']} of {found['of']}, {100 * found['share']:.0f} %"
