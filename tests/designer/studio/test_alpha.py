"""The pages about alpha have ldp's numbers and accept any unfinished draft. Work grows no faster than the questions."""

import re
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import NoReverseMatch, reverse

from ldp.forms.report import alone
from ldp.honesty import attention
from ldp.inference.variables import variables
from ldp.planning import expectation, meaning, thirds
from ldp.planning.candidates import planned_question
from surveys.designer.privacy.figures import WidthUnit, measure
from surveys.designer.privacy.questions import questions_of
from surveys.figures import numerals
from surveys.life.lifecycle import open_survey
from surveys.models import Membership, Role
from surveys.survey.definition import build
from tests.support.alpha import UNFINISHED, begun, get, mark_of, plot_of, post, said, words
from tests.support.calls import calls
from tests.support.drawn import drawn
from tests.support.factories import DRAFT
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db


# The numbers are ldp's ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [question["key"] for question in EVERY_KIND["questions"]])
def test_every_figure_of_a_question_is_ldps(client, ada, key):
    survey = begun(ada, EVERY_KIND["questions"])
    drafted = next(each for each in survey.draft["questions"] if each["key"] == key)
    question = next(each for each in alone(build(survey.draft)) if each["key"] == key)
    this, alpha, n = planned_question(question, drafted.get("mechanism")), Fraction(question["alpha"]), 4321
    shown = measure(question)
    wished = shown.times / 25
    page = get(client, survey, question=key, n=n, width=f"{wished:.6f}")
    text = words(page)

    point = thirds.point(this, alpha, n)
    expected = [point.local, point.bound, point.curator, point.without_privacy]
    widths = [shown.text(width) for width in expected if width is not None]
    assert re.findall(r"<dd>(±[^<]*)</dd>", page) == widths

    people = thirds.people(this, alpha, float(f"{wished:.6f}") / shown.times, target="population")
    assert (f"{people:,} people" if people else "no number of people is enough") in text
    if this.delta is None:
        needed = thirds.alpha(this, n, float(f"{wished:.6f}") / shown.times, target="population")
        assert (f"alpha {float(needed):g}" if needed else "no alpha is enough") in text

    chances = meaning.frequencies(question)
    same, other = meaning.of_hundred(chances.same), meaning.of_hundred(chances.other)
    assert re.findall(r"<figcaption>.*?<b>(\d+)</b>", page) == [str(same), str(other)]
    assert f"about {same} reports" in text
    low, high = meaning.outward(meaning.belief(Fraction(1, 5), meaning.factor(question)))
    ends = "almost 100" if high == 100 else high, "almost 0" if low == 0 else low
    assert (
        f"sent from this one answer could raise that to at most {ends[0]}%, and lower it to no less than {ends[1]}%."
        in text
    )
    assert "If answers depend on each other, a whole report can reveal more: All questions" in text


def test_a_margin_of_half_the_scale_or_more_is_rounded_as_others_are():
    assert [WidthUnit(times, "").text(0.6) for times in (50.75, 100)] == ["±26 or more", "±50 or more"]
    assert WidthUnit(50.75, "").text(0.4999) == "±26"


def test_a_comma_counts_as_a_point(client, ada):
    """German and Arabic pages write numbers with a comma, so designers type one."""
    survey = begun(ada)
    assert "Alpha 2.5" in words(get(client, survey, question="which", alpha="2,5"))
    assert "A number from 0.01 to 16" in words(get(client, survey, question="which", alpha="2,5,1"))


def test_what_is_tried_is_in_the_address_and_stored_nowhere(client, ada):
    survey = begun(ada)
    text = words(get(client, survey, question="which", alpha="2.5", n="700", width="4"))
    assert "Alpha 2.5" in text and "with 700 people" in text and "Save alpha 2.5 saved now: 1" in text
    survey.refresh_from_db()
    assert survey.draft == DRAFT and survey.expected_n == 2000


def test_the_slider_asks_for_the_part_that_the_whole_page_holds(client, ada):
    survey = begun(ada)
    whole = get(client, survey, question="yes", alpha="0.7")
    part = get(client, survey, question="yes", alpha="0.7", headers={"X-Fragments": "1"})
    assert "<html" in whole and "<html" not in part
    masked = [re.sub(r'value="[^"]{64}"', "", page) for page in (whole, part)]
    assert masked[1].strip() in masked[0]


@pytest.mark.parametrize(
    "wrong", [{"alpha": "many"}, {"alpha": "17"}, {"n": "0"}, {"width": "-1"}, {"mechanism": "none"}, {"delta": "2"}]
)
def test_a_number_that_cannot_be_is_named_and_the_rest_is_shown(client, ada, wrong):
    survey = begun(ada)
    page = get(client, survey, question="many", **wrong)
    [field] = wrong
    assert f'id="{field}-error"' in page and "What it means for a person" in page
    assert "Alpha 2 " in words(page)


def test_each_question_stands_in_the_list_with_its_alpha_step_and_width(client, ada):
    survey = begun(ada, DRAFT["questions"] + UNFINISHED)
    text = words(get(client, survey))
    for question in alone(build(DRAFT)):
        drafted = next(each for each in DRAFT["questions"] if each["key"] == question["key"])
        width = thirds.half_width(
            planned_question(question, drafted.get("mechanism")),
            Fraction(question["alpha"]),
            2000,
            target="population",
        )
        step = {"1": "strong", "2": "moderate"}[question["alpha"]]
        assert f"{question['text']} alpha {question['alpha']} {step} {measure(question).full(width)}" in text
    assert "Bare? no alpha yet" in text and "Which? not complete yet" in text and "5 total alpha" in text


def test_a_whole_report_tells_as_much_as_all_its_questions_together(client, ada):
    survey = begun(ada)
    factor = Fraction(1)
    for question in alone(build(DRAFT)):
        factor *= meaning.factor(question)
    low, high = meaning.outward(meaning.belief(Fraction(1, 5), factor))
    text = words(get(client, survey))
    assert "4 total alpha weak" in text
    assert f"at most {high}%, and lower it to no less than {low or 'almost 0'}%." in text


# Unfinished drafts ----------------------------------------------------------------------------------------------------


def test_a_question_that_cannot_be_built_says_what_it_lacks_instead_of_figures(client, ada):
    survey = begun(ada, UNFINISHED)
    page = get(client, survey, question="empty")
    assert "Options, number 2 must be a text of 1 to 200 characters" in words(page)
    assert "What it means for a person" not in page and "Save alpha" not in page
    try:
        written = reverse("survey-question", args=[survey.pk, "empty"])
    except NoReverseMatch:
        written = ""
    assert ("Complete the question" in page) == bool(written) and written in page
    assert "Kind is missing" in words(get(client, survey, question="none"))


def test_a_question_without_an_alpha_is_tried_with_one(client, ada):
    survey = begun(ada, UNFINISHED)
    assert "Save alpha 1 none is saved yet" in words(get(client, survey, question="bare"))


ODD = [None, 5, "x", [], {}, True, {"kind": ["mean"]}, {"kind": "mean", "low": None, "high": {}, "alpha": "1"}]
ODD += [
    {"key": {}, "kind": "grid", "items": 3, "alpha": [1]},
    {"key": "a/b", "kind": "yes_no", "text": "?", "alpha": 1.5},
]
ODD += [{"key": "same", "kind": "yes_no", "text": "?", "alpha": True}] * 2
ODD += [{"key": "named", "kind": "yes_no", "text": "?", "mechanism": ["bitwise"], "delta": {}, "alpha": "1e3"}]


@pytest.mark.parametrize(
    "questions", [ODD, None, 7, "x", {}, []], ids=["list", "null", "number", "text", "object", "empty"]
)
def test_no_draft_is_too_odd_to_be_shown(client, ada, questions):
    survey = begun(ada, questions)
    get(client, survey)
    get(client, survey, plan="1", total="3", points="5")
    for question in questions_of(survey):
        get(client, survey, question=question.name, trial="1")


def test_numbers_that_a_draft_gives_as_numbers_count(client, ada):
    survey = begun(ada, [{"key": "half", "kind": "yes_no", "text": "Half?", "alpha": 0.5}])
    assert "Half? alpha 0.5 strong" in words(get(client, survey))


def test_a_question_that_is_not_there_is_not_found(client, ada):
    get(client, begun(ada), status=404, question="other")


# An opened survey -----------------------------------------------------------------------------------------------------


def test_an_opened_survey_shows_the_same_and_nothing_can_be_saved(client, ada):
    survey = begun(ada)
    drafted = [words(get(client, survey, question=key)) for key in ("yes", "which", "many")]
    open_survey(survey)
    for key, before in zip(("yes", "which", "many"), drafted, strict=True):
        page = get(client, survey, question=key, alpha="9")
        meaning_of_it = re.search(r"What it means for a person.*?Any two give the third", before)[0]
        assert meaning_of_it in words(page)
        assert 'name="do"' not in page and "Frozen when the survey was opened." in page
    page = get(client, survey, plan="1", total="9")
    assert 'name="do"' not in page and "A proposal" not in page
    for fields in ({"do": "save", "alpha": "9"}, {"do": "move", "to": "new"}, {"do": "expect", "n": "5"}):
        response = post(client, survey, "?question=yes", **fields)
        assert said(response)[0].startswith("The survey is no longer a draft")
    assert survey.draft == DRAFT and survey.expected_n == 2000


@pytest.mark.parametrize("role", [Role.VIEWER, Role.RESEARCHER])
def test_who_may_not_edit_does_not_see_the_pages(ada, role):
    survey = begun(ada)
    Membership.objects.create(survey=survey, user=User.objects.create_user("bob"), role=role)
    client = Client()
    client.force_login(User.objects.get(username="bob"))
    get(client, survey, status=404)
    assert client.get(plot_of(survey, "question=yes&trial=1", "yes")).status_code == 404


# Two hundred questions ------------------------------------------------------------------------------------------------


def drafted(n):
    kinds = [
        {"kind": "yes_no"},
        {"kind": "single_choice", "options": [*"abcd"]},
        {"kind": "ordered", "options": [*"abc"]},
    ]
    kinds += [{"kind": "histogram", "edges": ["0", "1", "2", "3"]}, {"kind": "multiple_choice", "options": [*"abcde"]}]
    return [{"key": f"q{k}", "text": f"Question {k}?", "alpha": f"{(k % 17 + 1) / 8}"} | kinds[k % 5] for k in range(n)]


def work(client, survey, k, *alphas):
    """Return the number of calls for question k's page, for saving its alpha and for the list. The last of several
    rounds counts, when the caches are filled."""
    for alpha in alphas:
        page, answer = calls(lambda alpha=alpha: get(client, survey, question=f"q{k}", alpha=alpha))
        fields = {"do": "save", "mark": mark_of(answer), "alpha": alpha}
        saved, _ = calls(lambda fields=fields: post(client, survey, f"?question=q{k}", **fields))
        listed, _ = calls(lambda: get(client, survey))
        planned, _ = calls(lambda: get(client, survey, plan="1", total="2"))
    assert survey.draft["questions"][k]["alpha"] == alphas[-1]
    return {"page": page, "save": saved, "list": listed, "plan": planned}


@pytest.mark.slow
def test_ten_times_the_questions_are_at_most_ten_times_the_work(client, ada):
    """The test counts calls, not seconds: other work on the machine takes time too."""
    few, many = (work(client, begun(ada, drafted(n)), 7, "0.63", "0.64") for n in (10, 100))
    assert {name: (few[name], many[name]) for name in few if many[name] > 10 * few[name]} == {}


# Attention ------------------------------------------------------------------------------------------------------------


def test_an_attention_question_says_how_wide_corrected_shares_will_be(client, ada):
    check = {"key": "check", "kind": "yes_no", "text": "Say yes.", "alpha": "2", "right": 0}
    questions = [check, {"key": "a", "kind": "yes_no", "text": "Is it?", "alpha": "1"}]
    questions.append({"key": "n", "kind": "mean", "text": "Far?", "alpha": "1", "low": "0", "high": "9"})
    survey = begun(ada, questions)
    built = variables(alone(build(survey.draft)))
    expected = expectation.apart(*built, attention.law(built[0], (0.5, 0.5), attention.USUAL))
    width = 100 * attention.half_width(expected, 4000, 0.95)
    text = words(get(client, survey, question="check", n=4000))
    assert f"±{width:.2g}" in text and "What it corrects" in text and "Far?" not in text
    assert "needs about" in words(get(client, survey, question="check", n=20))
    assert "What it corrects" not in words(get(client, survey, question="a", n=4000))


def test_corrected_widths_stand_beside_the_others_on_privacy_and_before_opening(client, ada):
    check = {"key": "check", "kind": "yes_no", "text": "Say yes.", "alpha": "2", "right": 0}
    survey = begun(ada, [check, {"key": "a", "kind": "yes_no", "text": "Is it?", "alpha": "1"}])
    survey.expected_n = 4000
    survey.save()
    built = variables(alone(build(survey.draft)))
    expected = expectation.apart(*built, attention.law(built[0], (0.5, 0.5), attention.USUAL))
    both = [100 * width(expected, 4000, 0.95) for width in (attention.uncorrected_half_width, attention.half_width)]
    assert both[0] < both[1]
    said = f"Is it? {' '.join(f'±{width:.2g}' for width in both)}"
    for page in ("alpha", "open"):
        text = words(client.get(f"/surveys/{survey.pk}/{page}/").content.decode())
        assert "What it corrects Say yes." in text and said in text, page
    survey.draft["questions"].pop(0)
    survey.save()
    for page in ("alpha", "open"):
        assert "What it corrects" not in words(client.get(f"/surveys/{survey.pk}/{page}/").content.decode())


def test_in_a_joint_form_and_across_forms_corrections_are_planned_for_those_who_are_asked_both(client, ada):
    check = {"key": "check", "kind": "yes_no", "text": "Say yes.", "right": 0}
    questions = [check, {"key": "a", "kind": "yes_no", "text": "Is it?"}]
    questions += [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "2"} for key in ("everyone", "else")]
    survey = begun(ada, questions)
    forms = [{"questions": ["check", "a"], "alpha": "2"}, {"questions": ["else"], "weight": 3}]
    survey.draft = drawn(survey.draft | {"forms": forms})
    survey.save()
    text = words(get(client, survey, question="check", n=4000)).partition("What it corrects")[2]
    assert "Is it?" in text and "everyone?" in text and "else?" not in text


def test_corrections_of_questions_in_several_forms_are_those_of_all_forms_that_ask_both(client, ada):
    """Two thirds of the people are asked both, half of them in each of two forms."""
    survey = begun(ada, [{"key": key, "kind": "yes_no", "text": f"{key}?"} for key in ("check", "a", "b")], 4000)
    survey.draft["questions"][0]["right"] = 0
    forms = [{"questions": list(keys), "alpha": "4"} for keys in (["check", "a"], ["check", "a", "b"], ["check", "b"])]
    survey.draft = drawn(survey.draft | {"forms": forms})
    survey.save()
    built = build(survey.draft)
    ways = [expectation.Way(1, *variables(alone(built, [form]))[:2]) for form in (0, 1)]
    crossing = expectation.crossing(ways, attention.law(ways[0].first, (0.5, 0.5), attention.USUAL))
    width = 100 * attention.half_width(crossing, round(4000 * 2 / 3), 0.95)
    for page in ("alpha", "open"):
        text = words(client.get(f"/surveys/{survey.pk}/{page}/").content.decode()).partition("What it corrects")[2]
        assert re.search(rf"\ba\? ±[.\d]+ ±{width:.2g}", text) and re.search(r"\bb\? ±[.\d]+ ±[.\d]+", text), page


# A ranking ------------------------------------------------------------------------------------------------------------


def test_a_rankings_page_says_how_wide_its_mean_ranks_will_be(client, ada):
    order = {"key": "order", "kind": "ranking", "text": "?", "ranked": ["tea", "cake", "jam"], "alpha": "2"}
    survey = begun(ada, [order, *DRAFT["questions"]], 4000)
    question = alone(build(survey.draft))[0]
    width = numerals.rounded_up(thirds.mean_rank_half_width(question, 4000))
    text = words(get(client, survey, question="order"))
    assert f"Mean ranks with 4,000 people: ±{width} ranks, all at once, in a population." in text
    assert "Mean ranks with" not in words(get(client, survey, question="order", n="6"))
    assert "Mean ranks with" not in words(get(client, survey, question=DRAFT["questions"][0]["key"]))
