"""Rankings of an XLSForm: the items of its list, and the question exported as an XLSForm again."""

import pytest

from surveys.designer.xlsform import writer
from surveys.survey.definition import build
from tests.support.questions import question
from tests.support.workbooks import form, imported, row

ITEMS = ["tea", "coffee", "milk", "Prefer not to say"]


def read(count):
    choices = [["list_name", "name", "label"], *(["drinks", f"c{i}", f"Drink {i}"] for i in range(count))]
    return imported(form(row("rank drinks", "order", "Which first?"), choices=choices))


@pytest.mark.parametrize("count", [3, 8])
def test_a_ranking_becomes_one(count):
    [asked] = read(count).draft["questions"]
    assert (asked["kind"], asked["ranked"]) == ("ranking", [f"Drink {i}" for i in range(count)])


@pytest.mark.parametrize("count", [2, 9])
def test_a_ranking_of_too_few_or_too_many_items_is_left_out(count):
    got = read(count)
    assert got.draft["questions"] == []
    assert any("Rankings of fewer than 3" in remark.text for remark in got.remarks)


def test_a_ranking_is_written_and_read_back():
    definition = build({"title": "x", "questions": [question("order", "ranking", "1", ranked=ITEMS)]})
    [asked] = imported(writer.write(definition, "x")).draft["questions"]
    assert (asked["key"], asked["kind"], asked["ranked"]) == ("order", "ranking", ITEMS)
