"""A topic finds the articles that have its words, in the sense meant, or are filed under its sector."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.dataflows.models import NewsItem, Profile
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTORS
from tradingagents.dataflows.reference.topic_taxonomy import SECTOR_SUBJECTS, SUBJECTS
from tradingagents.dataflows.reference.topics import folded, matching, read_topic, read_words

NOON = datetime(2025, 3, 14, 12, tzinfo=UTC)
CHIPMAKER = Profile("ACMQ", "Acme Quark", "stock", sector="technology", industry="Semiconductor Materials & Equipment")
ENERGY = Profile("ZZTQ", "Zett", "stock", sector="energy", industry="Oil & Gas")
TITLES = (
    "Tariffs hit steel",
    "Fed holds rates",
    "Oil slips as OPEC meets",
    "Quiet day for quarks",
    "U.S. and China talk",
    "A tariff on oil from Russia",
)


def item(title: str, summary: str | None = None, *, hours: int = 0, symbol: str | None = None) -> NewsItem:
    when = NOON + timedelta(hours=hours)
    return NewsItem(title, when, when, summary=summary, symbol=symbol)


def titles(topic: str, *items: NewsItem) -> list[str]:
    return [found.title for found in matching(topic, items)]


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("geopolitics", "Ceasefire in sight"),
        ("geopolitics", "NATO meets over Russia's war"),
        ("trade policy sanctions", "New export controls on chips"),
        ("trade policy sanctions", "Sanctions bite"),
        ("central bank monetary policy", "Powell in no hurry"),
        ("central bank monetary policy", "Traders bet on a rate cut in June"),
        ("energy oil commodities", "Copper at a record"),
        ("energy oil commodities", "OPEC+ agrees"),
        ("renewable energy", "Solar farms pay"),
        ("semiconductor industry", "A chipmaker's lonely year"),
        ("Information Technology", "Cloud spending slows"),
        ("health care", "FDA clears a drug"),
        ("impact of tariffs on automakers 2025", "Automaker cuts shifts"),
        ("Quark", "Quarks are back"),
    ],
)
def test_a_topic_finds_what_is_written_about_it_in_other_words(topic: str, title: str):
    assert titles(topic, item(title), item("Nothing of the kind")) == [title]


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("central bank monetary policy", "FedEx delivers, a bank policy changes, Central Perk reopens"),
        ("trade policy sanctions", "How to trade this stock: a new policy"),
        ("geopolitics", "Warner Bros. wants a chinaware brand"),
        ("energy oil commodities", "Goldman Sachs boils over"),
        ("renewable energy", "Oil and gas wells run dry"),
        ("semiconductor industry news", "Industry news of the day: chipped paint"),
        ("materials", "Proxy statement and solicitation materials"),
        ("technology outlook 2025", "Outlook for 2025"),
    ],
)
def test_only_whole_words_that_say_something_count(topic: str, title: str):
    assert titles(topic, item(title)) == []


@pytest.mark.parametrize("topic", ["latest market news", "", "...", "this week 2025"])
def test_a_topic_of_filler_finds_nothing(topic: str):
    assert titles(topic, *map(item, TITLES)) == []


@pytest.mark.parametrize("topic", ["technology", "Information Technology", "semiconductor equipment", "tech stocks"])
def test_an_article_filed_under_a_company_is_on_its_sector_s_and_its_industry_s_topic(topic: str):
    assert matching(topic, [item("Dividend day")], about=lambda _: CHIPMAKER)


@pytest.mark.parametrize("topic", ["software", "semiconductor software", "health care"])
def test_and_on_no_other(topic: str):
    assert not matching(topic, [item("Dividend day")], about=lambda _: CHIPMAKER)


def test_the_company_is_asked_of_about():
    items = (item("Dividend day", symbol="ACMQ"), item("Dividend day too", symbol="ELMQ"))
    found = matching("technology", items, about=lambda row: CHIPMAKER if row.symbol == "ACMQ" else None)
    assert found == items[:1]


def test_the_newest_come_first_and_of_one_instant_those_of_the_sector():
    older, newer = item("Oil price up", hours=-5), item("Oil price down", hours=-1)
    twin = item("Oil price down", hours=-1, symbol="ZZTQ")
    found = matching("oil and gas", [older, newer, twin], lambda row: ENERGY if row.symbol else None)
    assert found == (twin, newer, older)


@pytest.mark.parametrize(
    ("topic", "title", "summary"),
    [
        ("central bank monetary policy", "Is this Dividend Yield ETF a gem?", "It yields 6%."),
        ("central bank monetary policy", "Are high-yield shares best?", "A high yield comes with risk."),
        ("energy oil commodities", "New Platinum Plus dish soap", "It cleans pans."),
        ("energy oil commodities", "A gold card for travelers", "Points for flights."),
        ("geopolitics", "Bidding war for a toy maker", "Two funds want it."),
        ("trade policy sanctions", "Call of Duty tops the charts", None),
    ],
)
def test_a_word_in_another_sense_does_not_count(topic: str, title: str, summary: str | None):
    assert matching(topic, [item(title, summary)]) == ()


def test_a_word_of_several_senses_counts_in_company():
    assert titles("commodities", item("Copper is back", "Interior designers love it.")) == []
    assert titles("commodities", item("Copper is back", "Futures rose 3% as mines closed.")) == ["Copper is back"]
    assert titles("commodities", item("Copper and zinc rise")) == ["Copper and zinc rise"]


def test_a_phrase_is_one_word_and_not_its_parts_as_well():
    (subject,) = read_topic("trade policy").subjects
    mention = subject.mention(read_words("Trade war ahead"), read_words(""))
    assert mention is not None
    assert mention.in_title == {"trade war"}


def test_an_exchange_before_a_ticker_is_no_market_news():
    assert read_words("Acme (NASDAQ: ACMQ) rises").text == " acme rise "


def test_a_longer_name_is_not_read_as_the_shorter_one_in_it():
    assert read_topic("renewable energy").sectors == frozenset()
    assert read_topic("energy").sectors == {"energy"}
    assert read_topic("energy oil commodities").sectors == {"energy"}


@pytest.mark.parametrize("sector", SECTORS)
def test_every_sector_is_called_by_its_key_and_by_its_display_name(sector: str):
    assert read_topic(sector).sectors == read_topic(DISPLAY[sector]).sectors == {sector}


def test_no_name_calls_two_subjects_and_every_word_is_spelled_as_it_is_compared():
    subjects = (*SUBJECTS, *SECTOR_SUBJECTS.values())
    names = [folded(name) for subject in subjects for name in subject.names]
    assert len(names) == len(set(names))
    assert all(word == word.lower() and folded(word).strip() for subject in subjects for word in subject.words)


def test_folding_makes_one_of_plural_possessive_and_abbreviation():
    assert folded("U.S. Tariffs: Russia's policies, taxes & crisis") == " us tariff russia policy tax crisis "


@given(st.lists(st.tuples(st.sampled_from(TITLES), st.integers(0, 48)), unique=True, max_size=12), st.randoms())
def test_the_order_of_two_articles_depends_on_nothing_else(rows, random):
    items = [item(title, hours=hours) for title, hours in rows]
    every = matching("tariffs and oil", items)
    shuffled = random.sample(items, len(items))
    some = [row for row in items if random.random() < 0.5]
    assert matching("tariffs and oil", shuffled) == every
    assert matching("tariffs and oil", some) == tuple(row for row in every if row in some)
