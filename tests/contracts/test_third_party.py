"""Private names of third-party packages: none beside the list, and each of the list is as the product relies on."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage
from pydantic import SecretStr

import cli
import tradingagents
from tests.contracts.third_party import ALLOWED, PrivateName

ROOT = Path(tradingagents.__file__).parent.parent
OURS = ("tradingagents", "cli")
SOURCES = [path for package in OURS for path in sorted((ROOT / package).rglob("*.py"))]
NOT_THIRD_PARTY = (*OURS, *sys.stdlib_module_names, "pydantic")
NAMED_TUPLE = frozenset({"_asdict", "_fields", "_make", "_replace"})
"""Public: Python documents them for named tuples, with an underscore so that they cannot clash with a field."""
Use = tuple[str, str]
"""File and name."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in NAMED_TUPLE


def defined_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that a module defines: functions, classes, variables, attributes."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def used_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield private names that a module imports from other packages, reads off objects, or asks for by `getattr`."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] not in OURS:
            yield from filter(is_private, (*(node.module or "").split("."), *(one.name for one in node.names)))
        elif isinstance(node, ast.Import):
            yield from (part for one in node.names for part in one.name.split(".") if is_private(part))
        elif isinstance(node, ast.Attribute) and is_private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in sys.stdlib_module_names):
                yield node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "setattr"):
            name = node.args[1]
            if isinstance(name, ast.Constant) and is_private(str(name.value)):
                yield str(name.value)


@dataclass(frozen=True)
class Names:
    """The names in a file, or in a class of it."""

    defined: frozenset[str]
    used: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    """Attributes of `self`."""
    private: tuple[str, ...] = ()
    """What `private_reads` yields."""


@pytest.fixture(scope="module")
def names() -> dict[str, Names]:
    """The names in each file: all are parsed once, which takes seconds, and no tree stays."""
    return {path.relative_to(ROOT).as_posix(): names_of(path) for path in SOURCES}


def names_of(path: Path) -> Names:
    """Return the names in a file; no tree stays."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    return Names(frozenset(defined_in(nodes)), frozenset(used_in(nodes)), private=tuple(private_reads(nodes)))


@cache
def classes_of(path: Path) -> dict[str, Names]:
    """Return the names in each class of a file, by qualified name: of the few files that derive from other packages."""
    tree = ast.parse(path.read_text("utf-8"))
    return {name: Names(frozenset(defined_in(ast.walk(one))), read=_read(one)) for name, one in _classes(tree)}


def _classes(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, child
            yield from _classes(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(child, f"{prefix}{child.name}.<locals>.")
        elif isinstance(child, ast.stmt):
            yield from _classes(child, prefix)


def _read(one: ast.ClassDef) -> frozenset[str]:
    return frozenset(
        node.attr
        for node in ast.walk(one)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    )


def uses_by_name(names: Mapping[str, Names]) -> set[Use]:
    """Return the private names used that no module of ours defines."""
    ours = frozenset().union(*(one.defined for one in names.values()))
    return {(file, name) for file, one in names.items() for name in one.used - ours}


def uses_by_class() -> set[Use]:
    """Return the private names of third-party bases that classes of ours override or use."""
    for package in (tradingagents, cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(("__main__", ".anthropic")):
                importlib.import_module(module.name)
    found = set()
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in OURS:
            for one in vars(module).values():
                if inspect.isclass(one) and one.__module__ == name:
                    found |= {(_file_of(name), private) for private in _inherited(one)}
    return found


def _file_of(module: str) -> str:
    file = sys.modules[module].__file__
    assert file is not None
    return Path(file).relative_to(ROOT).as_posix()


def _inherited(one: type) -> Iterator[str]:
    """Yield the private names of third-party bases that a class overrides, or reads off itself."""
    bases = [base for base in one.__mro__ if base.__module__.split(".")[0] not in NOT_THIRD_PARTY]
    if not bases:
        return
    own = {name for name, value in vars(one).items() if is_private(name) and (callable(value) or _is_descriptor(value))}
    yield from (name for name in own if any(name in vars(base) for base in bases))
    written = [_names(base) for base in one.__mro__ if base.__module__.split(".")[0] in OURS]
    ours = {name for base in written for name in base.defined} | set(getattr(one, "__private_attributes__", ()))
    yield from (name for name in _names(one).read if is_private(name) and name not in ours)


def _names(one: type) -> Names:
    return classes_of(ROOT / _file_of(one.__module__))[one.__qualname__]


def _is_descriptor(value: object) -> bool:
    return isinstance(value, property | classmethod | staticmethod)


def test_no_private_name_is_used_that_is_not_on_the_list(names: dict[str, Names]):
    listed = {(file, one.name) for one in ALLOWED for file in one.files}
    assert sorted((uses_by_name(names) | uses_by_class()) - listed) == []


def test_no_entry_of_the_list_is_stale():
    for one in ALLOWED:
        for file in one.files:
            assert one.name in (ROOT / file).read_text(), (file, one.name)


def private_reads(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield private names that a module imports from third-party packages, or reads off what it imported from them.

    It sees imports and chains of attributes that begin with an imported name. It cannot see what is read off objects
    (`client._session`), what `getattr` reads by a name that is worked out, and methods that a class of ours overrides:
    the list in `third_party.py` holds those that are known.
    """
    imported = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level and _is_third_party(node.module or ""):
            named = [f"{node.module}.{one.name}" for one in node.names]
            imported |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.Import):
            named = [one.name for one in node.names if _is_third_party(one.name)]
            imported |= {one.asname or one.name.split(".")[0] for one in node.names if _is_third_party(one.name)}
        else:
            continue
        yield from (name for name in named if any(map(is_private, name.split("."))))
    for node in nodes:
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            root: ast.expr = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in imported:
                yield ast.unparse(node)


def _is_third_party(module: str) -> bool:
    return module.split(".")[0] not in (*OURS, *sys.stdlib_module_names)


def test_no_private_name_is_imported_or_read_off_what_is_imported(names: dict[str, Names]):
    assert [(file, name) for file, found in names.items() for name in found.private] == []


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from x.base import _handle", ["x.base._handle"]),
        ("import x._base", ["x._base"]),
        ("import x as y\ny.chat._send()", ["y.chat._send"]),
        ("from x import Model\nModel._create(1)", ["Model._create"]),
        ("import os\nos._exit(0)", []),
        ("from tradingagents import _own\nfrom . import _other", []),
        ("from x import Model\nModel().__class__\nself._own", []),
    ],
)
def test_a_private_name_of_a_package_is_found(code: str, names: list[str]):
    assert list(private_reads([*ast.walk(ast.parse(code))])) == names


def test_a_name_that_is_not_listed_is_found():
    tree = ast.parse("import x\nfrom y._z import _w\nx.y._private\ngetattr(x, '_hidden')\nos._exit\nself.__dunder__")
    assert sorted(used_in(ast.walk(tree))) == ["_hidden", "_private", "_w", "_z"]


# What is relied on

CONTRACTS: dict[tuple[str, str], Callable[[], None]] = {}


def contract(package: str, *names: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def register(test: Callable[[], None]) -> Callable[[], None]:
        CONTRACTS.update({(package, name): test for name in names})
        return test

    return register


def _chat_openai() -> Any:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model="gpt-4o-mini", api_key=SecretStr("none"), base_url="http://127.0.0.1:9/v1")


@contract("langchain-core", "_llm_type", "_generate", "_agenerate", "_stream", "_astream")
def _a_chat_model_is_defined_by_these() -> None:
    from langchain_core.language_models.chat_models import BaseChatModel

    assert isinstance(inspect.getattr_static(BaseChatModel, "_llm_type"), property)
    for name in ("_generate", "_agenerate", "_stream", "_astream"):
        assert list(inspect.signature(getattr(BaseChatModel, name)).parameters) == [
            *("self", "messages", "stop", "run_manager", "kwargs"),
        ]
    assert _chat_openai()._llm_type == "openai-chat"


@contract("langchain-openai", "_get_request_payload")
def _the_payload_is_the_body_of_a_chat_completion() -> None:
    model = _chat_openai()
    payload = model._get_request_payload([HumanMessage("hi")], stop=None)
    assert payload["messages"] == [{"role": "user", "content": "hi"}]
    assert payload["model"] == "gpt-4o-mini"


@contract("langchain-openai", "_create_chat_result")
def _an_answer_is_read_from_plain_json() -> None:
    message = {"role": "assistant", "content": "yes"}
    answer = {"model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": None}
    result = _chat_openai()._create_chat_result(answer)
    assert [one.message.text for one in result.generations] == ["yes"]
    with pytest.raises((TypeError, KeyError)):
        _chat_openai()._create_chat_result({"no": "choices"})


@contract("langchain-openai", "_convert_chunk_to_generation_chunk")
def _a_piece_of_a_stream_is_read_from_plain_json() -> None:
    chunk = {"model": "m", "choices": [{"index": 0, "delta": {"content": "y"}, "finish_reason": None}]}
    read = _chat_openai()._convert_chunk_to_generation_chunk(chunk, AIMessageChunk, None)
    assert read.message.text == "y"


@contract("langchain-anthropic", "_client", "_async_client")
def _the_clients_are_made_when_first_used_and_take_another_http_client() -> None:
    anthropic = pytest.importorskip("anthropic")
    from langchain_anthropic import ChatAnthropic

    model = ChatAnthropic(model="m", api_key=SecretStr("none"))
    for name, client in (
        ("_client", anthropic.DefaultHttpxClient()),
        ("_async_client", anthropic.DefaultAsyncHttpxClient()),
    ):
        assert type(inspect.getattr_static(ChatAnthropic, name)).__name__ == "cached_property"
        assert getattr(model, name).with_options(http_client=client)._client is client


@contract("alpha_vantage", "_handle_api_call", "_append_type")
def _every_call_of_alpha_vantage_goes_through_one_method() -> None:
    from alpha_vantage.timeseries import TimeSeries

    asked = []

    class Own(TimeSeries):  # type: ignore[misc]
        def _handle_api_call(self, url: str) -> Any:
            asked.append(url)
            return {"Meta Data": {}, "Time Series (Daily)": {"2025-03-14": {"4. close": "1"}}}

    client = Own(key="none", output_format="json")
    client._append_type = False
    data, _ = client.get_daily("IBM", outputsize="compact")
    assert data == {"2025-03-14": {"4. close": "1"}}
    assert "function=TIME_SERIES_DAILY" in asked[0]
    assert "datatype" not in asked[0]


@contract("finnhub-python", "_session")
def _finnhub_asks_through_a_session_of_requests() -> None:
    import finnhub
    import requests

    client = finnhub.Client(api_key="none")
    assert isinstance(client._session, requests.Session)
    assert client._session.params == {"token": "none"}
    client.api_key = None
    prepared = client._session.prepare_request(requests.Request("GET", "http://127.0.0.1/"))
    assert prepared.url == "http://127.0.0.1/"


@contract("rank-bm25", "_calc_idf")
def _the_inverse_document_frequency_is_worked_out_once_from_the_documents() -> None:
    from rank_bm25 import BM25Okapi

    class Own(BM25Okapi):  # type: ignore[misc]
        def _calc_idf(self, nd: dict[str, int]) -> None:
            self.idf = dict.fromkeys(nd, 2.0)

    index = Own([["a", "b"], ["c"]])
    assert index.idf == {"a": 2.0, "b": 2.0, "c": 2.0}
    assert index.get_scores(["a"])[1] == 0.0 < index.get_scores(["a"])[0]


@contract("blockbuster", "_skip")
def _the_guard_is_switched_off_for_a_thread() -> None:
    blockbuster = pytest.importorskip("blockbuster.blockbuster")
    assert isinstance(blockbuster._skip, threading.local) or hasattr(blockbuster._skip, "get")


SET_BY_INIT = ("_session", "_append_type")
"""Attributes of instances; their contracts see them."""


@pytest.mark.parametrize("one", ALLOWED, ids=lambda one: f"{one.package}:{one.name}")
def test_a_private_name_is_as_the_product_relies_on(one: PrivateName):
    CONTRACTS[one.package, one.name]()
    module, _, owner = one.owner.partition(":")
    found = pytest.importorskip(module)
    assert hasattr(found, one.name) if not owner else one.name in dir(getattr(found, owner)) or one.name in SET_BY_INIT


def test_every_package_of_the_list_has_a_version_range():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = [
        *project["project"]["dependencies"],
        *(line for lines in project["project"]["optional-dependencies"].values() for line in lines),
    ]
    for package in {one.package for one in ALLOWED} - {
        "blockbuster"
    }:  # it comes with LangGraph's server, or not at all
        line = next(line for line in named if line.startswith(package + ">"))
        assert ",<" in line, f"{line}: a package whose private names are used needs an upper bound"
