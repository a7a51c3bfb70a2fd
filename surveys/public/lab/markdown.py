"""Turn the Markdown of docs/mathematics.md into HTML: headings, paragraphs, indented formulas, emphasis, code. The text
is the project's; it is escaped all the same."""

import re
from html import escape
from typing import NamedTuple

from django.utils.text import slugify

_INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w^])\*([^*\s][^*]*?)\*|\[([^\]]+)\]\([^)]*\)")

_NUMBERED = re.compile(r"\*\*(M\d+b?)\. ")


class Heading(NamedTuple):
    level: int
    text: str
    anchor: str


def anchor(heading: str) -> str:
    """Return the fragment of a link to a heading."""
    return slugify(heading)


def html(source: str) -> tuple[str, list[Heading]]:
    """Return the page's HTML and its headings. The text below a heading of the second level is collapsed."""
    parts, headings, fold = [], [], ""
    for block in re.split(r"\n\s*\n", source.strip()):
        if block.startswith("#"):
            marks, _, text = block.partition(" ")
            heading = Heading(len(marks), text, anchor(text))
            headings.append(heading)
            line = f'<h{len(marks)} id="{heading.anchor}">{inline(text)}</h{len(marks)}>'
            if heading.level == 2:
                line = f'{fold}<details class="fold" id="{heading.anchor}-fold"><summary>{line}</summary>'
                fold = "</details>\n"
            parts.append(line)
        elif block.startswith("    "):
            lines = "\n".join(line[4:] for line in block.split("\n"))
            parts.append(f'<pre tabindex="0"><code>{escape(lines)}</code></pre>')
        else:
            numbered = _NUMBERED.match(block)
            name = f' id="{numbered[1].lower()}"' if numbered else ""
            parts.append(f"<p{name}>{inline(' '.join(block.split()))}</p>")
    return "\n".join([*parts, fold]), headings


def inline(text: str) -> str:
    """Return a line's HTML. Text between marks is emphasized or code; a link within the repository becomes its text."""
    parts, end = [], 0
    for match in _INLINE.finditer(text):
        parts.append(escape(text[end : match.start()]))
        code, strong, stressed, link = match.groups()
        parts.append(_marked(code, strong, stressed, link))
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def _marked(code: str | None, strong: str | None, stressed: str | None, link: str | None) -> str:
    if code is not None:
        return f"<code>{escape(code)}</code>"
    if strong is not None:
        return f"<strong>{escape(strong)}</strong>"
    if stressed is not None:
        return f"<em>{escape(stressed)}</em>"
    return escape(link or "")
