"""A survey whose forms ask the same questions in different ways (M45), at every URL of its life. None fails, and a
sentence refuses what cannot be computed from these questions."""

import itertools
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from ldp.forms import report
from ldp.question import has_channels
from surveys.designer.privacy.questions import questions_of
from surveys.designer.studio.creation import from_template
from surveys.life.lifecycle import close_survey, open_survey
from surveys.models import AnalysisRun, Release, Scope, Survey
from surveys.researcher.analyses.registry import ANALYSES
from surveys.survey import definition as definitions
from tests.support import exports, tokens
from tests.support.analyses import made
from tests.support.crawler import crawl
from tests.support.estimates import work

pytestmark = pytest.mark.django_db

PEOPLE = 1200
# The PDF renderer and a second picture know no more about a question than the page and the first picture.
LIKE_ANOTHER = re.compile(
    r"\.pdf|archive\.zip|seed=|-dark|-narrow|theme=dark|width=narrow|/static/|/account/|/language/"
)
BELOW = ("open", "evidence", "preview", "try", "files", "export", "q")
OF_A_DRAFT = [
    *("draft", "history", "opening", "versions", "log", "bank", "comments", "form.xlsx", "imported", "preview"),
    *("tests", "trial", "jobs", "evidence", "disclosure", "webhooks", "privacy", "privacy/proposal"),
]
OF_A_RELEASE = [
    *("estimates", "estimates.csv", "shares.csv", "tables.xlsx", "covariances", "covariances.csv", "readings"),
    *("readings.csv", "pairs", "pairs.csv", "trend", "trend.csv", "forged", "forged.csv", "codebook", "microdata"),
]
OUTLOOKS = [("cross", "by"), ("outcome", "explained"), ("groups", "compared")]


@pytest.fixture
def survey(ada, client, settings) -> Survey:
    """Return the template's survey with the proposal that crosses all pairs."""
    settings.BATCH = 20
    survey = from_template(ada, "workplace")
    assert survey is not None
    Survey.objects.filter(pk=survey.pk).update(expected_n=5000, results_public=True)
    address = f"/surveys/{survey.pk}/alpha/?plan=1&crossed=all"
    [mark, *_] = re.findall(r'name="mark" value="([^"]+)"', client.get(address).content.decode())
    assert client.post(address, {"do": "apply", "which": "proposal", "mark": mark}).status_code == 302
    survey.refresh_from_db()
    assert any(has_channels(question) for question in report.alone(definitions.build(survey.draft)))
    return survey


def walked(client: Client, begin: list[str], *roots: str, alike: int = 3) -> list[str]:
    """Return these URLs and the URLs that can be reached from them below the roots. A fault would raise."""

    def wanted(each: str) -> bool:
        return each in begin or (each.startswith(roots) and not LIKE_ANOTHER.search(each))

    answers = list(crawl(client, begin, wanted, alike=alike))
    assert max(answer.status for answer in answers) < 500
    return [answer.address for answer in answers if answer.status == 200]


def program(user: User) -> Client:
    return tokens.carrying(tokens.token(user, *Scope))


def test_every_page_about_alpha_is_made(survey, client):
    root = f"/surveys/{survey.pk}/alpha/"
    asked = [
        f"{root}?question={question.key}&form={each.places[0]}&trial=1"
        for question in questions_of(survey)
        for each in question.in_each_form[:2]
    ]
    assert {*asked} <= {*walked(client, [root, *asked], root, alike=12)}


def test_every_other_page_of_the_draft_is_made(survey, client, ada):
    root, api = f"/surveys/{survey.pk}/", f"/api/v1/studio/{survey.pk}"
    pages = walked(client, [root], *(root + each for each in BELOW))
    assert {f"{root}export.json", f"{root}export.xlsx", f"{root}open/", f"{root}preview/"} <= {*pages}
    begin = [api, *(f"{api}/{each}" for each in OF_A_DRAFT)]
    assert len(walked(program(ada), begin, api)) > 10


def told(survey: Survey, **data: str) -> list[str]:
    query = QueryDict(mutable=True)
    query.update(data)
    outlooks = [analysis.outlook(questions_of(survey), query, 5000) for analysis in ANALYSES.values()]
    return [str(text) for outlook in outlooks for text in getattr(outlook, "sentences", ())]


def test_what_two_questions_will_show_is_said_of_the_form_that_asks_both(survey):
    for fields in OUTLOOKS:
        [people, *others] = told(survey, **dict(zip(fields, ("satisfaction", "bullied"), strict=True)))
        # The form's weight is 2 of 69.
        assert people == "About 144 of 5,000 people are asked both." and others


def test_what_forms_that_differ_will_show_together_is_said_of_all_of_them_but_for_models(survey):
    for fields in OUTLOOKS:
        [first, *others] = told(survey, **dict(zip(fields, ("satisfaction", "extra_hours"), strict=True)))
        if fields[0] == "outcome":
            assert first.startswith("The forms that ask these questions randomize them in different ways")
        else:
            assert "are asked both." in first and any("%" in each for each in others)


@pytest.mark.parametrize("ended", [False, True])
def test_every_page_of_the_results_is_made(survey, client, ada, ended):
    open_survey(survey)
    exports.store(survey, PEOPLE)
    if ended:
        close_survey(survey)
    work(survey)
    release = Release.objects.latest_of(survey)
    assert release is not None
    root, api = f"/r/{survey.slug}/{release.number}/", f"/api/v1/surveys/{survey.slug}"
    if ended:
        exports.exported(survey)
    crossed(client, root, [question["key"] for question in survey.definition["questions"]])
    pages = walked(client, [root], root)
    assert any(f"{root}cross/" in each for each in pages) and f"{root}questions/satisfaction/" in pages
    walked(client, [f"/surveys/{survey.pk}/"], f"/surveys/{survey.pk}/", "/check/", alike=2)
    begin = [f"{api}/{each}" for each in ("definition", "releases", "estimates")]
    begin += [f"{api}/releases/{release.number}/{each}" for each in OF_A_RELEASE]
    assert len(walked(program(ada), begin, api)) > len(OF_A_RELEASE) - 2


def crossed(client: Any, root: str, keys: list[str]) -> None:
    """Request and compute every pair. A sentence refuses each refused pair."""
    for first, second in itertools.combinations(keys, 2):
        response = client.post(f"{root}cross/ask", {"first": first, "second": second})
        refused = r'class="[^"]*error[^"]*"[^>]*>[^<]*[.]|No other question can be crossed with this one[.]'
        assert response.status_code == 302 or re.search(refused, response.content.decode())
        for run in AnalysisRun.objects.filter(document=None):
            assert made(run).state == AnalysisRun.State.READY
