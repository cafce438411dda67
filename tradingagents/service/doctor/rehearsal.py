"""Test every data method of every vendor once and report what is wrong with the answers.

The result holds shapes and counts, no articles, prices or keys, so that it can be shared as a file; `replay` makes a
test of it.
"""

from __future__ import annotations

import platform
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from importlib.metadata import version
from itertools import chain
from typing import Any, Literal

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.checks.validation import validate
from tradingagents.dataflows.gateway.registry import registrations
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.models import Filing, MacroSeries, Prices, Statement
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.responses.shapes import ResponseShape, listening
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import (
    DataError,
    NoData,
    NotForPastDate,
    NotInPlan,
    RateLimited,
    TradingAgentsError,
    UsageError,
)
from tradingagents.files.redaction import Redactor
from tradingagents.settings import Settings, nearest

Outcome = Literal[
    "answered", "empty", "not in plan", "not for past dates", "not configured", "rate limit", "failed", "bug"
]
GOOD: frozenset[Outcome] = frozenset({"answered", "empty", "not in plan", "not for past dates"})
"""Acceptable outcomes: the vendor may have no data, or offer it only in a paid plan."""
SYMBOL, SECTOR, TOPIC, SERIES = "AAPL", "technology", "central bank monetary policy", "UNRATE"
INVESTOR = "Berkshire Hathaway"
REPORTS = ("10-K", "10-Q", "20-F", "40-F")
"""Forms of which one is read, rather than a notice of one page."""
DAYS, STATEMENT_DAYS = 30, 200
"""Calendar days requested; and the maximum age of the end of the newest statement's period."""
KINDS = (("income", "quarterly"), ("balance", "quarterly"), ("cashflow", "annual"))
PACKAGES = ("tradingagents", "yfinance", "alpha_vantage", "finnhub-python", "httpx", "pandas")


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """The result of one request."""

    vendor: str
    method: str
    arguments: tuple[str, ...]
    outcome: Outcome
    seconds: float
    rows: int
    """0 if there was no answer."""
    first: str | None
    """The oldest day or time in the rows, ISO 8601."""
    last: str | None
    filled: Mapping[str, float]
    """Share of the rows that have a value, 0 to 1, by field."""
    problems: tuple[str, ...]
    """What is wrong with the answer, or why there is none."""
    responses: tuple[ResponseShape, ...] = ()
    """What the vendor sent: names of fields and kinds of values, no content."""

    @property
    def sound(self) -> bool:
        """Whether the vendor answered and nothing is wrong with the answer."""
        return self.outcome in GOOD and (self.outcome != "answered" or not self.problems)


@dataclass(frozen=True, slots=True)
class VendorProbe:
    """The results of all requests to all vendors."""

    made_at: datetime
    symbol: str
    session: date
    """The last closed session."""
    versions: Mapping[str, str]
    answers: tuple[ProbeAnswer, ...]

    @property
    def exit_code(self) -> int:
        """0 if the answers of every tested vendor are sound; else 4."""
        return 0 if all(answer.sound for answer in self.answers) else DataError.exit_code

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON, without secrets."""
        plain = asdict(self)
        plain.update(made_at=self.made_at.isoformat(), session=self.session.isoformat(), exit_code=self.exit_code)
        redacted: dict[str, Any] = Redactor().value(plain)
        return redacted


def rehearse(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    names: Sequence[str] = (),
    symbol: str = SYMBOL,
    vendors: Vendors | None = None,
    now: Callable[[], datetime] = utc_now,
    heard: Callable[[ProbeAnswer], None] = lambda _: None,
) -> VendorProbe:
    """Send every request that each vendor supports, with the rates and retries of a run.

    Vendors are tested in parallel, the requests to one vendor in sequence.

    Args:
        settings: Vendors' addresses, rates and retries.
        names: Vendors to test; empty means every remote vendor that has the keys it needs.
        symbol: The company to ask about, normalised.
        vendors: Existing vendors; `None` creates them from the settings.
        heard: Called with each answer as it arrives, from several threads.

    Raises:
        UsageError: A name is not a vendor's.
    """
    made = vendors or Vendors(settings, environ=environ)
    chosen = tuple(dict.fromkeys(names)) or _configured(environ)
    for name in chosen:
        if name not in registrations() and not _is_made(made, name):
            close = nearest(name, registrations())
            hint = f"did you mean {close}?" if close else f"known are: {', '.join(registrations())}."
            raise UsageError(f"No data vendor is called {name!r}; {hint}")
    session = sessions().last_closed(now())
    with ThreadPoolExecutor(max_workers=max(1, len(chosen))) as pool:
        found = pool.map(lambda name: list(_probe(made, name, symbol, session, now, heard)), chosen)
        answers = tuple(chain.from_iterable(found))
    versions = {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}}
    return VendorProbe(now(), symbol, session, versions, answers)


def _configured(environ: Mapping[str, str]) -> tuple[str, ...]:
    known = registrations().items()
    return tuple(
        name for name, vendor in known if vendor.rates and all(environ.get(variable) for variable in vendor.needs)
    )


def _is_made(vendors: Vendors, name: str) -> bool:
    try:
        vendors.get(name)
    except TradingAgentsError:
        return False
    return True


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:
        return "not installed"


def _probe(
    vendors: Vendors,
    name: str,
    symbol: str,
    session: date,
    now: Callable[[], datetime],
    heard: Callable[[ProbeAnswer], None],
) -> Iterator[ProbeAnswer]:
    try:
        vendor = vendors.get(name)
    except TradingAgentsError as error:
        answer = ProbeAnswer(name, "", (), "not configured", 0.0, 0, None, None, {}, (str(error),))
        heard(answer)
        yield answer
        return
    for method, arguments in _questions(vendor, symbol, session, now()):
        answer, rows = _ask(vendors, name, method, arguments, session, now)
        heard(answer)
        yield answer
        if rows and isinstance(rows[0], Filing) and _takes(vendor, Vendor.get_filing_document):
            filing = next((row for row in rows if row.form in REPORTS), rows[0])
            document, _ = _ask(vendors, name, Vendor.get_filing_document, (symbol, filing.accession), session, now)
            heard(document)
            yield document


def _questions(
    vendor: Vendor, symbol: str, session: date, now: datetime
) -> Iterator[tuple[VendorMethod[..., Any], tuple[Any, ...]]]:
    """Yield every request that the vendor supports, with arguments for which any vendor should have rows.

    The text of a filing is requested separately, by the number that the list of filings gives.
    """
    start = session - timedelta(days=DAYS)
    days = (start, session)
    instants = (datetime.combine(start, clock.min, tzinfo=UTC), now)
    every: tuple[tuple[VendorMethod[..., Any], tuple[Any, ...]], ...] = (
        (Vendor.get_profile, (symbol,)),
        (Vendor.get_stock_data, (symbol, *days)),
        *((Vendor.get_statements, (symbol, *kind)) for kind in KINDS),
        (Vendor.get_reported_facts, (symbol,)),
        (Vendor.get_fundamentals, (symbol,)),
        (Vendor.get_peers, (symbol, SECTOR)),
        (Vendor.get_news, (symbol, *instants)),
        (Vendor.get_global_news, instants),
        (Vendor.get_topic_news, (TOPIC, *instants)),
        (Vendor.get_insider_transactions, (symbol,)),
        (Vendor.get_social_posts, (symbol, *instants)),
        (Vendor.get_filings, (symbol, session - timedelta(days=STATEMENT_DAYS), session)),
        (Vendor.get_holdings, (INVESTOR, session - timedelta(days=STATEMENT_DAYS), session)),
        (Vendor.get_earnings_calendar, days),
        (Vendor.get_economic_calendar, days),
        (Vendor.get_macro_indicators, (SERIES, session - timedelta(days=STATEMENT_DAYS), session)),
        (Vendor.get_market_movers, ("day_gainers", session)),
        (Vendor.get_industry_performance, (SECTOR,)),
    )
    # Peers may come from our own table, which needs no rehearsal.
    return ((method, arguments) for method, arguments in every if _takes(vendor, method))


def _takes(vendor: Vendor, method: VendorMethod[..., Any]) -> bool:
    return vendor.implements(method) and vendor.supports(method)


def _ask(
    vendors: Vendors,
    name: str,
    method: VendorMethod[..., Any],
    arguments: tuple[Any, ...],
    session: date,
    now: Callable[[], datetime],
) -> tuple[ProbeAnswer, Sequence[Any]]:
    """Send one request; return its result and the rows of the answer.

    What a vendor sent and we could not read says nothing about its other answers: it is asked the next question too.
    One that sends nothing is left alone, as in a run, since each question would take as long as its timeouts.
    """
    began = time.monotonic()
    heard: Sequence[ResponseShape] = ()

    def answer(
        outcome: Outcome, rows: Sequence[Any] = (), problems: Sequence[str] = ()
    ) -> tuple[ProbeAnswer, Sequence[Any]]:
        first, last = _ends(rows)
        seconds = round(time.monotonic() - began, 2)
        shown = tuple(str(argument) for argument in arguments)
        probed = ProbeAnswer(
            name, method.name, shown, outcome, seconds, len(rows), first, last,
            _filled(rows), tuple(problems), tuple(heard),
        )  # fmt: skip
        return probed, rows

    try:
        with listening(arguments[0] if method.is_about_symbol else "") as heard:
            given = vendors.answer(name, method, *arguments)
    except NotInPlan as error:
        return answer("not in plan", (), [str(error)])
    except NotForPastDate as error:
        return answer("not for past dates", (), [str(error)])
    except NoData as error:
        return answer("empty", (), [str(error)])
    except RateLimited as error:
        return answer("rate limit", (), [str(error)])
    except TradingAgentsError as error:
        if heard:
            vendors.trust.forget(name)
        return answer("failed", (), [str(error)])
    except Exception as error:  # noqa: BLE001 - bugs are reported as results; the text may hold a key
        return answer("bug", (), [f"unexpected {type(error).__name__}; please report it."])
    rows = _rows(given)
    return answer("answered" if rows else "empty", rows, _problems(given, rows, session, now()))


def _rows(given: Any) -> Sequence[Any]:
    """Return an answer as rows: bars as their days, a series as its observations, a single object as one row."""
    if isinstance(given, Prices):
        return [day.item() for day in given.days]
    if isinstance(given, MacroSeries):
        return given.observations
    return given if isinstance(given, Sequence) and not isinstance(given, str) else [given]


def _ends(rows: Sequence[Any]) -> tuple[str | None, str | None]:
    """Return the oldest and newest day or time: of the rows themselves, else of their first dated field."""
    found = sorted(moment.isoformat() for row in rows if (moment := _moment(row)) is not None)
    return (found[0], found[-1]) if found else (None, None)


def _moment(row: Any) -> date | None:
    if isinstance(row, date):
        return row
    if not is_dataclass(row):
        return None
    return next((value for field in fields(row) if isinstance(value := getattr(row, field.name), date)), None)


def _filled(rows: Sequence[Any]) -> dict[str, float]:
    records = [row for row in rows if is_dataclass(row)]
    if not records:
        return {}
    names = [field.name for field in fields(records[0])]
    return {
        name: round(sum(getattr(row, name, None) not in (None, "", (), {}) for row in records) / len(records), 2)
        for name in names
    }


def _problems(given: Any, rows: Sequence[Any], session: date, now: datetime) -> list[str]:
    """Return sentences on what is wrong with an answer, without quoting its contents."""
    found = []
    if isinstance(given, Prices):
        found += _price_problems(given, session)
    if rows and isinstance(rows[0], Statement):
        found += _statement_problems(rows, session)
    found += _faults(given, session, now)
    later = sum(1 for row in rows if (known := getattr(row, "known_at", None)) is not None and known > now)
    if later:
        found.append(f"{later} of {len(rows)} rows are known later than now.")
    return found


def _faults(given: Any, session: date, now: datetime) -> list[str]:
    """Return what the data gate finds in an answer, by kind and number: a run would withhold or change these rows."""
    counts = Counter(fault.kind for fault in validate(given, instant=now, last=session).faults)
    return [
        f"{count} {'fault' if count == 1 else 'faults'} of the kind {reference(kind)}."
        for kind, count in counts.items()
    ]


def _price_problems(prices: Prices, session: date) -> list[str]:
    found = []
    days = [day.item() for day in prices.days]
    if days and days[-1] != session:
        found.append(f"The newest bar is of {days[-1]}; the last session was {session}.")
    if days and (missing := len(set(sessions().between(days[0], days[-1])) - set(days))):
        found.append(f"{missing} sessions between the first and the last bar are missing.")
    return found


def _statement_problems(rows: Sequence[Statement], session: date) -> list[str]:
    found = []
    if any(not row.items for row in rows):
        found.append("Some statements have no recognised line item.")
    newest = max(row.period_end for row in rows)
    quarterly = rows[0].frequency == "quarterly"
    if quarterly and (session - newest).days > STATEMENT_DAYS:
        found.append(f"The newest quarter ended on {newest}, more than {STATEMENT_DAYS} days ago.")
    return found
