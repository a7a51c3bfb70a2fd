"""The questionnaire's texts, to print: for translators, boards, archives, and readers on paper."""

from collections.abc import Iterator
from itertools import zip_longest

from django.utils.translation import gettext as _

from ldp.question import Question
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.paper import Paper, PaperAnswer, PaperSection, SurveyText
from surveys.figures import numerals
from surveys.researcher.results import routing
from surveys.survey import kinds
from surveys.survey.definition import markup, pictures
from surveys.survey.definition.document import Definition
from surveys.survey.definition.languages import language_of
from surveys.survey.kinds import numbers

BOX = "○"


def of_facts(facts: Facts) -> Paper:
    definition = facts.definition
    lead = _(
        "The questions for respondents. A browser asks them and randomizes every answer before it sends a report. A "
        "paper form cannot do that."
    )
    return Paper(_("Questionnaire"), lead, [*_before(definition), *_questions(facts, definition), *_after(definition)])


def _before(definition: Definition) -> Iterator[PaperSection]:
    for title, text in ((_("Introduction"), definition["introduction"]), (_("Consent"), definition.get("consent", ""))):
        if text:
            yield PaperSection(title, _paragraphs(definition, text))


def _after(definition: Definition) -> Iterator[PaperSection]:
    if thanks := definition.get("thanks"):
        yield PaperSection(_("After sending"), _paragraphs(definition, thanks))


def _paragraphs(definition: Definition, text: str) -> list[SurveyText]:
    return [_survey_text(definition, line) for line in markup.plain(definition, text).split("\n") if line.strip()]


def _survey_text(definition: Definition, text: str) -> SurveyText:
    return SurveyText(text, language_of(definition))


def _questions(facts: Facts, definition: Definition) -> Iterator[PaperSection]:
    by_key = {question["key"]: question for question in definition["questions"]}
    answers = {
        key: PaperAnswer(
            _survey_text(definition, f"{each.number}. {by_key[key]['text']}"),
            _survey_text(definition, "\n".join(_lines(definition, by_key[key], by_key, each.forms))),
        )
        for each in facts.questions
        if (key := each.question["key"])
    }
    if "sections" not in definition:
        yield PaperSection(_("Questions"), answers=list(answers.values()))
        return
    for section in definition["sections"]:
        yield PaperSection(
            _survey_text(definition, section["title"]),
            _paragraphs(definition, section["text"]),
            answers=[answers[key] for key in section["questions"]],
        )


def _lines(definition: Definition, question: Question, by_key: dict[str, Question], forms: list[int]) -> Iterator[str]:
    """Yield the lines below a question's text. A picture gives its description."""
    if picture := pictures.of_question(definition, question["key"]):
        yield _("Picture: %(words)s") % {"words": pictures.alt(picture, language_of(definition))}
    yield from filter(None, (markup.plain(definition, question["note"]), routing.condition(question, by_key)))
    if len(forms) == 1:
        yield _("In form %(number)s only.") % {"number": numerals.integer(forms[0])}
    elif forms:
        yield _("In forms %(numbers)s only.") % {"numbers": _(", ").join(map(numerals.integer, forms))}
    yield f"{kinds.of(question).name}{_range(question)}"
    yield from filter(None, [numbers.limits_in_words(question)])
    for item in question.get("items", ()):
        yield f"– {item}"
    for option, shown in zip_longest(kinds.lines(question), pictures.of_options(definition, question["key"])):
        yield f"{BOX} {option}" + (" " + _("(with a picture)") if shown else "")


def _range(question: Question) -> str:
    """Return the range of a typed number; "" for other questions."""
    if "low" not in question or "steps" in question:
        return ""
    ends = {"low": question["low"], "high": question["high"], "unit": question["unit"]}
    return ": " + (_("from %(low)s to %(high)s %(unit)s") % ends).strip()
