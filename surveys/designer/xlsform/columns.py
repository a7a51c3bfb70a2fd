"""Columns of a row, besides texts and options, for which a question has no place. Remarks name every filled one."""

from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform import rows
from surveys.designer.xlsform.deniable_column import OWN
from surveys.designer.xlsform.dialect import OTHER, PARAMETERS
from surveys.designer.xlsform.kobo import LISTS
from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow

_READ = {
    "type",
    "name",
    "label",
    "hint",
    "children",
    "itemset",
    "list_name",
    "bind",
    "control",
    "parameters",
    "columns",
    "flat",
    OTHER,
    OWN,
    *LISTS,
}
_RULES = {
    "media": _("Pictures, sound and films beside questions."),
    "guidance_hint": _("Further hints (guidance_hint)."),
    "default": _("Answers filled in beforehand. Here every question begins empty."),
    "choice_filter": _("Options that depend on earlier answers. Here every option is always offered."),
    "query": _("Options that depend on earlier answers. Here every option is always offered."),
    "trigger": _("What happens when another answer changes (trigger)."),
    "calculate": _("Calculations."),
    "readonly": _("Rows that cannot be answered (read_only). Here they can."),
    "jr:constraintMsg": _("Your own messages for refused answers."),
    "jr:requiredMsg": _("Your own messages for missing answers."),
    "jr:count": _("How often a repeat is asked."),
    "appearance": _("How a question looks (appearance)."),
    PARAMETERS: _("Further settings of questions (parameters), such as options in random order."),
}
CONSTRAINT = _(
    "Limits on answers that are more than a smallest and a largest value (constraint). They are not checked."
)
_BLANK = _(
    "Questions that could be left blank. Here every question asks for an answer: where that may be hard, turn on "
    "“Prefer not to say”."
)
_YES = {"yes", "true", "true()"}
# pyxform adds some columns; bounds.py, dates.py and routes.py read others; some repeat a range's parameters.
_SILENT = {"_dynamic_default", "actions", "constraint", "required", "relevant"}
_OF_RANGE = {"start", "end", "step"}
# Appearances that define a question: a scale, or a row of a table.
_TELLING = {"likert", "list-nolabel", "label", "field-list"}


def note(row: XlsformRow, remarks: Remarks, is_question: bool) -> None:
    """Remark on a row's other columns. `is_question`: the row becomes a question, which is always optional."""
    bind, control = row.get("bind", {}), _without_telling(row.get("control", {}))
    named = {**row, **bind, **control}
    for column in named:
        if column not in _READ | _SILENT | _OF_RANGE and named[column] not in ("", None, {}):
            _remark(column, row, remarks)
    if is_question and str(bind.get("required", "")).lower() not in _YES:
        remarks.add(RemarkGroup.CHANGED, _BLANK, row["name"])
    if bind.get("constraint") and rows.canonical(row["type"]) not in {*rows.NUMBERS, rows.DATE, rows.SELECT_MULTIPLE}:
        remarks.add(RemarkGroup.LEFT_OUT, CONSTRAINT, row["name"])
    if row.get("parameters", {}).keys() - _OF_RANGE:
        _remark(PARAMETERS, row, remarks)


def _without_telling(control: XlsformRow) -> XlsformRow:
    looks = [word for word in control.get("appearance", "").split() if word not in _TELLING]
    return control | {"appearance": " ".join(looks)}


def _remark(column: str, row: XlsformRow, remarks: Remarks) -> None:
    rule = _RULES.get(column) or str(_("The column %(column)s.")) % {"column": column}
    remarks.add(RemarkGroup.LEFT_OUT, rule, row["name"])
