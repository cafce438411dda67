"""Random admissible inputs, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from tradingagents.valuation import EmployeeOptions, ValuationInputs
from tradingagents.valuation.inputs import LEAST_SPREAD


def number(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False, allow_infinity=False)


OPTIONS = st.builds(
    EmployeeOptions,
    count=number(0, 50),
    strike=number(0.5, 100),
    years=number(0.25, 10),
    volatility=number(0.05, 1),
    risk_free=number(0, 0.08),
)


@st.composite
def admissible(draw: st.DrawFn) -> ValuationInputs:
    years = draw(st.sampled_from((5, 10)))

    def path(low: float, high: float) -> tuple[float, ...]:
        return tuple(draw(st.lists(number(low, high), min_size=years, max_size=years)))

    wacc = draw(number(0.03, 0.25))
    growth = draw(number(-0.05, min(0.06, wacc - LEAST_SPREAD - 1e-6)))
    by_roic = draw(st.booleans())
    return ValuationInputs(
        revenue_t0=draw(number(0, 1e6)),
        shares_out=draw(number(1, 1e5)),
        sales_growth=path(-0.5, 0.8),
        oper_margin=path(-0.5, 0.5),
        tax_rate=path(0, 0.5),
        sales_to_capital=path(0.2, 8),
        wacc=path(0.02, 0.3),
        stable_growth=growth,
        stable_margin=draw(number(-0.1, 0.5)),
        stable_tax=draw(number(0, 0.5)),
        stable_wacc=wacc,
        stable_roic=draw(number(0.03, 0.5)) if by_roic else None,
        stable_sales_to_capital=None if by_roic else draw(number(0.2, 8)),
        discounting=draw(st.sampled_from(("end", "midyear"))),
        reinvestment_lag=draw(st.integers(0, 3)),
        nol_t0=draw(number(0, 1e5)),
        failure_probability=draw(number(0, 1)),
        distress_proceeds=draw(number(0, 1)),
        distress_basis=draw(st.sampled_from(("value", "book"))),
        book_capital=draw(number(0, 1e6)),
        debt=draw(number(0, 1e5)),
        minority_interest=draw(number(0, 1e4)),
        cash=draw(number(0, 1e5)),
        non_operating_assets=draw(number(0, 1e4)),
        option_value=draw(number(0, 1e4)),
    )
