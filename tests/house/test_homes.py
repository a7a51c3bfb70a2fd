"""All facts about a mechanism are in its module. The test reads the syntax of every other module."""

import ast
from fractions import Fraction
from itertools import product
from pathlib import Path

from ldp.mechanisms import FITTING, MECHANISMS
from surveys.survey import mechanisms
from surveys.survey.mechanisms import protocol

ROOT = Path(__file__).parents[2]
# Programs of one file: a user downloads and reads them without the rest.
ALONE = {
    "surveys/api/programs/respondent.py",
    "surveys/transparency/check/verify.py",
    "surveys/researcher/downloads/scripts/models.py",
    "surveys/researcher/downloads/scripts/recompute.py",
}
# The name of a kind too, or a common word.
AMBIGUOUS = {"grid", "multiple", "ranking"}


def modules():
    for room in ("surveys", "worker"):
        for path in sorted((ROOT / room).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if name not in ALONE:
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_no_module_of_the_site_names_a_single_mechanism_but_its_own():
    names = MECHANISMS.keys() - AMBIGUOUS
    found = [
        f"{module}:{node.lineno}"
        for module, tree in modules()
        if not module.startswith("surveys/public/lab/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in names
    ]
    assert found == []


def test_every_mechanism_has_a_home_and_every_home_a_mechanism_that_some_kind_takes():
    stems = {path.stem for path in (ROOT / "surveys/survey/mechanisms").glob("*.py")}
    helpers = {"__init__", "protocol", "entries", "words", "noise_per_bin", "report_words"}
    assert stems - helpers == mechanisms.MECHANISMS.keys() == {name for names in FITTING.values() for name in names}


def test_mechanisms_whose_tables_hold_the_same_are_one_to_all_who_read_tables_alone():
    """The programs of one file and recompute.md decide by the table's entries and the report's subject."""
    ways = {}
    for kind, names in FITTING.items():
        for name in names:
            entries = ", ".join(sorted(mechanisms.MECHANISMS[name].entries))
            ways.setdefault((entries, "sample" in entries and kind, kind == "mean"), set()).add(name)
    for names in filter(lambda names: len(names) > 1, ways.values()):
        forms = [mechanisms.MECHANISMS[name].report.format for name in names]
        assert all(form == forms[0] for form in forms), names
        first, *others = [MECHANISMS[name] for name in sorted(names)]
        delta = {"delta": Fraction(1, 10**6)} if "delta" in first.EXTRAS else {}
        for alpha, d in product((Fraction(1), Fraction(3)), (2, 3)):
            table = first.table(alpha, d, **delta)
            for other in others:
                assert other.moments(table, d) == first.moments(table, d) and other.EXTRAS == first.EXTRAS
                assert other.certified(table, d, alpha, **delta) and not other.certified(table, d, alpha / 2, **delta)


def test_every_home_says_what_its_table_and_its_scores_are():
    for name, home in mechanisms.MECHANISMS.items():
        assert set(home.entries) == {part.split(":")[0].strip() for part in home.table.split(";")}, name
        assert home.scores and home.report.holds, name
        assert (home.labels is protocol.no_labels) != (home.quantity is protocol.no_quantity), name
