"""Yes or no."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from surveys.rules.languages import DEFAULT, OwnWords, own_words
from surveys.rules.shapes import choices, must
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.choices import Choice
from surveys.survey.kinds.protocol import Kind


class YesNo(Choice):
    name: Promise = gettext_lazy("Yes or no")
    purpose: Promise = gettext_lazy("Something that is so, or is not.")
    begins: Mapping[str, Any] = {}
    required = frozenset()
    has_order = decides = True
    texts = frozenset()
    lists: Mapping[str, int] = {}
    fixed = (own_words(DEFAULT).yes, own_words(DEFAULT).no)
    codes: Mapping[int, int] = {0: 1, 1: 0}

    def build(self, draft: Unchecked, where: str) -> Built:
        return {"options": self.own_options(draft, own_words(DEFAULT))}

    def own_options(self, question: Mapping[str, Any], words: OwnWords) -> list[str]:
        return [words.yes, words.no]

    def check(self, question: Unchecked) -> None:
        must(choices(question) == 2)


KIND: Kind = YesNo()
