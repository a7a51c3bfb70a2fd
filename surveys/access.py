"""Permissions. Only this module decides who may do what. A view asks it, and answers 404 if the answer is no."""

import hmac
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponseBase

from surveys.models import Export, Membership, Release, Role, Scope, Survey, Token
from surveys.models.jobs import Job
from surveys.models.survey import SurveyQuerySet

Visitor = User | AnonymousUser
View = Callable[..., HttpResponseBase]


# Roles ----------------------------------------------------------------------------------------------------------------


def role_of(user: Visitor, survey: Survey) -> Role | None:
    """Return the role of `user`, perhaps anonymous, on `survey`. A superuser owns every survey."""
    if not user.is_authenticated or not user.is_active:
        return None
    if user.is_superuser:
        return Role.OWNER
    given = Membership.objects.filter(user=user, survey=survey).values_list("role", flat=True).first()
    return Role(given) if given else None


def has_role(user: Visitor, survey: Survey, needed: Role) -> bool:
    """Return whether `user` has this role on `survey`, or a role that covers it."""
    role = role_of(user, survey)
    return role is not None and role.covers(needed)


def surveys_of(user: Visitor, needed: Role = Role.VIEWER) -> SurveyQuerySet:
    """Return the surveys on which `user` has this role, or a role that covers it. A superuser gets no others here; the
    administration lists all surveys."""
    roles = [role for role in Role if role.covers(needed)]
    # One condition for both; with two conditions, the role could be another user's.
    return Survey.objects.filter(memberships__user_id=user.pk or 0, memberships__role__in=roles)


def requires(needed: Role) -> Callable[[View], View]:
    """Guard a view of the studio whose URL has the survey's number. Users with this role, or a role that covers it, get
    `view(request, survey)`. Other users get 404, other visitors the sign-in page."""

    def decorate(view: View) -> View:
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, number: int, *args: Any, **options: Any) -> HttpResponseBase:
            survey = Survey.objects.filter(pk=number).first()
            if survey is None or not has_role(request.user, survey, needed):
                raise Http404
            return view(request, survey, *args, **options)

        guarded.needed_role = needed  # type: ignore[attr-defined]
        return guarded

    return decorate


def doer(request: HttpRequest) -> User:
    """Return the signed-in user. Use it behind the guard above."""
    assert isinstance(request.user, User)
    return request.user


# Results --------------------------------------------------------------------------------------------------------------


def may_see_results(user: Visitor, survey: Survey) -> bool:
    """Return whether `user`, perhaps anonymous, may see the estimates of `survey`: anyone if they are public, else
    users with a role on it."""
    return survey.results_public or has_role(user, survey, Role.VIEWER)


def may_take_microdata(user: Visitor, survey: Survey) -> bool:
    """Return whether `user`, perhaps anonymous, may download the randomized reports of `survey`: anyone if they are
    public, else researchers."""
    return survey.microdata_public or may_ask_for_microdata(user, survey)


def may_ask_for_microdata(user: Visitor, survey: Survey) -> bool:
    """Return whether `user` may request files of the randomized reports. Researchers may. The worker makes files of
    public reports without a request."""
    return has_role(user, survey, Role.RESEARCHER)


def may_still_have(job: Job, survey: Survey) -> bool:
    """Return whether a worker may do the job now. Its user must still be a researcher, unless anyone may have the
    result or the site requested it."""
    by = job.asked_by
    return by is None or (isinstance(job, Export) and survey.microdata_public) or may_ask_for_microdata(by, survey)


def published_survey(slug: str) -> Survey:
    """Return the open or closed survey with this slug, for anyone. Raise Http404 without a reason to repeat."""
    try:
        return Survey.objects.published(slug)
    except Survey.DoesNotExist:
        raise Http404 from None


def visible_survey(user: Visitor, slug: str) -> Survey:
    """Return the opened survey with this slug. Raise Http404 if there is none or `user` may not see its results."""
    survey = published_survey(slug)
    if not may_see_results(user, survey):
        raise Http404
    return survey


def visible_release(user: Visitor, slug: str, number: int | None) -> tuple[Survey, Release | None]:
    """Return the survey with this slug, and its release of this number, by default the newest, or None.

    Raise Http404 if `user` may not see them, or no release has the number.
    """
    survey = visible_survey(user, slug)
    return survey, _release(survey, number)


def downloadable_release(user: Visitor, slug: str, number: int | None) -> tuple[Survey, Release | None]:
    """Return a release to users who may see results or take microdata. Each can be public without the other."""
    survey = published_survey(slug)
    if not (may_see_results(user, survey) or may_take_microdata(user, survey)):
        raise Http404
    return survey, _release(survey, number)


def _release(survey: Survey, number: int | None) -> Release | None:
    if number is None:
        return Release.objects.readable(survey).last()
    release = Release.objects.readable(survey).filter(number=number).first()
    if release is None:
        raise Http404
    return release


def tested_draft(token: str) -> Survey:
    """Return the draft whose testers' link has this token, for anyone. Raise Http404 if there is none."""
    survey = Survey.objects.filter(tryout_link__token=token, state=Survey.State.DRAFT).first()
    if survey is None:
        raise Http404
    return survey


# Tokens ---------------------------------------------------------------------------------------------------------------


def through(user: Visitor, token: Token | None, slug: str, scope: Scope) -> Visitor:
    """Return `user`, or an anonymous user if the request's token is not for this survey and scope. A token allows no
    more than its owner may do now, and no less than anyone may do."""
    return user if token is None or token.reaches(slug, scope) else AnonymousUser()


def managed_survey(user: Visitor, token: Token | None, number: int, needed: Role) -> Survey:
    """Return the survey with this number, draft or not, to users with this role or a role that covers it. Raise Http404
    for others, or if the token is for another survey."""
    survey = Survey.objects.filter(pk=number).first()
    if survey is None or not has_role(user, survey, needed) or not (token is None or token.is_for(survey)):
        raise Http404
    return survey


# The rest -------------------------------------------------------------------------------------------------------------


def may_run_site(user: Visitor) -> bool:
    """Return whether the user is an owner of the site, who sees its machine's troubles."""
    return user.is_active and user.is_superuser


def may_read_metrics(authorization: str) -> bool:
    """Return whether a request's header has METRICS_TOKEN. Without a METRICS_TOKEN no one may read the metrics."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(authorization.encode(), expected.encode())
