"""Reads YAML: small files that people write, with errors in one line, and the tables of the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from tradingagents.files.regular_files import read_regular

LARGEST_FILE = 64 * 1024
"""Bytes."""


class UnreadableYaml(Exception):
    """A file cannot be read; the message says why, without its path. Callers add the path and what to do."""


class _PlainLoader(yaml.SafeLoader):
    """Reads plain YAML: no tags of Python, and no aliases, by which a small file can grow without end."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse aliases."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*name) are not read; write the value out")
        return super().compose_node(parent, index)


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the fields of a YAML file.

    Raises:
        UnreadableYaml: It cannot be read, is too large, is no valid YAML, or holds no fields.
    """
    try:
        text = read_regular(path)
    except OSError as error:
        raise UnreadableYaml(f"it cannot be read ({error.strerror or type(error).__name__})") from None
    if len(text) > LARGEST_FILE:
        raise UnreadableYaml(f"it has {len(text)} bytes, and at most {LARGEST_FILE} are read")
    try:
        written = yaml.load(text, Loader=_PlainLoader)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UnreadableYaml(f"it is no valid YAML ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(written, dict) or not all(isinstance(name, str) for name in written):
        raise UnreadableYaml("it holds no fields")
    return written


_QUICK_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""In C where PyYAML was built with it: the tables of questions take 0.1 s and not 0.5 s."""


def packaged_table(package: str, *place: str) -> Any:
    """Return what a YAML file of this library holds.

    Args:
        package: In which it lies.
        place: Its folders below it, and its name.
    """
    return yaml.load(files(package).joinpath(*place).read_text("utf-8"), Loader=_QUICK_LOADER)  # noqa: S506
