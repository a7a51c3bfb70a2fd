"""The frame for a survey inside another site's page: its HTML, and the pages that this site does not allow."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.html import escape
from django.utils.translation import gettext

from surveys.figures.sentences import comma_separated

HEIGHT = 720  # pixels


def html(link: str, title: str) -> str:
    """Return the frame element. Its height is fixed, because no script of this site runs in the embedding page. It
    sends a referrer, without which Firefox does not name that page. It grants no permission."""
    return (
        f'<iframe src="{escape(link)}" title="{escape(title)}" width="100%" height="{HEIGHT}" '
        'style="border: 0" referrerpolicy="origin"></iframe>'
    )


def warnings(origins: Sequence[str]) -> list[str]:
    """Return a sentence on the origins that may not frame surveys of this site; [] if all may."""
    out = [each for each in origins if each not in settings.FRAME_HOSTS]
    sentence = gettext(
        "Browsers keep the survey out of pages at %(origins)s until the operator of this site allows them."
    )
    return [sentence % {"origins": comma_separated(out)}] if out else []
