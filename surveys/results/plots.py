"""One question's estimates as a picture: SVG bytes that depend on nothing but the arguments.

It loads matplotlib, which takes half a second, so only a request for a plot should import this module.
"""

from typing import Any

from surveys import kinds
from surveys.figures import numerals
from surveys.figures.drawing import Canvas
from surveys.figures.picture import picture
from surveys.figures.themes import THEMES


def draw(result: dict[str, Any], confidence: float, theme: str, width: str) -> bytes:
    """The plot of a question of an estimate's document: its first method, population target.

    theme is one of THEMES, width one of WIDTHS. Each category shows its estimate, the interval that holds
    together with those of all other categories, and behind it the shorter one that holds for it alone. A mean has one
    interval.
    """
    kind, colours, level = kinds.of(result), THEMES[theme], numerals.percent(confidence)
    plan, scale = kind.layout(result, width), kind.scale(result)
    return picture(
        plan.width,
        plan.height,
        colours.card,
        result["text"],
        lambda figure: kind.draw(Canvas(figure, plan, colours, width, level, scale), result),
    )
