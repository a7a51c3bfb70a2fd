"""The lists of options of an exported form, and conditions by the options' codes."""

from ldp.question import Question
from ldp.routing import condition
from surveys.designer.xlsform.sheets import SheetRow
from surveys.survey import kinds
from surveys.survey.definition.document import Definition


def named(definitions: list[Definition]) -> dict[str, str]:
    """Return the name of each question's list of options, by key. Questions share a list if it is equal in every
    language."""
    lists: dict[str, str] = {}
    names: dict[object, str] = {}
    for same in zip(*(definition["questions"] for definition in definitions), strict=True):
        key = same[0]["key"]
        if not kinds.entered(same[0]):
            options = (tuple(codes(same[0])), *(tuple(_lines(question)) for question in same))
            lists[key] = names.setdefault(options, f"{key}_options")
    return lists


def choices(definition: Definition, lists: dict[str, str]) -> list[SheetRow]:
    """Return the sheet of choices. A list is placed once, at the question that it is named for."""
    return [
        {"list_name": lists[question["key"]], "name": code, "label": option}
        for question in definition["questions"]
        if lists.get(question["key"]) == f"{question['key']}_options"
        for code, option in zip(codes(question), _lines(question), strict=True)
    ]


def _lines(question: Question) -> list[str]:
    lines: list[str] = kinds.lines(question)
    return lines


def row_name(question: Question) -> str:
    """Return the name of a question's row. Forms reserve the name meta; keys have no capitals, so Meta is free."""
    return "Meta" if question["key"] == "meta" else question["key"]


def codes(question: Question) -> list[str]:
    refusing = ["prefer_not_to_say"] if question["prefer_not_to_say"] else []
    count = len(_lines(question)) - len(refusing)
    fixed = [option.lower() for option in kinds.of(question).fixed]
    return (fixed or [str(i) for i in range(1, count + 1)]) + refusing


def condition_of(question: Question, by_key: dict[str, Question]) -> str:
    """Return a question's condition in XPath; "" if everyone is asked."""
    rules, joined = condition(question)
    parts = [_relevant(by_key[rule["question"]], rule["options"]) for rule in rules]
    if joined is all and len(rules) > 1:
        parts = [f"({part})" if " or " in part else part for part in parts]
    return (" and " if joined is all else " or ").join(parts)


def _relevant(deciding: Question, options: list[int]) -> str:
    form = "selected(${%s}, '%s')" if deciding["kind"] == "multiple_choice" else "${%s} = '%s'"
    return " or ".join(form % (row_name(deciding), codes(deciding)[option]) for option in options)
