"""Ranking of articles: what matches a topic, the market or a company, in which order, and what is merged or dropped."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest

from tests.analytics.labelled_news import ARTICLES, MARKET, TOPICS
from tradingagents.analytics.company.news_ranking import (
    LEAST,
    MOST_WEAK,
    STRONG,
    Ranking,
    _Trace,
    rank_company_news,
    rank_market_news,
    rank_topic_news,
)
from tradingagents.dataflows.models import NewsItem, Profile
from tradingagents.dataflows.reference.company_names import company_names
from tradingagents.dataflows.reference.topics import matching

NOW = datetime(2025, 4, 4, 20, tzinfo=UTC)
MANY = 500


def item(title: str, summary: str | None = None, *, hours: float = 1, **changes) -> NewsItem:
    when = NOW - timedelta(hours=hours)
    return NewsItem(title, when, when, summary=summary, **changes)


LABELLED = {one.title: one for one in ARTICLES}
ITEMS = [
    item(one.title, one.summary, source=f"Paper {number % 40}", symbol="MADE") for number, one in enumerate(ARTICLES)
]


def on_topic(topic: str, items=ITEMS, limit: int = MANY, about=lambda _: None) -> Ranking:
    return rank_topic_news(matching(topic, items, about), topic, about=about, until=NOW, limit=limit)


def on_market(*items: NewsItem, limit: int = 10) -> Ranking:
    return rank_market_news(items, until=NOW, limit=limit)


def on_company(*items: NewsItem, symbol: str = "BRVN", name: str = "Brovane Inc.", limit: int = 20) -> Ranking:
    return rank_company_news(items, company_names(symbol, name), until=NOW, limit=limit)


def titles(ranking: Ranking) -> list[str]:
    return [one.item.title for one in ranking.shown]


def clear(ranking: Ranking) -> set[str]:
    return {one.item.title for one in ranking.shown if not one.weak}


def quality(found: set[str], wanted: set[str]) -> tuple[float, float]:
    """Return precision and recall."""
    hits = len(found & wanted)
    return hits / len(found), hits / len(wanted)


@pytest.mark.parametrize(("topic", "letter"), TOPICS.items())
def test_a_topic_finds_its_articles_and_few_others(topic: str, letter: str):
    wanted = {one.title for one in ARTICLES if letter in one.labels}
    precision, recall = quality(clear(on_topic(topic)), wanted)
    assert precision >= 0.75, (topic, clear(on_topic(topic)) - wanted)
    assert recall >= 0.8, (topic, wanted - clear(on_topic(topic)))


def test_over_all_topics_nine_in_ten_found_are_right_and_nine_in_ten_right_are_found():
    found = {(topic, title) for topic in TOPICS for title in clear(on_topic(topic))}
    wanted = {(topic, one.title) for topic, letter in TOPICS.items() for one in ARTICLES if letter in one.labels}
    precision, recall = quality(found, wanted)
    assert (precision, recall) >= (0.9, 0.9), (found - wanted, wanted - found)
    assert recall >= 0.9, wanted - found


def test_no_distractor_is_a_clear_match_of_anything():
    plain = {one.title for one in ARTICLES if not one.labels}
    assert len(plain) > 30
    for topic in TOPICS:
        assert clear(on_topic(topic)) & plain == set(), topic
    assert not clear(on_market(*ITEMS, limit=MANY)) & plain


def test_market_news_are_those_of_markets_economy_policy_geopolitics_and_commodities():
    wanted = {one.title for one in ARTICLES if set(one.labels) & set(MARKET)}
    precision, recall = quality(clear(on_market(*ITEMS, limit=MANY)), wanted)
    assert precision >= 0.9, clear(on_market(*ITEMS, limit=MANY)) - wanted
    assert recall >= 0.9, wanted - clear(on_market(*ITEMS, limit=MANY))


def test_the_score_is_the_documented_one():
    (one,) = on_topic("trade policy", [item("Tariff day", hours=0)]).shown
    assert (one.relevance, one.reason, one.score) == (0.60, "tariff in the title", 0.60)
    (two,) = on_topic("trade policy", [item("Tariff day", "An embargo follows.", hours=0)]).shown
    assert two.relevance == round(1 - 0.4**1.4, 2)
    (summary,) = on_topic("trade policy", [item("A day", "Tariffs, an embargo, a trade war.", hours=0)]).shown
    assert summary.relevance == round(1 - 0.4**0.7, 2)
    assert summary.weak
    (tip,) = on_topic("trade policy", [item("5 stocks to buy as tariffs and embargo hit", hours=0)]).shown
    assert tip.relevance == round(0.4 * round(1 - 0.4**2, 9), 2)
    assert tip.reason.endswith("; a list of stocks or a stock tip")


def test_the_topic_s_own_words_count_by_how_rare_they_are():
    others = [item(f"Quarks in the news, part {number}") for number in range(20)]
    found = on_topic("quark glaciers", [*others, item("A glacier of quarks"), item("The glacier moves")])
    worth = {one.item.title: one.relevance for one in found.shown}
    assert worth["A glacier of quarks"] == round(1 - 0.4**2, 2)
    assert worth["The glacier moves"] > 2 * max(worth.get(f"Quarks in the news, part {n}", 0) for n in range(20))


def test_an_article_of_the_sector_s_company_without_a_word_of_it_is_a_weak_match():
    maker = Profile("MADE", "Made Inc", "stock", sector="technology")
    found = on_topic("Information Technology", [item("Dividend day", symbol="MADE")], about=lambda _: maker)
    assert [(one.weak, one.reason) for one in found.shown] == [(True, "filed under a company of the sector")]


def test_what_only_the_source_s_own_search_found_is_a_weak_match():
    found = rank_topic_news([item("Dividend day")], "geopolitics", about=lambda _: None, until=NOW, limit=5)
    assert [one.weak for one in found.shown] == [True]


def test_relevance_is_halved_by_age_in_the_order_and_in_nothing_else():
    old, new = item("Tariffs and embargo", hours=24 * 7), item("Tariff news", hours=1)
    found = on_topic("trade policy", [old, new])
    assert titles(found) == ["Tariff news", "Tariffs and embargo"]
    assert [one.relevance for one in found.shown] == [0.60, 0.84]
    assert found.shown[1].score == pytest.approx(0.84 * 0.5 ** (7 / found.half_life))


def test_reports_of_one_story_are_merged_and_the_others_named():
    found = on_market(
        item("Fed holds interest rates steady, Powell says", hours=3, source="Herald"),
        item("Fed holds interest rates steady, says Powell", hours=2, source="Gazette"),
        item("Powell says Fed holds interest rates steady", hours=1, source="Courier"),
        item("Oil price falls as OPEC meets", hours=1, source="Courier"),
    )
    assert [(one.item.source, one.also) for one in found.shown] == [("Courier", ("Gazette", "Herald")), ("Courier", ())]
    assert found.matches == 2


def test_one_text_under_two_titles_is_one_story():
    text = "Policymakers left their key rate unchanged on Wednesday and said that they need more data on prices first."
    found = on_market(item("Fed stands pat", text), item("No change at the Fed this month", text, hours=5))
    assert [len(one.also) for one in found.shown] == [1]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (item("Inflation rises to 3.1 percent"), item("Inflation rises to 2.9 percent", hours=6)),
        (item("Tariff dispute worsens"), item("Tariff dispute worsens", hours=60)),
        (item("Tariffs hit Acme this week", symbol="ACMQ"), item("Tariffs hit Bolt this week", symbol="BLTQ")),
    ],
    ids=["other numbers", "another day", "another company"],
)
def test_what_is_alike_and_not_the_same_stays_apart(first: NewsItem, second: NewsItem):
    assert on_market(first, second).matches == 2


def test_a_long_window_compares_only_articles_of_one_time(monkeypatch: pytest.MonkeyPatch):
    """As many stories as when each article is held against all, from a small part of the comparisons."""
    rng = random.Random(3)  # noqa: S311
    words = ["tariffs", "rates", "oil", "jobs", "inflation", "yields", "exports"]
    articles = [
        item(f"Fed {' '.join(rng.sample(words, 4))}", hours=rng.uniform(0, 24 * 300), source=f"P{number % 9}")
        for number in range(600)
    ]
    compared = 0
    tells_the_same = _Trace.tells_the_same

    def counted(one: _Trace, other: _Trace) -> bool:
        nonlocal compared
        compared += 1
        return tells_the_same(one, other)

    monkeypatch.setattr(_Trace, "tells_the_same", counted)
    shown = on_market(*articles, limit=2 * len(articles)).shown
    assert 0 < compared < 20 * len(articles)
    merged = sum(len(one.also) for one in shown)
    assert merged > 20
    assert len(shown) + merged == len(articles)
    traces = [_Trace.of(one.item) for one in shown]
    assert not any(tells_the_same(one, other) for one, other in combinations(traces, 2))


def test_a_publisher_s_further_matches_count_half():
    told = (
        "Tariffs hit ports",
        "Farms dread an embargo",
        "Import ban looms",
        "Trade deal near",
        "Customs duty doubled",
    )
    loud = [item(title, source="Loud") for title in told]
    quiet = item("Embargo on mustard", hours=20, source="Quiet")
    assert "Embargo on mustard" in titles(on_market(*loud, quiet, limit=5))
    assert len(titles(on_market(*loud, limit=5))) == 5, "alone it has every place"


def test_weak_matches_come_last_and_are_few():
    weak = [item(word, f"{word} are hit by tariffs.", symbol="M") for word in ("Ants", "Bees", "Cats", "Dogs", "Emus")]
    found = on_market(*weak, item("Tariffs rise", hours=90, symbol="M"), limit=10)
    assert [one.weak for one in found.shown] == [False, *[True] * MOST_WEAK]


def test_every_article_shown_is_at_least_a_weak_match_and_says_why():
    for topic in TOPICS:
        for one in on_topic(topic).shown:
            assert one.relevance >= LEAST
            assert one.reason
            assert one.weak == (one.relevance < STRONG)


def test_the_order_depends_on_nothing_but_the_articles():
    shuffled = ITEMS.copy()
    random.Random(7).shuffle(shuffled)  # noqa: S311
    assert on_market(*shuffled, limit=30) == on_market(*ITEMS, limit=30)
    assert on_topic("geopolitics", shuffled) == on_topic("geopolitics")


def test_nothing_is_an_answer():
    assert on_market().shown == ()
    assert on_market(item("Cats of the week", symbol="MADE")).shown == ()


# Companies


def test_an_article_about_the_company_is_worth_more_than_one_that_names_it_in_passing():
    about = item("Brovane raises its outlook", "Brovane said demand is strong.")
    passing = item(
        "Makers of glue rise",
        "Shares of Alto, Bex, Cora, Dunn, Elm, Fenn, Gale, Holt and many more small and "
        "large makers of glue, tape and paper rose on Monday, and so did those of Brovane and of Ivor.",
    )
    listed = item("Alto, Bex, Brovane and Cora in focus")
    unnamed = item("Glue is back")
    found = on_company(unnamed, listed, passing, about)
    assert titles(found)[0] == about.title
    assert clear(found) == {about.title}
    assert {one.item.title for one in found.shown if one.weak} == {listed.title, passing.title, unnamed.title}


@pytest.mark.parametrize(
    ("symbol", "name", "title"),
    [
        ("JNJ", "Johnson & Johnson", "J&J drops a drug"),
        ("PG", "Procter & Gamble", "P&G lifts prices"),
        ("HD", "Home Depot (The)", "The Home Depot grows"),
        ("V", "Visa Inc.", "Regulator looks at Visa"),
        ("V", "Visa Inc.", "Payments firm (NYSE: V) grows"),
        ("GOOGL", "Alphabet Inc. (Class A)", "Google opens an office"),
        ("TRV", "Travelers Companies (The)", "Travelers reports"),
        ("MCD", "McDonald's", "McDonald\u2019s opens a shop"),
        ("SHW", "Sherwin-Williams", "Paint maker Sherwin-Williams rises"),
        ("IBM", "IBM", "International Business Machines buys a firm"),
        ("UNH", "UnitedHealth Group", "UnitedHealth names a chief"),
        ("BA", "Boeing", "BA shares fall"),
        ("BRK-B", "BRK-B", "Berkshire adds to its oil holding"),
        ("BRK-B", "BRK-B", "Insurer (NYSE: BRK.B) holds more cash than ever"),
        ("BRK-B", "BRK-B", "BRK/B rises after results"),
        ("BRK-B", "BRK-B", "BRKB rises after results"),
    ],
)
def test_a_company_is_known_by_its_names(symbol: str, name: str, title: str):
    (one,) = on_company(item(title), symbol=symbol, name=name).shown
    assert not one.weak, one.reason


@pytest.mark.parametrize(
    ("symbol", "name", "title"),
    [
        ("HD", "Home Depot (The)", "Home prices rise"),
        ("BRK-B", "BRK-B", "BRK.A rises after results"),
        ("AXP", "American Express", "American consumers spend"),
        ("V", "Visa Inc.", "V-shaped recovery ahead"),
        ("NOW", "ServiceNow", "Buy NOW, pay later grows"),
        ("ALL", "Allstate", "ALL eyes on rates"),
        ("CAT", "Caterpillar Inc.", "ALL ABOUT THE CAT AND THE DOG AND WHERE THEY LIVE"),
        ("T", "AT&T", "Model T turns 100"),
    ],
)
def test_and_not_by_words_that_only_look_like_them(symbol: str, name: str, title: str):
    assert all(one.weak for one in on_company(item(title), symbol=symbol, name=name).shown)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Larch Law Firm reminds Brovane investors of deadline", "a law firm's notice"),
        ("Brovane among 10 Best Dividend Stocks to Buy", "a list of stocks or a stock tip"),
        ("Brovane Inc. stock underperforms Monday when compared to competitors", "a routine note on the day's prices"),
        ("Is Brovane a Buy Now?", "a list of stocks or a stock tip"),
    ],
)
def test_articles_that_tell_little_are_weak_whoever_they_name(title: str, kind: str):
    (one,) = on_company(item(title)).shown
    assert one.weak
    assert one.reason.endswith(kind)
