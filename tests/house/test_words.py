"""Modules, functions and classes have the field's nouns. A search for "export", "job" or "sentence" finds them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Each of these once named several things.
AVOIDED = frozenset(
    [
        "asked",
        "beginning",
        "changing",
        "chosen",
        "confined",
        "deed",
        "deeds",
        "delivered",
        "described",
        "desk",
        "ending",
        "exporting",
        "found",
        "frozen",
        "further",
        "imported",
        "joining",
        "kept",
        "labelled",
        "mixing",
        "neutral",
        "offered",
        "offers",
        "randomizing",
        "releasing",
        "said",
        "sending",
        "shaped",
        "shown",
        "spoken",
        "stored",
        "taken",
        "taking",
        "told",
        "translated",
        "translating",
        "tried",
        "watching",
        "writing",
    ]
)


def test_no_module_has_a_name_that_says_nothing_of_what_is_in_it():
    modules = [
        path
        for top in ("ldp", "surveys", "worker", "tests/support", "tests/services")
        for path in (ROOT / top).rglob("*.??*")
        if path.suffix in {".py", ".js"}
    ]
    named = [str(path.relative_to(ROOT)) for path in modules if AVOIDED & set(path.stem.replace("-", "_").split("_"))]
    assert len(modules) > 500 and not named


# Names in stored formats, in a table and in Django; a designer's selection, and a statement's stored value. `asked` is
# a field of definitions and published documents.
OLDER = {
    *("_asked_if", "Asked", "AskedBy", "asked_in", "of_asked", "not_found"),
    *("chosen_role", "chosen_numbers", "_stored", "_not_stored"),
}


@pytest.fixture(scope="module")
def named_things():
    """Return every function and class of the product, and every module, with its path."""
    paths = [path for top in ("ldp", "surveys", "worker") for path in (ROOT / top).rglob("*.py")]
    return [
        (path.relative_to(ROOT), getattr(node, "name", path.stem), node)
        for path in paths
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
    ]


def words_of(name):
    return set(re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().split("_"))


def test_no_function_and_no_class_has_such_a_name(named_things):
    named = {(str(path), name) for path, name, _ in named_things if AVOIDED & words_of(name) and name not in OLDER}
    assert not named


# Local names that say nothing, and the number of functions that still have one. The number only falls.
LOCAL = frozenset(["asked", "begun", "found", "got", "said", "spoken", "taken", "told"])
FUNCTIONS_WITH_ONE = 3


def test_no_more_functions_than_before_have_a_local_name_that_says_nothing(named_things):
    functions = [node for _, _, node in named_things if isinstance(node, ast.FunctionDef)]
    names = [
        {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        | {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        for node in functions
    ]
    assert len(functions) > 3000 and sum(len(LOCAL & own) for own in names) <= FUNCTIONS_WITH_ONE


def test_a_docstring_says_what_the_thing_is(named_things):
    """A docstring does not begin with what the thing belongs to or equals."""
    openings = ("Of ", "Those ", "Where ", "The same ")
    texts = [(f"{path}: {name}", ast.get_docstring(node) or "") for path, name, node in named_things]
    assert len(texts) > 3000 and not [place for place, text in texts if text.startswith(openings)]


# One meaning each -----------------------------------------------------------------------------------------------------

# Words that once named several things, each with its meaning now. Only these modules and classes have it.
ONE_MEANING = {
    # The questions that one person is asked, drawn by lot. A form with fields to fill in is an Input.
    "form": {
        "forms", "Form", "FormCard", "FormCount", "FormVariables",
        "FormDesign", "FormProposal", "FormTotals",
        "FormProgress", "FormTally", "FormView", "CodebookForm", "DesignForm", "NewForm", "PlannedForm",
        "PrivacyForm", "ProposedForm", "UncheckedForm", "FormPlan", "FormRetention", "QuestionnaireForm", "DraftForm",
    },
    # The public log. Actions of staff are the audit; messages of processes are logging.
    "log": {"log", "Log", "LogEntry", "LogHead"},
    # A statistic computed from a question's totals.
    "reading": {"reading", "readings", "Reading", "ReadingsView", "ReadingsCsvView"},
    # Names of question kinds contain it. A user's choice is a selection; a computation has a specification.
    "choice": {"multiple_choice", "single_choice", "MultipleChoice", "SingleChoice"},
    # The module that stores drafts.
    "store": {"store"},
    # A researcher requests an analysis of a release. One number beside another is a comparison. Named people are
    # accounts or a team. A relay hides the source of a report.
    **dict.fromkeys(["against", "choosing", "contrast", "counting", "difference", "oblivious", "people"], frozenset()),
}  # fmt: skip


def singular(word):
    return word if word in ONE_MEANING else word.removesuffix("s")


def test_a_word_means_one_thing_in_the_names_of_modules_and_classes(named_things):
    names = {name for _, name, node in named_things if not isinstance(node, ast.FunctionDef)}
    found = {word: {name for name in names if word in map(singular, words_of(name))} for word in ONE_MEANING}
    assert {
        word: sorted(found[word] - set(meant)) for word, meant in ONE_MEANING.items() if found[word] - set(meant)
    } == {}


def test_what_someone_fills_in_is_an_input(named_things):
    """Inputs are Django's forms and their subclasses."""
    bases = {
        name: {ast.unparse(base) for base in node.bases}
        for _, name, node in named_things
        if isinstance(node, ast.ClassDef)
    }
    forms = {
        name
        for name, of in bases.items()
        if any(base == "forms.Form" or base.endswith(("Form", "Input")) for base in of)
    }
    assert len(forms) > 20 and [name for name in forms if not name.endswith("Input")] == []


PRONOUNS = frozenset(["each", "given", "its", "made", "one", "own", "whole"])
PARTICLES = frozenset(
    [
        "a",
        "are",
        "as",
        "at",
        "by",
        "for",
        "from",
        "has",
        "in",
        "is",
        "of",
        "on",
        "or",
        "set",
        "the",
        "to",
        "was",
        "with",
    ]
)


def test_no_pronoun_stands_for_a_noun(named_things):
    names = {(str(path), name, frozenset(words_of(name)) - {""}) for path, name, _ in named_things}
    assert [place for *place, words in names if words & PRONOUNS and words <= PRONOUNS | PARTICLES] == []


# Programs of one file import no other.
ALONE = ("programs", "scripts", "verify.py")

# Names that the API's schemas show; their classes keep them.
SHARED = frozenset(["Column", "Command", "Formula"])


def test_one_type_has_a_name(named_things):
    """Only the top level of modules counts: each model may have its own Kind, State and Meta."""
    places = {}
    for path, _, module in named_things:
        if isinstance(module, ast.Module) and path.parts[0] != "ldp" and not {*path.parts} & {*ALONE}:
            for node in module.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(str(path))
    assert {name: of for name, of in places.items() if len(of) > 1 and name not in SHARED} == {}
