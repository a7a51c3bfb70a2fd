"""The pages of a survey's life: what each says in each state, and what each deed does."""

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
import segno
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.design.drafts import edit
from surveys.lifecycle import Terms, begin_draft, close_survey, create_draft, open_survey
from surveys.models import AuditEntry, Membership, Release, Role, Survey, Tally
from surveys.operation import heartbeat
from tests.support.estimated import work
from tests.support.factories import DRAFT
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


@pytest.fixture
def client(ada):
    return signed_in(ada)


@pytest.fixture
def draft(ada):
    return begin_draft(ada, DRAFT)


@pytest.fixture
def opened(ada, draft):
    open_survey(draft, ada)
    return draft


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def text(response):
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def page(client, survey, name=""):
    return client.get(f"/surveys/{survey.pk}/{name}")


def press(client, survey, name, **data):
    return client.post(f"/surveys/{survey.pk}/{name}", data)


def digest(client, survey):
    return re.search(r'name="digest" value="([0-9a-f]{64})"', page(client, survey, "open/").content.decode())[1]


def collect(survey, start, n):
    store(survey, range(start, start + n))
    work(survey)
    survey.refresh_from_db()


# Opening --------------------------------------------------------------------------------------------------------------


def test_opening_shows_everything_that_is_frozen_with_its_digest(client, draft):
    shown = text(page(client, draft, "open/"))
    for question in DRAFT["questions"]:
        assert question["text"] in shown
    for said in ("α = 1", "α = 2", "α = 4", "Prefer not to say", "Bitwise randomized response", "under 1", "5 or more"):
        assert said in shown
    for named in ("Three kinds", "A survey for the tests.", "Yes or no", "Number, in bins", "To think about"):
        assert (named in shown) == (named != "To think about")
    survey = Survey.objects.get()
    open_survey(survey, digest=digest(client, draft))
    assert survey.is_draft is False


def test_opening_shows_sections_consent_and_thanks(ada, client):
    sections = [{"title": "First part", "text": "About you.", "questions": ["yes", "which"]}]
    sections.append({"title": "Second part", "questions": ["many"]})
    shown = text(
        page(client, begin_draft(ada, DRAFT | {"sections": sections, "consent": "I am 18.", "thanks": "Bye."}), "open/")
    )
    assert "First part About you. Yes or no?" in shown and "Second part How many?" in shown
    assert "Consent I am 18." in shown and "Thank-you Bye." in shown


def test_what_an_incomplete_draft_lacks_leads_to_where_it_is_mended(ada, client):
    first = DRAFT["questions"][0] | {"text": ""}
    survey = begin_draft(ada, {"questions": [first], "sections": [{"title": "", "questions": ["yes"]}]})
    shown = page(client, survey, "open/").content.decode()
    for name in ("texts/", "questions/yes/", "sections/0/"):
        address = f"/surveys/{survey.pk}/{name}"
        assert f'href="{address}"' in shown and client.get(address).status_code == 200


def test_what_a_template_left_in_brackets_is_to_be_thought_about_before_opening(client, draft):
    edit(draft.pk, lambda data: data.update(thanks="Help is at [when and where]. Thank you [all]."))
    shown = text(page(client, draft, "open/"))
    assert "To think about" in shown and "brackets, as in a template: [when and where], [all]" in shown


def test_a_press_opens_what_was_shown_on_the_terms_that_were_given(client, draft):
    begins, ends = (timezone.now().replace(second=0, microsecond=0) + k * DAY for k in (1, 2))
    terms = {"opens_at": f"{begins:%Y-%m-%dT%H:%M}", "closes_at": f"{ends:%Y-%m-%dT%H:%M}"}
    terms |= {"closes_after": "900", "points": "2.5", "batch": "250"}
    answer = press(client, draft, "open/", digest=digest(client, draft), **terms)
    assert (answer.status_code, answer["Location"]) == (302, f"/surveys/{draft.pk}/share/")
    survey = Survey.objects.get()
    assert Terms.of(survey) == Terms(begins, ends, 900, 0.025, 250) and survey.begins_later
    assert AuditEntry.objects.get(action="opened").username == "ada"


def test_a_draft_that_changed_after_the_look_is_shown_anew_and_not_opened(client, draft):
    shown = digest(client, draft)
    edit(draft.pk, lambda data: data.update(title="Another title"))
    answer = press(client, draft, "open/", digest=shown)
    assert answer.status_code == 409 and Survey.objects.get().is_draft
    assert "The draft has changed since you looked" in text(answer) and "Another title" in text(answer)
    assert press(client, draft, "open/").status_code == 409, "a press without a look opens nothing"
    assert press(client, draft, "open/", digest=digest(client, draft)).status_code == 302


def test_an_incomplete_draft_names_everything_that_it_lacks_and_has_no_button(ada, client):
    first = DRAFT["questions"][0]
    survey = begin_draft(ada, {"title": " ", "questions": [first | {"alpha": "0", "text": ""}]})
    shown = page(client, survey, "open/")
    for rule in ("title : must be a text", "question 1, text : must be", "alpha : must be from 0.01 to 16"):
        assert rule.replace(" :", ":") in re.sub(" :", ":", text(shown).replace("&quot;", '"'))
    assert b"Open the survey" not in shown.content
    assert press(client, survey, "open/", digest="x").status_code == 409 and Survey.objects.get().is_draft
    assert "3 things are to be mended" in text(page(client, survey))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opens_at": "2020-01-01T00:00"}, "This time has passed."),
        ({"closes_at": "2020-01-01T00:00"}, "This time has passed."),
        ({"opens_at": "2090-01-02T00:00", "closes_at": "2090-01-01T00:00"}, "It must end after it begins."),
        ({"opens_at": "tomorrow"}, "Enter a valid date/time."),
        ({"closes_after": "0"}, "greater than or equal to 1"),
        ({"points": "60"}, "less than or equal to 49"),
        ({"points": "0"}, "greater than or equal to 0.1"),
        ({"batch": "99"}, "greater than or equal to 100"),
    ],
)
def test_wrong_terms_are_named_beside_their_fields_and_on_top_and_open_nothing(client, draft, given, said):
    answer = press(client, draft, "open/", digest=digest(client, draft), **given)
    assert answer.status_code == 422 and Survey.objects.get().is_draft
    assert text(answer).count(said) == 2
    field = list(given)[-1]
    assert f'aria-describedby="{field}-help {field}-error"' in answer.content.decode()
    assert given[field] in answer.content.decode(), "what was typed stays"


def test_of_two_presses_the_second_finds_the_survey_open(client, draft):
    shown = digest(client, draft)
    assert press(client, draft, "open/", digest=shown)["Location"].endswith("/share/")
    answer = client.post(f"/surveys/{draft.pk}/open/", {"digest": shown}, follow=True)
    assert "had been opened already" in text(answer) and Tally.objects.count() == 1


def test_the_page_says_how_many_reports_a_precision_is_expected_to_take(client, draft):
    from ldp.planning.stopping import reports_needed
    from surveys.figures import numerals

    shown, questions = text(page(client, draft, "open/")), definition_of(draft)["questions"]
    for points in (10, 5, 3, 2):
        most = max(reports_needed(question, points / 100, 0.95) for question in questions)
        assert f"±{points}: {numerals.count_up(most)} reports" in shown


def definition_of(survey):
    from surveys import definition

    return definition.build(survey.draft)


# Overview and listing -------------------------------------------------------------------------------------------------


def test_the_overview_names_the_state_and_one_next_step(ada, client, draft, monkeypatch):
    monkeypatch.setattr(heartbeat, "status", lambda: "ok")
    assert _next(client, draft) == ("This draft is complete.", "Look and open")
    open_survey(draft, ada, terms=Terms(opens_at=timezone.now() + DAY))
    assert _next(client, draft)[1] == "Share the link" and "from its beginning on" in _next(client, draft)[0]
    Survey.objects.update(opens_at=None)
    assert "First results come with 200 to 300" in _next(client, draft)[0]
    collect(draft, 0, 300)
    assert _next(client, draft)[1] == "See the results"
    assert "200 At release 1 of" in text(page(client, draft)) and "300" not in text(page(client, draft))
    close_survey(draft)
    work(draft)
    assert "all its results are there" in _next(client, draft)[0]


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
    assert "Progress" in shown and "Settings" not in shown and "/share/" not in shown and "/close/" not in shown
    assert b"/close/" not in page(client, opened, "progress/").content


def test_the_listing_says_what_needs_somebody(ada, client, opened):
    Survey.objects.update(closes_at=timezone.now() + DAY)
    shown = text(client.get("/surveys/"))
    assert "Ends within two days." in shown and "No release yet" in shown and "The worker is not at work" in shown
    Survey.objects.update(closes_at=timezone.now() + 3 * DAY)
    assert "Ends within two days." not in text(client.get("/surveys/"))
    Tally.objects.update(attempts=3)
    assert "could not be counted yet" in text(client.get("/surveys/"))


def test_an_empty_listing_says_what_to_do_first_and_drafts_need_no_worker(ada, client):
    assert "Begin with a draft" in text(client.get("/surveys/"))
    begin_draft(ada, {"title": "Sleep"})
    shown = text(client.get("/surveys/"))
    assert "0 questions" in shown and "The worker" not in shown


# Sharing --------------------------------------------------------------------------------------------------------------


def test_the_link_is_whole_in_every_form(client, ada, settings):
    settings.SITE_URL = "https://surveys.example.org"
    survey = begin_draft(ada, DRAFT | {"title": 'Who & what <b>"now"</b>?'})
    open_survey(survey, ada)
    link = f"https://surveys.example.org/s/{survey.slug}/"
    shown = page(client, survey, "share/").content.decode()
    assert shown.count(link) == 4, "as a link, in its words, in the mail and in the HTML"
    assert "Who &amp; what &lt;b&gt;" in shown and "<b>" not in shown.split("<main")[1]
    embedded = re.search(r'<textarea id="embed"[^>]*>(.*?)</textarea>', shown, re.DOTALL)[1]
    assert "target=&quot;_blank&quot; rel=&quot;noopener noreferrer&quot;" in embedded and "iframe" not in embedded
    assert "&amp;lt;b&amp;gt;" in embedded, "the title cannot be markup on the other site either"
    assert "answer twice" in shown
    code = page(client, survey, "share/code.svg?download")
    assert code["Content-Disposition"] == f'attachment; filename="survey-{survey.pk}.svg"'
    assert dots(code.content) == {
        (x, y)
        for y, row in enumerate(segno.make(link, error="m").matrix_iter(border=4))
        for x, dark in enumerate(row)
        if dark
    }


def dots(svg):
    """The dark modules of the code as (column, row), read from its strokes."""
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


# Progress -------------------------------------------------------------------------------------------------------------


def test_progress_tells_of_releases_only(ada, client, draft, monkeypatch):
    monkeypatch.setattr(heartbeat, "status", lambda: "ok")
    open_survey(draft, ada, terms=Terms(closes_at_half_width=0.1))
    before = page(client, draft, "progress/")
    assert "The first comes when 200 to 300 reports have come" in text(before)
    collect(draft, 0, 150)
    assert steady(page(client, draft, "progress/")) == steady(before), "no release, nothing to see"
    collect(draft, 1000, 150)
    shown = page(client, draft, "progress/")
    assert "200 at release 1 of" in text(shown) and "+100" in text(shown)
    assert not re.search(r"(?<![\d,])300\b", text(shown)), "what has come since is nobody's to see"
    store(draft, range(5000, 5090))
    assert steady(page(client, draft, "progress/")) == steady(shown)


def steady(response):
    return re.sub(rb'name="csrfmiddlewaretoken" value="[^"]*"', b"", response.content)


def test_progress_sets_the_width_that_is_reached_against_the_target(ada, client, draft):
    from surveys.results import widths

    open_survey(draft, ada, terms=Terms(closes_at_half_width=0.1))
    collect(draft, 0, 2000)
    shown, release = text(page(client, draft, "progress/")), Release.objects.get()
    found = widths.by_question(draft.questions, release.document)
    for question in draft.questions:
        assert f"{question['text']} ±{100 * found[question['key']]:.1f}" in shown
    assert "further than 10 percentage points" in shown
    needed = max(release.n * (width / 0.1) ** 2 for width in found.values())
    assert any(
        abs(needed - float(number.replace(",", ""))) < 0.05 * needed for number in re.findall(r"[\d,]{4,}", shown)
    )


def test_progress_says_of_what_sort_its_widths_are_while_the_survey_goes_on_and_not_after(client, opened):
    collect(opened, 0, 300)
    goes_on = "While the survey goes on they hold at every release"
    assert goes_on in text(page(client, opened, "progress/"))
    close_survey(opened)
    work(opened)
    assert goes_on not in text(page(client, opened, "progress/"))


def test_the_picture_is_a_stair_that_is_as_high_as_each_release(client, opened):
    collect(opened, 0, 300)
    collect(opened, 1000, 300)
    for theme, width in (("light", "600"), ("dark", "358")):
        name = "wide" if width == "600" else "narrow"
        svg = page(client, opened, f"progress/{theme}-{name}.svg")
        root = ElementTree.fromstring(svg.content)
        circles = [each for each in root.iter() if each.tag.endswith("circle")]
        assert root.get("width") == width and len(circles) == 2
        assert "Reports at each release" in root[1].text and "<style" not in svg.content.decode()
        assert float(circles[0].get("cy")) > float(circles[1].get("cy"))
    assert page(client, opened, "progress/light-huge.svg").status_code == 404
    assert svg["ETag"] and page(client, opened, "progress/light-wide.svg")["Cache-Control"] == "private, no-cache"


def test_what_is_wrong_is_said_in_plain_words(client, opened, monkeypatch):
    collect(opened, 0, 300)
    for status, said in (("late", "The worker is not at work"), ("behind", "The worker is behind"), ("ok", "")):
        monkeypatch.setattr(heartbeat, "status", lambda status=status: status)
        assert said in text(page(client, opened, "progress/"))
    assert "What is wrong" not in text(page(client, opened, "progress/"))
    n, totals = 300, Release.objects.get().totals
    Release.objects.create(
        survey=opened, number=2, day=timezone.now().date(), final=False, n=n, totals=totals, digest="", attempts=3
    )
    assert "The estimates of a release could not be made yet" in text(page(client, opened, "progress/"))


# Deeds ----------------------------------------------------------------------------------------------------------------


def test_ending_by_hand_asks_first_and_is_in_the_log(client, opened):
    assert "End this survey?" in text(page(client, opened, "close/")) and Survey.objects.get().state == "open"
    assert "has ended" in text(client.post(f"/surveys/{opened.pk}/close/", follow=True))
    assert Survey.objects.get().state == "closed" and AuditEntry.objects.filter(action="closed").count() == 1
    assert "was not open" in text(client.post(f"/surveys/{opened.pk}/close/", follow=True))


def test_settings_change_what_may_change(client, opened):
    end = timezone.now().replace(second=0, microsecond=0) + DAY
    assert press(client, opened, "settings/end/", closes_at=f"{end:%Y-%m-%dT%H:%M}").status_code == 302
    assert Survey.objects.get().closes_at == end
    refused = press(client, opened, "settings/end/", closes_at="2020-01-01T00:00")
    assert refused.status_code == 422 and text(refused).count("This time has passed.") == 2
    assert press(client, opened, "settings/publication/", to="yes").status_code == 302
    assert Survey.objects.get().results_public and "Take the results back" in text(page(client, opened, "settings/"))
    assert press(client, opened, "settings/publication/", to="maybe").status_code == 404
    assert "or the survey is open" in text(
        client.post(f"/surveys/{opened.pk}/settings/archive/", {"to": "yes"}, follow=True)
    )


def test_a_designer_sets_the_end_and_only_an_owner_publishes_archives_and_deletes(opened):
    bob = User.objects.create_user("bob")
    Membership.objects.create(survey=opened, user=bob, role=Role.DESIGNER)
    client = signed_in(bob)
    assert press(client, opened, "settings/end/", closes_at="").status_code == 302
    for name, data in (("settings/publication/", {"to": "yes"}), ("settings/archive/", {"to": "yes"}), ("delete/", {})):
        assert press(client, opened, name, **data).status_code == 404
    shown = text(page(client, opened, "settings/"))
    assert "New version" in shown and "Publish" not in shown and "Delete" not in shown


def test_a_survey_is_deleted_once_its_title_is_typed(client, opened):
    assert page(client, opened, "delete/")["Location"].endswith("/settings/"), "not while it is open"
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
    answer = press(client, opened, "settings/version/")
    later = Survey.objects.exclude(pk=opened.pk).get()
    assert answer["Location"] == f"/surveys/{later.pk}/" and later.is_draft
    assert f"/surveys/{later.pk}/" in page(client, opened).content.decode()
    assert "Earlier version" in text(page(client, later))
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
    assert press(client, draft, "settings/version/").status_code == 404
    assert page(client, draft, "progress/")["Location"] == f"/surveys/{draft.pk}/"
    assert create_draft(DRAFT).pk and page(client, draft, "settings/").status_code == 200
