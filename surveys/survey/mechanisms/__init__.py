"""The mechanisms: one module each for all that the site says of it. They are entered in ldp.mechanisms alone."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ldp import mechanisms
from surveys.survey.mechanisms.protocol import Mechanism

MECHANISMS: dict[str, Mechanism] = {
    name: import_module(f"surveys.survey.mechanisms.{name}").MECHANISM for name in mechanisms.MECHANISMS
}


def of(question: Mapping[str, Any]) -> Mechanism:
    """The mechanism of a definition's question, or of a result."""
    return MECHANISMS[question["mechanism"]]
