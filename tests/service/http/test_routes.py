"""Every route of a real server, by a plain HTTP client and by ours."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import httpx
import pytest

from tests.service.conftest import DAY, TICKER
from tests.support.server_process import TOKEN, ServerProcess
from tradingagents.errors import (
    AccessRefused,
    BadDate,
    NotFound,
    RequestTooLarge,
    ServerUnreachable,
    UsageError,
)
from tradingagents.features.dossier.archive import root_of
from tradingagents.schemas.workspace import SessionDefaults, TaskEvent, TaskInfo, ViewContext
from tradingagents.service.client import AsyncClient, Client
from tradingagents.service.http.app import openapi_document
from tradingagents.service.workspace.runs import FOLDER_SETTINGS
from tradingagents.settings import Settings

SCRIPT = "<script>alert(1)</script> & Co"
ELSEWHERE = (
    *("..", "../..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%2Fetc%2Fpasswd", "a/../../b", "a%00b", "a%0ab"),
    *(".hidden", "a..b", "-rf", "C:\\x", "x" * 300, "\u202eabc", "%ff"),
)


def error_of(response: httpx.Response) -> dict[str, Any]:
    assert response.headers["content-type"] == "application/json"
    told: dict[str, Any] = response.json()["error"]
    assert set(told) == {"code", "message", "exit_code", "request_id", "python_class", "details"}
    return told


def stream(http: httpx.Client, task_id: str, **headers: str) -> list[TaskEvent]:
    """Return the events of a whole stream, whose frames must be as documented."""
    with http.stream("GET", f"/v1/tasks/{task_id}/events", headers=headers) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        text = response.read().decode()
    frames = text.split("\n\n")
    assert frames[-2:] == [": end", ""]
    found = []
    for frame in frames[:-2]:
        number, event, data = (line.partition(": ")[2] for line in frame.split("\n"))
        found.append(TaskEvent.model_validate_json(data))
        assert (str(found[-1].seq), found[-1].type) == (number, event)
    return found


def test_health_needs_no_token_and_everything_else_does(server: ServerProcess) -> None:
    with httpx.Client(base_url=server.address, trust_env=False) as nobody:
        assert nobody.get("/v1/health").json()["status"] == "ok"
        assert nobody.get("/").headers["content-type"].startswith("text/html")
        for method, path in (
            *(
                ("GET", "/v1/settings"),
                ("GET", "/v1/openapi.json"),
                ("POST", "/v1/tasks"),
                ("DELETE", "/v1/sessions/x"),
            ),
            *(("GET", "/agents.json"), ("POST", "/query"), ("POST", "/v1/agui"), ("GET", "/v1/tasks/x/events")),
        ):
            assert nobody.request(method, path).status_code == 401, path


def test_the_described_interface_is_the_one_of_the_reference(http: httpx.Client) -> None:
    assert http.get("/v1/openapi.json").json() == json.loads(json.dumps(openapi_document()))


def test_settings_offer_choices_and_no_secret(http: httpx.Client, client: Client, server: ServerProcess) -> None:
    text = http.get("/v1/settings").text
    assert TOKEN not in text
    assert str(server.home) not in text
    assert TICKER in client.choices().tickers


def test_capabilities_are_listed_described_and_answered(http: httpx.Client, client: Client) -> None:
    listed = client.capabilities()
    assert len({one.name for one in listed}) == len(listed) > 40
    described = http.get("/v1/capabilities/get_fundamentals").json()
    assert described == next(one for one in listed if one.name == "get_fundamentals").model_dump(mode="json")
    alias = next((alias, one.name) for one in listed for alias in one.aliases)
    assert http.get(f"/v1/capabilities/{alias[0]}").json()["name"] == alias[1]
    body = {"arguments": {"ticker": TICKER}, "as_of": DAY}
    answer = http.post("/v1/capabilities/get_fundamentals", json=body).json()
    assert (answer["capability"], answer["symbol"], answer["as_of"]) == ("get_fundamentals", TICKER, DAY)
    assert client.invoke("get_fundamentals", {"ticker": TICKER}, as_of=DAY).model_dump(mode="json") == answer


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"arguments": {}}, 400, "usage_error"),
        ({"arguments": {"ticker": TICKER, "more": 1}}, 400, "usage_error"),
        ({"arguments": {"ticker": "../x"}, "as_of": DAY}, 400, "bad_symbol"),
        ({"arguments": {"ticker": TICKER}, "as_of": "2999-01-01"}, 400, "bad_date"),
        ({"arguments": {"ticker": TICKER}, "as_of": "x" * 100}, 400, "usage_error"),
        ({"arguments": {"ticker": TICKER}, "as_of": DAY, "session_id": "s-none"}, 404, "no_such_session"),
        ({"arguments": {"ticker": TICKER}, "unknown": 1}, 400, "usage_error"),
        ({"arguments": {"ticker": "ZZZZ"}, "as_of": DAY}, 404, "no_data"),
        ([], 400, "usage_error"),
        (None, 400, "usage_error"),
    ],
)
def test_wrong_calls_are_explained(http: httpx.Client, body: Any, status: int, code: str) -> None:
    response = http.post("/v1/capabilities/get_fundamentals", json=body)
    told = error_of(response)
    assert (response.status_code, told["code"]) == (status, code), told
    assert told["message"].endswith((".", "…"))


def test_bodies_that_are_no_json_are_refused(http: httpx.Client) -> None:
    path = "/v1/capabilities/get_fundamentals"
    plain = http.post(path, content='{"arguments": {"ticker": "VELQ"}}', headers={"Content-Type": "text/plain"})
    assert (plain.status_code, error_of(plain)["code"]) == (400, "usage_error")
    assert http.post(path, content="{", headers={"Content-Type": "application/json"}).status_code == 400
    large = http.post(path, json={"arguments": {"ticker": "x" * 1_100_000}})
    assert (large.status_code, error_of(large)["code"]) == (413, "request_too_large")


def test_an_analysis_runs_as_a_task(http: httpx.Client, client: Client, analysis: TaskInfo) -> None:
    assert analysis.status == "done", analysis.error
    assert analysis.result is not None
    assert analysis.result["action"] in ("BUY", "SELL", "HOLD")
    assert http.get(f"/v1/tasks/{analysis.task_id}").json() == analysis.model_dump(mode="json")
    assert analysis.task_id in [one["task_id"] for one in http.get("/v1/tasks", params={"limit": 500}).json()]
    assert "analyze" in [one.kind for one in client.task_kinds()]
    assert client.cancel_task(analysis.task_id).status == "done", "a finished task stays as it is"
    with pytest.raises(UsageError):
        client.resume_task(analysis.task_id)


def test_events_are_numbered_and_continue_after_any_of_them(http: httpx.Client, analysis: TaskInfo) -> None:
    events = stream(http, analysis.task_id)
    assert [one.seq for one in events] == list(range(len(events)))
    assert len(events) > 30
    assert stream(http, analysis.task_id, **{"Last-Event-ID": "20"}) == events[21:]
    after = http.get(f"/v1/tasks/{analysis.task_id}/events", params={"after": events[-1].seq})
    assert (after.status_code, after.content) == (204, b"")
    wrong = http.get(f"/v1/tasks/{analysis.task_id}/events", headers={"Last-Event-ID": "seven"})
    assert (wrong.status_code, error_of(wrong)["code"]) == (400, "usage_error")


def test_the_run_of_a_task_has_a_card_events_and_reports(
    http: httpx.Client, client: Client, analysis: TaskInfo, server: ServerProcess
) -> None:
    (run_id,) = analysis.run_ids
    assert run_id in [row["run_id"] for row in client.runs(limit=500)]
    card = client.run(run_id)
    assert card["ticker"] == TICKER
    assert str(server.home) not in json.dumps(card)
    assert client.run_events(run_id, after=3)[0]["seq"] == 4
    nested = next(name for name in card["report_files"] if "/" in name)
    assert client.run_report(run_id, nested)
    exported = http.get(f"/v1/runs/{run_id}/export/pdf")
    assert (exported.headers["content-type"], exported.content[:5]) == ("application/pdf", b"%PDF-")
    assert exported.content == client.export_run(run_id, "pdf")
    assert client.export_run(run_id, "xlsx")[:2] == b"PK"
    assert http.get(f"/v1/runs/{run_id}/export/doc").status_code == 404
    sealed = http.get(f"/v1/runs/{run_id}/dossier", timeout=120)
    assert sealed.headers["content-disposition"] == f'attachment; filename="{run_id}.dossier"'
    assert len(root_of(sealed.content)) == 64
    assert sealed.content == client.seal_run(run_id)
    assert http.get("/v1/runs/20250101T000000Z-NONE-2025-01-01-000000/dossier").status_code == 404
    compared = http.get(f"/v1/runs/{run_id}/changes/{run_id}", params={"format": "md"})
    assert "is no deep report" in compared.text
    assert compared.is_client_error
    report = http.get(f"/v1/runs/{run_id}/reports/complete_report.md")
    assert report.headers["content-type"] == "text/markdown; charset=utf-8"
    assert report.headers["content-disposition"] == 'attachment; filename="complete_report.md"'
    page = http.get(f"/v1/runs/{run_id}/reports/report.html")
    assert page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert page.headers["x-content-type-options"] == "nosniff"


def test_every_setting_that_names_a_folder_is_left_out_of_cards() -> None:
    folders = {
        name for name, one in Settings.model_fields.items() if Path in (one.annotation, *get_args(one.annotation))
    }
    assert folders == FOLDER_SETTINGS


def test_nothing_that_is_served_names_a_folder_of_the_machine(
    http: httpx.Client, analysis: TaskInfo, server: ServerProcess
) -> None:
    chart = http.post("/v1/capabilities/open_chart", json={"arguments": {"symbols": TICKER}, "as_of": DAY})
    texts = {"chart": chart.text}
    (run_id,) = analysis.run_ids
    for path in (
        *("/v1/tasks", f"/v1/tasks/{analysis.task_id}", f"/v1/tasks/{analysis.task_id}/events", "/v1/task-kinds"),
        *("/v1/runs", f"/v1/runs/{run_id}", f"/v1/runs/{run_id}/events", "/v1/artifacts", "/v1/sessions"),
        *("/v1/settings", "/v1/capabilities", "/v1/openapi.json", "/agents.json"),
    ):
        texts[path] = http.get(path).text
    folders = {str(server.home), str(server.account)}
    assert {path for path, text in texts.items() if any(folder in text for folder in folders)} == set()


def test_a_chart_is_an_artifact(http: httpx.Client, client: Client) -> None:
    session = client.create_session(title="charts")
    answer = client.invoke("open_chart", {"symbols": TICKER}, as_of=DAY, session_id=session.session_id)
    assert answer.artifacts
    listed = client.artifacts(session_id=session.session_id)
    assert [one.artifact_id for one in listed] == list(answer.artifacts) or set(answer.artifacts) == {
        one.artifact_id for one in listed
    }
    info = client.artifact(answer.artifacts[0])
    content = http.get(f"/v1/artifacts/{info.artifact_id}/content")
    assert (content.status_code, len(content.content)) == (200, info.size)
    assert content.headers["content-security-policy"].startswith("sandbox")
    assert content.headers["content-disposition"].startswith("attachment")
    assert client.artifact_content(info.artifact_id) == content.content


def test_sessions_are_created_changed_listed_and_deleted(http: httpx.Client, client: Client) -> None:
    made = client.create_session(title=SCRIPT, defaults=SessionDefaults(depth="deep"))
    view = ViewContext(symbols=(TICKER,), page="run")
    changed = client.update_session(made.session_id, title=f"{SCRIPT} 2", view=view)
    assert (changed.title, changed.view, changed.defaults.depth) == (f"{SCRIPT} 2", view, "deep")
    response = http.get("/v1/sessions", params={"limit": 500})
    assert response.headers["content-type"] == "application/json"
    assert f"{SCRIPT} 2" in [one["title"] for one in response.json()]
    assert client.session(made.session_id) == changed
    seen = client.invoke("current_view_context", {}, session_id=made.session_id)
    assert seen.result["symbols"] == [TICKER]
    assert client.transcript(made.session_id) == ()
    client.delete_session(made.session_id)
    with pytest.raises(NotFound):
        client.session(made.session_id)
    assert http.delete(f"/v1/sessions/{made.session_id}").status_code == 404


@pytest.mark.parametrize("name", ELSEWHERE)
def test_no_id_leads_elsewhere(server: ServerProcess, name: str) -> None:
    for place in ("tasks", "sessions", "artifacts", "runs", "capabilities", "runs/x/reports", "artifacts/x"):
        assert status_of(server, f"/v1/{place}/{name}") in (404, 414), place
    for path in (f"/v1/tasks/{name}/events", f"/v1/sessions/{name}/transcript", f"/v1/artifacts/{name}/content"):
        assert status_of(server, path) in (404, 414), path
    assert status_of(server, f"/static/{name}") in (404, 414)
    assert status_of(server, f"/v1/tasks?session_id={name}") == 400


def status_of(server: ServerProcess, path: str) -> int:
    """Ask for an address exactly as it is written: other clients resolve its dots."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    with closing(connection):
        target = "".join(sign if "!" <= sign <= "~" else quote(sign) for sign in path)
        connection.request("GET", target, headers={"Authorization": f"Bearer {TOKEN}"})
        response = connection.getresponse()
        assert b"root:" not in response.read()
        return response.status


@pytest.mark.parametrize("name", ["..", "../..", "/etc/passwd", "", "a/b", "x\0y"])
async def test_our_client_cannot_be_led_elsewhere_either(server: ServerProcess, name: str) -> None:
    async with server.async_client() as client:
        for asked in (client.task, client.session, client.artifact, client.run):
            with pytest.raises(NotFound):
                await asked(name)
        with pytest.raises(NotFound):
            await anext(client.task_events(name))


def test_unknown_addresses_and_methods_have_the_same_body(http: httpx.Client) -> None:
    assert error_of(http.get("/v1/nothing"))["code"] == "not_found"
    wrong = http.put("/v1/tasks")
    assert (wrong.status_code, error_of(wrong)["code"]) == (405, "usage_error")
    assert http.get("/docs").status_code == 404


def test_the_client_raises_what_the_library_raises(client: Client, server: ServerProcess) -> None:
    with pytest.raises(BadDate):
        client.invoke("get_fundamentals", {"ticker": TICKER}, as_of="2999-01-01")
    with pytest.raises(NotFound):
        client.invoke("no_such_capability", {})
    with pytest.raises(UsageError):
        client.start_task("no_such_kind", {})
    with pytest.raises(RequestTooLarge):
        client.invoke("get_fundamentals", {"ticker": "x" * 1_100_000})
    with Client(server.address, "another-token-than-it-has") as stranger, pytest.raises(AccessRefused):
        stranger.capabilities()


async def test_a_client_without_a_server_says_what_to_do() -> None:
    async with AsyncClient("http://127.0.0.1:9", "some-token-of-a-server") as client:
        with pytest.raises(ServerUnreachable, match="tradingagents serve"):
            await client.capabilities()
    with pytest.raises(AccessRefused, match="TRADINGAGENTS_SERVER_TOKEN"):
        AsyncClient(environ={})
    with pytest.raises(UsageError):
        AsyncClient("ftp://x", "some-token-of-a-server")


async def test_the_printed_address_is_enough_for_a_client(server: ServerProcess) -> None:
    async with AsyncClient(f"{server.address}/#token={TOKEN}", environ={}) as client:
        assert await client.task_kinds()


def test_the_log_names_no_token(server: ServerProcess) -> None:
    assert TOKEN not in server.log.read_text()
