"""The language of a page for each reader."""

import pytest

from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db


def spoken(response):
    return response.content.decode().partition('<html lang="')[2].partition('"')[0]


@pytest.mark.parametrize(
    ("asked", "expected"), [("", "en"), ("de-AT,de;q=0.9", "de"), ("ar", "ar"), ("fr", "en"), ("xx;q=0,*", "en")]
)
def test_a_page_speaks_the_language_of_the_browser(client, asked, expected):
    response = client.get("/", headers={"Accept-Language": asked})
    assert spoken(response) == expected == response["Content-Language"]
    assert "Accept-Language" in response["Vary"]


def test_arabic_runs_from_right_to_left(client):
    assert b'<html lang="ar" dir="rtl">' in client.get("/", headers={"Accept-Language": "ar"}).content
    assert b'<html lang="de">' in client.get("/", headers={"Accept-Language": "de"}).content


def test_a_choice_counts_more_than_the_browser_and_leads_back(client):
    chosen = client.post("/language/", {"language": "de", "next": "/lab/mean/"})
    assert chosen.status_code == 302 and chosen["Location"] == "/lab/mean/"
    assert spoken(client.get("/", headers={"Accept-Language": "ar"})) == "de"


def test_the_way_back_is_to_the_same_page_with_all_that_was_chosen_there(client):
    page = client.get("/account/login/?next=/surveys/&more=1").content.decode()
    back = page.partition('href="/language/?next=')[2].partition('"')[0]
    assert back == "/account/login/%3Fnext%3D/surveys/%26more%3D1"
    form = client.get(f"/language/?next={back}").content.decode()
    assert 'name="next" value="/account/login/?next=/surveys/&amp;more=1"' in form


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org", "javascript:alert(1)", "\\\\x.org"])
def test_a_choice_leads_to_no_other_site(client, elsewhere):
    assert client.post("/language/", {"language": "de", "next": elsewhere})["Location"] == "/"


def test_a_language_that_there_is_not_changes_nothing(client):
    response = client.post("/language/", {"language": "tlh"})
    assert response.status_code == 200 and not response.cookies.get("django_language")


def test_a_respondents_page_and_programs_get_the_same_whatever_the_browser_speaks(client):
    survey = opened_survey(results_public=True)
    client.post("/language/", {"language": "de"})
    for path in ("/s/", "/respond/page.js", f"/api/v1/surveys/{survey.slug}/definition", "/check/manifest.json"):
        answers = [client.get(path, headers={"Accept-Language": asked}) for asked in ("en", "de", "ar")]
        assert len({answer.content for answer in answers}) == 1 and answers[0].status_code == 200, path
        assert all("Accept-Language" not in answer.get("Vary", "") for answer in answers)


def test_a_pages_own_pictures_speak_its_language(client):
    page = client.get("/lab/", headers={"Accept-Language": "de"}).content.decode()
    assert "&amp;language=de" in page
    picture = page.partition('<img src="')[2].partition('"')[0].replace("&amp;", "&")
    assert client.get(picture).status_code == 200


@pytest.mark.parametrize("asked", ["en", "de", "ar"])
def test_a_wrong_address_below_a_surveys_results_speaks_the_visitors_language(client, asked):
    response = client.get("/r/nonsense/more/", headers={"Accept-Language": asked})
    assert response.status_code == 404 and spoken(response) == asked
    assert "Accept-Language" in response["Vary"]
    client.post("/language/", {"language": "de"})
    assert spoken(client.get("/r/nonsense/more/", headers={"Accept-Language": asked})) == "de"
