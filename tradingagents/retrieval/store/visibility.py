"""Which documents a search may look into, and which of them a later amendment replaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from tradingagents.retrieval.index.companies import Companies, company_id
from tradingagents.retrieval.index.documents import plain_form
from tradingagents.retrieval.models import DocumentInfo, Scope

Numbered = tuple[int, int, DocumentInfo]
"""Number in the store, count of pages, and info."""
_WHOLE = 0.5
"""Share of the original's pages from which an amendment stands for it; a shorter one amends a part only."""


def in_scope(info: DocumentInfo, scope: Scope) -> bool:
    """Tell whether a scope allows a document, apart from when it was known."""
    return (
        (not scope.documents or info.key in scope.documents)
        and (not scope.kinds or info.kind in scope.kinds)
        and (not scope.symbols or info.symbol.upper() in {symbol.upper() for symbol in scope.symbols})
        and (not scope.forms or bool({info.form, plain_form(info.form)} & set(scope.forms)))
        and (not scope.fiscal_years or info.fiscal_year in scope.fiscal_years)
        and (not scope.fiscal_quarters or info.fiscal_quarter in scope.fiscal_quarters)
    )


class ScopeView:
    """The documents that a scope allows at an instant, by company; made once for many questions."""

    def __init__(self, documents: Sequence[Numbered], scope: Scope, now: datetime) -> None:
        """Take all documents of the store; those known after the scope's `as_of`, or after now, leave no trace."""
        instant = scope.as_of or now
        known = [document for document in documents if document[2].known_at <= instant]
        self.until = min(
            (document[2].known_at for document in documents if document[2].known_at > instant), default=None
        )
        """When the view becomes stale, where the scope says no instant; None if no later document is stored."""
        allowed = [row for row in known if in_scope(row[2], scope)]
        # Whether a document is replaced depends on all that is known, not on what else the scope leaves out.
        hidden = frozenset() if scope.documents else replaced(known)
        self.documents = allowed
        self.searched = [row for row in allowed if row[0] not in hidden]
        self._by_company: dict[str, list[Numbered]] = defaultdict(list)
        for row in self.searched:
            self._by_company[company_id(row[2].symbol, row[2].company)].append(row)
        self._companies: Companies | None = None

    def of_companies_named(self, question: str) -> tuple[list[Numbered], list[str], str]:
        """Return the documents of the companies that a question names, their names, and the question without them.

        All documents, and no name, where it names none.
        """
        if self._companies is None:
            self._companies = Companies((row[2].symbol, row[2].company) for row in self.searched)
        named, plain = self._companies.read(question)
        found = [one for company in sorted(named) for one in self._by_company[company]]
        if not found:
            return self.searched, [], plain
        return found, sorted({row[2].company for row in found}), plain


def replaced(documents: Sequence[Numbered]) -> frozenset[int]:
    """Return the numbers of those among the documents that another of them, a later whole amendment, replaces.

    Pass visible documents only: an amendment replaces nothing before its own date.
    """
    groups: dict[tuple[object, ...], list[Numbered]] = defaultdict(list)
    for document in documents:
        info = document[2]
        if info.kind == "filing" and info.form and info.fiscal_year is not None:
            company = company_id(info.symbol, info.company)
            groups[company, plain_form(info.form), info.fiscal_year, info.fiscal_quarter, info.period_end].append(
                document
            )
    found = set()
    for group in groups.values():
        amendments = [row for row in group if row[2].form.upper().endswith("/A")]
        for number, pages, info in group if amendments else ():
            if any(
                other[0] != number and other[2].known_at > info.known_at and other[1] >= _WHOLE * pages
                for other in amendments
            ):
                found.add(number)
    return frozenset(found)
