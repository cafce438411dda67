"""Labels of evidence (E1, E2 …): given in the order of the text, linked from claims to the appendix and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord, NarrativeSectionRecord
from tradingagents.reports.inner_links import inner_link, without_links

_ADDED = ("label", "driver")
"""What a record adds to the items of the frozen bundle."""


def labelled(items: Iterable[Mapping[str, Any]], sections: Sequence[NarrativeSectionRecord]) -> list[dict[str, Any]]:
    """Return items with their label and driver: those that the text names first, in its order; then the surest."""
    known = {item["id"]: item for item in items}
    cited = dict.fromkeys(
        key for section in sections for part in section.paragraphs for key in part.evidence if key in known
    )
    others = sorted(
        (item for item in known.values() if item["id"] not in cited), key=lambda item: (-item["confidence"], item["id"])
    )
    ordered = [*(known[key] for key in cited), *others]
    return [
        {**item, "label": f"E{number}", "driver": item["effect"]["driver"] if item.get("effect") else None}
        for number, item in enumerate(ordered, start=1)
    ]


def frozen(items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return items as they stand in the frozen bundle, ordered by id."""
    plain = [{key: value for key, value in item.items() if key not in _ADDED} for item in items]
    return sorted(plain, key=lambda item: str(item["id"]))


@dataclass(frozen=True)
class Citations:
    """The evidence of a report by id, with the labels that its texts show."""

    items: Mapping[str, Mapping[str, Any]]
    labels: Mapping[str, str]
    sections: Mapping[str, list[str]] = field(default_factory=dict)
    """Titles of the sections of the text that name an item, by its id."""

    def mark(self, key: str) -> str:
        """Return the linked label of an item in brackets; empty for an unknown one."""
        label = self.labels.get(key)
        return f"[{inner_link(anchor_of(label), label)}]" if label else ""

    def marks(self, keys: Iterable[str]) -> str:
        """Return the linked labels of items, each once."""
        return " ".join(filter(None, map(self.mark, dict.fromkeys(keys))))

    def cited(self, text: str, keys: Iterable[str]) -> str:
        """Return a text of a model with its ids replaced by labels, and the labels of its evidence behind it."""
        text = without_links(text)
        for key, label in self.labels.items():
            if key in text:
                text = text.replace(f"({key})", self.mark(key)).replace(key, inner_link(anchor_of(label), label))
        marks = self.marks(keys)
        return f"{text.rstrip()} {marks}" if marks else text


def citations_of(record: DeepReportRecord) -> Citations:
    """Return the citations of a report; a record from before there were labels gets them by its text."""
    items = record.evidence
    if any("label" not in item for item in items):
        items = labelled(items, record.sections)
    used: dict[str, list[str]] = {}
    for section in record.sections:
        for part in section.paragraphs:
            for key in part.evidence:
                names = used.setdefault(key, [])
                if section.name not in names:
                    names.append(section.name)
    return Citations({item["id"]: item for item in items}, {item["id"]: item["label"] for item in items}, used)


def anchor_of(label: str) -> str:
    """Return the id of an item's entry in the appendix."""
    return f"evidence-{label.lower()}"


def section_anchor(name: str) -> str:
    """Return the id of a section of the text."""
    return "text-" + "-".join(
        "".join(char if char.isalnum() and char.isascii() else " " for char in name.lower()).split()
    )
