"""The answer that everybody should give to an attention question (M42), in words."""

from django.utils.translation import gettext as _

from ldp.question import Question
from surveys.survey.kinds import Fact


def facts(question: Question) -> list[Fact]:
    """None of an ordinary question."""
    text = sentence(question)
    return [Fact(_("Attention check"), question["options"][question["right"]], text)] if text else []


def sentence(question: Question) -> str:
    """Empty of an ordinary question."""
    if "right" not in question:
        return ""
    return _("Everybody should answer “%(right)s”.") % {"right": question["options"][question["right"]]}
