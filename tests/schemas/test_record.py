from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError
from pydantic_core import to_json

from tradingagents.schemas.record import Record, record_types


class Part(Record):
    value: float | None
    note: str = ""


class Whole(Record):
    older_lack: ClassVar[Mapping[str, Any]] = {"doubts": []}
    name: str
    parts: list[Part]
    doubts: list[str]


class Reordered(Record):
    written_last: ClassVar[tuple[str, ...]] = ("last",)
    last: str
    first: int
    other: Part | None


def test_required_fields_are_always_written_and_others_where_they_differ():
    whole = Whole(name="x", parts=[Part(value=None), Part(value=1.5, note="late")], doubts=[])
    written = {"name": "x", "parts": [{"value": None}, {"value": 1.5, "note": "late"}], "doubts": []}
    assert whole.as_json() == written
    assert to_json({"at": whole}) == to_json({"at": written})
    assert Whole.model_validate(written) == whole


def test_older_and_later_versions_are_read():
    assert Whole.model_validate({"name": "x", "parts": [], "later": 1}) == Whole(name="x", parts=[], doubts=[])
    with pytest.raises(ValidationError, match="name"):
        Whole.model_validate({"parts": []})


def test_a_field_is_read_by_its_name():
    assert Part(value=2)["value"] == 2
    with pytest.raises(KeyError):
        Part(value=2)["as_json"]


def test_all_types_are_found():
    assert {Part, Whole} <= set(record_types())


def test_the_published_schema_names_the_fields_in_the_order_in_which_they_are_written():
    published = Reordered.model_json_schema(mode="serialization")
    value = Reordered(last="z", first=1, other=None)
    assert list(published["properties"]) == published["required"] == list(value.as_json()) == ["first", "other", "last"]
    assert published["properties"]["first"] == {"title": "First", "type": "integer"}
