"""The files that registries and agents read: their rules, and that they say the same as the package."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from tradingagents.dataflows.gateway.registry import registrations
from tradingagents.service.doctor.surroundings import MODEL_KEYS
from tradingagents.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
REPOSITORY = "https://github.com/tradingagents/tradingagents"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / name).read_text("utf-8"))
    return found


def test_the_entry_for_the_mcp_registry_follows_its_rules():
    """The schema of 2025-12-11, and what the registry asks for beyond it."""
    entry = read("server.json")
    assert entry["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 1 <= len(entry["description"]) <= 100
    assert 1 <= len(entry["title"]) <= 100
    assert entry["repository"] == {"url": REPOSITORY, "source": "github"}
    (package,) = entry["packages"]
    assert {"registryType", "identifier", "transport"} <= package.keys()
    assert package["transport"] == {"type": "stdio"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", entry["version"])
    assert package["version"] == entry["version"]
    for argument in (*package["runtimeArguments"], *package["packageArguments"]):
        assert argument["type"] in ("named", "positional")
        assert "value" in argument
        assert ("name" in argument) == (argument["type"] == "named")
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text("utf-8"), "the registry looks for it on PyPI"


def test_the_entry_for_the_mcp_registry_names_what_the_package_has():
    (package,) = read("server.json")["packages"]
    assert package["identifier"] == PROJECT["project"]["name"]
    (with_extra,) = package["runtimeArguments"]
    assert with_extra["value"] == f"tradingagents[mcp]=={package['version']}"
    assert "mcp" in PROJECT["project"]["optional-dependencies"]
    keys = {variable for known in registrations().values() for variable in known.needs} | set(MODEL_KEYS)
    for variable in package["environmentVariables"]:
        setting = variable["name"].removeprefix("TRADINGAGENTS_").lower()
        assert variable["name"] in keys or setting in Settings.model_fields, variable["name"]
        assert variable.get("isSecret", False) == variable["name"].endswith("_KEY")


def test_the_plugin_for_coding_agents_leads_to_the_skill_and_the_server():
    plugin, market = read(".claude-plugin/plugin.json"), read(".claude-plugin/marketplace.json")
    (entry,) = market["plugins"]
    assert entry["name"] == plugin["name"]
    assert (ROOT / entry["source"] / ".claude-plugin" / "plugin.json").is_file()
    (skill,) = (ROOT / plugin["skills"]).iterdir()
    about = yaml.safe_load((skill / "SKILL.md").read_text("utf-8").split("---")[1])
    assert about["name"] == skill.name
    (server,) = plugin["mcpServers"].values()
    assert server["args"][-2:] == ["tradingagents", "mcp"]
    assert "tradingagents" in PROJECT["project"]["scripts"]


def test_one_version_is_published():
    published = {read("server.json")["version"], read(".claude-plugin/plugin.json")["version"]}
    (version,) = published
    assert PROJECT["tool"]["hatch"]["version"]["fallback-version"].startswith(version)


def test_the_image_runs_as_nobody_special_and_says_whether_it_is_well():
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    stage = lines[max(number for number, line in enumerate(lines) if line.startswith("FROM")) :]
    users = [line.split()[1] for line in stage if line.startswith("USER")]
    assert users
    assert users[-1] not in ("0", "root")
    assert any(line.startswith("HEALTHCHECK") for line in stage)
    assert "/v1/health" in "\n".join(stage)
    copied = {word for line in lines if line.startswith("COPY") and "--from" not in line for word in line.split()[1:-1]}
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert copied == admitted
    (extras,) = re.findall(r"tradingagents\[([\w,]+)\]", "\n".join(stage))
    assert set(extras.split(",")) <= set(PROJECT["project"]["optional-dependencies"])


def test_the_citation_names_the_licence_and_the_repository():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["license"] == PROJECT["project"]["license"]
    assert citation["repository-code"] == REPOSITORY
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()


def test_issue_forms_ask_something():
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        if path.name != "config.yml":
            ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
            assert {"name", "description", "body"} <= form.keys()
            assert len(set(ids)) == len(ids) > 0
