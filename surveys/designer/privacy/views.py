"""A survey's protection and its costs: all questions with their forms, and single questions.

Variants are in the URL; `drafts` stores changes. An open survey shows the same pages, read-only.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from ldp.forms.definition import arms_of
from ldp.scores import Target
from surveys.access import doer, requires
from surveys.designer.privacy import (
    arms,
    attention,
    changes,
    inputs,
    plan_fields,
    plot,
    prices,
    proposal,
    readers,
    scales,
    storage,
    wishes,
)
from surveys.designer.privacy import context as alpha_context
from surveys.designer.privacy.actions import act
from surveys.designer.privacy.cards import cards, total_context
from surveys.designer.privacy.inputs import SLIDER, PlanInput, batch_of, people_of
from surveys.designer.privacy.precision import precision
from surveys.designer.privacy.questions import planned_questions, question_in_form, questions_of, within_budget
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.studio import participation, waves
from surveys.designer.studio.pages import page
from surveys.drafts import history, proposals, protection
from surveys.drafts.arms import hindrance
from surveys.drafts.normalize import normalized
from surveys.figures import numerals, strengths
from surveys.figures.bounds import nearness
from surveys.figures.targets import planned_about, target_of_query
from surveys.models import Role, Survey
from surveys.models.release import first_release
from surveys.researcher.analyses.registry import ANALYSES
from surveys.rules.context import Context
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Unchecked
from surveys.web.fragments import HEADER, fragments, wants_fragments


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def alpha(request: HttpRequest, survey: Survey) -> HttpResponse:
    target, name = target_of_query(request.GET, document_of(survey)), request.GET.get("question")
    questions = [question.about(target) for question in questions_of(survey)]
    question = None if name is None else question_in_form(questions, name, request.GET.get("form", ""))
    if "question" in request.GET and question is None:
        raise Http404
    if question is None:
        questions = within_budget(questions)
    if request.method == "POST":
        response = act(request, survey, questions, question)
        return response if question or not wants_fragments(request) else _changed(request, survey)
    response = _question_page(request, survey, questions, question) if question else _all(request, survey, questions)
    # One URL gives a part and the whole page.
    patch_vary_headers(response, [HEADER])
    return response


def _all(request: HttpRequest, survey: Survey, questions: list[StudioQuestion]) -> HttpResponse:
    context = _context(request, survey, questions)
    context["wish"] = inputs.wishes_query(request.GET)
    context |= _what_would_show(questions, request.GET, context["n"])
    if survey.is_draft:
        context |= _planning(request, survey, questions, context["whole"])
        context |= participation.context(survey, doer(request))
    return page(request, survey, "designer/alpha.html", context)


def _what_would_show(questions: list[StudioQuestion], data: QueryDict, n: int) -> Context:
    """Return the forms for the question "what would show", with the answers."""
    outlooks = [(analysis.planning_template, analysis.outlook(questions, data, n)) for analysis in ANALYSES.values()]
    return {
        "outlooks": [(template, outlook) for template, outlook in outlooks if outlook],
        "unplanned": [question.text for question in questions if question.routed],
    }


def _changed(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the forms after a change, for a script."""
    survey.refresh_from_db()
    sentences = " ".join(str(message) for message in messages.get_messages(request))
    shown = {"survey": survey, "said": sentences, "undoable": history.last(survey, doer(request))}
    context = shown | _context(request, survey, within_budget(questions_of(survey)))
    return fragments(request, "designer/alpha_changed.html", context)


def _context(request: HttpRequest, survey: Survey, questions: list[StudioQuestion]) -> Context:
    """Return the context of designer/alpha_forms.html: all questions with their forms, and totals."""
    n, together = people_of(survey), total_context(questions)
    document = document_of(survey)
    return {
        "cards": cards(questions, n, first_release(batch_of(survey))[0]),
        "whole": together,
        "wave": waves.sentence(survey.draft, together.get("factor"), together.get("delta", Fraction(0))),
        "readers": readers.outlook(survey),
        "n": n,
        "about": planned_about(target_of_query(request.GET, document), bool(document.get("forms"))),
        "switch": inputs.switched(request.GET, document),
        "people": numerals.integer(n),
        "precise": wishes.precise(questions),
        "at_best": wishes.precise_at_best(questions) if survey.is_draft else "",
        "count": len(questions),
        "arms": arms.outlook(questions, n),
        "anchored": attention.anchored(questions, n),
        "changes": changes.changes(survey, questions, request.user, n),
        "undecided": [question for question in questions if not question.decided],
        "scales": scales.scale_targets(questions, n, normalized(survey.draft)) if survey.is_draft else [],
        "forms_mark": storage.forms_mark(normalized(survey.draft)),
        "precision": precision(survey) if survey.is_draft else None,
    } | _editing(request, survey)


def document_of(survey: Survey) -> Mapping[str, Any]:
    return survey.draft if survey.is_draft else survey.definition


def _editing(request: HttpRequest, survey: Survey) -> Context:
    return {"editable": survey.is_draft}


def _planning(request: HttpRequest, survey: Survey, questions: list[StudioQuestion], shown: Context) -> Context:
    """Return the form for a designer's brief, with the proposal on request or if nothing has been decided."""
    planned = proposal.plannable(questions)
    context: Context = {"mark": storage.draft_mark(normalized(survey.draft))}
    left = protection.total(normalized(survey.draft))
    form = PlanInput(request.GET, planned, survey, decimal(left) if left else shown.get("total", proposals.BEGINNING))
    context |= {"form": form, "query": request.GET.urlencode()} | plan_fields.context(form)
    if not planned:
        return context
    if ("plan" in request.GET or not shown) and form.is_valid():
        priced = "prices" in request.GET
        asked_for = request.GET.copy()
        asked_for["plan"] = asked_for["prices"] = "1"
        context |= _proposed(survey, planned, questions, form, priced) | {"priced_query": asked_for.urlencode()}
    return context


def _proposed(
    survey: Survey, planned: list[StudioQuestion], questions: list[StudioQuestion], form: PlanInput, priced: bool
) -> Context:
    try:
        offered = proposal.offer(questions, form.brief)
    except ValueError:
        return {"impossible": True, "versions": any(arms_of([q.draft for q in planned], q.key) for q in planned)}
    draft, target = normalized(survey.draft), offered.brief.target
    return {
        "offered": offered,
        "answer": proposal.answer(offered),
        "lines": proposal.lines(planned, offered),
        "proposed_forms": proposal.forms(planned, offered),
        "uncrossed": proposal.uncrossed(planned, offered),
        "before_the_end": proposal.before_the_end(offered),
        "people_proposed": wishes.precise_proposal(offered),
        "nearness": nearness(offered.proposal.efficiency),
        "preview": total_context(_preview(survey, offered, target)),
        "missed": list(wishes.missed(planned, offered)),
        "without_result": [] if offered.outcome.nothing else wishes.without_result(planned, offered),
        "wished": any(each.wished for each in offered.brief.questions),
        "total": decimal(offered.brief.total),
        "expected": numerals.integer(offered.brief.n),
        "left_out": len(questions) - len(planned),
        "prices": prices.price_list(planned, offered, draft) if priced else [],
    }


def _preview(survey: Survey, offered: proposal.ProposalOffer, target: Target) -> list[StudioQuestion]:
    """Return the survey's questions as the proposal would change them. Nothing is stored."""
    draft = normalized(survey.draft)
    proposals.take(draft, offered.proposal.design)
    return within_budget(planned_questions(cast(Unchecked, draft), target))


def _question_page(
    request: HttpRequest, survey: Survey, questions: list[StudioQuestion], question: StudioQuestion
) -> HttpResponse:
    context: Context = (
        {"question": question} | alpha_context.context(request, survey, question, questions) | _editing(request, survey)
    )
    context["switch"] = inputs.switched(request.GET, document_of(survey))
    if wants_fragments(request):
        return fragments(request, "designer/alpha_figures.html", {"survey": survey} | context)
    steps = [strengths.of_question(Fraction(stop)).name for stop in SLIDER]
    context["may_vary"] = survey.is_draft and not hindrance(normalized(survey.draft), question.key)
    context |= {"slider": SLIDER, "track": plot.track(steps)} | _neighbours(questions, question)
    return page(request, survey, "designer/alpha_question.html", context)


def _neighbours(questions: list[StudioQuestion], question: StudioQuestion) -> Context:
    place = question.place - 1
    before, after = questions[:place][-1:], questions[place + 1 :][:1]
    return {"before": before[0] if before else None, "after": after[0] if after else None, "count": len(questions)}
