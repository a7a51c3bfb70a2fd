"""A respondent learns what the reports of all waves reveal together. The page has the server's rules about waves."""

import json

import pytest

from surveys.survey import definition as definitions
from tests.support.hostile import altered
from tests.support.respondents import open_page
from tests.support.site import mapped, open_blank
from tests.support.waves import WAVE

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

ONE = {"title": "Once more", "questions": [{"key": "yes", "kind": "yes_no", "text": "Yes?", "alpha": "0.5"}]}
NOISY = {"key": "q", "kind": "histogram", "text": "?", "edges": ["0", "1", "2"], "alpha": "1", "mechanism": "osgt"}
NOISY |= {"delta": "0.000001"}
CERTIFIED = "(text) => certify(Uint8Array.from(text, (byte) => byte.charCodeAt(0))).problem === null"
SAID = {
    "en": "This survey follows an earlier one. If you took part in that too, all your reports count as one: If someone "
    "guessed your answer with 20% certainty, your whole report could raise that to at most 41%, or lower it to 8%.",
    "de": "Haben Sie auch dort teilgenommen, zählen alle Meldungen als eine: Wer Ihre Antwort zu 20 % vermutet, kommt "
    "durch die ganze Meldung auf höchstens 41 % oder fällt auf 8 %.",
    "ar": "فتقاريرك كلها تُعدّ تقريرًا واحدًا: من خمّن إجابتك بيقين",
}


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture(scope="module")
def first(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("first"), ONE)


@pytest.fixture(scope="module")
def noisy(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("noisy"), {"title": "Noise", "questions": [NOISY]})


@pytest.fixture
def blank(page, system):
    return open_blank(page, system.url)


@pytest.mark.parametrize("language", SAID)
def test_beliefs_of_all_waves_together_are_said(page, system, tmp_path, first, language):
    """Two reports of alpha .5 together change odds by e at most: 20% to 40.46%, said as 41, or to 8.42%, said as 8."""
    named = {"survey": first.slug, "digest": first.digest, "alpha": "0.5"}
    page.goto(open_page(system, tmp_path, ONE | {"language": language, "wave_of": named}).page)
    page.locator(".own summary").click()
    page.locator(".own td").first.wait_for()
    assert SAID[language] in " ".join(page.locator("section:has(#promise)").inner_text().split())


APART = {
    "en": "With a chance of at most 1 in 90,909 the report may reveal more.",
    "de": "Mit einer Wahrscheinlichkeit von höchstens 1 zu 90.909 verrät die Meldung zufällig mehr.",
}


@pytest.mark.parametrize("language", APART)
def test_deltas_of_all_waves_together_are_said(page, system, tmp_path, noisy, language):
    """1 in a million and then 1 in 100,000 make 0.000011 in all, 1 in 90,909."""
    named = {"survey": noisy.slug, "digest": noisy.digest, "alpha": "1", "delta": "0.000001"}
    draft = {"title": "Noise", "language": language, "wave_of": named}
    page.goto(open_page(system, tmp_path, draft | {"questions": [NOISY | {"delta": "0.00001"}]}).page)
    page.locator(".own summary").click()
    page.locator(".own td").first.wait_for()
    assert APART[language] in " ".join(page.locator("section:has(#promise)").inner_text().split())


def test_a_survey_that_follows_none_says_nothing_of_waves(page, survey):
    page.goto(survey.page)
    page.locator(".own summary").click()
    page.locator(".own td").first.wait_for()
    assert "follows an earlier one" not in page.locator("main").inner_text()


def test_an_altered_wave_is_refused_as_by_the_server(blank):
    given = list(altered(definitions.build(ONE | {"wave_of": WAVE})))
    given += [
        definitions.canonical(definitions.build(ONE) | {"wave_of": WAVE | {"alpha": alpha}})
        for alpha in ("0", "0.0", "1.50", "01", "999999", "1000000", "0.000001", "0.0000001", "16", " 1", "1\n")
    ]
    delta = WAVE | {"delta": "0.000001"}
    given += list(altered(definitions.build(ONE | {"wave_of": delta})))
    given += [
        definitions.canonical(definitions.build(ONE) | {"wave_of": WAVE | {"delta": each}})
        for each in ("0.1", "0.09", "0", "0.0", "0.010", "0.000000000001", "0.0000000000001", "1", 0.01)
    ]
    found = mapped(blank, "certificate.js", "certify", CERTIFIED, [data.decode("latin-1") for data in given])
    kept = [definitions.certified(data) for data in given]
    assert found == kept and 5 < sum(kept) < len(kept) / 2, [
        json.loads(data) for data, one, other in zip(given, found, kept, strict=True) if one != other
    ]
