"""One of several options: yes or no, a single choice, a step of a scale. The other kinds with options begin here."""

from typing import TYPE_CHECKING, Any

from surveys.figures import layout, numerals, sentences
from surveys.figures.layout import Plan
from surveys.figures.scale import SHARES, Scale
from surveys.kinds.protocol import Fact, Method, Question, Result, Sampling
from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX
from surveys.rules.refusals import different_texts, refuse
from surveys.rules.shapes import choices, must
from surveys.rules.texts import PREFER_NOT_TO_SAY

if TYPE_CHECKING:
    from surveys.figures.drawing import Canvas

SPOKEN = 7  # options that a plot's text alternative lists; beyond that it points to the table


class Choice:
    required: frozenset[str] = frozenset({"options"})
    optional: frozenset[str] = frozenset()
    no_refusing: str = ""
    fields: frozenset[str] = frozenset({"options"})
    sampling: Sampling | None = None
    answer: str = "answers"
    picture: str = "Dots with intervals"

    def build(self, draft: Question, where: str) -> Question:
        options = different_texts(draft["options"], f"{where}.options", OPTION_MAX, CATEGORIES_MAX)
        if PREFER_NOT_TO_SAY in options:
            rule = f"must differ from “{PREFER_NOT_TO_SAY}”, which prefer_not_to_say adds"
            raise refuse(f"{where}.options", rule)
        return {"options": options}

    def check(self, question: Question) -> None:
        choices(question)

    def filler(self, question: Question) -> str:
        option: str = question["options"][question["filler"]]
        return option

    def scale(self, result: Result) -> Scale:
        return SHARES

    def items(self, question: Question) -> list[str]:
        return []

    def facts(self, question: Question) -> list[Fact]:
        return []

    def left_out(self, result: Result) -> str:
        return ""

    def sentences(self, result: Result) -> list[str]:
        categories = result["methods"][0]["categories"]
        return [sentences.most_common(categories), sentences.near_zero(categories), sentences.apart(categories)]

    def numbers(self, result: Result, method: Method, target: str) -> dict[str, Any]:
        return {"rows": _table(method, target)}

    def alternative(self, result: Result, level: str) -> str:
        head = f"{self.picture}: estimated shares of the population with {level} intervals for all answers at once."
        table = _table(result["methods"][0], "population")
        if len(table) > SPOKEN:
            return f"{head} The table next to it holds the same numbers for all {len(table)} answers."
        spoken = "; ".join(f"{row['option']} {row['share']}% ({row['simultaneous']})" for row in table)
        return f"{head} {spoken}."

    def layout(self, result: Result, width: str) -> Plan:
        return layout.rows(result, width)

    def draw(self, canvas: "Canvas", result: Result) -> None:
        from surveys.figures import rows

        rows.draw(canvas, result)


class YesNo(Choice):
    required = frozenset()

    def build(self, draft: Question, where: str) -> Question:
        return {"options": ["Yes", "No"]}

    def check(self, question: Question) -> None:
        must(choices(question) == 2)


def _table(method: Method, target: str) -> list[dict[str, str]]:
    decimals = numerals.decimals_of(method, target)
    return [
        {
            "option": category["option"],
            "n": numerals.count(category["n_about"]) if "n_about" in category else "",
            "share": numerals.share(category["estimate"], decimals),
            "simultaneous": numerals.span(category[target]["simultaneous"], decimals),
            "interval": numerals.span(category[target]["interval"], decimals),
            "standard_error": numerals.share(category[target]["standard_error"], decimals),
        }
        for category in method["categories"]
    ]
