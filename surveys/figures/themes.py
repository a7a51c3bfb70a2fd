"""The colours of plots, as in static/site/site.css, so that a plot lies on the page's own card."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    card: str  # what the plot lies on
    ink: str
    quiet: str
    grid: str
    zero: str
    accent: str
    band: str  # the interval of one category alone, behind the accent
    bar: str  # a bar, behind the band
    aside: tuple[str, str, str]  # the last three for "Prefer not to say"


THEMES = {
    "light": Theme(
        "#fffdfa", "#1d2423", "#55605d", "#ebe8e0", "#8b9591", "#0f5c56", "#86bab2", "#d6e8e4",
        ("#5f6a66", "#b5bbb6", "#e9e8e2"),
    ),
    "dark": Theme(
        "#182020", "#e7ebe8", "#a6b1ad", "#2c3635", "#74817d", "#86d3c7", "#3c7a72", "#24433f",
        ("#adb8b3", "#5c6864", "#2e3836"),
    ),
}  # fmt: skip
