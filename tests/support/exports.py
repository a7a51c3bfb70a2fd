"""Surveys with exported reports: every kind of question with every mechanism."""

import random
from pathlib import Path
from typing import Any

from django.utils import timezone

import ldp.kinds
from ldp.forms import report
from ldp.mechanisms import FITTING, WITH_DELTA
from ldp.privatize import draw_form
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Block, Export, Release, Report, Survey
from surveys.researcher.downloads import bundle, export_file
from surveys.survey.definition.layout import layouts
from tests.support import vectors
from tests.support.estimates import work
from worker import blocks, exports

PAIRS = [(kind, name) for kind, names in FITTING.items() for name in names]
ALPHAS = ("1", "2.3", "0.6", "3")


def every_pair() -> dict[str, Any]:
    """Return a draft with a question for each pair of kind and mechanism. Its alphas are small and large."""
    questions = [_question(kind, name, i) for i, (kind, name) in enumerate(PAIRS)]
    # A mean's interval on a fine grid has another kind than on a coarse grid.
    questions.append(_question("mean", "laplace_mean", 1) | {"key": "fine_mean", "alpha": "2.3"})
    questions.append(_question("mean", "laplace_mean", 1) | {"key": "coarse_mean", "alpha": "0.5"})
    # A report lists one option of a question or several. A report on a grid has some items or all.
    questions += [_of_several(size) for size in (1, 2, 3)]
    questions.append(_question("grid", "grid", 1) | {"key": "grid_of_two", "sample": 2, "size": 2, "alpha": "2"})
    questions.append(_question("multiple_choice", "multiple", 1) | {"key": "two_together", "sample": 2})
    return {"title": "Every “kind”, =1+1", "questions": questions}


def _of_several(size: int) -> dict[str, Any]:
    key = f"single_choice_of_{('one', 'two', 'three')[size - 1]}"
    own = {"key": key, "kind": "single_choice", "text": "Which?", "options": [*"abcdef"], "alpha": "2"}
    return own | {"mechanism": "randomized_response", "size": size}


def _question(kind: str, name: str, i: int) -> dict[str, Any]:
    question = next(question for question in vectors.EVERY_KIND["questions"] if question["kind"] == kind)
    question = {field: value for field, value in question.items() if field not in ("delta", "mechanism", "size")}
    delta = {"delta": "0.000001"} if name in WITH_DELTA else {}
    own = {"key": f"{kind}_{name}", "alpha": ALPHAS[i % len(ALPHAS)], "mechanism": name}
    if kind == "ordered":
        own |= {"options": ["=never", "+seldom", "oft, “en”", "always"]}
    return question | own | delta


def closed(draft: dict[str, Any], n: int, seed: object = 1, **fields: Any) -> Survey:
    """Return a closed survey with one release of n reports to random answers."""
    survey = create_draft(draft, results_public=True, **fields)
    open_survey(survey)
    store(survey, n, seed)
    close_survey(survey)
    work(survey)
    return survey


def going_on(draft: dict[str, Any], n: int) -> Survey:
    """Return an open survey with one release of n reports to random answers."""
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    store(survey, n)
    work(survey)
    return survey


def store(survey: Survey, n: int, seed: object = 1) -> list[dict[str, Any]]:
    """Store n waiting reports of random answers, and return their values."""
    chance, each = random.Random(f"{seed}"), layouts(survey.definition)
    drawn = [_sent(survey.definition, chance) for _ in range(n)]
    ids = [f"{chance.getrandbits(128):032x}" for _ in drawn]
    rows = (
        Report(id=id, survey=survey, form=form, packed=each[form].pack(values))
        for id, (form, values) in zip(ids, drawn, strict=True)
    )
    Report.objects.bulk_create(rows)
    return [values for _, values in drawn]


def _sent(definition: dict[str, Any], chance: random.Random) -> tuple[int, dict[str, Any]]:
    """Return the form and the values of a random report."""
    form, values = draw_form(definition, lambda: chance.getrandbits(32)), dict[str, Any]()
    by_key = {question["key"]: question for question in definition["questions"]}
    for part in report.parts(definition, form):
        answers = {key: ldp.kinds.of(by_key[key]).random_answer(by_key[key], chance) for key in part.keys}
        values |= part.randomize(answers, lambda: chance.getrandbits(53))
    return form, values


def exported(survey: Survey) -> Export:
    """Return the export of the newest release, made by the worker's function."""
    release = Release.objects.latest_of(survey)
    assert release is not None
    export = Export.objects.create(release=release, worked_at=timezone.now())
    exports.make(export.pk)
    export.refresh_from_db()
    return export


def flip_a_bit(survey: Survey) -> None:
    """Flip a bit in a stored block of released reports. The reports no longer add up to the release."""
    block = Block.objects.filter(survey=survey, stage=Block.Stage.RELEASED).first()
    assert block is not None
    rows = blocks.decode(bytes(block.columns)).copy()
    rows[0, 0] ^= 0x80
    Block.objects.filter(pk=block.pk).update(columns=blocks.encode(rows))


def unpack(export: Export, folder: Path) -> Path:
    """Write all files of a release to the folder, and return the folder."""
    for name, content in bundle.documents(export.release):
        (folder / name).write_bytes(content)
    for file in export.files.all():
        (folder / file.name).write_bytes(b"".join(export_file.plain(file)))
    return folder


def as_coded(table: Any, book: dict[str, Any], program: str) -> Any:
    """Return the table as a statistical program has it by the codebook."""
    table = table.copy()
    for question in book["questions"]:
        for column in question["microdata"]["columns"]:
            codes = {each["value"]: each["code"] for each in question["microdata"]["values"]}
            if program == "stata":
                codes |= {each["value"]: "a" for each in question["microdata"]["values"] if "missing" in each}
            if codes:
                table[column["name"]] = table[column["name"]].map(codes)
            table = table.rename(columns={column["name"]: column[program]})
    return table
