"""Two deep reports of one company side by side: what changed and why."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.support.research import research_services
from tests.support.thesis import reported
from tradingagents.errors import UsageError
from tradingagents.features.deep_report.changes import changes_file, compare_reports
from tradingagents.features.deep_report.report.changes import report_changes
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
from tradingagents.service.workspace.workspace import Workspace
from tradingagents.settings import load_settings

EARLY, LATE = date(2024, 10, 15), date(2025, 2, 14)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, DeepReportRecord, DeepReportRecord]:
    """Two reports on one company in one home, made once."""

    async def both(home: Path) -> tuple[DeepReportRecord, DeepReportRecord]:
        services = research_services(home)
        try:
            return (await reported(services, day=EARLY)).record, (await reported(services, day=LATE)).record
        finally:
            services.close()

    home = tmp_path_factory.mktemp("changes")
    return home, *asyncio.run(both(home))


def test_the_parts_of_the_change_add_up(pair: tuple[Path, DeepReportRecord, DeepReportRecord]) -> None:
    _, early, late = pair
    found = report_changes(late, early)  # the order of the arguments does not matter
    assert (found.before.as_of, found.after.as_of) == (EARLY.isoformat(), LATE.isoformat())
    value, first, second = found.value, early.valuation, late.valuation
    assert value is not None
    assert first is not None
    assert second is not None
    assert value.total == pytest.approx(second.expected_value - first.expected_value, abs=1e-9)
    assert sum(part.change for part in found.data) == pytest.approx(value.data, abs=0.03)
    assert found.why[0] == f"The rating goes from {early.rating} to {late.rating}."
    assert "The data move it most by cost of capital" in " ".join(found.why)
    assert {part.name for part in found.inputs} >= {"revenue_t0", "cash"}


def test_evidence_is_matched_by_what_it_is_about(pair: tuple[Path, DeepReportRecord, DeepReportRecord]) -> None:
    _, early, late = pair
    found = report_changes(early, late)
    changed = {item.claim: item.before for item in found.evidence if item.change == "changed"}
    assert changed["Operating margin is 52.18%."] == "Operating margin is 51.44%."
    fewer = late.model_copy(update={"evidence": late.evidence[1:]})
    gone = [item.claim for item in report_changes(early, fewer).evidence if item.change == "gone"]
    assert len(gone) == 1
    assert [event.text for event in found.events] == ["Results Q3: EPS 0.64 USD, estimate 0.61", "10-Q filed"]
    assert all(EARLY.isoformat() < event.day <= LATE.isoformat() for event in found.events)


def test_evidence_of_a_hypothesis_with_another_name_is_recognised(
    pair: tuple[Path, DeepReportRecord, DeepReportRecord],
) -> None:
    _, early, late = pair
    title = late.hypotheses[0].id
    items = [{**item, "hypothesis": "H-renamed"} if item["hypothesis"] == title else item for item in late.evidence]
    assert any(item["hypothesis"] == "H-renamed" for item in items)
    renamed = late.model_copy(update={"evidence": items})
    changes = [sorted(item.change for item in report_changes(early, other).evidence) for other in (late, renamed)]
    assert changes[0] == changes[1]


def test_reports_that_cannot_be_compared_are_refused(pair: tuple[Path, DeepReportRecord, DeepReportRecord]) -> None:
    home, early, late = pair
    with pytest.raises(UsageError, match="named twice"):
        compare_reports(home, early.run_id, early.run_id)
    with pytest.raises(UsageError, match="on OTHR and on VELQ"):
        report_changes(early.model_copy(update={"ticker": "OTHR"}), late)
    unvalued = late.model_copy(update={"valuation": None, "rating": ""})
    found = report_changes(early, unvalued)
    assert (found.value, found.data) == (None, [])
    assert "One of the reports has no valuation, so the change of value is not explained." in found.why


def test_it_is_written_by_the_command_line_the_workspace_and_as_files(
    pair: tuple[Path, DeepReportRecord, DeepReportRecord], command: Command, tmp_path: Path
) -> None:
    home, early, late = pair
    ids = (early.run_id, late.run_id)

    async def of_workspace() -> tuple[bytes, bytes]:
        settings = load_settings({"data_vendor": "simulated", "llm_provider": "offline", "home": home}, environ={})
        async with Workspace(settings, {}) as workspace:
            return await workspace.report_changes(*ids), await workspace.report_changes(*ids, "html")

    told = json.loads(command("runs", "compare", *ids, "--json", "--home", str(home)).out)
    assert told == report_changes(early, late).as_json()
    as_json, page = asyncio.run(of_workspace())
    assert json.loads(as_json) == told
    assert b"The rating goes from" in page
    shown = command("runs", "compare", *ids, "--home", str(home))
    assert (shown.code, "Evidence changed: [E1]" in shown.out) == (0, True)
    target = tmp_path / "changes.md"
    assert command("runs", "compare", *ids, "--out", str(target), "--home", str(home)).code == 0
    assert target.read_bytes() == changes_file(report_changes(early, late), "md")
    refused = command("runs", "compare", *ids, "--out", str(tmp_path / "changes.doc"), "--home", str(home))
    assert (refused.code, "not as 'doc'" in refused.err) == (2, True)
