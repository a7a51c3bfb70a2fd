"""The sentences above a plot claim only what the intervals allow. Numbers are rounded as readers expect."""

from fractions import Fraction

import pytest

from ldp.kinds.ranking import statements
from surveys.figures import numerals
from surveys.figures.sentences import number
from surveys.researcher.results import findings


def about(interval, standard_error=0.01):
    return {"simultaneous": interval, "standard_error": standard_error}


def document_of(*intervals):
    """Return a question whose options A, B, ... have these simultaneous intervals."""
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
        ([(0.6, 0.8), (0.2, 0.4)], ["70% said “A” (likely between 60% and 80%)."]),
        ([(0.4, 0.6), (0.4, 0.6)], ["50% said “A”", "Either answer may be the more common one."]),
        (
            [(0.5, 0.7), (0.2, 0.4), (0, 0.1)],
            ["60% said “A” (likely", "“A” is the most common answer.", "“C” may be as rare as 0%."],
        ),
        (
            [(0.3, 0.5), (0.4, 0.6), (0, 0.1)],
            ["“B” (50%) and “A” (40%) lead; the difference is within the margin of error."],
        ),
        (
            [(0, 0.3)] * 4,
            ["Every answer may be as rare as 0%.", "All differences between answers are within the margin of error."],
        ),
        (
            [(0.4, 0.5), (0.3, 0.45), (0, 0.2)],
            [
                "2 of 3 differences between answers are beyond",
                "“A” is more common than “C”; “B” is more common than “C”.",
            ],
        ),
        ([(0.5, 0.6), (0.3, 0.4), (0, 0.2)], ["All differences between answers are beyond the margin of error."]),
        ([(0.1, 0.3)] * 9 + [(0, 0.05)], ["9 of the 10 answers may be the most common one."]),
        # Touching ends: the shares may be equal, so no sentence calls either the more common one.
        ([(0.5, 0.6), (0.4, 0.5)], ["Either answer may be the more common one."]),
        # A or B leads. B above C is not certain, so no sentence says that both lead.
        (
            [(0.3, 0.5), (0.1, 0.4), (0.05, 0.2), (0, 0.1)],
            ["“A” (40%) or “B” (25%) is the most common answer: the intervals do not show which."],
        ),
        (
            [(0.3, 0.5), (0.35, 0.45), (0.32, 0.4), (0, 0.1)],
            ["“A” (40%), “B” (40%) and “C” (36%) lead; the differences"],
        ),
    ],
)
def test_the_sentences_claim_what_the_intervals_allow(intervals, sentences):
    said = " ".join(findings.findings(document_of(*intervals)))
    assert all(sentence in said for sentence in sentences), said


BEYOND = {"option": "mean", "estimate": 1007.3, "population": about((1000, 1000), 1.0)}
"""Its interval was cut to the end of the scale."""


@pytest.mark.parametrize(
    ("question", "sentences"),
    [
        (mean_of(-1.04, 3.06), ["The mean is 1.0 hours (likely between −1.1 and 3.1)."]),
        (mean_of(111, 456, 88, ""), ["The mean is 284 (likely between 111 and 456)."]),
        (mean_of(111, 456, 110), ["The mean is 280 hours (likely between 110 and 460)."]),
        (mean_of(1000, 1000) | {"methods": [{"categories": [BEYOND]}]}, ["The mean is 1,000.0 hours."]),
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
    assert said.startswith("70% said “A” (likely between 60% and 80%).") and "need not add up" in said
    said = " ".join(findings.findings(several | {"d": 3}))
    assert "common" not in said and "No report is about 1 of the 3 answers" in said and "need not add up" in said


@pytest.mark.parametrize(
    ("share", "sentence"),
    [
        ((0.35, 0.294, 0.399), "35% said yes (likely between 29% and 40%)."),
        ((0.35, 0.331, 0.37), "35.0% said yes (likely between 33.1% and 37.0%)."),
        ((-0.01, 0, 0.05), "Likely between 0% and 5% said yes."),
        ((0.004, 0, 0.05), "Likely between 0% and 5% said yes."),
        ((0.4, 0.41, 0.5), "Likely between 41% and 50% said yes."),
        ((1.0, 1.0, 1.0), "100.0% said yes."),
    ],
    ids=[
        "whole",
        "a margin of two points",
        "an impossible estimate",
        "next to nothing",
        "outside",
        "known to the last",
    ],
)
def test_a_share_is_a_number_with_its_interval_in_words(share, sentence):
    assert number(share, "said yes", share[2] - share[1]) == sentence


def test_what_luck_cut_off_at_an_end_is_no_precision():
    """An interval that would go on below 0 has whole percents; one entirely below 0 is a point."""
    assert number((-0.03, 0, 0.019), "said yes", 0.1) == "Likely between 0% and 2% said yes."
    assert number((-0.06, 0, 0), "said yes", 0.1) == "Likely 0% said yes."


def test_the_headline_of_yes_or_no_is_about_yes_and_that_of_a_ranking_about_its_clearest_pair():
    both = document_of((0.2, 0.3), (0.7, 0.8))
    assert findings.findings(both | {"kind": "yes_no"})[0] == "25% said yes (likely between 20% and 30%)."
    ranking = document_of((0.2, 0.3), (0.4, 0.6), (0.45, 0.55)) | {"kind": "ranking", "ranked": ["a", "b", "c"]}
    for category, option in zip(ranking["methods"][0]["categories"], statements(["a", "b", "c"]), strict=True):
        category["option"] = option
    assert findings.findings(ranking)[0] == "75% put “b” before “a” (likely between 70% and 80%)."


def test_the_headline_of_a_grid_is_about_the_item_with_the_clearest_answer():
    items = [document_of((0.4, 0.5), (0.5, 0.6)), document_of((0.1, 0.2), (0.8, 0.9))]
    results = [item | {"kind": "grid", "key": f"g.{place}"} for place, item in enumerate(items, 1)]
    assert findings.findings_of_grid(results, ["tea", "coffee", "milk"]) == [
        "“coffee”: 85% said “B” (likely between 80% and 90%).",
        "1 of 3 items has one most common answer, beyond the margin of error.",
        "No report is about 1 of the items, so nothing is known about them.",
    ]


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
