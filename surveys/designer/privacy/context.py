"""One question with a designer's variant: its form, its figures or missing parts, and its trial run."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from ldp.honesty.attention import USUAL
from ldp.question import Drawn
from surveys.access import requires
from surveys.designer.privacy import attention, figures, scales, trial, wishes
from surveys.designer.privacy.inputs import WhatIfInput, people_of
from surveys.designer.privacy.questions import find_question, question_in_form, questions_of
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.privacy.verdicts import PRECISE
from surveys.designer.studio import links, sentences
from surveys.drafts.normalize import normalized
from surveys.figures import numerals
from surveys.figures.layout import WIDTHS
from surveys.figures.themes import THEMES
from surveys.models import Role, Survey
from surveys.researcher.results import presentation
from surveys.rules.context import Context
from surveys.survey import kinds
from surveys.web.language import with_language

FRESH = 600  # seconds; the URL determines the picture


def what_if(request: HttpRequest, survey: Survey, question: StudioQuestion) -> tuple[WhatIfInput, StudioQuestion, int]:
    """Return the form, its variant, and the number of people. Invalid fields keep their stored values."""
    form = WhatIfInput(request.GET, question, survey, figures.default_half_width(question.variant.built))
    form.is_valid()
    return form, form.variant, form.cleaned_data.get("n", question.people(people_of(survey)))


def context(
    request: HttpRequest, survey: Survey, question: StudioQuestion, questions: Sequence[StudioQuestion]
) -> Context:
    """Return the context of designer/alpha_question.html: a question with a designer's variant."""
    form, variant, n = what_if(request, survey, question)
    shown: Context = {"form": form, "variant": variant, "n": n, "changed": variant.settings() != question.settings()}
    if question.forms:
        shown |= {
            "of": numerals.integer(people_of(survey)),
            "part": numerals.integer(question.people(people_of(survey))),
        }
    whole = find_question(questions, question.name)
    if whole and whole.several:
        shown |= _in_several(whole, question, people_of(survey))
    if variant.built is None or variant.plan is None:
        lacks = [(sentences.place(refusal), sentences.remark(refusal)) for refusal in variant.lacks]
        return shown | {"lacks": lacks, "edit": links.question(survey, question.key)}
    if question.joint:
        shown["figures"] = figures.joint_figures(variant.built, variant.plan, n, question.target, variant.whom)
        shown["enough"] = wishes.text(question.people_needed(PRECISE))
    else:
        wished = float(form.cleaned_data.get("width") or figures.default_half_width(variant.built))
        shown["figures"] = figures.figures(variant.built, variant.plan, n, wished, question.target, variant.whom)
    shown |= {"scale": _scale(survey, question, variant, n), "scale_back": urlencode({"question": question.name})}
    shown["corrections"] = attention.corrections(questions, variant, n)
    return shown | {"trial": _trial(request, variant.built, n), "attentive": numerals.percent(USUAL)}


def _in_several(whole: StudioQuestion, question: StudioQuestion, n: int) -> Context:
    """Return the forms that ask a question, which one is displayed, and the half-width of all forms pooled."""
    listed = [(each.places[0], each.alpha, each.places == question.places) for each in whole.in_each_form]
    pooled = figures.measure(whole.built).full(whole.half_width(n)) if whole.built else ""
    return {"all_forms": listed, "pooled": pooled, "all_people": numerals.integer(n)}


def _scale(survey: Survey, question: StudioQuestion, variant: StudioQuestion, n: int) -> scales.ScaleTarget | None:
    """Return a scale's target in a draft. The question is asked of n people."""
    if not survey.is_draft:
        return None
    draft = normalized(survey.draft)
    if question.joint:
        return scales.scale_target(question, people_of(survey), draft)
    return scales.scale_target(variant.without_form, n, draft)


def _trial(request: HttpRequest, built: Drawn, n: int) -> Context:
    run, query = trial.read(built, n, request.GET), request.GET
    shown: Context = {
        "fields": trial.fields(built, query),
        "unit": trial.unit_of(built),
        "invented": kinds.of(built).invented,
        "people": numerals.integer(run.people),
        "fewer": run.people < n,
    }
    if "trial" not in query:
        return shown
    document, again = run.document(), query.copy()
    again["seed"] = str(run.seed + 1)
    return shown | {
        "shown": presentation.question(built, document["questions"], 1, document),
        "level": presentation.level(document),
        "contained": trial.contained(run),
        "again": again.urlencode(),
        "query": with_language(query.urlencode()),
    }


@require_safe
@requires(Role.DESIGNER)
def trial_plot(request: HttpRequest, survey: Survey, key: str, theme: str, width: str) -> HttpResponse:
    """Return a picture of the trial run that the URL describes."""
    from surveys.researcher.results import (
        plots,  # matplotlib takes half a second and 50 MB; only processes that draw load it
    )

    query = request.GET
    question = question_in_form(questions_of(survey), query.get("question", ""), query.get("form", ""))
    if question is None or theme not in THEMES or width not in WIDTHS:
        raise Http404
    _form, variant, n = what_if(request, survey, question)
    if variant.built is None:
        raise Http404
    document = trial.read(variant.built, n, request.GET).document()
    result = next((result for result in document["questions"] if result["key"] == key), None)
    if result is None:
        raise Http404
    response = HttpResponse(plots.draw(result, document["confidence"], theme, width), content_type="image/svg+xml")
    patch_cache_control(response, private=True, max_age=FRESH)
    return response
