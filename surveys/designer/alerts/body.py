"""The JSON posted to a webhook: a type, a time and data. The API's description is generated from these types."""

import json
from typing import Annotated, Literal, NotRequired, TypedDict, cast

from django.conf import settings
from django.urls import reverse

from surveys.models import Alert, Delivery, Survey

AlertType = Literal[
    "survey.opened", "survey.first_release", "survey.precision_reached", "survey.ended", "survey.trouble", "test"
]
TEST: AlertType = "test"


class ReleaseFacts(TypedDict):
    """A release."""

    number: int
    day: Annotated[str, "Of the release (UTC).", {"format": "date"}]
    n: Annotated[int, "Reports in it, of all forms together."]
    final: Annotated[bool, "Whether the survey had ended and every report was taken."]


class SurveyFacts(TypedDict):
    """The survey, by its number in the studio."""

    number: int
    title: str
    slug: Annotated[str | None, "Null for a draft, which only test alerts are about."]
    url: Annotated[str, "Its page in the studio.", {"format": "uri"}]


class AlertData(TypedDict):
    """The survey and release that an alert is about."""

    survey: SurveyFacts
    release: NotRequired[Annotated[ReleaseFacts | None, "Null where a survey ended with too few reports to publish."]]
    fewer_than: NotRequired[Annotated[int, "How many reports it would have taken then."]]
    trouble: NotRequired[
        Annotated[
            Literal["estimates", "counting", "behind"],
            "A release's estimates, or the counting of reports, keep failing; or the worker has been behind for more "
            "than five minutes.",
        ]
    ]


class AlertBody(TypedDict):
    """An alert. It is sent once; a repeated attempt has the same `webhook-id`."""

    type: Annotated[AlertType, "What happened."]
    timestamp: Annotated[str, "The day (UTC) on which it was noticed, as its first moment.", {"format": "date-time"}]
    data: AlertData


def body(delivery: Delivery) -> AlertBody:
    alert = delivery.alert
    survey = alert.survey if alert else delivery.receiver.survey
    data = cast(AlertData, {"survey": _survey(survey)} | (alert.data if alert else {}))
    return {"type": _type(alert), "timestamp": _time(delivery), "data": data}


def encoded(delivery: Delivery) -> bytes:
    """Return the body as bytes. Every attempt sends the same bytes unless the survey's title changes."""
    return json.dumps(body(delivery), ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def _type(alert: Alert | None) -> AlertType:
    return cast(AlertType, alert.kind) if alert else TEST


def _time(delivery: Delivery) -> str:
    return f"{delivery.alert.day if delivery.alert else delivery.day}T00:00:00Z"


def _survey(survey: Survey) -> SurveyFacts:
    url = settings.STAFF_URL + reverse("survey", args=[survey.pk])
    return {"number": survey.pk, "title": survey.title, "slug": survey.slug, "url": url}
