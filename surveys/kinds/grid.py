"""One choice of options for each of several items, each of which has a result of its own."""

from surveys.kinds.choices import Choice
from surveys.kinds.protocol import Question, Sampling
from surveys.rules.limits import ITEMS_MAX, OPTION_MAX
from surveys.rules.refusals import Refusals
from surveys.rules.refusals import different_texts as read_different_texts
from surveys.rules.shapes import different_texts


class Grid(Choice):
    required = frozenset({"items", "options"})
    optional = frozenset({"sample"})
    fields = frozenset({"items", "options"})
    sampling = Sampling("items", "items")
    answer = "sets of answers"

    def build(self, draft: Question, where: str) -> Question:
        refusals = Refusals()
        items = refusals.attempt(read_different_texts, draft["items"], f"{where}.items", OPTION_MAX, ITEMS_MAX)
        choice = refusals.attempt(super().build, draft, where)
        refusals.check()
        return {"items": items} | (choice or {})

    def check(self, question: Question) -> None:
        super().check(question)
        different_texts(question["items"], ITEMS_MAX)

    def filler(self, question: Question) -> str:
        chosen = [question["options"][option] for option in question["filler"]]
        if len(set(chosen)) == 1:
            return str(chosen[0])
        return "; ".join(f"{item}: {option}" for item, option in zip(question["items"], chosen, strict=True))

    def items(self, question: Question) -> list[str]:
        items: list[str] = question["items"]
        return items
