"""The options that name a backtest, shared by the commands that run, decide, score and plan one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from tradingagents.errors import UsageError

from .request import read_calendar_day

if TYPE_CHECKING:
    from tradingagents.backtest.request import BacktestRequest

TEST, BOOK, TRIED = "Test", "Account", "Variants"


@dataclass(frozen=True)
class BacktestOptions:
    """The options as they are given."""

    tickers: str
    start: str
    end: str
    every: int
    scheme: str
    deposit: float
    currency: str | None
    max_positions: int
    max_position: float
    max_sector: float
    min_cash: float
    short: bool
    max_short: float
    borrow_bp: float
    schemes: str
    ablations: str
    repeats: int
    trials: int | None
    disguise: bool

    def request(self) -> BacktestRequest:
        """Return what they ask for.

        Raises:
            UsageError: A day, ticker or name cannot be read.
        """
        from tradingagents.backtest.limits import RiskLimits, ShortRules
        from tradingagents.backtest.request import BacktestRequest
        from tradingagents.backtest.weights import checked_scheme

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
            schemes=tuple(checked_scheme(one) for one in words(self.schemes)),
            ablations=words(self.ablations),
            repeats=self.repeats,
            trials=self.trials,
            disguise=self.disguise,
        )


PlanOption = Annotated[
    Path | None,
    typer.Option(
        "--plan",
        metavar="FILE",
        help="Sealed plan, see backtest plan; another request is refused.",
        rich_help_panel=TRIED,
    ),
]


def about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the request, for JSON errors."""
    return {"tickers": given["tickers"], "start": given["start"], "end": given["end"]}


def with_request(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that name a backtest; it receives them as `asked`."""

    @functools.wraps(command)
    def called(**given: Any) -> int:
        own = BacktestOptions(**{one.name: given.pop(one.name) for one in fields(BacktestOptions)})
        return command(asked=own, **given)

    rest = [one for one in inspect.signature(command, eval_str=True).parameters.values() if one.name != "asked"]
    declared = cast(Any, called)  # mypy does not know this attribute, which `with_options` reads
    declared.__signature__ = inspect.Signature([*_PARAMETERS, *rest])
    return called


def words(text: str) -> tuple[str, ...]:
    """Return the words of a list separated by commas."""
    return tuple(one.strip() for one in text.split(",") if one.strip())


def _parameter(name: str, flag: str, kind: Any, panel: str, default: Any, **more: Any) -> Parameter:
    declared = typer.Option(flag, rich_help_panel=panel, **more)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared])


_NONE = Parameter.empty
_CURRENCY = "Of the accounts; tickers in others are converted at the rates known. Default: that of all tickers."
_BORROW = "Yearly fee for borrowed shares, in basis points."
_SCHEMES = "confidence, equal, inverse_volatility or hrp."
_TRIED = "Other weights to try on the same decisions; each counts as a trial."
_ABLATIONS = "Parts to take away, each as a variant: no_debate, one_analyst, no_news, single_model, one_call."
_REPEATS = "How often models decide on each ticker and day."
_TRIALS = "Variants that were tried in all, here and before; default: those seen in the home."
_DISGUISE = "Decide a second time under other names, years and levels."
_PARAMETERS = (
    _parameter("tickers", "--tickers", str, TEST, _NONE, metavar="LIST", help="Symbols, separated by commas."),
    _parameter("start", "--start", str, TEST, _NONE, metavar="DATE", help="First day; decisions begin here."),
    _parameter("end", "--end", str, TEST, _NONE, metavar="DATE", help="Last day of the accounts."),
    _parameter("every", "--every", int, TEST, 5, min=1, help="Sessions from one decision to the next."),
    _parameter("scheme", "--weights", str, BOOK, "confidence", metavar="NAME", help=_SCHEMES),
    _parameter("deposit", "--cash", float, BOOK, 100_000.0, min=1, help="What each account begins with."),
    _parameter("currency", "--currency", str | None, BOOK, None, metavar="CODE", help=_CURRENCY),
    _parameter("max_positions", "--max-positions", int, BOOK, 15, min=1, help="Positions at most."),
    _parameter("max_position", "--max-position", float, BOOK, 0.15, min=0, max=1, help="Largest position."),
    _parameter("max_sector", "--max-sector", float, BOOK, 0.35, min=0, max=1, help="Largest sector."),
    _parameter("min_cash", "--min-cash", float, BOOK, 0.05, min=0, max=1, help="Smallest share of cash."),
    _parameter("short", "--short", bool, BOOK, default=False, help="Let SELL sell borrowed shares."),
    _parameter("max_short", "--max-short", float, BOOK, 0.1, min=0, max=1, help="Largest short position."),
    _parameter("borrow_bp", "--borrow-bp", float, BOOK, 50.0, min=0, help=_BORROW),
    _parameter("schemes", "--try-weights", str, TRIED, "", metavar="LIST", help=_TRIED),
    _parameter("ablations", "--ablate", str, TRIED, "", metavar="LIST", help=_ABLATIONS),
    _parameter("repeats", "--repeats", int, TRIED, 1, min=1, metavar="N", help=_REPEATS),
    _parameter("trials", "--trials", int | None, TRIED, None, min=1, metavar="N", help=_TRIALS),
    _parameter("disguise", "--disguise", bool, TRIED, default=False, help=_DISGUISE),
)
