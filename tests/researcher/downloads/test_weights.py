"""Downloadable programs recompute weighted and corrected shares from the published files (M41, M42)."""

import copy
import json
import subprocess
import sys

import pytest
from django.test import Client

from surveys.models import AnalysisRun
from tests.support.analyses import crossed, raked
from tests.support.exports import exported, unpack
from tests.support.regressions import SCALE, ended
from tests.worker.test_raking import FORMS, given

pytestmark = pytest.mark.django_db

PROGRAMS = [("weights.py", [sys.executable]), ("weights.R", ["Rscript", "--vanilla"])]
EVERYONE = copy.deepcopy(SCALE)
EVERYONE["questions"] += [
    {"key": "mood", "kind": "ordered", "text": "Mood?", "alpha": "5", "options": ["a", "b", "c", "d"]} | {"size": 2},
    {"key": "near", "kind": "ordered", "text": "Near?", "alpha": "6", "options": ["a", "b", "c"]}
    | {"mechanism": "exponential"},
    {"key": "check", "kind": "single_choice", "text": "Choose b.", "alpha": "6", "options": ["a", "b", "c"], "right": 1}
    | {"mechanism": "bitwise"},
]
next(each for each in EVERYONE["questions"] if each["key"] == "age")["limits"] = "whole"
IN_FORMS = copy.deepcopy(FORMS)
LARGER = copy.deepcopy(FORMS)
LARGER["forms"][0]["draws"][0] |= {"sizes": [1, 2, 1], "alpha": "12"}
IN_FORMS["questions"][2]["right"] = 0
IN_FORMS["questions"].append({"key": "every", "kind": "yes_no", "text": "Every?", "alpha": "4"})

# The question with known shares, the weighted question, and the shares in percent.
ONE = [
    ("often", "smokes", "40,30,30"),
    ("mood", "near", "25,25,25,25"),
    ("near", "often", "50,25,25"),
    ("where", "mood", "60,40,0"),
]
ONE_IN_FORMS = [("which", "yes", "40,30,30"), ("every", "yes", "50,50")]
SEVERAL = [
    ("smokes", {"where": (0.5, 0.3, 0.2), "age": (0.4, 0.4, 0.2)}),
    ("often", {"mood": (0.4, 0.2, 0.2, 0.2), "smokes": (0.4, 0.6)}),
    ("near", {"often": (0.3, 0.3, 0.4), "smokes": (0.4, 0.6)}),
    ("height", {"often": (0.3, 0.3, 0.4)}),
    ("age", {"often": (0.3, 0.3, 0.4), "smokes": (0.4, 0.6)}),
]
SEVERAL_IN_FORMS = [
    ("yes", {"which": (0.4, 0.4, 0.2), "all": (0.3, 0.7)}),
    ("every", {"which": (0.4, 0.4, 0.2), "all": (0.4, 0.6)}),
    ("yes", {"every": (0.4, 0.6), "which": (0.4, 0.3, 0.3)}),
]


def answered(i):
    mood, near = (i // 5) % 4, (i // 3) % 3 if i % 4 else i % 2
    rest = {"mood": mood, "near": near, "check": 1 if i % 6 else i // 6 % 3}
    smokes, often = i % 2, (i // 2) % 3 if i % 5 else 2 * (1 - i % 2)
    return {"smokes": smokes, "often": often, "where": (i // 7) % 3, "age": (i // 11) % 3} | rest


def in_forms(i):
    return given(i) | {"every": (i // 11) % 2, "all": 0 if i % 4 else i // 4 % 2}


def published(survey, first, second, name, **query):
    if not AnalysisRun.objects.filter(specification={"first": first, "second": second}).exists():
        crossed(survey, first, second)
    answer = Client().get(f"/r/{survey.slug}/1/cross/{first}/{second}/{name}.json", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def weighted(survey, by, key, shares):
    keys = sorted([by, key], key=[each["key"] for each in survey.questions].index)
    typed = {f"share_{k}": share for k, share in enumerate(shares.split(","), 1)}
    return published(survey, *keys, "weighted", by=by, **typed)


def corrected(survey, anchor, key):
    keys = sorted([anchor, key], key=[each["key"] for each in survey.questions].index)
    return published(survey, *keys, "corrected", anchor=anchor)


def by_several(survey, question, margins):
    known = [{"key": key, "shares": list(shares)} for key, shares in margins.items()]
    return raked(survey, {"question": question, "margins": known}).document


def documents(survey, one, several, anchored):
    yield from (weighted(survey, *each) for each in one)
    yield from (by_several(survey, *each) for each in several)
    yield from (corrected(survey, *each) for each in anchored)


CASES = {
    "everyone": (EVERYONE, answered, 700, ONE, SEVERAL, [("check", "smokes"), ("check", "mood"), ("check", "near")]),
    "larger sizes": (LARGER, in_forms, 3000, [("yes", "which", "40,60")], [], []),
    "forms": (IN_FORMS, in_forms, 1800, ONE_IN_FORMS, SEVERAL_IN_FORMS, [("all", "yes"), ("all", "every")]),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_both_programs_find_the_published_numbers(tmp_path, case):
    draft, answers, n, *wanted = CASES[case]
    survey = ended(n, draft, answers)
    folder = unpack(exported(survey), tmp_path)
    every = list(documents(survey, *wanted))
    assert all(document["shares"] or document["mean"] for document in every)
    assert ran(folder, every) == [0, 0]
    *_, document = every
    document["shares"][-1]["standard_error"] *= 1 + 1e-6
    assert ran(folder, [document, every[0]]) == [1, 1]
    document["shares"][-1]["standard_error"] /= 1 + 1e-6
    document["shares"][0]["estimate"] += 1e-6
    assert ran(folder, [document]) == [1, 1]


def ran(folder, documents):
    names = [f"{k}.json" for k in range(len(documents))]
    for name, document in zip(names, documents, strict=True):
        (folder / name).write_text(json.dumps(document))
    return [run(folder, *each, names) for each in PROGRAMS]


def run(folder, program, command, documents):
    files = ["microdata.csv", "codebook.json", *documents]
    done = subprocess.run([*command, program, *files], cwd=folder, capture_output=True, text=True, timeout=120)
    print(program, done.stdout, done.stderr[-500:])
    return done.returncode
