"""The order of a draft: its questions and sections. Changes are made in place, to a draft of the shape of normalize.py.
They raise Changed if the part is gone.

A row is a section's heading or a question. Questions belong to the heading above them. If there are headings, the first
row is one.
"""

from typing import NamedTuple

from surveys.drafts.errors import Changed
from surveys.drafts.normalize import free_key, keys, normalize
from surveys.rules.draft import Draft, DraftSection, Question
from surveys.rules.unchecked import Unchecked
from surveys.survey.definition.routing import placed


class OutlineEntry(NamedTuple):
    question: Question | None
    section: DraftSection | None = None

    @property
    def is_section(self) -> bool:
        return self.section is not None


def rows(draft: Draft) -> list[OutlineEntry]:
    by_key = {question["key"]: question for question in draft["questions"]}
    if "sections" not in draft:
        return [OutlineEntry(question) for question in draft["questions"]]
    listed: list[OutlineEntry] = []
    for section in draft["sections"]:
        listed.append(OutlineEntry(None, section))
        listed += [OutlineEntry(by_key[key]) for key in section["questions"]]
    return listed


def lay(draft: Draft, listed: list[OutlineEntry]) -> None:
    """Make this the draft's order."""
    draft["questions"] = [row.question for row in listed if row.question]
    sections: list[DraftSection] = []
    for row in listed:
        if row.section is not None:
            row.section["questions"] = []
            sections.append(row.section)
        elif sections and row.question:
            sections[-1]["questions"].append(row.question["key"])
    if sections:
        draft["sections"] = sections
    else:
        draft.pop("sections", None)


def question_of(draft: Draft, key: str) -> Question:
    """Return the draft's question with this key, to be changed in place. Raise Changed if there is none."""
    for question in draft["questions"]:
        if question["key"] == key:
            return question
    raise Changed


def deciding(question: Unchecked) -> list[str]:
    """Return the keys of the questions in this question's condition; [] if everyone is asked."""
    return [rule["question"] for _field, rule in placed(question)]


def section_of(draft: Draft, index: int) -> DraftSection:
    sections = draft.get("sections", [])
    if not 0 <= index < len(sections):
        raise Changed
    return sections[index]


# Questions ------------------------------------------------------------------------------------------------------------


def insert(draft: Draft, question: Question, at: int | None = None) -> str:
    """Insert a question at this row, by default at the end; return its key. A key that is not free is replaced."""
    listed = rows(draft)
    if question.get("key", "") in keys(draft) | {""}:
        question["key"] = free_key(keys(draft))
    first = int(bool(listed) and listed[0].is_section)
    listed.insert(len(listed) if at is None else max(at, first), OutlineEntry(question))
    lay(draft, listed)
    return str(question["key"])


def row_after(draft: Draft, key: str) -> int | None:
    """Return the place after a question's row; None if there is no such question."""
    try:
        return place(rows(draft), key) + 1
    except Changed:
        return None


def remove(draft: Draft, key: str) -> tuple[Question, int]:
    """Remove the question with this key; return it with its row."""
    listed = rows(draft)
    at, question = place(listed, key), question_of(draft, key)
    del listed[at]
    lay(draft, listed)
    return question, at


def step(draft: Draft, key: str, by: int) -> None:
    """Move a question one row up (-1) or down (1), beyond a heading into its section. At the end it stays."""
    listed = rows(draft)
    at = place(listed, key)
    if 0 <= at + by < len(listed) and not (at + by == 0 and listed[0].is_section):
        listed[at], listed[at + by] = listed[at + by], listed[at]
        lay(draft, listed)


def move(draft: Draft, key: str, before: str) -> None:
    """Move a question before another one (a key) or before a heading (an index); to the end for ""."""
    listed = rows(draft)
    target = listed[_place(listed, before)] if before else None
    row = listed.pop(place(listed, key))
    at = next((i for i, each in enumerate(listed) if each is target), len(listed))
    first = int(bool(listed) and listed[0].is_section)
    if target is not row:
        listed.insert(max(at, first), row)
        lay(draft, listed)


# Sections -------------------------------------------------------------------------------------------------------------


def begin_section(draft: Draft, before: str = "") -> int:
    """Begin a section before a question, or at the end; return its index. A first one at the end holds everything."""
    listed, fresh = rows(draft), new_section()
    at = place(listed, before) if before else len(listed)
    if "sections" not in draft:
        at = at if before else 0
        listed[:0] = [OutlineEntry(None, new_section())] if at else []
        at += int(at > 0)
    listed.insert(at, OutlineEntry(None, fresh))
    lay(draft, listed)
    return next(i for i, section in enumerate(draft["sections"]) if section is fresh)


def new_section() -> DraftSection:
    return {"title": "", "text": "", "questions": []}


def remove_section(draft: Draft, index: int) -> DraftSection:
    """Remove a heading; return its section with its keys. The questions join the section above, or else below."""
    section = section_of(draft, index)
    held: DraftSection = {**section, "questions": list(section["questions"])}
    sections = draft["sections"]
    del sections[index]
    if sections:
        heir = sections[max(index - 1, 0)]
        heir["questions"] = [*heir["questions"], *held["questions"]] if index else held["questions"] + heir["questions"]
    else:
        del draft["sections"]
    return held


def put_section(draft: Draft, section: DraftSection, index: int) -> None:
    """Restore a removed section's place and questions."""
    sections = draft.get("sections", [])
    for each in sections:
        each["questions"] = [key for key in each["questions"] if key not in section["questions"]]
    sections.insert(index, section)
    draft["sections"] = sections
    normalize(draft)


def step_section(draft: Draft, index: int, by: int) -> int:
    """Move a section with all its questions one place up or down; return its new place."""
    section_of(draft, index)
    sections = draft["sections"]
    if not 0 <= index + by < len(sections):
        return index
    sections[index], sections[index + by] = sections[index + by], sections[index]
    order = {key: i for i, key in enumerate(key for section in sections for key in section["questions"])}
    draft["questions"].sort(key=lambda question: order[question["key"]])
    return index + by


def _place(listed: list[OutlineEntry], name: str) -> int:
    """Return the row of the question with this key, or of the heading with this index."""
    headings = {str(number): i for number, i in enumerate(i for i, row in enumerate(listed) if row.is_section)}
    return headings[name] if name in headings else place(listed, name)


def place(listed: list[OutlineEntry], key: str) -> int:
    """Return the row of the question with this key."""
    for i, row in enumerate(listed):
        if row.question and row.question["key"] == key:
            return i
    raise Changed
