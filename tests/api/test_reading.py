"""The API's answers about surveys and releases: as described, in parts, and sent again only if changed."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.api.views import site_description
from surveys.models import Export, Membership, Release, Scope, Survey, Workbook
from surveys.researcher.downloads import export_file
from surveys.researcher.workbook import requests as workbooks
from surveys.researcher.workbook import views
from tests.support import vectors
from tests.support.api_schema import validate
from tests.support.estimates import collect, found_again
from tests.support.exports import closed, every_pair, exported
from tests.support.factories import DRAFT, opened_survey
from tests.support.release_workbook import workbook
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

BELOW = ["", "/estimates", "/estimates.csv", "/covariances", "/covariances.csv", "/codebook"]
BELOW += ["/readings", "/readings.csv", "/pairs", "/pairs.csv", "/shares.csv"]
BELOW += ["/trend", "/trend.csv", "/forged", "/forged.csv"]


@pytest.fixture(scope="module")
def hidden(outer_transaction):
    survey = closed(DRAFT, 120)
    survey.results_public = False
    survey.save()
    return survey


@pytest.fixture
def survey(hidden, db):
    return found_again(hidden)


@pytest.fixture
def program(survey):
    return carrying(token(member(survey), *Scope))


def at(survey, rest=""):
    return f"/api/v1/surveys/{survey.slug}{rest}"


def body(response):
    return b"".join(response) if response.streaming else response.content


def schema_of(path, method="get", status="200"):
    content = site_description()["paths"][path][method]["responses"][status]["content"]
    return content["application/json"]["schema"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "draft",
    [DRAFT, pytest.param(vectors.EVERY_KIND, marks=pytest.mark.long), every_pair()],  # the pairs have every kind too
    ids=["three", "kinds", "pairs"],
)
def test_every_answer_is_as_it_is_described(draft):
    survey = closed(draft, 120)
    program, validated = carrying(token(member(survey), *Scope)), set()
    for path in site_description()["paths"]:
        if (
            ("number" not in path and path.count("{") > 1)
            or "csv" in path
            or "xlsx" in path
            or "{name}" in path
            or "{first}" in path
            or "{stratum}" in path
            or "reports" in path
            or "signature" in path
            or "/invitations" in path
            or "/studio" in path  # tests/api/studio tests these
            or path.endswith(("/regression", "/raking", "/known", "/comparisons", "/value-comparison"))
        ):
            continue
        asked = path.replace("{slug}", survey.slug).replace("{number}", "latest")
        response = program.get(asked)
        assert response.status_code == 200, path
        if "draft-schema" not in path:
            what = body(response), json.dumps(schema_of(path))
            if what not in validated:  # the newest release has two URLs
                validate(*map(json.loads, what))
                validated.add(what)


def test_the_list_has_what_was_opened_and_one_has_a_role_on(survey):
    closed(DRAFT, 20)  # a survey of another user
    ada = member(survey)
    drafted = opened_survey()
    member(drafted)
    (newer, older) = carrying(token(ada)).get("/api/v1/surveys").json()["items"]
    assert (newer["slug"], older["slug"]) == (drafted.slug, survey.slug)
    assert newer["latest"] is None and older["latest"]["n"] == 120 and older["role"] == "researcher"
    assert Client().get("/api/v1/surveys").status_code == 401
    nobody = carrying(token(User.objects.create(username="eve")))
    assert nobody.get("/api/v1/surveys").json() == {"count": 0, "next": None, "previous": None, "items": []}


def test_lists_come_in_parts_that_lead_to_each_other(survey, program):
    ada = User.objects.get(username="ada")
    surveys = [survey]
    for _ in range(4):
        surveys.append(opened_survey())
        member(surveys[-1], name=ada.username)
    seen, address = [], "/api/v1/surveys?size=2"
    while address:
        part = program.get(address.removeprefix("http://127.0.0.1:8000")).json()
        seen += [item["slug"] for item in part["items"]]
        assert part["count"] == 5 and len(part["items"]) <= 2
        address = part["next"]
    assert seen == [survey.slug for survey in reversed(surveys)]
    back = program.get(part["previous"].removeprefix("http://127.0.0.1:8000")).json()
    assert [item["slug"] for item in back["items"]] == seen[2:4] and back["next"].endswith(
        f"after={surveys[1].pk}&size=2"
    )


def test_no_item_of_a_list_is_left_out_where_another_one_is_deleted_meanwhile(survey, program):
    ada = User.objects.get(username="ada")
    for _ in range(5):
        member(opened_survey(), name=ada.username)
    first = program.get("/api/v1/surveys?size=3").json()
    Membership.objects.filter(survey__slug=first["items"][2]["slug"], user=ada).delete()
    rest = program.get(first["next"].removeprefix("http://127.0.0.1:8000")).json()
    assert len({item["slug"] for item in [*first["items"], *rest["items"]]}) == 6
    Membership.objects.filter(user=ada).delete()
    gone = program.get(first["next"].removeprefix("http://127.0.0.1:8000")).json()
    assert gone == {"count": 0, "next": None, "previous": None, "items": []}


@pytest.mark.parametrize(
    ("address", "refusal"),
    [
        ("/api/v1/surveys?limit=5", "“limit” is no parameter of this address: it has “after”, “before”, “size”."),
        ("/api/v1/surveys/{slug}?size=5", "“size” is no parameter of this address: it has none."),
        ("/api/v1/surveys/{slug}/releases/latest/readings.csv?BOM=1", "“BOM” is no parameter"),
    ],
)
def test_a_parameter_that_an_address_does_not_have_is_refused_by_name(program, survey, address, refusal):
    response = program.get(address.format(slug=survey.slug))
    assert response.status_code == 400 and response.json()["detail"].startswith(refusal)


@pytest.mark.parametrize(
    "query",
    ["after=0", "after=x", "size=201", "size=", "before=-1", "after=1e3", "size=٣", "after=" + "9" * 40, "before="],
)
def test_a_wrong_part_is_refused_in_words(survey, program, query):
    for address in ("/api/v1/surveys", at(survey, "/releases")):
        answer = program.get(f"{address}?{query}")
        assert answer.status_code == 400 and "whole number from 1 to" in answer.json()["detail"]


def test_latest_is_the_newest_release_and_a_number_the_same_for_ever():
    survey = opened_survey(results_public=False)
    collect(survey, 300, 300)
    program = carrying(token(member(survey)))
    releases = program.get(at(survey, "/releases")).json()["items"]
    assert len(releases) > 1 and [each["number"] for each in releases] == [*range(len(releases), 0, -1)]
    last = len(releases)
    for rest in BELOW:
        newest, named, first = (program.get(at(survey, f"/releases/{n}{rest}")) for n in ("latest", last, 1))
        assert body(newest) == body(named) != body(first)
        assert "no-cache" in newest["Cache-Control"] and "max-age=86400" in named["Cache-Control"]
    for wrong in ("0", "01", str(last + 1), "9" * 9, "9" * 30, "Latest", "-1"):
        assert program.get(at(survey, f"/releases/{wrong}/estimates")).status_code == 404


@pytest.mark.parametrize("rest", BELOW)
def test_what_one_has_is_not_sent_again_and_only_the_published_is_kept_by_others(survey, program, rest):
    address = at(survey, f"/releases/1{rest}")
    first = program.get(address)
    assert first["Cache-Control"] == "private, max-age=86400" and {"Authorization", "Cookie"} <= set(
        first["Vary"].split(", ")
    )
    again = program.get(address, headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304 and not body(again) and again["ETag"] == first["ETag"]
    assert program.get(address, headers={"if-none-match": '"another"'}).status_code == 200
    survey.results_public = True
    survey.save()
    public = Client().get(address)
    assert public.status_code == 200 and body(public) == body(program.get(address))
    assert public["Cache-Control"] == "public, max-age=86400"


def test_a_client_may_say_whatever_it_would_like_to_get(survey, program):
    for accept in ("text/csv", "image/png", "application/xml;q=0.1", "nonsense"):
        answer = program.get(at(survey, "/releases/1/estimates.csv"), headers={"accept": accept})
        assert answer.status_code == 200 and answer["Content-Type"].startswith("text/csv")


# Microdata ------------------------------------------------------------------------------------------------------------


def test_microdata_are_asked_for_made_and_taken(survey, program):
    address = at(survey, "/releases/latest/microdata")
    assert program.get(address).json()["state"] == "none"
    asked = program.post(address)
    assert asked.status_code == 202 and asked.json()["state"] == "asked"
    validate(asked.json(), schema_of("/api/v1/surveys/{slug}/releases/{number}/microdata", "post", "202"))
    Export.objects.all().delete()
    export = exported(survey)
    state = program.get(address).json()
    assert state["state"] == "ready" and state["written"] == state["reports"] == 120
    assert {file["name"] for file in state["files"]} >= {"microdata.csv", "microdata.parquet", "release-1.zip"}
    for file in state["files"]:
        answer = program.get(file["url"])
        assert body(answer) == b"".join(export_file.plain(export.files.get(name=file["name"])))
        assert int(answer["Content-Length"]) == file["size"] and answer["Content-Type"] == file["media_type"]
    assert program.get(f"{address}/nothing.csv").status_code == 404
    assert program.post(address).status_code == 200


def test_files_are_made_of_the_newest_release_only():
    survey = opened_survey()
    collect(survey, 300, 300)
    program = carrying(token(member(survey), *Scope))
    answer = program.post(at(survey, "/releases/1/microdata"))
    assert answer.status_code == 409 and answer.json()["type"] == "/problems/not_newest"
    assert not Export.objects.exists() and program.get(at(survey, "/releases/1/microdata")).json()["newest"] is False
    assert Release.objects.filter(survey=survey).count() > 1


@pytest.mark.parametrize("name", ["microdata.csv", "microdata.parquet", "release-1.zip"])
def test_what_broke_off_goes_on_where_it_stopped(survey, program, name):
    file = exported(survey).files.get(name=name)
    whole, address = b"".join(export_file.plain(file)), at(survey, f"/releases/1/microdata/{name}")
    # With small parts, some ranges begin in one part and end in another.
    content = b"".join(export_file.parts(file))
    file.parts.all().delete()
    for i in range(0, len(content), 100):
        file.parts.create(number=i // 100, content=content[i : i + 100])
    size, tag = len(whole), program.get(address)["ETag"]
    assert program.get(address)["Accept-Ranges"] == "bytes" and body(program.get(address)) == whole
    for said, start, stop in [
        ("bytes=0-", 0, size), ("bytes=0-0", 0, 1), (f"bytes={size - 1}-", size - 1, size),
        ("bytes=-7", size - 7, size),
        ("bytes=150-349", 150, 350), ("bytes=100-199", 100, 200), (f"bytes=99-{size * 2}", 99, size),
        (f"bytes=-{size * 2}", 0, size),
    ]:  # fmt: skip
        part = program.get(address, headers={"range": said, "if-range": tag})
        assert part.status_code == 206 and body(part) == whole[start:stop], said
        assert part["Content-Range"] == f"bytes {start}-{stop - 1}/{size}"
        assert int(part["Content-Length"]) == stop - start
    for said in (f"bytes={size}-", "bytes=-0", f"bytes={size + 5}-{size + 9}"):
        outside = program.get(address, headers={"range": said})
        assert outside.status_code == 416 and outside["Content-Range"] == f"bytes */{size}"
    for said in ("bytes=0-1,3-4", "bytes=-", "bytes=9-3", "lines=1-2", "bytes=a-b", ""):
        assert program.get(address, headers={"range": said}).status_code == 200
    assert program.get(address, headers={"range": "bytes=5-", "if-range": '"older"'}).status_code == 200
    packed = program.get(address, headers={"accept-encoding": "gzip", "range": "bytes=5-"})
    assert packed.status_code == 206 and not packed.has_header("Content-Encoding")


# The workbook ---------------------------------------------------------------------------------------------------------


def test_the_workbook_is_that_of_the_site_in_the_language_that_is_asked_for(survey, program):
    for language in ("en", "ar"):
        got = workbook(program, at(survey, f"/releases/latest/tables.xlsx?language={language}"))
        assert got.status_code == 200 and got["Content-Disposition"].endswith('-1.xlsx"')
        member_of = Client()
        member_of.force_login(User.objects.get(username="ada"))
        assert body(got) == body(member_of.get(f"/r/{survey.slug}/1/downloads/tables.xlsx?language={language}"))
        again = program.get(
            at(survey, f"/releases/latest/tables.xlsx?language={language}"), headers={"If-None-Match": got["ETag"]}
        )
        assert again.status_code == 304


def test_no_cache_gives_a_workbook_to_another_reader(survey, program):
    """Members see unpublished earlier waves in the workbook of a published release."""
    Survey.objects.filter(pk=survey.pk).update(results_public=True)
    got = workbook(program, at(survey, "/releases/1/tables.xlsx"))
    assert got.status_code == 200 and got["Cache-Control"] == "private, no-cache"


def test_a_language_that_there_is_not_is_refused(survey, program):
    refused = program.get(at(survey, "/releases/latest/tables.xlsx?language=xx"))
    assert refused.status_code == 400 and "language" in refused.json()["detail"]


def test_until_a_workbook_is_made_it_is_said_how_far_it_is(survey, program):
    waits = program.get(at(survey, "/releases/1/tables.xlsx"))
    assert waits.status_code == 202 and int(waits["Retry-After"]) == views.AGAIN_AFTER
    assert waits["Cache-Control"] == "no-store"
    validate(waits.json(), schema_of("/api/v1/surveys/{slug}/releases/{number}/tables.xlsx", status="202"))
    Workbook.objects.update(state="working", written=5)
    assert program.get(at(survey, "/releases/1/tables.xlsx")).json() == {"release": 1, "done": 0.33}
    Workbook.objects.update(state="failed", reason="tried")
    refused = program.get(at(survey, "/releases/1/tables.xlsx"))
    assert refused.status_code == 503 and refused.json()["type"].endswith("workbook_unavailable")


def test_where_too_many_are_being_made_it_says_when_to_come_again(survey, program, monkeypatch):
    monkeypatch.setattr(workbooks, "WAITING_MAX", 1)
    assert program.get(at(survey, "/releases/1/tables.xlsx?language=de")).status_code == 202
    refused = program.get(at(survey, "/releases/1/tables.xlsx"))
    assert refused.status_code == 503 and int(refused["Retry-After"]) == views.AGAIN_AFTER
    assert refused.json()["type"].endswith("workbook_unavailable"), refused.json()
