"""What a letter says: the words that a designer may change, and below them what the site promises."""

from datetime import datetime
from typing import NamedTuple

from django.utils import formats, timezone
from django.utils.translation import gettext, override

from surveys.rules.languages import site_language

LINK = "{link}"
SUBJECT_MOST, TEXT_MOST = 150, 5000


class Words(NamedTuple):
    """In one language; `keeps` says whether the address stays until the survey ends."""

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
    """The site's own words, of a survey that protects weakly with a warning (`cautions`)."""
    with override(site_language(language)):
        subject = gettext("Invitation: %(title)s") % {"title": title}
        lines = [
            gettext("You are invited to answer the survey “%(title)s”.") % {"title": title},
            gettext("This link is yours alone, and can be used once:"),
            LINK,
            *_end(closes_at),
            _caution() if cautions else gettext("Your browser randomizes your answers before it sends them."),
        ]
    return Words(language, subject[:SUBJECT_MOST], "\n\n".join(lines))


def reminder(title: str, language: str, closes_at: datetime | None, cautions: bool = False) -> Words:
    """As `invitation`."""
    with override(site_language(language)):
        subject = gettext("Reminder: %(title)s") % {"title": title}
        lines = [
            gettext("You are invited to answer the survey “%(title)s”.") % {"title": title},
            gettext("If you have answered already, please ignore this email: it also goes to some people who have."),
            gettext("Otherwise use this link or the one before. Together they can be used once:"),
            LINK,
            *_end(closes_at),
            *[_caution()] * cautions,
        ]
    return Words(language, subject[:SUBJECT_MOST], "\n\n".join(lines), keeps=True)


def promise(language: str, keeps: bool) -> str:
    """What is said below every letter."""
    with override(site_language(language)):
        if keeps:
            return gettext(
                "Until the survey ends this site keeps your address, encrypted, to remind you, and with it whether "
                "your link was used. Nothing that it keeps tells which report came by this link."
            )
        return gettext(
            "This site deletes your address once this email is sent. Nothing that it keeps tells which report came by "
            "this link."
        )


def check(words: Words) -> None:
    """Unfit names the field that cannot be sent, with its rule."""
    for field, value, most in (("subject", words.subject, SUBJECT_MOST), ("text", words.text, TEXT_MOST)):
        if not value.strip() or len(value) > most:
            raise UnfitText(field, gettext("must have 1 to %(most)d characters") % {"most": most})
        if any(not c.isprintable() and not (c in "\r\n" and field == "text") for c in value):
            raise UnfitText(field, gettext("must not hold control characters"))
    if words.text.count(LINK) != 1:
        raise UnfitText("text", gettext("must have %(link)s once, where the link is to stand") % {"link": LINK})
    before, _, after = words.text.partition(LINK)
    if not all(each.isspace() for each in (before[-1:], after[:1]) if each):
        text = gettext("must have a space or a new line before and after %(link)s, or it changes the link")
        raise UnfitText("text", text % {"link": LINK})


def _caution() -> str:
    """As the text to paste of a survey by open link has it (surveys/designer/studio/sharing.py)."""
    return gettext(
        "Your browser randomizes your answers before it sends them. Still, what is sent can tell much about them. The "
        "page says how much before it asks, and lets you check that. Take part only if you would not mind."
    )


def _end(closes_at: datetime | None) -> list[str]:
    if closes_at is None:
        return []
    moment = formats.date_format(timezone.localtime(closes_at), "DATETIME_FORMAT")
    return [gettext("The survey ends on %(moment)s (UTC).") % {"moment": moment}]
