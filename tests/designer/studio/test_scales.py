"""Shares or mean (M43): "Privacy", a proposal, a question's page and the builder show both prices of a scale, and one
press switches."""

import re

import pytest

from ldp.kinds.protocol import Size
from ldp.planning import outlook, scales, thirds
from ldp.planning.candidates import PlannedQuestion
from surveys.drafts import scales as of_drafts
from surveys.figures import numerals
from tests.support.alpha import begun, get, post, said, words
from tests.support.builder import form, url
from tests.support.drawn import drawn
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db

SCALE = {"key": "mood", "kind": "ordered", "text": "Mood?", "options": [*"abcdefghijk"], "alpha": "1"}
YES = DRAFT["questions"][0] | {"alpha": "1"}


def widths(alpha, people):
    """Return the widths of the mean of eleven steps, in steps: from the shares, and from the mean alone."""
    by_shares = 10 * outlook.quantile(0.95) * (scales.means(alpha, 11).by_shares / people) ** 0.5
    alone = 10 * thirds.half_width(PlannedQuestion("mean", Size(0)), alpha, people)
    return ["±" + numerals.rounded_up(width) for width in (by_shares, alone)]


def button(page, key="mood"):
    """Return the fields of the form that switches to the other scale."""
    one = next(each for each in page.split('class="scale-form"') if f'name="key" value="{key}"' in each[:500])
    return {name: re.search(rf'name="{name}" value="(\w+)"', one)[1] for name in ("key", "mark", "scale")}


def test_both_prices_stand_on_the_page_of_all_questions(client, ada):
    survey = begun(ada, [SCALE, YES], n=4000)
    text, (by_shares, alone) = words(get(client, survey)), widths(1, 4000)
    assert "Scales: shares or mean?" in text
    assert f"the mean one of {by_shares} steps. The mean alone would have a margin of {alone} steps" in text


def test_a_press_asks_for_the_mean_alone_and_another_for_the_shares_again(client, ada):
    survey = begun(ada, [SCALE, YES], n=4000)
    response = post(client, survey, do="ask_for", **button(get(client, survey)))
    assert said(response) == ["“Mood?” is asked for its mean alone."]
    assert survey.draft["questions"][0] == of_drafts.convert(SCALE, "mean")
    text, (by_shares, alone) = words(get(client, survey)), widths(1, 4000)
    assert f"with a margin of {alone} steps" in text and f"the mean one of {by_shares} steps." in text
    assert f"{alone} steps" in text.partition("Scales")[0], "beside the others' intervals too"
    post(client, survey, do="ask_for", **button(get(client, survey)))
    assert survey.draft["questions"][0] == SCALE


def test_nothing_is_changed_where_the_question_has_changed_since(client, ada):
    survey = begun(ada, [SCALE, YES])
    fields = button(get(client, survey))
    survey.draft["questions"][0]["text"] = "Another?"
    survey.save()
    response = post(client, survey, do="ask_for", **fields)
    assert "Someone else changed this in the meantime" in said(response)[0]
    assert survey.draft["questions"][0]["kind"] == "ordered"


def test_a_scale_of_a_joint_form_has_both_prices_there(client, ada):
    """With two values instead of eleven, the joint form has fewer combinations, so all its questions gain precision."""
    survey = begun(ada, [SCALE, YES, YES | {"key": "no"}], n=4000)
    forms = [{"questions": ["mood", "yes"], "alpha": "2"}, {"questions": ["no"]}]
    survey.draft = drawn(survey.draft | {"forms": forms})
    survey.save()
    before = words(get(client, survey))
    alone = re.search(r"The mean alone would have a margin of (±[\d.]+) steps", before)[1]
    post(client, survey, do="ask_for", **button(get(client, survey)))
    assert f"with a margin of {alone} steps" in words(get(client, survey))


def test_a_proposal_has_the_price_of_the_mean_alone(client, ada):
    survey = begun(ada, [SCALE, YES], n=4000)
    page = get(client, survey, plan="1", total="2", n="4000", prices="1")
    proposed = page[page.index('id="proposal"') : page.index('id="forms"')]
    assert "Ask for the mean of “Mood?” alone" in words(proposed)


def test_the_page_of_a_question_has_it_with_the_alpha_that_is_tried(client, ada):
    survey = begun(ada, [SCALE, YES], n=4000)
    text = words(get(client, survey, question="mood", alpha="2", n="900"))
    by_shares, alone = widths(2, 900)
    assert "Shares or mean?" in text and f"the mean one of {by_shares} steps" in text and f"{alone} steps" in text
    assert "Shares or mean?" not in words(get(client, survey, question="yes"))


def test_what_hinders_is_said_in_the_place_of_the_button(client, ada):
    follow = YES | {"key": "why", "asked_if": {"question": "mood", "options": [0]}}
    survey = begun(ada, [SCALE, follow])
    page = get(client, survey)
    assert "since they decide whether another question is asked." in words(page)
    assert "Ask for the mean alone" not in page
    response = post(client, survey, do="ask_for", **button(page))
    assert "Someone else" in said(response)[0] and survey.draft["questions"][0]["kind"] == "ordered"


def test_that_no_one_could_prefer_not_to_say_is_said_before(client, ada):
    survey = begun(ada, [SCALE | {"prefer_not_to_say": True}])
    assert "Then no one can prefer not to say" in words(get(client, survey))


def test_the_builder_offers_it_and_edits_the_steps(client, ada):
    survey = begun(ada, [SCALE, YES], n=4000)
    address = url(survey, "mood")
    _by_shares, alone = widths(1, 4000)
    assert f"The mean alone would have a margin of {alone} steps" in words(client.get(address).content.decode())
    client.post(address, form(client, address) | {"scale": "mean"})
    survey.refresh_from_db()
    assert survey.draft["questions"][0] == of_drafts.convert(SCALE, "mean")
    page = client.get(address).content.decode()
    assert "Rating scale, mean only" in page and ">Steps</label>" in page and "Lowest number" not in page
    client.post(address, form(client, address) | {"steps": "never\nat times\nalways"})
    survey.refresh_from_db()
    assert survey.draft["questions"][0]["steps"] == ["never", "at times", "always"]
    client.post(address, form(client, address) | {"scale": "shares"})
    survey.refresh_from_db()
    assert survey.draft["questions"][0]["options"] == ["never", "at times", "always"]
