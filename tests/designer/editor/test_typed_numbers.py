"""Numbers and dates in the builder, in the page's language: what the draft stores, and what must be typed again."""

import pytest

from surveys.models import Survey
from tests.support.builder import FRAGMENTS, errors, form, questions, signed_in, url, with_question

pytestmark = pytest.mark.django_db

MEAN = {"kind": "mean", "low": "", "high": ""}
BINS = {"kind": "histogram", "edges": []}


def typed(language, fields, begun):
    """Return the question after a page in the language sent these fields, its form there, and the answer."""
    survey, client = with_question(**begun), signed_in()
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    address = url(survey, "q1")
    answer = client.post(address, form(client, address) | fields, headers=FRAGMENTS).content.decode()
    return questions(survey)[0], form(client, address), answer


@pytest.mark.parametrize(
    ("language", "sent", "stored", "shown"),
    [
        ("de", "10.000", "10000", "10000"),
        ("de", "17,5", "17.5", "17,5"),
        ("de", "0,5", "0.5", "0,5"),
        ("de", "1.234,5", "1234.5", "1234,5"),
        ("de", "1,1250", "1.125", "1,1250"),
        ("en", "10,000", "10000", "10000"),
        ("en", "17,5", "17.5", "17.5"),
        ("en", "12,34,567", "1234567", "1234567"),
        ("ar", "٢٠٠٠", "2000", "2000"),
        ("ar", "١٧٫٥", "17.5", "17.5"),
        ("en", "３０", "30", "30"),
        ("en", "\u200e30\u200f", "30", "30"),
    ],
)
def test_an_end_of_a_range_is_stored_as_the_pages_language_writes_it(language, sent, stored, shown):
    question, fields, _said = typed(language, {"low": "0", "high": sent}, MEAN)
    assert (question["high"], fields["high"]) == (stored, shown)


def test_edges_are_read_like_every_other_number_of_the_page():
    question, fields, _said = typed("de", {"edges": "0\n17,5\n1.000\n10.000", "expected_n": "1.000"}, BINS)
    assert question["edges"] == ["0", "17.5", "1000", "10000"] and fields["edges"] == "0\n17,5\n1000\n10000"
    assert Survey.objects.get().expected_n == 1000


@pytest.mark.parametrize(
    ("language", "sent", "asked"),
    [
        ("de", "1,500", "1500 oder 1,5"),
        ("en", "1.500", "1500 or 1.5"),
        ("ar", "1.500", "1500"),
        ("ar", "1,500", "1500"),
    ],
)
@pytest.mark.parametrize(("name", "begun"), [("high", MEAN), ("edges", BINS)])
def test_what_may_be_two_numbers_is_kept_as_it_was_typed_and_asked_again(language, sent, asked, name, begun):
    text = sent if name == "high" else f"0\n1\n{sent}"
    question, fields, answer = typed(language, {"low": "0", name: text} if name == "high" else {name: text}, begun)
    [said] = errors(answer, name)
    assert fields[name].split() == text.split()
    assert "1500" in said and "1500 / " not in said
    if language == "en":
        assert asked in said
    again = question[name] if name == "high" else question[name][2]
    assert again.strip() == sent


@pytest.mark.parametrize("sent", ["1e5", "4E1", "10^5"])
def test_an_exponent_is_refused_with_its_own_sentence(sent):
    _question, _fields, answer = typed("en", {"low": "0", "high": sent}, MEAN)
    assert errors(answer, "high") == ["Write the number in full, without an exponent."]


@pytest.mark.parametrize(("language", "low", "high"), [("de", "0", "1.000"), ("en", "0", "1,000"), ("ar", "٠", "١٠٠٠")])
def test_edges_that_are_filled_in_have_the_ends_that_were_typed(language, low, high):
    fields = {"low_end": low, "high_end": high, "bin_count": "٢" if language == "ar" else "2", "fill": "1"}
    question, _fields, _said = typed(language, fields, BINS)
    assert question["edges"] == ["0", "500", "1000"]


def test_edges_with_three_decimals_stay_what_they_are_in_every_language():
    for language in ("de", "en", "ar"):
        begun = {"kind": "histogram", "edges": ["0", "1.125", "2.5"]}
        question, fields, _said = typed(language, {}, begun)
        assert question["edges"] == begun["edges"]
        more, _fields, _said = typed(language, {"edges": fields["edges"] + "\n10"}, begun)
        assert more["edges"] == ["0", "1.125", "2.5", "10"], language


@pytest.mark.parametrize(
    ("language", "sent", "alpha"),
    [("de", "0,5", "0.5"), ("de", "1,125", "1.125"), ("en", "1.125", "1.125"), ("ar", "٠٫٥", "0.5")],
)
def test_an_alpha_is_a_number_like_any_other(language, sent, alpha):
    question, _fields, _said = typed(language, {"alpha": sent}, MEAN)
    assert question["alpha"] == alpha


def test_dates_may_have_the_digits_of_any_script():
    question, _fields, _said = typed("ar", {"dates": "١٩٨٠\n１９９０\n\u200e2000"}, {"kind": "date", "dates": []})
    assert question["dates"] == ["1980", "1990", "2000"]
    question, _fields, _said = typed("ar", {"dates": "٢٠٢٥-٠١\n２０２５−０２\n2025‐03"}, {"kind": "date", "dates": []})
    assert question["dates"] == ["2025-01", "2025-02", "2025-03"]


@pytest.mark.parametrize(("sent", "stored", "problems"), [("0", 0, 1), ("٠", 0, 1), ("-1", -1, 1), ("", None, 0)])
def test_a_count_of_zero_is_refused_and_not_lost(sent, stored, problems):
    begun = {"kind": "multiple_choice", "options": ["a", "b", "c"], "sample": 2}
    question, fields, answer = typed("en", {"sample": sent}, begun)
    assert question.get("sample") == stored and len(errors(answer, "sample")) == problems
    assert fields["sample"] == ("" if stored is None else str(stored))


def test_the_first_option_may_be_the_one_that_means_none_of_these():
    begun = {"kind": "multiple_choice", "options": ["None", "b", "c"]}
    question, fields, answer = typed("en", {"exclusive": "0"}, begun)
    assert (question["exclusive"], fields["exclusive"], errors(answer, "exclusive")) == (0, "0", [])


def test_a_count_may_have_the_digits_of_any_script():
    question, _fields, _said = typed("de", {"sample": "٢"}, {"kind": "multiple_choice", "options": ["a", "b", "c"]})
    assert question["sample"] == 2
