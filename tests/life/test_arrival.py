"""A survey from another site's file passes the same checks as a new one. Refusals name the field and the rule."""

import base64
import copy
import gzip
import hashlib
import json
import random
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from ldp import kinds
from ldp.blocks import decode, encode
from surveys.life import deletion, summing
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Block, Disclosure, Export, LogEntry, Release, Survey
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.survey.definition import canonical
from surveys.transfer import archive
from surveys.transparency.log import entries
from tests.support import arm_cases, form_cases, forms
from tests.support.analyses import entered
from tests.support.estimates import collect, released, work
from tests.support.everything import DRAFT as EVERYTHING
from tests.support.factories import DRAFT, opened_survey
from tests.support.invitations import named
from tests.worker.test_batches import store
from worker import tasks

pytestmark = [pytest.mark.django_db(transaction=True)]

FAIR = json.loads((Path(__file__).parents[2] / "surveys/public/demo/fair.json").read_text(encoding="utf-8"))

GROUPS = DRAFT | {"invitations": True, "groups": named("North", "South")}


@pytest.fixture
def exported(tmp_path):
    """Return the lines of a survey's file with every kind of content. The survey is deleted."""
    ada = User.objects.create_user("ada")
    survey = released(150, owner=ada, results_public=True, microdata_public=True)
    release = Release.objects.get(survey=survey)
    entries.commit_to(release)
    Disclosure.objects.create(survey=survey, sponsor="Nobody")
    tasks.analyze(entered(CROSSINGS, release, {"first": "yes", "second": "which"}, asked_by=ada).pk)
    tasks.export(Export.objects.get().pk)
    return taken_away(survey, ada, tmp_path / "survey.gz")


def taken_away(survey, owner, file):
    archive.write(survey, file)
    deletion.delete(survey, owner)
    with gzip.open(file, "rt") as lines:
        return [json.loads(line) for line in lines]


def arriving(lines, file):
    with gzip.open(file, "wt") as new:
        new.writelines(json.dumps(line) + "\n" for line in lines)
    call_command("transfer", "import", str(file), "--owner", "ada")


def of(lines, model):
    return [line["fields"] for line in lines if line.get("model") == f"surveys.{model}"]


def redefined(lines, **changes):
    """Give the survey another definition, in canonical form and with its digest."""
    [survey] = of(lines, "survey")
    definition = json.loads(survey["canonical"]) | changes
    survey["canonical"] = canonical(definition).decode()
    survey["digest"] = hashlib.sha256(survey["canonical"].encode()).hexdigest()


def restated(lines, **stated):
    """Change fields of the first draw."""
    [survey] = of(lines, "survey")
    first, *others = json.loads(survey["canonical"])["draws"]
    redefined(lines, draws=[first | stated, *others])


def recounted(lines, change):
    """Change the reports. Change their counts too, so that they add up."""
    [block] = of(lines, "block")
    rows = decode(base64.b64decode(block["columns"])).copy()
    change(rows)
    block["columns"] = base64.b64encode(encode(rows)).decode()


SLUG = "survey.slug must be a link"
DEFINITION = "survey.canonical must be the canonical JSON of a definition"
DOCUMENT = "release.document: questions must hold the estimates"
CHANGES = {
    "a path as its link": (lambda lines: of(lines, "survey")[0].update(slug="../x"), SLUG),
    "an empty link": (lambda lines: of(lines, "survey")[0].update(slug=""), SLUG),
    "no link": (lambda lines: of(lines, "survey")[0].update(slug=None), SLUG),
    "a link with a line end": (lambda lines: of(lines, "survey")[0].update(slug="abc\n"), SLUG),
    "a link that is an option": (lambda lines: of(lines, "survey")[0].update(slug="--help"), SLUG),
    "a long link": (lambda lines: of(lines, "survey")[0].update(slug="a" * 33), "survey.slug"),
    "a definition that is no JSON": (
        lambda lines: of(lines, "survey")[0].update(canonical="no", digest=hashlib.sha256(b"no").hexdigest()),
        DEFINITION,
    ),
    "a definition of another shape": (lambda lines: redefined(lines, questions=[]), DEFINITION),
    "a line end in a definition's title": (lambda lines: redefined(lines, title="a\x00b"), DEFINITION),
    "another title": (lambda lines: of(lines, "survey")[0].update(title="x"), "survey.title must be the definition"),
    "a smaller alpha than its table's": (lambda lines: restated(lines, alpha="0.5"), DEFINITION),
    "a larger alpha than its table's": (lambda lines: restated(lines, alpha="16"), "draws.0..alpha must be"),
    "a survey that is open": (lambda lines: of(lines, "survey")[0].update(state="open"), "survey.state must be"),
    "a draft": (lambda lines: of(lines, "survey")[0].update(state="draft"), "survey.state must be"),
    "no such state": (lambda lines: of(lines, "survey")[0].update(state="gone"), "survey.state must be one of"),
    "a draft that cannot be opened": (
        lambda lines: of(lines, "survey")[0].update(draft={"title": 1}),
        "survey.draft: ",
    ),
    "a draft that is no draft": (lambda lines: of(lines, "survey")[0].update(draft=[1]), "survey.draft: "),
    "a small batch": (lambda lines: of(lines, "survey")[0].update(batch=1), "survey.batch must be at least 100"),
    "no end": (lambda lines: of(lines, "survey")[0].update(closed_at=None), "survey.closed_at must be there"),
    "an end in the future": (
        lambda lines: of(lines, "survey")[0].update(closed_at="2999-01-01T00:00:00Z"),
        "survey.closed_at must not be",
    ),
    "a number that is none": (lambda lines: of(lines, "survey")[0].update(closes_at_half_width=float("nan")), "finite"),
    "NUL in a text": (lambda lines: of(lines, "disclosure")[0].update(sponsor="a\0"), "disclosure.sponsor must hold"),
    "a long text": (
        lambda lines: of(lines, "disclosure")[0].update(sponsor="a" * 2001),
        "disclosure.sponsor must have",
    ),
    "a negative number": (lambda lines: of(lines, "survey")[0].update(stored=-1), "survey.stored"),
    "a tally of another shape": (
        lambda lines: of(lines, "tally")[0].update(tallies={"a": 1}),
        "tally.tallies must be n",
    ),
    "a tally that was changed": (
        lambda lines: of(lines, "tally")[0]["tallies"][0]["totals"]["yes"].update(support=[150, 0]),
        "tally.tallies must be the sum",
    ),
    "reports that are held back": (
        lambda lines: of(lines, "tally")[0].update(held=[{"n": 1, "totals": {}}]),
        "tally.held must be nothing",
    ),
    "too few reports, and a release": (lambda lines: of(lines, "tally")[0].update(fewer_than=20), "tally.fewer_than"),
    "no tally": (
        lambda lines: lines.remove(next(x for x in lines if x.get("model") == "surveys.tally")),
        "tally is mis",
    ),
    "a block of another form": (lambda lines: of(lines, "block")[0].update(form=1), "block.form must be"),
    "a block of a wait": (lambda lines: of(lines, "block")[0].update(stage="held"), "block.stage must be"),
    "a block of other reports": (lambda lines: of(lines, "block")[0].update(n=149), "block.columns must hold as many"),
    "a block that is none": (lambda lines: of(lines, "block")[0].update(columns="AAAA"), "is not a whole file"),
    "reports with bits beyond their end": (
        lambda lines: recounted(lines, lambda rows: rows.__ior__(1)),
        "block.columns must hold reports that",
    ),
    "a release of another number": (
        lambda lines: of(lines, "release")[0].update(number=7),
        "release.number must count",
    ),
    "a release that is not the last": (lambda lines: of(lines, "release")[0].update(final=False), "release.final"),
    "a release of another n": (lambda lines: of(lines, "release")[0].update(n=149), "release.n must be the sum"),
    "a release of another digest": (lambda lines: of(lines, "release")[0].update(digest="0" * 64), "release.digest"),
    "a release of the future": (lambda lines: of(lines, "release")[0].update(day="2999-01-01"), "release.day must be"),
    "a release without a document": (lambda lines: of(lines, "release")[0].update(document=None), "release.document"),
    "a document of another shape": (lambda lines: of(lines, "release")[0].update(document={}), "release.document must"),
    "a document of another survey": (
        lambda lines: of(lines, "release")[0]["document"].update(survey="other"),
        "release.document must name",
    ),
    "a document with another alpha": (
        lambda lines: of(lines, "release")[0]["document"].update(alpha_total="0.1"),
        "release.document must name",
    ),
    "an estimate that was changed": (
        lambda lines: of(lines, "release")[0]["document"]["questions"][0]["methods"][0]["categories"][0].update(
            estimate=0.5
        ),
        DOCUMENT,
    ),
    "an alpha of a question that was changed": (
        lambda lines: of(lines, "release")[0]["document"]["questions"][0].update(realized_alpha=0.1),
        DOCUMENT,
    ),
    "a text that was changed": (
        lambda lines: of(lines, "release")[0]["document"]["questions"][0].update(text="Another?"),
        DOCUMENT,
    ),
    "a nonce that is none": (lambda lines: of(lines, "commitment")[0].update(nonce="a\nb"), "commitment.nonce"),
    "a cross-table of no question": (
        lambda lines: of(lines, "analysisrun")[0]["specification"].update(first="no"),
        "crossing must be about",
    ),
    "a cross-table without a table": (
        lambda lines: of(lines, "analysisrun")[0].update(document={}),
        "crossing.document",
    ),
    "a cross-table to be made": (
        lambda lines: of(lines, "analysisrun")[0].update(state="asked"),
        "crossing.state must be",
    ),
    "a file of another name": (
        lambda lines: of(lines, "exportfile")[0].update(name="x.exe"),
        "exportfile.name must be",
    ),
    "a file of another content": (
        lambda lines: of(lines, "exportpart")[0].update(content="AAAA"),
        "is not a whole|exportfile",
    ),
    "a file of another digest": (lambda lines: of(lines, "exportfile")[0].update(sha256="0" * 64), "exportfile.sha256"),
    "a field that there is not": (lambda lines: of(lines, "survey")[0].update(nothing=1), "is not a whole file"),
    "a row that is none": (lambda lines: lines.append(7), "is not a whole file"),
    "a number for a text": (lambda lines: of(lines, "survey")[0].update(draft=7), "survey.draft"),
}


def test_every_change_of_a_file_is_refused_by_field_and_rule_and_nothing_is_stored(exported, tmp_path):
    """One test has all changes, so that the survey is made once."""
    before, logged = Survey.objects.count(), LogEntry.objects.count()
    for name, (change, refusal) in CHANGES.items():
        lines = copy.deepcopy(exported)
        change(lines)
        with pytest.raises(CommandError, match=refusal) as refused:
            arriving(lines, tmp_path / "changed.gz")
        assert str(refused.value).endswith("Nothing was stored.") and "\n" not in str(refused.value), name
        assert (Survey.objects.count(), LogEntry.objects.count()) == (before, logged), name
        assert not Block.objects.exists() and not Release.objects.exists(), name
    arriving(exported, tmp_path / "same.gz")


def test_reports_that_no_browser_can_have_sent_are_refused_though_they_add_up(tmp_path):
    ada = User.objects.create_user("ada")
    three = {"key": "a", "kind": "single_choice", "text": "?", "alpha": "2", "options": ["1", "2", "3"]}
    draft = {"title": "T", "questions": [three | {"mechanism": "randomized_response"}]}
    survey = released(120, draft, owner=ada)
    lines = taken_away(survey, ada, tmp_path / "survey.gz")
    recounted(lines, lambda rows: rows.__setitem__(0, 0b11000000))
    [block], [tally] = of(lines, "block"), of(lines, "tally")
    counted = summing.counted(survey, 0, decode(base64.b64decode(block["columns"])))
    tally["tallies"] = [counted]
    with pytest.raises(CommandError, match=r"block\.columns must hold reports that a browser can have sent"):
        arriving(lines, tmp_path / "changed.gz")


@pytest.mark.parametrize(
    "draft",
    [EVERYTHING, FAIR, forms.DRAFT, form_cases.DRAFT, arm_cases.DRAFT, GROUPS],
    ids=["all", "fair", "f", "forms", "arms", "groups"],
)
def test_an_honest_survey_of_any_kind_comes_in(draft, tmp_path):
    ada = User.objects.create_user("ada")
    survey = create_draft(draft, owner=ada)
    open_survey(survey)
    chance = random.Random("arrival")
    for _ in range(300):
        store(survey, [chance.random()], **{q["key"]: kinds.of(q).random_answer(q, chance) for q in survey.questions})
    close_survey(survey)
    while not Release.objects.filter(survey=survey).exists():
        work(survey)  # a turn of the worker may end between two of many forms
    release = Release.objects.get(survey=survey)
    lines = taken_away(survey, ada, tmp_path / "survey.gz")
    arriving(lines, tmp_path / "same.gz")
    assert Release.objects.get(survey__slug=survey.slug).document == release.document


def test_an_honest_survey_with_several_releases_or_none_comes_in(tmp_path):
    ada = User.objects.create_user("ada")
    many, few = opened_survey(), opened_survey()
    collect(many, 230, 150, 37)
    collect(few, 3)
    for survey, releases in ((many, 3), (few, 0)):
        close_survey(survey)
        work(survey)
        lines = taken_away(survey, ada, tmp_path / f"{releases}.gz")
        arriving(lines, tmp_path / "same.gz")
        assert Release.objects.filter(survey__slug=survey.slug).count() == releases


def conditions(lines):
    return of(lines, "release")[0]["document"]["conditions"]


UNFOUNDED = {
    "another question": (lambda own: own.update(smokes=own["often"]), "several answers decide"),
    "no question": (lambda own: own.update(gone=own["often"]), "several answers decide"),
    "ends that are not the scores'": (lambda own: own["often"].update(ends=[0, 1]), "ends must be the least"),
    "ends beyond any number": (lambda own: own["often"].update(ends=[0, 10**400]), "release.document"),
    "one end": (lambda own: own["often"].update(ends=[0]), "ends must be two"),
    "a count of nothing": (
        lambda own: own.update(often={"scores": [0.5], "counts": [0], "ends": own["often"]["ends"]}),
        "counts must be one or more",
    ),
    "no count": (lambda own: own["often"].update(counts=[]), "counts must be one or more"),
    "other counts": (lambda own: own["often"]["counts"].__setitem__(0, 999), "counts must add up"),
    "no score": (lambda own: own["often"].update(scores=[], counts=[]), "scores must be between"),
    "a score beyond": (lambda own: own["often"]["scores"].__setitem__(-1, 9e9), "scores must be between"),
    "falling scores": (lambda own: own["often"]["scores"].reverse(), "scores must increase"),
    "a text": (lambda own: own["often"].update(scores="0.5"), "release.document must have"),
}


def test_scores_of_several_rules_that_reports_cannot_have_are_refused(tmp_path):
    ada = User.objects.create_user("ada")
    yes = {"kind": "yes_no", "text": "?", "alpha": "2"}
    rules = [{"question": key, "options": [0]} for key in ("smokes", "drinks")]
    questions = [yes | {"key": "smokes"}, yes | {"key": "drinks"}, yes | {"key": "often", "asked_if": {"all": rules}}]
    survey = released(120, {"title": "T", "questions": questions}, owner=ada)
    lines = taken_away(survey, ada, tmp_path / "survey.gz")
    for name, (change, refusal) in UNFOUNDED.items():
        changed = copy.deepcopy(lines)
        change(conditions(changed))
        with pytest.raises(CommandError, match=refusal):
            arriving(changed, tmp_path / "changed.gz")
        assert not Release.objects.exists(), name
    arriving(lines, tmp_path / "same.gz")


def test_a_damaged_file_is_said_in_one_sentence(exported, tmp_path):
    whole = gzip.compress("".join(json.dumps(line) + "\n" for line in exported).encode())
    changed, file = bytearray(whole), tmp_path / "damaged.gz"
    changed[len(changed) // 2] ^= 0xFF
    head = json.dumps(exported[0]).encode()
    for damaged in (
        *(b"", b"nothing", whole[: len(whole) // 2], bytes(changed), whole + b"more"),
        *(gzip.compress(line) for line in (b"[" * 100_000, head, head + b"\n{}\n", head + b"\n\xff\n", b"\0\n")),
    ):
        file.write_bytes(damaged)
        with pytest.raises(CommandError) as refused:
            call_command("transfer", "import", str(file), "--owner", "ada")
        assert "\n" not in str(refused.value) and str(refused.value).count(". ") <= 1
    file.unlink()
    with pytest.raises(CommandError, match="No such file"):
        call_command("transfer", "import", str(file), "--owner", "ada")
