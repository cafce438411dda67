"""Models of the equity itself, for companies whose debt is their trade or whose dividends say what they are worth.

`value_by_excess_returns` fits banks, insurers and regulated utilities, `value_by_dividends` companies that pay out
steadily, `value_by_funds` real-estate investment trusts; `net_asset_value` is the second view of these. `value_equity`
values the inputs of any of them, and `implied_rate` says what a price implies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.dcf import KERNEL_VERSION
from tradingagents.valuation.inputs import HORIZONS, LEAST_SPREAD, InadmissibleInput, finite

ROUNDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcessReturnInputs:
    """Inputs of a valuation by excess returns. Rates are fractions."""

    book_equity: float
    shares_out: float
    return_on_equity: tuple[float, ...]
    """Net income over the equity at the start of the year, for 5 or 10 years."""
    cost_of_equity: tuple[float, ...]
    payout: tuple[float, ...]
    """Part of net income that is paid out; the rest adds to the equity."""
    stable_growth: float
    """Growth of the equity after the last year."""
    stable_return_on_equity: float
    stable_cost_of_equity: float

    def __post_init__(self) -> None:
        """Refuse what cannot be valued.

        Raises:
            InadmissibleInput: Names the first input at fault.
        """
        _check_scalars(self, ("book_equity", "shares_out", "stable_return_on_equity"))
        if self.book_equity <= 0:
            raise InadmissibleInput("book_equity", "must be greater than 0; value the company by its cash flow.")
        _check_paths(self, ("return_on_equity", "cost_of_equity", "payout"))
        _check_terminal(self.stable_growth, self.stable_cost_of_equity)
        if self.stable_growth > 0 and self.stable_return_on_equity < self.stable_growth:
            raise InadmissibleInput(
                "stable_return_on_equity", "must not be below stable_growth: growth would need new equity for ever."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DividendInputs:
    """Inputs of a valuation by dividends, for each share. Rates are fractions."""

    dividend_t0: float
    """Paid in the last twelve months."""
    dividend_growth: tuple[float, ...]
    """For 5 or 10 years."""
    cost_of_equity: tuple[float, ...]
    stable_growth: float
    stable_cost_of_equity: float

    def __post_init__(self) -> None:
        """Refuse what cannot be valued.

        Raises:
            InadmissibleInput: Names the first input at fault.
        """
        _check_scalars(self, ("dividend_t0",))
        if self.dividend_t0 <= 0:
            raise InadmissibleInput("dividend_t0", "must be greater than 0; value the company by its cash flow.")
        _check_paths(self, ("dividend_growth", "cost_of_equity"))
        _check_terminal(self.stable_growth, self.stable_cost_of_equity)


@dataclass(frozen=True, slots=True, kw_only=True)
class FundsInputs:
    """Inputs of a valuation by adjusted funds from operations (AFFO) of a real-estate trust. Rates are fractions."""

    funds_t0: float
    """AFFO of the last twelve months: net income without depreciation of buildings and gains on sales, less what keeps
    the buildings as they are."""
    shares_out: float
    funds_growth: tuple[float, ...]
    """Growth of AFFO without new shares, for 5 or 10 years."""
    payout: tuple[float, ...]
    """Part of AFFO that is paid out; the last holds for ever."""
    cost_of_equity: tuple[float, ...]
    stable_growth: float
    stable_cost_of_equity: float
    operating_income: float | None = None
    """Net operating income of the properties: before depreciation, interest and tax; None where it is not known."""
    cap_rate: float | None = None
    """Net operating income over what properties sell for; given together with `operating_income`."""
    claims: float = 0.0
    """Debt, preferred stock and interests of others less cash and other assets."""

    def __post_init__(self) -> None:
        """Refuse what cannot be valued.

        Raises:
            InadmissibleInput: Names the first input at fault.
        """
        _check_scalars(self, ("funds_t0", "shares_out", "claims"))
        if self.funds_t0 <= 0:
            raise InadmissibleInput("funds_t0", "must be greater than 0: there is nothing to discount.")
        _check_paths(self, ("funds_growth", "payout", "cost_of_equity"))
        _check_terminal(self.stable_growth, self.stable_cost_of_equity)
        if (self.operating_income is None) != (self.cap_rate is None):
            raise InadmissibleInput("cap_rate", "goes together with operating_income.")
        if self.cap_rate is not None and not 0 < self.cap_rate < 1:
            raise InadmissibleInput("cap_rate", f"{self.cap_rate:g} must lie between 0 and 1, such as 0.06.")


EquityInputs = ExcessReturnInputs | DividendInputs | FundsInputs


@dataclass(frozen=True, slots=True)
class EquityYear:
    """One year of an equity model. Money as in the inputs: the whole company, or one share."""

    t: int
    book_equity: float | None
    """At the end of the year; None in a dividend model."""
    net_income: float | None
    dividend: float
    excess_return: float | None
    """Net income above the cost of the equity at the start of the year; None in a dividend model."""
    cost_of_equity: float
    discount_factor: float
    pv: float
    """Of the excess return, or of the dividend."""
    funds: float | None = None
    """Adjusted funds from operations; None but for a real-estate trust."""


@dataclass(frozen=True, slots=True)
class EquityValuation:
    """What the equity is worth."""

    pv_explicit: float
    """Present value of the excess returns, or dividends, of the years of the forecast."""
    pv_terminal: float
    equity_value: float
    """Of the whole company, or of one share in a dividend model."""
    value_per_share: float
    years: tuple[EquityYear, ...]
    kernel_version: str = KERNEL_VERSION

    def to_json(self) -> str:
        """Return the valuation as canonical JSON."""
        return canonical_json(self)


def value_by_excess_returns(inputs: ExcessReturnInputs) -> EquityValuation:
    """Value equity as its book value plus what it earns above its cost.

    >>> inputs = ExcessReturnInputs(
    ...     book_equity=100, shares_out=10, return_on_equity=(0.12,) * 5, cost_of_equity=(0.10,) * 5,
    ...     payout=(1.0,) * 5, stable_growth=0.0, stable_return_on_equity=0.12, stable_cost_of_equity=0.10,
    ... )
    >>> round(value_by_excess_returns(inputs).equity_value, 9)  # 2 a year for ever at 10 %, on top of 100
    120.0
    """
    years, book, factor, explicit = [], inputs.book_equity, 1.0, 0.0
    rates = zip(inputs.return_on_equity, inputs.cost_of_equity, inputs.payout, strict=True)
    for t, (earned, cost, payout) in enumerate(rates, start=1):
        income, excess, factor = earned * book, (earned - cost) * book, factor / (1 + cost)
        paid = income * payout
        book, explicit = book + income - paid, explicit + excess * factor
        years.append(EquityYear(t, book, income, paid, excess, cost, factor, excess * factor))
    spread = inputs.stable_return_on_equity - inputs.stable_cost_of_equity
    terminal = spread * book / (inputs.stable_cost_of_equity - inputs.stable_growth) * factor
    equity = inputs.book_equity + explicit + terminal
    return EquityValuation(explicit, terminal, equity, equity / inputs.shares_out, tuple(years))


def value_by_dividends(inputs: DividendInputs) -> EquityValuation:
    """Value a share as the present value of its dividends.

    >>> inputs = DividendInputs(
    ...     dividend_t0=2, dividend_growth=(0.03,) * 5, cost_of_equity=(0.08,) * 5,
    ...     stable_growth=0.03, stable_cost_of_equity=0.08,
    ... )
    >>> round(value_by_dividends(inputs).value_per_share, 9)  # Gordon: 2 x 1.03 / (0.08 - 0.03)
    41.2
    """
    years, paid, factor, explicit = [], inputs.dividend_t0, 1.0, 0.0
    for t, (growth, cost) in enumerate(zip(inputs.dividend_growth, inputs.cost_of_equity, strict=True), start=1):
        paid, factor = paid * (1 + growth), factor / (1 + cost)
        explicit += paid * factor
        years.append(EquityYear(t, None, None, paid, None, cost, factor, paid * factor))
    after = paid * (1 + inputs.stable_growth)
    terminal = after / (inputs.stable_cost_of_equity - inputs.stable_growth) * factor
    value = explicit + terminal
    return EquityValuation(explicit, terminal, value, value, tuple(years))


def value_by_funds(inputs: FundsInputs) -> EquityValuation:
    """Value a real-estate trust as the present value of what it pays out of its adjusted funds from operations.

    >>> inputs = FundsInputs(
    ...     funds_t0=100, shares_out=10, funds_growth=(0.02,) * 5, payout=(1.0,) * 5, cost_of_equity=(0.07,) * 5,
    ...     stable_growth=0.02, stable_cost_of_equity=0.07,
    ... )
    >>> round(value_by_funds(inputs).value_per_share, 9)  # Gordon: 10 x 1.02 / (0.07 - 0.02)
    204.0
    """
    years, funds, factor, explicit = [], inputs.funds_t0, 1.0, 0.0
    rates = zip(inputs.funds_growth, inputs.payout, inputs.cost_of_equity, strict=True)
    for t, (growth, payout, cost) in enumerate(rates, start=1):
        funds, factor = funds * (1 + growth), factor / (1 + cost)
        paid = funds * payout
        explicit += paid * factor
        years.append(EquityYear(t, None, None, paid, None, cost, factor, paid * factor, funds))
    after = funds * (1 + inputs.stable_growth) * inputs.payout[-1]
    terminal = after / (inputs.stable_cost_of_equity - inputs.stable_growth) * factor
    equity = explicit + terminal
    return EquityValuation(explicit, terminal, equity, equity / inputs.shares_out, tuple(years))


def net_asset_value(inputs: FundsInputs) -> float | None:
    """Return what a share is worth where the properties sell at the capitalisation rate; None where it is not known.

    Below zero where the claims exceed the properties.

    >>> inputs = FundsInputs(
    ...     funds_t0=100, shares_out=10, funds_growth=(0.02,) * 5, payout=(1.0,) * 5, cost_of_equity=(0.07,) * 5,
    ...     stable_growth=0.02, stable_cost_of_equity=0.07, operating_income=180, cap_rate=0.06, claims=1000,
    ... )
    >>> round(net_asset_value(inputs), 9)  # (180 / 0.06 - 1000) / 10
    200.0
    """
    if inputs.operating_income is None or inputs.cap_rate is None:
        return None
    return (inputs.operating_income / inputs.cap_rate - inputs.claims) / inputs.shares_out


def value_equity(inputs: EquityInputs) -> EquityValuation:
    """Value the inputs of any model of the equity."""
    if isinstance(inputs, ExcessReturnInputs):
        return value_by_excess_returns(inputs)
    return value_by_funds(inputs) if isinstance(inputs, FundsInputs) else value_by_dividends(inputs)


def implied_rate(inputs: EquityInputs, price: float) -> tuple[str, float, float | None]:
    """Return the name of a model's rate, the rate of the inputs, and the one that a price implies; None for none."""
    if isinstance(inputs, ExcessReturnInputs):
        return "return_on_equity", inputs.return_on_equity[0], implied_return_on_equity(inputs, price)
    if isinstance(inputs, FundsInputs):
        return "funds_growth", inputs.funds_growth[0], implied_funds_growth(inputs, price)
    return "dividend_growth", inputs.dividend_growth[0], implied_dividend_growth(inputs, price)


def implied_return_on_equity(inputs: ExcessReturnInputs, price: float) -> float | None:
    """Return the return on equity, the same every year and for ever, at which the value equals a price; None for none.

    >>> inputs = ExcessReturnInputs(
    ...     book_equity=100, shares_out=10, return_on_equity=(0.12,) * 5, cost_of_equity=(0.10,) * 5,
    ...     payout=(1.0,) * 5, stable_growth=0.0, stable_return_on_equity=0.12, stable_cost_of_equity=0.10,
    ... )
    >>> round(implied_return_on_equity(inputs, 15.0), 9)
    0.15
    """

    def value(rate: float) -> float:
        flat = replace(inputs, return_on_equity=(rate,) * len(inputs.payout), stable_return_on_equity=rate)
        return value_by_excess_returns(flat).value_per_share

    return _bisect(value, price, max(inputs.stable_growth, 0.0), 1.0)


def implied_dividend_growth(inputs: DividendInputs, price: float) -> float | None:
    """Return the growth of the dividend over the forecast at which the value equals a price; None for none."""

    def value(rate: float) -> float:
        growing = replace(inputs, dividend_growth=(rate,) * len(inputs.dividend_growth))
        return value_by_dividends(growing).value_per_share

    return _bisect(value, price, -0.5, 1.0)


def implied_funds_growth(inputs: FundsInputs, price: float) -> float | None:
    """Return the growth of AFFO over the forecast at which the value equals a price; None for none."""

    def value(rate: float) -> float:
        growing = replace(inputs, funds_growth=(rate,) * len(inputs.funds_growth))
        return value_by_funds(growing).value_per_share

    return _bisect(value, price, -0.5, 1.0)


def _bisect(value: Callable[[float], float], target: float, low: float, high: float) -> float | None:
    """Find where a rising function meets a target; None where it does not between the bounds."""
    if not value(low) <= target <= value(high):
        return None
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if value(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _check_scalars(inputs: object, names: Sequence[str]) -> None:
    for name in (*names, "stable_growth", "stable_cost_of_equity"):
        finite(name, getattr(inputs, name))
    if getattr(inputs, "shares_out", 1.0) <= 0:
        raise InadmissibleInput("shares_out", "must be greater than 0.")


def _check_paths(inputs: object, names: Sequence[str]) -> None:
    years = len(getattr(inputs, names[0]))
    if years not in HORIZONS:
        raise InadmissibleInput(names[0], f"must have 5 or 10 years, not {years}.")
    for name in names:
        path = getattr(inputs, name)
        if len(path) != years:
            raise InadmissibleInput(name, f"has {len(path)} years, but {names[0]} has {years}; give as many.")
        for year, rate in enumerate(path, start=1):
            finite(f"{name}[{year}]", rate)
            if name == "cost_of_equity" and rate <= 0:
                raise InadmissibleInput(name, f"{rate:g} in year {year}: must be greater than 0.")
            if name in ("dividend_growth", "return_on_equity", "funds_growth") and rate <= -1:
                raise InadmissibleInput(name, f"{rate:g} in year {year}: must be greater than -1.")


def _check_terminal(growth: float, cost: float) -> None:
    if not math.isfinite(growth) or growth <= -1:
        raise InadmissibleInput("stable_growth", "must be greater than -1.")
    if growth >= cost - LEAST_SPREAD:
        raise InadmissibleInput(
            "stable_growth", f"{growth:g} must stay at least {LEAST_SPREAD:g} below stable_cost_of_equity {cost:g}."
        )
