"""The right answer to an attention question (M42), in words."""

from django.utils.translation import gettext as _

from ldp.question import Question
from surveys.survey.kinds import Fact


def facts(question: Question) -> list[Fact]:
    """Return the fact about an attention question; none of an ordinary one."""
    text = sentence(question)
    return [Fact(_("Attention check"), question["options"][question["right"]], text)] if text else []


def sentence(question: Question) -> str:
    """Say the right answer; empty for an ordinary question."""
    if "right" not in question:
        return ""
    return _("Everyone should answer “%(right)s”.") % {"right": question["options"][question["right"]]}
