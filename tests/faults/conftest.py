"""A site that anything may befall, one for all modules of this folder: its tests bear "production" in their names, so
that they go to one process."""

import pytest


@pytest.fixture(scope="package")
def fragile():
    """With its clock; a batch is 12 reports. What something before has left behind would be seen too."""
    from tests.services import calamities  # once Django is set up
    from tests.support import observer

    with calamities.site(BLOCK_SIZE="100", **observer.settings(12)) as site:
        yield site
