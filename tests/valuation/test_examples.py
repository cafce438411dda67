"""The examples in docstrings run, and the kernel needs NumPy alone."""

from __future__ import annotations

import ast
import doctest
import importlib
import time
from pathlib import Path

import numpy as np
import pytest

import tradingagents.valuation
from tests.valuation.cases import FULL
from tradingagents.valuation import grid

FOLDER = Path(tradingagents.valuation.__file__).parent
KERNEL = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
ALLOWED = {"numpy", "tradingagents.errors", "tradingagents.files.json_text"}


@pytest.mark.parametrize("module", KERNEL)
def test_examples_run(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"tradingagents.valuation.{module}")).failed == 0


@pytest.mark.parametrize("module", KERNEL)
def test_the_kernel_needs_numpy_alone(module: str) -> None:
    tree = ast.parse((FOLDER / f"{module}.py").read_text("utf-8"))
    named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    standard = {"__future__", "collections", "dataclasses", "datetime", "json", "math", "typing"}
    others = {name for name in named if name.split(".")[0] not in standard}
    assert {name for name in others if not name.startswith(("tradingagents.valuation.", "numpy"))} <= ALLOWED


def test_a_million_cells_take_less_than_a_second() -> None:
    shifts = np.linspace(-0.02, 0.02, 1000).tolist()
    took = []
    for _ in range(3):
        began = time.process_time()
        grid(FULL, "sales_growth", "oper_margin", shifts, shifts)
        took.append(time.process_time() - began)
    assert min(took) < 1
