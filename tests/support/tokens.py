"""People with a role, and clients with their tokens."""

from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts import tokens
from surveys.models import Membership, Role, Scope, Survey


def member(survey: Survey, role: Role | str = Role.RESEARCHER, name: str = "ada") -> User:
    user, _ = User.objects.get_or_create(username=name)
    Membership.objects.create(survey=survey, user=user, role=role)
    return user


def token(user: User, *scopes: Scope, survey: Survey | None = None, days: int = 30) -> str:
    """Return the text of a new token, by default for results."""
    _, text = tokens.make(user, "for a test", list(scopes) or [Scope.RESULTS], days, survey)
    return text


def carrying(text: str) -> Client:
    return Client(headers={"authorization": f"Bearer {text}"})
