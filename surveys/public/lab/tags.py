"""Blocks of the lab's templates: a figure beside its text, and a table of numbers."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_block_tag(takes_context=True)
def figure(context: template.Context, content: SafeString, name: str, anchor: str = "", beside: str = "text") -> str:
    """Return a section of a room: the figure beside the content. `beside` is "text", or "table" for a text with one."""
    shown = {"figure": context["figures"][name], "anchor": anchor or name, "beside": beside}
    return _rendered("public/lab/section.html", context, shown | {"content": content})


@register.simple_block_tag(takes_context=True)
def table(context: template.Context, content: SafeString, anchor: str, rows: Sequence[tuple[Any, ...]] = ()) -> str:
    """Return a table. The content has its caption, with the anchor as id, and its head. Each row's first cell is a
    heading."""
    return _rendered("public/lab/table.html", context, {"anchor": anchor, "rows": rows, "content": content})


def _rendered(name: str, context: template.Context, shown: dict[str, Any]) -> str:
    with context.push(**shown):
        return template.Engine.get_default().get_template(name).render(context)
