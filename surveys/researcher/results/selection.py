"""The reader's choice on a release's pages: the target of the numbers, the confidence and the method.

The URL keeps the choice, so that a link shows what its sender saw. It contains only differences from the default. A
choice changes no number of the document. `applied` puts the selected numbers where all pages and plots expect them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast
from urllib.parse import urlencode

from ldp.document import Category, Document, MethodResult, Precision, QuestionResult
from ldp.inference.estimates import TARGETS
from ldp.scores import Target
from surveys.figures import display
from surveys.figures.layout import aside
from surveys.researcher.results.glossary import METHODS
from surveys.survey.kinds.date import in_words

# Answers that stay last if a questionnaire puts them last, in the languages of this site.
OTHERS = frozenset(
    {"other", "others", "something else", "none of these", "none of the above", "sonstiges", "andere", "anderes"}
    | {"etwas anderes", "keine davon", "keines davon", "أخرى", "غير ذلك"}
)


NAMES = frozenset({"target", "confidence", "method", "projected"})


class UnknownSelection(ValueError):
    """The URL has a value that this release lacks."""


class Selection(NamedTuple):
    """Empty texts are the defaults: the document's confidence, and each question's first method."""

    target: Target = "population"
    confidence: str = ""  # in percent, for example 90
    method: str = ""
    projected: bool = False

    @property
    def query(self) -> str:
        """Return the query of a picture's URL. Without a target a picture describes the population."""
        return self.address(TARGETS[0])

    def address(self, usual: Target) -> str:
        """Return the query of a page's URL, without defaults. Without a target the page describes `usual`."""
        pairs = {"target": self.target if self.target != usual else "", "confidence": self.confidence}
        pairs |= {"method": self.method, "projected": "1" if self.projected else ""}
        return urlencode({name: value for name, value in pairs.items() if value})

    def view(self, usual: Target) -> str:
        """Return the query with the part of the choice that a question's page has, too."""
        return self._replace(method="", projected=False).address(usual)


USUAL = Selection()


def of_query(query: Mapping[str, str], document: Document, about: Target = TARGETS[0]) -> Selection:
    """Return the choice in a URL. The default target is `about`. Other parameters are ignored. Raise UnknownSelection
    for a value that this release lacks: anything else shown instead would be wrong."""
    usual = in_percent(document["confidence"])
    target = next((each for each in TARGETS if each == (query.get("target") or about)), None)
    confidence = query.get("confidence") or usual
    method, projected = query.get("method", ""), query.get("projected") or "0"
    valid = confidence in confidences(document) and projected in ("0", "1")
    if target is None or not valid or (method and method not in methods(document)):
        raise UnknownSelection
    return Selection(target, "" if confidence == usual else confidence, method, projected == "1")


def in_percent(confidence: float) -> str:
    return f"{round(100 * confidence, 1):g}"


def confidences(document: Document) -> list[str]:
    """Return the confidences, in percent and increasing, for which the release has every interval."""
    known = [
        {level["confidence"] for level in category[target].get("levels", ())}
        for category in _categories(document)
        for target in TARGETS
    ]
    return [in_percent(each) for each in sorted({document["confidence"], *(set.intersection(*known) if known else ())})]


def methods(document: Document) -> list[str]:
    """Return the methods that some question has in addition to its first one."""
    names = {method["method"] for result in document["questions"] for method in result["methods"][1:]}
    return [name for name in METHODS if name in names]


def _categories(document: Document) -> Iterable[Category]:
    for result in (*document["questions"], *document.get("by_group", ())):
        for method in result["methods"]:
            yield from method["categories"]


def applied(document: Document, choice: Selection) -> display.Document:
    """Return the document for display: each category has `shown`, and the selected method comes first. A question
    without an order has its options by estimate."""
    level = next(
        c for c in _known(document) if in_percent(c) == (choice.confidence or in_percent(document["confidence"]))
    )
    questions = [_result(result, choice, level, document) for result in document["questions"]]
    shown = cast(display.Document, {**document, "confidence": level, "questions": questions})
    if "by_group" in document:
        shown["by_group"] = [_result(result, choice, level, document) for result in document["by_group"]]
    return shown


def _known(document: Document) -> set[float]:
    levels = (category[TARGETS[0]].get("levels", ()) for category in _categories(document))
    return {document["confidence"], *(level["confidence"] for known in levels for level in known)}


def _result(result: QuestionResult, choice: Selection, level: float, document: Document) -> display.Result:
    usual = document["confidence"]
    ordered = sorted(result["methods"], key=lambda method: bool(method["method"] != choice.method))
    methods: list[display.Method] = [
        {**method, "categories": _with_target(method, choice.target, level, usual)} for method in ordered
    ]
    planned = level == usual and not choice.method
    about = {"target": choice.target, "planned": planned, "level": level, "ended": document["final"]}
    return named(by_estimate(cast(display.Result, {**result, **about, "methods": methods})))


def named(result: display.Result) -> display.Result:
    """Return the result with its options as a page names them."""
    if not (before := result.get("options")) or (names := in_words(before)) == before:
        return result
    texts = dict(zip(before, names, strict=True))
    methods: list[display.Method] = [
        {**method, "categories": [{**each, "option": texts[each["option"]]} for each in method["categories"]]}
        for method in result["methods"]
    ]
    return {**result, "options": names, "methods": methods}


def _with_target(method: MethodResult, target: Target, level: float, usual: float) -> list[display.Category]:
    return [
        {**category, "shown": _at(category[target], level, usual), "estimated": True}
        for category in method["categories"]
    ]


def _at(precision: Precision, level: float, usual: float) -> Precision:
    if level == usual:
        return precision
    other = next(known for known in precision["levels"] if known["confidence"] == level)
    return {**precision, "interval": other["interval"], "simultaneous": other["simultaneous"]}


def by_estimate(result: display.Result) -> display.Result:
    """Return the result with its options from most to least common by the first method, unless their order matters.
    "Prefer not to say" stays last. A last option with a name like "Other" stays before it."""
    from surveys.survey import kinds  # they import the results' figures

    categories = result["methods"][0]["categories"]
    if kinds.of(result).has_order or len(categories) != len(result["options"]):
        return result
    last = len(categories) if aside(result) is None else len(categories) - 1
    kept = last - 1 if last and result["options"][last - 1].strip(" .…").casefold() in OTHERS else last
    order = sorted(range(kept), key=lambda place: -categories[place]["estimate"]) + list(range(kept, len(categories)))
    methods: list[display.Method] = [
        {**method, "categories": [method["categories"][place] for place in order]} for method in result["methods"]
    ]
    return {**result, "options": [result["options"][place] for place in order], "methods": methods}
