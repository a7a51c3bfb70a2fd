"""A survey that ends with fewer than the least number of reports publishes nothing, and its reports are erased."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.test.html import parse_html

from surveys.life.lifecycle import close_survey
from surveys.models import Block, Release, Report, ReportId, Survey, Tally
from tests.researcher.results.test_results import text
from tests.support.estimates import collect, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from tests.worker.test_releases import released
from worker import recount, tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def ended(n, **fields):
    survey = opened_survey(**fields)
    store(survey, range(n))
    close_survey(survey)
    work(survey)
    return Survey.objects.get(pk=survey.pk)


@pytest.mark.parametrize("n", [0, 1, 19])
def test_a_survey_of_too_few_reports_releases_nothing_and_keeps_nothing(n):
    survey = ended(n)
    assert released(survey) == [] and survey.fewer_than == 20 and not tasks.unfinished().exists()
    assert not Report.objects.exists() and not Block.objects.exists()
    tally = Tally.objects.get(survey=survey)
    assert tally.tallies == tally.held == [{"n": 0, "totals": {}}]
    assert tally.traces, "the database's files may still hold what was erased"
    work(survey)
    assert released(survey) == []


def test_how_few_they_were_stands_nowhere_but_in_the_number_of_ids():
    tallies = [Tally.objects.filter(survey=ended(n)).values_list("tallies", "held", "fewer_than") for n in (0, 19)]
    assert list(tallies[0]) == list(tallies[1])
    assert ended(7, closes_after=20).stored == 0


def test_with_the_least_number_all_of_it_is_released():
    survey = ended(20)
    assert released(survey) == [(1, 20, True)] and survey.fewer_than is None


def test_a_retry_of_an_erased_report_still_hears_that_it_had_come():
    survey = ended(3)
    assert ReportId.objects.filter(survey=survey).count() == 3


def test_no_release_of_a_survey_that_goes_on_holds_fewer_either(settings):
    settings.BATCH = 10
    survey = opened_survey()
    collect(survey, 29)
    assert released(survey) == []
    collect(survey, 10)
    assert released(survey) == [(1, 29, False)]


def test_what_was_released_stays_where_the_site_raises_its_number(settings):
    survey = opened_survey()
    collect(survey, 300)
    settings.RELEASE_LEAST = 1000
    close_survey(survey)
    work(survey)
    assert released(survey) == [(1, 200, False), (2, 300, True)]
    assert recount.request(survey) is not None


def test_it_can_be_deleted_and_not_recounted():
    survey = ended(3)
    assert recount.request(survey) is None
    with pytest.raises(CommandError, match="no release"):
        call_command("recount", survey.slug)


def test_no_one_gets_a_number_by_any_address(admin_client):
    survey = ended(19, results_public=True, microdata_public=True)
    api = f"/api/v1/surveys/{survey.slug}"
    for client in (Client(), admin_client):
        for path in (f"{api}/estimates", f"{api}/estimates.csv", f"{api}/releases/1", f"/r/{survey.slug}/1/"):
            assert client.get(path).status_code == 404
        assert client.get(f"{api}/estimates").json()["detail"].startswith("The survey ended with fewer than 20 reports")
        assert client.get(f"{api}/releases").json()["count"] == 0
        document = client.get(api).json()
        assert document["too_few"] is True and document["latest"] is None
        for path in (f"/r/{survey.slug}/", f"/r/{survey.slug}/downloads/"):
            page = text(parse_html(client.get(path).content.decode()))
            assert "Too few people answered" in page and "fewer than 20 reports" in page and "19" not in page
    for path in ("", "progress/"):
        page = text(parse_html(admin_client.get(f"/surveys/{survey.pk}/{path}").content.decode()))
        assert "fewer than 20 reports" in page and "were erased" in page and "19" not in page
    assert not Release.objects.exists()
