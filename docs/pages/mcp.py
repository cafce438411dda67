"""The file of the MCP server's tools, resource templates and prompts, as clients are told them."""

from __future__ import annotations

import json

from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.features.assistant.personas.loader import checked_personas, library_files
from tradingagents.service.kernel.catalogue import capability_info
from tradingagents.service.mcp.prompts import PromptBook
from tradingagents.service.mcp.resources import templates
from tradingagents.service.mcp.tools import is_core, tool_list
from tradingagents.service.tasks.registry import built_in_kinds
from tradingagents.settings import load_settings


def mcp_file() -> str:
    """Return the file: what a server of this library lists where every vendor can be asked."""
    settings = load_settings({"data_vendor": "simulated", "tool_vendors": {}}, environ={})
    vendors, known = Vendors(settings), built_in()
    capabilities = [capability_info(known[name], settings, vendors) for name in sorted(known)]
    kinds = [kind.info() for kind in built_in_kinds().values()]
    personas = checked_personas(
        library_files(), {word: one.name for one in known.values() for word in (one.name, *one.aliases)}
    )
    listed = {
        "tools": tool_list(capabilities, kinds, "all"),
        "core": sorted(one.name for one in capabilities if is_core(one)),
        "resourceTemplates": templates(),
        **PromptBook(personas).to_wire(),
    }
    return json.dumps(listed, indent=1, ensure_ascii=False) + "\n"
