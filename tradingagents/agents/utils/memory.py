"""`FinancialSituationMemory` by its public import path; it lives in `memory.situations`."""

from tradingagents.memory.situations import FinancialSituationMemory

__all__ = ["FinancialSituationMemory"]
