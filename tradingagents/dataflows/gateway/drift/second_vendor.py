"""A remote vendor's prices and statements are held against a second vendor's, where that costs no key and one request.

Which vendor is asked is `second_vendor` of the settings: `free` asks those that need no key (Yahoo, and EDGAR where its
identity is set), `all` also those whose key is set, `off` none. Answers of the second come from the cache too: at most
one request for each question and day. Where the second cannot answer, the first is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tradingagents.dataflows.gateway.drift.earlier_answers import Compared
from tradingagents.dataflows.gateway.drift.two_vendors import compare_prices, compare_statements
from tradingagents.dataflows.gateway.vendor_call import VendorQuestion, lost_key
from tradingagents.dataflows.gateway.wrappers import Wrapper
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.errors import AllVendorsFailed, DataError, VendorDown, VendorNotConfigured

FREE = {"get_stock_data": ("yfinance",), "get_statements": ("sec_edgar", "yfinance")}
"""Vendors without a key, by the method of which they are asked, in this order."""
WITH_KEY = {"get_stock_data": ("alpha_vantage",), "get_statements": ("financial_datasets", "alpha_vantage")}
CHECKED = frozenset({"yfinance", "alpha_vantage", "financial_datasets", "sec_edgar"})
"""Vendors whose answers are checked: what others mean by a close or an item was not compared."""


class SecondVendor(Wrapper):
    """What both vendors must agree on is withheld where they do not; the outermost wrapper, of valid answers."""

    def answer(self, question: VendorQuestion) -> Any:
        """Return the answer without what disagrees.

        Raises:
            AllVendorsFailed: The vendors disagree on the answer as a whole: neither is used.
            VendorDown: The answer ends too early, so that another vendor may answer.
        """
        answer = self.inner.answer(question)
        for other in self._others(question):
            try:
                second = self.run.once.answer(
                    ("second", other, question.method.vendor_name, *question.values),
                    partial(self.run.alone(other).answer, question),
                )
            except (DataError, VendorNotConfigured):
                continue
            return self._told(question, other, self._compared(answer, second, other))
        return answer

    def _others(self, question: VendorQuestion) -> Iterator[str]:
        """Yield who may be asked, in order."""
        choice, method = self.run.settings.second_vendor, question.method.vendor_name
        if choice == "off" or self.name not in CHECKED:
            return
        for name in (*FREE.get(method, ()), *(WITH_KEY.get(method, ()) if choice == "all" else ())):
            try:
                able = self.run.vendors.may_be_second(name) and self.run.vendors.get(name).supports(question.method)
            except VendorNotConfigured:
                continue
            if able and name != self.name:
                yield name

    def _compared(self, answer: Any, second: Any, other: str) -> Compared:
        at = self.run.at
        if isinstance(answer, Prices) and isinstance(second, Prices):
            return compare_prices(answer, second, at.last_session(answer), live=at.serves_now)
        if not isinstance(answer, tuple) or not isinstance(second, tuple):
            return Compared(answer)
        known = tuple(at.known(answer))  # later rows are dropped afterwards, and must not be told of
        rows, told = compare_statements(known, at.known(second), other, at.cutoff.instant)
        kept = set(map(id, known))
        return Compared((*rows, *(row for row in answer if id(row) not in kept)), told)

    def _told(self, question: VendorQuestion, other: str, compared: Compared) -> Any:
        if not (compared.told or compared.unusable or compared.late):
            return compared.answer
        about = " of ".join(filter(None, (question.method.name, question.subject)))
        what = compared.unusable or compared.late or "; ".join(compared.told)
        sentence = (
            f"{self.name}'s answer to {about} does not agree with {other}'s: {what} ({reference('second-vendor')})."
        )
        if compared.unusable:
            raise AllVendorsFailed(f"{sentence} Neither is used; ask again later, or choose another vendor.")
        if compared.late:
            raise VendorDown(f"{sentence} Ask again later, or choose another vendor.")
        self.run.disagreements[lost_key(self.name, question)] = sentence
        return compared.answer
