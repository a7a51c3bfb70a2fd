"""At every alpha and every number of people, a page or card prints as many digits as its intervals justify. The
sentence above agrees with the intervals."""

import re

import pytest
from django.utils.translation import override

from ldp.forms.report import alone
from ldp.results import results
from surveys.researcher.results.cards import _answers
from surveys.researcher.results.findings import findings, too_early
from surveys.researcher.results.selection import USUAL, applied
from surveys.survey import definition

ALPHAS = ("0.01", "0.1", "1", "4", "8", "16")
PEOPLE = (1, 2, 7, 12, 100, 20_000, 1_000_000)
SAID = (0.0, 0.3, 0.741397, 1.0)
DRAFTS = [
    {"kind": "yes_no"},
    {"kind": "single_choice", "options": ["a", "b", "c"]},
    {"kind": "histogram", "edges": [0, 1, 2, 3], "mechanism": "laplace"},
]


def question_of(draft, alpha):
    asked = draft | {"key": "q", "text": "?", "alpha": alpha}
    return alone(definition.build({"title": "t", "questions": [asked]}))[0]


def totals_of(question, n, part):
    """Return the expected totals if this part of all people gave the first answer and the rest the last one."""
    from ldp import mechanisms

    found = {}
    for name, moments in mechanisms.of(question).moments().items():
        a, b = float(moments.a), float(moments.b)
        laws = [part] + [0.0] * (len(question["options"]) - 2) + [1 - part]
        own = [round(n * (b + (a - b) * share)) for share in laws]
        if question["mechanism"] == "randomized_response" and len(own) == 2:
            own[1] = n - own[0]
        found[name] = own
    return found


def shown(question, n, part, target, every_look=False):
    [result] = results(question, totals_of(question, n, part), n, 0.95, every_look)
    document = {"questions": [result], "confidence": 0.95, "final": True, "n": n}
    [one] = applied(document, USUAL._replace(target=target))["questions"]
    return one


def digits(text):
    """Return the number of decimals of each number."""
    return [len(each.partition(".")[2]) for each in re.findall(r"\d+(?:\.\d+)?", text.replace(",", ""))]


@pytest.mark.parametrize("every_look", [False, True])
@pytest.mark.parametrize("target", ["population", "respondents"])
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("draft", DRAFTS, ids=lambda draft: draft["kind"])
def test_numbers_have_the_digits_of_their_intervals_and_the_sentence_agrees(draft, alpha, target, every_look):
    question = question_of(draft, alpha)
    with override("en"):
        for n in PEOPLE:
            for part in SAID:
                result = shown(question, n, part, target, every_look)
                [sentence, *_], where = findings(result), (alpha, n, part)
                categories = result["methods"][0]["categories"]
                if too_early(result):
                    assert "%" not in sentence or "α" in sentence, where
                    continue
                rows, _ = _answers(result, 3)
                words = " ".join(row.text for row in rows)
                assert "not known" not in words and all(row.interval for row in rows), where
                ends = {category["option"]: category["shown"]["simultaneous"] for category in categories}
                widest = max(high - low for low, high in ends.values())
                # Two digits of a quarter of the interval alone; three joint intervals are at most half as wide again.
                if widest > 1e-6 and max(digits(words)):
                    assert 600 * 10.0 ** -max(digits(words)) >= 100 * widest, (where, words)
                if ends_named := re.search(r"ikely between ([\d.]+)% and ([\d.]+)%", sentence):
                    option = re.search("“(.*)”", sentence)[1] if "“" in sentence else "Yes"
                    low, high = (float(end) / 100 for end in ends_named.groups())
                    assert low <= ends[option][0] + 1e-9 and ends[option][1] - 1e-9 <= high, (where, sentence, words)
                    assert high - low <= widest + 0.02, (where, sentence)


def test_what_is_known_to_the_last_respondent_is_said():
    """At alpha 16 no report is changed: all of 100 people said yes."""
    result = shown(question_of(DRAFTS[0], "16"), 100, 1.0, "respondents")
    with override("en"):
        rows, _ = _answers(result, 3)
        assert [row.text.rstrip("%0.") for row in rows] == ["1", ""] and findings(result)[0] == "100.0% said yes."


def test_an_interval_of_a_population_is_not_printed_to_the_ten_thousandth():
    """All twelve people said yes. Where an estimate lies at an end, its standard error is nearly 0."""
    result = shown(question_of(DRAFTS[0], "16"), 12, 1.0, "population")
    with override("en"):
        rows, _ = _answers(result, 3)
        assert "73.5 to 100.0%" in rows[0].text, rows[0].text
