"""Verifies a dossier: every byte of the file, and the run, which is recomputed from its data cells and replies."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradingagents.errors import ReplyNotKept, TradingAgentsError
from tradingagents.features.dossier.archive import BadDossier, DossierProblem, unpack
from tradingagents.features.dossier.contents import CARD, REPORT, Dossier, bundle_of, from_entries
from tradingagents.features.dossier.model_replies import key_of
from tradingagents.features.dossier.rerun import (
    as_of_first_start,
    dossier_services,
    refusing_forged,
    report_of_card,
    run_again,
    with_first_ids,
)
from tradingagents.runtime.fingerprint import asked_of
from tradingagents.runtime.registry import kind_of
from tradingagents.runtime.services import Services
from tradingagents.valuation.canonical import canonical_json

MOST_DIFFERENCES = 12
"""Differences that are listed one by one."""
LONGEST = 80


@dataclass(frozen=True, slots=True)
class DossierVerification:
    """What was verified of a dossier, and what does not hold."""

    run_id: str
    """Empty where the file cannot be read so far."""
    root: str
    """SHA-256 of the manifest, and so of everything."""
    entries: int
    recomputed: bool
    """Whether the run was run again; only an unchanged file is."""
    problems: tuple[DossierProblem, ...]

    @property
    def sound(self) -> bool:
        """Whether no byte was changed and the run gives the same card and report."""
        return self.recomputed and not self.problems

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        problems = [{"where": problem.where, "reason": problem.reason} for problem in self.problems]
        about = {"run_id": self.run_id, "root": self.root, "entries": self.entries, "recomputed": self.recomputed}
        return {**about, "sound": self.sound, "problems": problems}


async def verify_dossier(path: Path, *, root: str | None = None) -> DossierVerification:
    """Verify a dossier without a network, a key or a home folder.

    Args:
        path: The file.
        root: The root hash that it is expected to have; None for any.

    Raises:
        NotFound: There is no such file.
        BadDossier: It is no dossier, or none that is safe to read.
    """
    found = unpack(path)
    problems = [*found.problems, *_root_problems(found.root, root)]
    run_id = str(found.manifest.get("run_id", ""))
    if problems:
        return DossierVerification(run_id, found.root, len(found.entries), False, tuple(problems))
    dossier = from_entries(found.entries)
    problems += _prompt_problems(dossier)
    problems += await recompute(dossier)
    return DossierVerification(run_id, found.root, len(found.entries), True, tuple(problems))


def read_dossier(path: Path, *, root: str | None = None) -> Dossier:
    """Return a dossier of which no byte was changed.

    Args:
        path: The file.
        root: The root hash that it must have; None for any.

    Raises:
        NotFound: There is no such file.
        BadDossier: It is no dossier, or was changed.
    """
    found = unpack(path)
    for problem in (*found.problems, *_root_problems(found.root, root)):
        raise BadDossier(f"{path} was changed: {problem}. Get the dossier again.")
    return from_entries(found.entries)


def _root_problems(root: str, expected: str | None) -> list[DossierProblem]:
    if expected is None or root == expected.strip().lower():
        return []
    return [DossierProblem("the root hash", f"it is {root}, not {expected[:64]}")]


async def recompute(dossier: Dossier) -> list[DossierProblem]:
    """Run a sealed run again in an empty folder, and return what comes out differently.

    Raises:
        BadDossier: Its entries have other forms than ours.
    """
    with refusing_forged(), tempfile.TemporaryDirectory(prefix="tradingagents-") as home:
        services = dossier_services(dossier, Path(home), {})
        try:
            card = await run_again(dossier.manifest, services)
        except TradingAgentsError as error:
            ended = DossierProblem("the run", f"it ends otherwise: {_reason(error)}")
            return [*_version_problems(dossier, services), ended]
        problems = _differing(dossier, card, services.models.every_label)
        return [*_version_problems(dossier, services), *problems] if problems else []


def _differing(dossier: Dossier, card: Mapping[str, Any], labels: Iterable[str]) -> list[DossierProblem]:
    """Return what a second card and its report say otherwise than the sealed ones."""
    card = with_first_ids(dossier.replies.clean(card), dossier.card, dossier.manifest.kind)
    again = as_of_first_start(card, dossier.card, labels)
    found = [] if canonical_json(again) == canonical_json(dossier.card) else differences(again, dossier.card)
    settings = dossier.manifest.asked["settings"]  # those that change an answer; a resumed run may have another budget
    ran, shown = (
        {name: has.get(name) for name in settings} for has in (dossier.manifest.settings, dossier.card["settings"])
    )
    found += differences(ran, shown, "settings")
    problems = [DossierProblem(f"{CARD} {where}", reason) for where, reason in found[:MOST_DIFFERENCES]]
    if len(found) > MOST_DIFFERENCES:
        problems.append(DossierProblem(CARD, f"{len(found) - MOST_DIFFERENCES} more values differ"))
    if not problems and report_of_card(again) != dossier.report:
        problems.append(DossierProblem(REPORT, "the recomputed report differs"))
    if not problems and bundle_of(again) != dossier.evidence:
        problems.append(DossierProblem("evidence", "the recomputed evidence differs"))
    return problems


def differences(again: Any, first: Any, where: str = "") -> list[tuple[str, str]]:
    """Return the values that differ, with their place."""
    return list(_differences(again, first, where))


def _differences(again: Any, first: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(again, Mapping) and isinstance(first, Mapping):
        for name in sorted({*again, *first}):
            yield from _differences(again.get(name), first.get(name), f"{where}.{name}".lstrip("."))
    elif isinstance(again, list) and isinstance(first, list) and len(again) == len(first):
        for number, (item, other) in enumerate(zip(again, first, strict=True)):
            yield from _differences(item, other, f"{where}[{number}]")
    elif canonical_json(again) != canonical_json(first):
        yield where, f"{_shown(first)} is recomputed as {_shown(again)}"


def _shown(value: Any) -> str:
    text = canonical_json(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _prompt_problems(dossier: Dossier) -> list[DossierProblem]:
    """Return prompts whose name is not their hash: a reply would answer another request."""
    return [
        DossierProblem(f"prompts/{key}.json", "its content does not have the hash of its name")
        for key, said in dossier.replies.prompts.items()
        if key_of(said) != key
    ]


def _version_problems(dossier: Dossier, services: Services) -> list[DossierProblem]:
    """Return what this installation has otherwise, where the result differs."""
    kind, sealed = kind_of(dossier.manifest.kind), dossier.manifest.asked
    now = asked_of(services, kind.prompts())
    return [
        DossierProblem(f"this installation's {name}", "it differs from that which the run was sealed with")
        for name in ("version", "prompts")
        if sealed[name] != now[name]
    ]


def _reason(error: TradingAgentsError) -> str:
    return f"{error} (replies or data cells are missing)" if isinstance(error, ReplyNotKept) else str(error)
