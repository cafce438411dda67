"""`tradingagents doctor` as its users run it, with keys, wrong keys and none, against local servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.contracts.sources import finnhub, stocktwits
from tests.support.snapshot_folder import write_snapshot
from tests.support.vendor_server import Reply, Request, VendorServer, vendor_server
from tradingagents.dataflows.interface import METHOD_CATEGORY

SECRET = "SECRET-of-the-doctor-1234"  # noqa: S105 - fictional


@pytest.fixture(autouse=True)
def _no_keys_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EDGAR_IDENTITY", "OPENAI_BASE_URL", "REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET", "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


def examined(run: Command, *arguments: str, **environ: str) -> tuple[int, dict[str, Any]]:
    outcome = run("doctor", "--json", *arguments, **environ)
    assert outcome.err == ""
    return outcome.code, json.loads(outcome.out)


def who(found: dict[str, Any], method: str) -> tuple[str | None, str | None]:
    (row,) = (row for row in found["capabilities"] if row["method"] == method)
    return row["today"]["vendor"], row["past"]["vendor"]


def state(found: dict[str, Any], vendor: str) -> str:
    (row,) = (row for row in found["vendors"] if row["name"] == vendor)
    return str(row["state"])


def test_without_key_and_network_it_says_what_works_and_what_is_missing(command: Command, home: Path):
    code, found = examined(command, "--no-network")
    assert (code, found["exit_code"], found["network"]) == (3, 3, False)
    assert [(one["command"], one["exit_code"]) for one in found["verdicts"]] == [
        ("analyze", 3),
        ("scan", 3),
        ("chat", 3),
        ("filings", 3),
    ]
    assert "openai needs OPENAI_API_KEY" in found["verdicts"][0]["troubles"][0]
    assert not any(key["is_set"] for key in found["surroundings"]["keys"])
    assert found["surroundings"]["home"] == str(home)
    assert who(found, "get_stock_data") == ("yfinance", "yfinance")
    assert who(found, "get_market_movers") == ("yfinance", None)
    assert who(found, "get_macro_indicators") == (None, None)
    assert (state(found, "yfinance"), state(found, "fred"), state(found, "simulated")) == (
        "not asked",
        "not configured",
        "local",
    )
    (macro,) = (row for row in found["capabilities"] if row["method"] == "get_macro_indicators")
    assert "fred needs FRED_API_KEY" in macro["today"]["trouble"]
    assert macro["today"]["configuration"] is True


def test_offline_everything_works_with_no_key_and_no_network(command: Command):
    code, found = examined(command, "--offline")
    assert code == 0
    assert {tier["state"] for tier in found["models"]} == {"works offline"}
    assert all(verdict["troubles"] == [] for verdict in found["verdicts"])
    answered = {row["method"] for row in found["capabilities"] if who(found, row["method"]) == ("simulated",) * 2}
    assert set(METHOD_CATEGORY) - answered == {"get_fundamentals", "get_reported_facts"}, "computed from statements"


def test_recorded_data_are_asked_for_their_last_day(command: Command, tmp_path: Path):
    write_snapshot(tmp_path)
    chosen = ("--offline", "--data-vendor", "snapshot", "--data-dir", str(tmp_path))
    _, found = examined(command, *chosen)
    assert (found["as_of"], found["recorded_until"]) == ("2025-06-30", "2025-06-30")
    told = " ".join(command("doctor", *chosen, COLUMNS="200").out.split())
    assert "The last recorded day (2025-06-30)" in told
    assert "Today" not in told
    assert "get_holdings for any day: snapshot does not answer it; choose another vendor in tool_vendors." in told


def test_as_text_it_fits_eighty_columns_and_begins_with_the_verdict(command: Command):
    outcome = command("doctor", "--no-network", COLUMNS="80")
    lines = outcome.out.splitlines()
    assert outcome.code == 3
    assert lines[0] == "analyze, scan, chat, filings  would not work"
    assert outcome.out.count("openai needs OPENAI_API_KEY") == 1, "a cause is told once"
    told = " ".join(outcome.out.split())
    assert told.count("fred needs FRED_API_KEY") == told.count("sec_edgar needs EDGAR_IDENTITY") == 1
    assert "get_macro_indicators for any day: as said above." in told
    assert "No key and no network needed: tradingagents analyze VELQ 2025-03-14 --offline" in lines
    assert [
        line for line in lines if len(line.rstrip()) > 80 and "Home" not in line and "pip install" not in line
    ] == []
    assert "Traceback" not in outcome.err


def test_a_wrong_key_is_told_and_shown_nowhere(command: Command, server: VendorServer):
    server.failing = Reply({"error": f"Invalid API key {SECRET}"}, status=401)
    urls = f"finnhub={server.url}"
    environ = {
        "FINNHUB_API_KEY": SECRET,
        "TRADINGAGENTS_VENDOR_URLS": urls,
        "TRADINGAGENTS_DATA_VENDOR": "finnhub",
        "TRADINGAGENTS_LLM_PROVIDER": "offline",
    }
    for form in (["--json"], [], ["--debug"]):
        outcome = command("doctor", *form, **environ)
        assert outcome.code == 3
        assert SECRET not in outcome.out + outcome.err
    code, found = examined(command, **environ)
    assert (code, state(found, "finnhub")) == (3, "refuses the key")
    (key,) = (key for key in found["surroundings"]["keys"] if key["variable"] == "FINNHUB_API_KEY")
    assert key == {
        "variable": "FINNHUB_API_KEY",
        "reader": "finnhub",
        "is_set": True,
        "sign_up": "https://finnhub.io/register",
    }
    assert server.count() > 0


def test_a_vendor_that_answers_is_asked_once_and_one_that_does_not_is_told(command: Command, server: VendorServer):
    with vendor_server() as broken:
        finnhub.SOURCE.fill(server, None)
        broken.failing = Reply({}, status=503)
        environ = {
            **finnhub.SOURCE.environ,
            "TRADINGAGENTS_VENDOR_URLS": f"finnhub={server.url};stocktwits={broken.url}",
            "TRADINGAGENTS_DATA_VENDOR": "finnhub",
            "TRADINGAGENTS_TOOL_VENDORS": "get_social_posts=stocktwits;get_stock_data=simulated",
            "TRADINGAGENTS_LLM_PROVIDER": "offline",
        }
        _, found = examined(command, **environ)
        assert (server.count(), broken.count()) == (1, 1)
    assert (state(found, "finnhub"), state(found, "stocktwits")) == ("answers", "does not answer")
    assert who(found, "get_news") == ("finnhub", "finnhub")
    assert who(found, "get_social_posts")[0] is None
    assert who(found, "get_stock_data") == ("simulated", "simulated")
    assert stocktwits.SOURCE.name == "stocktwits"


def test_prices_that_do_not_come_are_a_matter_of_data(command: Command, server: VendorServer):
    server.failing = Reply({}, status=503)
    code, found = examined(
        command,
        FINANCIAL_DATASETS_API_KEY=SECRET,
        TRADINGAGENTS_VENDOR_URLS=f"alpha_vantage={server.url}",
        ALPHA_VANTAGE_API_KEY=SECRET,
        TRADINGAGENTS_DATA_VENDOR="alpha_vantage",
        TRADINGAGENTS_LLM_PROVIDER="offline",
        TRADINGAGENTS_TOOL_VENDORS="get_sector_performance=simulated;get_market_movers=simulated",
    )
    assert code == 4
    assert "alpha_vantage" in found["verdicts"][0]["troubles"][0]
    assert SECRET not in json.dumps(found)


MODELS = {"data": [{"id": "small"}, {"id": "big"}]}
CALLED = {
    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "EvenNumber", "arguments": '{"even": true}'}}]
}
TYPED = {"content": '{"even": true}'}
PROSE = {"content": "Numbers are a matter of taste."}


def completion(said: dict[str, Any]) -> Reply:
    """A chat completion with one message."""
    message = {"role": "assistant", "content": "", **said}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return Reply({"id": "1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice]})


def served(server: VendorServer, forced: dict[str, Any], by_schema: dict[str, Any], models: Any = MODELS) -> None:
    """Have the server answer a forced tool call, and a JSON schema, with these messages."""

    def answer(request: Request) -> Reply:
        return completion(by_schema if b"response_format" in request.body else forced)

    server.answer("/v1/models", Reply(models))
    server.answer("/v1/chat/completions", answer)


def of_own(server: VendorServer) -> tuple[str, ...]:
    """Arguments that name the server's two models."""
    chosen = ("--llm-provider", "openai_compatible", "--backend-url", f"{server.url}/v1", "--data-vendor", "simulated")
    return (*chosen, "--quick-model", "small", "--deep-model", "big")


@pytest.mark.parametrize(
    ("answer", "state", "code", "words"),
    [
        (Reply(MODELS), "answers", 0, None),
        (Reply({"data": [{"id": "other"}]}), "answers", 0, "does not list small; it lists other"),
        (Reply({}, status=404), "answers", 0, None),
        (Reply("<html>", status=200), "answers", 0, "is it a model server?"),
        (Reply({}, status=401), "refuses the key", 3, "OPENAI_COMPATIBLE_API_KEY"),
        (Reply({}, status=500), "fails", 3, "HTTP 500"),
    ],
)
def test_a_model_server_of_one_s_own_is_asked_for_its_models(
    command: Command,
    server: VendorServer,
    monkeypatch: pytest.MonkeyPatch,
    answer: Reply,
    state: str,
    code: int,
    words: str | None,
):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", SECRET)
    served(server, CALLED, TYPED)
    server.answer("/v1/models", answer)
    ended, found = examined(command, *of_own(server))
    quick = found["models"][0]
    assert (quick["provider"], quick["model"], quick["state"], ended) == ("openai_compatible", "small", state, code)
    assert words is None or words in f"{quick['trouble']} {quick['note']}"
    assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    assert SECRET not in json.dumps(found)


def test_how_a_model_gives_typed_answers_is_tried(command: Command, server: VendorServer):
    served(server, CALLED, TYPED)
    code, found = examined(command, *of_own(server))
    assert (code, found["models"][0]["typed"]) == (0, ["function_calling", "json_schema"])
    assert found["models"][0]["note"] is None
    assert server.count("/v1/chat/completions") == 4, "two methods, two models"

    served(server, PROSE, TYPED)
    code, found = examined(command, *of_own(server))
    assert (code, found["models"][0]["typed"]) == (0, ["json_schema"])
    assert found["models"][0]["note"] == (
        "small gives typed answers by json_schema, not by function_calling; structured_output=json_schema saves the "
        "first attempt of a run."
    )

    served(server, PROSE, PROSE)
    code, found = examined(command, *of_own(server))
    assert code == 3
    assert found["verdicts"][0]["troubles"][0] == (
        "small gives no typed answer (by function_calling: the answer contains no JSON object; by json_schema: the "
        "answer contains no JSON object), so no decision; use a larger model."
    )


@pytest.mark.parametrize(
    ("row", "context"),
    [
        ({"meta": {"n_ctx": 8192}}, 8192),  # llama.cpp
        ({"max_model_len": 8192}, 8192),  # vLLM
        ({}, None),
        ({"max_model_len": "much"}, None),
    ],
)
def test_the_context_of_a_server_tells_what_fits(
    command: Command, server: VendorServer, row: dict[str, Any], context: int | None
):
    served(server, CALLED, TYPED, {"data": [{"id": "small", **row}, {"id": "big"}]})
    code, found = examined(command, *of_own(server))
    assert [one["context"] for one in found["models"]] == [context, context, None]
    works = {one["command"]: one["exit_code"] == 0 for one in found["verdicts"]}
    fits = context is None
    assert works == {"analyze": fits, "filings": True, "scan": fits, "chat": fits}
    assert code == (0 if fits else 3)
    if not fits:
        (said,) = found["verdicts"][1]["troubles"]
        assert said.startswith("scan needs a context of about 13,500 tokens, and small at ")
        assert said.endswith(" has 8,192; start the server with a longer one, or use another model.")


def test_ollama_tells_a_model_s_context(command: Command, server: VendorServer):
    server.answer("/api/tags", Reply({"models": [{"name": "small:latest"}]}))
    server.answer("/api/show", Reply({"model_info": {"general.architecture": "llama", "llama.context_length": 4096}}))
    server.answer("/api/chat", Reply({"message": {"role": "assistant", **TYPED}, "done": True, "done_reason": "stop"}))
    names = ("--quick-model", "small", "--deep-model", "small", "--data-vendor", "simulated")
    code, found = examined(command, "--llm-provider", "ollama", "--backend-url", server.url, *names)
    assert (found["models"][0]["context"], found["models"][0]["typed"]) == (4096, ["json_schema"])
    assert code == 3


def test_a_hosted_model_s_context_is_that_of_the_table(command: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    names = ("--deep-model", "gpt-9", "--data-vendor", "simulated")
    _, found = examined(command, *names)
    assert [one["context"] for one in found["models"]] == [272_000, 272_000, None]
    assert "openai/gpt-9: not in the table of models of" in found["models"][2]["note"]


def test_a_model_server_that_is_not_there_is_told_with_the_way_out(command: Command):
    chosen = ("--llm-provider", "openai_compatible", "--backend-url", "http://127.0.0.1:1/v1", "--quick-model", "m")
    code, found = examined(command, *chosen, "--deep-model", "m", "--data-vendor", "simulated")
    assert (code, found["models"][0]["state"]) == (3, "does not answer")
    assert "127.0.0.1:1 does not answer (ConnectError); start it" in found["models"][0]["trouble"]


def test_ollama_s_models_are_known_by_name_and_a_missing_one_is_a_command(command: Command, server: VendorServer):
    server.answer("/api/tags", {"models": [{"name": "small:latest"}]})
    chosen = ("--llm-provider", "ollama", "--backend-url", server.url, "--quick-model", "small", "--deep-model", "big")
    code, found = examined(command, *chosen, "--data-vendor", "simulated")
    quick, _, deep = found["models"]
    assert (quick["state"], deep["state"], code) == ("answers", "lacks the model", 3)
    assert deep["trouble"].endswith("has no big; run: ollama pull big.")


def test_a_provider_is_not_asked_unless_told_to(command: Command, monkeypatch: pytest.MonkeyPatch):
    """The network is closed here: what asked would find no answer."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    code, found = examined(command, "--data-vendor", "simulated")
    assert ({tier["state"] for tier in found["models"]}, code) == ({"key set"}, 0)
    code, found = examined(command, "--data-vendor", "simulated", "--models")
    assert ({tier["state"] for tier in found["models"]}, code) == ({"does not answer"}, 3)
    assert "check the value of OPENAI_API_KEY" in found["models"][0]["trouble"]
    assert SECRET not in json.dumps(found)


def test_a_home_that_cannot_be_written_is_told(command: Command, tmp_path: Path):
    (tmp_path / "file").write_text("")
    code, found = examined(command, "--offline", "--home", str(tmp_path / "file" / "home"))
    assert code == 3
    assert "name a folder with the setting home" in found["verdicts"][0]["troubles"][0]
    shown = command("doctor", "--offline", "--no-network", "--home", str(tmp_path / "file" / "home"))
    assert "name a folder with --home or TRADINGAGENTS_HOME." in " ".join(shown.out.split())


def test_a_wrong_setting_is_one_line(command: Command):
    outcome = command("doctor", TRADINGAGENTS_VENDOR_RATES="finnhub=often")
    assert outcome.code == 3
    assert "'often' is not a rate" in outcome.out + outcome.err
    assert "Traceback" not in outcome.out + outcome.err


def test_a_fallback_is_shown_and_blocks_nothing_but_for_its_key(command: Command, home: Path):
    asked = {"TRADINGAGENTS_LLM_PROVIDER": "offline", "TRADINGAGENTS_DATA_VENDOR": "simulated"}
    code, found = examined(command, "--no-network", **asked, TRADINGAGENTS_DEEP_FALLBACK_LLM="openai/gpt-5.2")
    assert [(one["tier"], one["model"], one["state"]) for one in found["models"]][3:] == [
        ("deep fallback", "gpt-5.2", "not configured")
    ]
    assert code == 3
    gone = "openai_compatible/m"
    code, found = examined(
        command, **asked, TRADINGAGENTS_BACKEND_URL="http://127.0.0.1:1/v1", TRADINGAGENTS_DEEP_FALLBACK_LLM=gone
    )
    spare = found["models"][3]
    assert (spare["trouble"], "127.0.0.1:1" in spare["note"]) == (None, True)
    assert code == 0


def test_traces_that_are_asked_for_and_cannot_be_made_are_said_and_keep_no_run_from_working(command: Command):
    code, found = examined(command, "--offline", OTEL_TRACES_EXPORTER="jaeger")
    assert code == 0
    (note,) = found["surroundings"]["notes"]
    assert note == "OTEL_TRACES_EXPORTER is 'jaeger', and nothing is traced; it can be otlp, console or none."
    shown = command("doctor", "--offline", OTEL_TRACES_EXPORTER="jaeger")
    assert note in shown.out


def test_a_live_rehearsal_is_a_file_that_can_be_sent(command: Command, server: VendorServer, tmp_path: Path):
    stocktwits.SOURCE.fill(server, None)
    file = tmp_path / "rehearsal.json"
    outcome = command(
        *("doctor", "--live", "--vendors", "stocktwits", "--symbol", "acmq", "--out", str(file), "--json"),
        TRADINGAGENTS_VENDOR_URLS=f"stocktwits={server.url}",
    )
    found = json.loads(outcome.out)
    assert json.loads(file.read_text("utf-8")) == found
    assert (found["symbol"], [answer["method"] for answer in found["answers"]]) == ("ACMQ", ["get_social_posts"])
    assert "stocktwits get_social_posts:" in outcome.err
    assert outcome.code == found["exit_code"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--live", "--no-network"), "omit --no-network"),
        (("--vendors", "finnhub"), "add --live"),
        (("--live", "--vendors", "finhub"), "did you mean finnhub?"),
    ],
)
def test_a_rehearsal_that_cannot_be_is_refused(command: Command, arguments: tuple[str, ...], message: str):
    outcome = command("doctor", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_a_live_rehearsal_without_anything_to_ask_says_so(command: Command, tmp_path: Path):
    outcome = command("doctor", "--live", "--vendors", "fred", "--out", str(tmp_path / "none" / "file.json"))
    assert outcome.code == 3
    assert "name another file with --out" in outcome.err
