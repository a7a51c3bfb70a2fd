"""The page about privacy begins with people, protection and priorities. Its proposal is ldp's. The applied proposal is
the shown one. One click applies each price, and one click undoes it."""

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape

import pytest

from ldp.forms.definition import questionnaire
from ldp.forms.questionnaire import QuestionnaireDraw
from ldp.planning.design_needs import possible
from ldp.planning.design_proposals import propose
from surveys.designer.files.starting import MARGIN, template, templates
from surveys.designer.privacy import prices, proposal
from surveys.designer.privacy.inputs import PlanInput
from surveys.designer.privacy.proposal import plannable
from surveys.designer.privacy.questions import questions_of
from surveys.designer.privacy.standing import standing
from surveys.designer.privacy.wishes import people, precise
from surveys.figures import numerals
from surveys.life.lifecycle import begin_draft
from surveys.survey.definition import alpha_total, build
from tests.support.alpha import UNFINISHED, begun, get, post, proposal_mark_of, said, words
from tests.support.builder import undo
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db

SIX = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(6)]
SCALES = [
    {"key": "mood", "kind": "ordered", "text": "How are you?", "options": ["bad", "so so", "well", "good", "great"]},
    {"key": "party", "kind": "single_choice", "text": "Which party?", "options": ["A", "B", "C", "D", "E", "F"]},
    {"key": "age", "kind": "histogram", "text": "How old?", "edges": ["0", "20", "40", "60", "80"], "unit": "years"},
]
PLAIN = [
    {name: value for name, value in question.items() if name not in ("alpha", "mechanism", "delta")}
    for question in EVERY_KIND["questions"]
]
FIVE_POINTS = re.compile(r"([0-9,]+) people make every answer precise to 5 points")
BETTER = "The draft is already as good as any proposal for these numbers."


def taken(client, survey, query="?plan=1&total=2", which="proposal"):
    page = client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode()
    return post(client, survey, query, do="apply", which=which, mark=proposal_mark_of(page))


def brief_of(survey, **typed):
    from django.http import QueryDict

    data = QueryDict(mutable=True)
    for name, value in typed.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    form = PlanInput(data, plannable(questions_of(survey)), survey, "2")
    assert form.is_valid(), form.errors
    return form.brief


def reports(survey):
    asked = questionnaire(build(survey.draft))
    return [{*asked.everyone, *(key for draw in form.draws for key in draw.questions)} for form in asked.forms]


# Precision with these people ------------------------------------------------------------------------------------------


def test_the_first_sentence_says_what_these_people_can_have(client, ada):
    survey = begun(ada, SIX, 900)
    one, three, every = possible(brief_of(survey))
    points = ["±" + numerals.rounded_up(100 * each.most) for each in (one, three, every)]
    sentence = (
        f"With 900 people and moderate protection you can know 1 question to {points[0]} points, 3 questions to "
        f"{points[1]} points, 6 questions to {points[2]} points."
    )
    text = words(get(client, survey, plan="1", total="2"))
    assert sentence in text and text.index(sentence) < text.index("Half of each interval")
    cost = propose(replace(brief_of(survey), crossed="all")).crossing_cost
    said_of_it = (
        "Crossing them costs no more people" if cost < 0.0005 else f"all pairs costs {numerals.percent(cost)} more"
    )
    assert said_of_it in text


def test_where_nothing_will_be_published_the_page_says_so_and_open_asks_for_a_yes(client, ada):
    forms = [{"weight": 1, "draws": [{"questions": [f"q{k}"], "alpha": "2"}]} for k in range(5)]
    survey = begun(ada, SIX[:5], 15)
    survey.draft["forms"] = forms
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    text = words(get(client, survey, plan="1", total="2"))
    assert "With 15 people this survey never publishes anything" in text
    page = client.get(f"/surveys/{survey.pk}/open/").content.decode()
    assert 'name="unpublished"' in page
    enough = begun(ada, SIX, 900)
    assert "never publishes anything" not in words(get(client, enough, plan="1", total="2"))


@pytest.mark.parametrize("questions", [SIX, PLAIN], ids=["six", "every kind"])
@pytest.mark.parametrize(("total", "n"), [("2", 3000), ("4", 400), ("0.5", 50_000)])
def test_what_is_proposed_is_ldps_with_each_interval_as_the_table_shows_it(client, ada, questions, total, n):
    survey = begun(ada, questions, n)
    page = get(client, survey, plan="1", total=total)
    found = propose(brief_of(survey, total=total))
    shown = re.findall(r'<td role="cell" class="share" data-label="Proposed">([^<]*) <span', page)
    texts = [
        proposal._text(question, found.outcome.half_widths[question.key], n)
        for question in plannable(questions_of(survey))
    ]
    assert [unescape(each) for each in shown] == texts
    assert len(re.findall(r"<b>Form [0-9]+, about", page)) == len(found.design.forms)


@pytest.mark.parametrize("questions", [SIX, PLAIN], ids=["six", "every kind"])
@pytest.mark.parametrize("total", ["2", "0.7", "3.333333"])
@pytest.mark.parametrize("which", ["proposal", "everything"])
def test_what_is_taken_can_be_opened_has_the_total_and_is_undone_by_one_click(client, ada, questions, total, which):
    survey = begun(ada, questions, 20_000)
    before = survey.draft
    if f'value="{which}"' not in get(client, survey, plan="1", total=total):
        return
    assert said(taken(client, survey, f"?plan=1&total={total}", which)) == ["Saved: who is asked what, and all alphas."]
    assert Fraction(alpha_total(build(survey.draft))) == Fraction(total)
    assert which == "proposal" or "forms" not in survey.draft
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft == before


def test_what_was_taken_stands_with_the_intervals_that_were_proposed(client, ada):
    for questions, query in ((SIX, {}), (PLAIN, {}), (SIX, {"crossed": "all"})):
        survey = begun(ada, questions, 3000)
        found = propose(brief_of(survey, total="2", **query))
        taken(client, survey, "?plan=1&total=2" + "".join(f"&{name}={value}" for name, value in query.items()))
        brief = brief_of(survey, total="2", **query)
        offered = proposal.offer(questions_of(survey), brief)
        assert offered.now.half_widths == pytest.approx(dict(found.outcome.half_widths), rel=1e-6)
        assert len(standing(questions_of(survey), brief).forms) == len(found.design.forms)


def test_a_draft_without_alphas_is_shown_a_proposal_for_a_total_of_two(client, ada):
    survey = begun(ada, SIX, 3000)
    text = words(get(client, survey))
    assert "Proposed, total 2" in text and "6 questions have no alpha yet" in text
    taken(client, survey, "")
    assert alpha_total(build(survey.draft)) == "2"
    assert "A proposal" not in get(client, survey)
    assert "3,000 people, moderate protection" in words(get(client, survey))


def test_the_efficiency_is_said_with_how_it_is_known_for_questions_of_other_kinds_too(client, ada):
    yes_no, scales = begun(ada, SIX[:3], 3000), begun(ada, SCALES, 3000)
    assert "all ways to ask were compared" in words(get(client, yes_no, plan="1", total="2"))
    assert "that a search found" in words(get(client, scales, plan="1", total="2"))
    taken(client, scales)
    assert "Efficiency of the whole survey: " in words(get(client, scales))


# Wishes ---------------------------------------------------------------------------------------------------------------


def test_what_depends_on_each_other_or_shall_be_crossed_stands_in_one_report(client, ada):
    questions = [dict(question) for question in SIX]
    questions[5] |= {"asked_if": {"question": "q0", "options": [0]}}
    survey = begun(ada, questions, 3000)
    query = "?plan=1&total=1&first=q1&second=q4&first=&second="
    page = client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode()
    assert page.count('<option value="q1" selected>') == 1 and page.count('<select name="first"') == 2, "one more"
    taken(client, survey, query)
    assert all("q0" in report for report in reports(survey) if "q5" in report)
    assert any({"q1", "q4"} <= report for report in reports(survey))


def test_where_all_pairs_shall_be_crossed_every_two_questions_stand_in_some_report(client, ada):
    survey = begun(ada, SIX, 6000)
    taken(client, survey, "?plan=1&total=2&crossed=all")
    keys = [each["key"] for each in SIX]
    assert all(any({a, b} <= report for report in reports(survey)) for a in keys for b in keys)


def test_a_question_that_matters_most_gets_a_narrower_interval(client, ada):
    survey = begun(ada, SIX, 3000)
    plain, important = propose(brief_of(survey)), propose(brief_of(survey, important=["q2"]))
    assert important.outcome.half_widths["q2"] < 0.9 * plain.outcome.half_widths["q2"]
    page = get(client, survey, plan="1", important="q2")
    assert 'name="important" value="q2" checked' in page and 'value="q1" checked' not in page


def test_a_question_for_everyone_takes_its_alpha_from_every_form(client, ada):
    survey = begun(ada, SIX, 3000)
    taken(client, survey, "?plan=1&total=2&own.q2=0.5")
    asked = questionnaire(build(survey.draft))
    assert asked.everyone == (QuestionnaireDraw(("q2",), Fraction(1, 2)),) and asked.alpha == 2


def test_a_number_that_is_averaged_is_not_offered_for_a_cross_table(client, ada):
    mean = {"key": "pay", "kind": "mean", "text": "What are you paid?", "low": "0", "high": "9000"}
    page = get(client, begun(ada, [*SIX, mean], 3000), plan="1", total="2", first="q1", second="pay")
    assert page.count('<option value="q1"') == 4 and '<option value="pay"' not in page
    assert "Wished interval of “What are you paid?”" in page


def test_a_wish_that_is_not_reached_is_named_with_the_people_who_would_do(client, ada):
    survey = begun(ada, SIX, 1000)
    query = {"plan": "1", "total": "1", "width.q0": "2", "width.q1": "30"}
    text = words(get(client, survey, **query))
    needed = people(brief_of(survey, **query), 0.02, "q0")
    assert "With 1,000 people these wishes are not met: Question 0?" in text
    assert f"instead of ±2 points. {numerals.count_up(needed)} people are enough." in text


def test_wishes_that_are_reached_are_said_to_be(client, ada):
    text = words(get(client, begun(ada, SIX, 50_000), plan="1", total="2", points="10"))
    assert "With 50,000 people all wishes are met." in text and "not met" not in text


@pytest.mark.parametrize("n", [120, 400, 1000, 3000])
def test_with_a_wish_no_more_questions_are_without_a_result_than_without_one(ada, n):
    survey = begun(ada, [*SIX, *SCALES], n)
    plain, wished = (propose(brief_of(survey, **more)) for more in ({}, {"points": "10"}))
    assert wished.outcome.merit.without_result <= plain.outcome.merit.without_result


def test_what_a_designer_knows_is_kept_in_the_address_and_the_people_in_the_survey(client, ada):
    survey = begun(ada, SIX, None)
    fields = {
        "n": "2500",
        "total": "other",
        "other": "1,5",
        "points": "4",
        "first": "",
        "second": "",
        "crossed": "none",
    }
    response = post(client, survey, do="plan", **fields)
    address = response.redirect_chain[-1][0]
    assert survey.expected_n == 2500 and "plan=1" in address and address.endswith("#proposal")
    assert "csrf" not in address and "Proposed, total 1.5" in words(response.content.decode())
    assert survey.draft["questions"] == SIX


@pytest.mark.parametrize("total", ["", "x", "0", "1e1", "4.0000001", "-1", "1/2", "97"])
def test_a_total_that_cannot_be_is_refused_beside_its_field(client, ada, total):
    survey = begun(ada, SIX, 3000)
    page = get(client, survey, plan="1", total="other", other=total or "0")
    assert 'id="other-error"' in page and "Take the proposal" not in page
    response = post(client, survey, f"?plan=1&total=other&other={total or 0}", do="apply", which="proposal", mark="")
    assert said(response)[0].startswith("Nothing was saved") and survey.draft["questions"] == SIX


@pytest.mark.parametrize("wrong", [{"points": "0"}, {"width.q0": "x"}, {"own.q0": "17"}, {"total": "x"}])
def test_a_wish_that_is_none_gives_no_proposal(client, ada, wrong):
    page = get(client, begun(ada, SIX, 3000), **({"plan": "1", "total": "2"} | wrong))
    assert "Take the proposal" not in page


@pytest.mark.parametrize("questions", [[], UNFINISHED[1:]], ids=["none", "unfinished"])
def test_a_proposal_is_not_taken_where_no_question_is_complete(client, ada, questions):
    survey = begun(ada, questions, 3000)
    response = post(client, survey, "?plan=1&total=2", do="apply", which="proposal", mark="")
    assert said(response) == ["Nothing was saved: nothing can be proposed for these numbers."]


def test_nothing_is_proposed_where_everyone_takes_the_whole_total(client, ada):
    page = get(client, begun(ada, SIX, 3000), plan="1", total="1", **{"own.q0": "1"})
    assert "No proposal is possible" in page and "Take the proposal" not in page


@pytest.mark.parametrize("which", ["", "other", "drop.q99", "uncross"])
def test_what_was_not_offered_is_not_taken(client, ada, which):
    survey = begun(ada, SIX, 3000)
    post(client, survey, "?plan=1&total=2", do="apply", which=which, mark="")
    assert survey.draft["questions"] == SIX


def test_what_someone_else_changed_meanwhile_is_not_overwritten(client, ada):
    survey = begun(ada, SIX, 3000)
    response = post(client, survey, "?plan=1&total=2", mark="0" * 16, do="apply", which="proposal")
    assert said(response)[0].startswith("Someone else changed this") and survey.draft["questions"] == SIX


def test_unfinished_questions_are_left_out_of_a_proposal(client, ada):
    survey = begun(ada, SIX[:2] + UNFINISHED, 3000)
    assert "2 questions are not complete yet and left out." in words(get(client, survey, plan="1", total="2"))
    taken(client, survey)


# The current design ---------------------------------------------------------------------------------------------------


def test_what_stands_is_kept_where_nothing_better_is_known(client, ada):
    survey = begun(ada, SIX, 3000)
    taken(client, survey)
    before = survey.draft
    page = get(client, survey, plan="1", total="2")
    now = re.findall(r'data-label="Now">([^<]*)<', page)
    proposed = re.findall(r'class="share" data-label="Proposed">([^<]*) <span', page)
    assert len(now) == 6 and now == proposed
    taken(client, survey)
    assert survey.draft == before


@pytest.mark.parametrize("change", [{"total": "1"}, {"own.q0": "0.5"}])
def test_what_stands_is_not_held_against_a_wish_that_it_does_not_answer(client, ada, change):
    survey = begun(ada, SIX, 3000)
    taken(client, survey)
    assert standing(questions_of(survey), brief_of(survey, **({"total": "2"} | change))) is None


def test_what_is_incomplete_is_no_reason_to_keep_it(client, ada):
    survey = begun(ada, SIX, 3000)
    assert standing(questions_of(survey), brief_of(survey)) is None


@pytest.mark.parametrize("n", [60, 120, 400, 3000])
def test_a_proposal_is_never_worse_than_what_stands(client, ada, n):
    survey = begun(ada, [*SIX, *SCALES], n)
    taken(client, survey, "?plan=1&total=2&n=5000")
    offered = proposal.offer(questions_of(survey), brief_of(survey))
    assert offered.now and offered.outcome.merit.is_no_worse_than(offered.now.merit)


# Prices ---------------------------------------------------------------------------------------------------------------


def price_page(client, survey, query="plan=1&total=2"):
    return client.get(f"/surveys/{survey.pk}/alpha/?{query}&prices=1").content.decode()


@pytest.mark.parametrize("name", ["drop.q0", "mean.mood", "merge.mood", "merge.party", "merge.age", "alpha", "people"])
def test_each_price_is_applied_by_one_click_and_undone_by_one(client, ada, name):
    survey = begun(ada, [*SIX[:2], *SCALES], 3000)
    before, page = survey.draft, price_page(client, survey)
    assert f'name="which" value="{name}"' in page
    mark = proposal_mark_of(page)
    response = post(client, survey, "?plan=1&total=2", do="apply", which=name, mark=mark)
    assert said(response) == ["Saved: who is asked what, and all alphas."]
    definition = build(survey.draft)
    asked = {each["key"]: each for each in definition["questions"]}
    assert ("q0" in asked) == (name != "drop.q0")
    assert asked["mood"]["kind"] == ("mean" if name == "mean.mood" else "ordered")
    sizes = {key: len(asked[key]["options"]) for key in ("mood", "party", "age") if "options" in asked[key]}
    expected = {"mood": 5, "party": 6, "age": 4} | {
        key: count for key, count in (("mood", 3), ("party", 3), ("age", 2)) if name == f"merge.{key}"
    }
    assert {key: expected[key] for key in sizes} == sizes
    assert alpha_total(definition) == ("3" if name == "alpha" else "2")
    assert survey.expected_n == (6000 if name == "people" else 3000)
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft == before


def test_a_price_is_what_is_proposed_once_it_is_paid(client, ada):
    survey = begun(ada, [*SIX[:2], *SCALES], 3000)
    offered = proposal.offer(questions_of(survey), brief_of(survey))
    [price] = [
        each
        for each in prices.price_list(plannable(questions_of(survey)), offered, survey.draft)
        if each.name == "drop.party"
    ]
    post(
        client,
        survey,
        "?plan=1&total=2",
        do="apply",
        which="drop.party",
        mark=proposal_mark_of(price_page(client, survey)),
    )
    again = proposal.offer(questions_of(survey), brief_of(survey))
    assert proposal.widths(again.outcome, [each.key for each in again.brief.questions]) == price.after


def test_what_a_draft_does_not_allow_has_no_price(client, ada):
    questions = [*SIX[:2], *SCALES]
    questions[0] = questions[0] | {"asked_if": {"question": "mood", "options": [0]}}
    page = price_page(client, begun(ada, [*SCALES, *questions[:2]], 3000))
    assert 'value="mean.mood"' not in page and 'value="merge.mood"' not in page and 'value="merge.party"' in page


# Number of people -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [each.slug for each in templates()])
def test_the_numbers_of_people_of_a_templates_card_are_those_of_its_pages(client, ada, name):
    survey, begun_with = begin_draft(ada, template(name).draft), template(name)
    needed = {question.key: question.people_needed(MARGIN) for question in questions_of(survey)}
    assert (begun_with.people_for_main, begun_with.people_for_all) == (needed[begun_with.main], max(needed.values()))
    shown = FIVE_POINTS.findall(words(get(client, survey)))
    shown += FIVE_POINTS.findall(words(client.get(f"/surveys/{survey.pk}/open/").content.decode()))
    assert shown == [precise(questions_of(survey))] * 2
