"""Observability of runs: log records without secrets, and traces. See docs/guides/observability.md."""

from tradingagents.files.redaction import Redactor
from tradingagents.runtime.observability.logs import JsonFormatter
from tradingagents.runtime.observability.redaction import RedactingFilter, redact_logs

__all__ = ["JsonFormatter", "RedactingFilter", "Redactor", "redact_logs"]
