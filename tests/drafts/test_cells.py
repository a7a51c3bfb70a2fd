"""A draft as cells, and back."""

import copy
import random

import pytest

from surveys.designer.files.starting import templates
from surveys.drafts import outline
from surveys.drafts.cells import Cell, cells, difference, document
from surveys.drafts.normalize import normalized
from tests.support import frames, languages, routing, vectors
from tests.support.factories import DRAFT

ODD = [
    {},
    {"title": 5, "questions": "none", "translations": 3},
    {"questions": [{"kind": ["x"], "options": {"a": 1}}, 7], "sections": [{"title": None}], "translations": {}},
    DRAFT | {"translations": {"de": {"title": "T"}, "ar": [1]}, "extra": [1]},
]
DRAFTS = [DRAFT, routing.DRAFT, languages.DRAFT, frames.draft(lambda draft: None), vectors.EVERY_KIND, *ODD]


@pytest.mark.parametrize("draft", [*DRAFTS, *(each.draft for each in templates())])
def test_a_draft_is_its_cells(draft):
    assert document(cells(normalized(draft))) == normalized(draft)


@pytest.mark.parametrize("seed", range(20))
def test_what_differs_is_enough_to_go_back(seed):
    chance = random.Random(seed)
    before = normalized(languages.DRAFT)
    after = copy.deepcopy(before)
    for _ in range(5):
        key = chance.choice(after["questions"])["key"]
        chance.choice([outline.begin_section, lambda draft, key: outline.step(draft, key, 1)])(after, key)
        outline.question_of(after, chance.choice(after["questions"])["key"])["text"] = str(chance.random())
    found = cells(after)
    for cell in difference(cells(before), found):
        assert [found.pop(cell.path)] if cell.path in found else cell.after == []
        found |= {cell.path: cell.before[0]} if cell.before else {}
    assert found == cells(before)


def test_moving_a_question_changes_the_layout_alone():
    before = normalized(DRAFT)
    after = copy.deepcopy(before)
    outline.move(after, "many", "yes")
    assert difference(cells(before), cells(after)) == [
        Cell(("layout",), [["yes", "which", "many"]], [["many", "yes", "which"]])
    ]
