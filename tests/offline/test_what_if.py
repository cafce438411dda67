"""What would change a decision is tried: with the readings at the levels named, the same rules decide as is said."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.offline.briefs import (
    BULLISH,
    GOOD_NEWS,
    fundamentals,
    human,
    market,
    news,
    report,
    with_value,
    written,
)
from tests.support.tiers import examples
from tradingagents.offline.decisions import decided, final_action, net_action
from tradingagents.offline.evidence import ChangedView, View, strength, view_of
from tradingagents.offline.readings import Reading, Row
from tradingagents.offline.rules import RULES, overall
from tradingagents.offline.what_if import would_change

CLOSE = 100.0
FIGURE = re.compile(
    r"([\w/&' -]+?) (?:rose|fell) to (-?[\d.,]+[TBM]?(?:%|x| USD)?) \(now (-?[\d.,]+[TBM]?(?:%|x| USD)?)\)"
)


def view(reports: dict[str, Reading | str]) -> View:
    return view_of(human("Risk Manager", reports=reports))


def whole(tools, articles, trend: str) -> View:
    return view(
        {
            "market_report": written(market(tools)),
            "news_report": written(news(articles)),
            "fundamentals_report": written(fundamentals(tools, trend)),
        }
    )


def test_one_figure_is_enough_and_the_level_named_is_where_it_turns() -> None:
    rows = [
        Row("revenue_yoy", "9.00%", 0.2, "x", "get_ttm_analysis"),
        Row("operating_margin", "8.00%", -0.2, "x", "get_ttm_analysis"),
    ]
    seen = view({"fundamentals_report": report(rows)})
    assert (seen.net, seen.action) == (pytest.approx(0.04), "HOLD")  # (1.2 * 0.2 - 0.8 * 0.2) / 2
    # BUY needs a net above 0.06: growth scored above 0.233, so 0.24 with two decimals, which begins at 9.7 %
    assert would_change(seen, CLOSE, net_action) == (
        "BUY if year-on-year revenue growth rose to 9.71% (now 9.00%), all else unchanged."
    )
    at = RULES["get_ttm_analysis", "revenue_yoy"].score
    turned = ChangedView(seen, {0: Row("revenue_yoy", "9.71%", round(at(9.71).value, 2), "x", "get_ttm_analysis")})
    kept = ChangedView(seen, {0: Row("revenue_yoy", "9.69%", round(at(9.69).value, 2), "x", "get_ttm_analysis")})
    assert (turned.action, kept.action) == ("BUY", "HOLD")


def test_where_no_figure_alone_is_enough_it_says_so_and_names_what_is() -> None:
    said = would_change(whole(BULLISH, GOOD_NEWS, "expanding"), CLOSE, final_action)
    assert said.startswith("No single figure would change it. HOLD if ")
    assert said.count(" to ") >= 2


def test_the_close_counts_as_one_figure() -> None:
    rows = [
        Row("close_200_sma", "95.00 USD", 0.35, "x", "get_indicators"),
        Row("close_50_sma", "97.00 USD", 0.39, "x", "get_indicators"),
        Row("rsi", "41.00", -0.36, "x", "get_indicators"),
    ]
    assert re.fullmatch(
        r"HOLD if the close fell to 9\d\.\d\d USD \(now 100\.00 USD\), all else unchanged\.",
        would_change(view({"market_report": report(rows)}), CLOSE, final_action),
    )


def test_a_hold_that_risks_imposed_turns_when_one_of_them_goes_away() -> None:
    rows = [
        Row("rsi", "60.00", 0.8, "x", "get_indicators"),
        Row("volatility_20d", "75.00%", -0.5, "x", "get_stock_data"),
        Row("regime_score", "-4", -1.0, "x", "get_macro_regime"),
    ]
    books = [Row("revenue_yoy", "30.00%", 1.0, "x", "get_ttm_analysis")]
    seen = view({"market_report": report(rows), "fundamentals_report": report(books)})
    assert final_action(seen) == "HOLD"
    assert "BUY if" in would_change(seen, CLOSE, final_action)


scores = st.floats(-1, 1).map(lambda x: round(x, 2))
MADE = [
    ("market_report", "rsi", "46.00", "get_indicators"),
    ("market_report", "change_3m", "4.00%", "get_stock_data"),
    ("market_report", "volatility_20d", "35.00%", "get_stock_data"),
    ("market_report", "close_200_sma", "92.00 USD", "get_indicators"),
    ("fundamentals_report", "revenue_yoy", "8.00%", "get_ttm_analysis"),
    ("fundamentals_report", "pe_ttm", "24.00x", "get_fundamentals"),
    ("fundamentals_report", "alpha_3m", "-3.00%", "get_peer_comparison"),
    ("news_report", "articles", "12 articles", "get_news"),
    ("news_report", "net_value", "-120000.00 USD", "get_insider_transactions"),
]


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(scores, min_size=len(MADE), max_size=len(MADE)))
def test_whatever_is_named_turns_the_decision(found: list[float]) -> None:
    rows: dict[str, list[Row]] = {}
    for (name, metric, shown, source), score in zip(MADE, found, strict=True):
        rows.setdefault(name, []).append(Row(metric, shown, score, "x", source))
    seen = view({name: report(table) for name, table in rows.items()})
    said = would_change(seen, CLOSE, final_action)
    named = re.search(r"(BUY|SELL|HOLD) if ", said)
    assert named, said
    assert named.group(1) != final_action(seen)
    assert final_action(again(seen, said)) == named.group(1), said


def again(seen: View, said: str) -> View:
    """The view with the figures at the levels that a sentence names, scored anew by the rules."""
    rows = {place: item.row for place, item in enumerate(seen.evidence)}
    turned: dict[int, Row] = {}
    figures = {
        label.strip(" ,").removeprefix("and ").strip(): text
        for label, text, _ in FIGURE.findall(said.partition(" if ")[2])
    }
    close = float(figures.pop("the close").split()[0]) if "the close" in figures else CLOSE
    for place, row in rows.items():
        shown = figures.get(row.label, row.shown)
        if row.metric == "close_200_sma":
            if close != CLOSE:
                value = float(row.shown.split()[0])
                turned[place] = Row(
                    row.metric,
                    row.shown,
                    round(RULES[row.source, row.metric].score(value, close).value, 2),
                    "x",
                    row.source,
                )
        elif row.label in figures:
            value = float(shown.rstrip("%x"))
            turned[place] = Row(
                row.metric, shown, round(RULES[row.source, row.metric].score(value).value, 2), "x", row.source
            )
    if tone := re.search(r"the tone of company news \w+ to ([+-][\d.]+) derived", said):
        place = next(at for at, row in rows.items() if row.metric == "articles")
        turned[place] = Row("articles", "12 articles", float(tone.group(1)), "x", "get_news")
    if "insiders only" in said:
        place = next(at for at, row in rows.items() if row.metric == "net_value")
        turned[place] = Row(
            "net_value", "1.00 USD", 0.8 if "only bought" in said else -0.3, "x", "get_insider_transactions"
        )
    return ChangedView(seen, {place: with_value(row) for place, row in turned.items()})


RISKS = [
    ("market_report", "regime_score", "1", "get_macro_regime"),
    ("market_report", "max_drawdown_1y", "-30.00%", "get_stock_data"),
]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(scores, min_size=len(MADE) + 2, max_size=len(MADE) + 2),
    st.dictionaries(st.integers(0, len(MADE) + 1), st.tuples(scores, st.sampled_from([-70.0, -4.0, 3.0, 75.0]))),
)
def test_a_changed_view_is_what_the_changed_readings_add_up_to(
    found: list[float], other: dict[int, tuple[float, float]]
) -> None:
    tables: dict[str, list[Row]] = {}
    for (name, metric, shown, source), score in zip([*MADE, *RISKS], found, strict=True):
        tables.setdefault(name, []).append(Row(metric, shown, score, "x", source))
    seen = view({name: report(table) for name, table in tables.items()})
    rows = {at: replace(seen.evidence[at].row, score=one, value=value) for at, (one, value) in other.items()}
    there, anew = ChangedView(seen, rows), weighed_anew(seen, rows)
    assert there.evidence == anew.evidence
    assert (there.net, there.regime, there.action) == (anew.net, anew.regime, anew.action)
    assert (there.by_report, there.coverage, strength(there)) == (anew.by_report, anew.coverage, strength(anew))
    for metric in ("volatility_20d", "max_drawdown_1y", "regime_score", "rsi"):
        assert (there.value(metric), there.figure(metric)) == (anew.value(metric), anew.figure(metric))
    assert decided(there) == decided(anew)


def weighed_anew(seen: View, rows: dict[int, Row]) -> View:
    """Return the view with other rows, everything else worked out again."""
    evidence = tuple(
        replace(item, row=row, contribution=item.share * row.score)
        for place, item in enumerate(seen.evidence)
        for row in (rows.get(place, item.row),)
    )
    means = {name: overall([item.row for item in evidence if item.report == name]) or 0.0 for name in seen.by_report}
    regime = next((row.value for row in rows.values() if row.metric == "regime_score"), seen.regime)
    return View(evidence, means, regime, seen.weights)
