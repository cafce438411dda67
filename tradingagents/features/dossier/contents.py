"""What a dossier holds: the run, its data cells, prompts, replies and evidence, as objects and as entries of a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tradingagents.errors import ConfigurationError, UsageError
from tradingagents.features.dossier.archive import BadDossier
from tradingagents.features.dossier.data_cells import DataCells
from tradingagents.features.dossier.documents import FILINGS, DocumentCells
from tradingagents.features.dossier.model_replies import ReplyRecord, WithoutSecrets
from tradingagents.files.json_text import parse_json
from tradingagents.files.redaction import Redactor
from tradingagents.provenance.evidence_bundle import freeze
from tradingagents.runtime.manifest import RunManifest, manifest_from
from tradingagents.runtime.runs.run_folder import checked_component
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.valuation.canonical import canonical_json, plain

CARD, REQUEST, REPORT = "run/card.json", "run/manifest.json", "run/report.md"
VENDORS, MEMORY = "data/vendors.json", "memory.json"
HOME = "home/"
HOME_FOLDERS = ("frameworks/", "research_sessions/", "runs/")
"""Folders of the home folder of which a dossier may hold files."""
_PLACES = ("home", "results_dir", "log_file", "data_dir", "personas_dir", "database_url")
"""Settings that name places on the machine of the run."""


@dataclass(frozen=True, slots=True)
class Dossier:
    """A sealed run."""

    manifest: RunManifest
    card: Mapping[str, Any]
    """The run's card without paths of its machine."""
    report: bytes
    """The report in Markdown, UTF-8."""
    cells: DataCells
    replies: ReplyRecord
    evidence: Mapping[str, bytes]
    """Frozen bundles by SHA-256; most runs have none."""
    documents: DocumentCells
    """What was read of the store of filings and calls."""
    home: Mapping[str, bytes]
    """Files of the home folder that the run read, by their path in it; most runs read none."""


def without_places(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card or a manifest without paths of the machine that it was made on."""
    settings = {name: None if name in _PLACES else value for name, value in card["settings"].items()}
    asked = card.get("asked")
    more = {"asked": {**asked, "settings": without_places(asked)["settings"]}} if asked else {}
    return {**card, "settings": settings, **more, **({"paths": {}} if "paths" in card else {})}


def bundle_of(card: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the frozen evidence of a card by its SHA-256; empty for a run without evidence.

    Raises:
        ConfigurationError: The card's evidence is not what was frozen.
    """
    if not card.get("bundle"):
        return {}
    items = [
        EvidenceItem.model_validate({k: v for k, v in item.items() if k in EvidenceItem.model_fields})
        for item in card["evidence"]
    ]
    bundle = freeze(card["ticker"], datetime.fromisoformat(card["cutoff"]), items)
    if bundle.sha256 != card["bundle"]:
        raise ConfigurationError(
            f"The evidence of {card['run_id']} is not the bundle {card['bundle'][:12]} that it was written from; "
            "it was changed, or held a secret. Run the report again."
        )
    return {bundle.sha256: bundle.content}


def to_entries(dossier: Dossier) -> dict[str, bytes]:
    """Return a dossier as entries of its file, without secrets."""
    clean, cells, record = dossier.replies.clean, dossier.cells, dossier.replies

    def as_bytes(value: Any) -> bytes:
        return canonical_json(clean(value)).encode()

    packed = dossier.documents.to_entries()
    return {
        # In its own order, in which reports list agents and figures:
        CARD: json.dumps(plain(clean(dossier.card)), separators=(",", ":"), ensure_ascii=False).encode(),
        REQUEST: as_bytes(dossier.manifest.to_record()),
        REPORT: dossier.report,
        VENDORS: as_bytes({"vendors": cells.vendors, "facts": sorted(map(list, cells.facts.items()))}),
        **{f"data/{cell['vendor']}/{cell['method']}/{key}.json": as_bytes(cell) for key, cell in cells.answers.items()},
        **{f"prompts/{key}.json": as_bytes(prompt) for key, prompt in record.prompts.items()},
        **{f"replies/{key}.json": as_bytes(reply) for key, reply in record.replies.items()},
        **{f"evidence/{sha256}.json": content for sha256, content in dossier.evidence.items()},
        **{name: canonical_json(value).encode() for name, value in packed.items()},
        **{f"{HOME}{name}": clean.bytes(content) for name, content in dossier.home.items()},
        **({MEMORY: as_bytes(record.memories)} if record.memories else {}),
    }


def from_entries(entries: Mapping[str, bytes]) -> Dossier:
    """Return the dossier of a file.

    Raises:
        BadDossier: An entry is missing or has another form; the message names it.
    """
    name = ""
    try:
        name = REQUEST
        found = parse_json(entries[REQUEST])
        manifest = manifest_from(found, checked_component(str(found["run_id"])))
        name = CARD
        card = parse_json(entries[CARD])
        cells, record = DataCells(manifest.cutoff), ReplyRecord(WithoutSecrets(Redactor(environ={})))
        name = VENDORS
        sealed = parse_json(entries[VENDORS])
        cells.vendors, cells.facts = sealed["vendors"], dict(sealed["facts"])
        name = MEMORY
        record.memories = parse_json(entries.get(MEMORY, b"{}"))
        documents = DocumentCells(record.clean)
        for name, content in entries.items():
            folder, _, rest = name.partition("/")
            key = rest.rpartition("/")[2].removesuffix(".json")
            if folder == "data" and name != VENDORS:
                cells.answers[key] = parse_json(content)
            elif folder in ("prompts", "replies"):
                getattr(record, folder)[key] = parse_json(content)
            elif name.startswith(FILINGS):
                documents.add_entry(name, parse_json(content))
        name = REPORT
        evidence = {
            path.removeprefix("evidence/").removesuffix(".json"): content
            for path, content in entries.items()
            if path.startswith("evidence/")
        }
        home = {path.removeprefix(HOME): content for path, content in entries.items() if path.startswith(HOME)}
        name = next((f"{HOME}{path}" for path in home if not path.startswith(HOME_FOLDERS)), REPORT)
        if name != REPORT:
            raise ValueError
        return Dossier(manifest, card, entries[REPORT], cells, record, evidence, documents, home)
    except (KeyError, TypeError, ValueError, AttributeError, UsageError) as error:
        raise BadDossier(f"The entry {name} is none of a dossier ({type(error).__name__}).") from error
