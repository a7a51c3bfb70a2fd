"""What is said where people cannot be invited, to designers and to programs."""

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
    """The field that is wrong, and its rules; `least` is how many people a group begins with."""
    if isinstance(error, addresses.UnreadLines):
        return "addresses", of_lines(error)
    if isinstance(error, texts.UnfitText):
        return error.field, [error.rule]
    if isinstance(error, book.SmallUnit):
        values = {"least": least, "most": book.UNITS_MOST, "group": str(error)}
        return "group", [
            _("“%(group)s”: a group begins with at least %(least)d people, and there are at most %(most)d groups.")
            % values
        ]
    if isinstance(error, book.NoUnit):
        return "group", [_("Choose one of the groups whose results are published, or name it in the list.")]
    return "addresses", [_of_addresses(error)]


def of_lines(error: addresses.UnreadLines) -> list[str]:
    """A sentence on each line that is refused, of the first ones where they are many."""
    more = len(error.errors) - LINES_MOST
    left = [_("And %(n)d lines more.") % {"n": more}] if more > 0 else []
    return [*map(_of_line, error.errors[:LINES_MOST]), *left]


def _of_line(error: Exception) -> str:
    if isinstance(error, addresses.NoAddress) and error.text:
        sentence = _("Line %(line)d: “%(text)s” is not an email address that this site can write to.")
        return sentence % {"line": error.line, "text": error.text}
    if isinstance(error, addresses.Several):
        return _(
            "Line %(line)d has several addresses beside other texts: %(addresses)s. Write one person a line, or "
            "addresses alone."
        ) % {"line": error.line, "addresses": ", ".join(error.addresses)}
    if isinstance(error, addresses.NoGroup) and error.text:
        return _("Line %(line)d: “%(text)s” is none of the groups.") % {"line": error.line, "text": error.text}
    if isinstance(error, addresses.NoGroup):
        return _("Line %(line)d names no group in its last column.") % {"line": error.line}
    if isinstance(error, addresses.Twice):
        sentence = _("Line %(line)d: “%(text)s” stands in line %(before)d, too.")
        return sentence % {"line": error.line, "text": error.address, "before": error.before}
    if isinstance(error, addresses.LongLine):
        return _("Line %(line)d has more than %(most)d characters.") % {"line": error.line, "most": error.most}
    assert isinstance(error, addresses.NoAddress)
    return _("Line %(line)d has no email address.") % {"line": error.line}


def _of_addresses(error: Exception) -> str:
    if isinstance(error, letters.AddressesKnown):
        return _("“%(address)s” was invited before, and %(more)d more with it.") % {
            "address": error.addresses[0], "more": len(error.addresses) - 1
        }  # fmt: skip
    if isinstance(error, gate.GateBusy):
        return _("Other lists of this survey are being compared with its addresses. Please try again.")
    if isinstance(error, letters.LettersWaiting):
        return _("Some emails still wait to be sent.")
    if isinstance(error, addresses.Lost):
        return _("The key of the addresses is lost, so nobody can read them. Forget them all, then invite again.")
    if isinstance(error, book.Elsewhere):
        return _("Another machine of this site keeps the invitations to this survey.")
    if isinstance(error, book.Ended):
        return _("This survey has ended.")
    return _("A survey has at most %(most)d invitations.") % {"most": book.MOST}
