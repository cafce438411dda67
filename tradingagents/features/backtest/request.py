"""What a backtest is asked to test."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tradingagents.analytics.holdings.weights import Scheme
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.exits import ExitRule
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.files.json_text import plain


@dataclass(frozen=True, kw_only=True)
class BacktestRequest:
    """What to test."""

    tickers: tuple[str, ...]
    start: date
    end: date
    every: int = 5
    """Sessions from one decision to the next."""
    scheme: Scheme = "confidence"
    deposit: float = 100_000.0
    currency: str | None = None
    """Of the accounts; tickers in others are converted at the rates known. None: that of all tickers."""
    costs: TradingCosts = field(default_factory=TradingCosts)
    limits: RiskLimits = field(default_factory=RiskLimits)
    shorts: ShortRules | None = None
    """How SELL may sell borrowed shares; None: it closes positions only."""
    schemes: tuple[Scheme, ...] = ()
    """Other weightings to try on the same decisions."""
    ablations: tuple[str, ...] = ()
    """Variants without a part, see `variants.ablations.ABLATIONS`; each is decided on its own."""
    repeats: int = 1
    """How often models decide on each ticker and day."""
    disguise: bool = False
    """Whether to decide a second time under other names, years and levels, as a diagnostic."""
    trials: int | None = None
    """How many variants were tried in all, here and before; None: those that the home folder shows."""
    exits: ExitRule = "none"
    """What closes positions between decisions: nothing, or the stop and the target of the decision's plan."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON; without `exits` where it is off, as in earlier versions, so that ids stay the same."""
        found: dict[str, Any] = plain(self)
        return found if self.exits != "none" else {name: value for name, value in found.items() if name != "exits"}
