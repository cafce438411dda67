"""The errors of the library from the bodies of a server's answers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from tradingagents.errors import ServerFailure, ServerUnreachable, TradingAgentsError

PACKAGE = "tradingagents"


def error_of(body: Mapping[str, Any]) -> TradingAgentsError:
    """Return the error in the body of an answer, of the class that the library raises; see `ErrorBody`."""
    told = body.get("error")
    if not isinstance(told, Mapping) or not isinstance(told.get("code"), str):
        return ServerUnreachable("What answers there is no server of this library; check the address.")
    message = str(told.get("message", ""))
    kind = class_of(told.get("python_class")) or _nearest(told.get("exit_code"))
    if kind is ServerFailure:
        message = f"{message} Request id: {told.get('request_id', 'unknown')}."
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    details = told.get("details")
    for name, value in (details if isinstance(details, Mapping) else {}).items():
        setattr(error, str(name), value)
    for name, default in (("retry_after", None), ("may_pass", False), ("asked", True), ("run_id", "")):
        if not hasattr(error, name):
            setattr(error, name, default)
    return error


def class_of(name: Any) -> type[TradingAgentsError] | None:
    """Return the class of errors of a full name; None where this version of the library has none."""
    module, _, attribute = str(name).rpartition(".")
    if module.partition(".")[0] != PACKAGE or not all(map(str.isidentifier, module.split("."))):
        return None
    try:
        found = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError:
        return None
    return found if isinstance(found, type) and issubclass(found, TradingAgentsError) else None


def _nearest(exit_code: Any) -> type[TradingAgentsError]:
    """Return the class for an error that only a newer server knows: the one with its exit code."""
    for kind in TradingAgentsError.__subclasses__():
        if kind.exit_code == exit_code and kind.__module__ == TradingAgentsError.__module__:
            return kind
    return TradingAgentsError
