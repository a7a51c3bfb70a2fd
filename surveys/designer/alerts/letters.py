"""Emails with alerts, to users with an account, in the language in which they subscribed."""

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
                "You get this because you asked for alerts of this survey. They come at full hours, and never tell of "
                "a single report. To get no more of them:"
            ),
            settings.STAFF_URL + reverse("survey-alerts", args=[survey.pk]),
        ]
        return AlertLetter(f"{title}: {_what(alert.kind)}", "\n\n".join(lines) + "\n")


def question(reader: AlertReader, token: str) -> AlertLetter:
    """The email that asks the owner of an email address to confirm alerts."""
    with override(reader.language):
        title = reader.survey.title or gettext("Untitled survey")
        lines = [
            gettext("Somebody with the account “%(name)s” wants alerts of the survey “%(title)s” at this address.")
            % {"name": reader.user.get_username(), "title": title},
            gettext("If it was you, follow this link and confirm it:"),
            f"{settings.STAFF_URL}{reverse('survey-alerts-confirm', args=[reader.survey.pk])}?token={token}",
            gettext("If not, there is nothing to do: no more mail comes."),
        ]
        return AlertLetter(gettext("Is this your address?"), "\n\n".join(lines) + "\n")


def _what(kind: str) -> str:
    return {
        Kind.OPENED: gettext("the survey is open"),
        Kind.FIRST_RELEASE: gettext("the first results are there"),
        Kind.PRECISION: gettext("the results are precise enough"),
        Kind.ENDED: gettext("the survey has ended"),
        Kind.TROUBLE: gettext("something is wrong"),
    }[Kind(kind)]


def _lines(alert: Alert) -> list[str]:
    """The title is in the subject."""
    if alert.kind == Kind.TROUBLE:
        return [_trouble(alert.data["trouble"])]
    if alert.kind == Kind.OPENED:
        return [gettext("The survey takes answers.")]
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
        Kind.ENDED: gettext("The survey has ended, and its last results are there."),
    }[Kind(alert.kind)]
    number = ngettext("They are of %(n)s report.", "They are of %(n)s reports.", release["n"])
    return [f"{sentence} {number % {'n': numerals.count(release['n'])}}"]


def _trouble(trouble: str) -> str:
    return {
        "estimates": gettext("The estimates of a release could not be made so far, after several attempts."),
        "counting": gettext("Waiting reports could not be counted so far, after several attempts."),
        "behind": gettext(
            "The worker is behind: for more than five minutes, some work has always been overdue. Nothing is lost, "
            "but results come later than usual."
        ),
    }[trouble]
