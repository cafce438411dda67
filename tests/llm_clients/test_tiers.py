from __future__ import annotations

from typing import Any

import pytest

from tests.llm_clients.conftest import KEY
from tradingagents.errors import ModelNotConfigured
from tradingagents.llm_clients.offline_model import OfflineChatModel
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels, build_tiers, choices, fallback_choices
from tradingagents.settings import Settings

LOCAL = "http://localhost:8000/v1"


def chosen(**settings: Any) -> dict[str, tuple[str, str, str | None]]:
    return {
        tier: (one.provider, one.model, one.url) for tier, one in choices(Settings.model_validate(settings)).items()
    }


def test_by_default_mid_is_the_quick_model_and_deep_its_own() -> None:
    assert chosen() == {
        "quick": ("openai", "gpt-5-mini", None),
        "mid": ("openai", "gpt-5-mini", None),
        "deep": ("openai", "gpt-5.2", None),
    }


def test_mid_follows_quick_in_provider_and_url_and_deep_follows_the_top() -> None:
    tiers = chosen(
        llm_provider="openai_compatible",
        backend_url=LOCAL,
        quick_think_llm_provider="ollama",
        quick_think_backend_url="http://gpu:11434",
        quick_think_llm="llama3.1",
        mid_think_llm="llama3.3",
        deep_think_llm="big",
    )
    assert tiers == {
        "quick": ("ollama", "llama3.1", "http://gpu:11434"),
        "mid": ("ollama", "llama3.3", "http://gpu:11434"),
        "deep": ("openai_compatible", "big", LOCAL),
    }


def test_every_tier_may_have_its_own() -> None:
    tiers = chosen(
        mid_think_llm_provider="google",
        mid_think_llm="gemini-2.5-flash",
        deep_think_llm_provider="openai_compatible",
        deep_think_backend_url=LOCAL,
        deep_think_llm="big",
    )
    assert tiers["quick"] == ("openai", "gpt-5-mini", None)
    assert tiers["mid"] == ("google", "gemini-2.5-flash", None)
    assert tiers["deep"] == ("openai_compatible", "big", LOCAL)


def test_a_url_is_not_handed_to_another_provider() -> None:
    tiers = chosen(llm_provider="openai_compatible", backend_url=LOCAL, deep_think_llm_provider="anthropic")
    assert tiers["quick"][2] == LOCAL
    assert tiers["deep"][2] is None


def test_a_compatible_tier_takes_the_top_url_whatever_the_top_provider() -> None:
    tiers = chosen(backend_url=LOCAL, deep_think_llm_provider="openai_compatible")
    assert tiers["deep"][2] == LOCAL


def test_alike_tiers_share_one_model_and_all_share_connections() -> None:
    tiers = build_tiers(Settings(), {"OPENAI_API_KEY": KEY})
    assert tiers.quick is tiers.mid
    assert tiers.deep is not tiers.quick
    assert tiers.of("deep") is tiers.deep
    assert tiers.labels == {"quick": "openai/gpt-5-mini", "mid": "openai/gpt-5-mini", "deep": "openai/gpt-5.2"}
    pools = [model.http_async_client._transport for model in (tiers.quick, tiers.deep)]  # type: ignore[attr-defined]
    assert pools == [tiers.connections, tiers.connections]
    assert KEY not in repr(tiers)


def test_offline_needs_nothing_and_does_not_pose_as_the_default_model() -> None:
    tiers = build_tiers(Settings(llm_provider="offline"), {})
    assert isinstance(tiers.quick, OfflineChatModel)
    assert tiers.quick is tiers.deep
    assert tiers.label("deep") == "offline/rules"


def test_settings_that_a_model_does_not_take_are_warned_of() -> None:
    tiers = build_tiers(Settings(temperature=0.0), {"OPENAI_API_KEY": KEY})
    assert tiers.warnings == (
        "openai/gpt-5-mini does not take temperature; the setting is ignored.",
        "openai/gpt-5.2 does not take temperature; the setting is ignored.",
    )


@pytest.mark.parametrize(
    ("provider", "url", "label"),
    [
        ("openai", None, "openai/m"),
        ("openai_compatible", LOCAL, "openai_compatible/m"),
        ("ollama", None, "ollama/m"),
        ("offline", None, "offline/offline"),
    ],
)
def test_models_given_in_python_are_labelled_by_what_they_are(provider: str, url: str | None, label: str) -> None:
    settings = Settings(llm_provider=provider, backend_url=url, quick_think_llm="m", deep_think_llm="m")
    built = build_tiers(settings, {"OPENAI_API_KEY": KEY})
    assert TierModels.same(built.quick).label("deep") == label


def test_a_scripted_model_is_labelled_scripted() -> None:
    assert TierModels.same(ScriptedChatModel(["x"])).label("quick") == "scripted/scripted"


async def test_closing_is_allowed_before_any_call() -> None:
    await build_tiers(Settings(), {"OPENAI_API_KEY": KEY}).aclose()
    await TierModels.same(ScriptedChatModel(["x"])).aclose()


# Fallbacks


def fallbacks(**settings: Any) -> dict[str, tuple[str, str, str | None]]:
    named = fallback_choices(Settings.model_validate(settings))
    return {tier: (one.provider, one.model, one.url) for tier, one in named.items()}


def test_by_default_no_tier_has_a_fallback() -> None:
    assert fallbacks() == {}
    assert build_tiers(Settings(llm_provider="offline"), {}).fallbacks == {}


def test_a_fallback_is_of_the_tiers_provider_and_url_unless_told_otherwise() -> None:
    local = {"llm_provider": "openai_compatible", "backend_url": LOCAL}
    assert fallbacks(**local, quick_fallback_llm="small", deep_fallback_llm="deep-too") == {
        "quick": ("openai_compatible", "small", LOCAL),
        "mid": ("openai_compatible", "small", LOCAL),
        "deep": ("openai_compatible", "deep-too", LOCAL),
    }


@pytest.mark.parametrize(
    ("named", "fallback"),
    [
        ("meta-llama/llama-3", ("openai_compatible", "meta-llama/llama-3", LOCAL)),
        ("anthropic/claude-haiku-4-5", ("anthropic", "claude-haiku-4-5", None)),
        ("ollama/llama3.1", ("ollama", "llama3.1", None)),
        ("openai_compatible/google/gemma-3", ("openai_compatible", "google/gemma-3", LOCAL)),
        ("offline/anything", ("offline", "rules", None)),
    ],
)
def test_a_slash_names_a_provider_only_where_we_know_it(named: str, fallback: tuple[str, str, str | None]) -> None:
    found = fallbacks(llm_provider="openai_compatible", backend_url=LOCAL, deep_fallback_llm=named)
    assert found == {"deep": fallback}


def test_a_local_fallback_of_a_hosted_model_is_at_the_top_url() -> None:
    settings = {"backend_url": LOCAL, "deep_think_llm_provider": "anthropic", "deep_think_llm": "claude"}
    assert fallbacks(**settings, deep_fallback_llm="openai_compatible/big") == {
        "deep": ("openai_compatible", "big", LOCAL)
    }


def test_the_tiers_own_model_is_no_fallback() -> None:
    assert set(fallbacks(quick_fallback_llm="gpt-5-mini", deep_fallback_llm="openai/gpt-5.2")) == set()
    assert set(fallbacks(quick_fallback_llm="gpt-5-nano", mid_think_llm="gpt-5-nano")) == {"quick"}


def test_fallbacks_are_models_of_their_own_that_need_their_keys() -> None:
    settings = Settings(llm_provider="offline", deep_fallback_llm="openai/gpt-5.2")
    with pytest.raises(ModelNotConfigured, match="OPENAI_API_KEY"):
        build_tiers(settings, {})
    tiers = build_tiers(settings, {"OPENAI_API_KEY": KEY})
    assert tiers.fallbacks["deep"].label == "openai/gpt-5.2"
    assert tiers.every_label == ("offline/rules", "openai/gpt-5.2")
    assert set(tiers.fallbacks) == {"deep"}
