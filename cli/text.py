"""Makes text from models and vendors safe for a terminal: removes cursor movements, colors and line breaks."""

from __future__ import annotations

import re

from tradingagents.files.plain_text import bounded, clean, one_line

from .options import FLAG_OF

__all__ = ["bounded", "clean", "one_line", "opening_words", "plain", "with_flags"]

MOST_LETTERS = 240
"""Letters of a text's opening words."""
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_BLOCK_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>+|[-*+]|\d+\.)[ \t]+", re.MULTILINE)


def plain(text: str) -> str:
    """Return the text clean and without Markdown's emphasis."""
    return _EMPHASIS.sub(r"\2", clean(text)).strip()


def opening_words(text: str) -> str:
    """Return the beginning of a Markdown text as one plain line."""
    return one_line(_BLOCK_MARKS.sub("", plain(text[: 2 * MOST_LETTERS])).replace("**", ""))[:MOST_LETTERS]


FLAGS = {name: flag for name, flag in FLAG_OF.items() if "_" in name}
"""The flag of each setting whose name isn't an English word."""
_SETTING = re.compile(rf"(?<![\w'\"/\\.-])({'|'.join(FLAGS)})(?![\w'\"/\\-]|\.\w)(?:='([^']*)')?")
_AS_FLAGS = {
    "llm_provider='offline'": "--offline",
    "replay='on'": "--replay",
    "force=True": "--force",
    "debug=True": "--debug",
    "structured_output=": "TRADINGAGENTS_STRUCTURED_OUTPUT=",
    "raise max_output_tokens": "raise TRADINGAGENTS_MAX_OUTPUT_TOKENS",
    "the setting home or TRADINGAGENTS_HOME": "--home or TRADINGAGENTS_HOME",
}
_ARGUMENTS = {
    "basis": "--basis",
    "conviction": "--conviction",
    "folder": "--out",
    "symbol": "--symbol",
    "target": "--to",
}
"""The flag of each function argument that errors mention."""
_ARGUMENT = re.compile(rf"\bwith ({'|'.join(_ARGUMENTS)})='([^']*)'")
_COLUMN = re.compile(r"\bnamed=\{'(\w+)': '(\w+)'\}")


def with_flags(text: str) -> str:
    """Return a library message with this command line's flags, or variables, in place of settings or arguments."""
    for named, flag in _AS_FLAGS.items():
        text = text.replace(named, flag)
    text = _COLUMN.sub(r"--map \1=\2", text)
    text = _ARGUMENT.sub(lambda found: f"with {_ARGUMENTS[found[1]]} {found[2]}", text)
    return _SETTING.sub(lambda found: f"{FLAGS[found[1]]} {found[2]}" if found[2] else FLAGS[found[1]], text)
