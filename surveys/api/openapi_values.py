"""The forms of a question's report in the OpenAPI description, as the mechanisms state them."""

from typing import Any

from surveys.survey.mechanisms import MECHANISMS
from surveys.survey.mechanisms.protocol import BITS, LIST, PAIRS, WHOLE, Form


def report_values() -> list[dict[str, Any]]:
    return [form.schema | {"description": _description(form)} for form in (WHOLE, BITS, LIST, PAIRS)]


def _description(form: Form) -> str:
    """What such a report holds, with the mechanisms that send it."""
    names: dict[str, list[str]] = {}
    for name, mechanism in MECHANISMS.items():
        if mechanism.report.form is form:
            names.setdefault(mechanism.report.holds, []).append(name)
    parts = [f"{', '.join(those)}: {holds}" for holds, those in names.items()]
    return "; ".join([*parts, form.together] if form.together else parts)
