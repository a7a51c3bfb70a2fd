"""`verify.py` accepts a site that serves what it published, and stops at every alteration."""

import subprocess
import sys

import pytest
from django.core.management import call_command

from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Survey
from surveys.respondent.page.assets import FILES, asset
from surveys.transparency.check import manifest, verify
from tests.support import certificate_cases, form_cases, malformed, vectors
from tests.support.between import between
from tests.support.factories import DRAFT, opened_survey
from tests.support.picture_files import PICTURED

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server, settings):
    settings.SITE_URL = live_server.url
    return live_server


@pytest.fixture
def published():
    return manifest.text().encode()


def wrong(site, survey, published, alter, **more):
    """Return verify.py's objection to a site with an alteration on the way."""
    with between(site, alter) as address, pytest.raises(verify.Wrong) as refusal:
        list(verify.verify(f"{address}/s/#{survey.slug}", verify.Request(published, **more)))
    return str(refusal.value)


def lines(address, **more):
    return "\n".join(f"{mark}: {text}" for mark, text in verify.verify(address, verify.Request(**more)))


def at(place, change):
    return lambda path, second, body: change(body) if place in path else body


def test_a_site_that_serves_what_it_published_is_right(site, published, tmp_path, capsys):
    survey = create_draft(vectors.EVERY_KIND | {"introduction": '<b>"It\'s" & so</b>'})
    open_survey(survey)
    address, kept = f"{site.url}/s/#{survey.slug}", tmp_path / "kept.json"
    said = lines(address, published=published, kept=kept)
    assert "right: The manifest is the published one" in said and "not checked: Whether 127" in said
    Survey.objects.filter(pk=survey.pk).update(results_public=True)
    opened_survey()
    close_survey(survey)
    said = lines(address, published=published, kept=kept)
    assert "right: The log continues the one of " in said
    for each in (address, f"{address}/de", f"{site.url}/s/{survey.slug}/"):  # also a link in its earlier form
        with pytest.raises(SystemExit) as ended:
            call_command("verify", each)
        assert ended.value.code == 0 and "WRONG" not in capsys.readouterr().out


def test_what_everyone_is_shown_after_sending_is_named(site, published):
    assert "after" not in lines(f"{site.url}/s/#{opened_survey().slug}", published=published)
    survey = opened_survey(DRAFT | {"completion_code": "A-7", "return_link": "https://example.org/part?2"})
    said = lines(f"{site.url}/s/#{survey.slug}", published=published)
    assert "see the same after sending, as the definition says: A-7 and https://example.org/part?2." in said


def test_the_pages_that_may_hold_it_are_named(site, published):
    survey = opened_survey(DRAFT | {"frame_hosts": ["https://a.org", "https://b.org:8443"]})
    said = lines(f"{site.url}/s/#{survey.slug}", published=published)
    assert "In a frame the page asks only within pages of https://a.org and https://b.org:8443." in said


def test_the_colour_that_everyone_is_shown_is_named(site, published):
    said = lines(f"{site.url}/s/#{opened_survey(DRAFT | {'accent': '#0a5c8f'}).slug}", published=published)
    assert "All respondents see the page in the same colour: #0a5c8f and #6e9fbd." in said


def test_the_pictures_that_everyone_is_shown_are_counted(site, published):
    said = lines(f"{site.url}/s/#{opened_survey(PICTURED).slug}", published=published)
    assert "All respondents see the same 8 pictures, which no page requests." in said


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
    assert said.startswith("the site's manifest is not the published one; is your source of the commit that http")


def test_a_link_that_leads_to_no_survey_is_named(site, published):
    with pytest.raises(verify.Wrong, match="the site has no survey at this link"):
        lines(f"{site.url}/s/#nothing-here", published=published)
    for link in (f"{site.url}/s/", site.url):
        with pytest.raises(verify.Wrong, match="is no survey's link"):
            lines(link, published=published)


@pytest.mark.parametrize(
    "arguments",
    [["example.org/s/#x"], ["https://a/s/#x", "--manifest", "none"], ["https://a/s/#x", "--trust", "a+b+c"]],
    ids=["scheme", "manifest", "key"],
)
def test_what_cannot_be_used_is_said_in_one_line(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        verify.main(arguments)
    assert ended.value.code == 2 and ": error: " in capsys.readouterr().err


def test_no_one_who_reads_on_is_no_error_but_not_a_right_end(site):
    command = [sys.executable, verify.__file__, f"{site.url}/s/#{opened_survey().slug}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout.readline().startswith(b"not checked  Whether the site's manifest")
        program.stdout.close()
        assert program.stderr.read() == b"" and program.wait() == 1


def test_another_definition_is_noticed(site, published):
    """The definition is sound, but the log has another one."""
    survey, other = opened_survey(), create_draft(vectors.EVERY_KIND)
    open_survey(other)
    said = wrong(site, survey, published, at("/definition", lambda body: other.canonical.encode()))
    assert "the log has another definition" in said


def test_what_was_not_given_is_not_called_right(site, published, tmp_path):
    """The verifier calls a claim of the site alone "right" only as far as it was compared."""
    address = f"{site.url}/s/#{opened_survey().slug}"
    found = list(verify.verify(address, verify.Request()))
    said = [text for mark, text in found if mark == "right"]
    assert not any("published" in text or "witness" in text or "before" in text for text in said)
    missing = "\n".join(text for mark, text in found if mark == "not checked")
    for name in ("published one", "the log that others are shown", "own key", "witnesses saw", "your browser"):
        assert name in missing, name
    assert {mark for mark, _ in found} == {"right", "not checked"}


def test_what_was_saved_is_checked_again_without_asking_anyone(site, published, tmp_path):
    address, folder, kept = f"{site.url}/s/#{opened_survey().slug}", tmp_path / "saved", tmp_path / "kept.json"
    online = lines(address, published=published, save=folder)
    beyond = address.replace(site.url, "https://nobody.invalid")
    offline = lines(beyond, published=published, offline=folder, kept=kept)
    assert "not checked: Whether another client is given the same" in offline
    assert online.count("right: ") == offline.count("right: ") + 1
    file = next(path for path in folder.iterdir() if "page.js" in path.name)
    file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(verify.Wrong, match="is not the file of the manifest"):
        lines(beyond, published=published, offline=folder)


def test_one_folder_keeps_what_was_fetched_of_several_surveys(site, published, tmp_path):
    drafts = (vectors.EVERY_KIND, vectors.EVERY_KIND | {"title": "Another"})
    addresses = [f"{site.url}/s/#{opened_survey(draft).slug}" for draft in drafts]
    for folder in ({"save": tmp_path}, {"offline": tmp_path}):
        for address in addresses:
            assert "right: This survey is entry" in lines(address, published=published, **folder)


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
        with pytest.raises(verify.Wrong, match="does not keep its alpha"):
            verify.check_tables(form_cases.changed(change))
