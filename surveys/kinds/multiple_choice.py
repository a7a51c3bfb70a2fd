"""Any number of options. Each has reports of its own, about those answers that the browsers drew."""

from django.utils.translation import gettext

from surveys.figures import sentences
from surveys.kinds.choices import Choice
from surveys.kinds.protocol import Question, Result, Sampling

SEVERAL = "Several answers can apply to the same person, so the shares need not add up to 100%."


class MultipleChoice(Choice):
    optional = frozenset({"sample"})
    sampling = Sampling("options", "answers")
    answer = "sets of answers"

    def filler(self, question: Question) -> str:
        chosen = [question["options"][option] for option in question["filler"]]
        return ", ".join(chosen) or gettext("None of these")

    def left_out(self, result: Result) -> str:
        missing = result["d"] - len(result["methods"][0]["categories"])
        if not missing:
            return ""
        return f"No report is about {missing} of the {result['d']} answers, so nothing is known about them."

    def sentences(self, result: Result) -> list[str]:
        """About an answer that no report is about, nothing is known: not even whether it is the most common one."""
        left_out = self.left_out(result)
        if left_out:
            return [left_out, sentences.near_zero(result["methods"][0]["categories"]), SEVERAL]
        return [*super().sentences(result), SEVERAL]
