"""The page about privacy begins with a total and a number of people: what is proposed is ldp's, what is taken is what
was shown, and questions are moved between forms."""

import re
from fractions import Fraction

import pytest

from ldp.forms.definition import questionnaire
from ldp.planning.form_plans import propose
from ldp.planning.form_prices import Wanted
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.questions import questions_of
from surveys.drafts.forms import keys_of
from surveys.life.lifecycle import open_survey
from surveys.survey.definition import alpha_total, build
from tests.support.alpha import UNFINISHED, begun, get, plot_of, post, proposal_mark_of, said, words
from tests.support.builder import FRAGMENTS, undo
from tests.support.drawn import drawn
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db

SIX = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(6)]
PLAIN = [
    {name: value for name, value in question.items() if name not in ("alpha", "mechanism", "delta")} | {"alpha": "1"}
    for question in EVERY_KIND["questions"]
]


def taken(client, survey, query="?plan=1&total=2", which="proposal"):
    page = client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode()
    return post(client, survey, query, do="apply", which=which, mark=proposal_mark_of(page))


def forms_mark(client, survey):
    return re.search(r'name="mark" value="(\w+)"><input type="hidden" name="key"', get(client, survey))[1]


def move(client, survey, key, to, **fields):
    fields = {"mark": forms_mark(client, survey)} | fields
    return post(client, survey, do="move", key=key, to=to, **fields)


def homes(survey):
    return [keys_of(form) for form in survey.draft.get("forms", [])]


def test_what_a_report_will_tell_is_said_before_a_proposal_is_taken(client, ada):
    survey = begun(ada, SIX, 3000)
    before = words(get(client, survey, plan="1", total="4"))
    proposed = before[before.index("A proposal") : before.index("Take the proposal")]
    assert "4 alpha of a report, at most weak" in proposed and "The page says so in red." in proposed
    taken(client, survey, "?plan=1&total=4")
    after = words(get(client, survey))
    belief = re.search(r"A report can be strong evidence\. (.*?) 4? ?The protection is weak", proposed)
    assert belief and belief[1] in after
    assert "The page says so in red." not in words(get(client, survey, plan="1", total="2"))


def test_the_efficiency_of_a_proposal_is_that_of_the_forms_that_were_taken(client, ada):
    survey = begun(ada, SIX, 3000)
    proposed = re.search(r"Efficiency of the proposal: ([\d.]+%)", words(get(client, survey, plan="1", total="2")))[1]
    taken(client, survey)
    said_of_it = (
        f"Efficiency of the whole survey: {proposed}. Under this total, no way of asking could make do with a smaller"
    )
    assert said_of_it in words(get(client, survey))


def test_the_efficiency_of_a_survey_without_forms_is_said_where_it_is_known(client, ada):
    plain = [question | {"alpha": "1"} for question in SIX]
    assert "Efficiency of the whole survey: " in words(get(client, begun(ada, plain, 3000)))
    other = [*plain, {"key": "age", "kind": "ordered", "text": "?", "options": ["a", "b", "c"], "alpha": "1"}]
    page = words(get(client, begun(ada, other, 3000)))
    assert "Efficiency of the whole survey: " not in page
    assert "How near this comes to the best possible is known for yes/no questions alone." in page


def test_what_was_wished_stays_when_a_proposal_is_taken_and_says_what_its_table_will_show(client, ada):
    survey = begun(ada, SIX, 3000)
    page = taken(client, survey, "?plan=1&total=2&first=q0&second=q1").content.decode()
    assert re.search(r'<option value="q0"[^>]* selected', page) and "Take the proposal" not in page
    assert "are asked both. With them, a cross-table shows with a chance of" in words(page)


# The proposal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("questions", [SIX, PLAIN], ids=["six", "every kind"])
@pytest.mark.parametrize(("total", "n"), [("2", 3000), ("4", 400), ("0.5", 50_000)])
def test_what_is_proposed_and_what_it_costs_is_ldps(client, ada, questions, total, n):
    survey = begun(ada, questions, n)
    page = get(client, survey, plan="1", total=total)
    planned = [question.without_form for question in questions_of(survey)]
    wanted = [Wanted(question.variant.plan) for question in planned]
    places = {question.key: place for place, question in enumerate(planned)}
    linked = [
        (places[question.draft["asked_if"]["question"]], place)
        for place, question in enumerate(planned)
        if "asked_if" in question.draft
    ]
    found = propose(wanted, Fraction(total), n, fewest=20, crossed=linked)
    shown = re.findall(r'<td role="cell" class="share" data-label="Proposed">([^<]*) <span', page)
    widths = found.proposal.half_widths(n, "respondents")
    sizes = {len(form.questions) for form in found.proposal.forms}
    assert ("Each person gets one form" in page) == (len(found.proposal.forms) > 1)
    assert len(found.proposal.forms) == 1 or f"{max(sizes)} of the {len(planned)} questions" in page
    assert shown == [measure(question.variant.built).planned(widths[k], n) for k, question in enumerate(planned)]
    count = len(found.proposal.forms)
    assert len(re.findall("<h3>Form [0-9]+, about", page)) == (count if count > 1 else 0)


@pytest.mark.parametrize("questions", [SIX, PLAIN], ids=["six", "every kind"])
@pytest.mark.parametrize("total", ["2", "0.7", "3.333333"])
@pytest.mark.parametrize("which", ["proposal", "alone", "everything"])
def test_what_is_taken_can_be_opened_and_has_the_total(client, ada, questions, total, which):
    survey = begun(ada, questions, 20_000)
    before = survey.draft
    if f'value="{which}"' not in get(client, survey, plan="1", total=total):
        return
    assert said(taken(client, survey, f"?plan=1&total={total}", which)) == ["Saved: who is asked what, and all alphas."]
    assert alpha_total(build(survey.draft)) == total
    assert ("forms" in survey.draft) == (which != "everything")
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft == before


def test_a_draft_without_alphas_is_shown_a_proposal_for_a_total_of_two(client, ada):
    survey = begun(ada, SIX, 3000)
    text = words(get(client, survey))
    assert "Proposed, total 2" in text and "6 questions have no alpha yet" in text
    assert (
        "under alpha 2: the browser draws once, and either all these answers stay as they are or all are replaced"
        in text
    )
    taken(client, survey, "")
    assert homes(survey) == [["q0", "q1"], ["q2", "q3"], ["q4", "q5"]] and alpha_total(build(survey.draft)) == "2"
    assert "A proposal" not in get(client, survey) and "2 alpha of a report, at most moderate" in words(
        get(client, survey)
    )


def test_two_questions_are_two_forms_since_one_form_is_none(client, ada):
    survey = begun(ada, SIX[:2], 3000)
    taken(client, survey, "")
    assert homes(survey) == [["q0"], ["q1"]] and alpha_total(build(survey.draft)) == "2"


def test_what_depends_on_each_other_or_shall_be_crossed_stays_together(client, ada):
    questions = [dict(question) for question in SIX]
    questions[5] |= {"asked_if": {"question": "q0", "options": [0]}, "filler": 0}
    survey = begun(ada, questions, 3000)
    query = "?plan=1&total=1&first=q1&second=q4&first=&second="
    page = client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode()
    assert "since the answer to one decides whether another is asked" in page and "since you want to cross them" in page
    assert page.count('<option value="q1" selected>') == 1 and page.count('name="first"') == 2, "room for one more"
    taken(client, survey, query)
    assert any({"q0", "q5"} <= set(keys) for keys in homes(survey))
    assert any({"q1", "q4"} <= set(keys) for keys in homes(survey))


def test_a_number_that_is_averaged_is_not_offered_for_a_cross_table(client, ada):
    mean = {"key": "pay", "kind": "mean", "text": "What are you paid?", "low": "0", "high": "9000"}
    survey = begun(ada, [*SIX, mean], 3000)
    page = get(client, survey, plan="1", total="2", first="q1", second="pay")
    assert page.count('<option value="q1"') == 4 and '<option value="pay"' not in page
    assert "Wished interval of “What are you paid?”" in page


def test_a_question_for_everybody_takes_its_alpha_from_every_form(client, ada):
    survey = begun(ada, SIX, 3000)
    query = "?plan=1&total=2&own.q2=0.5"
    assert "which leaves 1.5 for each form" in words(get(client, survey, plan="1", total="2", **{"own.q2": "0.5"}))
    taken(client, survey, query)
    asked = questionnaire(build(survey.draft))
    assert asked.everybody == {"q2": Fraction(1, 2)} and asked.alpha == 2
    assert {asked.total(form) for form in range(len(asked.forms))} == {2}


def test_a_wished_width_gives_its_question_more_people(client, ada):
    survey = begun(ada, SIX, 30_000)
    taken(client, survey, "?plan=1&total=1&width.q3=1")
    shares = {key: form["weight"] for form in survey.draft["forms"] for key in keys_of(form)}
    assert shares["q3"] >= 5 * min(shares.values())


def test_with_few_people_everybody_is_asked_everything(client, ada):
    text = words(get(client, begun(ada, SIX[:3], 60), plan="1", total="2"))
    assert "With so few people, no two forms would surely get the 20 reports that a result takes." in text


def test_what_a_designer_knows_is_kept_in_the_address_and_the_people_in_the_survey(client, ada):
    survey = begun(ada, SIX, None)
    response = post(client, survey, do="plan", n="2500", total="other", other="1,5", points="4", first="", second="")
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


def test_nothing_is_proposed_where_everybody_takes_the_whole_total(client, ada):
    page = get(client, begun(ada, SIX, 3000), plan="1", total="1", **{"own.q0": "1"})
    assert "Nothing can be proposed" in page and "Take the proposal" not in page


@pytest.mark.parametrize("which", ["", "other", "value"])
def test_what_was_not_offered_is_not_taken(client, ada, which):
    survey = begun(ada, SIX, 3000)
    post(client, survey, "?plan=1&total=2", do="apply", which=which, mark="")
    assert survey.draft["questions"] == SIX


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(client, ada):
    survey = begun(ada, SIX, 3000)
    stale = "0" * 16
    for fields in ({"do": "apply", "which": "proposal"}, {"do": "move", "key": "q0", "to": "new"}):
        response = post(client, survey, "?plan=1&total=2", mark=stale, **fields)
        assert said(response)[0].startswith("Someone else changed this") and survey.draft["questions"] == SIX


def test_unfinished_questions_are_left_out_of_a_proposal(client, ada):
    survey = begun(ada, SIX[:2] + UNFINISHED, 3000)
    assert "2 questions are not complete yet and left out." in words(get(client, survey, plan="1", total="2"))
    taken(client, survey)
    assert {key for keys in homes(survey) for key in keys} <= {"q0", "q1", "bare"}


# Forms ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def survey(client, ada):
    survey = begun(ada, SIX, 3000)
    taken(client, survey, "")
    return survey


def test_a_question_is_moved_and_the_cost_is_seen(client, survey):
    response = move(client, survey, "q0", "1")
    assert said(response) == ["Moved “Question 0?” to form 2."]
    assert homes(survey) == [["q1"], ["q0", "q2", "q3"], ["q4", "q5"]] and alpha_total(build(survey.draft)) == "2"
    text = words(response.content.decode())
    assert "Form 1 about 1,000 people" in text and "2 Question 1? alpha 2 moderate" in text
    undo(client, survey)
    survey.refresh_from_db()
    assert homes(survey) == [["q0", "q1"], ["q2", "q3"], ["q4", "q5"]]


def test_who_is_moved_to_everybody_comes_on_top(client, survey):
    response = move(client, survey, "q0", "everybody")
    assert said(response) == ["Everybody is asked “Question 0?”."]
    assert "3 alpha of a report, at most weak" in words(response.content.decode())


def test_questions_are_randomized_together_and_separately(client, survey):
    mark = forms_mark(client, survey)
    response = post(client, survey, do="separately", mark=mark, form="1", key=["q0", "q1"])
    assert said(response) == ["Randomized separately: “Question 0?” and “Question 1?”."]
    assert survey.draft["forms"][0]["draws"] == [{"questions": [key], "alpha": "1"} for key in ("q0", "q1")]
    post(client, survey, do="together", mark=forms_mark(client, survey), form="1", key=["q0", "q1"])
    assert survey.draft["forms"][0]["draws"] == [{"questions": ["q0", "q1"], "alpha": "2"}]
    move(client, survey, "q0", "everybody")
    move(client, survey, "q2", "everybody")
    post(client, survey, do="together", mark=forms_mark(client, survey), form="0", key=["q0", "q2"])
    assert survey.draft["draws"] == [{"questions": ["q0", "q2"], "alpha": "2"}]
    assert alpha_total(build(survey.draft)) == "4", "a draw counts once"
    assert "Together, alpha 2" in words(get(client, survey))


def test_a_question_is_asked_in_a_further_form_and_leaves_one(client, survey):
    response = move(client, survey, "q0", "also:1", at="1")
    assert said(response) == ["Form 2 asks “Question 0?” too."]
    assert homes(survey) == [["q0", "q1"], ["q0", "q2", "q3"], ["q4", "q5"]] and alpha_total(build(survey.draft)) == "2"
    text = words(response.content.decode())
    assert "also in form 2" in text and "also in form 1" in text
    page = words(get(client, survey, question="q0", form="2"))
    assert "Several forms ask it: form 1 with alpha 2 , form 2 with alpha 2" in page
    assert said(move(client, survey, "q0", "leave:", at="1")) == ["Took “Question 0?” out of form 1."]
    assert homes(survey) == [["q1"], ["q0", "q2", "q3"], ["q4", "q5"]]


def test_a_form_gets_another_alpha_and_weight(client, survey):
    fields = {"do": "arrange", "form": "1", "alpha": "1,5", "weight": "4"}
    response = post(client, survey, mark=forms_mark(client, survey), **fields)
    assert said(response) == ["Saved: form 1."]
    assert survey.draft["forms"][0] == {"weight": 4, "draws": [{"questions": ["q0", "q1"], "alpha": "1.5"}]}
    assert "Form 1 about 2,000 people, 66.7%" in words(response.content.decode())


@pytest.mark.parametrize(
    "fields", [{"alpha": "x"}, {"weight": "0"}, {"weight": "10001"}, {"alpha": "17"}, {"form": "9"}]
)
def test_a_form_that_cannot_be_is_not_saved(client, survey, fields):
    before = survey.draft
    right = {"do": "arrange", "form": "1", "alpha": "2", "weight": "1"}
    response = post(client, survey, mark=forms_mark(client, survey), **(right | fields))
    assert survey.draft == before and not said(response)[0].startswith("Saved")


def test_a_script_gets_the_forms_and_what_was_done(client, survey):
    fields = {"do": "move", "key": "q0", "to": "1", "mark": forms_mark(client, survey)}
    answer = client.post(f"/surveys/{survey.pk}/alpha/", fields, headers=FRAGMENTS)
    page = answer.content.decode()
    assert answer.headers["X-Fragments"] == "1" and '<p id="announcer">Moved “Question 0?” to form 2.</p>' in page
    assert 'id="forms"' in page and 'id="undo-bar"' in page and "<html" not in page
    again = client.post(f"/surveys/{survey.pk}/alpha/", fields, headers=FRAGMENTS).content.decode()
    assert "Someone else changed this in the meantime" in again


def test_a_form_that_gets_too_few_reports_says_so(client, ada):
    survey = begun(ada, SIX, 3000)
    taken(client, survey)
    post(client, survey, do="expect", n="200")
    assert "Fewer than 200 reports are expected of this form" in get(client, survey)


def test_too_many_combinations_are_said_beside_the_form(client, ada):
    scale = {"kind": "single_choice", "options": [*"abcdefghijklmnopqrst"]}
    questions = [{"key": f"q{k}", "text": "?"} | scale for k in range(4)]
    survey = begun(ada, [*questions, SIX[5] | {"alpha": "1"}])
    survey.draft = drawn(
        survey.draft | {"forms": [{"questions": ["q0", "q1", "q2", "q3"], "alpha": "1"}, {"questions": ["q5"]}]}
    )
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    assert "too many combinations of answers" in get(client, survey)


# One question of a joint form -----------------------------------------------------------------------------------------


def test_a_question_drawn_with_others_shows_what_its_answer_goes_through(client, survey):
    page = get(client, survey, question="q0")
    text = words(page)
    assert "randomized together with others, 2 questions under one alpha" in text
    assert "About 1,000 of 3,000 people are asked." in text and "±5.2 percentage points" in text
    assert "Alpha of all 2 questions" in text and "people in all make this answer precise to 5 points." in text
    assert "Save alpha" not in text and "Any two give the third" not in text
    [same, other] = re.findall(r"<figcaption>.*?<b>(\d+)</b>", page)
    assert (same, other) == ("81", "19"), "as often as its own channel keeps it"
    mark = re.search(r'name="mark" value="(\w+)"', get(client, survey, question="q0", alpha="3"))[1]
    assert said(post(client, survey, "?question=q0", do="save", alpha="3", mark=mark)) == ["Saved: alpha 3."]
    assert survey.draft["forms"][0]["draws"] == [{"questions": ["q0", "q1"], "alpha": "3"}]


def test_a_trial_of_a_joint_question_goes_through_its_channel(client, survey):
    page = get(client, survey, question="q0", trial="1", share=["30", "70"], seed="4")
    assert "2 of 2 intervals hold the truth" in words(page)
    assert client.get(plot_of(survey, "question=q0&trial=1&seed=4", "q0")).status_code == 200


def test_an_opened_survey_shows_its_forms_and_nothing_to_press(client, survey):
    drafted = words(get(client, survey))
    open_survey(survey)
    page = get(client, survey)
    shown = words(page)
    assert 'name="do"' not in page and "2 alpha of a report, at most moderate" in shown
    for sentence in ("Form 1 about 1,000 people, 33.3%", "All answers stay, or all are replaced."):
        assert sentence in drafted and sentence in shown
    assert "±5.2 percentage points" in words(get(client, survey, question="q0"))
