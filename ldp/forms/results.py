"""The results of a survey with forms, from each form's tally (M35, M36b, M44)."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ldp import kinds, results, subsets
from ldp.arrays import Integers
from ldp.document import Agreement, Document, QuestionResult, Retention
from ldp.forms import definition as definitions
from ldp.forms import marginals, report, retention
from ldp.forms.crossed import Crossed, of_counts
from ldp.forms.marginals import JointTally
from ldp.forms.pooled_cells import PooledCells
from ldp.forms.schema import Definition
from ldp.inference import agreement, items, tallied
from ldp.inference.hypotheses import ChiSquare
from ldp.inference.variables import Variable, are_together, by_channel, common_forms
from ldp.mechanisms import POOLED, SAMPLING_OPTIONS, of, randomized_response
from ldp.mechanisms.pooled import PooledRandomizer
from ldp.question import Asked, Drawn, asked_in, has_channels, of_asked
from ldp.results import Counted
from ldp.scores import EXCLUSIVE, PairMoments, Totals


@dataclass(frozen=True)
class FormTally:
    """A form's number of reports n, and the totals of its `report.parts` in order. Tallies of batches add up."""

    n: int
    totals: tuple[Totals, ...]

    def __add__(self, other: "FormTally") -> "FormTally":
        if not self.n or not other.n:
            return self if self.n else other
        added = (add(one, two) for one, two in zip(self.totals, other.totals, strict=True))
        return FormTally(self.n + other.n, tuple(added))


def add(one: Totals, two: Totals) -> Totals:
    return {name: [x + y for x, y in zip(one[name], two[name], strict=True)] for name in one}


def counted(definition: Definition, tallies: Sequence[FormTally]) -> Iterator[Counted]:
    """Yield the questions with reports, in the definition's order, with totals and n. A question for everyone adds the
    totals of all forms. A form's question has the totals of that form, in a joint draw derived from cells. A question
    of several forms has each form's n in `asked`; its totals are added if the channel is the same, otherwise they are
    of pooled scores (M45). ValueError if n reports cannot have the totals."""
    totals_of = _by_form(definition, tallies)
    for question in report.alone(definition):
        each = totals_of.get(question["key"], {})
        if each:
            n = sum(tallies[form].n for form in each)
            drawn = _with_counts(question, tallies, each)
            yield drawn, _totals(drawn, each), n


def _with_counts(question: Drawn, tallies: Sequence[FormTally], totals: Mapping[int, Totals]) -> Drawn:
    """Return a question of several forms with each form's number of reports in `asked`. If forms draw its items in
    several ways, `drawn` has the numbers of reports that drew each item."""
    if "asked" not in question:
        return question
    channels = [cast(Asked, {**each, "n": tallies[each["form"]].n}) for each in question["asked"]]
    if has_channels(question) and (parts := items.number(question)):
        for each in channels:
            own = totals.get(each["form"])
            each["drawn"] = items.drawn(of_asked(question, [each]), own) if own else [0] * parts
    return cast(Drawn, question | {"asked": channels})


def _by_form(definition: Definition, tallies: Sequence[FormTally]) -> dict[str, dict[int, Totals]]:
    """Return the totals by key and form, for forms that ask the question and have reports."""
    totals_of: dict[str, dict[int, Totals]] = {}
    for form, tally in enumerate(tallies):
        for part, totals in zip(report.parts(definition, form), tally.totals, strict=True) if tally.n else ():
            for key, own in _by_question(part, totals, tally.n):
                totals_of.setdefault(key, {})[form] = own
    return totals_of


def _totals(question: Drawn, each: dict[int, Totals]) -> Totals:
    if has_channels(question):
        randomizer = cast(PooledRandomizer, of(question))
        return randomizer.totals([each.get(channel["form"]) for channel in question["asked"]])
    first, *others = each.values()
    for other in others:
        first = add(first, other)
    return first


def agreement_of(definition: Definition, tallies: Sequence[FormTally]) -> dict[str, ChiSquare | None]:
    """Return, by key, the test of agreement of each question that two or more forms with reports ask (M45); None if
    reports are too few, or scores are not 0 or 1."""
    agreements: dict[str, ChiSquare | None] = {}
    totals_of = _by_form(definition, tallies)
    for question in report.alone(definition):
        channels = [each for each in question.get("asked", ()) if tallies[each["form"]].n]
        if len(channels) > 1:
            own = totals_of[question["key"]]
            each = (
                _counted_channel(of_asked(question, [channel]), own[channel["form"]], tallies[channel["form"]].n)
                for channel in channels
            )
            agreements[question["key"]] = _of_items([*each]) if question["mechanism"] in POOLED else None
    return agreements


def _of_items(forms: Sequence[Mapping[str, agreement.FormTotals]]) -> ChiSquare | None:
    """Return the test of the item on which forms differ most. Its p-value is multiplied by the number of testable items
    (Bonferroni). A question with one answer is one item."""
    every = {key: [form[key] for form in forms if key in form] for form in forms for key in form}
    tests = [test for each in every.values() if len(each) > 1 and (test := agreement.agreement(each)) is not None]
    least = min(tests, key=lambda test: test.p_value, default=None)
    return least and least._replace(p_value=min(1.0, least.p_value * len(tests)))


def _counted_channel(question: Drawn, totals: Totals, n: int) -> dict[str, agreement.FormTotals]:
    """Return one form's totals with their moments, by key; for a list or grid, one for each item that a report drew."""
    made = {}
    for key, own in tallied.of_question(question, totals, n):
        if len(own.totals) > 1:
            assert isinstance(own.pair, PairMoments)
            made[key] = agreement.FormTotals(own.n, own.moments, own.pair, tuple(own.totals))
        else:  # an end of a scale, or an option that applies or does not
            [one] = own.totals
            made[key] = agreement.FormTotals(own.n, own.moments, EXCLUSIVE, (own.n - one, one))
    return made


def _by_question(part: report.Part, totals: Totals, n: int) -> Iterator[tuple[str, Totals]]:
    if not part.joint:
        _add_up(part, totals, n)
        yield part.keys[0], totals
        return
    tally = joint_tally(part, totals, n)
    for place, key in enumerate(part.keys):
        yield key, marginals.totals(part.drawn[place], tally, place)


def joint_tally(part: report.Part, totals: Totals, n: int) -> JointTally:
    """Return the tally of a joint draw of n reports. ValueError if n reports cannot have these totals."""
    _add_up(part, totals, n)
    return JointTally(part.draw["table"], part.counts, tuple(totals["support"]), part.keys)


def _add_up(part: report.Part, totals: Totals, n: int) -> None:
    """Raise ValueError unless n reports can have these totals: each lists the same number of options, none twice."""
    if part.draw["mechanism"] == "one_bit":
        [counts], listed = totals.values(), None
    elif part.draw["mechanism"] == "randomized_response":
        counts, listed = totals["support"], n * math.prod(map(subsets.listed, part.sizes))
        if len(counts) != (cells := randomized_response.cells(part.counts)):
            raise ValueError(f"{', '.join(part.keys)}: {len(counts)} counts, where there are {cells}")
    else:
        return
    if not all(0 <= count <= n for count in counts) or listed not in (None, sum(counts)):
        raise ValueError(f"{', '.join(part.keys)}: the counts are not those of {n} reports")


def of_survey(
    definition: Definition, tallies: Sequence[FormTally], confidence: float, every_look: bool = False
) -> list[QuestionResult]:
    """Return each question's results over the n people asked. A question of a joint draw has the draw's whole alpha."""
    return [
        result
        for question, totals, n in counted(definition, tallies)
        for result in kinds.of(question).results(question, totals, n, [confidence], every_look)
    ]


def add_forms(
    document: Document,
    definition: Definition,
    tallies: Sequence[FormTally],
    alphas: Sequence[str],
    stayed: Sequence[Retention | None],
) -> None:
    """Add to a release's document the forms, and the agreement of forms that share a question. `alphas` are those of
    the forms' reports. `stayed` is the result of `stayed`, or None for each form while the survey is open."""
    document["forms"] = [
        {
            "n": tally.n,
            "weight": form["weight"],
            "questions": [question["key"] for question in definitions.members(definition, k)],
            "joint": definitions.is_joint(form),
            "alpha_total": alphas[k],
            "retention": stayed[k],
        }
        for k, (form, tally) in enumerate(zip(definitions.forms(definition), tallies, strict=True))
    ]
    document["agreement"] = _agreement(definition, tallies)


def _agreement(definition: Definition, tallies: Sequence[FormTally]) -> list[Agreement]:
    agreements, by_key = agreement_of(definition, tallies), {each["key"]: each for each in report.alone(definition)}
    made: list[Agreement] = []
    for key, test in agreements.items():
        forms = [form for form in asked_in(by_key[key]) or [] if tallies[form].n]
        numbers = (None, None, None) if test is None else (test.statistic, test.degrees, test.p_value)
        statistic, degrees, p_value = numbers
        made.append({"question": key, "forms": forms, "statistic": statistic, "degrees": degrees, "p_value": p_value})
    return made


def add_groups(
    document: Document,
    definition: Definition,
    tallies: Sequence[FormTally],
    levels: Sequence[float] = (),
    every_look: bool = False,
) -> None:
    """Add groups of invited people to a release's document, each with results as if it were a survey. A group's reports
    come in separate batches and are about all questions."""
    names = definitions.groups(definition)
    document["groups"] = [{"name": name, "n": tally.n} for name, tally in zip(names, tallies, strict=True)]
    document["by_group"] = [
        {**result, "group": name}
        for place, name in enumerate(names)
        for result in results.questions(
            document["confidence"], of_group(definition, tallies, place), levels, every_look
        )
    ]


def of_group(definition: Definition, tallies: Sequence[FormTally], place: int) -> Iterator[Counted]:
    """Return the questions with one group's counts."""
    return counted(definition, [tally if k == place else FormTally(0, ()) for k, tally in enumerate(tallies)])


def stayed(definition: Definition, counts: Sequence[int], fewer_than: int, every_look: bool) -> list[Retention]:
    """Return the retention of an ended survey's forms. All reports are counted except in forms with fewer than
    `fewer_than`. `every_look`: results may have ended the survey."""
    unseen = [0 if n else fewer_than - 1 for n in counts]
    weights = definitions.weights(definition)
    return [_retention(each) for each in retention.of_forms(counts, weights, unseen=unseen, every_look=every_look)]


def _retention(of: retention.FormRetention) -> Retention:
    ends = [end if math.isfinite(end) else None for end in of.ratio]
    numbers = {"expected": of.expected, "direction": of.direction, "p_value": of.p_value}
    return cast(Retention, numbers | {"ratio": ends, "missing": of.missing})


# Two questions crossed ------------------------------------------------------------------------------------------------

Read = Callable[[Variable, Variable], Integers]
"""Returns crossed.joint_counts over the reports of the forms that ask both questions."""


def crossing(
    definition: Definition,
    tallies: Sequence[FormTally],
    first: Variable,
    second: Variable,
    read: Read | None = None,
) -> Crossed | None:
    """Return the crossing of two questions: from the tallies if one draw has both, otherwise from `read` for each
    channel's forms. None if no report is about both, or `read` is needed and missing."""
    ways, parts = by_channel((first, second)), []
    for one, other in ways:
        if is_tallied(one, other):
            counts = _tallied(definition, tallies, one, other)
        elif read is None:
            return None
        else:
            counts = read(one, other)
        if counts is not None and counts[0, 0]:
            parts.append(of_counts(one, other, counts))
    if len(ways) == 1 or not parts:
        return parts[0] if parts else None
    return PooledCells(first, second, tuple(parts))


def is_tallied(first: Variable, second: Variable) -> bool:
    """Return whether tallies count pairs of the two's options, which holds for two questions of one draw."""
    return first.question["key"] != second.question["key"] and are_together(first, second)


def _tallied(
    definition: Definition, tallies: Sequence[FormTally], first: Variable, second: Variable
) -> Integers | None:
    """Return the counts of `Read` from the tallies, for variables with `is_tallied`; None without a report."""
    keys = (first.question["key"], second.question["key"])
    joint = tallied_together(definition, tallies, keys, common_forms((first, second)))
    every = [_pair_counts(tally, first, second) for tally in joint]
    return np.asarray(sum(every)) if every else None


def _pair_counts(tally: JointTally, first: Variable, second: Variable) -> Integers:
    both = (first, second)
    one, other = (tally.keys.index(each.question["key"]) for each in both)
    counts = tally.pair(one, other, (first.place, second.place)).counts
    for axis, each in enumerate(both):
        if each.question["mechanism"] in SAMPLING_OPTIONS:  # "applies" comes first
            counts = counts.take([0, 2, 1], axis)
    return counts


def tallied_together(
    definition: Definition, tallies: Sequence[FormTally], keys: Sequence[str], forms: Collection[int] | None = None
) -> list[JointTally]:
    """Return the tallies of all draws with all of these questions, in order, from these forms or by default all."""
    return [
        joint.of(tuple(key for key in joint.keys if key in keys))
        for form, tally in enumerate(tallies)
        if forms is None or form in forms
        for joint in joint_tallies(definition, form, tally, keys)
    ]


def joint_tallies(definition: Definition, form: int, tally: FormTally, keys: Sequence[str]) -> list[JointTally]:
    """Return the tallies of a form's joint draws with all of these questions; empty without reports."""
    each = zip(report.parts(definition, form), tally.totals, strict=True) if tally.n else ()
    return [joint_tally(part, totals, tally.n) for part, totals in each if part.joint and {*keys} <= {*part.keys}]
