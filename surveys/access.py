"""Permissions: the one place that decides who may do what. A view asks here, and answers 404 if the answer is no."""

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
    """Return the role of `user`, who may be anonymous, on `survey`. A superuser owns every survey."""
    if not user.is_authenticated or not user.is_active:
        return None
    if user.is_superuser:
        return Role.OWNER
    given = Membership.objects.filter(user=user, survey=survey).values_list("role", flat=True).first()
    return Role(given) if given else None


def has_role(user: Visitor, survey: Survey, needed: Role) -> bool:
    """Return whether `user` has this role on `survey`, or one that covers it."""
    role = role_of(user, survey)
    return role is not None and role.covers(needed)


def surveys_of(user: Visitor, needed: Role = Role.VIEWER) -> SurveyQuerySet:
    """Return the surveys on which `user` has this role or one that covers it. A superuser gets no more here: the list
    of all surveys is in the administration."""
    roles = [role for role in Role if role.covers(needed)]
    # In one condition: in two, the role could be another user's.
    return Survey.objects.filter(memberships__user_id=user.pk or 0, memberships__role__in=roles)


def requires(needed: Role) -> Callable[[View], View]:
    """Guard a view of the studio whose URL has the survey's number: call `view(request, survey)` for users with this
    role or one that covers it. Other users get 404, visitors without an account the sign-in page."""

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
    """Return the signed-in user, behind the guard above."""
    assert isinstance(request.user, User)
    return request.user


# Results --------------------------------------------------------------------------------------------------------------


def may_see_results(user: Visitor, survey: Survey) -> bool:
    """Return whether `user`, who may be anonymous, may see the estimates of `survey`: anyone if they are published,
    else users with a role on it."""
    return survey.results_public or has_role(user, survey, Role.VIEWER)


def may_take_microdata(user: Visitor, survey: Survey) -> bool:
    """Return whether `user`, who may be anonymous, may download the randomized reports of `survey`: anyone if they are
    published, else researchers."""
    return survey.microdata_public or may_ask_for_microdata(user, survey)


def may_ask_for_microdata(user: Visitor, survey: Survey) -> bool:
    """Return whether `user` may request files of the randomized reports: researchers. If the reports are published, the
    worker makes the files without a request."""
    return has_role(user, survey, Role.RESEARCHER)


def may_still_have(job: Job, survey: Survey) -> bool:
    """Return whether a worker may do the job now: its user is still a researcher, or anyone may have the result, or the
    site itself requested it."""
    by = job.asked_by
    return by is None or (isinstance(job, Export) and survey.microdata_public) or may_ask_for_microdata(by, survey)


def published_survey(slug: str) -> Survey:
    """Return the open or closed survey of a slug, for anyone; else Http404, without a reason for the API to repeat."""
    try:
        return Survey.objects.published(slug)
    except Survey.DoesNotExist:
        raise Http404 from None


def visible_survey(user: Visitor, slug: str) -> Survey:
    """Return the opened survey behind `slug`; Http404 if there is none or `user` may not see its results."""
    survey = published_survey(slug)
    if not may_see_results(user, survey):
        raise Http404
    return survey


def visible_release(user: Visitor, slug: str, number: int | None) -> tuple[Survey, Release | None]:
    """Return the survey of `slug` and its release of this number, or its newest release, or None if it has none yet.

    Http404 if `user` may not see them, and if no release has the number.
    """
    survey = visible_survey(user, slug)
    return survey, _release(survey, number)


def downloadable_release(user: Visitor, slug: str, number: int | None) -> tuple[Survey, Release | None]:
    """Return a release for users who may see results or microdata: each can be published without the other."""
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
    """Return the draft whose link for testers has this token, for anyone with the link; else Http404."""
    survey = Survey.objects.filter(tryout_link__token=token, state=Survey.State.DRAFT).first()
    if survey is None:
        raise Http404
    return survey


# Tokens ---------------------------------------------------------------------------------------------------------------


def through(user: Visitor, token: Token | None, slug: str, scope: Scope) -> Visitor:
    """Return `user`, or an anonymous user if the request's token is not for this survey and scope. A token opens no
    more than its owner may open at this moment, and no less than is open to anyone."""
    return user if token is None or token.reaches(slug, scope) else AnonymousUser()


def managed_survey(user: Visitor, token: Token | None, number: int, needed: Role) -> Survey:
    """Return the survey of a number, a draft or not, for users with this role or one that covers it. Http404 for
    others, and if the token is for another survey."""
    survey = Survey.objects.filter(pk=number).first()
    if survey is None or not has_role(user, survey, needed) or not (token is None or token.is_for(survey)):
        raise Http404
    return survey


# The rest -------------------------------------------------------------------------------------------------------------


def may_run_site(user: Visitor) -> bool:
    """Return whether the user is an owner of the site, who hears of its machine's troubles."""
    return user.is_active and user.is_superuser


def may_read_metrics(authorization: str) -> bool:
    """Return whether the header of a request holds METRICS_TOKEN. If none is set, no one may read the metrics."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(authorization.encode(), expected.encode())
