"""The OpenAPI description: that of FastAPI, with a path for each capability and one body for all errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.schemas.workspace import CapabilityAnswer
from tradingagents.service.http.errors import ErrorBody

VERSION = "1"
REF = "#/components/schemas/{model}"
GENERAL = "/v1/capabilities/{name}"
ERRORS: Mapping[str, str] = {
    "400": "The request is invalid.",
    "401": "The token is missing or wrong.",
    "404": "Nothing has this name or id.",
    "409": "Something must be configured or approved first, or is busy.",
    "429": "Too many requests; Retry-After says how long to wait.",
    "default": "Any other failure.",
}
PUBLIC_PATHS = frozenset({"/v1/health"})
_SECURITY = {"bearer": {"type": "http", "scheme": "bearer", "description": "The token that `serve` prints."}}
_METHODS = ("get", "post", "patch", "delete", "put")


def describe(app: FastAPI) -> None:
    """Have an app describe its routes and every capability; worked out at the first request."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = openapi_of(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def openapi_of(app: FastAPI) -> dict[str, Any]:
    """Return the description of an app."""
    described = get_openapi(
        title="tradingagents",
        version=VERSION,
        summary="Capabilities, tasks, conversations, artifacts and runs of one home folder.",
        routes=app.routes,
    )
    schemas = described.setdefault("components", {}).setdefault("schemas", {})
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    _add_capabilities(described["paths"], schemas)
    _add_models(schemas, [ErrorBody])
    described["components"]["securitySchemes"] = _SECURITY
    for path, operations in described["paths"].items():
        for method in _METHODS:
            if method in operations:
                _complete(operations[method], public=path in PUBLIC_PATHS)
    cleaned: dict[str, Any] = _without_nan(described)
    return cleaned


def _without_nan(value: Any) -> Any:
    """Return a description without defaults that JSON cannot hold, such as NaN for a figure that is missing."""
    if isinstance(value, dict):
        finite = {
            name: member
            for name, member in value.items()
            if not (isinstance(member, float) and not math.isfinite(member))
        }
        return {name: _without_nan(member) for name, member in finite.items()}
    return [_without_nan(item) for item in value] if isinstance(value, list) else value


def capability_paths(paths: Mapping[str, Any]) -> list[str]:
    """Return the paths of a description that call one capability each."""
    return [path for path in paths if path.startswith("/v1/capabilities/") and path != GENERAL]


def _complete(operation: dict[str, Any], *, public: bool) -> None:
    """Add the errors and the token to an operation."""
    if not public:
        operation["security"] = [{"bearer": []}]
    responses = operation["responses"]
    responses.pop("422", None)
    body = {"application/json": {"schema": {"$ref": REF.format(model="ErrorBody")}}}
    for status, meaning in ERRORS.items():
        responses.setdefault(status, {"description": meaning, "content": body})


def _add_capabilities(paths: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Describe the call of each capability by itself: its arguments and its typed result."""
    known = registry()
    capabilities = [known[name] for name in sorted(known)]
    results = _add_models(schemas, [capability.returns for capability in capabilities])
    paths[GENERAL].pop("post")
    for capability in capabilities:
        arguments = f"{capability.name}_arguments"
        schemas[arguments] = _own_schema(capability.arguments, schemas)
        paths[f"/v1/capabilities/{capability.name}"] = {
            "post": _operation(capability, arguments, results[capability.returns])
        }


def _operation(capability: Capability, arguments: str, result: Mapping[str, Any]) -> dict[str, Any]:
    day = "Day of the question; nothing known only later is in the answer. None: the session's, else the last closed."
    request = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "arguments": {"$ref": REF.format(model=arguments)},
            "as_of": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "description": day},
            "session_id": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Conversation that asks."},
        },
        "required": ["arguments"] if _needs_arguments(capability) else [],
    }
    answer = {
        "allOf": [
            {"$ref": REF.format(model=CapabilityAnswer.__name__)},
            {"type": "object", "properties": {"result": result}},
        ]
    }
    return {
        "tags": ["capabilities"],
        "summary": capability.summary,
        "operationId": f"ask_{capability.name}",
        "requestBody": {"required": True, "content": {"application/json": {"schema": request}}},
        "responses": {"200": {"description": "The answer.", "content": {"application/json": {"schema": answer}}}},
    }


def _needs_arguments(capability: Capability) -> bool:
    return any(field.is_required() for field in capability.arguments.model_fields.values())


def _add_models(schemas: dict[str, Any], models: list[type[BaseModel]]) -> dict[type[BaseModel], Any]:
    """Add the schemas of models as they are sent; return a reference to each."""
    keys, definitions = models_json_schema(
        [(model, "serialization") for model in dict.fromkeys(models)], ref_template=REF
    )
    schemas.update(definitions.get("$defs", {}))
    return {model: keys[model, "serialization"] for model in models}


def _own_schema(model: type[BaseModel], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one model; those that it refers to are added."""
    schema = model.model_json_schema(ref_template=REF)
    schemas.update(schema.pop("$defs", {}))
    return schema
