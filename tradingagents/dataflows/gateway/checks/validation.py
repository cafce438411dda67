"""Validation of vendor answers, after the cut at the cut-off and before any computation.

Rows known after the cut-off aren't checked: a fault in them can't change an answer for the past.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from tradingagents.dataflows.gateway.checks.observation_checks import check_observations
from tradingagents.dataflows.gateway.checks.prices.price_checks import check_prices
from tradingagents.dataflows.gateway.checks.prices.reused_symbols import without_earlier_company
from tradingagents.dataflows.gateway.checks.row_checks import check_row
from tradingagents.dataflows.gateway.checks.statements.statement_checks import check_statements
from tradingagents.dataflows.gateway.checks.trade_checks import distinct_trades
from tradingagents.dataflows.gateway.faults import Fault, quoted
from tradingagents.dataflows.models import Filing, InsiderTransaction, MacroSeries, Prices, Profile, Ratios, Statement
from tradingagents.dataflows.reference.company_names import namesake
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol

_Rows = tuple[Any, ...]
_CHECKS: Mapping[type, Callable[[_Rows, datetime], tuple[_Rows, tuple[Fault, ...]]]] = {
    Statement: check_statements,
    InsiderTransaction: distinct_trades,
}
"""Rows that are judged by their neighbours, and by what."""
_OF_TODAY = ("Mover", "SectorMember")
"""Rows of current screens: what was known after the cut-off is cut where they are used."""


@dataclass(frozen=True, slots=True)
class Validated:
    """An answer without its invalid rows."""

    answer: Any
    faults: tuple[Fault, ...] = ()
    unusable: str | None = None
    """Why prices are unusable as a whole; None for everything else."""


def another_company(answer: Any, asked: str | None) -> Fault | None:
    """Return the fault where an answer is about another symbol than the one asked for; None where it is not.

    Vendors give the symbol that their source states, where it states one. A class of shares or an exchange that differs
    is another instrument.
    """
    if asked is None or not _is_about_one(answer):
        return None
    rows = answer if isinstance(answer, (tuple, list)) else (answer,)
    stated = (getattr(row, "symbol", None) for row in rows)
    other = next((one for one in stated if isinstance(one, str) and one and not _is_same(one, asked)), None)
    if other is None:
        return None
    what = f"the source answers about {quoted(other)}"
    return Fault(asked, None, what, "the answer is not used", kind="another-company", withholds=True)


def _is_about_one(answer: Any) -> bool:
    if isinstance(answer, (tuple, list)):
        return bool(answer) and isinstance(answer[0], (Statement, InsiderTransaction, Filing))
    return isinstance(answer, (Prices, Profile, Ratios))


def _is_same(stated: str, asked: str) -> bool:
    if stated == asked:
        return True
    try:
        return normalise(stated) == normalise(asked)
    except BadSymbol:
        return False


def validate(answer: Any, *, instant: datetime, last: date) -> Validated:
    """Return a vendor's answer without invalid rows, and their faults.

    Args:
        instant: The cut-off.
        last: The last session that had closed by then.
    """
    if isinstance(answer, Prices):
        own, reused = without_earlier_company(answer, last)
        checked = check_prices(own, last)
        return Validated(checked.prices, (*((reused,) if reused else ()), *checked.faults), checked.unusable)
    if isinstance(answer, MacroSeries):
        kept, faults = _checked(answer.observations, instant)
        named = tuple(replace(fault, subject=answer.series) for fault in faults)
        series, more = check_observations(replace(answer, observations=kept) if faults else answer, instant)
        return Validated(series, (*named, *more))
    if isinstance(answer, (Profile, Ratios)):
        row, found = check_row(answer)
        renamed = _without_other_name(row) if isinstance(row, Profile) else None
        return Validated(row, tuple(found)) if renamed is None else Validated(renamed[0], (*found, renamed[1]))
    if isinstance(answer, (tuple, list)):
        kept, faults = _checked(answer, instant)
        if not is_series(kept):
            return Validated(kept, faults) if faults else Validated(answer)
        rows: tuple[Any, ...] = tuple(kept)
        sound, doubted = _CHECKS[type(rows[0])](rows, instant)
        untouched = not faults and sound is rows
        return Validated(answer if untouched else sound, (*faults, *doubted))
    return Validated(answer)


def _without_other_name(row: Profile) -> tuple[Profile, Fault] | None:
    """Return a profile without what another company of the list is called and does; None where the name is its own.

    The symbol stands for the name, so that prices and statements, which come from elsewhere, are still answered.
    """
    owner = namesake(row.symbol, row.name)
    if owner is None:
        return None
    what = f"its profile calls it {quoted(row.name)}, which is {' or '.join(owner.symbols)}"
    done = "its name, sector and industry are not used, and nothing is set against a sector or peers"
    fault = Fault(row.symbol, None, what, done, row, "another-company", withholds=True)
    return replace(row, name=row.symbol, sector=None, industry=None, withheld=fault.reason), fault


def is_series(answer: Any) -> bool:
    """Return whether rows are judged by their neighbours, so that those known later may change what is said of one."""
    if isinstance(answer, (Prices, MacroSeries)):
        return True
    return isinstance(answer, (tuple, list)) and bool(answer) and type(answer[0]) in _CHECKS


def newest_known(answer: Any, *, instant: datetime, last: date) -> date | None:
    """Return the newest thing in a series that a judgement at a cut-off may look at; None where nothing is known yet.

    Cut-offs with the same one know the same bars or rows of an answer, so `validate` says the same at each.

    Args:
        answer: Prices, an economic series, or rows that are judged by their neighbours.
        instant: The cut-off.
        last: The last session that had closed by then.
    """
    if isinstance(answer, Prices):
        return last
    rows = answer.observations if isinstance(answer, MacroSeries) else answer
    stated = (getattr(row, "known_at", None) for row in rows)
    known = (at for at in stated if isinstance(at, datetime) and at.tzinfo is not None and at <= instant)
    return max(known, default=None)


def _checked(rows: Iterable[Any], instant: datetime) -> tuple[tuple[Any, ...], tuple[Fault, ...]]:
    kept: list[Any] = []
    faults: list[Fault] = []
    for row in rows:
        if isinstance(row, str):
            kept.append(row)
            continue
        if type(row).__name__ not in _OF_TODAY:
            known_at = getattr(row, "known_at", None)
            if not isinstance(known_at, datetime) or known_at.tzinfo is None:
                faults.append(Fault("", None, f"known_at is {quoted(known_at)}", "the row is left out", row))
                continue
            if known_at > instant:
                kept.append(row)
                continue
        sound, found = check_row(row)
        faults += found
        if sound is not None:
            kept.append(sound)
    return tuple(kept), tuple(faults)
