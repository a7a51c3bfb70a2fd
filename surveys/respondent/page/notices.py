"""Notices that the page shows if its modules do not run. They are in all its languages, so that all visitors get the
same page. The modules then show one of them.
"""

from surveys.rules import languages

# The oldest browsers with all features that the page's modules use (accessibility.md). respond.css recognizes them by
# the property accent-color, which came with the same versions.
MINIMUM = "Chrome 93, Edge 93, Firefox 92, Safari 15.4"

WORDS: dict[str, dict[str, str]] = {
    tag: {name: text.replace("{minimum}", MINIMUM) for name, text in words["notices"].items()}
    for tag, words in languages.WORDS.items()
}

# The page's title until a survey sets it.
NAMES = " · ".join(words["name"] for words in WORDS.values())


def notices() -> list[tuple[str, str, dict[str, str]]]:
    """Return the tag of each language, its direction, and the words."""
    return [(tag, languages.direction(tag), words) for tag, words in WORDS.items()]
