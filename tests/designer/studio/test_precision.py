"""The bar above the builder: what the people of a draft buy, in one number, and one change where it is wide."""

import re
from fractions import Fraction

import pytest

from ldp.planning.design_proposals import propose
from surveys.designer.privacy.precision import precision
from surveys.drafts import proposals
from surveys.drafts.normalize import normalized
from surveys.figures import numerals
from surveys.life.lifecycle import begin_draft
from tests.support.alpha import get, words
from tests.support.builder import FRAGMENTS, form, url
from tests.support.drafts import edit

pytestmark = pytest.mark.django_db

YES_NO = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(6)]
WIDE = [{"key": f"q{k}", "kind": "single_choice", "text": f"Question {k}?", "options": list("abcde")} for k in range(6)]


def begun(ada, questions, n=900, total="2", **more):
    draft = {"title": "Bar", "questions": [dict(each) for each in questions], "protection": {"alpha": total}} | more
    return begin_draft(ada, draft, expected_n=n)


def bar(page):
    return words(re.search(r'<div id="precision".*?</div>', page, re.S)[0])


def planned(survey, total="2"):
    brief = proposals.brief_of(normalized(survey.draft), Fraction(total), survey.expected_n)
    return max(propose(brief).outcome.half_widths.values())


def test_the_number_is_the_planners_and_stands_on_three_pages(client, ada):
    survey = begun(ada, YES_NO)
    width = numerals.rounded_up(100 * planned(survey))
    said = f"900 people, moderate protection: weakest question ±{width} percentage points about a population"
    for page in ("questions/", "questions/q1/", "alpha/"):
        assert bar(client.get(f"/surveys/{survey.pk}/{page}").content.decode()) == said, page


def test_a_saved_change_of_a_question_answers_with_the_bar(client, ada):
    survey = begun(ada, YES_NO[:2])
    before = precision(survey).weakest
    address = url(survey, "q1")
    fields = form(client, address) | {"change_kind": "1", "to_kind": "single_choice"}
    client.post(address, fields)
    fields = form(client, address) | {"options": "a\nb\nc\nd"}
    answer = client.post(address, fields, headers=FRAGMENTS).content.decode()
    survey.refresh_from_db()
    assert precision(survey).weakest != before and precision(survey).weakest in bar(answer)


ROUTED = {"asked_if": {"question": "q0", "options": [0]}, "filler": 0}


def test_a_question_that_only_some_are_asked_is_the_weakest_only_where_no_other_is(client, ada):
    """Its width is about everybody, and both pages that list widths say so."""
    alphas = [{"alpha": "1"}, {"alpha": "0.2"} | ROUTED]
    draft = {"title": "Bar", "questions": [each | own for each, own in zip(YES_NO, alphas, strict=False)]}
    survey = begin_draft(ada, draft, expected_n=900)
    alone = begin_draft(ada, {"title": "Bar", "questions": draft["questions"][:1]}, expected_n=900)
    assert precision(survey).weakest == precision(alone).weakest
    sentence = "It is wider among the people who are asked: twice as wide or more if half are."
    for page in ("alpha/", "open/"):
        assert [
            sentence in words(client.get(f"/surveys/{each.pk}/{page}").content.decode()) for each in (survey, alone)
        ] == [True, False], page


def test_without_a_number_a_thousand_people_are_assumed(client, ada):
    assert bar(get(client, begun(ada, YES_NO, None))).startswith("1,000 people (assumed)")


def test_before_the_first_question_it_says_what_was_entered(ada):
    said = precision(begun(ada, [], 400, "1"))
    assert (said.people, said.step.name, said.weakest, said.wide) == ("400", "strong", "", False)


def test_it_is_about_those_who_take_part_where_they_are_invited(ada):
    open_link, invited = begun(ada, WIDE), begun(ada, WIDE, invitations=True)
    assert "population" in precision(open_link).about and "those who take part" in precision(invited).about
    assert precision(open_link).weakest != precision(invited).weakest


@pytest.mark.parametrize(
    ("questions", "n", "total", "text"),
    [
        (YES_NO, 900, "2", None),
        ([*YES_NO[:4], *WIDE[4:]], 900, "2", r"Ask 4 questions instead of 6: ±\d"),
        (WIDE[:2], 400, "2", r"Ask 1 question instead of 2: ±\d"),
        (WIDE[:1], 200, "2", r"360 people make it ±10 points"),
        (WIDE, 900, "2", r"With weak protection: ±\d"),
        (WIDE, 60, "2", r"[\d,]+ people make it ±10 points"),
    ],
)
def test_where_it_is_wide_there_is_one_suggestion(ada, questions, n, total, text):
    said = precision(begun(ada, questions, n, total))
    assert said.wide is (text is not None)
    assert said.suggestion is None if text is None else re.match(text, said.suggestion.text), said


def test_the_planners_forms_are_suggested_to_who_asks_everybody_everything_and_one_button_takes_them(client, ada):
    survey = begun(ada, YES_NO)
    edit(survey.pk, lambda draft: (draft.pop("protection"), draft.pop("forms", None), draft.pop("draws", None)))
    edit(survey.pk, lambda draft: [each.update(alpha="0.333333") for each in draft["questions"]])
    survey.refresh_from_db()
    said = precision(survey)
    assert said.wide and not said.planned and said.suggestion.total
    address = f"/surveys/{survey.pk}/questions/q1/"
    fields = {"do": "leave", "total": said.suggestion.total, "back": address}
    response = client.post(f"/surveys/{survey.pk}/alpha/", fields)
    survey.refresh_from_db()
    assert response["Location"] == address and precision(survey).planned and not precision(survey).wide


@pytest.mark.parametrize("wrong", [{"total": "x"}, {"total": "99"}, {}])
def test_no_other_strength_is_taken(client, ada, wrong):
    survey = begun(ada, YES_NO)
    assert client.post(f"/surveys/{survey.pk}/alpha/", {"do": "leave"} | wrong).status_code == 404


def test_the_button_leads_to_no_other_site(client, ada):
    fields = {"do": "leave", "total": "2", "back": "//elsewhere.example/"}
    survey = begun(ada, YES_NO)
    address = f"/surveys/{survey.pk}/alpha/"
    assert client.post(address, fields)["Location"] == address
