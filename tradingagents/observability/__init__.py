"""Observability of runs: log records without secrets, and traces. See docs/guides/observability.md."""

from tradingagents.observability.logs import JsonFormatter
from tradingagents.observability.redaction import RedactingFilter, redact_logs
from tradingagents.redaction import Redactor

__all__ = ["JsonFormatter", "RedactingFilter", "Redactor", "redact_logs"]
