"""`AssumptionBook`: each number a valuation stands on, with its source; what a caller gives replaces it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tradingagents.errors import NoData
from tradingagents.schemas.valuation_models import FittedModel
from tradingagents.valuation.company.answer_parts import Kind, ValuationAssumption
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.cost_of_capital import CostOfCapital
from tradingagents.valuation.equity_models import EquityInputs
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs

MARGINAL_TAX = 0.25
AnyInputs = ValuationInputs | EquityInputs


class AssumptionBook:
    """Collects assumptions; what the caller gives replaces what is built."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = dict(given)
        self.used: set[str] = set()
        self.rows: list[ValuationAssumption] = []

    def take(self, name: str, value: float | Sourced, source: str = "", kind: Kind = "default") -> float:
        """Note an assumption and return it, or what the caller gives instead."""
        if isinstance(value, Sourced):
            source, kind = value.source, "default" if value.assumed else "data"
            value = value.value
        if name in self.given:
            own = self.given[name]
            if isinstance(own, bool) or not isinstance(own, int | float):
                raise InadmissibleInput(name, f"must be a number, not {own!r}.")
            self.used.add(name)
            value, source, kind = float(own), "given", "given"
        self.rows.append(ValuationAssumption(name, value, kind, source))
        return value

    def take_first(self, name: str, value: float | Sourced, source: str = "") -> float:
        """Take the first year of a path; of a list that the caller gives the first number, and `finished` sets it."""
        own = self.given.get(name)
        if isinstance(own, list) and own and isinstance(own[0], int | float):
            return float(own[0])
        return self.take(name, value, source)

    def take_known(self, name: str, value: Sourced) -> float:
        """Note an assumption only where it is not 0, or is given."""
        return self.take(name, value) if value.value or name in self.given else 0.0


def needed(found: Sourced | None, name: str, facts: CompanyFacts, book: AssumptionBook) -> Sourced:
    """Return what the statements give, or what the caller gives in its place.

    Raises:
        NoData: Neither is known; names the input to give.
    """
    if found is not None:
        return found
    if name in book.given:
        return Sourced(0.0, "given")
    why = f" {facts.withheld[0]}" if facts.withheld and name == "shares_out" else ""
    raise NoData(f"{name} of {facts.symbol} is not known from the statements filed by the day.{why} Give {name}=….")


def given_rows(rest: Mapping[str, Any]) -> tuple[ValuationAssumption, ...]:
    """Return what the caller gives for the whole of an input; of a path its first year."""
    rows = []
    for name, value in rest.items():
        first = value[0] if isinstance(value, list | tuple) and value else value
        if isinstance(first, int | float) and not isinstance(first, bool):
            rows.append(ValuationAssumption(name, float(first), "given", "given"))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class BuiltInputs:
    """Inputs for a model with what they are based on."""

    model: FittedModel
    inputs: AnyInputs
    assumptions: tuple[ValuationAssumption, ...]
    capital: CostOfCapital | None = None
    """Of a firm's valuation."""
