"""The right answer of an attention question, in the builder."""

from django.utils.translation import gettext as _

from surveys.designer.editor.routing import Choices, with_missing
from surveys.drafts.options import options_of
from surveys.rules.unchecked import Question


def choices(question: Question, text: str) -> Choices:
    """The answers that can be the right one, and none of them; also what stands there where it is none of these."""
    options = options_of(question)[: -1 if question.get("prefer_not_to_say") is True else None]
    listed = [("", _("what is true of them")), *((str(i), option) for i, option in enumerate(options))]
    return with_missing(listed, text)
