"""The frame for a survey inside another site's page: its HTML, and the pages that this site keeps out."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.html import escape
from django.utils.translation import gettext

from surveys.figures.sentences import comma_separated

HEIGHT = 720  # pixels


def html(link: str, title: str) -> str:
    """Return the frame element. It has a fixed height, since no script of this site runs in that page to change it.
    Without a referrer, Firefox would not name the embedding page. No permission is given."""
    return (
        f'<iframe src="{escape(link)}" title="{escape(title)}" width="100%" height="{HEIGHT}" '
        'style="border: 0" referrerpolicy="origin"></iframe>'
    )


def warnings(origins: Sequence[str]) -> list[str]:
    """Return a sentence about the origins whose pages this site does not allow to frame its surveys; none if all are
    allowed."""
    out = [each for each in origins if each not in settings.FRAME_HOSTS]
    sentence = gettext(
        "Browsers keep the survey out of pages at %(origins)s until the operator of this site allows them."
    )
    return [sentence % {"origins": comma_separated(out)}] if out else []
