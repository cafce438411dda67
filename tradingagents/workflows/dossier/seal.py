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

from tradingagents.errors import ConfigurationError, ReplyNotKept, TradingAgentsError, UsageError
from tradingagents.redaction import Redactor, secrets_in_environment
from tradingagents.runtime.manifest import RunManifest, manifest_from, read_manifest
from tradingagents.runtime.services import Services, open_services
from tradingagents.runtime.workflow import FINISHED
from tradingagents.settings import Settings, secrets_of
from tradingagents.store.run_index import IndexedRun
from tradingagents.workflows.dossier.archive import pack
from tradingagents.workflows.dossier.contents import (
    Dossier,
    bundle_of,
    cleaner,
    from_entries,
    to_entries,
    without_places,
)
from tradingagents.workflows.dossier.data_cells import DataCells, RecordingCache, RecordingVendors
from tradingagents.workflows.dossier.model_replies import (
    RecordedOutcomes,
    RecordingReplies,
    ReplyRecord,
    recorded_memories,
)
from tradingagents.workflows.dossier.rerun import report_of_card, run_again, settings_of
from tradingagents.workflows.dossier.verify import recompute


class NotSealable(ConfigurationError):
    """A run cannot be recomputed from what the home folder still holds; the message says what differs."""


async def seal_run(run: IndexedRun, here: Settings, environ: Mapping[str, str]) -> bytes:
    """Return the dossier of a finished run as the bytes of its file; the same run gives the same bytes.

    Args:
        run: The run.
        here: The settings of this process; its home folder holds the run.
        environ: The variables of this process: their secrets are removed, and vendors that must be asked use them.

    Raises:
        UsageError: The run has not ended with a result.
        NotSealable: It cannot be recomputed: replies or answers are gone, or vendors answer otherwise today.
    """
    card = run.card()
    if card is None or str(card.get("status")) not in FINISHED:
        raise UsageError(
            f"{run.run_id} has no result to seal; `tradingagents runs resume {run.run_id}` finishes a stopped run."
        )
    manifest = read_manifest(here.home_dir, run.run_id)
    redactor = Redactor(environ, {*secrets_in_environment(environ), *secrets_of(here)})
    cells, record = DataCells(manifest.cutoff), ReplyRecord(cleaner(redactor))
    await _record(manifest, here, environ, cells, record)
    sealed = record.clean(without_places({**card, "run_id": run.run_id}))
    placeless = record.clean(without_places(manifest.to_record()))
    dossier = Dossier(
        manifest=manifest_from(placeless, run.run_id),
        card=sealed,
        report=report_of_card(sealed),
        cells=cells,
        replies=record,
        evidence=bundle_of(sealed),
    )
    entries = to_entries(dossier)
    problems = await recompute(from_entries(entries))
    if problems:
        told = "; ".join(map(str, problems[:3]))
        raise NotSealable(f"{run.run_id} cannot be sealed, because it cannot be recomputed: {told}. {_WAY_OUT}")
    return pack(entries, _about(sealed))


_WAY_OUT = "Run it again and seal it soon after; runs that read the home's filings or own frameworks cannot be sealed."


def _about(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the manifest of a dossier says of its run."""
    return {name: card.get(name) for name in ("run_id", "kind", "cutoff", "versions")}


async def _record(
    manifest: RunManifest, here: Settings, environ: Mapping[str, str], cells: DataCells, record: ReplyRecord
) -> None:
    """Run a run again from what the home folder holds, and record what it is given."""
    with tempfile.TemporaryDirectory(prefix="tradingagents-") as folder:
        # The vendors have the home's folders, rates and cached answers; the run itself writes into an empty one.
        own = settings_of(manifest, here.home_dir, {"data_dir": manifest.settings.get("data_dir")})
        services = open_services(own, environ, vendors=RecordingVendors(own, cells, environ=environ))
        empty = settings_of(manifest, Path(folder), {"data_dir": manifest.settings.get("data_dir")})
        recording: Services = replace(
            services,
            settings=empty,
            cache=RecordingCache(cells, services.cache),
            replies=RecordingReplies(record, services.replies),
            memories=recorded_memories(record, services.memories),
            outcomes=RecordedOutcomes(record, services.outcomes, Path(folder) / "memory.sqlite"),
        )
        try:
            await run_again(manifest, recording)
        except ReplyNotKept as error:
            raise NotSealable(
                f"{manifest.run_id} cannot be sealed: {error} Replies are stored unless keep_replies is off."
            ) from error
        except TradingAgentsError as error:
            raise NotSealable(f"{manifest.run_id} cannot be sealed, it ends otherwise now: {error}") from error
        finally:
            services.close()
