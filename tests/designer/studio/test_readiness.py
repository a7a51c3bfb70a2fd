"""The page "Open" before a survey opens: its protection, the precision of its results, and the objections. The studio
also shows which questions are randomized together."""

import json
import re

import pytest

from ldp.forms.report import alone
from ldp.planning.stopping import widening
from surveys.designer.opening.readiness import readiness
from surveys.designer.opening.views import _precisions
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.groups import outlook
from surveys.designer.privacy.questions import questions_of
from surveys.figures.targets import planned_about
from surveys.life.lifecycle import open_survey
from surveys.survey.definition import build
from tests.support.alpha import begun, words
from tests.support.builder import form, questions
from tests.support.drawn import drawn

MEAN = "It cannot be crossed with anything, since only its average is asked for."
EVERYONE = "everyone is asked all of them."
pytestmark = pytest.mark.django_db

QUESTIONS = [
    {"key": "slept", "kind": "yes_no", "text": "Slept?"},
    {"key": "drank", "kind": "yes_no", "text": "Drank?"},
    {"key": "where", "kind": "single_choice", "text": "Where?", "options": ["here", "there"], "alpha": "2"},
    {"key": "took", "kind": "multiple_choice", "text": "Took?", "options": ["pens", "cups"], "alpha": "0.5"},
]
FORMS = [
    {"weight": 3, "questions": ["slept", "drank"], "alpha": "2"},
    {"weight": 1, "questions": ["where"]},
]


PAIR, WHERE = {"questions": ["slept", "drank"], "alpha": "1"}, {"questions": ["where"], "alpha": "1"}


@pytest.fixture
def survey(ada):
    return in_forms(ada, 4000)


def in_forms(ada, n, **changes):
    survey = begun(ada, QUESTIONS, n)
    survey.draft = drawn(survey.draft | {"forms": json.loads(json.dumps(FORMS))}) | changes
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    return survey


def page(client, survey, part):
    return client.get(f"/surveys/{survey.pk}/{part}").content.decode()


def ready(survey):
    return readiness(survey, build(survey.draft))


# Go or no-go ----------------------------------------------------------------------------------------------------------


def test_every_answers_width_is_that_of_the_page_of_privacy(client, survey):
    text = words(page(client, survey, "open/"))
    for question, people in zip(questions_of(survey), ("3,000", "3,000", "1,000", "4,000"), strict=True):
        found = next(each for each in ready(survey).answers if each.question.key == question.key)
        assert found.people == people and f"{question.text} asked of {people} {found.one_look.text}" in text
        assert str(100 * question.half_width(4000))[:3] in found.one_look.text or found.one_look.text.startswith("±")


def test_the_strength_is_that_of_the_weakest_report(client, survey):
    found = ready(survey)
    assert found.step.name == "weak", "2.5 in all"
    assert "The page says so in red." in words(page(client, survey, "open/"))


def test_a_strong_and_precise_survey_has_nothing_against_it(client, ada):
    asked = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "0.5"} for key in ("a", "b")]
    survey = begun(ada, asked, 100_000)
    assert ready(survey).concerns == []
    text = words(page(client, survey, "open/"))
    assert "It is ready to open" in text and "precise" in text
    assert "All questions can be crossed with each other" in text
    assert "The first results appear when 200 reports are there, at the latest when there are 300." in text


def test_rough_answers_are_said_where_nothing_else_speaks_against_it(client, ada):
    """At alpha 1, 800 people give a share a margin of 7.5 points."""
    survey = begun(ada, [{"key": "a", "kind": "yes_no", "text": "A?", "alpha": "1"}], 800)
    assert ready(survey).concerns == [] and ready(survey).rough
    text = words(page(client, survey, "open/"))
    assert "It can be opened" in text and "ready to open" not in text


def test_few_people_speak_against_it(client, ada):
    survey = in_forms(ada, 60)
    assert {each.one_look.verdict.name for each in ready(survey).answers} <= {"vague", "nothing"}
    text = words(page(client, survey, "open/"))
    assert "Some results are very rough or say nothing." in text
    assert "It can be opened" in text and "Think about this before you open it" in text
    assert "With 60 people there are no results before the survey ends." in text
    assert "have no results before the end" not in text, "it would say the same of each form"


def test_no_one_having_said_how_many_is_said(ada):
    assert any("1,000 are assumed" in concern for concern in ready(in_forms(ada, None)).concerns)


def test_anyone_who_expects_too_few_for_a_first_release_hears_of_it_before(ada):
    """A form that three of four people get has its first results with two batches of 100."""
    said = "With %s people there are no results before the survey ends."
    assert said % 266 in ready(in_forms(ada, 266)).concerns
    assert said % 267 not in ready(in_forms(ada, 267)).concerns


def test_margins_of_an_end_by_hand_are_wider_where_one_group_alone_has_earlier_results(ada):
    """The sizes of the groups decide; the page of groups names those that have results at the end only."""
    said = "With 400 people there are no results before the survey ends."
    for sizes, wider in (((60, 60, None), True), ((140, 140, None), False), ((190, 190, 199), False)):
        survey = begun(ada, [QUESTIONS[2]], 400)
        groups = [{"name": name} | ({"people": n} if n else {}) for name, n in zip("abc", sizes, strict=True)]
        survey.draft = survey.draft | {"invitations": True, "groups": groups}
        assert any(not group.at_the_end for group in outlook(survey)) == wider
        [[(_, one), (_, every)]] = [answer.margins for answer in ready(survey).answers]
        assert (every.half_width > one.half_width) == wider and (said in ready(survey).concerns) != wider
        assert ready(survey).first.startswith("The first results appear when 200 people of a group have answered")


def test_first_results_come_form_by_form(survey):
    assert "after about 270 reports in all for the first form, and about 800 for the last." in ready(survey).first


def test_what_cannot_be_crossed_is_named(client, survey):
    groups = "form 1 with “Slept?” and “Drank?”; form 2 with “Where?”"
    assert (
        f"Questions in different forms cannot be crossed, since no one is asked both: {groups}. Questions within"
        in words(page(client, survey, "open/"))
    )
    wished = words(page(client, survey, "open/?first=slept&second=drank&first=where&second=slept"))
    assert "You want to cross “Where?” with “Slept?”. They are in different forms" in wished
    assert wished.count("You want to cross") == 1
    privacy = page(client, survey, "alpha/?first=slept&second=where")
    for part in ("open/?", "try/?seed=1&amp;"):
        assert f"/{part}first=slept&amp;second=where" in privacy


def test_of_overlapping_forms_it_says_which_of_them_asks_both(ada):
    survey = begun(ada, [{"key": key, "kind": "yes_no", "text": key} for key in "abc"])
    pairs = ({"questions": list(pair), "alpha": "2"} for pair in ("ab", "bc", "ac"))
    survey.draft = survey.draft | {"forms": [{"weight": 1, "draws": [draw]} for draw in pairs]}
    groups = "form 1 with “a” and “b”; form 2 with “b” and “c”; form 3 with “a” and “c”"
    assert ready(survey).uncrossed == [f"Two questions of forms can be crossed where one form asks both: {groups}."]


def test_of_a_large_survey_a_part_of_the_groups_is_named(ada):
    survey = begun(ada, [{"key": f"q{k}", "kind": "yes_no", "text": "x" * 900, "alpha": "1"} for k in range(80)])
    forms = [{"questions": [f"q{k}" for k in range(at, at + 8)]} for at in range(0, 80, 8)]
    survey.draft = drawn(survey.draft | {"forms": forms})
    [said] = ready(survey).uncrossed
    assert "and 5 more questions" in said and "; and 5 more forms." in said and len(said) < 1000


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (["yes_no"], ["There are no two questions that could be crossed."]),
        (["yes_no", "yes_no"], ["All questions can be crossed with each other: everyone is asked all of them."]),
        (["yes_no", "mean"], ["There are no two questions that could be crossed.", MEAN]),
        (["yes_no", "yes_no", "mean"], ["All other questions can be crossed with each other: " + EVERYONE, MEAN]),
    ],
)
def test_what_can_be_crossed_of_questions_for_everyone(ada, kinds, said):
    ends = {"yes_no": {}, "mean": {"low": "0", "high": "9"}}
    asked = [{"key": f"q{n}", "kind": kind, "text": f"Q{n}", "alpha": "1"} | ends[kind] for n, kind in enumerate(kinds)]
    assert [re.sub("“.*”", "It", sentence) for sentence in ready(begun(ada, asked, 4000)).uncrossed] == said


@pytest.mark.parametrize("others", [1, 2])
def test_a_routed_question_is_said_to_be_crossed_among_those_who_are_asked_it(ada, others):
    asked = [{"key": f"q{n}", "kind": "yes_no", "text": f"Q{n}", "alpha": "1"} for n in range(others + 1)]
    asked[-1]["asked_if"] = {"question": "q0", "options": [0]}
    *first, last = ready(begun(ada, asked, 4000)).uncrossed
    assert first == ["All other questions can be crossed with each other: " + EVERYONE] * (others - 1)
    assert last.endswith("is crossed among the people who are asked it, if reports show who they are.")


def routed_by_two(ada, n):
    asked = [{"key": f"q{k}", "kind": "yes_no", "text": f"Q{k}", "alpha": "1"} for k in range(3)]
    asked[-1]["asked_if"] = {"all": [{"question": f"q{k}", "options": [0]} for k in range(2)]}
    return begun(ada, asked, n)


def test_results_that_may_decide_the_end_are_planned_without_single_reports(ada):
    """At one look, single reports show who is asked (M34e); at every look, only bounds do (M34d)."""
    *_, last = ready(routed_by_two(ada, 100_000)).answers
    assert last.one_look.half_width < 0.06 and last.every_look.half_width > 0.4


def test_an_end_at_a_precision_is_expected_when_routed_results_have_it(ada):
    asked = [{"key": f"q{k}", "kind": "yes_no", "text": f"Q{k}", "alpha": "1"} for k in range(2)]
    asked[-1]["asked_if"] = {"question": "q0", "options": [0]}
    survey = begun(ada, asked, 1000)
    [_, routed], [_, built] = questions_of(survey), alone(build(survey.draft))
    for points, shown in _precisions(survey, build(survey.draft)):
        n = int(shown.replace(",", ""))
        widths = [routed.half_width(k, watched=True) * widening(built, k, 0.95) for k in (n, n // 2)]
        assert widths[0] <= points / 100 * 1.01 < widths[1], points


def test_no_number_is_named_for_an_end_that_results_may_never_reach(ada):
    survey = routed_by_two(ada, 1000)
    assert [shown for _, shown in _precisions(survey, build(survey.draft))] == [""] * 4


def test_forms_that_are_drawn_equally_often_have_their_first_results_at_one_time(ada):
    survey = in_forms(ada, 1000)
    survey.draft["forms"] = [form | {"weight": 1} for form in survey.draft["forms"]]
    first = ready(survey).first
    assert "have, which is after about" in first and "of the last" not in first


def test_tables_odds_and_digest_are_folded(client, survey):
    html = page(client, survey, "open/")
    folded = html[html.index('<details class="frozen"') :]
    for part in ("<code>", "the odds between two sets of answers", "randomized together", "drawn as 3 : 1", "α = 2.5"):
        assert part in folded
    assert f'<iframe src="/surveys/{survey.pk}/preview/?form=1"' in html, "the weakest report's promise"
    assert "Digest" not in html[: html.index('<details class="frozen"')]


def test_an_answer_is_judged_alike_on_open_and_on_privacy(client, survey):
    """This holds also where a proposal is shown beside the current forms."""
    said = {each.question.text: str(each.one_look.verdict.word) for each in ready(survey).answers}
    assert set(said.values()) == {"precise", "very rough"}
    privacy = words(page(client, survey, "alpha/"))
    for question in questions_of(survey):
        width = measure(question.built).text(question.half_width(4000))
        assert f"{width} points {said[question.text]}" in privacy
    proposed = words(page(client, survey, "alpha/?plan=1&total=1&n=300"))
    assert re.search(r"±\d+(\.\d+)? (very rough|no result)", proposed)


# Elsewhere in the studio ----------------------------------------------------------------------------------------------


def test_the_overview_speaks_of_the_weakest_report(client, survey):
    open_survey(survey)
    assert "Privacy of a report, at most α = 2.5 Weak protection" in words(page(client, survey, ""))
    assert "Still, a report can reveal much about your answers" in words(page(client, survey, "share/"))


def test_the_outline_names_each_questions_form_and_its_alpha(client, survey):
    text = words(page(client, survey, "questions/"))
    assert "Drank? Yes/no · alpha 2 · form 1" in text and "Took? Multiple choice · alpha 0.5 Nothing" not in text


def test_a_joint_question_is_edited_without_an_alpha_of_its_own(client, survey):
    address = f"/surveys/{survey.pk}/questions/slept/"
    html = page(client, survey, "questions/slept/")
    assert 'name="alpha"' not in html and "randomized together with another question" in html
    client.post(address, form(client, address) | {"text": "Slept well?", "alpha": "9"})
    assert questions(survey)[0] == QUESTIONS[0] | {"text": "Slept well?"}


def test_a_joint_histogram_is_advised_bins_for_the_forms_alpha(client, survey):
    survey.draft["questions"][1] = {"key": "drank", "kind": "histogram", "text": "?", "edges": ["0", "1", "2", "3"]}
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    assert "at alpha 2:" in words(page(client, survey, "questions/drank/"))


# Preview --------------------------------------------------------------------------------------------------------------


def previewed(client, survey):
    return client.get(f"/surveys/{survey.pk}/preview/definition").json()


def test_a_preview_of_a_complete_draft_is_its_definition(client, survey):
    assert previewed(client, survey) == json.loads(json.dumps(build(survey.draft)))


def test_each_form_can_be_looked_at(client, survey):
    for query, place in (("", 1), ("?form=2", 2), ("?form=3", 1), ("?question=where", 2), ("?question=took", 1)):
        html = page(client, survey, f"preview/{query}")
        assert f'data-form="{place - 1}"' in html and f'<strong aria-current="true">{place}</strong>' in html
    assert "preview/?question=where" in page(client, survey, "questions/where/")


def test_a_survey_without_forms_is_previewed_as_ever(client, ada):
    html = page(client, begun(ada), "preview/")
    assert "data-form" not in html and "Form, drawn by lot" not in html


@pytest.mark.parametrize("wrong", [{"text": ""}, {"kind": "grid"}, {"alpha": "1"}])
def test_what_is_not_complete_leaves_its_form(client, ada, wrong):
    survey = in_forms(ada, 4000)
    survey.draft["questions"][0] |= wrong
    type(survey).objects.filter(pk=survey.pk).update(draft=survey.draft)
    definition = previewed(client, survey)
    assert [question["key"] for question in definition["questions"]] == ["drank", "where", "took"]
    asked = [(form["weight"], form["draws"][0]["questions"]) for form in definition["forms"]]
    assert asked == [(3, ["drank"]), (1, ["where"])]


@pytest.mark.parametrize(
    "forms",
    [
        [{"weight": 0, "draws": [PAIR]}, {"draws": [WHERE]}],
        [{"draws": [PAIR | {"sizes": [1, 9]}]}, {"draws": [WHERE]}],
        [{"draws": [PAIR]}],
        [{"draws": [PAIR | {"questions": ["slept", "slept"], "alpha": []}]}, {"draws": 5}, None],
    ],
)
def test_forms_that_cannot_be_are_previewed_without_them(client, ada, forms):
    definition = previewed(client, in_forms(ada, 4000, forms=forms))
    assert "forms" not in definition and "where" in [question["key"] for question in definition["questions"]]


def test_planned_widths_in_forms_are_about_those_whose_form_has_the_question():
    for in_forms, whom in (
        (True, "the people who take part and whose form has the question"),
        (False, "the people who take part"),
    ):
        assert f"about exactly {whom}" in planned_about("respondents", in_forms)
