"""Texts of letters: words that a designer may change, and the site's promise below."""

import unicodedata
from datetime import datetime
from typing import NamedTuple

from django.utils import formats, timezone
from django.utils.translation import gettext, override

from surveys.rules.languages import site_language
from surveys.rules.texts import is_visible
from surveys.rules.typography import turns_direction

LINK = "{link}"
SUBJECT_MOST, TEXT_MOST = 150, 5000


class Words(NamedTuple):
    """A letter's words in one language. `keeps`: the email address is kept until the survey ends."""

    language: str
    subject: str
    text: str
    keeps: bool = False

    def letter(self, link: str) -> str:
        return f"{self.text.strip().replace(LINK, link)}\n\n{promise(self.language, self.keeps)}\n"


class UnfitText(ValueError):
    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field, self.rule = field, rule


def invitation(title: str, language: str, closes_at: datetime | None, cautions: bool = False) -> Words:
    """Return the site's words for an invitation. `cautions` adds the warning about weak protection."""
    with override(site_language(language)):
        subject = gettext("Invitation: %(title)s") % {"title": title}
        lines = [
            gettext("You are invited to answer the survey “%(title)s”.") % {"title": title},
            gettext("This link is only for you and works once:"),
            LINK,
            *_end(closes_at),
            _caution() if cautions else gettext("Your browser randomizes your answers before it sends them."),
        ]
    return Words(language, subject[:SUBJECT_MOST], "\n\n".join(lines))


def reminder(title: str, language: str, closes_at: datetime | None, cautions: bool = False) -> Words:
    with override(site_language(language)):
        subject = gettext("Reminder: %(title)s") % {"title": title}
        lines = [
            gettext("You are invited to answer the survey “%(title)s”.") % {"title": title},
            gettext("If you have already answered, please ignore this email. It also goes to some people who have."),
            gettext("Otherwise use this link or the previous one. Once you have used one, the other no longer works:"),
            LINK,
            *_end(closes_at),
            *[_caution()] * cautions,
        ]
    return Words(language, subject[:SUBJECT_MOST], "\n\n".join(lines), keeps=True)


def promise(language: str, keeps: bool) -> str:
    """Return the site's promise below every letter."""
    with override(site_language(language)):
        if keeps:
            return gettext(
                "Until the survey ends, this site keeps your email address, encrypted, to remind you, and whether your "
                "link was used. Nothing that it keeps reveals which report came from this link."
            )
        return gettext(
            "This site deletes your email address once this email is sent. Nothing that it keeps reveals which report "
            "came from this link."
        )


def check(words: Words) -> None:
    """Raise UnfitText with the field that cannot be sent and its rule."""
    for field, value, most in (("subject", words.subject, SUBJECT_MOST), ("text", words.text, TEXT_MOST)):
        if not is_visible(value) or len(value) > most:
            raise UnfitText(field, gettext("must have 1 to %(most)d characters") % {"most": most})
        if any(_is_control(c) and not (c in "\r\n" and field == "text") for c in value):
            raise UnfitText(field, gettext("must not hold control characters"))
        if turns_direction(value):
            rule = gettext("must not hold invisible characters that change the order in which it is read")
            raise UnfitText(field, rule)
    if words.text.count(LINK) != 1:
        raise UnfitText("text", gettext("must have %(link)s exactly once, in the place of the link") % {"link": LINK})
    before, _, after = words.text.partition(LINK)
    if not all(each.isspace() for each in (before[-1:], after[:1]) if each):
        text = gettext("must have a space or a new line before and after %(link)s, or the link breaks")
        raise UnfitText("text", text % {"link": LINK})


def _is_control(character: str) -> bool:
    """Return whether letters must not have the character. Spaces and joiners of any script are allowed."""
    return unicodedata.category(character) in ("Cc", "Cn", "Co", "Cs", "Zl", "Zp")


def _caution() -> str:
    """Return the warning about weak protection, as in the texts for open links (surveys/designer/studio/sharing.py)."""
    return gettext(
        "Your browser randomizes your answers before it sends them. Still, a report can reveal much about them. The "
        "page says how much before the first question, and lets you check that. Take part only if you accept what "
        "a report can reveal."
    )


def _end(closes_at: datetime | None) -> list[str]:
    if closes_at is None:
        return []
    moment = formats.date_format(timezone.localtime(closes_at), "DATETIME_FORMAT")
    return [gettext("The survey ends on %(moment)s (UTC).") % {"moment": moment}]
