"""Seals a finished run: runs it again with all sources recorded, and packs what it rests on into one file.

The run is repeated from the replies and the vendors' answers that the home folder still holds; vendors are asked only
for what it does not hold, models never. What was packed is then recomputed in an empty folder, so that a dossier that
this machine could not verify is never written.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tradingagents.capabilities.tools import told_call
from tradingagents.errors import ConfigurationError, ReplyNotKept, TradingAgentsError, UsageError
from tradingagents.features.dossier.archive import is_plain_name, pack
from tradingagents.features.dossier.contents import (
    HOME,
    Dossier,
    bundle_of,
    from_entries,
    to_entries,
    without_places,
)
from tradingagents.features.dossier.data_cells import DataCells, RecordingCache, RecordingVendors
from tradingagents.features.dossier.documents import DocumentCells, RecordingDocuments
from tradingagents.features.dossier.model_replies import (
    RecordedOutcomes,
    RecordingReplies,
    ReplyRecord,
    WithoutSecrets,
    recorded_memories,
)
from tradingagents.features.dossier.rerun import give_documents, report_of_card, run_again, settings_of, write_files
from tradingagents.features.dossier.verify import recompute
from tradingagents.files.redaction import Redactor, secrets_in_environment
from tradingagents.retrieval.address import store_exists
from tradingagents.retrieval.questions.holdings import without_holdings
from tradingagents.retrieval.store import store_of
from tradingagents.runtime.kind import FINISHED
from tradingagents.runtime.manifest import RunManifest, manifest_from, read_manifest
from tradingagents.runtime.registry import kind_of
from tradingagents.runtime.runs.run_folder import logged_events
from tradingagents.runtime.runs.run_index import IndexedRun
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings, secrets_of


class NotSealable(ConfigurationError):
    """A run cannot be recomputed from what the home folder still holds; the message says what differs."""


async def seal_run(run: IndexedRun, here: Settings, environ: Mapping[str, str], *, with_book: bool = False) -> bytes:
    """Return the dossier of a finished run as the bytes of its file; the same run gives the same bytes.

    Args:
        run: The run.
        here: The settings of this process; its home folder holds the run.
        environ: The variables of this process: their secrets are removed, and vendors that must be asked use them.
        with_book: Whether what the run's reader holds may stand in the dossier.

    Raises:
        UsageError: The run has not ended with a result, or it was given a book that may not be shown.
        NotSealable: It cannot be recomputed: replies or answers are gone, or vendors answer otherwise today.
    """
    card = run.card()
    if card is None or str(card.get("status")) not in FINISHED:
        raise UsageError(
            f"{run.run_id} has no result to seal; `tradingagents runs resume {run.run_id}` finishes a stopped run."
        )
    manifest = read_manifest(here.home_dir, run.run_id)
    if not with_book and _shows_holdings(manifest, run):
        raise UsageError(
            f"{run.run_id} was given a book or holdings, and its dossier shows what you hold; if it may: "
            f"`tradingagents runs seal {run.run_id} --with-book`."
        )
    redactor = Redactor(environ, {*secrets_in_environment(environ), *secrets_of(here)})
    clean = WithoutSecrets(redactor)
    cells, record, documents = DataCells(manifest.cutoff), ReplyRecord(clean), DocumentCells(clean)
    home = kind_of(manifest.kind).home_files(manifest, here.home_dir)
    for name in home:
        if not is_plain_name(f"{HOME}{name}"):
            raise NotSealable(f"{name[:80]} in the home folder: rename it with ASCII letters, digits, `._-`.")
    await _record(manifest, here, environ, cells, record, documents, home)
    sealed = record.clean(without_places({**card, "run_id": run.run_id}))
    placeless = record.clean(without_places(manifest.to_record()))
    dossier = Dossier(
        manifest=manifest_from(placeless, run.run_id),
        card=sealed,
        report=report_of_card(sealed),
        cells=cells,
        replies=record,
        evidence=bundle_of(sealed),
        documents=documents,
        home=home,
    )
    entries = to_entries(dossier)
    problems = await recompute(from_entries(entries))
    if problems:
        reasons = "; ".join(map(str, problems[:3]))
        raise NotSealable(f"{run.run_id} cannot be sealed, because it cannot be recomputed: {reasons}. {_WAY_OUT}")
    return pack(entries, _about(sealed))


def _shows_holdings(manifest: RunManifest, run: IndexedRun) -> bool:
    """Return whether a run was given a book, was told of holdings in words, or asked a tool about them."""
    words = [said for said in manifest.request.values() if isinstance(said, str)]
    return (
        "book" in manifest.request
        or any(without_holdings(said) != said for said in words)
        or any(told_call(str(event.data.get("tool")), event.data)[1] for event in logged_events(run.path))
    )


_WAY_OUT = "Run it again and seal it soon after; runs that read the home's filings or own frameworks cannot be sealed."


def _about(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the manifest of a dossier says of its run."""
    return {name: card.get(name) for name in ("run_id", "kind", "cutoff", "versions")}


async def _record(
    manifest: RunManifest,
    here: Settings,
    environ: Mapping[str, str],
    cells: DataCells,
    record: ReplyRecord,
    documents: DocumentCells,
    home: Mapping[str, bytes],
) -> None:
    """Run a run again from what the home folder holds, and record what it is given."""
    with tempfile.TemporaryDirectory(prefix="tradingagents-") as folder:
        # The vendors, memories and documents are those of the home; the run itself writes into an empty one.
        places = {"data_dir": manifest.settings.get("data_dir"), "database_url": here.database_url}
        own = settings_of(manifest, here.home_dir, places)
        services = open_services(own, environ, vendors=RecordingVendors(own, cells, environ=environ))
        recording: Services = replace(
            services,
            settings=settings_of(manifest, Path(folder), {"data_dir": places["data_dir"]}),
            cache=RecordingCache(cells, services.cache),
            replies=RecordingReplies(record, services.replies),
            memories=recorded_memories(record, services.memories),
            outcomes=RecordedOutcomes(record, services.outcomes, Path(folder) / "memory.sqlite"),
        )
        write_files(home, Path(folder))
        try:
            if store_exists(own, None):
                give_documents(recording, RecordingDocuments(documents, store_of(own)))
            await run_again(manifest, recording)
        except ReplyNotKept as error:
            raise NotSealable(
                f"{manifest.run_id} cannot be sealed: {error} Replies are stored unless keep_replies is off."
            ) from error
        except TradingAgentsError as error:
            raise NotSealable(f"{manifest.run_id} cannot be sealed, it ends otherwise now: {error}") from error
        finally:
            services.close()
