"""The markup of longer texts: bold, lists, links, paragraphs. It is parsed to a tree, and shown as HTML or plain text.

    text        lines; an empty line (or one of spaces only) ends a paragraph
    list        two or more consecutive lines that begin with "- " and continue with something other than spaces; a
                single such line is text
    bold        **words** in one line. They contain no star. No space is inside next to the stars, and no letter a to z
                or digit is outside next to them (2**3 and 4**5 is text)
    link        [words](address): words in one line without a bracket, perhaps bold, not beginning with a space; an
                address that matches ADDRESS, of at most 400 characters

Everything else is text, including stars and brackets. If two overlap, the first counts. Only U+0020 is a space here, so
that every program reads the same. Bold words may have links, and a link's words may be bold.

static/respond/markup.js has the same rules; tests/support/markup.json has the results of both for the same texts. Any
change of the rules increases NUMBER. A definition names the NUMBER for its texts; without one they have no markup.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import NamedTuple

NUMBER = 1

_HOST = r"(?:[a-z0-9][-a-z0-9]*\.)+[a-z][-a-z0-9]*"
# Without characters of other tools' placeholders, because nothing is ever filled in.
_REST = r"(?:[/?#](?:[-.A-Za-z0-9_~/?#=&+,:;@!]|%[0-9A-Fa-f]{2})*)?"
ADDRESS = rf"https://{_HOST}(?::[0-9]{{1,5}})?{_REST}|mailto:[-.A-Za-z0-9_+]+@{_HOST}"
_BOLD = r"(?<![A-Za-z0-9])\*\*(?P<bold>[^ *](?:[^*]*[^ *])?)\*\*(?![A-Za-z0-9])"
_LINK = rf"\[(?P<link>[^\[\] ][^\[\]]*)\]\((?=[^)]{{1,400}}\))(?P<address>{ADDRESS})\)"
_IN_LINE, _IN_BOLD, _IN_LINK = (re.compile(each) for each in (f"{_BOLD}|{_LINK}", _LINK, _BOLD))
# An intended link. It is a link only with a valid address.
_MEANT = re.compile(r"\[[^\[\]]+\]\( *(?:[A-Za-z][-+.A-Za-z0-9]*:[^ )]|//|www\.)")
_ITEM = re.compile(r"- +(?=[^ ])")


class Bold(NamedTuple):
    words: "Words"


class Link(NamedTuple):
    words: "Words"
    address: str

    @property
    def place(self) -> str:
        """Return the link's target: a host, or an email address."""
        return re.split(r"[/?#:]", self.address.removeprefix("https://"), maxsplit=1)[0] if self.is_page else self.mail

    @property
    def is_page(self) -> bool:
        return self.address.startswith("https://")

    @property
    def mail(self) -> str:
        return self.address.removeprefix("mailto:")


Words = list[str | Bold | Link]


class Paragraph(NamedTuple):
    lines: list[Words]


class Items(NamedTuple):
    """A list: the text of each line after its hyphen."""

    lines: list[Words]


# The tree -------------------------------------------------------------------------------------------------------------


def parsed(text: str) -> list[Paragraph | Items]:
    made: list[Paragraph | Items] = []
    lines = text.split("\n")
    for kind, run in groupby(range(len(lines)), lambda i: _kind(lines, i)):
        if kind is Items:
            made.append(Items([_words(_ITEM.sub("", lines[i], count=1)) for i in run]))
        elif kind is Paragraph:
            made.append(Paragraph([_words(lines[i]) for i in run]))
    return made


def _kind(lines: list[str], i: int) -> type[Paragraph | Items] | None:
    """Return the kind of the line's block; None for an empty line."""
    neighbours = lines[max(i - 1, 0) : i] + lines[i + 1 : i + 2]
    if _ITEM.match(lines[i]) and any(map(_ITEM.match, neighbours)):
        return Items
    return Paragraph if lines[i].strip(" ") else None


def _words(line: str, pattern: re.Pattern[str] = _IN_LINE) -> Words:
    """Return the words of a line. Only links are found in bold words, only bold words in a link, and nothing deeper."""
    words: Words = []
    end = 0
    for match in pattern.finditer(line):
        bold, link, address = (match.groupdict().get(name) for name in ("bold", "link", "address"))
        if match.start() > end:
            words.append(line[end : match.start()])
        inside = bold or link or ""
        deeper = (_IN_BOLD if bold else _IN_LINK) if pattern is _IN_LINE else None
        within = _words(inside, deeper) if deeper else [inside]
        words.append(Link(within, address) if address else Bold(within))
        end = match.end()
    return [*words, line[end:]] if end < len(line) else words


def has_markup(text: str) -> bool:
    return any(
        isinstance(block, Items) or any(not isinstance(each, str) for line in block.lines for each in line)
        for block in parsed(text)
    )


def links(text: str) -> list[Link]:
    return [link for block in parsed(text) for line in block.lines for link in _links(line)]


def _links(words: Words) -> Iterator[Link]:
    for each in words:
        if isinstance(each, Link):
            yield each
        elif isinstance(each, Bold):
            yield from _links(each.words)


def has_broken_link(text: str) -> bool:
    """Return whether a text looks like a link, by its brackets and the beginning of its address, but is none."""
    return any(len(_MEANT.findall(line)) > len(list(_links(_words(line)))) for line in text.split("\n"))


# Shown ----------------------------------------------------------------------------------------------------------------


def html(text: str) -> str:
    """Return p and ul elements. Lines of a paragraph end with a line feed, which `white-space: pre-line` shows."""
    return "".join(map(_block, parsed(text)))


def _block(block: Paragraph | Items) -> str:
    lines = ["".join(map(_element, line)) for line in block.lines]
    if isinstance(block, Items):
        return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
    return "<p>" + "\n".join(lines) + "</p>"


def _element(each: str | Bold | Link) -> str:
    if isinstance(each, str):
        return escape(each, quote=False)
    words = "".join(map(_element, each.words))
    if isinstance(each, Bold):
        return f"<strong>{words}</strong>"
    apart = ' target="_blank"' if each.is_page else ""
    link = f'<a href="{escape(each.address)}" rel="noreferrer noopener"{apart}>{words}</a>'
    return f"{link} (<bdi>{escape(each.place)}</bdi>)"


def plain(text: str) -> str:
    """Return the lines without the stars of bold words, and with links as words (address)."""
    return "\n".join("".join(map(_plain, _words(line))) for line in text.split("\n"))


def _plain(each: str | Bold | Link) -> str:
    if isinstance(each, str):
        return each
    words = "".join(map(_plain, each.words))
    return words if isinstance(each, Bold) else f"{words} ({each.address if each.is_page else each.mail})"
