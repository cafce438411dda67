"""Two real servers with a real model, and one short analysis against each, on the simulated market.

Nothing here knows what the model will say: it has 135 million parameters and understands little. The tests hold for any
model, and a poor one goes where a good one never leads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from tests.support.graph_factory import COMPANY, DAY
from tests.support.llama_server import Template, llama_server, weights
from tests.support.recording_proxy import Exchange, RecordingProxy, recording

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ("chatml", "strict")
LONGEST = 300.0
"""Seconds after which a command hangs."""
REPLY_TOKENS = "450"
"""A model that does not stop would write until the time limit of a request."""
SHORT = ("--analysts", "market", "--debate-rounds", "1", "--risk-rounds", "1")
ANALYSE = ("analyze", COMPANY, DAY, "--data-vendor", "simulated", *SHORT)


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it asked the model."""

    code: int
    out: str
    err: str
    home: Path
    completions: Sequence[Exchange]

    @property
    def card(self) -> dict[str, Any]:
        """The record of its one run."""
        (card,) = self.home.glob("runs/*/run.json")
        return cast(dict[str, Any], json.loads(card.read_text("utf-8")))

    @property
    def replies(self) -> list[Exchange]:
        """What the model answered to the end."""
        return [one for one in self.completions if one.status == 200 and one.is_whole]


def command(proxy: RecordingProxy, home: Path) -> tuple[Callable[..., list[str]], Mapping[str, str]]:
    """Return what makes a command line that asks the model behind a proxy, and its environment."""
    model = (
        "--llm-provider",
        "openai_compatible",
        "--backend-url",
        proxy.url,
        "--quick-model",
        "m",
        "--deep-model",
        "m",
    )

    def line(*arguments: str) -> list[str]:
        return [sys.executable, "-m", "cli.main", *arguments, *model, "--home", str(home)]

    return line, {**os.environ, "PYTHONPATH": str(ROOT), "TRADINGAGENTS_MAX_OUTPUT_TOKENS": REPLY_TOKENS}


@pytest.fixture(scope="module", params=TEMPLATES)
def template(request: pytest.FixtureRequest) -> Template:
    """How the server writes a conversation as one prompt."""
    if weights() is None:
        pytest.skip("no model is installed; `make test-real-model` installs one and runs these tests")
    return cast(Template, request.param)


@pytest.fixture(scope="module")
def proxy(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordingProxy]:
    """A server, behind what remembers each request."""
    with (
        llama_server(template, tmp_path_factory.mktemp(template) / "server.log") as upstream,
        recording(upstream) as one,
    ):
        yield one


Ask = Callable[..., Outcome]


@pytest.fixture(scope="module")
def ask(proxy: RecordingProxy, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Run `tradingagents` as its users do, over a new home unless one is given."""

    def call(*arguments: str, home: Path | None = None, **variables: str) -> Outcome:
        home = home or tmp_path_factory.mktemp("home")
        line, environment = command(proxy, home)
        before = len(proxy.completions)
        done = subprocess.run(
            line(*arguments),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**environment, **variables},
            timeout=LONGEST,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr, home, proxy.completions[before:])

    return call


@pytest.fixture(scope="module")
def analysis(ask: Ask, template: Template) -> Outcome:
    """The end of one short analysis.

    One server is asked for decisions as settings have it, the other with the grammar of their JSON schema: that is
    where a model with nothing to say fills in something.
    """
    grammar = {"TRADINGAGENTS_STRUCTURED_OUTPUT": "json_schema"} if template == "strict" else {}
    return ask(*ANALYSE, **grammar)
