"""Makes the command of a kind of run from its declaration: arguments and options are the fields of its request.

What is the same for every kind stands here: the day, `--resume`, `--ask`, `--export`, answers to a run that waits, and
the shared options of models, data and limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from inspect import Parameter, Signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from tradingagents.errors import NotFound, UsageError
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.presentation import (
    AgentGrid,
    HintsPause,
    PlanPause,
    QuestionPause,
    Statements,
    TaskList,
    pause_of,
)
from tradingagents.runtime.request import Argument, Flag, SessionRequest
from tradingagents.settings import Settings

from . import options
from .command import with_options
from .console import Terminal
from .flags import Flags, limits_of, read_both
from .grid_command import GridCommand, grid_parameters
from .request import DateArgument, DateOption, day_asked, one_day, read_day, split_arguments

EARLIER = options.HelpPanel("A run that waits or has ended")
_PLAIN = "Print progress as lines, without redrawing."
_SESSION = "Reuse what was researched in this session or conversation, and add to it."
_EXPORT = "Also write the report to this file; its ending is md, html, pdf or xlsx."
_NO_QUESTION = 'Name a question, such as "What would change your mind?".'
M = TypeVar("M", Argument, Flag)


class _Printed(StrEnum):
    SUMMARY = "summary"
    FULL = "full"


@dataclass(frozen=True)
class CommandFields:
    """The fields of a kind's request as its command takes them."""

    argument: str
    """The name of the field that is the argument; "" where the day alone is one."""
    flags: Mapping[str, FieldInfo]
    """The fields that are options."""
    declared: Mapping[str, FieldInfo]
    side_by_side: bool
    """Whether each subject is a run of its own."""

    @classmethod
    def of(cls, kind: RunKind[Any, Any, Any]) -> CommandFields:
        """Return the fields of a kind; the argument is declared so, the subject, or the first that is required."""
        request = kind.request
        declared = request.model_fields
        own = [name for name in declared if name in (*request.own_fields(), request.subject_field)]
        argument = next((name for name in own if metadata_of(declared[name], Argument)), request.subject_field)
        required = (name for name in own if declared[name].is_required() and metadata_of(declared[name], Flag) is None)
        argument = argument or next(required, "")
        hints = pause_of(kind.pauses, HintsPause)
        elsewhere = {argument, hints.field if hints else "", *SessionRequest.model_fields}
        shown = {name: declared[name] for name in own if name not in elsewhere}
        flags = {name: field for name, field in shown.items() if not flag_of(field).hidden}
        return cls(argument, flags, declared, isinstance(kind.progress, AgentGrid))

    @property
    def several(self) -> bool:
        """Whether the argument takes several words, of which a day is the last."""
        if not self.argument:
            return False
        return self.side_by_side or get_origin(_bare(self.declared[self.argument].annotation)) is tuple

    def given_by(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the request's fields that the options of a command line name."""
        fields: dict[str, Any] = {}
        for name, field in self.flags.items():
            value, sets = given[name], flag_of(field).sets
            if value is None or (sets is not None and not value):
                continue
            if get_origin(_bare(field.annotation)) is tuple:
                separator = flag_of(field).separator
                value = tuple(value.split(separator) if separator else (value,)) if value else ()
            fields[name] = sets if sets is not None else value
        return fields


def command_of(kind: RunKind[Any, Any, Any]) -> Callable[..., None]:
    """Return the function of the command of a kind, for Typer to run."""
    fields = CommandFields.of(kind)

    def command(*, flags: Flags, terminal: Terminal, **given: Any) -> int:
        if fields.side_by_side:
            return _grid_command(kind, fields, given).run(flags, terminal)
        return _run(kind, fields, given, flags, terminal)

    declared = cast(Any, command)  # mypy does not know the attribute, which `inspect` reads
    declared.__signature__ = Signature(list(_parameters(kind, fields)))
    command.__doc__ = kind.help or kind.summary

    def about(given: Mapping[str, Any]) -> Mapping[str, Any]:
        named = {fields.argument: given[fields.argument]} if fields.argument else {}
        listed = {name: list(value) if isinstance(value, tuple | list) else value for name, value in named.items()}
        return {**listed, kind.day_key: day_asked(given)}

    return with_options(options.of_kind(kind), about)(command)


def _grid_command(kind: RunKind[Any, Any, Any], fields: CommandFields, given: Mapping[str, Any]) -> GridCommand:
    """Return what a command line asks of a kind whose runs are shown side by side."""
    return GridCommand(
        kind=kind,
        words=given[fields.argument] or () if fields.argument else (),
        wanted=_argument(kind, fields).wanted if fields.argument else "",
        day=given.get("day"),
        dates=given["date_option"],
        fields=fields.given_by(given),
        dry_run=given["dry_run"],
        yes=given.get("yes", False),
        resume=given["resume"],
    )


def _run(
    kind: RunKind[Any, Any, Any], fields: CommandFields, given: Mapping[str, Any], flags: Flags, terminal: Terminal
) -> int:
    """Start, resume or ask about a run; return the exit code."""
    from .run_session import KindSession, OutputOptions  # loads the graph's libraries, which the help does without

    named, resumed, about = given.get(fields.argument), given["resumed_run"], given.get("asked_run")
    words: list[str] = list(named or ()) if fields.several else [named] if named is not None else []
    if resumed is not None and (words or about is not None):
        raise UsageError(f"--resume RUN takes neither {_about_what(fields)} nor --ask; leave them out.")
    if resumed is None and fields.argument and not words:
        raise UsageError(_NO_QUESTION if about is not None else _argument(kind, fields).wanted)
    said, plan_file = _said(given), given.get("plan_file")
    pause = pause_of(kind.pauses, HintsPause)
    hints = [pause.given(text) for text in given.get("hints") or ()] if pause else []
    if plan_file is not None and resumed is None:
        raise UsageError("Say with --resume RUN whose plan is written.")
    settings, environ = read_both(flags)
    more: dict[str, Any] = {}
    if pause and hints and resumed is None:
        more = {pause.field: tuple(hints)} if pause.field else dict(pause.implies)
    output = OutputOptions(
        plain=given.get("plain", False),
        whole=given.get("printed") is _Printed.FULL,
        draft=flags.stream_tokens is not False,
        export=given["export"],
    )
    queued = () if pause and pause.field in more else hints
    session = KindSession(kind, settings, environ, terminal, output, queued)
    if about is not None:
        return session.ask(about, " ".join(words), limits_of(flags))
    if resumed is not None:
        return session.write_plan(resumed, plan_file) if plan_file else session.resume(resumed, said, limits_of(flags))
    with terminal.loading():
        several = split_arguments(words) if fields.several else None
        subject: tuple[str, ...] | str
        subject, written = several or ("".join(words[:1]), given["day"])
        day = read_day(one_day(written, given["date_option"]))
        if issubclass(kind.request, SessionRequest):
            more["session"], day = _session_and_day(settings, environ, given["session"], day)
        asked = {fields.argument: subject} if fields.argument else {}
        request = kind.request.of_command({**asked, **fields.given_by(given), **more, "day": day})
    return session.start(request)


def _about_what(fields: CommandFields) -> str:
    """Return what the argument of a kind is, in words: `a ticker`."""
    return "tickers" if fields.several else f"a {fields.argument}"


def _said(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what the user says to a run that waits; None where nothing is said."""
    answers = {name: given.get(f"said_{name}") for name in ("answer", "approve", "revise", "plan")}
    answers["write-plan"] = given.get("plan_file")
    named = [name for name, value in answers.items() if value not in (None, False)]
    if len(named) > 1:
        raise UsageError("Give one of --answer, --approve, --revise, --plan and --write-plan.")
    match named:
        case ["answer"]:
            return {"text": answers["answer"]}
        case ["revise"]:
            return {"verdict": "revise", "note": answers["revise"]}
        case ["plan"]:
            from .plan_file import read_plan

            return {"verdict": "approve", "plan": read_plan(cast(Path, answers["plan"])).model_dump(mode="json")}
        case ["approve"]:
            return {"verdict": "approve"}
    return None


def _parameters(kind: RunKind[Any, Any, Any], fields: CommandFields) -> Iterator[Parameter]:
    """Declare the arguments and options of a command, besides the shared ones."""
    panel = options.HelpPanel(kind.noun.capitalize())
    if fields.argument:
        argument = _argument(kind, fields)
        words = typer.Argument(metavar=argument.metavar, help=argument.help)
        yield _parameter(fields.argument, list[str] | None if fields.several else str | None, words)
    if not fields.several:
        yield Parameter("day", Parameter.KEYWORD_ONLY, default=None, annotation=DateArgument)
    for name, field in fields.flags.items():
        yield _option(name, field, panel)
    if fields.side_by_side:
        yield from grid_parameters(kind)
        return
    yield from _answers(kind, panel)
    yield Parameter("date_option", Parameter.KEYWORD_ONLY, default=None, annotation=DateOption)
    if issubclass(kind.request, SessionRequest):
        yield _parameter("session", str | None, panel.option("--session ID", _SESSION))
    if kind.has_summary:
        shown = panel.option("--format", f"Print the {kind.noun} on a page, or all of it.")
        yield _parameter("printed", _Printed, shown, _Printed.SUMMARY)
    if isinstance(kind.progress, TaskList | Statements):
        yield _parameter("plain", bool, panel.option("--plain", _PLAIN), default=False)
    yield _parameter("export", Path | None, panel.option("--export FILE", _EXPORT))
    yield _parameter("resumed_run", str | None, EARLIER.option("--resume RUN", "Resume this run instead of a new one."))
    if fields.argument and "ask" not in kind.request.model_fields:
        asks = EARLIER.option("--ask RUN", "Answer a question about this run, which has ended.")
        yield _parameter("asked_run", str | None, asks)


def _answers(kind: RunKind[Any, Any, Any], panel: options.HelpPanel) -> Iterator[Parameter]:
    """Declare the options that answer a run that waits."""
    if hints := pause_of(kind.pauses, HintsPause):
        yield _parameter("hints", list[str] | None, panel.option(hints.usage, hints.help))
    if pause_of(kind.pauses, QuestionPause):
        yield _parameter("said_answer", str | None, EARLIER.option("--answer TEXT", "Answer what the run asks back."))
    if pause_of(kind.pauses, PlanPause):
        yield _parameter("said_approve", bool, EARLIER.option("--approve", "Approve its plan."), default=False)
        revise = EARLIER.option("--revise NOTE", "Have it plan anew, with this note.")
        yield _parameter("said_revise", str | None, revise)
        yield _parameter("said_plan", Path | None, EARLIER.option("--plan FILE", "Carry out the plan in this file."))
        written = EARLIER.option("--write-plan FILE", "Write its plan to a file, to be edited.")
        yield _parameter("plan_file", Path | None, written)


def _option(name: str, field: FieldInfo, panel: options.HelpPanel) -> Parameter:
    """Declare the option of a field."""
    flag, bare = flag_of(field), _bare(field.annotation)
    text = flag.help or f"{(field.description or name).rstrip('.')}."
    dashed = f"--{name.replace('_', '-')}"
    if flag.sets is not None or bare is bool:
        return _parameter(name, bool, panel.option(flag.usage or dashed, text), default=False)
    if bare in (int, float):
        least = next((rule.ge for rule in field.metadata if hasattr(rule, "ge")), None)
        most = next((rule.le for rule in field.metadata if hasattr(rule, "le")), None)
        default = None if field.is_required() else field.default
        kind = bare if default is not None else bare | None
        return _parameter(name, kind, panel.option(flag.usage or dashed, text, min=least, max=most), default)
    metavar = "LIST" if get_origin(bare) is tuple else "TEXT"
    return _parameter(name, str | None, panel.option(flag.usage or f"{dashed} {metavar}", text))


def _parameter(name: str, kind: Any, declared: Any, default: Any = None) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared])


def _argument(kind: RunKind[Any, Any, Any], fields: CommandFields) -> Argument:
    """Return how the argument of a kind is called: as its field declares it, else by the field's name."""
    field = fields.declared[fields.argument]
    if (declared := metadata_of(field, Argument)) is not None:
        return declared
    metavar = fields.argument.upper()
    return Argument(
        metavar=f"{metavar}... [DATE]" if fields.several else metavar,
        help=f"{(field.description or kind.noun).rstrip('.')}.",
        wanted=f"Name {metavar}, or --resume RUN.",
    )


def metadata_of(field: FieldInfo, form: type[M]) -> M | None:
    """Return what a field declares about the command line in this form; None for nothing."""
    return next((entry for entry in field.metadata if isinstance(entry, form)), None)


def flag_of(field: FieldInfo) -> Flag:
    """Return how a field is given as an option."""
    return metadata_of(field, Flag) or Flag()


def _bare(annotation: Any) -> Any:
    """Return a type without `None` and without metadata; a choice of words is text."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return _bare(next(part for part in get_args(annotation) if part is not NoneType))
    return str if get_origin(annotation) is Literal else annotation


def _session_and_day(
    settings: Settings, environ: Mapping[str, str], session: str | None, day: date | None
) -> tuple[str | None, date | None]:
    """Return the id of a session, and the day of a run in it.

    Args:
        session: Id of a conversation with the assistant, or the name of a session of research; None for none.
        day: The day that was asked for; None: the conversation's, where it has one.

    Raises:
        UsageError: The id cannot be used.
        NotFound: It has the form of a conversation's id, and there is none.
    """
    from tradingagents.features.assistant.sessions.ids import is_session_id
    from tradingagents.runtime.runs.session_findings import SessionFindings

    if session is None:
        return None, day
    name = SessionFindings(settings.home_dir, session).continued_as() or session
    if not is_session_id(name):
        return name, day
    from tradingagents.features.assistant.sessions import SessionStore

    store = SessionStore(settings, environ=environ)
    try:
        return name, day or store.get(name).defaults.as_of
    except NotFound:
        if name == session:
            raise
        return session, day  # the conversation that continued it was deleted
    finally:
        store.close()
