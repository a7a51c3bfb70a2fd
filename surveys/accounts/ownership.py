"""No survey loses its last owner when accounts are deleted, in the administration or by a command. members.py has the
same rule for roles."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.db.models.deletion import ProtectedError
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from surveys.models import Membership, Role, Survey
from surveys.models.survey import SurveyQuerySet


def left_alone(users: Iterable[User]) -> SurveyQuerySet:
    """Return the surveys owned by these users alone."""
    owned = Membership.objects.filter(survey=OuterRef("pk"), role=Role.OWNER)
    theirs, others = owned.filter(user__in=users), owned.exclude(user__in=users)
    return Survey.objects.filter(Exists(theirs), ~Exists(others)).order_by("pk")


def sentence(survey: Survey) -> str:
    """Return a sentence that tells the user to name another owner first, with a link."""
    return format_html(
        _('The survey <a href="{}">“{}”</a> would have no owner. First make someone else its owner, or delete it.'),
        reverse("team", args=[survey.pk]),
        survey.title or _("Untitled survey"),
    )


@receiver(pre_delete, sender=User, dispatch_uid="surveys.ownership.lock")
def _lock(instance: User, **options: Any) -> None:
    """Lock the memberships of the account's surveys. No other owner can leave until the account is deleted."""
    owned = Membership.objects.filter(user=instance, role=Role.OWNER).values("survey")
    list(Membership.objects.filter(survey__in=owned).select_for_update().order_by("pk"))


@receiver(post_delete, sender=Membership, dispatch_uid="surveys.ownership.refuse")
def _refuse(instance: Membership, origin: Any, **options: Any) -> None:
    """Refuse to delete an account that is a last owner. Django deletes its roles first; the error undoes that."""
    ends = isinstance(origin, User) or getattr(origin, "model", None) is User
    if not ends or instance.role != Role.OWNER:
        return
    if not Membership.objects.filter(survey=instance.survey_id, role=Role.OWNER).exists():
        raise ProtectedError("This account is the last owner of a survey.", {instance})
