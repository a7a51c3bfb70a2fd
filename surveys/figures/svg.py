"""Turn matplotlib's SVG into the site's. Text stays text, so that the reader's fonts show every script. Styles become
attributes, so that the picture needs no exception from a Content-Security-Policy."""

import re
import unicodedata
import xml.etree.ElementTree as ElementTree

FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
FIRST_STRONG, POP = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Return `text` without the characters that XML cannot contain."""
    return NOT_XML.sub(" ", text)


def apart(text: str) -> str:
    """Return `text` in its own direction. SVG runs from left to right, which would misplace Arabic punctuation."""
    written = any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
    return f"{FIRST_STRONG}{text}{POP}" if written else text


def plain(svg: bytes, width: int, height: int, title: str) -> bytes:
    """Return the picture in pixels, with a title, without inline styles or metadata."""
    root = ElementTree.fromstring(svg)
    root.attrib.update(width=str(width), height=str(height), role="img")
    root.attrib.update({"stroke-linejoin": "round", "stroke-linecap": "butt"})
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    for element in root.iter():
        if element.tag == f"{{{SVG}}}text":
            element.text = apart(element.text or "")
        for declaration in element.attrib.pop("style", "").split(";"):
            name, colon, value = (part.strip() for part in declaration.partition(":"))
            if colon:
                element.set(name, FONTS if name == "font-family" else value)
    head = ElementTree.Element(f"{{{SVG}}}title")
    head.text = clean(title)
    root.insert(0, head)
    _name_plainly(root)
    svg_bytes: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return svg_bytes


def _name_plainly(root: ElementTree.Element) -> None:
    """Remove prefixes from SVG's names. ElementTree's prefixes are global, and other packages set them."""
    linked = False
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")
        linked |= any(name.startswith(f"{{{XLINK}}}") for name in element.attrib)
        element.attrib = {name.replace(f"{{{XLINK}}}", "xlink:"): value for name, value in element.attrib.items()}
    root.attrib = {"xmlns": SVG} | ({"xmlns:xlink": XLINK} if linked else {}) | root.attrib
