"""Results and codebook state who was asked a question, and what the filler means for the estimate."""

import copy
import csv
import html
import io
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from django.http import Http404
from django.test import Client
from django.test.html import parse_html
from django.urls import reverse
from django.utils import translation

from ldp import tidy
from ldp.forms.report import alone
from surveys.designer.opening.readiness import readiness
from surveys.designer.privacy import survey_trial
from surveys.designer.studio.terms import TermsInput
from surveys.figures import numerals
from surveys.figures.display import has_estimates
from surveys.life.lifecycle import Terms, close_survey, create_draft, open_survey
from surveys.models import Release, Report
from surveys.researcher.analyses.comparisons import pairs
from surveys.researcher.analyses.comparisons.document import compared_rows
from surveys.researcher.analyses.comparisons.family import family
from surveys.researcher.analyses.comparisons.selection import ComparisonSelection, Other
from surveys.researcher.analyses.waves.changes import WaveChanges
from surveys.researcher.downloads import codebook, forgeries, readings, shares, trends
from surveys.researcher.results import cards, findings, precision, reached, routing
from surveys.researcher.results import released as releases
from surveys.researcher.results.question import value_comparison
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import of_release
from surveys.survey import definition as definitions
from surveys.survey.definition import DraftRefused
from surveys.survey.definition.layout import Layout
from tests.researcher.results.test_forms import ended
from tests.researcher.results.test_question import table
from tests.researcher.results.test_results import text
from tests.researcher.results.test_weighted import reported
from tests.support import routing as support_routing
from tests.support.estimates import found_again, released, work
from tests.support.exports import closed, going_on

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
        | {"alpha": "1", "asked_if": {"question": "smokes", "options": [0]}},
    ],
}
SAID = (
    "Asked only of those who answered “Yes” to “Do you smoke?”. These shares describe everyone. “daily” means: "
    "“daily”, or not asked."
)

OF_ASKED = (
    "Asked only of those who answered “Yes” to “Do you smoke?”. The results describe only these people. The intervals "
    "allow for the uncertainty of their number."
)
BOUNDED = (
    "The results describe only these people. Reports only bound their number, so there are intervals without estimates."
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
    """Return a survey in which half of the people smoke, all of them “never”. “Daily” is only the filler."""
    draft = copy.deepcopy(DRAFT)
    for question in draft["questions"]:
        question |= {"alpha": "8", "mechanism": "randomized_response"}
    return reported(draft, [(0, 0)] * 200 + [(1, 2)] * 200)


def test_comparisons_are_of_those_who_were_asked_alone(surely_routed):
    """Everyone who was asked says “never”; “daily” is the filler of the others."""
    survey = found_again(surely_routed)
    page = text(parse_html(Client().get(f"/r/{survey.slug}/1/comparisons/?question=often").content.decode()))
    assert OF_ASKED in page and SAID not in page
    compared = family(survey.slug, 1, ComparisonSelection("often", value=Decimal(50)))
    shares = [1, 0, 0]
    assert compared.is_narrowed and len(compared.pairs) == 3
    for one in compared.pairs:
        assert one.estimate == pytest.approx(shares[one.first] - shares[one.second], abs=0.05)
        assert one.interval.low - 1e-9 <= shares[one.first] - shares[one.second] <= one.interval.high + 1e-9
        assert (one.p_value is None) == (2 in (one.first, one.second)), "no test of a difference with the filler"
    assert compared.value.estimate == pytest.approx(0.5, abs=0.05) and compared.value.shows
    released = of_release(survey.slug, 1, "often")
    verdict = value_comparison.verdict(released, QuestionSelection(option=0, value=Decimal(60), than="more"))
    assert verdict.answer == "yes" and verdict.estimate == pytest.approx(1, abs=0.05)


def test_pages_show_those_who_were_asked_alone(surely_routed):
    """Everyone who was asked says “never”, and no one else answers."""
    survey = found_again(surely_routed)
    page = html.unescape(Client().get(f"/r/{survey.slug}/1/questions/often/").content.decode())
    assert OF_ASKED in page and "“never” is the most common answer." in page
    shown = {row[0]: float(row[1].replace("−", "-")) for row in table(page, "table-shares")}
    assert shown["never"] == pytest.approx(100, abs=3) and shown["daily"] == pytest.approx(0, abs=3)
    [whole] = [result for result in Release.objects.latest_of(survey).document["questions"] if result["key"] == "often"]
    assert whole["methods"][0]["categories"][0]["estimate"] == pytest.approx(0.5, abs=0.05), "files have everyone"


def test_the_page_of_a_grid_says_that_its_shares_are_of_those_who_were_asked():
    draft = copy.deepcopy(DRAFT)
    draft["questions"][0]["alpha"] = "8"
    draft["questions"][1] |= {"kind": "grid", "items": ["home", "pub"], "alpha": "16"}
    page = html.unescape(page_of(closed(draft, 400), "often"))
    assert "Shares of only those who were asked, in percent" in page and "Shares of the population" not in page


def in_groups(draft, *groups, ends=True):
    """Return a survey of invited groups whose reports list these options. It has ended unless `ends` is false."""
    names = [{"name": name} for name in ("Sales", "Works")]
    survey = create_draft(draft | {"invitations": True, "groups": names}, results_public=True)
    open_survey(survey)
    keys, pack = [question["key"] for question in draft["questions"]], Layout(survey.definition).pack
    every = [(group, one) for group, reports in enumerate(groups) for one in reports]
    Report.objects.bulk_create(
        Report(
            id=f"{i:032x}", survey=survey, form=group, packed=pack({key: [x] for key, x in zip(keys, one, strict=True)})
        )
        for i, (group, one) in enumerate(every)
    )
    if ends:
        close_survey(survey)
    for _turn in range(3):
        work(survey)
    return survey


@pytest.fixture
def invited(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"


def test_each_group_has_the_shares_of_those_of_it_who_were_asked(invited):
    """Half of each group smoke, never in sales and daily in the works; all others are randomized as “daily”."""
    draft = copy.deepcopy(DRAFT)
    for question in draft["questions"]:
        question |= {"alpha": "8", "mechanism": "randomized_response"}
    survey = in_groups(draft, [(0, 0), (1, 2)] * 150, [(0, 2), (1, 2)] * 150)
    page = html.unescape(Client().get(f"/r/{survey.slug}/1/").content.decode())
    rows = {row[0]: [float(cell.split()[0].replace("−", "-")) for cell in row[2:]] for row in by_group(page, "often")}
    assert rows["Sales"] == pytest.approx([100, 0, 0], abs=3)
    assert rows["Works"] == pytest.approx([0, 0, 100], abs=3)
    assert rows["All together"] == pytest.approx([50, 0, 50], abs=3)


def test_where_only_single_reports_show_who_was_asked_groups_have_no_row(invited):
    survey = in_groups(drafted_by_two(), BY_TWO, BY_TWO)
    page = html.unescape(Client().get(f"/r/{survey.slug}/1/").content.decode())
    assert by_group(page, "smokes") and not by_group(page, "often")
    assert "several answers decide who is asked, and results of a group only bound how many were." in page


def by_group(page, key):
    """Return the rows of a question's table by group, as texts."""
    part = page.partition(f'<caption id="by-group-{key}">')[2].partition("</table>")[0].partition("<tbody>")[2]
    rows = (re.findall(r"<t[hd].*?</t[hd]>", row, re.S) for row in part.split("<tr>")[1:])
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in row] for row in rows]


@pytest.fixture(scope="module")
def hardly_routed(outer_transaction):
    """Return a survey in which one person of 400 smokes."""
    draft = copy.deepcopy(DRAFT)
    for question in draft["questions"]:
        question |= {"alpha": "4", "mechanism": "randomized_response"}
    return reported(draft, [(0, 0)] + [(1, 2)] * 399)


def test_the_filler_of_a_scale_with_steps_is_its_first_step():
    """Half were asked, and gave the middle step of 1 to 5."""
    draft = copy.deepcopy(DRAFT)
    draft["questions"][1] |= {"kind": "mean", "mechanism": "one_bit", "steps": list("abcde")}
    del draft["questions"][1]["options"]
    for question in draft["questions"]:
        question["alpha"] = "8"
    survey = reported(draft, [(0, 0), (0, 1)] * 100 + [(1, 0)] * 200)
    released = of_release(survey.slug, 1, "often")
    assert reached.fillers(released) == [0.0]
    [category] = reached.narrowed(released.displayed(0.95, "population"), released)["methods"][0]["categories"]
    assert category["estimate"] == pytest.approx(3, abs=0.05)


def test_where_too_few_were_asked_pages_show_intervals_of_those_who_were_and_no_headline(hardly_routed):
    """A page's population never depends on the reports, so no interval is chosen for what it shows."""
    survey = found_again(hardly_routed)
    for path in ("", "questions/often/"):
        page = html.unescape(Client().get(f"/r/{survey.slug}/1/{path}").content.decode())
        assert OF_ASKED in page and "most common answer" not in page and SAID not in page
    question = of_release(survey.slug, 1, "often")
    result = reached.narrowed(question.displayed(0.95, "population"), question)
    at_half = reached.narrowed(question.displayed(0.5, "population"), question)
    for category, other in zip(result["methods"][0]["categories"], at_half["methods"][0]["categories"], strict=True):
        assert category["shown"]["standard_error"] == other["shown"]["standard_error"], "at every level the same"
        low, high = category["shown"]["simultaneous"]
        assert low == 0 and high > 0.9 and category["estimate"] == pytest.approx(sum(category["shown"]["interval"]) / 2)


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
    assert [row["estimate"] for row in own] == pytest.approx([1, 0, 0], abs=0.03)
    for row, truth in zip(own, (1, 0, 0), strict=True):
        assert row["simultaneous_low"] - 0.001 <= truth <= row["simultaneous_high"]


def test_a_card_that_people_share_says_it(surely_routed):
    survey = found_again(surely_routed)
    every = cards.of_release(Release.objects.latest_of(survey))
    counted = OF_ASKED[OF_ASKED.index("The results") :]
    assert counted in every["often"].alternative and counted not in every["smokes"].alternative


def test_files_say_each_kind_of_filler_in_words():
    questions = alone(definitions.build(support_routing.DRAFT))
    by_key = {question["key"]: question for question in questions}
    said = {question["key"]: routing.in_files(question, by_key) for question in questions}
    assert said["smokes"] == said["drinks"] == said["region"] == ""
    assert said["cigarettes"].startswith(
        "Asked only of those who answered “daily” or “always” to “often?”, and were asked that themselves. "
        "These shares describe everyone. “10 or more a day” means: “10 or more a day”, or not asked."
    )
    assert said["wish"].endswith("“Prefer not to say” means: “Prefer not to say”, or not asked.")
    assert said["liked"].startswith("Asked only of those who named “beer” or “wine” or “spirits” at “drinks?”.")
    assert said["liked"].endswith("describe everyone: each counts the people who were asked and gave the answer.")
    assert said["glasses"].endswith("This mean describes everyone. It counts people who were not asked as 0.")
    assert "“often”, or not asked" in said["where"] and "“on it”, or not asked" in said["coast"]


def test_before_a_survey_opens_it_is_said_of_whom_results_will_be():
    ends = {}
    for draft in (support_routing.DRAFT, support_routing.SEVERAL):
        by_key = {each["key"]: each for each in alone(definitions.build(draft))}
        ends |= {key: routing.foretold(each, by_key) for key, each in by_key.items()}
    assert ends["smokes"] == "" and ends["cigarettes"].endswith(OF_ASKED[OF_ASKED.index("The results") :])
    assert ends["liked"].endswith(f"{BOUNDED} {routing.ADVICE}")
    assert ends["both"].endswith(f"{BOUNDED} {routing.ADVICE}"), "a report is about one drink alone"
    by_key = {each["key"]: each for each in alone(definitions.build(drafted_by_two()))}
    assert routing.foretold(by_key["often"], by_key).endswith(
        "The results describe only these people. Until the survey ends, and always if results may decide when, reports "
        f"only bound their number: then there are intervals without estimates. {routing.ADVICE}"
    )


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


# Any answer of people who were not asked ------------------------------------------------------------------------------


def page_of(survey, key, **query):
    response = Client().get(reverse("release-question", args=[survey.slug, 1, key]), query)
    assert response.status_code == 200
    return response.content.decode()


def test_a_question_that_some_were_asked_has_bounds_for_everyone():
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


def test_of_a_chain_no_one_is_counted_twice():
    """If the filler leads on, people not asked “how often” are among the people not asked “how many”."""
    survey = closed(copy.deepcopy(support_routing.DRAFT), 60)
    [decider] = reached.deciders(of_release(survey.slug, 1, "cigarettes")).each
    assert len(decider.before.each) == 1
    draft = copy.deepcopy(support_routing.DRAFT)
    draft["questions"][2]["asked_if"]["options"] = [0, 1]
    survey = closed(draft, 60)
    [decider] = reached.deciders(of_release(survey.slug, 1, "cigarettes")).each
    assert decider.before is None


def test_of_several_deciding_questions_a_bound_of_those_who_were_not_asked_is_said():
    """If all three must hold, the bound adds their parts; if any must, it is the least. Each adds people not asked."""
    survey = closed(copy.deepcopy(support_routing.SEVERAL), 400)
    both, either, money = (reached.deciders(of_release(survey.slug, 1, key)) for key in ("both", "either", "money"))
    assert [both.joined, either.joined, money.joined] == [all, any, all]
    assert [[decider.before is not None for decider in each.each] for each in (both, either, money)] == [
        [False, False, False],
        [True, False],  # the last answer leads on, and people who do not smoke are randomized as that answer
        [False, True],
    ]
    page = html.unescape(page_of(survey, "both"))
    assert "At most about" in page and f"and who answered “east” to “region?”. {BOUNDED}" in page
    assert [row[0] for row in table(page, "unasked-table")] == ["Yes", "No"]


BY_TWO = [(0, 0, 0), (0, 1, 2), (1, 0, 2), (1, 2, 2)] * 100


def drafted_by_two():
    draft = copy.deepcopy(DRAFT)
    region = {"key": "region", "kind": "single_choice", "text": "Where?", "options": ["north", "south", "east"]}
    draft["questions"].insert(1, region)
    rules = [{"question": "smokes", "options": [0]}, {"question": "region", "options": [0]}]
    draft["questions"][2]["asked_if"] = {"all": rules}
    for question in draft["questions"]:
        question |= {"alpha": "8", "mechanism": "randomized_response"}
    return draft


@pytest.fixture(scope="module")
def by_two(outer_transaction):
    """Return a survey: half of 400 people smoke, half live in the north; the 100 who do both say “never”."""
    return reported(drafted_by_two(), BY_TWO)


def test_by_several_rules_pages_and_files_show_those_who_were_asked_alone(by_two):
    survey = found_again(by_two)
    release = Release.objects.latest_of(survey)
    tally = release.document["conditions"]["often"]
    assert sum(tally["counts"]) == 400 and len(tally["scores"]) == 4
    page = html.unescape(page_of(survey, "often"))
    assert "The results describe only these people." in page and "“never” is the most common answer." in page
    assert "About 7" in page, "not asked were 75%"
    shares = {row[0]: float(row[1].replace("−", "-")) for row in table(page, "table-shares")}
    assert shares["never"] == pytest.approx(100, abs=6) and shares["daily"] == pytest.approx(0, abs=6)
    own = [
        row for row in readings.rows(release) if row["quantity"] == "share_among_asked" and row["question"] == "often"
    ]
    assert all(row["estimate"] is not None and row["guarantee"] == "checked" for row in own)
    assert readings_hold([row for row in own if row["confidence"] == 0.95], (1, 0, 0))


def test_while_a_survey_is_watched_several_rules_only_bound_who_was_asked():
    """The scores' interval is for one look. So pages have intervals of the people asked, and files give the reason for
    the missing estimate."""
    survey = going_on(drafted_by_two(), 500)
    release = Release.objects.latest_of(survey)
    assert "conditions" not in release.document
    page = html.unescape(page_of(survey, "often"))
    assert BOUNDED in page and "describe everyone" not in page and "At most about" in page
    assert {row[1] for row in table(page, "table-shares")} == {"–"}
    own = [row for row in readings.rows(release) if row["quantity"] == "share_among_asked"]
    assert own and all(row["estimate"] is None and "depends on several answers" in row["reason"] for row in own)


@pytest.fixture(scope="module")
def still_open(outer_transaction):
    """Return an open survey: half of 400 people smoke, half live in the north; the 100 who do both say “never”."""
    return reported(drafted_by_two(), BY_TWO, ends=False)


def test_where_reports_only_bound_who_was_asked_no_filler_stands_as_an_answer(still_open):
    """From a half to three quarters of all people were not asked, so at least half of the others say “never”; three
    quarters of all reports hold “daily”. A release has 300 of the 400 by lot: 0.2 is five standard deviations from the
    lower end, 0.273."""
    survey = found_again(still_open)
    for path in ("", "questions/often/"):
        page = html.unescape(Client().get(f"/r/{survey.slug}/1/{path}").content.decode())
        assert BOUNDED in page and "“daily” is the most common answer." not in page
        assert re.search(r"Likely between [2-4]\d% and 100% said “never”", page)
    shown = {row[0]: row[1:] for row in table(page, "table-shares")}
    assert all(row[0] == row[3] == "–" for row in shown.values())
    question = of_release(survey.slug, 1, "often")
    result = reached.narrowed(question.displayed(0.95, "population"), question)
    assert result["bounded"] and not has_estimates(result)
    spans = [category["shown"]["simultaneous"] for category in result["methods"][0]["categories"]]
    for span, ends in zip(spans, ((0.5, 1), (0, 0), (0, 0.5)), strict=True):
        assert span == pytest.approx(ends, abs=0.3) and span[0] <= ends[0] + 1e-9 and ends[1] <= span[1]


EVERY_KIND = [
    {"key": "steps", "kind": "ordered", "options": [str(step) for step in range(6)]},
    {"key": "bins", "kind": "histogram", "edges": ["0", "1", "10", "40"], "unit": "a day"},
    {"key": "number", "kind": "mean", "low": "0", "high": "20", "unit": "l"},
    {"key": "list", "kind": "multiple_choice", "options": ["taste", "company"]},
    {"key": "grid", "kind": "grid", "items": ["home", "pub"], "options": ["never", "often"]},
    {"key": "order", "kind": "ranking", "ranked": ["tea", "milk", "wine"]},
]


@pytest.fixture(scope="module")
def every_kind(outer_transaction):
    """Return an open survey that asks one question of each kind after two right answers."""
    draft = drafted_by_two()
    condition = draft["questions"].pop()["asked_if"]
    draft["questions"] += [
        each | {"text": f"{each['key']}?", "alpha": "4", "asked_if": condition} for each in EVERY_KIND
    ]
    return going_on(draft, 400)


@pytest.mark.parametrize("kind", [each["kind"] for each in EVERY_KIND])
def test_pictures_and_texts_of_every_kind_have_intervals_alone_where_there_is_no_estimate(every_kind, kind):
    survey = found_again(every_kind)
    [key] = [each["key"] for each in EVERY_KIND if each["kind"] == kind]
    item = f"{key}.1" if kind == "grid" else key
    for own in {key, item}:
        picture = Client().get(f"/r/{survey.slug}/1/plots/{own}.svg").content.decode()
        assert "interval" in picture and ">estimate" not in picture
    page = html.unescape(page_of(survey, item))
    assert BOUNDED in page and "–%" not in page and "describe everyone" not in page
    numbers = re.search(r'<dl class="numbers">.*?<b>(.*?)</b>', page, re.S) if kind == "mean" else None
    assert {numbers[1]} if numbers else {row[1] for row in table(page, "table-shares")} == {"–"}
    card = cards.of_release(Release.objects.latest_of(survey))[key]
    assert all(row.estimate is None for row in card.rows) and BOUNDED in card.alternative


def test_files_have_no_answer_that_no_one_gave(still_open):
    survey = found_again(still_open)
    release = Release.objects.latest_of(survey)
    own = [row for row in shares.rows(release) if row["question"] == "often"]
    assert [(row["share"], row["standard_error"], row["projected_share"]) for row in own] == [(None, None, None)] * 3
    assert own[0]["simultaneous_low"] > 0.2 and own[2]["simultaneous_high"] < 0.8, "0.25 and 0.75 with fillers"
    names = {row["quantity"] for row in readings.rows(release) if row["question"] == "often"}
    assert names == {"share_among_asked", "share_if_all_were_asked"}
    for rows in (pairs.rows, trends.rows, forgeries.rows):
        assert {row["question"] for row in rows(release)} == {"smokes", "region"}
    quantities = {(row["question"], row["quantity"]) for row in tidy.rows(release.document)}
    assert quantities == {("smokes", "share"), ("region", "share"), ("often", "share_asked_or_not")}


def test_where_reports_only_bound_who_was_asked_answers_are_not_compared(still_open, by_two):
    survey, other = found_again(still_open), found_again(by_two)
    page = Client().get(f"/r/{survey.slug}/1/comparisons/")
    assert page.status_code == 200 and "How often?" not in page.content.decode()
    assert Client().get(f"/r/{survey.slug}/1/comparisons/?question=often").status_code == 404
    answer = Client().get(f"/r/{other.slug}/1/comparisons/?question=often&address=/r/{survey.slug}/")
    assert "Reports of this survey only bound how many people were asked the question." in answer.content.decode()


def test_between_surveys_that_show_who_was_asked_from_single_reports_no_interval_is_proved(by_two):
    other = reported(drafted_by_two(), BY_TWO)
    compared = family(by_two.slug, 1, ComparisonSelection("often", other=Other(other.slug, 1, "often")))
    assert {row["guarantee"] for row in compared_rows(compared) if row["comparison"] == "survey"} == {"checked"}
    assert compared.between[0].estimate == pytest.approx(0, abs=0.01)
    page = Client().get(f"/r/{by_two.slug}/1/comparisons/?question=often&address=/r/{other.slug}/").content.decode()
    [never, _at_times, daily] = table(page, "between-table")
    shares_of = [[float(cell.replace("−", "-")) for cell in row[1:3]] for row in (never, daily)]
    assert shares_of[0] == pytest.approx([100, 100], abs=6) and shares_of[1] == pytest.approx([0, 0], abs=6)


def test_a_value_is_compared_with_the_interval_where_there_is_no_estimate(still_open):
    survey = found_again(still_open)
    query = {"option": "1", "value": "20", "than": "more"}
    answer = Client().get(f"/r/{survey.slug}/1/questions/often/value-comparison.json", query)
    row = answer.json()["value_comparison"][0]
    assert row["estimate"] is None and row["answer"] == "yes"


def test_where_forms_ask_other_people_results_are_for_a_population():
    """Everyone answers whether they smoke, and half of the forms ask how often."""
    draft = copy.deepcopy(DRAFT)
    del draft["questions"][1]["alpha"]
    draft["questions"].append({"key": "free", "kind": "yes_no", "text": "Free?"})
    draft["forms"] = [{"draws": [{"alpha": "4", "questions": [key]}]} for key in ("often", "free")]
    survey = closed(draft, 800)
    chosen, usual = (html.unescape(page_of(survey, "often", target=each)) for each in ("respondents", "population"))
    assert "They are for a population, because forms asked different people." in chosen
    assert "since forms asked" not in usual and table(chosen, "table-shares") == table(usual, "table-shares")
    assert "Share of those who were asked, in percent" in chosen


def test_of_groups_whose_reports_only_bound_who_was_asked_there_is_no_table_while_a_survey_goes_on(invited):
    survey = in_groups(drafted_by_two(), BY_TWO, BY_TWO, ends=False)
    page = html.unescape(Client().get(f"/r/{survey.slug}/1/").content.decode())
    assert by_group(page, "smokes") and not by_group(page, "often") and BOUNDED in page


def test_a_wave_of_which_reports_only_bound_who_was_asked_shows_no_change():
    survey = going_on(drafted_by_two(), 500)
    questions = WaveChanges(((survey.slug, 1), (survey.slug, 1)), 0.95)
    assert [one.key for one in questions.unshown] == ["often"]
    assert [part.now.key for part in questions.parts] == ["smokes", "region"]


# Before a survey opens ------------------------------------------------------------------------------------------------


def drafted_by_one_drink():
    """Return a draft asking people who like beer or wine. A report is about one drink and never shows who was asked."""
    draft = copy.deepcopy(DRAFT)
    draft["questions"][0] = {"key": "drinks", "kind": "multiple_choice", "text": "Which?", "alpha": "4", "sample": 1}
    draft["questions"][0] |= {"options": ["beer", "wine", "spirits"]}
    draft["questions"][1]["asked_if"] = {"question": "drinks", "options": [0, 1]}
    return draft


def test_a_draft_warns_of_a_question_without_estimates():
    drafts = drafted_by_one_drink(), drafted_by_two(), copy.deepcopy(DRAFT)
    surveys = [create_draft(draft) for draft in drafts]
    concerns = [" ".join(readiness(each, definitions.build(each.draft)).concerns) for each in surveys]
    text = "Results of these questions are intervals without estimates, because several answers decide who is asked: "
    text += "“How often?”."
    assert [f"{text} {routing.ADVICE}" in each for each in concerns] == [True, False, False]


@pytest.mark.parametrize("draft", [drafted_by_one_drink, drafted_by_two])
def test_no_survey_waits_for_a_precision_that_a_question_never_reaches(draft):
    """The survey is watched, so even its last reports only bound who was asked."""
    survey = create_draft(draft())
    with pytest.raises(DraftRefused, match="never get that narrow"):
        open_survey(survey, terms=Terms(closes_at_half_width=0.1))
    form = TermsInput(survey, None, {"points": "10"})
    assert not form.is_valid() and "never get that narrow" in form.errors["points"][0]
    open_survey(create_draft(copy.deepcopy(DRAFT)), terms=Terms(closes_at_half_width=0.1))


def test_a_precision_is_that_of_those_who_are_asked(still_open, surely_routed):
    for survey in map(found_again, (still_open, surely_routed)):
        release = Release.objects.latest_of(survey)
        shown = precision.by_question(survey.questions, release.document)["often"]
        question = of_release(survey.slug, 1, "often")
        result = reached.narrowed(question.displayed(0.95, "population"), question)
        halves = [
            (category["shown"]["simultaneous"][1] - category["shown"]["simultaneous"][0]) / 2
            for category in result["methods"][0]["categories"]
        ]
        assert shown >= max(halves) - 1e-9


@pytest.mark.parametrize("draft", [support_routing.DRAFT, support_routing.SEVERAL])
def test_a_trial_run_shows_those_who_are_asked_alone(draft):
    """The run also invents people who are not asked, but no result counts their fillers."""
    draft = copy.deepcopy(draft)
    for question in draft["questions"]:
        question["alpha"] = "12"
    survey = create_draft(draft, expected_n=3000)
    _people, rows = survey_trial.rows(survey, definitions.build(survey.draft), 1)
    inside = [row.low - 1e-9 <= row.invented <= row.high + 1e-9 for row in rows]
    assert sum(inside) >= len(inside) - 2
    estimated = {row.key for row in rows if row.estimate is not None}
    bounded_keys = {"both", "money", "liked", "where.1", "where.2"}
    assert not estimated & {"both"} and estimated - bounded_keys


def readings_hold(rows, truths):
    return all(
        row["simultaneous_low"] - 0.001 <= truth <= row["simultaneous_high"] + 0.001
        for row, truth in zip(rows, truths, strict=True)
    )


def test_where_one_of_several_questions_is_unknown_any_is_bounded_by_the_others_and_all_by_nothing(monkeypatch):
    survey = closed(copy.deepcopy(support_routing.SEVERAL), 60)
    both, either = (of_release(survey.slug, 1, key) for key in ("both", "either"))
    known = releases.of_release

    def but_one(slug, number, key, group=None):
        if key == "drinks":
            raise Http404
        return known(slug, number, key, group)

    monkeypatch.setattr(releases, "of_release", but_one)
    deciding = reached.deciders(both), reached.deciders(either)
    assert [[each.rows == () for each in one.each] for one in deciding] == [[False, True, False], [False, True]]
    assert not any(one.exact for one in deciding)
    assert "At most about" in page_of(survey, "either"), "who is asked by the other question is not known"


def test_of_an_option_that_no_report_is_about_a_bound_is_said(monkeypatch):
    """People who named that option were asked too, in any number."""
    survey = closed(copy.deepcopy(support_routing.DRAFT), 60)
    known = releases.of_release

    def but_one(slug, number, key, group=None):
        own = known(slug, number, key, group)
        return replace(own, rows=own.rows[:1], options=own.options[:1]) if key == "drinks" else own

    monkeypatch.setattr(releases, "of_release", but_one)
    found = reached.deciders(of_release(survey.slug, 1, "where.1"))  # by the first option, and the third
    assert len(found.each[0].options) == 1 and not found.exact


def test_no_bound_of_several_conditions_lies_beyond_what_is_possible():
    """The reports are random: the parts that conditions exclude add up to more than all who count as the filler."""
    survey = closed(copy.deepcopy(support_routing.SEVERAL), 200)
    rows = [row for key in ("both", "either") for row in table(page_of(survey, key), "unasked-table")]
    ends = [float(text.replace("−", "-")) for row in rows for text in row[1:3]]
    assert len(ends) == 10 and all(0 <= end <= 100 for end in ends)


def test_a_form_says_that_its_people_were_drawn_by_lot():
    survey = ended([60, 50, 50])
    page = page_of(survey, "health")
    assert "A lot decided who was asked." in page and 'id="unasked-table"' not in page


@pytest.mark.parametrize("language", ["de", "ar"])
def test_bounds_are_said_in_the_language_of_the_page(language):
    survey = closed(copy.deepcopy(support_routing.DRAFT), 200)
    for key in ("often", "glasses", "liked"):
        address = reverse("release-question", args=[survey.slug, 1, key])
        page = Client().get(address, headers={"Accept-Language": language}).content.decode()
        part = page.partition('id="unasked"')[2].partition("</details>")[0]
        assert part and "%(" not in part
        assert not any(word in part for word in ("population", "were not asked", "none of"))
