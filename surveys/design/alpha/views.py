"""What alpha means, buys and costs: of a survey's questions together, and of one of them at a time.

What somebody tries is in the address; what is saved goes through drafts. An opened survey shows the same, read-only.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_http_methods

from surveys.access import requires
from surveys.design import meaning
from surveys.design.alpha import context as alpha_context
from surveys.design.alpha import plot, storage, totals
from surveys.design.alpha.actions import act
from surveys.design.alpha.forms import SLIDER, Split, people_of
from surveys.design.alpha.questions import Question, find_question, questions_of, within_budget
from surveys.design.pages import page
from surveys.figures import numerals
from surveys.models import Role, Survey
from surveys.operation.fragments import HEADER, fragments, wants_fragments

Data = dict[str, Any]


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def alpha(request: HttpRequest, survey: Survey) -> HttpResponse:
    questions = questions_of(survey)
    question = find_question(questions, request.GET["question"]) if "question" in request.GET else None
    if "question" in request.GET and question is None:
        raise Http404
    if question is None:
        questions = within_budget(questions)
    if request.method == "POST":
        return act(request, survey, questions, question)
    response = _one(request, survey, questions, question) if question else _all(request, survey, questions)
    # The same address gives a part and the whole.
    patch_vary_headers(response, [HEADER])
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _all(request: HttpRequest, survey: Survey, questions: list[Question]) -> HttpResponse:
    n, whole = people_of(survey), totals.whole(questions)
    context = {
        "rows": [] if "how" in request.GET else totals.rows(questions, n),
        "whole": whole,
        "n": n,
        "people": numerals.whole(n),
    } | _editing(request, survey)
    return page(request, survey, "design/alpha.html", context | _split(request, questions, n, whole))


def _editing(request: HttpRequest, survey: Survey) -> Data:
    return {"editable": survey.is_draft}


def _split(request: HttpRequest, questions: list[Question], n: int, whole: Data) -> Data:
    """What a total would make of the questions, as soon as somebody has asked."""
    parts, chosen = totals.parts(questions), "how" in request.GET
    if not parts:
        return {}
    form = Split(request.GET, parts, whole.get("total", str(len(parts))))
    valid = form.is_valid()
    split, stretched = totals.divided(form, n) if valid and chosen else (None, None)
    return {
        "form": form,
        "shares": totals.shares(form, split, n) if chosen else [],
        "split": split,
        "remark": totals.remark(stretched),
        "blind": totals.blind(len(parts), form.cleaned_data["total"], n) if valid else {},
        "mark": storage.draft_mark(questions),
    }


def _one(request: HttpRequest, survey: Survey, questions: list[Question], question: Question) -> HttpResponse:
    context: Data = (
        {"question": question} | alpha_context.context(request, survey, question) | _editing(request, survey)
    )
    if wants_fragments(request):
        return fragments(request, "design/alpha_figures.html", {"survey": survey} | context)
    steps = [meaning.step_of(stop).name for stop in SLIDER]
    context |= {"slider": SLIDER, "track": plot.track(steps)} | _neighbours(questions, question)
    return page(request, survey, "design/alpha_question.html", context)


def _neighbours(questions: list[Question], question: Question) -> Data:
    place = questions.index(question)
    before, after = questions[:place][-1:], questions[place + 1 :][:1]
    return {"before": before[0] if before else None, "after": after[0] if after else None, "count": len(questions)}
