"""Groups of invited people: each has its own key, batch and results, and the survey is their sum."""

import io
import itertools
import json
import subprocess
import sys

import openpyxl
import pytest

import ldp
from ldp.forms.definition import groups
from surveys.life.lifecycle import close_survey
from surveys.models import Block, Release, Report, Survey
from surveys.researcher.workbook import tables
from surveys.respondent.invitations import blind, book
from surveys.respondent.page.links import link, token_of
from surveys.survey.definition import DraftRefused, build, canonical, certified
from surveys.survey.definition.invitations import moduli_of
from tests.respondent.intake.test_intake import refused
from tests.support.drawn import drawn
from tests.support.estimates import work as turn
from tests.support.exports import exported, store, unpack
from tests.support.factories import draft, opened_survey
from tests.support.invitations import GROUPS, IN_GROUPS, INVITED, Invited, group_of, in_group, named

pytestmark = pytest.mark.django_db

BATCH = 100
LEAST = 20
SEEDS = itertools.count()


@pytest.fixture(autouse=True)
def file(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    settings.RELEASE_LEAST = LEAST


def work(survey: Survey) -> None:
    """Run turns of the worker until nothing is due. On a slow machine one turn ends before all groups are done."""
    for _ in range(3):
        turn(survey)


def survey_with(sales: int, works: int, **fields: object) -> Survey:
    """Return a survey with that many waiting reports of each group, stored without invitations."""
    survey = opened_survey(IN_GROUPS, **fields)
    wait(survey, 0, sales)
    wait(survey, 1, works)
    return survey


def wait(survey: Survey, group: int, count: int) -> None:
    before = list(Report.objects.values_list("id", flat=True))
    store(survey, count, seed=f"{group}/{next(SEEDS)}")  # the next line gives the reports their group
    Report.objects.exclude(id__in=before).update(form=group)


# The draft and its keys -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"groups": named(*GROUPS)},
        INVITED | {"groups": named("Sales")},
        INVITED | {"groups": named("Sales", "Sales")},
        INVITED | {"groups": named("Sales", "Works + sales")},
        INVITED | {"groups": named("Sales", 'the “others”"')},
        INVITED | {"groups": named(*(f"{k}" for k in range(21)))},
        INVITED | {"groups": ["Sales", "Works"]},
        INVITED | {"groups": [{"name": "Sales", "people": 300}, {"name": "Works", "people": LEAST - 1}]},
        drawn(INVITED | {"groups": named(*GROUPS), "forms": [{"questions": ["yes"]}, {"questions": ["which"]}]}),
    ],
)
def test_only_a_survey_by_invitation_and_without_forms_has_two_groups_or_more_each_with_a_name_and_enough_people(wrong):
    with pytest.raises(DraftRefused) as refusal:
        build(draft(**wrong))
    assert all(each.field.startswith("groups") for each in refusal.value.refusals)


def test_what_is_estimated_is_bounded_with_its_groups():
    options = [f"{k}" for k in range(200)]
    question = {"key": "a", "kind": "single_choice", "text": "?", "options": options, "alpha": "1"}
    build(draft(questions=[question], invitations=True))
    with pytest.raises(DraftRefused, match="for each group"):
        build(draft(questions=[question], invitations=True, groups=named(*(f"{k}" for k in range(10)))))


def test_each_group_has_a_key_in_the_frozen_definition():
    survey = opened_survey(IN_GROUPS)
    assert groups(survey.definition) == GROUPS and len(set(moduli_of(survey.definition))) == 2
    assert survey.definition["invitations"].keys() == {"groups"} and "groups" not in survey.definition


def test_no_definition_with_other_groups_is_certified():
    definition = opened_survey(IN_GROUPS).definition
    first, second = definition["invitations"]["groups"]
    assert certified(canonical(definition))
    for wrong in (
        [first],
        [first, second | {"name": first["name"]}],
        [first, second | {"name": ""}],
        [first, second | {"name": "a\nb"}],
        [first, second | {"modulus": "A" * 342}],
        [first, second | {"more": 1}],
        [first] * 21,
    ):
        assert not certified(canonical({**definition, "invitations": {"groups": wrong}}))
    assert not certified(
        canonical({**definition, "invitations": {"groups": [first, second], "modulus": first["modulus"]}})
    )


# Inviting and reports -------------------------------------------------------------------------------------------------


def test_everyone_is_invited_to_one_of_the_groups_which_begins_with_a_batch():
    survey = opened_survey(IN_GROUPS)
    for name in ("", "Others"):
        with pytest.raises(book.NoUnit):
            book.invite(survey.digest, BATCH, name, BATCH)
    with pytest.raises(book.SmallUnit):
        book.invite(survey.digest, BATCH - 1, "Works", BATCH)
    tokens = book.invite(survey.digest, BATCH, "Works", BATCH) + book.invite(survey.digest, 1, "Works", BATCH)
    assert {group_of(token) for token in tokens} == {1}
    address = link("slug", "en", tokens[0])
    assert address.endswith(f"#slug/en/{tokens[0]}") and token_of(address) == tokens[0]
    other = book.replace(survey.digest, tokens[0])
    assert group_of(other) == 1 and other != tokens[0] and book.take_back(survey.digest, tokens[1])


def test_people_of_several_groups_are_invited_at_once_or_none_of_them():
    survey = opened_survey(IN_GROUPS)
    with pytest.raises(book.SmallUnit):
        book.invite_each(survey.digest, ["Sales"] * LEAST + ["Works"] * (LEAST - 1), survey.unit_least)
    assert book.invited(survey.digest) == 0
    tokens = book.invite_each(survey.digest, ["Sales", "Works"] * LEAST, survey.unit_least)
    assert [group_of(token) for token in tokens] == [0, 1] * LEAST and book.invited(survey.digest) == 2 * LEAST


def test_a_department_of_thirty_is_invited_and_has_results_at_the_end():
    survey = opened_survey(IN_GROUPS)
    for name in GROUPS:
        assert len(book.invite(survey.digest, 30, name, survey.unit_least)) == 30
    wait(survey, 0, 30)
    wait(survey, 1, LEAST)
    work(survey)
    assert not Release.objects.exists()
    close_survey(survey)
    work(survey)
    assert [group["n"] for group in Release.objects.get().document["groups"]] == [30, LEAST]


@pytest.mark.django_db(transaction=True)
def test_a_report_gets_into_its_own_group_and_no_other():
    survey = opened_survey(IN_GROUPS)
    [token, another] = book.invite(survey.digest, 2, "Works")
    ada = Invited(survey, token, 1)
    body = ada.signed(ada.asks().json()["signature"])
    for wrong in ({"group": 0}, {"group": 2}, {"group": "1"}, {"group": None}, {"form": 1}):
        field = "signature" if wrong == {"group": 0} else next(iter(wrong))
        refused(ada.sends(json.dumps(json.loads(body) | wrong)), 422, "malformed-report", field)
    without = {name: value for name, value in json.loads(body).items() if name != "group"}
    refused(ada.sends(json.dumps(without)), 422, "malformed-report", "group")
    assert ada.sends(body).status_code == 201 and Report.objects.get().form == 1
    # A link changed to another group is no invitation.
    refused(Invited(survey, in_group(another, 0), 2).asks(), 403, "no-invitation")


def test_without_groups_no_report_says_one():
    survey = opened_survey(INVITED)
    [token] = book.invite(survey.digest, 1)
    ada = Invited(survey, token, 1)
    refused(ada.sends(json.dumps(ada.body | {"group": 0})), 422, "malformed-report", "group")


def test_all_keys_are_destroyed_when_the_survey_ends():
    survey = opened_survey(IN_GROUPS)
    close_survey(survey)
    for name in GROUPS:
        with pytest.raises(book.Ended):
            book.invite(survey.digest, BATCH, name, 1)


def test_keys_one_after_the_other_are_found_again():
    keys = [blind.new_key().data for _ in range(3)]
    assert blind.split(b"".join(keys)) == keys and blind.split(b"") == []


# Counting and results -------------------------------------------------------------------------------------------------


def test_reports_wait_for_the_batch_of_their_own_group():
    survey = survey_with(2 * BATCH, BATCH - 1)
    work(survey)
    assert set(Report.objects.values_list("form", flat=True)) == {1} and Report.objects.count() == BATCH - 1
    release = Release.objects.get()
    assert [tally["n"] for tally in release.tallies] == [BATCH, 0]
    wait(survey, 1, 1)
    work(survey)
    assert not Report.objects.exists() and Release.objects.count() == 1, "the first batch of a group is held back"


def test_two_releases_differ_by_no_report_of_a_group_or_by_a_batch():
    survey = survey_with(2 * BATCH, 2 * BATCH)
    work(survey)
    for group, count in ((0, BATCH - 1), (1, BATCH), (0, 1), (1, 3 * BATCH)):
        wait(survey, group, count)
        work(survey)
    counts = [[0, 0]] + [[tally["n"] for tally in each.tallies] for each in Release.objects.order_by("number")]
    for before, after in itertools.pairwise(counts):
        assert all(new - old == 0 or new - old >= BATCH for old, new in zip(before, after, strict=True))
    assert len(counts) > 2


def test_a_release_has_the_results_of_each_group_and_of_all_as_their_sum():
    survey = survey_with(150, 60)
    close_survey(survey)
    work(survey)
    document = Release.objects.get().document
    assert document["groups"] == [{"name": "Sales", "n": 150}, {"name": "Works", "n": 60}] and document["n"] == 210
    assert [(each["group"], each["key"]) for each in document["by_group"]] == [
        (name, key) for name in GROUPS for key in ("yes", "which", "many")
    ]
    for whole in document["questions"]:
        own = [each for each in document["by_group"] if each["key"] == whole["key"]]
        assert [each["n_about"] for each in own] == [150, 60] and "group" not in whole
        for place, category in enumerate(whole["methods"][0]["categories"]):
            parts = [each["methods"][0]["categories"][place] for each in own]
            assert category["score"] == sum(part["score"] for part in parts)
            mean = sum(part["estimate"] * each["n_about"] for part, each in zip(parts, own, strict=True)) / 210
            assert category["estimate"] == pytest.approx(mean)
            for part in parts:
                low, high = part["population"]["simultaneous"]
                assert 0 <= low < high <= 1 and len(part["population"]["levels"]) == 2


def test_of_a_group_with_too_few_reports_nothing_is_published_and_it_says_so(client):
    survey = survey_with(60, LEAST - 1, results_public=True)
    close_survey(survey)
    work(survey)
    document = Release.objects.get().document
    assert document["groups"][1] == {"name": "Works", "n": 0} and document["n"] == 60
    assert {each["group"] for each in document["by_group"]} == {"Sales"}
    assert not Block.objects.filter(form=1).exists() and not Report.objects.exists()
    page = client.get(f"/r/{survey.slug}/").content.decode()
    assert "too few reports: nothing is published about this group" in page


def test_the_workbook_has_the_results_of_each_group():
    survey = survey_with(120, 80)
    close_survey(survey)
    work(survey)
    book = openpyxl.load_workbook(io.BytesIO(tables.workbook_bytes(Release.objects.get(), ((survey.slug, 1),))))
    head, *rows = book["Estimates"].iter_rows(values_only=True)
    assert {row[head.index("Group")] for row in rows} == {None, *GROUPS}


def test_everything_can_be_computed_again_from_the_files(tmp_path):
    survey = survey_with(120, 80)
    close_survey(survey)
    work(survey)
    folder = unpack(exported(survey), tmp_path)
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    document = Release.objects.get().document
    assert reports.complete and json.loads(json.dumps(reports.document())) == document
    assert {row["group"] for row in reports.estimates()} == {None, *GROUPS}
    lines = (folder / "microdata.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("report.group,yes,") and [line[:2] for line in lines[1:]] == ["0,"] * 120 + ["1,"] * 80
    assert len(reports.cross("yes", "which")) == 8
    again = [sys.executable, "recompute.py", "microdata.csv", "codebook.json", "estimates.csv"]
    done = subprocess.run(again, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done
    rows = len((folder / "estimates.csv").read_text(encoding="utf-8").splitlines()) - 1
    assert done.stdout.startswith(f"{rows} rows recomputed")
