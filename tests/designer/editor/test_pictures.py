"""Pictures in the builder: at its own URL, in copies, in the history, and without a description."""

import copy
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from surveys.designer.evidence import questionnaire
from surveys.designer.studio import preview
from surveys.designer.xlsform import writer
from surveys.drafts import question_bank, snapshots
from surveys.models import Revision, Snapshot, Survey
from surveys.survey import definition as definitions
from tests.support.builder import FRAGMENTS, begun, questions, signed_in, url
from tests.support.picture_files import PICTURED, SECRET, noise, photograph, picture

pytestmark = pytest.mark.django_db

WAY = PICTURED["questions"][1]


def send(survey, question="way", **fields):
    client = signed_in()
    return client.post(f"/surveys/{survey.pk}/pictures/", {"question": question} | fields, headers=FRAGMENTS)


def chosen(data=None):
    return SimpleUploadedFile("lane.jpg", photograph() if data is None else data, "image/jpeg")


def test_a_file_becomes_the_picture_of_a_question_and_is_shown_in_the_answer():
    survey = begun({"title": "One", "questions": [WAY | {"picture": None}]})
    answer = send(survey, file=chosen(), alt="A lane")
    made = questions(survey)[0]["picture"]
    assert (made["alt"], made["width"], made["height"]) == ("A lane", 90, 60)
    assert answer.status_code == 200 and made["data"] in answer.content.decode()
    assert SECRET.decode() not in json.dumps(Survey.objects.get(pk=survey.pk).draft)
    assert send(survey, alt="A green lane").status_code == 200
    assert questions(survey)[0]["picture"] == made | {"alt": "A green lane"}
    send(survey, remove="file")
    assert "picture" not in questions(survey)[0]
    assert Revision.objects.filter(survey=survey).count() == 3  # each can be undone by itself


def test_what_is_refused_changes_nothing_and_is_said():
    survey = begun(PICTURED)
    answer = send(survey, file=chosen(b"<svg/>"), alt=WAY["picture"]["alt"])
    assert "must be a JPEG, PNG or WebP picture" in answer.content.decode()
    assert questions(survey)[1] == WAY
    assert signed_in().post(f"/surveys/{survey.pk}/pictures/", {"file": chosen(b"")}).status_code == 422


def test_an_option_is_known_by_its_words():
    survey = begun(PICTURED)
    send(survey, **{"file-0": chosen(), "words-0": "By bus"})
    assert [bool(each) for each in questions(survey)[1]["pictures"]] == [True, True, True]
    assert questions(survey)[1]["pictures"][1]["width"] == 90
    answer = send(survey, **{"file-1": chosen(), "words-1": "By boat"})
    assert answer.headers["X-Go"] == url(survey)  # the option was renamed
    send(survey, remove="file-2", **{"words-2": "By train"})
    assert questions(survey)[1]["pictures"][2] is None


def test_so_many_files_are_taken_at_a_time_that_no_one_else_waits_for_long():
    lines = [f"Line {place}" for place in range(12)]
    survey = begun({"title": "One", "questions": [WAY | {"options": lines, "pictures": None}]})
    files = {f"file-{place}": chosen() for place in range(12)} | {f"words-{i}": line for i, line in enumerate(lines)}
    answer = send(survey, **files)
    assert [bool(each) for each in questions(survey)[0]["pictures"]] == [True] * 10 + [False] * 2
    for line in lines[10:]:
        assert f"“{line}”: the file must be chosen again: at most 10 are taken at a time." in answer.content.decode()


def test_of_two_options_with_the_same_words_each_is_known_by_its_place():
    survey = begun({"title": "One", "questions": [WAY | {"options": ["Red", "Red", "Blue"]}]})
    send(survey, **{"file-1": chosen(), "words-1": "Red"})
    assert [each and each["width"] for each in questions(survey)[0]["pictures"]] == [160, 90, 120]


def test_words_that_no_one_changed_here_stay_as_someone_else_wrote_them():
    """Both designers opened the question before either change."""
    survey, shown = begun(PICTURED), WAY["picture"]["alt"]
    page = signed_in().get(f"/surveys/{survey.pk}/questions/way/").content.decode()
    assert f'name="alt-before" value="{shown}"' in page
    send(survey, **{"alt": "A quiet street", "alt-before": shown})
    send(survey, **{"alt": shown, "alt-before": shown, "file-1": chosen(), "words-1": "By bus"})
    assert questions(survey)[1]["picture"]["alt"] == "A quiet street" and questions(survey)[1]["pictures"][1]
    send(survey, **{"alt": "A lane", "alt-before": shown})
    assert questions(survey)[1]["picture"]["alt"] == "A lane"


def test_the_logo_is_the_surveys():
    survey = begun({"title": "One", "questions": [WAY]})
    send(survey, "", file=chosen(), alt="The Society")
    assert Survey.objects.get(pk=survey.pk).draft["logo"]["alt"] == "The Society"


def test_pages_of_a_draft_with_pictures_are_shown():
    survey, client = begun(PICTURED), signed_in()
    for page in ("questions/way/", "questions/steps/", "texts/", "open/", "preview/", "try/", "files/"):
        answer = client.get(f"/surveys/{survey.pk}/{page}")
        assert answer.status_code == 200, page
    frozen = client.get(f"/surveys/{survey.pk}/open/").content.decode()
    for each in (WAY["picture"], WAY["pictures"][0], PICTURED["logo"]):
        assert each["data"] in frozen
    assert "In words: A street with a bus stop" in frozen


@pytest.mark.parametrize("wrong", [5, "x", [], {}, {"data": "x"}, {"data": "UklGRg==", "width": "9"}, {"alt": 5}])
def test_whatever_a_file_brought_every_page_is_shown(wrong):
    draft = copy.deepcopy(PICTURED) | {"logo": wrong}
    draft["questions"][1] |= {"picture": wrong, "pictures": [wrong, wrong]}
    survey, client = begun(draft), signed_in()
    for page in ("questions/way/", "texts/", "open/", "preview/", "try/", "files/"):
        answer = client.get(f"/surveys/{survey.pk}/{page}")
        assert answer.status_code == 200, page


def test_the_preview_shows_a_picture_before_someone_has_said_what_it_shows():
    draft = copy.deepcopy(PICTURED)
    draft["questions"][1]["picture"]["alt"] = ""
    draft["questions"].append({"key": "more", "kind": "yes_no", "text": ""})
    built = preview.preview(draft).definition
    assert built["pictures"]["questions"]["way"]["alt"] == {"en": ""} and "steps" in built["pictures"]["options"]
    assert definitions.certified(definitions.canonical(built))


def test_a_copy_has_its_pictures_with_the_words_of_the_other_language():
    draft = copy.deepcopy(PICTURED)
    german = [{"text": "Zu Fuß?"}, {"text": "Wie?", "picture": "Eine Straße"}, {"text": "Steil?"}]
    draft["translations"] = {"de": {"title": "Unterwegs", "questions": german}}
    assert question_bank.copy_of(draft, "way", "de")["picture"] == WAY["picture"] | {"alt": "Eine Straße"}
    assert question_bank.copy_of(draft, "way", "en")["picture"] == WAY["picture"]
    assert question_bank.copy_of(draft, "way", "de")["pictures"] == WAY["pictures"]


@pytest.mark.parametrize("wrong", [None, 5, "x", []])
def test_what_is_no_picture_stays_so_in_a_copy(wrong):
    draft = copy.deepcopy(PICTURED)
    draft["questions"][1]["picture"] = wrong
    assert question_bank.copy_of(draft, "way", "de")["picture"] == wrong


def test_a_form_of_others_says_that_it_lacks_them():
    lost = {each.text: each.names for each in writer.remarks(definitions.build(PICTURED))}
    assert list(lost["Pictures of questions and options. Put their files beside the form (media::image)."]) == [
        "way", "steps"
    ]  # fmt: skip
    assert "The logo." in lost


def test_a_questionnaire_on_paper_says_what_they_show():
    built = definitions.build(PICTURED)
    by_key = {each["key"]: each for each in built["questions"]}
    lines = list(questionnaire._lines(built, by_key["way"], by_key, []))
    assert lines[0] == "Picture: A street with a bus stop"
    assert lines[-4:] == [
        "○ On foot (with a picture)",
        "○ By bus",
        "○ By train (with a picture)",
        "○ Prefer not to say",
    ]


def test_the_history_of_large_drafts_is_short_and_that_of_others_as_long_as_ever():
    full = {
        "title": "x",
        "questions": [{"key": f"q{i}", "kind": "yes_no", "picture": noise(100, "Snow")} for i in range(8)],
    }
    assert snapshots.room({"title": "x"}, snapshots.CHARACTERS_MAX, 10, 100) == 100
    assert 10 < snapshots.room(full, snapshots.CHARACTERS_MAX, 10, 100) < 30
    survey = begun(full)
    for i in range(30):
        send(survey, "q0", alt=f"Snow {i}")
    kept = Snapshot.objects.filter(survey=survey)
    assert kept.count() == snapshots.room(Survey.objects.get(pk=survey.pk).draft, snapshots.CHARACTERS_MAX, 10, 100)
    assert sum(len(json.dumps(each.content)) for each in kept) <= snapshots.CHARACTERS_MAX
    assert Revision.objects.filter(survey=survey).count() == 20  # each concerns one picture


def test_a_picture_is_in_the_history_and_comes_back():
    survey, client = begun(PICTURED), signed_in()
    send(survey, file=chosen(), alt="A lane")
    send(survey, remove="file")
    row = Snapshot.objects.filter(survey=survey).order_by("pk")[1]
    page = client.get(f"/surveys/{survey.pk}/history/{row.pk}/").content.decode()
    assert "A lane (picture of 90 × 60 pixels)" in page and row.content["questions"][1]["picture"]["data"] not in page
    assert picture(90, 60)["width"] == row.content["questions"][1]["picture"]["width"]
