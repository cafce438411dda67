"""The three worked cases: a small one, a full one, and a company that makes losses first."""

from __future__ import annotations

from tradingagents.valuation import (
    ValuationInputs,
    converging_path,
    fading_path,
    stepped_path,
)

SMALL = ValuationInputs(
    revenue_t0=1000,
    shares_out=100,
    sales_growth=(0.10, 0.10, 0.08, 0.08, 0.05),
    oper_margin=(0.20, 0.22, 0.23, 0.24, 0.25),
    tax_rate=(0.25,) * 5,
    sales_to_capital=(2,) * 5,
    wacc=(0.10,) * 5,
    stable_growth=0.02,
    stable_margin=0.25,
    stable_sales_to_capital=2,
)
FULL = ValuationInputs(
    company="Full Case",
    currency="USD",
    revenue_t0=1000,
    shares_out=100,
    sales_growth=fading_path(0.12, 0.03),
    oper_margin=converging_path(0.10, 0.18, 5),
    tax_rate=fading_path(0.21, 0.25),
    sales_to_capital=stepped_path(2, 1.5),
    wacc=fading_path(0.09, 0.08),
    stable_growth=0.03,
    stable_margin=0.18,
    stable_tax=0.25,
    stable_wacc=0.08,
    stable_roic=0.12,
    nol_t0=150,
    failure_probability=0.05,
    distress_proceeds=0.5,
    debt=300,
    minority_interest=20,
    cash=150,
    non_operating_assets=40,
    option_value=25,
)
LOSSES = ValuationInputs(
    revenue_t0=100,
    shares_out=10,
    sales_growth=(0.5, 0.4, 0.3, 0.2, 0.1),
    oper_margin=(-0.20, -0.05, 0.05, 0.12, 0.15),
    tax_rate=(0.25,) * 5,
    sales_to_capital=(2.5,) * 5,
    wacc=(0.12, 0.12, 0.11, 0.10, 0.09),
    stable_growth=0.03,
    stable_margin=0.15,
    stable_wacc=0.09,
    stable_roic=0.12,
)
