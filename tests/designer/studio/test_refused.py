"""Every rule that a draft can break, as designers read it, in three languages and everywhere in the studio."""

import html
import re
from typing import get_args

import pytest
from django.utils import translation

from surveys.designer.studio import links, sentences
from surveys.rules.codes import Code
from surveys.survey.definition import refusals
from surveys.survey.definition.fields import QUESTION
from tests.support import refused
from tests.support.builder import begun, signed_in

LANGUAGES = ("en", "de", "ar")
# Pages that quote the rules' sentences. In Arabic, untranslated text is easy to find.
DAILY = ("ar",)
CODE_WORDS = re.compile(r"[a-z]_[a-z]|decimal string|\[\d|\]\.|true or false|\bobject\b")
# The names of fields are English words too, so the test looks for them on pages without English.
FORMS = {*QUESTION, "questions", "sections"} - {"alpha", "arm_of"}
NAMES = re.compile(rf"\b({'|'.join(sorted(FORMS))})\b")


def seen(page):
    """Return the text that designers read on a page: no code, no attributes, nothing they wrote themselves."""
    bare = re.sub(r"(?s)<(script|style|textarea|code|template)\b.*?</\1>|<[^>]*>", " ", page)
    return " ".join(html.unescape(bare).split())


def addresses(survey, found):
    """Return the URLs of all studio pages that mention these refusals."""
    base, forms = f"/surveys/{survey.pk}/", {links.mending(survey, each) for each in found}
    questions = [form.split("/")[-2] for form in forms if "/questions/" in form and not form.endswith("/questions/")]
    translated = {"texts/", "languages/?to=de"} if "translations" in survey.draft else set()
    others = {"open/", "files/", "questions/", *translated, *(f"alpha/?question={key}" for key in questions)}
    return sorted(forms | {base + each for each in others})


def pages(survey, client, language):
    for address in addresses(survey, refusals(survey.draft)):
        answer = client.get(address, headers={"Accept-Language": language})
        assert answer.status_code in (200, 302), address
        yield address, seen(answer.content.decode())


@pytest.mark.parametrize("code", get_args(Code))
@pytest.mark.django_db
def test_every_rule_is_broken_by_a_draft_or_a_file(code):
    assert code in {refusal.code for refusal in refused.of(code)}


@pytest.mark.statistical
@pytest.mark.parametrize("code", refused.DRAFTS)
@pytest.mark.django_db
def test_no_code_word_of_a_refusal_reaches_a_designer(code, nightly):
    client = signed_in()
    for draft in refused.DRAFTS[code]:
        survey = begun(draft)
        for language in LANGUAGES if nightly else DAILY:
            broken = [each for each in refusals(draft) if each.code == code]
            with translation.override(language):
                said = [sentences.remark(each) for each in broken]
                alone = [sentences.remark(each) for each in broken if not links.is_undecided(each)]
            for address, text in pages(survey, client, language):
                assert not CODE_WORDS.findall(text), (address, text)
                if language != "en":
                    assert not NAMES.findall(text), (address, text)
                if address.endswith("/files/"):
                    assert said and all(each in text for each in said), (address, said, text)
                if address.endswith("/open/"):  # where missing alphas count as one problem
                    assert all(each in text for each in alone), (address, alone, text)


@pytest.mark.parametrize("code", get_args(Code))
@pytest.mark.django_db
def test_every_rule_is_said_in_every_language(code):
    said = {}
    for language in LANGUAGES:
        with translation.override(language):
            said[language] = {sentences.remark(each) for each in refused.of(code) if each.code == code}
        assert not [each for each in said[language] if CODE_WORDS.search(seen(each))], language
    assert len(set(map(frozenset, said.values()))) == len(LANGUAGES)
    assert not any(re.search(r"\b(must|is|has)\b", each) for each in said["de"] | said["ar"])
