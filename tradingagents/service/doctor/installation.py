"""Look for files of others in the folder of the package: pip lets two distributions write to one name, silently."""

from __future__ import annotations

import base64
import hashlib
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

PACKAGE = "tradingagents"
SHOWN = 5
NOT_CODE = ("__pycache__", ".pyc", ".pyo", ".DS_Store")
"""What interpreters and file managers leave; no distribution lists it."""
WAY_OUT = f"Install it in an environment of its own: python -m venv NAME, then install {PACKAGE} there"


def installation_notes() -> tuple[str, ...]:
    """Say which files of the installed package are not its own; nothing where all are."""
    try:
        own = distribution(PACKAGE)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return ()
    import tradingagents

    folder = Path(tradingagents.__file__).parent
    return (*foreign_files(own, folder), *other_folders(folder, sys.path))


def foreign_files(own: Distribution, folder: Path) -> tuple[str, ...]:
    """Return a sentence on files that were added to the package, and one on files that were overwritten.

    Args:
        own: The distribution, whose RECORD lists each file with its hash. A checkout's lists none of them, and nothing
            is said of it.
        folder: The folder of the package.
    """
    listed = _listed(own, folder)
    if not listed:
        return ()
    present = {path for path in folder.rglob("*") if path.is_file() and not _is_left_over(path)}
    added = sorted(path.relative_to(folder).as_posix() for path in present - listed.keys())
    changed = sorted(
        path.relative_to(folder).as_posix() for path in present & listed.keys() if listed[path] not in ("", _hash(path))
    )
    said = []
    if added:
        said.append(f"{folder} holds files that are not of this distribution: {_named(added)}.{_owners()} {WAY_OUT}.")
    if changed:
        said.append(f"Files of {folder} are not those that were installed: {_named(changed)}.{_owners()} {WAY_OUT}.")
    return tuple(said)


def other_folders(folder: Path, places: Iterable[str]) -> tuple[str, ...]:
    """Return a sentence where another package of the same name can be imported, too.

    Args:
        folder: The folder of the package that is imported.
        places: The import path.
    """
    found = dict.fromkeys(Path(place, PACKAGE).absolute() for place in places)
    others = [path for path in found if (path / "__init__.py").is_file() and path.resolve() != folder.resolve()]
    if not others:
        return ()
    named = ", ".join(map(str, others))
    return (f"Another package called {PACKAGE} lies in {named}; which one Python imports depends on the import path.",)


def _listed(own: Distribution, folder: Path) -> Mapping[Path, str]:
    """Return the files of the package that a distribution lists, with their SHA-256 as it is written there."""
    found: dict[Path, str] = {}
    for file in own.files or ():
        if file.parts[0] == PACKAGE:
            path = folder.joinpath(*file.parts[1:])
            found[path] = file.hash.value if file.hash is not None and file.hash.mode == "sha256" else ""
    return found


def _hash(path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _is_left_over(path: Path) -> bool:
    return any(part in NOT_CODE for part in path.parts) or path.suffix in NOT_CODE


def _named(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _owners() -> str:
    """Return who else installs a package of this name, as a sentence; empty where no distribution says so."""
    names = sorted({name for name in packages_distributions().get(PACKAGE, ()) if name.lower() != PACKAGE})
    return f" {', '.join(names)} installs a package of the same name." if names else ""
