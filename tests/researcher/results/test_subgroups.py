"""The page of subgroups: its numbers on each question, the claims of its sentences, and its refusals."""

import html
import itertools
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.models import AnalysisRun, Membership, Role
from surveys.researcher.analyses.subgroups import findings, power, table
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from tests.support.analyses import subgrouped
from tests.support.regressions import SCALE, ended

pytestmark = pytest.mark.django_db


def text(response):
    """Return the words of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def document_of(*shares, subgroup=True):
    """Return a document of one question and one answer with these intervals within three strata."""
    within = [None if span is None else {"estimate": sum(span) / 2, "simultaneous": [list(span)]} for span in shares]
    strata = [
        {"option": name, "subgroup": span is not None, "needed": 900} for name, span in zip("abc", shares, strict=True)
    ]
    apart = [
        {"strata": [z, s], "estimate": (later[0] + later[1] - one[0] - one[1]) / 2}
        | {"simultaneous": [[later[0] - one[1], later[1] - one[0]]]}
        for (s, one), (z, later) in itertools.combinations(enumerate(shares), 2)
        if one is not None and later is not None
    ]
    share = {"option": "yes", "estimate": 0.4, "standard_error": 0.02, "within": within, "differences": apart}
    question = {"key": "q", "text": "Q?", "n_about": 500, "strata": strata, "shares": [share]}
    return {"stratum": {"options": ["a", "b", "c"]}, "questions": [question]}


def test_a_sentence_names_the_two_groups_that_surely_differ_most():
    document = document_of((0.1, 0.2), (0.15, 0.4), (0.3, 0.5))
    assert findings.headline(document, 0) == "Some answers differ between these groups."
    assert findings.sentences(document, 0) == [
        "“yes” to “Q?” is more common among “c” than among “a”, by 10.0 to 40.0 percentage points."
    ]
    [part] = table.parts(document, 0)
    assert [(one.of, one.than, one.shows) for one in part.answers[0].differences] == [
        ("b", "a", False), ("c", "a", True), ("c", "b", False),
    ]  # fmt: skip


@pytest.mark.parametrize("spans", [[(0.1, 0.2), (0.2, 0.4), (0.15, 0.5)], [(0.1, 0.2), None, None]])
def test_nothing_is_claimed_where_differences_may_be_0_or_only_one_group_is_seen(spans):
    document = document_of(*spans)
    assert findings.headline(document, 0) == "These reports do not show that any answer differs between these groups."
    assert findings.sentences(document, 0)[-1].startswith("That does not prove")


def test_where_every_group_is_too_small_that_is_all_that_is_said():
    document = document_of(None, None, None)
    assert findings.headline(document, 0).startswith("There are too few reports about every group")
    assert findings.sentences(document, 0) == []
    [part] = table.parts(document, 0)
    assert [row.needed for row in part.answers[0].rows] == ["900"] * 3


def test_a_sentence_about_a_mean_is_in_its_unit():
    document = document_of((10.1, 11.2), (10.5, 12.5), (13.31, 15.0))
    [question] = document["questions"]
    question |= {"unit": "cm", "scale": [10.0, 20.0]}
    question["shares"][0]["standard_error"] = 0.2
    assert findings.sentences(document, 0) == [
        "The mean of “Q?” is higher among “c” than among “a”, by 2.11 to 4.90 cm."
    ]
    [part] = table.parts(document, 0)
    assert part.is_mean and part.ends == ("10", "20") and part.answers[0].rows[0].low == "1.00"
    question["unit"] = ""
    assert findings.sentences(document, 0)[0].endswith("among “a”, by 2.11 to 4.90.")


@pytest.fixture(scope="module")
def survey(outer_transaction):
    survey = ended(600, SCALE)
    subgrouped(survey, "where")
    return survey


@pytest.fixture
def researcher(survey, db):
    client, user = Client(), User.objects.create_user("r", password="long and random enough")
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    return client


def test_the_page_has_every_other_question_and_says_what_its_intervals_hold_for(survey, db):
    page = Client().get(reverse("release-subgroups", args=[survey.slug, 1, "where"]))
    words = text(page)
    for question in ("Do you smoke?", "How often do you drink?", "How old are you?"):
        assert question in words
    assert "All 27 intervals on this page hold at once in 95 of 100 surveys" in words
    assert "and so do the 24 differences between two groups" in words and "Difference: " in words
    of_mean = words[words.index("How tall are you?") :]
    assert "Mean and interval" in of_mean and "of all" in of_mean and "The thin line is the mean" in of_mean


def test_a_share_of_all_that_cannot_be_is_not_said():
    document, texts = document_of((0.1, 0.2), None, None), []
    [share] = document["questions"][0]["shares"]
    for estimate in (-0.01, 0.0, 1.0, 1.11):
        share["estimate"] = estimate
        texts.append(table.parts(document, 0)[0].answers[0].of_all)
    assert texts == ["", "0.0", "100.0", ""]


def test_where_too_few_answered_the_page_says_how_many_reports_would_show_ten_points(survey, db):
    row = AnalysisRun.objects.get()
    of_few = {**row.document, "questions": [{**each, "n_about": 100} for each in row.document["questions"]]}
    own, *others = SUBGROUPS.check(row.release, SUBGROUPS.from_json(row.specification))
    [surer], [sentence] = (power.sentences(row.release, of_few, own, others, level) for level in (0.99, 0.95))
    assert "10 points more common among" in sentence
    more, needed = (int(re.match(r"About ([\d,]+) reports", each)[1].replace(",", "")) for each in (surer, sentence))
    assert 100 < needed < more


def test_another_confidence_has_other_intervals(survey, db):
    address = reverse("release-subgroups", args=[survey.slug, 1, "where"])
    ninety, ninety_nine = (Client().get(address, {"confidence": level}).content for level in (90, 99))
    assert ninety != ninety_nine and b"hold at once in 99 of 100" in ninety_nine


def test_a_researcher_asks_and_is_told_what_can_be_no_group(survey, researcher):
    address = reverse("ask-subgroups", args=[survey.slug, 1])
    refused = researcher.post(address, {"stratum": "height"})
    assert refused.status_code == 422 and "A mean has no options to cross." in text(refused)
    answer = researcher.post(address, {"stratum": "smokes"})
    assert (
        answer.status_code == 302
        and AnalysisRun.objects.filter(specification__stratum="smokes", state="asked").exists()
    )
    assert "600 reports will be counted" in text(researcher.get(answer["Location"]))
    listing = text(researcher.get(reverse("release-all-subgroups", args=[survey.slug, 1])))
    assert "Where do you live?" in listing and "Do you smoke? being counted" in listing
