"""The report of a backtest as a document: verdict, equity, calls, scorecard, regimes, prices, costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.analytics.performance.paired import untested_because
from tradingagents.features.backtest.contamination.backtest_split import contamination_section
from tradingagents.features.backtest.pages import tables
from tradingagents.features.backtest.pages.exhibits import BacktestExhibits
from tradingagents.features.backtest.pages.report import (
    BENCHMARK_HEAD,
    benchmark_line,
    benchmark_rows,
    choice_lines,
    conventions,
    exits_line,
    holm_table,
    plan_line,
    random_line,
    ranking_table,
    unranked_line,
    untested_line,
)
from tradingagents.features.backtest.pages.verdict import beyond, verdict
from tradingagents.features.backtest.pages.wording import brier_score, number, percent, span
from tradingagents.features.backtest.run import Backtest
from tradingagents.features.backtest.statistics.breakdown import STATE_WORDS, STATES
from tradingagents.features.backtest.statistics.outcomes import NO_INTERVAL, outcomes
from tradingagents.features.backtest.strategies import DECISIONS
from tradingagents.reports.blocks import warnings_on_page
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Heading,
    Line,
    Masthead,
    Prose,
    Section,
    Table,
)

MOST_TICKERS = 24
"""Tickers whose prices are drawn, those with most decisions to buy or sell first; the files have all."""
MOST_PAPER_TICKERS = 12
MOST_READINGS = 30
MOST_REASONS = 3
"""Reasons for a missing interval that the page says; result.json has that of each row."""
TITLES = {"trend": "By trend", "volatility": "By volatility", "both": "By both"}


def backtest_document(found: Backtest) -> Document:
    """Return the report of a backtest."""
    from tradingagents.reports.charts.price_chart import chart_css

    record = found.record
    tickers = record["request"]["tickers"]
    named = f"{', '.join(tickers[:6])}{f' and {len(tickers) - 6} more' if len(tickers) > 6 else ''}"
    period = f"{record['first_session']} to {record['last_session']}"
    return Document(
        title=f"Backtest of {named}",
        facts=[("Tickers", named), ("Period", period), ("Backtest", record["id"])],
        masthead=Masthead(
            title=f"Backtest of {named}",
            eyebrow="Backtest",
            heading=named,
            detail=period,
            facts=_facts(record),
            identity=f"Backtest {record['id']}",
        ),
        sections=_sections(found, record),
        inline_styles=(chart_css(),),
        contents=True,
    )


def _sections(found: Backtest, record: Mapping[str, Any]) -> list[Section]:
    known = outcomes(found.decided, found.table, found.accounts[DECISIONS].days[-1])
    charts = BacktestExhibits(found, known)
    result = _result(record, charts)
    equity: list[Block] = [charts.equity(), charts.drawdown(), charts.exposure()]
    return [
        Section("Result", result, id="result", menu="Result"),
        warnings_on_page(record["warnings"]),
        Section("Equity, drawdown, exposure", equity, id="equity", menu="Equity"),
        Section("Calls and confidence", _calls(record, charts), id="calls", menu="Calls"),
        Section("Variants and choice", _choice(record), id="choice", menu="Choice"),
        Section("What the models may remember", _remembered(record), id="memory", menu="Memory"),
        Section("Whose reading was right", _scorecard(record), id="scorecard", menu="Scorecard"),
        Section("States of the market", _regimes(record), id="regimes", menu="States"),
        Section("As papers report it", _papers(record), id="papers", menu="Papers"),
        Section("Decisions on the price", _prices(found, charts), id="decisions", menu="Decisions"),
        Section("Costs and limits", _costs(found, record), id="costs", menu="Costs"),
        Section("How it was tested", _method(record), id="method", menu="Method"),
    ]


def _facts(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    request, coverage = record["request"], record["coverage"]
    models = ", ".join(dict.fromkeys(record["models"].values()))
    return [
        ("Sessions", str(record["sessions"])),
        ("Decided every", f"{request['every']} sessions"),
        ("Decisions", f"{coverage['made']} of {coverage['wanted']}"),
        ("Models", models),
    ]


def _result(record: Mapping[str, Any], charts: BacktestExhibits) -> list[Block]:
    own, held, power = record["strategies"][DECISIONS], record["strategies"]["buy_and_hold"], record["power"]
    deciders = record.get("random_deciders") or {"percentile": None}
    scale, words = span(record)
    edge = "not testable" if power is None else f"{percent(scale * power['smallest_edge'])} {words}"
    terms = (
        ("Decisions", percent(own["total_return"]), f"{percent(own['exposure'])} invested"),
        ("Buy and hold", percent(held["total_return"]), f"{percent(held['exposure'])} invested"),
        *((f"Beyond {name}", f"{100 * value:+.1f} points", words) for name, value in beyond(record).items()),
        (
            "Random deciders",
            "not known" if deciders["percentile"] is None else f"{100 * deciders['percentile']:.0f} of 100",
            "did worse than the decisions",
        ),
        ("Smallest edge seen", edge, "with 80 % power"),
        ("Deepest fall", percent(own["max_drawdown"]), f"buy and hold {percent(held['max_drawdown'])}"),
    )
    return [
        Line(f"**{verdict(record)}**"),
        Card("value_terms", (terms,)),
        *([charts.random_deciders(deciders)] if deciders["percentile"] is not None else []),
        *([Line(said)] if (said := random_line(record)) else []),
        numbers(tables.return_table(record["strategies"])),
        *([numbers(gaps)] if (gaps := tables.gap_table(record)).rows else []),
        *([Line(missing)] if (missing := untested_line(record)) else []),
        Line(conventions(record)),
        *([Line(line)] if (line := benchmark_line(record)) else []),
        *([numbers(Table(BENCHMARK_HEAD, rows))] if (rows := benchmark_rows(record)) else []),
    ]


def _calls(record: Mapping[str, Any], charts: BacktestExhibits) -> list[Block]:
    found, coverage = record["decisions"], record["coverage"]
    actions = ", ".join(f"{count} {name}" for name, count in found["actions"].items()) or "none"
    chance = found.get("hit_rate_by_chance")
    by_chance = "" if chance is None else f"; as many calls on random tickers and days: {percent(chance)}"
    lines = [
        (
            f"Decisions made: {coverage['made']} of {coverage['wanted']} ({percent(coverage['share'])}); "
            f"NO_DECISION {coverage['no_decision']}, failed {coverage['failed']}."
        ),
        f"Actions: {actions}.",
        (
            f"Of {found['calls']} calls to buy or sell, {percent(found['hit_rate'])} had the right direction until the "
            f"next decision{by_chance}."
        ),
        f"Brier score of their confidence: {brier_score(found['brier'])} (0.25: always saying 50 %).",
        (
            f"Rank correlation of signed confidence with the later return: {number(found['rank_ic'])} over "
            f"{found['ic_days']} days on which decisions differ."
        ),
        *(f"{count} failed: {why}" for why, count in coverage["reasons"].items()),
    ]
    bins = found.get("reliability") or []
    return [Bullets(lines), *([charts.reliability(bins)] if bins else [])]


def _choice(record: Mapping[str, Any]) -> list[Block]:
    """Return the sealed plan, what is left after all that was tried, and the ranking of variants."""
    parts = [plan_line(record), choice_lines(record), ranking_table(record), unranked_line(record), holm_table(record)]
    return [Prose(part, under=2) for part in parts if part]


def _remembered(record: Mapping[str, Any]) -> list[Block]:
    """Return the results before and after the models' knowledge cut-off; nothing where no model remembers anything."""
    text = contamination_section(record)
    return [Prose(text, under=2)] if text else []


def _scorecard(record: Mapping[str, Any]) -> list[Block]:
    rows: Sequence[Mapping[str, Any]] = record["scorecard"]
    if not rows:
        return [
            Line("The decisions hold no opinions: they were stored by an earlier version, or no report had a score.")
        ]
    readings = tables.reading_table(rows)
    tested = [row for row in rows if row.get("beyond_low") is not None]
    telling = sum(bool(row["tells"]) for row in tested)
    luck = f"{len(tested) / 20:.0f}"
    blocks: list[Block] = [
        Line(
            "An opinion is right where the stock moved to its side from the close after the decision to the close "
            "after the next. By chance: the share that as many bullish and bearish opinions on random tickers and days "
            "would have had; + and - mark intervals of the difference that exclude 0. Of "
            f"{len(tested)} rows with an interval {telling} do; by luck alone about {luck} would."
        ),
        numbers(tables.agent_table(rows)),
        *_no_intervals([row for row in rows if not row["metric"]]),
    ]
    if readings.rows:
        shown = Table(readings.header, readings.rows[:MOST_READINGS])
        left = len(readings.rows) - len(shown.rows)
        rest = f"; {left} more are in result.json" if left else ""
        said = f"The {len(shown.rows)} furthest from chance first{rest}."
        blocks += [Heading("Single readings"), Line(said), numbers(shown, labels=2)]
        blocks += _no_intervals([row for row in rows if row["metric"]])
    return blocks


def _no_intervals(rows: Sequence[Mapping[str, Any]]) -> list[Block]:
    """Say why rows of the scorecard have no interval: the most frequent reasons, each once.

    Results of earlier versions do not hold the reasons.
    """
    reasons = Counter(why.removeprefix(NO_INTERVAL) for row in rows if (why := row.get("no_interval")))
    if not reasons:
        return []
    shown = [f"{why} ({count})" for why, count in reasons.most_common(MOST_REASONS)]
    rest = reasons.total() - sum(count for _, count in reasons.most_common(MOST_REASONS))
    more = [f"other reasons, see result.json ({rest})"] if rest else []
    return [Line(f"No interval in {reasons.total()} of {len(rows)} rows: {'; '.join([*shown, *more])}.")]


def _regimes(record: Mapping[str, Any]) -> list[Block]:
    rows = record["regimes"]["rows"]
    blocks: list[Block] = [
        Line(
            f"States of {record['regimes']['market']}, known at the close before the session they are counted for. "
            "Returns are yearly means; the gap is the account's return beyond buy and hold at its own exposure."
        )
    ]
    for about in STATES:
        table = tables.regime_table(rows, about)
        if table.rows:
            blocks += [Heading(TITLES[about]), Line(STATE_WORDS[about]), numbers(table)]
    missing = {str(row["state"]): untested_because(row["sessions"]) for row in rows if row["gap"] is None}
    return [*blocks, *([Line(_untested_states(missing))] if missing else [])]


def _untested_states(missing: Mapping[str, str]) -> str:
    """Say which states have no gap, each reason once."""
    states: dict[str, list[str]] = {}
    for state, why in missing.items():
        states.setdefault(why, []).append(state)
    said = [f"{'; '.join(names)} ({why})" for why, names in states.items()]
    return f"No gap is tested in: {'; '.join(said)}."


def _papers(record: Mapping[str, Any]) -> list[Block]:
    rows = list(tables.paper_rows(record))
    shown = {*record["request"]["tickers"][:MOST_PAPER_TICKERS], "all"}
    left = len(record["request"]["tickers"]) - MOST_PAPER_TICKERS
    more = f" {left} further tickers are in by_ticker.csv." if left > 0 else ""
    said = (
        "Cumulative and annual return, Sharpe ratio and deepest drawdown, of each ticker in an account of its own and "
        "of all tickers in one. Annual returns in brackets are extrapolated from less than a year, as papers do; "
        f"single figures without an interval prove nothing.{more}"
    )
    return [Line(said), numbers(Table(tables.PAPERS, [row for row in rows if row[0] in shown]), labels=2)]


def _prices(found: Backtest, charts: BacktestExhibits) -> list[Block]:
    calls: dict[str, int] = dict.fromkeys(found.record["request"]["tickers"], 0)
    for (ticker, _), stored in found.decided.items():
        calls[ticker] = calls.get(ticker, 0) + (stored.decision.action in ("BUY", "SELL"))
    chosen = sorted(calls, key=lambda ticker: -calls[ticker])[:MOST_TICKERS]
    left = len(calls) - len(chosen)
    more = f" {left} further tickers are not drawn; decisions.csv and trades.csv have all." if left else ""
    said = (
        f"`tradingagents backtest show {found.record['id']}` with a ticker, a day and the options of this backtest "
        f"decides that day again with all reports on disk, and says whether evidence and decision are the same.{more}"
    )
    return [charts.book(), Line(said), *(charts.ticker(ticker) for ticker in calls if ticker in chosen)]


def _costs(found: Backtest, record: Mapping[str, Any]) -> list[Block]:
    cost = record["costs"]["llm_usd"]
    said = "is not known" if cost is None else f"was {cost:,.2f} USD"
    limits = tables.limit_table(found.accounts[DECISIONS].ledger)
    blocks: list[Block] = [
        Line(f"Amounts in {record['currency']}. The cost of the models for all decisions {said}."),
        numbers(tables.cost_table(record["strategies"])),
        Line(exits_line(record)),
    ]
    if limits.rows:
        blocks += [Heading("Limits and orders of the tested account"), numbers(limits, labels=2)]
    return blocks


def _method(record: Mapping[str, Any]) -> list[Block]:
    request = record["request"]
    rows = [
        ("Tickers", ", ".join(request["tickers"])),
        ("Period", f"{record['first_session']} to {record['last_session']}, {record['sessions']} sessions"),
        ("Decisions", f"after the close of every {request['every']}. session, filled at the next open"),
        ("Weights", str(request["scheme"]).replace("_", " ")),
        ("Start", f"{request['deposit']:,.2f} {record['currency']}"),
        *((name.replace("_", " ").capitalize(), f"{value:g}") for name, value in request["costs"].items()),
        *((name.replace("_", " ").capitalize(), f"{value:g}") for name, value in request["limits"].items()),
        *((f"Model, {tier} tier", label) for tier, label in record["models"].items()),
        ("Ledger", str(record["strategies"][DECISIONS]["ledger"])),
        *((("Sealed plan", str(record["plan_hash"])),) if record.get("plan_hash") else ()),
    ]
    return [Card("wrapped_table", (Table(("Setting", "Value"), rows),), [Table(("Setting", "Value"), rows)])]


def numbers(table: Table, *, labels: int = 1) -> Card:
    """Return a table whose columns after the first `labels` are numbers, aligned to the right on a page."""
    return Card("number_table", (table, labels), [table])
