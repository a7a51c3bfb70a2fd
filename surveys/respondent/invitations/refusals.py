"""What is said where people cannot be invited, to designers and to programs."""

from django.utils.translation import gettext as _

from surveys.respondent.invitations import addresses, book, letters, texts
from surveys.web import gate

REFUSED = (
    addresses.NoAddress, addresses.Several, addresses.Twice, addresses.Lost,
    letters.AddressesKnown, letters.LettersWaiting,
    book.TooManyInvitations, book.SmallUnit,
    book.NoUnit, book.Ended, texts.UnfitText, gate.GateBusy,
)  # fmt: skip


def reason(error: Exception, least: int) -> tuple[str, str]:
    """The field that is wrong, and its rule; `least` is how many people a group begins with."""
    if isinstance(error, texts.UnfitText):
        return error.field, error.rule
    if isinstance(error, book.SmallUnit):
        values = {"least": least, "most": book.UNITS_MOST}
        return "group", _(
            "A group begins with at least %(least)d people, and there are at most %(most)d groups."
        ) % values
    if isinstance(error, book.NoUnit):
        return "group", _("Choose one of the groups whose results are published.")
    return "addresses", _of_addresses(error)


def _of_addresses(error: Exception) -> str:
    if isinstance(error, addresses.NoAddress) and error.text:
        sentence = _("Line %(line)d: “%(text)s” is not an email address that this site can write to.")
        return sentence % {"line": error.line, "text": error.text}
    if isinstance(error, addresses.Several):
        return _(
            "Line %(line)d has several addresses beside other texts: %(addresses)s. Write one person a line, or "
            "addresses alone."
        ) % {"line": error.line, "addresses": ", ".join(error.addresses)}
    if isinstance(error, addresses.NoAddress):
        return _("Line %(line)d has no email address.") % {"line": error.line}
    if isinstance(error, addresses.Twice):
        return _("“%(line)s” stands there twice.") % {"line": error.address}
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
