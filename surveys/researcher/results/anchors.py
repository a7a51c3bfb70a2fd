"""The right answer to an attention question, in words (M42)."""

from django.utils.translation import gettext as _

from ldp.question import Question
from surveys.survey.kinds import Fact


def facts(question: Question) -> list[Fact]:
    """Return the fact about an attention question; none for an ordinary one."""
    text = sentence(question)
    return [Fact(_("Attention check"), question["options"][question["right"]], text)] if text else []


def sentence(question: Question) -> str:
    """Return a sentence with the right answer; empty for an ordinary question."""
    if "right" not in question:
        return ""
    return _("Everyone should answer “%(right)s”.") % {"right": question["options"][question["right"]]}
