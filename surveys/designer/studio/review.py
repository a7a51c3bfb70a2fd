"""The parts that opening freezes. Designers read them before and after."""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ldp.forms import report
from ldp.forms.definition import groups
from ldp.question import Drawn, asked_in, channels
from ldp.question import Question as BuiltQuestion
from surveys.designer.studio import frames, links, sentences
from surveys.drafts import protection
from surveys.drafts.kinds import name_of
from surveys.figures import numerals
from surveys.figures.sentences import comma_separated
from surveys.life import chain
from surveys.models import Survey
from surveys.researcher.results import anchors, routing
from surveys.rules.names import plain_name as language_name
from surveys.rules.refusals import RuleBreach
from surveys.survey import definition as definitions
from surveys.survey import kinds
from surveys.survey.definition import DraftRefused, accent, completion, frame_hosts, markup, pictures
from surveys.survey.definition.document import Definition
from surveys.survey.definition.languages import language_of, languages_of
from surveys.survey.kinds import numbers
from surveys.survey.mechanisms import MECHANISMS

FRAME = (
    ("introduction", _("Introduction")),
    ("consent", _("Consent")),
    ("thanks", _("Thank-you")),
    (completion.CODE, _("Completion code")),
    (completion.LINK, _("Link back")),
)


# Words in brackets that are no link. Numbers in brackets are not found, because tables have them.
BRACKETED = re.compile(r"\[[^\W\d][^\[\]{}\"]{1,80}\](?!\((?:https|mailto):)")


class MissingField(NamedTuple):
    """A missing part of a draft, and the URL to add it."""

    place: str
    rule: str
    url: str


class Caution(NamedTuple):
    """A warning before opening, and the page where its cause can be changed."""

    sentence: str
    place: str | Promise
    url: str


class Longer(NamedTuple):
    """A text that may have markup. `marked` is its HTML, None without markup."""

    text: str
    marked: SafeString | None


class ReviewPicture(NamedTuple):
    data: str
    width: int
    height: int
    alt: str = ""


class ReviewOption(NamedTuple):
    words: str
    picture: ReviewPicture | None


class ReviewQuestion(NamedTuple):
    """A question. `section` has the title and text of a section that begins here, else None. `form` is the number, from
    1, of the form that asks it; 0 for everyone."""

    key: str
    section: tuple[str, Longer] | None
    text: str
    picture: ReviewPicture | None
    note: Longer
    kind: str | Promise
    items: list[str]
    options: list[ReviewOption]
    scale: str
    alpha: str
    delta: str
    mechanism: str
    form: str
    joint: bool
    asked_of: str


class SurveyContent(NamedTuple):
    """All that opening freezes. `texts` are pairs of a name and a text. `languages` are the names of all languages, the
    survey's own first."""

    definition: Definition
    digest: str
    logo: ReviewPicture | None
    texts: Sequence[tuple[Promise, Longer]]
    questions: list[ReviewQuestion]
    languages: list[str]
    forms: list[int]
    groups: Sequence[str]
    alpha_total: str
    factor_total: str
    warnings: Sequence[Caution] = ()


def look(survey: Survey) -> tuple[SurveyContent | None, list[MissingField]]:
    """Return the draft as opening would freeze it, or all its missing parts."""
    try:
        definition = definitions.build(survey.draft)
        chain.check(definition)
    except DraftRefused as refused:
        return None, _missing(survey, refused.refusals)
    return content_of(definition)._replace(warnings=_warnings(survey, definition)), []


def warnings(survey: Survey) -> list[Caution]:
    """Return the cautions of a draft; [] while it is incomplete."""
    try:
        return _warnings(survey, definitions.build(survey.draft))
    except DraftRefused:
        return []


def _warnings(survey: Survey, definition: Definition) -> list[Caution]:
    texts, privacy = reverse("survey-texts", args=[survey.pk]), reverse("survey-alpha", args=[survey.pk])
    keys = [question["key"] for question in definition["questions"]]
    cautions = []
    for sentence in definitions.warnings(definition):
        key = sentence.partition(": ")[0]
        if key in keys:
            place = gettext("Question %(number)d") % {"number": keys.index(key) + 1}
            cautions.append(Caution(sentence, place, links.question(survey, key)))
        else:
            cautions.append(Caution(sentence, _("People and protection"), privacy))
    more = [*_brackets(definition), *frames.warnings(definition.get(frame_hosts.FIELD, []))]
    return cautions + [Caution(sentence, _("Texts and languages"), texts) for sentence in more]


def content_of(definition: Definition) -> SurveyContent:
    """Return all that a definition freezes, without warnings."""
    total = definitions.alpha_total(definition)
    texts = [(name, _longer(definition, text)) for field, name in FRAME if (text := str(definition.get(field, "")))]
    if holders := definition.get(frame_hosts.FIELD, []):
        texts.append((_("Pages that may hold the survey"), Longer("\n".join(holders), None)))
    if colours := accent.text(definition):
        texts.append((_("Accent colour, light / dark"), Longer(colours, None)))
    headings = {
        section["questions"][0]: (section["title"], _longer(definition, section["text"]))
        for section in definition.get("sections", ())
    }
    by_key = {question["key"]: question for question in report.alone(definition)}
    questions = [_question(definition, question, headings.get(key), by_key) for key, question in by_key.items()]
    return SurveyContent(
        definition,
        definitions.digest(definition),
        _picture(definition, pictures.logo(definition)),
        texts,
        questions,
        [language_name(tag) for tag in languages_of(definition)],
        [form["weight"] for form in definition.get("forms", [])],
        groups(definition),
        total,
        numerals.odds_factor(total),
    )


def _missing(survey: Survey, refusals: Sequence[RuleBreach]) -> list[MissingField]:
    """Return a draft's missing parts, from its refusals. All undecided alphas are one part, because one proposal
    decides them."""
    others = [each for each in refusals if not links.is_undecided(each)]
    incomplete = {each.field.partition(".")[0] for each in others} if protection.total(survey.draft) else ()
    undecided = [
        each for each in refusals if links.is_undecided(each) and each.field.partition(".")[0] not in incomplete
    ]
    missing = [
        MissingField(sentences.place(each), sentences.remark(each), links.mending(survey, each)) for each in others
    ]
    if undecided:
        text = ngettext(
            "%(n)s question has no alpha yet. Look at the proposal, and take it.",
            "%(n)s questions have no alpha yet. Look at the proposal, and take it.",
            len(undecided),
        )
        missing.append(
            MissingField(
                gettext("People and protection"),
                text % {"n": len(undecided)},
                reverse("survey-alpha", args=[survey.pk]),
            )
        )
    return missing


def _brackets(definition: Definition) -> list[str]:
    """Return a sentence on the parts of a template that must still be replaced."""
    left = dict.fromkeys(BRACKETED.findall(definitions.canonical(definition).decode()))
    sentence = gettext("Some text is still in brackets, as in a template: %(left)s")
    return [sentence % {"left": comma_separated(left)}] if left else []


def _longer(definition: Definition, text: str) -> Longer:
    return Longer(text, markup.html(definition, text))


def _picture(definition: Definition, picture: pictures.Frozen | None) -> ReviewPicture | None:
    if picture is None:
        return None
    alt = pictures.alt(picture, language_of(definition)) if "alt" in picture else ""
    return ReviewPicture(picture["data"], picture["width"], picture["height"], alt)


def _options(definition: Definition, question: BuiltQuestion) -> list[ReviewOption]:
    words = kinds.lines(question)
    shown = [_picture(definition, each) for each in pictures.of_options(definition, question["key"])]
    return [ReviewOption(*each) for each in zip_longest(words, shown)]


def _question(
    definition: Definition,
    question: Drawn,
    section: tuple[str, Longer] | None,
    by_key: Mapping[str, Drawn],
) -> ReviewQuestion:
    return ReviewQuestion(
        key=question["key"],
        section=section,
        text=question["text"],
        picture=_picture(definition, pictures.of_question(definition, question["key"])),
        note=_longer(definition, question["note"]),
        kind=name_of(question),
        items=question.get("items", []),
        options=_options(definition, question),
        scale=_scale(question),
        alpha=" / ".join(dict.fromkeys(each["alpha"] for each in channels(question))),
        delta=question.get("delta", ""),
        mechanism=MECHANISMS[question["mechanism"]].name,
        form=comma_separated(str(form + 1) for form in asked_in(question) or []),
        joint="joint" in question,
        asked_of=" ".join(
            filter(
                None,
                (
                    numbers.limits_in_words(question),
                    _version(question, by_key),
                    routing.foretold(question, by_key),
                    anchors.sentence(question),
                ),
            )
        ),
    )


def _version(question: BuiltQuestion, by_key: Mapping[str, BuiltQuestion]) -> str:
    """Return a sentence that names the question of which this is another version; "" if there is none."""
    if "arm_of" not in question:
        return ""
    text = gettext("Another version of question %(n)d, for other people, drawn by lot.")
    return text % {"n": list(by_key).index(question["arm_of"]) + 1}


def _scale(question: BuiltQuestion) -> str:
    if "low" not in question:
        return ""
    ends = {name: numerals.decimal(question[name]) for name in ("low", "high")}
    return numerals.with_unit(gettext("%(low)s to %(high)s") % ends, question["unit"])
