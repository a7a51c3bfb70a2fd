"""Statistical programs open every file, with valid names and with codes and labels that keep the meaning."""

import json

import pandas as pd
import pyreadstat
import pytest

from surveys.researcher.downloads import labels
from surveys.researcher.downloads.program_names import SPSS, STATA, names
from surveys.survey.kinds import KINDS
from tests.support.exports import closed

pytestmark = pytest.mark.django_db

# Reserved words of Stata and SPSS that can be a key.
OF_STATA = ["byte", "double", "float", "if", "in", "int", "long", "strl", "str7", "str2045", "using", "with"]
OF_SPSS = ["all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"]
LONG = (
    "What two options of a question share from their beginning on, in more than the hundred and twenty bytes of SPSS: "
)


def draft():
    questions = [
        {"key": key, "kind": "single_choice", "text": "Which?", "options": ["a", "b"], "alpha": 1}
        for key in dict.fromkeys([*OF_STATA, *OF_SPSS, "q_if"])
    ]
    longs = [LONG + "one", LONG + "two", "other"]
    return {
        "title": "Words",
        "questions": [
            *questions,
            {"key": "yes", "kind": "yes_no", "text": "Yes?", "alpha": 1, "prefer_not_to_say": True},
            {"key": "long_options", "kind": "single_choice", "text": "Which?", "options": longs, "alpha": 1},
        ],
    }


@pytest.fixture(scope="module")
def files(taken_away):
    return taken_away(lambda: closed(draft(), 120))


def test_names_are_each_once_and_none_is_a_word_of_the_program():
    assert names(STATA, ["if", "q_if", "str7", "a.1", "a_1"]) == ["q_if", "q_if_2", "q_str7", "a_1", "a_1_2"]
    assert names(SPSS, ["to", "if", "a.1", "a_1"]) == ["q_to", "if", "a.1", "a_1"]
    assert names(STATA, ["a" * 40, "a" * 39 + "b"]) == ["a" * 27, "a" * 25 + "_2"]


def test_every_file_has_each_column_under_the_name_that_the_codebook_gives_for_the_program(files):
    book = json.loads((files / "codebook.json").read_text(encoding="utf-8"))
    columns = [column for question in book["questions"] for column in question["microdata"]["columns"]]
    stata, _ = pyreadstat.read_dta(files / "microdata.dta")
    spss, _ = pyreadstat.read_sav(files / "microdata.sav")
    assert list(stata) == [column["stata"] for column in columns]
    assert list(spss) == [column["spss"] for column in columns]
    assert not {*OF_STATA} & {*stata} and not {*OF_SPSS} & {*spss}
    by_key = {column["name"]: column for column in columns}
    assert (by_key["if"]["stata"], by_key["if"]["spss"]) == ("q_if", "if")
    assert (by_key["to"]["stata"], by_key["to"]["spss"]) == ("to", "q_to")


def test_yes_is_one_and_a_refusal_is_missing_to_statistical_programs(files):
    sent = pd.read_csv(files / "microdata.csv")["yes"]
    for frame, meta in (pyreadstat.read_sav(files / "microdata.sav"), pyreadstat.read_dta(files / "microdata.dta")):
        assert frame["yes"].tolist() == pytest.approx(sent.map({0: 1, 1: 0}).tolist(), nan_ok=True)
        assert {1: "Yes", 0: "No"}.items() <= meta.variable_value_labels["yes"].items()
    kept, meta = pyreadstat.read_sav(files / "microdata.sav", user_missing=True)
    assert (kept["yes"] == 2).tolist() == (sent == 2).tolist() and meta.missing_ranges["yes"] == [{"lo": 2, "hi": 2}]
    kept, meta = pyreadstat.read_dta(files / "microdata.dta", user_missing=True)
    assert (kept["yes"] == "a").tolist() == (sent == 2).tolist() and meta.variable_value_labels["yes"]["a"]
    assert [name for name, kind in KINDS.items() if kind.codes] == ["yes_no"]


def test_options_that_begin_alike_keep_labels_of_their_own(files):
    for read, ending in ((pyreadstat.read_sav, "sav"), (pyreadstat.read_dta, "dta")):
        _, meta = read(files / f"microdata.{ending}")
        texts = meta.variable_value_labels["long_options"]
        assert len(set(texts.values())) == 3 and texts[2] == "other"
    assert labels.distinct(["abc", "abd", "x"], lambda text: text[:2]) == ["(1", "(2", "x"]
