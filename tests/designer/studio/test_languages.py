"""The studio's page of languages: the survey's own language, its translations, and how they follow the draft."""

import re
from copy import deepcopy

import pytest

from surveys.designer.files import ours
from surveys.drafts import mark, outline, presets
from surveys.life.lifecycle import begin_draft, open_survey
from surveys.models import Survey
from surveys.rules.names import known
from surveys.survey import definition as definitions
from surveys.survey.definition.translation_texts import follow, slots, text_at, translation
from tests.support.drafts import edit
from tests.support.languages import DRAFT, draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(ada):
    return begin_draft(ada, draft(lambda made: made.pop("translations")))


def post(client, survey, **fields):
    return client.post(f"/surveys/{survey.pk}/languages/", fields, follow=True)


def stored(survey):
    return Survey.objects.get(pk=survey.pk).draft


def texts(given):
    """Return the fields of a form for a translation that was written elsewhere."""
    return {slot.name: text_at(given, slot.path) for slot in slots(DRAFT)}


def test_a_language_is_added_filled_and_opened(client, survey, ada):
    page = post(client, survey, tag="ar", add="1").content.decode()
    assert page.count("Not translated yet.") == len(list(slots(DRAFT))) and 'dir="rtl"' in page
    assert "Leben in der Stadt</label>" in page and definitions.refusals(stored(survey))
    shown = mark(stored(survey)["translations"]["ar"])
    page = post(client, survey, tag="ar", save="1", mark=shown, **texts(DRAFT["translations"]["ar"])).content.decode()
    assert "Nothing is missing." in page
    made = definitions.build(stored(survey))
    assert made["translations"]["ar"] == definitions.build(DRAFT)["translations"]["ar"]
    open_survey(Survey.objects.get(pk=survey.pk), ada)
    page = client.get(f"/surveys/{survey.pk}/languages/?to=ar", follow=True).content.decode()
    assert "<bdi>Deutsch</bdi>, <bdi>العربيّة</bdi>" in page and "<textarea" not in page
    assert "frozen" in post(client, survey, tag="fr", add="1").content.decode()


def test_a_language_that_comes_later_has_the_known_translations_of_usual_scales(client, ada):
    scale = [str(step) for step in presets.PRESETS["quality"].steps]
    questions = [
        {"key": "bread", "kind": "ordered", "text": "How is it?", "options": scale},
        {"key": "all", "kind": "grid", "text": "And these?", "items": ["Tea", "Milk"], "options": scale},
        {"key": "mean", "kind": "mean", "text": "And now?", "steps": scale},
        {"key": "other", "kind": "ordered", "text": "Else?", "options": [*scale[:-1], "Superb"]},
    ]
    survey = begin_draft(ada, {"title": "Food", "questions": questions})
    for tag in ("de", "fr"):
        post(client, survey, tag=tag, add="1")
    german, french = (stored(survey)["translations"][tag]["questions"] for tag in ("de", "fr"))
    steps = ["Sehr schlecht", "Schlecht", "Mittelmäßig", "Gut", "Sehr gut"]
    assert german[0] == {"text": "", "options": steps} and german[2]["steps"] == steps
    assert german[1] == {"text": "", "items": ["", ""], "options": steps}
    assert german[3]["options"] == [""] * 5, "a scale with a step of its own is not a known one"
    assert french[0]["options"] == [""] * 5, "the site does not speak it"


def test_what_is_not_complete_is_stored_and_named(client, survey):
    post(client, survey, tag="en", add="1")
    shown = mark(stored(survey)["translations"]["en"])
    said = texts(DRAFT["translations"]["en"]) | {"title": "", "questions.2.options.1": "Office"}
    page = post(client, survey, tag="en", save="1", mark=shown, **said).content.decode()
    assert page.count("Not translated yet.") == 1 and "Must differ from each other" in page
    assert text_at(stored(survey), ("translations", "en", "questions", 0, "text")) == "Have you moved?"
    assert "something is wrong" in client.get(f"/surveys/{survey.pk}/texts/").content.decode()
    assert f"/surveys/{survey.pk}/texts/" in client.get(f"/surveys/{survey.pk}/questions/").content.decode()


def test_two_who_translate_at_once_do_not_overwrite_each_other(client, survey):
    post(client, survey, tag="en", add="1")
    shown = mark(stored(survey)["translations"]["en"])
    post(client, survey, tag="en", save="1", mark=shown, title="Theirs")
    page = post(client, survey, tag="en", save="1", mark=shown, title="Mine").content.decode()
    assert "Someone else changed this" in page and 'value="Mine"' in page
    assert stored(survey)["translations"]["en"]["title"] == "Theirs"


def test_what_was_typed_for_a_translation_that_someone_removed_is_not_lost(client, survey):
    post(client, survey, tag="en", add="1")
    shown = mark(stored(survey)["translations"]["en"])
    post(client, survey, tag="en", remove="1")
    page = post(client, survey, tag="en", save="1", mark=shown, title="Mine").content.decode()
    assert "Someone else has removed this translation" in page and 'value="Mine"' in page
    assert "translations" not in stored(survey)
    [shown] = re.findall(r'name="mark" value="(\w+)"', page)
    post(client, survey, tag="en", save="1", mark=shown, title="Mine")
    assert stored(survey)["translations"]["en"]["title"] == "Mine"


@pytest.mark.parametrize("tag", ["", "no tag", "de"])
def test_nothing_is_saved_for_what_is_no_other_language(client, survey, tag):
    before = stored(survey)
    page = post(client, survey, tag=tag, save="1", mark=mark({}), title="Mine").content.decode()
    assert "Choose a language." in page and stored(survey) == before


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"title": "x"},
        {"sections": [{}] * 9, "questions": [{}]},
        {"questions": [{"options": [""] * 9, "unit": "x"}]},
    ],
)
def test_a_translation_from_a_file_that_fits_nowhere_is_shown_and_saved_in_the_shape_of_the_draft(client, ada, texts):
    survey = begin_draft(ada, ours.read(ours.write(draft(lambda made: None, translations={"en": texts})).encode()))
    for address in ("texts/", "languages/?to=en", "questions/", "preview/definition", "open/"):
        assert client.get(f"/surveys/{survey.pk}/{address}").status_code == 200, address
    post(client, survey, tag="en", save="1", mark=mark(texts), **{slot.name: "x" for slot in slots(DRAFT)})
    assert len(stored(survey)["translations"]["en"]["questions"]) == len(DRAFT["questions"])


def test_the_own_language_is_set_and_translations_are_removed(client, survey):
    post(client, survey, tag="en", add="1")
    post(client, survey, tag="fr", own="1")
    assert stored(survey)["language"] == "fr" and list(stored(survey)["translations"]) == ["en"]
    post(client, survey, tag="en", remove="1")
    assert "translations" not in stored(survey)
    assert "Choose a language." in post(client, survey, tag="klingon", own="1").content.decode()
    assert stored(survey)["language"] == "fr"


def test_languages_are_offered_by_tags_that_a_definition_takes():
    assert {"de", "ar", "pt-BR", "zh-Hans"} <= known().keys() and known()["de"] == "Deutsch"


# Following ------------------------------------------------------------------------------------------------------------


def followed(change):
    before, after = deepcopy(DRAFT), deepcopy(DRAFT)
    change(after)
    follow(before, after)
    return after["translations"]["en"]


def test_a_translation_of_the_drafts_shape_stays_as_it_is():
    for texts_of in DRAFT["translations"].values():
        assert definitions.build(DRAFT) == definitions.build(
            draft(lambda made: None, translations=DRAFT["translations"] | {"en": DRAFT["translations"]["en"]})
        )
        said = {slot.name: text_at(texts_of, slot.path) for slot in slots(DRAFT)}
        assert {slot.name: text_at(translation(DRAFT, said), slot.path) for slot in slots(DRAFT)} == said


def test_texts_go_with_the_question_they_belong_to():
    moved = followed(lambda made: outline.move(made, "content", "age"))
    assert [each["text"] for each in moved["questions"]][:3] == [
        "Have you moved?",
        "How content are you?",
        "How old are you?",
    ]
    gone = followed(lambda made: outline.remove(made, "moved"))
    assert [each["text"] for each in gone["questions"]][:2] == ["How old are you?", "What is your work?"]
    fresh = {"key": "new", "kind": "yes_no", "text": "Neu?", "alpha": "1"}
    added = followed(lambda made: outline.insert(made, fresh, 1))
    assert [each["text"] for each in added["questions"]][:2] == ["", "Have you moved?"]
    renamed = followed(lambda made: made["questions"][0].update(key="other"))
    assert renamed["questions"][0]["text"] == "Have you moved?"


def test_texts_go_with_the_option_they_belong_to():
    def options(lines):
        return followed(lambda made: made["questions"][5].update(options=lines))["questions"][5]["options"]

    assert options(["Sehr", "Etwas", "Gar nicht"]) == ["Very", "A little", "Not at all"]
    assert options(["Gar nicht", "Kaum", "Etwas", "Sehr"]) == ["Not at all", "", "A little", "Very"]
    assert options(["Gar nicht", "Sehr"]) == ["Not at all", "Very"]
    assert options(["Überhaupt nicht", "Etwas", "Sehr"]) == ["Not at all", "A little", "Very"]


def test_texts_go_with_their_section_and_with_what_is_exact_deciders():
    turned = followed(lambda made: outline.step_section(made, 0, 1))
    assert [each["title"] for each in turned["sections"]] == ["About the city", "About you"]
    assert turned["questions"][0]["text"] == "What do you like?"
    assert "consent" not in followed(lambda made: made.pop("consent"))
    noteless = followed(lambda made: made["questions"][2].update(note=""))
    assert "note" not in noteless["questions"][2]


def test_every_change_of_a_stored_draft_is_followed(ada):
    survey = begin_draft(ada, DRAFT)
    edit(survey.pk, lambda made: outline.remove(made, "moved") and None)
    assert definitions.refusals(stored(survey)) == ()
    assert stored(survey)["translations"]["ar"]["questions"][0]["text"] == "كم عمرك؟"
