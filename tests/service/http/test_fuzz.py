"""Random requests to every address of the description: no 500, and every failure has the body of failures."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import quote

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples
from tradingagents.service.http.app import openapi_document
from tradingagents.service.http.errors import ErrorBody

DOCUMENT = openapi_document()
OPERATIONS = [
    (method, path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
    if not path.endswith("/cancel")
]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.sampled_from(["VELQ", "2025-03-14", "2999-01-01", "../x", "s-1", "\u0000", "<script>", "-1", ""])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
IDS = st.sampled_from(["x", "s-1", "..", "a%2fb", "%00", "VELQ", "get_news", "x" * 250, "é"]) | st.text(max_size=12)


def properties(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of a body, whose references are followed once."""
    if "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for one in schema.get("anyOf", ()):
        if found := properties(one):
            return found
    found: dict[str, Any] = schema.get("properties", {})
    return found


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, Any]:
    """Draw a request whose body has some of the described fields with any values."""
    # Drawn by a number, not by hypothesis' own choice, which prefers the first ones.
    method, path, operation = OPERATIONS[random.Random(draw(st.integers(0, 2**32))).randrange(len(OPERATIONS))]  # noqa: S311
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", quote(draw(IDS), safe="%"))
    asked = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query" and draw(st.booleans())]
    query = "&".join(f"{name}={quote(draw(IDS))}" for name in asked)
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    body: Any = None
    if content is not None:
        known = properties(content["schema"])
        body = {name: draw(VALUES) for name in known if draw(st.booleans())}
        if draw(st.integers(0, 9)) == 0:
            body = draw(VALUES)
        if isinstance(body, dict) and "arguments" in known and draw(st.booleans()):
            inner = properties(known["arguments"])
            body["arguments"] = {name: draw(VALUES) for name in inner if draw(st.booleans())}
    return method.upper(), f"{path}?{query}" if query else path, body


@given(requests())
@settings(max_examples=examples(1_500, fast=120))
def test_no_request_breaks_the_server(http: httpx.Client, request: tuple[str, str, Any]) -> None:
    method, path, body = request
    content = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} if body is not None else {}
    response = http.request(method, path, content=content, headers=headers)
    assert response.status_code < 500, response.text
    if not response.is_success:
        ErrorBody.model_validate_json(response.content)
