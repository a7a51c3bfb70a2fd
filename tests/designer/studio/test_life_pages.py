"""The pages of a survey's life: their text in each state, and the effect of each action."""

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
import segno
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.life.lifecycle import Terms, begin_draft, close_survey, create_draft, open_survey
from surveys.models import AuditEntry, Membership, Role, Survey, Tally
from surveys.operation import heartbeat
from tests.support.drafts import edit
from tests.support.estimates import work
from tests.support.factories import DRAFT
from tests.support.life import collect, page, press, signed_in, text

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


# Overview and listing -------------------------------------------------------------------------------------------------


def test_the_overview_names_the_state_and_one_next_step(ada, client, draft, monkeypatch):
    monkeypatch.setattr(heartbeat, "status", lambda: "ok")
    open_survey(draft, ada, terms=Terms(opens_at=timezone.now() + DAY))
    assert _next(client, draft)[1] == "Share the link" and "once it begins" in _next(client, draft)[0]
    Survey.objects.update(opens_at=None)
    assert "The first results appear when 200 are there, at the latest when there are 300." in _next(client, draft)[0]
    collect(draft, 0, 300)
    assert _next(client, draft)[1] == "See the results"
    assert "200 At release 1 of" in text(page(client, draft)) and "300" not in text(page(client, draft))
    close_survey(draft)
    work(draft)
    assert "all its results are available" in _next(client, draft)[0]


def test_results_are_a_tab_once_there_can_be_any(client, draft, ada):
    assert page(client, draft).url == f"/surveys/{draft.pk}/questions/", "a draft has no overview"
    assert ">Results</a>" not in page(client, draft, "questions/").content.decode()
    open_survey(draft, ada)
    assert 'aria-current="page">Overview' in page(client, draft).content.decode()
    draft.refresh_from_db()
    address = f"/r/{draft.slug}/"
    assert f'<a href="{address}">Results</a>' in page(client, draft).content.decode()
    assert client.get(address).status_code == 200


def test_the_results_keep_the_tabs_for_people_with_a_role_and_for_no_one_else(client, opened):
    collect(opened, 0, 300)
    Survey.objects.update(results_public=True)
    listed = ("", "1/", "1/downloads/", "1/codebook/", "1/comparisons/", "1/cross/", "questions/yes/")
    for path in listed:
        shown = client.get(f"/r/{opened.slug}/{path}").content.decode()
        assert shown.count('<nav class="tabs"') == 1 and 'aria-current="page">Results<' in shown, path
        assert f'href="/surveys/{opened.pk}/share/"' in shown
        for stranger in (Client(), signed_in(User.objects.get_or_create(username="eve")[0])):
            assert '<nav class="tabs"' not in stranger.get(f"/r/{opened.slug}/{path}").content.decode(), path


def test_what_was_asked_has_every_question_and_text_with_its_results(client, opened):
    shown = page(client, opened, "asked/").content.decode()
    for question in DRAFT["questions"]:
        assert question["text"] in shown
    assert opened.digest in shown and DRAFT["introduction"] in shown and "/questions/yes/" not in shown
    assert f'href="/surveys/{opened.pk}/preview/"' in shown
    collect(opened, 0, 300)
    assert f'href="/r/{opened.slug}/questions/yes/"' in page(client, opened, "asked/").content.decode()
    assert page(client, opened, "questions/").url == f"/surveys/{opened.pk}/asked/"


def _next(client, survey):
    shown = page(client, survey).content.decode()
    assert shown.count('class="button"') == 1, "one primary button"
    sentence = re.search(r"<p>(.*?)</p>", shown[shown.index('id="next"') :], re.DOTALL)[1]
    return (sentence.split(" Look")[0], re.search(r'class="button" href="[^"]*">([^<]*)<', shown)[1])


def test_a_viewer_reads_and_is_offered_nothing_that_only_designers_do(ada, opened):
    bob = User.objects.create_user("bob")
    Membership.objects.create(survey=opened, user=bob, role=Role.VIEWER)
    client = signed_in(bob)
    assert [page(client, opened, name).status_code for name in ("", "progress/")] == [200, 200]
    shown = page(client, opened).content.decode()
    assert "Progress" in shown and "New version" not in shown and "/share/" not in shown and "/close/" not in shown
    assert b"/close/" not in page(client, opened, "progress/").content


def test_the_listing_says_what_needs_someone(ada, client, opened):
    Survey.objects.update(closes_at=timezone.now() + DAY)
    shown = text(client.get("/surveys/"))
    assert "Ends within two days." in shown and "No release yet" in shown and "The worker is not running" in shown
    Survey.objects.update(closes_at=timezone.now() + 3 * DAY)
    assert "Ends within two days." not in text(client.get("/surveys/"))
    Tally.objects.update(attempts=3)
    assert "Counting the waiting reports has failed several times" in text(client.get("/surveys/"))


def test_an_empty_listing_says_what_to_do_first_and_drafts_need_no_worker(ada, client):
    assert "A survey begins as a draft." in text(client.get("/surveys/"))
    begin_draft(ada, {"title": "Sleep"})
    shown = text(client.get("/surveys/"))
    assert "0 questions" in shown and "The worker" not in shown


# Sharing --------------------------------------------------------------------------------------------------------------


def test_the_link_is_whole_in_every_form(client, ada, settings):
    settings.SITE_URL = "https://surveys.example.org"
    survey = begin_draft(ada, DRAFT | {"title": 'Who & what <b>"now"</b>?'})
    open_survey(survey, ada)
    link = f"https://surveys.example.org/s/#{survey.slug}"
    shown = page(client, survey, "share/").content.decode()
    assert shown.count(link) == 4, "as a link, in its words, in the mail and in the HTML"
    assert "Who &amp; what &lt;b&gt;" in shown and "<b>" not in shown.split("<main")[1]
    embedded = re.search(r'<textarea id="embed"[^>]*>(.*?)</textarea>', shown, re.DOTALL)[1]
    assert "target=&quot;_blank&quot; rel=&quot;noopener noreferrer&quot;" in embedded and "iframe" not in embedded
    assert "&amp;lt;b&amp;gt;" in embedded, "the title cannot be markup on the other site either"
    code = page(client, survey, "share/code.svg?download")
    assert code["Content-Disposition"] == f'attachment; filename="survey-{survey.pk}.svg"'
    assert dots(code.content) == {
        (x, y)
        for y, row in enumerate(segno.make(link, error="m").matrix_iter(border=4))
        for x, dark in enumerate(row)
        if dark
    }


def dots(svg):
    """Return the dark modules of the code as (column, row), read from its strokes."""
    [path] = [each for each in ElementTree.fromstring(svg).iter() if each.get("class") == "qrline"]
    found, x, y = set(), 0.0, 0.0
    for command, one, other in re.findall(r"([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?", path.get("d")):
        if command == "h":
            found |= {(int(x) + k, int(y)) for k in range(int(one))}
            x += int(one)
        elif command == "M":
            x, y = float(one), float(other)
        else:
            x, y = x + float(one), y + float(other or 0)
    return found


def test_only_an_open_survey_is_shared(client, draft):
    assert page(client, draft, "share/")["Location"] == f"/surveys/{draft.pk}/"
    assert page(client, draft, "share/code.svg").status_code == 404


# Actions --------------------------------------------------------------------------------------------------------------


def test_ending_by_hand_says_before_and_after_how_few_reports_publish_nothing(client, opened):
    assert "If fewer than 20 people have answered, nothing is published" in text(page(client, opened, "close/"))
    said = text(client.post(f"/surveys/{opened.pk}/close/", follow=True))
    assert "Its last results come within seconds, if 20 people have answered." in said
    work(opened)
    assert "This survey ended with fewer than 20 reports." in text(page(client, opened))
    assert "Too few people answered" in text(page(client, opened, "progress/"))


def test_ending_by_hand_asks_first_and_is_in_the_log(client, opened):
    assert "End this survey?" in text(page(client, opened, "close/")) and Survey.objects.get().state == "open"
    assert "has ended" in text(client.post(f"/surveys/{opened.pk}/close/", follow=True))
    assert Survey.objects.get().state == "closed" and AuditEntry.objects.filter(action="closed").count() == 1
    assert "was not open" in text(client.post(f"/surveys/{opened.pk}/close/", follow=True))


def test_who_ends_a_survey_after_its_results_reads_what_its_last_intervals_are_for(client, opened):
    warning = "the last results, too, have the wider intervals that hold at every release"
    assert warning not in text(page(client, opened, "close/")), "nothing was seen yet"
    collect(opened, 0, 300)
    assert warning in text(page(client, opened, "close/"))


def test_settings_change_what_may_change(client, opened):
    end = timezone.now().replace(second=0, microsecond=0) + DAY
    assert press(client, opened, "end/", closes_at=f"{end:%Y-%m-%dT%H:%M}").status_code == 302
    assert Survey.objects.get().closes_at == end
    refused = press(client, opened, "end/", closes_at="2020-01-01T00:00")
    assert refused.status_code == 422 and text(refused).count("This time has passed.") == 2
    assert press(client, opened, "publication/", to="yes").status_code == 302
    assert Survey.objects.get().results_public and "Take the results back" in text(page(client, opened))
    assert press(client, opened, "publication/", to="maybe").status_code == 404
    assert "or the survey is open" in text(client.post(f"/surveys/{opened.pk}/archive/", {"to": "yes"}, follow=True))


def test_a_designer_sets_the_end_and_only_an_owner_publishes_archives_and_deletes(opened):
    bob = User.objects.create_user("bob")
    Membership.objects.create(survey=opened, user=bob, role=Role.DESIGNER)
    client = signed_in(bob)
    assert press(client, opened, "end/", closes_at="").status_code == 302
    for name, data in (("publication/", {"to": "yes"}), ("archive/", {"to": "yes"}), ("delete/", {})):
        assert press(client, opened, name, **data).status_code == 404
    shown = text(page(client, opened))
    assert "New version" in shown and "Publish the" not in shown and "Delete" not in shown


def test_a_survey_is_deleted_once_its_title_is_typed(client, opened):
    assert page(client, opened, "delete/")["Location"] == f"/surveys/{opened.pk}/", "not while it is open"
    close_survey(opened)
    wrong = press(client, opened, "delete/", title="three kinds")
    assert wrong.status_code == 422 and "not its title" in text(wrong) and Survey.objects.exists()
    answer = client.post(f"/surveys/{opened.pk}/delete/", {"title": " Three  kinds "}, follow=True)
    assert "“Three kinds” is deleted." in text(answer) and not Survey.objects.exists()
    assert page(client, opened).status_code == 404


def test_a_draft_without_a_title_is_deleted_by_its_number(ada, client):
    survey = begin_draft(ada, {})
    assert press(client, survey, "delete/", title="").status_code == 422
    assert press(client, survey, "delete/", title=str(survey.pk)).status_code == 302


def test_versions_name_each_other_on_every_page(ada, client, opened):
    answer = press(client, opened, "version/")
    later = Survey.objects.exclude(pk=opened.pk).get()
    assert answer["Location"] == f"/surveys/{later.pk}/" and later.is_draft
    assert f"/surveys/{later.pk}/" in page(client, opened).content.decode()
    assert "Version 2, replaces version 1 (Open)" in text(page(client, later, "questions/")).replace(" ,", ",")
    edit(later.pk, lambda data: data.update(title="The second"))
    later.refresh_from_db()
    open_survey(later, ada)
    for survey, named in ((opened, "Later version The second"), (later, "Earlier version Three kinds")):
        collect(survey, 10_000 * survey.pk, 300)
        assert named in text(client.get(f"/r/{survey.slug}/"))
        Survey.objects.filter(pk=survey.pk).update(results_public=True)
    assert "Later version The second" in text(Client().get(f"/r/{opened.slug}/"))
    Survey.objects.filter(pk=later.pk).update(results_public=False)
    assert "version" not in text(Client().get(f"/r/{opened.slug}/"))


def test_a_draft_has_no_version_and_no_progress_yet(client, draft):
    assert press(client, draft, "version/").status_code == 404
    assert page(client, draft, "progress/")["Location"] == f"/surveys/{draft.pk}/"
    assert create_draft(DRAFT).pk and page(client, draft, "alpha/").status_code == 200
