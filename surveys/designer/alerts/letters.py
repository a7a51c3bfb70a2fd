"""Emails with alerts for users with an account. Their language is the one at subscription."""

from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from surveys.figures import numerals
from surveys.models import Alert, AlertReader

Kind = Alert.Kind


class AlertLetter(NamedTuple):
    subject: str
    text: str


def letter(alert: Alert, language: str) -> AlertLetter:
    survey = alert.survey
    with override(language):
        title = survey.title or gettext("Untitled survey")
        page = "survey-progress" if alert.kind == Kind.TROUBLE else "survey"
        lines = [
            *_lines(alert),
            settings.STAFF_URL + reverse(page, args=[survey.pk]),
            gettext(
                "You get this because you asked for alerts about this survey. Alerts come on the hour, and none is "
                "about a single report. To stop them:"
            ),
            settings.STAFF_URL + reverse("survey-alerts", args=[survey.pk]),
        ]
        return AlertLetter(f"{title}: {_what(alert.kind)}", "\n\n".join(lines) + "\n")


def question(reader: AlertReader, token: str) -> AlertLetter:
    """Return the email that asks the owner of an email address to confirm alerts."""
    with override(reader.language):
        title = reader.survey.title or gettext("Untitled survey")
        lines = [
            gettext("The account “%(name)s” wants to get alerts about the survey “%(title)s” at this email address.")
            % {"name": reader.user.get_username(), "title": title},
            gettext("If it was you, follow this link and confirm it:"),
            f"{settings.STAFF_URL}{reverse('survey-alerts-confirm', args=[reader.survey.pk])}?token={token}",
            gettext("If not, do nothing: no more emails come."),
        ]
        return AlertLetter(gettext("Is this your email address?"), "\n\n".join(lines) + "\n")


def _what(kind: str) -> str:
    return {
        Kind.OPENED: gettext("the survey is open"),
        Kind.FIRST_RELEASE: gettext("the first results are there"),
        Kind.PRECISION: gettext("the results are precise enough"),
        Kind.ENDED: gettext("the survey has ended"),
        Kind.TROUBLE: gettext("something is wrong"),
    }[Kind(kind)]


def _lines(alert: Alert) -> list[str]:
    """Return the email's lines. The survey's title is in the subject."""
    if alert.kind == Kind.TROUBLE:
        return [_trouble(alert.data["trouble"])]
    if alert.kind == Kind.OPENED:
        return [gettext("The survey is open for answers.")]
    release = alert.data.get("release")
    if release is None:
        return [
            gettext(
                "The survey has ended with fewer than %(least)s reports. Nothing is published, and they are deleted."
            )
            % {"least": numerals.count(alert.data["fewer_than"])}
        ]
    sentence = {
        Kind.FIRST_RELEASE: gettext("The survey has its first results."),
        Kind.PRECISION: gettext("Every result is as precise as the survey waited for."),
        Kind.ENDED: gettext("The survey has ended, and its last results are available."),
    }[Kind(alert.kind)]
    number = ngettext("They are of %(n)s report.", "They are of %(n)s reports.", release["n"])
    return [f"{sentence} {number % {'n': numerals.count(release['n'])}}"]


def _trouble(trouble: str) -> str:
    return {
        "estimates": gettext("Computing the estimates of a release has failed several times."),
        "counting": gettext("Counting the waiting reports has failed several times."),
        "behind": gettext(
            "The worker is behind: for more than five minutes, some work has always been overdue. Nothing is lost, "
            "but results come later than usual."
        ),
    }[trouble]
