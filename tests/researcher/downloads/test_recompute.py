"""A program that was written from recompute.md and shares no code recomputes every published number."""

import csv
import hashlib
import json
import random
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from ldp.forms import crossed, report
from ldp.forms import definition as in_forms
from ldp.forms import results as form_results
from ldp.forms.pooled_cells import PooledCells
from ldp.forms.results import FormTally
from ldp.inference.variables import NotCrossed, pair_of, variables
from ldp.kinds.ranking import statements
from ldp.mechanisms import FITTING, MECHANISMS, SIZED, WITH_DELTA, of, randomized_response
from ldp.planning import trial
from ldp.privatize import draw_form, make_report, randomize
from ldp.results import results
from ldp.tally import Batch, Field
from surveys.researcher.downloads import scripts
from tests.support import recompute

SCRIPTS = Path(scripts.__file__).parent
CONFIDENCE = 0.95
EXACTLY = 1e-11
ENDS = 1e-9

ALPHAS = ("0.3", "1", "2.5", "5")
SIZES, LARGE, LARGE_AT = (1, 4, 40), 150, "1"


def _asked(name, chance, alpha):
    """Return a definition's question for a mechanism, with random sizes."""
    kind = next(kind for kind, names in FITTING.items() if name in names)
    d = chance.randint(2, 6)
    asked = {"key": "q", "kind": kind, "text": "?", "alpha": alpha, "mechanism": name}
    extra = {}
    if kind == "mean":
        asked |= {"low": "-2", "high": "6", "unit": ""}
    else:
        asked["options"] = [f"option {j}" for j in range(d)]
    if kind == "ranking":
        asked["ranked"] = [*"pqrst"[: chance.randint(3, 5)]]
        asked["options"], extra["sample"] = statements(asked["ranked"]), chance.randint(2, 3)
        d = len(asked["options"])
    if kind == "grid":
        asked["items"] = [f"item {i}" for i in range(chance.randint(2, 4))]
    if kind in ("grid", "multiple_choice"):
        extra["sample"] = asked_sample = chance.randint(1, 2)
        assert asked_sample <= d
    if name in SIZED and chance.random() < 0.7:
        extra["size"] = chance.randint(1, d - 1)
    if name in WITH_DELTA:
        asked["delta"] = "0.000001"
        extra["delta"] = Fraction(asked["delta"])
    asked["table"] = MECHANISMS[name].table(Fraction(alpha), d, **extra)
    return asked


def _answer(asked, chance):
    d = len(asked.get("options", ()))
    if asked["kind"] == "mean":
        return f"{chance.choice([-2, 6, chance.uniform(-2, 6)]):.4f}"
    if asked["kind"] == "multiple_choice":
        return [chance.random() < 0.3 for _ in range(d)]
    if asked["kind"] == "grid":
        return [chance.randrange(d) for _ in asked["items"]]
    if asked["kind"] == "ranking":
        return chance.sample(range(len(asked["ranked"])), len(asked["ranked"]))
    return min(chance.randrange(d), chance.randrange(d))


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_another_program_finds_the_same_numbers(name, alpha, nightly):
    """The other program needs the most time for many reports, so daily only one alpha has them."""
    chance = random.Random(f"{name} {alpha}")
    for n in (*SIZES, LARGE) if nightly or alpha == LARGE_AT else SIZES:
        try:
            asked = _asked(name, chance, alpha)
        except ValueError:
            return  # no table at so small an alpha
        reports = [randomize(asked, _answer(asked, chance), lambda: chance.getrandbits(53)) for _ in range(n)]
        for every_release in (False, True):
            ours = _published(asked, reports, every_release)
            for one, other in zip(ours, recompute.question(asked, reports, CONFIDENCE, every_release), strict=True):
                _compare_results(one, other)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [5, 90])
def test_another_program_finds_the_same_numbers_of_draws_and_forms(alpha, n):
    chance = random.Random(f"{alpha} {n}")
    for _ in range(4):
        _compare_survey(_definition(chance, alpha), n, chance)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n", [4, 25, 120])
def test_another_program_finds_the_same_numbers_of_questions_in_several_forms(seed, n):
    chance = random.Random(f"overlapping {seed} {n}")
    _compare_survey(_overlapping(chance), n, chance)


def _compare_survey(definition, n, chance):
    bodies = [json.loads(_body(definition, chance)) for _ in range(n)]
    tallies = list(_tallies(definition, bodies))
    for every_release in (False, True):
        ours = form_results.of_survey(definition, tallies, CONFIDENCE, every_release)
        by_key = recompute.survey(definition, bodies, CONFIDENCE, every_release)
        theirs = [result for own in by_key.values() for result in own]
        for one, other in zip(ours, theirs, strict=True):
            _compare_results(one, other)
    assert _digest(definition, tallies) == recompute.totals_digest(definition, bodies)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_another_program_finds_the_same_cells_of_questions_that_are_drawn_together(alpha):
    chance = random.Random(f"cells {alpha}")
    compared = set()
    while len(compared) < 2:
        definition = _definition(chance, alpha)
        bodies = [json.loads(_body(definition, chance)) for _ in range(60)]
        tallies = list(_tallies(definition, bodies))
        questions = report.alone(definition)
        for draw in (draw for draw in in_forms.draws(definition, 0) if len(draw["questions"]) > 1):
            every = {each.question["key"]: each.key for each in variables(questions)}
            asked = [every[key] for key in draw["questions"] if key in every][:2]
            if len(asked) < 2 or not tallies[0].n:
                continue
            crossing = form_results.crossing(definition, tallies, *pair_of(questions, *asked))
            if crossing is None:
                continue
            cells = recompute.cells(definition, bodies, asked, CONFIDENCE)
            for mine, its in zip(crossed.cells(crossing, CONFIDENCE), cells, strict=True):
                assert mine["estimate"] == pytest.approx(its["estimate"], abs=EXACTLY, rel=EXACTLY)
                error, *ends = its["population"]
                # The root of a difference near 0 has half of the digits.
                assert mine["standard_error"] ** 2 == pytest.approx(error**2, abs=EXACTLY, rel=EXACTLY)
                names = ("interval_low", "interval_high", "simultaneous_low", "simultaneous_high")
                assert [mine[name] for name in names] == pytest.approx(ends, abs=ENDS)
            compared.add(crossing.pair.one_listed)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n", [12, 150])
def test_another_program_finds_the_same_cells_of_questions_that_several_forms_draw_together(seed, n):
    chance = random.Random(f"cells {seed} {n}")
    compared = 0
    while not compared:
        definition = _overlapping(chance)
        bodies = [json.loads(_body(definition, chance)) for _ in range(n)]
        tallies = list(_tallies(definition, bodies))
        questions = report.alone(definition)
        every = [each.key for each in variables(questions) if each.place in (None, 1)]
        for first, second in combinations(every, 2):
            try:
                pair = pair_of(questions, first, second)
            except NotCrossed:
                continue
            crossing = form_results.crossing(definition, tallies, *pair)
            if not isinstance(crossing, PooledCells):
                continue
            cells = recompute.cells(definition, bodies, [first, second], CONFIDENCE)
            errors = np.stack(crossing.standard_errors, axis=-1).reshape(-1, 2)
            for mine, both, its in zip(crossed.cells(crossing, CONFIDENCE), errors, cells, strict=True):
                assert mine["estimate"] == pytest.approx(its["estimate"], abs=EXACTLY, rel=EXACTLY)
                theirs = [its[target][0] for target in ("population", "respondents")]
                # The respondents' variance is a difference; near 0 its root has half of the digits.
                assert both**2 == pytest.approx(np.square(theirs), abs=EXACTLY, rel=EXACTLY)
                names = ("interval_low", "interval_high", "simultaneous_low", "simultaneous_high")
                assert [mine[name] for name in names] == pytest.approx(its["population"][1:], abs=ENDS)
            compared += 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [30, 300])
def test_another_program_finds_the_same_cells_of_two_items_that_several_forms_draw_together(seed, n):
    chance, pooled = random.Random(f"items {seed} {n}"), 0
    while not pooled:
        definition = _overlapping(chance)
        bodies = [json.loads(_body(definition, chance)) for _ in range(n)]
        tallies, questions = list(_tallies(definition, bodies)), report.alone(definition)
        sent = [[each["answers"] for each in bodies if each["form"] == form] for form in range(len(tallies))]
        for first, second in (("q5.1", "q5.3"), ("q6.2", "q6.1")):
            try:
                crossing = trial._crossing(definition, tallies, sent, *pair_of(questions, first, second))
            except NotCrossed:
                continue
            if crossing is None:
                continue
            cells = recompute.cells(definition, bodies, [first, second], CONFIDENCE)
            assert len(cells) == (4 if first == "q5.1" else 9)
            for mine, its in zip(crossed.cells(crossing, CONFIDENCE), cells, strict=True):
                error, *ends = its["population"]
                assert mine["estimate"] == pytest.approx(its["estimate"], abs=EXACTLY, rel=EXACTLY)
                assert mine["standard_error"] ** 2 == pytest.approx(error**2, abs=EXACTLY, rel=EXACTLY)
                names = ("interval_low", "interval_high", "simultaneous_low", "simultaneous_high")
                assert [mine[name] for name in names] == pytest.approx(ends, abs=ENDS)
            pooled += isinstance(crossing, PooledCells)


PROGRAMS = [("recompute.py", [sys.executable, "-I"]), ("recompute.R", ["Rscript", "--vanilla"])]


@pytest.mark.parametrize("every_release", [False, True])
@pytest.mark.parametrize(("script", "program"), PROGRAMS, ids=["numpy", "R"])
@pytest.mark.parametrize("seed", range(2))
def test_the_programs_of_one_file_find_the_same_numbers(tmp_path, seed, script, program, every_release):
    """One seed makes a survey with few reports, the other one with more."""
    chance = random.Random(f"programs {seed}")
    definition = _overlapping(chance)
    bodies = [json.loads(_body(definition, chance)) for _ in range((20, 150)[seed])]
    rows = _write_files(tmp_path, definition, bodies, every_release)
    command = [*program, SCRIPTS / script, "microdata.csv", "codebook.json", "estimates.csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{rows} rows") and not done.stderr


def _write_files(folder, definition, bodies, every_release):
    """Write the parts of a release's files that the programs read. Return the number of estimates."""
    tallies, questions = list(_tallies(definition, bodies)), report.alone(definition)
    columns = {each["key"]: of(each).columns.size for each in questions}
    names = {key: [f"{key}.{place}" for place in range(size)] for key, size in columns.items()}
    with (folder / "microdata.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["report.form", *(name for own in names.values() for name in own)])
        for body in bodies:
            cells = (_cells(each, columns[each["key"]], body["answers"].get(each["key"])) for each in questions)
            writer.writerow([body["form"], *(cell for own in cells for cell in own)])
    codebook = {
        "every_release": every_release,
        "form_column": "report.form",
        "confidences": [CONFIDENCE],
        "draws": definition["draws"],
        "forms": [
            form | {"n": tally.n, "retention": None} for form, tally in zip(definition["forms"], tallies, strict=True)
        ],
        "questions": [
            each | {"microdata": {"columns": [{"name": name} for name in names[each["key"]]]}} for each in questions
        ],
    }
    (folder / "codebook.json").write_text(json.dumps(codebook))
    published = list(_rows(form_results.of_survey(definition, tallies, CONFIDENCE, every_release)))
    with (folder / "estimates.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, published[0])
        writer.writeheader()
        writer.writerows(published)
    return len(published)


def _cells(question, size, value):
    """Return the cells of a sent value, empty if nothing was sent."""
    if value is None:
        return [""] * size
    if question["kind"] == "multiple_choice":
        return [dict(value).get(option, "") for option in range(size)]
    if question["kind"] == "grid":
        each = size // len(question["items"])
        sent = {item: _cells({"kind": ""}, each, listed) for item, listed in value}
        return [cell for item in range(len(question["items"])) for cell in sent.get(item, [""] * each)]
    return value if size == 1 else [int(option in value) for option in range(size)]


def _rows(results):
    for result in results:
        scale = (result["low"], result["high"]) if result["kind"] == "mean" else (0, 1)
        [method] = result["methods"]
        for category, target in product(method["categories"], ("population", "respondents")):
            own = category[target]
            yield {
                "question": result["key"], "method": method["method"], "option": category["option"], "target": target,
                "confidence": CONFIDENCE, "scale_low": scale[0], "scale_high": scale[1],
                "estimate": category["estimate"], "standard_error": own["standard_error"],
                "interval_low": own["interval"][0], "interval_high": own["interval"][1],
                "simultaneous_low": own["simultaneous"][0], "simultaneous_high": own["simultaneous"][1],
            }  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_another_program_finds_whether_forms_agree(seed):
    chance = random.Random(f"agreement {seed}")
    definition = _overlapping(chance)
    bodies = [json.loads(_body(definition, chance)) for _ in range(300)]
    ours = form_results.agreement_of(definition, list(_tallies(definition, bodies)))
    theirs = recompute.agreement(definition, bodies)
    assert theirs.keys() == ours.keys()
    for key, test in theirs.items():
        assert test == (ours[key] and pytest.approx(tuple(ours[key]), rel=1e-9))
    assert any(theirs.values())


def _definition(chance, alpha):
    """Return a definition: draws for everyone, of one question and sometimes of several, and two forms. One form draws
    its questions together, of any kind that allows it. The other has a draw for each question."""

    def options(most):
        return [f"option {j}" for j in range(chance.randint(2, most))]

    kinds = [
        lambda: {"kind": "yes_no", "options": ["Yes", "No", *(["Prefer not to say"] if chance.random() < 0.5 else [])]},
        lambda: {"kind": "single_choice", "options": options(5)},
        lambda: {"kind": "ordered", "options": options(4)},
        lambda: {"kind": "histogram", "options": ["low", "middle", "high"], "edges": ["0", "1", "2", "3"], "unit": ""},
        lambda: {"kind": "mean", "low": "-2", "high": "6", "unit": ""},
    ]
    lists = [
        lambda: {"kind": "multiple_choice", "options": options(5)},
        lambda: {"kind": "grid", "options": options(3), "items": [f"item {j}" for j in range(chance.randint(2, 3))]},
    ]
    parts = [chance.randint(1, 3), chance.randint(2, 4), 1, 1]
    questions, draws = [], []
    for count in parts:
        asked = [chance.choice(kinds if count == 1 else kinds + lists)() for _ in range(count)]
        keys = [f"q{len(questions) + place}" for place in range(count)]
        questions += [
            {"key": key, "text": "?", "note": "", "prefer_not_to_say": False} | one
            for key, one in zip(keys, asked, strict=True)
        ]
        counts = in_forms.counts(asked)
        larger = chance.random() < 0.5
        sizes = [_size(each, larger, chance) for each in counts]
        mechanism = "one_bit" if count == 1 and asked[0]["kind"] == "mean" else "randomized_response"
        table = randomized_response.table(Fraction(alpha), counts, sizes)
        draws.append({"alpha": alpha, "mechanism": mechanism, "table": table, "questions": keys})
    everyone, together, *apart = draws
    forms = [{"weight": chance.randint(1, 3), "draws": own} for own in ([together], apart)]
    definition = {"questions": questions, "draws": [everyone], "forms": forms}
    in_forms.check(definition)
    return definition


def _size(options, larger, chance):
    """Return a random size: one listed option, or more if `larger`. A list or grid has the number of drawn items before
    it."""
    d = options if isinstance(options, int) else options.d
    listed = chance.randint(1, d - 1) if larger else 1
    return listed if isinstance(options, int) else [chance.randint(1, options.items), listed]


def _overlapping(chance):
    """Return a definition with a question for everyone and three or four forms. The forms ask some of six questions,
    together and alone, with other sizes and alphas. For two of the questions, reports draw different numbers of
    items."""
    questions = [
        {"kind": "single_choice", "options": ["a", "b", "c"]},
        {"kind": "yes_no", "options": ["Yes", "No"]},
        {"kind": "single_choice", "options": [f"option {j}" for j in range(chance.randint(3, 5))]},
        {"kind": "mean", "low": "-2", "high": "6", "unit": ""},
        {"kind": "single_choice", "options": [f"option {j}" for j in range(chance.randint(2, 4))]},
        {"kind": "multiple_choice", "options": ["a", "b", "c"]},
        {"kind": "grid", "options": ["bad", "so so", "good"], "items": ["one", "two"]},
    ]
    every = [
        {"key": f"q{place}", "text": "?", "note": "", "prefer_not_to_say": False} | asked
        for place, asked in enumerate(questions)
    ]
    everyone = _alone("q0", "randomized_response", "1")
    while True:
        forms = []
        for _ in range(chance.randint(3, 4)):
            keys = sorted(chance.sample(["q1", "q2", "q3", "q4"], chance.randint(1, 4)))
            lists = [key for key in ("q5", "q6") if chance.random() < 0.6]
            joined = [key for key in lists if chance.random() < 0.4]
            cut = chance.choice([0, 1, len(keys), len(keys)])
            parts = (keys[:cut], keys[cut:] + joined)
            draws = [_together(every, part, chance) for part in parts if len(part) > 1 or (part and part[0] < "q5")]
            named = {key for draw in draws for key in draw["questions"]}
            draws += [_list_alone(key, chance) for key in lists if key not in named]
            draws.sort(key=lambda draw: draw["questions"][0])
            forms.append({"weight": chance.choice([1, 2, 5]), "draws": draws})
        definition = {"questions": every, "draws": [everyone], "forms": forms}
        try:
            in_forms.check(definition)
        except ValueError:
            continue  # some question is in no form
        return definition


def _list_alone(key, chance):
    """Return a draw of a list or grid alone; it is the same one in half of the forms."""
    same, extra = chance.random() < 0.5, {} if key == "q5" else {"size": chance.randint(1, 2)}
    if same:
        return _alone(key, "multiple" if key == "q5" else "grid", "1", sample=2)
    name, alpha = "multiple" if key == "q5" else "grid", chance.choice(ALPHAS)
    return _alone(key, name, alpha, sample=chance.randint(1, 2), **extra)


def _alone(key, name, alpha, **extra):
    table = MECHANISMS[name].table(Fraction(alpha), 3, **extra)
    return {"alpha": alpha, "mechanism": name, "table": table, "questions": [key]}


def _together(questions, keys, chance):
    asked = [each for each in questions if each["key"] in keys]
    counts, larger = in_forms.counts(asked), chance.random() < 0.5
    sizes = [_size(each, larger, chance) for each in counts]
    alpha, alone_and_mean = chance.choice(ALPHAS), len(asked) == 1 and asked[0]["kind"] == "mean"
    mechanism = "one_bit" if alone_and_mean else "randomized_response"
    table = randomized_response.table(Fraction(alpha), counts, sizes)
    return {"alpha": alpha, "mechanism": mechanism, "table": table, "questions": keys}


def _body(definition, chance):
    form = draw_form(definition, lambda: chance.getrandbits(32))
    answers = {asked["key"]: _answer(asked, chance) for asked in definition["questions"]}
    return make_report(definition, "0" * 64, answers, lambda: chance.getrandbits(32), form)


def _tallies(definition, bodies):
    for form in range(len(definition["forms"])):
        fields = list(report.fields(definition, form))
        width = sum(bits for _, _, bits in fields)
        rows = np.array([_bits(fields, body, width) for body in bodies if body["form"] == form], dtype=np.uint8)
        batch = Batch(np.packbits(rows.reshape(-1, width), axis=1))
        yield FormTally(len(rows), tuple(part.tally(batch.field(start, bits)) for part, start, bits in fields))


def _bits(fields, body, width):
    text = "".join(f"{part.packing.encode(part.value(body['answers'])):0{bits}b}" for part, _, bits in fields)
    assert len(text) == width
    return [int(bit) for bit in text]


def _digest(definition, tallies):
    every = [
        {"n": tally.n, "totals": {",".join(part.keys): own for part, own in zip(parts, tally.totals, strict=True)}}
        if tally.n
        else {"n": 0, "totals": {}}
        for tally, parts in ((tally, report.parts(definition, form)) for form, tally in enumerate(tallies))
    ]
    return hashlib.sha256(json.dumps(every, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _published(asked, reports, every_release):
    randomizer = of(asked)
    width, encode, *_ = randomizer.packing()
    codes = [encode(report) for report in reports]
    bits = np.array([[int(bit) for bit in f"{code:0{width}b}"] for code in codes], dtype=np.uint8)
    return results(asked, randomizer.tally(Field.of(bits)), len(reports), CONFIDENCE, every_release)


def _compare_results(ours, theirs):
    if "risks" in theirs:
        risks = [ours["methods"][0][shares]["risk"] for shares in ("at_equal_shares", "at_estimate")]
        assert risks == pytest.approx(theirs["risks"], rel=1e-9)
    assert (ours["n_about"], ours["together"]) == (theirs["n_about"], theirs["together"])
    assert [method["method"] for method in ours["methods"]] == list(theirs["methods"])
    for method in ours["methods"]:
        for one, other in zip(method["categories"], theirs["methods"][method["method"]], strict=True):
            _compare(one, other)


def _compare(one, other):
    assert one["estimate"] == pytest.approx(other["estimate"], abs=EXACTLY, rel=EXACTLY)
    for target in ("population", "respondents"):
        error, *ends = other[target]
        assert one[target]["standard_error"] == pytest.approx(error, abs=EXACTLY, rel=EXACTLY)
        assert [*one[target]["interval"], *one[target]["simultaneous"]] == pytest.approx(ends, abs=ENDS), target


def test_the_other_program_shares_no_code():
    source = Path(recompute.__file__).read_text(encoding="utf-8")
    imports = [line for line in source.splitlines() if line.startswith(("import", "from"))]
    assert not [line for line in imports if "ldp" in line or "surveys" in line or "tests" in line]
