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
            "1250 VELQ at 80.50 EUR",
        ),
        ("Ich halte 100 VELQ und 50 MODZ, wie riskant ist das?", "risk", "100 VELQ and 50 MODZ"),
        ("Mein Depot ist 60 % VELQ und 40 % MODZ: wie riskant?", "risk", "60% VELQ and 40% MODZ"),
        ("Welche meiner Aktien berichten nächste Woche?", "results", ""),
        ("Was ist mein Depot wert?", "value", ""),
        ("Je possède 100 AAPL à 150 : renforcer, conserver ou alléger ?", "decision", "100 AAPL at 150"),
        ("J'ai 1 250 actions de VELQ à 80,50 euros. Faut-il vendre ?", "decision", "1250 VELQ at 80.50 EUR"),
        ("Mon portefeuille est 60 % VELQ et 40 % MODZ : quel risque ?", "risk", "60% VELQ and 40% MODZ"),
        ("Lesquels de mes titres publient leurs résultats cette semaine ?", "results", ""),
        ("Tengo 100 AAPL a 150: ¿comprar más, mantener o reducir?", "decision", "100 AAPL at 150"),
        ("Tengo 1.250 acciones de VELQ a 80,50 dólares. ¿Debo vender?", "decision", "1250 VELQ at 80.50 USD"),
        ("Mi cartera es 60 % VELQ y 40 % MODZ: ¿qué riesgo tiene?", "risk", "60% VELQ and 40% MODZ"),
        ("¿Cuáles de mis acciones presentan resultados esta semana?", "results", ""),
        ("我持有100股AAPL，成本价150：加仓、持有还是减仓？", "decision", "100 AAPL at 150"),
        ("我有100股VELQ和50股MODZ。风险多大？", "risk", "100 VELQ and 50 MODZ"),
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
        (
            "Ich hab 250 MSFT-Aktien im Depot, Einstand 310 Euro. Soll ich aufstocken oder lieber Gewinne mitnehmen?",
            "decision",
            "250 MSFT at 310 EUR",
        ),
        (
            "Mein Portfolio besteht zu 70 % aus NVDA und zu 30 % aus KO. Wie hoch ist mein Risiko?",
            "risk",
            "70% NVDA and 30% KO",
        ),
        ("Wer von meinen Positionen legt diese Woche Zahlen vor?", "results", ""),
        (
            "Ich bin mit 40 Stück AMZN investiert, gekauft bei 128,40 $. Halten oder verkaufen?",
            "decision",
            "40 AMZN at 128.40",
        ),
        (
            "Je détiens 75 actions NVDA achetées à 95 dollars, dois-je en racheter, les garder ou prendre mes bénéfices ?",
            "decision",
            "75 NVDA at 95",
        ),
        (
            "Mon portefeuille se compose de 55 % de MSFT, 25 % de AAPL et 20 % de XOM. Est-ce trop risqué ?",
            "risk",
            "55% MSFT and 25% AAPL and 20% XOM",
        ),
        ("Parmi mes positions, lesquelles annoncent leurs résultats cette semaine ?", "results", ""),
        (
            "J'ai acheté 20 GOOGL à 141,50 $. Est-ce que je garde ou est-ce que je vends ?",
            "decision",
            "20 GOOGL at 141.50",
        ),
        (
            "Tengo en cartera 60 acciones de TSLA compradas a 180 dólares, ¿compro más, las mantengo o vendo una parte?",
            "decision",
            "60 TSLA at 180 USD",
        ),
        (
            "Mi portafolio está formado por un 50% de AAPL, un 30% de AMZN y un 20% de PG. ¿Qué tan arriesgado es?",
            "risk",
            "50% AAPL and 30% AMZN and 20% PG",
        ),
        ("¿Qué empresas de mi cartera publican resultados esta semana?", "results", ""),
        ("Poseo 15 títulos de META a 300,25. ¿Debería reducir mi posición?", "decision", "15 META at 300.25"),
        ("我手里有200股NVDA，成本110美元，现在该加仓还是减仓？", "decision", "200 NVDA at 110 USD"),
        ("我的仓位是MSFT占60%，KO占40%，风险高吗？", "risk", "60% MSFT and 40% KO"),
        ("我持仓的股票中，这周有哪些要发财报？", "results", ""),
        ("我以均价175买了80股AAPL，要不要卖掉？", "decision", "80 AAPL at 175"),
        (
            "NVDAを30株、平均取得単価120ドルで持っています。買い増すべきか、売るべきか教えてください。",
            "decision",
            "30 NVDA at 120 USD",
        ),
        ("ポートフォリオの70%がAAPL、30%がKOです。リスクはどのくらいですか？", "risk", "70% AAPL and 30% KO"),
        ("保有株のうち、今週決算があるのはどれですか？", "results", ""),
        ("MSFTを50株保有中です。利益確定すべきでしょうか？", "decision", "50 MSFT"),
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
        "Ich besitze 100 AAPL und Calls auf MSFT: wie riskant?",
        "Ich habe 100 AAPL zu 150 und noch einmal 50 zu 170: verkaufen?",
        "Ich habe letztes Jahr 100 AAPL verkauft. Nachkaufen?",
        "Ich besitze 100 Apple-Aktien: wie riskant?",
        "Ich besitze 100 AAPL. Soll ich MSFT nachkaufen?",
        "Wir haben 2020 AAPL gekauft, verkaufen?",
        "J'ai vendu 100 AAPL à 150, dois-je en racheter ?",
        "Mon portefeuille : 60 % AAPL, MSFT et 20 % KO. Risqué ?",
        "Tengo 2 mil acciones de AAPL: ¿vender?",
        "Tengo 100 AAPL y 50 de MSFT o de GOOGL: ¿qué riesgo?",
        "我没有100股AAPL，我有50股MSFT：卖出？",
        "我持有2万股AAPL：减仓？",
        "我有一百股AAPL：加仓？",
        "私はAAPLを2単元持っています。売る？",
        "AAPLを100株空売りしていて、買った方がいい？ MSFTは50株保有しています。",
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
        "Wie riskant ist AAPL bei einem Kurs von 150?",
        "Welche Aktien hält Berkshire, mehr als 100 Millionen AAPL?",
        "Je n'ai pas 100 AAPL, vendre ?",
        "Le portefeuille de crédits de JPM a-t-il augmenté de 5 % ?",
        "¿Cuántas acciones de AAPL tiene Berkshire, 300 millones?",
        "巴菲特持有3亿股AAPL吗？",
        "バフェットはAAPLを100株保有していますか？",
        "バークシャーの保有銘柄で今週決算を発表するのはどれ？",
    ],
)
def test_questions_in_other_languages_about_no_holdings(text: str):
    assert read_holdings_question(text) is None
