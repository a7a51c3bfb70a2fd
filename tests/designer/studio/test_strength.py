"""Statements about protection, in the studio and on the site, agree with the odds for every alpha."""

import math
from fractions import Fraction
from pathlib import Path

import pytest

from ldp import strength
from surveys.designer.studio import sharing
from surveys.figures import strengths
from surveys.models import Survey
from surveys.survey import definition as definitions

ALPHAS = [Fraction(alpha) for alpha in ("0.5", "1", "2", "4", "16")]
# The range of the highest chance to which a guess of 20 in 100 can rise, for each statement about a level.
MEANINGS = {
    "A report says little about one person.": (0.2, 0.41),
    "A report is a hint, and leaves real doubt.": (0.40, 0.65),
    "A report can be strong evidence.": (0.64, 0.9992),
    "A report can come close to revealing the answer.": (0.94, 1.0),
}


def risen(total: Fraction) -> float:
    odds = 0.25 * math.exp(total)
    return odds / (1 + odds)


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_level_and_the_belief_beside_it_agree(alpha, count):
    low, high = MEANINGS[str(strengths.of_survey([alpha] * count).meaning)]
    assert low < risen(alpha * count) <= high
    if count == 1:
        assert strengths.of_question(alpha) == strengths.of_survey([alpha])


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_an_invitation_asks_for_trust_only_where_the_page_does(alpha, count):
    questions = [{"key": f"q{i}", "kind": "yes_no", "text": f"{i}?", "alpha": str(float(alpha))} for i in range(count)]
    made = definitions.build({"title": "Title", "questions": questions})
    survey = Survey(title="Title", canonical=definitions.canonical(made))
    text = sharing._mail(survey, "https://example.org/s/#x")
    assert ("protects you" in text) == ("truthfully" in text) == (risen(alpha * count) < 0.66)
    assert strength.may_ask_for_trust([alpha] * count) == (
        "Take part only if you accept what a report can reveal" not in text
    )


# Claims that do not hold for every alpha.
CLAIMS = ("never learn", "nobody can tell", "your true answer may be another", "says little", "nothing to trust")


@pytest.mark.django_db
def test_the_home_page_and_the_documents_claim_nothing_that_depends_on_alpha(client):
    home = client.get("/").content.decode()
    root = Path(__file__).parents[3]
    for text in (home, *((root / name).read_text() for name in ("README.md", "docs/respondents/privacy.md"))):
        assert [claim for claim in CLAIMS if claim in text.lower().replace("\n", " ")] == []


def test_the_readme_speaks_of_the_whole_report():
    text = " ".join((Path(__file__).parents[3] / "README.md").read_text().split())
    assert "any guess about the person's answers by a factor of at most e^alpha, where alpha is the total" in text
    ends = [math.ceil(100 * risen(Fraction(total))) for total in (1, 2, 4)]
    assert "a 20% chance of an answer, a report can raise that to at most {}% at alpha 1, {}%".format(*ends) in text
    assert "{}% at alpha 2 and {}% at alpha 4.".format(*ends[1:]) in text


def test_the_readme_names_levels_as_the_pages_do():
    text = " ".join((Path(__file__).parents[3] / "README.md").read_text().split())
    levels = [strengths.of_survey([Fraction(total)]).word for total in (1, 2, 4)]
    assert "Alpha 1 is {} protection, alpha 2 {}, alpha 4 {}.".format(*levels) in text
