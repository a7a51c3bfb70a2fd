"""A table pasted into a list of texts. The first column, or the column of the survey's own language, is the list. Each
other column is a translation. The first row may name the languages."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from surveys.rules.draft import Draft
from surveys.rules.limits import LANGUAGES_MAX
from surveys.rules.names import english, known
from surveys.rules.unchecked import as_object
from surveys.survey.definition.languages import language_of
from surveys.survey.definition.translation_texts import follow, translation

TAB = "\t"


class Columns(NamedTuple):
    """The lines in the survey's own language, and the other lines by tag. A row with too many cells keeps all of them
    in its line, so that a rule marks it."""

    own: list[str]
    others: Mapping[str, list[str]]


def read(text: str, draft: Draft) -> Columns | None:
    """Return the columns of a text; None if there are none or they fit no languages."""
    rows = [[cell.strip() for cell in line.split(TAB)] for line in text.split("\n") if line.strip()]
    if not any(len(row) > 1 for row in rows):
        return None
    own, translated = str(language_of(draft)), [*as_object(draft.get("translations"))]
    tags = _named(rows[0], [own, *translated])
    if own in tags:
        rows = rows[1:]
    else:
        tags = [own, *translated][: max(len(row) for row in rows)]
    others = [tag for tag in tags if tag != own]
    if not (others and rows and len({*translated, *others}) < LANGUAGES_MAX):
        return None
    place = tags.index(own)
    return Columns(
        [_line(row, place, len(tags)) for row in rows],
        {tag: [_cell(row, tags.index(tag), len(tags)) for row in rows] for tag in others},
    )


def put(before: Draft, draft: Draft, key: str, columns: Mapping[str, Columns]) -> None:
    """Store the columns of a question as translations in the draft, in place. `columns` is by field."""
    if not columns:
        return
    follow(before, draft)
    given = as_object(draft.setdefault("translations", {}))
    place = next(place for place, each in enumerate(draft["questions"]) if each["key"] == key)
    for field, each in columns.items():
        for tag, lines in each.others.items():
            texts = given.setdefault(tag, translation(draft, {}))
            if isinstance(texts, dict) and field in texts["questions"][place]:
                texts["questions"][place][field] = list(lines)


def _named(cells: Sequence[str], tags_of_survey: Sequence[str]) -> list[str]:
    """Return the tags of the languages that the cells name; [] unless all cells name different languages."""
    named = {**{tag: name for name, tag in english().items()}, **known()}
    names = {each.casefold(): tag for tag in (*named, *tags_of_survey) for each in (tag, named.get(tag, tag))}
    names |= {name.casefold(): tag for name, tag in english().items()}
    tags = [names.get(cell.casefold(), "") for cell in cells]
    return tags if all(tags) and len(set(tags)) == len(tags) else []


def _line(row: Sequence[str], place: int, width: int) -> str:
    """Return the line in the survey's own language, or the other cells behind a tab, so that a rule marks it."""
    if len(row) > width:
        return TAB.join(row)
    return _cell(row, place, width) or f"…{TAB}{TAB.join(filter(None, row))}"


def _cell(row: Sequence[str], place: int, width: int) -> str:
    return row[place] if place < len(row) <= width else ""
