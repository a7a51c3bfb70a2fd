"""Any number of options. Each has reports of its own, about those answers that the browsers drew."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.question import Question
from surveys.figures import sentences
from surveys.figures.display import Result
from surveys.rules.draft_schema import Schema, positions
from surveys.rules.languages import says_nothing
from surveys.rules.unchecked import Unchecked, as_list
from surveys.survey.kinds.fields import OPTIONS, SAMPLE, Field
from surveys.survey.kinds.options import OptionKind
from surveys.survey.kinds.protocol import Kind, Sampling

SEVERAL = gettext_lazy("Several answers can apply to the same person, so the shares need not add up to 100%.")


class MultipleChoice(OptionKind):
    name: Promise = gettext_lazy("Multiple choice")
    purpose: Promise = gettext_lazy("All answers that apply. The page adds “None of these”.")
    typed_fields: tuple[Field, ...] = (OPTIONS, SAMPLE)
    filler_schema: Schema = positions()
    optional = frozenset({"sample"})
    sampling = Sampling("options", "answers")
    several = decides = pictured = True
    invented: Promise = gettext_lazy("How many of 100 people choose each; left empty 50 do.")
    answer = "sets of answers"

    def read_filler(self, question: Unchecked, given: object, where: str) -> object:
        return sorted(given) if isinstance(given, list) and all(type(one) is int for one in given) else given

    def usual_filler(self, question: Question) -> object:
        return []

    def fillers(self, question: Unchecked, options: Sequence[str]) -> list[tuple[object, str]]:
        return [([], _("None of these")), *(([i], option) for i, option in enumerate(options))]

    def filler(self, question: Question) -> str:
        chosen = [question["options"][option] for option in cast(list[int], question["filler"])]
        return ", ".join(chosen) or _("None of these")

    def nothing(self, question: Mapping[str, Any], language: str) -> list[int]:
        options = as_list(question.get("options"))
        return [place for place, option in enumerate(options) if says_nothing(str(option), language)]

    def doubt(self, question: Question, language: str) -> str:
        """Two options that both say that nothing applies would split these people."""
        same = [f"“{question['options'][place]}”" for place in self.nothing(question, language)]
        text = _("the options %(options)s say the same, that nothing applies: leave one")
        return text % {"options": ", ".join(same)} if len(same) > 1 else ""

    def left_out(self, result: Result) -> str:
        missing = result["d"] - len(result["methods"][0]["categories"])
        if not missing:
            return ""
        text = _("No report is about %(missing)s of the %(all)s answers, so nothing is known about them.")
        return text % {"missing": missing, "all": result["d"]}

    def sentences(self, result: Result) -> list[str]:
        """About an answer that no report is about, nothing is known: not even whether it is the most common one."""
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
        """Each share for itself: they need not add up."""
        return [min(max(share, 0.0), 1.0) for share in estimates]


KIND: Kind = MultipleChoice()
