"""The page of a survey's progress shows releases only, compared with the wanted precision, and lists problems."""

import re
from datetime import date
from xml.etree import ElementTree

import pytest
from django.test import RequestFactory
from django.utils import timezone
from django.utils.translation import override

from surveys.figures import timeline
from surveys.figures.layout import WIDTHS
from surveys.figures.targets import usual_target
from surveys.figures.themes import THEMES
from surveys.life.lifecycle import Terms, begin_draft, close_survey, open_survey
from surveys.models import Release
from surveys.operation import heartbeat
from surveys.researcher.results.views import selection_of
from tests.support.drawn import drawn
from tests.support.estimates import work
from tests.support.life import collect, page, text
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db


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
    from surveys.researcher.results import precision

    open_survey(draft, ada, terms=Terms(closes_at_half_width=0.1))
    collect(draft, 0, 2000)
    shown, release = text(page(client, draft, "progress/")), Release.objects.get()
    found = precision.by_question(draft.questions, release.document)
    for question in draft.questions:
        assert f"{question['text']} ±{100 * found[question['key']]:.1f}" in shown
    assert "further than 10 percentage points" in shown
    needed = max(release.n * (width / 0.1) ** 2 for width in found.values())
    assert any(
        abs(needed - float(number.replace(",", ""))) < 0.05 * needed for number in re.findall(r"[\d,]{4,}", shown)
    )


def test_progress_says_of_what_sort_its_widths_are_while_the_survey_goes_on_and_not_after(client, opened):
    collect(opened, 0, 300)
    goes_on = "While the survey is open, they hold at every release"
    assert goes_on in text(page(client, opened, "progress/"))
    close_survey(opened)
    work(opened)
    assert goes_on not in text(page(client, opened, "progress/"))


@pytest.mark.parametrize(("invitations", "target"), [(False, "population"), (True, "respondents")])
def test_plan_progress_and_results_are_about_the_same_people_first(ada, client, invitations, target):
    """Their widths are also equal if nothing else differs: with this many people, after the end."""
    questions = [{"key": "a", "kind": "yes_no", "text": "Is it?", "alpha": "2"}]
    survey = begin_draft(ada, {"title": "x", "questions": questions, "invitations": invitations})
    survey.expected_n = 2000
    survey.save()
    planned = text(page(client, survey, "open/"))
    [width] = re.findall(r"Is it\? ±([\d.]+) points", planned)
    about = {"respondents": "All widths are about exactly", "population": "All widths are about a population"}
    assert about[target] in planned
    open_survey(survey, ada)
    survey.refresh_from_db()
    totals = [{"n": 2000, "totals": {"a": {"support": [1000, 1000]}}}]
    release = Release.objects.create(
        survey=survey, number=1, day=timezone.now().date(), final=True, n=2000, tallies=totals
    )
    work(survey)
    release.refresh_from_db()
    shown = text(page(client, survey, "progress/"))
    assert f"Is it? ±{float(width):.1f}" in shown or f"Is it? ±{float(width) - 0.1:.1f}" in shown
    named = {
        "respondents": "They are about exactly the people",
        "population": "about a population of which the people who took",
    }
    assert named[target] in shown
    begins = selection_of(RequestFactory().get("/"), release, usual_target(survey.definition))
    assert begins.target == target


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


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "31 Dec 2029", "1 Jan 2030"),
        ("de", "31.12.2029", "01.01.2030"),
        ("ar", "31 ديسمبر 2029", "1 يناير 2030"),
    ],
)
def test_the_pictures_days_are_written_in_the_language_of_the_page(language, first, second):
    with override(language):
        drawn = timeline.draw(date(2029, 12, 31), [(date(2030, 1, 1), 300)], None, "", THEMES["light"], WIDTHS["wide"])
    written = "".join(ElementTree.fromstring(drawn).itertext())
    assert first in written and second in written


def test_what_the_next_release_waits_for_is_said_and_never_how_many_wait(client, opened):
    collect(opened, 0, 300)
    before = text(page(client, opened, "progress/"))
    assert "reports at least, or the end of the survey" in before
    store(opened, range(9))
    work(opened)
    assert text(page(client, opened, "progress/")) == before


def test_what_is_wrong_is_said_in_plain_words(client, opened, monkeypatch):
    collect(opened, 0, 300)
    for status, said in (("late", "The worker is not running"), ("behind", "The worker is behind"), ("ok", "")):
        monkeypatch.setattr(heartbeat, "status", lambda status=status: status)
        assert said in text(page(client, opened, "progress/"))
    assert "Problems" not in text(page(client, opened, "progress/"))
    facts = {"number": 2, "day": timezone.now().date(), "final": False, "n": 300, "attempts": 3}
    Release.objects.create(survey=opened, **facts, tallies=Release.objects.get().tallies, digest="")
    assert "Computing the estimates of a release has failed several times" in text(page(client, opened, "progress/"))


def test_the_reports_of_each_form_stand_beside_what_its_weight_lets_expect(ada, client):
    questions = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "2"} for key in "ab"]
    forms = [{"weight": 3, "questions": ["a"]}, {"weight": 1, "questions": ["b"]}]
    survey = begin_draft(ada, drawn({"title": "x", "introduction": "", "questions": questions, "forms": forms}))
    open_survey(survey, ada)
    collect(survey, 0, 2000)
    shown = text(page(client, survey, "progress/"))
    assert "these numbers need not follow the chances" in shown and "Reports of each form" in shown
    for word in ("expected by its weight", "people may be leaving it", "A day, so far", "at this rate"):
        assert word not in shown, "batches are of one form, and the reports that wait for theirs are not seen"
    close_survey(survey)
    work(survey)
    release, shown = Release.objects.latest_of(survey), text(page(client, survey, "progress/"))
    for place, (tally, part) in enumerate(zip(release.tallies, (0.75, 0.25), strict=True), 1):
        assert f"Form {place}: {tally['n']:,} expected by its weight: {round(release.n * part):,}" in shown
    assert "people may be leaving it" in shown


def test_of_forms_the_first_release_waits_for_the_reports_of_one(ada, client):
    questions = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"} for key in "ab"]
    survey = begin_draft(
        ada, drawn({"title": "x", "questions": questions, "forms": [{"questions": [key]} for key in "ab"]})
    )
    open_survey(survey, ada)
    assert "The first comes when 200 to 300 reports of one form have come" in text(page(client, survey, "progress/"))
    overview = text(page(client, survey))
    assert "when 200 people have answered the same form, at the latest when 300 have" in overview


def test_without_forms_nothing_is_said_of_them(client, opened):
    collect(opened, 0, 300)
    assert "Reports of each form" not in text(page(client, opened, "progress/"))
