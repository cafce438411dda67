"""Packages export their public names, and load each on first use."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

PACKAGES = (
    "analytics.company",
    "analytics.decisions",
    "analytics.market",
    "analytics.price",
    "features.batch",
    "graph.estimates",
    "graph.evaluation",
    "memory",
    "schemas",
    "service.doctor",
)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_exported_name_exists(package: str) -> None:
    module = importlib.import_module(f"tradingagents.{package}")
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing_like_it'"):
        importlib.import_module("tradingagents.memory").nothing_like_it  # noqa: B018


def test_importing_the_packages_loads_none_of_their_modules() -> None:
    names = [f"tradingagents.{package}" for package in PACKAGES if package not in ("service.doctor", "schemas")]
    code = f"import sys, importlib\n[importlib.import_module(name) for name in {names}]\nprint('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in loaded if any(name.startswith(f"{package}.") for package in names)]
