"""The parts around the questions: the survey's texts, and the sections. Languages are in translations.py.

Apart from title and introduction, a definition has only fields that the draft fills. So a survey without consent,
thanks and sections keeps the bytes of older versions. The page has the same rules (shape.js).
"""

from typing import Any, cast

from django.utils.translation import gettext_noop as _

from surveys.rules.limits import CONSENT_MAX, QUESTIONS_MAX, TEXT_MAX, TITLE_MAX
from surveys.rules.refusals import Refusals, known_fields, refuse, text
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import is_text
from surveys.rules.unchecked import Built, Unchecked, as_list, as_object
from surveys.survey.definition import accent, completion, frame_hosts, invitations, markup, protection, relay, waves
from surveys.survey.definition.document import Definition, Section
from surveys.survey.definition.fields import SECTION, SURVEY

NEEDED = {"title", "questions"}
MORE = {"consent": CONSENT_MAX, "thanks": TEXT_MAX}


# Drafts ---------------------------------------------------------------------------------------------------------------


def build(draft: Unchecked, refusals: Refusals) -> Built:
    """Return the definition's fields except format and questions. Missing fields are added to the refusals."""
    refusals.attempt(known_fields, draft, "", NEEDED, {*SURVEY})
    title = refusals.attempt(text, draft["title"], "title", TITLE_MAX) if "title" in draft else None
    introduction = refusals.attempt(text, draft.get("introduction", ""), "introduction", TEXT_MAX, empty=True)
    built: Built = {"title": title, "introduction": introduction}
    for name, limit in MORE.items():
        given = refusals.attempt(text, draft.get(name, ""), name, limit, empty=True)
        if given is not None and is_text(given, limit):
            built[name] = given
    sections = refusals.attempt(_sections, draft.get("sections", []), draft.get("questions"))
    built |= {"sections": sections} if sections else {}
    for part in (waves, invitations, relay, completion, accent, frame_hosts):
        built |= part.build(draft, refusals)
    protection.check(draft, refusals)
    return built


def _sections(drafts: object, questions: object) -> list[Section]:
    if not isinstance(drafts, list) or len(drafts) > QUESTIONS_MAX:
        raise refuse("sections", "section_count", _("must be a list of at most %(most)s sections"), most=QUESTIONS_MAX)
    refusals = Refusals()
    built = [refusals.attempt(_section, each, f"sections[{i}]") for i, each in enumerate(drafts)]
    refusals.check()
    sections = [each for each in built if each is not None]
    if sections and [key for each in sections for key in each["questions"]] != _keys(questions):
        rule = _("must hold the key of every question once, in the order of the questions")
        raise refuse("sections", "section_order", rule)
    return sections


def _section(draft: object, where: str) -> Section:
    if not isinstance(draft, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(known_fields, draft, where, NEEDED, {*SECTION})
    title = refusals.attempt(text, draft["title"], f"{where}.title", TITLE_MAX) if "title" in draft else None
    its_text = refusals.attempt(text, draft.get("text", ""), f"{where}.text", TEXT_MAX, empty=True)
    keys = refusals.attempt(_named, draft["questions"], f"{where}.questions") if "questions" in draft else None
    refusals.check()
    return cast(Section, {"title": title, "text": its_text, "questions": keys})


def _named(keys: object, where: str) -> list[str]:
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) for key in keys):
        raise refuse(where, "empty_section", _("must be a list with the key of at least one question"))
    return keys


def _keys(questions: object) -> list[object]:
    return [as_object(each).get("key") for each in as_list(questions)]


# Definitions ----------------------------------------------------------------------------------------------------------


def check(data: Unchecked) -> None:
    """Raise Misshapen, or a Python error, unless a page may show a definition's frame. The questions must be
    well-formed."""
    more = data.keys() & MORE.keys()
    exactly(data, Definition.__required_keys__ | (data.keys() & Definition.__optional_keys__))
    must(is_text(data["title"], TITLE_MAX) and is_text(data["introduction"], TEXT_MAX, empty=True))
    must(all(is_text(data[name], MORE[name]) for name in more))
    for part in (waves, invitations, relay, completion, accent, frame_hosts, markup):
        part.check(data)
    if "sections" in data:
        _check_sections(data["sections"], [question["key"] for question in data["questions"]])


def _check_sections(sections: Any, keys: list[str]) -> None:
    must(isinstance(sections, list) and sections)
    for each in sections:
        exactly(each, {*SECTION})
        must(is_text(each["title"], TITLE_MAX) and is_text(each["text"], TEXT_MAX, empty=True))
        must(isinstance(each["questions"], list) and each["questions"])
    must([key for each in sections for key in each["questions"]] == keys)
