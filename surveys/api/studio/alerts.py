"""The API of a survey's webhooks: list, create, delete and test them. For designers."""

from typing import Annotated, TypedDict

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.documents import like
from surveys.api.problems import Refusal
from surveys.api.studio.fields import DAY
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import changes, number, reads
from surveys.designer.alerts import addresses, receivers
from surveys.models import Delivery, Survey, Webhook

TAG = "Alerts"
SHOWN = 20  # deliveries of each webhook
WEBHOOK = number("webhook", "Of the list of webhooks.", 3)
DELIVERY = OpenApiParameter(
    "delivery",
    {"type": "string", "pattern": "^msg_[A-Za-z0-9_-]{24}$", "examples": ["msg_2KWPBgLlAfxdpx2AI54pPJ85"]},
    OpenApiParameter.PATH,
    description="The `id` of a delivery.",
)
_URL = {"format": "uri"} | like("https://www.example.org/deniable")


class NewWebhook(TypedDict):
    url: Annotated[
        str, "An https URL without name, password and fragment, which does not lead into a private network.", _URL
    ]


class DeliveryLine(TypedDict):
    id: Annotated[str, "The header webhook-id.", like("msg_2KWPBgLlAfxdpx2AI54pPJ85")]
    type: Annotated[str, like("survey.first_release")]
    day: Annotated[str, "The day of the last try (UTC).", DAY]
    state: Annotated[str, {"enum": list(Delivery.State)} | like("sent")]
    status: Annotated[int | None, "The receiver's status for the last try; null without an answer.", like(204)]
    attempts: Annotated[int, like(1)]


class WebhookDocument(TypedDict):
    number: Annotated[int, "The number in the URL that removes it.", like(3)]
    url: Annotated[str, _URL]
    day: Annotated[str, "The day on which it was added (UTC).", DAY]
    by: Annotated[str | None, "The name of the account that added it. It ends with that account's role.", like("ada")]
    gone: Annotated[bool, "Whether it answered 410: then the site stops posting to it."]
    deliveries: Annotated[list[DeliveryLine], "The newest first."]


class WebhooksDocument(TypedDict):
    webhooks: list[WebhookDocument]


class CreatedWebhook(WebhookDocument):
    secret: Annotated[str, "The key of the signatures: whsec_ and base64.", like(f"whsec_{'A' * 43}=")]


class WebhooksView(Studio):
    @reads(
        "webhooks",
        "Its webhooks",
        "With the newest deliveries to each, by day.",
        "The webhooks.",
        tag=TAG,
    )
    def get(self, request: Request, survey: Survey) -> WebhooksDocument:
        return _listed(survey)

    @changes(
        "add_webhook",
        "Add a webhook",
        "The site posts alerts to it from then on; “webhooks” in this description describes them. At most "
        f"{receivers.WEBHOOKS_MOST} of a survey.",
        "The webhook, with its secret, shown only this once.",
        tag=TAG,
        status=201,
        keyed=True,
        secret=True,
        refused=[409, 422],
    )
    def post(self, request: Request, survey: Survey, wanted: NewWebhook) -> CreatedWebhook:
        try:
            made, secret = receivers.add_webhook(survey, self.person(request), wanted["url"])
        except addresses.WebhookRefused as refusal:
            raise Refusal(422, "webhook_address", f"“url”: {refusal}.") from None
        except receivers.TooManyWebhooks:
            raise Refusal(409, "webhooks_most", "The survey has as many webhooks as it may have.") from None
        return {**_document(made), "secret": secret}


class WebhookView(Studio):
    @changes(
        "remove_webhook",
        "Remove a webhook",
        "The site stops posting to it.",
        "The remaining webhooks.",
        tag=TAG,
        parameters=[WEBHOOK],
    )
    def delete(self, request: Request, survey: Survey, webhook: int) -> WebhooksDocument:
        receivers.remove_webhook(survey, self.person(request), _webhook(survey, webhook))
        return _listed(survey)


class WebhookTestsView(Studio):
    @changes(
        "test_webhook",
        "Send a test",
        "The site posts it within seconds. The list of webhooks shows the result. At most "
        f"{receivers.BY_HAND_MOST} a day for a survey and for an account, repeated alerts included.",
        "The queued test.",
        tag=TAG,
        status=202,
        parameters=[WEBHOOK],
        refused=[409],
    )
    def post(self, request: Request, survey: Survey, webhook: int) -> DeliveryLine:
        try:
            return _line(receivers.send_test(_living(survey, webhook), self.person(request)))
        except receivers.TooManyWebhooks:
            raise _too_many() from None


class WebhookRepeatsView(Studio):
    @changes(
        "repeat_alert",
        "Send an alert again",
        "The site sends it within seconds, whatever its state, and repeats it like a new alert, with the same "
        f"`webhook-id`. At most {receivers.BY_HAND_MOST} a day for a survey and for an account, tests included.",
        "The queued alert.",
        tag=TAG,
        status=202,
        parameters=[WEBHOOK, DELIVERY],
        refused=[409],
    )
    def post(self, request: Request, survey: Survey, webhook: int, delivery: str) -> DeliveryLine:
        row = _living(survey, webhook).deliveries.filter(alert__isnull=False, name=delivery).first()
        if row is None:
            raise Http404("There is no such alert.")
        try:
            return _line(receivers.send_again(row, self.person(request)))
        except receivers.TooManyWebhooks:
            raise _too_many() from None


def _too_many() -> Refusal:
    most = receivers.BY_HAND_MOST
    return Refusal(409, "by_hand_most", f"At most {most} tests and repetitions a day, of a survey and of an account.")


def _webhook(survey: Survey, number: int) -> Webhook:
    row = survey.webhooks.filter(pk=number).first()
    if row is None:
        raise Http404("There is no such webhook.")
    return row


def _living(survey: Survey, number: int) -> Webhook:
    row = _webhook(survey, number)
    if row.gone:
        raise Refusal(409, "webhook_gone", "It has answered that it is gone (410).")
    return row


def _listed(survey: Survey) -> WebhooksDocument:
    return {"webhooks": [_document(each) for each in survey.webhooks.select_related("made_by")]}


def _document(webhook: Webhook) -> WebhookDocument:
    deliveries = webhook.deliveries.select_related("alert")[:SHOWN]
    return {
        "number": webhook.pk,
        "url": webhook.url,
        "day": webhook.day.isoformat(),
        "by": webhook.made_by.get_username() if webhook.made_by else None,
        "gone": webhook.gone,
        "deliveries": [_line(each) for each in deliveries],
    }


def _line(delivery: Delivery) -> DeliveryLine:
    return {
        "id": delivery.name,
        "type": delivery.alert.kind if delivery.alert else "test",
        "day": delivery.day.isoformat(),
        "state": delivery.state,
        "status": delivery.status,
        "attempts": delivery.attempts,
    }
