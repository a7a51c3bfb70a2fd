"""One undo for every page: the changed part returns to its earlier state, and nothing else changes."""

import copy
import json

import pytest
from django.contrib.auth.models import User

from surveys import drafts
from surveys.drafts import history, outline
from surveys.drafts.normalize import normalized
from surveys.life.lifecycle import open_survey
from surveys.models import AuditEntry, Membership, Revision, Role, Survey
from tests.support import languages
from tests.support.alpha import get, mark_of, proposal_mark_of
from tests.support.builder import begun, form, questions, signed_in, undo, unescaped, url
from tests.support.drafts import edit
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db


def stored(survey):
    return Survey.objects.get(pk=survey.pk).draft


def save_alpha(client, survey, key, alpha):
    page = get(client, survey, question=key, alpha=alpha)
    fields = {"do": "save", "mark": mark_of(page), "alpha": alpha}
    return client.post(f"/surveys/{survey.pk}/alpha/?question={key}", fields)


def back(survey, name="ada"):
    """Undo as the store does, without a page."""
    user = User.objects.get(username=name)
    step = history.last(survey, user)
    drafts.put_back(survey, user, step)


# Later changes of others ----------------------------------------------------------------------------------------------


def test_an_undo_in_the_builder_leaves_the_alpha_that_was_saved_since():
    survey = begun(DRAFT, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    ada.post(address, form(ada, address) | {"change_kind": "1", "to_kind": "ordered"})
    save_alpha(bob, survey, "which", "3")
    assert undo(ada, survey).status_code == 302
    question = questions(survey)[1]
    assert (question["kind"], question["alpha"]) == (DRAFT["questions"][1]["kind"], "3")


@pytest.mark.parametrize("name", ["ada", "bob"])
def test_an_undo_never_overwrites_what_was_saved_since_and_shows_both(name):
    """The later change is another designer's, or the same designer's on another page."""
    survey = begun(DRAFT, "bob")
    ada, other, address = signed_in(), signed_in(name), url(survey, "which")
    ada.post(address, form(ada, address) | {"alpha": "0.5"})
    step = Revision.objects.get()
    save_alpha(other, survey, "which", "3")
    before = stored(survey)
    answer = undo(ada, survey, step=step.pk)
    html = unescaped(answer.content.decode())
    assert answer.status_code == 409 and stored(survey) == before
    assert "This was changed again since, so it was not undone" in html and "“Which?”: Alpha" in html
    assert f"<pre>{DRAFT['questions'][1]['alpha']}</pre>" in html and "<pre>3</pre>" in html
    assert Revision.objects.filter(pk=step.pk).exists(), "what stood before can still be looked up"
    undo(ada, survey, step=step.pk, do="forget")
    assert not Revision.objects.filter(pk=step.pk).exists() and stored(survey) == before


def test_anyone_who_edited_on_two_pages_comes_back_over_both():
    survey, ada, address = begun(), signed_in(), url(begun(), "which")
    address = url(survey, "which")
    ada.post(address, form(ada, address) | {"alpha": "0.5"})
    save_alpha(ada, survey, "which", "3")
    for _ in range(2):
        assert undo(ada, survey).status_code == 302
    assert stored(survey) == DRAFT


def test_a_removed_question_comes_back_beside_what_was_added_and_moved_since():
    survey = begun(DRAFT, "bob")
    ada, bob = signed_in(), signed_in("bob")
    ada.post(url(survey), {"remove": "which"})
    bob.post(url(survey), {"add": "mean", "after": "yes"})
    bob.post(url(survey), {"down": "yes"})
    undo(ada, survey)
    assert [question["key"] for question in questions(survey)] == ["q1", "yes", "which", "many"]


def test_a_removed_question_comes_back_with_its_translations():
    survey, ada = begun(languages.DRAFT), signed_in()
    key = languages.DRAFT["questions"][1]["key"]
    ada.post(url(survey), {"remove": key})
    assert stored(survey) != normalized(languages.DRAFT)
    undo(ada, survey)
    assert stored(survey) == normalized(languages.DRAFT)


def test_what_was_added_is_not_taken_away_with_what_was_typed_into_it():
    survey, ada = begun(DRAFT, "bob"), signed_in()
    bob = signed_in("bob")
    ada.post(url(survey), {"add": "mean"})
    bob.post(url(survey, "q1"), form(bob, url(survey, "q1")) | {"note": "His"})
    assert undo(ada, survey).status_code == 409
    assert questions(survey)[3]["note"] == "His"


def test_an_order_that_was_changed_since_is_not_put_back():
    survey = begun(DRAFT, "bob")
    ada, bob = signed_in(), signed_in("bob")
    ada.post(url(survey), {"move": "many", "before": "yes"})
    bob.post(url(survey), {"move": "which", "before": "yes"})
    answer = undo(ada, survey)
    assert answer.status_code == 409 and "The order of the questions" in answer.content.decode()


def test_options_that_come_back_take_along_who_depends_on_them():
    survey = begun(DRAFT, "bob")
    ada, address = signed_in(), url(survey, "which")
    ada.post(address, form(ada, address) | {"options": "c\nb\na"})
    rule = {"question": "which", "options": [0]}
    edit(survey.pk, lambda draft: draft["questions"][2].update(asked_if=rule), "bob")
    undo(ada, survey)
    assert questions(survey)[2]["asked_if"]["options"] == [DRAFT["questions"][1]["options"].index("c")]


# One undo for every page ----------------------------------------------------------------------------------------------


def builder(client, survey):
    client.post(f"/surveys/{survey.pk}/texts/", form(client, f"/surveys/{survey.pk}/texts/") | {"title": "Other"})


def proposed(client, survey):
    query = "?plan=1&total=3"
    page = client.get(f"/surveys/{survey.pk}/alpha/{query}").content.decode()
    fields = {"do": "apply", "which": "proposal", "mark": proposal_mark_of(page)}
    client.post(f"/surveys/{survey.pk}/alpha/{query}", fields)


def language(client, survey):
    client.post(f"/surveys/{survey.pk}/languages/", {"own": "1", "tag": "fr"})


def translated(client, survey):
    client.post(f"/surveys/{survey.pk}/languages/", {"add": "1", "tag": "nl"})


def untranslated(client, survey):
    client.post(f"/surveys/{survey.pk}/languages/", {"remove": "1", "tag": next(iter(stored(survey)["translations"]))})


EDITS = [builder, proposed, language, translated, untranslated]


@pytest.mark.parametrize("page", ["questions/", "alpha/", "texts/"])
@pytest.mark.parametrize("change", EDITS)
def test_what_one_page_changed_is_undone_on_any(change, page):
    survey, ada = begun(languages.DRAFT), signed_in()
    before = normalized(stored(survey))
    change(ada, survey)
    assert stored(survey) != before
    address = f"/surveys/{survey.pk}/{page}"
    ada.session.flush()
    again = signed_in()
    assert 'id="undo"' in again.get(address).content.decode(), "also after signing in anew"
    assert undo(again, survey, back=address).url == address
    assert stored(survey) == before
    assert 'id="undo"' not in again.get(address).content.decode()


def test_what_is_typed_on_one_visit_is_undone_at_once():
    survey, ada, address = begun(), signed_in(), None
    address = url(survey, "which")
    sent = form(ada, address)
    for text in ("W", "Wh", "Who?"):
        sent = form(ada, address) | {"visit": sent["visit"], "text": text}
        ada.post(address, sent)
    assert Revision.objects.count() == 1 and questions(survey)[1]["text"] == "Who?"
    undo(ada, survey)
    assert stored(survey) == DRAFT


def test_typing_is_not_joined_over_what_someone_else_saved_between():
    survey = begun(DRAFT, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    visit = form(ada, address)["visit"]
    ada.post(address, form(ada, address) | {"visit": visit, "text": "Hers"})
    bob.post(address, form(bob, address) | {"text": "His"})
    ada.post(address, form(ada, address) | {"visit": visit, "text": "Hers again"})
    undo(ada, survey)
    assert questions(survey)[1]["text"] == "His"
    assert undo(ada, survey).status_code == 409
    assert questions(survey)[1]["text"] == "His"


def test_what_was_typed_and_taken_back_is_no_change_to_undo():
    survey, ada = begun(DRAFT), signed_in()
    address = url(survey, "yes")
    first = form(ada, address)
    for text in ("Is it so?", first["text"]):
        ada.post(address, form(ada, address) | {"text": text, "visit": first["visit"]})
    assert stored(survey) == DRAFT and not Revision.objects.exists()
    assert 'id="undo"' not in ada.get(address).content.decode()


def test_an_undo_that_is_pressed_twice_is_done_once(monkeypatch):
    """The second press reads the step before the first press undoes it."""
    survey, ada, change = begun(DRAFT), signed_in(), drafts.change
    edit(survey.pk, lambda draft: draft.update(title="Changed"))

    def overtaken_by_the_first(*arguments):
        monkeypatch.setattr(drafts, "change", change)
        assert undo(ada, survey).status_code == 302 and stored(survey) == DRAFT
        return change(*arguments)

    monkeypatch.setattr(drafts, "change", overtaken_by_the_first)
    assert undo(ada, survey).status_code == 302
    assert stored(survey) == DRAFT and not Revision.objects.exists()
    assert undo(ada, survey, step="1").status_code == 302, "and once more"


def test_no_one_undoes_what_is_not_theirs():
    survey = begun(DRAFT, "bob")
    ada, bob = signed_in(), signed_in("bob")
    ada.post(url(survey), {"remove": "which"})
    undo(bob, survey, step=Revision.objects.get().pk)
    assert len(questions(survey)) == 2 and Revision.objects.exists()
    other = begun()
    undo(ada, other, step=Revision.objects.get().pk)
    assert stored(other) == DRAFT


def test_a_change_its_entry_in_the_log_and_its_undo_are_stored_together_or_not_at_all(monkeypatch):
    survey = begun()

    def broken(*given, **named):
        raise RuntimeError

    for name in ("_audit", "history.remember"):
        with monkeypatch.context() as patch:
            patch.setattr(f"surveys.drafts.store.{name}", broken)
            with pytest.raises(RuntimeError):
                edit(survey.pk, lambda draft: draft.update(title="Other"))
        assert stored(survey) == DRAFT and not Revision.objects.exists()
        assert not AuditEntry.objects.filter(action="edited").exists()


def test_twenty_changes_of_each_person_can_be_undone():
    survey = begun(DRAFT, "bob")
    edit(survey.pk, lambda draft: draft.update(thanks="Bye."), "bob")
    for i in range(25):
        edit(survey.pk, lambda draft, i=i: draft.update(title=str(i)))
    assert Revision.objects.filter(user__username="ada").count() == 20
    assert Revision.objects.filter(user__username="bob").count() == 1


def test_nothing_of_a_draft_is_kept_to_undo_once_it_is_opened():
    survey = begun()
    edit(survey.pk, lambda draft: draft.update(title="Other"))
    step = Revision.objects.get()
    open_survey(Survey.objects.get(pk=survey.pk))
    assert not Revision.objects.exists()
    assert undo(signed_in(), survey, step=step.pk).status_code == 302
    assert stored(survey)["title"] == "Other"


@pytest.mark.parametrize("seed", range(8))
def test_any_changes_come_back_in_reverse(seed):
    """One designer's changes, undone from the last to the first, restore the original draft."""
    import random

    chance = random.Random(seed)
    survey = begun(languages.DRAFT)
    states = [normalized(stored(survey))]

    def anything(draft):
        keys = [question["key"] for question in draft["questions"]]
        key, i = chance.choice(keys), chance.randrange(8)
        if i == 0 and len(keys) > 1:
            outline.remove(draft, key)
        elif i == 1:
            outline.insert(draft, copy.deepcopy(outline.question_of(draft, key)), outline.row_after(draft, key))
        elif i == 2:
            outline.begin_section(draft, key)
        elif i == 3 and "sections" in draft:
            outline.remove_section(draft, chance.randrange(len(draft["sections"])))
        elif i == 4 and "sections" in draft:
            outline.step_section(draft, 0, 1)
        elif i == 5:
            outline.move(draft, key, "")
        elif i == 6:
            draft["translations"].pop(chance.choice([*draft["translations"], "none"]), None)
        else:
            outline.question_of(draft, key)["text"] = str(chance.random())

    for _ in range(15):
        edit(survey.pk, anything)
        if stored(survey) != states[-1]:
            states.append(stored(survey))
    for expected in reversed(states[:-1]):
        back(survey)
        assert json.dumps(stored(survey), sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_the_page_of_an_opened_survey_and_a_researcher_see_no_undo():
    survey = begun(DRAFT)
    edit(survey.pk, lambda draft: draft.update(title="Other"), "bob")
    Membership.objects.create(survey=survey, user=User.objects.get(username="bob"), role=Role.RESEARCHER)
    assert 'id="undo"' not in signed_in("bob").get(f"/surveys/{survey.pk}/").content.decode()
