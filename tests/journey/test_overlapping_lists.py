"""A survey whose forms draw the items of a list and of a grid in different ways (M45), at every URL of its life."""

import pytest

from surveys.designer.privacy.questions import questions_of
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Release, Survey
from tests.journey.test_overlapping_pages import BELOW, OF_A_DRAFT, OF_A_RELEASE, crossed, program, walked
from tests.support import exports, overlapping_lists
from tests.support.estimates import work
from worker import tasks

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(ada, settings) -> Survey:
    settings.BATCH = 20
    survey = create_draft(overlapping_lists.ROUTED, owner=ada)
    Survey.objects.filter(pk=survey.pk).update(expected_n=3000, results_public=True)
    survey.refresh_from_db()
    return survey


def test_every_page_of_the_draft_is_made(survey, client, ada):
    root, api = f"/surveys/{survey.pk}/", f"/api/v1/studio/{survey.pk}"
    asked = [
        f"{root}alpha/?question={question.key}&form={each.places[0]}&trial=1"
        for question in questions_of(survey)
        for each in question.in_each_form
        if each.places
    ]
    begin = [f"{root}alpha/", f"{root}alpha/?plan=1", f"{root}alpha/?plan=1&crossed=all", *asked]
    assert {*begin} <= {*walked(client, begin, f"{root}alpha/", alike=12)}
    files = {f"{root}{each}" for each in ("open/", "preview/", "export.json", "export.xlsx")}
    assert files <= {*walked(client, sorted(files), *(f"{root}{each}" for each in BELOW))}
    begin = [api, *(f"{api}/{each}" for each in OF_A_DRAFT)]
    assert len(walked(program(ada), begin, api)) > 10


@pytest.mark.parametrize("ended", [False, True])
def test_every_page_of_the_results_is_made(survey, client, ada, ended, monkeypatch):
    monkeypatch.setattr(tasks, "TURN_SECONDS", 600)
    open_survey(survey)
    overlapping_lists.store(survey, 600)
    if ended:
        close_survey(survey)
    work(survey)
    release = Release.objects.latest_of(survey)
    assert release is not None
    root, api = f"/r/{survey.slug}/{release.number}/", f"/api/v1/surveys/{survey.slug}"
    if ended:
        exports.exported(survey)
    crossed(client, root, ["region", "moved", "owns.1", "owns.2", "stays.1", "stays.2"])
    begin = [root, *(f"{root}questions/{key}/" for key in ("region", "owns", "stays.1", "happy", "proud"))]
    assert {*begin, f"{root}codebook/"} <= {*walked(client, begin, root, alike=6)}
    walked(client, [f"/surveys/{survey.pk}/"], f"/surveys/{survey.pk}/", "/check/", alike=2)
    begin = [f"{api}/{each}" for each in ("definition", "releases", "estimates")]
    begin += [f"{api}/releases/{release.number}/{each}" for each in OF_A_RELEASE]
    assert len(walked(program(ada), begin, api)) > len(OF_A_RELEASE) - 2
