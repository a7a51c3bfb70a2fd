"""A site without the packages for Parquet, SPSS and Stata offers everything else and names what it omits."""

import csv
import io
import sys

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from ldp.microdata import MISSING
from surveys.models import Membership
from surveys.researcher.downloads.microdata_columns import MicrodataColumn
from tests.support.exports import closed, exported
from tests.support.factories import DRAFT
from worker import microdata

LABELED = {".parquet": "pyarrow", ".sav": "pyreadstat", ".dta": "pyreadstat"}


@pytest.fixture
def light(monkeypatch):
    """Make these packages impossible to import."""
    for package in ("pyarrow", "pandas", "pyreadstat"):
        monkeypatch.setitem(sys.modules, package, None)


def researcher(survey):
    user = User.objects.create_user("researcher")
    Membership.objects.create(survey=survey, user=user, role="researcher")
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.django_db
def test_without_the_packages_the_files_are_made_but_for_their_formats_and_the_page_says_so(light):
    survey = closed(DRAFT, 120)
    export = exported(survey)
    assert export.state == "ready"
    names = set(export.files.values_list("name", flat=True))
    assert names == {"microdata.csv", "release-1.zip"}
    client = researcher(survey)
    page = client.get(f"/r/{survey.slug}/1/downloads/").content.decode()
    assert "This site does not make estimates.parquet, estimates.sav, estimates.dta:" in page
    assert "This site does not make microdata.dta, microdata.parquet, microdata.sav:" in page
    assert "too many numbers" not in page
    for ending in LABELED:
        assert f'downloads/estimates{ending}"' not in page
        assert client.get(f"/r/{survey.slug}/1/downloads/estimates{ending}").status_code == 404
    assert client.get(f"/r/{survey.slug}/1/downloads/estimates.csv").status_code == 200


@pytest.mark.django_db
def test_with_the_packages_every_format_is_made_and_nothing_is_said_of_them():
    survey = closed(DRAFT, 120)
    export = exported(survey)
    assert {f"microdata{ending}" for ending in (".csv", *LABELED)} <= set(export.files.values_list("name", flat=True))
    assert "does not make" not in researcher(survey).get(f"/r/{survey.slug}/1/downloads/").content.decode()


def column(low, high):
    return MicrodataColumn("c", "", "", low, high, {}, True, "scale")


def test_lines_of_csv_hold_every_number_and_nothing_where_one_is_missing():
    low, high = -300, 1200
    numbers = np.arange(low, high + 1, dtype=np.int16)
    table = np.stack([numbers, numbers[::-1], np.full(len(numbers), MISSING, dtype=np.int16)], axis=1)
    table[7, 1] = MISSING
    text = microdata.csv_lines([column(low, high)] * 3)(table).decode()
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [["" if cell == MISSING else str(cell) for cell in row] for row in table.tolist()]
    assert text.endswith("\n") and "\r" not in text
