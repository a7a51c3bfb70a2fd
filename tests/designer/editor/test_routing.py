"""Conditions in the builder: which respondents are asked a question, what the others count as, and the effects of later
changes on both."""

import copy
import html
import re

import pytest

from surveys.designer.editor.marks import marks
from surveys.designer.editor.problems import of as problems_of
from surveys.drafts.fields import text_of
from surveys.drafts.kinds import fields_of
from surveys.life.lifecycle import open_survey
from surveys.models import Survey
from surveys.survey.definition.fields import QUESTION
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


def marked(part):
    """Return the current mark of the question's form."""
    return marks(fields_of(part), part)


def post(client, survey, name, **fields):
    """Post the question's form as the page shows it, with other values."""
    return client.post(url(survey, name), {"mark": marked(question(survey, name))} | fields)


def shown(client, survey, key):
    return html.unescape(client.get(url(survey, key)).content.decode())


def dependent():
    """Return a survey whose draft has two questions; the second depends on the first."""
    draft = copy.deepcopy(PAIR)
    draft["questions"][1] |= {"asked_if": {"question": "smokes", "options": [1, 2]}}
    return begun(draft)


def test_a_question_is_made_to_depend_on_an_earlier_one_and_freed_again():
    client, survey = signed_in(), begun(PAIR)
    page = shown(client, survey, "brand")
    assert "Ask only for some answers" in page and '<option value="smokes">1. Do you smoke?' in page
    assert "There is none before this one." in shown(client, survey, "smokes")
    post(client, survey, "brand", route="1", decides="smokes")
    assert question(survey, "brand")["asked_if"] == {"question": "smokes", "options": [0]}
    page = shown(client, survey, "brand")
    assert (
        "“Do you smoke?” is" in page
        and "Also by the answer to" not in page
        and "Answer counted for people who are not asked" not in page
        and "Nothing is missing here." in page
    )
    post(client, survey, "brand", asked_if=["smokes", "1", "2"])
    assert question(survey, "brand")["asked_if"]["options"] == [1, 2]
    page = shown(client, survey, "brand")
    assert re.findall(r'name="asked_if" value="(\d)" checked', page) == ["1", "2"]
    assert not problems_of(Survey.objects.get(pk=survey.pk).draft)
    post(client, survey, "brand", unroute="")
    assert "asked_if" not in question(survey, "brand")


def test_no_answer_ticked_is_a_thing_to_do_and_too_many_are_a_mistake():
    client, survey = signed_in(), dependent()
    post(client, survey, "brand", asked_if=["smokes"])
    assert question(survey, "brand") == PAIR["questions"][1] | {"asked_if": {"question": "smokes", "options": []}}
    found = problems_of(Survey.objects.get(pk=survey.pk).draft).questions[1]
    assert {(each.field, each.text, each.missing) for each in found} == {
        ("asked_if", "Tick at least one answer.", True),
    }
    post(client, survey, "brand", asked_if=["smokes", "0", "1", "2"])
    assert "With every answer ticked, everyone is asked." in shown(client, survey, "brand")


@pytest.mark.parametrize("draft", [routing.DRAFT, routing.SEVERAL], ids=["one", "several"])
def test_every_condition_is_filled_in_again_as_it_is_stored(draft):
    client, survey = signed_in(), begun(draft)
    for each in draft["questions"]:
        page = client.get(url(survey, each["key"])).content.decode()
        assert "Nothing is missing here." in page and "not asked counts" not in page
        if "asked_if" in each:
            sent = {"asked_if": text_of(QUESTION["asked_if"], each["asked_if"]).split(" ")}
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


def test_the_opening_page_lists_it_and_a_preview_leaves_out_what_cannot_be_decided():
    client, survey = signed_in(), dependent()
    page = html.unescape(client.get(f"/surveys/{survey.pk}/open/").content.decode())
    assert "Asked only of those who answered “at times” or “daily” to “Do you smoke?”." in page
    assert "The results describe only these people." in page
    previewed = client.get(f"/surveys/{survey.pk}/preview/definition").json()
    assert [each["key"] for each in previewed["questions"]] == ["smokes", "brand"]
    post(client, survey, "smokes", alpha="0")
    assert client.get(f"/surveys/{survey.pk}/preview/definition").status_code == 404


def test_what_was_built_can_be_opened():
    survey = dependent()
    open_survey(survey)
    assert survey.definition["questions"][1]["asked_if"] == {"question": "smokes", "options": [1, 2]}


# By several questions -------------------------------------------------------------------------------------------------

RULES = [{"question": "smokes", "options": [1, 2]}, {"question": "drinks", "options": [0]}]


def by_two(joined="all"):
    """Return a survey whose last question depends on the answers to two others."""
    draft = copy.deepcopy(PAIR)
    drinks = {"key": "drinks", "kind": "multiple_choice", "text": "Drinks?", "options": ["beer", "wine"], "alpha": "1"}
    draft["questions"].insert(1, drinks)
    draft["questions"][2] |= {"asked_if": {joined: copy.deepcopy(RULES)}}
    return begun(draft)


def sent(page):
    """Return the condition's fields as a browser sends them."""
    whole = page[page.index('id="f-asked_if"') : page.index('id="e-asked_if"')]
    part = r'<option value="(\w+:)" selected|type="hidden" name="asked_if" value="([^"]*)"|value="(\d+)" checked'
    return ["".join(each) for each in re.findall(part, whole)]


def test_conditions_are_added_joined_and_removed():
    client, survey = signed_in(), by_two()
    post(client, survey, "brand", unroute="drinks")
    assert question(survey, "brand")["asked_if"] == RULES[0]
    page = shown(client, survey, "brand")
    assert "Remove this condition" not in page and '<option value="drinks">2. Drinks?' in page
    post(client, survey, "brand", route="1", decides="drinks", asked_if=sent(page))
    assert question(survey, "brand")["asked_if"] == {"all": RULES}
    page = shown(client, survey, "brand")
    assert sent(page) == ["all:", "smokes", "1", "2", "drinks", "0"]
    assert "Remove this condition: “Drinks?”" in page and "Also by the answer to" not in page
    post(client, survey, "brand", asked_if=["any:", "smokes", "1", "2", "drinks", "0", "1"])
    ticked = {"question": "drinks", "options": [0, 1]}
    assert question(survey, "brand")["asked_if"] == {"any": [RULES[0], ticked]}
    assert not problems_of(Survey.objects.get(pk=survey.pk).draft)
    post(client, survey, "brand", unroute="smokes")
    assert question(survey, "brand")["asked_if"] == ticked
    post(client, survey, "brand", unroute="")
    page = shown(client, survey, "brand")
    assert page.index('value="drinks">2.') < page.index('value="smokes">1.'), "the nearest question comes first"
    assert "asked_if" not in question(survey, "brand")


def test_the_sixth_condition_is_not_offered_nor_taken():
    draft = copy.deepcopy(PAIR)
    draft["questions"] = [{"key": f"q{i}", "kind": "yes_no", "text": f"Q{i}?", "alpha": "1"} for i in range(7)]
    client, survey = signed_in(), begun(draft)
    for i in range(6):
        post(client, survey, "q6", route="1", decides=f"q{i}")
    assert [rule["question"] for rule in question(survey, "q6")["asked_if"]["all"]] == [f"q{i}" for i in range(5)]
    assert "Also by the answer to" not in shown(client, survey, "q6")


def test_of_several_conditions_a_problem_names_the_one_it_is_about():
    client, survey = signed_in(), by_two()
    client.post(url(survey), {"remove": "drinks"})
    page = shown(client, survey, "brand")
    assert "Condition 2: The deciding question is gone, or comes after this one." in page
    assert "A question that is no longer there" in page and "Whether these are asked depended on it: “Which?”." in page
    assert sent(page) == ["all:", "smokes", "1", "2", "drinks", "0"], "it comes back where it is put back"
    undo(client, survey)
    assert "Condition 2" not in shown(client, survey, "brand")
    post(client, survey, "brand", asked_if=["any:", "smokes", "0", "1", "2", "drinks"])
    page = shown(client, survey, "brand")
    assert "Condition 1: With every answer ticked, everyone is asked." not in page, "while another one is incomplete"
    assert "Condition 2: Tick at least one answer." in page
    post(client, survey, "brand", asked_if=["any:", "smokes", "0", "1", "2", "drinks", "0"])
    assert "Condition 1: With every answer ticked, everyone is asked." in shown(client, survey, "brand")


def test_conditions_that_exclude_each_other_are_a_mistake():
    client, survey = signed_in(), by_two()
    draft = Survey.objects.get(pk=survey.pk).draft
    draft["questions"][1] = {"key": "drinks", "kind": "yes_no", "text": "Drinks?", "alpha": "1"}
    draft["questions"][1] |= {"asked_if": {"question": "smokes", "options": [0]}}
    Survey.objects.filter(pk=survey.pk).update(draft=draft)
    assert "The conditions exclude each other, so no one would be asked." in shown(client, survey, "brand")
    post(client, survey, "brand", asked_if=["any:", "smokes", "1", "2", "drinks", "0"])
    assert not problems_of(Survey.objects.get(pk=survey.pk).draft)


def test_another_key_and_other_lines_are_followed_in_each_condition():
    client, survey = signed_in(), by_two("any")
    post(client, survey, "drinks", key="thirst")
    post(client, survey, "thirst", options="wine\nbeer", sample="")
    post(client, survey, "smokes", options="daily\nat times\nnever")
    thirst = {"question": "thirst", "options": [1]}
    assert question(survey, "brand")["asked_if"] == {"any": [{"question": "smokes", "options": [0, 1]}, thirst]}


def test_deciding_questions_in_another_order_are_frozen_in_that_order():
    client, survey = signed_in(), by_two()
    client.post(url(survey), {"down": "smokes"})
    assert not problems_of(Survey.objects.get(pk=survey.pk).draft)
    previewed = client.get(f"/surveys/{survey.pk}/preview/definition").json()
    assert [each["key"] for each in previewed["questions"]] == ["drinks", "smokes", "brand"]
    assert previewed["questions"][2]["asked_if"] == {"all": RULES[::-1]}
    page = html.unescape(client.get(f"/surveys/{survey.pk}/open/").content.decode())
    assert "Asked only of those who named “beer” at “Drinks?”, and who answered “at times” or “daily” to “Do" in page


@pytest.mark.parametrize(
    "given", [5, "x", [], {"all": 5}, {"any": [RULES[0]]}, {"all": [RULES[0], 3]}, {"question": 1}]
)
def test_a_condition_that_is_none_is_kept_as_it_is_until_another_one_is_chosen(given):
    draft = copy.deepcopy(PAIR)
    draft["questions"][1] |= {"asked_if": given}
    client, survey = signed_in(), begun(draft)
    page = shown(client, survey, "brand")
    post(client, survey, "brand", asked_if=text_of(QUESTION["asked_if"], question(survey, "brand")["asked_if"]))
    assert question(survey, "brand")["asked_if"] == given and 'class="error"' in page
    post(client, survey, "brand", unroute="")
    post(client, survey, "brand", route="1", decides="smokes")
    assert question(survey, "brand")["asked_if"] == {"question": "smokes", "options": [0]}


def test_what_no_position_can_be_is_a_mistake():
    """Python refuses to read a number of more than 4,300 digits."""
    client, survey = signed_in(), dependent()
    assert post(client, survey, "brand", asked_if=["smokes", "9" * 5000]).status_code == 302
    assert 'class="error"' in shown(client, survey, "brand")


def test_an_answer_ticked_beside_old_lines_of_another_question_is_that_answer():
    """Another designer reorders the options of the deciding question while this question's form is open."""
    client, survey = signed_in(), by_two("any")
    page = shown(client, survey, "brand")
    shown_then = re.search(r'name="decided_by" value="(\{.*?\})">', page)[1]
    post(client, survey, "smokes", options="at times\nonce\nnever\ndaily")
    fields = {"asked_if": ["any:", "smokes", "0", "drinks", "0"], "decided_by": shown_then}
    client.post(url(survey, "brand"), fields | {"mark": marked(question(survey, "brand"))})
    assert question(survey, "brand")["asked_if"] == {"any": [{"question": "smokes", "options": [2]}, RULES[1]]}
    client.post(url(survey, "brand"), fields | {"mark": marked(question(survey, "brand")), "decided_by": "[" * 9999})
    assert question(survey, "brand")["asked_if"]["any"][0]["options"] == [0]
