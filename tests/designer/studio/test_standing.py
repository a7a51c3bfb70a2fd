"""Nothing worse is proposed than what stands, and the people needed are those of the best forms."""

import random
import re
from fractions import Fraction

import pytest

from ldp.planning.form_plans import merit
from ldp.planning.outlook import HOPELESS
from surveys.designer.privacy import proposal
from surveys.designer.privacy.proposal import half_widths, plannable
from surveys.designer.privacy.questions import forms_of, questions_of
from surveys.designer.privacy.standing import standing
from surveys.designer.privacy.wish import Wish
from surveys.figures import numerals
from tests.support.alpha import begun, get, post, proposal_mark_of, words
from tests.support.drawn import drawn

pytestmark = pytest.mark.django_db

TWELVE = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(12)]
BETTER = "Nothing better than what stands can be proposed for these numbers."


def in_forms(ada, questions, forms, n):
    survey = begun(ada, questions, n)
    survey.draft = drawn(survey.draft | {"forms": forms})
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    survey.refresh_from_db()
    return survey


def pairs_of(keys, alpha="2"):
    return [{"questions": list(keys[k : k + 2]), "alpha": alpha} for k in range(0, len(keys), 2)]


def wish(survey, total, **more):
    return Wish(Fraction(total), survey.expected_n, 20, {}, {}, target="respondents", **more)


def offered(survey, total="2", **more):
    questions = questions_of(survey)
    return proposal.offer(questions, plannable(questions), wish(survey, total)._replace(**more))


@pytest.fixture
def pairs(ada):
    """Six forms of twenty people, where three are proposed: four could be too few for a result."""
    return in_forms(ada, TWELVE, pairs_of([each["key"] for each in TWELVE]), 120)


def test_what_stands_is_proposed_where_all_else_would_be_worse(client, pairs):
    found = offered(pairs)
    assert found.stands and len(found.proposal.forms) == 6
    page = get(client, pairs, plan="1", total="2")
    assert BETTER in words(page) and "Take the proposal" not in page and "Ask everybody everything instead" in page
    before = pairs.draft
    post(client, pairs, "?plan=1&total=2", do="apply", which="proposal", mark=proposal_mark_of(page))
    pairs.refresh_from_db()
    assert pairs.draft["forms"] == before["forms"]


def test_what_stands_has_the_half_widths_that_the_page_shows_of_it(client, pairs):
    found, questions = offered(pairs), questions_of(pairs)
    widths = half_widths(plannable(questions), found.proposal, found.wish)
    assert widths == pytest.approx({k: question.half_width(120) for k, question in enumerate(questions)})
    page = get(client, pairs, plan="1", total="2")
    now = re.findall(r'data-label="As it stands">([^<]*)<', page)
    proposed = re.findall(r'class="share" data-label="Proposed">([^<]*) <span', page)
    assert len(now) == 12 and now == proposed


@pytest.mark.parametrize("change", [{"total": "1"}, {"crossed": frozenset({(0, 5)})}, {"own": {0: Fraction(1, 2)}}])
def test_what_stands_is_not_held_against_a_wish_that_it_does_not_answer(pairs, change):
    assert not offered(pairs, **change).stands


def test_forms_that_are_never_published_are_no_reason_to_keep_them(ada):
    survey = in_forms(ada, TWELVE, pairs_of([each["key"] for each in TWELVE]), 60)
    found = offered(survey)
    assert not found.stands and len(found.proposal.forms) == 1


def test_a_question_that_is_not_complete_does_not_hide_that_what_stands_is_better(ada):
    """It stands in no form yet, or alone in one, which gets people of whom it asks nothing."""
    keys = [each["key"] for each in TWELVE]
    more = [*TWELVE, {"key": "bare", "kind": "single_choice", "text": ""}]
    assert offered(in_forms(ada, more, pairs_of(keys), 120)).stands
    assert not offered(in_forms(ada, more, [*pairs_of(keys), {"questions": ["bare"]}], 120)).stands


def test_what_is_incomplete_is_no_reason_to_keep_it(ada):
    forms = pairs_of([each["key"] for each in TWELVE])
    del forms[0]["alpha"]
    assert not offered(in_forms(ada, TWELVE, forms, 120)).stands


def random_survey(ada, seed):
    """Forms, alphas and weights as somebody may have set them by hand."""
    chance = random.Random(seed)
    kinds = [{"kind": "yes_no"}, {"kind": "single_choice", "options": ["a", "b", "c", "d"]}]
    kinds += [{"kind": "multiple_choice", "options": ["a", "b", "c"]}, {"kind": "mean", "low": "0", "high": "9"}]
    questions = [{"key": f"q{k}", "text": "?"} | chance.choice(kinds) for k in range(chance.randint(3, 8))]
    keys = [each["key"] for each in questions]
    count = chance.randint(1, 4)
    groups = [keys[k::count] for k in range(count)] if count > 1 else []
    alone = set(groups.pop()) if len(groups) > 2 and chance.random() < 0.3 else set()
    forms = []
    for group in groups:
        own = [each for each in questions if each["key"] in group]
        joint = len(own) > 1 and all(each["kind"] in ("yes_no", "single_choice") for each in own)
        forms.append({"questions": group, "weight": chance.randint(1, 3)} | ({"alpha": "2"} if joint else {}))
        if not joint:
            for each in own:
                each["alpha"] = chance.choice(("0.5", "0.25", "0.75"))
    for each in questions:
        if each["key"] in alone or not groups:
            each["alpha"] = chance.choice(("0.2", "0.5"))
    n = chance.choice((60, 120, 400, 3000))
    return in_forms(ada, questions, forms, n) if forms else begun(ada, questions, n)


@pytest.mark.parametrize("seed", range(20))
def test_a_proposal_never_loses_a_result_or_precision_of_what_stands(ada, seed):
    survey = random_survey(ada, seed)
    questions = questions_of(survey)
    planned, asked = plannable(questions), wish(survey, "4")
    assert all(question.built for question in questions)
    found = offered(survey, "4")
    new = half_widths(planned, found.proposal, found.wish)
    old = {k: question.half_width(survey.expected_n) for k, question in enumerate(questions)}
    stands = standing(questions, len(forms_of(questions)), found.plans.brief.wanted, asked)
    if stands is None:
        return
    assert sum(width > HOPELESS for width in new.values()) <= sum(width > HOPELESS for width in old.values())
    if found.stands:
        assert new == pytest.approx(old)
    elif sum(width > HOPELESS for width in new.values()) == sum(width > HOPELESS for width in old.values()):
        one, two = (merit(found.plans.brief.wanted, each).error for each in (new, old))
        assert one <= two * (1 + 1e-9)


# People needed --------------------------------------------------------------------------------------------------------

FIVE_POINTS = re.compile(r"([0-9,]+) people make every answer precise to 5 points, with what is proposed")


@pytest.mark.parametrize("count", [20, 50])
def test_the_people_needed_do_not_depend_on_how_many_are_expected_and_reach_five_points(client, ada, count):
    questions = [{"key": f"q{k}", "kind": "yes_no", "text": "?"} for k in range(count)]
    survey = begun(ada, questions, 1000)
    said = {
        FIVE_POINTS.search(words(get(client, survey, plan="1", total="2", n=str(n))))[1]
        for n in (30, 120, 400, 1000, 20_000)
    }
    assert len(said) == 1
    found = offered(survey)
    needed = found.plans.people(0.05)
    assert numerals.count_up(needed) in said
    for n, reached in ((needed, True), (needed - 1, False)):
        widths = half_widths(
            plannable(questions_of(survey)), offered(survey, n=n).proposal, wish(survey, "2")._replace(n=n)
        )
        assert (max(widths.values()) <= 0.05) == reached


def test_forms_that_few_people_forced_are_said_to_need_more_than_the_best_ones(client, ada):
    questions = [{"key": f"q{k}", "kind": "yes_no", "text": "?"} for k in range(20)]
    keys = [each["key"] for each in questions]
    survey = in_forms(ada, questions, [{"questions": keys[k : k + 5], "alpha": "2"} for k in range(0, 20, 5)], 150)
    best = numerals.count_up(offered(survey).plans.people(0.05))
    text = words(get(client, survey))
    assert (
        f"people make every answer precise to 5 points. With what is proposed for that many, {best} would do." in text
    )
    assert f"With what is proposed for that many, {best} would do." in words(
        client.get(f"/surveys/{survey.pk}/open/").content.decode()
    )
    good = in_forms(ada, questions, pairs_of(keys), 3000)
    assert "would do" not in words(get(client, good))


def test_before_the_end_results_come_of_forms_that_many_get(client, ada):
    for n, sentence in ((1000, "With 1,000 people there are no results before the survey ends."), (3000, "")):
        text = words(get(client, begun(ada, TWELVE, n), plan="1", total="2"))
        assert ("no results before the survey ends" in text) == bool(sentence) and sentence in text
