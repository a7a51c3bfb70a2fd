"""The webhooks of a survey, by program: which there are, new ones, their end, tests. For designers."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.bodies import read
from surveys.api.idempotency import HEADER, once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import DeliveryLine, MadeWebhook, NewWebhook, WebhookDocument, WebhooksDocument
from surveys.api.studio.guard import SURVEY, Studio, changing, json_answer
from surveys.designer.alerts import addresses, receivers
from surveys.models import Delivery, Role, Survey, Webhook

TAG = "Alerts"
SHOWN = 20  # deliveries of each
WEBHOOK = OpenApiParameter(
    "webhook",
    {"type": "integer", "minimum": 1, "maximum": 10**9, "examples": [3]},
    OpenApiParameter.PATH,
    description="Of the list of webhooks.",
)

DELIVERY = OpenApiParameter(
    "delivery",
    {"type": "string", "pattern": "^msg_[A-Za-z0-9_-]{24}$", "examples": ["msg_2KWPBgLlAfxdpx2AI54pPJ85"]},
    OpenApiParameter.PATH,
    description="The `id` of a delivery.",
)


class WebhooksView(Studio):
    @operation(
        "webhooks",
        "Its webhooks",
        "With what became of the newest deliveries to each, by day.",
        {200: (schema(WebhooksDocument), "The webhooks.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        return of_today(answer(request, _listed(self.survey_for(request, survey, Role.DESIGNER))))

    @changing(
        "add_webhook",
        "Add a webhook",
        "Alerts are posted there from then on, as “webhooks” of this description says. At most "
        f"{receivers.WEBHOOKS_MOST} of a survey.",
        {201: (schema(MadeWebhook), "The webhook, with its secret, told this once.")},
        tag=TAG,
        parameters=[SURVEY, HEADER],
        refused=[403, 409, 422],
        body=schema(NewWebhook),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, NewWebhook)
        user = self.person(request)

        def make() -> tuple[int, MadeWebhook]:
            try:
                made, secret = receivers.add_webhook(stored, user, wanted["url"])
            except addresses.Refused as refusal:
                raise Refusal(422, "webhook_address", f"“url”: {refusal}.") from None
            except receivers.TooMany:
                raise Refusal(409, "webhooks_most", "The survey has all webhooks that it may have.") from None
            return 201, {**_document(made), "secret": secret}

        return json_answer(*once(request, user, make, secret=True))


class WebhookView(Studio):
    @changing(
        "remove_webhook",
        "Remove a webhook",
        "Nothing more is posted there.",
        {200: (schema(WebhooksDocument), "The webhooks as they are now.")},
        tag=TAG,
        parameters=[SURVEY, WEBHOOK],
        refused=[403],
    )
    def delete(self, request: Request, survey: int, webhook: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        receivers.remove_webhook(stored, self.person(request), _webhook(stored, webhook))
        return json_answer(200, _listed(stored))


class WebhookTestsView(Studio):
    @changing(
        "test_webhook",
        "Send a test",
        "It is posted within seconds; the list of webhooks says what became of it. At most "
        f"{receivers.BY_HAND_MOST} a day, with what is sent again, of a survey, and of an account.",
        {202: (schema(DeliveryLine), "The test on its way.")},
        tag=TAG,
        parameters=[SURVEY, WEBHOOK],
        refused=[403, 409],
    )
    def post(self, request: Request, survey: int, webhook: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        try:
            delivery = receivers.send_test(_living(stored, webhook), self.person(request))
        except receivers.TooMany:
            raise _too_many() from None
        return json_answer(202, _line(delivery))


class WebhookRepeatsView(Studio):
    @changing(
        "repeat_alert",
        "Send an alert again",
        "Whatever became of it: within seconds, and from then on as often as a new one, with the same `webhook-id`. "
        f"At most {receivers.BY_HAND_MOST} a day, with tests, of a survey, and of an account.",
        {202: (schema(DeliveryLine), "The alert on its way.")},
        tag=TAG,
        parameters=[SURVEY, WEBHOOK, DELIVERY],
        refused=[403, 409],
    )
    def post(self, request: Request, survey: int, webhook: int, delivery: str) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.DESIGNER)
        row = _living(stored, webhook).deliveries.filter(alert__isnull=False, name=delivery).first()
        if row is None:
            raise Http404("There is no such alert.")
        try:
            return json_answer(202, _line(receivers.send_again(row, self.person(request))))
        except receivers.TooMany:
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
