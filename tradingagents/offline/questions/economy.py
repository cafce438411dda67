"""What is asked of the economy: which series and which releases of the calendar answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EconomicAspect:
    """One thing that is asked of the economy."""

    focus: str = ""
    """View of `macro_focus` that answers it; empty where `series` does."""
    series: str = ""
    """Series that `get_macro_indicators` is asked for."""
    main: str = ""
    """The figure by which it is told whether it rose."""
    each_day: str = ""
    """What its series of a value a day are called: over days that are named they are told in full."""
    releases: tuple[str, ...] = ()
    """What the names of its releases in the calendar hold, in small letters."""


ECONOMY: Mapping[str, EconomicAspect] = {
    "economy": EconomicAspect("overview"),
    "recession": EconomicAspect(),
    "rates": EconomicAspect("rates", main="dfedtaru", each_day="2y, 10y"),
    "curve": EconomicAspect("rates", main="t10y2y", each_day="yield curve"),
    "fed": EconomicAspect("rates", main="dfedtaru", releases=("interest rate", "fomc", "fed funds")),
    "inflation": EconomicAspect("inflation", main="cpi_yoy", releases=("inflation", "consumer price")),
    "jobs": EconomicAspect("jobs", main="unrate", releases=("unemployment", "payroll")),
    "claims": EconomicAspect(series="initial jobless claims", main="icsa", releases=("jobless claims",)),
    "survey": EconomicAspect(releases=("purchasing managers", "pmi")),
    "gdp": EconomicAspect(series="GDP growth", main="a191rl1q225sbea", releases=("gdp growth", "economic growth")),
    "retail": EconomicAspect(series="retail sales", main="rsafs", releases=("retail sales",)),
    "credit": EconomicAspect(series="HY spread, IG spread", main="bamlh0a0hym2", each_day="HY spread, IG spread"),
    "oil": EconomicAspect(series="WTI", main="dcoilwtico", each_day="WTI"),
}
"""By the aspects of `retrieval/questions/aspects.yaml`."""
POLICY_RATE = "fed funds target"
"""The series of the policy rate, by which it is told by how much it was cut or raised."""
OF_RECESSION = ("recession", "curve", "jobs", "gdp")
"""What tells whether a recession is near: no series says that it is one."""
RELEASED = tuple(name for name, aspect in ECONOMY.items() if aspect.releases)
"""Aspects whose answer names the days on which figures were published, and the next one."""
