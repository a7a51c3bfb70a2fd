"""A multiple choice or grid drawn with other questions (M9c): its channel over every outcome of the draws, its
certificate, tallies and crossings."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from ldp import exact, subsets
from ldp.forms import definition as definitions
from ldp.forms import report, results
from ldp.inference import crossed
from ldp.inference.variables import are_together, pair_of, variables
from ldp.kinds.protocol import Size
from ldp.mechanisms import randomized_response
from ldp.mechanisms.randomized_response import best_sizes, certified, draw, table
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, DesignDraw
from ldp.planning.design_columns import Columns
from ldp.planning.design_proposals import propose
from ldp.privatize import make_report
from ldp.subsets import CELLS_MAX, Items
from ldp.tally import Batch
from surveys.survey.definition.layout import Layout
from tests.support.channels import enumerated, hashable, worst_ratio
from tests.support.stated_channels import product_subsets, sampled_channel
from tests.support.stated_lists import flat, people, stated

KEEP = 1
# The questions of a draw, its sizes, and a resolution that every choice divides.
DRAWS = [
    ((2, Items(2, 2)), (1, (1, 1)), 2),
    ((Items(3, 2), 2), ((1, 1), 1), 6),
    ((2, Items(2, 2)), (1, (2, 1)), 2),
    ((2, Items(2, 3)), (1, (1, 2)), 6),
    ((Items(2, 2), Items(2, 2)), ((1, 1), (1, 1)), 2),
    ((3, Items(2, 3)), (2, (1, 1)), 6),
]
WHOLE = [
    *((counts, sizes) for counts, sizes, _ in DRAWS),
    ((2, Items(8, 2)), (1, (3, 1))),
    ((Items(6, 5), 4, Items(5, 2)), ((2, 2), 1, (1, 1))),
    ((2, Items(64, 2)), (1, (12, 1))),
]


@pytest.mark.parametrize(("counts", "sizes", "r"), DRAWS)
def test_the_sampler_is_the_stated_channel_and_no_likelier_than_its_certificate_says(monkeypatch, counts, sizes, r):
    monkeypatch.setattr(exact, "RESOLUTION", r)
    own = {"keep": KEEP, "sizes": list(sizes)}
    choices = 1 + sum(a if isinstance(a, int) else a[0] * (1 + a[1]) for a in sizes)
    rows = enumerated(lambda x, t, d, u: draw(x, t, counts, u), people(counts), counts, own, r, choices)
    assert rows == stated(counts, sizes, KEEP, r)
    rarity = subsets.rarity(counts, sizes)
    assert rarity == prod((Fraction(d, a) for d, a in zip(*flat(counts, sizes), strict=True)), start=Fraction(1))
    assert worst_ratio(rows) == 1 + KEEP * rarity / (r - KEEP)
    realized = randomized_response.realized_alpha(own, counts)
    assert realized == pytest.approx(float(np.log(float(worst_ratio(rows)))), rel=1e-12)


@pytest.mark.parametrize("alpha", ["0.01", "0.5", "2", "8", "16"])
@pytest.mark.parametrize(("counts", "sizes"), WHOLE)
def test_tables_are_the_sharpest_and_false_ones_are_refused(counts, sizes, alpha):
    promised, found = Fraction(alpha), table(Fraction(alpha), counts, sizes)
    assert certified(found, counts, promised)
    for keep in (found["keep"] + 1, 0, exact.RESOLUTION):
        assert not certified(found | {"keep": keep}, counts, promised)
    place = next(k for k, options in enumerate(counts) if isinstance(options, Items))
    (items, d), (s, a) = counts[place], sizes[place]
    for wrong in ((items + 1, a), (0, a), (s, d), (s, 0), (s,), (s, a, 1), s, None, (True, a), (str(s), a)):
        changed = [*found["sizes"][:place], wrong, *found["sizes"][place + 1 :]]
        assert not certified(found | {"sizes": changed}, counts, promised)
    if s > 1:
        fewer = [*sizes[:place], (s - 1, a), *sizes[place + 1 :]]
        assert not certified(table(promised, counts, fewer) | {"sizes": list(sizes)}, counts, promised)


def test_no_more_is_drawn_than_a_tally_counts():
    with pytest.raises(ValueError, match=f"at most {CELLS_MAX}"):
        table(Fraction(1), (2,) * 6 + (Items(64, 2),), (1,) * 6 + ((1, 1),))
    assert not certified({"keep": 1, "sizes": [1, [13, 1]]}, (2, Items(64, 2)), Fraction(1))


@pytest.mark.parametrize("alpha", ["0.5", "2", "4"])
@pytest.mark.parametrize("counts", [(2, Items(8, 2)), (Items(6, 5), 3), (2, 2, Items(4, 3))])
def test_sizes_without_a_name_have_the_least_sum_of_variances(counts, alpha):
    bound = exact.exp_short(Fraction(alpha))

    def variance(options, size, rarity):
        d, a, items, s = (
            (options, size, 1, 1) if isinstance(options, int) else (options.d, size[1], options.items, size[0])
        )
        share, gap = Fraction(a, d), Fraction(d - a, d - 1)
        return Fraction(items, s) * share * (1 - share) / gap**2 * (1 + rarity / (bound - 1)) ** 2

    def ways(options):
        if isinstance(options, int):
            return list(range(1, options))
        return [(s, a) for s in range(1, options.items + 1) for a in range(1, options.d) if options.d**s <= CELLS_MAX]

    def rarity(options, sizes):
        return prod((Fraction(d, a) for d, a in zip(*flat(options, sizes), strict=True)), start=Fraction(1))

    least = [min(variance(o, a, rarity((o,), (a,))) for a in ways(o)) for o in counts]
    sums = {
        sizes: sum(
            variance(o, a, rarity(counts, sizes)) / best for o, a, best in zip(counts, sizes, least, strict=True)
        )
        for sizes in product(*map(ways, counts))
    }
    assert best_sizes(Fraction(alpha), counts) == min(sums, key=lambda sizes: (sums[sizes], sizes))


# A survey -------------------------------------------------------------------------------------------------------------


def question(key, kind, options, **more):
    return {"key": key, "kind": kind, "text": key, "options": options, **more}


QUESTIONS = [
    question("smokes", "yes_no", ["yes", "no"]),
    question("which", "multiple_choice", ["tv", "car", "boat"]),
    question("region", "single_choice", ["north", "south", "east"]),
    question("rate", "grid", ["bad", "fair", "good"], items=["food", "rooms", "price", "staff"]),
]
SIZES = {"smokes": 1, "which": (2, 1), "region": 2, "rate": (3, 2)}


def survey(*draws, alpha="2"):
    def drawn(keys):
        own = [each for each in QUESTIONS if each["key"] in keys]
        made = table(Fraction(alpha), definitions.counts(own), [SIZES[key] for key in keys])
        return {"alpha": alpha, "mechanism": "randomized_response", "table": made, "questions": list(keys)}

    named = {key for keys in draws for key in keys}
    definition = {"questions": [each for each in QUESTIONS if each["key"] in named], "draws": list(map(drawn, draws))}
    definitions.check(definition)
    return definition


def answers_of(definition, chance):
    return {
        each["key"]: [chance.random() < 0.4 for _ in each["options"]]
        if each["kind"] == "multiple_choice"
        else [chance.randrange(3) for _ in each["items"]]
        if "items" in each
        else chance.randrange(len(each["options"]))
        for each in definition["questions"]
    }


def rows_of(definition, given, chance):
    layout = Layout(definition, 0)
    sent = [report.randomize(definition, 0, each, lambda: chance.getrandbits(53)) for each in given]
    packed = [layout.pack(each) for each in sent]
    return sent, np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), -1)


EVERY = [("smokes", "which"), ("smokes", "rate"), ("which", "rate"), ("smokes", "which", "region", "rate")]


@pytest.mark.parametrize("keys", EVERY)
def test_all_reports_are_of_one_length_and_counted_as_they_were_sent(keys):
    definition, chance = survey(keys), random.Random(7)
    given = [answers_of(definition, chance) for _ in range(300)]
    sent, rows = rows_of(definition, given, chance)
    [(part, start, width)] = report.fields(definition, 0)
    counts = np.array(part.tally(Batch(rows).field(start, width))["support"])
    shape = [subsets.symbols(options) for options in part.counts]
    expected = np.zeros(shape, dtype=np.int64)
    for one in sent:
        for cell in product(*(symbols(each, one[each["key"]]) for each in definition["questions"])):
            expected[cell] += 1
    assert counts.tolist() == expected.ravel().tolist()
    tally = results.FormTally(300, (part.tally(Batch(rows).field(start, width)),))
    table_of = part.tables(rows, start)
    assert part.tally(part.field(table_of)) == tally.totals[0]
    for own, totals, n in results.counted(definition, [tally]):
        alone = report.Part((next(q for q in QUESTIONS if q["key"] == own["key"]),), own)
        assert n == 300 and totals == alone.tally(alone.field(table_of))


def symbols(own, value):
    if own["kind"] == "multiple_choice":
        return [2 * item + bit for item, bit in value]
    return [3 * item + option for item, listed in value for option in listed] if "items" in own else value


@pytest.mark.parametrize("keys", EVERY)
def test_pairs_of_the_tally_are_those_of_the_reports(keys):
    definition, chance = survey(keys), random.Random(8)
    given = [answers_of(definition, chance) for _ in range(200)]
    _, rows = rows_of(definition, given, chance)
    [(part, start, width)] = report.fields(definition, 0)
    tallies, tables = [results.FormTally(200, (part.tally(Batch(rows).field(start, width)),))], part.tables(rows, start)
    questions = report.alone(definition)
    every = [each.key for each in variables(questions)]
    for a, b in product(every, every):
        if a.partition(".")[0] == b.partition(".")[0]:
            continue
        one, other = pair_of(questions, a, b)
        counts = crossed.joint_counts(one, other, [(tables[one.question["key"]], tables[other.question["key"]])])
        found = results.crossing(definition, tallies, one, other)
        assert are_together(one, other) and found.counts.tolist() == counts.tolist()


def test_two_items_of_a_list_are_crossed_over_the_reports_that_drew_both():
    definition, chance = survey(("smokes", "which")), random.Random(9)
    _, rows = rows_of(definition, [answers_of(definition, chance) for _ in range(400)], chance)
    [(part, start, _)] = report.fields(definition, 0)
    columns, questions = part.tables(rows, start)["which"], report.alone(definition)
    one, other = pair_of(questions, "which.1", "which.3")
    assert not results.is_tallied(one, other)
    counts = crossed.joint_counts(one, other, [(columns, columns)])
    assert counts[0, 0] == (columns[:, [0, 2]] >= 0).all(axis=1).sum()
    assert results.crossing(definition, [], one, other, lambda *_: counts).pair.one_listed


# Laws -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counts", "sizes", "r"), DRAWS)
def test_given_what_was_drawn_answers_have_the_channel_of_their_number(counts, sizes, r):
    """Every interval of M44 therefore holds over the reports that drew an item, and over those that drew two."""
    place = next(k for k, options in enumerate(counts) if isinstance(options, Items))
    other = next((k for k, options in enumerate(counts) if k != place and isinstance(options, int)), None)
    (_, d), (_, a) = counts[place], sizes[place]
    beside = [] if other is None else [(counts[other], sizes[other])]
    small = {"keep": KEEP, "sizes": [size for _, size in beside] + [a]}
    rows = product_subsets([each for each, _ in beside] + [d], small, r)
    expected = dict(zip(product(*(range(each) for each, _ in beside), range(d)), rows, strict=True))
    for answers, law in zip(people(counts), stated(counts, sizes, KEEP, r), strict=True):
        for item in range(counts[place].items):
            made, drew = Counter(), Fraction(0)
            for sent, chance in law.items():
                lists = dict(sent[place])
                if item in lists:
                    drew += chance
                    made[(*([sent[other]] if beside else []), lists[item])] += chance
            assert drew == Fraction(sizes[place][0], counts[place].items)
            given = (*([answers[other]] if beside else []), answers[place][item])
            assert {sent: chance / drew for sent, chance in made.items()} == expected[given]


def test_a_list_has_the_channel_by_itself_that_report_alone_states(monkeypatch):
    monkeypatch.setattr(exact, "RESOLUTION", 6)
    for counts, sizes, place in (((2, Items(3, 2)), (1, (2, 1)), 1), ((2, Items(2, 3)), (1, (1, 2)), 1)):
        own = randomized_response.marginal({"keep": KEEP, "sizes": list(sizes)}, place)
        items, d = counts[place]
        given = list(product(range(d), repeat=items))
        expected = sampled_channel(given, d, items, own, 6)
        for law, answers in zip(stated(counts, sizes, KEEP, 6), people(counts), strict=True):
            made = Counter()
            for sent, chance in law.items():
                made[sent[place]] += chance
            assert dict(made) == expected[given.index(tuple(answers[place]))]


def test_shares_and_cells_are_unbiased_and_their_intervals_hold_as_often_as_promised():
    """If each of 60 surveys misses with a chance of at most .05, more than 11 miss once in 10,000 runs. A mean is more
    than 5 of its standard errors off once in a million runs."""
    definition, chance = survey(("smokes", "which"), alpha="3"), random.Random(3)
    rare = [0.03, 0.4, 0.7]
    law = np.array([[0.3 * (1.5 * p if p < 0.5 else p), 0.0] for p in rare])
    law[:, 1] = np.array(rare) - law[:, 0]
    questions, errors, missed, shares = report.alone(definition), [], np.zeros((3, 2)), np.zeros(3)
    for _ in range(60):
        given = []
        for _ in range(120):
            smokes = int(chance.random() >= 0.3)
            each = [law[k, smokes] / (0.3, 0.7)[smokes] for k in range(3)]
            given.append({"smokes": smokes, "which": [chance.random() < float(p) for p in each]})
        _, rows = rows_of(definition, given, chance)
        [(part, start, width)] = report.fields(definition, 0)
        tallies = [results.FormTally(120, (part.tally(Batch(rows).field(start, width)),))]
        for result in results.of_survey(definition, tallies, 0.95):
            for k, category in enumerate(result["methods"][0]["categories"]) if result["key"] == "which" else ():
                low, high = category["population"]["interval"]
                shares[k] += not low <= rare[k] <= high
        own = []
        for k in range(3):
            one, other = pair_of(questions, f"which.{k + 1}", "smokes")
            found = results.crossing(definition, tallies, one, other)
            ends = found.intervals(0.95)[0]
            missed[k] += (ends[:, 0] > law[k] + 1e-12) | (ends[:, 1] < law[k] - 1e-12)
            own.append(found.joint[0] - law[k])
        errors.append(own)
    errors = np.array(errors)
    assert (abs(errors.mean(axis=0)) < 5 * errors.std(axis=0) / 60**0.5).all()
    assert missed.max() <= 11 and shares.max() <= 11


def test_all_answers_and_paths_have_reports_of_as_many_bytes():
    """The people have every answer, some are not asked the grid, and many random numbers are used."""
    definition, lengths = survey(("smokes", "which", "region", "rate")), set()
    definition["questions"][3] |= {"asked_if": {"question": "smokes", "options": [0]}, "filler": [2, 2, 2, 0]}
    layout, packed = Layout(definition, 0), set()
    for person in range(8):
        given = answers_of(definition, random.Random(person)) | {"smokes": person % 2}
        for seed in range(20):
            chance = random.Random(seed)
            body = make_report(definition, "0" * 64, given, lambda chance=chance: chance.getrandbits(32))
            lengths.add(len(body))
            packed.add(len(layout.pack(json.loads(body)["answers"])))
    assert len(lengths) == len(packed) == 1


# Before anybody answers -----------------------------------------------------------------------------------------------


def planned(key, kind, size, mechanism=None):
    return BriefQuestion(key, PlannedQuestion(kind, size, mechanism))


@pytest.mark.parametrize(
    ("kind", "size", "total", "worth"),
    [
        ("multiple_choice", Size(5), 3, 1.230),
        ("multiple_choice", Size(5), 4, 1.385),
        ("multiple_choice", Size(8), 3, 1.194),
        ("multiple_choice", Size(8), 4, 1.342),
        ("grid", Size(3, 4), 3, 1.238),
        ("grid", Size(3, 4), 4, 1.360),
    ],
)
def test_a_list_with_a_question_is_proposed_where_that_needs_fewer_people(kind, size, total, worth):
    """A question with a named mechanism keeps a separate draw."""
    own = {"multiple_choice": "multiple", "grid": "grid"}[kind]
    yes_no = planned("a", "yes_no", Size(2))
    together, apart = (
        propose(Brief((yes_no, planned("b", kind, size, named)), Fraction(total), 5000)) for named in (None, own)
    )
    assert apart.outcome.merit.loss / together.outcome.merit.loss == pytest.approx(worth, abs=1e-3)
    counts = (2, Items(size.d, 2) if own == "multiple" else Items(size.items, size.d))
    joint = [draw for _, draws in together.design.parts for draw in draws if draw.keys == ("a", "b")]
    assert joint and all(certified(table(each.alpha, counts, each.sizes), counts, each.alpha) for each in joint)


def test_planned_widths_are_those_of_surveys():
    """The tolerance is a tenth, for the standard errors of 900 reports about every item."""
    definition, chance = survey(("smokes", "which"), alpha="3"), random.Random(5)
    given = [{"smokes": chance.randrange(2), "which": [chance.random() < 0.5 for _ in range(3)]} for _ in range(900)]
    _, rows = rows_of(definition, given, chance)
    [(part, start, width)] = report.fields(definition, 0)
    tallies = [results.FormTally(900, (part.tally(Batch(rows).field(start, width)),))]
    brief = Brief(
        (planned("smokes", "yes_no", Size(2)), planned("which", "multiple_choice", Size(3))), Fraction(3), 900
    )
    prices = Columns(brief).prices(DesignDraw(Fraction(3), ("smokes", "which"), "randomized_response", (1, (2, 1))))
    for result, price in zip(results.of_survey(definition, tallies, 0.95), prices, strict=True):
        for category in result["methods"][0]["categories"]:
            error = category["population"]["standard_error"]
            assert error == pytest.approx((price.variance / 900) ** 0.5, rel=0.1)


def test_drawn_items_do_not_depend_on_the_answers():
    """The same random numbers draw the same items, and equally many numbers, for every person."""
    definition, seeds = survey(("smokes", "which", "region", "rate")), range(40)
    for seed in seeds:
        taken, drawn = set(), set()
        for person in range(6):
            chance, count = random.Random(seed), Counter()

            def uniform(chance=chance, count=count):
                count["taken"] += 1
                return chance.getrandbits(53)

            sent = report.randomize(definition, 0, answers_of(definition, random.Random(person)), uniform)
            taken.add(count["taken"])
            drawn.add(hashable([[item for item, _ in sent[key]] for key in ("which", "rate")]))
        assert len(taken) == len(drawn) == 1
