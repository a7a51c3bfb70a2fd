"""Numbers are taken as people write them, and a number that cannot be does not cost what else was typed."""

import pytest
from django.utils.translation import override

from surveys.figures.typed import plain
from tests.support.alpha import begun, get, post, said

pytestmark = pytest.mark.django_db

TWO = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(2)]


@pytest.mark.parametrize("typed", ["1500", "1,500", "1.500", "1 500", "1\u202f500", "1'500", "1٬500", " 1,500 "])
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_a_whole_number_may_have_its_thousands_apart(typed, language):
    with override(language):
        assert plain(typed, whole=True) == "1500"


@pytest.mark.parametrize("typed", ["1,50", "15,00", "1,500,5", "1 50", "1,500 000", "one", "1,,500", "15000,000"])
def test_what_is_no_whole_number_stays_none(typed):
    with pytest.raises(ValueError, match="invalid literal"):
        int(plain(typed, whole=True))


@pytest.mark.parametrize(
    ("typed", "english", "german"),
    [
        ("2.5", "2.5", "2.5"),
        ("2,5", "2.5", "2.5"),
        ("1,500", "1500", "1.500"),
        ("1.500", "1.500", "1500"),
        ("1 500", "1500", "1500"),
        ("1,500.25", "1500.25", "1500.25"),
        ("1.500,25", "1500.25", "1500.25"),
        ("1,500,000", "1500000", "1500000"),
        ("0,125", "0.125", "0.125"),
        ("٫5", ".5", ".5"),
    ],
)
def test_a_number_is_read_as_the_pages_language_writes_it(typed, english, german):
    with override("en"):
        assert plain(typed) == english
    with override("de"):
        assert plain(typed) == german


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
