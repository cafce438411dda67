"""The page of settings, vendors by category, and keys."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from cli.options import FLAG_OF
from pages.markdown import code, page, table
from tradingagents.dataflows.gateway.registry import BUILT_IN
from tradingagents.dataflows.interface import METHOD_CATEGORY
from tradingagents.errors import ModelNotConfigured
from tradingagents.llm_clients.providers import (
    OLLAMA_CONTEXT,
    OLLAMA_URL,
    OPENAI_URL,
    PACKAGES,
    PROVIDERS,
    create_chat_model,
)
from tradingagents.llm_clients.servers import KEYS
from tradingagents.settings import CATEGORIES, ENV_PREFIX, VENDOR_PREFIX, Settings

GROUPS = {
    "llm_provider": "Models",
    "analysts": "The graph",
    "data_vendor": "Data",
    "assistant_tier": "The assistant",
    "budget_usd": "Limits and places",
    "server_allowed_origins": "The server",
}
"""Heading by the setting it begins with."""
INTRODUCTION = f"""
Every setting is a key of the `config` dict in Python, a variable `{ENV_PREFIX}<NAME>` and, for those one changes
often, a flag of the [command line](cli.md). `tradingagents.default_config.DEFAULT_CONFIG` holds them all with their
defaults.

## Which value counts

1. A flag of the command line.
2. In Python, a key of `config` whose value differs from the default. One that only repeats the default counts as not
   given, so that a script that passes `DEFAULT_CONFIG.copy()` whole can still be steered by the environment.
3. The process environment.
4. A file `.env` in the working folder, or the nearest one above it. The process environment is not changed by it.
5. The default.

An empty variable counts as not set. A variable under `{ENV_PREFIX}` that no setting has, an unknown key and a value
that cannot be are errors which name it and the nearest known name; they end the command with code 3, or 2 where a
flag was wrong.

- `--llm-provider` and `--backend-url` hold for all three tiers, and `--data-vendor` for every tool, whatever the
  environment says of single tiers or tools.
- The dicts `data_vendors` and `tool_vendors` merge key by key: Python over environment over default.
- Truth values are written `true` or `false`; lists with commas; `data_vendors`, `tool_vendors`, `vendor_rates`,
  `vendor_urls` and `model_rates` as `name=value;name=value`; `model_prices` and `knowledge_cutoffs` as JSON:
  `{{"some-model": [1.25, 0.125, 10]}}`, `{{"some-model": "2025-06-30"}}`; `mcp_servers` as JSON too
  ([MCP](../guides/mcp.md#tools-of-other-servers)).
"""
CATEGORY_WORDS = f"""
## Vendors by category

`data_vendor` names one vendor for everything. Without it the category of the question decides; a tool named in
`tool_vendors` wins over both; its defaults ([who is asked](vendors.md#who-is-asked)) give way to `data_vendor`. A
vendor is {", ".join(f"`{name}`" for name in BUILT_IN)} ([what each has](vendors.md)), one of a
[package of your own](../guides/adding-a-vendor.md), or a comma-separated list in order of preference; when a second one
is asked stands in [data and time](../concepts/data-and-time.md#who-answers).

The names below are those that `tool_vendors` takes. A [tool](capabilities.md) that is not among them is computed from
others, and has no vendor of its own.
"""
KEY_WORDS = f"""
## Keys and servers

Keys are no settings: they are read from the environment or `.env` where a model is made, and written nowhere.

- `OPENAI_BASE_URL` is OpenAI's address where `backend_url` does not say otherwise; without both it is
  `{OPENAI_URL}`. With the provider `openai` and a `backend_url` at another host, that server is treated as
  `openai_compatible` and never sees OpenAI's key.
- `OLLAMA_HOST` is Ollama's address where `backend_url` does not say otherwise; without both it is `{OLLAMA_URL}`.
  Ollama is asked for a context of {OLLAMA_CONTEXT:,} tokens, unless `OLLAMA_CONTEXT_LENGTH` says that the server has
  its own setting.
- The proxies of the environment (`HTTPS_PROXY` and its like) are used for models.
"""


def configuration_page() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for title, fields in _grouped().items():
        rows = ([f"`{name}`", _type(field), _default(field), _meaning(name, field)] for name, field in fields.items())
        parts += [f"## {title}", table(("setting", "type", "default", "meaning"), rows)]
    return page("Configuration", *parts, CATEGORY_WORDS, _categories(), KEY_WORDS, _keys())


def _grouped() -> dict[str, dict[str, FieldInfo]]:
    groups: dict[str, dict[str, FieldInfo]] = defaultdict(dict)
    title = ""
    for name, field in Settings.model_fields.items():
        title = GROUPS.get(name, title)
        groups[title][name] = field
    return groups


def _meaning(name: str, field: FieldInfo) -> str:
    said = [f"{field.description}.", f"`{ENV_PREFIX}{name.upper()}`"]
    return " ".join(said + ([f"`{FLAG_OF[name]}`"] if name in FLAG_OF else []))


def _type(field: FieldInfo) -> str:
    """Return a setting's type in words, with its bounds."""
    parts = [part for part in get_args(field.annotation) if part is not type(None)]
    inner = parts[0] if len(parts) == 1 or type(None) in get_args(field.annotation) else field.annotation
    return _type_words(inner) + _bounds(field)


def _type_words(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin is Literal:
        return "one of " + code(get_args(annotation))
    if origin is tuple:
        return "list of " + (code(get_args(get_args(annotation)[0])) or "names")
    if origin is dict:
        return "dict"
    return {str: "text", bool: "true or false", int: "whole number", float: "number", Path: "path"}[annotation]


def _bounds(field: FieldInfo) -> str:
    """Return the bounds of a number; those of a text's length are left out."""
    found = {name: getattr(one, name) for one in field.metadata for name in ("ge", "gt", "le") if hasattr(one, name)}
    if "ge" in found and "le" in found:
        return f", {found['ge']} to {found['le']}"
    if "gt" in found:
        return f" above {found['gt']}"
    return f", {found['ge']} or more" if "ge" in found else ""


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True, validated_data={})
    if value is None:
        return "unset"
    if isinstance(value, dict):
        return "[as listed](vendors.md#who-is-asked)" if value else "empty"
    if isinstance(value, tuple):
        return "all"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _categories() -> str:
    def decides(category: str) -> str:
        return code(method for method, own in METHOD_CATEGORY.items() if own == category) or "nothing yet"

    rows = ([f"`{name}`", f"`{ENV_PREFIX}{VENDOR_PREFIX}{name.upper()}`", decides(name)] for name in CATEGORIES)
    return table(("category", "variable", "decides"), rows)


def _keys() -> str:
    def key(provider: str) -> str:
        if provider not in KEYS:
            return "none"
        return f"`{KEYS[provider]}`" + ("" if _needs_key(provider) else ", where the server wants one")

    def needs(provider: str) -> str:
        return f"the extra `{provider}` of the package" if provider in PACKAGES else ""

    return table(("provider", "key", "needs"), ([f"`{name}`", key(name), needs(name)] for name in PROVIDERS))


def _needs_key(provider: str) -> bool:
    """Tell whether a provider's model cannot be made without its key: by trying."""
    try:
        create_chat_model(
            provider,
            "any",
            base_url="http://localhost/v1" if provider == "openai_compatible" else None,
            settings=Settings(),
            environ={},
        )
    except ModelNotConfigured as error:
        return KEYS[provider] in str(error)
    return False
