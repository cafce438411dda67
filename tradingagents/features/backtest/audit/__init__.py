"""The audit of a backtest: knowledge of the future, books, figures and data, checked from outside."""

from __future__ import annotations

from tradingagents.features.backtest.audit.audit import audit
from tradingagents.features.backtest.audit.findings import KINDS, AuditFinding, AuditReport

__all__ = ["KINDS", "AuditFinding", "AuditReport", "audit"]
