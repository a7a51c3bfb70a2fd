"""The page that opens a survey shows what will be frozen. One press opens what was shown, on its terms."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.life.lifecycle import Terms, begin_draft, open_survey
from surveys.models import AuditEntry, Survey, Tally
from surveys.survey.definition import DraftRefused
from tests.support.drafts import edit
from tests.support.drawn import drawn
from tests.support.factories import DRAFT
from tests.support.invitations import GROUPS, IN_GROUPS
from tests.support.life import page, press, text

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def digest(client, survey):
    return re.search(r'name="digest" value="([0-9a-f]{64})"', page(client, survey, "open/").content.decode())[1]


def test_opening_shows_everything_that_is_frozen_with_its_digest(client, draft):
    shown = text(page(client, draft, "open/"))
    for question in DRAFT["questions"]:
        assert question["text"] in shown
    for said in ("α = 1", "α = 2", "α = 4", "Prefer not to say", "Bitwise randomized response", "under 1", "5 or more"):
        assert said in shown
    for named in ("Three kinds", "A survey for the tests.", "Yes/no", "Number"):
        assert named in shown
    survey = Survey.objects.get()
    open_survey(survey, digest=digest(client, draft))
    assert survey.is_draft is False


def test_opening_says_who_can_answer_and_in_which_groups(ada, client, draft):
    shown = text(page(client, draft, "open/"))
    assert (
        "Anyone with the link, as often as they like. The site stores nothing that shows who answered twice." in shown
    )
    assert "a person can answer twice" in text(page(client, draft, "alpha/"))
    shown = text(page(client, begin_draft(ada, IN_GROUPS), "open/"))
    assert "more than once" not in shown
    assert "Invited people only, once each: all people you study. Each report names its group" in shown
    assert f"each group also has published results: {', '.join(GROUPS)}." in shown
    small = IN_GROUPS | {"groups": [{"name": "Sales", "people": 400}, {"name": "Works", "people": 30}]}
    shown = text(page(client, begin_draft(ada, small), "open/"))
    assert "These groups have results at the end only, if at least 20 of each answer: Works." in shown
    assert "These groups are so small that their widest margins will be very wide: Sales (±" in shown


def test_five_points_cost_as_many_reports_where_a_survey_ends_by_itself_in_both_places(client, draft):
    shown = text(page(client, draft, "open/"))
    (above,) = re.findall("If the survey ends by itself at that precision, it needs about ([0-9,]+)", shown)
    assert f"±5: {above} reports" in shown
    (fixed,) = re.findall("([0-9,]+) people make every answer precise to 5 points", shown)
    assert int(above.replace(",", "")) > int(fixed.replace(",", ""))


def test_what_readers_learn_and_what_publishing_once_gains_stand_beside_the_choice(ada, client):
    """At total alpha 2, readers learn at most ε 1.67 with 100 reports a step, and .40 with 1,000 (M49)."""
    asked = {"key": "yes", "kind": "yes_no", "text": "Yes?", "alpha": "2"}
    survey = begin_draft(ada, {"title": "Once", "questions": [asked]})
    for place in ("open/", "alpha/"):
        shown = text(page(client, survey, place))
        assert "can change the odds of a guess about a person at most 5.3-fold (ε = 1.7)" in shown
        assert "at most 1.5-fold (ε = 0.40); with releases while the survey runs, 5.3-fold (ε = 1.7)" in shown
        assert "This does not protect against the people who run this site" in shown
    both = press(client, survey, "open/", digest=digest(client, survey), publishes_once="on", points="5")
    assert both.status_code == 422 and "no survey can end at a precision" in both.content.decode()
    press(client, survey, "open/", digest=digest(client, survey), publishes_once="on")
    survey.refresh_from_db()
    assert survey.publishes_once and "Its results appear at its end" in text(page(client, survey))


def test_opening_shows_sections_consent_and_thanks(ada, client):
    sections = [{"title": "First part", "text": "About you.", "questions": ["yes", "which"]}]
    sections.append({"title": "Second part", "questions": ["many"]})
    shown = text(
        page(client, begin_draft(ada, DRAFT | {"sections": sections, "consent": "I am 18.", "thanks": "Bye."}), "open/")
    )
    assert "First part About you. Yes or no?" in shown and "Second part How many?" in shown
    assert "Consent I am 18." in shown and "Thank-you Bye." in shown


def test_what_an_incomplete_draft_lacks_leads_to_where_it_is_mended(ada, client):
    first = DRAFT["questions"][0] | {"text": ""}
    survey = begin_draft(ada, {"questions": [first], "sections": [{"title": "", "questions": ["yes"]}]})
    shown = page(client, survey, "open/").content.decode()
    for name in ("texts/", "questions/yes/", "sections/0/"):
        address = f"/surveys/{survey.pk}/{name}"
        assert f'href="{address}"' in shown and client.get(address).status_code == 200


def test_what_a_template_left_in_brackets_is_to_be_thought_about_before_opening(client, draft):
    edit(draft.pk, lambda data: data.update(thanks="Help is at [when and where]. Thank you [all]."))
    shown = text(page(client, draft, "open/"))
    assert "Think about this" in shown and "brackets, as in a template: [when and where], [all]" in shown


def test_a_press_opens_what_was_shown_on_the_terms_that_were_given(client, draft):
    begins, ends = (timezone.now().replace(second=0, microsecond=0) + k * DAY for k in (1, 2))
    terms = {"opens_at": f"{begins:%Y-%m-%dT%H:%M}", "closes_at": f"{ends:%Y-%m-%dT%H:%M}"}
    terms |= {"closes_after": "900", "points": "2.5", "batch": "250"}
    answer = press(client, draft, "open/", digest=digest(client, draft), **terms)
    assert (answer.status_code, answer["Location"]) == (302, f"/surveys/{draft.pk}/share/")
    survey = Survey.objects.get()
    assert Terms.of(survey) == Terms(begins, ends, 900, 0.025, 250) and survey.begins_later
    assert AuditEntry.objects.get(action="opened").username == "ada"


def test_a_draft_that_changed_after_the_look_is_shown_anew_and_not_opened(client, draft):
    shown = digest(client, draft)
    edit(draft.pk, lambda data: data.update(title="Another title"))
    answer = press(client, draft, "open/", digest=shown)
    assert answer.status_code == 409 and Survey.objects.get().is_draft
    assert "The draft has changed since you looked" in text(answer) and "Another title" in text(answer)
    assert press(client, draft, "open/").status_code == 409, "a press without a look opens nothing"
    assert press(client, draft, "open/", digest=digest(client, draft)).status_code == 302


def test_an_incomplete_draft_names_everything_that_it_lacks_and_has_no_button(ada, client):
    first = DRAFT["questions"][0]
    survey = begin_draft(ada, {"title": " ", "questions": [first | {"alpha": "0", "text": ""}]})
    shown = page(client, survey, "open/")
    for rule in ("Title : must be a text", "question 1, Text : must be", "Alpha : must be from 0.01 to 16"):
        assert rule.replace(" :", ":") in re.sub(" :", ":", text(shown).replace("&quot;", '"'))
    assert b"Open the survey" not in shown.content
    assert press(client, survey, "open/", digest="x").status_code == 409 and Survey.objects.get().is_draft
    assert "Fix 3 problems" in text(shown)


def test_alphas_that_no_one_has_decided_on_are_one_matter_and_the_way_leads_to_the_proposal(ada, client):
    """Eight questions are not eight problems: one proposal sets all their alphas."""
    questions = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?"} for k in range(8)]
    survey = begin_draft(ada, {"title": "Eight", "questions": questions})
    privacy = f"/surveys/{survey.pk}/alpha/"
    shown = page(client, survey, "open/")
    assert (
        "Fix one problem" in text(shown) and f'<a href="{privacy}">People and protection</a>' in shown.content.decode()
    )
    assert "8 questions have no alpha yet. Look at the proposal, and take it." in text(shown)
    edit(survey.pk, lambda data: data.update(title=""))
    assert "Fix 2 problems" in text(page(client, survey, "open/"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opens_at": "2020-01-01T00:00"}, "This time has passed."),
        ({"closes_at": "2020-01-01T00:00"}, "This time has passed."),
        ({"opens_at": "2090-01-02T00:00", "closes_at": "2090-01-01T00:00"}, "It must end after it begins."),
        ({"opens_at": "tomorrow"}, "Enter a day and a time, such as"),
        ({"end": "fixed", "closes_after": "", "closes_at": ""}, "Say when it ends"),
        ({"end": "hand", "closes_after": "900"}, "You chose to end it by hand"),
        ({"closes_after": "19"}, "greater than or equal to 20"),
        ({"points": "60"}, "less than or equal to 49"),
        ({"points": "0"}, "greater than or equal to 0.1"),
        ({"batch": "99"}, "greater than or equal to 100"),
    ],
)
def test_wrong_terms_are_named_beside_their_fields_and_on_top_and_open_nothing(client, draft, given, said):
    answer = press(client, draft, "open/", digest=digest(client, draft), **given)
    assert answer.status_code == 422 and Survey.objects.get().is_draft
    assert text(answer).count(said) == 2
    field = list(given)[-1]
    assert f'aria-describedby="{field}-help {field}-error"' in answer.content.decode()
    assert given[field] in answer.content.decode(), "what was typed stays"


def test_the_page_says_before_opening_how_few_reports_would_publish_nothing(client, draft):
    shown = page(client, draft, "open/")
    assert "If the survey ends with fewer than 20 reports, nothing is published and the reports are erased." in text(
        shown
    )
    assert f'<a href="/surveys/{draft.pk}/try/?seed=1#trial">A trial run with invented people' in shown.content.decode()


def test_an_end_at_fewer_reports_than_a_release_holds_is_refused_by_field_and_rule(draft):
    with pytest.raises(DraftRefused) as refused:
        open_survey(draft, terms=Terms(closes_after=19))
    [refusal] = refused.value.refusals
    assert (refusal.field, refusal.rule) == (
        "closes_after",
        "must be at least 20: with fewer reports nothing is published",
    )
    Survey.objects.update(closes_after=3)  # as an older version stored it
    with pytest.raises(DraftRefused):
        open_survey(Survey.objects.get())
    assert Survey.objects.get().is_draft


def test_of_two_presses_the_second_finds_the_survey_open(client, draft):
    shown = digest(client, draft)
    assert press(client, draft, "open/", digest=shown)["Location"].endswith("/share/")
    answer = client.post(f"/surveys/{draft.pk}/open/", {"digest": shown}, follow=True)
    assert "had been opened already" in text(answer) and Tally.objects.count() == 1


def test_the_page_says_how_many_reports_a_precision_is_expected_to_take(client, draft):
    from ldp.forms.report import alone
    from ldp.planning.stopping import reports_needed
    from surveys.figures import numerals

    shown, questions = text(page(client, draft, "open/")), alone(definition_of(draft))
    for points in (10, 5, 3, 2):
        most = max(reports_needed(question, points / 100, 0.95) for question in questions)
        assert f"±{points}: {numerals.count_up(most)} reports" in shown


def definition_of(survey):
    from surveys.survey import definition

    return definition.build(survey.draft)


def in_five_forms(ada, n):
    questions = [{"key": f"q{i}", "kind": "yes_no", "text": f"Question {i}?", "alpha": 1} for i in range(5)]
    forms = [{"weight": 1, "questions": [question["key"]]} for question in questions]
    survey = begin_draft(ada, drawn({"title": "Few", "questions": questions, "forms": forms}))
    Survey.objects.filter(pk=survey.pk).update(expected_n=n)
    survey.refresh_from_db()
    return survey


def test_a_survey_that_would_publish_nothing_says_so_and_opens_on_an_explicit_yes_alone(ada, client):
    survey = in_five_forms(ada, 99)
    never = "at the end, only forms with at least 20 reports have results, and no form is expected to get as many."
    assert f"With 99 people nothing is ever published: {never}" in text(page(client, survey, "open/"))
    assert "Forms with fewer than 20 expected reports are never published." in text(page(client, survey, "alpha/"))
    refused = press(client, survey, "open/", digest=digest(client, survey), closes_after="500")
    assert (
        refused.status_code == 422 and "Say yes to this" in text(refused) and 'value="500"' in refused.content.decode()
    )
    survey.refresh_from_db()
    assert survey.is_draft
    press(client, survey, "open/", digest=digest(client, survey), unpublished="on")
    survey.refresh_from_db()
    assert survey.state == Survey.State.OPEN


def test_a_survey_with_results_at_its_end_needs_no_yes(ada, client):
    survey = in_five_forms(ada, 100)
    assert "ever published" not in text(page(client, survey, "open/"))
    press(client, survey, "open/", digest=digest(client, survey))
    survey.refresh_from_db()
    assert survey.state == Survey.State.OPEN
    alone = begin_draft(ada, DRAFT)
    Survey.objects.filter(pk=alone.pk).update(expected_n=19)
    assert "With 19 people nothing is ever published: a survey needs at least 20 reports." in text(
        page(client, alone, "open/")
    )


def test_a_group_that_is_large_enough_has_results_however_small_the_others_are(ada, client):
    groups = [{"name": "Sales", "people": 25}, {"name": "Works"}]
    survey = begin_draft(ada, DRAFT | {"invitations": True, "groups": groups})
    Survey.objects.filter(pk=survey.pk).update(expected_n=30)
    assert "ever published" not in text(page(client, survey, "open/"))
    Survey.objects.filter(pk=survey.pk).update(
        expected_n=30, draft=survey.draft | {"groups": [{"name": "A"}, {"name": "B"}]}
    )
    assert "With 30 people nothing is ever published" in text(page(client, survey, "open/"))
