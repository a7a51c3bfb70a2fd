"""Metrics about people come in hundreds, on the hour, with a random remainder."""

import re
from collections import Counter
from fractions import Fraction

import pytest
import yaml

from surveys.operation import counts
from surveys.operation.counts import HOUR, STEP, Hourly
from tests.services.system import ROOT

DEPLOY = ROOT / "docs" / "deploy"

# These need a certificate, a backup or a mail server (tests/worker/test_mail.py).
ABSENT = {"deniable_certificate_days", "deniable_backup_days", "deniable_mail_waiting", "deniable_mail_failing"}


def hourly(monkeypatch, beginning, events):
    """Return the numbers that a process with this beginning writes after that many events in each hour."""
    monkeypatch.setattr(counts.secrets, "randbelow", lambda step: beginning)
    written, waits = [], []
    process = Hourly(lambda full: written.append(full["it"]) or True, lambda *wait: waits.append(wait), lambda: 100.0)
    for number in events:
        before = len(written)
        for _ in range(number):
            process.add("it")
        for seconds, act in waits:
            assert seconds == HOUR - 100, "on the hour"
            act()
        waits.clear()
        if len(written) == before:
            written.append(0)
    return tuple(written)


@pytest.mark.parametrize("events", [(0,), (7,), (99,), (250,), (30, 30, 30)])
def test_one_report_more_changes_what_is_written_in_one_case_of_a_hundred(monkeypatch, events):
    """All remainders are enumerated. An observer who sends all other reports notices one more with only this chance."""
    one_more = (*events[:-1], events[-1] + 1)
    looks = [Counter(hourly(monkeypatch, b, seen) for b in range(STEP)) for seen in (events, one_more)]
    differ = sum((looks[0] - looks[1]).values())
    assert Fraction(differ, STEP) == Fraction(1, STEP)


def test_what_redis_does_not_take_waits_for_the_next_hour():
    answers, written = [False, True], []
    process = Hourly(lambda full: written.append(full) or answers.pop(0), lambda *wait: None, lambda: 0.0)
    for _ in range(200):
        process.add("it")
    process.write()
    process.write()
    process.write()
    assert written == [written[0]] * 2 and written[0]["it"] >= 200


@pytest.mark.database
@pytest.mark.django_db
def test_alerts_and_dashboard_name_figures_that_there_are(client, settings):
    settings.METRICS_TOKEN = "watcher"
    answer = client.get("/metrics", headers={"Authorization": "Bearer watcher"})
    names = set(re.findall(r"^(?:# TYPE )?(deniable_\w+)", answer.content.decode(), re.MULTILINE))
    for file in ("deniable.rules.yaml", "dashboard.json"):
        text = (DEPLOY / "watch" / file).read_text()
        assert set(re.findall(r"\bdeniable_\w+", text)) <= names | ABSENT, file


def test_every_alert_says_what_to_do_and_where():
    (group,) = yaml.safe_load((DEPLOY / "watch" / "deniable.rules.yaml").read_text())["groups"]
    runbooks = set(re.findall(r"^### (.*)$", (ROOT / "docs" / "operators" / "runbook.md").read_text(), re.MULTILINE))
    for rule in group["rules"]:
        assert rule["annotations"]["summary"].endswith(".") and rule["annotations"]["runbook"] in runbooks, rule[
            "alert"
        ]
