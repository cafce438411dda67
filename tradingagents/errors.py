"""The errors raised by this library.

    TradingAgentsError                    exit code
    ├── UsageError                        2   the request is invalid
    │   ├── BadSymbol
    │   ├── BadDate
    │   ├── NotFound                          nothing has that name or id
    │   ├── PolicyRefused                     the caller may not do that
    │   └── RequestTooLarge                   a server takes no body of that size
    ├── ConfigurationError                3   the configuration is wrong
    │   ├── SettingsError
    │   ├── VendorNotConfigured               (the router tries the next vendor)
    │   │   └── NotInPlan                         the plan of the key does not include the data
    │   ├── ModelNotConfigured
    │   ├── HomeNotWritable
    │   ├── AccessRefused                     a server refuses the token, the host name or the origin
    │   └── ServerUnreachable                 a client gets no answer from its server
    ├── DataError                         4   data are not available
    │   ├── NoData                            the vendor has none; no other vendor is asked
    │   ├── NotForPastDate                    the source only has current data
    │   ├── UnreadableDocument                a filing, call or text cannot be read
    │   ├── VendorUnavailable                 (methods with equivalent vendors fall back to the next one)
    │   │   ├── RateLimited
    │   │   └── VendorDown
    │   └── AllVendorsFailed
    ├── ModelFailure                      5   the language model gave no usable reply
    │   ├── UnusableReply                     it replied twice, and neither reply can be used
    │   └── ModelUnreachable
    ├── ReplyNotKept                      5   a replay lacks a stored reply
    ├── BudgetReached                     6   the run reached its limit of cost or calls
    ├── AwaitingApproval                  7   a person must approve the decision first
    ├── ApprovalNeeded                    7   a person must allow an action of an agent first
    ├── ServerFailure                     1   a server failed unexpectedly; its log has the details
    └── Interrupted                       130 the user or the system stopped the run

A class exists because some caller handles it differently. Every message ends with what to do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class TradingAgentsError(Exception):
    """Base class of the errors this library raises; `exit_code` is the exit code of the command line."""

    exit_code = 1


class UsageError(TradingAgentsError):
    """The request is invalid."""

    exit_code = 2


class BadSymbol(UsageError):
    """A symbol is not valid (separators, white space, too long …)."""


class BadDate(UsageError):
    """A date is not valid: malformed, in the future, or before any exchange data."""


class NotFound(UsageError):
    """Nothing has the requested name or id."""


class PolicyRefused(UsageError):
    """The caller may not use a capability, or not start a kind of task."""


class RequestTooLarge(UsageError):
    """The body of a request is larger than the server accepts."""


class ConfigurationError(TradingAgentsError):
    """The configuration is wrong; the message names the variable, key or folder to correct."""

    exit_code = 3


class SettingsError(ConfigurationError):
    """A setting is unknown, or its value is invalid."""


class VendorNotConfigured(ConfigurationError):
    """A data vendor lacks a key or folder, or rejects its key."""


class NotInPlan(VendorNotConfigured):
    """The vendor's plan does not include the requested data; the next vendor of a list may have them."""


class ModelNotConfigured(ConfigurationError):
    """A model provider lacks a key, a URL or a package."""


class HomeNotWritable(ConfigurationError):
    """The folder `home` cannot be written."""


class AccessRefused(ConfigurationError):
    """A server refuses a request: its token is missing or wrong, or its host name or origin is not allowed."""


class ServerUnreachable(ConfigurationError):
    """A client gets no answer from its server, or what answers is no server of this library."""


class DataError(TradingAgentsError):
    """Market data are not available."""

    exit_code = 4


class NoData(DataError):
    """The vendor answered, but has no data for this request."""


class NotForPastDate(DataError):
    """The source only has current data, and the request is about a past day."""


class UnreadableDocument(DataError):
    """A document cannot be read: encrypted, scanned, damaged, too large, or of an unknown kind."""


class VendorUnavailable(DataError):
    """The vendor did not answer; another one may."""


class RateLimited(VendorUnavailable):
    """The vendor, or our own rate limiter, temporarily rejects requests.

    Attributes:
        retry_after: Seconds to wait; `None` when the vendor does not say.
        asked: False when our rate limiter rejected the request before it was sent, so that the error says nothing
            about the vendor.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, asked: bool = True) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.asked = asked


class VendorDown(VendorUnavailable):
    """The vendor is unreachable, answers with 5xx, or sends an unreadable response."""


class AllVendorsFailed(DataError):
    """Every vendor configured for the request failed; chained from the last failure."""


class ModelFailure(TradingAgentsError):
    """A language model gave no usable reply.

    Attributes:
        may_pass: Whether the failure is temporary: the server was busy, broken or unreachable, and did not reject the
            request.
        retry_after: Seconds the server asks to wait; `None` when it does not say.
    """

    exit_code = 5

    def __init__(self, message: str = "", *, may_pass: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.may_pass = may_pass
        self.retry_after = retry_after


class UnusableReply(ModelFailure):
    """The model replied twice, and neither reply can be used: empty, cut off, filtered, or no valid object."""


class ModelUnreachable(ModelFailure):
    """The model's server does not answer, or rejects the key or the model's name."""


class ReplyNotKept(TradingAgentsError):
    """A run that may only use stored replies makes a request without one. The run ends; there is no fallback."""

    exit_code = 5


class BudgetReached(TradingAgentsError):
    """`budget_usd` or `max_llm_calls` is used up."""

    exit_code = 6


class AwaitingApproval(TradingAgentsError):
    """A decision has been proposed, and the run waits for a person to approve it.

    Attributes:
        run_id: The run.
        asked: What it asks, as its graph put it: `question`, and for research `kind` and `plan`.
    """

    exit_code = 7

    def __init__(self, message: str, *, run_id: str, asked: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.run_id = run_id
        self.asked: Mapping[str, Any] = asked or {}


class ApprovalNeeded(TradingAgentsError):
    """An agent wants to do what costs money or writes, and a person must allow it first."""

    exit_code = 7


class ServerFailure(TradingAgentsError):
    """A server failed in a way that it does not explain to clients; its log has the details."""


class Interrupted(TradingAgentsError):
    """The user or the system stopped the run. Finished steps are stored, and the run can be resumed."""

    exit_code = 130


def error_code(error: BaseException | type[BaseException]) -> str:
    """Return the name of an error's class in snake case, such as `bad_symbol`."""
    name = error.__name__ if isinstance(error, type) else type(error).__name__
    return _CAPITAL.sub("_", name).lower()
