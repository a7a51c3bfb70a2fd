"""Names of languages, by tag."""

from django.conf.locale import LANG_INFO

from surveys.rules.languages import PAGE, is_tag


def known() -> dict[str, str]:
    """Return the languages to choose from, by tag: each language's name in itself."""
    tags = ((written(code), info["name_local"]) for code, info in LANG_INFO.items() if "name_local" in info)
    return dict(sorted(((tag, str(name)) for tag, name in tags if is_tag(tag)), key=lambda pair: pair[1].casefold()))


def english() -> dict[str, str]:
    """Return the tags by the languages' English names."""
    tags = ((written(code), str(info["name"])) for code, info in LANG_INFO.items() if "name" in info)
    return {name: tag for tag, name in tags if is_tag(tag)}


def of_the_page() -> list[str]:
    """Return the respondents' page's languages, each by its name in itself."""
    names = known()
    return [names.get(tag) or next(name for each, name in names.items() if each.split("-")[0] == tag) for tag in PAGE]


def written(tag: str) -> str:
    """Return a tag in its usual spelling: zh-hans as zh-Hans, pt_br as pt-BR."""
    first, *more = tag.replace("_", "-").split("-")
    return "-".join([first.lower(), *(part.title() if len(part) == 4 else part.upper() for part in more)])


def plain_name(tag: str) -> str:
    """Return a language's name in itself, with its tag only if this very tag has no name."""
    return known().get(tag) or name_of(tag)


def name_of(tag: str) -> str:
    name = known().get(tag) or known().get(tag.split("-")[0])
    return f"{name} ({tag})" if name else tag
