"""Every error of the library has a status, and a client raises the class that the server's library raised."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import tradingagents
from tradingagents import errors
from tradingagents.errors import (
    AwaitingApproval,
    BadSymbol,
    NoData,
    RateLimited,
    ServerFailure,
    ServerUnreachable,
    TradingAgentsError,
    UsageError,
    error_code,
)
from tradingagents.runtime.runs.run_folder import NoSuchRun, RunBusy
from tradingagents.service.client.errors import class_of, error_of
from tradingagents.service.http.errors import STATUSES, ErrorBody, Sanitizer, error_body, error_headers, status_of

PACKAGE = Path(tradingagents.__file__).parent
ERRORS = {name for name, one in vars(errors).items() if isinstance(one, type)}
SANITIZER = Sanitizer(Path("/srv/home"), {})


def subclasses(kind: type[TradingAgentsError]) -> Iterator[type[TradingAgentsError]]:
    for child in kind.__subclasses__():
        if child.__module__.startswith("tradingagents"):
            yield child
            yield from subclasses(child)


def modules_with_errors() -> list[str]:
    """Return the modules in which a class may be defined below an error of the library, by their source."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        if "exit_code" in text or "tradingagents.errors import" in text:
            classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
            if any(isinstance(base, ast.Name) and base.id in ERRORS for one in classes for base in one.bases):
                found.append(".".join(("tradingagents", *path.relative_to(PACKAGE).with_suffix("").parts)))
    return found


def test_every_class_has_a_status_and_comes_back_as_itself() -> None:
    for name in modules_with_errors():
        import_module(name)
    kinds = [TradingAgentsError, *subclasses(TradingAgentsError)]
    assert set(STATUSES) <= {kind.__name__ for kind in kinds}
    assert len({error_code(kind) for kind in kinds}) == len(kinds)
    assert len(kinds) > 40
    for kind in kinds:
        raised = kind.__new__(kind)
        Exception.__init__(raised, "What happened; what to do.")
        assert 400 <= status_of(raised) < 600
        body = error_body(raised, "r1", SANITIZER)
        back = error_of(ErrorBody.model_validate_json(body.model_dump_json()).model_dump())
        assert type(back) is kind
        assert str(back).startswith("What happened; what to do.")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (BadSymbol("x"), 400),
        (NoSuchRun("x"), 404),
        (RunBusy("x"), 409),
        (NoData("x"), 404),
        (RateLimited("x", retry_after=2.2), 429),
        (AwaitingApproval("x", run_id="r"), 409),
        (ServerFailure("x"), 500),
    ],
)
def test_statuses(error: TradingAgentsError, status: int) -> None:
    assert status_of(error) == status


def test_details_travel() -> None:
    limited = RateLimited("Wait.", retry_after=2.2, asked=False)
    assert error_headers(limited) == {"Retry-After": "2"}
    back = error_of(error_body(limited, "r1", SANITIZER).model_dump())
    assert isinstance(back, RateLimited)
    assert (back.retry_after, back.asked) == (2.2, False)
    waiting = error_of(error_body(AwaitingApproval("Approve.", run_id="r9"), "r1", SANITIZER).model_dump())
    assert isinstance(waiting, AwaitingApproval)
    assert waiting.run_id == "r9"


def test_an_error_of_a_newer_server_is_the_nearest_that_is_known() -> None:
    new = "tradingagents.errors.NeverHeardOf"
    newer = {"error": {"code": "never_heard_of", "message": "New.", "exit_code": 2, "python_class": new}}
    assert type(error_of(newer)) is UsageError


@pytest.mark.parametrize(
    "name", ["os.system", "tradingagents.settings.Settings", "tradingagents.no.such", "tradingagents..errors.X", 7, ""]
)
def test_a_server_cannot_name_any_class(name: object) -> None:
    assert class_of(name) is None


@pytest.mark.parametrize("body", [{}, {"error": "x"}, {"error": {"code": 7}}, {"detail": "Not Found"}])
def test_what_is_no_error_of_ours_is_no_server_of_ours(body: dict[str, object]) -> None:
    assert isinstance(error_of(body), ServerUnreachable)
