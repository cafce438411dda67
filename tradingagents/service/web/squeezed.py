"""Files of the page without what only their authors read: comments above functions, indentation, blanks between signs.

Nothing but whitespace, those comments and the last semicolons of styles is left out; strings, templates and regular
expressions stay as they are. A test compares the rest.
"""

from __future__ import annotations

import re

DESCRIPTIONS = re.compile(r"^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n", re.MULTILINE)
PIECES = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<template>`)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<slash>/)"""
    r"""|(?P<code>[^"'`/]+)""",
    re.DOTALL,
)
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
BEFORE_PATTERN = re.compile(r"(?:[(,=:\[!&|?{};~^<>+*%-]|\breturn|\btypeof|^)\s*$")
"""What stands before a slash that begins a regular expression; after anything else it divides."""
LOOKED_BACK = 40
BLANKS = re.compile(r" *([{}()\[\];,:?=<>&|%!]) *|(?<![+-]) ([+*-]) (?![+-])")
CONTINUED = re.compile(r"([{(\[,;:?=&|])\n|(?<=.)\n([})\]])|(\})\n(?=[A-Za-z_$])")
"""After and before these signs no statement ends, or has ended already, so that the end of the line says nothing.

The end of a line with a comment stays, for it begins a piece of code. A name after } begins a statement, or no browser
reads it.
"""
INDENTATION = re.compile(r"\s*\n\s*")
STYLE_BLANKS = re.compile(r"\s*([{};,])\s*|(:) +")


def squeezed_script(source: str) -> str:
    """Return a module without descriptions, indentation and blanks between signs."""
    return "".join(_script_parts(DESCRIPTIONS.sub("", source)))


def squeezed_style(source: str) -> str:
    """Return a style sheet without indentation and blanks between signs; strings hold no sign that has blanks."""
    return STYLE_BLANKS.sub(r"\1\2", INDENTATION.sub("\n", source)).replace(";}", "}")


def squeezed_page(source: str) -> str:
    """Return an HTML page without indentation."""
    return INDENTATION.sub("\n", source)


def _script_parts(source: str) -> list[str]:
    parts: list[str] = []
    at = 0
    while at < len(source):
        found = PIECES.match(source, at)
        if found is None:
            raise ValueError(f"a module cannot be read at character {at}: {source[at : at + 40]!r}")
        at = found.end()
        if found.lastgroup == "template":
            at = _template_end(source, at)
        elif found.lastgroup == "slash" and BEFORE_PATTERN.search(source[max(0, at - 1 - LOOKED_BACK) : at - 1]):
            pattern = PATTERN.match(source, at - 1)
            at = pattern.end() if pattern else at
        piece = source[found.start() : at]
        parts.append(_squeezed_code(piece) if found.lastgroup == "code" else piece)
    return parts


def _squeezed_code(code: str) -> str:
    return CONTINUED.sub(r"\1\2\3", BLANKS.sub(r"\1\2", INDENTATION.sub("\n", code)))


def _template_end(source: str, at: int) -> int:
    """Return where a template that began before `at` ends; templates within its values are part of it."""
    while source[at] != "`":
        if source[at] == "\\":
            at += 2
        elif source.startswith("${", at):
            at = _value_end(source, at + 2)
        else:
            at += 1
    return at + 1


def _value_end(source: str, at: int) -> int:
    """Return where a value within a template ends."""
    depth = 1
    while depth:
        sign = source[at]
        at += 1
        if sign == "`":
            at = _template_end(source, at)
        elif sign in "\"'":
            at = source.index(sign, at) + 1
        else:
            depth += {"{": 1, "}": -1}.get(sign, 0)
    return at
