"""The citation of a release, as a sentence and as BibTeX. Its URL and digests identify it, since it never changes."""

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.models import Release, Survey

TEX = str.maketrans(
    {character: "\\" + character for character in "{}%&#_$"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"\n": " ", "\r": " "}
)


def address(survey: Survey, release: Release) -> str:
    """Return the public URL of a published release; otherwise its URL on the staff host."""
    site: str = settings.SITE_URL if survey.results_public or survey.microdata_public else settings.STAFF_URL
    page = "release" if survey.results_public or not survey.microdata_public else "release-downloads"
    return site + reverse(page, args=[survey.slug, release.number])


def text(survey: Survey, release: Release) -> str:
    words = {
        "title": " ".join(survey.title.split()),
        "number": release.number,
        "date": date_format(release.day),
        "n": numerals.count(release.n),
        "address": address(survey, release),
        "digest": survey.digest,
        "totals": release.digest,
    }
    return (
        _(
            "“%(title)s”. Survey under local differential privacy, release %(number)s of %(date)s, %(n)s reports. "
            "%(address)s. SHA-256 of the definition %(digest)s, of the totals %(totals)s."
        )
        % words
    )


def bibtex(survey: Survey, release: Release) -> str:
    """Return an entry that needs only the package for \\url. It is in English, like BibTeX's styles."""
    title = " ".join(survey.title.split()).translate(TEX)
    note = f"Survey under local differential privacy, release {release.number}, {release.n} reports. "
    note += f"SHA-256 of the definition {survey.digest}, of the totals {release.digest}"
    lines = [
        f"@misc{{deniable-{survey.slug}-{release.number},",
        f"  title = {{{{{title}}}}},",
        f"  year = {{{release.day.year}}},",
        f"  month = {{{release.day.month}}},",
        f"  howpublished = {{\\url{{{address(survey, release)}}}}},",
        f"  note = {{{note}}}",
        "}",
    ]
    return "\n".join(lines)
