"""What the commands of all kinds of runs share: finding the run to resume, and running with services."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from tradingagents.errors import UsageError
from tradingagents.settings import Settings

from .console import Terminal
from .session import run_until_done

if TYPE_CHECKING:
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services

T = TypeVar("T")


def manifest_to_resume(settings: Settings, run_id: str, kinds: Collection[str], what: str) -> RunManifest:
    """Return the manifest of a run that a command resumes.

    Args:
        settings: Whose home folder holds the run.
        run_id: Its id, or the beginning of it.
        kinds: Of runs that the command resumes.
        what: Such a run in a word, such as `report`.

    Raises:
        NoSuchRun: There is no such run.
        UsageError: It is of another kind.
    """
    from tradingagents.runtime.manifest import read_manifest
    from tradingagents.store.run_index import RunIndex

    home = settings.home_dir
    manifest = read_manifest(home, RunIndex(home).find(run_id).run_id)
    if manifest.kind not in kinds:
        raise UsageError(
            f"{manifest.run_id} is no {what}; resume it with `tradingagents runs resume {manifest.run_id}`."
        )
    return manifest


def run_with_services(
    settings: Settings,
    environ: Mapping[str, str],
    terminal: Terminal,
    display: AbstractContextManager[Any],
    work: Callable[[Services, Any], Coroutine[Any, Any, T]],
) -> T:
    """Run work with services of its own, until it ends or Ctrl-C stops it; close them.

    Args:
        settings: Those of the run.
        environ: Where keys are read from.
        terminal: Where to print.
        display: Entered when the services are open; gives what the run's events are shown to.
        work: Makes the coroutine, from the services and from what `display` gives.
    """
    from tradingagents.runtime.services import open_services

    with terminal.loading():
        services = open_services(settings, environ)
    try:
        with display as shown:
            return run_until_done(services, work(services, shown), terminal)
    finally:
        services.close()
