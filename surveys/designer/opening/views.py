"""Opening: the survey's protection, its expected results, the parts to be frozen, the terms, one button. Exactly the
displayed survey opens."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ldp.forms import lot, report
from ldp.forms.definition import questionnaire, weights
from ldp.planning.stopping import reports_needed, widening
from ldp.planning.thirds import CONFIDENCE
from ldp.question import Drawn
from ldp.scores import Target
from surveys.access import doer, requires
from surveys.designer.opening.readiness import readiness
from surveys.designer.privacy import arms, attention, changes, inputs, readers
from surveys.designer.privacy.inputs import people_of
from surveys.designer.privacy.questions import questions_of
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.designer.studio import review, versions
from surveys.designer.studio.effort.hint import hints
from surveys.designer.studio.pages import page
from surveys.designer.studio.terms import TermsInput
from surveys.figures import numerals
from surveys.figures.targets import target_of_query, usual_target
from surveys.life.lifecycle import DraftChanged, open_survey
from surveys.models import Role, Survey
from surveys.rules.context import Context
from surveys.survey.definition import DraftRefused
from surveys.survey.definition.document import Definition
from surveys.web import policies
from surveys.web.tabs import by_invitation

POINTS = (10, 5, 3, 2)
# The ratio of intervals at every release to those for one look hardly depends on n.
ROUNDS = 4


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def opening(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    if not survey.is_draft:
        if request.method == "POST":
            messages.warning(request, _("This survey had been opened already."))
        return redirect("survey", survey.pk)
    if request.method == "POST":
        return _open(request, survey)
    return _show(request, survey, TermsInput(survey, doer(request)))


def _open(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    form, digest = TermsInput(survey, doer(request), request.POST), request.POST.get("digest", "")
    if not form.is_valid():
        return _show(request, survey, form, 422)
    try:
        open_survey(survey, doer(request), digest or "none", form.terms())
    except (DraftChanged, DraftRefused):
        survey.refresh_from_db()
        return _show(request, survey, form, 409, changed=True)
    except ValueError:
        messages.warning(request, _("This survey had been opened already."))
        return redirect("survey", survey.pk)
    invited = by_invitation(survey)
    messages.success(
        request, _("The survey is open. Invite its people.") if invited else _("The survey is open. Share its link.")
    )
    return redirect("survey-share", survey.pk)


def _show(
    request: HttpRequest, survey: Survey, form: TermsInput, status: int = 200, changed: bool = False
) -> HttpResponse:
    openable, missing = review.look(survey)
    context: Context = {
        "form": form,
        "frozen": openable,
        "missing": missing,
        "changed": changed,
        "least": settings.BATCH,
        "fewest": settings.RELEASE_LEAST,
    }
    if openable:
        precisions, about = _precisions(survey, openable.definition), target_of_query(request.GET, survey.draft)
        ready, privacy = (
            readiness(survey, openable.definition, inputs.wishes(request.GET), about),
            _("People and protection"),
        )
        at = reverse("survey-alpha", args=[survey.pk])
        context |= {
            "precisions": precisions,
            "cautions": [*openable.warnings, *(review.Caution(each, privacy, at) for each in ready.concerns)],
            "ending": dict(precisions)[5],
            "ready": ready,
            "switch": inputs.switched(request.GET, survey.draft),
            "arms": arms.outlook(questions_of(survey), people_of(survey)),
            "anchored": attention.anchored(questions_of(survey), people_of(survey)),
            "changes": changes.changes(survey, questions_of(survey), request.user, people_of(survey)),
            "wish": inputs.wishes_query(request.GET),
            "hints": hints(openable.definition),
            "readers": readers.of_definition(survey, openable.definition),
        }
    response = page(request, survey, "designer/opening.html", context | versions.beside(survey, doer(request)))
    response.status_code = status
    response["Content-Security-Policy"] = policies.WITH_PREVIEW
    return response


def _precisions(survey: Survey, definition: Definition) -> list[tuple[int, str]]:
    """Return, for each precision in points, the expected number of reports that the hardest question needs."""
    chances, whole = lot.chances(weights(definition)), questionnaire(definition)
    planned = {question.key: question for question in questions_of(survey)}
    questions = [
        (planned[question["key"]], question, float(sum(chances[form] for form in whole.reports_about(question["key"]))))
        for question in report.alone(definition)
    ]
    rows = []
    for points in POINTS:
        needed = [_needed(*each, points / 100, usual_target(definition)) for each in questions]
        most = None if None in needed else max(filter(None, needed))
        rows.append((points, numerals.count_up(most) if most else ""))
    return rows


def _needed(planned: StudioQuestion, question: Drawn, part: float, wished: float, target: Target) -> int | None:
    """Return about how many reports, this part of which asks the question, reach the half-width in intervals that hold
    at every release; None if they never do."""
    if not planned.routed:
        n = reports_needed(question, wished, CONFIDENCE, target)
        return round(n / part) if n else None
    reports, factor = None, 1.0
    for _round in range(ROUNDS):
        reports = planned.about(target).people_needed(wished / factor, watched=True)
        if reports is None:
            return None
        factor = widening(question, reports * part, CONFIDENCE, target)
    return reports
