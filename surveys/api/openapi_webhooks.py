"""The OpenAPI description of the site's posts to webhooks."""

from surveys.api.json_schema import Schema, schema
from surveys.designer.alerts.body import AlertBody

_EXAMPLE = {
    "type": "survey.first_release",
    "timestamp": "2026-06-01T00:00:00Z",
    "data": {
        "survey": {
            "number": 17,
            "title": "How people travel",
            "slug": "travel",
            "url": "https://survey.example.org/surveys/17/",
        },
        "release": {"number": 1, "day": "2026-06-01", "n": 240, "final": False},
    },
}


def _header(name: str, description: str, example: str) -> Schema:
    kind: Schema = {"type": "string", "examples": [example]}
    return {"in": "header", "name": name, "required": True, "description": description, "schema": kind}


WEBHOOKS: Schema = {
    "alert": {
        "post": {
            "operationId": "alert",
            "summary": "An alert of a survey",
            "description": (
                "Posted to each webhook of a survey when it opens, has its first release, is as precise as it waits "
                "for, has ended, and when something is wrong; never for a report, and at full hours. Signed in the "
                "manner of Standard Webhooks. Any 2xx answer accepts it. After any other answer, a redirection "
                "included, or none within ten seconds, it is sent again up to nine times within four days; 410 ends "
                "the webhook."
            ),
            "tags": ["Alerts"],
            "security": [{}],
            "parameters": [
                _header("webhook-id", "The same at every try.", "msg_2KWPBgLlAfxdpx2AI54pPJ85"),
                _header("webhook-timestamp", "Of this try: seconds since 1970. Refuse old ones.", "1780300805"),
                _header(
                    "webhook-signature",
                    "One or more with spaces between them: “v1,” and HMAC-SHA256 in base64 of the id, a point, the "
                    "timestamp, a point and the body, with the key that follows “whsec_” in the webhook's secret, in "
                    "base64.",
                    "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
                ),
            ],
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": schema(AlertBody) | {"examples": [_EXAMPLE]}}},
            },
            "responses": {"2XX": {"description": "It was accepted."}, "410": {"description": "No more of them."}},
        }
    }
}
