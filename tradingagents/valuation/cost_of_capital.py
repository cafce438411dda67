"""Cost of capital: beta, cost of equity and debt, market value of debt, and their weighted average."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tradingagents.valuation.inputs import InadmissibleInput, finite


@dataclass(frozen=True, slots=True, kw_only=True)
class CapitalStructure:
    """What a cost of capital is made from. Rates are fractions."""

    risk_free: float
    equity_premium: float
    """Expected return of the market above the risk-free rate."""
    unlevered_beta: float
    """Of the business, as if it had no debt."""
    tax_rate: float
    equity: float
    """Market value."""
    debt: float = 0.0
    """Book value of interest-bearing debt."""
    interest: float = 0.0
    """Interest expense of a year."""
    debt_spread: float = 0.0
    """Yield of the debt above the risk-free rate."""
    debt_years: float = 5.0
    """Average time to repayment."""

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be.

        Raises:
            InadmissibleInput: Names the field.
        """
        for field in fields(self):
            finite(field.name, getattr(self, field.name))
        for name in ("debt", "interest", "unlevered_beta", "debt_years"):
            if getattr(self, name) < 0:
                raise InadmissibleInput(name, "must not be negative.")
        if self.equity <= 0:
            raise InadmissibleInput("equity", "must be greater than 0.")
        if not 0 <= self.tax_rate <= 1:
            raise InadmissibleInput("tax_rate", "must lie between 0 and 1.")
        if self.risk_free + self.debt_spread <= -1:
            raise InadmissibleInput("risk_free", "must keep the cost of debt above -100 %.")


@dataclass(frozen=True, slots=True)
class CostOfCapital:
    """A weighted average cost of capital with its parts."""

    wacc: float
    cost_of_equity: float
    cost_of_debt: float
    """Before tax."""
    levered_beta: float
    market_debt: float
    equity_weight: float


def lever_beta(unlevered: float, tax_rate: float, debt_to_equity: float) -> float:
    """Return the beta of the equity: `β_U (1 + (1 - τ) D/E)`.

    >>> round(lever_beta(1.0, 0.25, 0.40), 4)
    1.3
    """
    return unlevered * (1 + (1 - tax_rate) * debt_to_equity)


def unlever_beta(levered: float, tax_rate: float, debt_to_equity: float) -> float:
    """Return the beta of the business from that of the equity; undoes `lever_beta`."""
    return levered / (1 + (1 - tax_rate) * debt_to_equity)


def weight_of_own_beta(standard_error: float, spread: float) -> float:
    """Return the weight of a measured beta against the mean of its peers: by precision, `s² / (s² + e²)`.

    O. Vasicek, "A Note on Using Cross-Sectional Information in Bayesian Estimation of Security Betas", Journal of
    Finance 28 (1973): the prior is the peers' mean with the variance `s²` of their betas, `e` the standard error.

    >>> round(weight_of_own_beta(standard_error=0.1, spread=0.2), 9)
    0.8
    """
    if standard_error == 0:
        return 1.0
    return spread**2 / (spread**2 + standard_error**2)


def blume_adjusted(beta: float) -> float:
    """Return a beta a third of the way to 1, for the years to come.

    M. Blume, "Betas and Their Regression Tendencies", Journal of Finance 30 (1975): measured betas move to that of the
    market from one period to the next, by more than the error of their measurement explains.

    >>> blume_adjusted(2.5)
    2.0
    """
    return (2 * beta + 1) / 3


def market_value_of_debt(interest: float, book: float, cost_of_debt: float, years: float) -> float:
    """Return what debt is worth, seen as one bond that pays the year's interest and then its book value.

    >>> round(market_value_of_debt(interest=50, book=1000, cost_of_debt=0.05, years=5), 6)
    1000.0
    """
    if cost_of_debt == 0:
        return interest * years + book
    discount: float = (1 + cost_of_debt) ** -years
    worth: float = interest * (1 - discount) / cost_of_debt + book * discount
    return worth


def cost_of_capital(given: CapitalStructure) -> CostOfCapital:
    """Return the weighted average cost of capital at market values."""
    cost_of_debt = given.risk_free + given.debt_spread
    debt = market_value_of_debt(given.interest, given.debt, cost_of_debt, given.debt_years) if given.debt else 0.0
    beta = lever_beta(given.unlevered_beta, given.tax_rate, debt / given.equity)
    cost_of_equity = given.risk_free + beta * given.equity_premium
    weight = given.equity / (given.equity + debt)
    return CostOfCapital(
        wacc=weight * cost_of_equity + (1 - weight) * cost_of_debt * (1 - given.tax_rate),
        cost_of_equity=cost_of_equity,
        cost_of_debt=cost_of_debt,
        levered_beta=beta,
        market_debt=debt,
        equity_weight=weight,
    )
