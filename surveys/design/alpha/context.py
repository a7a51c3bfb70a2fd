"""One question with what a designer tries: its form, its figures or what is missing for them, and its trial run."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from surveys.access import requires
from surveys.design import links, sentences
from surveys.design.alpha import figures, trial
from surveys.design.alpha.forms import WhatIf, people_of
from surveys.design.alpha.questions import Question, question_named, questions_of
from surveys.figures import numerals
from surveys.figures.layout import WIDTHS
from surveys.figures.themes import THEMES
from surveys.models import Role, Survey
from surveys.operation.language import spoken
from surveys.results import presentation

Data = dict[str, Any]

FRESH = 600  # seconds; the address says all that a picture shows


def what_if(request: HttpRequest, survey: Survey, question: Question) -> tuple[WhatIf, Question, int]:
    """The form, the question as it is tried, and the number of people; what is wrong in the form is left as it was."""
    form = WhatIf(request.GET, question, survey, figures.wished_by_default(question.tried.built))
    form.is_valid()
    return form, form.tried, form.cleaned_data.get("n", people_of(survey))


def context(request: HttpRequest, survey: Survey, question: Question) -> Data:
    """For design/alpha_question.html."""
    form, tried, n = what_if(request, survey, question)
    shown: Data = {"form": form, "tried": tried, "n": n, "changed": tried.settings() != question.settings()}
    if tried.built is None or tried.asked is None:
        lacks = [(sentences.place(refusal), sentences.remark(refusal)) for refusal in tried.lacks]
        return shown | {"lacks": lacks, "edit": links.question(survey, question.key)}
    wished = float(form.cleaned_data.get("width") or figures.wished_by_default(tried.built))
    shown["figures"] = figures.figures(tried.built, tried.asked, n, wished)
    return shown | {"trial": _trial(request, tried.built, n)}


def _trial(request: HttpRequest, built: Data, n: int) -> Data:
    run, query = trial.read(built, n, request.GET), request.GET
    shown: Data = {
        "fields": trial.fields(built, query),
        "unit": trial.unit_of(built),
        "people": numerals.whole(run.people),
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
        "query": spoken(query.urlencode()),
    }


@require_safe
@requires(Role.DESIGNER)
def trial_plot(request: HttpRequest, survey: Survey, key: str, theme: str, width: str) -> HttpResponse:
    """A picture of the trial run that the address describes."""
    from surveys.results import plots  # matplotlib takes half a second and 50 MB: only processes that draw pay for it

    question = question_named(questions_of(survey), request.GET.get("question", ""))
    if question is None or theme not in THEMES or width not in WIDTHS:
        raise Http404
    _form, tried, n = what_if(request, survey, question)
    document = trial.read(tried.built, n, request.GET).document() if tried.built else {"questions": []}
    result = next((result for result in document["questions"] if result["key"] == key), None)
    if result is None:
        raise Http404
    response = HttpResponse(plots.draw(result, document["confidence"], theme, width), content_type="image/svg+xml")
    patch_cache_control(response, private=True, max_age=FRESH)
    return response
