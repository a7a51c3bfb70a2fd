"""Pasted known shares: answers in any Unicode form, numbers with the signs of any script."""

import unicodedata

import pytest
from django.utils.translation import override

from surveys.researcher.analyses.weighting import pasted

CAFE = unicodedata.normalize("NFC", "Café")


def read(table, options=("Yes", "No"), language="en"):
    with override(language):
        return [str(share) for share in pasted.read(table, options)]


@pytest.mark.parametrize(
    "spelled", [unicodedata.normalize("NFD", CAFE), "CAFÉ", "ｃａｆé", "\u200eCafé\u200f", " Café "]
)
def test_an_answer_is_found_in_every_unicode_form_and_case(spelled):
    assert read(f"{spelled};40\nTea;60", (CAFE, "Tea")) == ["40", "60"]
    assert read("STRASSE;40\nTea;60", ("Straße", "Tea")) == ["40", "60"]
    assert read("10-20;40\nDON'T KNOW;60", ("10–20", "Don’t know")) == ["40", "60"]


def test_of_answers_that_differ_by_case_alone_each_is_found_by_its_own():
    assert read("US;40\nus;60", ("us", "US")) == ["60", "40"]
    with pytest.raises(pasted.UnfitTable, match="“Us” is not one of the answers"):
        read("Us;40\nus;60", ("us", "US"))


@pytest.mark.parametrize("sign", ["%", "％", "٪", "﹪", " %", "\u202f%"])
def test_percent_signs_of_every_script_are_read(sign):
    assert read(f"Yes;40{sign}\nNo;60{sign}") == ["40", "60"]
    assert read(f"Yes;%40\nNo;{sign.strip()}60") == ["40", "60"]


@pytest.mark.parametrize("number", ["４０", "४०", "٤٠", "៤០", "\u200b40"])
def test_digits_of_every_script_are_read(number):
    assert read(f"Yes;{number}\nNo;60") == ["40", "60"]


@pytest.mark.parametrize("number", ["4_0", "1,000", "0x28", "4 0", "40‰", "4²"])
def test_what_would_count_as_another_number_is_refused(number):
    with pytest.raises(pasted.UnfitTable, match="Line 1: Type a number from 0 to 100"):
        read(f"Yes;{number}\nNo;60")


def test_an_exponent_and_what_may_be_two_numbers_are_asked_again():
    with pytest.raises(pasted.UnfitTable, match="Line 1: Write the number in full, without an exponent"):
        read("Yes;4e1\nNo;60")
    with pytest.raises(pasted.UnfitTable, match="1000"):
        read("Yes;1,000\nNo;99", language="ar")


@pytest.mark.parametrize(("language", "one", "other"), [("en", "33.333", "66.667"), ("de", "33,333", "66,667")])
def test_three_decimals_of_a_share_are_decimals(language, one, other):
    assert read(f"Yes;{one}\nNo;{other}", language=language) == ["33.333", "66.667"]
