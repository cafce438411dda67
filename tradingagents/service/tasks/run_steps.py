"""Takes one run of a task to its end: a new one, or the one that an earlier start of the task left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tradingagents.errors import TradingAgentsError
from tradingagents.files.atomic import read_object
from tradingagents.runtime import executor
from tradingagents.runtime.kind import FINISHED, WAITING, RecordT, RunKind
from tradingagents.runtime.manifest import RunManifest, read_manifest
from tradingagents.runtime.request import RunRequest
from tradingagents.runtime.runs.run_folder import CARD, NoSuchRun
from tradingagents.runtime.task_kind import TaskControl, new_limits
from tradingagents.settings import Settings

REPORTS: Mapping[str, tuple[str, Literal["report", "workbook"]]] = {
    "report.html": ("Page", "report"),
    "complete_report.md": ("Report", "report"),
    "report.pdf": ("PDF", "report"),
    "report.xlsx": ("Workbook", "workbook"),
}
"""Files of a finished run that become artifacts, with their titles and kinds."""


async def run_to_end(
    control: TaskControl, kind: RunKind[Any, RecordT, Any], request: RunRequest, settings: Settings
) -> RecordT:
    """Run a kind, or resume the run that an earlier start of the task began; return the run's record.

    Args:
        kind: The kind of run.
        request: What is asked of it.
        settings: Of a new run; a resumed one keeps its own, with the limits of the person's answer.

    Raises:
        AwaitingApproval: The run waits for a person.
        TradingAgentsError: As the run raises.
    """
    last = control.earlier_runs[-1] if control.earlier_runs else None
    card = None if last is None else _card(control, last)
    if card is not None and card.get("status") in FINISHED:
        return kind.read(card)
    options = executor.RunOptions(subscribers=(control.subscriber,))
    manifest = None if last is None else _manifest(control, last)
    if manifest is not None:
        services = await control.services(settings=manifest.resumed_settings(control.settings, new_limits(control)))
        answer = _verdict(control) if card is not None and card.get("status") == WAITING else None
        handle = executor.resume(kind, manifest, services, options, answer=answer)
    else:
        handle = executor.start(kind, request, await control.services(settings=settings), options)
        control.run_started(handle.run_id, instead_of=last)  # before the run's first step, which makes its folder
    try:
        await handle.result()
    except TradingAgentsError:
        if not (control.settings.home_dir / "runs" / handle.run_id).is_dir():
            control.run_refused(handle.run_id)
        raise
    found = _card(control, handle.run_id)
    if found is None:
        raise NoSuchRun(f"Run {handle.run_id} has left no card; start the task anew.")
    return kind.read(found)


def add_reports(control: TaskControl, run_id: str, title: str) -> None:
    """Register the reports of a finished run as artifacts of the task."""
    folder = control.settings.home_dir / "runs" / run_id / "reports"
    for name, (what, kind) in REPORTS.items():
        if (folder / name).is_file():
            control.add_artifact(folder / name, kind=kind, title=f"{what}: {title}", run_id=run_id)


def _card(control: TaskControl, run_id: str) -> dict[str, Any] | None:
    return read_object(control.settings.home_dir / "runs" / run_id / CARD, way_out="delete the run, and start anew")


def _manifest(control: TaskControl, run_id: str) -> RunManifest | None:
    """Return a run's manifest; None where its process died before it wrote one, so that nothing was done."""
    try:
        return read_manifest(control.settings.home_dir, run_id)
    except NoSuchRun:
        return None


def _verdict(control: TaskControl) -> dict[str, Any] | None:
    if "verdict" not in control.answer:
        return None
    plan = {"plan": control.answer["plan"]} if "plan" in control.answer else {}
    return {"verdict": control.answer["verdict"], "note": control.answer.get("note", ""), **plan}
