"""Secrets out of text: values that are known to be secret, and what looks like a key.

Two kinds of text are treated differently. What this library writes about itself (logs, errors, records of settings)
goes through `Redactor`, which knows values and shapes. What outsiders wrote (replies of models, rows of vendors) loses
known values only (`KnownSecrets`), since an article may speak of tokens and keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Any
from urllib.parse import SplitResult, quote, quote_plus, unquote, urlsplit, urlunsplit

from tradingagents.files.environment import readable_environment

HIDDEN = "***"
SHORTEST = 6
"""Characters of the shortest value of a variable that is replaced wherever it stands. A shorter one would be found in
words that are no secret; as the value of something named like a secret it is replaced all the same."""
SHORTEST_WORD, SHORTEST_NUMBER = 8, 12
"""The same for what outsiders wrote, where a value of letters or of digits only may be a word or a figure."""
SHORT_TEXT, SHORT_TEXTS = 40, 20_000
"""Characters of a text whose redacted form is kept, and how many are kept."""
DEEPEST = 8
"""How deep containers are looked into; what lies deeper is written as text."""
_NAME = r"[\w-]*(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|token|secret|passw(?:or)?d|credentials?)"
NAMED_SECRET = re.compile(rf"{_NAME}|key|(?:proxy-)?authorization|(?:set-)?cookie", re.IGNORECASE)
"""Names of headers, parameters and fields whose values are secret."""
_VARIABLE = re.compile(r".*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|WEBHOOK)", re.IGNORECASE)
"""Names of variables that hold one."""
_VALUE = r"(?:b?\"[^\"\n]*\"|b?'[^'\n]*'|[^\s\"',;&)\]}]+)"
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    # user and password of a URL; the user alone may be a token
    (re.compile(r"([a-z][a-z0-9+.\-]{0,30}://)[^\s/?#\"'<>]+@", re.IGNORECASE), rf"\1{HIDDEN}@"),
    # a header: `Authorization: Bearer x`, `('authorization', 'Basic x')`, `{b'Authorization': b'x'}`
    (
        re.compile(
            rf"((?:authorization|cookie)\b[\"']?\s*[:=,]\s*)(?:(?:bearer|basic|token|digest)\s+)?{_VALUE}",
            re.IGNORECASE,
        ),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"\b(bearer\s+)(?=\S*[\d._~+/=\-])[\w.~+/=\-]{6,}", re.IGNORECASE), rf"\1{HIDDEN}"),
    # `token=x`, `&apikey=x`, `"api_key": "x"`, `('x-api-key', 'x')`
    (
        re.compile(rf"(?<![\w-])({_NAME}[\"']?\s*(?:[=:]|,(?=\s*b?[\"']))\s*){_VALUE}", re.IGNORECASE),
        rf"\1{HIDDEN}",
    ),
    (re.compile(rf"([?&]key=){_VALUE}", re.IGNORECASE), rf"\1{HIDDEN}"),
    # keys that tell by their beginning whose they are: OpenAI and Anthropic, LangSmith, Tavily, GitHub, Google, AWS …
    (re.compile(r"(?<![A-Za-z0-9])(?:sk|pk|lsv2|tvly|gsk|xai|hf|gh[pousr]|github_pat)[-_][A-Za-z0-9_\-]{8,}"), HIDDEN),
    (re.compile(r"(?<![A-Za-z0-9])(?:AIza[\w\-]{30,}|AKIA[A-Z0-9]{16})"), HIDDEN),
)


_LONGEST_WORD = 20
"""Letters of a run that is no word, so that it is a key where the text around it says that one follows."""
_KEY_RUN = re.compile(r"(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{10,}")
"""A run of letters and digits too long for a word, a version or a date."""
_KEY_BEGINNING = re.compile(
    r"(?<![a-z0-9])(?:sk|pk|lsv2|tvly|gsk|xai|hf|gh[pousr]|github_pat)[-_](?=\D*\d)[a-z0-9_\-]{8,}", re.IGNORECASE
)
_WHOLE_KEY = re.compile(
    r"(?:sk|pk|lsv2|tvly|gsk|xai|gh[pousr]|github_pat)[-_](?=[^0-9]*[0-9])[A-Za-z0-9_\-]{12,}"
    r"|hf_[A-Za-z0-9]{30,}|AIza[\w\-]{30,}|AKIA[A-Z0-9]{16}"
)
"""A key and nothing else. Names of models may begin with `hf_`, so of those only long ones are keys."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]{0,60}://[^\s\"'<>;]+")


class Redactor:
    """Replaces secrets in text, and in whatever holds text."""

    def __init__(self, environ: Mapping[str, str] | None = None, secrets: Iterable[str] = ()) -> None:
        """Note the secrets there are now.

        Args:
            environ: Variables; those named like a secret hold one, and URLs may. None: `.env` and the process
                environment.
            secrets: Further ones, such as those of URLs in settings.
        """
        self._secrets = {*secrets_in_environment(readable_environment() if environ is None else environ), *secrets}
        self._known = _any_of(value for value in self._secrets if len(value) >= SHORTEST)
        self._short: dict[str, str] = {}
        """Short texts, such as names of fields, with what `outside_text` makes of them: files hold them thousands of
        times."""

    def learn(self, secrets: Iterable[str]) -> None:
        """Hide further secrets from now on."""
        if not self._secrets.issuperset(new := set(secrets)):
            self._secrets |= new
            self._known = _any_of(value for value in self._secrets if len(value) >= SHORTEST)
            self._short = {}

    def text(self, text: str) -> str:
        """Return text without secrets."""
        text = self.known_text(text)
        for shape, hidden in _SHAPES:
            text = shape.sub(hidden, text)
        return text

    def known_text(self, text: str) -> str:
        """Return text without the values that are known to be secret."""
        return text if self._known is None else self._known.sub(HIDDEN, text)

    def outside_text(self, text: str) -> str:
        """Return text that people, models or vendors wrote without known secrets and what looks like a key.

        A value named `token` or `secret` stays unless it looks like a key: an article may speak of tokens.
        """
        short, memo = len(text) <= SHORT_TEXT, self._short
        if short and (found := memo.get(text)) is not None:
            return found
        shown = self.known_text(text)
        for shape, hidden in _SHAPES:
            shown = shape.sub(partial(_hidden_key, hidden), shown)
        if short and len(memo) < SHORT_TEXTS:
            memo[text] = shown
        return shown

    def masked_text(self, text: str) -> str:
        """Return `outside_text` with as many stars as each secret has characters: places in the text stay right."""
        if self.outside_text(text) == text:
            return text
        for shape, hidden in ((self._known, HIDDEN), *_SHAPES):
            text = shape.sub(partial(_masked, hidden, known=shape is self._known), text) if shape else text
        return text

    def value(self, value: Any, depth: int = 0) -> Any:
        """Return a value without secrets: containers as they are, other objects as they are or as redacted text."""
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, str):
            return self.text(value)
        if depth < DEEPEST:
            if isinstance(value, Mapping):
                return {self.value(name, depth + 1): self._named(name, one, depth + 1) for name, one in value.items()}
            if type(value) in (list, tuple, set, frozenset):
                return type(value)(self.value(one, depth + 1) for one in value)
        shown = _shown(value)
        if shown is None:
            return f"<{type(value).__name__}>"
        return value if all(self.text(way) == way for way in shown) else self.text(shown[0])

    def _named(self, name: object, value: Any, depth: int) -> Any:
        if isinstance(name, (str, bytes)) and isinstance(value, (str, bytes)) and is_secret_name(name):
            return HIDDEN
        return self.value(value, depth)


class KnownSecrets:
    """Replaces the secrets of a process in what outsiders wrote: replies of models, rows of vendors.

    Only values that are known to be secret are replaced, and no short words or figures: an article that speaks of
    tokens stays as it is.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Note the secrets; those too short to tell from words and figures are left out."""
        told = {value for value in secrets if _is_distinctive(value)}
        self._known = _any_of(told)
        self._longest = max((len(way) for value in told for way in _spellings(value)), default=0)

    def text(self, text: str) -> str:
        """Return text without the secrets."""
        return text if self._known is None else self._known.sub(HIDDEN, text)

    def value(self, value: Any) -> Any:
        """Return containers and frozen dataclasses with their texts redacted; itself where there is nothing to hide."""
        if self._known is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if type(value) is dict:
            return _same_or(value, {self.value(name): self.value(one) for name, one in value.items()})
        if type(value) in (list, tuple, set, frozenset):
            return _same_or(value, type(value)(self.value(one) for one in value))
        if is_dataclass(value) and not isinstance(value, type):
            held = {one.name: getattr(value, one.name) for one in fields(value) if one.init}
            plain = {name: one for name, one in held.items() if isinstance(one, (str, tuple, list, dict))}
            changed = {name: new for name, one in plain.items() if (new := self.value(one)) is not one and new != one}
            return replace(value, **changed) if changed else value
        return value

    def stream(self, emit: Callable[[str], None]) -> SecretFreeStream:
        """Return a sink for pieces of text that passes them on without the secrets, also where one is split."""
        return SecretFreeStream(self, emit, self._longest)


class SecretFreeStream:
    """Passes pieces of text on; as much as may be the beginning of a secret is held back until more is there."""

    def __init__(self, secrets: KnownSecrets, emit: Callable[[str], None], longest: int) -> None:
        """Take where the text goes, and the length of the longest secret."""
        self._secrets, self._emit, self._held_back = secrets, emit, max(longest - 1, 0)
        self._rest = ""

    def add(self, piece: str) -> None:
        """Take the next piece."""
        self._rest = self._secrets.text(self._rest + piece)
        if ready := self._rest[: max(len(self._rest) - self._held_back, 0)]:
            self._rest = self._rest[len(ready) :]
            self._emit(ready)

    def end(self) -> None:
        """Pass on what was held back."""
        if self._rest:
            self._emit(self._rest)
            self._rest = ""


def is_secret_name(name: str | bytes) -> bool:
    """Tell whether a field, header or parameter of that name holds a secret."""
    return bool(NAMED_SECRET.fullmatch(name if isinstance(name, str) else name.decode("latin-1")))


def looks_like_key(text: str) -> bool:
    """Tell whether a text as a whole looks like a key: by its beginning, or as a long run of letters and digits."""
    return begins_like_key(text) or any(_KEY_RUN.fullmatch(part) for part in re.split(r"[^A-Za-z0-9]+", text))


def is_key(text: str) -> bool:
    """Tell whether a text is a key of a well-known service and nothing else."""
    return _WHOLE_KEY.fullmatch(text.strip()) is not None


def begins_like_key(text: str) -> bool:
    """Tell whether a part of a text begins as the keys of well-known services do."""
    return _KEY_BEGINNING.search(text) is not None


def shown_value(value: object, redactor: Redactor, most: int = 80) -> str:
    """Return a value that a user gave, for an error that quotes it: cut, and nothing of it where it may be a key."""
    text = redactor.text(repr(str(value) if isinstance(value, PurePath) else value))
    if "://" in text:
        text = _URL.sub(lambda found: redacted_url(found[0]), text)
    elif any(looks_like_key(word) for word in text.split()):
        return HIDDEN
    return text if len(text) <= most else f"{text[: most - 1]}…"


def without_key_like_words(text: str) -> str:
    """Return a message with each word that looks like a key hidden: for messages that repeat what a user typed."""
    return re.sub(
        r"[^\s'\"(),;]+?(?=[.:]?(?:[\s'\"(),;]|$))",
        lambda found: HIDDEN if looks_like_key(found[0]) else found[0],
        text,
    )


def secrets_in_environment(environ: Mapping[str, str]) -> set[str]:
    """Return the secrets that variables hold: values of those named like one, and what URLs hold."""
    named = {value.strip() for name, value in environ.items() if _VARIABLE.fullmatch(name)}
    addresses = (value for name, value in environ.items() if "://" in value and name.isupper())
    return named.union(*(secrets_in_url(found) for value in addresses for found in _URL.findall(value))) - {""}


def secrets_in_urls(value: object) -> set[str]:
    """Return the secrets in the URLs that a value holds: a text, or containers of texts."""
    if isinstance(value, str):
        return set().union(*map(secrets_in_url, _URL.findall(value))) if "://" in value else set()
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return set().union(*map(secrets_in_urls, parts))


def secrets_in_url(url: str) -> set[str]:
    """Return the password and the tokens in a URL, as written and decoded; a user without a password is one."""
    found = {secret for secret in _secrets_of(url) if secret}
    return found | {unquote(secret) for secret in found}


def redacted_url(url: str) -> str:
    """Return a URL without user and password, its tokens in path and query hidden; any other text as it is."""
    parts = _split(url)
    if parts is None:
        head, mark, rest = url.partition("://")
        return f"{head}{mark}{HIDDEN}" if mark and ("@" in rest or "?" in rest) else url
    if not parts.scheme or not parts.netloc:
        return url
    path = "/".join(HIDDEN if hidden else part for part, hidden in _path_parts(parts.path))
    query = "&".join(
        f"{name}={HIDDEN}" if _is_secret_parameter(name, value) else pair
        for pair, name, value in _parameters(parts.query)
    )
    fragment = HIDDEN if looks_like_key(parts.fragment) else parts.fragment
    shown = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], path, query, fragment))
    # What had a user and no host (a database behind a socket) would lose the slashes that make it an address.
    return shown if "://" in shown else shown.replace(":", "://", 1)


def _secrets_of(url: str) -> Iterator[str]:
    parts = _split(url)
    if parts is None:
        return
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    if password or parts.scheme.startswith("http") or looks_like_key(user):  # postgres://postgres@host has none
        yield password or user
    yield from (value for _, name, value in _parameters(parts.query) if _is_secret_parameter(name, value))
    yield from (part for part, hidden in _path_parts(parts.path) if hidden)
    if looks_like_key(parts.fragment):
        yield parts.fragment


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _parameters(query: str) -> Iterator[tuple[str, str, str]]:
    """Yield each pair of a query as written, its name, and its value as written."""
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        yield pair, unquote(name), value


def _is_secret_parameter(name: str, value: str) -> bool:
    return bool(value) and (is_secret_name(name) or looks_like_key(value))


def _path_parts(path: str) -> Iterator[tuple[str, bool]]:
    """Yield the segments of a path, and whether each is a token: by its look, or by the name before it."""
    before = ""
    for part in path.split("/"):
        yield part, bool(part) and (looks_like_key(part) or is_secret_name(before))
        before = part


def _hidden_key(hidden: str, found: re.Match[str]) -> str:
    """Return what replaces a shape where it holds a key or the user of a URL; elsewhere what was found."""
    long = any(len(part) >= _LONGEST_WORD for part in re.split(r"[^A-Za-z0-9]+", found[0]))
    return found.expand(hidden) if long or "://" in found[0] or looks_like_key(found[0]) else found[0]


def _masked(hidden: str, found: re.Match[str], *, known: bool) -> str:
    """Return what replaces a secret, as long as what was found."""
    head, mark, tail = (HIDDEN if known else _hidden_key(hidden, found)).rpartition(HIDDEN)
    return head + "*" * (len(found[0]) - len(head) - len(tail)) + tail if mark else found[0]


def _is_distinctive(value: str) -> bool:
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    least = SHORTEST if letters and digits else SHORTEST_WORD if letters else SHORTEST_NUMBER
    return len(value) >= least


def _same_or(value: Any, changed: Any) -> Any:
    return value if changed == value else changed


def _any_of(values: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds any of the values however it is spelled; None where there are none."""
    # The longest first: a secret may be the beginning of another.
    ordered = sorted({way for value in values for way in _spellings(value)}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))) if ordered else None


def _spellings(value: str) -> set[str]:
    """Return the ways in which a value is written: as it is, in a URL, as a literal of Python, in JSON."""
    literals = {repr(value)[1:-1], json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    return {value, quote(value, safe=""), quote_plus(value), *literals, repr(value.encode())[2:-1]}


def _shown(value: object) -> tuple[str, str] | None:
    """Return an object as text, in the two ways a formatter may; None where it cannot be shown."""
    try:
        return str(value), repr(value)
    except Exception:  # noqa: BLE001 - such an object must not break logging
        return None
