"""Sentences on broken rules for users: by code, in the page's language, with the fields' names in the forms. API
clients get the rule itself and the path."""

import re

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys.rules import refusals
from surveys.rules.codes import Code
from surveys.rules.refusals import RuleBreach
from surveys.survey.definition.fields import DRAW, FORM, PICTURE, QUESTION, SECTION, SURVEY
from surveys.survey.mechanisms import MECHANISMS

ROUTING = re.compile(r"(?:questions\[\d+\])?\.(?:asked_if|arm_of|right|exclusive)(?=\.|$)", re.ASCII)
# A rule among several rules of a condition.
RULE = re.compile(r"\.asked_if\.(?:all|any)\[(\d+)\]", re.ASCII)

# The words after a field's name, if the rule itself speaks of JSON.
PHRASES: dict[Code, Promise] = {
    "unknown_field": _("is not known here"),
    "not_an_object": _("cannot be read here; remove it and write it again"),
    "list_length": _("must have %(least)s to %(most)s lines"),
    "lookalikes": _("must look different from each other; lines %(first)s and %(second)s look the same"),
    "number_format": _("must be a number such as 17.5, with at most 12 digits before the point and 6 after it"),
    "date_precision": _("must all be years, all months or all days"),
    "date_format": _("must be a year such as 1984, a month such as 1984-07 or a day such as 1984-07-31"),
    "not_a_flag": _("must be ticked or not ticked"),
    "section_order": _("must hold every question once, in the order of the questions"),
    "empty_section": _("must hold at least one question"),
    "translation_count": _("must be at most %(most)s languages"),
    "translation_tags": _("must be named by language tags such as “de”, “pt-BR” or “zh-Hant”"),
    "translation_parts": _("must be exactly %(n)s, as many as in the survey's own language"),
    "translation_lines": _("must have %(n)s lines, as many as in the survey's own language"),
    "form_count": _("must be at least two, or none, and at most %(most)s"),
    "empty_form": _("must hold at least one question"),
    "joint_count": _("must be at least two where they are randomized together"),
    "joint_kind": _("must not be a ranking where they are randomized together"),
    "empty_draw": _("must be at least one"),
    "draw_keys": _("must be of this survey"),
    "drawn_own": _("must be empty: it is set where the question is randomized, on the page “People and protection”"),
    "unknown_kind": _("must be one of the choices offered here"),
    "unknown_limits": _("must be one of the choices offered here"),
    "refusing_option": _("must differ from “%(option)s”, which a box of its own adds"),
    "scale_order": _("must be greater than the lowest number"),
    "alpha_format": _("must be a number with at most six digits after the point, such as 0.5"),
    "unknown_mechanism": _("must be one that this kind of question can have"),
    "mechanism_categories": _("must be another one: “%(mechanism)s” takes at most %(most)s options"),
    "mechanism_noise": _(
        "must be another one: “%(mechanism)s” needs noise beyond ±%(most)s at this alpha and delta; choose larger "
        "ones, such as 1 and 0.000001"
    ),
    "delta_missing": _("is missing; “%(mechanism)s” needs one, such as 0.000001"),
    "delta_surplus": _("must be empty; the mechanism has none"),
    "size_surplus": _("must be empty; only randomized response sends a list of options"),
    "book_elsewhere": _("needs the machine of this site that keeps the invitations: open the survey there"),
    "relay_format": _("cannot be read here; choose it again on the page “People and protection”"),
    "relay_unknown": _("is not open to this site any more; choose it again on the page “People and protection”"),
    "wave_format": _("cannot be read here; choose it again on the page “People and protection”"),
    "wave_unknown": _(
        "is not a survey of this site, or has changed; choose it again on the page “People and protection”"
    ),
    "picture_format": _("cannot be shown; choose its file again"),
    "picture_sides": _("is larger than it may be, or than it says; choose its file again"),
    "picture_bytes": _("is larger than it may be; choose its file again"),
    "pictures_count": _("must be one for each option, or none; choose their files again"),
    "pictures_kind": _("cannot be here: options of this kind of question have no pictures"),
    "pictures_size": _(
        "makes the survey’s pictures too large for respondents to load; remove some, or choose smaller ones"
    ),
    "delta_format": _("must be a number with at most twelve digits after the point, such as 0.000001"),
}

CHOOSE_QUESTION = _("Choose the deciding question.")
# Sentences about a question's conditions and its versions.
CONDITIONS: dict[Code, Promise] = {
    "not_an_object": CHOOSE_QUESTION,
    "missing": CHOOSE_QUESTION,
    "unknown_field": CHOOSE_QUESTION,
    "condition_form": CHOOSE_QUESTION,
    "condition_key": CHOOSE_QUESTION,
    "condition_order": _(
        "The deciding question is gone, or comes after this one. Move one of them, or choose another question."
    ),
    "form_condition": _(
        "The deciding question is in another form, and no one is asked both. Move one of them, or ask everyone the "
        "deciding question."
    ),
    "condition_kind": _("The deciding question is of a kind that cannot decide. Choose another question."),
    "condition_options": _("Tick at least one answer."),
    "condition_range": _("The answers of the deciding question have changed. Tick again."),
    "condition_for_all": _("With every answer ticked, everyone is asked. Tick fewer answers, or ask everyone."),
    "condition_for_nobody": _(
        "The conditions exclude each other, so no one would be asked. Tick other answers, or let any condition be "
        "enough."
    ),
    "condition_count": _("There must be one condition, or %(least)s to %(most)s. Remove some, or add another."),
    "condition_twice": _("Two conditions are about the same question. Remove one of them."),
    "repeated": _("The answers that decide must differ from each other. Tick again."),
    "arm_key": _("The question that this is a version of is gone. Make this a separate question."),
    "arm_chain": _(
        "The question that this is a version of is itself a version of another. Make this a separate question."
    ),
    "arm_parts": _(
        "It must be of the same kind as the first version, with as many answers, and the same numbers where it has any."
    ),
    "arm_condition": _("It must be asked of the same people as the first version."),
    "arm_form": _("Each version must be in its own form. Move it into one, or make it a separate question."),
    "arm_cost": _(
        "All versions together have more than %(most)s numbers to compare. Make this a separate question, or "
        "offer fewer answers."
    ),
    "arm_decides": _(
        "The deciding question has several versions, and no one is asked all of them. Choose another question."
    ),
    "exclusive_option": _("Choose another of the options as “None of these”."),
    "right_answer": _("Choose another answer that everyone should give."),
    "right_for_some": _(
        "Only some people are asked, and the others send an invented answer, which says nothing about attention. Ask "
        "everyone, or choose no answer that everyone should give."
    ),
}

TABLES = (QUESTION, PICTURE, SURVEY, FORM, DRAW, SECTION)
LABELS = {each.name: each.label for table in TABLES for each in table.values()} | {"draft": _("draft")}


def phrase(refusal: RuleBreach) -> str:
    """Return the words after the field's name."""
    return _filled(PHRASES[refusal.code], refusal) if refusal.code in PHRASES else refusal.message


def condition(refusal: RuleBreach) -> str:
    """Return a whole sentence about a condition. If there are several, it names the condition."""
    text = _filled(CONDITIONS[refusal.code], refusal)
    which = RULE.search(refusal.field)
    return gettext("Condition %(n)d: %(text)s") % {"n": int(which[1]) + 1, "text": text} if which else text


def remark(refusal: RuleBreach) -> str:
    """Return the words after the place and a colon."""
    return condition(refusal) if is_about_routing(refusal) else phrase(refusal)


def is_about_routing(refusal: RuleBreach) -> bool:
    return ROUTING.match(refusal.field) is not None and refusal.code in CONDITIONS


def place(refusal: RuleBreach) -> str:
    """Return the place of a refusal, with the names that the forms use."""
    routing = ROUTING.match(refusal.field)  # one field of the form
    return refusals.place((routing[0] if routing else refusal.field).lstrip("."), label=label)


def label(name: str) -> str:
    """Return a field's name in the forms, or its name in the file."""
    return str(LABELS.get(name, name))


def _filled(words: Promise, refusal: RuleBreach) -> str:
    values = dict(refusal.rule.values)
    if mechanism := MECHANISMS.get(str(values.get("mechanism"))):
        values["mechanism"] = mechanism.name
    return str(words) % values
