"""`MarketData`: the one way to the vendors' data, bound to a day: nothing that became known later is returned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain, islice
from typing import get_args

from tradingagents.dataflows.cutoff import SAME_MOMENT
from tradingagents.dataflows.data_sheet import DataSheetRow
from tradingagents.dataflows.gateway.checks.neighbouring_statements import SHOWN_BY, judged_by_filing, with_missing
from tradingagents.dataflows.gateway.checks.traded_bars import STALE_AFTER
from tradingagents.dataflows.gateway.faults import summarised
from tradingagents.dataflows.gateway.financial_sources import (
    STATEMENT_METHOD,
    FinancialSources,
    gate_notes,
    last_filed,
    statements_of_company,
)
from tradingagents.dataflows.gateway.run_market import P, worked_out_once
from tradingagents.dataflows.gateway.source import DATED_LATER
from tradingagents.dataflows.gateway.wrappers import K, gaps_row
from tradingagents.dataflows.instrument import Instrument, kind_of
from tradingagents.dataflows.models import (
    INSIDER_WINDOW,
    EarningsEvent,
    EconomicEvent,
    Filing,
    Frequency,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    Mover,
    MoverCategory,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    SectorMember,
    SocialPost,
    SocialPosts,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import FIRST_DAY, exchange_of
from tradingagents.dataflows.reference.currencies import is_stated, major_unit, quoted_in
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.reference.exchanges import benchmark_of
from tradingagents.dataflows.reference.macro_series import as_published, is_withheld
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.reference.share_classes import one_of_each_company
from tradingagents.dataflows.reference.symbols import change_hint, listing_of, namesake_hint, normalise
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import AllVendorsFailed, BadDate, DataError, NoData, NotForPastDate, VendorNotConfigured

MAX_PEERS = 10
CALENDAR_LEAD = timedelta(days=400)
"""How far before its window a calendar is read, where that costs no request: what recurs shows when it is due next."""

EARLIEST_PRICES = date(1900, 1, 1)
"""No vendor has prices of earlier days; a window that begins before begins here."""


class MarketData(FinancialSources):
    """The market as it was known at one cut-off. One per run; safe to use from several threads."""

    @worked_out_once
    def prices(
        self, symbol: str, *, method: str = "get_stock_data", days: int | None = None
    ) -> tuple[Prices, DataSheetRow]:
        """Return the daily bars known at the cut-off, as traded then, oldest first.

        Args:
            symbol: Any spelling.
            method: The tool method whose vendor is asked.
            days: Calendar days back from the cut-off; None: `price_history_days`.

        Raises:
            NoData: No bars, the last one is more than ten days older than the session, or the listing has ended.
        """
        symbol = normalise(symbol)
        last = self._calendar(symbol).last_closed(self.cutoff.instant)
        most = (last - EARLIEST_PRICES).days
        first = last - timedelta(days=min(days or self.settings.price_history_days, most))
        try:
            bars, vendor = self.source.answer(Vendor.get_stock_data.named(method), symbol, first, last)
        except NoData as error:
            if (explained := _explained(error, symbol)) is None:
                raise
            raise explained from error
        known: Prices = bars.upto(last).since(first).as_traded(last)
        if not len(known):
            raise NoData(f"{vendor} has no prices of {symbol} up to {last}; check the symbol and the date.")
        newest = known.days[-1].item()
        if known.ended is not None:
            raise NoData(
                f"{symbol} has not traded since {known.ended.day}: it {known.ended.told}. Name an earlier date."
            )
        if last - newest > STALE_AFTER:
            if known.untraded and known.untraded[-1] > newest:
                raise NoData(
                    f"{symbol} has not traded from {newest} up to {known.untraded[-1]}: {vendor}'s bars of these "
                    f"sessions show no trade. Its last price is too old for {last}; name an earlier date."
                )
            raise NoData(
                f"{vendor}'s prices of {symbol} end on {newest}, too old for {last}; "
                f"name an earlier date or another vendor."
            )
        row = self._row(
            method,
            symbol,
            vendor,
            rows=len(known),
            fetched_at=known.fetched_at,
            start=known.days[0].item(),
            end=newest,
            known_at=self.known_at_of(symbol, newest),
        )
        return known, replace(row, notes=known.notes) if known.notes else row

    def rows(self, method: VendorMethod[P, tuple[K, ...]], *args: P.args, **kwargs: P.kwargs) -> tuple[K, ...]:
        """Return the rows of any question that were known at the cut-off, in the vendor's order; () for none.

        For questions without a method of their own here, such as those of an installed package. Where the first
        argument is a text, the data sheet files the answer under it.

        Raises:
            NoData: The vendor has nothing.
            NotForPastDate: It knows today only.
        """
        found, vendor = self.source.answer(method, *args, **kwargs)
        known = tuple(self.at.known(found))
        newest = max((row.known_at for row in known), default=None)
        subject = next((arg for arg in args[:1] if isinstance(arg, str)), None)
        self._record(method.name, subject, vendor, rows=len(known), start=None, end=None, known_at=newest)
        return known

    def profile(self, symbol: str) -> Profile:
        """Return who the symbol is, with the currency that `prices` are in: pounds where the exchange quotes pence.

        Raises:
            NoData: The vendor does not know the symbol.
        """
        symbol = normalise(symbol)
        try:
            profile, vendor = self.source.answer(Vendor.get_profile, symbol)
        except NoData as error:
            if (explained := _explained(error, symbol)) is None:
                raise
            raise explained from error
        if profile.withheld:
            told = DataSheetRow("get_profile", symbol, vendor, rows=1, fetched_at=self.asked_at)
            self.sheet.add(replace(told, notes=(profile.withheld,)))
        stated = profile.currency if is_stated(profile.currency) else quoted_in(symbol)
        currency, _ = major_unit(stated)
        return profile if currency == profile.currency else replace(profile, currency=currency)

    def known_profile(self, symbol: str) -> Profile | None:
        """Return who the symbol is; None where the vendor does not know it or cannot be asked.

        Where the vendor's answer cannot be used, a profile without sector and industry, withheld with the reason.
        """
        try:
            return self.profile(symbol)
        except DataError as error:
            if reference("another-company") not in str(error):
                return None
            symbol, why = normalise(symbol), str(error)
            return Profile(symbol, symbol, kind_of(symbol), currency=quoted_in(symbol), withheld=why)
        except VendorNotConfigured:
            return None

    def instrument(self, symbol: str) -> Instrument:
        """Resolve who a ticker is; without a profile, the symbol stands for the name."""
        symbol = normalise(symbol)
        try:
            profile = self.profile(symbol)
        except NoData:
            profile = Profile(symbol=symbol, name=symbol, kind=kind_of(symbol), currency=quoted_in(symbol))
        exchange = profile.exchange or exchange_of(symbol)
        benchmark = self.settings.benchmark_ticker or benchmark_of(symbol, exchange)
        return Instrument(
            symbol=symbol,
            name=profile.name,
            kind=profile.kind,
            sector=profile.sector,
            industry=profile.industry,
            exchange=exchange,
            currency=profile.currency,
            benchmark=None if benchmark == symbol else benchmark,
            sector_etf=SECTOR_ETF.get(profile.sector) if profile.sector else None,
            listing=profile.listing or listing_of(symbol),
        )

    def peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        """Return comparable companies, most comparable first; at most `MAX_PEERS`, none that was listed later.

        Of a company with several classes of shares one stands for all, and none for that of `symbol`.
        """
        symbol = normalise(symbol)
        found, name = self.source.answer(Vendor.get_peers, symbol, sector)
        vendor = self._vendors.get(name)
        listed = (peer for peer in found if vendor.was_listed(peer, self.cutoff.session))
        return tuple(islice(one_of_each_company(listed, symbol), MAX_PEERS))

    @worked_out_once
    def statements(
        self, symbol: str, kind: StatementKind, freq: Frequency = "quarterly"
    ) -> tuple[tuple[Statement, ...], DataSheetRow]:
        """Return the statements filed by the cut-off, newest period first; of one period, the latest version filed.

        Share counts and per-share figures are in the shares of the cut-off's session, as its prices are.

        Raises:
            NoData: The vendor has none of this symbol, or none had been filed.
        """
        symbol, method = normalise(symbol), STATEMENT_METHOD[kind]
        found, vendor = self._statements_of_company(symbol, kind, freq)
        known, faults = self._statements_in_shares_of_the_day(symbol, last_filed(self.at.known(found)))
        if not known:
            raise NoData(
                f"{vendor} has no {freq} {kind} statement of {symbol} filed by {self.cutoff.session}; "
                f"continue without it, or choose another vendor."
            )
        known = self._judged_by_filing(symbol, kind, freq, known)
        row = self._row(
            method,
            symbol,
            vendor,
            rows=len(known),
            start=known[-1].period_end,
            end=known[0].period_end,
            known_at=max(row.known_at for row in known),
        )
        return known, replace(row, notes=gate_notes(known), faults=faults)

    def _judged_by_filing(
        self, symbol: str, kind: StatementKind, freq: Frequency, known: tuple[Statement, ...]
    ) -> tuple[Statement, ...]:
        """Return statements without what the other kinds put in doubt, and with a withheld one where one is missing.

        Kinds of a remote vendor are not asked for this where each costs a request.
        """
        others = {
            other: self._filed_rows(symbol, other, freq)
            for other in get_args(StatementKind)
            if other != kind and all(map(self.is_free_beside, (STATEMENT_METHOD[other], STATEMENT_METHOD[kind])))
        }
        judged = judged_by_filing(known, chain.from_iterable(others.values()))
        return with_missing(judged, others.get(SHOWN_BY[kind], ()))

    def _filed_rows(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the statements filed by the cut-off, to judge those of other kinds by; () where there are none."""
        try:
            found, _ = self._statements_of_company(symbol, kind, freq)
        except DataError:
            return ()
        return last_filed(self.at.known(found))

    def statement_versions(
        self, symbol: str, kind: StatementKind, freq: Frequency = "quarterly"
    ) -> tuple[Statement, ...]:
        """Return every version of the statements filed by the cut-off, by period and instant of filing, newest first.

        `statements` returns the last version of each period; the earlier ones say what was known before a restatement.
        Share counts and per-share figures are in the shares of the cut-off's session.

        Raises:
            NoData: The vendor has none of this symbol.
        """
        symbol, method = normalise(symbol), STATEMENT_METHOD[kind]
        found, vendor = self._statements_of_company(symbol, kind, freq)
        known, faults = self._statements_in_shares_of_the_day(symbol, tuple(self.at.known(found)))
        known = self._judged_by_filing(symbol, kind, freq, known)
        newest = max((row.known_at for row in known), default=None)
        row = self._row(method, symbol, vendor, rows=len(known), start=None, end=None, known_at=newest)
        self.sheet.add(replace(row, notes=gate_notes(known), faults=faults))
        return tuple(sorted(known, key=lambda row: (row.period_end, row.known_at), reverse=True))

    def _statements_of_company(
        self, symbol: str, kind: StatementKind, freq: Frequency
    ) -> tuple[tuple[Statement, ...], str]:
        """Return a vendor's statements; where it has none of this class of shares, those under another class.

        Statements are of the company as a whole, so that they are those of each class with an equal claim.
        """
        method = Vendor.get_statements.named(STATEMENT_METHOD[kind])
        return statements_of_company(symbol, lambda one: self.source.answer(method, one, kind, freq))

    def ratios(self, symbol: str) -> Ratios:
        """Return the vendor's own ratios of today.

        Raises:
            NotForPastDate: The cut-off is a past day, of which the source knows nothing; or they were recorded on
                another one.
        """
        recorded = self.is_local("get_fundamentals")
        if not self.cutoff.live and not recorded:
            raise self._no_ratios()
        ratios, _ = self.source.answer(Vendor.get_fundamentals, normalise(symbol))
        if recorded and not self._read_on_the_day(ratios.fetched_at):
            raise self._no_ratios()
        return ratios

    def news(self, symbol: str, start: date, end: date) -> tuple[NewsItem, ...]:
        """Return a company's articles of the days [start, end] known at the cut-off, newest first; () for none.

        Raises:
            NoData: The vendor has no news of this symbol at all.
            NotForPastDate: The vendor's feed does not reach back to the window.
        """
        return self._articles(Vendor.get_news, (normalise(symbol),), start, end)

    def global_news(self, start: date, end: date) -> tuple[NewsItem, ...]:
        """Return market articles of the days [start, end] known at the cut-off, newest first; () for none."""
        return self._articles(Vendor.get_global_news, (), start, end)

    def insider_transactions(self, symbol: str, since: date | None = None) -> tuple[InsiderTransaction, ...]:
        """Return insider trades reported by the cut-off, in shares of its session, newest first; () for none.

        Args:
            symbol: The company.
            since: First day on which trades are asked for; None: that of the last six months.

        Raises:
            BadDate: That day lies before all data.
            NoData: The vendor does not cover the symbol.
            NotForPastDate: It goes back too little to know of trades then: silence would read like none.
        """
        symbol = normalise(symbol)
        vendor = self.vendor_of("get_insider_transactions")
        reach = self.insiders_reach(vendor)
        if since is not None and since < FIRST_DAY:
            raise BadDate(f"{since} lies before the data begin; name a day from {FIRST_DAY} on.")
        first = self.cutoff.instant - INSIDER_WINDOW
        if since is not None:
            first = min(first, datetime.combine(since, time(), UTC))
        if reach is not None and first < self.at.now() - reach:
            raise NotForPastDate(
                f"{vendor}'s insider trades go back {reach.days} days from today, too little for "
                f"{since or self.as_of}; choose another vendor in tool_vendors, or "
                f"recorded data (data_vendor='snapshot')."
            )
        found, vendor = self.source.answer(Vendor.get_insider_transactions, symbol)
        known = tuple(
            sorted(
                self.at.known(found), key=lambda row: (row.transaction_date, row.known_at, row.insider), reverse=True
            )
        )
        if not known and not self._vendors.get(vendor).covers("get_insider_transactions", symbol):
            raise NoData(f"{vendor} has no insider trades of {symbol}; choose another vendor in tool_vendors.")
        known, faults = self._trades_in_shares_of_the_day(symbol, known)
        if faults:
            gaps = summarised([(fault, "") for fault in faults])
            self.sheet.add(gaps_row("get_insider_transactions", symbol, vendor, gaps, faults, self.asked_at))
        row = self._row(
            "get_insider_transactions",
            symbol,
            vendor,
            rows=len(known),
            start=known[-1].transaction_date if known else None,
            end=known[0].transaction_date if known else None,
            known_at=max((row.known_at for row in known), default=None),
        )
        self.sheet.add(replace(row, notes=tuple(fault.reason for fault in faults)))
        return known

    def market_movers(self, category: MoverCategory) -> tuple[Mover, ...]:
        """Return the stocks that rose, fell or were traded most in the last session, the first first.

        A live screen shows the session that trades now, where one does; the data sheet says which session it is.

        Raises:
            NotForPastDate: The vendor knows today's only.
            NoData: It has none.
        """
        found, vendor = self.source.answer(Vendor.get_market_movers, category, self.cutoff.session)
        known = tuple(self.at.known(map(self._of_the_moment, found)))
        if found and not known:
            raise NotForPastDate(
                f"{vendor}'s {category} are of a later session than {self.cutoff.session}; ask for today, or use "
                f"recorded data (data_vendor='snapshot')."
            )
        newest = max((row.known_at for row in known), default=None)
        session = self.at.market.on_or_before(newest.astimezone(self.at.market.zone).date()) if newest else None
        self._record(
            "get_market_movers",
            category,
            vendor,
            rows=len(known),
            start=session or self.cutoff.session,
            end=session or self.cutoff.session,
            known_at=newest,
        )
        return known

    def sector_members(self, sector: str) -> tuple[SectorMember, ...]:
        """Return the companies of a sector key, without those listed after the cut-off.

        Raises:
            NotForPastDate: The vendor knows today's only.
            NoData: It has none.
        """
        found, vendor = self.source.answer(Vendor.get_industry_performance, sector)
        listed = self._vendors.get(vendor).was_listed
        found = tuple(row for row in found if listed(row.symbol, self.cutoff.session))
        self._record_stand_in("get_industry_performance", sector, vendor, rows=len(found))
        return tuple(map(self._as_listed, found))

    def topic_news(self, topic: str, start: date, end: date) -> tuple[NewsItem, ...]:
        """Return articles on a topic of the days [start, end] known at the cut-off, as the vendor's search orders them.

        Raises:
            NotForPastDate: The vendor's search does not reach back to the window.
        """
        return self._articles(Vendor.get_topic_news, (topic,), start, end, newest_first=False)

    def earnings_calendar(self, start: date, end: date, symbol: str = "") -> tuple[EarningsEvent, ...]:
        """Return results known at the cut-off as published, or announced, for days up to `end`, by day.

        With a symbol only that company's; a local vendor then judges no other's statements.
        Of a vendor that costs no request the year before `start` comes too: what recurs shows when it is due next.

        Raises:
            NotForPastDate: The vendor knows today's calendar only.
            NoData: It has none.
        """
        name = Vendor.get_earnings_calendar.name
        only = (symbol,) if symbol and self.is_local(name) else ()
        found, vendor = self.source.answer(Vendor.get_earnings_calendar, self._calendar_start(name, start), end, *only)
        known = tuple(row for row in self.at.known(found) if symbol in ("", row.symbol))
        known = tuple(sorted(known, key=lambda row: (row.day, row.symbol)))
        known = self._events_in_shares_of_the_day(known, start, end)
        self._record_calendar(name, symbol or None, vendor, known, start, end)
        return known

    def economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return economic releases known at the cut-off, past and scheduled, for days up to `end`, by day.

        Values that are a later revision are withheld (`reference.macro_series`).
        Of a vendor that costs no request the year before `start` comes too. Raises as `earnings_calendar` does.
        """
        found, vendor = self.source.answer(
            Vendor.get_economic_calendar, self._calendar_start("get_economic_calendar", start), end
        )
        known_by = self._read_by(vendor)
        published = (as_published(row, known_by) for row in self.at.known(found))
        known = tuple(sorted(published, key=lambda row: (row.day, row.name)))
        self._record_calendar("get_economic_calendar", None, vendor, known, start, end)
        return known

    def social_posts(self, symbol: str, start: date, end: date) -> SocialPosts:
        """Return posts about a company made on the days [start, end] and known at the cut-off, of all sources.

        Unlike other questions this one is put to all vendors that can be asked: each is a crowd of its own. One that
        fails is named in the answer. What was counted after the cut-off of a past day (likes, comments) is left out.

        Raises:
            NotForPastDate: Every source knows today only.
            NoData: None of them has the symbol.
            VendorNotConfigured: None of them can be asked.
            AllVendorsFailed: None of them answered, and not for want of the symbol.
        """
        method, symbol, end = Vendor.get_social_posts.name, normalise(symbol), self.clamp(end)
        since = datetime.combine(min(start, end), time.min, tzinfo=UTC)
        until = self.end_of(end)
        answers = self.source.answers_of_all(Vendor.get_social_posts, symbol, since, until)
        silent = {name: answer for name, answer in answers.items() if isinstance(answer, Exception)}
        if len(silent) == len(answers):
            raise _nobody_answered(method, silent)
        posts: dict[tuple[str, ...], SocialPost] = {}
        for name, answer in answers.items():
            if isinstance(answer, Exception):
                continue
            live = self.cutoff.live and not self._vendors.get(name).local
            known = [self._as_counted(row, live) for row in self.at.known(answer) if since <= row.posted_at <= until]
            for row in known:
                posts.setdefault((row.source, row.url or f"{row.author} {row.posted_at} {row.text}"), row)
            self._record(
                method,
                symbol,
                name,
                rows=len(known),
                start=since.date(),
                end=until.date(),
                known_at=max((row.known_at for row in known), default=None),
            )
        return SocialPosts(
            posts=tuple(sorted(posts.values(), key=lambda row: (row.posted_at, row.source, row.text), reverse=True)),
            answered=tuple(name for name in answers if name not in silent),
            silent={name: str(error) for name, error in silent.items()},
        )

    def filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        """Return what the company filed in [start, end] and was accepted by the cut-off, newest first; () for none.

        Raises:
            NoData: The vendor does not know the company.
        """
        symbol, end = normalise(symbol), self.clamp(end)
        start = min(start, end)
        dated_by = end + DATED_LATER if end == self.as_of and self.cutoff.knows_more_than_prices else end
        found, vendor = self.source.answer(Vendor.get_filings, symbol, start, dated_by)
        known = tuple(sorted(self.at.known(found), key=lambda row: (row.known_at, row.accession), reverse=True))
        self._record(
            "get_filings",
            symbol,
            vendor,
            rows=len(known),
            start=start,
            end=end,
            known_at=max((row.known_at for row in known), default=None),
        )
        return known

    def macro_series(self, series: str, start: date) -> MacroSeries:
        """Return an economic series from `start` on as it was published by the cut-off: one value a day of reference.

        Raises:
            NoData: The vendor has no such series, nothing of it had been published, or a later revision only.
        """
        until = self.cutoff.instant.date() if self.serves_now else self.cutoff.session
        found, vendor = self.source.answer(Vendor.get_macro_indicators, series, min(start, self.as_of), until)
        if is_withheld(found, self._read_by(vendor)):
            raise NoData(
                f"{vendor} has only a later revision of {found.series}; the values as first reported, all that was "
                f"known by {self.cutoff.session}, are not recorded. Omit them, or choose fred, which keeps both."
            )
        latest: dict[date, MacroObservation] = {}
        for row in sorted(self.at.known(found.observations), key=lambda row: row.known_at):
            latest[row.day] = row
        known = tuple(latest[day] for day in sorted(latest))
        if not known:
            raise NoData(f"{vendor} has no value of {series} published by {self.cutoff.session}; continue without it.")
        given = self._row(
            "get_macro_indicators",
            series,
            vendor,
            rows=len(known),
            start=known[0].day,
            end=known[-1].day,
            known_at=max(observation.known_at for observation in known),
        )
        self.sheet.add(replace(given, notes=found.gate_notes))
        return replace(found, observations=known)

    def _read_by(self, vendor: str) -> datetime:
        """Return by when a value without vintages must have been read to be shown.

        A remote vendor that is asked today tells what is known today, a moment after the cut-off.
        """
        live = self.cutoff.live and not self._vendors.get(vendor).local
        return max(self.at.now(), self.cutoff.instant) + SAME_MOMENT if live else self.cutoff.instant

    def _no_ratios(self) -> NotForPastDate:
        return NotForPastDate(
            f"A vendor's ratios exist for today only, not for {self.as_of}; compute them from statements."
        )

    def _read_on_the_day(self, fetched_at: datetime) -> bool:
        """Tell whether something was read by the end of the day asked about, while its session was the last closed."""
        market = self.at.market
        by_then = fetched_at.astimezone(market.zone).date() <= self.as_of
        return by_then and market.last_closed(fetched_at) == self.cutoff.session

    def _of_the_moment(self, mover: Mover) -> Mover:
        """Return a quote of the session that trades while the run does as known when the run began.

        Such a run's cut-off is the moment it began. A screen is read a little later and stamped so, each stock by its
        last trade: cut at the moment, the few without a trade since would pass for the whole screen.
        """
        close = self.at.market.close_of(self.at.market.on_or_before(self.as_of))
        began = self.cutoff.instant
        return replace(mover, known_at=began) if began < mover.known_at <= close else mover

    def _as_listed(self, member: SectorMember) -> SectorMember:
        """Return a company without the rating and weight that were recorded after the day's session, as for ratios."""
        known_at = member.known_at
        if known_at is None or known_at <= self.cutoff.instant or self._read_on_the_day(known_at):
            return member
        return replace(member, rating=None, weight=None, known_at=None)

    def _as_counted(self, post: SocialPost, live: bool) -> SocialPost:
        """Return a post with its likes and comments where they were counted by the cut-off, or are counted now."""
        if live or post.counted_at is None or post.counted_at <= self.cutoff.instant:
            return post
        return replace(post, score=None, comments=None, counted_at=None)

    def _calendar_start(self, method: str, start: date) -> date:
        return start - CALENDAR_LEAD if self.is_local(method) else start

    def _record_calendar(
        self,
        method: str,
        subject: str | None,
        vendor: str,
        known: tuple[EarningsEvent, ...] | tuple[EconomicEvent, ...],
        start: date,
        end: date,
    ) -> None:
        within = [event for event in known if start <= event.day <= end]
        rows = {(event.day, event.symbol if isinstance(event, EarningsEvent) else event.name) for event in within}
        known_at = max((event.known_at for event in within), default=None)
        row = self._row(method, subject, vendor, rows=len(rows), start=start, end=end, known_at=known_at)
        withheld = (event.withheld for event in within if isinstance(event, EarningsEvent) and event.withheld)
        self.sheet.add(replace(row, notes=tuple(dict.fromkeys(withheld))))

    def _articles(
        self,
        method: VendorMethod[..., tuple[NewsItem, ...]],
        about: tuple[str, ...],
        start: date,
        end: date,
        *,
        newest_first: bool = True,
    ) -> tuple[NewsItem, ...]:
        end = self.clamp(end)
        since = datetime.combine(min(start, end), time.min, tzinfo=UTC)
        until = self.end_of(end)
        found, vendor = self.source.answer(method, *about, since, until)
        known = tuple(row for row in self.at.known(found) if since <= row.published_at <= until)
        if newest_first:
            known = tuple(sorted(known, key=lambda row: (row.published_at, row.title), reverse=True))
        self._record(
            method.name,
            about[0] if about else None,
            vendor,
            rows=len(known),
            start=since.date(),
            end=until.date(),
            known_at=max((row.known_at for row in known), default=None),
        )
        return known


def _explained(error: NoData, symbol: str) -> NoData | None:
    """Return an error that also says what became of a symbol, or what else it is used for; None where nothing does."""
    hints = [hint for hint in (change_hint(symbol), namesake_hint(symbol)) if hint is not None]
    new = [hint for hint in hints if hint not in str(error)]
    return NoData(" ".join((str(error), *new))) if new else None


def _nobody_answered(method: str, silent: Mapping[str, Exception]) -> Exception:
    """Return the error for a question that none of several vendors answered: that of all, where they agree."""
    errors = tuple(silent.values())
    for kind in (NoData, VendorNotConfigured):
        if all(isinstance(error, kind) for error in errors):
            return errors[0]
    failed = AllVendorsFailed(
        f"{method} failed at {', '.join(silent)}: {' '.join(map(str, errors))} "
        f"Or choose another vendor in tool_vendors."
    )
    failed.__cause__ = errors[-1]
    return failed
