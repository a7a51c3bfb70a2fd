"""Who may see what."""

from django.contrib.auth.models import AnonymousUser, User

from surveys.models import Survey

Visitor = User | AnonymousUser


def may_see_results(user: Visitor, survey: Survey) -> bool:
    """Whether `user`, who may be anonymous, may see the estimates of `survey`: anybody where they are published, else
    who may look at surveys. A staff account alone is no permission."""
    rights = ("surveys.view_survey", "surveys.change_survey")
    return survey.results_public or any(user.has_perm(right) for right in rights)
