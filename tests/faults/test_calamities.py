"""Calamities of a site: 0 reports are lost, 0 are doubled, and counting continues by itself. `python -m
benchmarks.faults --calamities` is the long version and also shows the answers to respondents' browsers."""

import pytest

from tests.services import calamities

pytestmark = [pytest.mark.system, pytest.mark.slow]


@pytest.mark.statistical
@pytest.mark.parametrize("name", calamities.CALAMITIES, ids=lambda name: f"production-{name}")
def test_what_is_acknowledged_is_stored_and_counted_once_whatever_befalls_the_site(fragile, name, nightly):
    reports, away = (5000, calamities.AWAY) if nightly else (200, 2.0)
    outcome = calamities.run(name, fragile, reports, away)
    assert outcome.books.wrongs == []
    assert outcome.books.stored == outcome.books.counted >= outcome.books.acknowledged >= reports
    assert outcome.seen.keys() <= {"200", "201", "500", "503", "no answer"}, "each but the first two is tried again"
