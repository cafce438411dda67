"""What holds whatever a model says: how commands end, what a trade rests on, what is counted and sent."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
import urllib.request
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

import pytest

from tests.real_model.conftest import ANALYSE, LONGEST, Ask, Outcome, command
from tests.support.graph_factory import COMPANY, DAY
from tests.support.llama_server import Template, llama_server
from tests.support.recording_proxy import RecordingProxy, recording
from tradingagents.agents.schemas import Verdict
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.llm_clients.reply_text import descriptions, is_copied
from tradingagents.settings import Settings

pytestmark = pytest.mark.real_model

NONE = {"action": "NO_DECISION"}
DONE, NO_DECISION, ASKS_BACK, INTERRUPTED = 0, 5, 7, 130
SIMULATED = ("--data-vendor", "simulated", "--as-of", DAY)
SMALL = 1024
"""Tokens of a context in which no prompt of an analysis has room."""
QUIET = 2.5
"""Seconds between questions for what the server does: it looks for lost connections only after a second without any
result, and the answer to such a question is one."""


def told(outcome: Outcome) -> str:
    """Return what a person saw, for the message of a failed test."""
    return f"exit {outcome.code}\n{outcome.out}\n{outcome.err}"


def test_an_analysis_ends_with_a_decision_or_with_a_reason_and_never_with_a_traceback(analysis: Outcome):
    assert analysis.code in (DONE, NO_DECISION), told(analysis)
    assert "Traceback" not in analysis.out + analysis.err
    decision = analysis.card["decision"]
    if decision is None:  # no analyst could report
        assert analysis.code == NO_DECISION
        assert len(analysis.card["error"]) > 20
        return
    assert (decision["action"] == "NO_DECISION") == (analysis.code == NO_DECISION), told(analysis)
    assert len(decision["rationale"]) > 20


def test_a_decision_has_evidence_found_in_the_data_and_a_trade_has_a_plan_of_the_trader(analysis: Outcome):
    for made in (*analysis.card["decisions"].values(), analysis.card["decision"] or NONE):
        if made["action"] != "NO_DECISION":
            assert [item for item in made["key_evidence"] if "unsupported" not in item], told(analysis)
            assert not is_copied(made["rationale"], descriptions(Verdict)), made
    if (analysis.card["decision"] or NONE)["action"] in ("BUY", "SELL"):
        assert analysis.card["decisions"]["trader_investment_plan"]["action"] != "NO_DECISION"


def test_a_report_has_a_figure_of_the_data(analysis: Outcome):
    grounding = analysis.card["grounding"]["by_report"]
    text = analysis.card["reports"]["market_report"]
    assert text.startswith(NOT_AVAILABLE) or grounding["market_report"]["matched"], text


def test_every_reply_is_counted_with_the_tokens_that_the_server_counted(analysis: Outcome):
    usage, replies = analysis.card["usage"], [one.usage for one in analysis.replies]
    assert usage["llm_calls"] == len(replies) > 0
    assert usage["input_tokens"] == sum(one["prompt_tokens"] for one in replies)
    assert usage["output_tokens"] == sum(one["completion_tokens"] for one in replies)


def test_tokens_that_the_server_had_cached_are_read(analysis: Outcome):
    cached = sum(one.usage["prompt_tokens_details"]["cached_tokens"] for one in analysis.replies)
    assert analysis.card["usage"]["cached_tokens"] == cached > 0


def test_no_prompt_holds_advice_to_whoever_runs_the_program(analysis: Outcome):
    for exchange in analysis.completions:
        assert "TRADINGAGENTS_" not in exchange.prompt, exchange.prompt


def test_no_prompt_is_refused_by_the_template(analysis: Outcome):
    refused = [one.body.decode() for one in analysis.completions if one.is_whole and one.status != HTTPStatus.OK]
    assert not [body for body in refused if "alternate" in body or "template" in body], refused


def test_a_prompt_that_is_too_long_is_told_with_its_length_and_the_limit(template: Template, tmp_path: Path):
    with llama_server(template, tmp_path / "server.log", context=SMALL) as upstream, recording(upstream) as proxy:
        line, environment = command(proxy, tmp_path)
        run = subprocess.run(
            line(*ANALYSE), capture_output=True, env=environment, text=True, timeout=LONGEST, check=False
        )
    said = run.stdout + run.stderr
    assert run.returncode == NO_DECISION, said
    assert "Traceback" not in said
    refused = [json.loads(one.body)["error"] for one in proxy.completions if one.status == HTTPStatus.BAD_REQUEST]
    (sent,) = {error["n_prompt_tokens"] for error in refused}
    assert {str(sent), str(SMALL)} <= {number.replace(",", "") for number in re.findall(r"\d[\d,]*", said)}, said


def test_a_run_that_is_stopped_frees_the_server(proxy: RecordingProxy, tmp_path: Path):
    line, environment = command(proxy, tmp_path)
    proxy.asked.clear()
    run = subprocess.Popen(line(*ANALYSE), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True)
    assert proxy.asked.wait(LONGEST)
    while not busy(proxy):
        assert run.poll() is None, run.communicate()[1]
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=LONGEST)
    assert run.returncode == INTERRUPTED
    assert "Traceback" not in err
    ends = time.monotonic() + LONGEST
    while busy(proxy):  # it ends the batch of the prompt that it is at
        assert time.monotonic() < ends, "the server still works for nobody"
        time.sleep(QUIET)
    (slot,) = slots(proxy)
    (reply,) = slot["next_token"]
    assert reply["has_next_token"], "the server wrote a reply to its end that nobody waited for"


def busy(proxy: RecordingProxy) -> bool:
    """Tell whether the server works on a request."""
    return any(slot["is_processing"] for slot in slots(proxy))


def slots(proxy: RecordingProxy) -> list[dict[str, Any]]:
    """Return what the server says of each place in which it works on a request, and of the last request there."""
    with urllib.request.urlopen(f"{proxy.upstream}/slots") as answer:
        return cast(list[dict[str, Any]], json.load(answer))


def test_what_chat_prints_is_the_reply_that_is_stored(ask: Ask, tmp_path: Path):
    outcome = ask("chat", f"What was the P/E of {COMPANY}?", *SIMULATED, home=tmp_path)
    assert outcome.code in (DONE, NO_DECISION), told(outcome)
    assert "Traceback" not in outcome.err
    store = SessionStore(Settings(home=tmp_path))
    (session,) = store.list()
    replies = [entry.text for entry in store.entries(session.session_id) if entry.type == "assistant"]
    assert outcome.out.strip() == "\n".join(replies).strip()


def test_an_answer_from_filings_has_a_source(ask: Ask):
    question = f"What was {COMPANY}'s operating margin in fiscal 2025?"
    outcome = ask("filings", "ask", question, "--json", *SIMULATED)
    assert outcome.code in (DONE, NO_DECISION), told(outcome)
    assert "Traceback" not in outcome.err
    if outcome.code == DONE:
        assert json.loads(outcome.out)["citations"], told(outcome)


def test_research_ends_with_an_answer_a_question_or_a_reason(ask: Ask):
    outcome = ask("research", f"Is {COMPANY}'s margin rising?", *SIMULATED)
    assert outcome.code in (DONE, NO_DECISION, ASKS_BACK), told(outcome)
    assert "Traceback" not in outcome.err


def test_a_debate_ends_with_a_result_or_a_reason(ask: Ask):
    outcome = ask("debate", COMPANY, *SIMULATED)
    assert outcome.code in (DONE, NO_DECISION), told(outcome)
    assert "Traceback" not in outcome.err
