"""What is hidden from readers of the simulated market, for tests and for judging what an analysis found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendors.simulated.books import Accounts
from tradingagents.dataflows.vendors.simulated.headlines import Tone
from tradingagents.dataflows.vendors.simulated.market import Timeline
from tradingagents.dataflows.vendors.simulated.news import Headline, Kind
from tradingagents.dataflows.vendors.simulated.shares import Share


@dataclass(frozen=True, slots=True)
class EarningsTruth:
    """One filing, what was expected of it, and what it did to the share."""

    period_end: date
    filed_at: datetime
    surprise: float
    """Standard deviations."""
    eps: float
    expected_eps: float
    """Without the surprise."""
    revenue: float
    expected_revenue: float
    reaction: date | None
    """First session that opens after the filing; None where the simulated sessions do not hold it."""
    jump: float
    """Log return the filing causes at that session's open; 0 where `reaction` is None."""


@dataclass(frozen=True, slots=True)
class NewsTruth:
    """One article and what it is worth."""

    item: NewsItem
    kind: Kind
    """`lead` comes before the move it tells the sign of, `lag` after; `noise` has to do with none."""
    tone: Tone
    session: date | None
    """The session whose move it leads or reports, or that can first react to a filing; None beyond the calendar."""
    own_shock: float
    """The company's own shock of that session, in standard deviations, without market, sector and earnings."""


def earnings_truth(share: Share, accounts: tuple[Accounts, ...], timeline: Timeline) -> tuple[EarningsTruth, ...]:
    """Return every filing of a company, oldest first."""
    return tuple(_earnings(share, filed, timeline) for filed in accounts)


def _earnings(share: Share, filed: Accounts, timeline: Timeline) -> EarningsTruth:
    position = timeline.first_open_after(filed.quarter.filed_at)
    reacts = 0 < position < len(timeline)
    return EarningsTruth(
        period_end=filed.quarter.end,
        filed_at=filed.quarter.filed_at,
        surprise=filed.quarter.surprise,
        eps=filed.income["eps_diluted"],
        expected_eps=filed.expected_eps,
        revenue=filed.income["revenue"],
        expected_revenue=filed.expected_revenue,
        reaction=timeline.days[position] if reacts else None,
        jump=float(share.jump[position]) if reacts else 0.0,
    )


def news_truth(
    share: Share, written: tuple[tuple[Headline, NewsItem], ...], timeline: Timeline
) -> tuple[NewsTruth, ...]:
    """Return what each article is worth, in the order given."""
    return tuple(_news(share, headline, item, timeline) for headline, item in written)


def _news(share: Share, headline: Headline, item: NewsItem, timeline: Timeline) -> NewsTruth:
    within = headline.session < len(timeline)
    return NewsTruth(
        item=item,
        kind=headline.kind,
        tone=headline.tone,
        session=timeline.days[headline.session] if within else None,
        own_shock=float(share.own_shock[headline.session]) if within else 0.0,
    )
