"""The intake for Django's test client and URL resolver. It gives the same replies as front.py, in groups of one."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from surveys.models import Survey
from surveys.respondent.intake import backlog, links, replies, storage
from surveys.respondent.intake.replies import Head, Reply


@csrf_exempt  # no cookie and no session is used, so a forged request gains nothing
def view(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """Take a report. API clients name the `slug` in the URL, the respondents' page in a header."""
    return responding(_receive(request, links.slug_of(request.headers.get(links.HEADER)) if slug is None else slug))


def responding(reply: Reply) -> HttpResponse:
    """Return a reply as Django's response."""
    response = HttpResponse(reply.body, status=reply.status, content_type=reply.content_type)
    for name, value in reply.headers:
        response[name] = value
    return response


def _receive(request: HttpRequest, slug: str) -> Reply:
    """Return the reply that front.py would give, in this thread and a group of one."""
    meta = request.META
    head = Head(request.method or "", meta.get("CONTENT_TYPE", ""), meta.get("CONTENT_LENGTH") or None)
    if refused := replies.refuse_head(head):
        return refused
    try:
        survey = replies.opened(slug)
    except Survey.DoesNotExist:
        return replies.UNKNOWN_SURVEY
    if refused := replies.refuse_length(head, survey):
        return refused
    row = replies.read(survey, request.read(int(head.length or 0)))
    if isinstance(row, Reply):
        return row
    return replies.BACKLOG if backlog.full(survey.survey_id) else replies.answer(row, storage.store([row])[0])
