"""Who may do what: the one place that decides it. A view asks here, and answers 404 where the answer is no."""

import hmac

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404

from surveys.models import Release, Survey

Visitor = User | AnonymousUser


def may_see_results(user: Visitor, survey: Survey) -> bool:
    """Whether `user`, who may be anonymous, may see the estimates of `survey`: anybody where they are published, else
    who may look at surveys. A staff account alone is no permission."""
    rights = ("surveys.view_survey", "surveys.change_survey")
    return survey.results_public or any(user.has_perm(right) for right in rights)


def may_read_metrics(authorization: str) -> bool:
    """Whether the header of a request holds METRICS_TOKEN. Nobody may where none is set."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(authorization.encode(), expected.encode())


def may_be_edited(survey: Survey) -> bool:
    """Whether its draft may be changed or deleted, by whoever has that right. What was opened is kept."""
    return survey.is_draft


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
    if number is None:
        return survey, Release.objects.readable(survey).last()
    release = Release.objects.readable(survey).filter(number=number).first()
    if release is None:
        raise Http404
    return survey, release
