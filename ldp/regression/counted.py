"""What a release's tallies alone say of variables: all of it, where they stand in one joint form (M34b)."""

from collections.abc import Sequence

from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.forms.report import Joint
from ldp.forms.results import FormTally, joint_tally
from ldp.forms.schema import Definition
from ldp.inference.variables import Variable
from ldp.regression.sample import JointSample


def joint_parts(definition: Definition) -> dict[int, Joint]:
    """The joint part of each form that has one, by the form's number."""
    each = ((form, report.parts(definition, form)[-1]) for form in range(len(definitions.forms(definition))))
    return {form: part for form, part in each if isinstance(part, Joint)}


def joint_sample(
    definition: Definition, tallies: Sequence[FormTally], variables: Sequence[Variable]
) -> JointSample | None:
    """The counts of the joint form that has all of these questions and at least one report; None where none has."""
    form = variables[0].form
    if form is None or any(each.form != form or not each.question.get("joint") for each in variables):
        return None
    part = joint_parts(definition)[form]
    places = tuple(part.keys.index(each.key) for each in variables)
    return JointSample(joint_tally(part, tallies[form].totals[-1]), places) if tallies[form].n else None
