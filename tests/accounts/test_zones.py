"""Times are typed and shown in the account's time zone, with the zone's name."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.designer.studio.terms import EndInput, OpeningTimeInput
from surveys.figures.typed import ZONE, Moment
from surveys.life.lifecycle import begin_draft, open_survey
from surveys.models import Profile
from surveys.web import zones
from tests.support.factories import DRAFT
from tests.support.life import page, press, signed_in, text

pytestmark = pytest.mark.django_db
BERLIN, ST_JOHNS, CAIRO = "Europe/Berlin", "America/St_Johns", "Africa/Cairo"


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


@pytest.fixture
def survey(ada):
    draft = begin_draft(ada, DRAFT)
    open_survey(draft, ada)
    return draft


def lives_in(user, zone):
    Profile.objects.update_or_create(user=user, defaults={"zone": zone})
    return signed_in(user)


def sundays(month):
    """Return the night of a month's last Sunday next year. Clocks change in Europe then."""
    last = date(timezone.now().year + 1, month, 31)
    return last - timedelta(days=(last.weekday() + 1) % 7)


# Sources of the zone --------------------------------------------------------------------------------------------------


def test_the_first_page_asks_the_browser_and_later_ones_do_not(ada, survey):
    client = signed_in(ada)
    assert 'id="zone"' in client.get("/surveys/").content.decode() and "UTC" in shown_end(client, survey)
    assert client.post("/account/zone/", {"zone": BERLIN, "first": "yes"}).status_code == 204
    assert 'id="zone"' not in client.get("/surveys/").content.decode()
    assert BERLIN in shown_end(client, survey)


def shown_end(client, survey):
    """Return the zone beside the field of the end."""
    return re.search(r'<span class="quiet zone">(.*?)</span>', page(client, survey, "").content.decode())[1]


def test_what_a_browser_says_later_changes_no_choice_and_the_account_does(ada):
    client = lives_in(ada, BERLIN)
    client.post("/account/zone/", {"zone": ST_JOHNS, "first": "yes"})
    assert Profile.objects.get().zone == BERLIN
    client.post("/account/zone/", {"zone": ST_JOHNS})
    assert "Times are now shown in the time zone America/St_Johns." in text(client.get("/account/"))
    assert "<option selected>America/St_Johns</option>" in client.get("/account/").content.decode()


def test_where_the_site_lacks_a_zone_that_an_account_has_times_are_in_utc(ada, survey):
    assert shown_end(lives_in(ada, "Mars/Olympus"), survey) == "UTC"


def test_a_zone_that_does_not_exist_is_refused_by_its_name(ada):
    answer = signed_in(ada).post("/account/zone/", {"zone": "Mars/Olympus"})
    assert answer.status_code == 422 and "Mars/Olympus" in text(answer) and not Profile.objects.exists()


# Shown times ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "words"),
    [("UTC", "1 July 2099, 22:00 UTC"), (BERLIN, "2 July 2099, 00:00 Europe/Berlin"),
     (ST_JOHNS, "1 July 2099, 19:30 America/St_Johns")],
)  # fmt: skip
def test_an_end_is_shown_by_the_readers_clock(ada, survey, zone, words):
    client = lives_in(ada, zone)
    survey.closes_at = datetime(2099, 7, 1, 22, tzinfo=UTC)
    survey.save()
    assert words in text(page(client, survey)) and f"Ends on {words}" in text(client.get("/surveys/"))


def test_a_time_that_clocks_show_twice_has_its_offset():
    token = ZONE.set(ZoneInfo(BERLIN))
    try:
        first, second = (zones.moment(datetime(2026, 10, 25, hour, 30, tzinfo=UTC)) for hour in (0, 1))
        assert first.endswith("02:30 Europe/Berlin (+0200)") and second.endswith("02:30 Europe/Berlin (+0100)")
        assert zones.moment(datetime(2026, 10, 25, 2, 30, tzinfo=UTC)).endswith("03:30 Europe/Berlin")
    finally:
        ZONE.reset(token)


def test_results_and_the_api_are_in_utc_for_everyone(ada, survey):
    client = lives_in(ada, BERLIN)
    survey.closes_at = datetime(2099, 7, 1, 22, tzinfo=UTC)
    survey.save()
    assert client.get(f"/api/v1/studio/{survey.pk}").json()["closes_at"] == "2099-07-01T22:00:00Z"


# Typed times ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "typed", "utc"),
    [
        (BERLIN, "2099-07-01T18:00", "2099-07-01 16:00"),
        (BERLIN, "2099-12-01T18:00", "2099-12-01 17:00"),
        (ST_JOHNS, "2099-07-01T18:00", "2099-07-01 20:30"),
        ("UTC", "2099-07-01T18:00", "2099-07-01 18:00"),
        (BERLIN, "2099-07-01", "2099-07-01 21:59"),
    ],
)
def test_an_end_is_typed_by_the_designers_clock(ada, survey, zone, typed, utc):
    press(lives_in(ada, zone), survey, "end/", closes_at=typed, closes_at_zone=zone)
    survey.refresh_from_db()
    assert f"{survey.closes_at.astimezone(UTC):%Y-%m-%d %H:%M}" == utc


def test_the_zone_that_the_page_showed_counts_and_not_one_chosen_meanwhile(ada, survey):
    press(lives_in(ada, ST_JOHNS), survey, "end/", closes_at="2099-07-01T18:00", closes_at_zone=BERLIN)
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2099, 7, 1, 16, tzinfo=UTC)


def error_of(typed, zone, kind=EndInput, name="closes_at"):
    return kind({name: typed, f"{name}_zone": zone}).errors.get(name, [""])[0]


def test_a_time_that_no_clock_shows_and_one_that_clocks_show_twice_are_refused_by_name():
    spring, autumn = sundays(3), sundays(10)
    assert re.search("No clock shows .* 02:30 in Europe/Berlin", error_of(f"{spring}T02:30", BERLIN))
    assert re.search("Clocks show .* 02:30 twice in Europe/Berlin", error_of(f"{autumn}T02:30", BERLIN))
    for typed in (f"{spring}T01:59", f"{spring}T03:00", f"{autumn}T01:59", f"{autumn}T03:00", f"{spring}", f"{autumn}"):
        assert error_of(typed, BERLIN) == "", typed
    assert error_of(f"{spring}T02:30", "UTC") == error_of(f"{autumn}T02:30", "UTC") == ""


def test_a_day_whose_last_hour_comes_twice_ends_with_the_later_one():
    """In Cairo, clocks go back at midnight on the last Thursday of October."""
    year = timezone.now().year + 1
    night = max(day for day in range(25, 32) if date(year, 10, day).weekday() == 3)
    form = EndInput({"closes_at": f"{year}-10-{night}", "closes_at_zone": CAIRO})
    assert form.is_valid(), form.errors
    end = form.cleaned_data["closes_at"].astimezone(ZoneInfo(CAIRO))
    assert (end.hour, end.fold) == (23, 1)


def test_a_refused_time_stays_as_it_was_typed_with_its_zone():
    form = OpeningTimeInput({"opens_at": "1999-01-01T10:00", "opens_at_zone": ST_JOHNS})
    shown = str(form["opens_at"])
    assert not form.is_valid() and 'value="1999-01-01T10:00"' in shown and f'value="{ST_JOHNS}"' in shown


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "][", "/etc", "Europe/", "zone.tab"])
def test_a_zone_that_no_page_shows_is_refused(zone):
    assert error_of("2099-07-01T18:00", zone) == Moment.default_error_messages["invalid"]


def test_without_a_zone_a_time_is_that_of_the_account(ada, survey):
    """A script that fills the page's form sends no zone."""
    press(lives_in(ada, BERLIN), survey, "end/", closes_at="2099-07-01T18:00")
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2099, 7, 1, 16, tzinfo=UTC)


def test_who_has_no_account_is_asked_nothing():
    assert 'id="zone"' not in Client().get("/").content.decode()
