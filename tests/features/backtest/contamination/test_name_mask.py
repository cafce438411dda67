"""Prompts are shown under other names and years, and replies are turned back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from tradingagents.features.backtest.contamination.disguises import Identity, NameMask, made_up

APPLE, MICROSOFT, VISA = (
    Identity("AAPL", "Apple Inc."),
    Identity("MSFT", "Microsoft Corporation"),
    Identity("V", "Visa Inc."),
)
MADE = made_up((APPLE, MICROSOFT, VISA), "s")
MASK = NameMask(MADE)
SHOWN = {one.ticker: shown for one, shown in MADE.items()}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("AAPL rose", "{a.ticker} rose"),
        ("Apple Inc. and APPLE's rival Microsoft", "{a.name} Inc. and {a.name}'s rival {m.name}"),
        ("Pineapple, AAPLX and apples", "Pineapple, AAPLX and apples"),
        ("V: volume", "{v.ticker}: volume"),
        ("on 2025-03-14 20:00 UTC", "on 1997-03-14 20:00 UTC"),
        ("FY2024, Q1 2025, Q3'24, FY25 and FY'24", "FY1996, Q1 1997, Q3'96, FY97 and FY'96"),
        ("in 2025, of 2024.", "in 1997, of 1996."),
        ("close 2025.50, $2025, 2,025 and 2025% of 12025", "close 2025.50, $2025, 2,025 and 2025% of 12025"),
    ],
)
def test_names_and_years_are_replaced_and_other_words_and_figures_are_not(text: str, shown: str):
    expected = shown.format(a=SHOWN["AAPL"], m=SHOWN["MSFT"], v=SHOWN["V"])
    assert MASK.shown(text) == expected


WORDS = st.sampled_from(
    [
        "AAPL",
        "MSFT",
        "Apple",
        "Microsoft",
        "2025-03-14",
        "FY2024",
        "Q1'25",
        "2012",
        "14.5%",
        "$2025",
        "rises",
        "(V)",
        "V,",
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=12).map(" ".join))
def test_what_was_hidden_is_read_back(text: str):
    assert MASK.revealed(AIMessage(MASK.shown(text))).text == text


def test_every_part_of_a_conversation_is_rewritten_and_calls_are_turned_back():
    own, shown = "AAPL", SHOWN["AAPL"].ticker
    call = {"name": "get_news", "args": {"ticker": own, "days": ["2025-03-14"]}, "id": "1", "type": "tool_call"}
    sent = MASK.hidden(
        [
            SystemMessage(f"Ticker: {own}"),
            HumanMessage([{"type": "text", "text": "Apple in 2025"}]),
            AIMessage("", tool_calls=[call]),
            ToolMessage("AAPL 2025-03-14", tool_call_id="1"),
        ]
    )
    assert "AAPL" not in str(sent)
    assert "Apple" not in str(sent)
    assert "2025" not in str(sent)
    assert sent[2].tool_calls[0]["args"] == {"ticker": shown, "days": ["1997-03-14"]}  # type: ignore[attr-defined]
    reply = AIMessage(f"{shown} fell in 1997", tool_calls=[{**call, "args": {"ticker": shown, "start": "1997-03-14"}}])
    read = MASK.revealed(reply)
    assert read.text == "AAPL fell in 2025"
    assert read.tool_calls[0]["args"] == {"ticker": "AAPL", "start": "2025-03-14"}
    assert reply.text == f"{shown} fell in 1997"


def test_two_names_are_exchanged_wherever_they_stand():
    mask = NameMask({APPLE: MICROSOFT, MICROSOFT: APPLE}, years=0)
    assert mask.shown("AAPL leads Microsoft in 2025") == "MSFT leads Apple in 2025"
    assert mask.revealed(AIMessage("MSFT leads Apple in 2025")).text == "AAPL leads Microsoft in 2025"


def test_two_companies_are_never_shown_alike():
    with pytest.raises(ValueError, match="two companies"):
        NameMask({APPLE: VISA, MICROSOFT: VISA})


def test_made_up_names_depend_on_the_seed_and_are_no_known_tickers():
    assert made_up([APPLE], "a") == made_up([APPLE], "a") != made_up([APPLE], "b")
    many = made_up([Identity(f"T{n}", f"Name {n}") for n in range(500)], "a")
    assert len({one.ticker for one in many.values()}) == len({one.name for one in many.values()}) == 500
