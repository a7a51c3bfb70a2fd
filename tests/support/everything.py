"""A survey with everything that a survey can have: every kind and mechanism, conditions, sections, consent, thanks and
three languages. Three people answer it in different ways, in any browser."""

from copy import deepcopy
from typing import Any, Protocol

from ldp.routing import applicable
from tests.support.picture_files import picture
from tests.support.vectors import EVERY_KIND

LANGUAGES = ("en", "de", "ar")

_ONLY_IF: dict[str, tuple[str, list[int]]] = {  # the deciding question, and its options that lead to this one
    "three": ("warner", [0]),
    "many": ("warner", [0]),
    "few": ("warner", [0]),
    "half": ("few", [1, 2]),
    "scale": ("few", [1, 2]),
    "bell": ("scale", [2, 3, 4]),
    "laplace": ("warner", [0]),
    "noise": ("warner", [0]),
    "any": ("warner", [0]),
    "some": ("any", [0, 1]),
    "rows": ("any", [0, 4]),
}
_ALSO = {
    "bell": ("all", ("warner", [0])),
    "some": ("any", ("few", [1, 2])),
}  # more conditions; the same people are asked
_SECTIONS = {
    "Choices": ("warner", "three", "bits", "many", "few", "half", "all_but_one", "scale", "steep"),
    "Numbers": ("laplace", "counted", "tails", "bell", "bit", "step", "noise", "ends", "step_noise"),
    "Several": ("any", "some", "rows"),
    "The last": ("two_rows",),
}
# A survey that shows pictures, some only to some people.
_PICTURES: dict[str, dict[str, Any]] = {
    "few": {"pictures": [picture(40, 30), picture(30, 40), None]},
    "scale": {"picture": picture(60, 40, "A scale")},
}
_KEYS = {key for keys in _SECTIONS.values() for key in keys}


def _routed(question: Any) -> dict[str, Any]:
    if question["key"] not in _ONLY_IF:
        return dict(question)
    rule = _ONLY_IF[question["key"]]
    joined, other = _ALSO.get(question["key"], ("", ()))
    rules = [dict(zip(("question", "options"), each, strict=True)) for each in (other, rule) if each]
    routed = {"asked_if": {joined: rules} if joined else rules[0]}
    return question | _PICTURES.get(question["key"], {}) | routed


def _in_words_of(made: dict[str, Any], more: str) -> dict[str, Any]:
    """Return the survey's texts in another language: each text gets a word before it."""

    def told(text: str) -> str:
        return f"{more} {text}" if text else ""

    def of(question: dict[str, Any]) -> dict[str, Any]:
        texts: dict[str, Any] = {"text": told(question["text"]), "note": ""}
        if "steps" in question:
            texts |= {"unit": "", "steps": [told(each) for each in question["steps"]]}
        elif question["kind"] in ("histogram", "mean"):
            texts["unit"] = told(question.get("unit", ""))
        elif question["kind"] != "yes_no":
            names = [name for name in ("options", "items") if name in question]
            texts |= {name: [told(each) for each in question[name]] for name in names}
        return texts | ({"picture": told(question["picture"]["alt"])} if "picture" in question else {})

    return {
        **{name: told(made[name]) for name in ("title", "introduction", "consent", "thanks")},
        "logo": told(made["logo"]["alt"]),
        "sections": [{"title": told(each["title"]), "text": ""} for each in made["sections"]],
        "questions": [of(question) for question in made["questions"]],
    }


DRAFT: dict[str, Any] = {
    "title": "Everything",
    "introduction": "Twenty-two questions at most.",
    "consent": "You take part **of your own will**. [Who we are](https://example.org/about)",
    "thanks": "That was kind of you.",
    "completion_code": "C1A2B3D4",
    "return_link": "https://survey.example.org/index.php/123456?part=2",
    "frame_hosts": ["https://www.example.org", "https://intranet.example.org:8443"],
    "accent": "#7a1fa2",
    "logo": picture(90, 30, "A sign"),
    "sections": [{"title": title, "text": "", "questions": list(keys)} for title, keys in _SECTIONS.items()],
    "questions": [_routed(question) for question in EVERY_KIND["questions"] if question["key"] in _KEYS],
}
DRAFT["translations"] = {"de": _in_words_of(DRAFT, "Deutsch:"), "ar": _in_words_of(DRAFT, "سؤال")}

# The first is asked all questions, the second eleven, the third seventeen. No answer of the first equals an answer of
# the others, even as counted, except for the first question of the first and the third.
EVERYTHING: dict[str, Any] = {
    **{"warner": 0, "three": 1, "bits": 0, "many": 7, "few": 2, "half": 1, "all_but_one": 0, "scale": 3, "steep": 1},
    **{"laplace": 2, "counted": 0, "tails": 1, "bell": 1, "bit": "6.5", "noise": "-3.25", "ends": "-1.5"},
    **{"any": [True, False, True, False, True], "some": [False, True, True, False, False, True, False]},
    **{"rows": [0, 2, 1], "two_rows": [3, 2, 1, 0, 3], "step": 1, "step_noise": 5},
}
LITTLE: dict[str, Any] = {
    **{"warner": 1, "bits": 1, "all_but_one": 3, "steep": 0, "counted": 1, "tails": 2, "bit": "24", "ends": "-3"},
    **{"two_rows": [0, 0, 3, 3, 1], "step": 3, "step_noise": 0},
}
SOME: dict[str, Any] = {
    **{"warner": 0, "three": 0, "bits": 1, "many": 0, "few": 0, "all_but_one": 2, "steep": 3, "laplace": 3},
    **{"counted": 1, "tails": 0, "bit": "0.01", "noise": "40", "ends": "-2.999", "any": [False] * 5},
    **{"two_rows": [1, 0, 2, 3, 2], "step": 0, "step_noise": 6},
}


class Hand(Protocol):
    """A person's actions in a browser. `css` and `n` name the element: the n-th match."""

    def click(self, css: str, n: int = 0) -> None: ...

    def type(self, css: str, text: str) -> None: ...

    def arrow_down(self, css: str, n: int = 0) -> None: ...


ARABIC = str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")
NEXT, SEND = ".moves .primary", ".finish > .primary"


def _number(question: dict[str, Any], answer: Any) -> str:
    return str(question["edges"][answer] if question["kind"] == "histogram" else answer)


def _place(definition: dict[str, Any], key: str) -> int:
    return [question["key"] for question in definition["questions"]].index(key)


def control_of(definition: dict[str, Any], key: str) -> str:
    """Return the selector of the control for a question's answer."""
    return f"#question-{_place(definition, key) + 1}"


def answer(hand: Hand, definition: dict[str, Any], key: str, given: Any, arabic: bool = False) -> None:
    """Answer a question that is on the page."""
    question, control = definition["questions"][_place(definition, key)], control_of(definition, key)
    options = len(question.get("options", ()))
    if question["kind"] in ("histogram", "mean") and "steps" not in question:
        if question["prefer_not_to_say"] and given == options - 1:
            hand.click(f".number:has({control}) .toggle")
        else:
            typed = _number(question, given)
            hand.type(control, typed.translate(ARABIC) if arabic else typed)
    elif question["kind"] == "multiple_choice":
        none = options - question["prefer_not_to_say"]
        for n in [n for n, ticked in enumerate(given) if ticked] or [none]:
            hand.click(f"{control} .box", n)
    elif question["kind"] == "grid":
        for item, option in enumerate(given):
            hand.click(f"{control} :is(tbody tr, .item):nth-child({item + 1}) [role=radio]", option)
    else:
        hand.click(f"{control} [role=radio]", given)


def straight(hand: Hand, definition: dict[str, Any], answers: dict[str, Any]) -> None:
    """Answer section by section in order. First try to pass the first section with gaps."""
    hand.click("#agreed")
    hand.click("section:has(#agreed) > .primary")
    hand.click(NEXT)
    on_the_way = applicable(definition["questions"], answers)
    parts = [[key for key in each["questions"] if key in on_the_way] for each in definition["sections"]]
    for n, keys in enumerate(part for part in parts if part):
        if n:
            hand.click(NEXT)
        for key in keys:
            answer(hand, definition, key, answers[key])


def winding(hand: Hand, definition: dict[str, Any], answers: dict[str, Any]) -> None:
    """Answer all questions on one page, from last to first, by keyboard and with Arabic digits. Change some answers."""
    hand.click("section:has(#agreed) > .primary")
    hand.click("#agreed")
    hand.click("section:has(#agreed) > .primary")
    hand.click("section > div > .link")
    answer(hand, definition, "warner", 0)
    hand.type(".search input", "19")
    hand.click(f"{control_of(definition, 'many')} [role=radio]:not([hidden])")
    answer(hand, definition, "few", 1)
    hand.arrow_down(f"{control_of(definition, 'few')} [role=radio]", 1)
    hand.click(SEND)
    hand.type(".search input", "n 1")
    hand.type(".search input", "")
    deciding = [key for key in ("warner", "few", "scale", "any") if key in applicable(definition["questions"], answers)]
    if answers["warner"] == 0 and not any(answers["any"]):
        hand.click(f"{control_of(definition, 'any')} .box", 0)  # "None of these" later removes this answer
    for key in deciding:
        answer(hand, definition, key, answers[key])
    rest = [key for key in applicable(definition["questions"], answers) if key not in deciding]
    for key in sorted(rest, reverse=True):
        answer(hand, definition, key, answers[key], arabic=True)
    hand.click("section > div > .link")  # back to one section at a time: the last one, where everything is answered


PEOPLE = {
    "everything": (EVERYTHING, straight),
    "little": (LITTLE, winding),
    "some": (SOME, winding),
}


def draft() -> dict[str, Any]:
    return deepcopy(DRAFT)
