"""Designers comment on questions, and only designers see the comments."""

import pytest

from surveys.designer.editor import comments
from surveys.models import Comment
from tests.support.builder import begun, signed_in, unescaped, url
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db


def address(survey):
    return f"/surveys/{survey.pk}/comments/"


def write(client, survey, text, question=""):
    return client.post(address(survey), {"question": question, "text": text}, follow=True)


@pytest.fixture
def survey():
    return begun(DRAFT, "bob")


def test_designers_read_what_others_wrote_on_a_question(survey):
    ada, bob = signed_in(), signed_in("bob")
    assert "Write a comment" in bob.get(url(survey, "which")).content.decode()
    write(ada, survey, "Is <b>this</b> clear?", "which")
    write(ada, survey, "All in all fine.")
    page = unescaped(bob.get(address(survey)).content.decode())
    assert "ada" in page and "Is <b>this</b> clear?" in page and "All in all fine." in page
    assert "<b>this" not in bob.get(address(survey)).content.decode(), "it is a text"
    assert "1 open comment" in bob.get(url(survey, "which")).content.decode()


def test_what_is_done_with_is_no_longer_counted_and_can_come_back(survey):
    ada = signed_in()
    write(ada, survey, "Shorter?", "which")
    row = Comment.objects.get()
    for do, open_ones in (("done", 0), ("open", 1)):
        signed_in("bob").post(address(survey), {"comment": row.pk, "do": do})
        assert comments.open_on(survey).get("which", 0) == open_ones


def test_a_comment_outlives_its_question_and_says_so(survey):
    ada = signed_in()
    write(ada, survey, "Keep it?", "which")
    ada.post(url(survey), {"remove": "which"})
    assert "A question that is no longer there" in ada.get(address(survey)).content.decode()


@pytest.mark.parametrize(
    ("text", "question", "refusal"),
    [
        (" ", "", "Write a comment first."),
        ("x" * (comments.LONGEST + 1), "", "at most 2000 characters"),
        ("Well?", "gone", "no longer there"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(survey, text, question, refusal):
    response = write(signed_in(), survey, text, question)
    page = unescaped(response.content.decode())
    assert refusal in page and not Comment.objects.exists()
    assert response.status_code == 422 and f"\n{text.strip()}</textarea>" in page, "what was written is not lost"


def test_an_end_of_a_line_is_one_character_as_in_the_form(survey):
    text = "x\r\n" * (comments.LONGEST // 2 - 1) + "xx"
    write(signed_in(), survey, text)
    assert Comment.objects.get().text == text.replace("\r\n", "\n")


def test_a_survey_takes_so_many(survey, monkeypatch):
    monkeypatch.setattr(comments, "MOST", 1)
    write(signed_in(), survey, "One")
    assert "at most 1 comments" in write(signed_in(), survey, "Two").content.decode()


def test_no_one_else_reads_or_changes_them(survey):
    write(signed_in(), survey, "Ours", "which")
    row, mallory = Comment.objects.get(), signed_in("mallory")
    assert mallory.get(address(survey)).status_code == 404
    other = begun()
    signed_in().post(address(other), {"comment": row.pk, "do": "done"})
    assert not Comment.objects.get().done, "of another survey"


def test_they_go_with_the_survey(survey):
    write(signed_in(), survey, "Ours")
    survey.delete()
    assert not Comment.objects.exists()


def test_open_comments_are_counted_in_the_list_of_questions(survey):
    ada = signed_in()
    write(ada, survey, "Shorter?", "which")
    write(ada, survey, "Longer?", "which")
    page = ada.get(f"/surveys/{survey.pk}/questions/").content.decode()
    assert page.count("2 open comments") == 1 and page.count('class="comments"') == 1
