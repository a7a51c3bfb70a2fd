"""The pages read numbers as designers write them. An invalid number does not discard the other typed text."""

import unicodedata

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from surveys.designer.studio.terms import End
from surveys.figures.typed import Moment, Unread, draft_number, percent, read, readings, written
from tests.support.alpha import begun, get, post, said

pytestmark = pytest.mark.django_db

TWO = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(2)]


@pytest.mark.parametrize("typed", ["1500", "1,500", "1.500", "1 500", "1\u202f500", "1'500", "1٬500", " 1,500 "])
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_a_whole_number_may_have_its_thousands_apart(typed, language):
    with override(language):
        assert read(typed, whole=True) == "1500"


@pytest.mark.parametrize(
    "typed",
    ["1,50", "15,00", "1,500,5", "1 50", "1,500 000", "one", "1,,500", "15000,000", "4_0", "1e5", "10²", "½", ""],
)
def test_what_is_no_whole_number_stays_none(typed):
    with pytest.raises(Unread):
        read(typed, whole=True)


ASKED = "?"


@pytest.mark.parametrize(
    ("typed", "english", "german", "arabic"),
    [
        ("2.5", "2.5", "2.5", "2.5"),
        ("2,5", "2.5", "2.5", "2.5"),
        ("17,5", "17.5", "17.5", "17.5"),
        ("10.000", ASKED, "10000", ASKED),
        ("1,500", "1500", ASKED, ASKED),
        ("1.500", ASKED, "1500", ASKED),
        ("1·500", ASKED, ASKED, ASKED),
        ("1 500", "1500", "1500", "1500"),
        ("1'500", "1500", "1500", "1500"),
        ("1_500", "1500", "1500", "1500"),
        ("1000,000", ASKED, "1000", ASKED),
        ("1000.000", "1000", ASKED, ASKED),
        ("12345,678", ASKED, "12345.678", ASKED),
        ("1,0000", ASKED, "1", ASKED),
        ("1.1250", "1.125", "1.125", "1.125"),
        ("0,000", "0", "0", "0"),
        ("1,500.25", "1500.25", "1500.25", "1500.25"),
        ("1.500,25", "1500.25", "1500.25", "1500.25"),
        ("1,500,000", "1500000", "1500000", "1500000"),
        ("12,34,567", "1234567", "1234567", "1234567"),
        ("0,125", "0.125", "0.125", "0.125"),
        ("٫5", "0.5", "0.5", "0.5"),
        ("1٫500", "1.5", "1.5", "1.5"),
        ("1٬500", "1500", "1500", "1500"),
        ("- 0,0", "0", "0", "0"),
        ("−3", "-3", "-3", "-3"),
        ("００７．５０", "7.5", "7.5", "7.5"),
    ],
)
def test_a_number_is_read_as_the_pages_language_writes_it(typed, english, german, arabic):
    for language, wanted in (("en", english), ("de", german), ("ar", arabic)):
        with override(language):
            if wanted == ASKED:
                with pytest.raises(Unread, match=r"\d"):
                    read(typed)
            else:
                assert read(typed) == wanted


def test_where_two_numbers_may_be_meant_both_are_named_as_they_can_be_typed():
    with override("en"), pytest.raises(Unread, match=r"Do you mean 1125 or 1\.1250\?"):
        read("1.125")
    with override("de"):
        assert (read("1.1250"), read("1,1250"), read("1125")) == ("1.125", "1.125", "1125")


def test_a_mark_before_decimals_is_none_between_thousands_that_the_field_cannot_have():
    with override("en"):
        assert read("33.333", most=100) == "33.333"
    with override("de"):
        assert (read("33,333", most=100), read("33.333", most=100)) == ("33.333", "33333")
    with override("ar"), pytest.raises(Unread):
        read("1,000", most=100)


def test_digits_of_every_script_are_read():
    digits = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Nd"]
    assert len(digits) > 600
    assert all(readings(f"1{each}", "en") == [f"1{unicodedata.decimal(each)}"] for each in digits)


@pytest.mark.parametrize(
    "typed", ["\u200b30", "\u200e30\u200f", "\ufeff30", "3\u20600", "３０", "३०", "৩০", "๓๐", "௩௦", "៣០", "၃၀"]
)
def test_marks_that_are_not_seen_are_no_part_of_a_number(typed):
    assert readings(typed, "en") == ["30"]


@pytest.mark.parametrize("typed", ["1e5", "4E1", "1e-6", "10^5", "2×10^3", "2x103"])
def test_a_number_with_an_exponent_is_asked_for_in_full(typed):
    with pytest.raises(Unread, match="without an exponent"):
        read(typed)


@pytest.mark.parametrize("typed", ["5 EUR", "5 e", "5 kg", "½", "1/2", "—5", "(5)", "5-", "3•5", "①"])
def test_a_unit_is_no_exponent_and_another_notation_no_number(typed):
    with pytest.raises(Unread, match=r"^$"):
        read(typed)


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_what_a_page_shows_of_a_draft_is_read_as_the_same_number(language):
    numbers = ["0", "7", "-7", "1000", "1.5", "1.125", "-999.999", "0.125", "1000.125", "123456789012.123456"]
    with override(language):
        assert [read(written(each)) for each in numbers] == numbers


def test_what_may_be_two_numbers_is_none_of_a_draft():
    with override("en"):
        assert (draft_number("1.500"), draft_number("1,500"), draft_number("x")) == ("1.500 ", "1500", "x")


@pytest.mark.parametrize("typed", ["40%", "40٪", "40％", "40 %", "﹪40", "%40", "٤٠٪"])
def test_percent_signs_of_every_script_are_read(typed):
    assert percent(typed) == "40"


@pytest.mark.parametrize("typed", ["%40%", "4%0", "40‰", "40%%", "%"])
def test_other_signs_of_percent_are_refused(typed):
    with pytest.raises(Unread):
        percent(typed)


@pytest.mark.parametrize("typed", ["1,500", "1 500", "1.500"])
def test_people_may_be_typed_with_their_thousands_apart(client, ada, typed):
    survey = begun(ada, TWO, None)
    post(client, survey, do="plan", n=typed, total="2")
    assert survey.expected_n == 1500
    assert "with 1,500 people" in get(client, survey, question="q0", n=typed)


@pytest.mark.parametrize("wrong", [{"n": "many"}, {"n": "0"}, {"n": "2,000", "points": "x"}, {"width.q1": "-"}])
def test_a_wrong_number_keeps_the_pairs_and_widths_that_were_typed(client, ada, wrong):
    survey = begun(ada, TWO, 700)
    wish = {"n": "2000", "total": "1", "first": "q0", "second": "q1", "width.q0": "7,5", "width.q1": "3"} | wrong
    page = post(client, survey, do="plan", **wish).content.decode()
    assert '<option value="q0" selected>' in page and '<option value="q1" selected>' in page
    assert 'name="width.q0" value="7,5"' in page and 'name="total" value="1" checked' in page
    assert f'value="{list(wrong.values())[-1]}"' in page and 'aria-invalid="true"' in page
    assert "Take the proposal" not in page


def test_the_people_of_a_wrong_wish_are_named(client, ada):
    survey = begun(ada, TWO, 700)
    response = post(client, survey, do="plan", n="many", total="1")
    assert said(response)[0].startswith("People expected:") and survey.expected_n == 700


@pytest.mark.parametrize("typed", ["٢٠٣٠-٠١-٠٢ ١٠:٣٠", "２０３０-01-02 10:30", "\u200e2030-01-02T10:30"])
def test_a_moment_may_have_the_digits_of_any_script(typed):
    with override("ar"):
        assert Moment().clean(typed).strftime("%Y-%m-%d %H:%M") == "2030-01-02 10:30"


@pytest.mark.parametrize(
    "typed",
    [
        *("20300102", "2030-W01", "2030-W01-3", "2030-002", "2030-01", "2030", "02/01/2030 10:30", "02.01.2030"),
        *("9999-12-31T23:59:59-12:00", "9999-12-31", "0001-01-01T00:00:00+14:00", "2030-01-02T24:00Z", "2030-02-30"),
    ],
)
def test_what_would_be_another_moment_or_none_in_some_zone_is_refused_with_an_example(typed):
    for field in (Moment(), End()):
        with pytest.raises(ValidationError, match="such as 2030-01-31 18:30"):
            field.clean(typed)


@pytest.mark.parametrize(("language", "typed"), [("de", "1,125"), ("de", "1,1250"), ("en", "1.125"), ("ar", "١٫١٢٥")])
def test_an_alpha_of_a_form_is_typed_like_every_number(client, ada, language, typed):
    survey = begun(ada, TWO, 700)
    page = get(client, survey, question="q0", alpha=typed, n="1.500", headers={"accept-language": language})
    assert 'id="alpha-error"' not in page and f'value="{typed}"' in page
