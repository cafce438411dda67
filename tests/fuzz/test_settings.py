"""Every setting with values that it cannot have: refused in one line with the promised code, or taken; never a bug."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from cli.main import run
from tradingagents.errors import SettingsError, TradingAgentsError
from tradingagents.llm_clients.tiers import build_tiers
from tradingagents.settings import KEYS, Settings, load_settings

KEY = "sk-canary7f3a9e51d0c2"
GARBAGE = (
    *("inf", "-inf", "nan", "1e400", "-1", "0", "1e308", "9" * 5000, "1_0", "0x10", "١٢", "true", "null", "[]", "{}"),
    *("[" * 20_000, '{"m": [1, -1, NaN]}', '{"m": [1e400, 0, 0]}', "a=b;c", "=;=", "a=b=c", ";", ","),
    *("http://[::1", "http://", "ftp://x", "http://h:99999", "http://h:port", "//h", "http://u:secret9@[::1"),
    *(
        "~nobody-of-this-name/x",
        "/" + "a" * 5000,
        "/dev/null/x",
        "../" * 2000,
        "caf\udce9",
        "a\x1b[2Jb",
        "a\nb",
        "\u202e",
    ),
    *("x" * 100_000, "😀", "'; DROP TABLE runs; --", "${HOME}", "%s%n", KEY, f"http://h/{KEY}/v1", f"name={KEY}"),
)
MODELS = ("llm_provider", "backend_url", "quick_think", "deep_fallback")
"""How the settings begin that decide how models are made."""
DRY = ("analyze", "VELQ", "2025-03-14", "--dry-run")
SEED = 22
COMMANDS = 18
"""Command lines that are run."""


def trouble_with_models(settings: Settings) -> str:
    """Return why the models of some settings cannot be made; empty where they can."""
    try:
        build_tiers(settings, {})
    except TradingAgentsError as refused:
        return str(refused)
    return ""


def shares_of_garbage() -> Iterator[ParameterSet]:
    """Yield each setting with a third of the values, another third for the next one; with `--all` with every value."""
    for number, key in enumerate(KEYS):
        for share in range(3):
            nightly = () if number % 3 == share else pytest.mark.nightly
            yield pytest.param(key, GARBAGE[share::3], marks=nightly, id=f"{key}-{share}")


@pytest.mark.parametrize(("key", "values"), [*shares_of_garbage()])
def test_a_setting_takes_a_value_or_refuses_it_in_one_line(key: str, values: tuple[str, ...]):
    name = f"TRADINGAGENTS_{key.upper()}"
    for value in values:
        try:
            settings = load_settings(environ={name: value})
        except SettingsError as refused:
            said = str(refused)
            assert "\n" not in said
            assert len(said) < 700, said
            assert said.isprintable() or "\u202e" in value, said
            assert KEY not in said
            assert "secret9" not in said
            continue
        settings.model_dump_json()
        if key.startswith(MODELS):
            assert KEY not in trouble_with_models(settings)


VALUES = (None, 1.5, True, b"bytes", object(), [], {}, {"a": {"b": 1}}, [["x"]], -(10**400))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_of_any_type_are_taken_or_refused(value: object):
    for key in KEYS:
        try:
            load_settings({key: value}, environ={})
        except SettingsError as refused:
            said = str(refused)
        else:
            continue
        assert "\n" not in said


def test_commands_end_with_the_promised_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    chosen = random.Random(SEED)  # noqa: S311 - no secret
    others = ("OLLAMA_HOST", "OPENAI_BASE_URL", "OPENAI_COMPATIBLE_API_KEY", "OPENAI_API_KEY", "NO_PROXY")
    names = [*(f"TRADINGAGENTS_{key.upper()}" for key in KEYS if key != "home"), *others]
    commands = (
        ["runs", "list"],
        [*DRY, "--offline"],
        [
            "analyze",
            "VELQ",
            "2025-03-14",
            "--dry-run",
            "--llm-provider",
            "ollama",
            "--quick-model",
            "m",
            "--deep-model",
            "m",
        ],
        ["watch", "list"],
        ["memory", "list"],
    )
    for _ in range(COMMANDS):
        name, value = chosen.choice(names), chosen.choice([one for one in GARBAGE if "\0" not in one])
        with monkeypatch.context() as here:
            here.setenv(name, value)
            code = run([*chosen.choice(commands), "--home", str(tmp_path)])
        said = capfd.readouterr()
        assert code in (0, 2, 3, 4), (name, value[:60], said.err)
        assert "Traceback" not in said.err + said.out
        assert "Unexpected" not in said.err, (name, value[:60])
        assert KEY not in said.err + said.out, (name, value[:60])


def test_flags_end_with_the_promised_codes(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    chosen = random.Random(SEED)  # noqa: S311 - no secret
    flags = ("--home", "--budget-usd", "--backend-url", "--data-dir", "--llm-provider", "--analysts", "--debate-rounds")
    for _ in range(COMMANDS):
        flag = chosen.choice(flags)
        value = chosen.choice([*GARBAGE, "", " "])
        where = [] if flag == "--home" else ["--home", str(tmp_path)]
        code = run([*DRY, "--offline", flag, value, *where])
        said = capfd.readouterr()
        assert code in (0, 2, 3, 4), (flag, value[:60], said.err)
        assert "Unexpected" not in said.err, (flag, value[:60], said.err)
        assert KEY not in said.err + said.out, (flag, value[:60])
