"""The sentences above a plot claim what the intervals allow, and numbers are written as people read them."""

import pytest

from surveys import findings, numerals


def document_of(*intervals):
    """A question whose options A, B, ... have these simultaneous intervals."""
    options = [
        {"option": chr(65 + i), "estimate": sum(interval) / 2, "population": {"simultaneous": interval}}
        for i, interval in enumerate(intervals)
    ]
    return {"methods": [{"categories": options}]}


@pytest.mark.parametrize(
    ("intervals", "sentences"),
    [
        ([(0.6, 0.8), (0.2, 0.4)], ["“A” is the more common answer.", "±10 percentage points"]),
        ([(0.4, 0.6), (0.4, 0.6)], ["It cannot be said which is the more common answer: every answer could be."]),
        ([(0.5, 0.7), (0.2, 0.4), (0, 0.1)], ["“A” is the most common", "For “C” a share of 0 cannot be ruled out."]),
        ([(0.3, 0.5), (0.4, 0.6), (0, 0.1)], ["The most common answer is “A” or “B”; which one cannot be said."]),
        ([(0, 1), (0, 1), (0, 1)], ["For no answer can a share of 0 be ruled out.", "too few reports"]),
        ([(0.1, 0.3)] * 9 + [(0, 0.05)], ["9 of the 10 answers could be."]),
        # Touching ends: the shares may be equal, so neither is said to be the more common one.
        ([(0.5, 0.6), (0.4, 0.5)], ["It cannot be said which is the more common answer"]),
    ],
)
def test_the_sentences_claim_what_the_intervals_allow(intervals, sentences):
    said = " ".join(findings.findings(document_of(*intervals)))
    assert all(sentence in said for sentence in sentences), said


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (numerals.share(-0.0004, 1), "0.0"),
        (numerals.share(-0.012, 1), "−1.2"),
        (numerals.number(-1234.5, 1), "−1,234.5"),
        (numerals.rounded_up(0.0312), "0.032"),
        (numerals.rounded_up(99.1), "100"),
        (numerals.odds_factor("1"), "2.8"),
        (numerals.odds_factor("5"), "149"),
        (numerals.odds_factor("16"), "8,886,111"),
        ([numerals.decimals_for(error) for error in (0.36, 0.095, 0.0951, 0.0095, 0, 1e-9)], [0, 1, 1, 2, 1, 6]),
    ],
)
def test_numbers_are_written_as_people_read_them(shown, expected):
    assert shown == expected
