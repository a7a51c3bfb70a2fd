"""The kind for one of several options."""

from tests.support import choices
from tests.support.questions import question

QUESTIONS = [question("many", "single_choice", "2", options=[f"Öption {i}" for i in range(20)])]
DIGEST = "ec7abf828f13578c"
ANSWER = 1
TYPED = choices.TYPED
SIZES = [5, 100]

fields, answer, wrong, give = choices.options, choices.position, choices.no_position, choices.give
