"""Comments of designers on a survey and its questions."""

from collections import Counter
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.access import doer, requires
from surveys.designer.studio.pages import page
from surveys.drafts.kinds import title
from surveys.drafts.normalize import normalized
from surveys.models import Comment, Role, Survey
from surveys.rules.texts import integer

LONGEST = 2000  # characters
MOST = 500  # comments of a survey


class Thread(NamedTuple):
    """The comments on a question or on the whole survey. `address` is the URL of the question's editor."""

    question: str
    title: str
    address: str
    comments: list[Comment]


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def listing(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show all comments by question. A POST writes one, or marks one as done or not done."""
    if request.method == "POST":
        return _change(request, survey)
    return _show(request, survey, request.GET.get("question", ""))


def _show(request: HttpRequest, survey: Survey, chosen: str, text: str = "") -> HttpResponse:
    """Show the page of comments. A refused `text` is filled in again."""
    rows = list(Comment.objects.filter(survey=survey).select_related("user").order_by("done", "pk"))
    names = _names(survey)
    keys = [key for key in ["", *names] if key == chosen or any(row.question == key for row in rows)]
    keys += sorted({row.question for row in rows} - {"", *names})
    context = {
        "threads": [Thread(key, *_called(survey, names, key), [r for r in rows if r.question == key]) for key in keys],
        "names": [("", _("The whole survey")), *names.items()],
        "chosen": chosen,
        "longest": LONGEST,
        "text": text,
        "current": "survey-questions",
    }
    return page(request, survey, "designer/editor/comments.html", context)


def open_on(survey: Survey) -> dict[str, int]:
    """Return the number of open comments by question key; "" is the whole survey."""
    keys = Comment.objects.filter(survey=survey, done=False).values_list("question", flat=True)
    return dict(Counter(keys))


class CommentRefused(ValueError):
    """The reason why a comment was not stored, as a sentence."""


def add(survey: Survey, user: User, question: str, text: str) -> Comment:
    # No database stores NUL. A line ends with one character, as the page's form counts.
    text = text.replace("\x00", "").replace("\r\n", "\n").strip()
    if refusal := _refusal(survey, question, text):
        raise CommentRefused(refusal)
    return Comment.objects.create(survey=survey, user=user, question=question, text=text, at=timezone.now())


def _names(survey: Survey) -> dict[str, str]:
    return {question["key"]: title(question) for question in normalized(survey.draft)["questions"]}


def _called(survey: Survey, names: dict[str, str], key: str) -> tuple[str, str]:
    if not key:
        return _("The whole survey"), ""
    if key not in names:
        return _("A question that is no longer there"), ""
    return names[key], reverse("survey-question", args=[survey.pk, key])


def _change(request: HttpRequest, survey: Survey) -> HttpResponse:
    if (number := integer(request.POST.get("comment", ""))) is not None:
        done = request.POST.get("do") == "done"
        Comment.objects.filter(survey=survey, pk=number).update(done=done)
        return redirect("survey-comments", survey.pk)
    question, text = request.POST.get("question", ""), request.POST.get("text", "").strip()
    try:
        add(survey, doer(request), question, text)
    except CommentRefused as refused:
        messages.error(request, str(refused))
        response = _show(request, survey, question, text)
        response.status_code = 422
        return response
    address = reverse("survey-comments", args=[survey.pk])
    return redirect(f"{address}?{urlencode({'question': question})}" if question else address)


def _refusal(survey: Survey, question: str, text: str) -> str:
    if not text:
        return _("Write a comment first.")
    if len(text) > LONGEST:
        return _("A comment has at most %(most)d characters.") % {"most": LONGEST}
    if question and question not in _names(survey):
        return _("That question is no longer there.")
    if Comment.objects.filter(survey=survey).count() >= MOST:
        return _("A survey has at most %(most)d comments.") % {"most": MOST}
    return ""
