"""Frameworks: ways of examining a company, one YAML file each, with the tasks that each needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from tradingagents.capabilities.registry import registry
from tradingagents.errors import ConfigurationError
from tradingagents.features.research.agents.plan_rules import plan_problems
from tradingagents.features.research.agents.schemas import MOST_TASKS, PlannedCall, ResearchTask, TaskPlan, TaskType
from tradingagents.files.yaml_file import UnreadableYaml, read_yaml
from tradingagents.settings import Settings

FOLDER = "frameworks"
"""Folder under `home` of the user's own frameworks."""
MONTH = timedelta(days=30)
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]


class FrameworkError(ConfigurationError):
    """A framework's file cannot be used; the message names the file and what to correct."""


class _FrameworkPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FrameworkTask(_FrameworkPart):
    """One task of a framework; `{ticker}` stands for the company."""

    description: Text
    task_type: TaskType = TaskType.USE_TOOLS
    earlier: tuple[int, ...] = Field((), alias="depends_on")
    """Numbers of the tasks of the framework whose results it needs, from 1."""
    calls: tuple[PlannedCall, ...] = ()
    """What answers it where no language model chooses tools."""


class Framework(_FrameworkPart):
    """A way of examining a company."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,39}$")]
    title: Annotated[Text, StringConstraints(max_length=60)]
    summary: Text
    """What it examines; planners choose by it."""
    words: tuple[Text, ...] = ()
    """Words of a question that call for it, for planning without a model; the first task answers a single one."""
    tasks: Annotated[tuple[FrameworkTask, ...], Field(min_length=1, max_length=MOST_TASKS)]

    @model_validator(mode="after")
    def _is_a_plan(self) -> Framework:
        problems = plan_problems(TaskPlan(summary="", tasks=self.tasks_for("X", date(2000, 1, 3))))
        if problems:
            raise ValueError(" ".join(problems))
        return self

    def tasks_for(self, ticker: str, day: date, *, first: int = 1) -> list[ResearchTask]:
        """Return its tasks for a company.

        Args:
            ticker: The company.
            day: Day of the question.
            first: Number of its first task.
        """
        values = {"ticker": ticker, "day": day.isoformat(), "month_before": (day - MONTH).isoformat()}
        return [
            ResearchTask(
                id=f"task_{first + number}",
                description=_filled(task.description, values),
                task_type=task.task_type,
                depends_on=[f"task_{first + earlier - 1}" for earlier in task.earlier],
                calls=[
                    call.model_copy(
                        update={"arguments": {name: _filled(value, values) for name, value in call.arguments.items()}}
                    )
                    for call in task.calls
                ],
            )
            for number, task in enumerate(self.tasks)
        ]


def load_frameworks(settings: Settings) -> Mapping[str, Framework]:
    """Return the frameworks of the library, then those of the user's folder, by name.

    Raises:
        FrameworkError: A file of the user is damaged, names an unknown capability, or uses the name of another one.
    """
    found = dict(library_frameworks())
    for path in _own_files(settings.home_dir):
        framework = read_framework(path)
        if unknown := unknown_tools(framework, registry()):
            raise FrameworkError(f"{path}: there is no capability {unknown[0]!r}; `tradingagents ask` lists them.")
        if framework.name in found:
            raise FrameworkError(f"{path}: there is a framework {framework.name} already; choose another name.")
        found[framework.name] = framework
    return found


def framework_files(home: Path) -> dict[str, bytes]:
    """Return the user's files in a home folder, by their path in it."""
    return {f"{FOLDER}/{path.name}": path.read_bytes() for path in _own_files(home)}


def _own_files(home: Path) -> list[Path]:
    folder = home / FOLDER
    return sorted(folder.glob("*.yaml")) if folder.is_dir() else []


@cache
def library_frameworks() -> Mapping[str, Framework]:
    """Return the frameworks that come with the library, by name."""
    files = sorted((Path(__file__).parent / FOLDER).glob("*.yaml"))
    return {framework.name: framework for framework in map(read_framework, files)}


def read_framework(path: Path) -> Framework:
    """Read one file.

    Raises:
        FrameworkError: It cannot be read, or is no framework.
    """
    try:
        return Framework.model_validate(read_yaml(path))
    except UnreadableYaml as error:
        raise FrameworkError(f"{path}: {error}; correct or remove it.") from None
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, problem['loc'])) or 'file'}: {problem['msg']}" for problem in error.errors()
        )
        raise FrameworkError(f"{path} is no valid framework ({problems[:400]}); correct it.") from None


def unknown_tools(framework: Framework, capabilities: Iterable[str]) -> list[str]:
    """Return the capabilities that a framework names and that do not exist."""
    known = set(capabilities)
    return sorted({call.capability for task in framework.tasks for call in task.calls} - known)


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    """Put the company and the days into a text; other values stay."""
    if not isinstance(value, str):
        return value
    for name, text in values.items():
        value = value.replace(f"{{{name}}}", text)
    return value
