"""As what those count who were not asked a question of a cross-table (M34)."""

from ldp import kinds
from ldp.inference.variables import Variable


def filler(variable: Variable) -> str | None:
    """One of the variable's options; None where everybody was asked."""
    question = variable.question
    if "asked_if" not in question:
        return None
    kind = kinds.of(question)
    whole = kind.answer(question, kind.filler(question), lambda: 0)
    own = whole if variable.place is None else whole[variable.place]
    place = 1 - own if question["mechanism"] == "multiple" else own
    return variable.options[int(place)]
