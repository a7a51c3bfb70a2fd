"""The respondent's page on a stored draft, complete or not: the real page code, marked as a preview, sending nothing.

It is the respondents' document with a banner and the URL of its definition. Its Content-Security-Policy allows requests
for that URL only. The page's code then neither opens a store nor sends (respond.js). A tryout may send its test answer
to one more URL.
"""

from copy import deepcopy
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ldp.forms.definition import keys as keys_of
from ldp.question import Question as BuiltQuestion
from surveys.access import requires
from surveys.drafts.forms import all_draws, dissolve, parsed, separate
from surveys.drafts.normalize import normalized
from surveys.drafts.proposals import FIRST_ALPHA
from surveys.models import Role, Survey
from surveys.respondent.page import document
from surveys.respondent.page.assets import PREVIEW, asset
from surveys.rules.context import Context
from surveys.rules.draft import Draft, DraftSection, Question, without
from surveys.rules.languages import direction
from surveys.rules.limits import QUESTIONS_MAX
from surveys.rules.refusals import DraftRefused, Refusals
from surveys.rules.unchecked import Built, Unchecked, as_list, as_object, words_of
from surveys.survey import definition as definitions
from surveys.survey.definition import build_cache, cost, forms, frame, markup, pictures, routing, translations
from surveys.survey.definition.arms import FIELD
from surveys.survey.definition.document import FORMAT, Definition, Translation
from surveys.survey.definition.fields import SURVEY
from surveys.survey.definition.languages import language_of, languages_of
from surveys.survey.definition.translation_texts import follow as translations_follow
from surveys.web import policies


class Preview(NamedTuple):
    """The complete part of a draft, None if there is none, and the names of incomplete questions. `undecided` counts
    questions without alpha; the preview supposes one."""

    definition: Definition | None
    incomplete: list[str]
    undecided: int = 0


# The pages ------------------------------------------------------------------------------------------------------------


@require_safe
@requires(Role.DESIGNER)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    return asking(request, survey, "designer/preview.html", reverse("survey-preview-definition", args=[survey.pk]))


def asking(request: HttpRequest, survey: Survey, template: str, *addresses: str) -> HttpResponse:
    """Return the respondents' page of the complete part. It may connect to these URLs only; the first is its
    definition's. With ?only= it shows only the question with this key, or the section with this number."""
    previewed, only = preview(survey.draft), request.GET.get("only", "")
    alone = _alone(survey.draft, previewed.definition, only)
    if only and not alone:
        previewed = previewed._replace(definition=None)
    definition, around = previewed.definition, previewed.definition or cast(Definition, _frame(survey.draft, []))
    context = document.context() | {
        "survey": survey,
        "preview_script": asset(PREVIEW),
        "title": around["title"],
        "introduction": around["introduction"],
        "marked_introduction": markup.html(markup.build(survey.draft, Refusals()), around["introduction"]),
        "language": language_of(around),
        "direction": direction(language_of(around)),
        "definition_url": addresses[0] + (f"?{urlencode({'only': only})}" if only else ""),
        "only": alone or only,
        "reports_url": addresses[-1],
        "incomplete": previewed.incomplete,
        "undecided": previewed.undecided,
        "supposed": FIRST_ALPHA,
    }
    context |= _form_context(request, definition)
    response = render(request, template if definition else "designer/preview_empty.html", context)
    for name, value in policies.preview(*map(request.build_absolute_uri, addresses)).items():
        response[name] = value
    return response


@require_safe
@requires(Role.DESIGNER)
def definition(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the canonical definition, 404 if nothing can be asked yet. ?only= leaves out the consent."""
    return canonical(_without_consent(survey.draft) if "only" in request.GET else survey.draft)


def canonical(draft: Draft) -> HttpResponse:
    built = preview(draft).definition
    data = definitions.canonical(built) if built else b""
    response = HttpResponse(data, status=200 if built else 404, content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


def _form_context(request: HttpRequest, definition: Definition | None) -> Context:
    """Return the displayed form: the requested one (from 1), else the form of a question, else the first."""
    listed = definition.get("forms", []) if definition else []
    if not listed:
        return {}
    wanted, key = request.GET.get("form", ""), request.GET.get("question", request.GET.get("only", ""))
    of_key = next((k for k, form in enumerate(listed, 1) if key in keys_of(form["draws"])), 1)
    place = int(wanted) if wanted in map(str, range(1, len(listed) + 1)) else of_key
    return {"form": str(place - 1), "form_place": place, "form_places": range(1, len(listed) + 1)}


def _alone(draft: Draft, definition: Definition | None, only: str) -> str:
    """Return the question's key, or the section's number in the definition; "" if the definition has neither."""
    keys = [question["key"] for question in definition["questions"]] if definition else []
    sections = as_list(draft.get("sections"))
    shown = [str(place) for place, each in enumerate(sections, 1) if _section(each, keys)]
    return only if only in keys else str(shown.index(only) + 1) if only in shown else ""


def _without_consent(draft: Draft) -> Draft:
    before = normalized(draft)
    shorter = cast(Draft, without(before, {"consent"}))
    translations_follow(before, shorter)
    return shorter


# The complete part of a draft -----------------------------------------------------------------------------------------


def preview(draft: Draft) -> Preview:
    """Return the definition of a draft's complete part, each question as opening would build it."""
    drafts = [_in_one_version(each) for each in as_list(draft.get("questions"))[:QUESTIONS_MAX]]
    language = language_of(translations.build({"language": draft.get("language", "")}, Refusals()))
    drawn = forms.drawn_keys(cast(Unchecked, draft))
    built: dict[str, BuiltQuestion] = {}
    complete: list[Question] = []
    incomplete, budget = [], cost.Budget()
    for place, each in enumerate(drafts):
        question = _question(each, language, drawn)
        if question is None or not _fits(question, built) or not _affordable(question, budget):
            incomplete.append(_name(each, place))
        else:
            built[question["key"]] = question
            complete.append(each)
    left = _left(draft, complete)
    parts = _in_forms(left, language)
    keys = [question["key"] for question in parts["questions"]]
    if not keys:
        return Preview(None, incomplete)
    definition = {"format": FORMAT} | _frame(draft, keys) | parts
    definition |= markup.build(draft, Refusals())
    undecided = sum(not each.get("alpha") for each in complete if str(each.get("key")) not in drawn)
    undecided += len({key for draw in all_draws(left) if not draw.get("alpha") for key in draw["questions"]})
    return Preview(_with_pictures(_with_translations(definition, draft, language), draft), incomplete, undecided)


def _in_one_version(question: Any) -> Any:
    """Return a question as if it were no version of another. The page is the same, and the other may be incomplete."""
    return {name: value for name, value in as_object(question).items() if name != FIELD} or question


def _left(draft: Draft, complete: list[Question]) -> Draft:
    """Return the complete questions in their draws and forms."""
    kept = {name: draft[name] for name in ("draws", "forms") if name in draft}
    return normalized(cast(Draft, {"questions": complete} | kept))


def _in_forms(left: Draft, language: str) -> Built:
    """Return the questions with their draws, in forms if possible, else for everyone. A missing alpha is supposed."""
    draft_asked = deepcopy(left)
    for each in (*draft_asked["questions"], *all_draws(draft_asked)):
        if parsed(each.get("alpha")) is None:
            each.pop("alpha", None)
    for draw in all_draws(draft_asked):
        draw.setdefault("alpha", FIRST_ALPHA)
    try:
        return _parts(draft_asked, language)
    except DraftRefused:
        dissolve(draft_asked)
    for draw in draft_asked.pop("draws", []):
        for alone in separate(draw):
            question = next(each for each in draft_asked["questions"] if each["key"] == alone["questions"][0])
            question |= {"alpha": alone.get("alpha", FIRST_ALPHA)}
    return _parts(draft_asked, language)


def _parts(draft: Draft, language: str) -> Built:
    drawn = forms.drawn_keys(cast(Unchecked, draft))
    built = [_question(each, language, drawn) for each in draft["questions"]]
    keys = [question["key"] for question in draft["questions"]]
    questions = [routing.in_order(question, keys) for question in built if question is not None]
    parts = forms.build(cast(Unchecked, draft), dict(enumerate(questions)), cost.Budget(), language)
    assert parts
    return parts


def _with_translations(definition: Built, draft: Draft, language: str) -> Definition:
    """Return the definition with the complete translations of the displayed part."""
    own = {"language": language} if draft.get("language") == language else {}
    texts_of: dict[str, Translation] = {}
    for tag, texts in as_object(draft.get("translations")).items():
        one = translations.build({**draft, "translations": {tag: texts}}, Refusals()).get("translations", {})
        try:
            translations.check(definition | own | {"translations": one})
        except (LookupError, TypeError, ValueError):
            continue
        texts_of |= one
    return cast(Definition, definition | own | ({"translations": texts_of} if texts_of else {}))


def _with_pictures(definition: Definition, draft: Draft) -> Definition:
    """Return the definition with the pictures that can be shown, even without a description."""
    built = pictures.build(draft, languages_of(definition), Refusals()).get(pictures.FIELD, {})
    keys = {question["key"] for question in definition["questions"]}
    parts = {
        name: {key: each for key, each in part.items() if key in keys} if name in ("questions", "options") else part
        for name, part in built.items()
    }
    if not any(parts.values()):
        return definition
    whole = cast(Definition, definition | {pictures.FIELD: {name: part for name, part in parts.items() if part}})
    try:
        pictures.check(cast(Unchecked, whole))
    except (LookupError, TypeError, ValueError):
        return definition
    return whole


def _question(draft: object, language: str, drawn: set[str]) -> BuiltQuestion | None:
    """Return the built question of a draft's question, with a supposed alpha if it has none; None if it breaks a
    rule."""
    is_drawn = isinstance(draft, dict) and str(draft.get("key")) in drawn
    if isinstance(draft, dict) and not is_drawn:
        draft = {"alpha": FIRST_ALPHA} | draft
    try:
        return (build_cache.build_content if is_drawn else build_cache.build)(draft, "question", language)
    except DraftRefused:
        return None


def _fits(question: BuiltQuestion, before: dict[str, BuiltQuestion]) -> bool:
    """Return whether the question can follow these: its key is new, and they include the questions it depends on."""
    try:
        routing.check_together([*before.values(), routing.in_order(question, list(before))])
    except ValueError:
        return False
    return question["key"] not in before


def _affordable(question: BuiltQuestion, budget: cost.Budget) -> bool:
    try:
        budget.spend(question, "question")
    except DraftRefused:
        return False
    return True


def _frame(draft: Draft, keys: list[str]) -> Built:
    """Return the texts around these questions. Texts that break a rule are left out."""
    sections = list(filter(None, (_section(each, keys) for each in as_list(draft.get("sections")))))
    kept = {name: value for name, value in draft.items() if name in SURVEY}
    refusals = Refusals()
    built = frame.build(kept | {"sections": sections, "questions": [{"key": key} for key in keys]}, refusals)
    return built | {"title": built["title"] or _("Untitled survey"), "introduction": built["introduction"] or ""}


def _section(draft: object, keys: list[str]) -> DraftSection | None:
    """Return a section with its complete questions; None if there are none."""
    section = as_object(draft)
    shown = [key for key in as_list(section.get("questions")) if key in keys]
    title = section.get("title") or _("Untitled section")
    return {"title": title, "text": section.get("text", ""), "questions": shown} if shown else None


def _name(question: object, place: int) -> str:
    """Return the question's text, or its number if it has none."""
    return words_of(as_object(question).get("text")) or _("Question %(place)d") % {"place": place + 1}
