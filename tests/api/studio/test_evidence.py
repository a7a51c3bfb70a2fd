"""A survey's documents, its form and its releases' files in progress, in the API."""

import io
import zipfile

import pytest

from surveys.models import AuditEntry, Role, Scope, Survey
from tests.support.analyses import crossed
from tests.support.estimates import released
from tests.support.exports import exported
from tests.support.factories import DRAFT
from tests.support.program import Program
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db


def test_every_document_that_is_listed_is_served_as_the_studio_has_it(studio, ada, client):
    number = studio.begin()
    files = studio.ask("get", f"/{number}/evidence").json()["files"]
    names = [each["name"] for each in files]
    assert {"annex.de.html", "annex.de.pdf", "ddi.xml", "references.bib"} <= set(names)
    client.force_login(ada)
    for name in ("annex.de.html", "annex.de.pdf", "ddi.xml"):
        served = studio.ask("get", f"/{number}/evidence/{name}")
        assert served.status_code == 200 and served["Cache-Control"] == "no-store"
        if not name.endswith("pdf"):
            assert served.content == client.get(f"/surveys/{number}/evidence/{name}").content
    assert studio.ask("get", f"/{number}/evidence/archive.zip").status_code == 404


def test_of_a_draft_that_lacks_something_there_is_no_document_and_no_form(studio):
    number = studio.begin({"title": "", "questions": []})
    for of in ("/evidence", "/evidence/annex.en.html", "/form.xlsx"):
        refused = studio.ask("get", f"/{number}{of}")
        assert refused.status_code == 422 and refused.json()["rules"], of


def test_what_is_disclosed_stays_unless_it_is_said_anew_and_stands_in_the_documents(studio):
    number = studio.begin()
    studio.ask("patch", f"/{number}/disclosure", {"sponsor": "The Fund for Bicycles", "contact": "ada@example.org"})
    document = studio.ask("patch", f"/{number}/disclosure", {"contact": "bob@example.org"}).json()
    assert (document["sponsor"], document["contact"], document["dates"]) == (
        "The Fund for Bicycles", "bob@example.org", ""
    )  # fmt: skip
    assert studio.ask("get", f"/{number}/disclosure").json() == document
    assert b"The Fund for Bicycles" in studio.ask("get", f"/{number}/evidence/transparency.en.html").content
    assert studio.ask("patch", f"/{number}/disclosure", {"sponsor": "x" * 2001}).status_code == 422
    assert AuditEntry.objects.filter(survey_number=number, detail="what is disclosed").count() == 2


def test_a_form_goes_out_and_comes_back(studio):
    number = studio.begin()
    form = studio.ask("get", f"/{number}/form.xlsx")
    assert "xl/workbook.xml" in zipfile.ZipFile(io.BytesIO(form.content)).namelist()
    address = "/api/v1/studio/forms?name=back.xlsx"
    made = studio.client.post(address, form.content, content_type=form["Content-Type"])
    assert made.status_code == 201 and made.json()["title"] == DRAFT["title"]
    back = made.json()["number"]
    assert len(studio.ask("get", f"/{back}/draft").json()["draft"]["questions"]) == 3
    remarks = studio.ask("get", f"/{back}/imported").json()["remarks"]
    assert remarks and all(each.keys() == {"number", "group", "text", "names", "questions", "done"} for each in remarks)
    assert studio.ask("get", f"/{number}/imported").status_code == 404
    for wrong in (b"PK no form", b""):
        assert studio.client.post(address, wrong, content_type=form["Content-Type"]).status_code == 422
    assert Survey.objects.count() == 2


def test_researchers_see_what_is_being_made(settings):
    survey = released(20)
    crossed(survey, "yes", "which")
    exported(survey)
    of = {}
    for role in (Role.VIEWER, Role.RESEARCHER):
        of[role] = Program(carrying(token(member(survey, role, role), Scope.STUDIO))).ask("get", f"/{survey.pk}/jobs")
    assert of[Role.VIEWER].status_code == 404
    jobs = {each["kind"]: each for each in of[Role.RESEARCHER].json()["items"]}
    assert jobs.keys() == {"crossing", "export"} and {each["state"] for each in jobs.values()} == {"ready"}
    assert jobs["crossing"]["url"].endswith(f"/api/v1/surveys/{survey.slug}/releases/1/crossings")
