"""Requests of tasks that run a graph: the settings that a person may choose for one run, and their answers.

No field names a path, an address or a key: those belong to the process that does the work.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any, Generic, Literal, TypeVar

from pydantic import Field, ValidationError, field_validator

from tradingagents.errors import NoData, SettingsError, UsageError
from tradingagents.runtime.runs.run_folder import is_component
from tradingagents.schemas.workspace import ErrorInfo, TaskInfo
from tradingagents.service.tasks.control import changed_settings
from tradingagents.service.tasks.errors import error_code
from tradingagents.service.tasks.kind import TaskKind, TaskRequest
from tradingagents.settings import Settings

Provider = Literal["openai", "openai_compatible", "ollama", "anthropic", "google", "offline"]
TIERS = ("quick", "mid", "deep")
_SETTING: Mapping[str, str] = {
    "debate_rounds": "max_debate_rounds",
    "risk_rounds": "max_risk_discuss_rounds",
    "provider": "llm_provider",
    "quick_model": "quick_think_llm",
    "mid_model": "mid_think_llm",
    "deep_model": "deep_think_llm",
    "max_tickers": "max_auto_tickers",
}
"""Settings with another name than the field."""


class ModelRequest(TaskRequest):
    """Which models answer, and what they may cost. Unset: as the process is configured."""

    day: date | None = Field(None, description="Day of the study; unset: today, or the last recorded day")
    decide_at: str | None = Field(
        None,
        pattern=r"^(close|open|([01]\d|2[0-3]):[0-5]\d)$",
        description="Moment of a past day: close, open (the next session's) or a time of the exchange such as 08:30",
    )
    offline: bool = Field(
        False,
        description="Let fixed rules decide instead of language models, at no cost; the data stay those of the server",
    )
    provider: Provider | None = Field(None, description="Provider of the models of all tiers")
    quick_model: str | None = Field(None, min_length=1, max_length=200, description="Model of the quick tier")
    mid_model: str | None = Field(None, min_length=1, max_length=200, description="Model of the mid tier")
    deep_model: str | None = Field(None, min_length=1, max_length=200, description="Model of the deep tier")
    budget_usd: float | None = Field(None, gt=0, description="Maximum cost of the model calls, in USD")
    max_llm_calls: int | None = Field(None, gt=0, lt=2**63, description="Maximum number of model calls")
    stream_tokens: bool | None = Field(None, description="Send replies token by token")
    output_language: str | None = Field(None, min_length=2, max_length=40, description="Language of the reports")

    def settings(self, here: Settings) -> Settings:
        """Return the settings of the run: every field with the name of a setting, or a name in `_SETTING`, changes it.

        Args:
            here: Those of the process.

        Raises:
            UsageError: A value is invalid.
        """
        changes = {
            setting: value
            for name, value in self.model_dump().items()
            if (setting := _SETTING.get(name, name)) in Settings.model_fields and value is not None
        }
        if self.offline:
            changes.setdefault("llm_provider", "offline")
        if "llm_provider" in changes:
            changes.update(dict.fromkeys(f"{tier}_think_llm_provider" for tier in TIERS))
        try:
            return changed_settings(here, changes)
        except SettingsError as error:
            raise UsageError(f"The request is invalid: {error}") from None


class SessionModelRequest(ModelRequest):
    """Settings of a run that belongs to a session: the one it names, else the conversation that starts its task."""

    session: str | None = Field(
        None,
        max_length=100,
        description="Session whose earlier findings are reused; unset: the conversation that starts the task",
    )

    @field_validator("session")
    @classmethod
    def _usable(cls, session: str | None) -> str | None:
        if session is not None and not is_component(session):
            raise ValueError("use letters, digits, dots, dashes and underscores")
        return session


class TeamRequest(ModelRequest):
    """Settings of the trading graph."""

    analysts: tuple[str, ...] | None = Field(None, description="Analysts that write a report")
    debate_rounds: int | None = Field(None, ge=1, le=10, description="Rounds of the research debate")
    risk_rounds: int | None = Field(None, ge=1, le=10, description="Rounds of the risk debate")
    debate_mode: Literal["turns", "simultaneous"] | None = Field(None, description="Whether debaters take turns")
    sell_means: Literal["short", "close"] | None = Field(None, description="What SELL means")
    max_position_size: float | None = Field(None, gt=0, le=1, description="Largest position, as a fraction of equity")
    fetch_valuation: bool | None = Field(None, description="Compute the company's valuation for all agents")


class RunAnswer(TaskRequest):
    """What a person says to a task whose run waits, failed or was interrupted."""

    verdict: Literal["approve", "revise", "reject"] | None = Field(
        None, description="Verdict on a proposed decision; revise sends it back with the note"
    )
    note: str = Field("", max_length=4000, description="Why, or what should be reconsidered")
    budget_usd: float | None = Field(None, gt=0, description="A new limit of cost, in USD")
    max_llm_calls: int | None = Field(None, gt=0, lt=2**63, description="A new limit of model calls")


ModelRequestT = TypeVar("ModelRequestT", bound=ModelRequest)


class RunTaskKind(TaskKind[ModelRequestT], Generic[ModelRequestT]):
    """Base of kinds that take a graph through one or more runs."""

    answer: type[RunAnswer] = RunAnswer

    def check(self, request: ModelRequestT, settings: Settings) -> None:
        """Check that the settings accept what is asked. Raises UsageError."""
        request.settings(settings)

    def goes_on_after(self, error: ErrorInfo, run_ids: Collection[str]) -> bool:
        """Return whether a failed task may be resumed: not where its first run was refused for want of data."""
        return super().goes_on_after(error, run_ids) and (bool(run_ids) or error.code != error_code(NoData))

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        """Check a verdict, which a waiting run needs, and new limits. Raises UsageError."""
        given = checked_model(self.answer, answer or {}, "answer")
        if info.status == "awaiting_approval" and given.verdict is None:
            raise UsageError(
                "The task waits for a person; answer with a verdict (approve, revise or reject), and a note if wanted."
            )
        if info.status != "awaiting_approval" and given.verdict is not None:
            raise UsageError(f"The task does not wait for an approval, it is {info.status}; leave out verdict.")
        return given.model_dump(mode="json", exclude_none=True)


def title_of(question: str) -> str:
    """Return the beginning of a question, as the title of its task."""
    words = " ".join(question.split())
    return words if len(words) <= 80 else f"{words[:79]}…"


AnyRequestT = TypeVar("AnyRequestT", bound=TaskRequest)


def checked_model(model: type[AnyRequestT], given: Mapping[str, Any], what: str) -> AnyRequestT:
    """Return a request as its model reads it.

    Args:
        given: Its fields; text may stand for numbers and days.
        what: What it is, for errors: `request`, `answer`.

    Raises:
        UsageError: A field is unknown, missing or invalid; the message names each.
    """
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        faults = [
            f"{'.'.join(str(part) for part in one['loc']) or what}: {_fault(one['type'], one['msg'])}"
            for one in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        known = ", ".join(model.model_fields)
        raise UsageError(f"The {what} is invalid: {'; '.join(faults[:8])}. Its fields are: {known}.") from None


def _fault(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "there is no such field"
    if kind == "missing":
        return "it is required"
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]
