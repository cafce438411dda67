"""`DEFAULT_CONFIG` at the top level, as in `from default_config import DEFAULT_CONFIG`; it lives in `tradingagents`."""

from tradingagents.default_config import DEFAULT_CONFIG

__all__ = ["DEFAULT_CONFIG"]
