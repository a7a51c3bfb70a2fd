"""Numbers with limits: every language names bins of whole numbers by their contents, and numbers that do not fit are
refused."""

import pytest

from surveys.rules.languages import PAGE, implied_words
from surveys.survey import definition as definitions
from surveys.survey.definition import DraftRefused
from surveys.survey.definition.languages import in_language
from surveys.survey.kinds import KINDS

COUNTED = {"key": "drinks", "kind": "histogram", "text": "How many?", "alpha": "1", "limits": "whole"}
SLEPT = {"key": "sleep", "kind": "mean", "text": "How long?", "alpha": "1", "low": "0", "high": "24"}


def built(question, **more):
    return definitions.build({"title": "Numbers", "questions": [question]} | more)


def bins(edges, **fields):
    [question] = built(COUNTED | {"edges": edges} | fields)["questions"]
    return question["options"]


def refused(question):
    with pytest.raises(DraftRefused) as raised:
        built(question)
    return [(each.field, each.code) for each in raised.value.refusals]


def test_bins_of_whole_numbers_are_called_by_the_numbers_that_they_hold():
    assert bins(["0", "1", "3", "21", "61"]) == ["0", "1 to 2", "3 to 20", "21 or more"]
    assert bins(["-3", "0", "1", "2"]) == ["-3 to -1", "0", "1"], "the last edge is the first number beyond"
    assert bins(["0", "1.0", 3], prefer_not_to_say=True) == ["0", "1 or more", "Prefer not to say"]


def test_other_numbers_are_called_by_their_edges():
    assert bins(["0", "1", "3", "21"], limits="decimal") == ["under 1", "1 to under 3", "3 or more"]


def test_they_are_called_so_in_every_language():
    spoken = {tag: {"title": "x", "questions": [{"text": "?"}]} for tag in PAGE if tag != "en"}
    definition = built(COUNTED | {"edges": ["0", "1", "3", "21"]}, translations=spoken)
    for tag in spoken:
        [question] = in_language(definition, tag)["questions"]
        through = implied_words(tag).through.format("1", "2")
        assert question["options"][:2] == ["0", through] and through != "1 to 2", tag


def test_ends_of_whole_numbers_are_whole():
    assert refused(COUNTED | {"edges": ["0", "20.5", "30"]}) == [("questions[0].edges[1]", "whole_numbers")]
    assert refused(SLEPT | {"limits": "whole", "high": "7.5"}) == [("questions[0].high", "whole_numbers")]
    assert refused(SLEPT | {"limits": "most"}) == [("questions[0].limits", "unknown_limits")]
    steps = {"key": "s", "kind": "mean", "text": "?", "alpha": "1", "steps": ["a", "b"], "limits": "whole"}
    assert refused(steps) == [("questions[0].limits", "unknown_field")]


def test_no_definition_has_limits_that_its_ends_do_not_fit():
    for question in (COUNTED | {"edges": ["0", "1", "3"]}, SLEPT | {"limits": "whole"}):
        [sound] = built(question)["questions"]
        KINDS[sound["kind"]].check(sound)
        for wrong in ({"limits": "most"}, {"edges": ["0", "1.5", "3"]}, {"high": "24.5"}):
            if wrong.keys() <= sound.keys():
                with pytest.raises(ValueError):
                    KINDS[sound["kind"]].check(sound | wrong)
