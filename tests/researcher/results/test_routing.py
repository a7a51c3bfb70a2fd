"""Results and codebook say of whom a question was asked, and what the filler means for the estimate."""

import copy
import csv
import html
import io
import re
from dataclasses import replace

import pytest
from django.http import Http404
from django.test import Client
from django.test.html import parse_html
from django.urls import reverse
from django.utils import translation

from ldp.forms.report import alone
from ldp.inference.variables import variables
from surveys.figures import numerals
from surveys.models import Release
from surveys.researcher.analyses.crossings.pairs import filler
from surveys.researcher.downloads import codebook, readings
from surveys.researcher.results import cards, findings, reached, routing
from surveys.researcher.results import released as releases
from surveys.researcher.results.released import of_release
from surveys.survey import definition as definitions
from tests.researcher.results.test_forms import ended
from tests.researcher.results.test_question import table
from tests.researcher.results.test_results import text
from tests.researcher.results.test_weighted import reported
from tests.support import routing as support_routing
from tests.support.analyses import crossed
from tests.support.estimates import found_again, released
from tests.support.exports import closed

pytestmark = pytest.mark.django_db

DRAFT = {
    "title": "Routed",
    "questions": [
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "1"},
        {
            "key": "often",
            "kind": "ordered",
            "text": "How often?",
            "options": ["never", "at times", "daily"],
            "alpha": "1",
        }
        | {"alpha": "1", "asked_if": {"question": "smokes", "options": [0]}, "filler": 0},
    ],
}
SAID = (
    "Asked only of those who answered “Yes” to “Do you smoke?”. Whoever is not asked counts as “never”: the shares are "
    "those of everybody, and that of “never” includes those who were not asked."
)

OF_ASKED = (
    "Asked only of those who answered “Yes” to “Do you smoke?”. The results are of these people alone. The intervals "
    "allow for how uncertain their number is."
)


def test_the_results_page_says_it_beside_the_question_and_of_no_other():
    survey = released(draft=copy.deepcopy(DRAFT), results_public=True)
    page = html.unescape(Client().get(reverse("results", args=[survey.slug])).content.decode())
    assert page.count(OF_ASKED) == 1 and SAID not in page and "Share of those who were asked, in percent" in page
    assert "Everyone who took part sent one, whether they were asked this question or not." in page
    assert page.count("Everyone who took part answered this question.") == 1


def test_the_codebook_says_it_to_programs_and_to_people():
    survey = released(draft=copy.deepcopy(DRAFT), results_public=True)
    release = Release.objects.latest_of(survey)
    book = codebook.of_release(release)
    assert [each["estimation"]["asked_of"] for each in book["questions"]] == ["", SAID]
    assert book["questions"][1]["asked_if"] == DRAFT["questions"][1]["asked_if"]
    page = Client().get(reverse("release-codebook", args=[survey.slug, release.number]))
    assert SAID in html.unescape(page.content.decode())


@pytest.fixture(scope="module")
def surely_routed(outer_transaction):
    """Half of the people smoke, and all of them daily; nobody is asked and says “never”."""
    draft = copy.deepcopy(DRAFT)
    for question in draft["questions"]:
        question |= {"alpha": "8", "mechanism": "randomized_response"}
    survey = reported(draft, [(0, 2)] * 200 + [(1, 0)] * 200)
    crossed(survey, "smokes", "often")
    return survey


@pytest.mark.parametrize(
    "page",
    [
        "cross/smokes/often/",
        "cross/smokes/often/weighted/?by=smokes&share_1=40&share_2=60",
        "cross/smokes/often/weighted/?by=often",
        "comparisons/?question=often",
    ],
)
def test_every_page_of_its_shares_says_it(surely_routed, page):
    survey = found_again(surely_routed)
    assert SAID in text(parse_html(Client().get(f"/r/{survey.slug}/1/{page}").content.decode()))


def test_a_cross_table_says_nothing_of_those_who_answered_what_others_count_as(surely_routed):
    """All of these have said that they do not smoke, and none of them has answered “never”."""
    survey = found_again(surely_routed)
    page = text(parse_html(Client().get(f"/r/{survey.slug}/1/cross/smokes/often/").content.decode()))
    assert "The two questions are related: that is statistically significant." in page
    assert re.search("Of those who answered “Yes” to “Do you smoke\\?”, [0-9]+ to [0-9]+% answered “daily”", page)
    assert "answered “never”" not in page


def test_pages_show_those_who_were_asked_alone(surely_routed):
    """All of these say “daily”, and nobody else says anything."""
    survey = found_again(surely_routed)
    page = html.unescape(Client().get(f"/r/{survey.slug}/1/questions/often/").content.decode())
    assert OF_ASKED in page and "“daily” is the most common answer." in page
    shown = {row[0]: float(row[1].replace("−", "-")) for row in table(page, "table-shares")}
    assert shown["daily"] == pytest.approx(100, abs=3) and shown["never"] == pytest.approx(0, abs=3)
    [whole] = [result for result in Release.objects.latest_of(survey).document["questions"] if result["key"] == "often"]
    assert whole["methods"][0]["categories"][0]["estimate"] == pytest.approx(0.5, abs=0.05), "files have everybody"


def test_the_page_of_a_grid_says_that_its_shares_are_of_those_who_were_asked():
    draft = copy.deepcopy(DRAFT)
    draft["questions"][0]["alpha"] = "8"
    draft["questions"][1] |= {"kind": "grid", "items": ["home", "pub"], "filler": [0, 0], "alpha": "16"}
    page = html.unescape(page_of(closed(draft, 400), "often"))
    assert "Shares of only those who were asked, in percent" in page and "Shares of the population" not in page


@pytest.fixture(scope="module")
def hardly_routed(outer_transaction):
    """One person of 400 smokes."""
    draft = copy.deepcopy(DRAFT)
    for question in draft["questions"]:
        question |= {"alpha": "4", "mechanism": "randomized_response"}
    return reported(draft, [(0, 2)] + [(1, 0)] * 399)


def test_where_too_few_were_asked_pages_show_everybody_and_say_so(hardly_routed):
    survey = found_again(hardly_routed)
    for path in ("", "questions/often/"):
        page = html.unescape(Client().get(f"/r/{survey.slug}/1/{path}").content.decode())
        assert "The results are of these people alone." not in page and "Share of those who were asked" not in page
        assert SAID[SAID.index("Whoever") :] in page


def test_a_question_that_few_reports_tell_of_has_no_headline():
    survey = closed(copy.deepcopy(DRAFT), 300)
    question = of_release(survey.slug, 1, "often")
    result = reached.narrowed(question.displayed(0.95, "population"), question)
    assert result["of_asked"] and findings.too_early(result)


def test_the_files_have_those_who_were_asked_as_the_page_shows_them(surely_routed):
    survey = found_again(surely_routed)
    every = [row for row in readings.rows(Release.objects.latest_of(survey)) if row["quantity"] == "share_among_asked"]
    own = [row for row in every if row["question"] == "often" and row["confidence"] == 0.95]
    assert [row["option"] for row in own] == ["never", "at times", "daily"]
    assert [row["estimate"] for row in own] == pytest.approx([0, 0, 1], abs=0.03)
    for row, truth in zip(own, (0, 0, 1), strict=True):
        assert row["simultaneous_low"] - 0.001 <= truth <= row["simultaneous_high"]


def test_a_card_that_people_share_says_it(surely_routed):
    survey = found_again(surely_routed)
    every = cards.of_release(Release.objects.latest_of(survey))
    counted = OF_ASKED[OF_ASKED.index("The results") :]
    assert counted in every["often"].alternative and counted not in every["smokes"].alternative


def test_each_variable_says_as_what_those_count_who_were_not_asked():
    order = {"key": "order", "kind": "ranking", "text": "?", "alpha": "1", "ranked": ["a", "b", "c"]}
    draft = copy.deepcopy(support_routing.DRAFT)
    draft["questions"] += [order | {"asked_if": {"question": "smokes", "options": [0]}, "filler": [2, 0, 1]}]
    fillers = {each.key: filler(each) for each in variables(alone(definitions.build(draft)))}
    everybody = ["smokes", "drinks.1", "drinks.2", "drinks.3", "region"]
    assert fillers == dict.fromkeys(everybody) | {
        "often": "seldom",
        "cigarettes": "under 1",
        "wish": "Prefer not to say",
        "liked.1": "does not apply",
        "liked.2": "does not apply",
        "where.1": "never",
        "where.2": "never",
        "coast": "far",
        "order.1": "applies",
        "order.2": "does not apply",
        "order.3": "does not apply",
    }


def test_each_kind_of_filler_is_said_in_words():
    questions = alone(definitions.build(support_routing.DRAFT))
    by_key = {question["key"]: question for question in questions}
    said = {question["key"]: routing.sentence(question, by_key) for question in questions}
    assert said["smokes"] == said["drinks"] == said["region"] == ""
    assert said["cigarettes"].startswith(
        "Asked only of those who answered “daily” or “always” to “often?”, and were asked that themselves. "
        "Whoever is not asked counts as “under 1 a day”"
    )
    assert "counts as “Prefer not to say”" in said["wish"]
    assert said["liked"].startswith("Asked only of those who named “beer” or “wine” or “spirits” at “drinks?”.")
    assert "counts as “None of these”: the shares are those of everybody" in said["liked"]
    assert said["glasses"].endswith("counts as 0: the mean is that of everybody, including these people.")
    assert "counts as “never”" in said["where"] and "counts as “far”" in said["coast"]
    mixed = support_routing.changed({"questions": questions}, "where", {"filler": [1, 0]})["questions"]
    assert "“home: often; pub: never”" in routing.sentence(mixed[7], by_key)


def test_several_deciding_questions_are_said_with_and_or_or():
    questions = alone(definitions.build(support_routing.SEVERAL))
    said = {each["key"]: routing.condition(each, {one["key"]: one for one in questions}) for each in questions}
    assert said["both"] == (
        "Asked only of those who answered “Yes” to “smokes?”, and who named “beer” or “spirits” at “drinks?”, and who "
        "answered “east” to “region?”."
    )
    assert said["either"] == (
        "Asked only of those who answered “daily” or “always” to “often?”, and were asked that themselves; or who "
        "named “wine” at “drinks?”."
    )
    with translation.override("de"):
        assert routing.condition(questions[4], {one["key"]: one for one in questions}) == (
            "Nur denen gestellt, die auf „smokes?“ mit „Yes“ geantwortet haben, und die bei „drinks?“ „beer“ oder "
            "„spirits“ genannt haben, und die auf „region?“ mit „east“ geantwortet haben."
        )


# Whatever those who were not asked would have said ------------------------------------------------------------------


def page_of(survey, key, **query):
    response = Client().get(reverse("release-question", args=[survey.slug, 1, key]), query)
    assert response.status_code == 200
    return response.content.decode()


def test_a_question_that_some_were_asked_has_bounds_for_everybody():
    survey = released(400, copy.deepcopy(DRAFT), results_public=True)
    page = page_of(survey, "often")
    assert OF_ASKED in html.unescape(page) and "of the population were not asked; at most" in page
    shown = {row[0]: row[1:] for row in table(page, "unasked-table")}
    assert list(shown) == ["never", "at times", "daily"]
    assert 'id="unasked-table"' not in page_of(survey, "smokes")


def test_the_bounds_of_every_kind_are_in_the_file_as_on_the_page():
    survey = closed(copy.deepcopy(support_routing.DRAFT), 300)
    body = b"".join(Client().get(reverse("release-download", args=[survey.slug, 1, "readings.csv"])))
    rows = list(csv.DictReader(io.StringIO(body.decode(), newline="")))
    rows = [row for row in rows if row["quantity"].endswith("_if_all_were_asked") and row["confidence"] == "0.95"]
    assert {row["target"] for row in rows} == {"population"}
    keys = list(dict.fromkeys(row["question"] for row in rows))
    assert keys == ["often", "cigarettes", "wish", "liked", "glasses", "where.1", "where.2", "coast"]
    for key in keys:
        own = [row for row in rows if row["question"] == key]
        shown = table(page_of(survey, key), "unasked-table")
        assert len(shown) == len(own)
        for row, line in zip(own, shown, strict=True):
            ends = float(row["simultaneous_low"]), float(row["simultaneous_high"])
            assert float(row["estimate"]) <= float(row["estimate_high"])
            if key != "glasses":
                decimals = len(line[1].partition(".")[2])
                both = (float(row[name]) for name in ("estimate", "estimate_high"))
                assert line[1:3] == [numerals.share(value, decimals) for value in both]
                assert line[3] == numerals.span(ends, decimals)
            else:
                assert row["unit"] == "" and 0 <= ends[0] <= ends[1] <= 20
    several = page_of(survey, "liked")
    assert "At most about" in several, "of a multiple choice only the most common option is known"


def test_of_a_chain_nobody_is_counted_twice():
    """Whoever does not smoke counts as somebody who seldom does, whose answer leads no further; where the filler leads
    on, those who were not asked how often are among those who were not asked how many."""
    survey = closed(copy.deepcopy(support_routing.DRAFT), 60)
    [decider] = reached.deciders(of_release(survey.slug, 1, "cigarettes")).each
    assert decider.before is None
    draft = support_routing.changed(support_routing.DRAFT, "often", {"filler": 1})
    survey = closed(draft, 60)
    [decider] = reached.deciders(of_release(survey.slug, 1, "cigarettes")).each
    assert len(decider.before.each) == 1


def test_of_several_deciding_questions_a_bound_of_those_who_were_not_asked_is_said():
    """Of all of three the sum of what each keeps out, of any of two the least, behind them those who were not asked."""
    survey = closed(copy.deepcopy(support_routing.SEVERAL), 400)
    both, either, money = (reached.deciders(of_release(survey.slug, 1, key)) for key in ("both", "either", "money"))
    assert [both.joined, either.joined, money.joined] == [all, any, all]
    assert [[decider.before is not None for decider in each.each] for each in (both, either, money)] == [
        [False, False, False],
        [True, False],  # who does not smoke counts as somebody who does daily
        [False, False],
    ]
    page = html.unescape(page_of(survey, "both"))
    assert "At most about" in page and "and who answered “east” to “region?”. Whoever is not asked counts as" in page
    assert [row[0] for row in table(page, "unasked-table")] == ["Yes", "No"]


def test_where_one_of_several_questions_is_unknown_any_is_bounded_by_the_others_and_all_by_nothing(monkeypatch):
    survey = closed(copy.deepcopy(support_routing.SEVERAL), 60)
    both, either = (of_release(survey.slug, 1, key) for key in ("both", "either"))
    known = releases.of_release

    def but_one(slug, number, key):
        if key == "drinks":
            raise Http404
        return known(slug, number, key)

    monkeypatch.setattr(releases, "of_release", but_one)
    assert reached.deciders(both) is None and len(reached.deciders(either).each) == 1
    assert not reached.deciders(either).exact
    assert "At most about" in page_of(survey, "either"), "who is asked by the other question is not known"


def test_of_an_option_that_no_report_is_about_a_bound_is_said(monkeypatch):
    """Whoever named that one was asked as well, however many these are."""
    survey = closed(copy.deepcopy(support_routing.DRAFT), 60)
    known = releases.of_release

    def but_one(slug, number, key):
        own = known(slug, number, key)
        return replace(own, rows=own.rows[:1], options=own.options[:1]) if key == "drinks" else own

    monkeypatch.setattr(releases, "of_release", but_one)
    found = reached.deciders(of_release(survey.slug, 1, "where.1"))  # by the first option, and the third
    assert len(found.each[0].options) == 1 and not found.exact


def test_no_bound_of_several_conditions_lies_beyond_what_is_possible():
    """Reports by chance: the parts that each condition keeps out add up to more than count as the filler."""
    survey = closed(copy.deepcopy(support_routing.SEVERAL), 200)
    rows = [row for key in ("both", "either") for row in table(page_of(survey, key), "unasked-table")]
    ends = [float(text.replace("−", "-")) for row in rows for text in row[1:3]]
    assert len(ends) == 10 and all(0 <= end <= 100 for end in ends)


def test_a_form_says_that_its_people_were_drawn_by_lot():
    survey = ended([60, 50, 50])
    page = page_of(survey, "health")
    assert "Who was asked was drawn by lot." in page and 'id="unasked-table"' not in page


@pytest.mark.parametrize("language", ["de", "ar"])
def test_bounds_are_said_in_the_language_of_the_page(language):
    survey = closed(copy.deepcopy(support_routing.DRAFT), 200)
    for key in ("often", "glasses", "liked"):
        address = reverse("release-question", args=[survey.slug, 1, key])
        page = Client().get(address, headers={"Accept-Language": language}).content.decode()
        part = page.partition('id="unasked"')[2].partition("</details>")[0]
        assert part and "%(" not in part
        assert not any(word in part for word in ("population", "were not asked", "none of"))
