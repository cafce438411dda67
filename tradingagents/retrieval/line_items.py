"""Line items of the primary statements and the metrics made of them: their names, and how their rows are recognised."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.calculation import Output
from tradingagents.retrieval.models import Row

_BRACKETS = re.compile(r"(?<!\s)\s*+/?\s*+\([^()]*+\)|(?<!\s)\s*+\[[^\]]{0,500}\]")
_DASHES = re.compile(r"(?<!\s)\s*+[\u2014\u2013\u2212]\s*+|(?<!\s)\s++-\s++")


@dataclass(frozen=True, slots=True)
class LineItem:
    """A line item: its names in questions and the rules by which its row is recognised."""

    key: str
    statement: StatementKind
    names: tuple[str, ...]
    labels: tuple[re.Pattern[str], ...]
    """In order of preference."""
    excluded: re.Pattern[str] | None = None
    section: str = ""
    """`current assets` or `current liabilities`: the row stands in this part of the balance sheet."""
    outside: str = ""
    """The row stands outside this part of the balance sheet."""
    unit: Literal["money", "per_share", "shares"] = "money"
    magnitude: bool = False
    """An outflow or a cost that some companies print as a negative figure: read as positive."""
    signed_by_label: bool = False
    """A row called a loss whose figures carry no sign is negative."""
    summed: bool = False
    """All rows that match are added up."""
    last: bool = False
    """Of several equally good rows the last is meant: the net amount stands after its parts."""
    absent_is_zero: bool = False
    derive: tuple[str, ...] = ()
    """Expressions of other items that give it where no row does."""
    with_minorities: re.Pattern[str] | None = None
    """The row meant where the statement also has one for noncontrolling interests."""
    sign_check: tuple[str, ...] = ()
    """Items, the first less this one nearly being one of the others: tells whether it is printed as a deduction."""
    parts: re.Pattern[str] | None = None
    """Rows that are added up where neither a row nor `derive` gives the item."""
    part_heading: re.Pattern[str] | None = None
    """Heading whose rows are such parts."""
    unless: re.Pattern[str] | None = None
    """Another row of the statement beside which a row of this name is a part of the item only."""

    def rank(self, row: Row, *, minorities: bool = False) -> int | None:
        """Return how well a row's label names the item, the lowest best; None where it does not.

        `minorities` tells that another row of the statement is the share of noncontrolling interests.
        """
        if not self._has_unit(row):
            return None
        label = plain_label(row.label)
        whole = f"{plain_label(row.headings[-1])} {label}" if self.unit != "money" and row.headings else label
        if self.excluded is not None and self.excluded.search(label):
            return None
        if minorities and self.with_minorities is not None and self.with_minorities.fullmatch(label):
            return 0
        return next((number for number, rule in enumerate(self.labels) if rule.fullmatch(whole)), None)

    def is_part(self, row: Row) -> bool:
        """Whether a row is one of the rows that add up to the item."""
        if not is_money(row.unit) or row.unit.endswith("/share"):
            return False
        label = plain_label(row.label)
        if label.startswith("total") or (self.excluded is not None and self.excluded.search(label)):
            return False
        if self.parts is not None and self.parts.fullmatch(label):
            return True
        heading = plain_label(row.headings[-1]) if row.headings else ""
        return self.part_heading is not None and self.part_heading.fullmatch(heading) is not None

    def _has_unit(self, row: Row) -> bool:
        if self.unit == "per_share":
            return row.unit.endswith("/share")
        if self.unit == "shares":
            return row.unit == "shares"
        return is_money(row.unit) and not row.unit.endswith("/share")


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its names in questions and its formula over line items."""

    key: str
    names: tuple[str, ...]
    formula: str
    output: Output
    better: Literal["up", "down", ""] = ""
    """The direction of an improvement; empty where there is none."""
    needs: str = ""
    """Item without which the metric has no meaning for the company."""
    why: str = ""
    """What to say where that item is missing."""


def plain_label(label: str) -> str:
    """Return a label in lower case, without brackets, footnote marks and spare signs, for comparison."""
    text = label.lower().replace("\u2019", "'").replace("\u2018", "'")
    while (shorter := _BRACKETS.sub("", text)) != text:
        text = shorter
    text = _DASHES.sub(" - ", text).replace("cash/", "cash ")
    return " ".join(text.split()).strip(" .:;,*-")


@lru_cache(maxsize=1)
def line_items() -> Mapping[str, LineItem]:
    """Return the line items by key."""
    return {key: _line_item(key, entry) for key, entry in _table("line_items.toml").items()}


@lru_cache(maxsize=1)
def metrics() -> Mapping[str, Metric]:
    """Return the metrics by key."""
    return {key: Metric(key, tuple(entry.pop("names")), **entry) for key, entry in _table("metrics.toml").items()}


def _table(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("tradingagents.retrieval").joinpath(name).read_text(encoding="utf-8"))


def _line_item(key: str, entry: dict[str, Any]) -> LineItem:
    return LineItem(
        key=key,
        statement=entry["statement"],
        names=tuple(entry["names"]),
        labels=tuple(re.compile(rule) for rule in entry["labels"]),
        excluded=_rule(entry.get("not")),
        section=entry.get("section", ""),
        outside=entry.get("outside", ""),
        unit=entry.get("unit", "money"),
        magnitude=entry.get("magnitude", False),
        signed_by_label=entry.get("signed_by_label", False),
        summed=entry.get("sum", False),
        last=entry.get("last", False),
        absent_is_zero=entry.get("absent_is_zero", False),
        derive=tuple(entry.get("derive", ())),
        with_minorities=_rule(entry.get("with_minorities")),
        sign_check=tuple(entry.get("sign_check", ())),
        parts=_rule(entry.get("parts")),
        part_heading=_rule(entry.get("part_heading")),
        unless=_rule(entry.get("unless")),
    )


def _rule(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None
