"""A multiple choice or grid in several forms that draw different numbers of its items (M45, M9)."""

import random
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from ldp import exact, mechanisms, microdata
from ldp.forms import report, results
from ldp.inference import estimates, items, matrices
from ldp.inference.tallied import of_question
from ldp.kinds.protocol import Size
from ldp.mechanisms import multiple, randomized_response
from ldp.planning import candidates, draw_prices, plans, stopping, thirds
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, Design, DesignDraw, DesignForm
from ldp.planning.design_widths import Widths
from ldp.planning.outlook import HOPELESS
from ldp.planning.trial import rows
from ldp.scores import PooledMoments
from tests.support.stated_channels import sampled_channel

OPTIONS = {"owns": ["tv", "car", "boat"], "rate": ["bad", "so so", "good"]}
OWNS = {"key": "owns", "kind": "multiple_choice", "text": "Which?", "options": OPTIONS["owns"]}
RATE = {"key": "rate", "kind": "grid", "text": "How?", "options": OPTIONS["rate"], "items": ["food", "rooms", "price"]}
SMOKES = {"key": "smokes", "kind": "yes_no", "text": "Smokes?", "options": ["Yes", "No"]}
TEXTS = {"note": "", "prefer_not_to_say": False}


def draw(question, alpha, sample, size=None):
    mechanism = mechanisms.FITTING[question["kind"]][0]
    d = len(question["options"])
    more = () if size is None else (size,)
    made = mechanisms.MECHANISMS[mechanism].table(Fraction(alpha), d, sample, *more)
    return {"alpha": alpha, "mechanism": mechanism, "table": made, "questions": [question["key"]]}


def definition(question, *draws, weights=(1, 2)):
    """Return the definition of one question that forms draw in different ways."""
    forms = [{"weight": weight, "draws": [own]} for weight, own in zip(weights, draws, strict=True)]
    return {"questions": [question | TEXTS], "draws": [], "forms": forms}


LISTS = {
    "owns": definition(OWNS, draw(OWNS, "1", 1), draw(OWNS, "2", 2)),
    "rate": definition(RATE, draw(RATE, "2", 1, 1), draw(RATE, "2", 2, 1)),
    "rate, more listed": definition(RATE, draw(RATE, "2", 1, 2), draw(RATE, "1", 2, 1)),
}

# Every outcome --------------------------------------------------------------------------------------------------------


def answers_of(key):
    """Return all answers with different chances, in which the answers to items depend on each other."""
    d = 2 if key == "owns" else 3
    every = list(product(range(d), repeat=3))
    weights = [1 + (3 * place * place + answer[0]) % 7 for place, answer in enumerate(every)]
    return {answer: Fraction(weight, sum(weights)) for answer, weight in zip(every, weights, strict=True)}


def law_of(key, form):
    """Return the chances of one report of a form, by its totals."""
    made, [own] = defaultdict(Fraction), LISTS[key]["forms"][form]["draws"]
    d = 2 if key == "owns" else 3
    people = answers_of(key)
    rows = sampled_channel(list(people), d, 3, own["table"], exact.RESOLUTION)
    for share, row in zip(people.values(), rows, strict=True):
        for sent, chance in row.items():
            made[totals_of(key, sent)] += share * chance
    return made


def totals_of(key, sent):
    listed, drawn = [[0] * 3 for _ in range(3)], [0] * 3
    for item, options in sent:
        drawn[item] = 1
        for option in options:
            listed[item][option] = 1
    if key == "owns":
        return tuple(own[1] for own in listed), tuple(drawn)
    return tuple(count for own in listed for count in own), tuple(drawn)


def of_reports(law, n):
    """Return the chances of the totals of n reports."""
    made = {(None, None): Fraction(1)}
    for _ in range(n):
        more = defaultdict(Fraction)
        for (before, drew), chance in made.items():
            for (counts, drawn), own in law.items():
                more[added(before, counts), added(drew, drawn)] += chance * own
        made = more
    return made


def added(before, counts):
    return counts if before is None else tuple(map(sum, zip(before, counts, strict=True)))


def tally(key, n, counts, drawn):
    totals = {"support": list(counts)} | ({"drawn": list(drawn)} if key == "owns" else {})
    return results.FormTally(n, (totals,))


@pytest.mark.parametrize("key", LISTS)
def test_given_who_drew_an_item_its_estimate_is_unbiased_and_its_variance_is_that_of_every_outcome(key):
    """A form that draws one item sends two reports, one that draws two items sends one; exact, in fractions."""
    numbers, people = (2, 1), answers_of(key)
    outcomes = [of_reports(law_of(key, form), n) for form, n in enumerate(numbers)]
    by_drawn, laws = defaultdict(list), {}
    for (one, drew), first in outcomes[0].items():
        for (other, also), second in outcomes[1].items():
            tallies = [tally(key, 2, one, drew), tally(key, 1, other, also)]
            [(question, totals, n)] = results.counted(LISTS[key], tallies)
            assert n == 3 and items.drawn(question, totals) == list(added(drew, also))
            by_drawn[drew, also].append((totals["support"], first * second))
            laws[drew, also] = question
    assert sum(chance for each in by_drawn.values() for _, chance in each) == 1
    for drawn, each in by_drawn.items():
        whole = sum(chance for _, chance in each)
        for place, n in enumerate(added(*drawn)):
            if not n:
                continue
            moments, _ = items.law(laws[drawn], place)
            assert isinstance(moments, PooledMoments) and moments.n == n
            for option in range(1 if key == "owns" else 3):
                at = place if key == "owns" else 3 * place + option
                truth = 1 if key == "owns" else option
                share = sum(chance for answer, chance in people.items() if answer[place] == truth)
                found = [((Fraction(s[at], n) - moments.b) / moments.gap, chance / whole) for s, chance in each]
                mean = sum(estimate * chance for estimate, chance in found)
                variance = sum(estimate**2 * chance for estimate, chance in found) - mean**2
                assert mean == share
                assert variance == stated(moments, share) / n
                spread = estimates.unit_variances(np.array(float(share)), moments, "population")
                assert float(spread) == pytest.approx(float(n * variance), rel=1e-12)


def stated(moments, share):
    """Return n times the variance by M45, exactly."""
    noise = (share * moments.v_a + (1 - share) * moments.v_b) / moments.gap**2
    squares = sum(part.n * (part.score * part.moments.gap) ** 2 for part in moments.parts)
    return noise + share * (1 - share) * squares / moments.n / moments.gap**2


@pytest.mark.parametrize("key", ["rate", "rate, more listed"])
def test_the_covariance_of_an_items_options_is_that_of_every_outcome(key):
    """Each form sends one report about the item."""
    people, channels = answers_of(key), [law_of(key, form) for form in (0, 1)]
    about = [{totals: chance for totals, chance in law.items() if totals[1][0]} for law in channels]
    whole = [sum(law.values()) for law in about]
    [question] = report.alone(LISTS[key])
    counted = question | {"asked": [each | {"n": 1, "drawn": [1, 0, 0]} for each in question["asked"]]}
    moments, pair = items.law(counted, 0)
    scores = mechanisms.of(question).scores
    mean, square = np.zeros(3), np.zeros((3, 3))
    for (one, first), (other, second) in product(about[0].items(), about[1].items()):
        chance = float(first / whole[0] * second / whole[1])
        pooled = scores[0] * np.array(one[0][:3]) + scores[1] * np.array(other[0][:3])
        value = (pooled / 2 - float(moments.b)) / float(moments.gap)
        mean, square = mean + chance * value, square + chance * np.outer(value, value)
    share = [float(sum(chance for answer, chance in people.items() if answer[0] == k)) for k in range(3)]
    assert mean.tolist() == pytest.approx(share)
    found = estimates.covariance(share, 2, moments, pair, "population")
    assert found.tolist() == pytest.approx(np.array(square - np.outer(mean, mean)), abs=1e-12)


def test_an_item_that_no_report_drew_has_no_result_and_forms_without_reports_count_for_nothing():
    tallies = [tally("owns", 4, (1, 2, 0), (2, 2, 0)), results.FormTally(0, ())]
    [(question, totals, n)] = results.counted(LISTS["owns"], tallies)
    [result] = mechanisms_results(question, totals, n)
    assert [each["n_about"] for each in result["methods"][0]["categories"]] == [2, 2]
    assert [each["drawn"] for each in result["asked"]] == [[2, 2, 0], [0, 0, 0]]
    assert [key for key, _ in of_question(question, totals, n)] == ["owns.1", "owns.2"]
    keep = LISTS["owns"]["forms"][0]["draws"][0]["table"]["keep"]
    p, q = randomized_response.chances({"keep": keep, "sizes": [1]}, 2)
    for category, count in zip(result["methods"][0]["categories"], (1, 2), strict=True):
        assert category["estimate"] == pytest.approx(float((Fraction(count, 2) - q) / (p - q)))


def test_totals_count_by_their_names_whatever_order_a_database_gives_them():
    tallies = [tally("owns", 4, (1, 2, 0), (2, 2, 0)), tally("owns", 3, (1, 0, 2), (2, 2, 2))]
    turned = [
        results.FormTally(each.n, tuple({name: own[name] for name in reversed(own)} for own in each.totals))
        for each in tallies
    ]
    both = [results.of_survey(LISTS["owns"], own, 0.95) for own in (tallies, turned)]
    assert both[0] == both[1]
    assert results.agreement_of(LISTS["owns"], tallies) == results.agreement_of(LISTS["owns"], turned)
    alike = definition(OWNS, draw(OWNS, "1", 1), draw(OWNS, "1", 1))
    both = [results.of_survey(alike, own[:1] * 2, 0.95) for own in (tallies, turned)]
    assert both[0] == both[1]


def mechanisms_results(question, totals, n):
    from ldp import kinds

    return kinds.of(question).results(question, totals, n, [0.95])


def test_a_whole_list_has_no_moments_of_its_own():
    [question] = report.alone(LISTS["owns"])
    with pytest.raises(ValueError, match="item by item"):
        mechanisms.of(question).default()


# Samples --------------------------------------------------------------------------------------------------------------

TRUTH = {"owns": (0.05, 0.4, 0.8), "rate": (0.2, 0.3, 0.5), "rate, more listed": (0.2, 0.3, 0.5)}


def person(key, chance):
    if key == "owns":
        return {"owns": [chance.random() < share for share in TRUTH[key]]}
    return {"rate": chance.choices(range(3), TRUTH[key], k=3)}


def tallied(key, n, chance, biased=False):
    """Return the tallies of n people's reports. If `biased`, people with the second item leave the first form."""
    tallies = []
    for form, part in enumerate(LISTS[key]["forms"]):
        totals, [own] = None, report.parts(LISTS[key], form)
        name = LISTS[key]["questions"][0]["key"]
        number = n * part["weight"] // 3
        for _ in range(number):
            given = person(key, chance)
            while biased and not form and given[name][1]:
                given = person(key, chance)
            sent = own.randomize(given, lambda: chance.getrandbits(53))[name]
            one = counted(key, [(item, options if key != "owns" else [options]) for item, options in sent])
            totals = one if totals is None else results.add(totals, one)
        tallies.append(results.FormTally(number, (totals,)))
    return tallies


def counted(key, sent):
    counts, drawn = totals_of(key, sent)
    return {"support": list(counts)} | ({"drawn": list(drawn)} if key == "owns" else {})


def categories(key, tallies, every_look=False):
    for place, result in enumerate(results.of_survey(LISTS[key], tallies, 0.95, every_look)):
        for k, category in enumerate(result["methods"][0]["categories"]):
            yield (0 if key == "owns" else place, k), TRUTH[key][k], category


@pytest.mark.parametrize("key", LISTS)
@pytest.mark.parametrize("every_look", [False, True])
def test_intervals_hold_as_often_as_promised(key, every_look):
    """If each of 60 surveys misses with a chance of at most .05, more than 11 miss once in 10,000 runs. A mean is more
    than 5 of its own standard errors off once in a million runs."""
    chance, missed, errors = random.Random(f"{key} {every_look}"), defaultdict(int), defaultdict(list)
    for _ in range(60):
        for at, share, category in categories(key, tallied(key, 150, chance), every_look):
            low, high = category["population"]["interval"]
            missed[at] += not low <= share <= high
            errors[at].append((category["estimate"] - share, category["population"]["standard_error"]))
    assert max(missed.values()) <= 11
    for each in errors.values():
        off, stated_error = np.array(each).T
        assert abs(off.mean()) < 5 * off.std() / 60**0.5
        # The standard deviation of 60 is within 40% of the truth, except once in 100,000 runs.
        assert off.std() == pytest.approx(stated_error.mean(), rel=0.4)


def test_forms_that_agree_are_seldom_said_to_differ_and_forms_that_people_left_are_found():
    """More than 11 of 60 p-values for forms that agree are below .05 once in 10,000 runs."""
    chance = random.Random(4)
    p_values = [agreement("owns", tallied("owns", 150, chance)) for _ in range(60)]
    assert sum(p < 0.05 for p in p_values) <= 11 and max(p_values) <= 1
    assert agreement("owns", tallied("owns", 3000, chance, biased=True)) < 1e-6


def agreement(key, tallies):
    [test] = results.agreement_of(LISTS[key], tallies).values()
    return test.p_value


def test_the_agreement_of_forms_is_that_of_the_worst_item_times_their_number():
    tallies = [
        tally("owns", 60, (12, 9, 4), (20, 20, 20)),
        tally("owns", 90, (20, 30, 40), (60, 60, 60)),
    ]
    [test] = results.agreement_of(LISTS["owns"], tallies).values()
    each = []
    for place in range(3):
        counts = [(own.totals[0]["support"][place], own.totals[0]["drawn"][place]) for own in tallies]
        laws = [multiple.moments(form["draws"][0]["table"], 3)["support"] for form in LISTS["owns"]["forms"]]
        each.append(by_hand(counts, laws))
    assert test.statistic == pytest.approx(max(each)) and test.degrees == 1
    assert test.p_value == pytest.approx(min(1, 3 * stats.chi2.sf(max(each), 1)))


def by_hand(counts, laws):
    """Return the statistic of one contrast of the forms' shares, with variances at the pooled share (M12)."""
    from ldp import pooled_scores

    scores = pooled_scores.whole_scores(tuple(laws), 2)
    top = sum(c * (x - n * float(law.b)) for c, (x, n), law in zip(scores, counts, laws, strict=True))
    pooled = top / sum(c * n * float(law.gap) for c, (_, n), law in zip(scores, counts, laws, strict=True))
    pooled = min(max(pooled, 0), 1)
    shares = [(x / n - float(law.b)) / float(law.gap) for (x, n), law in zip(counts, laws, strict=True)]
    chances = [float(law.b + law.gap * Fraction(pooled)) for law in laws]
    weights = [n * float(law.gap) ** 2 / (pi * (1 - pi)) for (_, n), law, pi in zip(counts, laws, chances, strict=True)]
    mean = sum(w * s for w, s in zip(weights, shares, strict=True)) / sum(weights)
    return sum(w * (s - mean) ** 2 for w, s in zip(weights, shares, strict=True))


def test_a_grid_with_more_than_one_listed_option_has_the_matrix_of_the_reports_that_drew_an_item():
    """There is one form, or forms that draw alike."""
    own = draw(RATE, "2", 2, 2)
    alike = definition(RATE, own, own)
    counts = [20, 15, 25, 18, 22, 20, 26, 16, 18]  # two options of 30 reports about each item
    half = results.FormTally(45, ({"support": counts},))
    [(question, totals, n)] = results.counted(alike, [half, half])
    found = {(each.question, each.target): each.matrix for each in matrices.of_question(question, totals, n)}
    for key, each in of_question(question, totals, n):
        share = estimates.onto_simplex(each.shares)
        for target in ("population", "respondents"):
            expected = estimates.covariance(share, 60, each.moments, each.pair, "population")
            assert found[key, target].tolist() == pytest.approx(expected)


# Planning -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LISTS)
def test_what_is_planned_is_what_the_forms_tell_together_of_an_item(key):
    """Scores in whole numbers cost at most a 400th."""
    [question], share = report.alone(LISTS[key]), Fraction(1, 2 if key == "owns" else 3)
    known = Fraction(0)
    for form in LISTS[key]["forms"]:
        [own] = form["draws"]
        law = mechanisms.of_channel(LISTS[key]["questions"][0] | own).default()[1]
        pi = law.b + law.gap * share
        known += Fraction(form["weight"], 3) * Fraction(own["table"]["sample"], 3) * law.gap**2 / (pi * (1 - pi))
    least = float(1 / known)
    assert 1 <= candidates.of_question(question).spread.expected / least < 1.0025
    price = draw_prices.pooled([(form["weight"] / 3, priced(key, *form["draws"])) for form in LISTS[key]["forms"]])
    assert price.variance == pytest.approx(least) and price.respondents == pytest.approx(least)
    # For intervals of one look, and for intervals that hold at every release.
    half, together = 0.1, 3 if key == "owns" else 9
    z = stats.norm.isf(0.05 / together / 2)
    assert plans.informative_n(question, 0.95) == pytest.approx(least * (z / HOPELESS) ** 2, rel=0.2)
    assert 1 < stopping.reports_needed(question, half, 0.95) / (least * (z / half) ** 2) < 4
    assert stopping.widening(question, 3000, 0.95) > 1


def priced(key, own):
    table = own["table"]
    size = Size(3, 1, table["sample"]) if key == "owns" else Size(3, 3, table["sample"])
    keep, kind = table["keep"] / exact.RESOLUTION, LISTS[key]["questions"][0]["kind"]
    return draw_prices.with_others(kind, size, table.get("size", 1), keep)


@pytest.mark.parametrize("n", [(900, 1800), (1800, 0), (1710, 90), (90, 1710), (0, 1800)])
def test_what_counted_reports_tell_follows_the_forms_numbers_and_not_their_weights(n):
    """Half of the reports about an item name it, so the published variance is the planned one."""
    drawn = [[count * sample // 3] * 3 for count, sample in zip(n, (1, 2), strict=True)]
    tallies = [tally("owns", count, [k // 2 for k in own], own) for count, own in zip(n, drawn, strict=True)]
    [(question, _, every)] = results.counted(LISTS["owns"], tallies)
    [result] = results.of_survey(LISTS["owns"], tallies, 0.95)
    error = result["methods"][0]["categories"][0]["population"]["standard_error"]
    assert candidates.of_question(question).spread.expected / every == pytest.approx(error**2, rel=0.01)


def test_the_half_widths_of_a_design_are_those_of_the_definition_that_it_becomes():
    asked = PlannedQuestion("multiple_choice", Size(3))
    brief = Brief((BriefQuestion("owns", asked), BriefQuestion("smokes", PlannedQuestion("yes_no", Size(2)))), 2, 5000)
    drawn = [(form["weight"], own) for form in LISTS["owns"]["forms"] for own in form["draws"]]
    forms = [
        DesignForm(weight, (DesignDraw(Fraction(own["alpha"]), ("owns",), "multiple", (), own["table"]["sample"]),))
        for weight, own in drawn
    ]
    made = Widths(brief, Design((), tuple(forms)), [(form.weight / 3, form.draws) for form in forms])
    [question] = report.alone(LISTS["owns"])
    assert made.at("owns", 5000) == pytest.approx(
        thirds.built_half_width(question, 5000, target="population"), rel=0.01
    )


# Published reports ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LISTS)
def test_published_columns_are_read_back_as_they_were_sent(key):
    chance, name = random.Random(5), LISTS[key]["questions"][0]["key"]
    [question] = report.alone(LISTS[key])
    columns = mechanisms.of(question).columns
    assert columns.drawn == 2 and columns.size == (9 if key == "rate, more listed" else 3)
    for form in (0, 1):
        [own] = report.parts(LISTS[key], form)
        sent = [own.randomize(person(key, chance), lambda: chance.getrandbits(53)) for _ in range(50)]
        table = own.tables(rows(own.packing, [own.value(each) for each in sent]), 0)[name]
        shown = microdata.published(table, own.packings[0].columns, columns)
        assert shown.shape == (50, columns.size)
        each = shown.reshape(50, 3, -1)
        about = [[item for item, _ in one[name]] for one in sent]
        assert [np.flatnonzero((one != microdata.MISSING).all(axis=1)).tolist() for one in each] == about
        assert microdata.as_sent(shown, own.packings[0].columns, columns).tolist() == table.tolist()
        if columns.size > own.packings[0].columns.size:
            shown[0, np.flatnonzero(shown[0] == 0)[0]] = 1
            with pytest.raises(ValueError, match="lists one option"):
                microdata.as_sent(shown, own.packings[0].columns, columns)
