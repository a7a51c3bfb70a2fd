"""A change of one integer in the definition changes every document, except where a reason is listed."""

import copy

import pytest

from surveys.designer.evidence import catalog, facts
from surveys.models import Survey
from surveys.public.demo.drafts import draft
from surveys.survey import definition as definitions
from tests.support.evidence import demonstration

pytestmark = pytest.mark.django_db

SAYS_NOTHING_OF_IT = {
    "data/columns.csv": "it says what columns hold, which is the same of all surveys with such questions",
}


def written(definition, slug):
    """Return the survey's files with its slug replaced. Facts of a release are cached by slug."""
    survey = demonstration(definition, slug)
    files = catalog.files(facts.of_survey(Survey.objects.get(pk=survey.pk)))
    return {file.name: file.content.replace(slug.encode(), b"SLUG") for file in files}


def altered(definition, change):
    other = copy.deepcopy(definition)
    change(other)
    assert definitions.certified(definitions.canonical(other)), "a page would ask it"
    return other


def test_every_document_changes_with_an_integer():
    own = definitions.build(draft())

    def protect_more(definition):
        definition["forms"][0]["draws"][0]["table"]["keep"] -= 2**45

    before, after = written(own, "slug-one"), written(altered(own, protect_more), "slug-two")
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] == after[name]} == SAYS_NOTHING_OF_IT.keys()


def test_a_weaker_promise_is_said_in_the_statement():
    """Alpha, strength and belief change, not only the digest."""
    own = draft()
    # The demonstration's reports list this many options.
    sizes = definitions.build(draft())["forms"][0]["draws"][0]["table"]["sizes"]
    for form in own["forms"]:
        form["draws"][0]["alpha"] = "4"
    own["forms"][0]["draws"][0]["sizes"] = sizes
    texts = written(definitions.build(own), "slug-three")["statement.en.html"].decode()
    assert "weak (α = 4 for a whole report)" in texts and "at most 94%" in texts and "This protection is weak" in texts
