"""Each client is one file and knows every URL of the studio's API. The Python client explains errors."""

import http.server
import re
import threading

import pytest
from django.contrib.auth.models import User
from django.test import Client as Browser

from surveys.api.page import CLIENTS, PROGRAMS
from surveys.api.programs import deniable
from surveys.api.views import site_description
from surveys.models import Scope, Survey
from tests.support.factories import DRAFT
from tests.support.tokens import token

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server, settings):
    settings.SITE_URL = settings.STAFF_URL = live_server.url
    return deniable.Client(live_server.url, token(User.objects.create(username="ada"), Scope.STUDIO))


def test_the_site_serves_both_as_they_stand_and_no_other_file():
    for name in CLIENTS:
        assert Browser().get(f"/api/programs/{name}").content == (PROGRAMS / name).read_bytes()
    assert Browser().get("/api/programs/__init__.py").status_code == 404


def test_the_client_for_python_knows_every_address_of_the_studio():
    text = (PROGRAMS / "deniable.py").read_text(encoding="utf-8")
    for path in site_description()["paths"]:
        if path.startswith("/api/v1/studio/{survey}/"):
            last = re.sub(r"/\{\w+\}$", "/", path.removeprefix("/api/v1/studio/{survey}")).split("}")[-1]
            assert last in text, path


def test_a_survey_is_drafted_opened_and_ended(site):
    survey = site.begin(DRAFT)
    survey.edit(lambda draft: draft.update(title="Über “R”"))
    assert survey.propose(2, n=500)["proposal"]["forms"]
    survey.set_alpha("yes", 0.5)
    assert survey.open(closes_after=400)["closes_after"] == 400
    assert [each["number"] for each in site.surveys()] == [survey.number]
    assert survey.settings(results_public=True)["results_public"]
    link = survey.role_link("viewer")
    assert survey.people()["invitations"][0]["number"] == link["number"]
    assert survey.revoke_role_link(link["number"])["invitations"] == []
    assert survey.close()["state"] == "closed" and survey.results().survey()["state"] == "closed"
    assert survey.document("ddi.xml").startswith(b"<") and "ddi.xml" in survey.evidence()
    assert [each["action"] for each in survey.log()][-1] == "imported"
    later = survey.new_version(wave=True)
    later.delete(later.state()["title"])
    assert Survey.objects.get().title == "Über “R”"


def test_a_draft_is_gone_back_to_undone_commented_and_fed_from_the_bank(site):
    site.begin({"title": "Old", "questions": [{"key": "sing", "kind": "yes_no", "text": "Do you sing?"}]})
    survey = site.begin(DRAFT)
    [entry] = survey.bank("sing")
    assert survey.take_question(entry["survey"], entry["question"]["key"]) == "sing"
    before = list(survey.history())[-1]["number"]
    assert len(survey.old_draft(before)["draft"]["questions"]) == len(DRAFT["questions"])
    assert len(survey.go_back(before)["draft"]["questions"]) == len(DRAFT["questions"])
    undone = survey.undo()
    assert undone and undone["draft"]["questions"][-1]["key"] == "sing"
    written = survey.comment("Do we need it?", "sing")
    assert survey.settle_comment(written["number"])["done"] and survey.comments()[0]["text"] == "Do we need it?"


def test_a_refusal_names_its_rules_and_an_unopenable_draft_is_not_opened(site):
    with pytest.raises(deniable.Refused, match="422 draft: title: must be a text") as refused:
        site.begin({"title": 5})
    assert refused.value.code == "draft" and refused.value.rules[0]["code"] == "not_a_text"
    with pytest.raises(deniable.Refused, match="title"):
        site.begin().open()
    with pytest.raises(deniable.Refused) as unknown:
        deniable.Client(site.api.removesuffix("/api/v1"), "dnb_" + "x" * 43).survey(1).state()
    assert unknown.value.status == 401


class Breaking(http.server.BaseHTTPRequestHandler):
    """A proxy of the site that loses the first answer."""

    site, lost = "", False

    def do_POST(self):
        headers = {name: self.headers[name] for name in ("Authorization", "Content-Type", "Idempotency-Key")}
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = deniable.Request(type(self).site + self.path, body, headers, method="POST")
        with deniable.build_opener().open(request) as answer:
            content = answer.read()
        if not type(self).lost:
            type(self).lost = True
            self.connection.close()
            return
        self.send_response(201)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        self.send_response(302)
        self.send_header("Location", type(self).site + self.path)
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def broken(live_server):
    Breaking.site, Breaking.lost = live_server.url, False
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Breaking)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_what_is_created_is_created_once_where_an_answer_is_lost(site, broken):
    made = deniable.Client(broken, site.token).begin(DRAFT)
    assert Breaking.lost and Survey.objects.get().pk == made.number


def test_a_token_goes_to_no_other_site(site, broken):
    with pytest.raises(ValueError, match="another site"):
        deniable.Client(broken, site.token).survey(1).state()
    with pytest.raises(ValueError, match="not of this site"):
        site.get("http://127.0.0.1:1/api/v1/studio")
    with pytest.raises(ValueError, match="not of this site"):
        site.get(site.api + ".example.org/studio")
