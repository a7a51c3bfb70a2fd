"""The page of a release's comparisons: what it compares, how it computes, and what it refuses."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.html import parse_html

from ldp.inference.reading import pairs
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.life.versions import new_version
from surveys.models import Membership, Role, Survey
from surveys.researcher.analyses.comparisons import options
from surveys.researcher.analyses.comparisons.family import WITH_MOST, family
from surveys.researcher.analyses.comparisons.selection import ALL_MOST, ComparisonSelection
from surveys.researcher.results.released import of_release
from tests.researcher.results.test_every_kind import answered
from tests.researcher.results.test_question import table
from tests.researcher.results.test_results import text
from tests.support.estimates import HOSTILE, LARGE, ODD, collect, found_again, released, with_totals, work
from tests.support.factories import DRAFT, opened_survey
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db


def get(survey, client=None, number=1, headers=None, **query):
    response = (client or Client()).get(f"/r/{survey.slug}/{number}/comparisons/", query, headers=headers)
    assert response.status_code == 200, query
    return response.content.decode()


def said(page):
    return text(parse_html(page))


@pytest.mark.slow
def test_every_question_has_its_comparisons(every_kind):
    keys = [key for _, parts in options.groups(every_kind.questions) for key, _ in parts]
    assert len(keys) > 20
    for key in keys:
        page, many = get(every_kind, question=key, value="30"), len(of_release(every_kind.slug, 1, key).options)
        compared = many * (many - 1) // 2 if many <= ALL_MOST else min(many - 1, WITH_MOST)
        assert len(table(page, "pairs-table")) == compared, key
        assert len(table(page, "value-table")) == 1
        assert f"This page compares {compared + 1} pairs of numbers." in said(page)
        assert "None" not in said(page) and "%(" not in page and "nan" not in said(page)
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page) and 'class="error"' not in page


@pytest.fixture(scope="module")
def sure_once(outer_transaction):
    return released(400, results_public=True)


@pytest.fixture
def sure(sure_once, db):
    """Return a survey with four hundred reports of the first option."""
    return found_again(sure_once)


def test_the_headline_is_what_is_told_apart(sure):
    page = said(get(sure, question="which"))
    assert "3 of 6 differences between answers are statistically significant." in page
    assert "“a” is more common than “b”, “c” and “Prefer not to say”." in page
    rows = table(get(sure, question="which"), "pairs-table")
    assert rows[0][0] == "a against b" and rows[0][4] == "yes: “a” is more common" and rows[0][3] == "< 0.0001"
    assert rows[3][4] == "no"


def test_no_page_denies_what_the_other_finds_since_each_says_by_what_it_goes():
    draft = {"title": "x", "questions": [DRAFT["questions"][1]]}
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    store(survey, range(60))
    close_survey(survey)
    work(survey)
    with_totals(survey, 2000, which={"support": [931, 833, 902, 843]})
    results, comparisons = (
        said(Client().get(f"/r/{survey.slug}/2/{page}").content.decode()) for page in ("", "comparisons/")
    )
    assert "All differences between answers are within the margin of error." in results
    assert (
        "of 6 differences between answers" in comparisons
        and "significant" in comparisons
        and "significant" not in results
    )
    assert "The results page checks whether the intervals of two shares overlap." in comparisons


def test_intervals_and_tests_are_corrected_for_all_that_is_shown(sure):
    alone = family(sure.slug, 1, ComparisonSelection("yes"))
    assert (alone.together, alone.at_once) == (1, 0.95)
    more = family(sure.slug, 1, ComparisonSelection("which", value=None))
    assert more.together == 6 and more.at_once == pytest.approx(1 - 0.05 / 6)
    [first, *_] = more.pairs
    own = of_release(sure.slug, 1, "which").shared_totals
    assert first.interval == pairs.interval(own, 0, 1, 1 - 0.05 / 6)
    assert first.corrected == pytest.approx(6 * pairs.p_value(own, 0, 1), rel=0.2)


def test_one_answer_can_be_compared_with_each_other(sure):
    rows = table(get(sure, question="which", pairs="2"), "pairs-table")
    assert [row[0] for row in rows] == ["b against a", "b against c", "b against Prefer not to say"]
    assert rows[0][4] == "yes: “a” is more common" and rows[0][1].startswith("\N{MINUS SIGN}")


@pytest.mark.slow
def test_many_answers_are_compared_with_one_of_them():
    survey = released(60, LARGE, results_public=True)
    page = get(survey, question="options")
    assert len(table(page, "pairs-table")) == 40 and 'value="all"' not in page
    assert "There are 256 answers. The page compares the chosen one with the 40 that follow it." in said(page)
    assert "all is not one of the available choices" in said(get(survey, question="options", pairs="all"))


def test_a_value_is_more_fewer_or_not_known(sure):
    assert "More than 30% say “Yes”." in said(get(sure, question="yes", value="30"))
    assert "Fewer than 30% say “No”." in said(get(sure, question="yes", value="30", option="2"))
    assert "We do not know whether more or fewer than 97% say “Yes”." in said(get(sure, question="yes", value="97"))


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"value": "101"}, "less than or equal to 100"),
        ({"value": "x"}, "Enter a number."),
        ({"confidence": "94"}, "94 is not one of the available choices"),
        ({"option": "9"}, "9 is not one of the available choices"),
        ({"difference": "0"}, "greater than or equal to 0.1"),
        ({"first": "2", "second": "2"}, "Choose two different answers."),
        ({"about": "value"}, "Name the value first, above."),
        ({"about": "other"}, "Name the other survey first, above."),
        ({"address": "/r/nothing-there/"}, "There are no results at this URL that you may see."),
        ({"address": "https://example.org/?q=1"}, "This is not the URL of a survey's results"),
        ({"version": "nothing"}, "nothing is not one of the available choices"),
    ],
)
def test_a_wrong_choice_has_its_error_beside_it_and_the_page_its_default(sure, query, error):
    page = get(sure, question="yes", **query)
    assert error in said(page) and 'aria-invalid="true"' in page
    assert len(table(page, "pairs-table")) == 1


def test_what_is_not_there_is_not_found(sure):
    for query in ("question=nothing", "question=yes.1", "question="):
        assert Client().get(f"/r/{sure.slug}/1/comparisons/?{query}").status_code == 404, query
    assert Client().get(f"/r/{sure.slug}/7/comparisons/").status_code == 404


def test_texts_of_a_designer_are_only_text():
    survey = released(60, ODD, results_public=True)
    page = get(survey, question="signs", value="3")
    assert HOSTILE not in page and "&lt;b&gt;" in page


# Two surveys ----------------------------------------------------------------------------------------------------------


def other_alpha():
    questions = [question | {"alpha": "2"} for question in DRAFT["questions"]]
    return DRAFT | {"questions": questions}


def test_two_surveys_are_compared_by_the_address_of_one(sure):
    other = released(300, other_alpha(), results_public=True)
    for address in (f"/r/{other.slug}/", other.slug, f"https://example.org/r/{other.slug}/1/?x=1", f"{other.slug}/1"):
        page = get(sure, question="yes", address=address)
        assert [row[0] for row in table(page, "between-table")] == ["Yes"], address
    assert "No difference between the two surveys is statistically significant." in said(page)
    assert "This page compares 2 pairs of numbers. Each is tested" in said(page)
    assert re.search(rf"There: {other.title} ?, release 1 · “Yes or no\?”", said(page)), "by its title"
    german = said(get(sure, question="yes", address=other.slug, headers={"Accept-Language": "de"}))
    assert f"Dort: {other.title}" in german and "„Yes or no?“" in german and "“Yes or no?”" not in german
    # Other channels have an exact test too.
    assert all(numeral != "–" for numeral in (row[5] for row in table(page, "between-table")))


@pytest.mark.parametrize(
    ("more", "said_so"), [({}, False), ({"note": "Last year only."}, True), ({"text": "Did you?"}, True)]
)
def test_that_the_other_survey_asks_in_other_words_is_said(sure, more, said_so):
    yes, *rest = other_alpha()["questions"]
    other = released(60, DRAFT | {"questions": [yes | more, *rest]}, results_public=True)
    page = said(get(sure, question="yes", address=other.slug))
    assert ("There the question, its note, its answers or its section have other words" in page) == said_so


def test_the_same_channel_in_both_has_an_exact_test(sure):
    other = answered(DRAFT, 300)
    page = get(sure, question="which", address=other.slug)
    assert "differences between the two surveys" in said(page) and "“a” is more common here than there." in said(page)
    assert "–" not in [row[5] for row in table(page, "between-table")]


NONE_ALIKE = "This survey does not ask the same people a question with the same answers in the same order."


@pytest.mark.parametrize("part", [{"asked_if": {"question": "which", "options": [0]}}, {}])
def test_surveys_are_not_compared_where_others_count_as_one_of_the_answers(part):
    """People who are not asked count as the filler. If these people or the filler differ, shares differ anyway."""
    routed = {"asked_if": {"question": "which", "options": [1]}}
    yes, which, *rest = DRAFT["questions"]
    one, other = (
        released(60, DRAFT | {"questions": [which, yes | conditions, *rest]}, results_public=True)
        for conditions in (routed, routed | part)
    )
    page = said(get(one, question="yes", address=other.slug))
    assert (NONE_ALIKE in page) == bool(part)


def test_numbers_in_other_units_are_not_compared():
    bins = {"key": "time", "kind": "histogram", "text": "How long?", "edges": ["0", "20", "40"], "alpha": "1"}
    hours, others, minutes = (
        released(60, DRAFT | {"questions": [bins | {"unit": unit}]}, results_public=True)
        for unit in ("hours", "hours", "minutes")
    )
    assert NONE_ALIKE in said(get(hours, question="time", address=minutes.slug))
    assert NONE_ALIKE not in said(get(hours, question="time", address=others.slug))


def test_a_survey_that_asks_something_else_is_refused(sure):
    other = released(60, ODD, results_public=True)
    page = said(get(sure, question="yes", address=other.slug))
    assert NONE_ALIKE in page
    assert "Releases of the same survey share reports" in said(get(sure, question="yes", address=sure.slug))


def test_anyone_who_may_not_see_the_other_survey_learns_nothing_of_it(sure):
    hidden = released(300)
    owner = User.objects.create_user("owner")
    Membership.objects.create(survey=hidden, user=owner, role=Role.VIEWER)
    client = Client()
    client.force_login(owner)
    assert "between-table" in get(sure, client, question="yes", address=hidden.slug)
    known = Client()
    known.force_login(User.objects.create_user("stranger"))
    for other in (Client(), known):
        page = get(sure, other, question="yes", address=hidden.slug)
        assert "between-table" not in page and "There are no results at this URL that you may see." in said(page)


def test_linked_versions_are_offered():
    first = released(60, results_public=True)
    owner = User.objects.create_user("owner")
    later = new_version(first, owner)
    open_survey(later)
    Survey.objects.filter(pk=later.pk).update(results_public=True)
    later.refresh_from_db()
    page = get(first, question="yes")
    assert f'<option value="{later.slug}">' in page
    assert "This survey has no release yet." in said(get(first, question="yes", version=later.slug))


# Power ----------------------------------------------------------------------------------------------------------------


def test_a_smaller_difference_and_more_comparisons_need_more_reports(sure):
    def needed(**query):
        return [int(row[1].replace(",", "")) for row in table(get(sure, question="yes", **query), "needed-table")]

    at_five, at_ten, beside = needed(), needed(difference="10"), needed(value="30")
    assert at_five[0] < at_five[1] and at_ten[0] < at_five[0] / 3 and beside[0] > at_five[0]
    assert "“Yes” and 30%" in said(get(sure, question="yes", value="30", about="value"))


def test_a_second_answer_is_chosen_only_where_two_answers_are_compared(sure):
    other = released(60, other_alpha(), results_public=True)
    one = get(sure, question="yes", first="2", value="30", about="value")
    both = get(sure, question="yes", first="2", address=other.slug, about="other")
    pair = get(sure, question="yes", first="2", address=other.slug)
    assert ["Second answer" in said(page) for page in (pair, one, both)] == [True, False, False]
    assert "“No” and “Yes”" in said(pair) and 'class="error"' not in pair, "of two answers it is the other one"


def test_options_that_one_report_may_tell_of_have_no_number(every_kind):
    page = get(every_kind, question="some")
    assert "no number can be given" in said(page) or "needed-table" in page
    assert "needed-table" in get(every_kind, question="any")


# While a survey goes on -----------------------------------------------------------------------------------------------


def test_while_a_survey_goes_on_only_intervals_decide():
    survey = opened_survey(results_public=True)
    collect(survey, 300)
    page = get(survey, question="which")
    assert {row[3] for row in table(page, "pairs-table")} == {"–"}
    assert "only intervals are valid, at every release" in said(page)
    assert "after the survey has ended" in said(page)
    assert "needed-table" in page and "now-table" not in page, "so many reports show by other intervals"


def test_what_a_release_can_show_is_not_said_where_the_other_survey_goes_on(sure):
    other = opened_survey(results_public=True)
    collect(other, 300)
    alone, both = (get(sure, question="yes", address=other.slug, about=about) for about in ("pair", "other"))
    assert "now-table" in alone and "after the survey has ended" not in said(alone)
    assert "now-table" not in both and "after the survey has ended" in said(both)


def test_the_results_lead_here(sure):
    for address in (f"/r/{sure.slug}/", f"/r/{sure.slug}/questions/yes/"):
        assert f'/r/{sure.slug}/1/comparisons/?question=yes"' in Client().get(address).content.decode()
