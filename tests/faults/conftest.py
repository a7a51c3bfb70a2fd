"""A site for all modules of this folder; every fault may happen to it. The names of these tests contain "production",
so one process runs them all."""

import pytest


@pytest.fixture(scope="package")
def fragile():
    """Yield the site with its clock; a batch is 12 reports. A test also sees the results of earlier tests."""
    from tests.services import calamities  # once Django is set up
    from tests.support import observer

    with calamities.site(BLOCK_SIZE="100", **observer.settings(12)) as site:
        yield site
