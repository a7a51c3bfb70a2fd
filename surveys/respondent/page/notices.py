"""What the page says before its modules run, or where they do not: in each language that it speaks, one after the
other, so that everybody is served the same page. The modules then show one of them.
"""

from surveys.rules import languages

# The oldest engines that have all that the page's modules use (accessibility.md). respond.css finds them
# by the property accent-color, which came with the same versions.
MINIMUM = "Chrome 93, Edge 93, Firefox 92, Safari 15.4"

WORDS: dict[str, dict[str, str]] = {
    tag: {name: text.replace("{minimum}", MINIMUM) for name, text in words["notices"].items()}
    for tag, words in languages.WORDS.items()
}

# The page's name until it has one.
NAMES = " · ".join(words["name"] for words in WORDS.values())


def notices() -> list[tuple[str, str, dict[str, str]]]:
    """The tag of each language, how it is written, and the words."""
    return [(tag, languages.direction(tag), words) for tag, words in WORDS.items()]
