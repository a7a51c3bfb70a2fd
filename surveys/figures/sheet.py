"""An SVG drawing of lines and texts, in pixels, without matplotlib."""

import xml.etree.ElementTree as ElementTree

from surveys.figures.svg import FONTS, SVG, apart, clean
from surveys.figures.themes import Theme


class Sheet:
    def __init__(self, width: int, height: int, colours: Theme) -> None:
        self.width, self.height, self.colours = width, height, colours
        size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
        self._root = ElementTree.Element(f"{{{SVG}}}svg", {**size, "role": "img", "font-family": FONTS})
        self.add("rect", width=width, height=height, fill=colours.card)

    def title(self, text: str) -> None:
        self.add("title").text = clean(text)

    def text(self, text: str, x: float, y: float, anchor: str) -> None:
        style = {"text-anchor": anchor, "font-size": "12", "fill": self.colours.quiet}
        self.add("text", x=x, y=y, **style).text = apart(clean(text))

    def add(self, name: str, **attributes: object) -> ElementTree.Element:
        texts = {key: str(value) for key, value in attributes.items()}
        return ElementTree.SubElement(self._root, f"{{{SVG}}}{name}", texts)

    def svg(self) -> bytes:
        return bytes(ElementTree.tostring(self._root, encoding="utf-8", xml_declaration=True))
