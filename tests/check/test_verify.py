"""`verify.py` finds a site right that serves what it published, and stops at whatever is altered."""

import contextlib
import http.server
import json
import threading
import urllib.request

import pytest
from django.core.management import call_command

from surveys.check import log, manifest, verify
from surveys.intake.links import HEADER
from surveys.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Served, Survey
from surveys.respond.assets import FILES, asset
from tests.support import certificate_cases, form_cases, malformed, vectors
from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server, settings):
    settings.SITE_URL = live_server.url
    log.note_manifest()
    return live_server


@pytest.fixture
def published():
    return manifest.text().encode()


@contextlib.contextmanager
def between(site, alter):
    """A site in between that hands on what `alter(path, client, body)` makes of each answer."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked = {"User-Agent": self.headers["User-Agent"], "Accept-Encoding": "identity"}
            asked |= {HEADER: self.headers.get(HEADER, "")}
            with urllib.request.urlopen(urllib.request.Request(site.url + self.path, headers=asked)) as answer:
                body = alter(self.path, "Android" in asked["User-Agent"], answer.read())
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def wrong(site, survey, published, alter, heads=None):
    """What verify.py says of the site with something altered on the way."""
    with between(site, alter) as address, pytest.raises(verify.Wrong) as refusal:
        list(verify.verify(f"{address}/s/#{survey.slug}", published, heads))
    return str(refusal.value)


def at(place, change):
    return lambda path, second, body: change(body) if place in path else body


def test_a_site_that_serves_what_it_published_is_right(site, published, tmp_path, capsys):
    survey = create_draft(vectors.EVERY_KIND | {"introduction": '<b>"It\'s" & so</b>'})
    open_survey(survey)
    address, heads = f"{site.url}/s/#{survey.slug}", tmp_path / "heads.json"
    said = "\n".join(verify.verify(address, published, heads))
    assert "the published one" in said and "is remembered" in said
    Survey.objects.filter(pk=survey.pk).update(results_public=True)
    opened_survey()
    close_survey(survey)
    said = "\n".join(verify.verify(address, published, heads))
    assert "follows entry" in said
    with pytest.raises(SystemExit) as ended:
        call_command("verify", address)
    assert ended.value.code == 0 and "WRONG" not in capsys.readouterr().out


@pytest.mark.parametrize("name", [asset(name).url for name in FILES])
def test_one_altered_byte_of_a_file_is_noticed(site, published, name):
    survey = opened_survey()
    said = wrong(site, survey, published, at(name, lambda body: body.replace(b" ", b"\t", 1)))
    assert said == f"{name} is not the file of the manifest"


def test_one_altered_byte_of_the_page_is_noticed(site, published):
    survey = opened_survey()
    for alter in (
        lambda page: page + b"\n",
        lambda page: page.replace(b"sha384-A", b"sha384-B").replace(b"utf", b"UTF"),
    ):
        assert wrong(site, survey, published, at("/s/", alter)) == "/s/ is not the file of the manifest"


def test_another_page_for_another_client_is_noticed(site, published):
    survey = opened_survey()

    def alter(path, second, body):
        return body + b" " if second and path.startswith("/s/") else body

    assert "is another for another client" in wrong(site, survey, published, alter)


def test_another_manifest_than_the_published_one_is_noticed(site, published):
    survey = opened_survey()
    said = wrong(site, survey, published, at("manifest.json", lambda body: body.replace(b"sha384-", b"SHA384-")))
    assert said == "the site's manifest is not the published one"


def test_another_definition_is_noticed(site, published):
    """It is sound; but the log has another."""
    survey, other = opened_survey(), create_draft(vectors.EVERY_KIND)
    open_survey(other)
    said = wrong(site, survey, published, at("/definition", lambda body: other.canonical.encode()))
    assert "the log has another definition" in said


def test_a_log_that_was_written_anew_is_noticed(site, published):
    survey = opened_survey()

    def rewritten(body):
        entries = json.loads(body)["entries"]
        entries[0]["day"] = "2020-01-01"
        return json.dumps({"entries": entries}).encode()

    assert "does not follow the one before" in wrong(site, survey, published, at("log.json", rewritten))


def test_a_forked_log_is_noticed_by_whoever_saw_the_other_one(site, published, tmp_path):
    survey, heads = opened_survey(), tmp_path / "heads.json"

    def forked(body):
        """Well chained, from an entry on that is another."""
        entries, previous = json.loads(body)["entries"], log.FIRST
        for entry in entries:
            entry |= {"day": "2020-01-01", "previous": previous}
            previous = entry["hash"] = log.hash_of(entry)
        return json.dumps({"entries": entries}).encode()

    with between(site, lambda path, second, body: body) as address:
        list(verify.verify(f"{address}/s/#{survey.slug}", published, heads))
    known = json.loads(heads.read_text())
    with between(site, at("log.json", forked)) as address:
        [head] = known.values()
        heads.write_text(json.dumps({address: head}))
        with pytest.raises(verify.Wrong, match="the log is another one: entry"):
            list(verify.verify(f"{address}/s/#{survey.slug}", published, heads))


@pytest.mark.slow
def test_a_table_that_does_not_keep_its_alpha_is_noticed():
    cases = [case for subject in ("thresholds", "weights", "noise") for case in malformed.cases(subject)]
    assert {sound for _, sound in cases} == {True, False} and len(cases) > 500
    for question, sound in cases:
        definition = certificate_cases.definition(question)
        if sound:
            assert verify.check_tables(definition) == 1, question
        else:
            with pytest.raises(verify.Wrong):
                verify.check_tables(definition)


def test_a_table_of_questions_that_are_randomized_together_is_held_to_their_alpha():
    for change in form_cases.SOUND:
        assert verify.check_tables(form_cases.changed(change)) == 7
    for change in form_cases.WEAKER:
        with pytest.raises(verify.Wrong, match="the table of the form with"):
            verify.check_tables(form_cases.changed(change))


def test_the_log_says_what_was_opened_and_not_its_key(site):
    surveys = [opened_survey() for _ in range(3)]
    entries = log.entries()
    verify.check_chain(entries)
    assert [entry["digest"] for entry in entries[-3:]] == [survey.digest for survey in surveys]
    text = json.dumps(entries)
    assert not any(survey.slug in text for survey in surveys)
    assert Served.objects.count() == len(entries)
