"""`Record`: the base of what is written to a card, a log or a ledger and read back, by this version or a later one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

Number: TypeAlias = int | float
"""A number of a record: a whole one stays whole in its JSON, where `float` would turn 5 into 5.0."""


class Record(BaseModel):
    """A value with named fields that is stored as a JSON object.

    A field without a default is always written. One with a default is written where it differs, so that a field that
    few values have costs the others nothing. Unknown fields, which a later version may have written, are not read.
    `record["field"]` is `record.field`, for those who know the JSON.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Fields that are always written but that cards of older versions lack, with what stands for them."""
    writes_defaults: ClassVar[bool] = False
    """Whether fields with a default are always written too, as of what a model fills in."""
    omits: ClassVar[tuple[str, ...]] = ()
    """Fields that are even then written only where they differ from their default."""
    written_last: ClassVar[tuple[str, ...]] = ()
    """Fields that are written after all others, in this order: those of a base that stand at the end."""

    @model_validator(mode="before")
    @classmethod
    def _as_of_today(cls, given: Any) -> Any:
        return {**cls.older_lack, **given} if cls.older_lack and isinstance(given, Mapping) else given

    @model_serializer(mode="wrap")
    def _without_defaults(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        value: dict[str, Any] = written(self)
        return {
            name: value[name]
            for name in self._as_written(value)
            if (self.writes_defaults and name not in self.omits)
            or fields[name].is_required()
            or getattr(self, name) != fields[name].get_default(call_default_factory=True)
        }

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Publish the fields: of the serializer alone, no more would be known than that it gives an object."""
        plain = handler(cast(CoreSchema, {key: part for key, part in schema.items() if key != "serialization"}))
        published = handler.resolve_ref_schema(plain)
        properties, required = published.get("properties", {}), published.get("required", ())
        order = cls._as_written(properties)
        published["properties"] = {name: properties[name] for name in order}
        if required:
            published["required"] = [name for name in order if name in required]
        return plain

    @classmethod
    def _as_written(cls, names: Iterable[str]) -> list[str]:
        """Return names of fields in the order in which they are written."""
        known = list(names)
        return [
            *(name for name in known if name not in cls.written_last),
            *filter(known.__contains__, cls.written_last),
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the record as it is written: plain values, in the order of the fields."""
        return self.model_dump(mode="json")

    def __getitem__(self, name: str) -> Any:
        """Return a field by its name. Raises KeyError for a name that is no field."""
        if name not in type(self).model_fields:
            raise KeyError(name)
        return getattr(self, name)


FILLED_IN = ConfigDict(str_strip_whitespace=True)
"""Of what a model fills in: blanks are no text."""


class FilledIn(Record):
    """What a model fills in, and the card holds as it stands. Its fields' descriptions are what the model is asked."""

    model_config = FILLED_IN
    writes_defaults: ClassVar[bool] = True


def problem_of(error: ValidationError) -> str:
    """Return the first reason why a value is no record, in a few words that show nothing of the value."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]


def record_types(base: type[Record] = Record) -> list[type[Record]]:
    """Return every type of record of the modules imported so far."""
    return [found for kind in base.__subclasses__() for found in (kind, *record_types(kind))]
