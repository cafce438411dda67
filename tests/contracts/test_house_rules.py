"""Rules that keep the house in order. Each list of exceptions may only shrink: one that is not needed any more fails.

Rules that stand elsewhere: layers (`lint-imports`), third-party internals (`test_third_party`), unique class names and
the vocabulary of the documentation (`tests/docs/test_vocabulary`).
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from itertools import combinations
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tradingagents.agents.roster import roster
from tradingagents.runtime.registry import kind_names

LONGEST_FUNCTION = 50
MOST_PARAMETERS = 8
MOST_MODULES = 16
MOST_FOLDERS, MOST_TOP_MODULES = 17, 8
"""Directly under `tradingagents`: who opens it knows where everything is."""
PUBLIC_PATHS = {"backtest.py", "portfolio.py", "reporting.py"}
"""Modules that scripts for the public TradingAgents 0.5 import by these paths; they hand on what folders hold."""
MOST_EXCEPTIONS = 5
"""Imports that the contract on features lets through."""

LONG_FUNCTIONS = {
    "analytics/company/fundamentals.py:fundamentals",
    "reports/charts/plot.py:lay_out",
}
MANY_PARAMETERS = {
    "analytics/company/fundamentals.py:fundamentals",
    "capabilities/capability.py:capability",  # a declaration: each parameter is one property of a capability
    "dataflows/vendor_method.py:__init__",  # a declaration: each parameter is one property of a vendor method
    "dataflows/vendor_method.py:vendor_method",
    "graph/setup.py:__init__",  # the public project's signature
    "runtime/executor.py:__init__",
}
LARGE_FOLDERS = {
    "capabilities",  # one file a subject
    "analytics/company",
    "llm_clients",
    "offline",
    "reports",
}
BRANCHES_ON_KINDS = {
    "features/batch/auto.py",  # where a candidate comes from, the scan or the portfolio
}
LEAST_SHARED, SHARED_PART = 4, 0.6
"""Fields that two classes share, and their part of all fields of both, from which they are one fact written twice."""
MOST_ALIKE = 5
ALIKE = {
    ("EarningsEvent", "EarningsRow"): "the answer's JSON is flat, in its own order, and names no instant",
    ("EconomicEvent", "EconomicRow"): "the answer's JSON is flat, in its own order, and names no instant",
    ("Event", "TaskEvent"): "a task numbers its events itself, and OpenAPI's schema stays as it is",
    ("EvidenceDraft", "EvidenceItem"): "the reply's schema and the card's JSON stay as they are, each in its order",
    ("FoundPassage", "SourceRecord"): "`document` and `page` mean other things in an answer's JSON than in a card's",
}
ALIKE_IN_RECORDS = {
    ("ArticleReadRecord", "RankedArticle"),
    ("DataFaultRecord", "Fault"),
    ("DataSheetRecord", "DataSheetRow"),
    ("InstrumentRecord", "Profile"),
}
"""Records of `schemas/records.py` and what they are made from."""
TYPED_DICTS = {
    # States of graphs, with what the lasting ones hold
    "agents/scan_states.py": {"ScannerState"},
    "agents/states.py": {
        "AgentState",
        "AnalystState",
        "Failure",
        "InvestDebateState",
        "RiskDebateState",
        "Turn",
    },
    "features/assistant/graph.py": {"TurnState"},
    "features/compare/agents/states.py": {"CompareState"},
    "features/debate/agents/states.py": {"DebateQuestionState", "DebateState"},
    "features/deep_report/agents/states.py": {"HypothesisTask", "ThesisState"},
    "features/filings_qa/agents/states.py": {"Exchange", "FilingsSearchState", "FilingsState", "Target"},
    "features/filings_grid/graph.py": {"GridState"},
    "features/research/agents/states.py": {"ResearchState"},
    "graph/studio_inputs.py": {"ScanInput", "TradingInput"},
}

TESTS_OF_THE_WHOLE = {
    "chaos",
    "cli",
    "compat",
    "contracts",
    "docs",
    "fuzz",
    "golden",
    "golden_set",
    "real_model",
    "support",
}
"""Folders of tests that belong to no package."""

CHANGING_NOTHING = {"dataclass", "cache", "lru_cache", "contextmanager", "asynccontextmanager", "final", "overload"}
"""Decorators that hand a name to nobody."""
FOR_CALLERS = {
    # Documented names: of this library, or of the project that it is compatible with.
    "agents/utils/tool_runner.py:run_tool_loop",
    "agents/scanners/industry_deep_dive.py:_extract_top_sectors",
    "analytics/performance/selection.py:deflated_sharpe",
    "backtest.py:BacktestSummary",
    "backtest.py:iter_grid",
    "backtest.py:run_backtest",
    "dataflows/interface.py:TOOLS_CATEGORIES",
    "graph/filings_answerer.py:create_agent",
    "graph/scanner_graph.py:ScannerGraph",
    "llm_clients/scripted.py:ScriptedChatModel",
    "runtime/observability/redaction.py:redact_logs",
    "retrieval/store/vectors.py:CrossEncoderReranker",
    "retrieval/store/vectors.py:LangChainVectors",
    "valuation/sensitivity.py:shift_inputs",
    "valuation/paths.py:stepped_path",
    "valuation/relative.py:company_multiples",
    # The generator of the documentation
    "service/http/app.py:openapi_document",
    "service/http/openapi.py:capability_paths",
}


@dataclass(frozen=True)
class Module:
    """What the rules ask of a module of the library."""

    path: str
    functions: tuple[tuple[str, int, int], ...]
    """`path:name`, lines without the docstring, parameters."""
    imported: frozenset[str]
    compared: frozenset[object]
    """Constants that something is compared with."""
    literals: frozenset[str]
    """Strings that are no docstrings."""
    defined: frozenset[str]
    """Functions, classes and constants; not those that a decorator registers."""
    mentioned: frozenset[str]
    """Names that are read, imported, or stand in a text; in an `__init__` only those that are read."""
    fields: tuple[tuple[str, frozenset[str]], ...]
    """Classes with the fields that they add to those of their bases."""
    typed_dicts: frozenset[str]


def modules(package: str = "tradingagents") -> tuple[Module, ...]:
    """Return every module of the library, or of `cli`; each is parsed once."""
    return _parsed(package)


@cache
def _parsed(package: str) -> tuple[Module, ...]:
    folder = ROOT / package
    return tuple(_module(path, path.relative_to(folder).as_posix()) for path in sorted(folder.rglob("*.py")))


def _module(file: Path, path: str) -> Module:
    tree = ast.parse(file.read_text("utf-8"))
    nodes, folder = [*ast.walk(tree)], file.relative_to(ROOT).parent.parts
    functions = [one for one in nodes if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    compared = [one for node in nodes if isinstance(node, ast.Compare) for one in (node.left, *node.comparators)]
    return Module(
        path,
        tuple((f"{path}:{one.name}", _lines(one), _parameters(one)) for one in functions),
        frozenset(name for node in nodes for name in _imported(node, folder)),
        frozenset(one.value for one in compared if isinstance(one, ast.Constant)),
        frozenset(_literals(nodes)),
        frozenset(_defined(tree)),
        frozenset(_mentioned(nodes, reexports=file.name == "__init__.py")),
        tuple((node.name, frozenset(_fields(node))) for node in nodes if isinstance(node, ast.ClassDef)),
        frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef) and _is_typed_dict(node)),
    )


def _fields(node: ast.ClassDef) -> Iterator[str]:
    declared = (line for line in node.body if isinstance(line, ast.AnnAssign))
    for line in declared:
        if isinstance(line.target, ast.Name) and "ClassVar" not in ast.unparse(line.annotation):
            yield line.target.id


def _is_typed_dict(node: ast.ClassDef) -> bool:
    return any("TypedDict" in ast.unparse(base) for base in node.bases)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if {ast.unparse(one).partition("(")[0] for one in node.decorator_list} <= CHANGING_NOTHING:
                yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))


def _mentioned(nodes: Iterable[ast.AST], *, reexports: bool) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and not reexports:
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not reexports and " " not in node.value:
            yield from re.findall(r"\w+", node.value)


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (node.end_lineno or 0) - node.lineno + 1 - docstring


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    named = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len(named) - (named[:1] in (["self"], ["cls"]))


def _imported(node: ast.AST, folder: Sequence[str]) -> list[str]:
    """Return what a statement in a module of a folder imports; a relative import by its full name."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        above = folder[: len(folder) - node.level + 1] if node.level else ()
        module = ".".join((*above, *(node.module or "").split(".")))
        return [module.rstrip("."), *(f"{module.rstrip('.')}.{alias.name}" for alias in node.names)]
    return []


def _literals(nodes: Iterable[ast.AST]) -> set[str]:
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    documented = [node for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    return texts - {node.value.value for node in documented if isinstance(node.value, ast.Constant)}


def test_functions_are_short() -> None:
    assert {name for one in modules() for name, lines, _ in one.functions if lines > LONGEST_FUNCTION} == LONG_FUNCTIONS


def test_functions_take_few_parameters() -> None:
    found = {name for one in modules() for name, _, count in one.functions if count > MOST_PARAMETERS}
    assert found == MANY_PARAMETERS


def test_a_fact_has_one_class() -> None:
    """Of two classes that share most of their fields one goes, is the base of the other, or is held by it."""
    classes = [
        (name, fields)
        for module in (*modules(), *modules("cli"))
        for name, fields in module.fields
        if len(fields) >= LEAST_SHARED
    ]
    found = {
        (min(one, other), max(one, other))
        for (one, left), (other, right) in combinations(classes, 2)
        if len(left & right) >= max(LEAST_SHARED, SHARED_PART * len(left | right))
    }
    assert found == ALIKE.keys() | ALIKE_IN_RECORDS
    assert len(ALIKE) <= MOST_ALIKE


def test_typed_dicts_are_states_of_graphs() -> None:
    """What is written and read is a `Record`, which checks what it reads."""
    everywhere = (*modules(), *modules("cli"))
    found = {module.path: set(module.typed_dicts) for module in everywhere if module.typed_dicts}
    assert found == TYPED_DICTS


def test_folders_hold_about_fifteen_modules() -> None:
    held = Counter(Path(one.path).parent.as_posix() for one in modules() if not one.path.endswith("__init__.py"))
    assert {folder for folder, number in held.items() if number > MOST_MODULES} == LARGE_FOLDERS


def test_the_top_level_is_seen_at_a_glance() -> None:
    paths = [Path(one.path) for one in modules()]
    assert len({path.parts[0] for path in paths if len(path.parts) > 1}) <= MOST_FOLDERS
    modules_on_top = {path.name for path in paths if len(path.parts) == 1}
    assert modules_on_top >= PUBLIC_PATHS
    assert len(modules_on_top - PUBLIC_PATHS) <= MOST_TOP_MODULES


def test_features_import_no_feature_but_for_few_named_exceptions() -> None:
    """`lint-imports` holds the contract; here stands that it covers every feature and how much it lets through."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    contract = next(one for one in contracts if one["type"] == "independence")
    assert contract["modules"] == ["tradingagents.features.*"]
    assert len(contract["ignore_imports"]) <= MOST_EXCEPTIONS


def test_tests_mirror_the_library() -> None:
    """Each folder of tests of a package, and each of a feature, has the name of what it tests."""
    for folder, tested in ((ROOT / "tests", "tradingagents"), (ROOT / "tests/features", "tradingagents/features")):
        found = {path.parent.name for path in folder.glob("*/__init__.py")}
        assert found - {path.name for path in (ROOT / tested).iterdir()} <= TESTS_OF_THE_WHOLE


@pytest.mark.parametrize("package", ["tradingagents", "cli"])
def test_no_modules_import_each_other(package: str) -> None:
    """Imports of types and within functions count; packages' `__init__` files only hand names on."""
    files = {module.path.removesuffix(".py").replace("/", "."): module for module in modules(package)}
    imports = {
        module.path: {
            files[name].path for full in module.imported if (name := full.removeprefix(f"{package}.")) in files
        }
        for module in files.values()
        if "__init__" not in module.path
    }
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


def test_nobody_branches_on_the_kind_of_a_run() -> None:
    known = set(kind_names())
    assert {one.path for one in modules() if one.compared & known} == BRANCHES_ON_KINDS


def test_the_offline_analysts_read_no_text() -> None:
    readers = {"re", "regex", "markdown"}
    found = {
        (one.path, name)
        for one in modules()
        if one.path.startswith("offline/") or re.match(r"features/\w+/rules\b", one.path)
        for name in one.imported
        if name in readers or name.endswith(".parse_number")
    }
    assert found == set()


def test_names_of_agents_stand_in_their_own_files() -> None:
    names = {spec.name for spec in roster().every} - {"Trader"}  # a word of its own
    found = {one.path: one.literals & names for one in modules() if not re.match(r"(features/\w+/)?agents/", one.path)}
    assert {path: some for path, some in found.items() if some} == {}


def test_packages_are_declared_as_they_are_imported() -> None:
    """A package that only another one brings may go with any version of it; one that nobody imports is dead weight."""
    imported = {name.partition(".")[0] for one in (*modules(), *modules("cli")) for name in one.imported}
    distributions = packages_distributions()
    providers = {
        module: {_canonical(one) for one in distributions.get(module, [module])}  # what is not installed: by its name
        for module in imported - {"tradingagents", "cli", *sys.stdlib_module_names}
    }
    declared = _declared()
    assert {module for module, names in providers.items() if not names & declared} == set()
    assert declared - {name for names in providers.values() for name in names} == set()


def _declared() -> set[str]:
    """Return the packages that `pyproject.toml` names as dependencies or in extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = (one for group in project["optional-dependencies"].values() for one in group)
    return {_canonical(one) for one in (*project["dependencies"], *extras)}


def _canonical(requirement: str) -> str:
    """Return the name of a requirement, spelled as all spellings of it are compared."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


def test_sqlite_files_are_opened_in_one_place() -> None:
    """What opens one elsewhere would choose its own durability and patience."""
    opening = re.compile(r"sqlite3\.connect\(|PRAGMA (synchronous|journal_mode)")
    files = [*(ROOT / "tradingagents").rglob("*.py"), *(ROOT / "cli").rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in files if opening.search(path.read_text("utf-8"))}
    assert found == {"tradingagents/files/sqlite_file.py"}


def test_something_reaches_every_name() -> None:
    """What only tests mention is deleted with its tests, or given to somebody; a name that is used elsewhere hides."""
    everywhere = (*modules(), *modules("cli"))
    mentioned = {name for one in everywhere for name in one.mentioned}
    found = {f"{one.path}:{name}" for one in everywhere for name in one.defined - mentioned if not name.endswith("__")}
    factories = {name for name in found if name.startswith("agents/") and ":create_" in name}  # documented
    # Found by registries, which look through these modules.
    collected = {name for name in found if re.match(r"(features|graph|service)/\w+/(\w+_)?kind\.py:", name)}
    assert found - factories - collected == FOR_CALLERS
