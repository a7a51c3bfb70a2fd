"""Saving what the pages about alpha show, one question's or a split of a total: what is saved is what was shown."""

import json
import re
from decimal import Decimal
from fractions import Fraction

import pytest

from ldp.planning import budget, thirds
from ldp.planning.candidates import planned_question
from surveys.definition import build
from surveys.figures import numerals
from surveys.models import AuditEntry, Survey
from tests.support.alpha import UNFINISHED, begun, get, mark_of, post, said, words
from tests.support.builder import undo
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db


# Saving ---------------------------------------------------------------------------------------------------------------


def test_a_saved_alpha_is_the_decimal_that_was_shown_and_can_be_undone(client, ada):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="which", alpha="1.50"))
    response = post(
        client, survey, "?question=which&alpha=1.50&n=700", do="save", mark=mark, alpha="1.50", mechanism=""
    )
    assert response.redirect_chain[-1][0].endswith("?question=which&n=700") and said(response) == ["Saved: alpha 1.5."]
    kept = {**DRAFT["questions"][1], "alpha": "1.5"}
    del kept["mechanism"]
    assert survey.draft["questions"] == [DRAFT["questions"][0], kept, DRAFT["questions"][2]]
    entry = AuditEntry.objects.first()
    assert (entry.username, entry.action, entry.detail) == ("ada", "edited", "alpha of which: 1.5")
    assert "Set the alpha of “Which?” to 1.5." in response.content.decode()
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft == DRAFT and 'id="undo"' not in get(client, survey)


def test_a_mechanism_with_a_delta_is_saved_with_it_and_another_one_without(client, ada):
    survey = begun(ada)
    for fields, expected in (
        ({"mechanism": "osgt", "delta": "0.0000010"}, {"alpha": "2", "mechanism": "osgt", "delta": "0.000001"}),
        ({"mechanism": "bitwise", "delta": "0.000001"}, {"alpha": "2", "mechanism": "bitwise"}),
        ({"mechanism": ""}, {"alpha": "2"}),
    ):
        mark = mark_of(get(client, survey, question="many", alpha="2.1"))
        post(client, survey, "?question=many", do="save", mark=mark, alpha="2", **fields)
        stored = survey.draft["questions"][2]
        assert {name: stored[name] for name in ("alpha", "mechanism", "delta") if name in stored} == expected
        build(survey.draft)


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(client, ada):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="yes", alpha="3"))
    changed = json.loads(json.dumps(DRAFT))
    changed["questions"][0]["text"] = "Another?"
    Survey.objects.filter(pk=survey.pk).update(draft=changed)
    response = post(client, survey, "?question=yes", do="save", mark=mark, alpha="3")
    assert survey.draft == changed and said(response)[0].startswith("Someone else changed this in the meantime.")
    split = post(client, survey, "?how=equal&total=3", do="spend", mark=mark)
    assert survey.draft == changed and said(split)[0].startswith("Someone else changed this in the meantime.")


def test_an_undo_does_not_take_away_what_was_saved_after(client, ada):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="yes", alpha="3"))
    post(client, survey, "?question=yes", do="save", mark=mark, alpha="3")
    other = json.loads(json.dumps(survey.draft))
    other["questions"][0]["alpha"] = "4"
    Survey.objects.filter(pk=survey.pk).update(draft=other)
    assert undo(client, survey).status_code == 409
    survey.refresh_from_db()
    assert survey.draft == other


@pytest.mark.parametrize("alpha", ["", "0", "17", "one", "1.0000001"])
def test_no_alpha_is_saved_that_a_question_cannot_have(client, ada, alpha):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="yes", alpha="3"))
    response = post(client, survey, "?question=yes", do="save", mark=mark, alpha=alpha)
    assert survey.draft == DRAFT and said(response)[0].startswith("Nothing was saved")


def test_the_number_of_people_expected_is_saved(client, ada):
    survey = begun(ada, n=None)
    assert "Nobody has said how many: 1,000 are assumed." in words(get(client, survey))
    post(client, survey, do="expect", n="25000")
    assert survey.expected_n == 25000
    for wrong in ("0", "-3", "many", "", "9" * 30):
        assert said(post(client, survey, do="expect", n=wrong))[0].startswith("People expected:")
    assert survey.expected_n == 25000


def test_an_unknown_action_is_not_found(client, ada):
    assert client.post(f"/surveys/{begun(ada).pk}/alpha/", {"do": "other"}).status_code == 404


# Splits ---------------------------------------------------------------------------------------------------------------

WAYS = ["how=equal", "how=weight&weight.yes=3&weight.many=0.5", "how=width&width.yes=2&width.which=9.5"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("total", ["4", "0.1", "5.000001"])
def test_an_applied_split_adds_up_exactly_in_decimal_strings(client, ada, way, total):
    survey = begun(ada, [*DRAFT["questions"], UNFINISHED[0]])
    query = f"?{way}&total={total}"
    page = client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode()
    response = post(client, survey, query, do="spend", mark=mark_of(page))
    assert said(response) == ["Saved: the alphas of all questions."]
    alphas = [question["alpha"] for question in survey.draft["questions"]]
    assert all(isinstance(alpha, str) for alpha in alphas) and sum(map(Decimal, alphas)) == Decimal(total)
    assert [question["alpha"] for question in build(survey.draft)["questions"]] == alphas
    rows = re.findall(r'<td role="cell" class="share" data-label="(?:Alpha then|Then)">([0-9.]+)</td>', page)
    assert rows == [*alphas, total]
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft["questions"] == [*DRAFT["questions"], UNFINISHED[0]]


def test_what_a_split_costs_is_ldps(client, ada):
    survey = begun(ada)
    text = words(get(client, survey, how="width", total="3"))
    questions = build(DRAFT)["questions"]
    wishes = [
        budget.Wish(planned_question(one, given.get("mechanism")), 0.05)
        for one, given in zip(questions, DRAFT["questions"], strict=True)
    ]
    found = budget.by_width(Fraction(3), wishes, 2000)
    assert f"with it each is {numerals.rounded_up(found.stretch, 3)} times as wide" in text
    assert f"needs a total of {float(found.needed):g}" in text
    for question, wish, alpha in zip(questions, wishes, found.alphas, strict=True):
        width = "±" + numerals.rounded_up(100 * thirds.half_width(wish.question, alpha, 2000))
        assert re.search(rf"{re.escape(question['text'])} \S+ \S+ {float(alpha):g} {width} ", text)


@pytest.mark.parametrize("total", ["", "x", "0", "0.02", "49", "1e1", "4.0000001", "-1", "1/2"])
def test_a_total_that_cannot_be_split_is_refused_beside_its_field(client, ada, total):
    survey = begun(ada)
    page = get(client, survey, how="equal", total=total)
    if total:
        assert 'id="total-error"' in page and "Apply this split" not in page
        post(client, survey, f"?how=equal&total={total}", do="spend", mark="")
    assert survey.draft == DRAFT


@pytest.mark.parametrize("weight", ["-1", "x", "1e40"])
def test_a_weight_that_is_none_is_refused(client, ada, weight):
    page = get(client, begun(ada), **{"how": "weight", "total": "4", "weight.yes": weight})
    assert 'aria-invalid="true"' in page and "Apply this split" not in page
