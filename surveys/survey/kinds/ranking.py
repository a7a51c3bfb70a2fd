"""An order of several items. A report gives the order of the items that its browser drew, so each pair of items has its
own reports."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ldp.kinds.ranking import BEFORE, statements
from ldp.mechanisms.ranking import SAMPLE_MAX, SAMPLE_MIN, entry_pairs
from ldp.question import Question
from surveys.figures import sentences
from surveys.figures.display import Result, is_estimated
from surveys.figures.targets import width
from surveys.rules.draft_schema import different, says, text
from surveys.rules.languages import DEFAULT, ImpliedWords, implied_words
from surveys.rules.limits import ITEMS_MAX, OPTION_MAX, RANKED_MAX, RANKED_MIN
from surveys.rules.refusals import different_texts, refuse
from surveys.rules.shapes import different_texts as must_differ
from surveys.rules.shapes import must
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.fields import SAMPLE, Field
from surveys.survey.kinds.multiple_choice import MultipleChoice
from surveys.survey.kinds.protocol import Fact, Kind, Sampling

LONGEST = (OPTION_MAX - len(BEFORE)) // 2  # characters of an item, because an option has two of them
MEANING = gettext_lazy("The share of people who rank the first entry higher than the second.")
NAMED = 3  # statements in a sentence; more are counted

RANKED = Field(
    "ranked",
    gettext_lazy("Entries to rank"),
    different(text(LONGEST), RANKED_MAX, least=RANKED_MIN) | says("What is put in order."),
    gettext_lazy(
        "One on each line: 3 to 8 entries, which people put in order. There is no “Prefer not to say”: a report always "
        "gives the order of a few entries."
    ),
    widget="lines",
    needed=True,
    rows=5,
    missing=gettext_lazy("Write at least three entries, one on each line."),
    least=3,
)

DRAWN = replace(
    SAMPLE,
    label=gettext_lazy("Entries that are drawn"),
    help=gettext_lazy("A browser draws 2 or 3 of the entries at random and sends their order. Empty: 2."),
)


class Ranking(MultipleChoice):
    name: Promise = gettext_lazy("Ranking")
    purpose: Promise = gettext_lazy("Things in order, the most important one first.")
    typed_fields: tuple[Field, ...] = (RANKED, DRAWN)
    begins: Mapping[str, Any] = {"ranked": []}
    required = frozenset({"ranked"})
    optional = frozenset({"sample"})
    voluntary: frozenset[str] = frozenset()
    no_refusing = gettext_noop("does not exist for a ranking: a report is about a few entries only")
    fields = frozenset({"options", "ranked"})
    texts = frozenset({"ranked"})
    listed = "ranked"
    lists: Mapping[str, int] = {"ranked": ITEMS_MAX}
    decides = pictured = options_are_answers = False
    reading = "ranks"
    invented: Promise = gettext_lazy(
        "How many of 100 people put each first; the rest of an order follows from that. Shares are made to add up to "
        "100; all left empty they are equal."
    )
    sampling = Sampling("ranked", "entries", SAMPLE_MIN, SAMPLE_MAX)
    answer = "orders"
    has_order = True  # a question decides which of two items a statement names first

    def build(self, draft: Unchecked, where: str) -> Built:
        given = draft["ranked"]
        if not isinstance(given, list) or not RANKED_MIN <= len(given) <= RANKED_MAX:
            rule = gettext_noop("must be a list of %(least)s to %(most)s texts")
            raise refuse(f"{where}.ranked", "list_length", rule, least=RANKED_MIN, most=RANKED_MAX)
        own: Built = {"ranked": different_texts(given, f"{where}.ranked", LONGEST, RANKED_MAX)}
        options = self.implied_options(own, implied_words(DEFAULT))
        if len(set(options)) < len(options):  # such as “a”, “b > c”, “a > b” and “c”
            raise refuse(f"{where}.ranked", "repeated", gettext_noop("must differ from each other"))
        return {"options": options} | own

    def implied_options(self, question: Mapping[str, Any], words: ImpliedWords) -> list[str]:
        """Return the statements “a > b” on all pairs of items. They are the same in every language."""
        return statements(question["ranked"])

    def nothing(self, question: Mapping[str, Any], language: str) -> list[int]:
        return []

    def check(self, question: Unchecked) -> None:
        items = question["ranked"]
        must_differ(items, RANKED_MAX)
        must(len(items) >= RANKED_MIN and not question["prefer_not_to_say"])
        must_differ(question["options"], len(entry_pairs(RANKED_MAX)))
        must(len(question["options"]) == len(entry_pairs(len(items))))

    def filler(self, question: Question) -> str:
        return BEFORE.join(question["ranked"])

    def facts(self, question: Question) -> list[Fact]:
        return [Fact(_("Pairs"), f"A{BEFORE}B", str(MEANING))]

    def left_out(self, result: Result) -> str:
        missing = result["d"] - len(result["methods"][0]["categories"])
        if not missing:
            return ""
        words = _("No report is about %(missing)s of the %(all)s pairs, so nothing is known about them.")
        return words % {"missing": missing, "all": result["d"]}

    def sentences(self, result: Result) -> list[str]:
        meaning = f"A{BEFORE}B: {sentences.within(str(MEANING))}"
        return [_clearest(result), _majorities(result), self.left_out(result), meaning]


def _clearest(result: Result) -> str:
    """Return a sentence on the pair whose estimated share is farthest from one half, with its interval."""
    items, categories = result["ranked"], result["methods"][0]["categories"]
    pair = max(categories, key=lambda category: abs(category["estimate"] - 1 / 2))
    first, second = (items[place] for place in _places(items)[pair["option"]])
    share = pair["estimate"], sentences.low(pair), sentences.high(pair)
    if pair["estimate"] < 1 / 2:
        first, second, share = second, first, (1 - share[0], 1 - share[2], 1 - share[1])
    claim = _("put “%(first)s” before “%(second)s”") % {
        "first": sentences.isolated(first),
        "second": sentences.isolated(second),
    }
    return sentences.number(share, claim, width(result, pair), is_estimated(pair))


def _majorities(result: Result) -> str:
    """Return a sentence on the pairs with a known majority. Name all items in order, or the first item, if these pairs
    decide that."""
    items, known = result["ranked"], _known(result)
    wins = Counter(first for first, _second in known)
    order = sorted(range(len(items)), key=lambda item: -wins[item])
    if [wins[item] for item in order] == list(range(len(items)))[::-1]:
        listed = sentences.comma_separated(_quoted(items[item]) for item in order)
        return _("Of any two of these, more people put the earlier one first: %(order)s.") % {"order": listed}
    if wins[order[0]] < len(items) - 1:
        return _named(known, result)
    words = _("More people put %(first)s before each of the others than behind it.")
    return f"{words % {'first': _quoted(items[order[0]])}} {_named(known, result)}"


def _known(result: Result) -> list[tuple[int, int]]:
    """Return the pairs whose interval is on one side of one half. The item that more people put first comes first."""
    named, known = _places(result["ranked"]), []
    for category in result["methods"][0]["categories"]:
        one, other = named[category["option"]]
        if sentences.low(category) > 1 / 2:
            known.append((one, other))
        elif sentences.high(category) < 1 / 2:
            known.append((other, one))
    return known


def _places(items: list[str]) -> dict[str, tuple[int, int]]:
    """Return the indices of the two items of each statement."""
    return dict(zip(statements(items), entry_pairs(len(items)), strict=True))


def _named(known: list[tuple[int, int]], result: Result) -> str:
    if not known:
        return _("For none of the pairs do we know which entry more people put first.")
    numbers = {"known": len(known), "all": result["d"]}
    if len(known) > NAMED:
        return _("For %(known)s of the %(all)s pairs we know which of the two more people put first.") % numbers
    items = result["ranked"]
    listed = "; ".join(_quoted(f"{items[one]}{BEFORE}{items[other]}") for one, other in known)
    words = _("For %(known)s of the %(all)s pairs we know which of the two more people put first: %(pairs)s.")
    return words % (numbers | {"pairs": listed})


def _quoted(text: str) -> str:
    return _("“%(answer)s”") % {"answer": text}


KIND: Kind = Ranking()
