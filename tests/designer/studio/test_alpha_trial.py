"""A trial run on the pages about alpha: invented respondents, and ldp's estimates from their reports."""

import re
from html import unescape

import pytest

from ldp import results
from ldp.forms.report import alone
from ldp.planning import trial
from surveys.figures import numerals
from surveys.survey.definition import build
from tests.support.alpha import UNFINISHED, begun, get, plot_of, words
from tests.support.factories import DRAFT
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", ["many", "scale", "noise", "some", "two_rows"])
def test_a_trial_shows_what_ldp_estimates_of_invented_people(client, ada, key):
    survey = begun(ada, EVERY_KIND["questions"], n=900)
    question = next(each for each in alone(build(survey.draft)) if each["key"] == key)
    query = {"question": key, "trial": "1", "seed": "7"}
    page = get(client, survey, **query)
    text = words(page)
    n = min(900, trial.affordable(question))
    assert f"Trial with {n:,} invented people at alpha {question['alpha']}: no result of a survey" in text
    shares = (
        [0.5] * len(question["options"])
        if key == "some"
        else [1 / len(question.get("options", "12"))] * len(question.get("options", "1"))
    )
    expected = results.results(question, trial.totals(question, shares, n, 7), n, 0.95)
    for result in expected:
        estimates = result["methods"][0]["categories"]
        if question["kind"] == "mean":
            places = numerals.places(estimates[0]["population"]["standard_error"])
            assert numerals.number(estimates[0]["estimate"], places) in text
            continue
        decimals = numerals.decimals_of(result["methods"][0])
        for category in estimates:
            assert f'<td role="cell" class="share">{numerals.share(category["estimate"], decimals)}</td>' in page
    plots = set(re.findall(r'srcset="([^"]+)"', page))
    assert len(plots) == 3 * len(expected)
    picture = client.get(unescape(sorted(plots)[0]))
    assert picture["Content-Type"] == "image/svg+xml" and picture.content.startswith(b"<?xml")


def test_typed_shares_are_made_to_add_up_and_other_people_have_another_seed(client, ada):
    survey = begun(ada)
    page = get(client, survey, question="which", trial="1", share=["30", "", "10", "x"], seed="4")
    assert 'name="share" inputmode="decimal" autocomplete="off" value="30"' in page and "seed=5" in page
    question = alone(build(DRAFT))[1]
    expected = results.results(question, trial.totals(question, [0.75, 0, 0.25, 0], 2000, 4), 2000, 0.95)
    decimals = numerals.decimals_of(expected[0]["methods"][0])
    first = expected[0]["methods"][0]["categories"][0]["estimate"]
    assert f'class="share">{numerals.share(first, decimals)}<' in page


def test_only_a_trial_that_is_there_has_pictures(client, ada):
    survey = begun(ada, DRAFT["questions"] + UNFINISHED)
    assert client.get(plot_of(survey, "question=yes&trial=1", "yes")).status_code == 200
    for query, key, theme in (
        ("question=yes", "which", "light"),
        ("question=yes", "yes", "loud"),
        ("question=none", "none", "light"),
        ("", "yes", "light"),
    ):
        assert client.get(plot_of(survey, query, key, theme)).status_code == 404
