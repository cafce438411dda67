"""What is asked of a run: one model a kind, whose fields the command line, tasks, HTTP, MCP and manifests take over.

No field names a path, an address or a key: those belong to the process that does the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from tradingagents.dataflows.cutoff import parse_day
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import SettingsError, UsageError
from tradingagents.runtime.runs.run_folder import is_component
from tradingagents.settings import Settings, changed_settings

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
FAULTS_NAMED = 8


Symbol = Annotated[str, BeforeValidator(normalise)]
"""Any spelling of a symbol, normalised; one that cannot be a symbol raises BadSymbol."""


@dataclass(frozen=True, kw_only=True)
class Argument:
    """How the command of a kind takes a field as its argument; metadata of the field."""

    metavar: str
    """What the help calls it, such as `TICKER`."""
    help: str
    wanted: str
    """What is said where it is missing."""


@dataclass(frozen=True, kw_only=True)
class Flag:
    """How the command of a kind takes a field as an option, where name and description do not say it; metadata."""

    usage: str = ""
    """The option with its value, such as `--on TOPICS`; "" is made of the field's name."""
    help: str = ""
    """What it does; "" takes the field's description."""
    sets: Any = None
    """What the field is set to by an option that takes no value."""
    hidden: bool = False
    """Whether there is no such option."""
    separator: str = ","
    """What stands between the entries of a list; "" where the kind reads the text itself."""


class Request(BaseModel):
    """Base of what is asked: unknown fields are refused, and what is wrong is said in a sentence.

    Raises:
        UsageError: A field is unknown, missing or invalid; the message names each.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    noun: ClassVar[str] = "request"
    """What errors call it."""

    if not TYPE_CHECKING:  # type checkers read the arguments from the fields

        def __init__(self, /, **given: Any) -> None:
            try:
                super().__init__(**given)
            except ValidationError as error:
                raise UsageError(_invalid(type(self), error)) from None

    def changed(self, **fields: Any) -> Self:
        """Return the same with some fields changed. Raises UsageError as the constructor does."""
        return type(self)(**{**dict(self), **fields})


class RunRequest(Request):
    """What is asked of a run of any kind: its day, which models answer, and what they may cost.

    What is unset is as the process is configured.
    """

    subject_field: ClassVar[str | None] = None
    """The field that names what is studied; the manifest holds it as `subject`."""

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

    @field_validator("day", mode="before")
    @classmethod
    def _calendar_day(cls, day: Any) -> Any:
        """Read a day. Raises BadDate."""
        return None if day is None else parse_day(day)

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

    @classmethod
    def of_command(cls, given: Mapping[str, Any]) -> Self:
        """Return the request of a command line. Raises UsageError as the constructor does.

        Args:
            given: Values of fields by name: the options that were given, and the defaults of others.
        """
        return cls(**given)

    @classmethod
    def own_fields(cls) -> tuple[str, ...]:
        """Return the names of what is asked besides subject, day and settings."""
        return tuple(
            name
            for name in cls.model_fields
            if name not in RunRequest.model_fields
            and name != cls.subject_field
            and _SETTING.get(name, name) not in Settings.model_fields
        )

    @classmethod
    def own_settings(cls) -> frozenset[str]:
        """Return the names of the settings that can be asked for, besides those of every run."""
        named = {_SETTING.get(name, name) for name in cls.model_fields if name not in RunRequest.model_fields}
        return frozenset(named & set(Settings.model_fields))


class SessionRequest(RunRequest):
    """What is asked of a run in a session: the one it names, else the conversation that starts its task."""

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


class RunAnswer(Request):
    """What a person says to a run that waits, failed or was interrupted."""

    noun = "answer"

    verdict: Literal["approve", "revise", "reject"] | None = Field(
        None, description="Verdict on a proposed decision; revise sends it back with the note"
    )
    note: str = Field("", max_length=4000, description="Why, or what should be reconsidered")
    budget_usd: float | None = Field(None, gt=0, description="A new limit of cost, in USD")
    max_llm_calls: int | None = Field(None, gt=0, lt=2**63, description="A new limit of model calls")


RequestT = TypeVar("RequestT", bound=Request)
RunRequestT = TypeVar("RunRequestT", bound=RunRequest)


def title_of(question: str) -> str:
    """Return the beginning of a question, as the title of its run."""
    words = " ".join(question.split())
    return words if len(words) <= 80 else f"{words[:79]}…"


def _invalid(model: type[Request], error: ValidationError) -> str:
    """Say what is wrong with each field, and which there are in its schema."""
    faults = [
        f"{'.'.join(str(part) for part in fault['loc']) or model.noun}: {_fault(fault['type'], fault['msg'])}"
        for fault in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    known = ", ".join(model.model_json_schema()["properties"])
    return f"The {model.noun} is invalid: {'; '.join(faults[:FAULTS_NAMED])}. Its fields are: {known}."


def _fault(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "there is no such field"
    if kind == "missing":
        return "it is required"
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]
