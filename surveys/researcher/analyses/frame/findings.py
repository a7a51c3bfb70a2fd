"""Sentences about every analysis."""

from django.utils.translation import gettext as _

from surveys.models import Release


def for_one_look(release: Release) -> str:
    """Return a warning if the release is open, or if its end could depend on results; else nothing. Intervals of
    crossings do not allow for repeated looks (M29)."""
    if not release.final:
        return _(
            "The survey is still open: these statements hold for a reader who looks once, not for one who looks at "
            "every release until something shows."
        )
    if release.is_for_one_look:
        return ""
    if release.survey.closes_at_half_width is not None:
        return _(
            "This survey could end as soon as its intervals were narrow enough. These statements do not allow for "
            "that: they are for an end that was fixed beforehand."
        )
    return _(
        "This survey’s end was not fixed before its first release, or not kept. These statements do not allow for "
        "that: they are for an end that was fixed beforehand."
    )
