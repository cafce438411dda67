"""Financial Datasets for the contract tests: quarters, years, trades and headlines, and poison filed after a day."""

from __future__ import annotations

from datetime import UTC, date, datetime

from tests.contracts.sources.source import SYMBOL, Source
from tests.dataflows.vendors.financial_datasets_payloads import FACTS, article, serve_statements, statement, trade
from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.vendors.financial_datasets.vendor import FinancialDatasetsVendor

KINDS = ("income", "balance", "cashflow")
QUARTERS = ("2023-06-30", "2023-09-30", "2023-12-31", "2024-03-31", "2024-06-30", "2024-09-30")
WILD = 1e5


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    rows = [
        (kind, statement(kind, end, f"{end[:4]}-Q{int(end[5:7]) // 3}", by=1 + number / 20))
        for kind in KINDS
        for number, end in enumerate(QUARTERS)
    ]
    rows += [(kind, statement(kind, "2023-12-31", "2023-FY", period="annual", by=4.0)) for kind in KINDS]
    trades = [trade("2025-02-10", "2025-02-12"), trade("2025-01-20", None, transaction_type="Open market purchase")]
    articles = [article(f"Acme ships quark {day}", f"2025-06-{day}T14:00:00Z") for day in (10, 11, 12)]
    if poisoned_after:
        # Filed on the day itself: known from the next session on. Its year: on no day told, so after 90 days.
        filed = poisoned_after.isoformat()
        rows += [(kind, statement(kind, "2024-12-31", "2024-Q4", by=WILD, filing_date=filed)) for kind in KINDS]
        rows += [(kind, statement(kind, "2024-12-31", "2024-FY", period="annual", by=WILD)) for kind in KINDS]
        trades.insert(0, trade("2025-03-13", filed, name="POISON", transaction_shares=-9e6, transaction_value=-9.99e14))
        articles.insert(0, article("POISON", "2025-06-12T20:00:00Z"))
    serve_statements(server, rows)
    server.answer("/insider-trades", {"insider_trades": trades})
    server.answer("/company/facts", {"company_facts": FACTS})
    server.answer("/news", {"news": articles})


SOURCE = Source(
    kind=FinancialDatasetsVendor,
    fill=fill,
    asks={
        "get_profile": (SYMBOL,),
        "get_statements": (SYMBOL, "income", "quarterly"),
        "get_insider_transactions": (SYMBOL,),
        "get_news": (SYMBOL, datetime(2025, 6, 10, tzinfo=UTC), datetime(2025, 6, 13, tzinfo=UTC)),
    },
    # Results come from the recorded calendar, beside which remote statements are not asked what tells against them.
    unshown=frozenset({"top_companies", "calculate_factors", "earnings"}),
    lacks=frozenset({"run_factor_regression"}),  # one company: its factors cannot be told apart
    environ={"FINANCIAL_DATASETS_API_KEY": "made-up-SECRET-0123456789abcdef"},
)
