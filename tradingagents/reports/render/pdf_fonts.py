"""Fonts of PDF reports: a base face for Latin text, and other faces for letters that it lacks.

The base faces belong to every PDF reader. Letters outside Windows-1252 (Greek, Cyrillic, currency signs, arrows …) are
set in DejaVu Sans, which comes with matplotlib and is embedded; Chinese, Japanese and Korean in the faces that PDF
readers bring for them. A letter that no face has is shown as U+FFFD. Right-to-left scripts are not reordered.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from tradingagents.errors import ConfigurationError
from tradingagents.files.plain_text import clean

BASE, BOLD, MONO = "Helvetica", "Helvetica-Bold", "Courier"
WIDE, WIDE_BOLD, WIDE_ITALIC = "TradingAgentsSans", "TradingAgentsSans-Bold", "TradingAgentsSans-Italic"
CHINESE, JAPANESE, KOREAN = "STSong-Light", "HeiseiKakuGo-W5", "HYGothic-Medium"
UNKNOWN = "\ufffd"
MISSING = "Writing PDF needs reportlab and matplotlib's fonts; install the extra: pip install 'tradingagents[pdf]'."
_FILES = {WIDE: "DejaVuSans.ttf", WIDE_BOLD: "DejaVuSans-Bold.ttf", WIDE_ITALIC: "DejaVuSans-Oblique.ttf"}
_KANA = ((0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9D))
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))
_IDEOGRAPHS = ((0x2E80, 0x303F), (0x3100, 0x312F), (0x3200, 0x9FFF), (0xF900, 0xFAFF), (0xFF00, 0xFF65))
_LOCK = threading.Lock()


class PdfMissing(ConfigurationError):
    """The extra `pdf` is not installed."""


def open_fonts() -> None:
    """Register the faces with reportlab, which keeps them for the process; later calls do nothing.

    Raises:
        PdfMissing: The extra is not installed.
    """
    with _LOCK:
        _registered()


def marked_up(text: str, *, base: str = BASE) -> str:
    """Return a text escaped for a paragraph, with each run of letters that `base` lacks in a face that has them."""
    bold = {WIDE: WIDE_BOLD} if base == BOLD else {}
    return "".join(
        escape(run) if face == base else f'<font name="{bold.get(face, face)}">{escape(run)}</font>'
        for face, run in runs(text, base)
    )


def runs(text: str, base: str = BASE) -> Iterator[tuple[str, str]]:
    """Yield the runs of a text that one face can set, each with its face."""
    text = clean(text)
    if _is_latin(text):
        if text:
            yield base, text
        return
    ideographs = JAPANESE if any(_within(letter, _KANA) for letter in text) else CHINESE
    pairs = [_set_in(letter, base, ideographs) for letter in text]
    for face, run in groupby(pairs, key=lambda pair: pair[0]):
        yield face, "".join(letter for _, letter in run)


def face_of(text: str, base: str = BASE) -> tuple[str, str]:
    """Return one face for a whole text, and the text with letters that the face lacks replaced."""
    found = list(runs(text, base))
    if len(found) <= 1:
        return found[0] if found else (base, "")
    faces = {face for face, _ in found} - {base, WIDE}
    face = faces.pop() if len(faces) == 1 else WIDE
    known = _known_letters()
    return face, text if face != WIDE else "".join(one if ord(one) in known else UNKNOWN for one in text)


def _set_in(letter: str, base: str, ideographs: str) -> tuple[str, str]:
    if _is_latin(letter):
        return base, letter
    if _within(letter, _KANA):
        return JAPANESE, letter
    if _within(letter, _HANGUL):
        return KOREAN, letter
    if ord(letter) in _known_letters():
        return WIDE, letter
    if _within(letter, _IDEOGRAPHS):
        return ideographs, letter
    return WIDE, UNKNOWN


def _within(letter: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(letter) <= last for first, last in ranges)


def _is_latin(text: str) -> bool:
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


@lru_cache(maxsize=1)
def _known_letters() -> frozenset[int]:
    from reportlab.pdfbase import pdfmetrics

    open_fonts()
    # Beyond 16 bits reportlab writes letters that cannot be copied from the file.
    return frozenset(one for one in pdfmetrics.getFont(WIDE).face.charToGlyph if one <= 0xFFFF)


@lru_cache(maxsize=1)
def _registered() -> bool:
    found = find_spec("matplotlib")
    try:
        from reportlab.pdfbase import cidfonts, pdfmetrics, ttfonts
    except ImportError as error:
        raise PdfMissing(MISSING) from error
    if found is None or found.origin is None:
        raise PdfMissing(MISSING)
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    for name, file in _FILES.items():
        pdfmetrics.registerFont(ttfonts.TTFont(name, folder / file))
    pdfmetrics.registerFontFamily(WIDE, WIDE, WIDE_BOLD, WIDE_ITALIC, WIDE_BOLD)
    for name in (CHINESE, JAPANESE, KOREAN):
        pdfmetrics.registerFont(cidfonts.UnicodeCIDFont(name))
        pdfmetrics.registerFontFamily(name, name, name, name, name)
    return True
