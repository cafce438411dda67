"""Questions about one's own holdings: what they state, and what they ask."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.questions.holdings import HoldingsQuestion, read_holdings_question


@pytest.mark.parametrize(
    ("text", "about", "stated", "symbols"),
    [
        ("I own 100 AAPL at 150: add, hold or trim?", "decision", "100 AAPL at 150", ("AAPL",)),
        ("We hold 100 shares of VELQ. Should we sell?", "decision", "100 shares of VELQ", ("VELQ",)),
        ("I have 100 VELQ and 50 MODZ, how risky is that?", "risk", "100 VELQ and 50 MODZ", ("MODZ", "VELQ")),
        ("my portfolio is 60 % VELQ and 40 % MODZ: how risky?", "risk", "60 % VELQ and 40 % MODZ", ("VELQ", "MODZ")),
        ("How diversified is my portfolio of 60% VELQ, 40% MODZ?", "risk", "60% VELQ, 40% MODZ", ("VELQ", "MODZ")),
        ("which of my holdings reports this week?", "results", "", ()),
        ("What is my portfolio worth?", "value", "", ()),
        ("How risky is my book?", "risk", "", ()),
        ("Should I trim my position?", "decision", "", ()),
    ],
)
def test_questions_about_holdings(text: str, about: str, stated: str, symbols: tuple[str, ...]):
    found = read_holdings_question(text)
    assert found is not None
    assert (found.about, found.stated, found.symbols) == (about, stated, symbols)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("which of my holdings report this week?", 7),
        ("which of my holdings report next week?", 14),
        ("which of my stocks report this month?", 30),
        ("which of my positions report in the next 10 days?", 10),
        ("which of my positions report in the next 99 days?", 60),
    ],
)
def test_the_days_ahead(text: str, days: int):
    assert read_holdings_question(text) == HoldingsQuestion("results", days_ahead=days)


@pytest.mark.parametrize(
    "text",
    [
        "What is AAPL trading at?",
        "Should I buy AAPL?",
        "I have a question about 100 companies",
        "What does the portfolio of Warren Buffett hold?",
        "How much cash does VELQ hold?",
        "Did they own 100 AAPL at 150?",
        "I own a house: what is AAPL worth?",
    ],
)
def test_other_questions(text: str):
    assert read_holdings_question(text) is None


@pytest.mark.parametrize(
    ("text", "about", "stated"),
    [
        ("Ich besitze 100 AAPL zu 150: nachkaufen, halten oder reduzieren?", "decision", "100 AAPL at 150"),
        (
            "Wir haben 1.250 Aktien von VELQ zu 80,50 Euro gekauft. Verkaufen?",
            "decision",
            "1250 shares of VELQ at 80.50 EUR",
        ),
        ("Ich halte 100 VELQ und 50 MODZ, wie riskant ist das?", "risk", "100 VELQ and 50 MODZ"),
        ("Mein Depot ist 60 % VELQ und 40 % MODZ: wie riskant?", "risk", "60 % VELQ and 40 % MODZ"),
        ("Welche meiner Aktien berichten nächste Woche?", "results", ""),
        ("Was ist mein Depot wert?", "value", ""),
        ("Je possède 100 AAPL à 150 : renforcer, conserver ou alléger ?", "decision", "100 AAPL at 150"),
        ("J'ai 1 250 actions de VELQ à 80,50 euros. Faut-il vendre ?", "decision", "1250 shares of VELQ at 80.50 EUR"),
        ("Mon portefeuille est 60 % VELQ et 40 % MODZ : quel risque ?", "risk", "60 % VELQ and 40 % MODZ"),
        ("Lesquels de mes titres publient leurs résultats cette semaine ?", "results", ""),
        ("Tengo 100 AAPL a 150: ¿comprar más, mantener o reducir?", "decision", "100 AAPL at 150"),
        ("Tengo 1.250 acciones de VELQ a 80,50 dólares. ¿Debo vender?", "decision", "1250 shares of VELQ at 80.50 USD"),
        ("Mi cartera es 60 % VELQ y 40 % MODZ: ¿qué riesgo tiene?", "risk", "60 % VELQ and 40 % MODZ"),
        ("¿Cuáles de mis acciones presentan resultados esta semana?", "results", ""),
        ("我持有100股AAPL，成本价150：加仓、持有还是减仓？", "decision", "100 shares of AAPL at 150"),
        ("我有100股VELQ和50股MODZ。风险多大？", "risk", "100 shares of VELQ and 50 shares of MODZ"),
        ("我的投资组合是60% VELQ和40% MODZ：风险多大？", "risk", "60% VELQ and 40% MODZ"),
        ("我的持仓里哪些本周公布财报？", "results", ""),
        (
            "私はAAPLを100株、150ドルで保有しています。買い増し、維持、縮小のどれですか？",
            "decision",
            "100 AAPL at 150 USD",
        ),
        ("私はVELQを100株とMODZを50株持っています。リスクは？", "risk", "100 VELQ and 50 MODZ"),
        ("私のポートフォリオは60% VELQと40% MODZです。リスクは？", "risk", "60% VELQ and 40% MODZ"),
        ("私の保有銘柄で今週決算を発表するのはどれ？", "results", ""),
    ],
)
def test_other_languages(text: str, about: str, stated: str):
    found = read_holdings_question(text)
    assert found is not None
    assert (found.about, found.stated) == (about, stated)


@pytest.mark.parametrize(
    "text",
    [
        "I own about 100 or 200 AAPL at 150, sell?",
        "Ich besitze 1,250 VELQ: halten?",
        "Ich besitze mehr als 100 AAPL zu 150: halten?",
        "Je possède 1.250 VELQ : vendre ?",
        "J'ai environ 100 actions AAPL : vendre ?",
        "Tengo unas 100 AAPL a 150: ¿vender?",
        "我持有大约100股AAPL左右：加仓？",
        "私はAAPLをだいたい100株くらい持っています。売る？",
    ],
)
def test_holdings_that_may_mean_two_things_are_declined(text: str):
    assert read_holdings_question(text) == HoldingsQuestion("unread")


@pytest.mark.parametrize(
    "text",
    [
        "Wie hoch ist der Umsatz von AAPL?",
        "Wir haben eine Frage zu AAPL im Jahr 2024",
        "Quel est le cours de AAPL ?",
        "J'ai une question sur AAPL en 2024",
        "¿Cuál es el precio de AAPL?",
        "Tengo una pregunta sobre AAPL en 2024",
        "AAPL有多少负债？",
        "持有AAPL会亏多少",
        "AAPLの株価は？",
        "What did I have for lunch?",
    ],
)
def test_questions_in_other_languages_about_no_holdings(text: str):
    assert read_holdings_question(text) is None
