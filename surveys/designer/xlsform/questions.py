"""Turn a row of an XLSForm into a question of a draft, if it can be asked privately."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple, cast

from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform import bounds, columns, dates, deniable_column, exclusive, rows
from surveys.designer.xlsform.bounds import Bounds
from surveys.designer.xlsform.dialect import OTHER
from surveys.designer.xlsform.options import ListOptions, Lists
from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.routes import Deciding, Routes
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.texts import Keys, XlsformTexts
from surveys.designer.xlsform.translations import Text
from surveys.rules.draft import Question, without
from surveys.rules.languages import PAGE, says_nothing
from surveys.rules.limits import RANKED_MAX, RANKED_MIN, TEXT_MAX
from surveys.rules.texts import decimal, is_number
from surveys.rules.unchecked import Built, Unchecked, as_list
from surveys.survey.kinds import KINDS, numbers
from surveys.survey.kinds.fields import DECIMAL, EXCLUSIVE, WHOLE

_STEPS = _("Questions that looked like a scale (likert). They are steps of a scale here.")
SAMPLED = _(
    "Questions with several answers each. A browser reports on one of them, drawn by chance, unless the question says "
    "how many."
)
_NOTHING = _(
    "Options that go with no other. Here such an option means “None of these”, and the page adds none: unmark it if it "
    "means anything else."
)
_PAIRS = _("Rankings. A browser reports the order of a few entries that are drawn by chance.")
_RANKS = _("Rankings of fewer than 3 or more than 8 entries. Ask for the first choice instead, or rate each in a grid.")
_NO_BOUNDS = _(
    "Numbers without a smallest and a largest value that could be read. Give their bins, or the ends of a scale."
)
_BEYOND = _("Numbers beyond the ends. Here they are taken and count at the end.")
_BEYOND_DATES = _("Dates beyond the first and the last. Here they are taken and count in the outer spans.")
_NO_DATES = _("Dates without a first and a last one that could be read. Give the dates between their spans.")
_STEP = _("Numbers a step apart, such as whole ones. Here any number is taken.")
_OWN = _("Cells of the column deniable that do not fit the rest of their row. They are not used.")
_UNLABELLED = _("Questions without a label. Their name is used as the label.")


# The single-answer kinds that a cell of the column deniable may name.
_SINGLE = ("yes_no", "single_choice", "ordered", "mean")


class Decision(NamedTuple):
    """A question whose kind the designer has to choose. `now` has its fields, `other` the fields of the other kind."""

    now: Unchecked
    other: Unchecked

    @property
    def left_out(self) -> list[str]:
        """Return the options that are no steps. “Prefer not to say” would replace them."""
        return [option for option in self.now.get("options", ()) if option not in self.other.get("options", (option,))]


class Questions:
    """Build questions, and collect the designer's decisions."""

    def __init__(self, lists: Lists, texts: XlsformTexts, routes: Routes, remarks: Remarks) -> None:
        self._lists, self._texts, self._routes, self._remarks = lists, texts, routes, remarks
        self._keys = Keys(remarks)
        self._open: list[tuple[Question, Unchecked]] = []

    @property
    def decisions(self) -> list[Decision]:
        """Return the decisions after all rows are read. A number's other kind has no edges."""
        return [Decision(dict(question), {**without(question, {"edges"}), **fields}) for question, fields in self._open]

    @property
    def keys(self) -> dict[str, str]:
        return self._keys.by_name

    def of(self, row: XlsformRow, kind: str) -> Question | None:
        """Return the row's question; None, with a remark, if there is none."""
        if kind in rows.NUMBERS:
            return self._number(row, kind)
        if kind == rows.DATE:
            return self._date(row)
        if kind not in (rows.SELECT_ONE, rows.SELECT_MULTIPLE, rows.RANK):
            self._remarks.add(RemarkGroup.LEFT_OUT, rows.why_left_out(kind), row["name"])
            return None
        if row.get("itemset") not in self._lists:
            self._remarks.add(RemarkGroup.LEFT_OUT, rows.LISTED_ELSEWHERE, row["name"])
            return None
        if kind == rows.RANK:
            return self.ranking(row)
        return self._single(row) if kind == rows.SELECT_ONE else self._several(row)

    def begin(self, row: XlsformRow, kind: str, fields: Built) -> Question:
        name = row["name"]
        hint = self._texts.read(row.get("hint"), TEXT_MAX, name, marked=True)
        if unit := fields.pop("unit", ""):
            hint, unit = deniable_column.without_unit(hint, unit) or (hint, "")
            fields |= {"unit": unit} if unit else {}
        question = Question(key=self._keys.of(name), kind=kind, text=self.label(row, TEXT_MAX))
        rows = self._routes.of(row, question["key"])
        return cast(Question, {**question, **({"note": hint} if hint else {}), **fields, **rows})

    def label(self, row: XlsformRow, limit: int) -> Text:
        text = self._texts.read(row.get("label"), limit, row["name"])
        if not text:
            self._remarks.add(RemarkGroup.CHANGED, _UNLABELLED, row["name"])
        return text or Text(str(row["name"])[:limit])

    # Options ----------------------------------------------------------------------------------------------------------

    def cell_fields(self, row: XlsformRow, *kinds: str, fits: bool = True) -> Built:
        """Return the fields of the row's cell deniable if it fits one of these kinds. Remark on a cell that is not
        used."""
        fields = deniable_column.of(row, kinds) if fits else {}
        if row.get(deniable_column.OWN) and not fields:
            self._remarks.add(RemarkGroup.LEFT_OUT, _OWN, row["name"])
        return fields

    def _read(self, row: XlsformRow) -> ListOptions | None:
        return self._lists.read(row["itemset"], row["name"], other=OTHER in row)

    def _single(self, row: XlsformRow) -> Question | None:
        options = self._read(row)
        if options is None:
            return None
        kind = self.cell_fields(row, *_SINGLE).get("kind")
        home = next(iter(KINDS[kind].lists), "") if kind else ""  # the field with this kind's options
        if not home and (yes_no := self._lists.yes_no(options)):
            return self._deciding(row, "yes_no", yes_no, yes_no.refusing_field())
        self._lists.note_untranslated(options)
        if not home:
            return self._perhaps_scale(row, options)
        return self._deciding(row, str(kind), options, {home: options.texts} | options.refusing_field())

    def _perhaps_scale(self, row: XlsformRow, options: ListOptions) -> Question:
        """Return a scale if the form displays one and every option is a step. Otherwise return a single choice, which
        the designer may change."""
        steps = self._lists.steps(options, row["name"])
        looks = row.get("control", {}).get("appearance", "")
        if steps == options.texts and "likert" in looks and ["other"] not in options.codes:
            self._remarks.add(RemarkGroup.CHANGED, _STEPS, row["name"])
            return self._deciding(row, "ordered", options, options.fields())
        question = self._deciding(row, "single_choice", options, options.fields())
        refusing = {"options": steps, "prefer_not_to_say": True} if steps != options.texts else {}
        if len(options.texts) > 2 and len(steps) > 1:
            self._open.append((question, {"kind": "ordered"} | refusing))
        return question

    def _several(self, row: XlsformRow) -> Question | None:
        options = self._read(row)
        if options is None:
            return None
        self._lists.note_untranslated(options)
        self.cell_fields(row, "multiple_choice")
        self._remarks.add(RemarkGroup.CHANGED, SAMPLED, row["name"])
        place = exclusive.place(row, options.codes[: len(options.texts)])
        alone = {} if place is None else {EXCLUSIVE.name: place}
        if place is not None and not any(says_nothing(options.texts[place], tag) for tag in PAGE):
            self._remarks.add(RemarkGroup.CHANGED, _NOTHING, row["name"])
        if place is None and row.get("bind", {}).get("constraint"):
            self._remarks.add(RemarkGroup.LEFT_OUT, columns.CONSTRAINT, row["name"])
        return self._deciding(row, "multiple_choice", options, options.fields() | alone)

    def ranking(self, row: XlsformRow) -> Question | None:
        options = self._lists.read(row["itemset"], row["name"], other=OTHER in row, ranked=True)
        if options is None:
            return None
        items = options.texts
        if not RANKED_MIN <= len(items) <= RANKED_MAX:
            self._remarks.add(RemarkGroup.LEFT_OUT, _RANKS, row["name"])
            return None
        self._lists.note_untranslated(options)
        self.cell_fields(row, "ranking")
        self._remarks.add(RemarkGroup.CHANGED, _PAIRS, row["name"])
        return self.begin(row, "ranking", {"ranked": items})

    def _deciding(self, row: XlsformRow, kind: str, options: ListOptions, fields: Built) -> Question:
        question = self.begin(row, kind, fields)
        self._routes.decide(row["name"], Deciding(question["key"], kind == "multiple_choice", options.codes))
        return question

    # Numbers ----------------------------------------------------------------------------------------------------------

    def _number(self, row: XlsformRow, kind: str) -> Question:
        ends, complete = bounds.of(row, kind)
        if fields := self._number_cell(row, ends, complete):
            return self.begin(row, fields.pop("kind"), fields)
        step = bounds.step(row, kind)
        whole = bounds.are_integers(ends, step)
        limits = {"limits": WHOLE} if whole else {"limits": DECIMAL} if step is None else {}
        if step and not whole:
            self._remarks.add(RemarkGroup.CHANGED, _STEP, f"{row['name']}: {decimal(step)}")
        if not complete:
            self._remarks.add(RemarkGroup.LEFT_OUT, columns.CONSTRAINT, row["name"])
        if not ends.known:
            self._remarks.add(RemarkGroup.CHOOSE, _NO_BOUNDS, row["name"])
            question = self.begin(row, "histogram", {**limits, "edges": []})
            self._open.append((question, {"kind": "mean", "low": "", "high": ""}))
            return question
        if not limits:
            self._remarks.add(RemarkGroup.CHANGED, _BEYOND, row["name"])
        question = self.begin(row, "histogram", {**limits, "edges": bounds.bins(ends, step, whole)})
        scale = {"low": decimal(ends.low or 0), "high": decimal(ends.high or 0)}
        self._open.append((question, {"kind": "mean"} | scale))
        return question

    def _number_cell(self, row: XlsformRow, ends: Bounds, complete: bool) -> Built:
        """Return the cell's fields if the row still has the limits that were exported with the cell."""
        fields = deniable_column.of(row, ("histogram", "mean"))
        written = Bounds(*(Decimal(end) if is_number(end) else None for end in _limits(fields)))
        return self.cell_fields(row, "histogram", "mean", fits=complete and ends == written)

    def _date(self, row: XlsformRow) -> Question:
        if fields := self.cell_fields(row, "date", fits=not row.get("bind", {}).get("constraint")):
            return self.begin(row, fields.pop("kind"), fields)
        between, complete = dates.of(row)
        if not complete:
            self._remarks.add(RemarkGroup.LEFT_OUT, columns.CONSTRAINT, row["name"])
        if between:
            self._remarks.add(RemarkGroup.CHANGED, _BEYOND_DATES, row["name"])
        else:
            self._remarks.add(RemarkGroup.CHOOSE, _NO_DATES, row["name"])
        return self.begin(row, "date", {"dates": between})


def _limits(fields: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the ends that an exported form has for a number with these fields; None for a missing end."""
    edges = as_list(fields.get("edges"))
    if "limits" in fields and len(edges) > 1 and all(map(is_number, edges)):
        return numbers.ends(fields)
    return fields.get("low"), fields.get("high")
