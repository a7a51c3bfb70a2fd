"""Write a copy of the palette into the style sheets, which are static files: `make styles`. Two marks enclose the
block. It has the colours that the pages' sheets use, in the palette's order."""

import re
from pathlib import Path

from surveys.figures.palette import PALETTE, SCHEMES, colour

STATIC = Path(__file__).parents[1] / "static"
# The sheet with the block, and the folders of the sheets that use it. The respondents' page shares no file with other
# pages, since its bytes are pinned.
SHEETS = {"web/site.css": ("web", "designer", "researcher"), "respond/respond.css": ("respond",)}
BEGIN, END = "/* The palette, written by `make styles` */\n", "/* The palette ends */\n"
_USE = re.compile(r"var\(--([\w-]+)")


def uses(sheet: str) -> set[str]:
    """Return the names of all variables that a sheet's pages read."""
    files = [file for folder in SHEETS[sheet] for file in sorted((STATIC / folder).glob("*.css"))]
    return {name for file in files for name in _USE.findall(file.read_text(encoding="utf-8"))}


def block(sheet: str) -> str:
    used = uses(sheet)
    names = [name for name in PALETTE if name in used]
    light, dark = (_rule(names, scheme) for scheme in SCHEMES)
    return f"{light}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _rule(names: list[str], scheme: str) -> str:
    # Only the light rule names both schemes: print is light, whatever the system prefers.
    inset, first = ("", "  color-scheme: light dark;\n") if scheme == "light" else ("  ", "")
    values = "".join(f"{inset}  --{name}: {colour(name, scheme)};\n" for name in names)
    return f"{inset}:root {{\n{first}{values}{inset}}}\n"


def written(sheet: str) -> str:
    """Return the text of a sheet with the palette's block. Raise ValueError if a mark is missing."""
    text = (STATIC / sheet).read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{sheet} has no marks of the palette")
    return before + begin + block(sheet) + end + after


if __name__ == "__main__":
    for sheet in SHEETS:
        (STATIC / sheet).write_text(written(sheet), encoding="utf-8")
