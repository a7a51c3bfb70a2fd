"""The catalogs of translated texts. Placeholders and tags agree, the compiled files are current, and a release has
every translation (`make translations`).

`make messages` adds new texts. The translations are then written by hand.
"""

import gettext
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

SURVEYS = Path(__file__).parents[2] / "surveys"
LANGUAGES = [tag for tag, _ in settings.LANGUAGES if tag != settings.LANGUAGE_CODE]
# Both kinds of Python's formats, and text that a page would show differently or not at all.
PLACEHOLDER = re.compile(r"%\([a-z_]+\)[a-z]|%%|(?<!{){[a-z_]*}(?!})")
TAG = re.compile(r"</?[a-z][^>]*>|&[a-z]+;|&#[0-9]+;")


def catalog(language: str, ending: str) -> Path:
    return SURVEYS / "locale" / language / "LC_MESSAGES" / f"django.{ending}"


def texts(language: str) -> dict[str | tuple[str, int], str]:
    """Return the translations by id; those of a plural by id and number of the form."""
    with catalog(language, "mo").open("rb") as file:
        return {text: said for text, said in vars(gettext.GNUTranslations(file))["_catalog"].items() if text}


@pytest.fixture(scope="module")
def extracted(tmp_path_factory) -> Path:
    """Return the file of the current texts, made in a copy, because templates become Python files beside them."""
    copy = tmp_path_factory.mktemp("messages") / "surveys"
    shutil.copytree(SURVEYS, copy, ignore=shutil.ignore_patterns("locale", "static", "__pycache__"))
    (copy / "locale").mkdir()
    code = (
        "import django; from django.conf import settings; from django.core.management import call_command; "
        "settings.configure(); django.setup(); call_command('makemessages', locale=['de'], keep_pot=True)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, capture_output=True)
    return copy / "locale" / "django.pot"


@pytest.mark.release
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_code_is_translated_and_none_is_doubtful(language, extracted):
    run = subprocess.run(["msgcmp", catalog(language, "po"), extracted], capture_output=True, text=True)
    assert run.returncode == 0, f"{run.stderr}\nRun `make messages`, then translate what is new."


@pytest.mark.release
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_catalog_has_a_text_that_the_code_has_no_more(language, extracted):
    command = ["msgcomm", "--unique", catalog(language, "po"), extracted]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "msgid" not in run.stdout.partition('msgid ""\nmsgstr ""\n')[2], run.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_compiled_catalog_says_what_the_written_one_says(language, tmp_path):
    command = ["msgfmt", "--check", "--check-format", "-o", tmp_path / "django.mo", catalog(language, "po")]
    subprocess.run(command, check=True)
    assert (tmp_path / "django.mo").read_bytes() == catalog(language, "mo").read_bytes(), "Run `make messages`."


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_placeholders_tags_and_the_spaces_at_their_ends(language):
    wrong = []
    for found, said in texts(language).items():
        text, form = found if isinstance(found, tuple) else (found, -1)
        text = text.rpartition("\x04")[2]
        # A plural form may express the number by its noun alone. msgfmt has checked it.
        kept = form >= 0 or sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(said))
        ends = [(one[: len(one) - len(one.lstrip())], one[len(one.rstrip()) :]) for one in (text, said)]
        if not kept or sorted(TAG.findall(text)) != sorted(TAG.findall(said)) or ends[0] != ends[1]:
            wrong.append((found, said))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogs_name_no_person_and_no_machine(language):
    head = gettext.GNUTranslations(catalog(language, "mo").open("rb")).info()
    assert not {"last-translator", "language-team"} & head.keys()
    assert head["language"] == language


# One word for one thing: the word in English, each language's word for it, and the words that must not replace it.
WORDS = {
    "de": [
        (r"\breleases?\b", "eröffentlichung", r"\bAusgaben?\b"),
        (r"\bnoise\b", "ausch|nichts", r"\bLärm\b"),
        (r"-fold\b", "Faktor", r"-[Ff]ache"),
        (r"\bitems?\b", "eilfrage", r"\bPunkte?n?s?\b"),
        (r"\bends? depends on its results", "hängt von ihren Ergebnissen ab", "findet"),
    ],
    "ar": [
        (r"\breleases?\b", "صدار|صدر", "نشرة"),
        (r"\bnoise\b", "تشويش|سحوب", "ضوضاء|ضجيج"),
        (r"-fold\b", "عامل", "ضعفًا"),
        (r"\bminimax\b", "الأصغري الأعظمي", "مينيماكس"),
        (r"\brandomized response\b", "الاستجابة العشوائية", "الإجابة العشوائية"),
        (r"\bdownloads?\b", "نز", "تحميل"),
    ],
}


# Phrases that are not idiomatic English.
UNENGLISH = (
    r"because of what it|^So (much|many|few) of all|^So (much|many|few) \w+ |\bsuch an? (one|item)\b|for what is known"
    r"|\b[Ff]ollow (a|an) (item|question)\b|^It cannot be said (which|whether)"
)


def test_no_english_text_reads_like_a_translation():
    english = [text if isinstance(text, str) else text[0] for text in texts("de")]
    assert [text for text in english if re.search(UNENGLISH, text)] == []


@pytest.mark.parametrize(
    ("language", "english", "said", "never"), [(language, *word) for language in LANGUAGES for word in WORDS[language]]
)
def test_one_thing_has_one_word(language, english, said, never):
    texts_of_it = {
        text: translation
        for text, translation in texts(language).items()
        if re.search(english, text if isinstance(text, str) else text[0], re.IGNORECASE)
    }
    other = {
        text: translation
        for text, translation in texts_of_it.items()
        if re.search(never, translation) or not (re.search(said, translation) or _left_out(text))
    }
    assert texts_of_it and not other


def _left_out(text: str | tuple[str, int]) -> bool:
    """Return whether a plural form may replace the word by a pronoun, or the word is a verb."""
    return isinstance(text, tuple) or "is released" in text or "What a curator releases" in text
