"""`@vendor_method`: the one declaration of a question that vendors answer. Everything about the question is read here.

From a declaration come the category that chooses the vendors, the fall-back rule, the lifetime in the cache, the JSON
of the answer, what an empty answer means, and the pages and contract tests that list every method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from datetime import timedelta
from functools import cached_property
from inspect import signature
from typing import Any, Concatenate, Generic, Literal, ParamSpec, TypeVar, get_type_hints, overload

from tradingagents.settings import Category

PointInTime = Literal["known_at", "sessions", "today", "undated"]
"""How an answer is cut at the cut-off.

* `known_at`: every row says when it became known; later rows are dropped.
* `sessions`: daily bars, cut after the last session that had closed.
* `today`: exists for the present day only; asked for on that day, or read from a recording of it.
* `undated`: facts that are not cut by row, such as who a company is.
"""
Empty = Literal["none", "no_data"]
"""What an empty answer says: that there were `none`, or `no_data`: the vendor raises `NoData` instead."""
Asked = Literal["first", "in_turn", "all"]
"""Which of several vendors is asked: the `first` that can be, each `in_turn` until one has an answer, or `all`."""

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
V = TypeVar("V")


class VendorMethod(Generic[P, R_co]):
    """A question that vendors answer, with the name it is asked under.

    It is declared as a method of a `Vendor` class. On the class it stands for the question, as in
    `ask(Vendor.get_news, symbol, start, end)`; on a vendor it is the method, which subclasses override as usual.
    """

    def __init__(
        self,
        function: Callable[Concatenate[Any, P], R_co],
        *,
        category: Category,
        name: str = "",
        lifetime: timedelta = timedelta(days=1),
        point_in_time: PointInTime = "known_at",
        empty: Empty = "none",
        fungible: bool = False,
        asked: Asked = "first",
        cached: bool = True,
        complete: bool = False,
        default_answer: bool = False,
        routes: Mapping[str, Route] | None = None,
        routed: bool = True,
        title: str = "",
    ) -> None:
        """Declare the question; see `vendor_method`."""
        self.function = function
        self.vendor_name = function.__name__
        """What the method is called on a vendor."""
        self.name = name or function.__name__
        """What the question is called in settings, in the data sheet and by tools."""
        self.category = category
        self.lifetime = lifetime
        self.point_in_time = point_in_time
        self.empty = empty
        self.fungible = fungible
        self.asked = asked
        self.cached = cached
        self.complete = complete
        self.default_answer = default_answer
        self._routes = dict(routes or {})
        self._routed = routed
        self._title = title
        self._named: dict[str, VendorMethod[P, R_co]] = {}

    @overload
    def __get__(self, instance: None, owner: type) -> VendorMethod[P, R_co]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Callable[P, R_co]: ...
    def __get__(self, instance: object | None, owner: type) -> Any:
        """Return the question on a class, and the method on a vendor."""
        return self if instance is None else self.function.__get__(instance, owner)

    @cached_property
    def answer_type(self) -> Any:
        """What the method returns."""
        return get_type_hints(self.function)["return"]

    @cached_property
    def is_about_symbol(self) -> bool:
        """Whether the question is about one symbol: its first argument."""
        return next(iter(list(signature(self.function).parameters)[1:]), "") == "symbol"

    @property
    def summary(self) -> str:
        """The first line of the declaration's docstring."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    @property
    def title(self) -> str:
        """What reports and pages call its answers."""
        return self._title or title_of(self.name)

    def named(self, name: str) -> VendorMethod[P, R_co]:
        """Return the same question under another of its names.

        Raises:
            KeyError: It is not asked under that name.
        """
        if name == self.name:
            return self
        if name not in self._named:
            route = self._routes[name]
            other = self._named[name] = copy(self)
            other.name, other.category, other.fungible, other.asked = name, route.category, route.fungible, route.asked
            other._routes, other._named, other._routed, other._title = {}, {}, True, route.title
        return self._named[name]

    def of(self, vendor: object) -> Callable[P, R_co] | None:
        """Return a vendor's own method; None where neither it nor a base class has one."""
        found: Callable[P, R_co] | None = getattr(vendor, self.vendor_name, None)
        return found

    @property
    def all_names(self) -> tuple[str, ...]:
        """Every name the question is asked under."""
        return (*((self.name,) if self._routed else ()), *self._routes)

    def __repr__(self) -> str:
        return f"VendorMethod({self.name!r})"


class Route:
    """A further name of a question, with the category and the rules that hold under it."""

    def __init__(self, category: Category, *, fungible: bool = False, asked: Asked = "first", title: str = "") -> None:
        """Name the category; the rest as in `vendor_method`."""
        self.category = category
        self.fungible = fungible
        self.asked = asked
        self.title = title


def vendor_method(
    category: Category,
    *,
    lifetime: timedelta = timedelta(days=1),
    point_in_time: PointInTime = "known_at",
    empty: Empty = "none",
    fungible: bool = False,
    asked: Asked = "first",
    cached: bool = True,
    complete: bool = False,
    default_answer: bool = False,
    routes: Mapping[str, Route] | None = None,
    routed: bool = True,
    title: str = "",
) -> Callable[[Callable[Concatenate[V, P], R_co]], VendorMethod[P, R_co]]:
    """Declare a method of a vendor class as a question that any vendor may answer.

    Args:
        category: The category of settings that chooses its vendors.
        lifetime: How long a cached answer about today stays good.
        point_in_time: How an answer is cut at the cut-off.
        empty: What an empty answer says.
        fungible: Whether the next vendor may answer where one fails, because answers mean the same from any vendor.
        asked: Which of several vendors is asked; other than `first` by a method of `MarketData` of its own.
        cached: Whether answers of remote vendors are kept on disk.
        complete: Whether a local vendor gives all it has whatever the day, so that runs can share its answer.
        default_answer: Whether the declaration itself is an answer for vendors that have none of their own.
        routes: Further names the question is asked under.
        routed: Whether it is asked under its own name too.
        title: What reports and pages call its answers; "" takes the words of its name.
    """

    def declare(function: Callable[Concatenate[V, P], R_co]) -> VendorMethod[P, R_co]:
        return VendorMethod(
            function,
            category=category,
            lifetime=lifetime,
            point_in_time=point_in_time,
            empty=empty,
            fungible=fungible,
            asked=asked,
            cached=cached,
            complete=complete,
            default_answer=default_answer,
            routes=routes,
            routed=routed,
            title=title,
        )

    return declare


def title_of(name: str) -> str:
    """Return the words of a method's or tool's name: `get_market_movers` is "Market movers"."""
    return name.removeprefix("get_").replace("_", " ").capitalize()


def methods_of(kind: type) -> dict[str, VendorMethod[..., Any]]:
    """Return every question that a vendor class and its bases declare, by each name it is asked under."""
    declared = [value for base in reversed(kind.__mro__) for value in vars(base).values()]
    return {
        name: method.named(name) for method in declared if isinstance(method, VendorMethod) for name in method.all_names
    }
