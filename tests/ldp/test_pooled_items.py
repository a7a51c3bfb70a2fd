"""The crossing of two items of one list or grid that forms draw in different ways (M45)."""

import random
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ldp import exact
from ldp.forms import report, results
from ldp.forms.pooled_cells import PooledCells
from ldp.inference.crossed import joint_counts
from ldp.inference.variables import NotCrossed, common_forms, of_all, pair_of, part_about, variable
from ldp.planning.trial import field, rows
from ldp.scores import PooledMoments
from tests.ldp.test_pooled_lists import OWNS, RATE, SMOKES, TEXTS, answers_of, draw, stated
from tests.support.stated_channels import sampled_channel

TOGETHER = {"alpha": "3", "mechanism": "randomized_response", "questions": ["owns", "smokes"]}
TOGETHER |= {"table": {"keep": exact.keeping(Fraction(3), Fraction(8)), "sizes": [[2, 1], 1]}}


def surveyed(questions, *draws):
    """Return a definition of forms with a draw each. The second form gets twice the people of any other."""
    forms = [{"weight": 1 + (place == 1), "draws": [own]} for place, own in enumerate(draws)]
    return {"questions": [each | TEXTS for each in questions], "draws": [], "forms": forms}


# The reports of one form are about one item, so they say nothing about two.
LISTS = {
    "owns": surveyed([OWNS], draw(OWNS, "1", 1), draw(OWNS, "2", 2), draw(OWNS, "2", 3)),
    "owns, also with another question": surveyed([OWNS, SMOKES], draw(OWNS, "1", 1), draw(OWNS, "1", 2), TOGETHER),
    "rate": surveyed([RATE], draw(RATE, "1", 1, 1), draw(RATE, "2", 2, 1), draw(RATE, "3", 3, 1)),
    "rate, more listed": surveyed([RATE], draw(RATE, "1", 1, 1), draw(RATE, "2", 2, 2), draw(RATE, "3", 3, 1)),
}


def listed(name):
    return name.partition(",")[0]


def pair(name, one=1, other=3):
    return pair_of(report.alone(LISTS[name]), f"{listed(name)}.{one}", f"{listed(name)}.{other}")


def crossing_of(definition, sent, *keys):
    """Return the crossing of two items from the reports of each form, which have values by key."""

    def read(first, second):
        each = (columns(definition, form, sent[form], keys) for form in sorted(common_forms((first, second)) or ()))
        return joint_counts(first, second, each)

    tallies = [tally(definition, form, each) for form, each in enumerate(sent)]
    return results.crossing(definition, tallies, *pair_of(report.alone(definition), *keys), read)


def tally(definition, form, sent):
    [own] = report.parts(definition, form)
    totals = own.tally(field(own.packing, [own.value(each) for each in sent])) if sent else None
    return results.FormTally(len(sent), (totals,) if totals else ())


def columns(definition, form, sent, keys):
    [own] = report.parts(definition, form)
    tables = own.tables(rows(own.packing, [own.value(each) for each in sent]), 0)
    return [tables[key.partition(".")[0]] for key in keys]


# Every outcome --------------------------------------------------------------------------------------------------------


def about_both(name, form, one, other):
    """Return the reports of a form that are about both items, with their chances given that they are."""
    key, made = listed(name), defaultdict(Fraction)
    people, [own] = answers_of(key), LISTS[name]["forms"][form]["draws"]
    d = 2 if key == "owns" else 3
    channel = sampled_channel(list(people), d, 3, own["table"], exact.RESOLUTION)
    for share, row in zip(people.values(), channel, strict=True):
        for sent, chance in row.items():
            if {one, other} <= {item for item, _ in sent}:
                made[sent] += share * chance
    whole = sum(made.values())
    return {sent: chance / whole for sent, chance in made.items()}


def value(key, sent):
    return {key: [[item, options[0] if key == "owns" else list(options)] for item, options in sent]}


def joint(key, one, other, option, against):
    """Return the share of people with both answers. "Applies" is the first answer of an option."""
    named = [1 - place if key == "owns" else place for place in (option, against)]
    return sum(chance for answer, chance in answers_of(key).items() if [answer[one], answer[other]] == named)


def score(part, sent, items, cell):
    """Return the unbiased score of a cell in one report, in fractions (M44)."""
    lam, factors = Fraction(part.first.question["table"]["keep"], exact.RESOLUTION), []
    for item, option in zip(items, cell, strict=True):
        d, a = len(part.first.options), part.first.listed
        named = 1 - option if part.first.question["kind"] == "multiple_choice" else option
        factors.append((int(named in dict(sent)[item]) - Fraction(a, d)) * Fraction(d - 1, d - a) + Fraction(1, d))
    return (factors[0] * factors[1] - (1 - lam) / Fraction(len(part.first.options)) ** 2) / lam


@pytest.mark.parametrize("name", ["owns", "rate", "rate, more listed"])
def test_a_cell_is_unbiased_and_its_variance_is_that_of_every_outcome(name):
    """Two forms send one report each about both items; another report is about one item. All is in fractions."""
    key = listed(name)
    laws = [about_both(name, form, 0, 2) for form in (1, 2)]
    alone = value(key, ((0, tuple(range(LISTS[name]["forms"][0]["draws"][0]["table"].get("size", 1)))),))
    means, squares = defaultdict(Fraction), defaultdict(Fraction)
    for place, ((one, first), (other, second)) in enumerate(product(laws[0].items(), laws[1].items())):
        if not place % 7:  # each of these is compared with what is computed
            made = crossing_of(LISTS[name], [[alone], [value(key, one)], [value(key, other)]], f"{key}.1", f"{key}.3")
            assert isinstance(made, PooledCells) and made.n == 2
        weights = [Fraction(float(weight)) for weight in made.weights]
        for cell in product(*map(range, made.shape)):
            each = [score(part, sent, (0, 2), cell) for part, sent in zip(made.parts, (one, other), strict=True)]
            estimate = sum(weight * own for weight, own in zip(weights, each, strict=True)) / sum(weights)
            assert place % 7 or made.joint[cell] == pytest.approx(float(estimate), abs=1e-9)
            means[cell] += first * second * estimate
            squares[cell] += first * second * estimate**2
    assert all(mean == joint(key, 0, 2, *cell) for cell, mean in means.items())
    if made.exact is None:
        return
    moments, _ = made.exact
    assert isinstance(moments, PooledMoments)
    for cell, mean in means.items():
        assert float(squares[cell] - mean**2) == pytest.approx(float(stated(moments, mean) / 2), rel=1e-9)


def test_forms_whose_reports_are_about_one_item_count_for_nothing():
    one, other = pair("owns")
    assert common_forms((one, other)) == {1, 2} and [each["form"] for each in one.question["asked"]] == [1, 2]
    with pytest.raises(NotCrossed, match="about only one item"):
        only = surveyed([OWNS], draw(OWNS, "1", 1), draw(OWNS, "2", 1))
        pair_of(report.alone(only), "owns.1", "owns.3")
    three = [variable(report.alone(LISTS["owns"]), f"owns.{place}") for place in (1, 2, 3)]
    assert [each.question["form"] for each in of_all(three)] == [2, 2, 2]
    two = surveyed([OWNS], draw(OWNS, "1", 1), draw(OWNS, "2", 2))
    with pytest.raises(NotCrossed, match="as many items"):
        of_all([variable(report.alone(two), f"owns.{place}") for place in (1, 2, 3)])


@pytest.mark.parametrize("form", [0, 1, 2])
def test_the_part_of_reports_that_are_about_items_is_that_of_every_report(form):
    own = LISTS["rate"]["forms"][form]["draws"][0]
    [row] = sampled_channel([(0, 0, 0)], 3, 3, own["table"], exact.RESOLUTION)
    questions = report.alone(LISTS["rate"], [form])
    for named in ((1,), (1, 3), (1, 2, 3)):
        about = sum(chance for sent, chance in row.items() if {place - 1 for place in named} <= {*dict(sent)})
        assert part_about([variable(questions, f"rate.{place}") for place in named]) == about


# Samples --------------------------------------------------------------------------------------------------------------

OFTEN = {"owns": (0.05, 0.4, 0.5), "rate": (0.2, 0.3, 0.5)}


def person(name, chance, related):
    """Return a person's answers. If `related`, half of the people give the last item the second item's answer."""
    key = listed(name)
    if key == "owns":
        answers = [chance.random() < share for share in OFTEN[key]]
    else:
        answers = chance.choices(range(3), OFTEN[key], k=3)
    if related and chance.random() < 0.5:
        answers[2] = answers[1]
    return {key: answers, "smokes": chance.randrange(2)}


def sampled(name, n, chance, related=True):
    """Return the crossing of the reports of n people."""
    sent = []
    for form, part in enumerate(LISTS[name]["forms"]):
        [own] = report.parts(LISTS[name], form)
        people = (person(name, chance, related) for _ in range(n * part["weight"] // 4))
        sent.append([own.randomize(each, lambda: chance.getrandbits(53)) for each in people])
    return crossing_of(LISTS[name], sent, f"{listed(name)}.2", f"{listed(name)}.3")


def truth(name, related):
    """Return the shares of both answers to the last two items."""
    if listed(name) == "owns":
        one, other = (np.array([share, 1 - share]) for share in OFTEN["owns"][1:])
    else:
        one = other = np.array(OFTEN["rate"])
    apart = np.outer(one, other)
    return (apart + np.diag(one)) / 2 if related else apart


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("n", [40, 200])
def test_intervals_hold_as_often_as_promised(name, n):
    """If each of 60 surveys misses with a chance of at most .05, more than 11 miss once in 10,000 runs. A mean is more
    than 5 of its own standard errors off once in a million runs."""
    chance, missed, errors, law = random.Random(f"{name} {n}"), 0, [], truth(name, True)
    for _ in range(60):
        made = sampled(name, n, chance)
        ends = made.intervals(0.95)
        missed = missed + ~((ends[..., 0] <= law) & (law <= ends[..., 1]))
        errors.append((made.joint - law, made.standard_errors[0]))
    off, errors_stated = (np.array(each) for each in zip(*errors, strict=True))
    assert missed.max() <= 11
    assert (abs(off.mean(axis=0)) < 5 * off.std(axis=0) / 60**0.5).all()
    if n > 100:  # the standard deviation of 60 is within 40% of the truth but for once in 100,000 times
        assert off.std(axis=0) / errors_stated.mean(axis=0) == pytest.approx(np.ones_like(law), abs=0.4)


@pytest.mark.parametrize("name", LISTS)
def test_unrelated_items_are_seldom_said_to_be_related_and_related_ones_are_found(name):
    """More than 9 of 40 p-values of unrelated items are below .05 once in 20,000 runs."""
    chance, n = random.Random(name), 1800 if "another" in name else 900
    tests = [sampled(name, n, chance, related=False).independence() for _ in range(40)]
    assert all(tests) and sum(test.p_value < 0.05 for test in tests) <= 9
    assert sampled(name, 9000, chance).independence().p_value < 1e-4
