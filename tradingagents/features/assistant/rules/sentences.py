"""Sentences and lists by what was asked: the market of a day, movers, news, a move and its premise, a comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tradingagents.features.assistant.rules.found import articles_told, close_day, shown
from tradingagents.features.assistant.rules.replies import company_line, figures_text, label_of
from tradingagents.features.assistant.rules.texts import say
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.retrieval.questions.names import any_stands, names_table, percentage_in

MOST_ROWS = 8
MOST_TRADES = 5
ENDS_SHOWN = 6
"""Of a sector's companies, the strongest and the weakest."""
CLAIM_TOLERANCE = 0.2
"""Part by which a percentage in a question may differ from the true one, besides one point."""
OVERBOUGHT, OVERSOLD = 70.0, 30.0
"""Of the RSI, by its usual reading."""
_UNNAMED = "(nothing named)"


def answer_text(fact: ToolFact, request: MessageRequest, wanted: Sequence[str]) -> str:
    """Return what a tool's answer says to a question, in sentences where there are some for it, else its figures."""
    if fact.failed:
        return f"{_topic(fact, request)}: no answer. {fact.reason}"
    written = _WRITTEN.get(fact.answered_by)
    return written(fact, request) if written is not None else figures_text(fact, wanted)


def compared_text(results: Sequence[ToolFact], request: MessageRequest) -> str:
    """Return which of several companies is ahead in each reading that was asked for, and the figures side by side."""
    answered = [result for result in results if not result.failed and result.subject]
    symbols = list(dict.fromkeys(result.subject for result in answered))
    values = {symbol: _merged(answered, symbol) for symbol in symbols}
    shown = {symbol: {name: text for fact in answered if fact.subject == symbol for name, text in fact.shown.items()}
             for symbol in symbols}  # fmt: skip
    wanted = request.lookup.figures if request.lookup and request.lookup.figures else COMPARED_FIGURES
    rows = [name for name in wanted if sum(name in shown[symbol] for symbol in symbols) > 1]
    failed = dict.fromkeys(
        f"No {_topic(result, None).lower()} of {result.subject}: {result.reason}" for result in results if result.failed
    )
    if not rows:
        return "\n".join([*failed, "Nothing can be compared."])
    verdicts = [said for reading in _READINGS if (said := _ahead(reading, values, shown, request))]
    table = [
        f"| figure | {' | '.join(symbols)} |",
        f"|---|{'---|' * len(symbols)}",
        *(
            f"| {label_of(name)} | {' | '.join(shown[symbol].get(name, 'n/a') for symbol in symbols)} |"
            for name in rows
        ),
    ]
    return "\n".join([f"As of {answered[0].as_of}:", *(f"- {said}" for said in verdicts), "", *table,
                      *(["", *failed] if failed else [])])  # fmt: skip


COMPARED_FIGURES = (
    *("price", "change_1m", "return_252d", "pe_ttm", "value_per_share", "upside"),
    *("volatility_252d", "beta", "current_drawdown"),
)
_Reading = tuple[str, str, bool, tuple[str, ...]]
_READINGS: tuple[_Reading, ...] = (
    (
        "Cheaper by its P/E ratio",
        "pe_ttm",
        False,
        (
            "cheap",
            "cheaper",
            "expensive",
            "value",
            "overvalued",
            "undervalued",
            "günstiger",
            "billiger",
            "便宜",
            "贵",
            "割安",
        ),
    ),
    (
        "Cheaper against the value that its statements give",
        "upside",
        True,
        ("cheap", "cheaper", "expensive", "worth", "günstiger", "billiger", "便宜", "贵", "割安"),
    ),
    (
        "Did better over 252 days",
        "return_252d",
        True,
        ("performed", "stronger", "performance", "return", "returned", "rose more", "did better"),
    ),
    (
        "Moves less",
        "volatility_252d",
        False,
        ("risk", "risky", "riskier", "safer", "safe", "volatile", "riskanter", "sicherer", "风险"),
    ),
)
"""What is compared: in words, the figure, whether more is ahead, and the words that ask for it."""


def _says(words: Sequence[str], said: str) -> bool:
    """Tell whether any of some words stand in a text; of Chinese and Japanese ones, anywhere."""
    return any_stands(words, said) or any(word in said for word in words if not word.isascii())


def ranked_text(results: Sequence[ToolFact], request: MessageRequest) -> str:
    """Return which of several companies did best over a span, and what each did; of more than two, the best first."""
    if len(results) > 2 and all("price_change" in fact.figures for fact in results):
        results = sorted(results, key=lambda fact: -fact.figures["price_change"])
    lines = [answer_text(fact, request, ()) for fact in results]
    moved = {fact.subject: fact.figures["price_change"] for fact in results if "price_change" in fact.figures}
    if len(moved) == len(results) > 1:
        best = max(moved, key=lambda symbol: moved[symbol])
        lines.insert(0, f"{best} did best.")
    return "\n\n".join(lines)


def _merged(results: Sequence[ToolFact], symbol: str) -> dict[str, float]:
    return {name: value for fact in results if fact.subject == symbol for name, value in fact.figures.items()}


def _ahead(
    reading: _Reading,
    values: Mapping[str, Mapping[str, float]],
    shown: Mapping[str, Mapping[str, str]],
    request: MessageRequest,
) -> str:
    """Return who is ahead in a reading; empty where it is not asked for, or known of fewer than two companies."""
    said, name, more, _ = reading
    chosen = [other for other in _READINGS if _says(other[3], request.said)]
    if chosen and reading not in chosen:
        return ""
    known = {symbol: found[name] for symbol, found in values.items() if name in found and shown[symbol].get(name)}
    if name == "pe_ttm":
        known = {symbol: value for symbol, value in known.items() if value > 0}
    if len(known) < len(values) or len(known) < 2:
        return ""
    order = sorted(known, key=lambda symbol: -known[symbol] if more else known[symbol])
    figures = ", ".join(f"{symbol} {shown[symbol][name]}" for symbol in order)
    return f"{said}: {order[0]} ({label_of(name)}: {figures})."


def moved_text(results: Sequence[ToolFact], request: MessageRequest) -> str:
    """Return what a price did, whether the question's premise holds, and what the market and the news said then."""
    changes = [fact for fact in results if fact.answered_by == "get_price_change"]
    if not changes or changes[0].failed:
        return f"The move cannot be read: {changes[0].reason if changes else 'no price is known.'}"
    own, *others = changes
    parts = [_premise(own, request), f"{_change_line(own)}."]
    parts += [f"In the same days the S&P 500 moved {fact.shown['price_change']}." for fact in others
              if not fact.failed and "price_change" in fact.shown]  # fmt: skip
    news = next((fact for fact in results if fact.answered_by == "get_news"), None)
    told = articles_told(news) if news is not None and not news.failed else []
    if told:
        parts.append(
            "\n".join(["Reported in those days (rules name no cause; what moved it may be none of these):", *told])
        )
    else:
        parts.append("No article of those days is known, so no reason can be named.")
    return "\n\n".join(part for part in parts if part)


def _premise(fact: ToolFact, request: MessageRequest) -> str:
    """Return how a question's premise differs from what happened; empty where it holds or there is none."""
    moved = fact.figures.get("price_change")
    if moved is None:
        return ""
    down, up = _directions(request)
    if down != up and moved and (moved > 0) == down:
        return f"It did not {'fall' if down else 'rise'}: {company_line(fact)} {'rose' if moved > 0 else 'fell'}."
    claimed = percentage_in(request.said)
    if claimed is None:
        return ""
    (by, written), true = claimed, abs(moved)
    if abs(by - true) <= max(1.0, CLAIM_TOLERANCE * true):
        return ""
    return f"It did not move by {written}: the change was {fact.shown['price_change']}."


def _directions(request: MessageRequest) -> tuple[bool, bool]:
    """Tell whether a question says that a price went down, and that it went up."""
    down, up = any_stands(names_table()["fell"], request.said), any_stands(names_table()["rose"], request.said)
    cjk = request.language in ("zh", "ja")
    return down or (cjk and any(sign in request.said for sign in "跌下降")), up or (
        cjk and any(sign in request.said for sign in "涨升上")
    )


def _change_line(fact: ToolFact) -> str:
    first, last = fact.facts.get("first_day", ""), fact.facts.get("last_day", "")
    if first == last and fact.given.get("start_date") == fact.given.get("end_date"):
        return f"{company_line(fact)} closed at {fact.shown['last_close']} on {last}"
    if first == last:
        close = fact.shown["last_close"]
        return f"{company_line(fact)}: no session lies in these days; the last close is {close} on {last}"
    total = shown(fact, "total_return") if "total_return" in fact.shown else ""
    dividends = f", {total} with dividends" if total and total != shown(fact, "price_change") else ""
    return (
        f"{company_line(fact)} went from {fact.shown['first_close']} at the close of {first} to "
        f"{fact.shown['last_close']} at that of {last}: {shown(fact, 'price_change')}{dividends}"
    )


def _price_change(fact: ToolFact, request: MessageRequest) -> str:
    wanted = next((figure.figures[0] for figure in request.figures if figure.figures), "price_change")
    asked_from = str(fact.given.get("start_date", ""))
    late = fact.facts.get("first_day", "") > asked_from and _days_apart(asked_from, fact.facts["first_day"]) > MOST_ROWS
    short = f" The data begin on {fact.facts['first_day']}, so this is not the whole span." if late else ""
    if wanted in ("highest_close", "lowest_close", "average_close") and wanted not in fact.shown:
        why = "a session without a sound price may have changed it"
        return f"{company_line(fact)}: the {label_of(wanted)} is withheld, since {why}."
    if wanted in ("highest_close", "lowest_close", "average_close"):
        at = fact.facts.get(wanted.replace("close", "day"), "")
        on = f" on {at}" if at and wanted != "average_close" else ""
        span = f"from {fact.facts.get('first_day')} to {fact.facts.get('last_day')}"
        return f"{company_line(fact)}: the {label_of(wanted)} {span} was {fact.shown[wanted]}{on}.{short}"
    return f"{_change_line(fact)}.{short}"


def _days_apart(first: str, second: str) -> int:
    from datetime import date

    return (date.fromisoformat(second) - date.fromisoformat(first)).days


def _statement_figure(fact: ToolFact, _request: MessageRequest) -> str:
    lines = [f"{label_of(name)}: {text}" for name, text in fact.shown.items()]
    period = fact.facts.get("period", "")
    return f"{company_line(fact)}, {period}: {'; '.join(lines)}." if lines else f"{company_line(fact)}: no such figure."


def _indices(fact: ToolFact, request: MessageRequest) -> str:
    rows = [(fact.facts[f"{place}.symbol"], fact.facts.get(f"{place}.name", "")) for place in _places(fact, "indices")]
    chosen = [(symbol, name) for symbol, name in rows if request.index in ("", symbol)]
    last = {symbol: fact.shown.get(f"{symbol}_last", "n/a") for symbol, _ in chosen}
    change = {symbol: fact.shown.get(f"{symbol}_change_pct", "n/a") for symbol, _ in chosen}
    lines = [f"- {name}: {last[symbol]} ({change[symbol]} on the day)" for symbol, name in chosen]
    if not lines:
        return f"No close of {request.index} is recorded up to {fact.as_of} or shortly before."
    premise = _market_premise(fact, request)
    return "\n".join([*premise, f"Indices at the close of {close_day(fact)}:", *lines])


def _market_premise(fact: ToolFact, request: MessageRequest) -> list[str]:
    """Return how a question's premise on the market's day differs from what the S&P 500 did."""
    moved = fact.figures.get("^GSPC_change_pct")
    down, up = _directions(request)
    if moved is None or down == up or not moved or (moved < 0) == down or "why" not in request.said:
        return []
    not_so, so = ("fall", "rose") if down else ("rise", "fell")
    said = f"It did not {not_so} on {close_day(fact)}: the S&P 500 {so} ({fact.shown['^GSPC_change_pct']})."
    return [said, ""]


_SPANS = (
    ("1w", "a week", ("week",)),
    ("1m", "a month", ("month",)),
    ("ytd", "the year so far", ("year", "ytd", "year to date")),
)


def _span_of(request: MessageRequest) -> tuple[str, str]:
    """Return the window that a question on sectors names: its key and its words; the day where it names none."""
    return next(((key, words) for key, words, names in _SPANS if any_stands(names, request.said)), ("1d", "the day"))


def _sectors(fact: ToolFact, request: MessageRequest) -> str:
    key, words = _span_of(request)
    named = [fact.facts[f"{place}.sector"] for place in _places(fact, "sectors")]
    rows = sorted(
        ((fact.figures.get(f"{name}_{key}"), name) for name in named if f"{name}_{key}" in fact.figures), reverse=True
    )
    lines = [f"- {_title(name)}: {fact.shown[f'{name}_{key}']}" for _, name in rows if f"{name}_{key}" in fact.shown]
    return "\n".join([f"Sectors over {words} to {close_day(fact)}, the strongest first:", *lines])


def _industry(fact: ToolFact, request: MessageRequest) -> str:
    key, words = _span_of(request)
    key = key if key in ("1d", "1w", "1m") else "1m"
    words = words if key != "1m" else "a month"
    named = {
        fact.facts.get(f"{place}.symbol", ""): fact.facts.get(f"{place}.name", "")
        for place in _places(fact, "companies")
    }
    found = [name.removesuffix(f"_{key}") for name in fact.figures if name.endswith(f"_{key}")]
    symbols = [symbol for symbol in found if symbol == symbol.upper()]  # industries stand in small letters
    rows = sorted(((fact.figures[f"{symbol}_{key}"], symbol) for symbol in symbols), reverse=True)
    lines = [f"- {named.get(symbol) or symbol} ({symbol}): {fact.shown[f'{symbol}_{key}']}" for _, symbol in rows
             if f"{symbol}_{key}" in fact.shown]  # fmt: skip
    rose = sum(change > 0 for change, _ in rows)
    sector = _title(fact.facts.get("sector", ""))
    rows_shown = lines if len(lines) <= 2 * ENDS_SHOWN else [*lines[:ENDS_SHOWN], "- …", *lines[-ENDS_SHOWN:]]
    counted = f"{rose} of {len(rows)} companies rose over {words} to {close_day(fact)}"
    return "\n".join([f"{sector}: {counted}, the strongest first:", *rows_shown])


def _movers(fact: ToolFact, request: MessageRequest) -> str:
    said = {"day_gainers": "rose most", "day_losers": "fell most", "most_actives": "were traded most"}
    lines = []
    for place in _places(fact, "movers")[:MOST_ROWS]:
        symbol = fact.facts[f"{place}.symbol"]
        volume = f", {fact.shown.get(f'{symbol}_volume', '')}" if fact.facts.get("category") == "most_actives" else ""
        name, change = fact.facts.get(f"{place}.name", symbol), fact.shown.get(f"{symbol}_change_1d", "n/a")
        lines.append(f"- {name} ({symbol}): {change} to {fact.shown.get(f'{symbol}_price', 'n/a')}{volume}")
    longer = any_stands(("week", "month", "year"), request.said)
    note = "\nMovers are ranked over the last session only, not over a longer span." if longer else ""
    what = said.get(fact.facts.get("category", ""), "moved most")
    return "\n".join([f"Stocks that {what} on {fact.facts.get('session', fact.as_of)}:", *lines]) + note


def _news(fact: ToolFact, _request: MessageRequest) -> str:
    told = articles_told(fact)
    span = f"from {fact.given.get('start_date', '')} to {fact.given.get('end_date', '')}"
    if not told:
        return f"No article on {company_line(fact)} {span} is known."
    return "\n".join([f"News on {company_line(fact)} {span}:", *told])


def _insiders(fact: ToolFact, _request: MessageRequest) -> str:
    span = f"from {fact.facts.get('start', '')} to {fact.as_of}"
    lead = (
        f"Insiders of {company_line(fact)} made {fact.shown.get('buys', '0')} purchases "
        f"({fact.shown.get('buy_value', 'n/a')}) and {fact.shown.get('sells', '0')} sales "
        f"({fact.shown.get('sell_value', 'n/a')}) on the open market {span}, as reported."
    )
    lines = []
    for place in _places(fact, "trades"):
        kind = fact.facts.get(f"{place}.kind", "")
        if kind in ("buy", "sell", "purchase", "sale"):
            who = fact.facts.get(f"{place}.insider", _UNNAMED)
            lines.append(
                f"- {fact.facts.get(f'{place}.day', '')}: {who} ({fact.facts.get(f'{place}.relation', '')}), {kind}"
            )
    return "\n".join([lead, *lines[:MOST_TRADES], "Grants, gifts and exercises of options are not counted."])


def _due(fact: ToolFact, _request: MessageRequest) -> str:
    """Return the results that are due, or when one company reports next."""
    rows = [
        (fact.facts.get(f"{place}.day", ""), fact.facts.get(f"{place}.symbol", ""), fact.facts.get(f"{place}.name", ""),
         fact.facts.get(f"{place}.status", "")) for place in _places(fact, "events")
    ]  # fmt: skip
    symbol = str(fact.given.get("symbol", ""))
    start, end = fact.given.get("from_date", ""), fact.given.get("to_date", "")
    if symbol:
        ahead = [row for row in sorted(rows) if row[1] == symbol and row[3] != "reported"]
        if not ahead:
            return f"No date of the next results of {symbol} is known by {fact.as_of}."
        day, _, name, status = ahead[0]
        who = f"{name or symbol} ({symbol})"
        if status == "announced":
            return f"{who} has announced its next results for {day}."
        return f"{who} has announced no date that is known here; by its pattern it is expected to report on {day}."
    lines = [f"- {day}: {name or known} ({known}), {status}" for day, known, name, status in sorted(rows)]
    if not lines:
        return f"No results from {start} to {end} are known by {fact.as_of}."
    return "\n".join([f"Results from {start} to {end}, as known on {fact.as_of}:", *lines])


def _calendar(fact: ToolFact, request: MessageRequest) -> str:
    """Return what is due after the day: results and economic releases."""
    rows = []
    for group in ("earnings.events", "releases.events", "economic.events"):
        for place in _places(fact, group):
            day = fact.facts.get(f"{place}.day", "")
            name = (
                fact.facts.get(f"{place}.name")
                or fact.facts.get(f"{place}.release")
                or fact.facts.get(f"{place}.event", "")
            )
            if day > fact.as_of and name:
                rows.append(f"- {day}: {name}{' reports' if group.startswith('earnings') else ''}")
    heading = f"Due after {fact.as_of}:"
    if any_stands(("fed", "fomc", "federal reserve"), request.said) and not any("fed" in row.lower() for row in rows):
        heading = f"No meeting of the Federal Reserve is in the calendar. {heading}"
    counted = ", ".join(f"{label_of(name)} {text}" for name, text in fact.shown.items() if name.startswith("calendar_"))
    return "\n".join([heading, *sorted(rows)]) if rows else f"Nothing that is due is listed ({counted})."


def _business(fact: ToolFact, request: MessageRequest) -> str:
    """Return what is known of a company's business; its value on the market where that is asked for."""
    sector, industry = _title(fact.facts.get("sector", "")), fact.facts.get("industry", "")
    asked_value = request.lookup is not None and any_stands(
        ("market cap", "market value", "capitalisation"), request.said
    )
    lines = [f"{label_of(name)}: {fact.shown[name]}" for name in ("market_cap", "share_count") if name in fact.shown]
    if asked_value:
        told = "; ".join(lines[:1]) or "no market value is known, since no share count is"
        return f"{company_line(fact)}, as of {fact.as_of}: {told}."
    kind = ", ".join(
        part for part in (f"sector {sector}" if sector else "", f"industry {industry}" if industry else "") if part
    )
    peers = [fact.facts[place] for place in fact.facts if place.startswith("peers.")]
    parts = [
        f"{company_line(fact)}: {kind or 'sector and industry are not known here'}.",
        *(f"{line}." for line in lines[:1]),
    ]
    parts += [f"Peers: {', '.join(peers)}."] if peers else []
    return " ".join([*parts, "What it sells stands in its annual report, which these data do not describe."])


_LEVELS = {
    "high_52w": ("52-week high", "52 week high"),
    "low_52w": ("52-week low", "52 week low"),
    "sma_200": ("200-day average", "200-day moving average", "200 day moving average", "200-tage-linie"),
    "sma_50": ("50-day average", "50-day moving average", "50 day moving average"),
}


def _technical(fact: ToolFact, request: MessageRequest) -> str:
    wanted = request.lookup.figures if request.lookup else ()
    named = [name for name, words in _LEVELS.items() if any_stands(words, request.said)]
    if "rsi" not in wanted[:1] or named:
        return figures_text(fact, [*named, *(name for name in wanted if name == "price")] if named else wanted)
    rsi, price, average = (fact.figures.get(name) for name in ("rsi", "price", "sma_200"))
    said = []
    if rsi is not None:
        side = (
            "overbought" if rsi >= OVERBOUGHT else "oversold" if rsi <= OVERSOLD else "neither overbought nor oversold"
        )
        said.append(f"By its RSI of {fact.shown['rsi']} it is {side} (from 70 on, and up to 30).")
    if price is not None and average is not None:
        said.append(f"The price stands {'above' if price > average else 'below'} its 200-day average.")
    return "\n".join([" ".join(said), figures_text(fact, wanted)]).strip()


def _largest(fact: ToolFact, request: MessageRequest) -> str:
    symbols = [name.removesuffix("_market_cap") for name in fact.shown if name.endswith("_market_cap")]
    place = request.frame.place if request.frame is not None else 0
    lines = [say("en", "ranked_place", place=place, who=symbols[place - 1])] if 0 < place <= len(symbols) else []
    values = (f"{symbol}: {fact.shown[f'{symbol}_market_cap']}" for symbol in symbols[:10])
    lines += [f"{number}. {text}" for number, text in enumerate(values, start=1)]
    return "\n".join([f"The largest companies at hand by market value, as of {fact.as_of}:", *lines])


def _passage(fact: ToolFact, place: str) -> str:
    """Return a passage with its document, page, item and speaker."""
    said = {name: fact.facts.get(f"{place}.{name}", "") for name in ("document", "page", "item", "speaker", "text")}
    where = [said["document"], f"page {said['page']}", f"item {said['item']}" if said["item"] else "", said["speaker"]]
    return f"- {', '.join(word for word in where if word)}: “{said['text']}”"


def _passages(fact: ToolFact, _request: MessageRequest) -> str:
    """Return where in the stored documents the words of a question stand: document, page and item."""
    kind, adds = "call", "recorded calls can be added from files."
    if fact.answered_by == "search_filings":
        kind, adds = "filing", "`tradingagents filings add TICKER` stores some."
    lines = [_passage(fact, place) for place in _places(fact, "passages")[:3]]
    if not lines:
        return f"No stored {kind} of {fact.subject} known on {fact.as_of} has a passage on that; {adds}"
    return "\n".join([f"From the stored {kind}s of {fact.subject} known on {fact.as_of}:", *lines])


_WRITTEN: Mapping[str, Callable[[ToolFact, MessageRequest], str]] = {
    "get_price_change": _price_change,
    "get_statement_figure": _statement_figure,
    "get_market_indices": _indices,
    "get_sector_performance": _sectors,
    "get_industry_performance": _industry,
    "get_market_movers": _movers,
    "get_news": _news,
    "get_insider_transactions": _insiders,
    "get_earnings_calendar": _due,
    "calendar_events": _calendar,
    "company_info": _business,
    "market_snapshot": _technical,
    "top_companies": _largest,
    "search_filings": _passages,
    "search_transcripts": _passages,
}
"""By the capability that answered."""


def _places(fact: ToolFact, group: str) -> list[str]:
    """Return the places of the rows of a list in a typed result, such as `movers.0`, in their order."""
    found: dict[str, None] = {}
    for place in fact.facts:
        if place.startswith(f"{group}."):
            number = place[len(group) + 1 :].partition(".")[0]
            if number.isdigit():
                found[f"{group}.{number}"] = None
    return list(found)


def _topic(fact: ToolFact, request: MessageRequest | None) -> str:
    """Return what was asked for, in words that begin a sentence: by the request, else by the tool's name."""
    label = request.lookup.label if request is not None and request.lookup is not None else ""
    words = label or fact.answered_by.removeprefix("get_").replace("_", " ")
    about = f" of {fact.subject}" if fact.subject and request is not None else ""
    return f"{words[:1].upper()}{words[1:]}{about}"


def _title(sector: str) -> str:
    return sector.replace("-", " ").capitalize()
