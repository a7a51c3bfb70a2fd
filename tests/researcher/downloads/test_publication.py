"""Results, randomized reports, or both are published: what the public reads and downloads, and how it is cited."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.life import actions as life_actions
from surveys.life.lifecycle import close_survey
from surveys.models import AuditEntry, Export, Membership, Role
from surveys.researcher.results import citation
from tests.support.estimates import collect, document_of, released, work
from tests.support.exports import exported
from tests.support.factories import DRAFT, opened_survey
from worker import exports

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


def get(survey, path, client=None):
    return (client or Client()).get(f"/r/{survey.slug}/{path}")


def actions():
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


# Microdata ------------------------------------------------------------------------------------------------------------


def test_published_reports_are_prepared_without_anyone_asking_and_everyone_takes_them(owner):
    survey = released(30)
    assert get(survey, "1/downloads/microdata.csv").status_code == 404
    assert life_actions.publish_microdata(survey, owner, True) and not life_actions.publish_microdata(
        survey, owner, True
    )
    assert actions() == ["microdata published"]
    export = Export.objects.get(release__survey=survey)
    assert export.state == "asked" and "not ready" not in get(survey, "1/downloads/").content.decode()
    exports.make(export.pk)
    rows = b"".join(get(survey, "1/downloads/microdata.csv").streaming_content).decode().splitlines()
    assert len(rows) == 31
    page = get(survey, "1/downloads/").content.decode()
    assert "microdata.csv" in page and "codebook.json" in page and "estimates.csv" not in page
    assert get(survey, "1/downloads/estimates.csv").status_code == get(survey, "").status_code == 404
    assert life_actions.publish_microdata(survey, owner, False)
    assert get(survey, "1/downloads/microdata.csv").status_code == 404
    assert actions() == ["microdata published", "microdata taken back"]


def test_each_new_release_of_a_survey_with_published_reports_has_its_files(owner):
    survey = opened_survey()
    collect(survey, 250)
    assert not Export.objects.exists()
    life_actions.publish_microdata(survey, owner, True)
    collect(survey, 250)
    close_survey(survey)
    work(survey)
    numbers = set(survey.release_set.values_list("number", flat=True))
    assert set(Export.objects.values_list("release__number", flat=True)) == numbers and len(numbers) > 1


def test_visitors_cannot_ask_for_files_but_read_why_there_are_none(owner):
    survey = released(30)
    life_actions.publish_microdata(survey, owner, True)
    Export.objects.update(state="failed", reason="tried")
    page = get(survey, "1/downloads/").content.decode()
    assert "The files were not made: making the files failed several times." in page
    assert "<form" not in page
    assert Client().post(f"/r/{survey.slug}/1/downloads/prepare").status_code == 302, "to sign in"
    assert Export.objects.get().state == "failed"


def test_what_researchers_ask_for_and_take_stands_in_the_log():
    survey, user, client = released(30), User.objects.create_user("researcher"), Client()
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    client.post(f"/r/{survey.slug}/1/downloads/prepare")
    exports.make(Export.objects.get().pk)
    for name in ("microdata.csv", "microdata.parquet", "microdata.csv"):
        assert get(survey, f"1/downloads/{name}", client).status_code == 200
    assert actions() == ["microdata asked for", "microdata taken"], "once a day"
    assert AuditEntry.objects.first().username == "researcher"


def test_visitors_leave_no_trace_in_the_log(owner):
    survey = released(30, microdata_public=True)
    exports.make(Export.objects.get().pk)
    assert get(survey, "1/downloads/microdata.csv").status_code == 200 and actions() == []


def test_the_owner_publishes_them_on_the_overview(owner):
    survey, client = released(30), Client()
    Membership.objects.create(survey=survey, user=owner, role=Role.OWNER)
    client.force_login(owner)
    page = client.get(f"/surveys/{survey.pk}/").content.decode()
    assert "one row for each person who took part" in page and f"α = {survey.alpha_total}" in page
    client.post(f"/surveys/{survey.pk}/microdata/", {"to": "yes"})
    survey.refresh_from_db()
    assert survey.microdata_public and not survey.results_public
    assert "Take the reports back" in client.get(f"/surveys/{survey.pk}/").content.decode()


# Described and cited --------------------------------------------------------------------------------------------------


def test_a_release_is_described_for_machines_at_an_address_that_its_page_names():
    survey = released(30, results_public=True)
    page = get(survey, "1/")
    address = f"/r/{survey.slug}/1/dataset.json"
    assert (
        f'<{address}>; rel="describedby"' in page["Link"]
        and f'rel="describedby" type="application/ld+json" href="{address}"' in page.content.decode()
    )
    response = get(survey, "1/dataset.json")
    described = json.loads(response.content)
    assert response["Content-Type"] == "application/ld+json" and described["@type"] == "Dataset"
    assert described["name"] == survey.title and described["version"] == "1"
    assert described["identifier"] == [f"sha256:{survey.digest}", f"sha256:{document_of(survey)['totals_digest']}"]
    assert [variable["name"] for variable in described["variableMeasured"]] == [q["key"] for q in survey.questions]
    for file in described["distribution"]:
        path = file["contentUrl"].partition("/r/")[2]
        response = Client().get(f"/r/{path}")
        assert response.status_code == 200 and response["Content-Type"].startswith(file["encodingFormat"])


def test_the_description_lists_what_is_published_no_matter_who_asks():
    survey, client = released(30), Client()
    user = User.objects.create_superuser("root")
    client.force_login(user)
    exported(survey)

    def listed():
        return {file["name"] for file in json.loads(get(survey, "1/dataset.json", client).content)["distribution"]}

    assert listed() == set()
    survey.microdata_public = True
    survey.save()
    assert "microdata.csv" in listed() and "estimates.csv" not in listed()
    survey.results_public = True
    survey.save()
    assert {"microdata.csv", "estimates.csv"} <= listed()


def test_a_citation_names_release_address_and_digests():
    survey = released(30, results_public=True)
    release = survey.release_set.get()
    cited = citation.text(survey, release)
    for part in (survey.title, "release 1 of", "30 reports", f"/r/{survey.slug}/1/", survey.digest, release.digest):
        assert part in cited
    assert cited in get(survey, "1/downloads/").content.decode().replace("&#x27;", "'")


def test_a_title_is_only_text_in_bibtex():
    survey = released(20, DRAFT | {"title": "100% of $x_1$ & {more} \\ ~ ^ #"}, results_public=True)
    entry = citation.bibtex(survey, survey.release_set.get())
    assert r"100\% of \$x\_1\$ \& \{more\} \textbackslash{} \textasciitilde{} \textasciicircum{} \#" in entry
    assert entry.startswith(f"@misc{{deniable-{survey.slug}-1,") and entry.count("{") == entry.count("}")
