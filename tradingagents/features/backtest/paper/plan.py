"""The plan of a paper account: what it trades, with how much, and by which rules. It is written once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tradingagents.analytics.holdings.weights import Scheme, checked_scheme
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.exits import ExitRule, checked_exits
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.runtime.runs.run_folder import is_device

_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
LONGEST_NAME = 40


@dataclass(frozen=True, kw_only=True)
class PaperPlan:
    """What a paper account trades, and how."""

    name: str = "main"
    """Small letters, digits, `-` and `_`; also the name of its folder."""
    tickers: tuple[str, ...] = ()
    """Empty: the watch list, as it is on each day."""
    deposit: float = 100_000.0
    currency: str = "USD"
    every: int = 1
    """Sessions from one decision to the next."""
    scheme: Scheme = "confidence"
    benchmark: str | None = None
    """Symbol to compare with; None: the settings' or the exchange's."""
    costs: TradingCosts = field(default_factory=TradingCosts)
    limits: RiskLimits = field(default_factory=RiskLimits)
    shorts: ShortRules | None = None
    exits: ExitRule = "none"
    """What closes positions between decisions: nothing, or the stop and the target of the decision's plan."""

    def __post_init__(self) -> None:
        """Normalize the tickers.

        Raises:
            UsageError: The name, a ticker or a number is not valid.
        """
        check_account_name(self.name)
        checked_scheme(self.scheme)
        checked_exits(self.exits)
        if not 0 < self.deposit < 1e12 or self.every < 1:
            raise UsageError("A paper account needs a positive amount of cash and a decision every session or more.")
        if len(self.currency) != 3 or not self.currency.isalpha():
            raise UsageError(f"{self.currency[:20]!r} is no currency; write it like USD.")
        tickers = tuple(dict.fromkeys(normalise(ticker) for ticker in self.tickers))
        object.__setattr__(self, "tickers", tickers)
        object.__setattr__(self, "currency", self.currency.upper())

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON; without `exits` where it is off, as plans of earlier versions are."""
        whole = {**asdict(self), "tickers": list(self.tickers)}
        return whole if self.exits != "none" else {name: value for name, value in whole.items() if name != "exits"}

    @classmethod
    def from_json(cls, known: Mapping[str, Any]) -> PaperPlan:
        """Return a plan from its JSON.

        Raises:
            KeyError, TypeError, ValueError, UsageError: It is none.
        """
        known = {"exits": "none", **known}
        values = {setting.name: known[setting.name] for setting in fields(cls)}
        shorts = values["shorts"]
        values |= {
            "tickers": tuple(values["tickers"]),
            "costs": TradingCosts(**values["costs"]),
            "limits": RiskLimits(**values["limits"]),
            "shorts": None if shorts is None else ShortRules(**shorts),
        }
        return cls(**values)


def check_account_name(name: str) -> None:
    """Refuse what is no name of a folder.

    Raises:
        UsageError: It is empty, too long, or has other characters than small letters, digits, - and _.
    """
    if not name or len(name) > LONGEST_NAME or not set(name) <= _NAME or name[0] in "-_":
        raise UsageError(
            f"{name[:LONGEST_NAME]!r} is no name for a paper account; use small letters, digits, - and _, beginning "
            "with a letter or digit."
        )
    if is_device(name):
        raise UsageError(
            f"{name!r} is the name of a device on Windows, where its folder could not be copied; add to it."
        )
