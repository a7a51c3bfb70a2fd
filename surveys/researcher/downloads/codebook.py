"""The codebook of a release: everything needed to read its microdata and to reproduce its published numbers."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import override

from ldp.document import Document, Retention
from ldp.forms import report
from ldp.forms.definition import arms_of, members
from ldp.mechanisms import of
from ldp.question import Drawn, asked_in, has_channels, of_asked
from surveys.models import Release
from surveys.researcher.downloads import formulas, microdata_columns, program_names
from surveys.researcher.downloads.microdata_columns import MicrodataColumn
from surveys.researcher.downloads.program_names import SPSS, STATA
from surveys.researcher.results import anchors, efficiency, response_cache, routing
from surveys.researcher.results.glossary import METHODS
from surveys.researcher.results.widths import at_every_release
from surveys.survey import kinds, mechanisms
from surveys.survey.definition.document import Definition

Codebook = dict[str, Any]

FORMAT = 1
_HEADER = (
    "survey", "title", "digest", "release", "date", "final", "n", "totals_digest", "confidence", "alpha_total",
    "software",
)  # fmt: skip
ROWS = (
    "One row for each report, in an order that reveals nothing. A row holds what a browser sent after it randomized "
    "the answers: never an answer, and no id, time or place. A cell is empty where the report is not about the column."
)
ROWS_OF_FORMS = (
    " Every report is of one form, which the browser drew before it asked anything: report.form, from 0 on, "
    "so that 0 is form 1 of the survey's pages. The rows of a form are together. A cell is empty, too, where the "
    "report's form does not have the question."
)
ROWS_OF_GROUPS = (
    " Every report is of one group of invited people: report.group, from 0 on. The rows of a group are together."
)
SEPARATE = "It was randomized on its own."
JOINT = (
    "Its questions were randomized together, by one draw. With the chance keep/2^53 the list of each question, of as "
    "many of its options as sizes says, holds the answer; otherwise all lists are random."
)
INTERVALS = {
    True: "The published intervals hold at all releases of the survey together, however often anyone looks: "
    "interval_method is sequence.",
    False: "The published intervals are for one look at the survey's last release: no earlier one could affect its "
    "end.",
}


@override("en")  # one file for everyone
def of_release(release: Release) -> Codebook:
    """Return the codebook of a release with estimates."""
    document, questions = response_cache.document(release), release.survey.questions
    by_key = {question["key"]: question for question in questions}
    every_release, in_forms = at_every_release(document), "forms" in release.survey.definition
    names, fact = _program_names(release.survey.definition), efficiency.of_survey(document)
    return {name: dict(document)[name] for name in _HEADER} | {
        "format": FORMAT,
        "confidences": confidences(document),
        "every_release": every_release,
        "intervals": INTERVALS[every_release],
        "rows": ROWS + (ROWS_OF_FORMS if in_forms else ROWS_OF_GROUPS if "groups" in document else ""),
        "resolution": 2**53,
        # PostgreSQL does not keep the order of an object's names.
        "efficiency": dict(sorted(known.items())) if (known := document["efficiency"]) else None,
        "efficiency_means": fact.meaning,
        "draws": [_draw(part) for part in report.parts(release.survey.definition, 0) if part.form is None],
        **(_forms(release, document) if in_forms else {}),
        **({"group_column": microdata_columns.GROUP, "groups": document["groups"]} if "groups" in document else {}),
        "questions": [_question(question, by_key, names) for question in questions],
    }


def _forms(release: Release, document: Document) -> Codebook:
    """Return the forms as in the definition, with their reports, alpha and retention."""
    definition = release.survey.definition
    return {
        "form_column": microdata_columns.FORM,
        "forms": [
            {"form": form, "weight": own["weight"], "questions": [each["key"] for each in members(definition, form)]}
            | {name: document["forms"][form][name] for name in ("n", "alpha_total")}
            | {"retention": _in_order(document["forms"][form]["retention"])}
            | {"draws": [_draw(part) for part in report.parts(definition, form) if part.form is not None]}
            for form, own in enumerate(definition["forms"])
        ],
    }


def _draw(part: report.Part) -> Codebook:
    """Return a draw as in the definition, and how it is randomized, in words."""
    return {**part.draw, "randomized": JOINT if part.joint else SEPARATE}


def _in_order(retention: Retention | None) -> Codebook | None:
    """Return the fields sorted, so that the file is the same on every database."""
    return dict(sorted(retention.items())) if retention else None


def confidences(document: Document) -> list[float]:
    """Return the confidences of the release's intervals, increasing."""
    first = [result["methods"][0]["categories"][0]["population"] for result in document["questions"][:1]]
    return sorted([document["confidence"], *(level["confidence"] for own in first for level in own.get("levels", []))])


def _program_names(definition: Definition) -> dict[str, Codebook]:
    """Return the names of each column in SPSS and Stata files."""
    every = [column.name for column in microdata_columns.of_definition(definition)]
    named = zip(every, program_names.names(SPSS, every), program_names.names(STATA, every), strict=True)
    return {name: {"spss": spss, "stata": stata} for name, spss, stata in named}


def _value(column: MicrodataColumn, value: int, label: str) -> Codebook:
    refuses = value == column.refusal
    return {"value": value, "label": label, "code": column.code(value)} | ({"missing": True} if refuses else {})


def _question(question: Drawn, by_key: dict[str, Drawn], names: dict[str, Codebook]) -> Codebook:
    """Return a question's fields in the definition, and the codebook's additional fields."""
    mine, mechanism = microdata_columns.of_question(question), mechanisms.of(question)
    cells = of(question).columns
    whom = (
        _of_form(question),
        _versions(question, by_key),
        routing.in_files(question, by_key),
        anchors.sentence(question),
    )
    return question | {
        "microdata": {
            "columns": [{"name": column.name, "about": column.about} | names[column.name] for column in mine],
            "low": cells.low,
            "high": cells.high,
            "drawn": cells.drawn,
            "values": [_value(mine[0], value, label) for value, label in mine[0].values.items()],
            "quantity": mechanism.quantity(question),
        },
        "estimation": {
            "mechanism": str(mechanism.name),
            "sent": _sent(question),
            "asked_of": " ".join(filter(None, whom)),
            "table": mechanism.table,
            "estimate": formulas.estimate(question),
            "methods": [
                {name: value for name, value in formula._asdict().items() if value is not None}
                | {"name": str(METHODS[formula.method][0])}
                for formula in formulas.of_question(question)
            ],
        },
    }


def _of_form(question: Drawn) -> str:
    """Return the forms that ask a question, in words; empty if everyone was asked it."""
    forms = asked_in(question)
    if forms is None:
        return ""
    values, names = _listed([str(form) for form in forms]), _listed([str(form + 1) for form in forms])
    word = "form" if len(forms) == 1 else "forms"
    sentence = f"Asked only of people whose report has {microdata_columns.FORM} = {values} "
    sentence += f"({word} {names} of the survey's pages)."
    drawn = question.get("asked", [question])
    return " ".join(filter(None, [sentence, *(_with_others(question["key"], each, len(drawn)) for each in drawn)]))


def _listed(parts: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def _with_others(key: str, drawn: Mapping[str, Any], count: int) -> str:
    """Return the questions that a draw randomizes together with `key`; it names the form if there are several."""
    others = [each for each in drawn.get("together", []) if each != key]
    where = f" where it is {drawn['form']}" if count > 1 else ""
    return f"Randomized together with {', '.join(others)}{where}." if others else ""


def _versions(question: Drawn, by_key: dict[str, Drawn]) -> str:
    """Return the other versions of the question, in words; empty if it has one version."""
    others = [key for key in arms_of(list(by_key.values()), question["key"]) if key != question["key"]]
    if not others:
        return ""
    sentence = "One version, chosen by lot, of the question that was also asked as " + ", ".join(others) + "."
    return sentence + (f" The first version is {question['arm_of']}." if "arm_of" in question else "")


def _sent(question: Drawn) -> str:
    if not has_channels(question):
        return _sent_by(question)
    return " ".join(
        f"{microdata_columns.FORM} = {each['form']}: {_sent_by(of_asked(question, [each]))}"
        for each in question["asked"]
    )


def _sent_by(question: Drawn) -> str:
    """Return what each browser sent through one channel, in words."""
    sampling = kinds.of(question).sampling
    sample = f"{question['table']['sample']} of the {sampling.all(question)}" if sampling else ""
    return mechanisms.sent(question, sample)
