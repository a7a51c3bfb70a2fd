"""A site that anything may befall, one for all modules of this folder: its tests bear "production" in their names, so
that they go to one process."""

import pytest


@pytest.fixture(scope="package")
def fragile():
    """With its clock. What something before has left behind would be seen too."""
    from tests.services import calamities  # once Django is set up

    with calamities.site(BLOCK_SIZE="100", BATCH="20") as site:
        yield site
