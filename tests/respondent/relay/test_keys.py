"""The gateway's keys: one for all surveys of a week, in files apart from the database, destroyed when no survey needs
them."""

import os
import time

import pytest
from django.utils import timezone

from surveys.life.lifecycle import close_survey
from surveys.models import Survey
from surveys.respondent.relay import keys
from surveys.rules.refusals import DraftRefused
from surveys.survey.definition import relay
from tests.support.factories import DRAFT, opened_survey
from worker import tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

RELAYED = DRAFT | {"relay": "https://relay.example.org"}


@pytest.fixture(autouse=True)
def directory(settings, tmp_path):
    settings.RELAYS = ["https://relay.example.org"]
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    settings.GATEWAY_DIR = tmp_path / "gateway"
    return settings.GATEWAY_DIR


def older(directory, seconds):
    """Make all keys older by that time."""
    for path in directory.iterdir():
        then = time.time() - seconds
        os.utime(path, (then, then))


def key_of(survey):
    return keys.GatewayKey(*relay.key_of(survey.definition["relay"]["key"]))


def test_surveys_that_open_in_a_week_have_one_key_so_its_number_names_none_of_them(directory):
    first, second = opened_survey(RELAYED), opened_survey(RELAYED)
    assert key_of(first) == key_of(second) == keys.current()
    older(directory, keys.ROTATION - 60)
    assert key_of(opened_survey(RELAYED)) == key_of(first)
    older(directory, keys.ROTATION)
    third = opened_survey(RELAYED)
    assert key_of(third) != key_of(first) and set(keys.all_keys()) == {key_of(first), key_of(third)}


def test_a_key_is_destroyed_once_its_last_survey_has_been_over_for_a_day(directory):
    survey, other = opened_survey(RELAYED), opened_survey(RELAYED)
    older(directory, keys.ROTATION + keys.REST + 60)
    assert close_survey(other)
    tasks.destroy_keys()
    assert keys.all_keys() == [key_of(survey)], "one survey is open"
    assert close_survey(survey)
    tasks.destroy_keys()
    assert keys.all_keys() == [key_of(survey)], "who comes late still hears that it is over"
    Survey.objects.update(closed_at=timezone.now() - timezone.timedelta(days=1, minutes=1))
    copy = directory / "copy"
    os.link(next(directory.iterdir()), copy)
    tasks.destroy_keys()
    assert keys.all_keys() == [] and keys.private(key_of(survey).id) is None
    assert copy.read_bytes() == bytes(32), "it is overwritten, not only forgotten"


def test_a_key_that_a_survey_may_just_be_opening_with_is_not_destroyed(directory):
    key = keys.current()
    older(directory, keys.ROTATION + keys.REST - 60)
    tasks.destroy_keys()
    assert keys.all_keys() == [key]


def test_a_key_that_is_replaced_under_its_number_is_read_anew(directory):
    key = keys.current()
    path = directory / f"{key.id}.key"
    assert keys.private(key.id).public_key().public_bytes_raw() == key.public
    path.unlink()
    path.write_bytes(bytes(range(32)))
    assert keys.private(key.id).private_bytes_raw() == bytes(range(32))


def test_a_survey_opens_with_a_relay_of_the_site_alone(settings):
    settings.RELAYS = []
    with pytest.raises(DraftRefused) as refused:
        opened_survey(RELAYED)
    assert str(refused.value).startswith("relay") and Survey.objects.filter(state=Survey.State.OPEN).count() == 0


def test_a_site_without_relays_has_no_keys(directory):
    opened_survey(DRAFT)
    tasks.destroy_keys()
    assert keys.all_keys() == [] and not directory.exists()
