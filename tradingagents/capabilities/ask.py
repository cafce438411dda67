"""Questions to capabilities: reads and completes their arguments, lists and describes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.dataflows.gateway.registry import BUILT_IN, vendor_class
from tradingagents.dataflows.vendor import METHODS
from tradingagents.errors import UsageError
from tradingagents.settings import nearest

DAY_ARGUMENTS = ("curr_date", "end_date")
"""Required dates that are the day of the question where they are not given."""
_COMMON = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "by", "do", "does", "for", "from", "how", "in", "is", "it", "its"),
        *("of", "on", "or", "the", "to", "was", "what", "when", "which", "who"),
    )
)
"""Words that say nothing of what a question is about."""


def completed(capability: Capability, arguments: Mapping[str, Any], day: date | None) -> Mapping[str, Any]:
    """Return the arguments of a question, with its day filled in where a required date is missing.

    Raises:
        UsageError: An argument is unknown or missing; the message names the right ones.
    """
    _check_names(capability, arguments)
    if day is not None:
        fields = capability.arguments.model_fields
        due = (key for key in DAY_ARGUMENTS if key in fields and fields[key].is_required() and key not in arguments)
        arguments = {**arguments, **dict.fromkeys(due, day)}
    _check_complete(capability, arguments)
    return arguments


def read_arguments(capability: Capability, words: Iterable[str]) -> dict[str, Any]:
    """Read `NAME=VALUE` words into the arguments of a capability; lists and objects are written as JSON.

    Raises:
        UsageError: A word is no argument of the capability, or one is given twice.
    """
    found: dict[str, Any] = {}
    for word in words:
        name, separator, value = word.partition("=")
        name = name.strip()
        if not separator or not name:
            raise UsageError(f"{word!r} is no argument; write NAME=VALUE. {takes(capability)}")
        if name in found:
            raise UsageError(f"{name} is given twice; give it once.")
        found[name] = _value(value)
    _check_names(capability, found)
    return found


def takes(capability: Capability) -> str:
    """Say in one sentence which arguments a capability takes."""
    fields = capability.arguments.model_fields
    if not fields:
        return f"{capability.name} takes no arguments."
    words = (name if field.is_required() else f"{name} (optional)" for name, field in fields.items())
    return f"{capability.name} takes {', '.join(words)}."


def describe(capability: Capability) -> str:
    """Return the help of a capability as plain text: arguments with types, result, vendors."""
    called = f" (also: {', '.join(capability.aliases)})" if capability.aliases else ""
    lines = [f"{capability.name}{called}", "", capability.summary, "", "Arguments:"]
    lines += list(_argument_lines(capability)) or ["  none"]
    about = (capability.returns.__doc__ or "").strip().partition("\n")[0]
    lines += ["", f"Answers with {capability.returns.__name__}: {about}"]
    lines += ["", "Vendors:"] if capability.methods else ["", "Needs no vendor: it reads the store of filings."]
    lines += [f"  {method}: {', '.join(names) or 'none'}" for method, names in vendors_of(capability).items()]
    if capability.uses:
        lines += ["", f"Needs {', '.join(sorted(capability.requires))}; can do without the others."]
    return "\n".join(lines)


def listed() -> tuple[Capability, ...]:
    """Return every capability, by name."""
    known = registry()
    return tuple(known[name] for name in sorted(known))


def by_subject() -> Mapping[str, tuple[Capability, ...]]:
    """Return every capability by its subject, such as `prices`: the module that declares it."""
    found: dict[str, list[Capability]] = {}
    for capability in listed():
        found.setdefault(capability.answer.__module__.rpartition(".")[2].replace("_", " "), []).append(capability)
    return {subject: tuple(found[subject]) for subject in sorted(found)}


def nearest_to(question: str, most: int = 4) -> tuple[str, ...]:
    """Return the names of the capabilities whose name and summary share most words with a question, the best first."""
    asked = _words_of(question) - _COMMON
    shared = {
        capability.name: len(asked & _words_of(f"{capability.name} {capability.summary}")) for capability in listed()
    }
    return tuple(name for name in sorted(shared, key=lambda name: -shared[name])[:most] if shared[name])


def vendors_of(capability: Capability) -> Mapping[str, tuple[str, ...]]:
    """Return by vendor method, the required ones first, which built-in vendors answer it."""
    order = (*sorted(capability.requires), *sorted(capability.uses))
    return {name: _vendors(name) for name in order}


def type_of(field: FieldInfo) -> str:
    """Return the type of an argument in words: `date`, `number`, `a or b`."""
    return " or ".join(_type_words(field.annotation)) or "any"


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+(?:/[a-z]+)?", text.lower().replace("_", " ")))


def _vendors(method: str) -> tuple[str, ...]:
    asked = METHODS.get(method)
    if asked is None:
        return ()
    return tuple(name for name in BUILT_IN if vendor_class(name).implements(asked) or asked.default_answer)


def _argument_lines(capability: Capability) -> Iterator[str]:
    for name, field in capability.arguments.model_fields.items():
        default = "required" if field.is_required() else f"default {_shown(field.default)}"
        yield f"  {name} ({type_of(field)}; {default})"
        if field.description:
            yield f"      {field.description}"


def _shown(default: Any) -> str:
    return "none" if default is None else "empty" if default == "" else str(default)


def _type_words(annotation: Any) -> Iterator[str]:
    if annotation is type(None):
        return
    if get_origin(annotation) is Literal:
        yield from map(str, get_args(annotation))
        return
    words = {str: "text", int: "whole number", float: "number", bool: "true or false", date: "date YYYY-MM-DD"}
    if annotation in words:
        yield words[annotation]
        return
    parts = get_args(annotation)
    origin = get_origin(annotation)
    if origin in (list, tuple, dict, Mapping):
        yield "JSON"
        return
    if parts:
        for part in parts:
            if isinstance(part, type) or get_origin(part) is not None:
                yield from _type_words(part)
        return
    yield getattr(annotation, "__name__", "JSON")


def _check_names(capability: Capability, arguments: Mapping[str, Any]) -> None:
    fields = capability.arguments.model_fields
    for name in arguments:
        if name not in fields:
            close = nearest(name, fields)
            hint = f" Did you mean {close}?" if close else ""
            raise UsageError(f"{capability.name} has no argument {name!r}.{hint} {takes(capability)}")


def _check_complete(capability: Capability, arguments: Mapping[str, Any]) -> None:
    fields = capability.arguments.model_fields
    missing = [name for name, field in fields.items() if field.is_required() and name not in arguments]
    if missing:
        raise UsageError(f"{capability.name} needs {', '.join(missing)}. {takes(capability)}")


def _value(text: str) -> Any:
    """Return a list or an object where the text is JSON of one, else the text; the schema does the rest."""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text
