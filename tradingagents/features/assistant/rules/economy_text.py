"""Sentences on the economy by what was asked about it: its series, its releases with their days, those that are due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from tradingagents.analytics.market.scanned import figure_name
from tradingagents.features.assistant.rules.found import TurnAnswers, places
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.coverage import OF_NOW
from tradingagents.offline.questions.economy import ECONOMY, POLICY_RATE
from tradingagents.retrieval.questions.names import percentage_in

LEVEL_TOLERANCE = 0.051
"""Points by which a rate that a question names may differ from the true one: it may be rounded."""
_NARROWER: Mapping[str, tuple[str, ...]] = {
    "core": ("core", "kerninflation", "kernrate", "核心", "核心通胀"),
    "pce": ("pce",),
    "ppi": ("ppi", "producer", "erzeugerpreise", "生产者"),
}
"""Words that ask for one of the rates of inflation, by what the names of its releases hold."""


def economy_text(found: TurnAnswers, part: str) -> str:
    """Return what is known of the economy on what was asked."""
    if part == "releases":
        return _due(found)
    if part == "recession":
        return found.say("recession", day=max((fact.as_of for fact in found.results), default="n/a"))
    if unknown := _unknown_days(found, part):
        return found.say("not_held", reason=unknown)
    first = _curve(found) if part == "curve" else _policy_rate(found) if part == "fed" else ""
    within, published = _within(found, part), _releases(found, part)
    series = _series(found, part)
    if _is_of_another_month(found, part):
        known = any(row.get("status") == "released" for _, row in _rows(found, part))
        fact, main = _answer(found, part), _main_series(found, part)
        newest = fact is not None and main in fact.figures
        heading = found.say("month_unknown", month=_month(found)) if newest else ""
        series = "" if known else "\n".join(line for line in (heading, series) if line)
    lines = (_unknown_kind(found, part), first, within or series, published)
    return "\n".join(line for line in lines if line) or found.say("not_held", reason=_reason(found, part))


def economic_level(found: TurnAnswers, said: str) -> str:
    """Return that a rate is not what a question takes it for, as in `inflation is at 4%`; empty where it is."""
    claimed, parts = percentage_in(said), [part for part in found.frame.asked.aspects if part in ECONOMY]
    if claimed is None or len(parts) != 1:
        return ""
    name, true, text = _main_figure(found, parts[0])
    if true is None or abs(true - claimed[0]) <= LEVEL_TOLERANCE:
        return ""
    return found.say("level_is", what=name, true=text, claimed=claimed[1])


def changed_rate(found: TurnAnswers) -> str:
    """Return since when the policy rate has stood where a question says that it was cut, or raised; empty without."""
    claims = {"rate_cut": "low", "rate_raised": "high"}
    side = next((claims[claim] for claim in found.frame.asked.claims if claim in claims), "")
    fact = _answer(found, "fed")
    if not side or fact is None or "dfedtaru" not in fact.figures:
        return ""
    row = next((row for _, row in places(fact, "series") if row.get("series", "").upper() == "DFEDTARU"), {})
    value, extreme = fact.shown["dfedtaru"], fact.figures.get(f"dfedtaru_{side}")
    over = _over_days(found)
    moved = 0.0 if over is None else over.figures["dfedtaru_change_window"]
    if "when" in found.frame.demands and not found.frame.dated and extreme == fact.figures["dfedtaru"]:
        over_year = _rate_over(found, over) if over is not None else ""
        return " ".join(text for text in (_rate_since(found, fact, row, side), over_year) if text)
    if over is not None and moved and (moved < 0) == (side == "low"):
        return _rate_over(found, over)
    if over is not None and found.frame.dated:  # the days that are named, and nothing of the kind within them
        return _rate_over(found, over)
    if extreme == fact.figures["dfedtaru"]:
        return _rate_since(found, fact, row, side)
    return found.say("rate_neither", value=value, day=fact.as_of)


def _rate_since(found: TurnAnswers, fact: ToolFact, row: Mapping[str, str], side: str) -> str:
    """Return since when the policy rate has stood where it stands: at its lowest or its highest of the days known."""
    return found.say(f"rate_{side}", value=fact.shown["dfedtaru"], day=row.get(f"{side}.day", "n/a"))


def _over_days(found: TurnAnswers) -> ToolFact | None:
    """Return the policy rate over the days of a question; None where it is not known, or was not looked up."""
    own = (each for each in found.all("get_macro_indicators") if each.given.get("indicator") == POLICY_RATE)
    known = (each for each in own if not each.failed and {"dfedtaru", "dfedtaru_change_window"} <= each.figures.keys())
    return next(known, None)


def _rate_over(found: TurnAnswers, over: ToolFact) -> str:
    """Return by how much the policy rate moved over some days."""
    moved, value = over.figures["dfedtaru_change_window"], over.shown["dfedtaru"]
    given = {"start": over.facts.get("start", ""), "day": over.as_of, "value": value}
    if not moved:
        return found.say("rate_unmoved", **given)
    before = f"{over.figures['dfedtaru'] - moved:.2f}{value.lstrip('-+0123456789.,')}"
    return found.say("rate_moved", before=before, change=signed(over, "dfedtaru_change_window"), **given)


def _policy_rate(found: TurnAnswers) -> str:
    """Return by how much the policy rate moved where a question says neither that it was cut nor raised."""
    over = None if {"rate_cut", "rate_raised"} & set(found.frame.asked.claims) else _over_days(found)
    return "" if over is None else _rate_over(found, over)


_YIELDS = frozenset(
    {
        *("yield", "yields", "treasury", "treasuries", "bond", "bonds", "note", "notes", "10-year", "2-year"),
        *(
            "rendite",
            "renditen",
            "staatsanleihe",
            "staatsanleihen",
            "anleihe",
            "anleihen",
            "收益率",
            "国债",
            "国债收益率",
        ),
    }
)
_TERMS: Mapping[str, str] = {"2y": "dgs2", "10y": "dgs10"}
"""Yields that are recorded, by their term as it is read."""


def _terms_named(found: TurnAnswers) -> list[str]:
    """Return the terms of bonds that a question names, such as `10y`."""
    words = found.frame.days.text.lower().replace("?", " ").replace("-", " ").split()
    return list(dict.fromkeys(word for word in words if word[:-1].isdigit() and word.endswith("y")))


def _main_series(found: TurnAnswers, part: str) -> str:
    """Return the figure by which it is told how an aspect moved: of yields that of a bond; empty for another term."""
    if part != "rates":
        return ECONOMY[part].main
    if terms := _terms_named(found):
        return _TERMS.get(terms[0], "") if len(terms) == 1 else ""
    return "dgs10" if _YIELDS & found.frame.words else ECONOMY[part].main


def _main_figure(found: TurnAnswers, part: str) -> tuple[str, float | None, str]:
    """Return the name, the value and the text of the figure that a question on an aspect means."""
    fact, series = _answer(found, part), _main_series(found, part)
    named = {row.get("series", "").lower(): row.get("name", "") for _, row in places(fact, "series")} if fact else {}
    if fact is not None and series in fact.figures and not _month(found):
        return named.get(series, series), fact.figures[series], fact.shown[series]
    for calendar, row in _rows(found, part):
        key = _figure_of(row)
        if row.get("status") == "released" and key in calendar.figures:
            return f"{row.get('name', '')} ({row.get('period', '')})", calendar.figures[key], calendar.shown[key]
    return "", None, ""


def _answer(found: TurnAnswers, part: str) -> ToolFact | None:
    """Return the series that were looked up for an aspect; None where there are none."""
    aspect = ECONOMY[part]
    name, key, asked = (
        ("macro_focus", "focus", aspect.focus) if aspect.focus else ("get_macro_indicators", "indicator", aspect.series)
    )
    own = (fact for fact in found.all(name) if fact.given.get(key) == asked and "look_back_days" not in fact.given)
    return next((fact for fact in own if not fact.failed), None)


def _reason(found: TurnAnswers, part: str) -> str:
    return found.reason("macro_focus" if ECONOMY[part].focus else "get_macro_indicators") or part


def signed(fact: ToolFact, name: str) -> str:
    """Return a figure with a plus sign where it is above zero."""
    text = fact.shown.get(name, "n/a")
    return f"+{text}" if fact.figures.get(name, 0.0) > 0 else text


def _over_window(found: TurnAnswers) -> ToolFact | None:
    """Return the series of a value a day over the days of a question; None where they were not looked up."""
    own = (fact for fact in found.all("get_macro_indicators") if "look_back_days" in fact.given)
    return next((fact for fact in own if fact.given.get("indicator") != POLICY_RATE), None)


def _curve(found: TurnAnswers) -> str:
    over = _over_window(found)
    if over is not None and {"t10y2y_low", "t10y2y_high"} <= over.figures.keys():
        return _curve_over(found, over)
    fact = _answer(found, "curve")
    if fact is None or "t10y2y" not in fact.figures:
        return ""
    day = next((row.get("latest.day", "") for _, row in places(fact, "series") if row.get("series") == "T10Y2Y"), "")
    key = "curve_inverted" if fact.figures["t10y2y"] < 0 else "curve_not"
    return found.say(key, value=signed(fact, "t10y2y"), day=day)


def _curve_over(found: TurnAnswers, over: ToolFact) -> str:
    """Return whether the yield curve was inverted on days that a question names, by its lowest and highest value."""
    row = next((row for _, row in places(over, "series") if row.get("series") == "T10Y2Y"), {})
    ends = {side: over.figures[f"t10y2y_{side}"] for side in ("low", "high")}
    key = "curve_all_days" if ends["high"] < 0 else "curve_no_day" if ends["low"] >= 0 else "curve_some_days"
    told = {f"{side}_day": row.get(f"{side}.day", "") for side in ends}
    told |= {side: over.shown[f"t10y2y_{side}"] for side in ends}
    return found.say(key, start=over.facts.get("start", ""), end=over.as_of, **told)


def _series(found: TurnAnswers, part: str) -> str:
    fact = _answer(found, part)
    if fact is None:
        return found.say("inflation_none") if part == "inflation" else ""
    lines = [_direction(found, fact, part)]
    named = {row.get("series", "").lower(): row for _, row in places(fact, "series")}
    for series, row in named.items():
        if series not in fact.shown or (part == "inflation" and series == "t10yie"):
            continue
        given = {
            "name": row.get("name", found.label(series)),
            "value": fact.shown[series],
            "of": row.get("latest.day", ""),
        }
        if series == "dfedtaru" and f"{series}_change_1y" in fact.shown:  # it stands for weeks: a day tells nothing
            lines.append("- " + found.say("macro_year", year=signed(fact, f"{series}_change_1y"), **given))
        elif f"{series}_change_1y" in fact.shown:
            before, year = signed(fact, f"{series}_change"), signed(fact, f"{series}_change_1y")
            lines.append("- " + found.say("macro", before=before, year=year, **given))
        else:
            lines.append("- " + found.say("macro_short", **given))
    lines.append(_none_later(found, fact, part, named))
    if part == "inflation" and "cpi_yoy" not in named:
        lines.insert(0, found.say("inflation_none"))
    return "\n".join(line for line in lines if line)


_STALE = timedelta(days=4)
"""From which age on it is said that a series of a value a day has none of a later one."""


def _none_later(found: TurnAnswers, fact: ToolFact, part: str, rows: Mapping[str, Mapping[str, str]]) -> str:
    """Return that no value of the last days is recorded of a series that has one a day; empty where there is one."""
    series = _main_series(found, part) or next(iter(rows), "")
    last, today = rows.get(series, {}).get("latest.day", ""), date.fromisoformat(fact.as_of)
    if not (ECONOMY[part].each_day and last) or today - date.fromisoformat(last) <= _STALE:
        return ""
    return found.say("none_later", day=fact.as_of)


def _within(found: TurnAnswers, part: str) -> str:
    """Return how series of a value a day moved over the days of a question; empty where that is not known."""
    fact = _over_window(found)
    if fact is None or fact.failed:
        return ""
    main = _main_series(found, part)
    rows = {row.get("series", "").lower(): row for _, row in places(fact, "series")}
    lines = []
    for series, row in rows.items():
        moved = fact.figures.get(f"{series}_change_window")
        if moved is None or (main in rows and series != main) or row.get("latest.day", "") <= fact.facts["start"]:
            continue
        unit = fact.shown[series].lstrip("-+0123456789.,")
        given = {"name": row.get("name", series), "value": fact.shown[series], "day": row.get("latest.day", "")}
        before = f"{fact.figures[series] - moved:.2f}{unit}"
        change = signed(fact, f"{series}_change_window")
        lines.append(found.say("yields_within", before=before, change=change, start=fact.facts["start"], **given))
    named_other = part == "rates" and not main  # a term that is not recorded
    lines.append(_none_later(found, fact, part, rows) if lines else "")
    return "" if named_other else "\n".join(line for line in lines if line)


def _direction(found: TurnAnswers, fact: ToolFact, part: str) -> str:
    """Return which way a series moved where a question says that it did, or asks; empty for another question."""
    series, days = _main_series(found, part), found.frame.days
    of_year = (days.count, days.unit) in ((1, "year"), (12, "month"))
    of_last_day = days.days == (date.fromisoformat(fact.as_of),) or found.frame.span in OF_NOW
    if ECONOMY[part].each_day and found.frame.span and not (of_year or of_last_day):
        return found.say("moved_over_days")
    if not ({"fell", "rose"} & set(found.frame.asked.claims) or "trend" in found.frame.asked.asks):
        return ""
    change = fact.figures.get(f"{series}_change_1y" if of_year else f"{series}_change")
    if change is None or series not in fact.figures:
        return found.say("moved_unknown") if not series else ""
    unit = fact.shown[series].lstrip("-+0123456789.,")
    row = next((row for _, row in places(fact, "series") if row.get("series", "").lower() == series), {})
    given = {"name": row.get("name", found.label(series)), "value": fact.shown[series]}
    given["than"] = found.say("than_last_year" if of_year else "than_before")
    if not change:
        return found.say("stood_still", **given)
    before = f"{fact.figures[series] - change:.2f}{unit}"
    return found.say("came_down" if change < 0 else "went_up", before=before, **given)


def _month(found: TurnAnswers) -> str:
    """Return the month that a question names, as releases name their period; empty where it names none.

    Of the present month nothing is published: what came in this month is of the one before.
    """
    days = found.frame.days
    if not (days.window and days.start and days.end) or days.start.day != 1:
        return ""
    if f"{days.start:%Y-%m}" == max((fact.as_of for fact in found.results if fact.as_of), default="")[:7]:
        return ""
    return f"{days.start:%Y-%m}" if (days.start.year, days.start.month) == (days.end.year, days.end.month) else ""


def _is_of_another_month(found: TurnAnswers, part: str) -> bool:
    """Tell whether the newest value of a monthly series is of another month than the one that a question names."""
    if part == "fed":  # its rate stands until the next decision
        return False
    fact, month = _answer(found, part), _month(found)
    rows = (row for _, row in places(fact, "series")) if fact is not None and ECONOMY[part].releases else ()
    return bool(month) and all(row.get("latest.day", "")[:7] != month for row in rows)


def _rows(found: TurnAnswers, part: str) -> Iterator[tuple[ToolFact, Mapping[str, str]]]:
    """Yield the releases of an aspect by day: those of the month, and of the rate of inflation, that is named."""
    words = found.frame.words
    narrower = [held for held, names in _NARROWER.items() if part == "inflation" and set(names) & words]
    calendars = [fact for fact in found.all("get_economic_calendar") if not fact.failed]
    rows = [(fact, row) for fact in calendars for _, row in places(fact, "events")]
    newest: dict[tuple[int, str], str] = {}  # a calendar states the figure of the newest release of a name alone
    for fact, row in rows:
        if row.get("status") == "released":
            key = (id(fact), _figure_of(row))
            newest[key] = max(newest.get(key, ""), row.get("day", ""))
    for fact, row in sorted(rows, key=lambda event: event[1].get("day", "")):
        name = row.get("name", "").lower()
        if not any(word in name for word in ECONOMY[part].releases) or not all(held in name for held in narrower):
            continue
        if row.get("status") == "released" and row.get("day", "") < newest[id(fact), _figure_of(row)]:
            continue
        if row.get("status") != "released" or _month(found) in ("", row.get("period", "")):
            yield fact, row


def _figure_of(row: Mapping[str, str]) -> str:
    """Return what the calendar calls the figure of a release."""
    return figure_name(f"{row.get('region', '')} {row.get('name', '')}")


def _unknown_days(found: TurnAnswers, part: str) -> str:
    """Return why a series of a value a day is not known over days behind; empty where it is, or for other days."""
    asked = (fact for fact in found.all("get_macro_indicators") if "look_back_days" in fact.given and fact.failed)
    of_rate = (fact for fact in asked if (fact.given.get("indicator") == POLICY_RATE) == (part == "fed"))
    today = max((fact.as_of for fact in found.results if fact.as_of), default="")
    behind = (fact for fact in of_rate if today and str(fact.given["curr_date"]) < _days_before(today))
    return next((fact.reason for fact in behind), "") if part == "fed" or ECONOMY[part].each_day else ""


def _days_before(day: str) -> str:
    """Return the day from which on the newest value stands for one of these days: it may not be published yet."""
    return str(date.fromisoformat(day) - _STALE)


def _unknown_kind(found: TurnAnswers, part: str) -> str:
    """Return that the rate of inflation, or the term of a yield, that a question names is not in the data."""
    words = found.frame.words
    named = [held for held, names in _NARROWER.items() if part == "inflation" and set(names) & words]
    if named and next(_rows(found, part), None) is None:
        return found.say("kind_unknown", what=" ".join(name.upper() if len(name) < 4 else name for name in named))
    terms = _terms_named(found) if part == "rates" else []
    return found.say("kind_unknown", what=", ".join(terms)) if terms and not set(terms) & _TERMS.keys() else ""


def _against_expected(found: TurnAnswers, fact: ToolFact, key: str) -> str:
    """Return whether a figure was above or below what was expected of it; empty where that is not known."""
    value, expected = fact.figures.get(key), fact.figures.get(f"{key}_estimate")
    if value is None or expected is None or value == expected:
        return ""
    gap = "" if found.language == "zh" else " "
    return gap + found.say("than_expected_more" if value > expected else "than_expected_less")


def _releases(found: TurnAnswers, part: str) -> str:
    """Return the latest releases of a kind with their day of publication, and the next one."""
    if not ECONOMY[part].releases:
        return ""
    latest: dict[str, str] = {}
    coming: dict[str, str] = {}
    for fact, row in _rows(found, part):
        name, key = row.get("name", ""), _figure_of(row)
        day = row.get("day", "")
        given = {"name": name, "period": row.get("period", "")}
        given["day"] = found.say("assumed_day", day=day) if "day_assumed" in row else day
        if row.get("status") == "released" and key in fact.shown:
            estimate = fact.shown.get(f"{key}_estimate", "n/a")
            latest[name] = found.say("released", value=fact.shown[key], estimate=estimate, **given)
            latest[name] += _against_expected(found, fact, key)
        elif row.get("status") == "released":
            latest[name] = found.say("released_withheld", **given)
        elif row.get("day", "") > fact.as_of:
            coming.setdefault(name, found.say("next_release", name=name, day=given["day"]))
    return "\n".join(f"- {line}" for line in (*latest.values(), *coming.values()))


def _due(found: TurnAnswers) -> str:
    """Return the economic releases of the coming days that a question names."""
    fact = found.one("get_economic_calendar")
    if fact is None:
        return found.say("not_held", reason=found.reason("get_economic_calendar"))
    rows = sorted((row.get("day", ""), row.get("name", "")) for _, row in places(fact, "events"))
    lines = [f"- {day}: {name}" for day, name in rows if day > fact.as_of]
    given = {"start": fact.given.get("from_date", ""), "end": fact.given.get("to_date", ""), "day": fact.as_of}
    return "\n".join([found.say("releases_due" if lines else "releases_none", **given), *lines])
