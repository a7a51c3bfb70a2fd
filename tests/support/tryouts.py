"""A test answer to a previewed draft, as the page sends it."""

import random
from typing import Any

from ldp.privatize import report
from surveys.designer.studio.preview import preview
from surveys.designer.tryouts.storage import MARK
from surveys.survey import definition as definitions
from tests.support import kinds


def test_answer(draft: Any, seed: int = 1, mark: str = MARK) -> str:
    definition = preview(draft).definition
    assert definition is not None
    digest, words = definitions.digest(definition), random.Random(seed)
    answers = {each["key"]: kinds.of(each["kind"]).answer(dict(each), words) for each in definition["questions"]}
    return report(definition, mark + digest, answers, lambda: words.getrandbits(32))


test_answer.__test__ = False  # type: ignore[attr-defined]
