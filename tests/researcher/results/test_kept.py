"""Reading results: a process makes a page once and compresses it, and a reader who has the page gets no copy."""

import gzip

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.researcher.results import response_cache
from tests.support.estimates import released

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PATHS = ["/api/v1/surveys/{}/estimates", "/api/v1/surveys/{}/estimates.csv", "/r/{}/", "/r/{}/plots/yes-light-wide.svg"]


@pytest.fixture
def survey():
    return released(results_public=True)


@pytest.mark.alike
@pytest.mark.parametrize("path", PATHS)
def test_who_takes_compressed_bytes_gets_the_same_in_fewer(survey, path):
    address = path.format(survey.slug)
    plain = Client().get(address)
    packed = Client(headers={"Accept-Encoding": "gzip"}).get(address)
    assert gzip.decompress(packed.content) == plain.content and len(packed.content) < len(plain.content) / 2
    assert "Content-Encoding" not in plain and packed["Content-Encoding"] == "gzip"
    assert plain["ETag"] == packed["ETag"] and "Accept-Encoding" in plain["Vary"]


@pytest.mark.parametrize("path", PATHS)
def test_who_has_them_already_is_told_so_without_reading_the_estimates(
    survey, path, django_assert_max_num_queries, monkeypatch
):
    address = path.format(survey.slug)
    tag = Client().get(address)["ETag"]
    monkeypatch.setattr(response_cache, "document_of", lambda *_: pytest.fail("the estimates were read again"))
    with django_assert_max_num_queries(4) as made:
        again = Client(headers={"If-None-Match": tag, "Accept-Encoding": "gzip"}).get(address)
    assert (again.status_code, again.content) == (304, b"")
    assert not any('"document"' in query["sql"].partition("FROM")[0] for query in made.captured_queries)


def test_a_release_is_written_once(survey):
    address = f"/api/v1/surveys/{survey.slug}/estimates"
    first = Client().get(address)
    before = response_cache._generated.cache_info().misses
    assert Client().get(address).content == first.content and response_cache._generated.cache_info().misses == before


def test_a_page_that_someone_signed_in_sees_is_not_kept_for_others(survey, admin_client):
    assert b'href="/surveys/"' in admin_client.get(f"/r/{survey.slug}/").content
    assert b'href="/surveys/"' not in Client().get(f"/r/{survey.slug}/").content


def test_the_way_back_to_the_survey_is_for_people_with_a_role_on_it(survey, admin_client):
    address, back = f"/r/{survey.slug}/", f'href="/surveys/{survey.pk}/"'.encode()
    assert back in admin_client.get(address).content
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    assert back not in stranger.get(address).content and back not in Client().get(address).content
