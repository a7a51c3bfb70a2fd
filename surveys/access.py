"""Who may do what: the one place that decides it. A view asks here, and answers 404 where the answer is no."""

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
    """The role of `user`, who may be anonymous, on `survey`; a superuser owns every survey."""
    if not user.is_authenticated or not user.is_active:
        return None
    if user.is_superuser:
        return Role.OWNER
    given = Membership.objects.filter(user=user, survey=survey).values_list("role", flat=True).first()
    return Role(given) if given else None


def has_role(user: Visitor, survey: Survey, needed: Role) -> bool:
    """Whether the role of `user` on `survey` is this one or one that covers it."""
    role = role_of(user, survey)
    return role is not None and role.covers(needed)


def surveys_of(user: Visitor, needed: Role = Role.VIEWER) -> SurveyQuerySet:
    """The surveys on which somebody was given this role or one that covers it, superusers too: a list of everybody's
    is the admin's."""
    roles = [role for role in Role if role.covers(needed)]
    # In one condition: in two, the role could be somebody else's.
    return Survey.objects.filter(memberships__user_id=user.pk or 0, memberships__role__in=roles)


def requires(needed: Role) -> Callable[[View], View]:
    """For a view of the studio, whose address names the survey by its number: `view(request, survey)` is called for
    people with this role or one that covers it. Others get 404, strangers the way to sign in."""

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
    """Whoever is signed in, behind the guard above."""
    assert isinstance(request.user, User)
    return request.user


# Results --------------------------------------------------------------------------------------------------------------


def may_see_results(user: Visitor, survey: Survey) -> bool:
    """Whether `user`, who may be anonymous, may see the estimates of `survey`: anybody where they are published, else
    who has a role on it."""
    return survey.results_public or has_role(user, survey, Role.VIEWER)


def may_take_microdata(user: Visitor, survey: Survey) -> bool:
    """Whether `user`, who may be anonymous, may take the randomized reports of `survey`: anybody where they are
    published, else researchers."""
    return survey.microdata_public or may_ask_for_microdata(user, survey)


def may_ask_for_microdata(user: Visitor, survey: Survey) -> bool:
    """Whether `user` may have files made of the randomized reports: researchers. Where these are published, the worker
    makes them by itself."""
    return has_role(user, survey, Role.RESEARCHER)


def may_still_have(job: Job, survey: Survey) -> bool:
    """Whether what somebody asked a worker for may be made: at that moment they are researchers, or anybody may have
    it. What the site itself asks for may."""
    by = job.asked_by
    return by is None or (isinstance(job, Export) and survey.microdata_public) or may_ask_for_microdata(by, survey)


def published_survey(slug: str) -> Survey:
    """The open or closed survey of a slug, for anybody; else Http404, without a reason that the API would repeat."""
    try:
        return Survey.objects.published(slug)
    except Survey.DoesNotExist:
        raise Http404 from None


def visible_survey(user: Visitor, slug: str) -> Survey:
    """The opened survey behind `slug`; Http404 if there is none or `user` may not know of its results."""
    survey = published_survey(slug)
    if not may_see_results(user, survey):
        raise Http404
    return survey


def visible_release(user: Visitor, slug: str, number: int | None) -> tuple[Survey, Release | None]:
    """The survey of `slug` and its release of this number, or the newest one, None where it has none yet.

    Http404 where `user` may not see them, and where no release has the number.
    """
    survey = visible_survey(user, slug)
    return survey, _release(survey, number)


def downloadable_release(user: Visitor, slug: str, number: int | None) -> tuple[Survey, Release | None]:
    """A release for whoever may see the results or take the microdata: each can be published without the other."""
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
    """The draft whose link for testers has this token, for anybody who has the link; else Http404."""
    survey = Survey.objects.filter(tryout_link__token=token, state=Survey.State.DRAFT).first()
    if survey is None:
        raise Http404
    return survey


# Programs -------------------------------------------------------------------------------------------------------------


def through(user: Visitor, token: Token | None, slug: str, scope: Scope) -> Visitor:
    """Who asks for something of the survey of `slug`: `user`, unless they came with a token that is not for this. It
    then opens what is open to anybody, and never more than its owner may open at this moment."""
    return user if token is None or token.reaches(slug, scope) else AnonymousUser()


def managed_survey(user: Visitor, token: Token | None, number: int, needed: Role) -> Survey:
    """The survey of a number in the studio, a draft or not, for people with this role or one that covers it. Http404
    for others, and where a token is for another survey."""
    survey = Survey.objects.filter(pk=number).first()
    if survey is None or not has_role(user, survey, needed) or not (token is None or token.is_for(survey)):
        raise Http404
    return survey


# The rest -------------------------------------------------------------------------------------------------------------


def may_read_metrics(authorization: str) -> bool:
    """Whether the header of a request holds METRICS_TOKEN. Nobody may where none is set."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(authorization.encode(), expected.encode())
