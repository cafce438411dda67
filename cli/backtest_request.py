"""The options that name a backtest, shared by the commands that run, decide, score and plan one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from tradingagents.errors import UsageError

from . import options
from .request import read_calendar_day

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest

TEST, BOOK, TRIED = options.HelpPanel("Test"), options.HelpPanel("Account"), options.HelpPanel("Variants")
_CURRENCY = "Of the accounts; tickers in others are converted at the rates known. Default: that of all tickers."
_BORROW = "Yearly fee for borrowed shares, in basis points."
EXITS = "What closes positions between decisions: none, or plan (stop and target of each decision, by session bars)."
_TRIED = "Other weights to try on the same decisions; each counts as a trial."
_ABLATIONS = "Parts to take away, each as a variant: no_debate, one_analyst, no_news, single_model, one_call."
_REPEATS = "How often models decide on each ticker and day."
_TRIALS = "Variants that were tried in all, here and before; default: those seen in the home."
_DISGUISE = "Decide a second time under other names, years and levels."


@dataclass(frozen=True, kw_only=True)
class BacktestOptions:
    """The options as they are given."""

    tickers: Annotated[str, TEST.option("--tickers LIST", "Symbols, separated by commas.")]
    start: Annotated[str, TEST.option("--start DATE", "First day; decisions begin here.")]
    end: Annotated[str, TEST.option("--end DATE", "Last day of the accounts.")]
    every: Annotated[int, TEST.option("--every", "Sessions from one decision to the next.", min=1)] = 5
    scheme: Annotated[str, BOOK.option("--weights NAME", "confidence, equal, inverse_volatility or hrp.")] = (
        "confidence"
    )
    deposit: Annotated[float, BOOK.option("--cash", "What each account begins with.", min=1)] = 100_000.0
    currency: Annotated[str | None, BOOK.option("--currency CODE", _CURRENCY)] = None
    max_positions: Annotated[int, BOOK.option("--max-positions", "Positions at most.", min=1)] = 15
    max_position: Annotated[float, BOOK.option("--max-position", "Largest position.", min=0, max=1)] = 0.15
    max_sector: Annotated[float, BOOK.option("--max-sector", "Largest sector.", min=0, max=1)] = 0.35
    min_cash: Annotated[float, BOOK.option("--min-cash", "Smallest share of cash.", min=0, max=1)] = 0.05
    short: Annotated[bool, BOOK.option("--short", "Let SELL sell borrowed shares.")] = False
    max_short: Annotated[float, BOOK.option("--max-short", "Largest short position.", min=0, max=1)] = 0.1
    borrow_bp: Annotated[float, BOOK.option("--borrow-bp", _BORROW, min=0)] = 50.0
    exits: Annotated[str, BOOK.option("--exits NAME", EXITS)] = "none"
    schemes: Annotated[str, TRIED.option("--try-weights LIST", _TRIED)] = ""
    ablations: Annotated[str, TRIED.option("--ablate LIST", _ABLATIONS)] = ""
    repeats: Annotated[int, TRIED.option("--repeats N", _REPEATS, min=1)] = 1
    trials: Annotated[int | None, TRIED.option("--trials N", _TRIALS, min=1)] = None
    disguise: Annotated[bool, TRIED.option("--disguise", _DISGUISE)] = False

    def request(self) -> BacktestRequest:
        """Return what they ask for.

        Raises:
            UsageError: A day, ticker or name cannot be read.
        """
        from tradingagents.analytics.holdings.weights import checked_scheme
        from tradingagents.features.backtest.exits import checked_exits
        from tradingagents.features.backtest.limits import RiskLimits, ShortRules
        from tradingagents.features.backtest.request import BacktestRequest

        first, last = read_calendar_day("--start", self.start), read_calendar_day("--end", self.end)
        symbols = words(self.tickers)
        if first is None or last is None or not symbols:
            raise UsageError("Name tickers, a start and an end.")
        return BacktestRequest(
            tickers=symbols,
            start=first,
            end=last,
            every=self.every,
            scheme=checked_scheme(self.scheme),
            deposit=self.deposit,
            currency=self.currency.upper() if self.currency else None,
            limits=RiskLimits(self.max_positions, self.max_position, self.max_sector, self.min_cash),
            shorts=ShortRules(max_short=self.max_short, borrow_bp=self.borrow_bp) if self.short else None,
            exits=checked_exits(self.exits),
            schemes=tuple(checked_scheme(name) for name in words(self.schemes)),
            ablations=words(self.ablations),
            repeats=self.repeats,
            trials=self.trials,
            disguise=self.disguise,
        )


PlanOption = Annotated[
    Path | None, TRIED.option("--plan FILE", "Sealed plan, see backtest plan; another request is refused.")
]


def about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the request, for JSON errors."""
    return {"tickers": given["tickers"], "start": given["start"], "end": given["end"]}


def with_request(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that name a backtest; it receives them as `asked`."""

    @functools.wraps(command)
    def called(**given: Any) -> int:
        own = BacktestOptions(**{option.name: given.pop(option.name) for option in fields(BacktestOptions)})
        return command(asked=own, **given)

    known = inspect.signature(BacktestOptions, eval_str=True).parameters.values()
    rest = [
        parameter
        for parameter in inspect.signature(command, eval_str=True).parameters.values()
        if parameter.name != "asked"
    ]
    declared = cast(Any, called)  # mypy does not know this attribute, which `with_options` reads
    declared.__signature__ = inspect.Signature([*known, *rest])
    return called


def words(text: str) -> tuple[str, ...]:
    """Return the words of a list separated by commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())
