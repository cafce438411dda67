"""Symbols that changed: what became of them, and what to ask for."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.dataflows.reference.symbols import CHANGES, change_hint, later_symbols


def test_facebook_is_meta():
    assert change_hint("FB") == (
        "FB is META since 2022-06-09; ask for META, under which its earlier prices are kept too."
    )


def test_a_symbol_that_changed_twice_names_both():
    assert later_symbols("SYMC") == (("NLOK", date(2019, 11, 5)), ("GEN", date(2022, 11, 8)))
    assert change_hint("SYMC") == (
        "SYMC is NLOK since 2019-11-05 and GEN since 2022-11-08; ask for GEN or NLOK, under which its earlier prices "
        "are kept too."
    )


def test_a_company_that_is_traded_no_more_says_so():
    assert change_hint("TWTR") == "TWTR was last traded on 2022-10-27: the company was taken private."
    assert change_hint("AAPL") is None


@pytest.mark.parametrize("symbol", CHANGES)
def test_no_change_leads_back(symbol: str):
    assert symbol not in [new for new, _ in later_symbols(symbol)]
