"""The bar above the builder shows the precision of a draft's people as one number, and one change if it is poor."""

import re
from fractions import Fraction

import pytest

from ldp.planning.design_proposals import propose
from surveys.designer.evidence.facts import of_survey
from surveys.designer.opening.readiness import readiness
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.precision import precision
from surveys.designer.privacy.questions import planned_questions, questions_of
from surveys.drafts import proposals
from surveys.drafts.normalize import normalized
from surveys.figures import numerals
from surveys.life.lifecycle import begin_draft
from surveys.survey.definition import build
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
    said = f"900 people, moderate protection: weakest question ±{width} points about a population"
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


ROUTED = {"asked_if": {"question": "q0", "options": [0]}}


def test_a_width_is_of_those_who_are_asked_and_says_so_on_every_page(client, ada):
    draft = {"title": "Bar", "questions": [YES_NO[0] | {"alpha": "1"}, YES_NO[1] | {"alpha": "1"} | ROUTED]}
    survey = begin_draft(ada, draft, expected_n=4000)
    alone, routed = questions_of(survey)
    assert routed.half_width(4000) > 2 * alone.half_width(4000) and routed.people_needed(0.05) > 4000
    width, among = measure(routed.built).text(routed.half_width(4000)), "among about 50% of the people"
    assert (alone.among, routed.among) == ("", among)
    assert precision(survey).weakest == f"{width} points" and precision(survey).about.endswith(among)
    for page in ("alpha/", "open/", "alpha/?question=q1"):
        text = words(client.get(f"/surveys/{survey.pk}/{page}").content.decode())
        assert ("asked of 2,000" if page == "open/" else among) in text and width in text, page
    facts = of_survey(survey).questions
    assert [each.half_width for each in facts] == [alone.half_width(4000), routed.half_width(4000)]
    assert [each.people for each in facts] == [alone.people_needed(0.05), routed.people_needed(0.05)]


def test_a_proposal_has_the_widths_that_the_survey_then_has(client, ada):
    several = {"kind": "multiple_choice", "options": list("abc")}
    by = [{"question": "q1", "options": [0]}, {"question": "q3", "options": [1, 2]}]
    questions = [
        *YES_NO[:2],
        YES_NO[2] | ROUTED,
        WIDE[3] | {"asked_if": {"question": "q2", "options": [1]}},
        YES_NO[4] | {"asked_if": {"any": by}},
        YES_NO[5] | several,
        WIDE[0] | {"key": "last", "asked_if": {"question": "q5", "options": [2]}},
    ]
    for n, invited in ((3000, False), (60_000, False), (3000, True)):
        survey = begun(ada, questions, n, **({"invitations": True} if invited else {}))
        brief = proposals.brief_of(normalized(survey.draft), Fraction(2), n)
        outcome = propose(brief).outcome
        proposals.plan(draft := normalized(survey.draft), Fraction(2), n)
        own = {each.key: each.half_width(n) for each in planned_questions(draft)}
        assert own == pytest.approx(dict(outcome.half_widths), rel=0.01)
        assert outcome.reached["q2"] == 0.5


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


def test_the_planners_forms_are_suggested_to_who_asks_everyone_everything_and_one_button_takes_them(client, ada):
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


def test_open_says_of_each_end_how_wide_the_margins_are(client, ada):
    draft = {"title": "Bar", "questions": [YES_NO[0] | {"alpha": "2"}]}
    for people, factor in ((300, 1.6), (3000, 1.8), (150, 1)):
        survey = begin_draft(ada, draft, expected_n=people)
        [question] = questions_of(survey)
        width = question.half_width(people)
        one, every = (float(text[1:].split()[0]) for _when, text in readiness(survey, build(survey.draft)).widest)
        assert one == pytest.approx(100 * width, rel=0.05) and every / one == pytest.approx(factor, rel=0.06)
        text = words(client.get(f"/surveys/{survey.pk}/open/").content.decode())
        ends = "By hand, when you like {0} {1} At a time or a number of reports, set now {0} {1}"
        assert ends.format(f"±{one:g} points", f"±{every:g} points") in text
        assert f"Publish once, at the end ±{one:g} points" in text
