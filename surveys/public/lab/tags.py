"""Blocks of the lab's templates: a figure beside its text, and a table of numbers."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_block_tag(takes_context=True)
def figure(context: template.Context, content: SafeString, name: str, anchor: str = "", beside: str = "text") -> str:
    """A section of a room: the figure with this name, and beside it the block's text, or what has a form of its own."""
    shown = {"figure": context["figures"][name], "anchor": anchor or name, "beside": beside}
    return _with("public/lab/section.html", context, shown | {"content": content})


@register.simple_block_tag(takes_context=True)
def table(context: template.Context, content: SafeString, anchor: str, rows: Sequence[tuple[Any, ...]] = ()) -> str:
    """A table under the caption and the head that are the block's content; a row's first cell is its head."""
    return _with("public/lab/table.html", context, {"anchor": anchor, "rows": rows, "content": content})


def _with(name: str, context: template.Context, shown: dict[str, Any]) -> str:
    with context.push(**shown):
        return context.template.engine.get_template(name).render(context)
