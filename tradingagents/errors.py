"""The errors a caller can react to.

    TradingAgentsError                    exit code
    ├── UsageError                        2   the question is wrong: ask differently
    │   ├── BadSymbol
    │   └── BadDate
    ├── ConfigurationError                3   the set-up is wrong: mend it
    │   ├── SettingsError
    │   ├── VendorNotConfigured               (the router tries the next vendor)
    │   │   └── NotInPlan                         the key's plan does not include what was asked
    │   ├── ModelNotConfigured
    │   └── HomeNotWritable
    ├── DataError                         4   the data is not to be had
    │   ├── NoData                            nothing there: final, no other vendor is asked
    │   ├── NotForPastDate                    the source only knows today
    │   ├── VendorUnavailable                 (fungible methods fall back to the next vendor)
    │   │   ├── RateLimited
    │   │   └── VendorDown
    │   └── AllVendorsFailed
    ├── ModelFailure                      5   the language model gave no usable answer
    │   └── ModelUnreachable
    ├── ReplyNotKept                      5   a replay would have to ask a model
    ├── BudgetReached                     6   the run used up what it was allowed
    ├── AwaitingApproval                  7   a person is to approve the decision first
    └── Interrupted                       130 the user, or the system, stopped the run

A class exists because some caller does something different on it. Every message ends with the way out.
"""

from __future__ import annotations


class TradingAgentsError(Exception):
    """Whatever this library raises on purpose; `exit_code` is what the CLI ends with."""

    exit_code = 1


class UsageError(TradingAgentsError):
    """The question itself is wrong."""

    exit_code = 2


class BadSymbol(UsageError):
    """A symbol that cannot be one (separators, white space, too long …)."""


class BadDate(UsageError):
    """A date that cannot be answered: malformed, in the future, or before any exchange data."""


class ConfigurationError(TradingAgentsError):
    """The set-up is wrong; the message names the variable, key or folder to mend."""

    exit_code = 3


class SettingsError(ConfigurationError):
    """An unknown setting, or a value it cannot have."""


class VendorNotConfigured(ConfigurationError):
    """A data vendor lacks what it needs (a key, a folder), or refuses the key it was given."""


class NotInPlan(VendorNotConfigured):
    """The key is good, and its plan does not include what was asked: the next vendor of a list may."""


class ModelNotConfigured(ConfigurationError):
    """A model provider lacks what it needs (a key, a URL, a package)."""


class HomeNotWritable(ConfigurationError):
    """Runs cannot be written where `home` points."""


class DataError(TradingAgentsError):
    """Market data could not be had."""

    exit_code = 4


class NoData(DataError):
    """The vendor answered, and has nothing for this question."""


class NotForPastDate(DataError):
    """The source only knows today, and the question is about a past day."""


class VendorUnavailable(DataError):
    """The vendor did not answer; another one may."""


class RateLimited(VendorUnavailable):
    """The vendor refuses for now, or our own count of requests does before it is asked.

    Attributes:
        retry_after: Seconds to wait; None when the vendor does not say.
        asked: False where our own count refused and nothing was sent: that says nothing about the vendor.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, asked: bool = True) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.asked = asked


class VendorDown(VendorUnavailable):
    """The vendor is unreachable, answers 5xx, or answers something unreadable."""


class AllVendorsFailed(DataError):
    """Every vendor allowed to answer failed; chained from the last failure."""


class ModelFailure(TradingAgentsError):
    """A language model gave no usable answer.

    Attributes:
        may_pass: Whether the same request may be answered a little later: the server was busy, broken or out of reach,
            and did not refuse.
        retry_after: Seconds the server asks to wait; None where it does not say.
    """

    exit_code = 5

    def __init__(self, message: str = "", *, may_pass: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.may_pass = may_pass
        self.retry_after = retry_after


class ModelUnreachable(ModelFailure):
    """The model's server does not answer, or refuses the key or the model's name."""


class ReplyNotKept(TradingAgentsError):
    """A run that may use kept replies only asks something that is not kept. It ends: there is no second best."""

    exit_code = 5


class BudgetReached(TradingAgentsError):
    """`budget_usd` or `max_llm_calls` is used up."""

    exit_code = 6


class AwaitingApproval(TradingAgentsError):
    """A decision is proposed, and becomes final when a person approves it; the run waits for that.

    Attributes:
        run_id: The run.
    """

    exit_code = 7

    def __init__(self, message: str, *, run_id: str) -> None:
        super().__init__(message)
        self.run_id = run_id


class Interrupted(TradingAgentsError):
    """The user, or the system, stopped the run. What it had finished is kept, and it can go on."""

    exit_code = 130
