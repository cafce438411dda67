"""EDGAR's pages, made up: a company's index of filings, its tagged figures, a Form 4, a Form 13F."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

CIK = 99
IDENTITY = "Quinn Quiller-SECRET quinn.SECRET@desk.example"
"""As `EDGAR_IDENTITY` holds it: a person, not to be shown."""
SUBMISSIONS = f"/submissions/CIK{CIK:010d}.json"
FACTS = f"/api/xbrl/companyfacts/CIK{CIK:010d}.json"
ARCHIVE = f"/Archives/edgar/data/{CIK}/"
OFFICER = "<isDirector>0</isDirector><isOfficer>1</isOfficer><officerTitle>Chief Quark Officer</officerTitle>"
INVESTOR = 9900000001
"""The number of an investor; the simulated market has one of the same number."""
INVESTOR_SUBMISSIONS = f"/submissions/CIK{INVESTOR:010d}.json"
_13F = "http://www.sec.gov/edgar/document/thirteenf/informationtable"
_COLUMNS = (
    *("accessionNumber", "filingDate", "reportDate", "acceptanceDateTime", "form", "items"),
    *("primaryDocument", "primaryDocDescription"),
)


def tickers(**ciks: int) -> dict[str, Any]:
    """Return the list of tickers; a name written `BRK_B` is that of BRK-B."""
    rows = ({"cik_str": cik, "ticker": name.replace("_", "-"), "title": name} for name, cik in ciks.items())
    return {str(number): row for number, row in enumerate(rows)}


def entry(
    number: int, form: str, accepted: str, *, document: str = "main.htm", filed: str = "", **more: str
) -> dict[str, str]:
    """Return one line of the index; further cells win, by EDGAR's names."""
    cells = dict.fromkeys(_COLUMNS, "")
    return cells | {
        "accessionNumber": accession(number),
        "filingDate": filed or accepted[:10],
        "acceptanceDateTime": accepted,
        "form": form,
        "primaryDocument": document,
        **more,
    }


def accession(number: int) -> str:
    """Return the number of a filing."""
    return f"0000000099-25-{number:06d}"


def folder(number: int) -> str:
    """Return where the documents of a filing lie."""
    return f"{ARCHIVE}{accession(number).replace('-', '')}/"


def columns(entries: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return lines of the index as EDGAR writes them."""
    return {name: [line[name] for line in entries] for name in _COLUMNS}


def submissions(*entries: Mapping[str, Any], older: Sequence[Mapping[str, str]] = (), **more: Any) -> dict[str, Any]:
    """Return a company's first page; further fields win."""
    return {
        "cik": f"{CIK:010d}",
        "name": "ACME  QUARK INC",
        "sic": "3674",
        "sicDescription": "Semiconductors & Related Devices",
        "fiscalYearEnd": "1231",
        "exchanges": ["Nasdaq"],
        "filings": {"recent": columns(entries), "files": list(older)},
    } | more


class Facts:
    """A page of company facts, filled fact by fact."""

    def __init__(self, taxonomy: str = "us-gaap") -> None:
        self.taxonomy = taxonomy
        self.tags: dict[str, dict[str, list[dict[str, Any]]]] = {}
        self.covers: dict[str, dict[str, list[dict[str, Any]]]] = {}

    def add(
        self, number: int, form: str, filed: str, period: str | tuple[str, str], unit: str = "USD", **values: Any
    ) -> Facts:
        """Add the figures of one filing for a period (first and last day) or a day."""
        dates = {"end": period} if isinstance(period, str) else {"start": period[0], "end": period[1]}
        for tag, value in values.items():
            # fy and fp are those of the filing, as EDGAR has them: nothing may be read from them.
            row = {**dates, "val": value, "accn": accession(number), "fy": 1999, "fp": "Q2", "form": form}
            self.tags.setdefault(tag, {}).setdefault(unit, []).append({**row, "filed": filed})
        return self

    def cover(self, number: int, form: str, filed: str, day: str, shares: object) -> Facts:
        """Add the common shares on the cover of a filing, of a day."""
        row = {
            "end": day,
            "val": shares,
            "accn": accession(number),
            "fy": 1999,
            "fp": "Q2",
            "form": form,
            "filed": filed,
        }
        self.covers.setdefault("EntityCommonStockSharesOutstanding", {}).setdefault("shares", []).append(row)
        return self

    def page(self) -> dict[str, Any]:
        """Return the page."""
        facts, covers = (
            {tag: {"label": tag, "units": units} for tag, units in tags.items()} for tags in (self.tags, self.covers)
        )
        return {"cik": CIK, "entityName": "ACME QUARK INC", "facts": {"dei": covers, self.taxonomy: facts}}


def transaction(
    code: str, day: str, shares: object, price: object = None, *, kind: str = "nonDerivative", side: str = "A"
) -> str:
    """Return one transaction of a Form 4."""
    priced = "<footnoteId id='F1'/>" if price is None else f"<value>{price}</value>"
    return f"""<{kind}Transaction>
  <securityTitle><value>Common Stock</value></securityTitle>
  <transactionDate><value>{day}</value></transactionDate>
  <transactionCoding><transactionFormType>4</transactionFormType><transactionCode>{code}</transactionCode></transactionCoding>
  <transactionAmounts>
    <transactionShares><value>{shares}</value></transactionShares>
    <transactionPricePerShare>{priced}</transactionPricePerShare>
    <transactionAcquiredDisposedCode><value>{side}</value></transactionAcquiredDisposedCode>
  </transactionAmounts>
</{kind}Transaction>"""


def form4(
    *trades: str,
    derivatives: Sequence[str] = (),
    owner: str = "QUILLER QUINN",
    relationship: str = OFFICER,
    issuer: str = f"{CIK:010d}",
) -> bytes:
    """Return a Form 4 about the company's shares."""
    return f"""<?xml version="1.0"?>
<ownershipDocument>
  <documentType>4</documentType>
  <issuer><issuerCik>{issuer}</issuerCik><issuerTradingSymbol>ACMQ</issuerTradingSymbol></issuer>
  <reportingOwner>
    <reportingOwnerId><rptOwnerCik>0000000007</rptOwnerCik><rptOwnerName>{owner}</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship>{relationship}</reportingOwnerRelationship>
  </reportingOwner>
  <nonDerivativeTable>{"".join(trades)}</nonDerivativeTable>
  <derivativeTable>{"".join(derivatives)}</derivativeTable>
</ownershipDocument>""".encode()


def complete_text(number: int, cik: int = INVESTOR) -> str:
    """Return where the complete text of a filing lies."""
    return f"/Archives/edgar/data/{cik}/{accession(number).replace('-', '')}/{accession(number)}.txt"


def holding(
    issuer: str,
    value: object,
    amount: object,
    *,
    title: str = "COM",
    cusip: str = "037833100",
    kind: str = "SH",
    put_call: str = "",
    prefix: str = "",
) -> str:
    """Return one line of an information table; `prefix` is that of its namespace, such as `ns1:`."""
    at = prefix
    option = f"<{at}putCall>{put_call}</{at}putCall>" if put_call else ""
    return f"""<{at}infoTable>
  <{at}nameOfIssuer>{issuer}</{at}nameOfIssuer>
  <{at}titleOfClass>{title}</{at}titleOfClass>
  <{at}cusip>{cusip}</{at}cusip>
  <{at}value>{value}</{at}value>
  <{at}shrsOrPrnAmt>
    <{at}sshPrnamt>{amount}</{at}sshPrnamt><{at}sshPrnamtType>{kind}</{at}sshPrnamtType>
  </{at}shrsOrPrnAmt>
  {option}
  <{at}investmentDiscretion>DFND</{at}investmentDiscretion>
  <{at}otherManager>4</{at}otherManager>
  <{at}votingAuthority><{at}Sole>{amount}</{at}Sole><{at}Shared>0</{at}Shared><{at}None>0</{at}None></{at}votingAuthority>
</{at}infoTable>"""


def form13f(
    *rows: str,
    period: str = "12-31-2024",
    amendment: str = "",
    name: str = "LARKSPUR HILL CAPITAL LP",
    prefix: str = "",
    total: int | None = None,
) -> bytes:
    """Return the complete text of a Form 13F: header, cover page and information table, as EDGAR joins them."""
    form = "13F-HR/A" if amendment else "13F-HR"
    amended = f"<amendmentInfo><amendmentType>{amendment}</amendmentType></amendmentInfo>" if amendment else ""
    declared = f'xmlns:{prefix.rstrip(":")}="{_13F}"' if prefix else f'xmlns="{_13F}"'
    table = f"""<DOCUMENT>
<TYPE>INFORMATION TABLE
<SEQUENCE>2
<FILENAME>53405.xml
<TEXT>
<XML>
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<{prefix}informationTable {declared}>{"".join(rows)}</{prefix}informationTable>
</XML>
</TEXT>
</DOCUMENT>
"""
    return f"""<SEC-DOCUMENT>0000000099-25-000070.txt : 20250214
<SEC-HEADER>
CONFORMED SUBMISSION TYPE:	{form}
</SEC-HEADER>
<DOCUMENT>
<TYPE>{form}
<SEQUENCE>1
<FILENAME>primary_doc.xml
<TEXT>
<XML>
<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler" xmlns:com="http://www.sec.gov/edgar/common">
  <headerData><submissionType>{form}</submissionType></headerData>
  <formData>
    <coverPage>
      <reportCalendarOrQuarter>{period}</reportCalendarOrQuarter>
      <isAmendment>{"true" if amendment else "false"}</isAmendment>{amended}
      <filingManager><name>{name}</name><address><com:city>OMAHA</com:city></address></filingManager>
      <reportType>13F HOLDINGS REPORT</reportType>
    </coverPage>
    <summaryPage>
      <tableEntryTotal>{len(rows) if total is None else total}</tableEntryTotal>
      <tableValueTotal>0</tableValueTotal>
    </summaryPage>
  </formData>
</edgarSubmission>
</XML>
</TEXT>
</DOCUMENT>
{table if rows else ""}</SEC-DOCUMENT>
""".encode()
