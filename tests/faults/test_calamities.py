"""What befalls a site once: 0 reports lost and 0 doubled, and counting goes on by itself.
`python -m benchmarks.faults --calamities` is the long version, and says what respondents' browsers are told."""

import pytest

from tests.services import calamities

pytestmark = [pytest.mark.system, pytest.mark.slow]

SETTINGS = {"BLOCK_SIZE": "200", "BATCH": "50"}


@pytest.fixture(scope="module")
def one_postgres():
    """For all but the one that needs two: a calamity that something of an earlier one outlives would be seen too."""
    with calamities.site("", **SETTINGS) as shared:
        yield shared


@pytest.fixture
def site(request, name):
    if name != calamities.FAILOVER:
        yield request.getfixturevalue("one_postgres")
    else:
        with calamities.site(name, **SETTINGS) as own:
            yield own


@pytest.mark.statistical
@pytest.mark.parametrize("name", calamities.CALAMITIES)
def test_what_is_acknowledged_is_stored_and_counted_once_whatever_befalls_the_site(site, name, nightly):
    reports, away = (5000, calamities.AWAY) if nightly else (300, 2.0)
    outcome = calamities.run(name, site, reports, away)
    assert outcome.books.wrongs == []
    assert outcome.books.stored == outcome.books.counted >= outcome.books.acknowledged >= reports
    assert outcome.seen.keys() <= {"200", "201", "500", "503", "no answer"}, "each but the first two is tried again"
