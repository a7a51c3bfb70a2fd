"""XLSForms that ask a question only after certain answers (`relevant`)."""

import copy
import io
import time

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.designer.xlsform import conditions, routes, sandbox
from surveys.drafts import mark
from surveys.life.lifecycle import open_survey
from surveys.models import Survey
from surveys.survey import definition as definitions
from surveys.survey.definition.translation_texts import slots
from tests.support.workbooks import CHOICES, form, imported, named, row, workbook

ASKED = [
    row("select_one colours", "One", "One of three"),
    row("select_multiple colours", "several", "Some of three"),
    row("select_one yes_no", "then", "Only sometimes?", relevant="${One} = 'r'"),
    row("select_one numbers", "n", "By number"),
    row("integer", "age", "A number"),
]
NUMBERED = [["list_name", "name", "label"], ["numbers", "-99", "None"], ["numbers", "1", "A"], ["numbers", "02", "B"]]


def routed_by(relevant, *before):
    """Return the import of a form whose last question has this condition."""
    choices = [*CHOICES, *NUMBERED[1:]]
    return imported(
        form(*ASKED, *before, row("select_one yes_no", "last", "Last?", relevant=relevant), choices=choices)
    )


SAID = [
    ("${One} = 'r'", "one", [0]),
    ("'g'=${One}", "one", [1]),
    ('${One} = "b"', "one", [2]),
    ("selected(${One}, 'g')", "one", [1]),
    ("${One} = 'r' or ${One} = 'b'", "one", [0, 2]),
    ("(${One} = 'r') or ((selected( ${One} ,'b')))", "one", [0, 2]),
    ("${One} != 'r'", "one", [1, 2]),
    ("not(${One} = 'r' or ${One} = 'g')", "one", [2]),
    ("${One} != 'r' and ${One} != 'b'", "one", [1]),
    ("${One} = 'r' or ${One} = 'g' and ${One} = 'b'", "one", [0]),
    ("selected(${several}, 'g')", "several", [1]),
    ("selected(${several}, 'r') or selected(${several}, 'g') or selected(${several}, 'b')", "several", [0, 1, 2]),
    ("${then} = 'no'", "then", [1]),
    ("${then} != ''", "one", [0]),
    ("${One} = 'r' and ${then} = 'yes'", "then", [0]),
    ("${then} = 'yes' and (${One} = 'r' or ${One} = 'b')", "then", [0]),
    ("${n} = 1", "n", [1]),
    ("${n} = 2 or ${n} = -99", "n", [0, 2]),
    ("${n} = '02'", "n", [2]),
]
ONE_R, ONE_G, N_1 = ({"question": key, "options": [place]} for key, place in (("one", 0), ("one", 1), ("n", 1)))
SEVERAL_R, THEN_YES = ({"question": key, "options": [0]} for key in ("several", "then"))
BY_SEVERAL = [
    ("${One} = 'r' or ${n} = 1", {"any": [ONE_R, N_1]}),
    ("${One} = 'g' and ${n} = 1", {"all": [ONE_G, N_1]}),
    ("selected(${several}, 'r') and (${One} = 'r' or ${One} = 'b')", {"all": [SEVERAL_R, ONE_R | {"options": [0, 2]}]}),
    ("selected(${several}, 'r') or ${One} = 'r' or ${One} = 'b'", {"any": [SEVERAL_R, ONE_R | {"options": [0, 2]}]}),
    ("${n} = 1 and (${One} != 'r' and ${One} != 'b')", {"all": [N_1, ONE_G]}),
    ("${n} = 1 or (${One} = 'g' or selected(${several}, 'r'))", {"any": [N_1, ONE_G, SEVERAL_R]}),
    ("${n} = 1 and ${then} = 'yes' and ${One} = 'r'", {"all": [N_1, THEN_YES]}),
    ("${n} = 1 and (${One} = 'r' or ${n} = 1)", N_1),
    ("${n} = 1 or ${n} = 1 and ${One} = 'r'", N_1),
    ("${One} = 'r' or ${then} = 'yes'", ONE_R),
    ("${then} != '' and ${n} = 1", {"all": [ONE_R, N_1]}),
]
UNSAID = [
    *("${age} > 17", "${age} = 17", "${One} > 'a'", "${One} = ${n}", "1 = 1", "true()", "${One}", "${u7} = 'yes'"),
    *("${later} = 'r'", "${One} = 'x'", "${n} = '2'", "${One} = 'r' and ${One} = 'g'", "not(${One} = 'r' or ${n} = 1)"),
    *("${One} = 'g' and ${then} = 'yes'", "${then} != 'no'", "not(${then} = 'no')", "${One} != '' or ${n} = 1"),
    *("${One} = 'g' or ${n} = 1 and ${then} = 'yes'", "(${One} = 'g' or ${n} = 1) and selected(${several}, 'r')"),
    *("${age} > 17 and ${n} = 1", "${age} > 17 or ${n} = 1", "(${One} = 'g' or ${n} = 1) or ${One} = 'b'"),
    *("${One} = 'r' or ${One} = 'g' or ${One} = 'b'", "${One} != ''", "${One} = ''", "${several} = 'r'"),
    *("not(selected(${several}, 'r'))", "selected(${several}, 'r') and selected(${several}, 'g')"),
    *("count-selected(${several}) > 1", "selected(${One}, 'r g')", "selected(${One}, '')", "selected('r', ${One})"),
]
UNREAD = [
    *("", " ", "or", "${One} = 'r' or", "((${One} = 'r')", "${One} = 'r')", "selected(${One}, 'r", "${} = 'r'", "not"),
    *("${One} = 'r' ${One} = 'g'", "${One} = 'r' OR ${One} = 'g'", "${One} == 'r'", "${One} = 1e3", "${One} = 'r' - 1"),
    *("(" * 21 + "${One} = 'r'" + ")" * 21, "(" * 30_000, "not(" * 9_000, "$" * 9_000, "'" * 9_999, " " * 9_999),
    *(" or ".join(["${One} = 'r'"] * 2_000), "${One} = '\0", "${One\u202e} == 1", "selected(" * 2_000, "${" * 4_000),
]
DEEP = "(" * 3_000 + "${One} = 'r'" + ")" * 3_000


def test_a_condition_that_answers_to_one_question_decide_says_whom_to_ask():
    asked = [row("select_one yes_no", f"s{i}", "?", relevant=relevant) for i, (relevant, _k, _o) in enumerate(SAID)]
    read = imported(form(*ASKED, *asked, choices=[*CHOICES, *NUMBERED[1:]]))
    rules = {each["key"]: each.get("asked_if") for each in read.draft["questions"]}
    for i, (relevant, key, options) in enumerate(SAID):
        assert rules[f"s{i}"] == {"question": key, "options": options}, relevant
    assert named(read, "after certain answers", "choose") == ["then", *(f"s{i}" for i in range(len(SAID)))]
    assert "Conditions that cannot be expressed" not in " ".join(remark.text for remark in read.remarks)


def test_conditions_on_several_questions_are_joined_by_all_or_any_and_what_is_said_twice_is_left_out():
    asked = [row("select_one yes_no", f"m{i}", "?", relevant=relevant) for i, (relevant, _c) in enumerate(BY_SEVERAL)]
    read = imported(form(*ASKED, *asked, choices=[*CHOICES, *NUMBERED[1:]]))
    rules = {each["key"]: each.get("asked_if") for each in read.draft["questions"]}
    for i, (relevant, asked_if) in enumerate(BY_SEVERAL):
        assert rules[f"m{i}"] == asked_if, relevant
    assert "Conditions that cannot be expressed" not in " ".join(remark.text for remark in read.remarks)


def test_more_than_five_questions_do_not_decide_together():
    asked = [row("select_one yes_no", f"d{i}", "?") for i in range(6)]
    read = routed_by(" or ".join(f"${{d{i}}} = 'yes'" for i in range(6)), *asked)
    assert len(named(read, "Conditions that cannot be expressed here")) == 1
    read = routed_by(" and ".join(f"${{d{i}}} = 'yes'" for i in range(5)), *asked)
    assert len(read.draft["questions"][-1]["asked_if"]["all"]) == 5


def test_every_other_condition_is_left_out_with_its_row_and_its_words():
    unsaid = [*UNSAID, DEEP]
    asked = [row("select_one yes_no", f"u{i}", "?", relevant=relevant) for i, relevant in enumerate(unsaid)]
    later = row("select_one colours", "later", "Later")
    began = time.monotonic()
    read = imported(form(*ASKED, *asked, later, choices=[*CHOICES, *NUMBERED[1:]]))
    assert time.monotonic() - began < sandbox.SECONDS
    assert [each["key"] for each in read.draft["questions"] if "asked_if" in each] == ["then"]
    names = named(read, "Conditions that cannot be expressed here", "left out")
    assert len(names) == len(unsaid)
    for i, (name, relevant) in enumerate(zip(names, unsaid, strict=True)):
        whole = f"u{i}: {relevant}"
        assert name == whole or (len(whole) > 80 and whole.startswith(name[:-1]) and name.endswith("\u2026")), whole


@pytest.mark.parametrize("expression", UNREAD, ids=range(len(UNREAD)))
def test_what_is_no_condition_is_refused_in_no_time(expression):
    began = time.process_time()
    with pytest.raises(conditions.Unsaid):
        conditions.read(expression)
    assert time.process_time() - began < 1


def test_conditions_are_found_as_trying_every_answer_finds_them():
    def holds(condition, answer):
        if isinstance(condition, conditions.Is):
            return answer == condition.code
        if isinstance(condition, conditions.Not):
            return not holds(condition.part, answer)
        combine = any if isinstance(condition, conditions.Either) else all
        return combine(holds(part, answer) for part in condition.parts)

    codes = {"", "a", "b", "c"}
    leaves = ["${q} = 'a'", "${q} != 'b'", "selected(${q}, 'c')", "${q} = ''"]
    pairs = [f"{one} {word} {other}" for one in leaves for word in ("and", "or") for other in leaves]
    for text in [*pairs, *(f"not({each}) or ({each}) and {leaves[1]}" for each in pairs)]:
        condition = conditions.read(text)
        assert conditions.answers(condition, codes) == {code for code in codes if holds(condition, code)}, text


def test_a_question_is_asked_where_the_groups_around_it_are():
    group = [row("begin_group", "g", "G", relevant="${One} = 'r' or ${One} = 'g'"), row("select_one yes_no", "a", "A?")]
    inner = [
        row("select_one yes_no", "b", "B?", relevant="${a} = 'yes'"),
        row("select_one yes_no", "c", "C?", relevant="${One} = 'g' or ${One} = 'b'"),
        row("select_one yes_no", "d", "D?", relevant="${n} = 1"),
        row("begin_group", "h", "H", relevant="${b} = 'no'", appearance="table-list"),
        *(row("select_one frequent", "e", "E?"), row("select_one frequent", "f", "F?"), row("end_group")),
    ]
    read = routed_by("${a} = 'no'", *group, *inner, row("end_group"))
    rules = {each["key"]: each.get("asked_if") for each in read.draft["questions"]}
    assert rules["a"] == {"question": "one", "options": [0, 1]}
    assert rules["d"] == {"all": [rules["a"], {"question": "n", "options": [1]}]}
    assert rules["b"] == {"question": "a", "options": [0]}
    assert rules["c"] == {"question": "one", "options": [1]}
    assert rules["h"] == {"question": "b", "options": [1]}
    assert rules["last"] == {"question": "a", "options": [1]}
    assert "Conditions that cannot be expressed" not in " ".join(remark.text for remark in read.remarks)


def test_of_several_answers_two_conditions_are_one_only_where_the_first_says_all_of_the_second():
    some = "selected(${several}, 'r') or selected(${several}, 'g')"
    inner = [
        row("begin_group", "g", "G", relevant=some),
        row("select_one yes_no", "narrow", "?", relevant="selected(${several}, 'g')"),
        row("select_one yes_no", "wide", "?", relevant=f"{some} or selected(${{several}}, 'b')"),
        row("select_one yes_no", "other", "?", relevant="selected(${several}, 'g') or selected(${several}, 'b')"),
        row("end_group"),
    ]
    read = routed_by("", *inner)
    rules = {each["key"]: each["asked_if"]["options"] for each in read.draft["questions"] if "asked_if" in each}
    assert rules == {"then": [0], "narrow": [1], "wide": [0, 1], "other": [0, 1]}
    (left_out,) = named(read, "Conditions that cannot be expressed here")
    assert left_out.startswith("other: ")


def test_a_condition_of_a_text_or_of_a_group_without_questions_is_named():
    texts = [
        row("note", "hello", "Hello", relevant="${One} = 'r'"),
        row("begin_group", "only", "Texts", relevant="${One} = 'g'"),
        *(row("note", "inside", "Inside"), row("end_group")),
    ]
    read = routed_by("${One} = 'b'", *texts)
    left_out = ["hello: ${One} = 'r'", "only: ${One} = 'g'"]
    assert named(read, "Conditions that cannot be expressed here") == left_out


def test_yes_is_the_first_answer_in_whichever_order_the_form_has_them():
    choices = [
        ["list_name", "name", "label"],
        ["no_yes", "1", "No"],
        ["no_yes", "2", "Yes"],
        ["no_yes", "9", "Prefer not to say"],
    ]
    asked = [row("select_one no_yes", "a", "A?"), row("select_one no_yes", "b", "B?", relevant="${a} = 2 or ${a} = 9")]
    first, second = imported(form(*asked, choices=choices)).draft["questions"]
    assert (first["kind"], second["asked_if"]) == ("yes_no", {"question": "a", "options": [0, 2]})


def test_more_conditions_than_a_person_writes_are_left_out_unread():
    many = [["many", str(i), f"Option {i}"] for i in range(250)]
    long = " or ".join(f"${{q}} = '{i}'" for i in [*range(249), *range(249)])
    rows = [row("select_one many", "q", "?")]
    for i in range(100):
        rows += [row("begin_group", f"g{i}", "G", relevant=long), row("select_one yes_no", f"x{i}", "?")]
        rows.append(row("end_group"))
    began = time.monotonic()
    read = imported(form(*rows, choices=[*CHOICES, *many]))
    assert time.monotonic() - began < sandbox.SECONDS
    first, *_between, last = read.draft["questions"][1:]
    assert first["asked_if"] == {"question": "q", "options": list(range(249))} and "asked_if" not in last
    asked = sum("asked_if" in each for each in read.draft["questions"])
    assert asked == routes.CHARACTERS_MAX // len(long)
    assert len(named(read, "Conditions that cannot be expressed here")) == 100 - asked


def test_a_kind_is_still_for_the_designer_to_decide_where_a_note_or_a_condition_stands_with_the_question():
    read = routed_by("", row("note", "n1", "Note"), row("integer", "x", "X?", relevant="${One} = 'r'"))
    for each in read.decisions:
        assert each.now in read.draft["questions"]
    (decision,) = (each for each in read.decisions if each.now["key"] == "x")
    assert decision.now["note"] == "Note" and decision.other["asked_if"] == decision.now["asked_if"]


@pytest.mark.django_db
def test_a_form_with_languages_and_conditions_is_completed_in_the_studio_and_opened():
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    columns = ["type", "name", "label::German (de)", "label::English (en)", "relevant"]
    questions = [
        ["select_one yn", "smokes", "Rauchen Sie?", "Do you smoke?"],
        ["select_one size", "size", "Wie viel?", "How much?", "${smokes} = 'y'"],
    ]
    choices = [
        ["yn", "y", "Ja", "Yes"],
        ["yn", "n", "Nein", "No"],
        ["size", "0", "Nichts", "None"],
        ["size", "1", "Viel", "Much"],
    ]
    settings = [["form_title", "default_language"], ["Rauchen", "German (de)"]]
    data = workbook(
        survey=[columns, *questions], choices=[["list_name", "name", *columns[2:4]], *choices], settings=settings
    )
    file = io.BytesIO(data)
    file.name = "smoking.xlsx"
    address = client.post("/surveys/new/", {"begin": "file", "file": file})["Location"]
    page = client.get(address).content.decode()
    assert "check whom each is asked" in page and "form_title (en)" in page
    client.post(address)
    survey = Survey.objects.get()
    assert {each.field for each in definitions.refusals(survey.draft)} == {"translations.en.title"}
    texts = survey.draft["translations"]["en"]
    said = {slot.name: "Smoking" for slot in slots(survey.draft) if slot.name == "title"}
    said |= {"questions.0.text": "Do you smoke?", "questions.1.text": "How much?"}
    said |= {"questions.1.options.0": "None", "questions.1.options.1": "Much"}
    client.post(f"/surveys/{survey.pk}/languages/", {"tag": "en", "save": "1", "mark": mark(texts)} | said)
    question = copy.deepcopy(survey.draft["questions"][1])
    sent = {"mark": mark(question), "asked_if": ["smokes", "0"]}
    client.post(f"/surveys/{survey.pk}/questions/size/", sent)
    opened = Survey.objects.get()
    open_survey(opened)
    frozen = Survey.objects.get().definition
    assert frozen["language"] == "de" and frozen["translations"]["en"]["title"] == "Smoking"
    assert frozen["translations"]["en"]["questions"][1]["options"] == ["None", "Much"]
    assert frozen["questions"][1]["asked_if"] == {"question": "smokes", "options": [0]}
