import pytest

from surveys.respondent.invitations import blind, book
from tests.respondent.invitations import DIGEST


@pytest.fixture(scope="module")
def key():
    return blind.new_key()


@pytest.fixture
def file(settings, tmp_path, key):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    book.enter(DIGEST, [key])
    return settings.INVITATIONS_FILE
