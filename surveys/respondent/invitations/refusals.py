"""Sentences on refused invitations, for designers and the API."""

from django.utils.translation import gettext as _

from surveys.respondent.invitations import addresses, book, letters, texts
from surveys.web import gate

REFUSED = (
    addresses.UnreadLines, addresses.Lost,
    letters.AddressesKnown, letters.LettersWaiting,
    book.TooManyInvitations, book.SmallUnit,
    book.NoUnit, book.Ended, texts.UnfitText, gate.GateBusy,
)  # fmt: skip
LINES_MOST = 50  # refused lines that are named


def reasons(error: Exception, least: int) -> tuple[str, list[str]]:
    """Return the wrong field and its rules. `least` is the smallest size of a new group."""
    if isinstance(error, addresses.UnreadLines):
        return "addresses", of_lines(error)
    if isinstance(error, texts.UnfitText):
        return error.field, [error.rule]
    if isinstance(error, book.SmallUnit):
        values = {"least": least, "most": book.UNITS_MOST, "group": str(error)}
        return "group", [
            _("“%(group)s”: a new group needs at least %(least)d people, and a survey has at most %(most)d groups.")
            % values
        ]
    if isinstance(error, book.NoUnit):
        return "group", [_("Choose one of the groups whose results are published, or name it in the list.")]
    return "addresses", [_of_addresses(error)]


def of_lines(error: addresses.UnreadLines) -> list[str]:
    """Return a sentence for each refused line, up to LINES_MOST, and one on the rest."""
    more = len(error.errors) - LINES_MOST
    left = [_("And %(n)d more lines.") % {"n": more}] if more > 0 else []
    return [*map(_of_line, error.errors[:LINES_MOST]), *left]


def _of_line(error: Exception) -> str:
    if isinstance(error, addresses.NoAddress) and error.text:
        sentence = _("Line %(line)d: “%(text)s” is not an email address that this site can write to.")
        return sentence % {"line": error.line, "text": error.text}
    if isinstance(error, addresses.Several):
        return _(
            "Line %(line)d has several email addresses and other text: %(addresses)s. Write one person per line, or "
            "only email addresses."
        ) % {"line": error.line, "addresses": _(", ").join(error.addresses)}
    if isinstance(error, addresses.NoGroup) and error.text:
        return _("Line %(line)d: “%(text)s” is not one of the groups.") % {"line": error.line, "text": error.text}
    if isinstance(error, addresses.NoGroup):
        return _("Line %(line)d names no group in its last column.") % {"line": error.line}
    if isinstance(error, addresses.Twice):
        sentence = _("Line %(line)d: “%(text)s” is also in line %(before)d.")
        return sentence % {"line": error.line, "text": error.address, "before": error.before}
    if isinstance(error, addresses.LongLine):
        return _("Line %(line)d has more than %(most)d characters.") % {"line": error.line, "most": error.most}
    assert isinstance(error, addresses.NoAddress)
    return _("Line %(line)d has no email address.") % {"line": error.line}


def _of_addresses(error: Exception) -> str:
    if isinstance(error, letters.AddressesKnown):
        return _("“%(address)s” and %(more)d more were invited before.") % {
            "address": error.addresses[0], "more": len(error.addresses) - 1
        }  # fmt: skip
    if isinstance(error, gate.GateBusy):
        return _("Other lists for this survey are being checked. Please try again.")
    if isinstance(error, letters.LettersWaiting):
        return _("Some emails are still waiting to be sent.")
    if isinstance(error, addresses.Lost):
        return _("The key of the email addresses is lost, so no one can read them. Forget them all, then invite again.")
    if isinstance(error, book.Elsewhere):
        return _("Another machine of this site keeps the invitations to this survey.")
    if isinstance(error, book.Ended):
        return _("This survey has ended.")
    return _("A survey has at most %(most)d invitations.") % {"most": book.MOST}
