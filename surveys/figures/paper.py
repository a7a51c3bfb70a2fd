"""A4 sheets as PDF: the same bytes for the same texts, in the site's own fonts. The import loads fpdf and matplotlib
and takes a second."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import matplotlib
from django.utils.translation import get_language
from fpdf import FPDF
from fpdf.fonts import TTFFont

from surveys.figures.svg import clean

SANS, MONO = "DejaVu Sans", "DejaVu Sans Mono"
FILES = {SANS: {"": "DejaVuSans", "B": "DejaVuSans-Bold"}, MONO: {"": "DejaVuSansMono"}}
NO_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # a fixed date that reveals nothing


class PaperSheet(FPDF):
    """A sheet in the active language, with the fonts of FILES."""

    def __init__(self, title: str, day: datetime = NO_DAY, families: Sequence[str] = (SANS,)) -> None:
        super().__init__(format="A4")
        for family in families:
            for style, file in FILES[family].items():
                self.add_font(family, style, Path(matplotlib.get_data_path(), "fonts", "ttf", f"{file}.ttf"))
        self.set_text_shaping(True)
        self.set_creation_date(day)
        self.set_title(clean(title))
        self.set_lang(get_language() or "en")

    def take_fonts_for(self, texts: Iterable[str]) -> None:
        """Add fonts of this machine for letters that the site's fonts lack, as in pictures."""
        self.set_font(SANS)
        assert isinstance(self.current_font, TTFFont)
        if {ord(letter) for letter in clean("".join(texts))} <= self.current_font.cmap.keys():
            return
        from matplotlib.font_manager import findfont

        from surveys.figures.picture import other_fonts

        for family in other_fonts():
            self.add_font(family, "", findfont(family))
        self.set_fallback_fonts(other_fonts(), exact_match=False)
