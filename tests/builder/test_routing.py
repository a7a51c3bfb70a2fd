"""In the builder: of whom a question is asked, as what the others count, and what becomes of both by later changes."""

import copy
import html
import re

import pytest

from surveys.builder.problems import of as problems_of
from surveys.drafts import mark
from surveys.lifecycle import open_survey
from surveys.models import Survey
from tests.support import routing
from tests.support.builder import begun, signed_in, undo, url

pytestmark = pytest.mark.django_db

PAIR = {
    "title": "Pair",
    "questions": [
        {"key": "smokes", "kind": "ordered", "text": "Do you smoke?", "options": ["never", "at times", "daily"]}
        | {"alpha": "1"},
        {"key": "brand", "kind": "single_choice", "text": "Which?", "options": ["none", "A", "B"], "alpha": "1"},
    ],
}


def question(survey, key):
    return next(each for each in Survey.objects.get(pk=survey.pk).draft["questions"] if each["key"] == key)


def post(client, survey, name, **fields):
    """The form of a question as the page shows it, with other values."""
    return client.post(url(survey, name), {"mark": mark(question(survey, name))} | fields)


def shown(client, survey, key):
    return html.unescape(client.get(url(survey, key)).content.decode())


def dependent():
    """A draft of two questions, the second asked only for some answers to the first."""
    draft = copy.deepcopy(PAIR)
    draft["questions"][1] |= {"asked_if": {"question": "smokes", "options": [1, 2]}, "filler": 0}
    return begun(draft)


def test_a_question_is_made_to_depend_on_an_earlier_one_and_freed_again():
    client, survey = signed_in(), begun(PAIR)
    page = shown(client, survey, "brand")
    assert "Ask only for some answers" in page and '<option value="smokes">1. Do you smoke?' in page
    assert "There is none before this one." in shown(client, survey, "smokes")
    post(client, survey, "brand", route="1", decides="smokes")
    assert question(survey, "brand")["asked_if"] == {"question": "smokes", "options": [0]}
    page = shown(client, survey, "brand")
    assert "Ask only if “Do you smoke?” is" in page and "Choose an answer for those who are not asked." in page
    post(client, survey, "brand", asked_if=["smokes", "1", "2"], filler="0")
    assert question(survey, "brand")["asked_if"]["options"] == [1, 2] and question(survey, "brand")["filler"] == 0
    page = shown(client, survey, "brand")
    assert "Whoever is not asked counts as “none”. The estimate is then of everybody: the share of “none”" in page
    assert re.findall(r'name="asked_if" value="(\d)" checked', page) == ["1", "2"]
    assert not problems_of(Survey.objects.get(pk=survey.pk).draft)
    post(client, survey, "brand", unroute="1")
    assert not {"asked_if", "filler"} & question(survey, "brand").keys()


def test_no_answer_ticked_and_no_filler_are_things_to_do_and_too_many_are_a_mistake():
    client, survey = signed_in(), dependent()
    post(client, survey, "brand", asked_if=["smokes"], filler="")
    assert question(survey, "brand") == PAIR["questions"][1] | {"asked_if": {"question": "smokes", "options": []}}
    found = problems_of(Survey.objects.get(pk=survey.pk).draft).questions[1]
    assert {(each.field, each.text, each.missing) for each in found} == {
        ("asked_if", "Tick at least one answer.", True),
        ("filler", "Choose an answer for those who are not asked.", True),
    }
    post(client, survey, "brand", asked_if=["smokes", "0", "1", "2"], filler="0")
    assert "With every answer ticked everybody is asked." in shown(client, survey, "brand")


def test_every_kind_of_filler_is_filled_in_again_as_it_is_stored():
    client, survey = signed_in(), begun(routing.DRAFT)
    for each in routing.DRAFT["questions"]:
        page = client.get(url(survey, each["key"])).content.decode()
        assert "Nothing is missing here." in page
        if "filler" in each:
            fragment = page[page.index('id="f-filler"') : page.index('id="e-filler"')]
            chosen = re.search(r'<option value="([^"]*)" selected', fragment) or re.search(r'value="([^"]*)"', fragment)
            text = html.unescape(chosen[1])
            options = [str(option) for option in each["asked_if"]["options"]]
            sent = {"asked_if": [each["asked_if"]["question"], *options], "filler": text}
            sent |= {"prefer_not_to_say": "on"} if "prefer_not_to_say" in each else {}
            post(client, survey, each["key"], **sent)
            assert question(survey, each["key"]) == each


def test_a_question_that_is_moved_or_removed_from_before_those_that_depend_on_it_is_a_problem_by_name():
    client, survey = signed_in(), dependent()
    client.post(url(survey), {"down": "smokes"})
    said = "The deciding question is gone, or comes after this one."
    assert said in shown(client, survey, "brand")
    client.post(url(survey), {"up": "smokes"})
    assert said not in shown(client, survey, "brand")
    client.post(url(survey), {"remove": "smokes"})
    page = shown(client, survey, "brand")
    assert said in page and "Whether these are asked depended on it: “Which?”." in page
    undo(client, survey)
    assert said not in shown(client, survey, "brand")


def test_another_key_is_followed():
    client, survey = signed_in(), dependent()
    post(client, survey, "smokes", key="tobacco")
    assert question(survey, "brand")["asked_if"] == {"question": "tobacco", "options": [1, 2]}


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (["daily", "at times", "never"], [0, 1]),
        (["never", "once", "at times", "daily"], [2, 3]),
        (["never", "seldom", "daily"], [1, 2]),
        (["never", "daily"], [1]),
        (["at times", "never", "every day"], [0, 2]),
    ],
)
def test_answers_that_decide_stay_the_same_ones_where_their_lines_move(lines, options):
    client, survey = signed_in(), dependent()
    post(client, survey, "smokes", options="\n".join(lines))
    assert question(survey, "brand")["asked_if"]["options"] == options


def test_a_filler_stays_the_same_answer_where_its_line_moves_and_goes_with_it():
    client, survey = signed_in(), dependent()
    post(client, survey, "brand", options="A\nB\nnone", filler="0", asked_if=["smokes", "1", "2"])
    assert question(survey, "brand")["filler"] == 2
    post(client, survey, "brand", options="A\nB", filler="2", asked_if=["smokes", "1", "2"])
    assert "filler" not in question(survey, "brand")


def test_the_page_gets_the_choice_of_fillers_anew_where_lines_moved():
    client, survey = signed_in(), dependent()
    page = shown(client, survey, "brand")
    lines = re.search(r'name="lines" value="(\[.*?\])"', page)[1]
    sent = {"filler": "0", "asked_if": ["smokes", "1"], "lines": lines, "options": "A\nnone\nB"}
    sent["mark"] = mark(question(survey, "brand"))
    answer = client.post(url(survey, "brand"), sent, headers={"X-Fragments": "1"}).content.decode()
    assert '<div id="filler">' in answer and '<option value="1" selected>none' in answer
    assert "Whoever is not asked counts as" in answer


def test_the_opening_page_lists_it_and_a_preview_leaves_out_what_cannot_be_decided():
    client, survey = signed_in(), dependent()
    page = html.unescape(client.get(f"/surveys/{survey.pk}/open/").content.decode())
    assert "Asked only of those who answered “at times” or “daily” to “Do you smoke?”." in page
    assert "that of “none” includes those who were not asked." in page
    previewed = client.get(f"/surveys/{survey.pk}/preview/definition").json()
    assert [each["key"] for each in previewed["questions"]] == ["smokes", "brand"]
    post(client, survey, "smokes", alpha="0")
    assert client.get(f"/surveys/{survey.pk}/preview/definition").status_code == 404


def test_what_was_built_can_be_opened():
    survey = dependent()
    open_survey(survey)
    assert survey.definition["questions"][1]["filler"] == 0
