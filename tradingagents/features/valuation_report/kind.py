"""`valuation_pack`: what a company is worth, its screens, and the growth its price implies, as page and workbook."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import ConfigurationError, DataError, UsageError
from tradingagents.files.atomic import as_json, replace_whole, writing
from tradingagents.files.private_files import make_folder
from tradingagents.memory.cohort import market_note_of
from tradingagents.runtime.request import Request
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.runtime.task_kind import TaskControl, TaskKind, TaskOutcome
from tradingagents.schemas.valuation_models import ModelName
from tradingagents.schemas.workspace import TaskPolicy
from tradingagents.settings import Settings

if TYPE_CHECKING:
    from tradingagents.valuation.company.results import CompanyValuation

FOLDER = "valuations"
"""Folder under `home` of the pages and workbooks."""
PARTS = ("reverse_valuation", "fundamental_screen")
"""Capabilities that are answered besides the valuation; one without data is left out, with the reason."""


class ValuationPackRequest(Request):
    """A company, a day, and assumptions that replace data."""

    ticker: str = Field(min_length=1, max_length=40, description="Company, such as AAPL")
    day: date | None = Field(None, description="Day of the valuation; unset: today, or the last recorded day")
    model: ModelName = Field("auto", description="Model of the valuation")
    assumptions: tuple[str, ...] = Field(
        (), max_length=20, description="Assumptions that replace data, such as wacc=0.09"
    )


class ValuationPackKind(TaskKind[ValuationPackRequest]):
    """Computed without a model; answers and files are the ones of `tradingagents value`."""

    name = "valuation_pack"
    known_as = "Value a company"
    summary = "Value a company: bridge to the share, implied growth, screens, peers; as a page and a workbook."
    request = ValuationPackRequest
    policy = TaskPolicy(costs_money=False, writes=True)

    def title(self, request: ValuationPackRequest) -> str:
        """Return company and day."""
        return f"Valuation of {normalise(request.ticker)} {request.day or 'latest session'}"

    def check(self, request: ValuationPackRequest, settings: Settings) -> None:  # noqa: ARG002 - as other kinds
        """Check symbol and assumptions. Raises UsageError."""
        from tradingagents.valuation import read_override

        normalise(request.ticker)
        for assumption in request.assumptions:
            read_override(assumption)

    async def run(self, request: ValuationPackRequest, control: TaskControl) -> TaskOutcome:
        """Ask the capabilities, and write the files. Nothing is resumed: it is computed anew in seconds."""
        return await asyncio.to_thread(_valued, request, control)


def _valued(request: ValuationPackRequest, control: TaskControl) -> TaskOutcome:
    control.progress(done=0, total=len(PARTS) + 2)
    said = "; ".join(request.assumptions)
    asked = {"ticker": request.ticker, "model": request.model, "assumptions": said}
    company: CompanyValuation = control.ask("valuation", asked, as_of=request.day)  # type: ignore[assignment]
    texts, results = [company.to_markdown()], {"valuation": company.model_dump(mode="json")}
    _note_part(control, "valuation", company.title, 1)
    notes: list[str] = []
    for number, name in enumerate(PARTS, 2):
        arguments = asked if name == "reverse_valuation" else {"ticker": request.ticker}
        try:
            part = control.ask(name, arguments, as_of=company.as_of)
        except DataError as error:
            notes.append(f"{name.replace('_', ' ')}: {error}")
            _note_part(control, name, notes[-1], number)
            continue
        texts.append(part.to_markdown())
        results[name] = part.model_dump(mode="json")
        _note_part(control, name, part.title, number)
    files = _files(company, request, control, texts, results, notes)
    _note_part(control, "files", ", ".join(files), len(PARTS) + 2)
    return TaskOutcome(
        {
            "ticker": company.symbol,
            "as_of": company.as_of.isoformat(),
            "model": company.model,
            "currency": company.currency,
            "price": company.price,
            "value_per_share": company.value_per_share,
            "upside": company.upside,
            "implied": {"name": company.implied_name, "value": company.implied},
            "notes": [*company.notes, *notes],
        }
    )


def _files(
    company: CompanyValuation,
    request: ValuationPackRequest,
    control: TaskControl,
    texts: list[str],
    results: dict[str, Any],
    notes: list[str],
) -> list[str]:
    """Write page, text, data and workbook, register them, and return their names."""
    from tradingagents.features.valuation_report.valuation_files import (
        ShownValuation,
        assert_workbook,
        valuation_context,
        valuation_page,
        valuation_workbook_file,
    )
    from tradingagents.valuation import ValuationInputs

    def ask(name: str, arguments: dict[str, Any]) -> Any:
        return control.ask(name, arguments, as_of=company.as_of)

    inputs = company.kernel_inputs if isinstance(company.kernel_inputs, ValuationInputs) else None
    shown = ShownValuation(
        company=company,
        inputs=inputs,
        context=valuation_context(company, ask, request.assumptions),
        market_note=market_note_of(control.settings),
    )
    title = f"Valuation of {company.symbol} {company.as_of}"
    files = _TaskFiles(control, f"{subject_of(company.symbol or request.ticker)}_{company.as_of}")
    files.add("html", valuation_page(shown), "report", f"{title}: page")
    files.add("md", ("\n\n".join(texts) + "\n").encode(), "report", f"{title}: report")
    files.add("json", as_json(results).encode(), "data", f"{title}: data")
    try:
        assert_workbook(company, "the page shows it")
        content = valuation_workbook_file(shown)
    except (UsageError, ConfigurationError) as error:  # its model has none, or the extra is not installed
        notes.append(f"No workbook: {error}")
    else:
        files.add("xlsx", content, "workbook", f"{title}: workbook")
    return files.names


class _TaskFiles:
    """Files of one task, in a folder of its own."""

    def __init__(self, control: TaskControl, stem: str) -> None:
        self._control, self._stem = control, stem
        self._home = control.settings.home_dir
        self._folder = self._home / FOLDER / control.info.task_id
        self.names: list[str] = []

    def add(self, ending: str, content: bytes, kind: Literal["report", "workbook", "data"], title: str) -> None:
        """Write a file, and register it."""
        path = self._folder / f"{self._stem}.{ending}"
        with writing(self._home):
            make_folder(self._folder)
            replace_whole(path, content)
        self.names.append(path.name)
        self._control.add_artifact(path, kind=kind, title=title)


def _note_part(control: TaskControl, step: str, message: str, done: int) -> None:
    control.progress(step=step, message=message, done=done)
    control.emit("progress", message, step=step)


VALUATION_PACK = ValuationPackKind()
