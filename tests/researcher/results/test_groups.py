"""Results of invited groups."""

import html
import re

import pytest
from django.test import Client

from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Report
from surveys.survey.definition.layout import Layout
from tests.support.estimates import work

pytestmark = pytest.mark.django_db

GRID = {"kind": "grid", "items": ["Pay", "Hours"], "options": ["bad", "good"]}
LIST = {"kind": "multiple_choice", "options": ["Pay", "Hours"], "sample": 1}


@pytest.mark.parametrize(
    ("question", "sent"),
    [(GRID, lambda place: [[place, [0]]]), (LIST, lambda place: [[place, 1]])],
    ids=["grid", "list"],
)
def test_what_no_report_of_a_group_has_drawn_has_no_number(settings, tmp_path, question, sent):
    """All 25 reports of Sales are about pay."""
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    own = {"key": "rate", "text": "How?", "alpha": "1"} | question
    groups = [{"name": name} for name in ("Sales", "Works")]
    survey = create_draft(
        {"title": "G", "questions": [own], "invitations": True, "groups": groups}, results_public=True
    )
    open_survey(survey)
    pack = Layout(survey.definition).pack
    places = [(0, 0)] * 25 + [(1, i % 2) for i in range(400)]
    Report.objects.bulk_create(
        Report(id=f"{i:032x}", survey=survey, form=group, packed=pack({"rate": sent(place)}))
        for i, (group, place) in enumerate(places)
    )
    close_survey(survey)
    for _turn in range(3):
        work(survey)
    page = Client().get(f"/r/{survey.slug}/1/")
    assert page.status_code == 200
    shown = re.sub(r"<[^>]*>", " ", html.unescape(page.content.decode())).split("By group")[-1]
    rows = [row.split() for row in re.findall(r"Sales.*", shown)]
    assert rows[-1][-1] == "–", "no number, and no interval beside it"
