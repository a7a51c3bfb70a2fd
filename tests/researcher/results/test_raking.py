"""The page of a question weighted by several margins: the form, its refusals, the table and the files."""

import csv
import html
import io
import re

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from surveys.models import AnalysisRun, Membership, Role
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.registry import COUNTED
from tests.support.analyses import raked
from tests.support.regressions import ended
from tests.worker.test_raking import MARGINS, SEPARATE

pytestmark = pytest.mark.django_db

TYPED = {"where-share_1": "50", "where-share_2": "30", "where-share_3": "20"} | {
    "age-share_1": "40", "age-share_2": "40", "age-share_3": "20"
}  # fmt: skip
CHOSEN = {"question": "smokes", "by": ["where", "age"]}
QUERY = QueryDict(RAKINGS.query(RAKINGS.from_json(MARGINS), AnalysisSelection())).dict()


def text(response):
    """Return the words of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.fixture(scope="module")
def survey(outer_transaction):
    survey = ended(900, SEPARATE)
    raked(survey, MARGINS)
    return survey


@pytest.fixture
def researcher(survey, db):
    client, user = Client(), User.objects.create_user("r", password="long and random enough")
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    return client


def at(survey, name, *rest):
    return reverse(name, args=[survey.slug, 1, *rest])


def test_questions_are_chosen_first_and_then_their_shares_typed(survey, researcher):
    chosen = researcher.get(at(survey, "release-rakings"), CHOSEN | {"next": "shares"})
    assert "Known shares to weight “Do you smoke?” by" in text(chosen)
    for name in TYPED:
        assert f'name="{name}"' in chosen.content.decode()
    alone = researcher.get(at(survey, "release-rakings"), {"question": "smokes", "by": "where", "next": "shares"})
    assert "Type the known shares of at least two questions" in text(alone)


@pytest.mark.parametrize("analysis", COUNTED.values(), ids=COUNTED)
def test_a_choice_of_language_leads_from_what_was_refused_to_the_page_of_choices(survey, researcher, analysis):
    refused = researcher.post(at(survey, f"ask-{analysis.name}"))
    assert refused.status_code == 422
    back = re.search(r'"/language/\?next=([^"]+)"', refused.content.decode())[1]
    assert researcher.get(back).status_code == 200
    listing = at(survey, f"release-{analysis.plural}")
    assert back == listing
    again = researcher.get(at(survey, f"ask-{analysis.name}"))
    assert (again.status_code, again["Location"]) == (302, listing), "as after Enter in the bar of addresses"


def test_what_was_asked_for_before_is_shown_at_once_with_both_shares(survey, researcher):
    answer = researcher.post(at(survey, "ask-raking"), CHOSEN | TYPED)
    assert answer.status_code == 302 and AnalysisRun.objects.count() == 1
    page = text(Client().get(answer["Location"]))
    assert "Weighted and unweighted shares" in page and "Weighted, " in page and "Design effect" in page
    assert "In the population" in page and "Where do you live?" in page


def test_a_mean_is_weighted_by_one_question_or_several(survey, researcher):
    where = {name: share for name, share in TYPED.items() if name.startswith("where")}
    answer = researcher.post(at(survey, "ask-raking"), {"question": "height", "by": "where"} | where)
    raked(survey, {"question": "height", "margins": MARGINS["margins"][:1]})
    page = text(Client().get(answer["Location"]))
    assert "Weighted, the population's mean is" in page and "times the variance of the unweighted one" in page
    assert "Shares in percent" not in page
    query = QueryDict(answer["Location"].partition("?")[2]).dict()
    document = Client().get(at(survey, "release-raking-file", "json"), query).json()
    assert document["shares"] == [] and document["mean"]["unit"] == ""
    rows = Client().get(at(survey, "release-raking-file", "csv"), query).content.decode().splitlines()
    assert len(rows) == 1 + 3 and ",mean," in rows[1]


def test_another_is_counted(survey, researcher):
    answer = researcher.post(at(survey, "ask-raking"), CHOSEN | TYPED | {"age-share_1": "30", "age-share_2": "50"})
    assert "900 reports will be counted" in text(researcher.get(answer["Location"]))
    listing = text(researcher.get(at(survey, "release-rakings")))
    assert "Do you smoke? weighted by Where do you live? , How old are you? being counted" in listing
    AnalysisRun.objects.filter(document__isnull=True).update(state="failed", reason="differs")
    failed = researcher.get(answer["Location"])
    again = html.unescape(re.search(r'name="margins" value="([^"]+)"', failed.content.decode())[1])
    assert researcher.post(at(survey, "ask-raking"), {"margins": again})["Location"] == answer["Location"]
    assert AnalysisRun.objects.filter(state="asked").count() == 1


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"where-share_1": "51"}, "The known shares add up to 101%: they must add up to 100%."),
        ({"where-share_1": ""}, "Type its share, 0 if no one in the population gives this answer."),
        ({"where-share_1": "a lot"}, "Type a number from 0 to 100, such as 12.5."),
        ({"where-table": "Town;50\nVillage;30"}, "“Farm” has no line: each answer needs one."),
        ({"by": ["where"]}, "Type the known shares of at least two questions"),
        ({"question": "nothing"}, "Choose the question whose shares are to be weighted."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(survey, researcher, change, rule):
    refused = researcher.post(at(survey, "ask-raking"), CHOSEN | TYPED | change)
    assert refused.status_code == 422 and rule in text(refused) and AnalysisRun.objects.count() == 1
    if "by" not in change:
        assert 'name="age-share_3" value="20"' in refused.content.decode()


def test_a_table_is_pasted_for_a_question(survey, researcher):
    pasted = {"where-table": "answer;share\nFarm;20\nTown;50\nVillage;30", "where-share_1": ""}
    answer = researcher.post(at(survey, "ask-raking"), CHOSEN | TYPED | pasted)
    assert answer.status_code == 302 and AnalysisRun.objects.count() == 1


def test_the_files_have_the_document(survey, db):
    document = Client().get(at(survey, "release-raking-file", "json"), QUERY).json()
    assert document == AnalysisRun.objects.get().document
    lines = Client().get(at(survey, "release-raking-file", "csv"), QUERY).content.decode()
    rows = list(csv.DictReader(io.StringIO(lines)))
    assert len(rows) == 6 and {row["by"] for row in rows} == {"where age"}
    assert {row["known_shares"] for row in rows} == {"0.5 0.3 0.2; 0.4 0.4 0.2"}


@pytest.mark.parametrize("margins", ["", "[]", '{"question":"smokes","margins":[]}', '{"question":"x"}', "1" * 20_000])
def test_an_address_that_names_nothing_is_not_there(survey, margins, db):
    assert Client().get(at(survey, "release-raking"), {"margins": margins}).status_code == 404


def test_where_reports_are_too_few_the_page_says_how_many_would_do(survey, db):
    row = AnalysisRun.objects.get()
    for needed, words in (
        (4_300, "about 4,300 would be enough"),
        (None, "no one can say how many reports would be enough"),
    ):
        row.document |= {"refusal": {"needed": needed}, "shares": []}
        row.save()
        page = text(Client().get(at(survey, "release-raking"), QUERY))
        assert "Too few reports to weight by these shares" in page and words in page and "Known shares" in page


@pytest.mark.parametrize(("language", "word"), [("de", "gewichtet"), ("ar", "مرجَّح")])
def test_it_is_there_in_other_languages(survey, language, word, db):
    page = text(Client(headers={"accept-language": language}).get(at(survey, "release-raking"), QUERY))
    assert word in page.lower()
