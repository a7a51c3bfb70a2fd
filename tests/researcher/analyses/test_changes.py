"""Changes between waves: the compared shares, their joint confidence, and the words of the page and its files."""

import csv
import io
import json
import random
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.html import parse_html
from django.utils.translation import override

from ldp.confidences import CONFIDENCES
from ldp.inference.intervals import Interval
from ldp.inference.reading import apart
from surveys.life import chain
from surveys.life.lifecycle import close_survey
from surveys.models import Membership, Release, Role
from surveys.researcher.analyses.waves import pictures, sentences, table
from surveys.researcher.analyses.waves.changes import Share, WaveChange, WavesAnswer, changes, visible
from tests.researcher.results.test_results import text
from tests.support.estimates import released, work
from tests.support.factories import opened_survey
from tests.support.waves import opened_wave
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db

DRAFT = {
    "title": "Asked again",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Yes or no?", "alpha": "8"},
        {"key": "which", "kind": "single_choice", "text": "Which?", "options": ["a", "b", "c"], "alpha": "4"},
        {"key": "warm", "kind": "mean", "text": "How warm?", "low": "-10", "high": "30", "unit": "°C", "alpha": "4"},
    ],
}


def wave(earlier, n, draft=DRAFT, results_public=True, **answers):
    """Return the next wave, closed with n reports."""
    survey = opened_wave(earlier, draft | {"wave_of": chain.declared(earlier)}, results_public=results_public)
    store(survey, range(n), **answers)
    close_survey(survey)
    work(survey)
    return survey


def first(n=400, draft=DRAFT, **fields):
    return released(n, draft, results_public=True, **fields)


def compared(survey, client=None, confidence=0.95):
    release = Release.objects.latest_of(survey)
    names, hidden = visible(lambda _slug: client or User(), release)
    assert not hidden
    return changes(names, confidence)


def get(survey, client=None, **headers):
    response = (client or Client()).get(f"/r/{survey.slug}/1/waves/", headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def test_every_change_is_the_difference_of_two_intervals_that_hold_at_once():
    """2 waves x (1 of yes or no + 3 + 1 mean) = 10 intervals, each at 1 - .05/10; 5 changes."""
    found = compared(wave(first(), 400, yes=1, which=1, warm="30"))
    assert found.together == 10 and found.compared == 5 and found.at_once == pytest.approx(1 - 0.05 / 10)
    assert [part.now.key for part in found.parts] == ["yes", "which", "warm"]
    for part in found.parts[:2]:
        for j, answer in enumerate(part.answers):
            [change] = answer.changes
            rows = [one.rows[j] for one in reversed(part.asked)]
            both = apart.interval(*rows, 1 - 2 * (1 - found.at_once), independent=False)
            assert both[0] - 1e-12 <= change.interval.low <= change.interval.high <= both[1] + 1e-12
            assert change.estimate == pytest.approx(apart.estimate(*rows))
    [mean] = found.parts[2].answers
    assert all(-10 <= share.interval.low <= share.interval.high <= 30 for share in mean.shares)
    assert mean.changes[0].shows and mean.changes[0].interval.low > 20, "from -10 or so to 30"


def test_all_waves_are_shown_and_the_last_is_compared_with_the_one_before_and_the_first():
    second = wave(first(), 200, yes=1)
    third = wave(second, 200, yes=0)
    found = compared(third)
    [answer] = found.parts[0].answers
    assert len(answer.shares) == 3
    assert [(change.earlier, change.later) for change in answer.changes] == [(1, 2), (0, 2)]
    assert answer.changes[0].shows and not answer.changes[1].shows
    assert "Wave 3" in get(third) and get(third).count("Change since") == 2 * 5


def test_only_the_same_question_is_compared():
    other = [
        DRAFT["questions"][0] | {"text": "No or yes?"},
        DRAFT["questions"][1] | {"options": ["a", "c", "b"]},
        DRAFT["questions"][2] | {"high": "31"},
        DRAFT["questions"][0] | {"key": "new"},
    ]
    survey = wave(first(60), 60, DRAFT | {"questions": other})
    found = compared(survey)
    assert [part.now.key for part in found.parts] == ["yes"] and found.parts[0].is_reworded
    assert [one.key for one in found.unmatched] == ["which", "warm", "new"]
    page = text_of(get(survey))
    assert "The question, its note, its answers or its section had other words before" in page
    assert page.count("no earlier wave asked it the same way") == 3


SEEN = {"sections": [{"title": "You", "text": "", "questions": ["yes", "which", "warm"]}]}
NOTE = {"questions": [DRAFT["questions"][0] | {"note": "Do not count work."}, *DRAFT["questions"][1:]]}


LIMITS = {"questions": [*DRAFT["questions"][:2], DRAFT["questions"][2] | {"limits": "whole"}]}


@pytest.mark.parametrize(
    ("before", "now", "keys"),
    [
        ({}, NOTE, ["yes"]),
        (NOTE, {}, ["yes"]),
        ({}, SEEN, ["yes", "which", "warm"]),
        (SEEN, {"sections": [SEEN["sections"][0] | {"text": "Last year only."}]}, ["yes", "which", "warm"]),
        (SEEN, {"sections": [SEEN["sections"][0] | {"title": "Last year"}]}, ["yes", "which", "warm"]),
        (SEEN, SEEN, []),
        ({}, LIMITS, ["warm"]),
        ({"introduction": "Once"}, {"introduction": "Again"}, []),
    ],
)
def test_whatever_is_read_with_a_question_is_compared_and_said_in_pages_files_and_pictures(before, now, keys, client):
    """A note, a section's heading and a section's text count; words elsewhere do not."""
    survey = wave(first(60, DRAFT | before), 60, DRAFT | now)
    found, words = compared(survey), "The question, its note, its answers or its section had other words before"
    assert [part.now.key for part in found.parts if part.is_reworded] == keys
    assert text_of(get(survey)).count(words) == len(keys)
    rows = client.get(f"/r/{survey.slug}/1/waves/waves.json").json()["shares"]
    assert {row["question"] for row in rows if row["reworded"]} == set(keys)
    assert {row["wave"] for row in rows if row["reworded"]} <= {1}
    assert client.get(f"/api/v1/surveys/{survey.slug}/releases/1/waves").json()["shares"] == rows
    feet = [" ".join(pictures.sheet(found, part).foot) for part in found.parts]
    assert [words in foot for foot in feet] == [part.is_reworded for part in found.parts]


def test_texts_of_a_language_that_both_have_are_compared():
    def spoken(which):
        texts = [{"text": "Ja?", "note": ""}, {"text": "Was?", "note": "", "options": which}]
        texts.append({"text": "Wie warm?", "note": "", "unit": "°C"})
        german = {"title": "Noch einmal", "introduction": "", "questions": texts}
        return DRAFT | {"introduction": "", "translations": {"de": german}}

    same, other = spoken(["a", "b", "c"]), spoken(["a", "b", "d"])
    assert [part.is_reworded for part in compared(wave(first(30, same), 30, same)).parts] == [False] * 3
    assert [part.is_reworded for part in compared(wave(first(30, same), 30, other)).parts] == [False, True, False]
    assert [part.is_reworded for part in compared(wave(first(30), 30, same)).parts] == [False] * 3


def routed(*changes, **more):
    """Return a draft of a chain of three and a last question that two of them decide, with changes by place."""
    by = [{"question": "second", "options": [0]}, {"question": "third", "options": [1, 2]}]
    which = DRAFT["questions"][1] | {"alpha": "1"}
    questions = [
        DRAFT["questions"][0] | {"key": "first"},
        DRAFT["questions"][0] | {"key": "second", "asked_if": {"question": "first", "options": [0]}},
        which | {"key": "third"},
        which | {"key": "last", "asked_if": {"all": by}},
    ]
    for place, fields in changes:
        questions[place] = questions[place] | fields
    return DRAFT | {"questions": questions} | more


@pytest.mark.parametrize(
    ("changes_of_it", "compared_keys"),
    [
        ([], ["first", "second", "third", "last"]),
        ([(1, {"asked_if": {"question": "first", "options": [1]}})], ["first", "third"]),
        ([(2, {"options": ["a", "c", "b"]})], ["first", "second"]),
        ([(3, {"asked_if": {"any": routed()["questions"][3]["asked_if"]["all"]}})], ["first", "second", "third"]),
        ([(3, {"asked_if": {"all": routed()["questions"][3]["asked_if"]["all"][::-1]}})], None),
    ],
)
def test_what_is_asked_of_other_people_is_not_compared(changes_of_it, compared_keys):
    """Otherwise a change of the condition or of a deciding question would look like a change of answers."""
    found = compared(wave(first(20, routed()), 20, routed(*changes_of_it)))
    every = [question["key"] for question in routed()["questions"]]
    assert [part.now.key for part in found.parts] == (every if compared_keys is None else compared_keys)


def test_the_page_says_of_whom_a_question_was_asked():
    page = text_of(get(wave(first(20, routed()), 20, routed())))
    assert page.count("Asked only of those who") == len([each for each in routed()["questions"] if "asked_if" in each])


def asked_half_as_often(draft):
    """Return the second of two waves. Everyone asked the second question says yes: half of all, then a quarter."""
    survey = opened_survey(draft, results_public=True)
    for asked in (200, 100):
        store(survey, range(asked), first=0, second=0, third=1, last=0)
        store(survey, range(asked, 400), first=1, second=1, third=0, last=2)
        close_survey(survey)
        work(survey)
        if asked == 200:
            survey = opened_wave(survey, draft | {"wave_of": chain.declared(survey)}, results_public=True)
    return survey


def test_a_change_of_how_many_are_asked_is_none_of_their_answers():
    alphas = [(place, {"alpha": "8"}) for place in range(4)]
    survey = asked_half_as_often(routed(*alphas))
    shown = {part.now.key: part for part in compared(survey).parts}
    assert [part.of_asked for part in shown.values()] == [False, True, False, True]
    for key, option in (("second", 0), ("last", 0), ("last", 2)):
        answer = shown[key].answers[option]
        assert [share.estimate for share in answer.shares] == pytest.approx([1 - option / 2] * 2, abs=0.05)
        [change] = answer.changes
        assert not change.shows and change.interval.low <= 0 <= change.interval.high
    assert shown["first"].answers[0].changes[0].shows, "fewer are asked"
    page = text_of(get(survey))
    assert page.count("The results describe only these people.") == 2 and "or not asked" not in page
    rows = csv.DictReader(io.StringIO(Client().get(f"/r/{survey.slug}/1/waves/waves.csv").content.decode()))
    assert {row["question"] for row in rows if row["of_asked"] == "true"} == {"second", "last"}


def test_where_reports_do_not_show_who_was_asked_no_filler_is_a_wave_s_answer():
    """Either of two options leads on and a report is about one option, so the pages have only bounds."""
    many = {"key": "third", "kind": "multiple_choice", "text": "Which?", "options": ["a", "b", "c"], "alpha": "4"}
    rule = {"question": "third", "options": [0, 1]}
    draft = routed((2, many), (3, {"asked_if": rule}))
    draft["questions"].append(DRAFT["questions"][2] | {"key": "mean", "asked_if": rule})
    survey, answers = opened_survey(draft, results_public=True), {"third": [True, False, False]}
    store(survey, range(60), **answers)
    close_survey(survey)
    work(survey)
    survey = wave(survey, 60, draft, **answers)
    found = compared(survey)
    assert not {part.now.key for part in found.parts} & {"last", "mean"}
    assert [one.key for one in found.unshown] == ["last", "mean"]
    page = text_of(get(survey))
    assert "“How warm?”: reports do not show who was asked it" in page


def text_of(page):
    return text(parse_html(page))


def test_sentences_claim_what_intervals_hold():
    still, moved = wave(first(), 400), wave(first(), 400, which=1)
    assert sentences.headline(compared(still)).startswith("These reports do not show")
    page = text_of(get(moved))
    assert "Some answers have changed since the wave before." in page
    assert "“b” to “Which?” has become more common, by" in page
    assert "“a” to “Which?” has become less common, by" in page and "“c” to “Which?” has" not in page


def test_of_few_reports_nothing_is_said():
    weak = DRAFT | {"questions": [DRAFT["questions"][1] | {"alpha": "0.1"}]}
    survey = wave(first(30, weak), 30, weak, which=1)
    page = text_of(get(survey))
    assert "Too few people answered to say whether anything changed." in page
    assert page.count("too few answered to say") == 3


def test_the_table_has_whatever_change_the_headline_names_however_wide_its_interval_is():
    rough = DRAFT | {"questions": [DRAFT["questions"][0] | {"alpha": "0.7"}]}
    found = compared(wave(wave(first(100, rough), 100, rough, yes=0), 100, rough, yes=1))
    change = found.parts[0].answers[0].changes[0]
    assert change.shows and sentences.is_hopeless(found.parts[0], change)
    assert "has become less common, by" in sentences.sentences(found)[0]
    assert table.panels(found)[0].answers[0].changes[0].found == "less common"


def test_a_change_that_shows_never_looks_as_if_there_might_be_none():
    change = WaveChange(0, 1, 0.02, Interval(0.0003, 0.04))
    [part] = [each for each in compared(wave(first(), 400)).parts if each.now.key == "yes"]
    estimate, span = table._words(part, part.answers[0])
    since = table._since(part, "", change, estimate, span)
    assert since.shows and since.interval == "0.03 to 4.00"
    assert "by 0.03 to 4.00 percentage points" in sentences._sentence(sentences.Claim(part, part.answers[0], change))


def test_no_more_is_claimed_than_chance_allows():
    """Two waves of the same 150 people with the same answers, 120 times, from 3 laws: at most 5% have a false change.
    Then 14 or more of 120 happen once in 300."""
    chance = random.Random(5)
    false = 0
    for turn in range(120):
        law = [(1, 0), (0.5, 0.5), (0.9, 0.1)][turn % 3]
        found = _resampled(chance, law)
        false += any(change.shows for answer in found for change in answer)
    assert false < 14


def _resampled(chance, law, n=150):
    """Return the changes of a yes/no question at alpha 1 that n people answer the same way in both waves."""
    from ldp.forms.report import alone
    from ldp.inference.tallied import of_question
    from surveys.survey import definition as definitions

    [question] = alone(definitions.build({"title": "?", "questions": [DRAFT["questions"][0] | {"alpha": "1"}]}))
    keep = (1 + question["table"]["keep"] / 2**53) / 2
    people = [0 if chance.random() < law[0] else 1 for _ in range(n)]
    shares = []
    for _wave in range(2):
        sent = sum((answer == 0) == (chance.random() < keep) for answer in people)
        own = dict(of_question(question, {"support": [sent, n - sent]}, n, False))["yes"]
        shares.append(Share(float(own.shares[0]), Interval(*own.interval(0, 1 - 0.05 / 2, "population"))))
    return [WavesAnswer("Yes", tuple(shares)).changes]


def test_waves_that_are_not_for_who_asks_are_left_out(client):
    hidden = first(60)
    hidden.results_public = False
    hidden.save(update_fields=["results_public"])
    survey = wave(hidden, 60)
    page = text_of(get(survey))
    assert "“Asked again” is an earlier wave, too" in page and "No question was asked the same way" in page
    assert "Not compared" in page and "Bonferroni" not in page and "follows no other" not in page
    user = User.objects.create_user("viewer")
    Membership.objects.create(survey=hidden, user=user, role=Role.VIEWER)
    client.force_login(user)
    assert "Change since" in get(survey, client)
    assert client.get(f"/r/{survey.slug}/1/waves/")["Cache-Control"].startswith("private")


def test_files_and_programs_have_every_number(client):
    survey = wave(first(60), 60)
    document = client.get(f"/r/{survey.slug}/1/waves/waves.json").json()
    assert [each["release"] for each in document["waves"]] == [1, 1] and document["waves"][1]["survey"] == survey.slug
    assert len(document["shares"]) == len(CONFIDENCES) * 10
    rows = list(csv.DictReader(io.StringIO(client.get(f"/r/{survey.slug}/1/waves/waves.csv").content.decode())))
    assert [row["estimate"] for row in rows] == [repr(each["estimate"]) for each in document["shares"]]
    assert {row["change"] for row in rows if row["wave"] == "1"} == {""}
    api = f"/api/v1/surveys/{survey.slug}/releases"
    for number in ("1", "latest"):
        assert client.get(f"{api}/{number}/waves").json() == document
        assert len(client.get(f"{api}/{number}/waves.csv").content.decode().splitlines()) == len(rows) + 1
    assert client.get(f"/r/{survey.slug}/1/waves/waves.pdf").status_code == 404


def test_a_question_over_the_waves_is_a_picture(client):
    survey = wave(wave(first(), 200), 200, yes=1)
    page = get(survey)
    start = f"/r/{survey.slug}/1/waves/which-light-wide"
    assert all(f'href="{start}.{form}?confidence=95"' in page for form in ("svg", "png", "pdf"))
    for form, (kind, opening) in {
        "svg": ("image/svg+xml", b"<?xml"), "png": ("image/png", b"\x89PNG"), "pdf": ("application/pdf", b"%PDF-"),
    }.items():  # fmt: skip
        for look in ("light-wide", "dark-narrow"):
            response = client.get(f"/r/{survey.slug}/1/waves/which-{look}.{form}?confidence=90")
            assert response["Content-Type"] == kind and response.content.startswith(opening)
    texts = set(re.findall(r">([^<>]+)</text>", client.get(f"{start}.svg?confidence=90").content.decode()))
    assert {"Which?", "a", "b", "c", "1", "2", "3"} <= texts and any("Wave 3" in each for each in texts)
    assert any(each.startswith("90% intervals for the population") for each in texts)
    for wrong in ("other-light-wide.svg", "which-grey-wide.svg", "which-light-huge.svg", "which-light-wide.gif"):
        assert client.get(f"/r/{survey.slug}/1/waves/{wrong}").status_code == 404


def test_a_picture_draws_what_the_page_says():
    """Each wave's estimate and interval is at its place among all waves, in percent or in the unit of a mean."""
    found = compared(wave(wave(first(), 200), 200, yes=1))
    drawn = pictures.sheet(found, found.parts[0])
    [field] = drawn.fields
    [answer] = found.parts[0].answers
    assert [mark.wave for mark in field.marks] == [1, 2, 3] and drawn.unit == "%"
    for mark, share in zip(field.marks, answer.shares, strict=True):
        assert mark[1:] == tuple(100 * value for value in (share.estimate, *share.interval))
    mean = pictures.sheet(found, found.parts[2])
    assert mean.title == "How warm? (in °C)" and mean.unit == "" and -10 <= mean.fields[0].marks[0].low <= 30


def test_a_survey_that_follows_none_has_nothing_to_compare(client):
    survey = first(60)
    page = text_of(get(survey))
    assert "This survey follows no other." in page and "one after the other" in page
    assert not any(text in page for text in ("Bonferroni", "Confidence", "Not compared", "Intervals", "alike"))
    assert json.loads(client.get(f"/r/{survey.slug}/1/waves/waves.json").content)["shares"] == []
    assert "waves/" not in client.get(f"/r/{survey.slug}/1/").content.decode()


@pytest.mark.parametrize("language", ["de", "ar"])
def test_it_is_said_in_the_language_of_the_page(language):
    page = text_of(get(wave(first(), 400, yes=1, which=1, warm="30"), **{"Accept-Language": language}))
    assert "%(" not in page and "None" not in page
    assert not any(word in page for word in ("Wave ", "Change", "changed", "risen", "common"))


NOT_EVERY = "not every change between waves is significant."


@pytest.mark.parametrize(
    ("middles", "half", "sentence"),
    [
        ((0.2, 0.4), 0.05, ""),
        ((0.2, 0.4, 0.6), 0.05, "It rose from each wave to the next."),
        ((0.6, 0.4, 0.2), 0.05, "It fell from each wave to the next."),
        ((0.2, 0.5, 0.3), 0.04, "It rose between some waves and fell between others."),
        (
            (0.2, 0.25, 0.4),
            0.05,
            "It was higher in the last wave than in the first, but not every change between waves is significant.",
        ),
        (
            (0.4, 0.25, 0.2),
            0.09,
            "It was lower in the last wave than in the first, but not every change between waves is significant.",
        ),
        ((0.2, 0.25, 0.22), 0.05, "No direction shows over all waves."),
        ((0.4, 0.5, 0.6), 0.3, "Too few people answered to show a trend over all waves."),
    ],
)
def test_over_all_waves_only_that_is_said_which_all_intervals_hold(middles, half, sentence):
    part = compared(wave(first(), 400)).parts[0]
    answer = WavesAnswer("Yes", tuple(Share(m, Interval(m - half, m + half)) for m in middles))
    found = sentences.trend(part, answer)
    assert (str(sentences.TRENDS[found]) if found else "") == sentence


def test_what_shows_over_all_waves_alone_is_said_above_the_tables():
    """Otherwise the page would begin as if nothing had changed."""
    part = compared(wave(first(), 400)).parts[0]
    steps = WavesAnswer("Yes", tuple(Share(m, Interval(m - 0.1, m + 0.1)) for m in (0.2, 0.35, 0.5)))
    still = WavesAnswer("No", tuple(Share(m, Interval(m - 0.1, m + 0.1)) for m in (0.2, 0.2, 0.2)))
    for answers, sentence in (
        (
            (steps, still),
            "From the first wave to the last 1 answer has changed, but not every change between waves is significant.",
        ),
        ((still,), "That does not prove that nothing did: chance added for privacy hides small changes."),
    ):
        found = SimpleNamespace(parts=[replace(part, answers=answers)])
        headline = sentences.headline(found)
        assert headline == "These reports do not show that any answer has changed since the wave before."
        assert sentences.sentences(found) == [sentence]


def test_the_page_says_it_of_three_waves_and_not_of_two():
    second = wave(first(), 300)
    assert "Over all waves" not in get(second)
    third = wave(second, 300)
    page = text(parse_html(get(third)))
    rows = [row for row in re.findall(r"<tr>.*?</tr>", get(third)) if "Over all waves" in row]
    assert len(rows) == 5 and all(row.startswith('<tr><td colspan="3">') for row in rows), "over the whole width"
    assert "Over all waves" in page and page.count("since the wave before would have been found") == 2
    document = Client().get(f"/r/{third.slug}/1/waves/waves.json?language=de").json()
    whole = [each for each in document["trends"] if each["confidence"] == 0.95]
    assert len(whole) == 1 + 3 + 1 and {each["trend"] for each in whole} <= set(sentences.TRENDS)
    with override("de"):
        assert whole[0]["sentence"] == str(sentences.TRENDS[whole[0]["trend"]])
        assert document["sentences"][1]["headline"] == sentences.headline(compared(third))
    last = [share for share in document["shares"] if share["trend"]]
    assert {share["wave"] for share in last} == {3} and len(last) == len(document["trends"])


def test_the_items_of_a_grid_are_compared_with_its_texts():
    grid = {"key": "grid", "kind": "grid", "text": "How?", "items": ["x", "y"], "options": ["a", "b"], "alpha": "4"}
    one, other = (DRAFT | {"questions": [grid | {"note": note}]} for note in ("", "Last year only."))
    before = opened_survey(one, results_public=True)
    store(before, range(60), grid=[0, 1])
    close_survey(before)
    work(before)
    found = compared(wave(before, 60, other, grid=[0, 1]))
    assert [(part.now.item, part.is_reworded) for part in found.parts] == [("x", True), ("y", True)]
