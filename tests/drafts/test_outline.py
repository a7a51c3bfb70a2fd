"""The order of a draft: questions and sections inserted, moved, removed and put back."""

import copy
import random
from contextlib import suppress

import pytest

from surveys.drafts import Changed, outline
from surveys.drafts.normalize import free_key, normalize


def draft(*keys, sections=()):
    made = {"title": "", "questions": [{"key": key} for key in keys]}
    if sections:
        made["sections"] = [{"title": title, "text": "", "questions": list(held)} for title, held in sections]
    return made


def order(made):
    """Return the keys in order, and headings as their titles in brackets."""
    return " ".join(
        f"[{row.section['title']}]" if row.is_section else row.question["key"] for row in outline.rows(made)
    )


def test_a_new_key_is_the_number_after_the_highest():
    assert [free_key(keys) for keys in (set(), {"q1", "q7", "age"}, {"q", "q01", "q1x"})] == ["q1", "q8", "q2"]


def test_what_a_file_brought_gets_the_builders_shape_and_keeps_what_fits():
    made = {
        "questions": [{"key": "a"}, {"text": "no key"}, {"key": "a", "text": "twice"}, {"key": "No!"}, "text", None]
    }
    made["sections"] = [{"title": "one", "questions": ["a", "z"]}, {"title": "two"}, 7]
    normalize(made)
    assert [question["key"] for question in made["questions"]] == ["a", "q1", "q2", "q3"]
    assert order(made) == "[one] a q1 q2 q3 [two]"
    again = copy.deepcopy(made)
    normalize(again)
    assert again == made
    bare = {"title": "x", "questions": {"a": 1}, "sections": "none"}
    normalize(bare)
    assert bare == {"title": "x", "questions": []}


def test_a_question_goes_where_it_is_put():
    made = draft("a", "b", sections=[("one", "a"), ("two", "b")])
    outline.insert(made, {"key": "c"}, outline.row_after(made, "a"))
    assert order(made) == "[one] a c [two] b"
    outline.insert(made, {"key": "a", "text": "its key is taken"}, 0)
    assert order(made) == "[one] q1 a c [two] b"
    outline.insert(made, {"key": ""})
    assert order(made) == "[one] q1 a c [two] b q2"
    assert outline.row_after(made, "nobody") is None


def test_steps_lead_over_headings_and_stop_at_the_ends():
    made = draft("a", "b", sections=[("one", "a"), ("two", "b")])
    for by, expected in [
        (1, "[one] [two] a b"),
        (1, "[one] [two] b a"),
        (1, "[one] [two] b a"),
        (-1, "[one] [two] a b"),
    ]:
        outline.step(made, "a", by)
        assert order(made) == expected
    outline.step(made, "a", -1)
    outline.step(made, "a", -1)
    assert order(made) == "[one] a [two] b"
    plain = draft("a", "b")
    outline.step(plain, "a", -1)
    outline.step(plain, "b", 1)
    assert order(plain) == "a b"


@pytest.mark.parametrize(
    ("key", "before", "expected"),
    [
        ("c", "a", "[one] c a b [two] d"),
        ("a", "1", "[one] b a [two] c d"),
        ("a", "", "[one] b [two] c d a"),
        ("d", "0", "[one] d a b [two] c"),
        ("b", "b", "[one] a b [two] c d"),
        ("d", "c", "[one] a b [two] d c"),
    ],
)
def test_a_question_is_moved_before_another_or_a_heading(key, before, expected):
    made = draft(*"abcd", sections=[("one", "ab"), ("two", "cd")])
    outline.move(made, key, before)
    assert order(made) == expected


def test_what_is_no_longer_there_cannot_be_moved():
    made = draft("a", "b")
    for action in (
        lambda: outline.step(made, "z", 1),
        lambda: outline.move(made, "a", "z"),
        lambda: outline.move(made, "a", "0"),
        lambda: outline.remove(made, "z"),
        lambda: outline.section_of(made, 0),
        lambda: outline.remove_section(made, 0),
    ):
        with pytest.raises(Changed):
            action()
    assert order(made) == "a b"


def test_the_first_section_holds_all_and_later_ones_begin_where_they_are_put():
    made = draft("a", "b", "c")
    assert outline.begin_section(made) == 0
    made["sections"][0]["title"] = "one"
    assert order(made) == "[one] a b c"
    assert outline.begin_section(made, "c") == 1
    assert order(made) == "[one] a b [] c"
    assert outline.begin_section(made) == 2
    assert order(made) == "[one] a b [] c []"
    other = draft("a", "b")
    assert outline.begin_section(other, "b") == 1
    assert order(other) == "[] a [] b"
    assert outline.begin_section(draft("a"), "a") == outline.begin_section(draft()) == 0


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_section_that_is_removed_leaves_its_questions_and_can_be_put_back(index):
    made = draft(*"abcd", sections=[("one", "ab"), ("two", "c"), ("three", "d")])
    before = copy.deepcopy(made)
    held = outline.remove_section(made, index)
    assert [question["key"] for question in made["questions"]] == list("abcd")
    assert len(made["sections"]) == 2
    outline.put_section(made, held, index)
    assert made == before


def test_the_last_section_goes_with_its_heading():
    made = draft("a", sections=[("one", "a")])
    held = outline.remove_section(made, 0)
    assert made == draft("a")
    outline.put_section(made, held, 0)
    assert order(made) == "[one] a"


def test_a_section_moves_with_its_questions():
    made = draft(*"abc", sections=[("one", "ab"), ("two", "c")])
    assert [outline.step_section(made, 0, by) for by in (-1, 1)] == [0, 1]
    assert order(made) == "[two] c [one] a b"
    assert [question["key"] for question in made["questions"]] == list("cab")


def some_action(made, chance):
    """Return an action that a designer might take, on a question or section that may not exist."""
    keys = [question["key"] for question in made["questions"]]
    key, index = chance.choice(keys), chance.randrange(len(made.get("sections", [])) or 1)
    return chance.choice(
        [
            lambda: outline.step(made, key, chance.choice((-1, 1))),
            lambda: outline.move(made, key, chance.choice([*keys, "0", "1", "2", ""])),
            lambda: outline.insert(made, outline.remove(made, key)[0], chance.randrange(9)),
            lambda: outline.step_section(made, index, chance.choice((-1, 1))),
            lambda: outline.remove_section(made, index),
            lambda: outline.begin_section(made, chance.choice([*keys, ""])),
        ]
    )


def test_whatever_is_done_sections_hold_every_question_once_and_in_order():
    chance = random.Random(1)
    made = draft(*"abcdef", sections=[("one", "abc"), ("two", ""), ("three", "def")])
    for _ in range(500):
        with suppress(Changed):
            some_action(made, chance)()
        shaped = copy.deepcopy(made)
        normalize(shaped)
        assert shaped == made
        assert {question["key"] for question in made["questions"]} == set("abcdef")
        assert len(made.get("sections", [])) < 60
