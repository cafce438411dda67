"""A valuation report with everything that one can hold."""

from __future__ import annotations

from dataclasses import replace

from tests.features.valuation_report.test_valuation_workbook import built_report
from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.schemas.facts import PriceRange
from tradingagents.valuation import DriverDistribution, Scenario, simulate, value_scenarios


def sample_valuation() -> ValuationReport:
    report = built_report()
    scenarios = value_scenarios(
        [
            Scenario("Slow", 0.25, report.inputs.with_values(revenue_t0=900.0)),
            Scenario("As built", 0.5, report.inputs),
            Scenario("Fast", 0.25, report.inputs.with_values(revenue_t0=1200.0)),
        ]
    )
    drawn = simulate(report.inputs, {"wacc": DriverDistribution("normal", (0.0, 0.01))}, draws=500, seed=1)
    return replace(
        report,
        scenarios=scenarios,
        distribution=drawn,
        ranges=(PriceRange(label="P/E of peers", low=18.5, middle=22.0, high=27.5, note="quartiles of 5 peers"),),
        notes=("Shares are those of the last filing.",),
        refusals=("P/B of peers: equity of BLT not positive.",),
    )
