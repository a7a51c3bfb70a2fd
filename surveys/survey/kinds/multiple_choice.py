"""Any number of options. A report is about the options that its browser drew, so each option has its own reports."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ldp.question import Question
from surveys.figures import sentences
from surveys.figures.display import Result
from surveys.rules.enumeration import with_commas
from surveys.rules.languages import says_nothing
from surveys.rules.refusals import refuse
from surveys.rules.shapes import must, option_count
from surveys.rules.unchecked import Built, Unchecked, as_list
from surveys.survey.kinds.fields import EXCLUSIVE, OPTIONS, SAMPLE, Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind, Sampling

SEVERAL = gettext_lazy("Several answers can apply to the same person, so the shares need not add up to 100%.")


class MultipleChoice(OptionKind):
    name: Promise = gettext_lazy("Multiple choice")
    purpose: Promise = gettext_lazy("All answers that apply. The page adds “None of these”.")
    typed_fields: tuple[Field, ...] = (OPTIONS, EXCLUSIVE, SAMPLE)
    optional = frozenset({"exclusive", "sample"})
    voluntary = frozenset({"exclusive"})
    sampling = Sampling("options", "answers")
    several = decides = pictured = True
    invented: Promise = gettext_lazy("How many of 100 people choose each; left empty 50 do.")
    answer = "sets of answers"

    def build(self, draft: Unchecked, where: str) -> Built:
        own = super().build(draft, where)
        if EXCLUSIVE.name not in draft:
            return own
        exclusive, last = draft[EXCLUSIVE.name], len(own["options"]) - 1
        if type(exclusive) is not int or not 0 <= exclusive <= last:
            rule = gettext_noop("must be the position of one of the options, from 0 to %(last)s")
            raise refuse(f"{where}.{EXCLUSIVE.name}", "exclusive_option", rule, last=last)
        return own | {EXCLUSIVE.name: exclusive}

    def check(self, question: Unchecked) -> None:
        count, exclusive = option_count(question), question.get(EXCLUSIVE.name, 0)
        must(type(exclusive) is int and 0 <= exclusive < count)

    def filler(self, question: Question) -> str:
        return _("None of these")

    def nothing(self, question: Mapping[str, Any], language: str) -> list[int]:
        options, marked = as_list(question.get("options")), question.get(EXCLUSIVE.name)
        return [i for i, option in enumerate(options) if i == marked or says_nothing(str(option), language)]

    def doubt(self, question: Question, language: str) -> str:
        """Return a warning if several options mean that nothing applies, because they would split these people."""
        same = [question["options"][place] for place in self.nothing(question, language)]
        text = _("the options %(options)s all say that nothing applies: keep one of them")
        return text % {"options": with_commas(same)} if len(same) > 1 else ""

    def left_out(self, result: Result) -> str:
        missing = result["d"] - len(result["methods"][0]["categories"])
        if not missing:
            return ""
        text = _("No report is about %(missing)s of the %(all)s answers, so nothing is known about them.")
        return text % {"missing": missing, "all": result["d"]}

    def sentences(self, result: Result) -> list[str]:
        """Return the sentences of a result. If no report is about some answer, none of them names the most common
        answer, which could be that one."""
        left_out = self.left_out(result)
        if left_out:
            return [
                self.number(result),
                left_out,
                sentences.near_zero(result["methods"][0]["categories"]),
                str(SEVERAL),
            ]
        return [*super().sentences(result), str(SEVERAL)]

    def possible(self, estimates: list[float], result: Result) -> list[float]:
        """Return the shares, each moved into [0, 1]. They need not add up to 1."""
        return [min(max(share, 0.0), 1.0) for share in estimates]


KIND: Kind = MultipleChoice()
