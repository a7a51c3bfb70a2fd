"""The picture of a question's card. The picture at a URL never changes, so caches keep it."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from surveys.access import visible_release
from surveys.figures import card
from surveys.figures.layout import TYPES
from surveys.models import Release
from surveys.researcher.results import cards, response_cache
from surveys.researcher.results.picture_cache import Shelf
from surveys.researcher.results.pictures import KEEP, answer
from surveys.web.gate import Gate

KEPT = 128  # in memory, about 60 kB each
FORMS = ("svg", "png")
CARDS: Shelf[response_cache.Content] = Shelf(KEPT, Gate())


@require_safe
def picture(request: HttpRequest, slug: str, number: int, key: str, format: str) -> HttpResponse:
    """Return the card in the survey's language, or in the query's."""
    survey, release = visible_release(request.user, slug, number)
    tag = request.GET.get("language") or cards.language(survey)
    known = any(question["key"] == key for question in survey.questions)
    if release is None or format not in FORMS or tag not in dict(settings.LANGUAGES) or not known:
        raise Http404
    what = slug, number, key, format, tag
    response = answer(
        request, survey, lambda: CARDS.get(what, lambda: _drawn(release, key, format, tag)), TYPES[format],
        max_age=KEEP, immutable=True,
    )  # fmt: skip
    if response.status_code < 500:
        response["Content-Disposition"] = f'inline; filename="{slug}-{number}-{key}-card.{format}"'
    return response


def _drawn(release: Release, key: str, format: str, tag: str) -> response_cache.Content:
    shown = cards.of_release(release, tag, key).get(key)
    if shown is None:  # no report is about the question
        raise Http404
    with override(tag):
        body = card.draw(shown, format)
    made = response_cache.content(body)
    return made if format == "svg" else made._replace(packed=b"")
