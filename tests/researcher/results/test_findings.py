"""The sentences above a plot claim what the intervals allow, and numbers are written as people read them."""

from fractions import Fraction

import pytest

from surveys.figures import numerals
from surveys.researcher.results import findings


def about(interval, standard_error=0.01):
    return {"simultaneous": interval, "standard_error": standard_error}


def document_of(*intervals):
    """A question whose options A, B, ... have these simultaneous intervals."""
    options = [
        {"option": chr(65 + i), "estimate": sum(interval) / 2, "population": about(interval)}
        for i, interval in enumerate(intervals)
    ]
    asked = {"kind": "single_choice", "d": len(options), "together": len(options), "informative_n": 1234}
    return asked | {"methods": [{"categories": options}]}


def mean_of(low, high, standard_error=1.0, unit="hours"):
    category = {"option": "mean", "estimate": (low + high) / 2, "population": about((low, high), standard_error)}
    asked = {"kind": "mean", "low": "-20", "high": "1000", "unit": unit, "together": 1, "informative_n": None}
    return asked | {"methods": [{"categories": [category]}]}


@pytest.mark.parametrize(
    ("intervals", "sentences"),
    [
        ([(0.6, 0.8), (0.2, 0.4)], ["“A” is the more common answer.", "at most 20 percentage points wide."]),
        ([(0.4, 0.6), (0.4, 0.6)], ["We do not know which answer is more common: either one could be."]),
        (
            [(0.5, 0.7), (0.2, 0.4), (0, 0.1)],
            ["“A” is the most common", "The interval of “C” reaches 0: possibly nobody gave this answer."],
        ),
        ([(0.3, 0.5), (0.4, 0.6), (0, 0.1)], ["The most common answer is “A” or “B”; we do not know which."]),
        (
            [(0, 0.3)] * 4,
            ["All intervals reach 0: each of the answers may have been given by nobody.", "they alone do not show"],
        ),
        (
            [(0.4, 0.5), (0.3, 0.45), (0, 0.2)],
            ["of 2 of 3 pairs of answers do not overlap", "“A” is more common than “C”; “B” is more common than “C”."],
        ),
        ([(0.5, 0.6), (0.3, 0.4), (0, 0.2)], ["No intervals overlap, so for any two answers"]),
        ([(0.1, 0.3)] * 9 + [(0, 0.05)], ["9 of the 10 answers could be."]),
        # Touching ends: the shares may be equal, so neither is said to be the more common one.
        ([(0.5, 0.6), (0.4, 0.5)], ["We do not know which answer is more common"]),
    ],
)
def test_the_sentences_claim_what_the_intervals_allow(intervals, sentences):
    said = " ".join(findings.findings(document_of(*intervals)))
    assert all(sentence in said for sentence in sentences), said


@pytest.mark.parametrize(
    ("question", "sentences"),
    [
        (mean_of(-1.04, 3.06), ["between −1.1 and 3.1 hours.", "a range of 4.1 hours on a scale from −20 to 1000."]),
        (mean_of(111, 456, 88, ""), ["between 111 and 456.", "a range of 350 on"]),
        (mean_of(111, 456, 110), ["between 110 and 460 hours."]),
        (mean_of(-20, 490), ["Nothing can be said at this α, whatever the number of reports."]),
    ],
)
def test_a_mean_is_spoken_of_in_its_own_unit(question, sentences):
    said = " ".join(findings.findings(question))
    assert all(sentence in said for sentence in sentences) and "share" not in said and "%" not in said, said


@pytest.mark.parametrize("intervals", [[(0, 1)] * 3, [(0, 0.5), (0.4, 1)], [(0.1, 0.7), (0.2, 0.9), (0, 0.6)]])
def test_while_intervals_span_half_of_everything_one_sentence_says_so(intervals):
    question = document_of(*intervals)
    assert findings.too_early(question)
    assert findings.findings(question) == ["It is too early to say anything precise. It takes about 1,300 reports."]
    ended = findings.findings(question | {"ended": True})
    assert ended == ["Too few people answered to say anything precise. It takes about 1,300 reports."]


@pytest.mark.parametrize("intervals", [[(0.55, 1), (0, 0.45)], [(0, 0.51), (0.52, 1)], [(0.5, 1), (0, 0.6), (0, 0.4)]])
def test_it_is_not_too_early_once_something_is_known(intervals):
    assert not findings.too_early(document_of(*intervals))


def test_of_several_answers_one_that_no_report_is_about_could_be_the_most_common():
    several = document_of((0.6, 0.8), (0, 0.4)) | {"kind": "multiple_choice"}
    said = " ".join(findings.findings(several))
    assert "“A” is the more common answer." in said and "need not add up" in said
    said = " ".join(findings.findings(several | {"d": 3}))
    assert "common" not in said and "No report is about 1 of the 3 answers" in said and "need not add up" in said


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (numerals.share(-0.0004, 1), "0.0"),
        (numerals.share(-0.012, 1), "−1.2"),
        (numerals.number(-1234.5, 1), "−1,234.5"),
        (numerals.rounded_up(0.0312), "0.032"),
        (numerals.rounded_up(99.1), "100"),
        (numerals.number(1234567.0, -3), "1,235,000"),
        ([numerals.places(error) for error in (30028, 96, 9.5, 0.061, 0)], [-3, 0, 1, 3, 1]),
        (
            [numerals.decimal(t) for t in ("-0.5", "1000", "12345.60", "-100000")],
            ["−0.5", "1000", "12,345.60", "−100,000"],
        ),
        ([numerals.tick(value) for value in (0.0, -2.5, 2e6, 1e-6, -0.0)], ["0", "−2.5", "2,000,000", "0.000001", "0"]),
        ([numerals.chance(Fraction(d)) for d in ("0.000001", "0.0003")], ["1 in 1,000,000", "1 in 3,333"]),
        (numerals.outward(-1.04, 3.06, 1), ("−1.1", "3.1")),
        (numerals.outward(0.3, 0.7, 1), ("0.3", "0.7")),
        ([numerals.count_up(n) for n in (3, 27, 1201)], ["3", "27", "1,300"]),
        (numerals.odds_factor("1"), "2.8"),
        (numerals.odds_factor("5"), "149"),
        (numerals.odds_factor("16"), "8,886,111"),
        ([numerals.decimals_for(error) for error in (0.36, 0.095, 0.0951, 0.0095, 0, 1e-9)], [0, 1, 1, 2, 1, 6]),
    ],
)
def test_numbers_are_written_as_people_read_them(shown, expected):
    assert shown == expected
