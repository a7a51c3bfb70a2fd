"""A recount from the blocks equals the newest release, to the last integer."""

import pytest
from django.core.management import CommandError, call_command

from surveys.models import Block
from tests.support.estimates import collect
from tests.support.factories import opened_survey
from worker import blocks, recount, tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def test_a_recount_from_the_blocks_is_the_newest_release():
    survey = opened_survey()
    collect(survey, *[130] * 5)
    request = recount.request(survey)
    collect(survey, 300)  # reports after the request are not part of it
    for part in recount.missing(request):
        recount.count_part(part.pk)
        recount.count_part(part.pk)  # a second count changes nothing
    assert not recount.missing(request).exists() and recount.equal(request)
    assert recount.result(request)[0]["n"] == request.release.n == 550


def test_a_recount_finds_a_block_that_changed(capsys):
    survey = opened_survey()
    collect(survey, 350)
    call_command("recount", survey.slug, here=True)
    assert "equals release 1: 250 reports" in capsys.readouterr().out
    block = Block.objects.filter(stage=Block.Stage.RELEASED).first()
    rows = blocks.decode(bytes(block.columns)).copy()
    rows[0, 0] ^= 0x80
    Block.objects.filter(pk=block.pk).update(columns=blocks.encode(rows))
    with pytest.raises(CommandError, match="differs"):
        call_command("recount", survey.slug, here=True)


def test_what_was_not_released_cannot_be_counted_again():
    survey = opened_survey()
    collect(survey, 150)
    assert recount.request(survey) is None
    with pytest.raises(CommandError, match="no release yet"):
        call_command("recount", survey.slug, here=True)


def test_a_recount_of_an_unknown_survey_is_refused():
    with pytest.raises(CommandError, match="No survey"):
        call_command("recount", "unknown", here=True)


def test_a_recount_whose_messages_were_lost_is_sent_again(started, monkeypatch):
    survey = opened_survey()
    collect(survey, 300)
    request, sent = recount.request(survey), []
    monkeypatch.setattr(tasks, "dispatch", lambda again: sent.append(again.pk))
    tasks.sweep()
    assert sent == []
    type(request).objects.update(dispatched_at=request.dispatched_at - tasks.RESEND)
    tasks.sweep()
    assert sent == [request.pk]
