"""Runs a sealed run again in an empty home folder, from its data cells and replies or with other models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.features.dossier.archive import BadDossier
from tradingagents.features.dossier.contents import Dossier
from tradingagents.features.dossier.data_cells import ReplayedVendors
from tradingagents.features.dossier.documents import ReplayedDocuments
from tradingagents.features.dossier.model_replies import RecordedOutcomes, ReplayedReplies, recorded_memories
from tradingagents.files.atomic import read_object
from tradingagents.llm_clients.meter import usage_warnings
from tradingagents.retrieval.address import held_store_key
from tradingagents.retrieval.store import DocumentStore
from tradingagents.retrieval.store.opening import HeldStore
from tradingagents.runtime.executor import RunOptions, repeat
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.records.export import export_record
from tradingagents.runtime.registry import kind_of, record_of
from tradingagents.runtime.runs.run_folder import CARD, is_component
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings

OF_THE_START = ("usage", "timing", "paths", "settings", "versions")
"""Parts of a card that say when, where and at what cost a run ran; another start has its own."""
OF_THE_MOMENT = frozenset(
    {"fetched_at", "asked_at", "seconds", "duration_s", "elapsed_s", "added_calls", "added_cost_usd"}
)
"""Names of times, and of what calls cost, anywhere in a card."""


def settings_of(manifest: RunManifest, home: Path, changes: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings of a sealed run for a start that leaves nothing outside a folder."""
    here: dict[str, Any] = {
        "home": str(home),
        **dict.fromkeys(("results_dir", "log_file", "database_url", "personas_dir", "budget_usd", "max_llm_calls")),
        **dict.fromkeys(("keep_replies", "auto_settle", "approve", "checkpoint_enabled"), False),
        "replay": "only",
        "mcp_servers": {},
    }
    return Settings.model_validate({**manifest.settings, **here, **(changes or {})})


def dossier_services(
    dossier: Dossier,
    home: Path,
    environ: Mapping[str, str],
    changes: Mapping[str, Any] | None = None,
) -> Services:
    """Open services that answer from a dossier.

    Args:
        dossier: The data cells, replies and memories.
        home: An empty folder.
        environ: Where keys are read from; empty for a start that calls no model.
        changes: Settings to change, such as the models.

    Raises:
        ConfigurationError: The settings need what is not installed.
        BadDossier: The settings are none of this version.
    """
    try:
        settings = settings_of(dossier.manifest, home, changes)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadDossier(
            f"This version of the library cannot read the dossier's setting {'.'.join(map(str, first['loc']))} "
            f"({first['msg']}); the run was sealed with version {str(dossier.manifest.asked['version'])[:20]}."
        ) from error
    services = open_services(settings, environ, vendors=ReplayedVendors(settings, dossier.cells))
    record = dossier.replies
    write_files(dossier.home, home)
    if not dossier.documents.empty:
        give_documents(services, ReplayedDocuments(dossier.documents, home / "documents"))
    return replace(
        services,
        replies=ReplayedReplies(record),
        memories=recorded_memories(record, services.memories),
        outcomes=RecordedOutcomes(record, services.outcomes, home / "memory.sqlite"),
    )


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files into a folder, given by their path in it."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def give_documents(services: Services, store: DocumentStore) -> None:
    """Let runs read a store in place of that in their home folder."""
    services.memo.hold(held_store_key(services.settings), HeldStore(services.settings, store))


async def run_again(manifest: RunManifest, services: Services) -> dict[str, Any]:
    """Run a manifest again and return the new card.

    Raises:
        TradingAgentsError: What ended the run.
    """
    try:
        handle = repeat(kind_of(manifest.kind), manifest, services, RunOptions(persist="card", observed=False))
        await handle.result()
    finally:
        await services.models.aclose()
        services.close()
    path = services.settings.home_dir / "runs" / manifest.run_id / CARD
    return dict(read_object(path, way_out="run it again") or {})


def as_of_first_start(again: Mapping[str, Any], first: Mapping[str, Any], labels: Iterable[str]) -> dict[str, Any]:
    """Return the card of a second start with the times, places and costs of the first: the rest must be equal.

    Warnings of unknown prices belong to the costs; they come last.

    Args:
        again: The card of the second start.
        first: The card of the first.
        labels: `provider/model` of every model of the run.
    """
    aligned = _aligned(again, first)
    of_costs = {warning for label in labels for warning in usage_warnings(label)}
    more = [
        warning
        for warning in first.get("warnings", [])
        if warning in of_costs and warning not in aligned.get("warnings", [])
    ]
    started = {name: first[name] for name in OF_THE_START if name in first}
    return {**aligned, **started, "warnings": [*aligned.get("warnings", []), *more]}


@contextmanager
def refusing_forged() -> Iterator[None]:
    """Refuse a dossier whose entries have the right hashes, but other forms or types than ours.

    Raises:
        BadDossier: It is one.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise BadDossier(
            f"The dossier's run cannot be carried out ({type(error).__name__}): its entries do not fit together. Get "
            "the dossier again, or verify it with the version that it was sealed with."
        ) from error


def with_first_ids(again: dict[str, Any], first: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the card of a second start with the ids of the runs that the first one began."""
    declared = kind_of(kind)
    ids = list(zip(*(declared.runs_begun(declared.read(card)) for card in (again, first)), strict=False))
    if not ids:
        return again
    text = json.dumps(again)
    for new, old in ids:
        text = text.replace(new, old) if new and is_component(old) else text
    return dict(json.loads(text))


def report_of_card(card: Mapping[str, Any]) -> bytes:
    """Return the report of a card in Markdown, as UTF-8. Raises UsageError for a kind without a report."""
    return export_record(record_of(card), "md")


def _aligned(again: Any, first: Any) -> Any:
    if isinstance(again, Mapping) and isinstance(first, Mapping):
        names = first if first.keys() == again.keys() else again  # the order in which parallel tools answered
        return {
            name: first[name] if name in OF_THE_MOMENT and name in first else _aligned(again[name], first.get(name))
            for name in names
        }
    if isinstance(again, list) and isinstance(first, list) and len(again) == len(first):
        return [_aligned(item, other) for item, other in zip(again, first, strict=True)]
    return again
