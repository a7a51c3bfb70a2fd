"""What a reader chooses to see of a release: whom the numbers are about, at which confidence, by which method.

The address keeps it, so that a link shows what its sender saw. Only what differs from the usual stands there. A choice
changes none of the document's numbers: `applied` puts those that were chosen where all pages and plots look for them.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from surveys.figures.layout import aside
from surveys.results.glossary import METHODS, TARGETS

Data = dict[str, Any]

# Answers that stand last wherever a questionnaire puts them last, in the languages of this site.
OTHERS = frozenset(
    {"other", "others", "something else", "none of these", "none of the above", "sonstiges", "andere", "anderes"}
    | {"etwas anderes", "keine davon", "keines davon", "أخرى", "غير ذلك"}
)


NAMES = frozenset({"target", "confidence", "method", "projected"})


class Unknown(ValueError):
    """A value that this release does not have."""


class Choice(NamedTuple):
    """Empty texts are the usual: the document's own confidence, and each question's first method."""

    target: str = "population"
    confidence: str = ""  # percent: 90
    method: str = ""
    projected: bool = False

    @property
    def query(self) -> str:
        """What the address says of it: nothing where all is as usual."""
        pairs = {"target": self.target if self.target != TARGETS[0] else "", "confidence": self.confidence}
        pairs |= {"method": self.method, "projected": "1" if self.projected else ""}
        return urlencode({name: value for name, value in pairs.items() if value})

    @property
    def view(self) -> str:
        """What of it the page of one question knows too."""
        return self._replace(method="", projected=False).query


USUAL = Choice()


def of_query(query: Mapping[str, str], document: Data) -> Choice:
    """The choice of an address. Other names than its own are nobody's business here; Unknown for a value that this
    release does not have, since something else than what was asked for must not be shown for it."""
    usual = in_percent(document["confidence"])
    target, confidence = query.get("target") or TARGETS[0], query.get("confidence") or usual
    method, projected = query.get("method", ""), query.get("projected") or "0"
    valid = target in TARGETS and confidence in confidences(document) and projected in ("0", "1")
    if not valid or (method and method not in methods(document)):
        raise Unknown
    return Choice(target, "" if confidence == usual else confidence, method, projected == "1")


def in_percent(confidence: float) -> str:
    return f"{round(100 * confidence, 1):g}"


def confidences(document: Data) -> list[str]:
    """The confidences at which every interval of the release is known, in percent, increasing."""
    known = [
        {level["confidence"] for level in category[target].get("levels", ())}
        for category in _categories(document)
        for target in TARGETS
    ]
    return [in_percent(each) for each in sorted({document["confidence"], *(set.intersection(*known) if known else ())})]


def methods(document: Data) -> list[str]:
    """The methods by which a question was estimated beside its first one."""
    found = {method["method"] for result in document["questions"] for method in result["methods"][1:]}
    return [name for name in METHODS if name in found]


def _categories(document: Data) -> Iterable[Data]:
    for result in document["questions"]:
        for method in result["methods"]:
            yield from method["categories"]


def applied(document: Data, choice: Choice) -> Data:
    """The document as it is to be shown: `shown` stands beside the numbers of each category, the chosen method first,
    and the options of a question without an order by their estimates."""
    level = next(
        c for c in _known(document) if in_percent(c) == (choice.confidence or in_percent(document["confidence"]))
    )
    about = {"level": level, "ended": document["final"]}
    questions = [_result(result | about, choice, level, document["confidence"]) for result in document["questions"]]
    return document | {"confidence": level, "questions": questions}


def _known(document: Data) -> set[float]:
    levels = (category[TARGETS[0]].get("levels", ()) for category in _categories(document))
    return {document["confidence"], *(level["confidence"] for known in levels for level in known)}


def _result(result: Data, choice: Choice, level: float, usual: float) -> Data:
    ordered = sorted(result["methods"], key=lambda method: bool(method["method"] != choice.method))
    methods = [method | {"categories": _with_target(method, choice.target, level, usual)} for method in ordered]
    planned = level == usual and choice.target == TARGETS[0] and not choice.method
    return by_estimate(result | {"methods": methods, "target": choice.target, "planned": planned})


def _with_target(method: Data, target: str, level: float, usual: float) -> list[Data]:
    return [category | {"shown": _at(category[target], level, usual)} for category in method["categories"]]


def _at(precision: Data, level: float, usual: float) -> Data:
    if level == usual:
        return precision
    other: Data = next(known for known in precision["levels"] if known["confidence"] == level)
    return precision | other


def by_estimate(result: Data) -> Data:
    """The result with its options from the most to the least common one, by the first method, where their order means
    nothing. "Prefer not to say" stays last, and what is named like "Other" at the end of the list before it."""
    from surveys import kinds  # which know the results' figures

    categories = result["methods"][0]["categories"]
    if kinds.of(result).has_order or len(categories) != len(result["options"]):
        return result
    last = len(categories) if aside(result) is None else len(categories) - 1
    kept = last - 1 if last and result["options"][last - 1].strip(" .…").casefold() in OTHERS else last
    order = sorted(range(kept), key=lambda place: -categories[place]["estimate"]) + list(range(kept, len(categories)))
    methods = [m | {"categories": [m["categories"][place] for place in order]} for m in result["methods"]]
    return result | {"options": [result["options"][place] for place in order], "methods": methods}
