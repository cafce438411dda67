"""Reads personas from YAML files: those of the library, then those in a folder of the user's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from pydantic import ValidationError

from tradingagents.errors import ConfigurationError
from tradingagents.features.assistant.personas.persona import CONSULT, Persona
from tradingagents.files.yaml_file import UnreadableYaml, read_yaml
from tradingagents.settings import Settings, nearest

FOLDER = "personas"
"""Folder under `home` where personas of the user are looked for, unless `personas_dir` names another."""
SUFFIXES = (".yaml", ".yml")
MOST_PERSONAS = 20
"""Each is a tool that the assistant's model reads."""


class PersonaError(ConfigurationError):
    """A persona's file cannot be used; the message names the file and what to correct."""


def load_personas(settings: Settings, capabilities: Mapping[str, str]) -> tuple[Persona, ...]:
    """Return the personas of the library, then those of the user's folder by file name.

    Args:
        settings: Name the folder.
        capabilities: The name of every capability by each name or alias that a file may use.

    Raises:
        PersonaError: A file is damaged, names an unknown tool, or uses the name of another persona.
    """
    return checked_personas((*library_files(), *user_files(settings)), capabilities)


def library_files() -> tuple[Path, ...]:
    """Return the files of the personas that come with the library."""
    here = Path(__file__).parent
    order = ("warren_buffett", "howard_marks", "stanley_druckenmiller")
    return tuple(here / f"{name}.yaml" for name in order)


def user_files(settings: Settings) -> tuple[Path, ...]:
    """Return the persona files in the user's folder, by name; none where there is no folder."""
    folder = settings.personas_dir or settings.home_dir / FOLDER
    if not folder.is_dir():
        return ()
    return tuple(sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES))


def checked_personas(files: Iterable[Path], capabilities: Mapping[str, str]) -> tuple[Persona, ...]:
    """Return the personas of files, their tools by the capabilities' own names. Raises as `load_personas` does."""
    found: dict[str, tuple[Persona, Path]] = {}
    for path in files:
        persona = _with_known_tools(read_persona(path), path, capabilities)
        if persona.name in found:
            other = found[persona.name][1]
            raise PersonaError(f"{path}: there is a persona {persona.name} in {other} already; choose another name.")
        found[persona.name] = persona, path
    if len(found) > MOST_PERSONAS:
        raise PersonaError(f"There are {len(found)} personas; at most {MOST_PERSONAS} are offered: remove some files.")
    return tuple(persona for persona, _ in found.values())


def read_persona(path: Path) -> Persona:
    """Read one file.

    Raises:
        PersonaError: It cannot be read, is too large, or is no persona.
    """
    try:
        stamp = path.stat()
    except OSError as error:
        raise PersonaError(f"{path} cannot be read ({error.strerror}); correct or remove it.") from None
    return _read(path, stamp.st_mtime_ns, stamp.st_size)


@cache
def _read(path: Path, modified: int, size: int) -> Persona:  # noqa: ARG001 - a changed file is read again
    try:
        written = read_yaml(path)
    except UnreadableYaml as error:
        raise PersonaError(f"{path}: {error}; correct or remove it.") from None
    try:
        return Persona.model_validate(written)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors())
        raise PersonaError(f"{path} is no valid persona ({problems[:400]}); correct it.") from None


def _with_known_tools(persona: Persona, path: Path, capabilities: Mapping[str, str]) -> Persona:
    names = []
    for tool in persona.tools:
        if tool.startswith(CONSULT):
            raise PersonaError(f"{path}: a persona consults nobody; remove {tool} from its tools.")
        if tool not in capabilities:
            close = nearest(tool, capabilities)
            hint = f"did you mean {close}?" if close else "`tradingagents ask` lists them."
            raise PersonaError(f"{path}: there is no capability {tool!r}; {hint}")
        names.append(capabilities[tool])
    return persona.model_copy(update={"tools": tuple(dict.fromkeys(names))})
