"""Draws the SVG of `reports.charts` as vectors of a PDF.

Reads what our charts consist of: paths of straight lines and half circles, rectangles, texts, and the style sheet that
each chart brings, with its colors for print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lxml import etree, html

from tradingagents.reports.render.pdf_fonts import BASE, BOLD, face_of

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing, Group

CHARTS = ("price-chart", "value-bars")
"""Classes of the charts that are drawn."""
WIDEST_NARROW = 600
"""Charts of pages up to this width are copies for phones."""
_MEDIA = re.compile(r"@media\s*([^{]*)\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}")
_RULE = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]*+)\}")
_VARIABLE = re.compile(r"var\((--[a-z-]+)\)")
_STEP = re.compile(r"([MmLlHhVvAaZz])([^MmLlHhVvAaZz]*)")
_NUMBER = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)")
_ROUND = 0.5523
"""Length of the handles of a quarter circle."""
Style = Mapping[str, str]


def charts_of_page(page: str) -> list[str]:
    """Return the charts of a stored page as SVG, without the copies for phones."""
    tree = html.fromstring(page) if "<svg" in page else None
    found = [] if tree is None else tree.iter("svg")
    return [
        etree.tostring(drawing, encoding="unicode", with_tail=False)
        for drawing in found
        if drawing.get("class") in CHARTS and _size(drawing)[0] > WIDEST_NARROW
    ]


def drawing_of(svg: str, width: float, tallest: float) -> Drawing:
    """Return a chart as a drawing that is `width` wide and at most `tallest` high."""
    from reportlab.graphics.shapes import Drawing, Group

    root = etree.fromstring(svg, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False))
    wide, high = _size(root)
    scale = min(width / wide, tallest / high)
    inner = Group()
    _Painter(_styles(root), high).paint(root, inner)
    inner.scale(scale, scale)
    drawing = Drawing(wide * scale, high * scale)
    drawing.add(inner)
    return drawing


def _size(root: Any) -> tuple[float, float]:
    box = root.get("viewBox") or root.get("viewbox") or "0 0 0 0"
    _, _, wide, high = (float(part) for part in box.split())
    return wide, high


def _styles(root: Any) -> dict[str, dict[str, str]]:
    """Return the properties of each class, and of `text`, in the order of the style sheet."""
    sheet = "".join(one.text or "" for one in root.iter("{*}style"))
    variables: dict[str, str] = {}
    plain = _MEDIA.sub("", sheet)
    inks = [plain, *(body for medium, body in _MEDIA.findall(sheet) if "print" in medium)]
    for part in inks:
        for _, body in _RULE.findall(part):
            variables |= {name: value for name, value in _properties(body).items() if name.startswith("--")}
    found: dict[str, dict[str, str]] = {}
    for selectors, body in _RULE.findall(plain):
        values = {
            name: _VARIABLE.sub(lambda one: variables.get(one[1], "none"), value)
            for name, value in _properties(body).items()
        }
        for selector in selectors.split(","):
            _, _, name = selector.strip().partition(" ")
            if name and ":" not in name:
                found.setdefault(name.lstrip("."), {}).update(values)
    return found


def _properties(body: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in body.split(";") if ":" in part)
    return {name.strip(): value.strip() for name, _, value in pairs}


class _Painter:
    """Draws elements; the y axis of a PDF points up."""

    def __init__(self, styles: Mapping[str, Style], height: float) -> None:
        self._styles, self._height = styles, height

    def paint(self, element: Any, group: Group) -> None:
        """Draw what an element contains."""
        from reportlab.graphics.shapes import Group

        for child in element:
            name = etree.QName(child).localname if isinstance(child.tag, str) else ""
            if name == "svg":
                clipped = Group()
                clipped.add(self._clip(child))
                self.paint(child, clipped)
                group.add(clipped)
            elif name == "g":
                self.paint(child, group)
            elif name in ("path", "rect", "text") and child.get("class") != "hit":
                style = self._style(child, name)
                shape = {"path": self._path, "rect": self._rect, "text": self._text}[name](child, style)
                if shape is not None:
                    group.add(shape)

    def _style(self, one: Any, name: str) -> Style:
        classes = (one.get("class") or "").split()
        # By the order of the sheet, as a browser does.
        ordered = [key for key in self._styles if key == name or key in classes]
        return {key: value for rule in ordered for key, value in self._styles[rule].items()}

    def _clip(self, one: Any) -> Any:
        from reportlab.graphics.shapes import Path

        top, wide, high = (float(one.get(name) or 0) for name in ("y", "width", "height"))
        path = Path(isClipPath=1, fillColor=None, strokeColor=None)
        bottom = self._height - top - high
        path.moveTo(0, bottom)
        for x, y in ((wide, bottom), (wide, bottom + high), (0, bottom + high)):
            path.lineTo(x, y)
        path.closePath()
        return path

    def _path(self, one: Any, style: Style) -> Any:
        from reportlab.graphics.shapes import Path

        path = Path(**_look(style))
        x = y = begun_x = begun_y = 0.0
        for command, numbers in _STEP.findall(one.get("d") or ""):
            values = [float(part) for part in _NUMBER.findall(numbers)]
            own = command.islower()
            if command in "Zz":
                path.closePath()
                x, y = begun_x, begun_y
                continue
            for step in _steps(command.upper(), values):
                start = (x, y)
                dx, dy = (x, y) if own else (0.0, 0.0)
                if command in "Hh":
                    x = step[0] + dx
                elif command in "Vv":
                    y = step[0] + dy
                else:
                    x, y = step[-2] + dx, step[-1] + dy
                if command in "Mm":
                    path.moveTo(x, self._height - y)
                    begun_x, begun_y = x, y
                elif command in "Aa":
                    self._half_circle(path, start, (x, y), bool(step[4]))
                else:
                    path.lineTo(x, self._height - y)
        return path if path.operators else None

    def _half_circle(self, path: Any, start: tuple[float, float], end: tuple[float, float], clockwise: bool) -> None:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        out = (start[0] - middle[0], start[1] - middle[1])  # a radius
        turn = (-out[1], out[0]) if clockwise else (out[1], -out[0])
        for first, second in ((out, turn), (turn, (-out[0], -out[1]))):
            points = (
                (first[0] + _ROUND * second[0], first[1] + _ROUND * second[1]),
                (second[0] + _ROUND * first[0], second[1] + _ROUND * first[1]),
                second,
            )
            path.curveTo(
                *(part for px, py in points for part in (middle[0] + px, self._height - middle[1] - py)),
            )

    def _rect(self, one: Any, style: Style) -> Any:
        from reportlab.graphics.shapes import Rect

        x, y, wide, high = (float(one.get(name) or 0) for name in ("x", "y", "width", "height"))
        return Rect(x, self._height - y - high, wide, high, **_look(style))

    def _text(self, one: Any, style: Style) -> Any:
        from reportlab.graphics.shapes import String
        from reportlab.lib.colors import HexColor

        face, words = face_of("".join(one.itertext()), BOLD if style.get("font-weight") == "600" else BASE)
        return String(
            float(one.get("x") or 0),
            self._height - float(one.get("y") or 0),
            words,
            fontName=face,
            fontSize=float((style.get("font-size") or "11px").removesuffix("px")),
            fillColor=HexColor(style.get("fill") or "#000000"),
            textAnchor={"end": "end", "middle": "middle"}.get(style.get("text-anchor", ""), "start"),
        )


def _steps(command: str, values: list[float]) -> Iterator[list[float]]:
    size = {"H": 1, "V": 1, "A": 7}.get(command, 2)
    for at in range(0, len(values) - size + 1, size):
        yield values[at : at + size]


def _look(style: Style) -> dict[str, Any]:
    """Return the properties of a shape; SVG fills with black where nothing is said."""
    opacity = float(style.get("opacity", 1))
    fill, stroke = style.get("fill", "#000000"), style.get("stroke", "none")
    dashes = [float(part) for part in _NUMBER.findall(style.get("stroke-dasharray", ""))]
    return {
        "fillColor": _color(fill, opacity),
        "strokeColor": _color(stroke, opacity),
        "strokeWidth": float(style.get("stroke-width", 1)),
        "strokeDashArray": dashes or None,
        "strokeLineJoin": 1,
    }


def _color(value: str, opacity: float) -> Any:
    from reportlab.lib.colors import HexColor, toColor

    if value in ("none", "transparent"):
        return None
    color = HexColor(value) if value.startswith("#") else toColor(value)
    return color.clone(alpha=opacity) if opacity < 1 else color
